//! Destinations with an unclosed parenthesis: cmark-gfm ends them elsewhere.
//!
//! ```text
//! [a](https://b.cd( )      no link, but cmark-gfm may make it one
//! [b]:(                    a definition to cmark-gfm, for every `[b]`
//! ```
//!
//! LINEAR: a destination is read once, and the search for the next one starts after it. The region
//! of a definition is not searched for others.

use barelink::Span;
use memchr::{memchr2, memmem};

use super::lines::line_start;
use super::tags::end_of_html;

/// Whether a leaf has such a destination after a text in brackets.
pub(super) fn has_open_destination(leaf: &[u8]) -> bool {
    let mut start = 0;
    while let Some(at) = memmem::find(&leaf[start..], b"](") {
        let (end, is_open) = destination_end(leaf, start + at + 2);
        if is_open {
            return true;
        }
        start = end;
    }
    false
}

/// The lines that may be definitions with such a destination, each with all that follows up to a
/// blank line.
pub(super) fn behind_open_definitions(source: &[u8]) -> Vec<Span> {
    let mut regions: Vec<Span> = Vec::new();
    let mut start = 0;
    while let Some(at) = memmem::find(&source[start..], b"]:") {
        let at = start + at;
        let (end, is_open) = destination_end(source, at + 2);
        start = end;
        if is_open && may_end_definition(&source[end..]) {
            start = end_of_html(source, end);
            regions.push(Span::new(line_start(source, at) as u32, start as u32));
        }
    }
    regions
}

/// The end of the destination at `at`, or after spaces and markers of quotes there, and whether a
/// parenthesis in it is unclosed.
fn destination_end(source: &[u8], at: usize) -> (usize, bool) {
    let is_before = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
    let mut end = at + source[at..].iter().take_while(|byte| is_before(byte)).count();
    let mut depth = 0_u32;
    while let Some(byte) = source.get(end).filter(|byte| !byte.is_ascii_whitespace()) {
        match byte {
            b'\\' => end += 1,
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            _ => {}
        }
        end += 1;
    }
    (end.min(source.len()), depth > 0)
}

/// Whether the rest of the line is blank, or starts with a title.
fn may_end_definition(rest: &[u8]) -> bool {
    let text = rest.trim_ascii_start();
    let spaces = &rest[..rest.len() - text.len()];
    memchr2(b'\n', b'\r', spaces).is_some()
        || matches!(text.first(), None | Some(b'"' | b'\'' | b'('))
}
