//! Escaping for HTML text and attributes, and percent-encoding for destinations.
//!
//! LINEAR: each function makes one pass over the text.

pub(crate) use barelink_text::escape::{push_entity, push_escaped as push_escaped_range};
use barelink_text::find::{Destination, Stops, push_range};

/// Appends `text` with `<` `>` `&` `"` escaped, for use between tags, or as the value of an
/// attribute in double quotes. Meant for your own markup.
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

/// Appends a destination, percent-encoded and escaped for an attribute.
pub(crate) fn push_href(destination: &str, out: &mut String) {
    push_href_range(destination, 0, destination.len(), Brackets::Encode, out);
}

/// The encoding of `[` and `]` in a destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Brackets {
    Encode,
    /// They are kept: an IPv6 host needs them.
    Keep,
}

/// Appends the destination `text[start..end]`. Faster if `text` continues past `end`. Returns
/// whether the destination needed no change.
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

#[cfg(test)]
mod tests {
    use super::{push_escaped, push_href};

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
}
