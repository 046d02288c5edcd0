//! The layout of a leaf's text in the source.
//!
//! Most leaves are one slice of the source: each line follows the previous line ending, without
//! container markers or indentation. Others are lists of pieces, which `join` puts together.
//!
//! ```text
//! a          one slice          > a        two pieces: `a`, `b`
//! b                             > b
//!
//! a␍         one slice, but     |`a\|b`|   two pieces that are glued:
//! b␍         for the ␍                     `` `a ``, `` |b` ``
//! ```

use barelink_text::Span;

use crate::memory::PushSparingly as _;

use super::end_before;

/// The lines of a leaf's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lines {
    pub(crate) layout: Layout,
    /// Whether a line other than the last ends in a space or tab, so that inline parsing has to
    /// handle line endings.
    pub(crate) breaks: bool,
}

impl Lines {
    /// The lines of a text that is the record's span.
    pub(crate) const SLICE: Self = Self { layout: Layout::Slice, breaks: false };
}

/// The layout of the lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Layout {
    /// There are no lines yet, not even an empty one.
    #[default]
    NoLines,
    /// One slice of the source: the record's span.
    Slice,
    /// One slice of the source in which some lines end in CRLF: no carriage return in it is part of
    /// the text.
    Crlf,
    /// Pieces of the source.
    Pieces(PiecesIdx),
}

/// An index into [`Pieces`]. (Stored as bytes, so that a record has no padding before it.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PiecesIdx([u8; 4]);

impl PiecesIdx {
    #[inline]
    fn new(idx: usize) -> Self {
        Self((idx as u32).to_ne_bytes())
    }

    #[inline]
    fn get(self) -> usize {
        u32::from_ne_bytes(self.0) as usize
    }
}

/// A piece: a part of a leaf's text that is contiguous in the source. It is one line, or several
/// that follow each other without container markers or indentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) lead: Lead,
}

/// What precedes a piece in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lead {
    /// A line ending, unless the piece is the first, and spaces for a partly consumed tab.
    Line { n_spaces: u8 },
    /// Nothing.
    Glued,
}

impl Segment {
    /// A whole line of the source.
    #[inline]
    pub(crate) fn line(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32, lead: Lead::Line { n_spaces: 0 } }
    }

    /// Whether no space precedes its text.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.lead == Lead::Line { n_spaces: 0 }
    }
}

/// A copy of the pieces that a line can change. See [`Pieces::note`].
#[derive(Debug, Default)]
pub(crate) struct PiecesMark {
    /// Of the open leaf: its index, the range of its pieces, and the first of them.
    first: Option<(PiecesIdx, Span, Segment)>,
    /// The pieces from `from` on.
    last: Vec<Segment>,
    from: usize,
    n_ranges: usize,
}

/// The pieces of all texts that are in pieces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pieces {
    segments: Vec<Segment>,
    /// The range of pieces of each text.
    ranges: Vec<Span>,
}

impl Pieces {
    pub(super) fn clear(&mut self) {
        self.segments.clear();
        self.ranges.clear();
    }

    #[inline]
    pub(super) fn get(&self, idx: PiecesIdx) -> &[Segment] {
        &self.segments[self.ranges[idx.get()].range()]
    }

    pub(super) fn n_segments(&self) -> u32 {
        self.segments.len() as u32
    }

    /// Opens a text in pieces that had this layout so far; `before` is its span in the source, if
    /// any.
    pub(super) fn open(
        &mut self,
        before: Option<Span>,
        layout: Layout,
        source: &[u8],
    ) -> PiecesIdx {
        let start = self.n_segments();
        match before {
            Some(span) if layout == Layout::Crlf => self.add_crlf_lines(span, source),
            Some(span) => {
                self.segments.push_sparingly(Segment::line(span.start as usize, span.end as usize));
            }
            None => {}
        }
        self.ranges.push_sparingly(Span::new(start, self.n_segments()));
        PiecesIdx::new(self.ranges.len() - 1)
    }

    /// LINEAR: once for each text, which is in pieces from then on.
    fn add_crlf_lines(&mut self, span: Span, source: &[u8]) {
        let mut start = span.start as usize;
        for at in memchr::memchr_iter(b'\n', &source[span.range()]) {
            let next = span.start as usize + at + 1;
            let end = end_before(next as u32, source) as usize;
            self.segments.push_sparingly(Segment::line(start, end));
            start = next;
        }
        self.segments.push_sparingly(Segment::line(start, span.end as usize));
    }

