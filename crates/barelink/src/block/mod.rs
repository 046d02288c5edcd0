//! The block phase: lines in, tape out (CommonMark, appendix "phase 1").
//!
//! There is one general path that every line can take, [`Phase::line`]:
//!
//! ```text
//! match_containers   skip the markers of the open containers that the line continues
//! take_line          code and HTML blocks take the rest of the line as it is
//! open_blocks        open containers, and perhaps a leaf that consumes the line
//! place_text         the rest is blank, continues a paragraph or table, or starts a paragraph
//! ```
//!
//! This file defines the order in which block starts are tried, and what may precede the text of a
//! paragraph. How a block is recognized is in the file of its construct. The state of the path
//! between two lines is a [`State`]; its result is a [`Tape`].
//!
//! Most lines are simple, and `accelerate` takes those on fast paths. Their result is always that
//! of the general path: debug builds compare the two.
//!
//! LINEAR: a line costs its own length plus the containers it closes, and each container is closed
//! once. See `container` for blank lines in deep nesting and `reference` for definitions.

mod accelerate;
mod alert;
pub(crate) mod code;
mod container;
mod definition_list;
mod footnote;
pub(crate) mod front_matter;
pub(crate) mod frontier;
mod heading;
pub(crate) mod html;
mod leaf;
mod line;
mod list;
pub(crate) mod live;
mod reference;
mod source_lines;
mod start;
mod state;
mod table;
mod task;
#[cfg(test)]
mod tests;
mod undo;

use barelink_text::find::{Slots, fold_lines};

use self::container::{Container, ContainerKind};
use self::line::Line;
use self::source_lines::{Bounds, SourceLines};
use self::start::Start;
use self::state::{OpenLeaf, State};
use crate::options::{Options, Reading};
use crate::tape::folded::Folded;
use crate::tape::join::Joined;
use crate::tape::pieces::Lines;
use crate::tape::{Block, Record, Tape};

/// Indentation that makes a line indented code rather than a block start.
const CODE_INDENT: usize = 4;

/// The block phase's working memory, reused from document to document.
#[derive(Debug, Default)]
pub(crate) struct BlockBuffers {
    containers: Vec<Container>,
    /// Indices of the block quotes among `containers`.
    quotes: Vec<u32>,
    line_ends: Slots,
    /// Text of a paragraph with definitions, when it is not contiguous.
    joined: Joined,
    /// The cells of a line that may become the header of a table.
    cells: Vec<table::CellBounds>,
}

/// The block phase over one source.
struct Phase<'s, 'b> {
    source: &'s str,
    options: &'b Options,
    tape: &'b mut Tape,
    buffers: &'b mut BlockBuffers,
    state: State,
}

/// Reads `source` and writes its blocks to `tape`.
pub(crate) fn parse(source: &str, options: &Options, tape: &mut Tape, buffers: &mut BlockBuffers) {
    if accelerate::accelerate_message(source, tape) {
        #[cfg(debug_assertions)]
        accelerate::compare(source, options, tape);
    } else {
        parse_lines(source, LineEnds::InSource, options, tape, buffers);
    }
}

/// Like [`parse`], for a source in which every line ends in CRLF; returns false for any other. The
/// tape refers to `folded`, which becomes the source with line feeds instead.
pub(crate) fn parse_folded(
    source: &str,
    folded: &mut String,
    options: &Options,
    tape: &mut Tape,
    buffers: &mut BlockBuffers,
) -> bool {
    let is_folded = fold_lines(source, folded, &mut buffers.line_ends);
    if is_folded {
        parse_lines(folded, LineEnds::Listed, options, tape, buffers);
    }
    is_folded
}

/// What is known about line ends.
#[derive(Clone, Copy)]
enum LineEnds {
    /// Nothing: they are looked for.
    InSource,
    /// All of them are listed in [`BlockBuffers::line_ends`].
    Listed,
}

fn parse_lines(
    source: &str,
    ends: LineEnds,
    options: &Options,
    tape: &mut Tape,
    buffers: &mut BlockBuffers,
) {
    let mut line_ends = std::mem::take(&mut buffers.line_ends);
    let mut folded = std::mem::take(&mut tape.folded);
    let mut phase = Phase::new(source, options, tape, buffers);
    let start = phase.start();
    let mut lines = match ends {
        LineEnds::InSource if folded.fold(source, &mut line_ends) => {
            SourceLines::crlf(source.as_bytes(), start, &mut line_ends)
        }
        LineEnds::InSource => SourceLines::new(source.as_bytes(), start, &mut line_ends),
        LineEnds::Listed => SourceLines::listed(source.as_bytes(), start, &mut line_ends),
    };
    phase.lines(&mut lines);
    phase.close_containers(0);
    folded.take_list(&mut line_ends);
    buffers.line_ends = line_ends;
    #[cfg(debug_assertions)]
    accelerate::compare(source, options, tape);
    tape.folded = folded;
}

