//! Where the blocks of a document are: for those who read a part of it, or compare two versions.
//!
//! LINEAR: the tape is gone through once.

use barelink_text::Span;

use crate::document::Document;
use crate::tape::{Block, Record, Role};

/// Where a block starts.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlockStart {
    /// The byte of the source.
    pub at: u32,
    /// Stands for what counts there of what comes before it.
    pub state: u32,
}

impl Document<'_, '_> {
    /// Where its top-level blocks start, in order, and the items and rows of those that are lists
    /// and tables: what two versions of a document share can be told by it.
    #[doc(hidden)]
    pub fn block_starts(&self) -> Vec<BlockStart> {
        let mut starts = Vec::new();
        // The container at the top level that is open, and how many are.
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

    /// Its footnotes, in order. One that nothing refers to is on no page.
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
