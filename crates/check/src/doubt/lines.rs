//! Lines of a source, and their neighbors.

use memchr::{memchr, memchr2, memrchr2};

pub(super) fn line_start(source: &[u8], at: usize) -> usize {
    memrchr2(b'\n', b'\r', &source[..at]).map_or(0, |at| at + 1)
}

/// The last line before this one that is not empty.
pub(super) fn line_before(source: &[u8], line_start_at: usize) -> &[u8] {
    let before = source[..line_start_at].trim_ascii_end();
    &before[line_start(before, before.len())..]
}

/// What follows the last blank line of these; all of them if there is none. The last line has an
/// ending.
pub(super) fn behind_blank_line(lines: &[u8]) -> &[u8] {
    let mut start = lines.len();
    while start > 0 {
        let end = start - if lines[..start].ends_with(b"\r\n") { 2 } else { 1 };
        let line = line_start(lines, end);
        if lines[line..end].trim_ascii().is_empty() {
            return &lines[start..];
        }
        start = line;
    }
    lines
}

pub(super) fn line_end(source: &[u8], at: usize) -> usize {
    at + memchr2(b'\n', b'\r', &source[at..]).unwrap_or(source.len() - at)
}

/// The start of the next line.
fn next_line_start(source: &[u8], at: usize) -> usize {
    let end = line_end(source, at);
    let len = if source[end..].starts_with(b"\r\n") { 2 } else { 1 };
    (end + len).min(source.len())
}

/// The end of the next line.
pub(super) fn next_line_end(source: &[u8], at: usize) -> usize {
    line_end(source, next_line_start(source, at))
}

/// The text of the next line.
pub(super) fn next_line(source: &[u8], at: usize) -> &[u8] {
    let start = next_line_start(source, at);
    &source[start..line_end(source, start)]
}

/// Whether the next line is a delimiter row.
pub(super) fn is_before_delimiters(source: &[u8], at: usize) -> bool {
    let next = next_line(source, at);
    let is_delimiter = |byte: &u8| b" \t>|:-".contains(byte);
    memchr(b'-', next).is_some() && next.iter().all(is_delimiter)
}
