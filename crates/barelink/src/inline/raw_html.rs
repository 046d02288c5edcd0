//! Raw HTML in text (CommonMark §6.6).
//!
//! ```text
//! open tag    = "<" name attribute* white space? "/"? ">"
//! closing tag = "</" name white space? ">"
//! comment     = "<!-->" | "<!--->" | "<!--" … "-->"
//! instruction = "<?" … "?>"
//! declaration = "<!" letter … ">"
//! CDATA       = "<![CDATA[" … "]]>"
//! ```
//!
//! LINEAR: a tag without quotes ends before the next `<`; a quote that does not
//! close is the last of its kind. For the other four, a search for the end that
//! fails is remembered in [`Horizons`] and not made again.

use memchr::memmem;

/// Which ends are known not to occur in the rest of the text.
#[derive(Debug, Default, Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // One for each construct.
pub(crate) struct Horizons {
    comment: bool,
    instruction: bool,
    declaration: bool,
    cdata: bool,
}

/// The end of `needle` in `text` at or after `from`.
fn find_end(text: &[u8], from: usize, needle: &str, exhausted: &mut bool) -> Option<usize> {
    if *exhausted {
        return None;
    }
    let found = memmem::find(text.get(from..)?, needle.as_bytes());
    *exhausted = found.is_none();
    found.map(|at| from + at + needle.len())
}

impl Horizons {
    /// Where the raw HTML that starts with `<` at `at` ends.
    pub(crate) fn scan(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let rest = text.get(at + 1..)?;
        match rest {
            [b'!', b'-', b'-', b'>', ..] => Some(at + 5),
            [b'!', b'-', b'-', b'-', b'>', ..] => Some(at + 6),
            [b'!', b'-', b'-', ..] => find_end(text, at + 4, "-->", &mut self.comment),
            [b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] => {
                find_end(text, at + 9, "]]>", &mut self.cdata)
            }
            [b'!', letter, ..] if letter.is_ascii_alphabetic() => {
                find_end(text, at + 3, ">", &mut self.declaration)
            }
            [b'?', ..] => find_end(text, at + 2, "?>", &mut self.instruction),
            _ => scan_tag(text, at),
        }
    }
}

fn skip_whitespace(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\n')) {
        at += 1;
    }
    at
}

/// Where the open or closing tag that starts with `<` at `start` ends.
pub(crate) fn scan_tag(text: &[u8], start: usize) -> Option<usize> {
    let closing = text.get(start + 1) == Some(&b'/');
    let mut at = start + if closing { 2 } else { 1 };
    if !text.get(at)?.is_ascii_alphabetic() {
        return None;
    }
    while matches!(text.get(at), Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'-') {
        at += 1;
    }
    if closing {
        at = skip_whitespace(text, at);
    } else {
        while let Some(end) = scan_attribute(text, at) {
            at = end;
        }
        at = skip_whitespace(text, at);
        if text.get(at) == Some(&b'/') {
            at += 1;
        }
    }
    (text.get(at) == Some(&b'>')).then_some(at + 1)
}

/// `white space name (white space? "=" white space? value)?`
fn scan_attribute(text: &[u8], start: usize) -> Option<usize> {
    let name = skip_whitespace(text, start);
    let first = *text.get(name)?;
    if name == start || !(first.is_ascii_alphabetic() || matches!(first, b'_' | b':')) {
        return None;
    }
    let mut at = name;
    while matches!(text.get(at), Some(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-'))
    {
        at += 1;
    }
    let equals = skip_whitespace(text, at);
    if text.get(equals) != Some(&b'=') {
        return Some(at);
    }
    scan_value(text, skip_whitespace(text, equals + 1))
}

fn scan_value(text: &[u8], start: usize) -> Option<usize> {
    let first = *text.get(start)?;
    if matches!(first, b'"' | b'\'') {
        let len = memchr::memchr(first, text.get(start + 1..)?)?;
        return Some(start + 1 + len + 1);
    }
    let mut at = start;
    while !matches!(text.get(at)?, b' ' | b'\t' | b'\n' | b'"' | b'\'' | b'=' | b'<' | b'>' | b'`')
    {
        at += 1;
    }
    (at > start).then_some(at)
}
