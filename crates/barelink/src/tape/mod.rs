//! The block tape: the result of the block phase, as flat records in document order.
//!
//! A container has an enter record and an [`Exit`](Block::Exit); so does a table, with a row and
//! its cells for each line between them. A leaf has one record; a heading is followed by its text,
//! a code block by its info string and its code, because the span of such a block differs from that
//! of its text. [`Block::role`] tells for every kind of record which of these it is.
//!
//! ```text
//! - a         List            0..13
//!   b         Item            0..7
//! - ```       Paragraph       2..7   two pieces: 2..3 and 6..7
//!             Exit of Item    0..7
//!             Item            8..13
//!             Code           10..13
//!             Info           13..13
//!             CodeText       13..13   no lines yet
//!             Exit of Item    8..13
//!             Exit of List    0..13
//! ```
//!
//! Two bytes may enter a list and an item, and so make two records. So that leaving these makes
//! only one, an exit record leaves a list together with its only item. If many containers close at
//! once, it leaves all of those whose enter records are adjacent.
//!
//! Later lines patch earlier records by index: the end of a container, the looseness of a list, a
//! paragraph that becomes a heading. There is no tree and no allocation per node. How the text of a
//! leaf is laid out in the source is the subject of `pieces`.

pub(crate) mod folded;
pub(crate) mod join;
pub(crate) mod pieces;

use std::iter::Rev;
use std::num::NonZeroU32;
use std::ops::Range;

use barelink_text::Span;

use self::folded::Folded;
use self::pieces::{Layout, Lines, Pieces, PiecesMark, Segment};
use crate::event::{AlertKind, Alignment, FrontMatter};
use crate::memory::PushSparingly as _;
use crate::syntax::footnotes::Footnotes;
use crate::syntax::references::References;

/// A block, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Block {
    /// Enter a block quote, which may be an alert.
    Quote { alert: Option<AlertKind> },
    /// Enter a list. `number` is that of its first item, if it is ordered.
    List { number: Option<ListNumber>, loose: bool },
    /// Enter a list item. `task` is whether it is done, if it is a task.
    Item { task: Option<bool> },
    /// Enter a definition list, of terms and their details.
    DefinitionList { loose: bool },
    /// A term of a definition list; its span is its text.
    Term(Lines),
    /// Enter the details of the preceding terms.
    Details,
    /// Enter a footnote definition, with its number in [`Tape::footnotes`]. A later one with the
    /// same label is a duplicate and not displayed.
    FootnoteDefinition { number: u32, duplicate: bool },
    /// Enter a table. The alignments of its columns start at `first_column` in
    /// [`Tape::alignments`].
    Table { first_column: u32, n_columns: u16 },
    /// Leave `n` nested containers whose enter records are adjacent; `enter` is that of the
    /// innermost, which is the last of them.
    Exit { enter: u32, n: u16 },
    /// A row of a table, followed by its cells. Cells may be missing at the end.
    Row { n_cells: u16, header: bool },
    /// A cell; its span is its text.
    Cell(Lines),
    /// A paragraph; its span is its text.
    Paragraph(Lines),
    /// A heading; its text follows, and possibly attributes.
    Heading { level: u8, has_attributes: bool },
    /// The text of the preceding heading.
    HeadingText(Lines),
    /// The attributes of the preceding heading; its span is the text between the braces.
    HeadingAttributes,
    /// A code block; its info string and its code follow.
    Code { fenced: bool },
    /// The info string of the preceding code block.
    Info,
    /// The text of the preceding code block.
    CodeText(Lines),
    /// An HTML block; its span is its text.
    Html(Lines),
    /// A thematic break.
    ThematicBreak,
    /// A link reference definition, by its number in [`Tape::references`].
    Definition { number: u32 },
    /// Front matter.
    FrontMatter(FrontMatter),
}

/// The role of a record in a walk over the tape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Enters a container, which an [`Exit`](Block::Exit) leaves.
    Enter,
    /// Leaves this many containers.
    Exit(u16),
    /// A separate block with inline text.
    Text(Lines),
    /// A separate block without inline text.
    Leaf,
    /// Part of an earlier record's block, with inline text.
    PartText(Lines),
    /// Part of an earlier record's block.
    Part,
}

