//! Where the blocks of a document are: for programs that read a part of it, or compare two
//! versions.
//!
//! LINEAR: one pass over the tape.

use barelink_text::Span;

use crate::document::Document;
use crate::tape::{Block, Record, Role};

/// The start of a block.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlockStart {
    /// The offset in the source.
    pub at: u32,
    /// What starts there: 0 for a top-level block, 1 for an item, or 2 plus the number of columns
    /// for a row. Two versions of a document agree at a place only if this is equal.
    pub state: u32,
}

impl Document<'_, '_> {
    /// The starts of its top-level blocks, in order, and of the items and rows of top-level lists
    /// and tables. They show what two versions of a document share.
    #[doc(hidden)]
    pub fn block_starts(&self) -> Vec<BlockStart> {
        let mut starts = Vec::new();
        // The open top-level container, and the number of open containers.
        let mut outermost = None;
        let mut depth = 0_usize;
        for record in &self.parsed().tape.records {
            let role = record.block.role();
            let state = match (outermost, record.block) {
                (None, _) if matches!(role, Role::Part | Role::PartText(_)) => None,
                (None, _) => Some(0),
                (Some(Block::List { .. }), Block::Item { .. }) if depth == 1 => Some(1),
                (Some(Block::Table { n_columns, .. }), Block::Row { .. }) => {
                    Some(2 + u32::from(n_columns))
                }
                _ => None,
            };
            let at = record.span().start;
            starts.extend(state.map(|state| BlockStart { at, state }));
            match role {
                Role::Enter => {
                    outermost = outermost.or(Some(record.block));
                    depth += 1;
                }
                Role::Exit(n) => {
                    depth = depth.saturating_sub(usize::from(n));
                    outermost = outermost.filter(|_| depth > 0);
                }
                Role::Text(_) | Role::Leaf | Role::PartText(_) | Role::Part => {}
            }
        }
        starts
    }

    /// The spans of its footnote definitions, in order. Footnotes without references are not
    /// displayed.
    #[doc(hidden)]
    pub fn notes(&self) -> Vec<Span> {
        let parsed = self.parsed();
        let notes = parsed
            .tape
            .records
            .iter()
            .filter(|record| matches!(record.block, Block::FootnoteDefinition { .. }));
        notes.map(Record::span).collect()
    }
}
