//! What is done with AVX2, where the processor has it: leaping over text without
//! triggers. Stops are so rare there that the time is that of reading memory, and
//! wider reads are worth the question.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m256i, _mm256_cmpeq_epi8, _mm256_cmpeq_epi16, _mm256_loadu_si256, _mm256_or_si256,
    _mm256_set1_epi8, _mm256_setr_epi8, _mm256_shuffle_epi8, _mm256_testz_si256,
};

use super::{BLOCK, TRIGGER_CASE};

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

/// The same lanes as `x86::trigger`. A shuffle gives each byte the one of `:`, `/`
/// and `w` that has its low four bits, or one with other bits, so that a single
/// comparison tells whether it is one of them; a pair is two in one lane of 16 bits.
/// That also finds `w/` and the like, which is no harm: `x86::trigger` has the last
/// word.
#[inline]
#[target_feature(enable = "avx2")]
fn trigger(bytes: __m256i) -> __m256i {
    // The place in each half is the low four bits; 1 has those of no other place but
    // its own, where 0 stands.
    let by_low_bits = _mm256_setr_epi8(
        1,
        0,
        1,
        1,
        1,
        1,
        1,
        b'w'.cast_signed(),
        1,
        1,
        b':'.cast_signed(),
        1,
        1,
        1,
        1,
        b'/'.cast_signed(),
        1,
        0,
        1,
        1,
        1,
        1,
        1,
        b'w'.cast_signed(),
        1,
        1,
        b':'.cast_signed(),
        1,
        1,
        1,
        1,
        b'/'.cast_signed(),
    );
    let folded = _mm256_or_si256(bytes, _mm256_set1_epi8(TRIGGER_CASE.cast_signed()));
    let known = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(by_low_bits, folded), folded);
    let pairs = _mm256_cmpeq_epi16(known, _mm256_set1_epi8(-1));
    _mm256_or_si256(pairs, _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'@'.cast_signed())))
}