impl Block {
    #[inline]
    pub(crate) fn role(self) -> Role {
        match self {
            Self::Quote { .. }
            | Self::List { .. }
            | Self::Item { .. }
            | Self::DefinitionList { .. }
            | Self::Details
            | Self::FootnoteDefinition { .. }
            | Self::Table { .. } => Role::Enter,
            Self::Exit { n, .. } => Role::Exit(n),
            Self::Paragraph(lines) | Self::Term(lines) => Role::Text(lines),
            Self::HeadingText(lines) | Self::Cell(lines) => Role::PartText(lines),
            Self::HeadingAttributes | Self::Info | Self::CodeText(_) | Self::Row { .. } => {
                Role::Part
            }
            Self::Heading { .. }
            | Self::Code { .. }
            | Self::Html(_)
            | Self::ThematicBreak
            | Self::Definition { .. }
            | Self::FrontMatter(_) => Role::Leaf,
        }
    }

    /// The lines of its text, if that is inline text.
    #[inline]
    pub(crate) fn inline_lines(self) -> Option<Lines> {
        match self.role() {
            Role::Text(lines) | Role::PartText(lines) => Some(lines),
            Role::Enter | Role::Exit(_) | Role::Leaf | Role::Part => None,
        }
    }
}

/// The number that an ordered list starts with. (Stored plus one, so that an `Option` of it is no
/// larger. It has at most nine digits.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ListNumber(NonZeroU32);

impl ListNumber {
    pub(crate) fn new(number: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(number))
    }

    pub(crate) fn get(self) -> u32 {
        self.0.get() - 1
    }
}

/// A record of the tape: a block and its span in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) block: Block,
}

// The tape is written and read once for each document: half the size is half the memory traffic.
const _: () = assert!(size_of::<Record>() == 16);

impl Record {
    #[inline]
    pub(crate) fn new(block: Block, start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32, block }
    }

    /// The enter records of the containers that this exit leaves, innermost first. Other records
    /// leave none.
    #[inline]
    pub(crate) fn left(&self) -> Rev<Range<usize>> {
        let left = match self.block {
            Block::Exit { enter, n } => (enter + 1 - u32::from(n)) as usize..enter as usize + 1,
            _ => 0..0,
        };
        left.rev()
    }

    #[inline]
    pub(crate) fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    /// The layout of its text's lines in the source.
    #[inline]
    pub(crate) fn lines(&self) -> Lines {
        match self.block {
            Block::Paragraph(lines)
            | Block::Term(lines)
            | Block::HeadingText(lines)
            | Block::CodeText(lines)
            | Block::Html(lines)
            | Block::Cell(lines) => lines,
            Block::Quote { .. }
            | Block::List { .. }
            | Block::Item { .. }
            | Block::DefinitionList { .. }
            | Block::Details
            | Block::FootnoteDefinition { .. }
            | Block::Table { .. }
            | Block::Exit { .. }
            | Block::Row { .. }
            | Block::Heading { .. }
            | Block::HeadingAttributes
            | Block::Code { .. }
            | Block::Info
            | Block::ThematicBreak
            | Block::Definition { .. }
            | Block::FrontMatter(_) => Lines::SLICE,
        }
    }

    #[inline]
    pub(crate) fn lines_mut(&mut self) -> Option<&mut Lines> {
        match &mut self.block {
            Block::Paragraph(lines)
            | Block::Term(lines)
            | Block::HeadingText(lines)
            | Block::CodeText(lines)
            | Block::Html(lines)
            | Block::Cell(lines) => Some(lines),
            Block::Quote { .. }
            | Block::List { .. }
            | Block::Item { .. }
            | Block::DefinitionList { .. }
            | Block::Details
            | Block::FootnoteDefinition { .. }
            | Block::Table { .. }
            | Block::Exit { .. }
            | Block::Row { .. }
            | Block::Heading { .. }
            | Block::HeadingAttributes
            | Block::Code { .. }
            | Block::Info
            | Block::ThematicBreak
            | Block::Definition { .. }
            | Block::FrontMatter(_) => None,
        }
    }

    /// The layout of its text in the source.
    #[inline]
    pub(crate) fn layout(&self) -> Layout {
        self.lines().layout
    }
}

/// Whether two spans neither overlap nor touch.
#[inline]
pub(crate) fn is_apart(one: Span, two: Span) -> bool {
    one.end < two.start || two.end < one.start
}

/// The text of a record at some point of the block phase. See [`Tape::snapshot`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Snapshot {
    end: u32,
    n_segments: u32,
    lines: Lines,
}

impl Snapshot {
    /// The end of the text.
    pub(crate) fn end(self) -> u32 {
        self.end
    }
}

/// The block phase's result.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Tape {
    pub(crate) records: Vec<Record>,
    pieces: Pieces,
    pub(crate) references: References,
    pub(crate) footnotes: Footnotes,
    /// The alignments of the columns of all tables.
    pub(crate) alignments: Vec<Alignment>,
    /// The source with line feeds, if its lines end in CRLF.
    pub(crate) folded: Folded,
    /// Whether the source contains a NUL, which is displayed as U+FFFD.
    pub(crate) has_nul: bool,
    /// Whether a limit that depends on offsets was reached.
    pub(crate) at_limit: bool,
}

