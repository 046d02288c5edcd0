//! The block tape: what the block phase leaves behind, as flat records in
//! document order.
//!
//! A container has an enter record and an exit record; a leaf has one record,
//! or one followed by `Info` and `Content` where the block's span and its text
//! differ (headings, code). Later lines patch earlier records by index: the end
//! of a container, the looseness of a list, a paragraph that turns into a
//! heading. There is no tree and no allocation for a node.

use barelink_text::Span;

use super::table::Alignment;
use crate::syntax::footnotes::Footnotes;
use crate::syntax::references::References;

/// What a record stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Enter a block quote.
    BlockQuote,
    /// Enter a list. `aux` is the marker's byte, `data` the number of an
    /// ordered list's first item.
    List,
    /// Enter a list item.
    Item,
    /// Leave the container that was entered at record `data`.
    Exit,
    /// A paragraph; its span is its text.
    Paragraph,
    /// A heading of level `aux`; a `Content` record follows.
    Heading,
    /// A code block; an `Info` and a `Content` record follow.
    CodeBlock,
    /// An HTML block; its span is its text.
    HtmlBlock,
    /// A thematic break.
    ThematicBreak,
    /// A link reference definition, number `data` of [`Tape::references`].
    Definition,
    /// Front matter; `aux` is 1 if it is TOML.
    FrontMatter,
    /// A table: enter. `aux` columns, whose alignments start at `data` in
    /// [`Tape::alignments`].
    Table,
    /// A row of a table, followed by its `data` cells. The header has
    /// [`VARIANT`].
    Row,
    /// A cell of column `aux`; its span is its text.
    Cell,
    /// Enter the definition of a footnote, number `data` of
    /// [`Tape::footnotes`].
    FootnoteDefinition,
    /// The info string of the code block before.
    Info,
    /// The text of the block before.
    Content,
}

/// The text is in pieces: `data` is the first of them in [`Tape::segments`].
pub(crate) const SEGMENTED: u8 = 1;
/// Some line of the text but the last ends in a space or tab, so inline
/// parsing has to look at line endings.
pub(crate) const BREAKS: u8 = 2;
/// The list is loose.
pub(crate) const LOOSE: u8 = 4;
/// The code block is fenced, the list ordered, the heading setext, the item a
/// task, the row a header, the block quote an alert (its kind is `aux`).
pub(crate) const VARIANT: u8 = 8;
/// The task is done.
pub(crate) const CHECKED: u8 = 32;
/// At least one line, perhaps an empty one, was added to the text.
pub(crate) const HAS_LINES: u8 = 16;

/// The `pad` of a piece that follows the one before without a line ending.
pub(crate) const GLUED: u32 = u32::MAX;

/// A record of the tape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) data: u32,
    pub(crate) aux: u16,
    pub(crate) kind: Kind,
    pub(crate) flags: u8,
}

const _: () = assert!(size_of::<Block>() == 16);

impl Block {
    pub(crate) fn new(kind: Kind, start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32, data: 0, aux: 0, kind, flags: 0 }
    }

    pub(crate) fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    pub(crate) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// A stretch of a leaf's text that is contiguous in the source: one line, or
/// several that follow each other without container markers or indentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Spaces before the text that a half-used tab stands for, or [`GLUED`].
    pub(crate) pad: u32,
}

/// A leaf's text at some moment. See [`Tape::snapshot`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Snapshot {
    end: u32,
    n_segments: u32,
    data: u32,
    flags: u8,
}

impl Snapshot {
    /// Where the text ended.
    pub(super) fn end(self) -> u32 {
        self.end
    }
}

/// The segments that a line can change. See [`Tape::note_text`].
#[derive(Debug, Default)]
pub(super) struct TextMark {
    /// The header and the first piece of the open leaf.
    first: Option<(usize, [Segment; 2])>,
    /// The segments from `from` on.
    last: Vec<Segment>,
    from: usize,
}

/// The block phase's result.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    pub(crate) blocks: Vec<Block>,
    /// The pieces of segmented leaves. A leaf's first entry is a header whose
    /// `start` counts the pieces after it.
    segments: Vec<Segment>,
    pub(crate) references: References,
    pub(crate) footnotes: Footnotes,
    /// The alignments of all tables' columns.
    pub(crate) alignments: Vec<Alignment>,
    /// Whether the source holds a NUL, which text shows as U+FFFD.
    pub(crate) has_nul: bool,
}

