//! Sixteen lanes with the vector instructions of WebAssembly, in a build that enables them:
//! `-C target-feature=+simd128`. An engine without them rejects the whole module, so there is
//! nothing to detect at run time.
#![allow(unsafe_code, clippy::inline_always)]

use core::arch::wasm32::{
    i8x16_bitmask, i8x16_eq, i8x16_sub, i16x8_eq, u8x16_le, u8x16_splat, u16x8_splat, v128,
    v128_and, v128_load, v128_or,
};

use crate::find::BLOCK;

/// Sixteen bytes, or one boolean per lane: all bits set, or none.
pub(super) type Lanes = v128;

/// Applies the predicate `lanes` to a block, and returns the result as a mask.
#[inline(always)]
pub(super) fn mask(block: &[u8; BLOCK], lanes: impl Fn(Lanes) -> Lanes) -> u64 {
    let (quarters, _) = block.as_chunks::<16>();
    quarters.iter().rev().fold(0, |mask, quarter| {
        // SAFETY: `quarter` is a reference to 16 readable bytes, and the load requires no
        // alignment.
        let bytes = unsafe { v128_load(core::ptr::from_ref(quarter).cast()) };
        mask << 16 | u64::from(i8x16_bitmask(lanes(bytes)))
    })
}

/// `byte` in every lane.
#[inline(always)]
pub(super) fn all(byte: u8) -> Lanes {
    u8x16_splat(byte)
}

#[inline(always)]
pub(super) fn and(a: Lanes, b: Lanes) -> Lanes {
    v128_and(a, b)
}

#[inline(always)]
pub(super) fn or(a: Lanes, b: Lanes) -> Lanes {
    v128_or(a, b)
}

/// `a - b` in each lane, modulo 256.
#[inline(always)]
pub(super) fn sub(a: Lanes, b: Lanes) -> Lanes {
    i8x16_sub(a, b)
}

/// The lanes where `a == b`.
#[inline(always)]
pub(super) fn equal(a: Lanes, b: Lanes) -> Lanes {
    i8x16_eq(a, b)
}

/// The lanes where `a <= b`.
#[inline(always)]
pub(super) fn at_most(a: Lanes, b: Lanes) -> Lanes {
    u8x16_le(a, b)
}

/// The two lanes of each `pair` that begins in an even lane.
#[inline(always)]
pub(super) fn equal_pair(bytes: Lanes, pair: [u8; 2]) -> Lanes {
    i16x8_eq(bytes, u16x8_splat(u16::from_le_bytes(pair)))
}