impl Tape {
    pub(crate) fn clear(&mut self) {
        self.records.clear();
        self.pieces.clear();
        self.references.clear();
        self.footnotes.clear();
        self.alignments.clear();
        self.folded.clear();
        self.has_nul = false;
        self.at_limit = false;
    }

    #[inline]
    pub(crate) fn push(&mut self, record: Record) -> usize {
        self.records.push_sparingly(record);
        self.records.len() - 1
    }

    /// Leaves the container with the enter record `entered` at index `enter`.
    #[inline]
    pub(crate) fn leave(&mut self, enter: u32, entered: Record) {
        self.push(Record { block: Block::Exit { enter, n: 1 }, ..entered });
    }

    /// Like [`Tape::leave`], for a container that encloses the one left last: extends the last exit
    /// record, if the enter records are adjacent.
    #[inline]
    pub(crate) fn leave_too(&mut self, enter: u32, entered: Record) {
        match self.records.last_mut() {
            Some(Record { start, end, block: Block::Exit { enter: innermost, n } })
                if enter + u32::from(*n) == *innermost && *n < u16::MAX =>
            {
                (*start, *end) = (entered.start, entered.end);
                *n += 1;
            }
            _ => self.leave(enter, entered),
        }
    }

    /// Marks a list as loose.
    pub(crate) fn loosen(&mut self, list_idx: usize) {
        if let Block::List { loose, .. } | Block::DefinitionList { loose } =
            &mut self.records[list_idx].block
        {
            *loose = true;
        }
    }

    /// Whether the last record is a paragraph: then it is the last block, and in the innermost open
    /// container.
    #[inline]
    pub(crate) fn ends_with_paragraph(&self) -> bool {
        matches!(self.records.last(), Some(Record { block: Block::Paragraph(_), .. }))
    }

    /// The record of the block that the text of record `idx` is part of: a code block, a heading or
    /// a row. `None` if the text is a separate block.
    pub(crate) fn whole_of(&self, idx: usize) -> Option<usize> {
        let is_whole: fn(Block) -> bool = match self.records[idx].block {
            Block::CodeText(_) => |block| matches!(block, Block::Code { .. }),
            Block::HeadingText(_) => |block| matches!(block, Block::Heading { .. }),
            Block::Cell(_) => |block| matches!(block, Block::Row { .. }),
            _ => return None,
        };
        // LINEAR: only parts of the same block are between.
        self.records[..idx].iter().rposition(|record| is_whole(record.block))
    }

    /// The pieces of a text with this layout; `None` if it is one slice.
    #[inline]
    pub(crate) fn segments(&self, layout: Layout) -> Option<&[Segment]> {
        match layout {
            Layout::Pieces(idx) => Some(self.pieces.get(idx)),
            _ => None,
        }
    }

    /// Adds a line to the text of record `idx`, the last text that was added to.
    #[inline]
    pub(crate) fn add_line(&mut self, idx: usize, source: &[u8], line: Segment) {
        let record = &mut self.records[idx];
        let text_end = record.end as usize;
        let Some(lines) = record.lines_mut() else { return };
        match lines.layout {
            Layout::NoLines => {
                lines.layout = Layout::Slice;
                record.start = line.start;
                record.end = line.end;
                if line.is_plain() {
                    return;
                }
            }
            Layout::Slice | Layout::Crlf if line.is_plain() => {
                let ending = source.get(text_end..line.start as usize);
                if ending == Some(b"\n") || ending == Some(b"\r\n") {
                    if ending == Some(b"\r\n") {
                        lines.layout = Layout::Crlf;
                    }
                    record.end = line.end;
                    return;
                }
            }
            _ => {}
        }
        self.add_segment(idx, source, line);
    }

    /// Adds a piece to the text of record `idx`, the last text that was added to.
    #[inline]
    pub(crate) fn add_segment(&mut self, idx: usize, source: &[u8], line: Segment) {
        let record = &mut self.records[idx];
        let span = record.span();
        let Some(lines) = record.lines_mut() else { return };
        if let Layout::Pieces(pieces) = lines.layout {
            self.pieces.add(pieces, line);
        } else {
            // The contiguous text so far comes first, unless this line itself is the first.
            let before = if span.start == line.start { None } else { Some(span) };
            lines.layout = Layout::Pieces(self.pieces.open(before, lines.layout, source));
            self.pieces.add_last(line);
        }
        record.end = line.end;
    }

