//! Tables (GFM, "Tables (extension)").
//!
//! ```text
//! delimiter row = "|"? cell ("|" cell)* "|"?      cell = ":"? 1*"-" ":"?
//! row           = "|"? text ("|" text)* "|"?      "\|" is a pipe in text, always
//! ```
//!
//! A delimiter row after a paragraph makes the paragraph's last line the
//! header, if it has as many cells. Every line after it that starts no other
//! block is a row. Cells too many are dropped, cells too few are filled up.
//! Pipes split cells before anything else is looked at, code spans and escapes
//! included: a backslash before a pipe belongs to it, even in `\\|`.
//!
//! LINEAR: one pass over each line. The cells that filling up adds up to the end
//! of a row are no more than the bytes up to there (or [`MIN_FILLED`]); where there
//! would be more, the table ends, and what follows is text.

use barelink_text::find::{Pipe, Stops};

use super::line::{Indent, Line};
use super::tape::{Block, GLUED, HAS_LINES, Kind, SEGMENTED, VARIANT};
use super::{Leaf, Phase, Reading};

/// Columns that a table may have. A delimiter row with more is text.
const MAX_COLUMNS: usize = u16::MAX as usize;

/// Cells that filling up may always add in a document.
const MIN_FILLED: usize = 100_000;

/// How the cells of a column are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Alignment {
    /// As the style sheet says.
    #[default]
    None,
    /// `:--`
    Left,
    /// `:-:`
    Center,
    /// `--:`
    Right,
}

/// The open table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Table {
    n_columns: usize,
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

/// The alignment that a cell of a delimiter row asks for.
fn scan_alignment(cell: &[u8]) -> Option<Alignment> {
    // Here cmark-gfm takes a vertical tab for white space too.
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
#[derive(Clone, Copy)]
struct Cell {
    start: usize,
    end: usize,
    /// Whether there is a `\|` in it.
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
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
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
        Some(Cell { start, end, has_escape })
    }
}

impl Phase<'_, '_> {
    /// Turns the last line of the open paragraph into the header of a table if
    /// `line` is a delimiter row for it.
    pub(super) fn open_table(&mut self, line: &Line<'_>, indent: Indent) -> bool {
        let bytes = self.source.as_bytes();
        let paragraph_start = self.tape.blocks[self.leaf_idx].start as usize;
        // DIALECT(github): after a delimiter row that did not fit, cmark-gfm makes no table
        // of the paragraph.
        if self.misfit == Some(paragraph_start) && self.options.reading == Reading::CmarkGfm {
            return false;
        }
        let alignments_start = self.tape.alignments.len();
        for cell in Cells::new(bytes, indent.at, line.end) {
            let Some(alignment) = scan_alignment(&bytes[cell.start..cell.end]) else {
                self.tape.alignments.truncate(alignments_start);
                return false;
            };
            self.tape.alignments.push(alignment);
        }
        let n_columns = self.tape.alignments.len() - alignments_start;
        let (header_start, header_end) = self.tape.last_line(self.leaf_idx, bytes);
        let n_header = Cells::new(bytes, header_start, header_end).take(n_columns + 1).count();
        if n_columns == 0 || n_columns > MAX_COLUMNS || n_header != n_columns {
            self.tape.alignments.truncate(alignments_start);
            if n_columns > 0 {
                self.misfit = Some(paragraph_start);
            }
            return false;
        }
        if paragraph_start == header_start {
            self.give_back_task();
        }
        let (header_start, header_end) = self.tape.last_line(self.leaf_idx, bytes);
        self.split_paragraph(header_start);
        let mut table = Block::new(Kind::Table, header_start, line.end);
        table.data = alignments_start as u32;
        table.aux = n_columns as u16;
        self.leaf_idx = self.push_leaf(table);
        self.leaf = Leaf::Table(Table { n_columns });
        self.push_row(header_start, header_end, VARIANT, n_columns);
        true
    }

    /// Ends the open paragraph before the line at `start`, which may be its
    /// first.
    fn split_paragraph(&mut self, start: usize) {
        let paragraph = self.tape.blocks[self.leaf_idx];
        if paragraph.start as usize == start {
            self.tape.blocks.truncate(self.leaf_idx);
            self.leaf = Leaf::None;
        } else {
            self.tape.drop_last_line(self.leaf_idx, start as u32, self.source.as_bytes());
            self.close_leaf();
        }
    }

    /// Adds the line as a row, if it has cells and the budget lasts.
    pub(super) fn add_row(&mut self, line: &Line<'_>, indent: Indent, table: Table) -> bool {
        let row_idx = self.tape.blocks.len();
        let n_cells = self.push_row(indent.at, line.end, 0, table.n_columns);
        let n_filled = self.n_filled_cells + table.n_columns - n_cells;
        if n_cells == 0 || n_filled > line.end.max(MIN_FILLED) {
            self.tape.blocks.truncate(row_idx);
            return false;
        }
        self.n_filled_cells = n_filled;
        self.content_end = line.end;
        self.tape.blocks[self.leaf_idx].end = line.end as u32;
        true
    }

    /// Adds a row and returns how many cells it has.
    fn push_row(&mut self, start: usize, end: usize, flags: u8, n_columns: usize) -> usize {
        let bytes = self.source.as_bytes();
        let mut row = Block::new(Kind::Row, start, self.trimmed_end(start, end));
        row.flags = flags;
        let row_idx = self.tape.push(row);
        for (column, cell) in Cells::new(bytes, start, end).take(n_columns).enumerate() {
            let mut block = Block::new(Kind::Cell, cell.start, cell.end);
            block.aux = column as u16;
            block.flags = HAS_LINES;
            let idx = self.tape.push(block);
            if cell.has_escape {
                self.unescape_pipes(idx);
            }
        }
        let n_cells = self.tape.blocks.len() - row_idx - 1;
        self.tape.blocks[row_idx].data = n_cells as u32;
        n_cells
    }

    /// Leaves the backslash of each `\|` out of the cell's text.
    fn unescape_pipes(&mut self, idx: usize) {
        let bytes = self.source.as_bytes();
        let (start, end) =
            (self.tape.blocks[idx].start as usize, self.tape.blocks[idx].end as usize);
        let mut from = start;
        for at in start..end.saturating_sub(1) {
            if bytes[at..at + 2] == *b"\\|" {
                let pad = if from == start { 0 } else { GLUED };
                self.tape.add_segment(idx, from as u32, at as u32, pad);
                from = at + 1;
            }
        }
        if from > start {
            self.tape.add_segment(idx, from as u32, end as u32, GLUED);
        }
        debug_assert!(from == start || self.tape.blocks[idx].has(SEGMENTED));
    }
}
