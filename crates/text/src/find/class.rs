//! The classes of bytes to search for, each with its scalar definition and its vector kernel, and
//! [`Trigger`], which is more than a class.
#![allow(unsafe_code)]

use super::ahead::{Slots, gather};
use super::{BLOCK, Class, Kernel, Stops, load_apart};
use crate::set::ByteSet;

/// Line feed, carriage return, and NUL. Markdown replaces NUL by U+FFFD, and finding it here saves
/// a pass.
#[derive(Clone, Copy, Debug)]
pub enum LineEnd {}

/// The bytes that inline parsing has to handle: `\` `*` `_` `` ` `` `[` `]` and those that HTML
/// must escape, `<` `>` `&` `"`; also `^`, which lies between the brackets and the underscore and
/// would cost more to leave out. With `BREAKS` also line feed, with `TILDE` also `~` (and `|`, its
/// neighbor in the bit pattern), with `DOLLAR` also `$`.
#[derive(Clone, Copy, Debug)]
pub enum Inline<const BREAKS: bool, const TILDE: bool, const DOLLAR: bool> {}

/// All bytes of [`Inline`], and those of rarer extensions: `=`, and `'` `-` `.`, which are frequent
/// in text. Also `#` `%` and `}`, which lie between others.
#[derive(Clone, Copy, Debug)]
pub enum RichInline {}

/// The bytes that HTML must escape: `<` `>` `&` `"`. With `BREAKS` also line feed, with `RETURNS`
/// also carriage return.
#[derive(Clone, Copy, Debug)]
pub enum Escapable<const BREAKS: bool, const RETURNS: bool> {}

/// Carriage return.
#[derive(Clone, Copy, Debug)]
pub enum Return {}

/// The bytes of a link destination that are percent-encoded or escaped in HTML, and `(` `)`:
/// everything but letters, digits and ``!#$%*+,-./:;=?@_~``.
#[derive(Clone, Copy, Debug)]
pub enum Destination {}

/// The separator of table cells, `|`, and `\`, which may escape it.
#[derive(Clone, Copy, Debug)]
pub enum Pipe {}

/// The delimiter of emoji names: `:`.
#[derive(Clone, Copy, Debug)]
pub enum Colon {}

/// Brackets, `[` and `]`, and line feed, where a blank line may follow.
#[derive(Clone, Copy, Debug)]
pub enum Bracket {}

/// `[` and `]` alone.
#[derive(Clone, Copy, Debug)]
pub enum Square {}

/// Parentheses and quotation marks, `(`, `)`, `"`, and line feed, as in [`Bracket`].
#[derive(Clone, Copy, Debug)]
pub enum Enclosure {}

/// The bytes that end a label of an ASCII domain: everything but letters, digits and `-`.
#[derive(Clone, Copy, Debug)]
pub enum Label {}

/// The bytes that need a closer look in the path of a bare link: everything but letters, digits and
/// `# $ % + - / = @`, so also all that is not ASCII.
#[derive(Clone, Copy, Debug)]
pub enum PathMark {}

/// The bytes that end a word, or a bare link: control characters, space and `<`.
#[derive(Clone, Copy, Debug)]
pub enum WordEnd {}

/// The bytes of a sentence that may be markup or must be escaped: everything but letters, digits,
/// space, ``! % ' ( , - / ; ?`` and what is not ASCII.
#[derive(Clone, Copy, Debug)]
pub enum Unplain {}

