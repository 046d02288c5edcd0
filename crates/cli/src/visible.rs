//! Makes untrusted text safe to display: a document or the name of a file can neither control the
//! terminal nor imitate other text.
//!
//! ```text
//! U+0000–1F, U+007F           control characters        ␀ to ␟, ␡
//! U+0080–9F                   more of them (U+009B      �
//!                             begins an escape sequence)
//! U+061C, 200E/F, 202A–E,     turn the text around      �
//! U+2066–9
//! U+2028/9                    are line breaks to some   �
//! U+00AD, 115F/60, 180E,      cannot be seen, and may   �
//! U+200B, 2060–5, 206A–F,     hide a text or split it
//! U+3164, FEFF, FFA0,
//! U+FFF9–B, E0000–FFF
//! ```
//!
//! One character stands for one, so that columns stay in line. What joins letters (U+200C/D) and
//! what chooses a form of the character before it (U+FE00–F, U+E0100–1EF) is left alone: languages
//! are written with it. They are also written with the places where a word may break (U+00AD,
//! U+200B), but an address with one of these looks like another address. So a page in a terminal
//! keeps them ([`picture_on_page`]), and all else shows them.
//!
//! All messages of `report` pass through here, and `cargo xtask tidy` checks that names of files
//! are shown by [`path`]. In JSON the same characters are escaped, which makes no difference to
//! programs.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};
use std::io;
use std::path::Path;

use serde::Serialize;

/// The replacement for a character that must not be shown.
pub(crate) fn picture(c: char) -> Option<char> {
    match c {
        '\0'..='\u{1F}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7F}' => Some('\u{2421}'),
        '\u{80}'..='\u{9F}'
        | '\u{AD}'
        | '\u{61C}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{180E}'
        | '\u{200B}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E00FF}'
        | '\u{E01F0}'..='\u{E0FFF}' => Some('\u{FFFD}'),
        _ => None,
    }
}

/// Like [`picture`], for text that is read as on a page, where words may break.
pub(crate) fn picture_on_page(c: char) -> Option<char> {
    if matches!(c, '\u{AD}' | '\u{200B}') { None } else { picture(c) }
}

/// Makes text visible in one line. A tab becomes four spaces.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| picture(c).is_none()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    push(text, &mut out);
    Cow::Owned(out)
}

/// Makes the output of a renderer visible: its own line feeds and escape sequences are kept; it has
/// already replaced other ASCII control characters.
pub(crate) fn rendered(text: &str) -> Cow<'_, str> {
    let replaced = |c: char| if c.is_ascii() { None } else { picture(c) };
    if text.chars().all(|c| replaced(c).is_none()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| replaced(c).unwrap_or(c)).collect())
}

fn push(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            c => out.push(picture(c).unwrap_or(c)),
        }
    }
}

/// Shows anything as [`visible`] text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visible<T>(pub(crate) T);

impl<T: Display> Display for Visible<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Through<'a, 'f>(&'a mut fmt::Formatter<'f>);
        impl fmt::Write for Through<'_, '_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0.write_str(&visible(text))
            }
        }
        write!(Through(f), "{}", self.0)
    }
}

/// The name of a file, for people.
pub(crate) fn path(path: &Path) -> Visible<std::path::Display<'_>> {
    Visible(path.display())
}

/// The name of a file, for programs: unchanged, except for bytes that are not UTF-8.
pub(crate) fn raw_path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Writes a value as JSON in one line. Characters that must not be shown are escaped.
pub(crate) fn write_json(value: &impl Serialize, out: &mut impl io::Write) -> io::Result<()> {
    serde_json::to_writer(Escaping(out), value)?;
    Ok(())
}

/// Writes a value as indented JSON. Characters that must not be shown are escaped.
pub(crate) fn write_pretty_json(
    value: &impl Serialize,
    out: &mut impl io::Write,
) -> io::Result<()> {
    serde_json::to_writer_pretty(Escaping(out), value)?;
    Ok(())
}

/// Like [`write_json`], with a line ending. The JSON is made in `line` and escaped as a whole,
/// which is faster than string by string.
pub(crate) fn write_json_line(
    value: &impl Serialize,
    line: &mut Vec<u8>,
    out: &mut impl io::Write,
) -> io::Result<()> {
    line.clear();
    serde_json::to_writer(&mut *line, value)?;
    line.push(b'\n');
    write_escaped(line, out)
}

/// Escapes characters in the strings of JSON. Strings arrive in pieces of whole characters, and all
/// JSON outside of them is ASCII.
struct Escaping<'a, W>(&'a mut W);

impl<W: io::Write> io::Write for Escaping<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        write_escaped(bytes, self.0)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes JSON, with what has a picture escaped. JSON itself escapes what is below U+0020 in
/// strings, and elsewhere that is only the line feeds between values.
///
/// LINEAR: after each place that is found, at most a block is read again.
fn write_escaped(bytes: &[u8], out: &mut impl io::Write) -> io::Result<()> {
    if is_plain(bytes) {
        return out.write_all(bytes);
    }
    let (mut from, mut at) = (0, 0);
    while let Some(found) = find_start(bytes, at) {
        at = found + 1;
        let Some(c) = char_at(bytes, found).filter(|c| picture(*c).is_some()) else { continue };
        out.write_all(&bytes[from..found])?;
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}")?;
        }
        at = found + c.len_utf8();
        from = at;
    }
    out.write_all(&bytes[from..])
}

fn char_at(bytes: &[u8], at: usize) -> Option<char> {
    let len = match bytes.get(at)? {
        ..0x80 => 1,
        0x80..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0.. => 4,
    };
    str::from_utf8(bytes.get(at..at + len)?).ok()?.chars().next()
}

