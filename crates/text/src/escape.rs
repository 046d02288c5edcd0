//! HTML escaping: `<` `>` `&` `"` become `&lt;` `&gt;` `&amp;` `&quot;`.
//!
//! LINEAR: each byte is copied or replaced once.

use alloc::string::String;

use crate::find::{Escapable, Replace, Replacements, push_replaced, push_replacement};

/// Escapes text, or the value of an attribute.
enum AsText {}

/// Escapes text, and replaces line feeds by spaces.
enum OnOneLine {}

const LT: (u8, &str) = (b'<', "&lt;");
const GT: (u8, &str) = (b'>', "&gt;");
const AMP: (u8, &str) = (b'&', "&amp;");
const QUOT: (u8, &str) = (b'"', "&quot;");

/// Escapes text, and drops carriage returns.
enum WithoutReturns {}

impl Replace for AsText {
    type Stops = Escapable<false, false>;
    const TABLE: Replacements = Replacements::new(&[LT, GT, AMP, QUOT]);
}

impl Replace for OnOneLine {
    type Stops = Escapable<true, false>;
    const TABLE: Replacements = Replacements::new(&[LT, GT, AMP, QUOT, (b'\n', " ")]);
}

impl Replace for WithoutReturns {
    type Stops = Escapable<false, true>;
    const TABLE: Replacements = Replacements::new(&[LT, GT, AMP, QUOT, (b'\r', "")]);
}

/// Appends `text[start..end]` with `<` `>` `&` `"` escaped, or nothing if the range is not a valid
/// slice. Faster if `text` continues past `end`.
///
/// ```
/// let mut out = String::new();
/// barelink_text::escape::push_escaped("if a < b { f(\"&\") }", 3, 8, &mut out);
/// assert_eq!(out, "a &lt; b");
/// ```
pub fn push_escaped(text: &str, start: usize, end: usize, out: &mut String) {
    push_replaced::<AsText>(text, start, end, out);
}

/// Like [`push_escaped`], but drops carriage returns: for code whose lines end in CRLF.
///
/// ```
/// let mut out = String::new();
/// barelink_text::escape::push_escaped_folded("a <\r\nb", 0, 6, &mut out);
/// assert_eq!(out, "a &lt;\nb");
/// ```
pub fn push_escaped_folded(text: &str, start: usize, end: usize, out: &mut String) {
    push_replaced::<WithoutReturns>(text, start, end, out);
}

/// Like [`push_escaped`], but replaces line feeds by spaces: for the text of a code span.
///
/// ```
/// let mut out = String::new();
/// barelink_text::escape::push_escaped_line("a <\nb", 0, 5, &mut out);
/// assert_eq!(out, "a &lt; b");
/// ```
pub fn push_escaped_line(text: &str, start: usize, end: usize, out: &mut String) {
    push_replaced::<OnOneLine>(text, start, end, out);
}

/// Appends the entity for `<` `>` `&` or `"`.
///
/// ```
/// let mut out = String::new();
/// barelink_text::escape::push_entity(b'<', &mut out);
/// assert_eq!(out, "&lt;");
/// ```
#[inline]
pub fn push_entity(byte: u8, out: &mut String) {
    push_replacement::<AsText>(byte, out);
}

#[cfg(test)]
mod tests {
    use super::{String, push_entity, push_escaped, push_escaped_line};

    #[test]
    fn all_four_are_escaped_and_line_feeds_on_a_line() {
        let text = "é<a b=\"c\">\n&d;";
        let escaped = "é&lt;a b=&quot;c&quot;&gt;\n&amp;d;";
        let mut out = String::new();
        push_escaped(text, 0, text.len(), &mut out);
        assert_eq!(out, escaped);
        out.clear();
        push_escaped_line(text, 0, text.len(), &mut out);
        assert_eq!(out, escaped.replace('\n', " "));
    }

    #[test]
    fn every_entity_is_its_own() {
        let mut out = String::new();
        for byte in *b"<>&\"" {
            push_entity(byte, &mut out);
        }
        assert_eq!(out, "&lt;&gt;&amp;&quot;");
    }
}
