//! Raw HTML in text (CommonMark §6.6).
//!
//! ```text
//! tag         = see `syntax::tag`
//! comment     = "<!-->" | "<!--->" | "<!--" … "-->"
//! instruction = "<?" … "?>"
//! declaration = "<!" letter … ">"
//! CDATA       = "<![CDATA[" … "]]>"
//! ```
//!
//! LINEAR: a tag is read once, see there. For the other four, a search for the end that fails is
//! recorded in [`HtmlHorizons`] and not repeated.

use memchr::memmem;

use crate::syntax::tag::scan_tag;

/// Which closers are known not to occur in the rest of the text.
#[derive(Debug, Default, Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // One for each construct.
pub(crate) struct HtmlHorizons {
    comment: bool,
    instruction: bool,
    declaration: bool,
    cdata: bool,
}

/// The end of the first `needle` in `text` from `from` on.
fn find_end(text: &[u8], from: usize, needle: &str, exhausted: &mut bool) -> Option<usize> {
    if *exhausted {
        return None;
    }
    let found = memmem::find(text.get(from..)?, needle.as_bytes());
    *exhausted = found.is_none();
    found.map(|at| from + at + needle.len())
}

impl HtmlHorizons {
    /// The end of the raw HTML that starts with the `<` at `at`.
    pub(crate) fn scan(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let rest = text.get(at + 1..)?;
        match rest {
            [b'!', b'-', b'-', b'>', ..] => Some(at + 5),
            [b'!', b'-', b'-', b'-', b'>', ..] => Some(at + 6),
            [b'!', b'-', b'-', ..] => find_end(text, at + 4, "-->", &mut self.comment),
            [b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] => {
                find_end(text, at + 9, "]]>", &mut self.cdata)
            }
            [b'!', letter, ..] if letter.is_ascii_alphabetic() => {
                find_end(text, at + 3, ">", &mut self.declaration)
            }
            [b'?', ..] => find_end(text, at + 2, "?>", &mut self.instruction),
            _ => scan_tag(text, at),
        }
    }
}
