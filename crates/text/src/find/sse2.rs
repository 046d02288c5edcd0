//! Sixteen lanes with SSE2. It is selected by `target_feature`, not by the architecture: a target
//! such as `x86_64-unknown-none` has no vector registers.
#![allow(unsafe_code, clippy::inline_always)]

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmpeq_epi16, _mm_loadu_si128, _mm_min_epu8,
    _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8, _mm_set1_epi16, _mm_sub_epi8,
};

use crate::find::BLOCK;

/// Sixteen bytes, or one boolean per lane: all bits set, or none.
pub(super) type Lanes = __m128i;

/// Applies the predicate `lanes` to a block, and returns the result as a mask.
#[inline(always)]
pub(super) fn mask(block: &[u8; BLOCK], lanes: impl Fn(Lanes) -> Lanes) -> u64 {
    let (quarters, _) = block.as_chunks::<16>();
    quarters.iter().rev().fold(0, |mask, quarter| {
        // SAFETY: `quarter` is a reference to 16 readable bytes, the load requires no alignment,
        // and SSE2 is enabled, or this file would not be compiled.
        let bytes = unsafe { _mm_loadu_si128(core::ptr::from_ref(quarter).cast()) };
        // SAFETY: SSE2 is enabled.
        let bits = unsafe { _mm_movemask_epi8(lanes(bytes)) };
        mask << 16 | u64::from(bits.cast_unsigned())
    })
}

/// `byte` in every lane.
#[inline(always)]
pub(super) fn all(byte: u8) -> Lanes {
    // SAFETY: SSE2 is enabled.
    unsafe { _mm_set1_epi8(byte.cast_signed()) }
}

#[inline(always)]
pub(super) fn and(a: Lanes, b: Lanes) -> Lanes {
    // SAFETY: SSE2 is enabled.
    unsafe { _mm_and_si128(a, b) }
}

#[inline(always)]
pub(super) fn or(a: Lanes, b: Lanes) -> Lanes {
    // SAFETY: SSE2 is enabled.
    unsafe { _mm_or_si128(a, b) }
}

/// `a - b` in each lane, modulo 256.
#[inline(always)]
pub(super) fn sub(a: Lanes, b: Lanes) -> Lanes {
    // SAFETY: SSE2 is enabled.
    unsafe { _mm_sub_epi8(a, b) }
}

/// The lanes where `a == b`.
#[inline(always)]
pub(super) fn equal(a: Lanes, b: Lanes) -> Lanes {
    // SAFETY: SSE2 is enabled.
    unsafe { _mm_cmpeq_epi8(a, b) }
}

/// The lanes where `a <= b`. SSE2 compares only signed bytes, so this is `a == min(a, b)`.
#[inline(always)]
pub(super) fn at_most(a: Lanes, b: Lanes) -> Lanes {
    // SAFETY: SSE2 is enabled.
    unsafe { _mm_cmpeq_epi8(a, _mm_min_epu8(a, b)) }
}

/// The two lanes of each `pair` that begins in an even lane.
#[inline(always)]
pub(super) fn equal_pair(bytes: Lanes, pair: [u8; 2]) -> Lanes {
    // SAFETY: SSE2 is enabled.
    unsafe { _mm_cmpeq_epi16(bytes, _mm_set1_epi16(i16::from_le_bytes(pair))) }
}
