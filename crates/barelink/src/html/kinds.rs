//! What the writer from events has to know of each kind of element.

use crate::event::TagEnd;

/// Kinds of elements: see [`slot`].
pub(super) const N_SLOTS: usize = 32;

/// A number for each kind of element.
pub(super) fn slot(end: TagEnd) -> usize {
    match end {
        TagEnd::Paragraph => 0,
        TagEnd::Heading { .. } => 1,
        TagEnd::BlockQuote { .. } => 2,
        TagEnd::List { .. } => 3,
        TagEnd::Item => 4,
        TagEnd::CodeBlock => 5,
        TagEnd::FootnoteDefinition => 6,
        TagEnd::Table => 7,
        TagEnd::Row => 8,
        TagEnd::Cell => 9,
        TagEnd::HtmlBlock => 10,
        TagEnd::Emphasis => 11,
        TagEnd::Strong => 12,
        TagEnd::Strikethrough => 13,
        TagEnd::Link => 14,
        TagEnd::Image => 15,
        TagEnd::Mark => 16,
        TagEnd::Superscript => 17,
        TagEnd::Subscript => 18,
        TagEnd::DefinitionList => 19,
        TagEnd::Term => 20,
        TagEnd::Details => 21,
    }
}

/// Whether the start tag can carry a position.
pub(super) fn has_position(end: TagEnd) -> bool {
    matches!(
        end,
        TagEnd::Paragraph
            | TagEnd::Heading { .. }
            | TagEnd::BlockQuote { .. }
            | TagEnd::List { .. }
            | TagEnd::Item
            | TagEnd::DefinitionList
            | TagEnd::Term
            | TagEnd::Details
            | TagEnd::CodeBlock
            | TagEnd::Table
    )
}
