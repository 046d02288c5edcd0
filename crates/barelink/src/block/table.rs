//! Tables (GFM, "Tables (extension)").
//!
//! ```text
//! delimiter row = "|"? cell ("|" cell)* "|"?      cell = ":"? 1*"-" ":"?
//! row           = "|"? text ("|" text)* "|"?      "\|" is a pipe in text, always
//! ```
//!
//! A delimiter row after a paragraph makes the paragraph's last line the header, if it has the same
//! number of cells. Every later line that starts no other block is a row. Excess cells are dropped,
//! missing cells are filled up. Pipes split cells before anything else is recognized, even in code
//! spans and after backslashes: a backslash before a pipe always escapes it, even in `\\|`.
//!
//! LINEAR: one pass over each line. The number of cells filled up by the end of a row is at most
//! the number of bytes up to there (or [`MIN_FILLED`]); before it would exceed that, the table
//! ends, and what follows is text.

use barelink_text::find::{Pipe, Stops};

use super::line::{Indent, Line};
use super::{OpenLeaf, Phase, Reading};
use crate::event::Alignment;
use crate::tape::pieces::{Lead, Lines, Segment};
use crate::tape::{Block, Record};

/// The maximum number of columns of a table. A longer delimiter row is text.
const MAX_COLUMNS: usize = u16::MAX as usize;

/// The number of cells that may be filled up in any document.
const MIN_FILLED: usize = 100_000;

/// The open table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OpenTable {
    n_columns: usize,
}

/// The header, or another row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowKind {
    Header,
    Body,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0C)
}

fn trim(bytes: &[u8], mut start: usize, mut end: usize) -> (usize, usize) {
    while start < end && is_space(bytes[start]) {
        start += 1;
    }
    while start < end && is_space(bytes[end - 1]) {
        end -= 1;
    }
    (start, end)
}

/// The alignment that a cell of a delimiter row specifies.
fn scan_alignment(cell: &[u8]) -> Option<Alignment> {
    // Here cmark-gfm also treats a vertical tab as white space.
    let is_blank = |&byte: &u8| is_space(byte) || byte == 0x0B;
    let n_before = cell.iter().take_while(|byte| is_blank(byte)).count();
    let n_after = cell[n_before..].iter().rev().take_while(|byte| is_blank(byte)).count();
    let (left, rest) = match &cell[n_before..cell.len() - n_after] {
        [b':', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (right, dashes) = match rest {
        [rest @ .., b':'] => (true, rest),
        rest => (false, rest),
    };
    if dashes.is_empty() || dashes.iter().any(|&byte| byte != b'-') {
        return None;
    }
    Some(match (left, right) {
        (true, true) => Alignment::Center,
        (true, false) => Alignment::Left,
        (false, true) => Alignment::Right,
        (false, false) => Alignment::None,
    })
}

/// The cells of a row, as offsets of their trimmed text.
struct Cells<'s> {
    bytes: &'s [u8],
    at: usize,
    end: usize,
    pipes: Stops<'s, Pipe>,
}

/// A cell of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellBounds {
    start: usize,
    end: usize,
    /// Whether it contains a `\|`.
    has_escape: bool,
}

impl<'s> Cells<'s> {
    fn new(bytes: &'s [u8], start: usize, end: usize) -> Self {
        let (start, end) = trim(bytes, start, end);
        let at = if start < end && bytes[start] == b'|' { start + 1 } else { start };
        Self { bytes, at, end, pipes: Stops::new(bytes, at, end) }
    }
}

impl Iterator for Cells<'_> {
    type Item = CellBounds;

    #[inline]
    fn next(&mut self) -> Option<CellBounds> {
        if self.at >= self.end {
            return None;
        }
        let from = self.at;
        let mut has_escape = false;
        let to = loop {
            match self.pipes.next() {
                None => break self.end,
                Some(at) if self.bytes[at] == b'|' => break at,
                Some(at) if self.bytes.get(at + 1) == Some(&b'|') => {
                    has_escape = true;
                    self.pipes.seek(at + 2);
                }
                Some(_) => {}
            }
        };
        self.at = to + 1;
        let (start, end) = trim(self.bytes, from, to);
        Some(CellBounds { start, end, has_escape })
    }
}

