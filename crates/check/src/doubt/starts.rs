//! Lines in containers where cmark-gfm has a paragraph and we have none, or the other way round:
//! what comes next may go on with it.
//!
//! ```text
//! > - [x]                  a box that is not at the start of its line is text
//! > - [x] [a]: /b          and so is what follows it
//! > [!TIP]                 an alert is a paragraph
//! > [a]: /b                and what follows no definition
//! - [a]: /b                an item without text ends with a blank line
//! ```
//!
//! LINEAR: each line is looked at once, and what counts for one is not read again.

use barelink::Span;
use memchr::memmem;

use super::lines::line_end;
use super::tags::end_of_html;

/// From such a line on, all up to a blank line.
pub(super) fn behind_odd_starts(source: &[u8]) -> Vec<Span> {
    let mut regions = Vec::new();
    if memmem::find(source, b"]:").is_none()
        && memmem::find(source, b"- [").is_none()
        && memmem::find(source, b"] ").is_none()
    {
        return regions;
    }
    let (mut start, mut is_alert) = (0, false);
    while start < source.len() {
        let end = line_end(source, start);
        let line = &source[start..end];
        let (text, n_markers) = behind_markers(line);
        let (text, has_box) = behind_box(text);
        let is_definition = is_definition(text);
        let is_late_box = has_box && n_markers > 1 && text.is_empty();
        if is_late_box || is_definition && (n_markers > 0 || is_alert) {
            let until = end_of_html(source, end);
            regions.push(Span::new(start as u32, until as u32));
            start = until.max(end + 1);
            is_alert = false;
            continue;
        }
        is_alert = n_markers > 0 && text.starts_with(b"[!") || is_alert && is_definition;
        start = end + if source[end..].starts_with(b"\r\n") { 2 } else { 1 };
    }
    regions
}

/// What follows the markers of quotes and items, and how many there are.
fn behind_markers(line: &[u8]) -> (&[u8], usize) {
    let (mut rest, mut n_markers) = (line.trim_ascii_start(), 0);
    loop {
        let n_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_spaced = rest.get(n_digits + 1).is_none_or(u8::is_ascii_whitespace);
        let is_marker = match (n_digits, rest.get(n_digits)) {
            (0, Some(b'>')) => true,
            (0, Some(b'-' | b'+' | b'*')) | (1.., Some(b'.' | b')')) => is_spaced,
            _ => false,
        };
        if !is_marker {
            return (rest, n_markers);
        }
        n_markers += 1;
        rest = rest[n_digits + 1..].trim_ascii_start();
    }
}

/// What follows the box of a task, if there is one.
fn behind_box(text: &[u8]) -> (&[u8], bool) {
    match text {
        [b'[', b' ' | b'x' | b'X', b']', rest @ ..]
            if rest.first().is_none_or(u8::is_ascii_whitespace) =>
        {
            (rest.trim_ascii_start(), true)
        }
        _ => (text, false),
    }
}

fn is_definition(text: &[u8]) -> bool {
    let is_note = text.starts_with(b"[^") && !text.starts_with(b"[^]");
    text.starts_with(b"[") && !is_note && memmem::find(text, b"]:").is_some()
}
