//! Events: a document as a flat sequence of starts, ends and texts, each with the span of the
//! source that it comes from.

use std::borrow::Cow;
use std::sync::Arc;

use barelink_text::Span;

use crate::url;

/// Something in the document, with its place in the source.
///
/// Events nest: what starts inside an element ends inside it, and spans nest likewise. The events
/// of an element's start and end both have the span of the whole element.
///
/// ```
/// use barelink::{EventKind, Options, Parser, Tag};
/// let mut parser = Parser::new(Options::commonmark());
/// let document = parser.parse("see *this*")?;
/// let emphasis = document
///     .events()
///     .find(|event| event.kind == EventKind::Start(Tag::Emphasis))
///     .unwrap();
/// assert_eq!(emphasis.span.slice("see *this*"), "*this*");
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<'s> {
    /// What the event stands for.
    pub kind: EventKind<'s>,
    /// The span of the source that it comes from.
    pub span: Span,
}

impl<'s> Event<'s> {
    /// Makes an event of trusted markup.
    ///
    /// ```
    /// use barelink::{Event, EventKind, Options, Tag, TagEnd, html};
    /// let options = Options::gfm();
    /// let document = barelink::parse("|a|\n|-|", &options)?;
    /// let events = document.events().flat_map(|event| match event.kind {
    ///     EventKind::Start(Tag::Table { .. }) => {
    ///         vec![Event::markup("<div class=\"table\">", event.span), event]
    ///     }
    ///     EventKind::End(TagEnd::Table) => {
    ///         let span = event.span;
    ///         vec![event, Event::markup("</div>\n", span)]
    ///     }
    ///     _ => vec![event],
    /// });
    /// let mut out = String::new();
    /// html::push_events(events, &options, &mut out);
    /// assert!(out.starts_with("<div class=\"table\">\n<table>"));
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn markup(markup: impl Into<Cow<'s, str>>, span: Span) -> Self {
        Self { kind: EventKind::Markup(markup.into()), span }
    }

    /// The same event without borrowed data.
    pub fn into_owned(self) -> Event<'static> {
        Event { kind: self.kind.into_owned(), span: self.span }
    }
}