impl Phase<'_, '_> {
    /// Turns the last line of the open paragraph into the header of a table if
    /// `line` is a delimiter row for it.
    pub(super) fn open_table(&mut self, line: &Line<'_>, indent: Indent) -> bool {
        let bytes = self.source.as_bytes();
        let paragraph_start = self.tape.records[self.state.text_idx].start as usize;
        // DIALECT(github): after a delimiter row that did not fit, cmark-gfm makes no table of the
        // paragraph.
        if self.state.misfit == Some(paragraph_start) && self.options.reading == Reading::CmarkGfm {
            return false;
        }
        let first_column = self.tape.alignments.len();
        for cell in Cells::new(bytes, indent.at, line.end) {
            let Some(alignment) = scan_alignment(&bytes[cell.start..cell.end]) else {
                self.tape.alignments.truncate(first_column);
                return false;
            };
            self.tape.alignments.push(alignment);
        }
        let n_columns = self.tape.alignments.len() - first_column;
        let mut header = self.tape.last_line(self.state.text_idx, bytes);
        self.scan_header(header, n_columns + 1);
        if n_columns == 0 || n_columns > MAX_COLUMNS || self.buffers.cells.len() != n_columns {
            self.tape.alignments.truncate(first_column);
            if n_columns > 0 {
                self.state.misfit = Some(paragraph_start);
            }
            return false;
        }
        if paragraph_start == header.0 && self.give_back_task() {
            header = self.tape.last_line(self.state.text_idx, bytes);
            self.scan_header(header, n_columns);
        }
        self.leave_definition_list();
        self.split_paragraph(header.0);
        let block = Block::Table { first_column: first_column as u32, n_columns: n_columns as u16 };
        self.push_leaf(Record::new(block, header.0, line.end));
        self.state.leaf = OpenLeaf::Table(OpenTable { n_columns });
        let cells = std::mem::take(&mut self.buffers.cells);
        self.push_row(header, RowKind::Header, cells.iter().copied());
        self.buffers.cells = cells;
        true
    }

    /// Finds the first `n_cells` cells of a line that may become a header.
    fn scan_header(&mut self, (start, end): (usize, usize), n_cells: usize) {
        self.buffers.cells.clear();
        self.buffers.cells.extend(Cells::new(self.source.as_bytes(), start, end).take(n_cells));
    }

    /// Ends the open paragraph before the line at `start`, which may be its
    /// first.
    fn split_paragraph(&mut self, start: usize) {
        let paragraph = self.tape.records[self.state.text_idx];
        if paragraph.start as usize == start {
            self.tape.records.truncate(self.state.text_idx);
            self.state.leaf = OpenLeaf::None;
        } else {
            self.tape.drop_last_line(self.state.text_idx, start as u32, self.source.as_bytes());
            self.close_leaf();
        }
    }

    /// Adds the line as a row, if it has cells and the budget of filled cells lasts.
    pub(super) fn add_row(&mut self, line: &Line<'_>, indent: Indent, table: OpenTable) -> bool {
        let row_idx = self.tape.records.len();
        let row = (indent.at, line.end);
        let cells = Cells::new(self.source.as_bytes(), row.0, row.1).take(table.n_columns);
        let n_cells = self.push_row(row, RowKind::Body, cells);
        let n_filled = self.state.n_filled_cells + table.n_columns - n_cells;
        let is_over = n_filled > line.end.max(MIN_FILLED);
        if n_cells == 0 || is_over {
            self.tape.at_limit |= is_over;
            self.tape.records.truncate(row_idx);
            return false;
        }
        self.state.n_filled_cells = n_filled;
        self.state.content_end = line.end;
        self.tape.records[self.state.leaf_idx].end = line.end as u32;
        true
    }

    /// Adds a row with these cells and returns their number.
    fn push_row(
        &mut self,
        (start, end): (usize, usize),
        kind: RowKind,
        cells: impl Iterator<Item = CellBounds>,
    ) -> usize {
        let header = kind == RowKind::Header;
        let row_end = self.trimmed_end(start, end);
        let row_idx =
            self.tape.push(Record::new(Block::Row { n_cells: 0, header }, start, row_end));
        for cell in cells {
            let record = Record::new(Block::Cell(Lines::SLICE), cell.start, cell.end);
            let idx = self.tape.push(record);
            if cell.has_escape {
                self.unescape_pipes(idx);
            }
        }
        let n_cells = self.tape.records.len() - row_idx - 1;
        self.tape.records[row_idx].block = Block::Row { n_cells: n_cells as u16, header };
        n_cells
    }

    /// Removes the backslash of each `\|` from the cell's text.
    fn unescape_pipes(&mut self, idx: usize) {
        let bytes = self.source.as_bytes();
        let (start, end) =
            (self.tape.records[idx].start as usize, self.tape.records[idx].end as usize);
        let mut piece = Segment::line(start, end);
        for at in start..end.saturating_sub(1) {
            if bytes[at..at + 2] == *b"\\|" {
                piece.end = at as u32;
                self.tape.add_segment(idx, bytes, piece);
                piece = Segment { start: at as u32 + 1, end: end as u32, lead: Lead::Glued };
            }
        }
        if piece.lead == Lead::Glued {
            self.tape.add_segment(idx, bytes, piece);
        }
    }

    pub(super) fn close_table(&mut self) {
        let idx = self.state.leaf_idx;
        self.tape.leave(idx as u32, self.tape.records[idx]);
    }
}
