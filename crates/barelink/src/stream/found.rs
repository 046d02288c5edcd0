//! What is found in a piece that goes on with a text, and what is open there.

/// Where something is in the source, and in the HTML of the open blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) at: u32,
    pub(super) html: u32,
}

/// Whether a run of backticks is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Backtick {
    Closed,
    /// One alone is.
    Open(Place),
    /// There may be one, or several.
    Unknown,
}

/// What was found in a piece.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Where its backticks are, and the runs that open or close emphasis, counted from its start.
    marks: [u16; MAX_MARKS],
    n_marks: usize,
    /// Whether HTML must escape something that is not code.
    pub(super) is_escaped: bool,
    /// The same for code that starts in it, where a line feed counts too.
    pub(super) is_code_escaped: bool,
    /// Where its last line feed is, in the source. (If the piece cannot be appended, one that it can
    /// be up to.)
    pub(super) line_end: Option<usize>,
    /// Where the line feed is that a blank line follows. Up to there, the piece can be appended.
    pub(super) blank: Option<usize>,
    /// Where the line starts that may be the fence of the code. Up to there, it is code.
    pub(super) fence: Option<usize>,
}

/// A piece with more of them is left to those who read the text.
const MAX_MARKS: usize = 24;

impl Found {
    pub(super) fn marks(&self) -> &[u16] {
        &self.marks[..self.n_marks]
    }

    /// Whether the piece is shown as it is.
    pub(super) fn is_text(&self) -> bool {
        self.n_marks == 0 && !self.is_escaped
    }

    /// Notes a mark. False if there are too many.
    pub(super) fn push(&mut self, place: usize) -> bool {
        let Some(free) = self.marks.get_mut(self.n_marks) else { return false };
        let Ok(place) = u16::try_from(place) else { return false };
        *free = place;
        self.n_marks += 1;
        true
    }
}
