//! The block phase: lines in, tape out (CommonMark, appendix "phase 1").
//!
//! Each line first continues the containers that are open (`container`), then
//! may open new ones and a leaf; what is left is text for the open leaf. This
//! file holds the order in which block starts are tried, and nothing of how
//! each is recognised.
//!
//! Most lines at the top level are settled by their first bytes: they are taken
//! together in [`Phase::plain_lines`] and never reach the general path.
//!
//! LINEAR: a line costs its own length plus the containers it closes, and each
//! container is closed once. See `container` for blank lines in deep nests and
//! `reference` for definitions.

pub(crate) mod alert;
mod code;
mod container;
mod footnote;
pub(crate) mod front_matter;
mod heading;
mod html;
mod leaf;
mod line;
mod list;
pub(crate) mod live;
mod reference;
pub(crate) mod table;
pub(crate) mod tape;
mod task;

use barelink_text::find::{Ahead, LineEnd, Slots};

use self::code::Fence;
use self::container::Container;
use self::line::{Indent, Line};
use self::tape::{Block, Kind, Tape};
use crate::options::{Options, Reading};
use crate::syntax::join::Joined;

/// Indentation that makes a line indented code, and no block start.
const CODE_INDENT: usize = 4;

/// What the first byte of a line, after indentation, can start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    /// Nothing: text.
    Text,
    /// Space or tab: the byte to judge by comes later.
    Blank,
    Quote,
    Atx,
    Fence,
    Html,
    /// `-` `*`: bullet or thematic break; `-` also a setext underline.
    Dash,
    /// `+`: bullet.
    Plus,
    /// `_`: thematic break.
    Underscore,
    /// `=`: setext underline.
    Equals,
    Digit,
    /// `|` `:`: delimiter row of a table.
    Pipe,
    /// `[`: footnote definition.
    Bracket,
}

/// [`Start`] for every byte.
const STARTS: [Start; 256] = {
    let mut starts = [Start::Text; 256];
    starts[b' ' as usize] = Start::Blank;
    starts[b'\t' as usize] = Start::Blank;
    starts[b'>' as usize] = Start::Quote;
    starts[b'#' as usize] = Start::Atx;
    starts[b'`' as usize] = Start::Fence;
    starts[b'~' as usize] = Start::Fence;
    starts[b'<' as usize] = Start::Html;
    starts[b'-' as usize] = Start::Dash;
    starts[b'*' as usize] = Start::Dash;
    starts[b'+' as usize] = Start::Plus;
    starts[b'_' as usize] = Start::Underscore;
    starts[b'=' as usize] = Start::Equals;
    starts[b'|' as usize] = Start::Pipe;
    starts[b':' as usize] = Start::Pipe;
    starts[b'[' as usize] = Start::Bracket;
    let mut digit = b'0';
    while digit <= b'9' {
        starts[digit as usize] = Start::Digit;
        digit += 1;
    }
    starts
};

/// The leaf block that takes the next text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Leaf {
    #[default]
    None,
    Paragraph,
    Fenced(Fence),
    /// With its text up to the last line that was not blank.
    Indented(tape::Snapshot),
    Html(html::End),
    Table(table::Table),
}

/// The block phase's working memory, kept from document to document.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    containers: Vec<Container>,
    /// Indices of the block quotes among `containers`.
    quotes: Vec<u32>,
    line_ends: Slots,
    /// Text of a paragraph with definitions, when it is not contiguous.
    joined: Joined,
}

/// Where a line starts and where it ends, before its line ending.
type Bounds = (usize, usize);

/// Where the lines end that are still to be read.
type LineEnds<'a> = Ahead<'a, 'a, LineEnd>;

/// The block phase over one source.
struct Phase<'s, 'b> {
    source: &'s str,
    options: &'b Options,
    tape: &'b mut Tape,
    buffers: &'b mut Buffers,
    leaf: Leaf,
    /// The record that text of the open leaf goes to.
    leaf_idx: usize,
    /// The line before was blank in a way that makes a list loose.
    after_blank: bool,
    /// End of the last thing that belongs to an open container.
    content_end: usize,
    /// A byte, and an offset up to which there is no thematic break of it.
    not_a_break: (u8, usize),
    /// Where the last paragraph starts that a delimiter row did not fit.
    misfit: Option<usize>,
    /// Cells that rows of tables lack, so far.
    n_filled_cells: usize,
    /// The first paragraph of a block quote that is an alert by it, while it
    /// is not known whether anything follows.
    alert_title: Option<Block>,
}

