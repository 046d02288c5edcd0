//! Writes what came since the last update, and compares it with what was shown.

use std::ops::Range;

use super::Stream;
use super::changes::{Change, Shown, common_prefix};
use super::update::{BlockId, BlockKind, BlockState, Pending};
use crate::block::live::{Ending, OpenLeaf};
use crate::block::tape::{Kind, Tape};
use crate::document::Parsed;
use barelink_text::Span;

/// The end of the top-level block whose records start at `first`.
fn end_of_block(tape: &Tape, first: usize) -> usize {
    let mut depth = 0;
    let mut idx = first;
    while let Some(block) = tape.blocks.get(idx) {
        let is_part =
            matches!(block.kind, Kind::Info | Kind::Content | Kind::Row | Kind::Cell | Kind::Exit);
        if depth == 0 && idx > first && !is_part {
            break;
        }
        match block.kind {
            Kind::BlockQuote | Kind::List | Kind::Item | Kind::FootnoteDefinition => depth += 1,
            Kind::Exit => depth -= 1,
            _ => {}
        }
        idx += 1;
    }
    idx
}

/// What a top-level block with this first record is to those who show it; `None` if it is
/// not shown.
fn kind_of(kind: Kind) -> Option<BlockKind> {
    Some(match kind {
        Kind::Paragraph => BlockKind::Paragraph,
        Kind::Heading => BlockKind::Heading,
        Kind::CodeBlock => BlockKind::Code,
        Kind::HtmlBlock => BlockKind::Html,
        Kind::ThematicBreak => BlockKind::ThematicBreak,
        Kind::BlockQuote => BlockKind::Quote,
        Kind::List => BlockKind::List,
        Kind::Table => BlockKind::Table,
        // Its content is part of the section.
        Kind::FootnoteDefinition => BlockKind::Notes,
        _ => return None,
    })
}

impl From<OpenLeaf> for Pending {
    fn from(leaf: OpenLeaf) -> Self {
        match leaf {
            OpenLeaf::Line => Self::Line,
            OpenLeaf::Paragraph => Self::Paragraph,
            OpenLeaf::Code => Self::Code,
            OpenLeaf::Html => Self::Html,
            OpenLeaf::Table => Self::Table,
        }
    }
}

impl Stream {
    /// Writes the blocks that were not settled. Those with records before `n_records` are now.
    pub(super) fn write_blocks(&mut self, n_records: usize) {
        let mut html = std::mem::take(&mut self.out);
        html.clear();
        let mut before = std::mem::take(&mut self.open);
        let before_html = std::mem::take(&mut self.open_html);
        // What was shown and is still to be compared.
        let mut old = before.iter().peekable();
        let mut old_start = 0;
        let mut at = self.lengths.total();
        let mut first = self.n_records;
        let mut is_marked = false;
        let n_tape = self.parsed.tape.blocks.len();
        while first < n_tape {
            let is_settled = first < n_records;
            let end = end_of_block(&self.parsed.tape, first);
            let Some(mut shown) = self.shown(first..end) else {
                first = end;
                continue;
            };
            if !is_settled {
                if !std::mem::replace(&mut is_marked, true) {
                    self.mark(n_records);
                }
                shown.state = if end == n_tape { BlockState::Open } else { BlockState::Closed };
                if end == n_tape {
                    shown.pending = self.live.open_leaf().map(Pending::from);
                }
            }
            let start = html.len();
            self.write(first..end, &mut html);
            shown.len = html.len() - start;
            while let Some(gone) = old.next_if(|old| old.id < shown.id) {
                self.changes.blocks.push(gone.gone(at));
                old_start += gone.len;
            }
            let same = old.next_if(|old| old.id == shown.id);
            let shown_before = same.map(|same| {
                let html = &before_html[old_start..old_start + same.len];
                old_start += same.len;
                (same, html)
            });
            self.compare(shown_before, &shown, &html[start..], at);
            at += shown.len;
            if is_settled {
                self.settle(shown, &html);
                html.clear();
            } else {
                self.scratch.html.take_asked();
                self.scratch.inlines.forget_missed();
                self.open.push(shown);
            }
            first = end;
        }
        if !is_marked {
            self.mark(n_records);
        }
        for gone in old {
            self.changes.blocks.push(gone.gone(at));
        }
        before.clear();
        self.open_html = html;
        self.out = before_html;
    }

    /// What follows is written tentatively.
    fn mark(&mut self, n_records: usize) {
        self.n_records = n_records;
        self.n_expanded = self.scratch.inlines.n_expanded;
        self.scratch.html.mark();
    }

    /// A block that is being written; `None` if it is never shown.
    fn shown(&self, records: Range<usize>) -> Option<Shown> {
        let block = &self.parsed.tape.blocks[records.start];
        Some(Shown {
            id: BlockId(block.start),
            kind: kind_of(block.kind)?,
            end: block.end,
            first: records.start as u32,
            after: records.end as u32,
            len: 0,
            state: BlockState::Settled,
            pending: None,
        })
    }

    /// Appends the HTML of a top-level block.
    pub(super) fn write(&mut self, records: Range<usize>, html: &mut String) {
        let Parsed { options, tape, .. } = &self.parsed;
        self.scratch.writer(&self.source, options, tape).push_top(records, html);
    }

    /// Adds a change if the block is not as it was shown before.
    fn compare(&mut self, before: Option<(&Shown, &str)>, shown: &Shown, html: &str, at: usize) {
        let (was, old) = before.map_or((None, ""), |(was, html)| (Some(was), html));
        let keep = common_prefix(old, html);
        let is_same = keep == old.len() && keep == html.len();
        let is_known = was.is_some_and(|was| {
            (was.kind, was.state, was.pending) == (shown.kind, shown.state, shown.pending)
        });
        if is_same && (is_known || html.is_empty()) {
            return;
        }
        let change = Change {
            id: shown.id,
            kind: shown.kind,
            span: shown.span(),
            keep,
            html: self.changes.push_html(&html[keep..]),
            state: shown.state,
            pending: shown.pending,
            at,
            len_before: old.len(),
        };
        self.changes.blocks.push(change);
    }

    /// The block that was just written does not change any more.
    fn settle(&mut self, shown: Shown, html: &str) {
        let idx = self.settled.len() as u32;
        let asked = self.scratch.html.take_asked();
        self.revisions.note((idx, html), asked, &mut self.scratch.inlines);
        self.lengths.push(shown.len);
        self.settled.push(shown);
    }

    /// Writes the section with the footnotes.
    pub(super) fn write_section(&mut self, ending: Ending) {
        if self.section.is_empty() && !self.scratch.html.has_notes() {
            return;
        }
        let mut html = std::mem::take(&mut self.out);
        html.clear();
        let Parsed { options, tape, .. } = &self.parsed;
        self.scratch.writer(&self.source, options, tape).push_notes(&mut html);
        let is_final = ending == Ending::Final;
        let state = if is_final { BlockState::Settled } else { BlockState::Open };
        let keep = common_prefix(&self.section, &html);
        if keep < self.section.len() || keep < html.len() || is_final {
            let len = self.source.len() as u32;
            let change = Change {
                id: BlockId::NOTES,
                kind: BlockKind::Notes,
                span: Span::new(len, len),
                keep,
                html: self.changes.push_html(&html[keep..]),
                state,
                pending: None,
                at: self.lengths.total() + self.open_html.len(),
                len_before: self.section.len(),
            };
            self.changes.blocks.push(change);
        }
        self.out = std::mem::replace(&mut self.section, html);
    }
}