/// Defines all classes: each with its kernel in `vector`, the condition that its bytes meet, and
/// other methods of [`Kernel`] to override. A class marked `#[wide]` uses AVX2 if the processor has
/// it; for the others, detecting it would cost as much as it saves.
///
/// The same list is that of the test on which `unsafe` code relies, so no class can be left out of
/// it.
macro_rules! classes {
    ($(
        $(#[$wide:ident])? $class:ident $(<$($flag:ident),+>)?, $vector:ident,
        $byte:ident => $contains:expr $(, { $($other:tt)+ })?;
    )+) => {
        $(
            impl $(<$(const $flag: bool),+>)? Kernel for $class $(<$($flag),+>)? {
                classes!(
                    @kernel $($wide)?, super::vector::$vector $(::<$($flag),+>)?, $($($other)+)?
                );

                fn mask_scalar(block: &[u8; BLOCK]) -> u64 {
                    class_mask::<Self>(block)
                }
            }

            // SAFETY: `vector_and_scalar_agree`, just below, checks every kernel of this list against
            // the definition, which is the set, with every byte in every lane.
            unsafe impl $(<$(const $flag: bool),+>)? Class for $class $(<$($flag),+>)? {
                const SET: ByteSet = {
                    let mut set = ByteSet::new();
                    let mut $byte = 0_u8;
                    loop {
                        if $contains {
                            set = set.add($byte);
                        }
                        match $byte.checked_add(1) {
                            Some(next) => $byte = next,
                            None => break set,
                        }
                    }
                };
            }
        )+

        #[test]
        fn vector_and_scalar_agree() {
            $(classes!(@agree $class, $vector, [], $($($flag)+)?);)+
        }
    };
    (@kernel wide, $vector:expr,) => {
        #[inline]
        fn mask(block: &[u8; BLOCK]) -> u64 {
            widest!(avx2 => avx2.mask::<Self>(block), $vector(block), Self::mask_scalar(block))
        }

        #[inline]
        fn load(text: &[u8], base: usize, end: usize) -> (usize, u64) {
            widest!(
                avx2 => avx2.load::<Self>(text, base, end),
                load_apart(text, base, end, $vector),
                load_apart(text, base, end, Self::mask_scalar)
            )
        }
    };
    (@kernel , $vector:expr, $($other:tt)*) => {
        #[inline]
        fn mask(block: &[u8; BLOCK]) -> u64 {
            widest!($vector(block), Self::mask_scalar(block))
        }

        $($other)*
    };
    // With every choice of the flags: the mask that is used, the one for callers that detect AVX2
    // themselves, and the one without AVX2.
    (@agree $class:ident, $vector:ident, [$($chosen:literal,)*], $flag:ident $($flags:ident)*) => {
        classes!(@agree $class, $vector, [$($chosen,)* false,], $($flags)*);
        classes!(@agree $class, $vector, [$($chosen,)* true,], $($flags)*);
    };
    (@agree $class:ident, $vector:ident, [$($chosen:literal,)*],) => {
        tests::agree::<$class<$($chosen),*>>(
            widest!(
                &[
                    <$class<$($chosen),*>>::mask,
                    widest_mask::<$class<$($chosen),*>>,
                    super::vector::$vector::<$($chosen),*>,
                ],
                &[<$class<$($chosen),*>>::mask, widest_mask::<$class<$($chosen),*>>]
            ),
            b"a\xFF",
        );
    };
}

/// [`Kernel::mask_scalar`] of a class.
fn class_mask<C: Class>(block: &[u8; BLOCK]) -> u64 {
    block.iter().rev().fold(0, |mask, &byte| mask << 1 | u64::from(C::SET.contains(byte)))
}

classes! {
    LineEnd, line_end, byte => matches!(byte, b'\n' | b'\r' | 0), {
        #[inline]
        fn gather(text: &[u8], from: usize, slots: &mut Slots) -> usize {
            widest!(
                avx2 => avx2.gather::<Self>(text, from, slots),
                gather(text, from, slots, super::vector::line_end),
                gather(text, from, slots, Self::mask_scalar)
            )
        }
    };
    Pipe, pipe, byte => matches!(byte, b'|' | b'\\');
    #[wide] Colon, colon, byte => byte == b':';
    Bracket, bracket, byte => matches!(byte, b'[' | b']' | b'\n');
    #[wide] Square, square, byte => matches!(byte, b'[' | b']');
    #[wide] Enclosure, enclosure, byte => matches!(byte, b'(' | b')' | b'"' | b'\n');
    #[wide] Label, label, byte => !byte.is_ascii_alphanumeric() && byte != b'-';
    #[wide] PathMark, path_mark, byte => !(
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'#' | b'$' | b'%' | b'+' | b'-' | b'/' | b'=' | b'@')
    );
    #[wide] WordEnd, word_end, byte => byte <= b' ' || byte == b'<';
    #[wide] Unplain, unplain, byte => !(
        byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(
            byte,
            b' ' | b'!' | b'%' | b'\'' | b'(' | b',' | b'-' | b'/' | b';' | b'?'
        )
    );
    #[wide] Destination, destination, byte => match byte {
        // When destinations are written, NUL has already been replaced.
        0 | b'!' | b'#' | b'$' | b'%' | b'*'..=b'/' | b':' | b';' | b'=' | b'?' | b'@' | b'_'
        | b'~' => false,
        _ => !byte.is_ascii_alphanumeric(),
    };
    #[wide] Inline<BREAKS, TILDE, DOLLAR>, inline, byte => match byte {
        b'<' | b'>' | b'&' | b'"' | b'*' | b'['..=b'`' => true,
        b'\n' => BREAKS,
        b'~' | b'|' => TILDE,
        b'$' => DOLLAR,
        _ => false,
    };
    #[wide] RichInline, rich_inline, byte => matches!(
        byte,
        b'\n' | b'"'..=b'\'' | b'*' | b'-' | b'.' | b'<'..=b'>' | b'['..=b'`' | b'|'..=b'~'
    );
    Escapable<BREAKS, RETURNS>, escapable, byte => match byte {
        b'<' | b'>' | b'&' | b'"' => true,
        b'\n' => BREAKS,
        b'\r' => RETURNS,
        _ => false,
    };
    Return, carriage_return, byte => byte == b'\r';
}

