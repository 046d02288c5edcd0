//! Every link of a document: those of Markdown, `<a href>` and `<img src>` in raw HTML, references
//! without a definition, and unused definitions.
//!
//! LINEAR: one pass over the events, one over the text that may have broken references, and one
//! over the definitions. Only one block of raw HTML is kept at a time.

use std::borrow::Cow;
use std::iter::Peekable;

use crate::event::Form;
use crate::event_iter::Events;
use crate::links::{Link, Links};
use crate::near::{Flaw, NearLink, NearLinks};
use crate::options::Options;

/// Every link of a document. See [`Document::all_links`](crate::Document::all_links).
#[derive(Debug)]
pub struct AllLinks<'p, 's> {
    source: &'s str,
    links: Links<'p, 's>,
    near: Peekable<NearLinks<'p, 's>>,
    /// The next link.
    ahead: Option<Link<'s>>,
    /// Definitions before this record of the tape have been returned.
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
