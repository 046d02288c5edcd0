//! Entity and numeric character references.
//!
//! ```text
//! named    &name;      one of the 2125 names of HTML5 that end in a semicolon
//! decimal  &#123;      one to seven digits
//! hex      &#x1F600;   one to six hexadecimal digits, after x or X
//! ```
//!
//! CommonMark 0.31.2, section 2.5: `&copy; &#35; &#x22;` is `© # "`. Names are
//! case-sensitive, the semicolon is required (browsers let some names go
//! without), and U+0000, surrogates and numbers past U+10FFFF become U+FFFD.
//!
//! LINEAR: a call reads at most the longest name and its two delimiters, so each `&` of a text
//! costs a bounded amount.
//!
//! The table is one sorted string (see `words.rs`): 2125 names in some 24 KiB. The most common
//! names are matched before it is searched.

use crate::generated::entity::{ENTITIES, MAX_NAME_LEN};
use crate::words;

/// The maximum number of digits of a decimal reference.
const MAX_DECIMAL_DIGITS: usize = 7;
/// The maximum number of digits of a hexadecimal reference.
const MAX_HEX_DIGITS: usize = 6;

/// What a character reference stands for.
///
/// ```
/// use barelink_text::entity::{Decoded, scan_entity};
///
/// let (end, decoded) = scan_entity(b"AT&amp;T", 2).unwrap();
/// assert_eq!((end, decoded), (7, Decoded::Named("&")));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decoded {
    /// The text of a named reference: one or two characters.
    Named(&'static str),
    /// The character of a numeric reference.
    Char(char),
}

impl Decoded {
    /// The text; a numeric reference is encoded into `buf`.
    ///
    /// ```
    /// use barelink_text::entity::Decoded;
    ///
    /// let mut buf = [0; 4];
    /// assert_eq!(Decoded::Char('é').as_str(&mut buf), "é");
    /// assert_eq!(Decoded::Named("&").as_str(&mut buf), "&");
    /// ```
    #[inline]
    pub fn as_str<'a>(&'a self, buf: &'a mut [u8; 4]) -> &'a str {
        match self {
            Self::Named(text) => text,
            Self::Char(c) => c.encode_utf8(buf),
        }
    }
}

/// Recognizes the character reference that starts at `text[at]`, an `&`. Returns its end (after the
/// semicolon) and what it stands for.
///
/// ```
/// use barelink_text::entity::{Decoded, scan_entity};
///
/// assert_eq!(scan_entity(b"&#35;", 0), Some((5, Decoded::Char('#'))));
/// assert_eq!(scan_entity(b"&copy", 0), None);
/// assert_eq!(scan_entity(b"R&D;", 1), None);
/// ```
#[inline]
pub fn scan_entity(text: &[u8], at: usize) -> Option<(usize, Decoded)> {
    let rest = text.get(at..)?;
    let (len, decoded) = match rest {
        [b'&', b'#', b'x' | b'X', digits @ ..] => {
            let (n_digits, code) = scan_number::<16>(digits, MAX_HEX_DIGITS)?;
            (3 + n_digits + 1, Decoded::Char(decode_numeric(code)))
        }
        [b'&', b'#', digits @ ..] => {
            let (n_digits, code) = scan_number::<10>(digits, MAX_DECIMAL_DIGITS)?;
            (2 + n_digits + 1, Decoded::Char(decode_numeric(code)))
        }
        [b'&', name @ ..] if name.first().is_some_and(u8::is_ascii_alphabetic) => {
            let (n_bytes, value) = scan_name(name)?;
            (1 + n_bytes + 1, Decoded::Named(value))
        }
        _ => return None,
    };
    Some((at + len, decoded))
}

