//! Every link and image of a document, with its text: bare, angle, inline and reference links
//! alike. This is the only representation of a link: the hook of a
//! [`Renderer`](crate::html::Renderer) gets the same.

mod raw_html;

use std::borrow::Cow;
use std::collections::VecDeque;

use barelink_text::Span;

use self::raw_html::HtmlLines;
use crate::event::{Event, EventKind, Form, Tag, TagEnd, Target};
use crate::event_iter::Events;
use crate::html::gate;
use crate::memory::PushSparingly as _;
use crate::options::Options;
use crate::policy::Attribute;
use crate::url;

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link<'s> {
    /// Whether this is an image.
    pub image: bool,
    /// How it is written.
    pub form: Form,
    /// The full destination: unescaped, with the scheme that a bare link lacks, not
    /// percent-encoded, even if the policy does not allow it. See [`Link::href`].
    pub destination: Cow<'s, str>,
    /// The destination as written in HTML: percent-encoded, with the [prefix of
    /// ids](crate::Policy::id_prefix), and empty if the policy does not allow it.
    pub href: String,
    /// Its title; empty if there is none.
    pub title: Cow<'s, str>,
    /// Its text, or the image's description: what a reader sees, without markup. Line endings are
    /// spaces, images in it are their descriptions, raw HTML is left out. A link or image inside
    /// the description of an image is never displayed; its text omits that of images in it.
    pub text: Cow<'s, str>,
    /// Whether it leads to another site. See [`Policy::external`](crate::Policy::external).
    pub external: bool,
    /// The label of an unused definition, or of a reference without a definition; else empty.
    pub label: Cow<'s, str>,
    /// The span of the source that it comes from.
    pub span: Span,
}

impl Link<'_> {
    /// The host of the destination. See [`url::host`].
    ///
    /// ```
    /// use barelink::Options;
    /// let document = barelink::parse("www.Example.org/x", &Options::gfm())?;
    /// let link = document.links().next().unwrap();
    /// assert_eq!(link.host().as_deref(), Some("www.example.org"));
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn host(&self) -> Option<Cow<'_, str>> {
        url::host(&self.destination)
    }

    /// The same link without borrowed data.
    pub fn into_owned(self) -> Link<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let Self { image, form, destination, href, title, text, external, label, span } = self;
        let (destination, title) = (owned(destination), owned(title));
        let (text, label) = (owned(text), owned(label));
        Link { image, form, destination, href, title, text, external, label, span }
    }

    /// The scheme of the destination. See [`url::scheme`].
    pub fn scheme(&self) -> Option<&str> {
        url::scheme(&self.destination)
    }
}

/// The links of a document. See [`Document::links`](crate::Document::links).
#[derive(Debug)]
pub struct Links<'p, 's> {
    pub(crate) events: Events<'p, 's>,
    /// The state for reading raw HTML, if its links are included.
    html: Option<HtmlLines>,
    /// Links that are complete: the outermost one, and those in it.
    found: VecDeque<WaitingLink<'s>>,
}

/// A link that waits until the outermost one around it is complete, without the fields that can be
/// derived. A hostile text may nest one for every few bytes.
#[derive(Debug)]
struct WaitingLink<'s> {
    image: bool,
    target: Target<'s>,
    text: Cow<'s, str>,
    span: Span,
}

impl<'p, 's> Links<'p, 's> {
    pub(crate) fn new(mut events: Events<'p, 's>) -> Self {
        events.want_links(Span::new(0, u32::MAX));
        Self { events, html: None, found: VecDeque::new() }
    }

    /// Restricts the links to blocks that this span overlaps or touches. See
    /// [`Decisions::within`](crate::Decisions::within).
    ///
    /// ```
    /// use barelink::{Options, Span};
    /// let document = barelink::parse("www.a.bc\n\nwww.d.ef\n\nwww.g.hi", &Options::gfm())?;
    /// let link = document.links().within(Span::new(12, 12)).next().unwrap();
    /// assert_eq!(link.text, "www.d.ef");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    #[must_use]
    pub fn within(mut self, span: Span) -> Self {
        self.events.want_links(span);
        self
    }

    /// Like [`Links::within`], but may leave out bare links in leaves without other links, and what
    /// follows the span in a leaf. Bare links are cheaper by
    /// [`Document::bare_links`](crate::Document::bare_links).
    #[doc(hidden)]
    #[must_use]
    pub fn marked_within(mut self, span: Span) -> Self {
        self.events.want_marked_links(span);
        self
    }

    /// The links, including those of raw HTML.
    pub(crate) fn with_html(events: Events<'p, 's>) -> Self {
        Self { events, html: Some(HtmlLines::default()), found: VecDeque::new() }
    }

    /// Adds the links of an event's raw HTML.
    fn read_html(&mut self, event: &Event<'s>) {
        if let Some(html) = &mut self.html {
            html.read(&event.kind, event.span, |found| self.found.push_sparingly(found));
        }
    }