impl<'s, 'b> Phase<'s, 'b> {
    /// Makes a phase at the start of a document.
    fn new(
        source: &'s str,
        options: &'b Options,
        tape: &'b mut Tape,
        buffers: &'b mut BlockBuffers,
    ) -> Self {
        tape.clear();
        buffers.containers.clear();
        buffers.quotes.clear();
        Self { source, options, tape, buffers, state: State::default() }
    }

    /// Skips what precedes the first line, and returns the start of that line.
    fn start(&mut self) -> usize {
        let source = self.source;
        // A byte order mark is not part of the text.
        let start = if source.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        if self.options.front_matter
            && let Some((record, end)) = front_matter::scan(source, start)
        {
            self.tape.push(record);
            return end;
        }
        start
    }

    fn lines(&mut self, lines: &mut SourceLines<'_, '_>) {
        while let Some(line) = self.next_line(lines) {
            let Some(line) = self.accelerate(line, lines) else { return };
            self.line(line);
        }
    }

    #[inline]
    fn next_line(&mut self, lines: &mut SourceLines<'_, '_>) -> Option<Bounds> {
        let line = lines.next();
        // A paragraph that holds a NUL may be read before the document ends.
        self.tape.has_nul |= lines.has_nul;
        line
    }

    /// The general path for any line. (`accelerate` only takes shortcuts.)
    #[inline(never)]
    fn line(&mut self, bounds: Bounds) {
        let mut line = Line::new(self.source.as_bytes(), bounds.start, bounds.end);
        let matched = self.match_containers(&mut line);
        if matched == self.buffers.containers.len() && self.take_line(&mut line) {
            return;
        }
        match self.open_blocks(&mut line, matched) {
            Opened::Line => self.state.after_blank = false,
            Opened::Containers => self.place_text(&mut line, None),
            Opened::Nothing => self.place_text(&mut line, Some(matched)),
        }
    }

    /// Offers the line to an open leaf that takes lines whole. True if taken.
    fn take_line(&mut self, line: &mut Line<'_>) -> bool {
        match self.state.leaf {
            OpenLeaf::None | OpenLeaf::Paragraph | OpenLeaf::Table(_) => return false,
            OpenLeaf::Fenced(fence) => {
                self.fenced_line(line, fence);
                self.state.after_blank = false;
            }
            OpenLeaf::Indented(_) => return self.indented_line(line),
            OpenLeaf::Html(end) => return self.html_line(line, end),
        }
        true
    }

    /// Tries block starts, in the order of precedence, until the rest of the line is text. The line
    /// continues `matched` containers; the others close as soon as a block opens.
    fn open_blocks(&mut self, line: &mut Line<'_>, matched: usize) -> Opened {
        let mut matched = matched;
        let mut opened = Opened::Nothing;
        loop {
            let indent = line.indent();
            if indent.at >= line.end {
                return opened;
            }
            let in_paragraph = self.state.is_in_paragraph();
            if indent.columns >= CODE_INDENT {
                if in_paragraph {
                    return opened;
                }
                self.close_containers(matched);
                self.open_indented_code(line);
                return Opened::Line;
            }
            // Whether the line continues the paragraph itself, rather than only lazily.
            let directly = in_paragraph && matched == self.buffers.containers.len();
            let interrupts = if directly { Interrupts::Paragraph } else { Interrupts::Nothing };
            let is_container = match Start::of(line.byte(indent.at)) {
                Start::Quote => {
                    self.close_containers(matched);
                    self.open_quote(line, indent);
                    true
                }
                Start::Atx if self.open_atx_heading(line, indent, matched) => false,
                Start::Fence if self.open_fenced_code(line, indent, matched) => false,
                Start::Html if self.open_html(line, indent, matched) => false,
                Start::Equals | Start::Dash
                    if directly && self.open_setext_heading(line, indent) =>
                {
                    false
                }
                Start::Dash | Start::Underscore if self.open_break(line, indent, matched) => false,
                Start::Dash | Start::Plus | Start::Digit
                    if self.open_item(line, indent, matched, interrupts) =>
                {
                    true
                }
                Start::Bracket
                    if self.options.footnotes && self.open_footnote(line, indent, matched) =>
                {
                    true
                }
                // The line may have looked like an underline, but the paragraph was only
                // definitions and is gone.
                Start::Pipe | Start::Colon | Start::Dash
                    if self.options.tables
                        && directly
                        && self.state.is_in_paragraph()
                        && self.open_table(line, indent) =>
                {
                    false
                }
                // A delimiter row has been tried above.
                Start::Colon
                    if self.options.definition_lists
                        && self.open_details(line, indent, matched) =>
                {
                    true
                }
                // The line does not start what its first byte can start.
                Start::Text
                | Start::Blank
                | Start::Atx
                | Start::Fence
                | Start::Html
                | Start::Dash
                | Start::Plus
                | Start::Underscore
                | Start::Equals
                | Start::Digit
                | Start::Pipe
                | Start::Colon
                | Start::Bracket => return opened,
            };
            if !is_container {
                return Opened::Line;
            }
            opened = Opened::Containers;
            matched = self.buffers.containers.len();
        }
    }