/// The text that the reference `&name;` stands for; `name` is without the `&` and the `;`.
///
/// ```
/// use barelink_text::entity::find_named;
///
/// assert_eq!(find_named(b"auml"), Some("ä"));
/// assert_eq!(find_named(b"Auml"), Some("Ä"));
/// assert_eq!(find_named(b"AUML"), None);
/// ```
pub fn find_named(name: &[u8]) -> Option<&'static str> {
    match name {
        b"amp" => Some("&"),
        b"lt" => Some("<"),
        b"gt" => Some(">"),
        b"quot" => Some("\""),
        b"nbsp" => Some("\u{A0}"),
        b"lrm" => Some("\u{200E}"),
        b"rlm" => Some("\u{200F}"),
        b"copy" => Some("©"),
        b"reg" => Some("®"),
        b"trade" => Some("™"),
        b"vert" => Some("|"),
        b"ndash" => Some("–"),
        b"mdash" => Some("—"),
        b"hellip" => Some("…"),
        _ => words::find(ENTITIES, name),
    }
}

/// The character with the code point `code`; U+FFFD for zero, for surrogates and past the last code
/// point.
///
/// ```
/// use barelink_text::entity::decode_numeric;
///
/// assert_eq!(decode_numeric(0x263A), '☺');
/// assert_eq!(decode_numeric(0), '\u{FFFD}');
/// assert_eq!(decode_numeric(0xD800), '\u{FFFD}');
/// ```
#[inline]
pub const fn decode_numeric(code: u32) -> char {
    match char::from_u32(code) {
        None | Some('\0') => char::REPLACEMENT_CHARACTER,
        Some(c) => c,
    }
}

/// Reads up to `max_digits` digits and the semicolon after them. Returns the number of digits and
/// their value.
fn scan_number<const RADIX: u32>(text: &[u8], max_digits: usize) -> Option<(usize, u32)> {
    let mut code = 0;
    for (n_digits, &byte) in text.iter().take(max_digits + 1).enumerate() {
        match char::from(byte).to_digit(RADIX) {
            // Seven decimal digits stay far below the limit of `u32`.
            Some(digit) if n_digits < max_digits => code = code * RADIX + digit,
            None if byte == b';' && n_digits > 0 => return Some((n_digits, code)),
            _ => return None,
        }
    }
    None
}

/// Reads a name and the semicolon after it. Returns the name's length and its value.
fn scan_name(text: &[u8]) -> Option<(usize, &'static str)> {
    let n_bytes = text
        .iter()
        .take(MAX_NAME_LEN + 1)
        .position(|byte| !byte.is_ascii_alphanumeric())
        .filter(|&n_bytes| text.get(n_bytes) == Some(&b';'))?;
    Some((n_bytes, find_named(text.get(..n_bytes)?)?))
}

#[cfg(test)]
mod tests {
    use super::{Decoded, decode_numeric, find_named, scan_entity};
    use crate::generated::entity::{ENTITIES, MAX_NAME_LEN};

    fn scan(text: &str) -> Option<(usize, Decoded)> {
        scan_entity(text.as_bytes(), 0)
    }

    fn char_of(text: &str) -> Option<char> {
        match scan(text) {
            Some((end, Decoded::Char(c))) if end == text.len() => Some(c),
            _ => None,
        }
    }

    #[test]
    fn examples_of_the_specification() {
        for (source, value) in [
            ("&nbsp;", "\u{A0}"),
            ("&amp;", "&"),
            ("&copy;", "©"),
            ("&AElig;", "Æ"),
            ("&Dcaron;", "Ď"),
            ("&frac34;", "¾"),
            ("&HilbertSpace;", "ℋ"),
            ("&DifferentialD;", "ⅆ"),
            ("&ClockwiseContourIntegral;", "∲"),
            ("&ngE;", "≧\u{338}"),
        ] {
            assert_eq!(scan(source), Some((source.len(), Decoded::Named(value))), "{source}");
        }
        assert_eq!(char_of("&#35;"), Some('#'));
        assert_eq!(char_of("&#1234;"), Some('Ӓ'));
        assert_eq!(char_of("&#992;"), Some('Ϡ'));
        assert_eq!(char_of("&#X22;"), Some('"'));
        assert_eq!(char_of("&#XD06;"), Some('ആ'));
        assert_eq!(char_of("&#xcab;"), Some('ಫ'));
    }

