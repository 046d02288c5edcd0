//! What the block phase knows between two lines.
//!
//! Together with the open containers (`BlockBuffers::containers`) and the tape so far, this is
//! all that the next line depends on: a document can be read up to any line end, its [`State`]
//! kept, and reading resumed later. (`tests::a_phase_can_be_resumed_at_every_line`.)

use super::code::Fence;
use super::html::HtmlEnd;
use super::table::OpenTable;
use crate::tape::{Record, Snapshot};

/// The leaf block that takes the next text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum OpenLeaf {
    #[default]
    None,
    Paragraph,
    Fenced(Fence),
    /// With its text up to the last line that was not blank.
    Indented(Snapshot),
    Html(HtmlEnd),
    Table(OpenTable),
}

/// The block phase between two lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct State {
    pub(super) leaf: OpenLeaf,
    /// The record of the open leaf.
    pub(super) leaf_idx: usize,
    /// The record that text of the open leaf goes to: the same, or one that follows it.
    pub(super) text_idx: usize,
    /// The line before was blank in a way that makes a list loose.
    pub(super) after_blank: bool,
    /// End of the last thing that belongs to an open container.
    pub(super) content_end: usize,
    /// A byte, and an offset up to which there is no thematic break of it.
    pub(super) not_a_break: (u8, usize),
    /// Where the last paragraph starts that a delimiter row did not fit.
    pub(super) misfit: Option<usize>,
    /// Cells that rows of tables lack, so far.
    pub(super) n_filled_cells: usize,
    /// The first paragraph of a block quote that is an alert by it, while it
    /// is not known whether anything follows.
    pub(super) alert_title: Option<Record>,
}

impl State {
    /// The first record of the open leaf.
    pub(super) fn leaf_record(&self) -> Option<usize> {
        (self.leaf != OpenLeaf::None).then_some(self.leaf_idx)
    }

    #[inline]
    pub(super) fn is_in_paragraph(&self) -> bool {
        matches!(self.leaf, OpenLeaf::Paragraph)
    }
}
