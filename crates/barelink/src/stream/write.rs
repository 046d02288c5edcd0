//! Writes what came since the last update, and compares it with what was shown.

use std::ops::Range;

use super::Stream;
use super::changes::{Change, Shown, common_prefix};
use super::partial::{IsOpen, Stale};
use super::update::{BlockId, BlockKind, BlockState, Pending};
use crate::block::live::{Ending, Unfinished};
use crate::html::part::LastCode;
use crate::parsed::Parsed;
use crate::tape::{Block, Role, Tape};
use barelink_text::Span;

/// The way from the first record of a top-level block to its end.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Walk {
    first: usize,
    /// The next record.
    at: usize,
    /// The containers that are open there.
    depth: usize,
}

impl Walk {
    fn new(first: usize) -> Self {
        Self { first, at: first, depth: 0 }
    }

    /// Goes on to the end of the block, but not beyond record `end`.
    fn go_on(&mut self, tape: &Tape, end: usize) {
        while let Some(record) = tape.records[..end].get(self.at) {
            let is_first = self.at == self.first;
            match record.block.role() {
                Role::Enter | Role::Text(_) | Role::Leaf if self.depth == 0 && !is_first => return,
                Role::Enter => self.depth += 1,
                Role::Exit => self.depth -= 1,
                Role::Text(_) | Role::Leaf | Role::PartText(_) | Role::Part => {}
            }
            self.at += 1;
        }
    }
}

/// What a top-level block with this first record is to those who show it; `None` if it is
/// not shown.
fn kind_of(block: Block) -> Option<BlockKind> {
    Some(match block {
        Block::Paragraph(_) => BlockKind::Paragraph,
        Block::Heading { .. } => BlockKind::Heading,
        Block::Code { .. } => BlockKind::Code,
        Block::Html(_) => BlockKind::Html,
        Block::ThematicBreak => BlockKind::ThematicBreak,
        Block::Quote { .. } => BlockKind::Quote,
        Block::List { .. } => BlockKind::List,
        Block::DefinitionList { .. } => BlockKind::DefinitionList,
        Block::Table { .. } => BlockKind::Table,
        // Its content is part of the section.
        Block::FootnoteDefinition { .. } => BlockKind::Notes,
        Block::Definition { .. }
        | Block::FrontMatter(_)
        // No block starts with these.
        | Block::Item { .. }
        | Block::Term(_)
        | Block::Details
        | Block::Exit { .. }
        | Block::Row { .. }
        | Block::Cell(_)
        | Block::HeadingText(_)
        | Block::HeadingAttributes
        | Block::Info
        | Block::CodeText(_) => return None,
    })
}

/// The blocks that were shown, to be compared in order.
struct Old<'o> {
    blocks: &'o [Shown],
    /// Their HTML, but for the part of the first that is kept apart.
    html: &'o str,
    /// The length of that part.
    n_part: usize,
}

impl<'o> Old<'o> {
    fn new(blocks: &'o [Shown], html: &'o str, n_part: usize) -> Self {
        Self { blocks, html, n_part }
    }

    /// Passes over the first block and returns what was shown of it.
    fn pass(&mut self, block: &Shown) -> (&'o str, usize) {
        let n_part = std::mem::take(&mut self.n_part);
        let (html, rest) = self.html.split_at(block.len - n_part);
        self.html = rest;
        self.blocks = &self.blocks[1..];
        (html, n_part)
    }

    /// The blocks before `id`.
    fn take_before(&mut self, id: BlockId) -> Vec<Shown> {
        let mut gone = Vec::new();
        while let Some(block) = self.blocks.first().filter(|block| block.id < id) {
            self.pass(block);
            gone.push(*block);
        }
        gone
    }

    /// The block with this id, its HTML, and the length of the part before that.
    fn take(&mut self, id: BlockId) -> (Option<&'o Shown>, &'o str, usize) {
        let Some(block) = self.blocks.first().filter(|block| block.id == id) else {
            return (None, "", 0);
        };
        let (html, n_part) = self.pass(block);
        (Some(block), html, n_part)
    }

