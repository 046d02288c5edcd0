//! Every link of a document, whoever makes it one: those of Markdown, `<a href>` and
//! `<img src>` in raw HTML, references that lead nowhere, definitions that nobody uses.
//!
//! LINEAR: one pass over the events, one over the text that may have broken references, and
//! one over the definitions. Of raw HTML, one block is kept at a time.

use std::borrow::Cow;
use std::iter::Peekable;

use barelink_text::Span;

use crate::event::{EventKind, Form, Tag, TagEnd};
use crate::events::Events;
use crate::html::gate;
use crate::html::tokens::{Piece, Tokens, attribute};
use crate::links::{Link, Links};
use crate::near::{Flaw, NearLink, NearLinks};
use crate::options::Options;
use crate::policy::Attribute;
use crate::syntax::unescape::decode_entities;

/// Every link of a document. See [`Document::all_links`](crate::Document::all_links).
#[derive(Debug)]
pub struct AllLinks<'p, 's> {
    source: &'s str,
    links: Links<'p, 's>,
    near: Peekable<NearLinks<'p, 's>>,
    /// The link that comes next.
    ahead: Option<Link<'s>>,
    /// Definitions up to this record of the tape are told of.
    definition_idx: usize,
}

impl<'p, 's> AllLinks<'p, 's> {
    pub(crate) fn new(
        source: &'s str,
        mut events: Events<'p, 's>,
        near: NearLinks<'p, 's>,
    ) -> Self {
        events.note_uses();
        let links = Links::with_html(events);
        Self { source, links, near: near.peekable(), ahead: None, definition_idx: 0 }
    }

    /// The next reference without a definition that starts before `end`.
    fn next_missing(&mut self, end: u32) -> Option<Link<'s>> {
        loop {
            let near = self.near.next_if(|near| near.span.start < end)?;
            if near.flaw == Flaw::MissingDefinition {
                return Some(missing(&near, self.source));
            }
        }
    }
}

impl<'s> Iterator for AllLinks<'_, 's> {
    type Item = Link<'s>;

    fn next(&mut self) -> Option<Link<'s>> {
        if self.ahead.is_none() {
            self.ahead = self.links.next();
        }
        let end = self.ahead.as_ref().map_or(u32::MAX, |link| link.span.start);
        let found = self.next_missing(end).or_else(|| self.ahead.take());
        found.or_else(|| self.links.events.next_unused(&mut self.definition_idx))
    }
}

fn missing<'s>(near: &NearLink, source: &'s str) -> Link<'s> {
    let text = Cow::Borrowed(near.text.slice(source));
    let mut link = Link::new(Form::Missing, Cow::Borrowed(""), near.span, &Options::commonmark());
    (link.image, link.text) = (near.image, text);
    link.label = Cow::Borrowed(near.target.slice(source));
    link
}

/// The lines of an HTML block, and where each stands in the source.
#[derive(Debug, Default)]
pub(crate) struct RawHtml {
    text: String,
    /// Where a stretch starts in `text`, and in the source.
    pieces: Vec<(usize, u32)>,
}

impl RawHtml {
    /// Takes in an event, and adds the links of raw HTML that is complete with it.
    pub(crate) fn read<'s>(
        &mut self,
        kind: &EventKind<'s>,
        span: Span,
        options: &Options,
        mut add: impl FnMut(Link<'s>),
    ) {
        match kind {
            EventKind::InlineHtml(tag) => {
                if let Some(link) = link_of(tag, span, options) {
                    add(link);
                }
            }
            EventKind::Start(Tag::HtmlBlock) => {
                self.text.clear();
                self.pieces.clear();
            }
            EventKind::Html(lines) => {
                self.pieces.push((self.text.len(), span.start));
                self.text.push_str(lines);
            }
            EventKind::End(TagEnd::HtmlBlock) => {
                for (piece, range) in Tokens::new(&self.text) {
                    if piece == Piece::Markup {
                        // A tag ends in the line of its last byte.
                        let (start, last) = (range.start, range.end.max(1) - 1);
                        let at = Span::new(self.offset(start), self.offset(last) + 1);
                        let tag = self.text.get(range).unwrap_or_default();
                        link_of(tag, at, options).into_iter().for_each(&mut add);
                    }
                }
            }
            _ => {}
        }
    }

    /// Where an offset of the text is in the source.
    fn offset(&self, at: usize) -> u32 {
        let after = self.pieces.partition_point(|piece| piece.0 <= at);
        let (start, source) = self.pieces.get(after.saturating_sub(1)).copied().unwrap_or_default();
        source + (at - start.min(at)) as u32
    }
}

/// The link of a tag, if it has one.
fn link_of<'s>(tag: &str, span: Span, options: &Options) -> Option<Link<'s>> {
    let (image, name) = if is_tag(tag, "a") {
        (false, "href")
    } else if is_tag(tag, "img") {
        (true, "src")
    } else {
        return None;
    };
    let value = |name: &str| Some(decode_entities(attribute(tag, name)?).into_owned());
    let destination = Cow::Owned(value(name)?.trim_ascii().to_owned());
    let mut link = Link::new(Form::Html, destination, span, options);
    link.image = image;
    link.title = Cow::Owned(value("title").unwrap_or_default());
    if image {
        link.text = Cow::Owned(value("alt").unwrap_or_default());
        link.href = gate::href(&link.destination, Attribute::Src, link.form, options);
    }
    Some(link)
}

fn is_tag(tag: &str, name: &str) -> bool {
    let rest = tag.get(1..).and_then(|rest| rest.split_at_checked(name.len()));
    rest.is_some_and(|(head, after)| {
        head.eq_ignore_ascii_case(name)
            && after.starts_with(|c: char| c.is_ascii_whitespace() || c == '/')
    })
}
