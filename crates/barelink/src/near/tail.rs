//! Why the text after the brackets of an inline link is not a destination.
//!
//! LINEAR: like `syntax/destination.rs`, which reads the parts. The search for the end stops at the
//! next bracket, so no two searches read the same text.

use super::Flaw;
use crate::syntax::destination::{
    Delimited, MAX_PARENTHESES, scan_destination, scan_title, skip_whitespace,
};

/// The content of the parentheses, broken or not.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearTail {
    /// What is wrong with it, and at which offset.
    pub(super) flaw: Option<(Flaw, usize)>,
    /// The bounds of the destination.
    pub(super) target: (usize, usize),
    /// The offset just after it.
    pub(super) end: usize,
}

/// Reads from the `(` at `open`.
pub(super) fn read(bytes: &[u8], open: usize) -> NearTail {
    let start = skip_whitespace(bytes, open + 1);
    let is_pointy = bytes.get(start) == Some(&b'<');
    let Some(destination) = scan_destination(bytes, start) else {
        let (flaw, at) = if is_pointy {
            (Flaw::UnclosedAngle, start)
        } else {
            (Flaw::UnmatchedParentheses, last_open(bytes, start))
        };
        return broken(bytes, start + usize::from(is_pointy), flaw, at);
    };
    let Delimited { start: target_start, end: target_end, after } = destination;
    let flawless = |end| NearTail { flaw: None, target: (target_start, target_end), end };
    let next = skip_whitespace(bytes, after);
    let (flaw, at) = match bytes.get(next) {
        Some(b')') => return flawless(next + 1),
        None => (Flaw::Unclosed, open),
        Some(b'"' | b'\'' | b'(') if next > after => match scan_title(bytes, next) {
            None => (Flaw::UnclosedTitle, next),
            Some(title) => {
                let end = skip_whitespace(bytes, title.after);
                match bytes.get(end) {
                    Some(b')') => return flawless(end + 1),
                    None => (Flaw::Unclosed, open),
                    Some(_) => (Flaw::BehindTitle, end),
                }
            }
        },
        Some(_) if is_pointy => (Flaw::BehindAngle, next),
        Some(_) if next > after => (Flaw::SpaceInDestination, after),
        Some(_) => (Flaw::ControlCharacter, next),
    };
    let full_width = find_full_width(&bytes[target_start..target_end]);
    if let Some(at) = full_width.filter(|_| flaw != Flaw::BehindTitle) {
        let at = target_start + at;
        let flaw = Some((Flaw::FullWidthParenthesis, at));
        return NearTail { flaw, target: (target_start, at), end: at + CLOSE.len() };
    }
    let mut tail = broken(bytes, target_start, flaw, at);
    if flaw == Flaw::SpaceInDestination {
        // A parenthesis before the space belongs to the destination.
        let rest = broken(bytes, after, flaw, at);
        if bytes[after..rest.end].ends_with(b")") {
            return NearTail { target: (target_start, rest.target.1), ..rest };
        }
        // What follows is not part of it.
        tail.flaw = Some((Flaw::Unclosed, open));
    }
    let target = &bytes[target_start..target_end];
    if let Some(inner) = memchr::memchr(b'(', target).filter(|_| tail.is_unclosed()) {
        // One of its parentheses was taken for the closing one of the link.
        let flaw = Some((Flaw::UnmatchedParentheses, target_start + inner));
        let shown_end = target_end - usize::from(target.ends_with(b")"));
        return NearTail { flaw, target: (target_start, shown_end), end: after };
    }
    tail.target.1 = target_end;
    tail.end = tail.end.max(after);
    tail
}

impl NearTail {
    fn is_unclosed(&self) -> bool {
        matches!(self.flaw, Some((Flaw::Unclosed, _)))
    }
}

/// U+FF09, the full-width `)`.
pub(super) const CLOSE: &[u8] = "）".as_bytes();

/// U+FF08, the full-width `(`.
pub(super) const OPEN: &[u8] = "（".as_bytes();

fn find_full_width(target: &[u8]) -> Option<usize> {
    let at = target.windows(CLOSE.len()).position(|window| window == CLOSE)?;
    // With a matching opening one, it is part of the destination.
    let has_mate = target[..at].windows(OPEN.len()).any(|window| window == OPEN);
    (!has_mate).then_some(at)
}

/// The extent of a broken destination: up to the next `)` on the line, if no bracket comes first.
fn broken(bytes: &[u8], target_start: usize, flaw: Flaw, at: usize) -> NearTail {
    let rest = &bytes[target_start..];
    let len = rest.iter().position(|byte| matches!(byte, b')' | b'[' | b']' | b'\n'));
    let len = len.unwrap_or(rest.len());
    let has_close = rest.get(len) == Some(&b')');
    let target = if has_close { &rest[..len] } else { first_word(&rest[..len]) };
    let target_end = target_start + target.trim_ascii_end().len();
    let end = if has_close { target_start + len + 1 } else { target_end };
    NearTail { flaw: Some((flaw, at)), target: (target_start, target_end), end: end.max(at) }
}

fn first_word(text: &[u8]) -> &[u8] {
    text.split(u8::is_ascii_whitespace).next().unwrap_or_default()
}

/// The last `(` that is not closed before white space.
fn last_open(bytes: &[u8], start: usize) -> usize {
    let mut open = Vec::new();
    let mut at = start;
    // LINEAR: only up to the maximum nesting of a destination.
    while let Some(&byte) = bytes.get(at)
        && byte > b' '
        && open.len() <= MAX_PARENTHESES
    {
        match byte {
            b'\\' => at += 1,
            b'(' => open.push(at),
            b')' if open.is_empty() => break,
            b')' => {
                open.pop();
            }
            _ => {}
        }
        at += 1;
    }
    open.last().copied().unwrap_or(start)
}
