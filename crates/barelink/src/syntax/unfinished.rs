//! The end of an inline link that is not complete: `(destination "title` and no more.
//!
//! LINEAR: one pass. It stops if a destination has too many parentheses, or if a title in
//! parentheses has another one. Otherwise a text with many starts of links would be read to its end
//! from each of them.

use super::destination::MAX_PARENTHESES;

/// The text that completes the destination and title in `text`, up to the closing parenthesis.
/// `None` if they are complete, or cannot be completed.
pub(crate) fn close_tail(text: &[u8]) -> Option<String> {
    let mut rest = text.trim_ascii_start();
    if let [b'<', after @ ..] = rest {
        let Some(len) = find_unescaped(after, |byte| matches!(byte, b'>' | b'<' | b'\n')) else {
            return Some(String::from(">)"));
        };
        if after[len] != b'>' {
            return None;
        }
        rest = &after[len + 1..];
    } else {
        let (depth, len) = scan_raw_destination(rest)?;
        if len == rest.len() {
            return Some(")".repeat(depth + 1));
        }
        if depth > 0 {
            return None;
        }
        rest = &rest[len..];
    }
    let title = rest.trim_ascii_start();
    let close = match title {
        [] => return Some(String::from(")")),
        [b'"', ..] => "\")",
        [b'\'', ..] => "')",
        [b'(', ..] => "))",
        _ => return None,
    };
    let quote = close.as_bytes()[0];
    let is_end = |byte| byte == quote || byte == b'(' && quote == b')';
    match find_unescaped(&title[1..], is_end) {
        _ if title.len() == rest.len() => None,
        None => Some(String::from(close)),
        Some(len) if title[len + 1] != quote => None,
        Some(len) => title[len + 2..].trim_ascii().is_empty().then(|| String::from(")")),
    }
}

/// The offset of the first unescaped byte for which `is_sought` is true.
pub(crate) fn find_unescaped(text: &[u8], is_sought: impl Fn(u8) -> bool) -> Option<usize> {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if is_sought(byte) {
            return Some(at);
        }
        at += if byte == b'\\' { 2 } else { 1 };
    }
    None
}

/// The number of parentheses that are open at the end of a destination, and its end. `None` if a
/// parenthesis closes the link itself, or there are too many.
fn scan_raw_destination(text: &[u8]) -> Option<(usize, usize)> {
    let mut depth = 0;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'(' if depth == MAX_PARENTHESES => return None,
            b'(' => depth += 1,
            b')' if depth == 0 => return None,
            b')' => depth -= 1,
            b' ' | b'\t' | b'\n' => break,
            _ => {}
        }
        at += 1;
    }
    Some((depth, at.min(text.len())))
}
