//! Classes of characters, and the characters around an offset.
//!
//! CommonMark 0.31.2, section 2.1, and its rules for delimiter runs ask three
//! questions of a character: is it *Unicode whitespace*, is it *Unicode
//! punctuation*, and, for bare links, is it a letter or a digit? ASCII is
//! answered from a table of bytes or a comparison, inlined into the caller;
//! the rest of Unicode from a two-stage bitmap in `generated/punctuation.rs`.
//!
//! Up to version 0.30 the specification counted only general category P as
//! punctuation outside ASCII; since 0.31 it counts S as well, so that `£` and
//! `€` are punctuation like `$`.

use crate::generated::cjk::CJK;
use crate::generated::punctuation::{BLOCKS, INDEX};
use crate::set::ASCII_PUNCTUATION;

/// Whether `c` is a *Unicode whitespace character*: general category Zs, or
/// a tab, line feed, form feed or carriage return.
///
/// ```
/// use barelink_text::chars::is_unicode_whitespace;
///
/// assert!(is_unicode_whitespace('\u{A0}'));
/// assert!(!is_unicode_whitespace('\u{B}'));
/// ```
#[inline]
pub const fn is_unicode_whitespace(c: char) -> bool {
    if c.is_ascii() {
        matches!(c, ' ' | '\t' | '\n' | '\u{C}' | '\r')
    } else {
        matches!(
            c,
            '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
        )
    }
}

/// Whether `c` is a *Unicode punctuation character*: general category P
/// (punctuation) or S (symbol), which in ASCII are the 32 punctuation
/// characters.
///
/// ```
/// use barelink_text::chars::is_punctuation;
///
/// assert!(is_punctuation('$') && is_punctuation('€') && is_punctuation('。'));
/// assert!(!is_punctuation('a') && !is_punctuation('é') && !is_punctuation(' '));
/// ```
#[inline]
pub fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        ASCII_PUNCTUATION.contains(c as u8)
    } else {
        is_wide_punctuation(u32::from(c))
    }
}

/// Looks up a character outside ASCII. Kept out of line so that the ASCII path stays small.
fn is_wide_punctuation(code: u32) -> bool {
    // Blocks past the end of the index hold no punctuation.
    INDEX
        .get(code as usize / 64)
        .and_then(|&block| BLOCKS.get(usize::from(block)))
        .is_some_and(|bits| bits >> (code % 64) & 1 != 0)
}

/// Whether `c` is an East Asian character: wide, fullwidth or halfwidth but not an emoji, or
/// Hangul. Letters and punctuation alike.
///
/// ```
/// use barelink_text::chars::is_cjk;
///
/// assert!(is_cjk('字') && is_cjk('か') && is_cjk('한') && is_cjk('。') && is_cjk('Ａ'));
/// assert!(!is_cjk('a') && !is_cjk('“') && !is_cjk('😀'));
/// ```
pub fn is_cjk(c: char) -> bool {
    match c {
        '\0'..='\u{10FF}' => false,
        // Nearly all that occur in practice.
        '\u{3041}'..='\u{3096}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => true,
        _ => {
            let code = u32::from(c);
            let idx = CJK.partition_point(|&(_, last)| last < code);
            CJK.get(idx).is_some_and(|&(first, _)| first <= code)
        }
    }
}

/// Whether `c` is a letter or a digit in Unicode's sense: Alphabetic, or of
/// general category N.
///
/// ```
/// use barelink_text::chars::is_alphanumeric;
///
/// assert!(is_alphanumeric('é') && is_alphanumeric('字') && is_alphanumeric('٣'));
/// assert!(!is_alphanumeric('_') && !is_alphanumeric('。'));
/// ```
#[inline]
pub fn is_alphanumeric(c: char) -> bool {
    c.is_alphanumeric()
}

/// The character that starts at `at` in `text`, or `None` at its end.
///
/// `text` should be UTF-8 and `at` the start of a character. If bytes of the character are missing
/// or malformed, the result is U+FFFD; it never panics.
///
/// ```
/// use barelink_text::chars::next_char;
///
/// assert_eq!(next_char("a€".as_bytes(), 1), Some('€'));
/// assert_eq!(next_char("a€".as_bytes(), 4), None);
/// ```
#[inline]
pub fn next_char(text: &[u8], at: usize) -> Option<char> {
    let rest = text.get(at..)?;
    match rest.first() {
        None => None,
        Some(&byte) if byte.is_ascii() => Some(byte as char),
        Some(_) => Some(decode(rest)),
    }
}

/// The character that ends just before `at` in `text`, or `None` at its start
/// (and for an `at` past its end).
///
/// `text` should be UTF-8 and `at` the end of a character. If bytes of the character are missing or
/// malformed, the result is U+FFFD; it never panics.
///
/// ```
/// use barelink_text::chars::prev_char;
///
/// assert_eq!(prev_char("€a".as_bytes(), 3), Some('€'));
/// assert_eq!(prev_char("€a".as_bytes(), 0), None);
/// ```
#[inline]
pub fn prev_char(text: &[u8], at: usize) -> Option<char> {
    let before = text.get(..at)?;
    match before.last() {
        None => None,
        Some(&byte) if byte.is_ascii() => Some(byte as char),
        Some(_) => Some(decode_last(before)),
    }
}

