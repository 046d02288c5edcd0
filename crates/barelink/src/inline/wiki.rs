//! Wiki links: `[[target]]` and `[[target|text]]`, as comrak and pulldown-cmark have them with the
//! text after the pipe.
//!
//! ```text
//! wiki link = "[[" part ("|" part)? "]]"
//! part      = anything on a line but brackets and pipes, or these with a backslash
//! ```
//!
//! Neither part has Markdown in it, but for escapes and entities, and a target is not empty.
//! Where a bracket is open, there is none.
//!
//! LINEAR: a search ends at the next bracket or line ending.

use std::ops::Range;

use barelink_text::set::ASCII_PUNCTUATION;

use crate::syntax::text::Text;

/// Bytes of a part.
const MAX_PART: usize = 1000;

/// The text of a link that has no pipe is its target. No pipe is at the start of a text.
pub(super) const NO_PIPE: u32 = 0;

/// The pipe and the end of the wiki link at `at`.
pub(super) fn scan(text: &[u8], at: usize) -> Option<(u32, usize)> {
    if text.get(at + 1) != Some(&b'[') {
        return None;
    }
    let start = at + 2;
    let mut end = scan_part(text, start)?;
    if text[start..end].trim_ascii().is_empty() {
        return None;
    }
    let mut pipe = NO_PIPE;
    if text[end] == b'|' {
        pipe = end as u32;
        end = scan_part(text, end + 1)?;
    }
    text[end..].starts_with(b"]]").then_some((pipe, end + 2))
}

/// Where the part from `from` on ends: at a bracket or a pipe.
fn scan_part(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while at - from <= MAX_PART {
        match *text.get(at)? {
            b'[' | b']' | b'|' => return Some(at),
            b'\n' => return None,
            b'\\' if text.get(at + 1).is_some_and(|&byte| ASCII_PUNCTUATION.contains(byte)) => {
                at += 2;
            }
            _ => at += 1,
        }
    }
    None
}

/// Where the target and the text of the link are that a mark covers.
pub(crate) fn parts(
    text: &Text<'_>,
    link: Range<usize>,
    pipe: u32,
) -> (Range<usize>, Range<usize>) {
    let inner = link.start + 2..link.end - 2;
    let trimmed = |part: Range<usize>| {
        let bytes = &text.bytes()[part.clone()];
        let start = part.start + (bytes.len() - bytes.trim_ascii_start().len());
        start..start + bytes.trim_ascii().len()
    };
    if pipe == NO_PIPE {
        return (trimmed(inner.clone()), trimmed(inner));
    }
    let pipe = pipe as usize;
    (trimmed(inner.start..pipe), trimmed(pipe + 1..inner.end))
}