/// What an event stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind<'s> {
    /// An element starts. Its end comes later.
    Start(Tag<'s>),
    /// The innermost open element ends.
    End(TagEnd),
    /// Text, unescaped: `&amp;` is `&` here. In a code block, lines, with a line feed after each; if
    /// they end in CRLF in the source, all of them are one text.
    Text(Cow<'s, str>),
    /// A code span's content.
    Code(Cow<'s, str>),
    /// Math in text. See [`Options::math`](crate::Options::math).
    Math {
        /// The text between the dollar signs.
        text: Cow<'s, str>,
        /// How it is written, and displayed.
        style: MathStyle,
    },
    /// Lines of an HTML block.
    Html(Cow<'s, str>),
    /// A raw HTML tag in text.
    InlineHtml(Cow<'s, str>),
    /// A line ending in a paragraph.
    SoftBreak,
    /// A line ending with two spaces or a backslash before it.
    HardBreak,
    /// A thematic break.
    ThematicBreak,
    /// A reference to a footnote.
    FootnoteReference {
        /// The label that the footnote is defined with.
        label: Cow<'s, str>,
        /// The reference as written.
        written: Cow<'s, str>,
    },
    /// A link reference definition. It is not displayed.
    Definition(Box<Definition<'s>>),
    /// Front matter, without its first and last line. It is never displayed. See
    /// [`Options::front_matter`](crate::Options::front_matter).
    FrontMatter {
        /// Its format.
        format: FrontMatter,
        /// Its lines.
        text: Cow<'s, str>,
    },
    /// Trusted markup, written as it is, regardless of the policy. The parser never emits it: it is
    /// for programs that add to the events of a document.
    Markup(Cow<'s, str>),
}

/// How math is written, and displayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MathStyle {
    /// `$…$`, displayed within the line.
    Inline,
    /// `$$…$$`, displayed on separate lines.
    Display,
    /// `` $`…`$ ``, displayed within the line.
    Code,
}

/// The format of front matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrontMatter {
    /// Between lines of `---`.
    Yaml,
    /// Between lines of `+++`.
    Toml,
}

/// An element that has content.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tag<'s> {
    /// A paragraph. In a tight list, HTML has no tags for it.
    Paragraph,
    /// A heading of level 1 to 6.
    Heading {
        /// The level.
        level: u8,
        /// The id in HTML, if it has one. See [`Policy::heading_ids`](crate::Policy::heading_ids)
        /// and [`Options::heading_attributes`](crate::Options::heading_attributes).
        id: Option<Cow<'s, str>>,
        /// Its other attributes, if any. (In an `Arc`, since most events are dropped at once, and
        /// the code that drops an `Arc` is out of line.)
        attributes: Option<Arc<HeadingAttributes<'s>>>,
    },
    /// A block quote.
    BlockQuote {
        /// The kind of alert, if it is one.
        alert: Option<AlertKind>,
    },
    /// A list.
    List {
        /// The number of the first item if the list is ordered.
        start: Option<u32>,
        /// Whether paragraphs in its items are written without tags.
        tight: bool,
    },
    /// A list item.
    Item {
        /// Whether the task is done, if the item is a task.
        task: Option<bool>,
    },
    /// A definition list: terms, each followed by details.
    DefinitionList {
        /// Whether paragraphs in its details are written without tags.
        tight: bool,
    },
    /// A term of a definition list.
    Term,
    /// The details of the preceding terms of a definition list.
    Details,
    /// A code block.
    CodeBlock {
        /// The info string if the block is fenced; it may be empty.
        info: Option<Cow<'s, str>>,
    },
    /// The definition of a footnote. It is displayed at the end of the document if the footnote has
    /// references.
    FootnoteDefinition {
        /// The label as written.
        label: Cow<'s, str>,
        /// Whether the label was defined before, so that this definition is ignored.
        duplicate: bool,
    },
    /// A table.
    Table {
        /// The alignment of each column.
        alignments: Vec<Alignment>,
    },
    /// A row of a table. It may have fewer cells than the table has columns.
    Row {
        /// Whether it is the table's header.
        header: bool,
    },
    /// A cell of a table.
    Cell,
    /// An HTML block.
    HtmlBlock,
    /// Emphasis.
    Emphasis,
    /// Strong emphasis.
    Strong,
    /// Struck text.
    Strikethrough,
    /// Marked text.
    Mark,
    /// Superscript.
    Superscript,
    /// Subscript.
    Subscript,
    /// A link. Its content is its text.
    Link(Target<'s>),
    /// An image. Its content is its description.
    Image(Target<'s>),
}

/// The attributes of a heading, other than its id. See
/// [`Options::heading_attributes`](crate::Options::heading_attributes).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct HeadingAttributes<'s> {
    /// `.class`, in order.
    pub classes: Vec<Cow<'s, str>>,
    /// `name` and `name=value`, in order. HTML has them only if the policy passes raw HTML.
    pub others: Vec<(Cow<'s, str>, Option<Cow<'s, str>>)>,
}

impl HeadingAttributes<'_> {
    fn into_owned(self) -> HeadingAttributes<'static> {
        let classes = self.classes.into_iter().map(owned).collect();
        let others = self.others.into_iter().map(|(name, value)| (owned(name), value.map(owned)));
        HeadingAttributes { classes, others: others.collect() }
    }
}

/// The kind of an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AlertKind {
    /// `[!NOTE]`
    Note,
    /// `[!TIP]`
    Tip,
    /// `[!IMPORTANT]`
    Important,
    /// `[!WARNING]`
    Warning,
    /// `[!CAUTION]`
    Caution,
}

impl AlertKind {
    /// The heading that GitHub displays.
    pub fn title(self) -> &'static str {
        match self {
            Self::Note => "Note",
            Self::Tip => "Tip",
            Self::Important => "Important",
            Self::Warning => "Warning",
            Self::Caution => "Caution",
        }
    }
}