/// Reads `source` and writes its blocks to `tape`.
pub(crate) fn parse(source: &str, options: &Options, tape: &mut Tape, buffers: &mut Buffers) {
    tape.clear();
    let mut line_ends = std::mem::take(&mut buffers.line_ends);
    buffers.containers.clear();
    buffers.quotes.clear();
    let mut phase = Phase {
        source,
        options,
        tape,
        buffers,
        leaf: Leaf::None,
        leaf_idx: 0,
        after_blank: false,
        content_end: 0,
        not_a_break: (0, 0),
        misfit: None,
        n_filled_cells: 0,
        alert_title: None,
    };
    // A byte order mark is no part of the text.
    let mut start = if source.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    if options.front_matter
        && let Some((block, end)) = front_matter::scan(source, start)
    {
        phase.tape.push(block);
        start = end;
    }
    phase.lines(start, &mut Ahead::new(source.as_bytes(), start, &mut line_ends));
    phase.close_containers(0);
    buffers.line_ends = line_ends;
}

impl Phase<'_, '_> {
    fn lines(&mut self, mut start: usize, ends: &mut LineEnds<'_>) {
        let bytes = self.source.as_bytes();
        while let Some(mut end) = self.next_line_end(ends) {
            if self.buffers.containers.is_empty() {
                match self.plain_lines((start, end), ends) {
                    Some(line) => (start, end) = line,
                    None => return,
                }
            }
            self.line(start, end);
            start = end + 1;
            if bytes.get(start) == Some(&b'\n') && bytes[end] == b'\r' {
                start += 1;
                // The line feed is not the end of another line.
                ends.next();
            }
        }
        if start < bytes.len() {
            self.line(start, bytes.len());
        }
    }

    /// At the top level most lines are settled by their first bytes and the ones before:
    /// takes those from `line` on. Returns the first that has to be looked at; `None` at
    /// the end of the document.
    fn plain_lines(&mut self, line: Bounds, ends: &mut LineEnds<'_>) -> Option<Bounds> {
        let (mut start, mut end) = line;
        let bytes = self.source.as_bytes();
        // Lines that do not end in a line feed are looked at one by one.
        while bytes.get(end) == Some(&b'\n') {
            if let Leaf::Indented(_) = self.leaf {
                (start, end) = self.indented_lines((start, end), ends)?;
            }
            let is_text = start < end && self.is_text(bytes[start]);
            let leaf = self.leaf;
            (start, end) = match leaf {
                Leaf::None | Leaf::Paragraph if start == end => {
                    if self.is_in_paragraph() {
                        self.close_leaf();
                    }
                    self.after_blank = true;
                    self.next_line(end + 1, ends)?
                }
                Leaf::None if is_text => self.paragraph_lines((start, end), ends)?,
                Leaf::Indented(_) if is_text => {
                    self.close_leaf();
                    continue;
                }
                Leaf::Fenced(fence) if fence.is_content(&bytes[start..end]) => {
                    self.fenced_lines(fence, (start, end), ends)?
                }
                _ if self.plain_line(start, end) => self.next_line(end + 1, ends)?,
                _ => break,
            };
        }
        Some((start, end))
    }

    /// Takes a line at the top level that the open leaf takes whole, or that opens a leaf
    /// with its first byte. False if it does neither.
    fn plain_line(&mut self, start: usize, end: usize) -> bool {
        let mut line = Line::new(self.source.as_bytes(), start, end);
        match self.leaf {
            Leaf::Fenced(_) | Leaf::Html(_) => return self.take_line(&mut line),
            Leaf::None => {}
            _ => return false,
        }
        let indent = Indent { columns: 0, at: start };
        let opened = match STARTS[line.byte(start) as usize] {
            Start::Atx => self.open_atx_heading(&line, indent, 0),
            Start::Fence => self.open_fenced_code(&line, indent, 0),
            Start::Html => self.open_html(&line, indent, 0),
            Start::Blank if self.open_plain_code(&mut line) => true,
            _ => return false,
        };
        if !opened {
            self.open_paragraph(start, end);
        }
        self.after_blank = false;
        true
    }

    /// Where the line ends.
    #[inline]
    fn next_line_end(&mut self, ends: &mut LineEnds<'_>) -> Option<usize> {
        loop {
            let end = ends.next()?;
            if self.source.as_bytes()[end] != 0 {
                return Some(end);
            }
            self.tape.has_nul = true;
        }
    }

    /// The line from `start` on, when the lines before it were taken together. `None`
    /// at the end of the document.
    #[inline]
    fn next_line(&mut self, start: usize, ends: &mut LineEnds<'_>) -> Option<Bounds> {
        let len = self.source.len();
        match self.next_line_end(ends) {
            Some(end) => Some((start, end)),
            None => (start < len).then_some((start, len)),
        }
    }

    #[inline]
    fn line(&mut self, start: usize, end: usize) {
        if self.buffers.containers.is_empty() && matches!(self.leaf, Leaf::None | Leaf::Paragraph) {
            if start == end {
                self.close_leaf();
                self.after_blank = true;
                return;
            }
            if self.is_text(self.source.as_bytes()[start]) {
                return match self.leaf {
                    Leaf::Paragraph => self.continue_paragraph(start, end),
                    _ => self.open_paragraph(start, end),
                };
            }
        } else if !self.buffers.containers.is_empty() && self.next_item(start, end) {
            return;
        }
        self.general_line(Line::new(self.source.as_bytes(), start, end));
    }