/// Where a bare link may begin: both bytes of `:/`, `//` and `ww` (in any case) if the pair starts
/// at an even offset of the block, and `@` anywhere.
///
/// Two of the three bytes of `://` and `www` are such a pair, wherever they start. So looking at
/// even offsets is enough, and no block depends on the next one:
///
/// ```text
/// place   0 1 2 3 4 5          0 1 2 3 4 5
/// text    a : / / b c          : / / a b c
/// pairs   a:  //  bc           :/  /a  bc
///             ^^               ^^
/// ```
///
/// A stop is only a hint to be checked: a few control characters count as `:` and `/`, and the even
/// offsets of one block need not be even in another.
#[derive(Clone, Copy, Debug)]
pub enum Trigger {}

/// The bit that [`Trigger`] ignores. It folds the case of letters, and some other bytes.
pub(super) const TRIGGER_CASE: u8 = 0x20;

impl Kernel for Trigger {
    #[inline]
    fn mask(block: &[u8; BLOCK]) -> u64 {
        widest!(
            avx2 => avx2.mask_triggers(block),
            super::vector::trigger(block),
            Self::mask_scalar(block)
        )
    }

    fn mask_scalar(block: &[u8; BLOCK]) -> u64 {
        let (pairs, _) = block.as_chunks::<2>();
        pairs.iter().rev().fold(0, |mask, pair| {
            let bits = match pair.map(|byte| byte | TRIGGER_CASE) {
                [b':' | b'/', b'/'] | [b'w', b'w'] => 0b11,
                _ => u64::from(pair[0] == b'@') | u64::from(pair[1] == b'@') << 1,
            };
            mask << 2 | bits
        })
    }

    #[inline]
    fn load(text: &[u8], base: usize, end: usize) -> (usize, u64) {
        widest!(
            avx2 => avx2.load_triggers(text, base, end),
            load_apart(text, base, end, super::vector::trigger),
            load_apart(text, base, end, Self::mask_scalar)
        )
    }

    #[inline]
    fn leap(text: &[u8]) -> Option<usize> {
        let find = || Stops::<Self>::new(text, 0, text.len()).next();
        widest!(avx2 => avx2.leap_to_trigger(text), find(), find())
    }
}

/// The AVX2 mask of a class, or the usual mask without AVX2. Not only `#[wide]` classes have an
/// AVX2 mask: listing line ends and copying long texts use those of others.
#[cfg(test)]
fn widest_mask<C: Class>(block: &[u8; BLOCK]) -> u64 {
    widest!(avx2 => avx2.mask::<C>(block), C::mask(block), C::mask(block))
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Kernel, Stops, Trigger};
    use crate::find::samples;
    use alloc::vec;

    /// Checks masks against the definition, with every byte in every lane, among other bytes.
    pub(super) fn agree<K: Kernel>(masks: &[fn(&[u8; BLOCK]) -> u64], others: &[u8]) {
        for byte in (0..=255).step_by(samples::BYTE_STEP) {
            for lane in (0..BLOCK).step_by(samples::LANE_STEP) {
                for &other in others {
                    let mut block = [other; BLOCK];
                    block[lane] = byte;
                    let scalar = K::mask_scalar(&block);
                    for mask in masks {
                        let name = core::any::type_name::<K>();
                        assert_eq!(mask(&block), scalar, "{name}: {byte} among {other} in {lane}");
                    }
                }
            }
        }
    }

    #[test]
    fn vector_and_scalar_agree_on_triggers() {
        agree::<Trigger>(
            widest!(&[Trigger::mask, crate::find::vector::trigger], &[Trigger::mask]),
            b"\0a:/wW\xFF",
        );
    }

    #[test]
    fn triggers_are_found_wherever_they_are() {
        for len in [0, 1, 7, 13, 29, 30, 61, 63, 64, 65, 125, 126, 127, 191, 192, 193, 320] {
            for at in (0..len).step_by(samples::BYTE_STEP) {
                for marker in [&b"@"[..], b"www", b"wWW", b"://", b"aaa"] {
                    let mut text = vec![b'a'; len];
                    text.splice(at..at, marker.iter().copied());
                    let is_found = Stops::<Trigger>::new(&text, at % 2, text.len())
                        .any(|stop| (at..at + marker.len()).contains(&stop));
                    assert_eq!(is_found, marker != b"aaa", "{marker:?} at {at} of {len}");
                    let leapt = Trigger::leap(&text);
                    assert_eq!(leapt.is_some(), is_found, "{marker:?} at {at} of {len}");
                    // It may be the second byte of a marker that is found.
                    assert!(leapt.is_none_or(|to| to <= at + 1), "{marker:?} at {at} of {len}");
                }
            }
        }
    }
}
