//! Undoing what a tentative line may change.
//!
//! LINEAR: one step for each open container, and for each record of the open leaf. Records of a
//! table are only appended.

use super::container::Container;
use super::{BlockBuffers, OpenLeaf, Phase};
use crate::tape::pieces::PiecesMark;
use crate::tape::{Record, Tape};

/// A copy of everything that a tentative line may change.
#[derive(Debug, Default)]
pub(super) struct Undo {
    /// Whether only the last records have changed.
    pub(super) is_simple: bool,
    containers: Vec<Container>,
    /// The enter records of the containers.
    enters: Vec<Record>,
    quotes: Vec<u32>,
    /// Records from this index on are new, or changed.
    pub(super) from: usize,
    /// The former records from there on: those of the open leaf, or the last record, a paragraph
    /// that may become a term. Of a table, only the first record.
    pub(super) leaf: Vec<Record>,
    table: Option<usize>,
    text: PiecesMark,
    n_references: usize,
    n_footnotes: usize,
    n_alignments: usize,
}

impl Undo {
    pub(super) fn note(&mut self, phase: &Phase<'_, '_>) {
        let Phase { state, tape, buffers, .. } = phase;
        self.is_simple = false;
        self.note_containers(tape, buffers);
        let n_blocks = tape.records.len();
        let leaf = state.leaf_record();
        // Rows are only appended to a table.
        self.table = leaf.filter(|_| matches!(state.leaf, OpenLeaf::Table(_)));
        self.leaf.clear();
        if let Some(table) = self.table {
            self.from = n_blocks;
            self.leaf.push(tape.records[table]);
        } else {
            self.from = leaf.unwrap_or(n_blocks.saturating_sub(1));
            // They are few, usually one.
            tape.records[self.from..].iter().for_each(|record| self.leaf.push(*record));
        }
        let kept = match state.leaf {
            OpenLeaf::Indented(snapshot) => Some(snapshot),
            _ => None,
        };
        tape.note_text(leaf.and(self.leaf.last()), kept, &mut self.text);
        self.n_references = tape.references.len();
        self.n_footnotes = tape.footnotes.len();
        self.n_alignments = tape.alignments.len();
    }

    fn note_containers(&mut self, tape: &Tape, buffers: &BlockBuffers) {
        if buffers.containers.is_empty() && self.containers.is_empty() {
            return;
        }
        self.containers.clone_from(&buffers.containers);
        self.quotes.clone_from(&buffers.quotes);
        self.enters.clear();
        let enters =
            buffers.containers.iter().map(|container| tape.records[container.idx as usize]);
        self.enters.extend(enters);
    }

    pub(super) fn take_back(&mut self, tape: &mut Tape, buffers: &mut BlockBuffers) {
        tape.records.truncate(self.from);
        if self.is_simple {
            return tape.records.extend(self.leaf.first());
        }
        match self.table {
            Some(table) => tape.records[table] = self.leaf[0],
            None => self.leaf.iter().for_each(|record| tape.records.push(*record)),
        }
        // The tentative line closed all containers.
        if !self.containers.is_empty() {
            std::mem::swap(&mut buffers.containers, &mut self.containers);
            std::mem::swap(&mut buffers.quotes, &mut self.quotes);
            for (container, enter) in buffers.containers.iter().zip(&self.enters) {
                tape.records[container.idx as usize] = *enter;
            }
        }
        tape.take_back_text(&self.text);
        tape.references.truncate(self.n_references);
        tape.footnotes.truncate(self.n_footnotes);
        tape.alignments.truncate(self.n_alignments);
    }
}