/// The alignment of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Alignment {
    /// As the style sheet says.
    #[default]
    None,
    /// `:--`
    Left,
    /// `:-:`
    Center,
    /// `--:`
    Right,
}

/// An element that ends. See [`Tag`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum TagEnd {
    Paragraph,
    Heading { level: u8 },
    BlockQuote { alert: bool },
    List { ordered: bool },
    Item,
    DefinitionList,
    Term,
    Details,
    CodeBlock,
    FootnoteDefinition,
    Table,
    Row,
    Cell,
    HtmlBlock,
    Emphasis,
    Strong,
    Strikethrough,
    Mark,
    Superscript,
    Subscript,
    Link,
    Image,
}

/// The target of a link or image, and how it is written.
///
/// [`Target::new`] makes one for a link of your own.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target<'s> {
    /// The full destination: unescaped, with the scheme that a bare link lacks, not
    /// percent-encoded.
    pub destination: Cow<'s, str>,
    /// The title, unescaped; empty if there is none.
    pub title: Cow<'s, str>,
    /// How the link is written.
    pub form: Form,
}

/// How a link or image is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// `[text](destination)`.
    Inline,
    /// `[text][label]`.
    Full,
    /// `[label][]`.
    Collapsed,
    /// `[label]`.
    Shortcut,
    /// `<destination>`.
    Angle,
    /// `[[destination]]` or `[[destination|text]]`.
    Wiki,
    /// A bare URL with its scheme.
    BareUrl,
    /// A bare `www.` name, or another name without a scheme.
    BareWww,
    /// A bare e-mail address.
    BareEmail,
    /// `<a href>` or `<img src>` in raw HTML. This form and the next two occur only in
    /// [`Document::all_links`](crate::Document::all_links).
    Html,
    /// A link reference definition without a use.
    Definition,
    /// `[text][label]` or `[label][]` without a definition. Text and label are as they are
    /// written, on one line.
    Missing,
}

impl Form {
    /// Whether the link is bare: text that is a link without any markup.
    pub const fn is_bare(self) -> bool {
        matches!(self, Self::BareUrl | Self::BareWww | Self::BareEmail)
    }
}

/// A link reference definition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Definition<'s> {
    /// The label in the form in which it is matched: case-folded, with white space collapsed.
    pub label: String,
    /// The destination, unescaped.
    pub destination: Cow<'s, str>,
    /// The title, unescaped; empty if there is none.
    pub title: Cow<'s, str>,
}

impl<'s> Target<'s> {
    /// A link to `destination`, without a title.
    pub fn new(destination: impl Into<Cow<'s, str>>) -> Self {
        let title = Cow::Borrowed("");
        Self { destination: destination.into(), title, form: Form::Inline }
    }

    /// The host of the destination. See [`url::host`](crate::url::host).
    pub fn host(&self) -> Option<Cow<'_, str>> {
        url::host(&self.destination)
    }

    fn into_owned(self) -> Target<'static> {
        let Self { destination, title, form } = self;
        Target { destination: owned(destination), title: owned(title), form }
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

impl EventKind<'_> {
    fn into_owned(self) -> EventKind<'static> {
        match self {
            Self::Start(tag) => EventKind::Start(tag.into_owned()),
            Self::End(end) => EventKind::End(end),
            Self::Text(text) => EventKind::Text(owned(text)),
            Self::Code(code) => EventKind::Code(owned(code)),
            Self::Math { text, style } => EventKind::Math { text: owned(text), style },
            Self::Html(html) => EventKind::Html(owned(html)),
            Self::InlineHtml(html) => EventKind::InlineHtml(owned(html)),
            Self::SoftBreak => EventKind::SoftBreak,
            Self::HardBreak => EventKind::HardBreak,
            Self::ThematicBreak => EventKind::ThematicBreak,
            Self::FootnoteReference { label, written } => {
                EventKind::FootnoteReference { label: owned(label), written: owned(written) }
            }
            Self::Definition(definition) => {
                let Definition { label, destination, title } = *definition;
                let (destination, title) = (owned(destination), owned(title));
                EventKind::Definition(Box::new(Definition { label, destination, title }))
            }
            Self::FrontMatter { format, text } => {
                EventKind::FrontMatter { format, text: owned(text) }
            }
            Self::Markup(markup) => EventKind::Markup(owned(markup)),
        }
    }
}

