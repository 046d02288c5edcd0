//! What is done with AVX2, where the processor has it: leaping over text without
//! triggers, where the time is that of reading memory, listing line ends, and the kernels
//! with the most bytes to look for. For the others, the question would cost what it saves.
//!
//! A shuffle by a byte's low four bits gives the one byte looked for that has them, so
//! that a single comparison finds up to sixteen different ones. A second shuffle, by the
//! high four bits, makes that any set of ASCII.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_cmpeq_epi16, _mm256_loadu_si256,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setr_epi8, _mm256_shuffle_epi8,
    _mm256_srli_epi16, _mm256_testz_si256,
};

use super::ahead::{Slots, gather};
use super::{BLOCK, Class, TRIGGER_CASE, advance};
use crate::set::ByteSet;

/// Bytes that are asked together: two blocks.
const STRIDE: usize = 2 * BLOCK;

/// The start of the first block that has a trigger, or of the rest of the text when
/// there are less than two left. Steps by whole blocks from `base`.
#[inline]
pub(super) fn leap_to_trigger(text: &[u8], base: usize) -> usize {
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was asked just before.
        unsafe { leap(text, base) }
    } else {
        base
    }
}

#[target_feature(enable = "avx2")]
fn leap(text: &[u8], mut base: usize) -> usize {
    while let Some(blocks) = text.get(base..).and_then(<[u8]>::first_chunk::<STRIDE>) {
        let (parts, _) = blocks.as_chunks::<32>();
        let [a, b, c, d] = [0, 1, 2, 3].map(|part| trigger(load(&parts[part])));
        let (first, second) = (_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        let any = _mm256_or_si256(first, second);
        if _mm256_testz_si256(any, any) == 0 {
            let is_second = _mm256_testz_si256(first, first) == 1;
            return if is_second { base + BLOCK } else { base };
        }
        base += STRIDE;
    }
    base
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: `bytes` is a reference to 32 readable bytes, and the load asks for
    // no alignment.
    unsafe { _mm256_loadu_si256(core::ptr::from_ref(bytes).cast()) }
}

/// Lanes equal to `byte`.
#[inline]
#[target_feature(enable = "avx2")]
fn equal(bytes: __m256i, byte: u8) -> __m256i {
    _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte.cast_signed()))
}

/// Lanes that hold one of these bytes, of which no two have the same low four bits.
#[inline]
#[target_feature(enable = "avx2")]
fn any_of(bytes: __m256i, table: &[u8; 16]) -> __m256i {
    // Bytes outside ASCII are shuffled to 0, which they are not.
    _mm256_cmpeq_epi8(_mm256_shuffle_epi8(twice(table), bytes), bytes)
}

/// The table in both halves, as shuffles want it.
#[inline]
#[target_feature(enable = "avx2")]
fn twice(table: &[u8; 16]) -> __m256i {
    let [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15] =
        table.map(u8::cast_signed);
    _mm256_setr_epi8(
        b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, //
        b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15,
    )
}

/// The table for [`any_of`]: each byte where its low four bits say, elsewhere one that
/// cannot be meant there.
const fn table(bytes: &[u8]) -> [u8; 16] {
    let mut table = [1; 16];
    table[1] = 0;
    let mut idx = 0;
    while idx < bytes.len() {
        let place = &mut table[(bytes[idx] & 15) as usize];
        assert!(*place <= 1, "two bytes have the same low bits");
        *place = bytes[idx];
        idx += 1;
    }
    table
}

/// The same lanes as `x86::trigger`, and those of `w/` and the like, which is no
/// harm: `x86::trigger` has the last word.
#[inline]
#[target_feature(enable = "avx2")]
fn trigger(bytes: __m256i) -> __m256i {
    const TABLE: [u8; 16] = table(b":/w");
    let folded = _mm256_or_si256(bytes, _mm256_set1_epi8(TRIGGER_CASE.cast_signed()));
    let pairs = _mm256_cmpeq_epi16(any_of(folded, &TABLE), _mm256_set1_epi8(-1));
    _mm256_or_si256(pairs, equal(bytes, b'@'))
}

/// The mask of `x86::inline`, if the processor has AVX2.
#[inline]
pub(super) fn inline<const BREAKS: bool, const TILDE: bool>(block: &[u8; BLOCK]) -> Option<u64> {
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was asked just before.
        Some(unsafe { inline_mask::<BREAKS, TILDE>(block) })
    } else {
        None
    }
}

/// Writes out the stops of `LineEnd`, if the processor has AVX2 and what came with it.
#[inline]
pub(super) fn gather_line_ends(text: &[u8], from: usize, slots: &mut Slots) -> Option<usize> {
    if std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has all three, as was asked just before.
        Some(unsafe { gather_line_ends_avx2(text, from, slots) })
    } else {
        None
    }
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn gather_line_ends_avx2(text: &[u8], from: usize, slots: &mut Slots) -> usize {
    const TABLE: [u8; 16] = table(b"\0\n\r");
    let half = |bytes: &[u8; 32]| {
        u64::from(_mm256_movemask_epi8(any_of(load(bytes), &TABLE)).cast_unsigned())
    };
    gather(text, from, slots, |block| halves(block, half))
}