    /// Adds lines, each as a piece, to the text of record `idx`, which has some and is the last
    /// text that was added to, until `next` returns `None`. Returns the text up to the last added
    /// line that is not empty, if any.
    #[inline]
    pub(crate) fn add_pieces(
        &mut self,
        idx: usize,
        source: &[u8],
        next: impl FnMut() -> Option<Segment>,
    ) -> Option<Snapshot> {
        let record = &mut self.records[idx];
        let span = record.span();
        let lines = record.lines_mut()?;
        let pieces = match lines.layout {
            Layout::Pieces(pieces) => pieces,
            layout => self.pieces.open(Some(span), layout, source),
        };
        lines.layout = Layout::Pieces(pieces);
        let lines = *lines;
        let kept = self.pieces.add_all(pieces, next);
        record.end = self.pieces.get(pieces).last().map_or(span.end, |last| last.end);
        let (n_segments, end) = kept?;
        Some(Snapshot { end, n_segments, lines })
    }

    /// The current text of `idx`, the record added to last.
    pub(crate) fn snapshot(&self, idx: usize) -> Snapshot {
        let record = &self.records[idx];
        let n_segments = self.pieces.n_segments();
        Snapshot { end: record.end, lines: record.lines(), n_segments }
    }

    /// Undoes what was added to `idx` since the snapshot.
    pub(crate) fn restore(&mut self, idx: usize, snapshot: Snapshot) {
        let Snapshot { end, lines, n_segments } = snapshot;
        let record = &mut self.records[idx];
        self.pieces.truncate(record.layout(), lines.layout, n_segments);
        record.end = end;
        if let Some(now) = record.lines_mut() {
            *now = lines;
        }
    }

    /// Drops the lines before offset `start` from the text of a record that is currently off the
    /// tape, and was added to last.
    pub(crate) fn drop_before(&mut self, record: &mut Record, start: u32) {
        if let Layout::Pieces(pieces) = record.layout()
            && let Some(lines) = record.lines_mut()
        {
            lines.layout = Layout::Pieces(self.pieces.after(pieces, start));
        }
        record.start = start;
    }

    /// Saves the text of `leaf`, the record added to last, as far as a line can change it. `kept`
    /// is the part of indented code that stays if it ends here.
    pub(crate) fn note_text(
        &self,
        leaf: Option<&Record>,
        kept: Option<Snapshot>,
        to: &mut PiecesMark,
    ) {
        let n_kept = kept.map_or(u32::MAX, |kept| kept.n_segments);
        self.pieces.note(leaf.map_or(Layout::Slice, Record::layout), n_kept as usize, to);
    }

    /// Restores the pieces to their state at the mark.
    pub(crate) fn take_back_text(&mut self, mark: &PiecesMark) {
        self.pieces.take_back(mark);
    }

    /// The bounds of the last line of `idx`, the record added to last.
    pub(crate) fn last_line(&self, idx: usize, source: &[u8]) -> (usize, usize) {
        let record = &self.records[idx];
        let text = self.segments(record.layout()).and_then(<[Segment]>::last);
        let (start, end) = text.map_or((record.start, record.end), |last| (last.start, last.end));
        let (start, end) = (start as usize, end as usize);
        let line = memchr::memrchr(b'\n', &source[start..end]).map_or(start, |at| start + at + 1);
        (line, end)
    }

    /// Removes the last line, which starts at `start` and is not the only one, from `idx`, the
    /// record added to last.
    pub(crate) fn drop_last_line(&mut self, idx: usize, start: u32, source: &[u8]) {
        let record = &mut self.records[idx];
        record.end = match record.layout() {
            Layout::Pieces(pieces) => self.pieces.drop_last_line(pieces, start, source),
            _ => end_before(start, source),
        };
    }

    /// Moves the start of the first line of `idx` to `start`, on the same line.
    pub(crate) fn extend_start(&mut self, idx: usize, start: u32) {
        let record = &mut self.records[idx];
        record.start = start;
        if let Layout::Pieces(pieces) = record.layout() {
            self.pieces.extend_start(pieces, start);
        }
    }

    /// Moves the end of `idx`, the record added to last, back to `end`, which is in its last line.
    pub(crate) fn trim_end(&mut self, idx: usize, end: u32) {
        let record = &mut self.records[idx];
        record.end = end;
        if let Layout::Pieces(_) = record.layout() {
            self.pieces.trim_end(end);
        }
    }
}

/// The end of the line before the one that starts at `start`.
pub(crate) fn end_before(start: u32, source: &[u8]) -> u32 {
    let text = &source[..start as usize];
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.strip_suffix(b"\r").unwrap_or(text).len() as u32
}