impl Tag<'_> {
    fn into_owned(self) -> Tag<'static> {
        match self {
            Self::Paragraph => Tag::Paragraph,
            Self::Heading { level, id, attributes } => Tag::Heading {
                level,
                id: id.map(owned),
                attributes: attributes.map(|it| Arc::new(Arc::unwrap_or_clone(it).into_owned())),
            },
            Self::BlockQuote { alert } => Tag::BlockQuote { alert },
            Self::List { start, tight } => Tag::List { start, tight },
            Self::Item { task } => Tag::Item { task },
            Self::DefinitionList { tight } => Tag::DefinitionList { tight },
            Self::Term => Tag::Term,
            Self::Details => Tag::Details,
            Self::CodeBlock { info } => Tag::CodeBlock { info: info.map(owned) },
            Self::FootnoteDefinition { label, duplicate } => {
                Tag::FootnoteDefinition { label: owned(label), duplicate }
            }
            Self::Table { alignments } => Tag::Table { alignments },
            Self::Row { header } => Tag::Row { header },
            Self::Cell => Tag::Cell,
            Self::HtmlBlock => Tag::HtmlBlock,
            Self::Emphasis => Tag::Emphasis,
            Self::Strong => Tag::Strong,
            Self::Strikethrough => Tag::Strikethrough,
            Self::Mark => Tag::Mark,
            Self::Superscript => Tag::Superscript,
            Self::Subscript => Tag::Subscript,
            Self::Link(target) => Tag::Link(target.into_owned()),
            Self::Image(target) => Tag::Image(target.into_owned()),
        }
    }

    /// The end that belongs to this start.
    pub fn end(&self) -> TagEnd {
        match self {
            Self::Paragraph => TagEnd::Paragraph,
            Self::Heading { level, .. } => TagEnd::Heading { level: *level },
            Self::BlockQuote { alert } => TagEnd::BlockQuote { alert: alert.is_some() },
            Self::List { start, .. } => TagEnd::List { ordered: start.is_some() },
            Self::Item { .. } => TagEnd::Item,
            Self::DefinitionList { .. } => TagEnd::DefinitionList,
            Self::Term => TagEnd::Term,
            Self::Details => TagEnd::Details,
            Self::FootnoteDefinition { .. } => TagEnd::FootnoteDefinition,
            Self::Table { .. } => TagEnd::Table,
            Self::Row { .. } => TagEnd::Row,
            Self::Cell => TagEnd::Cell,
            Self::Strikethrough => TagEnd::Strikethrough,
            Self::Mark => TagEnd::Mark,
            Self::Superscript => TagEnd::Superscript,
            Self::Subscript => TagEnd::Subscript,
            Self::CodeBlock { .. } => TagEnd::CodeBlock,
            Self::HtmlBlock => TagEnd::HtmlBlock,
            Self::Emphasis => TagEnd::Emphasis,
            Self::Strong => TagEnd::Strong,
            Self::Link(_) => TagEnd::Link,
            Self::Image(_) => TagEnd::Image,
        }
    }

    /// Whether it is a block that starts a new line in HTML.
    pub(crate) fn is_block(&self) -> bool {
        match self {
            Self::Emphasis
            | Self::Strong
            | Self::Strikethrough
            | Self::Mark
            | Self::Superscript
            | Self::Subscript
            | Self::Link(_)
            | Self::Image(_)
            | Self::Row { .. }
            | Self::Cell
            | Self::FootnoteDefinition { .. } => false,
            Self::Paragraph
            | Self::Heading { .. }
            | Self::BlockQuote { .. }
            | Self::List { .. }
            | Self::Item { .. }
            | Self::DefinitionList { .. }
            | Self::Term
            | Self::Details
            | Self::CodeBlock { .. }
            | Self::Table { .. }
            | Self::HtmlBlock => true,
        }
    }
}
