//! Wiki links: `[[target]]` and `[[target|text]]`, with the text after the pipe, as in comrak and
//! pulldown-cmark.
//!
//! ```text
//! wiki link = "[[" part ("|" part)? "]]"
//! part      = anything on one line but brackets and pipes, unless escaped by a backslash
//! ```
//!
//! Neither part contains Markdown other than escapes and entities, and a target is not empty. There
//! are no wiki links inside an open bracket.
//!
//! LINEAR: a search ends at the next bracket or line ending.

use std::num::NonZeroU32;
use std::ops::Range;

use barelink_text::set::ASCII_PUNCTUATION;

use crate::syntax::text::Text;

/// The maximum length of a part in bytes.
const MAX_PART: usize = 1000;

/// The offset of a pipe. None is at the start of a text, since a link starts there at best.
pub(crate) type Pipe = NonZeroU32;

/// The pipe, if any, and the end of the wiki link at `at`.
pub(super) fn scan(text: &[u8], at: usize) -> Option<(Option<Pipe>, usize)> {
    if text.get(at + 1) != Some(&b'[') {
        return None;
    }
    let start = at + 2;
    let mut end = scan_part(text, start)?;
    if text[start..end].trim_ascii().is_empty() {
        return None;
    }
    let mut pipe = None;
    if text[end] == b'|' {
        pipe = Pipe::new(end as u32);
        end = scan_part(text, end + 1)?;
    }
    text[end..].starts_with(b"]]").then_some((pipe, end + 2))
}

/// The end of the part that starts at `from`, at a bracket or a pipe.
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

/// The ranges of the target and of the text of a link, which is the range of a mark. Without a pipe,
/// the text is the target.
pub(crate) fn parts(
    text: &Text<'_>,
    link: Range<usize>,
    pipe: Option<Pipe>,
) -> (Range<usize>, Range<usize>) {
    let inner = link.start + 2..link.end - 2;
    let trimmed = |part: Range<usize>| {
        let bytes = &text.bytes()[part.clone()];
        let start = part.start + (bytes.len() - bytes.trim_ascii_start().len());
        start..start + bytes.trim_ascii().len()
    };
    let Some(pipe) = pipe else { return (trimmed(inner.clone()), trimmed(inner)) };
    let pipe = pipe.get() as usize;
    (trimmed(inner.start..pipe), trimmed(pipe + 1..inner.end))
}
