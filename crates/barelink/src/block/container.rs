//! Container blocks: block quotes, lists (CommonMark §5) and footnote
//! definitions, matched against each line and opened and closed on a stack.
//!
//! LINEAR: a block quote is matched by its own `>`, an item by its own columns
//! of indentation, so matching costs no more than the line has bytes; it stops
//! at the first container that fails. A blank line has no bytes but continues
//! every item, so there all items up to the next block quote are matched in
//! one step, by `quotes`.

use super::Phase;
use super::line::{Indent, Line};
use super::tape::{Block, Kind, LOOSE};

/// An open container.
#[derive(Clone, Copy, Debug)]
pub(super) struct Container {
    pub(super) kind: Kind,
    /// The byte that tells lists apart: `-` `+` `*` `.` `)`.
    pub(super) marker: u8,
    pub(super) has_children: bool,
    /// Columns an item's lines are indented by.
    pub(super) indent: u32,
    /// Its enter record.
    pub(super) idx: u32,
}

impl Container {
    /// SPEC: 5.2: an item may begin with one blank line, and a second one ends it.
    fn is_empty_item(&self) -> bool {
        self.kind == Kind::Item && !self.has_children
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
                Kind::BlockQuote => {
                    let indent = line.indent();
                    if indent.columns > 3 || line.byte(indent.at) != b'>' {
                        break;
                    }
                    line.skip_marker(indent, 1);
                    line.skip_optional_space();
                    n_quotes += 1;
                }
                Kind::Item | Kind::FootnoteDefinition => {
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
                _ => {}
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
        if self.buffers.containers.last().is_some_and(|top| top.kind == Kind::List) {
            self.close_containers(self.buffers.containers.len() - 1);
        }
        if let Some(top) = self.buffers.containers.last_mut() {
            let loose = self.after_blank && top.has_children && top.kind == Kind::Item;
            top.has_children = true;
            if loose {
                let list = self.buffers.containers[self.buffers.containers.len() - 2];
                self.tape.blocks[list.idx as usize].flags |= LOOSE;
            }
        }
    }

    pub(super) fn push_container(&mut self, block: Block, marker: u8, indent: usize) {
        let kind = block.kind;
        self.content_end = block.end as usize;
        let idx = self.tape.push(block) as u32;
        if kind == Kind::BlockQuote {
            self.buffers.quotes.push(self.buffers.containers.len() as u32);
        }
        let indent = indent as u32;
        let container = Container { kind, marker, has_children: false, indent, idx };
        self.buffers.containers.push(container);
    }

    /// Closes the open leaf and all containers but the first `n`.
    pub(super) fn close_containers(&mut self, n: usize) {
        self.close_leaf();
        while self.buffers.containers.len() > n
            && let Some(container) = self.buffers.containers.pop()
        {
            if container.kind == Kind::BlockQuote {
                self.buffers.quotes.pop();
                self.close_quote(container.idx as usize);
                // SPEC: 5.3: a blank line in a block quote begins with `>`, and outside of
                // the quote is none.
                self.after_blank = false;
            }
            let enter = &mut self.tape.blocks[container.idx as usize];
            enter.end = enter.end.max(self.content_end as u32);
            let (start, end) = (enter.start as usize, enter.end as usize);
            let mut exit = Block::new(Kind::Exit, start, end);
            exit.data = container.idx;
            self.tape.push(exit);
        }
    }

    /// SPEC: 5.1: `>`, and one space or tab after it.
    pub(super) fn open_quote(&mut self, line: &mut Line<'_>, indent: Indent) {
        self.begin_child();
        line.skip_marker(indent, 1);
        line.skip_optional_space();
        self.push_container(Block::new(Kind::BlockQuote, indent.at, indent.at + 1), b'>', 0);
    }
}
