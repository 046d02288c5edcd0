//! Text for a terminal: its style, its line breaks, and its escaping.
//!
//! Text is a sequence of characters, each with its look. Control characters of the document are
//! replaced by visible ones, so the only escape sequences are those written here.

use std::fmt::Write as _;
use std::rc::Rc;

use clap::builder::styling::Style as Paint;
use unicode_width::UnicodeWidthChar as _;

use crate::visible::picture_on_page;

/// Whether to write escape sequences for looks and links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Ansi,
}

/// Ends a link.
const LINK_END: &str = "\x1B]8;;\x1B\\";

/// The style of text, and the target of its link.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) paint: Paint,
    pub(crate) target: Option<Rc<str>>,
}

/// The number of lines of a link that have its destination. On more, it would be repeated too
/// often.
const MAX_LINKED_LINES: usize = 8;

/// The destinations that are written among the lines of a text.
#[derive(Default)]
struct Targets {
    /// The destination of the last link, and the number of lines it was written on.
    last: Option<Rc<str>>,
    n_lines: usize,
}

impl Targets {
    /// Whether this line of the link may have its destination.
    fn allow(&mut self, target: &Rc<str>) -> bool {
        if !self.last.as_ref().is_some_and(|last| Rc::ptr_eq(last, target)) {
            *self = Self { last: Some(target.clone()), n_lines: 0 };
        }
        self.n_lines += 1;
        self.n_lines <= MAX_LINKED_LINES
    }
}

/// A character on the terminal.
#[derive(Debug, Clone, Copy)]
struct Cell {
    c: char,
    width: usize,
    look: usize,
}

/// Text in which each character has a look.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cells {
    cells: Vec<Cell>,
    looks: Vec<Look>,
}

impl Cells {
    /// Adds text; a line feed is a line break.
    pub(crate) fn push(&mut self, text: &str, look: &Look) {
        if self.looks.last() != Some(look) {
            self.looks.push(look.clone());
        }
        let look = self.looks.len() - 1;
        for c in text.chars() {
            if c == '\t' {
                let blank = Cell { c: ' ', width: 1, look };
                self.cells.extend([blank; 4]);
                continue;
            }
            let c = if c == '\n' { c } else { picture_on_page(c).unwrap_or(c) };
            let width = if c == '\n' { 0 } else { c.width().unwrap_or(0) };
            self.cells.push(Cell { c, width, look });
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether the characters after the first `len` are exactly `text`.
    pub(crate) fn ends_with(&self, len: usize, text: &str) -> bool {
        let added = self.cells.get(len..).unwrap_or_default();
        added.iter().map(|cell| cell.c).eq(text.chars())
    }

    /// Adds another text after this one.
    pub(crate) fn append(&mut self, other: &Self) {
        for part in other.cells.chunk_by(|a, b| a.look == b.look) {
            if let Some(look) = part.first().and_then(|cell| other.looks.get(cell.look)) {
                self.push(&part.iter().map(|cell| cell.c).collect::<String>(), look);
            }
        }
    }

    /// The width of the widest line.
    pub(crate) fn width(&self) -> usize {
        let lines = self.cells.split(|cell| cell.c == '\n');
        lines.map(width_of).max().unwrap_or(0)
    }

    /// Wraps the text to lines of at most `width` columns, each returned with its width. Lines
    /// break at spaces and beside wide characters, or anywhere if there is neither.
    ///
    /// LINEAR: at each break, no more than a line is looked at again. A destination is written once
    /// in a line, and on few lines.
    pub(crate) fn wrap(&self, width: usize, style: Style) -> Vec<(String, usize)> {
        let width = width.max(2);
        let mut lines = Vec::new();
        let mut targets = Targets::default();
        for mut line in self.cells.split(|cell| cell.c == '\n') {
            loop {
                let end = line_end(line, width);
                let (row, rest) = line.split_at(end);
                lines.push((self.paint(row, style, &mut targets), width_of(row)));
                if rest.is_empty() {
                    break;
                }
                let n_spaces = rest.iter().take_while(|cell| cell.c == ' ').count();
                line = &rest[n_spaces..];
            }
        }
        lines
    }

    fn paint(&self, row: &[Cell], style: Style, targets: &mut Targets) -> String {
        let mut out = String::new();
        if style == Style::Plain {
            out.extend(row.iter().map(|cell| cell.c));
            return out;
        }
        let mut target: Option<&Rc<str>> = None;
        let mut is_linked = false;
        for part in row.chunk_by(|a, b| a.look == b.look) {
            let look = part.first().and_then(|cell| self.looks.get(cell.look));
            let Some(look) = look else { continue };
            if target != look.target.as_ref() {
                if is_linked {
                    out.push_str(LINK_END);
                }
                target = look.target.as_ref();
                is_linked = target.is_some_and(|target| targets.allow(target));
                if let Some(target) = target.filter(|_| is_linked) {
                    // A string takes everything.
                    let _ = write!(out, "\x1B]8;;{target}\x1B\\");
                }
            }
            let _ = write!(out, "{}", look.paint);
            out.extend(part.iter().map(|cell| cell.c));
            let _ = write!(out, "{:#}", look.paint);
        }
        if is_linked {
            out.push_str(LINK_END);
        }
        out
    }
}

fn width_of(row: &[Cell]) -> usize {
    row.iter().map(|cell| cell.width).sum()
}

/// The end of the first line that fits into `width`.
fn line_end(line: &[Cell], width: usize) -> usize {
    let mut used = 0;
    let mut good = None;
    for (at, cell) in line.iter().enumerate() {
        if cell.c == ' ' || at > 0 && cell.width == 2 {
            good = Some(at);
        }
        used += cell.width;
        if used > width {
            return good.filter(|good| *good > 0).unwrap_or(at.max(1));
        }
        if cell.width == 2 {
            good = Some(at + 1);
        }
    }
    line.len()
}
