//! Marks: where a leaf's text is something other than itself.
//!
//! A mark covers bytes of the text that the output replaces; what lies between
//! marks is plain text. Marks stand in text order. A delimiter run gets one
//! mark for each of its bytes, unused until emphasis is resolved, so that
//! resolving only writes into places and never moves or sorts anything.
//!
//! ```text
//! text    a *b* `c` d\<e
//! marks     ^ ^ ^^^  ^^      Open Close CodeSpan Literal, and End
//! ```
//!
//! The marks of a text are the same whoever reads them. What only some readers want is
//! taken down beside them: see [`Recorder`](super::recorder::Recorder).

use super::delimiter::Style;
use super::smart::Curly;
use crate::event::MathStyle;

/// The index of a mark among the leaf's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct MarkIdx(pub(crate) u32);

impl MarkIdx {
    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// The index of a link or image with a destination of its own among the leaf's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LinkIdx(pub(crate) u32);

/// The index of a bare link among the leaf's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BareIdx(pub(crate) u32);

/// What a mark stands for, and what else there is to know about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MarkKind {
    /// Nothing: its bytes are text.
    Unused,
    /// The end of the text.
    End,
    /// The byte before the mark's end is text, but HTML must escape it.
    Literal,
    /// The backslash of an escape: not shown.
    Backslash,
    /// An entity or numeric character reference.
    Entity,
    /// The name of an emoji with its colons, by its place in the list.
    Emoji { at: u32 },
    /// A quote that is paired with another.
    Quote { shown: Curly, mate: MarkIdx },
    /// A quote that is not, and whether one behind it could be.
    LoneQuote { shown: Curly, can_open: bool },
    /// Two hyphens or more, shown as dashes.
    Dashes,
    /// Three periods, shown as one character.
    Ellipsis,
    /// A code span with its backticks, so many at either end.
    CodeSpan { n_backticks: u32 },
    /// Math, with what it is written between.
    Math { style: MathStyle },
    /// A raw HTML tag, comment, instruction, declaration or CDATA section.
    RawHtml,
    /// `<scheme:…>`.
    AngleUrl,
    /// `<address>`.
    AngleEmail,
    /// A wiki link, with its pipe, if it has one. See [`wiki`](super::wiki).
    WikiLink { pipe: u32 },
    /// A bare link.
    BareLink { bare: BareIdx },
    /// A bare link that was taken back, since it is in the text of a link: it
    /// is text, but nobody has looked into it.
    TakenBack { bare: BareIdx },
    /// A line ending with white space before it. (Without, it is text.)
    SoftBreak,
    /// A line ending with two spaces or a backslash before it.
    HardBreak,
    /// A delimiter that opens emphasis or the like.
    Open { style: Style, close: MarkIdx },
    /// The other end.
    Close { style: Style, open: MarkIdx },
    /// A reference to a footnote, by its number.
    FootnoteReference { number: u32 },
    /// `[` of a link.
    LinkOpen { close: MarkIdx },
    /// `]` of a link up to its end.
    LinkClose { link: LinkIdx },
    /// `![` of an image.
    ImageOpen { close: MarkIdx },
    /// `]` of an image up to its end.
    ImageClose { link: LinkIdx },
}

impl MarkKind {
    /// Whether it stands for nothing. (Quicker than comparing, which looks at the fields of every
    /// kind.)
    #[inline]
    pub(crate) fn is_unused(self) -> bool {
        matches!(self, Self::Unused)
    }

    /// Whether the mark stands for text, and so does not part text nodes.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::Unused | Self::Literal | Self::Backslash | Self::Entity)
            || self.is_smart()
    }

    /// Whether it is smart punctuation: text, but shown in another form.
    #[inline]
    pub(crate) fn is_smart(self) -> bool {
        matches!(self, Self::Quote { .. } | Self::LoneQuote { .. } | Self::Dashes | Self::Ellipsis)
    }

    /// Whether the mark opens emphasis or the like.
    pub(crate) fn is_opener(self) -> bool {
        matches!(self, Self::Open { .. })
    }

    /// Whether the mark closes emphasis or the like.
    pub(crate) fn is_closer(self) -> bool {
        matches!(self, Self::Close { .. })
    }

    /// The mark that this one names as its other end.
    pub(crate) fn mate_mut(&mut self) -> Option<&mut MarkIdx> {
        match self {
            Self::Open { close: mate, .. }
            | Self::Close { open: mate, .. }
            | Self::Quote { mate, .. }
            | Self::LinkOpen { close: mate }
            | Self::ImageOpen { close: mate } => Some(mate),
            // A link knows its opener, and whoever moves marks looks there.
            Self::LinkClose { .. }
            | Self::ImageClose { .. }
            // These have no other end.
            | Self::Unused
            | Self::End
            | Self::Literal
            | Self::Backslash
            | Self::Entity
            | Self::Emoji { .. }
            | Self::LoneQuote { .. }
            | Self::Dashes
            | Self::Ellipsis
            | Self::CodeSpan { .. }
            | Self::Math { .. }
            | Self::RawHtml
            | Self::AngleUrl
            | Self::AngleEmail
            | Self::WikiLink { .. }
            | Self::BareLink { .. }
            | Self::TakenBack { .. }
            | Self::SoftBreak
            | Self::HardBreak
            | Self::FootnoteReference { .. } => None,
        }
    }
}

/// A mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) kind: MarkKind,
}

const _: () = assert!(size_of::<Mark>() == 16);

impl Mark {
    #[inline]
    pub(crate) fn new(kind: MarkKind, start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32, kind }
    }

    /// Whether it is nothing but a byte that HTML must escape: text for all others.
    #[inline]
    pub(crate) fn is_escapable_byte(&self) -> bool {
        matches!(self.kind, MarkKind::Literal) && self.end == self.start + 1
    }

    /// Whether it is text as it is written, which only the output has in another form.
    #[inline]
    pub(crate) fn is_shown_otherwise(&self) -> bool {
        self.is_escapable_byte() || self.kind.is_smart()
    }
}
