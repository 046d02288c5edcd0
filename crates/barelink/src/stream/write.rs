//! Writes the blocks that are not settled yet, and compares them with what was shown.

use std::ops::Range;

use super::Stream;
use super::changes::{Changes, Shown};
use super::page::{Old, Page, WrittenBlock};
use super::partial::{IsOpen, Partial};
use super::revise::Revisions;
use super::update::{BlockState, Pending};
use crate::block::frontier::Frontier;
use crate::block::live::Unfinished;
use crate::html::Writer;
use crate::html::part::LastCode;
use crate::memory::reserve_sparingly;
use crate::parsed::Parsed;
use crate::tape::{Block, Record, Role, Tape};

/// A walk from the first record of a top-level block to its end.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct TopWalk {
    first: usize,
    /// The next record.
    at: usize,
    /// The number of containers that are open there.
    depth: usize,
}

impl TopWalk {
    fn new(first: usize) -> Self {
        Self { first, at: first, depth: 0 }
    }

    /// Advances to the end of the block, but not past record `end`.
    fn go_on(&mut self, tape: &Tape, end: usize) {
        while let Some(record) = tape.records[..end].get(self.at) {
            let is_first = self.at == self.first;
            match record.block.role() {
                Role::Enter | Role::Text(_) | Role::Leaf if self.depth == 0 && !is_first => return,
                Role::Enter => self.depth += 1,
                Role::Exit(n) => self.depth -= usize::from(n),
                Role::Text(_) | Role::Leaf | Role::PartText(_) | Role::Part => {}
            }
            self.at += 1;
        }
    }

    /// The end of the top-level block whose records start at `first`. Records before `n_final` are
    /// final.
    ///
    /// LINEAR: its final records are visited once, however often the block is written.
    fn end_of_block(&mut self, first: usize, n_final: usize, tape: &Tape) -> usize {
        if tape.records[first].block.role() != Role::Enter {
            let is_part =
                |record: &&Record| matches!(record.block.role(), Role::Part | Role::PartText(_));
            return first + 1 + tape.records[first + 1..].iter().take_while(is_part).count();
        }
        let n_final = n_final.min(tape.records.len());
        let mut walk = Self::new(first);
        // A block that exists only because of the unfinished line is short, and may disappear.
        if first < n_final {
            if self.first != first || self.at > n_final {
                *self = walk;
            }
            self.go_on(tape, n_final);
            walk = *self;
        }
        walk.go_on(tape, tape.records.len());
        walk.at
    }
}

impl From<Unfinished> for Pending {
    fn from(leaf: Unfinished) -> Self {
        match leaf {
            Unfinished::Line => Self::Line,
            Unfinished::Paragraph => Self::Paragraph,
            Unfinished::Code => Self::Code,
            Unfinished::Html => Self::Html,
            Unfinished::Table => Self::Table,
        }
    }
}

/// Blocks that are being written.
pub(super) struct Blocks<'w> {
    pub(super) writer: Writer<'w>,
    pub(super) partial: &'w mut Partial,
    pub(super) frontier: &'w Frontier,
    pub(super) revisions: &'w mut Revisions,
    /// The string that they are appended to.
    pub(super) out: &'w mut String,
    /// The number of settled blocks.
    pub(super) n_settled: usize,
    /// What definitions have added to those, once tentative writing has begun.
    pub(super) marked: Option<usize>,
    /// The number of bytes after the text at the end of the last block, if that text may continue.
    pub(super) n_after: Option<usize>,
}

impl Blocks<'_> {
    /// Begins tentative writing.
    pub(super) fn mark(&mut self) {
        if self.marked.is_none() {
            self.marked = Some(self.writer.inlines.n_expanded);
            self.writer.state.mark();
        }
    }

    /// Appends a block of which nothing is final.
    fn push_whole(&mut self, records: Range<usize>) -> WrittenBlock {
        let start = self.out.len();
        self.writer.push_top(records, self.out);
        WrittenBlock { kept: 0, start }
    }

    /// Appends a block that exists only because of the last line.
    fn push_open(&mut self, records: Range<usize>) -> WrittenBlock {
        self.mark();
        self.writer.state.code = LastCode::Unknown;
        self.writer.state.is_closed = false;
        let tape = self.writer.tape;
        let is_last = records.start + 1 == tape.records.len();
        let is_paragraph = matches!(tape.records[records.start].block, Block::Paragraph(_));
        self.n_after = (is_last && is_paragraph).then_some("</p>\n".len());
        self.push_whole(records)
    }

    /// Settles the block that was just written; `old` is its HTML as shown before.
    pub(super) fn settle(&mut self, written: WrittenBlock, old: &str) {
        let idx = self.n_settled as u32;
        self.n_settled += 1;
        if self.writer.inlines.has_missed() {
            self.revisions.note_missed(idx, self.writer.inlines);
        }
        if self.writer.state.has_asked() {
            let asked = self.writer.state.take_asked();
            let html = [&old[..written.kept], &self.out[written.start..]];
            self.revisions.note_asked(idx, &html.concat(), asked);
        }
    }

    /// Forgets what a block needed that may change: it will be written again.
    pub(super) fn forget_asked(&mut self) {
        if self.writer.state.has_asked() {
            self.writer.state.take_asked();
        }
        if self.writer.inlines.has_missed() {
            self.writer.inlines.forget_missed();
        }
    }
}

