//! Open and closing tags of HTML (CommonMark §6.6), in text and at the start of a block.
//!
//! ```text
//! open tag    = "<" name attribute* white space? "/"? ">"
//! closing tag = "</" name white space? ">"
//! attribute   = white space name (white space? "=" white space? value)?
//! ```
//!
//! LINEAR: a tag without quotes ends before the next `<`; a quote that does not close is the last
//! of its kind.

use super::destination::skip_whitespace;

/// The end of the open or closing tag that starts with the `<` at `start`.
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
