//! Properties of each kind of element for the writer from events.

use crate::event::TagEnd;

/// Numbers the kinds of elements, and counts them.
macro_rules! slots {
    ($($name:ident $({ $($fields:tt)+ })?,)+) => {
        enum Slot {
            $($name,)+
        }

        /// The number of kinds of elements: see [`slot`].
        pub(super) const N_SLOTS: usize = [$(Slot::$name),+].len();

        /// A number for each kind of element, below [`N_SLOTS`].
        pub(super) fn slot(end: TagEnd) -> usize {
            let slot = match end {
                $(TagEnd::$name $({ $($fields)+ })? => Slot::$name,)+
            };
            slot as usize
        }
    };
}

slots! {
    Paragraph,
    Heading { .. },
    BlockQuote { .. },
    List { .. },
    Item,
    CodeBlock,
    FootnoteDefinition,
    Table,
    Row,
    Cell,
    HtmlBlock,
    Emphasis,
    Strong,
    Strikethrough,
    Link,
    Image,
    Mark,
    Superscript,
    Subscript,
    DefinitionList,
    Term,
    Details,
}

/// Whether the start tag can have a source position.
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