/// The number of bytes that are tested together without any branch, so that the compiler vectorizes
/// the test.
const BLOCK: usize = 32;

/// Whether all bytes are ASCII, and have no picture or are escaped by JSON itself.
fn is_plain(bytes: &[u8]) -> bool {
    // Adding one sets the highest bit of U+007F, and of all bytes above it.
    let is_plain =
        |block: &[u8]| block.iter().fold(0, |any, byte| any | byte.saturating_add(1)).is_ascii();
    match bytes.last_chunk::<BLOCK>() {
        // The last block covers what the others leave.
        Some(last) => {
            bytes.as_chunks::<BLOCK>().0.iter().all(|block| is_plain(block)) && is_plain(last)
        }
        None => is_plain(bytes),
    }
}

/// The next place from `at` on where a character with a picture may begin.
fn find_start(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(window) = bytes.get(at..).and_then(<[u8]>::first_chunk::<{ BLOCK + 1 }>) {
        let pairs = window[..BLOCK].iter().zip(&window[1..]);
        let starts =
            pairs.clone().fold(0, |any, (byte, next)| any | u8::from(may_start(*byte, *next)));
        if starts > 0 {
            return pairs
                .into_iter()
                .position(|(byte, next)| may_start(*byte, *next))
                .map(|idx| at + idx);
        }
        at += BLOCK;
    }
    let next = |idx: usize| bytes.get(idx + 1).copied().unwrap_or_default();
    (at..bytes.len()).find(|&idx| may_start(bytes[idx], next(idx)))
}

/// Whether a character with a picture may begin with these two bytes.
const fn may_start(byte: u8, next: u8) -> bool {
    matches!(
        (byte, next),
        (0x7F | 0xC2 | 0xD8 | 0xF3, _)
            | (0xE1, 0x85 | 0xA0)
            | (0xE2, 0x80 | 0x81)
            | (0xE3, 0x85)
            | (0xEF, 0xBB | 0xBE..)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each kind, first and last.
    const ORDERS: &str = "\0\x1B\n\r\x1F\x7F\u{80}\u{9B}\u{9F}\u{61C}\u{200E}\u{200F}\u{2028}\
                          \u{2029}\u{202A}\u{202E}\u{2066}\u{2069}\u{206F}\u{FEFF}\u{FFF9}\
                          \u{FFFB}\u{E0000}\u{E0041}\u{E007F}\u{115F}\u{1160}\u{180E}\u{2060}\
                          \u{2064}\u{3164}\u{FFA0}\u{E00FF}\u{E01F0}\u{E0FFF}\u{AD}\u{200B}";

    #[test]
    fn every_character_that_gives_orders_has_a_picture() {
        let shown = visible(ORDERS);
        assert!(shown.starts_with("␀␛␊␍␟␡�"), "{shown}");
        assert_eq!(shown.chars().count(), ORDERS.chars().count());
        assert!(shown.chars().all(|c| picture(c).is_none()), "{shown}");
        assert_eq!(format!("{}", Visible(ORDERS)), shown);
        assert_eq!(visible("a\tb"), "a    b");
    }

    #[test]
    fn text_of_any_language_stays() {
        for text in ["é漢字", "می‌خواهم", "👩‍👩‍👧", "葛\u{E0100}\u{E01EF}\u{FE0F}"]
        {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn words_break_on_a_page_alone() {
        let differs = |c: &char| picture(*c) != picture_on_page(*c);
        assert!(('\0'..=char::MAX).filter(differs).eq(['\u{AD}', '\u{200B}']));
        assert_eq!(visible("exam\u{AD}ple.c\u{200B}om"), "exam�ple.c�om");
    }

    #[test]
    fn what_is_rendered_keeps_its_lines_and_colors() {
        assert_eq!(rendered("\x1B[1ma\x1B[0m\n\u{9B}b"), "\x1B[1ma\x1B[0m\n�b");
    }

    #[test]
    fn every_character_with_a_picture_is_escaped_in_json() {
        for c in ('\0'..=char::MAX).filter(|c| picture(*c).is_some()) {
            let mut out = Vec::new();
            write_json(&c, &mut out).unwrap();
            assert!(out.is_ascii() && !out.contains(&0x7F), "{c:?}");
        }
        // Wherever it is among others.
        let mut line = Vec::new();
        for len in 0..70 {
            for (before, c) in [("x", '\u{7F}'), ("。", '\u{202E}'), ("ア”", '\u{E0041}')] {
                let value = format!("{}{c}{}{c}", before.repeat(len), "é".repeat(len));
                let mut out = Vec::new();
                write_json_line(&value, &mut line, &mut out).unwrap();
                let text = String::from_utf8(out).unwrap();
                assert!(
                    text.contains("\\u") && !text.contains(c) && text.ends_with('\n'),
                    "{text}"
                );
                assert_eq!(serde_json::from_str::<String>(&text).unwrap(), value);
            }
        }
    }

    #[test]
    fn json_says_the_same_without_them() {
        for pretty in [true, false] {
            let (value, mut out) = (vec![format!("é{ORDERS}\"\\"), "b".to_owned()], Vec::new());
            if pretty {
                write_pretty_json(&value, &mut out).unwrap();
            } else {
                write_json(&value, &mut out).unwrap();
            }
            let text = String::from_utf8(out).unwrap();
            assert!(text.chars().all(|c| c == '\n' || picture(c).is_none()), "{text}");
            assert!(text.contains("é") && text.contains("\\u009b"), "{text}");
            assert!(text.contains("\\udb40\\udc41"), "{text}");
            assert_eq!(serde_json::from_str::<Vec<String>>(&text).unwrap(), value);
        }
    }
}