    /// Reads the link that has just started, and returns it, unless it contains others: then all of
    /// them are added to [`Links::found`].
    fn read(&mut self, mut outermost: Link<'s>) -> Option<Link<'s>> {
        // Links of raw HTML inside it have to come after it.
        if self.html.is_none() {
            while let Some(event) = self.events.next() {
                if let Some(link) = Link::started_by(&event, self.events.options()) {
                    self.read_nested(outermost, Some(link));
                    return None;
                }
                if let EventKind::End(TagEnd::Link | TagEnd::Image) = event.kind {
                    break;
                }
                add_text(&event.kind, &mut outermost.text);
            }
            return Some(outermost);
        }
        self.read_nested(outermost, None);
        None
    }

    /// Reads a link with all that it contains; `first` is a link in it that has just started.
    #[cold]
    fn read_nested(&mut self, outermost: Link<'s>, first: Option<Link<'s>>) {
        // Whether each open link or image is displayed, from the outermost on: it is, unless it is
        // in an image.
        let mut open = Vec::new();
        let mut n_images = 0;
        for link in [Some(outermost), first].into_iter().flatten() {
            self.open(link, &mut open, &mut n_images);
        }
        while !open.is_empty()
            && let Some(event) = self.events.next()
        {
            if let Some(link) = Link::started_by(&event, self.events.options()) {
                self.open(link, &mut open, &mut n_images);
            } else if let EventKind::End(TagEnd::Link | TagEnd::Image) = event.kind {
                n_images -= usize::from(event.kind == EventKind::End(TagEnd::Image));
                open.pop();
            } else {
                self.read_html(&event);
                // LINEAR: at most an image in a link is displayed, so each text is added to at most
                // three.
                let n_shown = open.iter().take_while(|(_, is_shown)| *is_shown).count();
                let innermost = open.last().filter(|(_, is_shown)| !is_shown);
                for &(idx, _) in open[..n_shown].iter().chain(innermost) {
                    add_text(&event.kind, &mut self.found[idx].text);
                }
            }
        }
    }

    fn open(&mut self, link: Link<'s>, open: &mut Vec<(usize, bool)>, n_images: &mut usize) {
        open.push_sparingly((self.found.len(), *n_images == 0));
        *n_images += usize::from(link.image);
        self.found.push_sparingly(link.into());
    }
}

impl<'s> Iterator for Links<'_, 's> {
    type Item = Link<'s>;

    fn next(&mut self) -> Option<Link<'s>> {
        while self.found.is_empty() {
            let event = self.events.next()?;
            if let Some(link) = Link::started_by(&event, self.events.options()) {
                if self.events.leave_behind(link.span.start) {
                    continue;
                }
                if let Some(link) = self.read(link) {
                    return Some(link);
                }
            } else {
                self.read_html(&event);
            }
        }
        self.found.pop_front().map(|found| found.link(self.events.options()))
    }
}

impl<'s> Link<'s> {
    /// The link or image that starts with `event`, without its text.
    pub(crate) fn started_by(event: &Event<'s>, options: &Options) -> Option<Self> {
        let (image, target) = match &event.kind {
            EventKind::Start(Tag::Link(target)) => (false, target),
            EventKind::Start(Tag::Image(target)) => (true, target),
            _ => return None,
        };
        let (target, text) = (target.clone(), Cow::Borrowed(""));
        Some(WaitingLink { image, target, text, span: event.span }.link(options))
    }

    /// A link without title and text.
    pub(crate) fn new(
        form: Form,
        destination: Cow<'s, str>,
        span: Span,
        options: &Options,
    ) -> Self {
        let href = gate::href(&destination, Attribute::Href, form, options);
        let external = options.policy.is_external(&href);
        let (title, text, label) = (Cow::Borrowed(""), Cow::Borrowed(""), Cow::Borrowed(""));
        Self { image: false, form, destination, href, title, text, external, label, span }
    }
}

impl<'s> From<Link<'s>> for WaitingLink<'s> {
    fn from(link: Link<'s>) -> Self {
        let Link { image, form, destination, title, text, span, .. } = link;
        Self { image, target: Target { destination, title, form }, text, span }
    }
}

impl<'s> WaitingLink<'s> {
    fn link(self, options: &Options) -> Link<'s> {
        let Self { image, target: Target { destination, title, form }, text, span } = self;
        let attribute = if image { Attribute::Src } else { Attribute::Href };
        let href = gate::href(&destination, attribute, form, options);
        let external = options.policy.is_external(&href);
        let label = Cow::Borrowed("");
        Link { image, form, destination, href, title, text, external, label, span }
    }
}

/// Adds the displayed text of an event in a link to the link's text.
pub(crate) fn add_text<'s>(kind: &EventKind<'s>, out: &mut Cow<'s, str>) {
    match kind {
        EventKind::Text(Cow::Borrowed(text)) if out.is_empty() => *out = Cow::Borrowed(text),
        kind => push_text(kind, out),
    }
}

/// Appends the displayed text of an event, for a reader of plain text.
pub(crate) fn push_text(kind: &EventKind<'_>, out: &mut Cow<'_, str>) {
    match kind {
        EventKind::Text(text) | EventKind::Code(text) | EventKind::Math { text, .. } => {
            out.to_mut().push_str(text);
        }
        EventKind::FootnoteReference { written, .. } => out.to_mut().push_str(written),
        EventKind::SoftBreak | EventKind::HardBreak => out.to_mut().push(' '),
        EventKind::Start(_)
        | EventKind::End(_)
        | EventKind::Html(_)
        | EventKind::InlineHtml(_)
        | EventKind::ThematicBreak
        | EventKind::Definition(_)
        | EventKind::FrontMatter { .. }
        | EventKind::Markup(_) => {}
    }
}
