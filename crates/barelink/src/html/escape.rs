//! Escaping for HTML text and attributes, percent-encoding for destinations,
//! and the unescaping of Markdown that comes before either.
//!
//! LINEAR: one pass over the text each.

use std::borrow::Cow;

use barelink_text::entity::scan_entity;
pub(crate) use barelink_text::escape::{push_entity, push_escaped as push_escaped_range};
use barelink_text::find::{Destination, Stops, push_range};
use barelink_text::set::ASCII_PUNCTUATION;

/// Appends `text` with `<` `>` `&` `"` escaped: fit to stand between tags, or as the value
/// of an attribute in double quotes. For markup of your own.
///
/// ```
/// let mut out = String::new();
/// barelink::html::push_escaped("a < \"b\"", &mut out);
/// assert_eq!(out, "a &lt; &quot;b&quot;");
/// ```
#[inline]
pub fn push_escaped(text: &str, out: &mut String) {
    push_escaped_range(text, 0, text.len(), out);
}

/// Appends a destination, percent-encoded as far as an attribute needs it.
pub(crate) fn push_href(destination: &str, out: &mut String) {
    push_href_range(destination, 0, destination.len(), Brackets::Encode, out);
}

/// What becomes of `[` and `]` in a destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Brackets {
    Encode,
    /// They stay: an IPv6 host needs them.
    Keep,
}

/// Appends the destination `text[start..end]`. Reading is quicker where `text`
/// goes on. Whether it could stay as it is.
pub(crate) fn push_href_range(
    text: &str,
    start: usize,
    end: usize,
    brackets: Brackets,
    out: &mut String,
) -> bool {
    let mut from = start;
    for at in Stops::<Destination>::new(text.as_bytes(), start, end) {
        let byte = text.as_bytes()[at];
        let stays = match byte {
            b'(' | b')' => true,
            b'[' | b']' => brackets == Brackets::Keep,
            _ => false,
        };
        if stays {
            continue;
        }
        push_range(text, from, at, out);
        from = at + 1;
        match byte {
            b'&' => out.push_str("&amp;"),
            b'\'' => out.push_str("&#x27;"),
            _ => push_percent(byte, out),
        }
    }
    push_range(text, from, end, out);
    from == start
}

fn push_percent(byte: u8, out: &mut String) {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    out.push('%');
    out.push(DIGITS[usize::from(byte >> 4)]);
    out.push(DIGITS[usize::from(byte & 15)]);
}

/// `text` with backslash escapes, entities and NUL replaced by what they stand
/// for.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    match find_escape(text.as_bytes()) {
        None => Cow::Borrowed(text),
        Some(at) => unescape_from(text, at),
    }
}

/// `text` with entities replaced by what they stand for, backslashes kept: in
/// links in angle brackets.
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
    use super::{push_escaped, push_href, unescape};

    #[test]
    fn text_is_escaped() {
        let mut out = String::new();
        push_escaped("a<b> & \"é\"", &mut out);
        assert_eq!(out, "a&lt;b&gt; &amp; &quot;é&quot;");
    }

    #[test]
    fn destinations_are_encoded_once() {
        let mut out = String::new();
        push_href("/ü?a=b&c='[x]%20\\`", &mut out);
        assert_eq!(out, "/%C3%BC?a=b&amp;c=&#x27;%5Bx%5D%20%5C%60");
    }

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
