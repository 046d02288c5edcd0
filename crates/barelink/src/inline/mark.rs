//! Marks: the places where a leaf's text is not plain text.
//!
//! A mark covers bytes of the text that the output replaces; all between marks is plain text. Marks
//! are in text order. A delimiter run gets one mark for each of its bytes, unused until emphasis is
//! resolved, so that resolving only overwrites marks and never moves or sorts them.
//!
//! ```text
//! text    a *b* `c` d\<e
//! marks     ^ ^ ^^^  ^^      Open Close CodeSpan Literal, and End
//! ```
//!
//! The marks of a text are the same for all consumers, but for one that wants the bare links of some
//! words alone ([`Among`](super::recorder::Among)). What only some consumers need is recorded
//! separately: see [`Recorder`](super::recorder::Recorder).

use super::delimiter::Style;
use super::smart::Curly;
use super::wiki::Pipe;
use crate::event::MathStyle;

/// The index of a mark in the leaf's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct MarkIdx(pub(crate) u32);

impl MarkIdx {
    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// The index of a link or image, bare links excepted, in the leaf's list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LinkIdx(pub(crate) u32);

/// The index of a bare link in the leaf's list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BareIdx(pub(crate) u32);

/// What a mark stands for, and its data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MarkKind {
    /// Nothing: its bytes are text.
    Unused,
    /// The end of the text.
    End,
    /// The byte before the mark's end is text, but HTML must escape it.
    Literal,
    /// The backslash of an escape: not displayed.
    Backslash,
    /// An entity or numeric character reference.
    Entity,
    /// The name of an emoji with its colons; `at` is its offset in the list.
    Emoji { at: u32 },
    /// A quote that is paired with another.
    Quote { shown: Curly, mate: MarkIdx },
    /// An unpaired quote, and whether it can open.
    LoneQuote { shown: Curly, can_open: bool },
    /// Two hyphens or more, displayed as dashes.
    Dashes,
    /// Three periods, displayed as one character.
    Ellipsis,
    /// A code span, with `n_backticks` backticks at either end.
    CodeSpan { n_backticks: u32 },
    /// Math, including its delimiters.
    Math { style: MathStyle },
    /// A raw HTML tag, comment, instruction, declaration or CDATA section.
    RawHtml,
    /// `<scheme:…>`.
    AngleUrl,
    /// `<address>`.
    AngleEmail,
    /// A wiki link, and the offset of its pipe, if any. See [`wiki`](super::wiki).
    WikiLink { pipe: Option<Pipe> },
    /// A bare link.
    BareLink { bare: BareIdx },
    /// A bare link that was turned back into text, since it is in the text of a link. No marks were
    /// collected inside.
    TakenBack { bare: BareIdx },
    /// A line ending with white space before it. (Without it, it is text.)
    SoftBreak,
    /// A line ending with two spaces or a backslash before it.
    HardBreak,
    /// A delimiter that opens emphasis or another style.
    Open { style: Style, close: MarkIdx },
    /// A delimiter that closes emphasis or another style.
    Close { style: Style, open: MarkIdx },
    /// A footnote reference, with the footnote's number.
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

/// The role of a mark in the text around it, for code that does not write what the mark stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MarkRole {
    /// Text as it is written, or as [`DecodedText`](super::text_node::DecodedText) decodes it.
    Text,
    /// A quote: smart punctuation, which is text, but displayed in another form.
    Quote,
    /// Other smart punctuation.
    Smart,
    /// Text in place of what is written, which is decided last.
    Replaced,
    /// The end of a line, or of the whole text.
    LineEnd,
    /// Opens a style, which this mark closes.
    Open(MarkIdx),
    Close,
    /// Opens a link or an image, which this mark closes.
    LinkOpen(MarkIdx),
    LinkClose,
    /// A construct whose last bytes close it, whatever follows.
    Closed,
    /// Another construct. Later text may change it.
    Construct,
}

impl MarkKind {
    pub(crate) fn role(self) -> MarkRole {
        match self {
            Self::Unused | Self::Literal | Self::Backslash | Self::Entity => MarkRole::Text,
            Self::Quote { .. } | Self::LoneQuote { .. } => MarkRole::Quote,
            Self::Dashes | Self::Ellipsis => MarkRole::Smart,
            Self::Emoji { .. } | Self::TakenBack { .. } => MarkRole::Replaced,
            Self::SoftBreak | Self::HardBreak | Self::End => MarkRole::LineEnd,
            Self::Open { close, .. } => MarkRole::Open(close),
            Self::Close { .. } => MarkRole::Close,
            Self::LinkOpen { close } | Self::ImageOpen { close } => MarkRole::LinkOpen(close),
            Self::LinkClose { .. } | Self::ImageClose { .. } => MarkRole::LinkClose,
            Self::CodeSpan { .. } | Self::Math { .. } | Self::WikiLink { .. } => MarkRole::Closed,
            Self::RawHtml
            | Self::AngleUrl
            | Self::AngleEmail
            | Self::BareLink { .. }
            | Self::FootnoteReference { .. } => MarkRole::Construct,
        }
    }

    /// Whether the mark is unused. (Faster than `==`, which compares the fields of every kind.)
    #[inline]
    pub(crate) fn is_unused(self) -> bool {
        matches!(self, Self::Unused)
    }

    /// Whether the mark stands for text, and so does not split text nodes.
    pub(crate) fn is_text(self) -> bool {
        matches!(self.role(), MarkRole::Text) || self.is_smart()
    }

    /// Whether the mark is smart punctuation: text, but displayed in another form.
    #[inline]
    pub(crate) fn is_smart(self) -> bool {
        matches!(self.role(), MarkRole::Quote | MarkRole::Smart)
    }

    /// Whether the mark opens emphasis or another style.
    pub(crate) fn is_opener(self) -> bool {
        matches!(self.role(), MarkRole::Open(_))
    }

    /// Whether the mark closes emphasis or another style.
    pub(crate) fn is_closer(self) -> bool {
        matches!(self.role(), MarkRole::Close)
    }

    /// The mark at the other end of this one, if it has one, and its kind stores which.
    pub(crate) fn mate(mut self) -> Option<MarkIdx> {
        self.mate_mut().copied()
    }

    /// [`MarkKind::mate`], to be changed.
    pub(crate) fn mate_mut(&mut self) -> Option<&mut MarkIdx> {
        match self {
            Self::Open { close: mate, .. }
            | Self::Close { open: mate, .. }
            | Self::Quote { mate, .. }
            | Self::LinkOpen { close: mate }
            | Self::ImageOpen { close: mate } => Some(mate),
            // The opener of a link is stored with the link, and code that moves marks updates it
            // there.
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

    /// Whether the mark is only a byte that HTML must escape: text in any other output.
    #[inline]
    pub(crate) fn is_escapable_byte(&self) -> bool {
        matches!(self.kind, MarkKind::Literal) && self.end == self.start + 1
    }

    /// Whether the mark is text that only the output displays in another form.
    #[inline]
    pub(crate) fn is_shown_otherwise(&self) -> bool {
        self.is_escapable_byte() || self.kind.is_smart()
    }
}
