//! The kernels with vectors of sixteen lanes: one set of algorithms, over `lanes`, which is
//! SSE2, NEON or WebAssembly's simd128.
//!
//! Several bytes share one comparison where their bits allow it: `x & !2 == '<'` holds for `<` and
//! `>` alone, and a wrapping subtraction and an unsigned comparison test a whole range. The
//! comments give the arithmetic; a test in `class` compares every kernel with its scalar
//! definition.
#![allow(clippy::inline_always)]

#[cfg_attr(target_arch = "x86_64", path = "sse2.rs")]
#[cfg_attr(target_arch = "aarch64", path = "neon.rs")]
#[cfg_attr(target_arch = "wasm32", path = "simd128.rs")]
mod lanes;

use self::lanes::{Lanes, all, and, at_most, equal_pair, mask, or, sub};
use super::BLOCK;
use super::class::TRIGGER_CASE;

/// See the first definition, in `find.rs`.
#[allow(unused_macros)]
macro_rules! widest {
    ($avx2:ident => $wide:expr, $vector:expr, $scalar:expr) => {
        $vector
    };
    ($vector:expr, $scalar:expr) => {
        $vector
    };
}

/// Lanes equal to `byte`.
#[inline(always)]
fn equal(bytes: Lanes, byte: u8) -> Lanes {
    lanes::equal(bytes, all(byte))
}

/// The lanes where `bytes & bits == byte`.
#[inline(always)]
fn masked(bytes: Lanes, bits: u8, byte: u8) -> Lanes {
    equal(and(bytes, all(bits)), byte)
}

/// The lanes with a byte from `first` to `last`, both included.
#[inline(always)]
fn range(bytes: Lanes, first: u8, last: u8) -> Lanes {
    at_most(sub(bytes, all(first)), all(last - first))
}

#[inline]
pub(super) fn line_end(block: &[u8; BLOCK]) -> u64 {
    mask(block, |bytes| or(or(equal(bytes, b'\n'), equal(bytes, b'\r')), equal(bytes, 0)))
}

#[inline]
pub(super) fn colon(block: &[u8; BLOCK]) -> u64 {
    mask(block, |bytes| equal(bytes, b':'))
}

#[inline]
pub(super) fn bracket(block: &[u8; BLOCK]) -> u64 {
    mask(block, |bytes| or(or(equal(bytes, b'['), equal(bytes, b']')), equal(bytes, b'\n')))
}

#[inline]
pub(super) fn square(block: &[u8; BLOCK]) -> u64 {
    mask(block, |bytes| or(equal(bytes, b'['), equal(bytes, b']')))
}

/// `(` 28 and `)` 29 differ in bit 0.
#[inline]
pub(super) fn enclosure(block: &[u8; BLOCK]) -> u64 {
    mask(block, |bytes| or(or(masked(bytes, !0x01, b'('), equal(bytes, b'"')), equal(bytes, b'\n')))
}

/// `|` 7C and `\` 5C differ in bit 5.
#[inline]
pub(super) fn pipe(block: &[u8; BLOCK]) -> u64 {
    mask(block, |bytes| masked(bytes, !0x20, b'\\'))
}

/// Upper and lower case differ in bit 5.
#[inline]
pub(super) fn label(block: &[u8; BLOCK]) -> u64 {
    !mask(block, |bytes| {
        let letters = range(or(bytes, all(0x20)), b'a', b'z');
        or(or(letters, range(bytes, b'0', b'9')), equal(bytes, b'-'))
    })
}

/// Upper and lower case differ in bit 5, `-` 2D and `=` 3D in bit 4. `# $ %` are the range 23..=25,
/// `/` and the digits 2F..=39. `+` and `@` stand alone.
#[inline]
pub(super) fn path_mark(block: &[u8; BLOCK]) -> u64 {
    !mask(block, |bytes| {
        let letters = range(or(bytes, all(0x20)), b'a', b'z');
        let words = or(letters, range(bytes, b'/', b'9'));
        let signs = or(range(bytes, b'#', b'%'), masked(bytes, !0x10, b'-'));
        or(or(words, signs), or(equal(bytes, b'+'), equal(bytes, b'@')))
    })
}

#[inline]
pub(super) fn word_end(block: &[u8; BLOCK]) -> u64 {
    mask(block, |bytes| or(at_most(bytes, all(b' ')), equal(bytes, b'<')))
}

