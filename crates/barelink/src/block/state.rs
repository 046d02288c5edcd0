//! The state of the block phase between two lines.
//!
//! The next line depends only on this, the open containers (`BlockBuffers::containers`) and the
//! tape so far: a document can be read up to any line end, its [`State`] saved, and reading resumed
//! later. (`tests::a_phase_can_be_resumed_at_every_line`.)

use super::code::Fence;
use super::html::HtmlEnd;
use super::table::OpenTable;
use crate::tape::{Record, Snapshot};

/// The open leaf block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum OpenLeaf {
    #[default]
    None,
    Paragraph,
    Fenced(Fence),
    /// Contains the text up to the last line that was not blank.
    Indented(Snapshot),
    Html(HtmlEnd),
    Table(OpenTable),
}

/// The state of the block phase between two lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct State {
    pub(super) leaf: OpenLeaf,
    /// The index of the open leaf's first record.
    pub(super) leaf_idx: usize,
    /// The index of the record for the open leaf's text: the same, or a later one.
    pub(super) text_idx: usize,
    /// The previous line was blank in a way that makes a list loose.
    pub(super) after_blank: bool,
    /// The end of the last content of the open containers.
    pub(super) content_end: usize,
    /// A byte, and an offset before which that byte makes no thematic break.
    pub(super) not_a_break: (u8, usize),
    /// The start of the last paragraph that a delimiter row did not fit.
    pub(super) misfit: Option<usize>,
    /// The number of cells that rows of tables lack, so far.
    pub(super) n_filled_cells: usize,
    /// The first paragraph of a block quote, which makes it an alert, as long as it is not known
    /// whether content follows.
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