    /// Handles the rest of a line, which is blank or text. The line continues `matched` containers;
    /// `None` if it opened new ones.
    fn place_text(&mut self, line: &mut Line<'_>, matched: Option<usize>) {
        let indent = line.indent();
        if indent.at >= line.end {
            return self.blank_line(matched);
        }
        let is_direct = matched == Some(self.buffers.containers.len());
        // SPEC: 4.8 and 5.1: text that could continue a paragraph does, even
        // where the line lacks the markers of its containers.
        if self.state.is_in_paragraph() && matched.is_some() {
            self.continue_paragraph(indent.at, line.end);
        } else if let OpenLeaf::Table(table) = self.state.leaf
            && is_direct
            && self.add_row(line, indent, table)
        {
        } else {
            if let Some(matched) = matched {
                self.close_containers(matched);
            }
            self.open_paragraph(indent.at, line.end);
        }
        self.state.after_blank = false;
    }

    /// Opens a paragraph whose first line has the text `start..end`, not blank. The marker of a task
    /// precedes anything else.
    #[inline]
    fn open_paragraph(&mut self, start: usize, end: usize) {
        let start = if self.options.task_lists { self.take_task(start, end) } else { start };
        if start == end {
            // A task without text.
            return;
        }
        self.push_leaf(Record::new(Block::Paragraph(Lines::SLICE), start, end));
        self.state.leaf = OpenLeaf::Paragraph;
        self.state.after_blank = false;
    }

    /// Removes what may precede a paragraph's text from the open one, which is about to close. If
    /// nothing is left of it, the paragraph is gone, and the result is false.
    #[inline]
    fn take_prefixes(&mut self) -> bool {
        let start = self.tape.records[self.state.text_idx].start as usize;
        self.source.as_bytes()[start] != b'[' || self.take_prefixes_from(start)
    }

    /// The prefixes, in the order of precedence: the title of an alert, then definitions.
    #[inline(never)]
    fn take_prefixes_from(&mut self, start: usize) -> bool {
        if !self.may_define(start) {
            return true;
        }
        let leaf_idx = self.state.text_idx;
        let mut paragraph = self.tape.records[leaf_idx];
        let mut joined = std::mem::take(&mut self.buffers.joined);
        let loaded = joined.load(self.source, self.tape, paragraph.span(), paragraph.lines());
        let no_copy = Folded::default();
        let text = joined.view(self.source, &no_copy, loaded);
        // The paragraph's record is the last one: definitions go before it.
        self.tape.records.truncate(leaf_idx);
        let at = self.take_alert_title(paragraph, &text).unwrap_or(text.start);
        let at = self.take_definitions(&text, at);
        let is_left = at < text.end;
        if is_left {
            if at > text.start {
                self.tape.drop_before(&mut paragraph, text.source_offset(at));
            }
            self.state.text_idx = self.tape.push(paragraph);
            self.state.leaf_idx = self.state.text_idx;
        } else {
            self.state.leaf = OpenLeaf::None;
        }
        self.buffers.joined = joined;
        is_left
    }

    /// Handles a blank line, or one with nothing but markers.
    fn blank_line(&mut self, matched: Option<usize>) {
        if let Some(matched) = matched {
            self.close_leaf();
            self.close_containers(matched);
        }
        // SPEC: 5.3: a blank line between items or their children makes a list loose; `>` alone is
        // not a blank line, nor is the line of a marker.
        let innermost = self.buffers.containers.last().map(|container| container.kind);
        self.state.after_blank = match innermost {
            Some(ContainerKind::BlockQuote) => false,
            Some(ContainerKind::Item | ContainerKind::Details) => matched.is_some(),
            Some(
                ContainerKind::List
                | ContainerKind::DefinitionList
                | ContainerKind::FootnoteDefinition,
            )
            | None => true,
        };
    }

    #[inline]
    fn push_leaf(&mut self, record: Record) {
        if !self.is_possible_term(&record) {
            self.begin_child();
        }
        self.state.content_end = record.end as usize;
        let idx = self.tape.push(record);
        self.state.leaf_idx = idx;
        self.state.text_idx = idx;
    }
}

/// What a block that starts on a line would interrupt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interrupts {
    /// The paragraph that the line would continue otherwise.
    Paragraph,
    Nothing,
}

/// What [`Phase::open_blocks`] did with a line.
enum Opened {
    /// Nothing: the line is text, perhaps of the open paragraph.
    Nothing,
    /// Containers; the rest of the line is still to be placed.
    Containers,
    /// A leaf that consumed the line.
    Line,
}
