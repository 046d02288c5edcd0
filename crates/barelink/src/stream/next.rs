//! The fast path of an update from one leaf to the next: the new source ends the open paragraph
//! with a blank line, the open heading with its line, or the open code with its fence, and
//! continues with a paragraph of words, or with nothing.
//!
//! ```text
//! some wo         so far
//! rds.⏎⏎More te   the new source: the rest of the text, a blank line, the next paragraph
//! ```
//!
//! If the end of the paragraph is more than words, its text is read again from the last neutral
//! place on (see `inline::neutral`).
//!
//! After any of these, a line that starts with a letter can only start a paragraph, if no container
//! is open. If something else follows, it is left to the block phase, which finds the previous leaf
//! settled.
//!
//! As in `append`, debug builds repeat the update without the fast path.

use super::Stream;
use super::changes::{BlockChange, Changes, Shown};
use super::found::Findings;
use super::growing::{Growing, GrowingKind, Grown};
use super::page::Page;
use super::partial::IsOpen;
use super::update::BlockState;
use super::write::Blocks;
use crate::block::live::{Ending, TextKind};
use crate::options::Options;
use crate::parsed::Parsed;

/// The end of a leaf.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeafEnd {
    /// The end of its text.
    text: usize,
    /// The end of its last line, at a line feed.
    line: usize,
}

impl LeafEnd {
    /// The end of a paragraph whose last line ends at `line`, without white space.
    pub(super) fn at_line(line: usize) -> Self {
        Self { text: line, line }
    }
}

impl Stream {
    /// The end of the open leaf, if the findings end it.
    #[inline]
    pub(super) fn leaf_end(&self, growing: &Growing, found: &Findings) -> Option<LeafEnd> {
        match growing.kind {
            GrowingKind::Paragraph => found.blank.map(LeafEnd::at_line),
            GrowingKind::Heading => {
                let line = found.line_end?;
                let bytes = &self.source.as_bytes()[..line];
                let last = bytes.iter().rposition(|byte| !matches!(byte, b' ' | b'\t'))?;
                Some(LeafEnd { text: last + 1, line })
            }
            GrowingKind::Code(_) => self.code_end(found.fence?),
            GrowingKind::Cell | GrowingKind::Html => None,
        }
    }

    /// The end of the open code, if the line at `start` is its closing fence.
    fn code_end(&self, start: usize) -> Option<LeafEnd> {
        let TextKind::Code(fence) = self.live.open_text()?.kind else { return None };
        let rest = &self.source.as_bytes()[start..];
        let len = memchr::memchr(b'\n', rest)?;
        let text = start.checked_sub(1)?;
        fence.is_closed_by(&rest[..len]).then_some(LeafEnd { text, line: start + len })
    }

    /// Ends the open leaf at `end`, and continues after it. Its text continues as `found` says, or
    /// has to be read again. False if it may be something else: then nothing was done.
    pub(super) fn append_next(&mut self, end: LeafEnd, found: Option<&Findings>) -> bool {
        let Grown::Text(growing) = self.growing else { return false };
        let [shown] = self.page.open.as_slice() else { return false };
        let options = &self.parsed.options;
        // An undefined label has to be recorded, which only the general path does.
        let found = found.filter(|_| growing.words.has_parentheses);
        let is_off = found.is_none() && growing.kind != GrowingKind::Paragraph
            || growing.in_tag
            || options.definition_lists
            || found.is_none() && self.may_refer(end.text)
            || growing.record + 1 != self.parsed.tape.records.len()
            || !self.partial.can_end(shown.first as usize)
            || self.may_miss(found) && may_define(&self.source.as_bytes()[end.line..]);
        if is_off {
            return false;
        }
        self.changes.clear();
        match found {
            Some(found) => self.end_leaf(growing, end, found),
            None => self.end_paragraph(growing.record, end.text),
        }
        let next = self.pass_leaf(end.line);
        if !self.begin_leaves(next) {
            // The general path continues from there.
            self.refresh_rest(Ending::Tentative);
            return true;
        }
        #[cfg(debug_assertions)]
        self.compare_append();
        true
    }

    /// Whether the open leaf, if it continues with `found`, has undefined labels.
    fn may_miss(&self, found: Option<&Findings>) -> bool {
        found.is_none() || self.revisions.last_missed() == Some(self.page.settled.len() as u32)
    }

