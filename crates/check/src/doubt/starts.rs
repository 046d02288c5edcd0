//! Lines in containers where cmark-gfm has a paragraph and the engine has none, or the reverse:
//! later lines may continue it.
//!
//! ```text
//! > - [x]                  a box that is not at the start of its line is text
//! > - [x] [a]: /b          and so is what follows it
//! > [!TIP]                 an alert is a paragraph
//! > [a]: /b                and what follows no definition
//! - [a]: /b                an item without text ends with a blank line
//! > - [x] [^a]: b          a footnote behind such a box, or in an alert, is text, too
//! -                        an item that begins with nothing continues
//!   ␠                      after a line of spaces
//! <!a                      a declaration that is text to cmark-gfm
//! ```
//!
//! LINEAR: each line is read once, and the region of one is skipped.

use barelink::Span;
use memchr::{memchr, memmem};

use super::lines::{line_end, next_line};
use super::tags::end_of_html;

/// The regions of such lines, each up to a blank line.
pub(super) fn behind_odd_starts(source: &[u8]) -> Vec<Span> {
    let mut regions = Vec::new();
    let (mut start, mut is_alert) = (0, false);
    while start < source.len() {
        let end = line_end(source, start);
        let line = &source[start..end];
        let (mut text, mut n_markers) = behind_markers(line);
        let mut is_odd = false;
        if let Some(note) = behind_note(text) {
            is_odd = is_alert;
            let (behind, n_behind) = behind_markers(note);
            (text, n_markers) = (behind, n_markers + 1 + n_behind);
        }
        let (text, has_box) = behind_box(text);
        let is_definition = is_definition(text);
        let has_late_box = has_box && n_markers > 1;
        is_odd |= has_late_box && (text.is_empty() || behind_note(text).is_some());
        is_odd |= is_definition && (n_markers > 0 || is_alert);
        is_odd |= n_markers > 0 && text.is_empty() && is_before_spaces(source, end);
        is_odd |= matches!(text, [b'<', b'!', b'a'..=b'z', ..]);
        if is_odd {
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

/// The text after the markers of quotes and items, and the number of markers.
pub(super) fn behind_markers(line: &[u8]) -> (&[u8], usize) {
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

/// The text after the box of a task, if there is one.
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

/// Whether the next line has only spaces.
fn is_before_spaces(source: &[u8], at: usize) -> bool {
    let next = next_line(source, at);
    !next.is_empty() && next.iter().all(|byte| b" \t>".contains(byte))
}

/// The text after the label of a footnote definition, if there is one.
fn behind_note(text: &[u8]) -> Option<&[u8]> {
    let label = text.strip_prefix(b"[^")?;
    let len = memchr(b']', label).filter(|len| *len > 0)?;
    label[len + 1..].strip_prefix(b":")
}

fn is_definition(text: &[u8]) -> bool {
    let is_note = text.starts_with(b"[^") && !text.starts_with(b"[^]");
    text.starts_with(b"[") && !is_note && memmem::find(text, b"]:").is_some()
}
