//! The kernels with SSE2, which is part of x86-64 itself: nothing to detect.
//!
//! Several bytes share one comparison where their bits allow it: `x & !2 == '<'`
//! holds for `<` and `>` alone, a wrapping subtraction and an unsigned minimum
//! test a whole range. The comments give the arithmetic; the twin test in the
//! parent module holds it.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmpeq_epi16, _mm_loadu_si128, _mm_min_epu8,
    _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8, _mm_set1_epi16, _mm_sub_epi8,
};

use super::{BLOCK, TRIGGER_CASE};

/// The quarters of a block, or halves of a chunk, through `lanes`, as one mask.
#[inline(always)]
#[allow(clippy::inline_always, clippy::cast_sign_loss)]
fn quarters<const N: usize>(block: &[u8; N], lanes: impl Fn(__m128i) -> __m128i) -> u64 {
    let (quarters, _) = block.as_chunks::<16>();
    let mut mask = 0;
    for quarter in quarters.iter().rev() {
        // SAFETY: `quarter` is a reference to 16 readable bytes, and the load
        // asks for no alignment.
        let bytes = unsafe { _mm_loadu_si128(core::ptr::from_ref(quarter).cast()) };
        // SAFETY: SSE2 is enabled on every x86-64 target.
        let bits = unsafe { _mm_movemask_epi8(lanes(bytes)) };
        mask = mask << 16 | u64::from(bits as u32);
    }
    mask
}

/// A vector of one byte.
#[inline(always)]
#[allow(clippy::inline_always, clippy::cast_possible_wrap)]
fn all(byte: u8) -> __m128i {
    // SAFETY: SSE2 is enabled on every x86-64 target.
    unsafe { _mm_set1_epi8(byte as i8) }
}

/// Lanes where `bytes & mask == byte`.
#[inline(always)]
#[allow(clippy::inline_always)]
fn masked(bytes: __m128i, mask: u8, byte: u8) -> __m128i {
    // SAFETY: SSE2 is enabled on every x86-64 target.
    unsafe { _mm_cmpeq_epi8(_mm_and_si128(bytes, all(mask)), all(byte)) }
}

