//! Definition lists, as pulldown-cmark has adopted them from commonmark-hs.
//!
//! ```text
//! list    = 1*(term 1*details)
//! term    = a paragraph that details follow, perhaps after blank lines
//! details = ":" blocks, indented like those of an item after the first line
//! ```
//!
//! The line after a paragraph makes it a term, so a list starts at that line: the paragraph's
//! record becomes that of the list, and the term follows it. A paragraph after details may be the
//! next term. It is on the tape as a paragraph in the list, and if no details follow, it stays a
//! paragraph and moves after the end of the list.
//!
//! pulldown-cmark ends a list at empty details followed by a blank line; here they are like an
//! empty item, and the list continues.
//!
//! LINEAR: as for items. Only one record moves after the end of a list.

use super::container::{Container, ContainerKind};
use super::line::{Indent, Line};
use super::{CODE_INDENT, OpenLeaf, Phase};
use crate::tape::{Block, Record};

impl Phase<'_, '_> {
    /// Opens details at the `:` where the rest of the line starts, and a list around them unless
    /// they continue one.
    #[inline(never)]
    pub(super) fn open_details(
        &mut self,
        line: &mut Line<'_>,
        indent: Indent,
        matched: usize,
    ) -> bool {
        let unmatched = self.buffers.containers.get(matched).map(|container| container.kind);
        let follows = match unmatched {
            // The line is not part of the previous details.
            Some(ContainerKind::Details) => true,
            Some(_) => false,
            None => self.make_term() || self.is_in_definition_list(),
        };
        if !follows {
            return false;
        }
        let mut n_open = matched;
        if unmatched.is_none() {
            n_open = self.buffers.containers.len();
        }
        self.close_containers(n_open);
        line.skip_marker(indent, 1);
        let after = line.indent();
        let spaces = if after.columns > CODE_INDENT { 1 } else { after.columns };
        line.skip_columns(spaces);
        // A blank line makes a list loose before details, but not before a term.
        if self.state.after_blank
            && let Some(list) = self.buffers.containers.last()
        {
            self.tape.loosen(list.idx as usize);
        }
        let details = Record::new(Block::Details, indent.at, indent.at + 1);
        self.push_container(ContainerKind::Details, details, indent.columns + 1 + spaces);
        true
    }

    /// Turns the last block into a term if it is a paragraph, open or closed by blank lines.
    fn make_term(&mut self) -> bool {
        match self.state.leaf {
            OpenLeaf::Paragraph => self.close_leaf(),
            OpenLeaf::None => {}
            OpenLeaf::Fenced(_)
            | OpenLeaf::Indented(_)
            | OpenLeaf::Html(_)
            | OpenLeaf::Table(_) => {
                return false;
            }
        }
        // If another block had closed since, its record would be the last one.
        let Some(paragraph) = self.tape.records.last().copied() else { return false };
        let Block::Paragraph(lines) = paragraph.block else { return false };
        self.tape.records.pop();
        if !self.is_in_definition_list() {
            let list = Record { block: Block::DefinitionList { loose: false }, ..paragraph };
            self.push_container(ContainerKind::DefinitionList, list, 0);
        }
        self.tape.push(Record { block: Block::Term(lines), ..paragraph });
        true
    }

    fn is_in_definition_list(&self) -> bool {
        let innermost = self.buffers.containers.last();
        innermost.is_some_and(|container| container.kind == ContainerKind::DefinitionList)
    }

    /// Whether `record` is the first paragraph after details, so that it may be a term.
    #[inline]
    pub(super) fn is_possible_term(&self, record: &Record) -> bool {
        self.options.definition_lists
            && self.is_in_definition_list()
            && matches!(record.block, Block::Paragraph(_))
            && !self.tape.ends_with_paragraph()
    }

    /// Ends the definition list `list`, which is no longer open, before the paragraph that could
    /// have been a term. True if there is one.
    #[inline(never)]
    pub(super) fn leave_possible_term(&mut self, list: Container) -> bool {
        if !self.tape.ends_with_paragraph() {
            return false;
        }
        let Some(paragraph) = self.tape.records.pop() else { return false };
        let end = self.tape.records.last().map_or(0, |record| record.end);
        let entered = &mut self.tape.records[list.idx as usize];
        entered.end = end;
        let entered = *entered;
        self.tape.leave(list.idx, entered);
        self.tape.push(paragraph);
        true
    }

    /// The open paragraph becomes something other than a term: if it is in a definition list, the
    /// list ends before it.
    pub(super) fn leave_definition_list(&mut self) {
        if self.is_in_definition_list()
            && let Some(list) = self.buffers.containers.last().copied()
            && self.leave_possible_term(list)
        {
            self.buffers.containers.pop();
            self.state.leaf_idx += 1;
            self.state.text_idx += 1;
        }
    }
}
