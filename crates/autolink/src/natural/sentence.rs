//! What of the sentence around a link is still open where the link starts:
//! parentheses and double quotes, whose closers are the sentence's.
//!
//! Principle 3. In `(see http://a.bc/x)y` the `)` ends the link; in
//! `http://a.bc/?q=(x))+y`, an example of GFM, nothing is open before the link
//! and it does not. Likewise with `"`. A quote right before the link counts
//! whatever its kind.
//!
//! LINEAR: counted when asked, and never twice: the count goes on from where it
//! ended for an earlier link of the paragraph.

use barelink_text::chars::prev_char;
use memchr::{memchr3_iter, memrchr_iter};

use crate::context::Context;
use crate::verdict::Report;

/// Open parentheses and quotes, counted up to some place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sentence {
    counted: usize,
    n_open: usize,
    is_quoted: bool,
}

impl Sentence {
    /// Nothing is open at `start`.
    pub(crate) const fn at(start: usize) -> Self {
        Self { counted: start, n_open: 0, is_quoted: false }
    }

    /// Counts on up to `at`, from where the last count ended or the paragraph
    /// starts: a blank line closes all.
    fn count_to(&mut self, text: &[u8], at: usize, report: &mut impl Report) {
        let Some(rest) = text.get(self.counted..at) else { return };
        report.examined(rest.len());
        let rest = match find_paragraph(rest) {
            Some(start) => {
                *self = Self::at(at);
                &rest[start..]
            }
            None => rest,
        };
        self.counted = at;
        for offset in memchr3_iter(b'(', b')', b'"', rest) {
            match rest[offset] {
                b'(' => self.n_open += 1,
                b')' => self.n_open = self.n_open.saturating_sub(1),
                _ => self.is_quoted = !self.is_quoted,
            }
        }
    }
}

/// Where the last paragraph of `text` starts, if it has more than one.
fn find_paragraph(text: &[u8]) -> Option<usize> {
    let mut line_end = None;
    for offset in memrchr_iter(b'\n', text) {
        let line = line_end.map(|line_end| &text[offset + 1..line_end]);
        if line.is_some_and(|line| line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))) {
            return line_end;
        }
        line_end = Some(offset);
    }
    None
}

/// Whether a `(` is open before the link at `start`.
pub(super) fn has_parenthesis(
    text: &[u8],
    start: usize,
    context: &mut Context,
    report: &mut impl Report,
) -> bool {
    context.memory.sentence.count_to(text, start, report);
    context.memory.sentence.n_open > 0
}

/// Whether a `"` is open before the link at `start`.
pub(super) fn has_quote(
    text: &[u8],
    start: usize,
    context: &mut Context,
    report: &mut impl Report,
) -> bool {
    context.memory.sentence.count_to(text, start, report);
    context.memory.sentence.is_quoted
}

/// What closes the single quote right before the link at `start`, if one stands
/// there.
pub(super) fn single_quote(text: &[u8], start: usize, context: &Context) -> Option<char> {
    match prev_char(text, start).filter(|_| start > context.start)? {
        '\'' => Some('\''),
        '‘' | '‚' => Some('’'),
        _ => None,
    }
}
