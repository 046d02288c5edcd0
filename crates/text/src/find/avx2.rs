//! The AVX2 kernels, used if the processor has it. They skip text without triggers at the speed of
//! memory, list line ends, search for the classes marked `#[wide]`, and copy long texts.
//!
//! Classes are found by nibble lookup: a shuffle looks up 32 bytes at once in a table of sixteen,
//! each by its low nibble. If no two bytes of a class have the same low nibble, one table holds the
//! bytes themselves: a byte that finds itself is in the class. Otherwise there are two tables. A
//! row is the sixteen bytes of ASCII with the same high nibble: the first table says for each low
//! nibble which rows have such a byte in the class, and the second says for each high nibble which
//! row it stands for:
//!
//! ```text
//! class `[` 5B, `]` 5D      one[B] = 5B, one[D] = 5D
//! byte `]` 5D               one[D] = 5D, itself: in the class
//! byte `=` 3D               one[D] = 5D: not in it
//!
//! class `]` 5D, `=` 3D      low[D] = rows 3 and 5
//! byte `=` 3D               low[D] & high[3] = row 3, as high[3]: in the class
//! byte `M` 4D               low[D] & high[4] = nothing: not in it
//! ```
#![allow(unsafe_code)]

use alloc::string::String;
use alloc::vec::Vec;
use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_cmpeq_epi16, _mm256_loadu_si256,
    _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_set1_epi16,
    _mm256_setr_epi8, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_testz_si256, _mm256_xor_si256,
};
use core::cell::Cell;

use super::ahead::{Slots, gather};
use super::avx512::Avx512;
use super::class::TRIGGER_CASE;
use super::fold::{Ends, FoldTo, WINDOW, fold, fold_by, push_block};
use super::replace::{Replace, push_long_by};
use super::{BLOCK, Class, Kernel as _, LineEnd, Return, load as load_block, mask_at_end, pad};
use crate::set::ByteSet;

/// See the first definition, in `find.rs`.
macro_rules! widest {
    ($avx2:ident => $wide:expr, $vector:expr, $scalar:expr) => {
        match super::avx2::Avx2::detect() {
            Some($avx2) => $wide,
            None => $vector,
        }
    };
    ($vector:expr, $scalar:expr) => {
        $vector
    };
}

/// Proof that the processor has AVX2: every kernel here is called through one.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

// `self` is the proof, although no method reads it.
#[allow(clippy::unused_self)]
impl Avx2 {
    /// Asks the processor; after the first time, that is a load and a comparison.
    #[inline]
    pub(super) fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    /// [`Kernel::mask`](super::Kernel::mask) of a class.
    #[inline]
    pub(super) fn mask<C: Class>(self, block: &[u8; BLOCK]) -> u64 {
        // SAFETY: `self` proves that there is AVX2.
        unsafe { class_mask::<C>(block) }
    }

    /// [`Kernel::load`](super::Kernel::load) of a class.
    #[inline]
    pub(super) fn load<C: Class>(self, text: &[u8], base: usize, end: usize) -> (usize, u64) {
        // SAFETY: `self` proves that there is AVX2.
        unsafe { load_class::<C>(text, base, end) }
    }

    /// [`Kernel::gather`](super::Kernel::gather) of a class.
    #[inline]
    pub(super) fn gather<C: Class>(self, text: &[u8], from: usize, slots: &mut Slots) -> usize {
        if has_bit_steps() {
            // SAFETY: the processor has BMI1 and POPCNT, and `self` proves that there is AVX2.
            unsafe { gather_class::<C>(text, from, slots) }
        } else {
            gather(text, from, slots, C::mask)
        }
    }

    /// [`fold`](super::fold::fold).
    #[inline]
    pub(super) fn fold<E: Ends>(
        self,
        text: &str,
        start: usize,
        end: usize,
        out: &mut String,
        returns: &mut Vec<u32>,
    ) -> bool {
        if let Some(avx512) = Avx512::detect() {
            avx512.fold::<E>(text, start, end, out, returns)
        } else if has_bit_steps() {
            // SAFETY: the processor has BMI1 and POPCNT, and `self` proves that there is AVX2.
            unsafe { fold_slice::<E>(text, start, end, out, returns) }
        } else {
            // SAFETY: it is the mask of carriage returns.
            unsafe { fold_by::<E>(text, start, end, out, returns, Return::mask, LineEnd::mask) }
        }
    }

