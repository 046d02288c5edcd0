//! Link destinations, titles and labels (CommonMark §4.7 and §6.3): the parts that inline links,
//! reference links and definitions share.
//!
//! ```text
//! destination = "<" (not newline, "<", ">" | escape)* ">"
//!             | (not control, not space, "(" balanced ")" | escape)+
//! title       = '"' … '"' | "'" … "'" | "(" … ")"
//! label       = "[" 1*999 (not "[", not "]" | escape) "]"      not all blank
//! ```
//!
//! Each `scan_` function takes the text and an offset and returns the end of the part; contents are
//! without their delimiters, and not unescaped.
//!
//! LINEAR: a destination stops at the first space, `<` or unbalanced `)` and nests at most
//! [`MAX_PARENTHESES`] deep. A label stops at the next bracket, so no two labels read the same
//! text, or at the first special byte after [`MAX_LABEL`] bytes. A title in parentheses stops at
//! `(`. A title that never closes is read to the end of the text once for each of `"` and `'`: if
//! that failed before, no such quote is left.

use barelink_text::Span;
use barelink_text::find::{Class, Destination, Stops};
use barelink_text::set::{ASCII_PUNCTUATION, ByteSet};

use super::text::Text;

/// The maximum nesting of parentheses in a destination.
pub(crate) const MAX_PARENTHESES: usize = 32;

/// The maximum length of a label in bytes.
pub(crate) const MAX_LABEL: usize = 999;

/// The special bytes of a destination.
static ACTIVE: ByteSet = ByteSet::of(b"\\()\x7F").add_range(0, b' ');

/// The bounds of a part without its delimiters, and its end with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delimited {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The offset just after the closing delimiter.
    pub(crate) after: usize,
}

impl Delimited {
    /// The span without the delimiters.
    #[inline]
    pub(crate) fn span(self) -> Span {
        Span::new(self.start as u32, self.end as u32)
    }
}

fn is_escape(text: &[u8], at: usize) -> bool {
    text[at] == b'\\' && text.get(at + 1).is_some_and(|&next| ASCII_PUNCTUATION.contains(next))
}

pub(crate) fn scan_destination(text: &[u8], start: usize) -> Option<Delimited> {
    if text.get(start) == Some(&b'<') {
        return scan_pointy_destination(text, start);
    }
    let mut depth = 0;
    let mut at = start;
    while let Some(&byte) = text.get(at) {
        if !ACTIVE.contains(byte) {
            at += 1;
            continue;
        }
        match byte {
            b'\\' if is_escape(text, at) => at += 1,
            b'(' => {
                depth += 1;
                if depth > MAX_PARENTHESES {
                    return None;
                }
            }
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            0..=b' ' | 0x7F => break,
            _ => {}
        }
        at += 1;
    }
    (depth == 0).then_some(Delimited { start, end: at, after: at })
}

fn scan_pointy_destination(text: &[u8], start: usize) -> Option<Delimited> {
    let mut at = start + 1;
    loop {
        match *text.get(at)? {
            b'>' => return Some(Delimited { start: start + 1, end: at, after: at + 1 }),
            b'<' | b'\n' => return None,
            b'\\' if is_escape(text, at) => at += 2,
            _ => at += 1,
        }
    }
}

pub(crate) fn scan_title(text: &[u8], start: usize) -> Option<Delimited> {
    let open = *text.get(start)?;
    let close = match open {
        b'"' | b'\'' => open,
        b'(' => b')',
        _ => return None,
    };
    let mut at = start + 1;
    loop {
        match *text.get(at)? {
            byte if byte == close => {
                return Some(Delimited { start: start + 1, end: at, after: at + 1 });
            }
            b'(' if open == b'(' => return None,
            b'\\' if is_escape(text, at) => at += 2,
            _ => at += 1,
        }
    }
}

/// The label whose `[` is at `start`; `None` if it is empty or blank. `stops` is the current
/// search, whose class includes all bytes that matter in a label.
#[inline]
pub(crate) fn scan_label<C: Class>(
    text: &[u8],
    start: usize,
    mut stops: Stops<'_, C>,
) -> Option<Delimited> {
    stops.seek(start + 1);
    while let Some(at) = stops.next()
        && at <= start + 1 + MAX_LABEL
    {
        match text[at] {
            b']' => {
                let label = &text[start + 1..at];
                let is_blank = label.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\n'));
                return (!is_blank).then_some(Delimited {
                    start: start + 1,
                    end: at,
                    after: at + 1,
                });
            }
            b'[' => return None,
            b'\\' if is_escape(text, at) => stops.seek(at + 2),
            _ => {}
        }
    }
    None
}

/// Skips spaces, tabs and line endings. Inline text has no blank lines, so this skips at most one
/// line ending.
pub(crate) fn skip_whitespace(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\n')) {
        at += 1;
    }
    at
}

/// The content of the parentheses of an inline link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkTail {
    pub(crate) destination: Delimited,
    /// Whether the destination needs no unescaping and no encoding.
    pub(crate) verbatim: bool,
    pub(crate) title: Option<Delimited>,
    /// The offset just after the `)`.
    pub(crate) after: usize,
}

/// SPEC: 6.3, inline links: from the `(` at `start`.
pub(crate) fn scan_tail(text: &Text<'_>, start: usize) -> Option<LinkTail> {
    // Most are `(destination)` without special bytes.
    let mut stops = Stops::<Destination>::new(text.str.as_bytes(), start + 1, text.end);
    if let Some(end) = stops.next()
        && text.str.as_bytes()[end] == b')'
    {
        let destination = Delimited { start: start + 1, end, after: end };
        return Some(LinkTail { destination, verbatim: true, title: None, after: end + 1 });
    }
    scan_general_tail(text.bytes(), start)
}

fn scan_general_tail(text: &[u8], start: usize) -> Option<LinkTail> {
    let at = skip_whitespace(text, start + 1);
    let destination = scan_destination(text, at)?;
    let mut at = skip_whitespace(text, destination.after);
    let mut title = None;
    if at > destination.after
        && let Some(found) = scan_title(text, at)
    {
        title = Some(found);
        at = skip_whitespace(text, found.after);
    }
    let closed = text.get(at) == Some(&b')');
    closed.then_some(LinkTail { destination, verbatim: false, title, after: at + 1 })
}
