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
//! U+206A–F, FEFF, FFF9–B,     cannot be seen, and may   �
//! U+E0000–7F                  hide a text
//! ```
//!
//! Each character is replaced by one, so that columns stay aligned. Joiners (U+200C/D) and break
//! opportunities (U+00AD, U+200B) are kept, since languages need them.
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
        | '\u{61C}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2066}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E007F}' => Some('\u{FFFD}'),
        _ => None,
    }
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

/// Escapes characters in the strings of JSON. Strings arrive in pieces of whole characters, and all
/// JSON outside of them is ASCII.
struct Escaping<'a, W>(&'a mut W);

impl<W: io::Write> io::Write for Escaping<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        // In ASCII, the line feeds between values are the only control characters.
        let is_plain = |byte: &u8| byte.is_ascii() && *byte != 0x7F;
        if bytes.iter().all(is_plain) {
            return self.0.write_all(bytes);
        }
        let text = str::from_utf8(bytes).map_err(io::Error::other)?;
        let mut from = 0;
        for (at, c) in text.char_indices() {
            if is_plain(&bytes[at]) || picture(c).is_none() {
                continue;
            }
            self.0.write_all(&bytes[from..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(self.0, "\\u{unit:04x}")?;
            }
            from = at + c.len_utf8();
        }
        self.0.write_all(&bytes[from..])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each kind, first and last.
    const ORDERS: &str = "\0\x1B\n\r\x1F\x7F\u{80}\u{9B}\u{9F}\u{61C}\u{200E}\u{200F}\u{2028}\
                          \u{2029}\u{202A}\u{202E}\u{2066}\u{2069}\u{206F}\u{FEFF}\u{FFF9}\
                          \u{FFFB}\u{E0000}\u{E0041}\u{E007F}";

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
        for text in ["é漢字", "می‌خواهم", "👩‍👩‍👧", "a\u{AD}b\u{200B}c"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn what_is_rendered_keeps_its_lines_and_colors() {
        assert_eq!(rendered("\x1B[1ma\x1B[0m\n\u{9B}b"), "\x1B[1ma\x1B[0m\n�b");
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
