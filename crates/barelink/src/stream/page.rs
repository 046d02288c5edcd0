//! The page as it was last shown.

use std::ops::Range;

use super::changes::{BlockChange, Lengths, Shown, common_prefix};
use super::update::{BlockId, BlockKind, BlockState};
use crate::tape::{Block, Tape};

/// The blocks of the page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The settled blocks, and the lengths of their HTML.
    pub(super) settled: Vec<Shown>,
    pub(super) lengths: Lengths,
    /// The blocks after them.
    pub(super) open: Vec<Shown>,
    /// The HTML of the open blocks.
    pub(super) html: String,
    /// The blocks that were open before, while others are being written.
    pub(super) before: Vec<Shown>,
}

impl Page {
    /// The block with this id.
    pub(super) fn find(&self, id: BlockId) -> Option<&Shown> {
        let settled = self.settled.binary_search_by_key(&id, |shown| shown.id).ok();
        let settled = settled.and_then(|idx| self.settled.get(idx));
        settled.or_else(|| self.open.iter().find(|shown| shown.id == id))
    }

    /// The length of the whole page.
    pub(super) fn len(&self) -> usize {
        self.lengths.total() + self.html.len()
    }
}

/// The blocks that were open before, to be compared in order.
pub(super) struct Old<'o> {
    blocks: &'o [Shown],
    /// Their HTML.
    html: &'o str,
}

impl<'o> Old<'o> {
    pub(super) fn new(blocks: &'o [Shown], html: &'o str) -> Self {
        Self { blocks, html }
    }

    /// The block with this id, and its HTML. Earlier ones are reported as removed from the page, at
    /// offset `at`.
    #[inline]
    pub(super) fn take(
        &mut self,
        id: BlockId,
        at: usize,
        changes: &mut Vec<BlockChange>,
    ) -> Option<(&'o Shown, &'o str)> {
        loop {
            let (block, others) = self.blocks.split_first()?;
            if block.id > id {
                return None;
            }
            let (html, rest) = self.html.split_at(block.len);
            (self.blocks, self.html) = (others, rest);
            if block.id == id {
                return Some((block, html));
            }
            changes.push(block.gone(at));
        }
    }

    /// The remaining blocks.
    pub(super) fn rest(&self) -> &'o [Shown] {
        self.blocks
    }
}

/// The HTML of a block that was just written.
#[derive(Debug, Clone, Copy)]
pub(super) struct WrittenBlock {
    /// The number of leading bytes that stay as shown.
    pub(super) kept: usize,
    /// The start of what follows them, in the HTML of the changes.
    pub(super) start: usize,
}

impl WrittenBlock {
    /// Reports the change of the block at `at`, unless it equals what was shown. Returns how many
    /// more bytes are the same.
    pub(super) fn tell(
        self,
        was: Option<(&Shown, &str)>,
        shown: &Shown,
        (at, html): (usize, &str),
        changes: &mut Vec<BlockChange>,
    ) -> usize {
        let Self { kept, start } = self;
        let mut same = 0;
        let (mut len_before, mut is_known) = (0, false);
        if let Some((was, old)) = was {
            same = common_prefix(&old[kept..], &html[start..]);
            len_before = was.len;
            is_known =
                (was.kind, was.state, was.pending) == (shown.kind, shown.state, shown.pending);
        }
        let is_same = kept + same == len_before && start + same == html.len();
        if is_same && (is_known || shown.len == 0) {
            return same;
        }
        changes.push(BlockChange {
            id: shown.id,
            kind: shown.kind,
            span: shown.span(),
            keep: kept + same,
            html: start + same..html.len(),
            state: shown.state,
            pending: shown.pending,
            at,
            len_before,
        });
        same
    }
}

impl Shown {
    /// A settled block that is being written; `None` if it is never displayed.
    pub(super) fn new(tape: &Tape, records: Range<usize>) -> Option<Self> {
        let block = &tape.records[records.start];
        Some(Self {
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
}

/// The kind of a top-level block with this first record; `None` if it is not displayed.
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
