//! The findings in a piece that continues a text, and what is open there.

/// An offset in the source, and in the HTML of the open blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) at: u32,
    pub(super) html: u32,
}

/// Whether a run of backticks is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Backtick {
    Closed,
    /// A single backtick is open.
    Open(Point),
    /// It is not known whether one or several are open.
    Unknown,
}

/// The findings in a piece.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The offsets of its backticks, and of the runs that open or close emphasis, relative to its
    /// start.
    marks: [u16; MAX_MARKS],
    n_marks: usize,
    /// Whether HTML must escape something outside of code.
    pub(super) is_escaped: bool,
    /// Whether HTML must escape something in code that starts in it; a line feed counts, too.
    pub(super) is_code_escaped: bool,
    /// The offset of its last line feed in the source. (If the piece cannot be appended, a line
    /// feed up to which it can.)
    pub(super) line_end: Option<usize>,
    /// The line feed before a blank line. Up to there, the piece can be appended.
    pub(super) blank: Option<usize>,
    /// The start of the line that may be the closing fence of the code. Up to there, the piece is
    /// code.
    pub(super) fence: Option<usize>,
}

/// A piece with more marks is read in the general way.
const MAX_MARKS: usize = 24;

impl Findings {
    pub(super) fn marks(&self) -> &[u16] {
        &self.marks[..self.n_marks]
    }

    /// Whether the piece is copied to the HTML.
    pub(super) fn is_text(&self) -> bool {
        self.n_marks == 0 && !self.is_escaped
    }

    /// Records a mark. False if there are too many.
    pub(super) fn push(&mut self, place: usize) -> bool {
        let Some(free) = self.marks.get_mut(self.n_marks) else { return false };
        let Ok(place) = u16::try_from(place) else { return false };
        *free = place;
        self.n_marks += 1;
        true
    }
}