    fn rest(&self) -> &'o [Shown] {
        self.blocks
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

impl Stream {
    /// Writes the blocks that were not settled. Those with records before `n_records` are now.
    pub(super) fn write_blocks(&mut self, n_records: usize) {
        self.n_after = None;
        let mut html = std::mem::take(&mut self.out);
        html.clear();
        let mut before = std::mem::take(&mut self.before);
        std::mem::swap(&mut before, &mut self.open);
        self.open.clear();
        let before_html = std::mem::take(&mut self.open_html);
        let mut old = Old::new(&before, &before_html, self.partial.html.len());
        let mut at = self.lengths.total();
        let mut first = self.n_records;
        let mut is_marked = false;
        let mut has_part = false;
        let n_tape = self.parsed.tape.records.len();
        while first < n_tape {
            let is_settled = first < n_records;
            let end = self.end_of_block(first);
            let Some(mut shown) = self.shown(first..end) else {
                first = end;
                continue;
            };
            for gone in old.take_before(shown.id) {
                self.changes.blocks.push(gone.gone(at));
            }
            let (same, old_html, old_part) = old.take(shown.id);
            let mut stale = Stale { kept: old_part, html: String::new() };
            let is_part = self.partial.is_about(first) || first == n_records;
            has_part |= is_part;
            let is_open = if is_settled { IsOpen::No } else { IsOpen::Yes };
            if is_part {
                self.continue_partial(first, &mut stale);
                self.check_text(is_open, &mut stale);
                if !is_settled {
                    self.write_final(&mut stale);
                    self.write_text(end);
                }
            }
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
            self.n_after = None;
            let Stale { kept, html: mut stale } = stale;
            if is_part {
                self.write_rest(kept, end, is_open, &mut html);
            } else {
                self.scratch.html.code = LastCode::Unknown;
                self.write(first..end, &mut html);
                if is_open == IsOpen::Yes && first + 1 == n_tape {
                    self.n_after = self.after_paragraph(first);
                }
            }
            let n_part = if is_part { self.partial.html.len() } else { 0 };
            shown.len = kept + html.len() - start;
            let is_stale = old_part > 0 && !stale.is_empty();
            if is_stale {
                stale.push_str(old_html);
            }
            let old_html = if is_stale { &stale } else { old_html };
            self.compare(same.map(|same| (same, old_html)), &shown, (kept, &html[start..]), at);
            at += shown.len;
            if is_settled {
                if kept > 0 && self.scratch.html.has_asked() {
                    html.insert_str(start, &self.partial.html[..kept]);
                }
                self.settle(shown, &html);
                html.clear();
                if is_part {
                    self.partial.html.clear();
                    self.partial.forget();
                }
            } else {
                // The part is kept apart.
                html.drain(start..start + n_part - kept);
                self.scratch.html.take_asked();
                self.scratch.inlines.forget_missed();
                self.open.push(shown);
            }
            first = end;
        }
        if !has_part {
            self.partial.html.clear();
            self.partial.forget();
        }
        if !is_marked {
            self.mark(n_records);
        }
        for gone in old.rest() {
            self.changes.blocks.push(gone.gone(at));
        }
        self.open_html = html;
        self.out = before_html;
        self.before = before;
    }

    /// The end of the top-level block whose records start at `first`.
    ///
    /// LINEAR: its final records are passed once, however often the block is written.
    fn end_of_block(&mut self, first: usize) -> usize {
        let tape = &self.parsed.tape;
        let n_final = self.frontier.record.min(tape.records.len());
        let mut walk = Walk::new(first);
        // A block that only the unfinished line makes is short, and gone with it.
        if first < n_final {
            if self.walk.first != first || self.walk.at > n_final {
                self.walk = walk;
            }
            self.walk.go_on(tape, n_final);
            walk = self.walk;
        }
        walk.go_on(tape, tape.records.len());
        walk.at
    }

    /// The bytes behind the text of a block of one record, if that is a paragraph.
    fn after_paragraph(&self, first: usize) -> Option<usize> {
        let is_paragraph = matches!(self.parsed.tape.records[first].block, Block::Paragraph(_));
        is_paragraph.then_some("</p>\n".len())
    }

    /// What follows is written tentatively.
    pub(super) fn mark(&mut self, n_records: usize) {
        self.n_records = n_records;
        self.n_expanded = self.scratch.inlines.n_expanded;
        self.scratch.html.mark();
    }

    /// A block that is being written; `None` if it is never shown.
    fn shown(&self, records: Range<usize>) -> Option<Shown> {
        let block = &self.parsed.tape.records[records.start];
        Some(Shown {
            id: BlockId(block.start),
            kind: kind_of(block.block)?,
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
        let end = tape.records[records.start].end as usize;
        self.scratch.writer_to(end, &self.source, options, tape).push_top(records, html);
    }

    /// Adds a change if the block is not as it was shown before. The first `kept` bytes of
    /// its HTML are the same, and not in the strings.
    pub(super) fn compare(
        &mut self,
        before: Option<(&Shown, &str)>,
        shown: &Shown,
        (kept, html): (usize, &str),
        at: usize,
    ) {
        let (was, old) = before.map_or((None, ""), |(was, html)| (Some(was), html));
        let same = common_prefix(old, html);
        let is_same = same == old.len() && same == html.len();
        let is_known = was.is_some_and(|was| {
            (was.kind, was.state, was.pending) == (shown.kind, shown.state, shown.pending)
        });
        if is_same && (is_known || shown.len == 0) {
            return;
        }
        let change = Change {
            id: shown.id,
            kind: shown.kind,
            span: shown.span(),
            keep: kept + same,
            html: self.changes.push_html(&html[same..]),
            state: shown.state,
            pending: shown.pending,
            at,
            len_before: kept + old.len(),
        };
        self.changes.blocks.push(change);
    }

    /// The block that was just written does not change any more.
    pub(super) fn settle(&mut self, shown: Shown, html: &str) {
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
                at: self.lengths.total() + self.partial.html.len() + self.open_html.len(),
                len_before: self.section.len(),
            };
            self.changes.blocks.push(change);
        }
        self.out = std::mem::replace(&mut self.section, html);
    }
}
