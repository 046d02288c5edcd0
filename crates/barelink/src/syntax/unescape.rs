//! Unescaping: backslash escapes (CommonMark §2.4) and entities (§2.5) are replaced by their
//! characters.
//!
//! LINEAR: one pass over the text.

use std::borrow::Cow;

use barelink_text::entity::scan_entity;
use barelink_text::set::ASCII_PUNCTUATION;

/// `text` with backslash escapes, entities and NUL replaced by what they stand for.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    match find_escape(text.as_bytes()) {
        None => Cow::Borrowed(text),
        Some(at) => unescape_from(text, at),
    }
}

/// `text` with entities replaced by what they stand for, but with backslashes kept, as in links in
/// angle brackets.
pub(crate) fn decode_entities(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut from = 0;
    for at in memchr::memchr_iter(b'&', bytes) {
        if let Some((end, decoded)) = scan_entity(bytes, at) {
            out.push_str(text.get(from..at).unwrap_or_default());
            out.push_str(decoded.as_str(&mut [0; 4]));
            from = end;
        }
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

fn find_escape(text: &[u8]) -> Option<usize> {
    memchr::memchr3(b'\\', b'&', 0, text)
}

fn unescape_from(text: &str, mut at: usize) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut from = 0;
    loop {
        if bytes[at] == b'\\' {
            if bytes.get(at + 1).is_some_and(|&next| ASCII_PUNCTUATION.contains(next)) {
                out.push_str(&text[from..at]);
                from = at + 1;
                at += 1;
            }
            at += 1;
        } else if bytes[at] == 0 {
            out.push_str(&text[from..at]);
            out.push('\u{FFFD}');
            at += 1;
            from = at;
        } else if let Some((end, decoded)) = scan_entity(bytes, at) {
            out.push_str(&text[from..at]);
            out.push_str(decoded.as_str(&mut [0; 4]));
            from = end;
            at = end;
        } else {
            at += 1;
        }
        match find_escape(bytes.get(at..).unwrap_or_default()) {
            Some(skip) => at += skip,
            None => break,
        }
    }
    if from == 0 && out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn escapes_and_entities_go() {
        for (text, plain) in [
            ("a\\*b", "a*b"),
            ("\\a&amp;", "\\a&"),
            ("&nope; & \\", "&nope; & \\"),
            ("\\\\&#65;", "\\A"),
            ("a\0\\!", "a\u{FFFD}!"),
            ("", ""),
        ] {
            assert_eq!(unescape(text), plain);
        }
    }
}