    /// Whether a line at the top level that starts with `byte` starts no block.
    #[inline]
    fn is_text(&self, byte: u8) -> bool {
        match STARTS[byte as usize] {
            Start::Text => true,
            Start::Bracket => !self.options.footnotes,
            Start::Pipe => !self.options.tables,
            _ => false,
        }
    }

    /// A line that its first byte alone does not settle.
    #[inline(never)]
    fn general_line(&mut self, mut line: Line<'_>) {
        let matched = self.match_containers(&mut line);
        if matched == self.buffers.containers.len() && self.take_line(&mut line) {
            return;
        }
        let opened = match self.open_blocks(&mut line, matched) {
            Opened::Line => {
                self.after_blank = false;
                return;
            }
            Opened::Containers => true,
            Opened::Nothing => false,
        };
        let indent = line.indent();
        if indent.at >= line.end {
            return self.blank_line(opened, matched);
        }
        // SPEC: 4.8 and 5.1: text that could continue a paragraph does, even
        // where the line lacks the markers of its containers.
        if self.is_in_paragraph() && !opened {
            self.continue_paragraph(indent.at, line.end);
        } else if let Leaf::Table(table) = self.leaf
            && !opened
            && matched == self.buffers.containers.len()
            && self.add_row(&line, indent, table)
        {
        } else {
            if !opened {
                self.close_containers(matched);
            }
            self.open_paragraph(indent.at, line.end);
        }
        self.after_blank = false;
    }

    /// Offers the line to an open leaf that takes lines whole. True if taken.
    fn take_line(&mut self, line: &mut Line<'_>) -> bool {
        match self.leaf {
            Leaf::None | Leaf::Paragraph | Leaf::Table(_) => return false,
            Leaf::Fenced(fence) => {
                self.fenced_line(line, fence);
                self.after_blank = false;
            }
            Leaf::Indented(_) => return self.indented_line(line),
            Leaf::Html(end) => return self.html_line(line, end),
        }
        true
    }

    fn blank_line(&mut self, opened: bool, matched: usize) {
        if !opened {
            self.close_leaf();
            self.close_containers(matched);
        }
        // SPEC: 5.3: a blank line between items or their children makes a list
        // loose; `>` alone is not a blank line, nor is the line of a marker.
        let innermost = self.buffers.containers.last().map(|container| container.kind);
        self.after_blank = match innermost {
            Some(Kind::BlockQuote) => false,
            Some(Kind::Item) => !opened,
            _ => true,
        };
    }

    /// Tries block starts, in the order of precedence, until the rest of the
    /// line is text. `matched` containers go on, the others close as soon as
    /// anything opens.
    fn open_blocks(&mut self, line: &mut Line<'_>, matched: usize) -> Opened {
        let mut matched = matched;
        let mut opened = Opened::Nothing;
        loop {
            let indent = line.indent();
            if indent.at >= line.end {
                return opened;
            }
            let in_paragraph = self.is_in_paragraph();
            if indent.columns >= CODE_INDENT {
                if in_paragraph {
                    return opened;
                }
                self.close_containers(matched);
                self.open_indented_code(line);
                return Opened::Line;
            }
            // Whether the paragraph is the block this line continues, or only
            // could be continued lazily.
            let directly = in_paragraph && matched == self.buffers.containers.len();
            let start = STARTS[line.byte(indent.at) as usize];
            let container = match start {
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
                    if self.open_item(line, indent, matched, directly) =>
                {
                    true
                }
                Start::Bracket
                    if self.options.footnotes && self.open_footnote(line, indent, matched) =>
                {
                    true
                }
                // An underline may have found that the paragraph was definitions and is gone.
                Start::Pipe | Start::Dash
                    if self.options.tables
                        && directly
                        && self.is_in_paragraph()
                        && self.open_table(line, indent) =>
                {
                    false
                }
                _ => return opened,
            };
            if !container {
                return Opened::Line;
            }
            opened = Opened::Containers;
            matched = self.buffers.containers.len();
        }
    }

    fn is_in_paragraph(&self) -> bool {
        matches!(self.leaf, Leaf::Paragraph)
    }

    fn push_leaf(&mut self, block: Block) -> usize {
        self.begin_child();
        self.content_end = block.end as usize;
        self.tape.push(block)
    }
}

/// What [`Phase::open_blocks`] did with a line.
enum Opened {
    /// Nothing: the line is text, perhaps of a paragraph that goes on.
    Nothing,
    /// Containers; the rest of the line is still to be placed.
    Containers,
    /// A leaf that used up the line.
    Line,
}
