//! Properties of each kind of element for the writer from events.

use crate::event::TagEnd;

/// Its start tag can have a source position.
const POSITION: u8 = 1;

/// It says whether paragraphs in it have tags, rather than what is around it.
const TIGHTNESS: u8 = 2;

/// Numbers the kinds of elements, counts them, and gives them properties.
macro_rules! slots {
    ($($name:ident $({ $($fields:tt)+ })?: [$($property:ident),*],)+) => {
        enum KindSlot {
            $($name,)+
        }

        /// The number of kinds of elements: see [`slot`].
        pub(super) const N_SLOTS: usize = [$(KindSlot::$name),+].len();

        /// A number for each kind of element, below [`N_SLOTS`].
        pub(super) fn slot(end: TagEnd) -> usize {
            let slot = match end {
                $(TagEnd::$name $({ $($fields)+ })? => KindSlot::$name,)+
            };
            slot as usize
        }

        /// The properties of each kind of element.
        const PROPERTIES: [u8; N_SLOTS] = [$(0 $(| $property)*),+];
    };
}

slots! {
    Paragraph: [POSITION],
    Heading { .. }: [POSITION],
    BlockQuote { .. }: [POSITION, TIGHTNESS],
    List { .. }: [POSITION, TIGHTNESS],
    Item: [POSITION],
    CodeBlock: [POSITION],
    FootnoteDefinition: [TIGHTNESS],
    Table: [POSITION],
    Row: [],
    Cell: [],
    HtmlBlock: [],
    Emphasis: [],
    Strong: [],
    Strikethrough: [],
    Link: [],
    Image: [],
    Mark: [],
    Superscript: [],
    Subscript: [],
    DefinitionList: [POSITION, TIGHTNESS],
    Term: [POSITION],
    Details: [POSITION],
}

/// Whether the start tag can have a source position.
pub(super) fn has_position(end: TagEnd) -> bool {
    PROPERTIES[slot(end)] & POSITION != 0
}

/// Whether the element says whether paragraphs in it have tags.
pub(super) fn has_tightness(end: TagEnd) -> bool {
    PROPERTIES[slot(end)] & TIGHTNESS != 0
}
