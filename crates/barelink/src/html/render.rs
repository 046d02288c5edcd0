//! HTML with your own markup: hooks that decide about links, and hooks that write one kind of
//! element.

use std::fmt;

use barelink_text::{LineIndex, Span};

use super::action::Action;
use super::from_events::EventWriter;
use crate::event::{Event, Tag};
use crate::links::Link;
use crate::options::Options;

/// Writes HTML as Barelink does, except where its hooks decide.
///
/// ```
/// use barelink::Options;
/// use barelink::html::{Action, ElementKind, Renderer, push_escaped};
///
/// let document = barelink::parse("[x](http://spam.example)\n\n|a|\n|-|", &Options::gfm())?;
/// let mut html = String::new();
/// Renderer::new()
///     .on_link(|link| match link.host().as_deref() {
///         Some("spam.example") => Action::Plain,
///         _ => Action::Keep,
///     })
///     .on(ElementKind::Table, |table, out| {
///         out.push_str("<div class=\"scroll\">\n");
///         out.push_str(table.html);
///         out.push_str("</div>\n");
///     })
///     .push_document(&document, &mut html);
/// assert!(html.starts_with("<p>x</p>\n<div class=\"scroll\">\n<table>\n"));
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
///
/// What a hook for an element appends is written as it is, regardless of the policy: escape text of
/// a document with [`push_escaped`](super::push_escaped) and destinations with
/// [`push_href`](super::push_href). The HTML that a hook receives is as safe as the policy.
///
/// A renderer makes HTML from events, which takes longer than
/// [`Document::push_html`](crate::Document::push_html), where hooks cost nothing.
#[derive(Default)]
#[must_use]
pub struct Renderer<'h> {
    pub(super) link: Option<LinkHook<'h>>,
    elements: Vec<(ElementKind, ElementHook<'h>)>,
}

type LinkHook<'h> = Box<dyn FnMut(&Link<'_>) -> Action + 'h>;
type ElementHook<'h> = Box<dyn FnMut(&Element<'_>, &mut String) + 'h>;

/// A kind of element that a hook may write. Elements that can contain others of their kind are not
/// included: to write those, change the events of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ElementKind {
    /// A paragraph; also in a tight list, where it has no tags.
    Paragraph,
    /// A heading.
    Heading,
    /// A code block.
    CodeBlock,
    /// An HTML block.
    HtmlBlock,
    /// A table.
    Table,
    /// A link.
    Link,
    /// An image.
    Image,
}

impl ElementKind {
    pub(super) fn of(tag: &Tag<'_>) -> Option<Self> {
        match tag {
            Tag::Paragraph => Some(Self::Paragraph),
            Tag::Heading { .. } => Some(Self::Heading),
            Tag::CodeBlock { .. } => Some(Self::CodeBlock),
            Tag::HtmlBlock => Some(Self::HtmlBlock),
            Tag::Table { .. } => Some(Self::Table),
            Tag::Link(_) => Some(Self::Link),
            Tag::Image(_) => Some(Self::Image),
            _ => None,
        }
    }
}

/// An element that a hook writes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Element<'a> {
    /// The tag: it has the level and id of a heading, the language of code, the target of a link.
    pub tag: &'a Tag<'a>,
    /// The element as Barelink writes it.
    pub html: &'a str,
    /// The content between its tags, as Barelink writes it; empty for an image.
    pub content: &'a str,
    /// Its text without markup, not escaped: literal code, or the description of an image.
    pub text: &'a str,
    /// The span of the source that it comes from.
    pub span: Span,
}

impl<'h> Renderer<'h> {
    /// A renderer without hooks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls `hook` for each link and image, in document order, to decide about it. The hook gets
    /// the same [`Link`] as from [`Document::links`](crate::Document::links).
    pub fn on_link(mut self, hook: impl FnMut(&Link<'_>) -> Action + 'h) -> Self {
        self.link = Some(Box::new(hook));
        self
    }

    /// Calls `hook` for each element of this kind: what it appends replaces the element.
    ///
    /// ```
    /// use barelink::html::{ElementKind, Renderer, push_escaped};
    /// use barelink::{Options, Tag};
    /// let mut options = Options::gfm();
    /// options.policy.heading_ids = true;
    /// let document = barelink::parse("## Why *not*?", &options)?;
    /// let mut html = String::new();
    /// Renderer::new()
    ///     .on(ElementKind::Heading, |heading, out| {
    ///         let Tag::Heading { level, id: Some(id), .. } = heading.tag else {
    ///             return out.push_str(heading.html);
    ///         };
    ///         out.push_str(&format!("<h{level} id=\"{id}\"><a href=\"#{id}\">#</a> "));
    ///         out.push_str(heading.content);
    ///         out.push_str(&format!("</h{level}>\n"));
    ///     })
    ///     .push_document(&document, &mut html);
    /// assert_eq!(
    ///     html,
    ///     "<h2 id=\"why-not\"><a href=\"#why-not\">#</a> Why <em>not</em>?</h2>\n"
    /// );
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn on(
        mut self,
        kind: ElementKind,
        hook: impl FnMut(&Element<'_>, &mut String) + 'h,
    ) -> Self {
        self.elements.retain(|(it, _)| *it != kind);
        self.elements.push((kind, Box::new(hook)));
        self
    }

    /// Appends the HTML of events to `out`, like [`push_events`](super::push_events).
    pub fn push_events<'s>(
        &mut self,
        events: impl IntoIterator<Item = Event<'s>>,
        options: &Options,
        out: &mut String,
    ) {
        EventWriter::new(options, self, out).push_all(events, out);
    }

    /// Appends the HTML of all events of `source`, with positions if the policy has them: see
    /// [`Renderer::push_document`].
    pub(crate) fn push_all<'s>(
        &mut self,
        source: &'s str,
        events: impl IntoIterator<Item = Event<'s>>,
        options: &Options,
        out: &mut String,
    ) {
        let mut writer = EventWriter::new(options, self, out);
        if options.policy.source_positions {
            writer.lines = Some(LineIndex::new(source));
        }
        writer.push_all(events, out);
    }

    /// Whether elements of this kind have a hook.
    pub(super) fn has(&self, kind: ElementKind) -> bool {
        self.elements.iter().any(|(it, _)| *it == kind)
    }

    /// Calls the hook for this kind to write an element.
    pub(super) fn write(&mut self, kind: ElementKind, element: &Element<'_>, out: &mut String) {
        match self.elements.iter_mut().find(|(it, _)| *it == kind) {
            Some((_, hook)) => hook(element, out),
            None => out.push_str(element.html),
        }
    }
}

impl fmt::Debug for Renderer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<ElementKind> = self.elements.iter().map(|(kind, _)| *kind).collect();
        f.debug_struct("Renderer")
            .field("on_link", &self.link.is_some())
            .field("on", &kinds)
            .finish()
    }
}