/// The low six bits, if `byte` is a continuation byte.
const fn continuation(byte: u8) -> Option<u32> {
    if byte & 0xC0 == 0x80 { Some((byte & 0x3F) as u32) } else { None }
}

/// Decodes the first character of `bytes`, whose first byte is not ASCII.
fn decode(bytes: &[u8]) -> char {
    decode_scalar(bytes).and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Decodes the code point at the start of `bytes`, if all of its bytes are there.
fn decode_scalar(bytes: &[u8]) -> Option<u32> {
    let tail = |idx: usize| bytes.get(idx).and_then(|&byte| continuation(byte));
    let lead = u32::from(*bytes.first()?);
    match lead {
        0xC2..=0xDF => Some((lead & 0x1F) << 6 | tail(1)?),
        0xE0..=0xEF => Some((lead & 0x0F) << 12 | tail(1)? << 6 | tail(2)?),
        0xF0..=0xF4 => Some((lead & 0x07) << 18 | tail(1)? << 12 | tail(2)? << 6 | tail(3)?),
        _ => None,
    }
}

/// Decodes the last character of `bytes`, whose last byte is not ASCII.
fn decode_last(bytes: &[u8]) -> char {
    // A character has at most three continuation bytes: if none of the last four bytes is a lead
    // byte, the text is malformed.
    let window = &bytes[bytes.len().saturating_sub(4)..];
    match window.iter().rposition(|&byte| continuation(byte).is_none()) {
        Some(lead) if width(window[lead]) == window.len() - lead => decode(&window[lead..]),
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// The length in bytes of a character whose first byte is `lead`.
const fn width(lead: u8) -> usize {
    match lead {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_punctuation, is_unicode_whitespace, next_char, prev_char};

    const REPLACEMENT: Option<char> = Some(char::REPLACEMENT_CHARACTER);

    #[test]
    fn punctuation_of_every_kind() {
        // One of each general category P and S has.
        for c in ['‿', '—', '〈', '〉', '«', '»', '¡', '∑', '€', '´', '©', '゛', '😀', '🯺']
        {
            assert!(is_punctuation(c), "{c:?}");
        }
        for c in ['a', 'é', 'ª', '²', '٣', '字', '\u{301}', '\u{AD}', '\u{A0}', '\u{10FFFF}'] {
            assert!(!is_punctuation(c), "{c:?}");
        }
    }

    #[test]
    fn punctuation_in_ascii() {
        for byte in 0..=0x7F_u8 {
            assert_eq!(is_punctuation(byte as char), byte.is_ascii_punctuation(), "{byte}");
        }
    }

    #[test]
    fn whitespace_is_not_what_core_calls_so() {
        for c in [' ', '\t', '\n', '\u{C}', '\r', '\u{2003}', '\u{3000}'] {
            assert!(is_unicode_whitespace(c), "{c:?}");
        }
        // These have White_Space, but neither Zs nor a place in the list.
        for c in ['\u{B}', '\u{85}', '\u{2028}', '\u{2029}', '\u{200B}'] {
            assert!(!is_unicode_whitespace(c), "{c:?}");
        }
    }

    #[test]
    fn neighbors_of_every_boundary() {
        let text = "aé€😀\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}z";
        for (at, c) in text.char_indices() {
            assert_eq!(next_char(text.as_bytes(), at), Some(c));
            assert_eq!(prev_char(text.as_bytes(), at + c.len_utf8()), Some(c));
        }
        assert_eq!(next_char(text.as_bytes(), text.len()), None);
        assert_eq!(prev_char(text.as_bytes(), 0), None);
    }

    #[test]
    fn every_scalar_value_survives() {
        let mut buf = [0; 4];
        for c in '\0'..=char::MAX {
            let bytes = c.encode_utf8(&mut buf).as_bytes();
            assert_eq!(next_char(bytes, 0), Some(c));
            assert_eq!(prev_char(bytes, bytes.len()), Some(c));
        }
    }

    #[test]
    fn broken_text_is_replaced() {
        assert_eq!(next_char(b"\x80", 0), REPLACEMENT);
        assert_eq!(next_char(b"\xE2\x82", 0), REPLACEMENT);
        assert_eq!(next_char(b"\xE2a\x82", 0), REPLACEMENT);
        assert_eq!(next_char(b"\xFF", 0), REPLACEMENT);
        assert_eq!(next_char("€".as_bytes(), 1), REPLACEMENT);
        assert_eq!(prev_char(b"\x80\x80\x80\x80\x80", 5), REPLACEMENT);
        assert_eq!(prev_char(b"\xC3\xA9\xA9", 3), REPLACEMENT);
        assert_eq!(prev_char("€".as_bytes(), 2), REPLACEMENT);
        assert_eq!(prev_char(b"a", 2), None);
        assert_eq!(next_char(b"a", usize::MAX), None);
    }
}
