//! Sixteen lanes with NEON, on aarch64.
//!
//! NEON has no instruction that makes a mask of lanes. Instead, each lane keeps the one bit of its
//! position in its group of eight, and three rounds of pairwise addition bring the bits of eight
//! lanes into one byte, for a whole block at once:
//!
//! ```text
//! lanes     FF 00 FF FF 00 00 00 FF   of 64
//! & BITS    01 00 04 08 00 00 00 80
//! add       01    0C    00    80      of 32
//! add       0D          80            of 16
//! add       8D                        of 8: the mask, 0b1000_1101
//! ```
#![allow(unsafe_code, clippy::inline_always)]

use core::arch::aarch64::{
    uint8x16_t, vandq_u8, vceqq_u8, vceqq_u16, vcleq_u8, vdupq_n_u8, vdupq_n_u16, vgetq_lane_u64,
    vld1q_u8, vorrq_u8, vpaddq_u8, vreinterpretq_u8_u16, vreinterpretq_u16_u8,
    vreinterpretq_u64_u8, vsubq_u8,
};

use crate::find::BLOCK;

/// Sixteen bytes, or one boolean per lane: all bits set, or none.
pub(super) type Lanes = uint8x16_t;

/// The bit of each lane in its group of eight.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// Applies the predicate `lanes` to a block, and returns the result as a mask.
#[inline(always)]
pub(super) fn mask(block: &[u8; BLOCK], lanes: impl Fn(Lanes) -> Lanes) -> u64 {
    let (quarters, _) = block.as_chunks::<16>();
    let bits = |idx: usize| and(lanes(load(&quarters[idx])), load(&BITS));
    // SAFETY: NEON is enabled.
    unsafe {
        let pairs = [vpaddq_u8(bits(0), bits(1)), vpaddq_u8(bits(2), bits(3))];
        let fours = vpaddq_u8(pairs[0], pairs[1]);
        vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(fours, fours)))
    }
}

#[inline(always)]
fn load(bytes: &[u8; 16]) -> Lanes {
    // SAFETY: `bytes` is a reference to 16 readable bytes, the load requires no alignment, and NEON
    // is enabled, or this file would not be compiled.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

/// `byte` in every lane.
#[inline(always)]
pub(super) fn all(byte: u8) -> Lanes {
    // SAFETY: NEON is enabled.
    unsafe { vdupq_n_u8(byte) }
}

#[inline(always)]
pub(super) fn and(a: Lanes, b: Lanes) -> Lanes {
    // SAFETY: NEON is enabled.
    unsafe { vandq_u8(a, b) }
}

#[inline(always)]
pub(super) fn or(a: Lanes, b: Lanes) -> Lanes {
    // SAFETY: NEON is enabled.
    unsafe { vorrq_u8(a, b) }
}

/// `a - b` in each lane, modulo 256.
#[inline(always)]
pub(super) fn sub(a: Lanes, b: Lanes) -> Lanes {
    // SAFETY: NEON is enabled.
    unsafe { vsubq_u8(a, b) }
}

/// The lanes where `a == b`.
#[inline(always)]
pub(super) fn equal(a: Lanes, b: Lanes) -> Lanes {
    // SAFETY: NEON is enabled.
    unsafe { vceqq_u8(a, b) }
}

/// The lanes where `a <= b`.
#[inline(always)]
pub(super) fn at_most(a: Lanes, b: Lanes) -> Lanes {
    // SAFETY: NEON is enabled.
    unsafe { vcleq_u8(a, b) }
}

/// The two lanes of each `pair` that begins in an even lane.
#[inline(always)]
pub(super) fn equal_pair(bytes: Lanes, pair: [u8; 2]) -> Lanes {
    // SAFETY: NEON is enabled.
    unsafe {
        let pairs = vdupq_n_u16(u16::from_le_bytes(pair));
        vreinterpretq_u8_u16(vceqq_u16(vreinterpretq_u16_u8(bytes), pairs))
    }
}
