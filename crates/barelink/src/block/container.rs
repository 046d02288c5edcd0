//! Container blocks: block quotes, lists (CommonMark §5), definition lists and footnote
//! definitions. Each line is matched against a stack of open containers, which are pushed and
//! popped here.
//!
//! LINEAR: a block quote is matched by its own `>`, an item by its own columns of indentation, so
//! matching costs no more than the length of the line; it stops at the first container that fails.
//! A blank line has no bytes but continues every item, so all items up to the next block quote are
//! matched in one step, by `quotes`.

use super::line::{Indent, Line};
use super::{BlockBuffers, Phase};
use crate::memory::PushSparingly as _;
use crate::tape::{Block, Record};

/// If more containers than this close at once, [`Phase::pop_many_containers`] closes them.
const MANY: usize = 8;

/// The stack keeps memory for this many containers.
const KEPT: usize = 1024;

/// The kind of a container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ContainerKind {
    BlockQuote,
    List,
    Item,
    DefinitionList,
    Details,
    FootnoteDefinition,
}

/// The role of a container among others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ContainerRole {
    /// Takes blocks.
    Separate,
    /// Takes items only: any other block ends it.
    List,
    /// Takes blocks, and is directly in a list.
    Item,
}

impl ContainerKind {
    #[inline]
    fn role(self) -> ContainerRole {
        match self {
            Self::BlockQuote | Self::FootnoteDefinition => ContainerRole::Separate,
            Self::List | Self::DefinitionList => ContainerRole::List,
            Self::Item | Self::Details => ContainerRole::Item,
        }
    }

    /// Whether this is a list, of items or of terms and their details.
    #[inline]
    pub(super) fn is_list(self) -> bool {
        self.role() == ContainerRole::List
    }

    /// Whether this is an item of a list that takes blocks.
    #[inline]
    pub(super) fn is_item(self) -> bool {
        self.role() == ContainerRole::Item
    }

    /// Whether [`Phase::end_container`] does nothing for it.
    #[inline]
    fn ends_simply(self) -> bool {
        matches!(self, Self::List | Self::Item)
    }
}

/// An open container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Container {
    pub(super) kind: ContainerKind,
    /// The byte that distinguishes lists: `-` `+` `*` `.` `)`.
    pub(super) marker: u8,
    pub(super) has_children: bool,
    /// Columns of indentation of the content of an item, details or a footnote: a small number.
    pub(super) indent: u8,
    /// The index of its enter record.
    pub(super) idx: u32,
}

const _: () = assert!(size_of::<Container>() == 8);

/// Whether the exit record of a closing container has been written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IsLeft {
    Yes,
    No,
}

impl Container {
    /// SPEC: 5.2: an item may begin with one blank line; a second one ends it.
    fn is_empty_item(self) -> bool {
        self.kind.is_item() && !self.has_children
    }
}

impl Phase<'_, '_> {
    /// Skips the markers of the open containers that `line` continues, and returns their number.
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

    /// The number of containers that a blank line continues: up to the next block quote, without an
    /// item that is still empty (which can only be the last).
    fn match_blank(&self, n_quotes: usize) -> usize {
        if let Some(&quote) = self.buffers.quotes.get(n_quotes) {
            return quote as usize;
        }
        let containers = &self.buffers.containers;
        let last_is_empty = containers.last().is_some_and(|last| last.is_empty_item());
        containers.len() - usize::from(last_is_empty)
    }

    /// Prepares the innermost container for a new child. Kept out of line, so that `push_leaf` is
    /// inlined: that saves 0.7% of prose.
    #[inline(never)]
    pub(super) fn begin_child(&mut self) {
        // A list holds only items: any other block after it ends it.
        if self.buffers.containers.last().is_some_and(|top| top.kind.is_list()) {
            self.close_containers(self.buffers.containers.len() - 1);
        }
        if let Some(top) = self.buffers.containers.last_mut() {
            let loose = self.state.after_blank && top.has_children && top.kind.is_item();
            top.has_children = true;
            if loose {
                self.loosen_list();
            }
        }
    }

    /// Makes the list of the innermost container loose, which is an item: a list contains its items
    /// directly.
    fn loosen_list(&mut self) {
        if let [.., list, item] = self.buffers.containers.as_slice() {
            debug_assert!(item.kind.is_item());
            self.tape.loosen(list.idx as usize);
        }
    }

    /// Enters a container of this kind. `indent` is the indentation of its content in columns.
    pub(super) fn push_container(&mut self, kind: ContainerKind, record: Record, indent: usize) {
        self.state.content_end = record.end as usize;
        let idx = self.tape.push(record) as u32;
        let indent = indent as u8;
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
        if self.buffers.containers.len() - n > MANY {
            return self.pop_many_containers(n);
        }
        while self.buffers.containers.len() > n
            && let Some(container) = self.buffers.containers.pop()
        {
            if !container.kind.ends_simply() && self.end_container(container) == IsLeft::Yes {
                continue;
            }
            let entered = self.close_entered(container);
            // Its last item has been left, perhaps at an earlier line.
            if container.kind == ContainerKind::List {
                self.tape.leave_too(container.idx, entered);
            } else {
                self.tape.leave(container.idx, entered);
            }
        }
    }

    /// [`Phase::pop_containers`] for many containers: a single exit record leaves those whose enter
    /// records are adjacent. Frees excess memory.
    #[cold]
    #[inline(never)]
    fn pop_many_containers(&mut self, n: usize) {
        // The container that was left last, if it was left here.
        let mut left = None;
        while self.buffers.containers.len() > n
            && let Some(container) = self.buffers.containers.pop()
        {
            if !container.kind.ends_simply() && self.end_container(container) == IsLeft::Yes {
                left = None;
                continue;
            }
            let entered = self.close_entered(container);
            if container.kind == ContainerKind::List || left == Some(container.idx + 1) {
                self.tape.leave_too(container.idx, entered);
            } else {
                self.tape.leave(container.idx, entered);
            }
            left = Some(container.idx);
        }
        self.give_back();
    }

    /// Extra work on closing a container that does not [end simply](ContainerKind::ends_simply).
    #[inline(never)]
    fn end_container(&mut self, container: Container) -> IsLeft {
        match container.kind {
            ContainerKind::BlockQuote => {
                self.buffers.quotes.pop();
                self.close_quote(container.idx as usize);
                // SPEC: 5.3: a blank line inside a block quote begins with `>`; outside of the
                // quote it does not count.
                self.state.after_blank = false;
            }
            ContainerKind::DefinitionList if self.leave_possible_term(container) => {
                return IsLeft::Yes;
            }
            ContainerKind::DefinitionList
            | ContainerKind::Details
            | ContainerKind::FootnoteDefinition
            | ContainerKind::List
            | ContainerKind::Item => {}
        }
        IsLeft::No
    }

    /// Sets the end of a closing container, and returns its enter record.
    #[inline]
    fn close_entered(&mut self, container: Container) -> Record {
        let enter = &mut self.tape.records[container.idx as usize];
        enter.end = enter.end.max(self.state.content_end as u32);
        *enter
    }

    /// Frees memory of containers that have been closed.
    ///
    /// LINEAR: what is kept and moved is no more than what has been closed.
    #[cold]
    #[inline(never)]
    fn give_back(&mut self) {
        let BlockBuffers { containers, quotes, .. } = self.buffers;
        if containers.capacity() > KEPT && containers.len() < containers.capacity() / 2 {
            containers.shrink_to(KEPT);
            quotes.shrink_to(KEPT);
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