impl Tape {
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.segments.clear();
        self.references.clear();
        self.footnotes.clear();
        self.alignments.clear();
        self.has_nul = false;
    }

    pub(crate) fn push(&mut self, block: Block) -> usize {
        self.blocks.push(block);
        self.blocks.len() - 1
    }

    /// The pieces of `block`, which must be segmented.
    pub(crate) fn segments(&self, block: &Block) -> &[Segment] {
        let header = block.data as usize;
        let n_segments = self.segments[header].start as usize;
        &self.segments[header + 1..=header + n_segments]
    }

    /// Adds the line `start..end` to the text of record `idx`, the last one
    /// that text was added to.
    #[inline]
    pub(crate) fn add_line(&mut self, idx: usize, source: &[u8], line: Segment) {
        let block = &mut self.blocks[idx];
        if !block.has(HAS_LINES) {
            block.flags |= HAS_LINES;
            block.start = line.start;
            block.end = line.end;
            if line.pad == 0 {
                return;
            }
        } else if !block.has(SEGMENTED)
            && line.pad == 0
            && line.start == block.end + 1
            && source[block.end as usize] == b'\n'
        {
            block.end = line.end;
            return;
        }
        self.add_segment(idx, line.start, line.end, line.pad);
    }

    /// Adds a [`Segment`] to the text of record `idx`. Its parts are passed one by one: in
    /// memory, they would be read together right after they were written one by one, and
    /// processors wait for that.
    pub(super) fn add_segment(&mut self, idx: usize, start: u32, end: u32, pad: u32) {
        let line = Segment { start, end, pad };
        let block = &mut self.blocks[idx];
        if !block.has(SEGMENTED) {
            block.flags |= SEGMENTED;
            block.data = self.segments.len() as u32;
            self.segments.push(Segment { start: 0, end: 0, pad: 0 });
            // What was contiguous so far becomes the first piece, unless this
            // piece itself is the first.
            if block.start != line.start {
                let whole = Segment { start: block.start, end: block.end, pad: 0 };
                self.segments.push(whole);
            }
        }
        block.end = line.end;
        self.segments.push(line);
        let header = block.data as usize;
        self.segments[header].start = (self.segments.len() - header - 1) as u32;
    }

    /// The text of `idx`, the leaf added to last, as it is now.
    pub(crate) fn snapshot(&self, idx: usize) -> Snapshot {
        let Block { end, data, flags, .. } = self.blocks[idx];
        Snapshot { end, data, n_segments: self.segments.len() as u32, flags }
    }

    /// Takes back what was added to `idx` since the snapshot.
    pub(crate) fn restore(&mut self, idx: usize, snapshot: Snapshot) {
        let Snapshot { end, data, n_segments, flags } = snapshot;
        let block = &mut self.blocks[idx];
        (block.end, block.data, block.flags) = (end, data, flags);
        self.segments.truncate(n_segments as usize);
        if block.has(SEGMENTED) {
            let header = data as usize;
            self.segments[header].start = (self.segments.len() - header - 1) as u32;
        }
    }

    /// Drops what stands before offset `start` from the pieces of `block`, the
    /// leaf added to last.
    pub(crate) fn drop_before(&mut self, block: &mut Block, start: u32) {
        let pieces = self.segments(block);
        let n_before = pieces.partition_point(|piece| piece.end <= start);
        let n_pieces = pieces.len() - n_before;
        let first = block.data as usize + 1 + n_before;
        // The pieces stay as they are: this may be taken back.
        let header = self.segments.len();
        self.segments.push(Segment { start: n_pieces as u32, end: 0, pad: 0 });
        self.segments.extend_from_within(first..first + n_pieces);
        if let Some(piece) = self.segments.get_mut(header + 1) {
            piece.start = start;
        }
        block.data = header as u32;
    }

    /// Notes the text of `leaf`, the one added to last, as far as a line can change it.
    /// `kept` is what stays of indented code if it ends here.
    pub(super) fn note_text(
        &self,
        leaf: Option<&Block>,
        kept: Option<Snapshot>,
        to: &mut TextMark,
    ) {
        let n_kept = kept.map_or(usize::MAX, |kept| kept.n_segments as usize);
        let from = self.segments.len().saturating_sub(1).min(n_kept);
        to.from = from;
        to.last.clear();
        to.last.extend_from_slice(&self.segments[from..]);
        to.first = leaf.filter(|leaf| leaf.has(SEGMENTED)).map(|leaf| {
            let header = leaf.data as usize;
            (header, [self.segments[header], self.segments[header + 1]])
        });
    }

    /// Takes back what was done to the segments since.
    pub(super) fn take_back_text(&mut self, mark: &TextMark) {
        self.segments.truncate(mark.from);
        self.segments.extend_from_slice(&mark.last);
        if let Some((header, first)) = mark.first {
            self.segments[header..header + 2].copy_from_slice(&first);
        }
    }

    /// The last line of `idx`, the leaf added to last.
    pub(crate) fn last_line(&self, idx: usize, source: &[u8]) -> (usize, usize) {
        let block = &self.blocks[idx];
        let (start, end) = match self.segments.last() {
            Some(last) if block.has(SEGMENTED) => (last.start, last.end),
            _ => (block.start, block.end),
        };
        let (start, end) = (start as usize, end as usize);
        let line = memchr::memrchr(b'\n', &source[start..end]).map_or(start, |at| start + at + 1);
        (line, end)
    }

    /// Takes the last line, which starts at `start` and is not the only one,
    /// off `idx`, the leaf added to last.
    pub(crate) fn drop_last_line(&mut self, idx: usize, start: u32, source: &[u8]) {
        let block = &mut self.blocks[idx];
        if block.has(SEGMENTED) {
            let header = block.data as usize;
            if self.segments.last().is_some_and(|last| last.start == start) {
                self.segments.pop();
                self.segments[header].start -= 1;
            } else if let Some(last) = self.segments.last_mut() {
                last.end = start - 1;
            }
            block.end = self.segments.last().map_or(block.end, |last| last.end);
        } else {
            debug_assert_eq!(source[start as usize - 1], b'\n');
            block.end = start - 1;
        }
    }

    /// Moves the start of the first line of `idx` to `start`, on the same line.
    pub(crate) fn extend_start(&mut self, idx: usize, start: u32) {
        let block = &mut self.blocks[idx];
        block.start = start;
        if block.has(SEGMENTED) {
            self.segments[block.data as usize + 1].start = start;
        }
    }

    /// Moves the end of `idx`, the leaf added to last, back to `end`, which
    /// lies in its last line.
    pub(crate) fn trim_end(&mut self, idx: usize, end: u32) {
        let block = &mut self.blocks[idx];
        block.end = end;
        if block.has(SEGMENTED)
            && let Some(last) = self.segments.last_mut()
        {
            last.end = end;
        }
    }
}