    /// [`push_replaced`](super::push_replaced) of a long slice.
    #[inline]
    pub(super) fn push_replaced<R: Replace>(
        self,
        text: &str,
        start: usize,
        end: usize,
        out: &mut String,
    ) {
        // SAFETY: `self` proves that there is AVX2.
        unsafe { push_slice::<R>(text, start, end, out) }
    }

    /// [`Kernel::mask`](super::Kernel::mask) of [`Trigger`](super::Trigger).
    #[inline]
    pub(super) fn mask_triggers(self, block: &[u8; BLOCK]) -> u64 {
        // SAFETY: `self` proves that there is AVX2.
        unsafe { trigger_mask(block) }
    }

    /// [`Kernel::leap`](super::Kernel::leap) of [`Trigger`](super::Trigger).
    #[inline]
    pub(super) fn leap_to_trigger(self, text: &[u8]) -> Option<usize> {
        // SAFETY: `self` proves that there is AVX2.
        unsafe { leap_to_trigger(text) }
    }

    /// [`Kernel::load`](super::Kernel::load) of [`Trigger`](super::Trigger).
    #[inline]
    pub(super) fn load_triggers(self, text: &[u8], base: usize, end: usize) -> (usize, u64) {
        // SAFETY: `self` proves that there is AVX2.
        unsafe { load_triggers(text, base, end) }
    }
}

/// Whether the processor has BMI1 (lowest set bit) and POPCNT.
#[inline]
fn has_bit_steps() -> bool {
    std::arch::is_x86_feature_detected!("bmi1") && std::arch::is_x86_feature_detected!("popcnt")
}