/// [`Kernel::advance`](super::Kernel::advance) of `Inline`, if the processor has AVX2.
#[inline]
pub(super) fn advance_inline<const BREAKS: bool, const TILDE: bool>(
    text: &[u8],
    base: usize,
    end: usize,
) -> Option<(usize, u64)> {
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was asked just before.
        Some(unsafe { advance_inline_avx2::<BREAKS, TILDE>(text, base, end) })
    } else {
        None
    }
}

#[target_feature(enable = "avx2")]
fn advance_inline_avx2<const BREAKS: bool, const TILDE: bool>(
    text: &[u8],
    base: usize,
    end: usize,
) -> (usize, u64) {
    advance(text, base, end, |block| inline_mask::<BREAKS, TILDE>(block))
}

/// `\\` 5C, `^` 5E, `|` 7C and `~` 7E differ in bits 1 and 5; all others have low four
/// bits of their own.
#[inline]
#[target_feature(enable = "avx2")]
fn inline_mask<const BREAKS: bool, const TILDE: bool>(block: &[u8; BLOCK]) -> u64 {
    const TABLE: [u8; 16] = table(b"`\"&*[<]>_");
    let half = |bytes: &[u8; 32]| {
        let bytes = load(bytes);
        let bits = if TILDE { !0x22 } else { !0x02_u8 };
        let masked = _mm256_and_si256(bytes, _mm256_set1_epi8(bits.cast_signed()));
        let mut lanes = _mm256_or_si256(any_of(bytes, &TABLE), equal(masked, b'\\'));
        if BREAKS {
            lanes = _mm256_or_si256(lanes, equal(bytes, b'\n'));
        }
        u64::from(_mm256_movemask_epi8(lanes).cast_unsigned())
    };
    halves(block, half)
}

/// Both halves of a block through `half`, as one mask.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(block: &[u8; BLOCK], half: impl Fn(&[u8; 32]) -> u64) -> u64 {
    let (halves, _) = block.as_chunks::<32>();
    half(&halves[0]) | half(&halves[1]) << 32
}

/// [`Kernel::advance`](super::Kernel::advance) of a class, if the processor has AVX2.
#[inline]
pub(super) fn advance_class<C: Class>(
    text: &[u8],
    base: usize,
    end: usize,
) -> Option<(usize, u64)> {
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was asked just before.
        Some(unsafe { advance_class_avx2::<C>(text, base, end) })
    } else {
        None
    }
}

#[target_feature(enable = "avx2")]
fn advance_class_avx2<C: Class>(text: &[u8], base: usize, end: usize) -> (usize, u64) {
    advance(text, base, end, |block| class_mask::<C>(block))
}

/// The mask of a class, if the processor has AVX2.
#[inline]
pub(super) fn class<C: Class>(block: &[u8; BLOCK]) -> Option<u64> {
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was asked just before.
        Some(unsafe { class_mask::<C>(block) })
    } else {
        None
    }
}

/// A class for two shuffles. Bytes of ASCII with the same high four bits are a row, and
/// each of the eight rows has a bit.
struct Rows {
    /// For each low four bits, the bits of the rows that have them in the class.
    low: [u8; 16],
    /// Whether everything that is not ASCII is in the class, or nothing.
    has_others: bool,
}

/// For each high four bits, the bit of the row.
const HIGH: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

impl Rows {
    const fn new(set: &ByteSet) -> Self {
        let (mut low, has_others) = ([0; 16], set.contains(0xFF));
        let mut byte = 0_u8;
        loop {
            if byte >= 0x80 {
                assert!(set.contains(byte) == has_others, "neither all nor nothing");
            } else if set.contains(byte) {
                low[byte as usize & 15] |= HIGH[byte as usize >> 4];
            }
            match byte.checked_add(1) {
                Some(next) => byte = next,
                None => return Self { low, has_others },
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn class_mask<C: Class>(block: &[u8; BLOCK]) -> u64 {
    let rows = const { Rows::new(&C::SET) };
    let half = |bytes: &[u8; 32]| {
        let bytes = load(bytes);
        // What is not ASCII is shuffled to 0.
        let low = _mm256_shuffle_epi8(twice(&rows.low), bytes);
        let high_bits = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(15));
        let high = _mm256_shuffle_epi8(twice(&HIGH), high_bits);
        let others = equal(_mm256_and_si256(low, high), 0);
        let mut mask = !_mm256_movemask_epi8(others);
        if rows.has_others {
            mask |= _mm256_movemask_epi8(bytes);
        }
        u64::from(mask.cast_unsigned())
    };
    halves(block, half)
}