/// Upper and lower case differ in bit 5. Space and `!` are the range 20..=21, `'` and `(` 27..=28,
/// `,` and `-` 2C..=2D, `/` and the digits 2F..=39, and all that is not ASCII 80..=FF.
#[inline]
pub(super) fn unplain(block: &[u8; BLOCK]) -> u64 {
    !mask(block, |bytes| {
        let letters = range(or(bytes, all(0x20)), b'a', b'z');
        let words = or(or(letters, range(bytes, b'/', b'9')), range(bytes, 0x80, 0xFF));
        let signs = or(range(bytes, b' ', b'!'), range(bytes, b'\'', b'('));
        let others = or(range(bytes, b',', b'-'), equal(bytes, b'%'));
        or(or(words, signs), or(others, or(equal(bytes, b';'), equal(bytes, b'?'))))
    })
}

/// Control characters but 0, and space, are the range 01..=20, `{ | }` 7B..=7D, and delete with all
/// that is not ASCII 7F..=FF. `& ' ( )` are 26..=29, `[ \ ] ^` 5B..=5E. `<` and `>` differ in bit
/// 1; `"` 22 and `` ` `` 60 stand alone.
#[inline]
pub(super) fn destination(block: &[u8; BLOCK]) -> u64 {
    mask(block, |bytes| {
        let outer = or(range(bytes, 0x01, b' '), range(bytes, 0x7F, 0xFF));
        let inner = or(range(bytes, b'&', b')'), range(bytes, b'[', b'^'));
        let others = or(range(bytes, b'{', b'}'), masked(bytes, !0x02, b'<'));
        let alone = or(equal(bytes, b'"'), equal(bytes, b'`'));
        or(or(outer, inner), or(others, alone))
    })
}

/// `<` 3C and `>` 3E differ in bit 1, `"` 22 and `&` 26 in bit 2.
#[inline(always)]
fn escapable_lanes(bytes: Lanes, angle_bits: u8) -> Lanes {
    or(masked(bytes, angle_bits, b'<'), masked(bytes, !0x04, b'"'))
}

#[inline]
pub(super) fn escapable<const BREAKS: bool, const RETURNS: bool>(block: &[u8; BLOCK]) -> u64 {
    mask(block, |bytes| {
        let lanes = escapable_lanes(bytes, !0x02);
        let lanes = if BREAKS { or(lanes, equal(bytes, b'\n')) } else { lanes };
        if RETURNS { or(lanes, equal(bytes, b'\r')) } else { lanes }
    })
}

#[inline]
pub(super) fn carriage_return(block: &[u8; BLOCK]) -> u64 {
    mask(block, |bytes| equal(bytes, b'\r'))
}

/// `[ \ ] ^ _` and `` ` `` are the range 5B..=60. Line feed 0A and `*` 2A differ in bit 5. `~` 7E
/// and `|` 7C are `>` and `<` with bit 6 set.
#[inline]
pub(super) fn inline<const BREAKS: bool, const TILDE: bool, const DOLLAR: bool>(
    block: &[u8; BLOCK],
) -> u64 {
    let angle_bits = if TILDE { !0x42 } else { !0x02 };
    let star_bits = if BREAKS { !0x20 } else { !0x00 };
    mask(block, |bytes| {
        let star = masked(bytes, star_bits, b'*' & star_bits);
        let lanes = or(or(range(bytes, b'[', b'`'), star), escapable_lanes(bytes, angle_bits));
        if DOLLAR { or(lanes, equal(bytes, b'$')) } else { lanes }
    })
}

/// `" # $ % & '` are the range 22..=27, `- .` 2D..=2E, `< = >` 3C..=3E, which are `| } ~`
/// without bit 6, and the rest as in `inline`.
#[inline]
pub(super) fn rich_inline(block: &[u8; BLOCK]) -> u64 {
    mask(block, |bytes| {
        let low = or(range(bytes, b'"', b'\''), range(bytes, b'-', b'.'));
        let angles = range(and(bytes, all(!0x40)), b'<', b'>');
        let others = or(range(bytes, b'[', b'`'), masked(bytes, !0x20, b'*' & !0x20));
        or(or(low, angles), others)
    })
}

#[inline]
pub(super) fn trigger(block: &[u8; BLOCK]) -> u64 {
    mask(block, |bytes| {
        let folded = or(bytes, all(TRIGGER_CASE));
        let slashes = or(equal_pair(folded, *b":/"), equal_pair(folded, *b"//"));
        or(or(slashes, equal_pair(folded, *b"ww")), equal(bytes, b'@'))
    })
}