#[target_feature(enable = "avx2")]
fn load_class<C: Class>(text: &[u8], base: usize, end: usize) -> (usize, u64) {
    load_block(text, base, end, |block| class_mask::<C>(block))
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn gather_class<C: Class>(text: &[u8], from: usize, slots: &mut Slots) -> usize {
    gather(text, from, slots, |block| class_mask::<C>(block))
}

#[target_feature(enable = "avx2")]
fn push_slice<R: Replace>(text: &str, start: usize, end: usize, out: &mut String) {
    // SAFETY: it is the mask of the class, by tables that are made from its set.
    unsafe { push_long_by::<R>(text, start, end, out, |block| class_mask::<R::Stops>(block)) };
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn fold_slice<E: Ends>(
    text: &str,
    start: usize,
    end: usize,
    out: &mut String,
    returns: &mut Vec<u32>,
) -> bool {
    // `least` is the minimum so far in each lane, which costs less than another mask. `others` has
    // the lanes where a carriage return is not followed by a line feed, or a line feed does not
    // follow a carriage return.
    let (least, others) = (Cell::new(_mm256_set1_epi8(-1)), Cell::new(_mm256_set1_epi8(0)));
    let push = |window: &[u8; WINDOW], lanes: u64, to: FoldTo| {
        let half = |at: usize| {
            let (Some(bytes), Some(next)) =
                (window[at..].first_chunk(), window[at + 1..].first_chunk())
            else {
                return 0;
            };
            let bytes = load(bytes);
            let returns = equal(bytes, b'\r');
            if E::CRLF_ALONE {
                least.set(_mm256_min_epu8(least.get(), bytes));
                let differ = _mm256_xor_si256(returns, equal(load(next), b'\n'));
                others.set(_mm256_or_si256(others.get(), differ));
            }
            u64::from(_mm256_movemask_epi8(returns).cast_unsigned())
        };
        let stops = (half(0) | half(32) << 32) & lanes;
        push_block(window, stops, to);
        stops.count_ones()
    };
    let has_others = || {
        let nul = equal(least.get(), 0);
        _mm256_movemask_epi8(_mm256_or_si256(nul, others.get())) != 0
    };
    // SAFETY: the mask is that of the lanes equal to a carriage return, which `push_block` lists.
    unsafe { fold::<E>(text, start, end, out, returns, push, has_others) }
}

/// A class as two tables for nibble lookup. The bytes of ASCII with the same high nibble are a row,
/// and each of the eight rows has a bit. A byte is in the class if `low & high == high`.
struct Tables {
    /// For each low nibble, the rows that have such a byte in the class. The shuffle gives 0 for a
    /// byte that is not ASCII.
    low: [u8; 16],
    /// For each high nibble, its row. Outside ASCII, 0 if those bytes are in the class, which makes
    /// the comparison true, or else 0xFF, which makes it false.
    high: [u8; 16],
}

impl Tables {
    const fn new(set: &ByteSet) -> Self {
        let has_others = set.contains(0xFF);
        let other = if has_others { 0 } else { 0xFF };
        let mut low = [0; 16];
        let mut high = [other; 16];
        let mut byte = 0_u8;
        loop {
            if byte.is_ascii() {
                let row = 1 << (byte >> 4);
                high[byte as usize >> 4] = row;
                if set.contains(byte) {
                    low[byte as usize & 15] |= row;
                }
            } else {
                assert!(set.contains(byte) == has_others, "neither all nor nothing");
            }
            match byte.checked_add(1) {
                Some(next) => byte = next,
                None => return Self { low, high },
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn class_mask<C: Class>(block: &[u8; BLOCK]) -> u64 {
    halves(block, |half| {
        let bytes = load(half);
        let lanes = match const { one_table(&C::SET) } {
            Some(table) => look_up(bytes, &table),
            None => look_up_both(bytes, const { &Tables::new(&C::SET) }),
        };
        u64::from(_mm256_movemask_epi8(lanes).cast_unsigned())
    })
}

/// The lanes whose byte is in a class, by two tables.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up_both(bytes: __m256i, tables: &Tables) -> __m256i {
    let low = _mm256_shuffle_epi8(twice(&tables.low), bytes);
    // AVX2 cannot shift bytes: bits of the neighbor come in and are masked out.
    let nibbles = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(15));
    let high = _mm256_shuffle_epi8(twice(&tables.high), nibbles);
    _mm256_cmpeq_epi8(_mm256_and_si256(low, high), high)
}

/// Applies `half` to both halves of a block, and joins the masks.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(block: &[u8; BLOCK], half: impl Fn(&[u8; 32]) -> u64) -> u64 {
    let (halves, _) = block.as_chunks::<32>();
    half(&halves[0]) | half(&halves[1]) << 32
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn load_triggers(text: &[u8], base: usize, end: usize) -> (usize, u64) {
    let text = text.get(..end).unwrap_or(text);
    let mut rest = text.get(base..).unwrap_or_default();
    while let Some((block, behind)) = rest.split_first_chunk() {
        let bits = trigger_mask(block);
        if bits != 0 {
            return (text.len() - rest.len(), bits);
        }
        rest = leap(behind);
    }
    (text.len() - rest.len(), mask_at_end(text, rest, |block| trigger_mask(block)))
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn leap_to_trigger(text: &[u8]) -> Option<usize> {
    let is_none = |lanes: __m256i| _mm256_testz_si256(lanes, lanes) == 1;
    let Some(last) = text.last_chunk() else {
        let any = match (text.first_chunk(), text.last_chunk()) {
            (Some(first), Some(last)) => {
                _mm256_or_si256(maybe_trigger(load(first)), maybe_trigger(load(last)))
            }
            _ => maybe_triggers(&pad(text)),
        };
        return if is_none(any) { None } else { Some(0) };
    };
    // Less than two blocks are left at the end; the first and the last block of the rest cover it.
    // Each pairs bytes at its own even offsets; a trigger lies in one of them or begins right
    // before it.
    let rest = leap(text);
    if rest.first_chunk().is_some_and(|first| !is_none(maybe_triggers(first))) {
        return Some(text.len() - rest.len());
    }
    if is_none(maybe_triggers(last)) { None } else { Some(text.len() - BLOCK) }
}

/// The number of bytes tested at once: two blocks.
const STRIDE: usize = 2 * BLOCK;

/// Skips blocks that certainly have no trigger. What is returned starts with a block that may have
/// one, or is shorter than two blocks.
#[inline]
#[target_feature(enable = "avx2")]
fn leap(mut rest: &[u8]) -> &[u8] {
    while let Some((blocks, behind)) = rest.split_first_chunk::<STRIDE>() {
        let (blocks, _) = blocks.as_chunks::<BLOCK>();
        let (first, second) = (maybe_triggers(&blocks[0]), maybe_triggers(&blocks[1]));
        let any = _mm256_or_si256(first, second);
        if _mm256_testz_si256(any, any) == 0 {
            let is_second = _mm256_testz_si256(first, first) == 1;
            return if is_second { &rest[BLOCK..] } else { rest };
        }
        rest = behind;
    }
    rest
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: `bytes` is a reference to 32 readable bytes, and the load requires no alignment.
    unsafe { _mm256_loadu_si256(core::ptr::from_ref(bytes).cast()) }
}

/// Lanes equal to `byte`.
#[inline]
#[target_feature(enable = "avx2")]
fn equal(bytes: __m256i, byte: u8) -> __m256i {
    _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte.cast_signed()))
}

/// The lanes whose byte is in a class, by one table.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up(bytes: __m256i, table: &[u8; 16]) -> __m256i {
    // Bytes outside ASCII are shuffled to 0, so they never equal themselves.
    _mm256_cmpeq_epi8(_mm256_shuffle_epi8(twice(table), bytes), bytes)
}

/// The table in both 128-bit halves: a shuffle works within each.
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

/// The single table of a class: each byte at the index of its low nibble. An unused slot holds a
/// byte with another low nibble, so that it matches nothing. `None` if two bytes have the same low
/// nibble, or one is not ASCII.
const fn one_table(set: &ByteSet) -> Option<[u8; 16]> {
    let mut table = [1; 16];
    table[1] = 0;
    let mut byte = 0_u8;
    loop {
        if set.contains(byte) {
            let place = &mut table[byte as usize & 15];
            let is_free = *place == (byte & 15 != 1) as u8;
            if !is_free || !byte.is_ascii() {
                return None;
            }
            *place = byte;
        }
        match byte.checked_add(1) {
            Some(next) => byte = next,
            None => return Some(table),
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn trigger_mask(block: &[u8; BLOCK]) -> u64 {
    let any = maybe_triggers(block);
    if _mm256_testz_si256(any, any) == 1 {
        return 0;
    }
    halves(block, |half| {
        let bytes = load(half);
        let folded = _mm256_or_si256(bytes, _mm256_set1_epi8(TRIGGER_CASE.cast_signed()));
        let slashes = _mm256_or_si256(equal_pair(folded, *b":/"), equal_pair(folded, *b"//"));
        let pairs = _mm256_or_si256(slashes, equal_pair(folded, *b"ww"));
        let lanes = _mm256_or_si256(pairs, equal(bytes, b'@'));
        u64::from(_mm256_movemask_epi8(lanes).cast_unsigned())
    })
}

/// The two lanes of each `pair` that begins in an even lane.
#[inline]
#[target_feature(enable = "avx2")]
fn equal_pair(bytes: __m256i, pair: [u8; 2]) -> __m256i {
    _mm256_cmpeq_epi16(bytes, _mm256_set1_epi16(i16::from_le_bytes(pair)))
}

/// Not 0 if the block has triggers or lookalikes such as `w/`: most blocks have neither.
#[inline]
#[target_feature(enable = "avx2")]
fn maybe_triggers(block: &[u8; BLOCK]) -> __m256i {
    // `map` is not compiled with AVX2 and would be a call for each half.
    let (halves, _) = block.as_chunks::<32>();
    _mm256_or_si256(maybe_trigger(load(&halves[0])), maybe_trigger(load(&halves[1])))
}

#[inline]
#[target_feature(enable = "avx2")]
fn maybe_trigger(bytes: __m256i) -> __m256i {
    const TABLE: [u8; 16] = one_table(&ByteSet::of(b":/w")).expect("low nibbles A, F and 7");
    let folded = _mm256_or_si256(bytes, _mm256_set1_epi8(TRIGGER_CASE.cast_signed()));
    let pairs = _mm256_cmpeq_epi16(look_up(folded, &TABLE), _mm256_set1_epi8(-1));
    _mm256_or_si256(pairs, equal(bytes, b'@'))
}