    #[test]
    fn what_is_no_reference() {
        for source in [
            "",
            "&",
            "&;",
            "& amp;",
            "&#;",
            "&#x;",
            "&#X",
            "&#12",
            "&#x41",
            "&nbsp &x;",
            "&hi?;",
            "&amp",
            "&MadeUpEntity;",
            "&ThisIsNotDefined;",
            "&1;",
            "&AMPamp;",
            "&#-1;",
            "&#+1;",
            "&#abcdef0;",
            "&#xg;",
            "&é;",
            "amp;",
        ] {
            assert_eq!(scan(source), None, "{source}");
        }
    }

    #[test]
    fn numbers_have_a_longest_form() {
        assert_eq!(char_of("&#0000065;"), Some('A'));
        assert_eq!(char_of("&#00000065;"), None);
        assert_eq!(char_of("&#12345678;"), None);
        assert_eq!(char_of("&#87654321;"), None);
        assert_eq!(char_of("&#x00006F;"), Some('o'));
        assert_eq!(char_of("&#x000006F;"), None);
    }

    #[test]
    fn numbers_no_character_has() {
        for source in
            ["&#0;", "&#x0;", "&#xD800;", "&#xdfff;", "&#x110000;", "&#xFFFFFF;", "&#9999999;"]
        {
            assert_eq!(char_of(source), Some('\u{FFFD}'), "{source}");
        }
        assert_eq!(char_of("&#x10FFFF;"), Some('\u{10FFFF}'));
        assert_eq!(decode_numeric(u32::MAX), '\u{FFFD}');
        assert_eq!(decode_numeric(1), '\u{1}');
    }

    #[test]
    fn starts_anywhere() {
        let text = b"a &lt;&gt; b";
        assert_eq!(scan_entity(text, 2), Some((6, Decoded::Named("<"))));
        assert_eq!(scan_entity(text, 6), Some((10, Decoded::Named(">"))));
        assert_eq!(scan_entity(text, 3), None);
        assert_eq!(scan_entity(text, text.len()), None);
        assert_eq!(scan_entity(text, usize::MAX), None);
    }

    #[test]
    fn every_entry_is_found() {
        let mut longest = 0;
        for entry in ENTITIES.split(' ') {
            let (name, value) = entry.split_once(';').expect("a semicolon");
            assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{name}");
            assert!((1..=2).contains(&value.chars().count()), "{name}");
            assert_eq!(find_named(name.as_bytes()), Some(value));
            longest = longest.max(name.len());
        }
        assert_eq!(longest, MAX_NAME_LEN);
        assert_eq!(ENTITIES.split(' ').count(), 2125);
    }

    #[test]
    fn near_misses() {
        for name in ["", ";", "semi;", "am", "ampe", "amp;", "amp;&", "Amp", "fjlig;f", "quot\""] {
            assert_eq!(find_named(name.as_bytes()), None, "{name}");
        }
        assert_eq!(find_named(&[b'a'; 1000]), None);
        assert_eq!(find_named(b"CounterClockwiseContourIntegral"), Some("∳"));
        assert_eq!(find_named(b"CounterClockwiseContourIntegrals"), None);
    }

    #[test]
    fn text_of_either_kind() {
        let mut buf = [0; 4];
        assert_eq!(Decoded::Named("fj").as_str(&mut buf), "fj");
        assert_eq!(Decoded::Char('😀').as_str(&mut buf), "😀");
    }

    #[test]
    fn any_three_bytes_are_safe() {
        let bytes = [b'&', b'#', b'x', b';', b'l', b't', b'1', 0, 0x80, 0xFF];
        for a in bytes {
            for b in bytes {
                for c in bytes {
                    let text = [b'&', a, b, c];
                    let is_entity = scan_entity(&text, 0).is_some();
                    let is_expected = matches!(&text, b"&lt;" | b"&ll;" | b"&#1;");
                    assert_eq!(is_entity, is_expected, "{text:?}");
                }
            }
        }
    }
}