impl Stream {
    /// Writes the blocks that were not settled, and settles those with records before `n_records`.
    pub(super) fn write_blocks(&mut self, n_records: usize) {
        let Self { source, parsed: Parsed { options, tape, .. }, settings, scratch, .. } = self;
        let Self { page, changes, partial, frontier, revisions, walk, live, .. } = self;
        let Page { settled, lengths, open, html: shown_html, before } = page;
        let Changes { blocks: told, html: out, .. } = changes;
        std::mem::swap(before, open);
        open.clear();
        let mut old = Old::new(before, shown_html);
        let mut blocks = Blocks {
            writer: scratch.writer_with(*settings, source.len(), source, (options, tape)),
            partial,
            frontier,
            revisions,
            out,
            n_settled: settled.len(),
            marked: None,
            n_after: None,
        };
        let mut at = lengths.total();
        let mut next = self.n_records;
        while next < n_records {
            let first = next;
            next = walk.end_of_block(first, frontier.record, tape);
            let Some(mut shown) = Shown::new(tape, first..next) else { continue };
            let was = old.take(shown.id, at, told);
            let old_html = was.map_or("", |(_, html)| html);
            let written = if blocks.partial.is_about(first) {
                blocks.push_part(first..next, IsOpen::No, old_html)
            } else {
                blocks.push_whole(first..next)
            };
            shown.len = written.kept + blocks.out.len() - written.start;
            written.tell(was, &shown, (at, blocks.out), told);
            blocks.settle(written, old_html);
            lengths.push(shown.len);
            settled.push(shown);
            at += shown.len;
        }
        let mut has_part = false;
        // How much of the shown HTML of the open blocks stays, and the start of what replaces the
        // rest.
        let (mut n_same, mut new) = (0, blocks.out.len());
        let n_tape = tape.records.len();
        while next < n_tape {
            let first = next;
            next = walk.end_of_block(first, frontier.record, tape);
            let Some(mut shown) = Shown::new(tape, first..next) else { continue };
            let was = old.take(shown.id, at, told);
            let written = if first == n_records {
                has_part = true;
                blocks.push_part(first..next, IsOpen::Yes, was.map_or("", |(_, html)| html))
            } else {
                blocks.push_open(first..next)
            };
            shown.state = BlockState::Closed;
            if next == n_tape {
                shown.state = BlockState::Open;
                shown.pending = live.open_leaf().map(Pending::from);
            }
            shown.len = written.kept + blocks.out.len() - written.start;
            let same = written.tell(was, &shown, (at, blocks.out), told);
            if before.first().is_some_and(|first| first.id == shown.id) {
                (n_same, new) = (written.kept + same, written.start + same);
            }
            blocks.forget_asked();
            open.push(shown);
            at += shown.len;
        }
        blocks.mark();
        told.extend(old.rest().iter().map(|gone| gone.gone(at)));
        if !has_part {
            blocks.partial.forget();
        }
        self.n_records = n_records;
        self.n_expanded = blocks.marked.unwrap_or_default();
        self.n_after = blocks.n_after;
        shown_html.truncate(n_same);
        reserve_sparingly(changes.html.len() - new, shown_html);
        shown_html.push_str(&changes.html[new..]);
    }

    /// Appends the HTML of a top-level block.
    pub(super) fn write(&mut self, records: Range<usize>, html: &mut String) {
        let Parsed { options, tape, .. } = &self.parsed;
        let end = tape.records[records.start].end as usize;
        self.scratch.writer_to(end, &self.source, options, tape).push_top(records, html);
    }
}
