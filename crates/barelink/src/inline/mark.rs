//! Marks: where a leaf's text is something other than itself.
//!
//! A mark covers bytes of the text that the output replaces; what lies between
//! marks is plain text. Marks stand in text order. A delimiter run gets one
//! mark for each of its bytes, unused until emphasis is resolved, so that
//! resolving only writes into places and never moves or sorts anything.

/// What a mark stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Kind {
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
    /// A code span with its backticks; `mate` is the length of either run.
    CodeSpan,
    /// A raw HTML tag, comment, instruction, declaration or CDATA section.
    RawHtml,
    /// `<scheme:…>`.
    AngleUrl,
    /// `<address>`.
    AngleEmail,
    /// A bare link; `mate` is its number among the leaf's.
    BareLink,
    /// A bare link that was taken back, since it is in the text of a link: it
    /// is text, but nobody has looked into it.
    TakenBack,
    /// A line ending, with the white space before it.
    SoftBreak,
    /// A line ending with two spaces or a backslash before it.
    HardBreak,
    /// `*` or `_` that opens emphasis; `mate` is the closing mark.
    EmphasisOpen,
    /// The other end.
    EmphasisClose,
    /// `**` or `__` that opens strong emphasis; `mate` is the closing mark.
    StrongOpen,
    /// The other end.
    StrongClose,
    /// `~` or `~~` that opens strikethrough; `mate` is the closing mark.
    StrikethroughOpen,
    /// The other end.
    StrikethroughClose,
    /// A reference to footnote `mate`.
    FootnoteReference,
    /// `[` of a link; `mate` is the closing mark.
    LinkOpen,
    /// `]` of a link up to its end; `mate` is its number among the leaf's links.
    LinkClose,
    /// `![` of an image; `mate` is the closing mark.
    ImageOpen,
    /// `]` of an image up to its end; `mate` is its number among the leaf's links.
    ImageClose,
}

impl Kind {
    /// Whether the mark stands for text, and so does not part text nodes.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::Unused | Self::Literal | Self::Backslash | Self::Entity)
    }

    /// Whether the mark opens emphasis or the like.
    pub(crate) fn is_opener(self) -> bool {
        matches!(self, Self::EmphasisOpen | Self::StrongOpen | Self::StrikethroughOpen)
    }

    /// Whether the mark closes emphasis or the like.
    pub(crate) fn is_closer(self) -> bool {
        matches!(self, Self::EmphasisClose | Self::StrongClose | Self::StrikethroughClose)
    }

    /// Whether `mate` is another mark.
    pub(crate) fn has_mate(self) -> bool {
        self.is_opener() || self.is_closer() || matches!(self, Self::LinkOpen | Self::ImageOpen)
    }
}

/// A mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// See the kinds.
    pub(crate) mate: u32,
    pub(crate) kind: Kind,
}

const _: () = assert!(size_of::<Mark>() == 16);

impl Mark {
    #[inline]
    pub(crate) fn new(kind: Kind, start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32, mate: 0, kind }
    }
}