    /// Whether the open paragraph, which ends at `end`, may have a footnote reference in the text
    /// that would be read again: then the section would have to be written.
    pub(super) fn may_refer(&self, end: usize) -> bool {
        let from = self
            .partial
            .text_at()
            .unwrap_or_else(|| self.page.open.last().map_or(0, |shown| shown.id.get()));
        may_refer(self.source.get(from as usize..end), &self.parsed.options)
    }

    /// Begins the next leaf, if all blocks are settled.
    #[inline(never)]
    pub(super) fn append_first(&mut self) {
        let from = self.live.n_shown();
        let n_blank =
            self.source.as_bytes()[from..].iter().take_while(|byte| **byte == b'\n').count();
        self.changes.clear();
        if n_blank > 0 {
            self.live.pass_blank(from + n_blank);
        }
        if !self.begin_leaves(from + n_blank) {
            return self.refresh_rest(Ending::Tentative);
        }
        #[cfg(debug_assertions)]
        self.compare_append();
    }

    /// Ends the open leaf, and settles it.
    fn end_leaf(&mut self, growing: Growing, end: LeafEnd, found: &Findings) {
        let from = self.live.n_shown();
        let records = &mut self.parsed.tape.records;
        let was = records[growing.record].end as usize;
        let text_end = end.text.max(was);
        records[growing.record].end = text_end as u32;
        let Some(shown) = self.page.open.first_mut() else { return };
        if growing.kind != GrowingKind::Paragraph {
            records[shown.first as usize].end = end.line as u32;
        }
        shown.end = records[shown.first as usize].end;
        (shown.state, shown.pending) = (BlockState::Settled, None);
        if text_end == was {
            let at = self.page.lengths.total();
            self.changes.blocks.push(BlockChange { keep: shown.len, ..shown.gone(at) });
        }
        self.show(was..text_end, from, found);
        self.settle_leaf(self.page.open[0]);
    }

    /// Ends the open paragraph at `end`, reads its text again, and settles it.
    #[inline(never)]
    pub(super) fn end_paragraph(&mut self, record: usize, end: usize) {
        let Some(&was) = self.page.open.first() else { return };
        let Self { source, parsed: Parsed { options, tape, .. }, scratch, .. } = self;
        tape.records[record].end = end as u32;
        scratch.html.take_back();
        scratch.inlines.n_expanded = self.n_expanded;
        let Page { html, lengths, settled, .. } = &mut self.page;
        let Changes { blocks: told, html: out, .. } = &mut self.changes;
        let mut blocks = Blocks {
            writer: scratch.writer_with(self.settings, end, source, (options, tape)),
            partial: &mut self.partial,
            frontier: &self.frontier,
            revisions: &mut self.revisions,
            out,
            n_settled: settled.len(),
            marked: None,
            n_after: None,
        };
        let written = blocks.push_part(record..record + 1, IsOpen::No, html);
        let len = written.kept + blocks.out.len() - written.start;
        let (state, pending) = (BlockState::Settled, None);
        let shown = Shown { end: end as u32, len, state, pending, ..was };
        written.tell(Some((&was, html)), &shown, (lengths.total(), blocks.out), told);
        blocks.settle(written, html);
        blocks.mark();
        self.n_expanded = blocks.marked.unwrap_or_default();
        self.settle_leaf(shown);
    }

    /// Settles the only open block.
    pub(super) fn settle_leaf(&mut self, shown: Shown) {
        self.page.lengths.push(shown.len);
        self.page.settled.push(shown);
        self.page.open.clear();
        self.page.html.clear();
        self.partial.forget();
        self.n_records = self.parsed.tape.records.len();
        self.frontier.start(self.n_records);
        self.n_after = None;
        self.growing = Grown::Not;
    }
}

/// Whether a text may have a footnote reference.
pub(super) fn may_refer(text: Option<&str>, options: &Options) -> bool {
    options.footnotes && text.is_none_or(|text| text.contains("[^"))
}

/// Whether the new source may contain a definition: that would have to revise the paragraph before
/// it, which is not yet in the index.
pub(super) fn may_define(piece: &[u8]) -> bool {
    memchr::memchr_iter(b']', piece).any(|at| piece.get(at + 1) == Some(&b':'))
}
