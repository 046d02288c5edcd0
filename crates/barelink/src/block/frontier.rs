//! What is final between two lines of a source that is still being written: what no line that
//! follows can change, but for lists that may turn loose.
//!
//! LINEAR: a step for each open container.

use super::container::{Container, ContainerKind};
use super::{OpenLeaf, Phase};
use crate::tape::Block;

/// What is final of the top-level block that is open.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    /// All records before this one.
    pub(crate) record: usize,
    /// And, if the leaf there is code or HTML, the lines that end here or before.
    pub(crate) lines_end: Option<u32>,
    /// The lists before the record that are open: each may still turn loose.
    pub(crate) lists: Vec<u32>,
}

impl Frontier {
    /// What is final ends before this record, and no list is open.
    pub(crate) fn start(&mut self, record: usize) {
        self.record = record;
        self.lines_end = None;
        self.lists.clear();
    }
}

impl Phase<'_, '_> {
    /// The record of the open leaf, or of a paragraph that may be the term of a definition list
    /// by the next line; or where the next leaf goes.
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

    /// What is final between two lines. Returns the first record of the top-level block that is
    /// open, or where the next one goes.
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
                // Rows are only added.
                OpenLeaf::Table(_) => to.record = self.tape.records.len(),
                OpenLeaf::None | OpenLeaf::Paragraph => {}
            }
        }
        let before = containers.iter().filter(|container| (container.idx as usize) < to.record);
        let is_list = |it: &&Container| {
            matches!(it.kind, ContainerKind::List | ContainerKind::DefinitionList)
        };
        to.lists.extend(before.filter(is_list).map(|list| list.idx));
        containers.first().map_or(leaf_record, |first| first.idx as usize)
    }

    /// The record where containers are final. One is not while the line after may say what it is: an
    /// item without content may become a task, and a block quote an alert.
    #[inline(never)]
    fn find_container_frontier(&self, leaf_record: usize, to: &mut Frontier) {
        let containers = self.buffers.containers.as_slice();
        // The record that leaves the last item of a list may still leave the list.
        if containers.last().is_some_and(|last| last.kind == ContainerKind::List) {
            to.record = leaf_record - 1;
        }
        if let Some(item) = containers.last().filter(|last| last.kind == ContainerKind::Item) {
            let idx = item.idx as usize;
            let is_task = matches!(self.tape.records[idx].block, Block::Item { task: Some(_) });
            if !item.has_children || leaf_record == idx + 1 && is_task {
                to.record = idx;
            }
        }
        if let [quote] = containers
            && quote.kind == ContainerKind::BlockQuote
            && (leaf_record == quote.idx as usize + 1 || self.state.alert_title.is_some())
        {
            to.record = quote.idx as usize;
        }
        // The content of a footnote is moved once it is complete.
        if containers.iter().any(|container| container.kind == ContainerKind::FootnoteDefinition) {
            to.record = containers[0].idx as usize;
        }
    }
}
