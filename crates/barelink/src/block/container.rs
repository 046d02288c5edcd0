//! Container blocks: block quotes, lists (CommonMark §5), definition lists and
//! footnote definitions, matched against each line and opened and closed on a stack.
//!
//! LINEAR: a block quote is matched by its own `>`, an item by its own columns
//! of indentation, so matching costs no more than the line has bytes; it stops
//! at the first container that fails. A blank line has no bytes but continues
//! every item, so there all items up to the next block quote are matched in
//! one step, by `quotes`.

use super::Phase;
use super::line::{Indent, Line};
use crate::memory::PushSparingly as _;
use crate::tape::{Block, Record};

/// Of so many open containers, memory is given back while they are closed: the tape gets it.
const MANY: usize = 1024;

/// What a container is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ContainerKind {
    BlockQuote,
    List,
    Item,
    DefinitionList,
    Details,
    FootnoteDefinition,
}

impl ContainerKind {
    /// Whether it is a part of a list that takes blocks.
    #[inline]
    pub(super) fn is_item(self) -> bool {
        matches!(self, Self::Item | Self::Details)
    }
}

/// An open container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Container {
    pub(super) kind: ContainerKind,
    /// The byte that tells lists apart: `-` `+` `*` `.` `)`.
    pub(super) marker: u8,
    pub(super) has_children: bool,
    /// Columns that the lines of an item, details or a footnote are indented by.
    pub(super) indent: u32,
    /// Its enter record.
    pub(super) idx: u32,
}

impl Container {
    /// SPEC: 5.2: an item may begin with one blank line, and a second one ends it.
    fn is_empty_item(&self) -> bool {
        self.kind.is_item() && !self.has_children
    }
}

impl Phase<'_, '_> {
    /// Goes over the markers of the open containers that `line` continues and
    /// returns how many that are.
    pub(super) fn match_containers(&mut self, line: &mut Line<'_>) -> usize {
        let containers = &self.buffers.containers;
        let mut n_quotes = 0;
        let mut matched = 0;
        while let Some(container) = containers.get(matched) {
            match container.kind {
                ContainerKind::BlockQuote => {
                    let indent = line.indent();
                    if indent.columns > 3 || line.byte(indent.at) != b'>' {
                        break;
                    }
                    line.skip_marker(indent, 1);
                    line.skip_optional_space();
                    n_quotes += 1;
                }
                ContainerKind::Item
                | ContainerKind::Details
                | ContainerKind::FootnoteDefinition => {
                    let indent = line.indent();
                    let blank = indent.at >= line.end;
                    if blank && container.is_empty_item() {
                        break;
                    }
                    if indent.columns < container.indent as usize {
                        if blank {
                            line.skip_columns(indent.columns);
                            return self.match_blank(n_quotes);
                        }
                        break;
                    }
                    line.skip_columns(container.indent as usize);
                }
                ContainerKind::List | ContainerKind::DefinitionList => {}
            }
            matched += 1;
        }
        matched
    }

    /// The containers a blank line continues: items up to the next block quote,
    /// but for one that is still empty (it can only be the last).
    fn match_blank(&self, n_quotes: usize) -> usize {
        if let Some(&quote) = self.buffers.quotes.get(n_quotes) {
            return quote as usize;
        }
        let containers = &self.buffers.containers;
        let last_is_empty = containers.last().is_some_and(Container::is_empty_item);
        containers.len() - usize::from(last_is_empty)
    }

    /// Notes that the innermost container gets a child.
    pub(super) fn begin_child(&mut self) {
        // A list holds items only: any other block after it ends it.
        let is_list = |top: &Container| {
            matches!(top.kind, ContainerKind::List | ContainerKind::DefinitionList)
        };
        if self.buffers.containers.last().is_some_and(is_list) {
            self.close_containers(self.buffers.containers.len() - 1);
        }
        if let Some(top) = self.buffers.containers.last_mut() {
            let loose = self.state.after_blank && top.has_children && top.kind.is_item();
            top.has_children = true;
            if loose {
                let list = self.buffers.containers[self.buffers.containers.len() - 2];
                self.tape.loosen(list.idx as usize);
            }
        }
    }

    /// Enters a container of that kind. An item's lines are indented by `indent` columns.
    pub(super) fn push_container(&mut self, kind: ContainerKind, record: Record, indent: usize) {
        self.state.content_end = record.end as usize;
        let idx = self.tape.push(record) as u32;
        let indent = indent as u32;
        let container = Container { kind, marker: 0, has_children: false, indent, idx };
        self.buffers.containers.push_sparingly(container);
    }

    /// Closes the open leaf and all containers but the first `n`.
    #[inline]
    pub(super) fn close_containers(&mut self, n: usize) {
        self.close_leaf();
        if self.buffers.containers.len() > n {
            self.pop_containers(n);
        }
    }

    #[inline(never)]
    fn pop_containers(&mut self, n: usize) {
        if self.buffers.containers.len() > MANY {
            self.pop_many_containers(n);
        }
        self.pop_some_containers(n);
    }

    /// LINEAR: memory is given back where a quarter of it goes, so what is moved is at most three
    /// times what was popped. The tape is moved if a sixteenth of it was popped at least.
    #[cold]
    #[inline(never)]
    fn pop_many_containers(&mut self, n: usize) {
        let n_before = self.buffers.containers.len();
        while self.buffers.containers.len() > MANY && self.buffers.containers.len() / 4 * 3 >= n {
            let quarter = self.buffers.containers.len() / 4;
            if quarter >= self.tape.records.len() / 16 {
                self.tape.records.reserve_exact(quarter + 1);
            }
            self.pop_some_containers(self.buffers.containers.len() - quarter);
            self.buffers.containers.shrink_to_fit();
        }
        let n_left = self.buffers.containers.len();
        if n_before - n_left >= self.tape.records.len() / 16 {
            self.tape.records.reserve_exact(n_left - n + 1);
        }
    }

    #[allow(clippy::inline_always)] // The guard shows what a call costs.
    #[inline(always)]
    fn pop_some_containers(&mut self, n: usize) {
        while self.buffers.containers.len() > n
            && let Some(container) = self.buffers.containers.pop()
        {
            if container.kind == ContainerKind::BlockQuote {
                self.buffers.quotes.pop();
                self.close_quote(container.idx as usize);
                // SPEC: 5.3: a blank line in a block quote begins with `>`, and outside of
                // the quote is none.
                self.state.after_blank = false;
            }
            if container.kind == ContainerKind::DefinitionList
                && self.leave_possible_term(&container)
            {
                continue;
            }
            let enter = &mut self.tape.records[container.idx as usize];
            enter.end = enter.end.max(self.state.content_end as u32);
            let exit = Record { block: Block::Exit { enter: container.idx }, ..*enter };
            self.tape.push(exit);
        }
    }

    /// SPEC: 5.1: `>`, and one space or tab after it.
    pub(super) fn open_quote(&mut self, line: &mut Line<'_>, indent: Indent) {
        self.begin_child();
        line.skip_marker(indent, 1);
        line.skip_optional_space();
        self.buffers.quotes.push_sparingly(self.buffers.containers.len() as u32);
        let quote = Record::new(Block::Quote { alert: None }, indent.at, indent.at + 1);
        self.push_container(ContainerKind::BlockQuote, quote, 0);
    }
}
