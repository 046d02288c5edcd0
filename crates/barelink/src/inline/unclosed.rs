//! What is open at the end of a text whose marks were collected: delimiter runs that could still be
//! closed, and an unclosed run of backticks. This is used to display a document that is still being
//! written; marks do not depend on it.
//!
//! LINEAR: one pass over the marks, and over the text after `floor`.

use std::ops::Range;

use super::delimiter::Delimiter;
use super::mark::{MarkKind, MarkRole};
use super::{Context, Inlines};
use crate::syntax::text::Text;

/// A delimiter run, or the rest of one, that a run at the end of the text could close.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenRun {
    pub(crate) start: usize,
    pub(crate) delimiter: Delimiter,
    pub(crate) len: usize,
}

impl Inlines {
    /// The runs from `floor` on that could still be closed, in order.
    pub(crate) fn open_runs(
        &self,
        text: &Text<'_>,
        context: &Context<'_>,
        floor: usize,
    ) -> Vec<OpenRun> {
        let bytes = text.bytes();
        let mut runs = Vec::new();
        let mut idx = 0;
        // Earlier marks are used, or inside of something closed.
        let mut from = floor;
        while let Some(mark) = self.marks.get(idx) {
            idx += 1;
            if let MarkRole::Open(close) | MarkRole::LinkOpen(close) = mark.kind.role() {
                idx = close.get() + 1;
                from = from.max(self.marks[close.get()].end as usize);
                continue;
            }
            match mark.kind {
                MarkKind::Unused if mark.start as usize >= from => {
                    let start = mark.start as usize;
                    let Some(delimiter) = Delimiter::of(bytes[start]) else { continue };
                    let is_left = |idx: usize, at: usize| {
                        self.marks.get(idx).is_some_and(|mark| {
                            mark.kind == MarkKind::Unused
                                && mark.start as usize == at
                                && bytes[at] == delimiter.byte()
                        })
                    };
                    let mut end = start + 1;
                    while is_left(idx, end) {
                        (idx, end) = (idx + 1, end + 1);
                    }
                    from = end;
                    let (first, last) = whole_run(text, start..end);
                    if super::emphasis::flanking(text, first, last, delimiter, context).can_open {
                        runs.push(OpenRun { start, delimiter, len: end - start });
                    }
                }
                MarkKind::LoneQuote { can_open: true, .. } if mark.start as usize >= from => {
                    let start = mark.start as usize;
                    let Some(delimiter) = Delimiter::of(bytes[start]) else { continue };
                    runs.push(OpenRun { start, delimiter, len: 1 });
                }
                _ => {}
            }
        }
        runs
    }

    /// The first run of backticks from `floor` on that is text.
    pub(crate) fn open_backticks(&self, text: &Text<'_>, floor: usize) -> Option<Range<usize>> {
        let bytes = text.bytes();
        let mut from = floor.max(text.start);
        for mark in &self.marks {
            if mark.kind == MarkKind::Unused {
                continue;
            }
            let gap = from..(mark.start as usize).max(from);
            if let Some(at) = memchr::memchr(b'`', &bytes[gap.clone()]) {
                let start = gap.start + at;
                let len = bytes[start..].iter().take_while(|byte| **byte == b'`').count();
                return Some(start..start + len);
            }
            // The character that a backslash escapes is text.
            let n_escaped = usize::from(mark.kind == MarkKind::Backslash);
            from = from.max(mark.end as usize + n_escaped);
        }
        None
    }

    /// Whether the text from `start` on consists only of closing parts: of code spans, of emphasis,
    /// of links and images.
    pub(crate) fn is_all_ends(&self, text: &Text<'_>, start: usize) -> bool {
        let mut covered = start;
        for mark in &self.marks {
            let role = mark.kind.role();
            let is_end = matches!(role, MarkRole::Close | MarkRole::LinkClose | MarkRole::Closed);
            if is_end && mark.start as usize <= covered {
                covered = covered.max(mark.end as usize);
            }
        }
        covered == text.end
    }

    /// Whether the delimiter run from `start` to the end of the text closes all that it can: the
    /// runs that it closes are entirely consumed.
    pub(crate) fn is_closed_by(&self, text: &Text<'_>, start: usize) -> bool {
        let bytes = text.bytes();
        let opener_is_used = |open: usize| {
            let at = self.marks[open].start as usize;
            at == text.start || bytes[at - 1] != bytes[start]
        };
        let mut ends = self.marks.iter().filter(|mark| mark.start as usize >= start);
        self.is_all_ends(text, start)
            && ends.all(|mark| match mark.kind {
                MarkKind::Close { open, .. } => opener_is_used(open.get()),
                _ => true,
            })
    }
}

/// The whole run that contains `part`. (An escaped byte before it would be included; but the
/// backslash before that has the same effect on flanking.)
fn whole_run(text: &Text<'_>, part: Range<usize>) -> (usize, usize) {
    let bytes = text.bytes();
    let byte = bytes[part.start];
    let n_before = bytes[text.start..part.start].iter().rev().take_while(|it| **it == byte);
    let n_after = bytes[part.end..].iter().take_while(|it| **it == byte);
    (part.start - n_before.count(), part.end + n_after.count())
}