/// Lanes equal to `byte`.
#[inline(always)]
#[allow(clippy::inline_always)]
fn equal(bytes: __m128i, byte: u8) -> __m128i {
    // SAFETY: SSE2 is enabled on every x86-64 target.
    unsafe { _mm_cmpeq_epi8(bytes, all(byte)) }
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn or(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: SSE2 is enabled on every x86-64 target.
    unsafe { _mm_or_si128(a, b) }
}

#[inline]
pub(super) fn line_end(block: &[u8; BLOCK]) -> u64 {
    quarters(block, |bytes| or(or(equal(bytes, b'\n'), equal(bytes, b'\r')), equal(bytes, 0)))
}

#[inline]
pub(super) fn bracket(block: &[u8; BLOCK]) -> u64 {
    quarters(block, |bytes| or(or(equal(bytes, b'['), equal(bytes, b']')), equal(bytes, b'\n')))
}

#[inline]
pub(super) fn square(block: &[u8; BLOCK]) -> u64 {
    quarters(block, |bytes| or(equal(bytes, b'['), equal(bytes, b']')))
}

/// `(` 28 and `)` 29 differ in bit 0.
#[inline]
pub(super) fn enclosure(block: &[u8; BLOCK]) -> u64 {
    quarters(block, |bytes| {
        or(or(masked(bytes, !0x01, b'('), equal(bytes, b'"')), equal(bytes, b'\n'))
    })
}

/// `|` 7C and `\\` 5C differ in bit 5.
#[inline]
pub(super) fn pipe(block: &[u8; BLOCK]) -> u64 {
    quarters(block, |bytes| masked(bytes, !0x20, b'\\'))
}

/// Lanes from `first` to `last`.
#[inline(always)]
#[allow(clippy::inline_always)]
fn range(bytes: __m128i, first: u8, last: u8) -> __m128i {
    // SAFETY: SSE2 is enabled on every x86-64 target.
    unsafe {
        let from_first = _mm_sub_epi8(bytes, all(first));
        _mm_cmpeq_epi8(from_first, _mm_min_epu8(from_first, all(last - first)))
    }
}

/// Letters differ from each other's case in bit 5.
#[inline]
pub(super) fn label(block: &[u8; BLOCK]) -> u64 {
    !quarters(block, |bytes| {
        let letters = range(or(bytes, all(0x20)), b'a', b'z');
        or(or(letters, range(bytes, b'0', b'9')), equal(bytes, b'-'))
    })
}

#[inline]
pub(super) fn word_end(block: &[u8; BLOCK]) -> u64 {
    quarters(block, |bytes| or(range(bytes, 0, b' '), equal(bytes, b'<')))
}

/// Control characters but 0, and space, are the range 01..=20, `{ | }` 7B..=7D,
/// and what is not ASCII, with delete, 7F..=FF. `& ' ( )` are 26..=29, `[ \ ] ^`
/// 5B..=5E. `<` and `>` differ in bit 1; `"` 22 and `` ` `` 60 stand alone.
#[inline]
pub(super) fn destination(block: &[u8; BLOCK]) -> u64 {
    quarters(block, |bytes| {
        let outer = or(range(bytes, 0x01, b' '), range(bytes, 0x7F, 0xFF));
        let inner = or(range(bytes, b'&', b')'), range(bytes, b'[', b'^'));
        let others = or(range(bytes, b'{', b'}'), masked(bytes, !0x02, b'<'));
        let alone = or(equal(bytes, b'"'), equal(bytes, b'`'));
        or(or(outer, inner), or(others, alone))
    })
}

/// `<` 3C and `>` 3E differ in bit 1, `"` 22 and `&` 26 in bit 2.
#[inline(always)]
#[allow(clippy::inline_always)]
fn escapable_lanes(bytes: __m128i, angle_mask: u8) -> __m128i {
    or(masked(bytes, angle_mask, b'<'), masked(bytes, !0x04, b'"'))
}

/// What is replaced when text is copied; `LINES` also line feed.
#[inline]
pub(super) fn escapable<const N: usize, const LINES: bool>(block: &[u8; N]) -> u64 {
    quarters(block, |bytes| {
        let lanes = escapable_lanes(bytes, !0x02);
        if LINES { or(lanes, equal(bytes, b'\n')) } else { lanes }
    })
}

/// `[ \ ] ^ _ `` ` `` are the range 5B..=60. Line feed 0A and `*` 2A differ in
/// bit 5. `~` 7E and `|` 7C are `>` and `<` with bit 6.
#[inline]
pub(super) fn inline<const BREAKS: bool, const TILDE: bool>(block: &[u8; BLOCK]) -> u64 {
    #[cfg(feature = "std")]
    if let Some(mask) = super::avx2::inline::<BREAKS, TILDE>(block) {
        return mask;
    }
    inline_sse2::<BREAKS, TILDE>(block)
}

#[inline]
pub(super) fn inline_sse2<const BREAKS: bool, const TILDE: bool>(block: &[u8; BLOCK]) -> u64 {
    let angle_mask = if TILDE { !0x42 } else { !0x02 };
    let star_mask = if BREAKS { !0x20 } else { !0x00 };
    quarters(block, |bytes| {
        let star = masked(bytes, star_mask, b'*' & star_mask);
        or(or(range(bytes, b'[', b'`'), star), escapable_lanes(bytes, angle_mask))
    })
}

/// Lanes of both bytes of `pair`, where it begins at an even place.
#[inline(always)]
#[allow(clippy::inline_always)]
fn pairs(bytes: __m128i, pair: [u8; 2]) -> __m128i {
    // SAFETY: SSE2 is enabled on every x86-64 target.
    unsafe { _mm_cmpeq_epi16(bytes, _mm_set1_epi16(i16::from_le_bytes(pair))) }
}

#[inline]
pub(super) fn trigger(block: &[u8; BLOCK]) -> u64 {
    quarters(block, |bytes| {
        let folded = or(bytes, all(TRIGGER_CASE));
        let slashes = or(pairs(folded, *b":/"), pairs(folded, *b"//"));
        or(or(slashes, pairs(folded, *b"ww")), equal(bytes, b'@'))
    })
}