    /// Adds a piece to a text, the last that was opened.
    #[inline]
    pub(super) fn add(&mut self, idx: PiecesIdx, piece: Segment) {
        self.segments.push_sparingly(piece);
        self.ranges[idx.get()].end = self.segments.len() as u32;
    }

    /// Adds pieces to a text, the last that was opened, until `next` returns `None`. Returns the
    /// total number of pieces up to the last added one that is not empty, and its end.
    #[inline]
    pub(super) fn add_all(
        &mut self,
        idx: PiecesIdx,
        mut next: impl FnMut() -> Option<Segment>,
    ) -> Option<(u32, u32)> {
        let mut kept = None;
        while let Some(piece) = next() {
            self.segments.push_sparingly(piece);
            if piece.start != piece.end {
                kept = Some((self.segments.len() as u32, piece.end));
            }
        }
        self.ranges[idx.get()].end = self.segments.len() as u32;
        kept
    }

    /// Adds a piece to the text that was opened last.
    pub(super) fn add_last(&mut self, piece: Segment) {
        self.add(PiecesIdx::new(self.ranges.len() - 1), piece);
    }

    /// Undoes additions to a text: there were `n_segments` pieces, and the text had the layout
    /// `before`.
    pub(super) fn truncate(&mut self, now: Layout, before: Layout, n_segments: u32) {
        self.segments.truncate(n_segments as usize);
        match (now, before) {
            (Layout::Pieces(idx), Layout::Pieces(_)) => self.ranges[idx.get()].end = n_segments,
            (Layout::Pieces(idx), _) => self.ranges.truncate(idx.get()),
            _ => {}
        }
    }

    /// A copy of the pieces without the part before offset `start`. The old ones are not changed:
    /// this may be undone.
    pub(super) fn after(&mut self, idx: PiecesIdx, start: u32) -> PiecesIdx {
        let n_before = self.get(idx).partition_point(|piece| piece.end <= start);
        let old = self.ranges[idx.get()].range();
        let first = self.segments.len();
        self.segments.extend_from_within(old.start + n_before..old.end);
        if let Some(piece) = self.segments.get_mut(first) {
            piece.start = start;
        }
        self.ranges.push_sparingly(Span::new(first as u32, self.n_segments()));
        PiecesIdx::new(self.ranges.len() - 1)
    }

    /// Saves the pieces of the text that was added to last, as far as a line can change them: the
    /// last two, since it may remove one line and trim the one before, those from `n_kept` on, and
    /// the start of the first.
    pub(super) fn note(&self, layout: Layout, n_kept: usize, to: &mut PiecesMark) {
        to.from = self.segments.len();
        to.last.clear();
        to.n_ranges = self.ranges.len();
        to.first = None;
        if let Layout::Pieces(idx) = layout {
            to.from = to.from.saturating_sub(2).min(n_kept);
            to.last.extend_from_slice(&self.segments[to.from..]);
            let range = self.ranges[idx.get()];
            to.first = Some((idx, range, self.segments[range.start as usize]));
        }
    }

    /// Restores the pieces to their state at the mark.
    pub(super) fn take_back(&mut self, mark: &PiecesMark) {
        self.segments.truncate(mark.from);
        self.segments.extend_from_slice(&mark.last);
        self.ranges.truncate(mark.n_ranges);
        if let Some((idx, range, first)) = mark.first {
            // Indented code may have dropped its range.
            self.ranges.truncate(idx.get());
            self.ranges.push_sparingly(range);
            self.segments[range.start as usize] = first;
        }
    }

    /// Drops the last line, which starts at `start`, and returns the new end.
    pub(super) fn drop_last_line(&mut self, idx: PiecesIdx, start: u32, source: &[u8]) -> u32 {
        if self.segments.pop_if(|last| last.start == start).is_some() {
            self.ranges[idx.get()].end -= 1;
        } else {
            self.trim_end(end_before(start, source));
        }
        self.segments.last().map_or(start, |last| last.end)
    }

    pub(super) fn extend_start(&mut self, idx: PiecesIdx, start: u32) {
        let first = self.ranges[idx.get()].start as usize;
        self.segments[first].start = start;
    }

    /// Moves the end of the last piece.
    pub(super) fn trim_end(&mut self, end: u32) {
        if let Some(last) = self.segments.last_mut() {
            last.end = end;
        }
    }
}
