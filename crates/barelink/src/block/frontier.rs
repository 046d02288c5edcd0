//! Finds the part of the tape that is final between two lines of a source that is still being
//! written: no later line can change it, except that lists may become loose.
//!
//! LINEAR: one step for each open container.

use super::container::ContainerKind;
use super::{OpenLeaf, Phase};
use crate::tape::Block;

/// The final part of the tape, up to somewhere in the open top-level block.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    /// All records before this one are final.
    pub(crate) record: usize,
    /// If that record's leaf is code or HTML, its lines up to this offset are final, too.
    pub(crate) lines_end: Option<u32>,
    /// The open lists before the record: each may still become loose.
    pub(crate) lists: Vec<u32>,
}

impl Frontier {
    /// Everything before `record` is final, and no list is open.
    pub(crate) fn start(&mut self, record: usize) {
        self.record = record;
        self.lines_end = None;
        self.lists.clear();
    }
}

impl Phase<'_, '_> {
    /// The record of the open leaf, or of a paragraph that the next line may turn into the term of
    /// a definition list; or else the index of the next record.
    fn leaf_record(&self) -> usize {
        let n_records = self.tape.records.len();
        match self.state.leaf_record() {
            Some(idx) => idx,
            None if self.options.definition_lists && self.tape.ends_with_paragraph() => {
                n_records - 1
            }
            None => n_records,
        }
    }

    /// Finds what is final between two lines. Returns the first record of the open top-level block,
    /// or else the index of the next record.
    pub(super) fn find_frontier(&self, to: &mut Frontier) -> usize {
        let leaf_record = self.leaf_record();
        to.start(leaf_record);
        let containers = self.buffers.containers.as_slice();
        if !containers.is_empty() {
            self.find_container_frontier(leaf_record, to);
        }
        if to.record == leaf_record {
            match self.state.leaf {
                OpenLeaf::Fenced(_) | OpenLeaf::Html(_) => {
                    to.lines_end = Some(self.tape.records[self.state.text_idx].end);
                }
                OpenLeaf::Indented(kept) => to.lines_end = Some(kept.end()),
                // Rows are only appended.
                OpenLeaf::Table(_) => to.record = self.tape.records.len(),
                OpenLeaf::None | OpenLeaf::Paragraph => {}
            }
        }
        let before = containers.iter().filter(|container| (container.idx as usize) < to.record);
        let lists = before.filter(|container| container.kind.is_list());
        to.lists.extend(lists.map(|list| list.idx));
        containers.first().map_or(leaf_record, |first| first.idx as usize)
    }

    /// Sets the record up to which containers are final. A container is not final while the next
    /// line may still decide what it is: an item without content may become a task, and a block
    /// quote an alert.
    #[inline(never)]
    fn find_container_frontier(&self, leaf_record: usize, to: &mut Frontier) {
        let containers = self.buffers.containers.as_slice();
        let Some(last) = containers.last() else { return };
        let idx = last.idx as usize;
        match last.kind {
            // The exit record of the last item may still be extended to the list.
            ContainerKind::List => to.record = leaf_record - 1,
            ContainerKind::Item => {
                let is_task = matches!(self.tape.records[idx].block, Block::Item { task: Some(_) });
                if !last.has_children || leaf_record == idx + 1 && is_task {
                    to.record = idx;
                }
            }
            ContainerKind::BlockQuote => {
                let may_be_alert = leaf_record == idx + 1 || self.state.alert_title.is_some();
                if containers.len() == 1 && may_be_alert {
                    to.record = idx;
                }
            }
            ContainerKind::DefinitionList
            | ContainerKind::Details
            | ContainerKind::FootnoteDefinition => {}
        }
        // The content of a footnote moves once it is complete.
        if containers.iter().any(|container| container.kind == ContainerKind::FootnoteDefinition) {
            to.record = containers[0].idx as usize;
        }
    }
}
