//! Every link of a document: those of Markdown, `<a href>` and `<img src>` in raw HTML, references
//! without a definition, and unused definitions.
//!
//! LINEAR: one pass over the events, one over the text that may have broken references, and one
//! over the definitions. Only one block of raw HTML is kept at a time.

use std::borrow::Cow;

use crate::event::Form;
use crate::event_iter::Events;
use crate::links::{Link, Links};
use crate::near::{Flaw, NearLink, NearLinks};
use crate::options::Options;

/// Every link of a document. See [`Document::all_links`](crate::Document::all_links).
#[derive(Debug)]
pub struct AllLinks<'p, 's> {
    links: Links<'p, 's>,
    near: NearLinks<'p, 's>,
    /// The near link that comes next.
    near_ahead: Option<NearLink>,
    /// The next link.
    ahead: Option<Link<'s>>,
    /// Definitions before this record of the tape have been returned.
    definition_idx: usize,
}

impl<'p, 's> AllLinks<'p, 's> {
    pub(crate) fn new(mut events: Events<'p, 's>, near: NearLinks<'p, 's>) -> Self {
        events.note_uses();
        let links = Links::with_html(events);
        Self { links, near, near_ahead: None, ahead: None, definition_idx: 0 }
    }

    /// The next reference without a definition that starts before `end`.
    fn next_missing(&mut self, end: u32) -> Option<Link<'s>> {
        loop {
            if self.near_ahead.is_none() {
                self.near_ahead = self.near.next();
            }
            let near = self.near_ahead.take_if(|near| near.span.start < end)?;
            if near.flaw == Flaw::MissingDefinition {
                return Some(self.missing(&near));
            }
        }
    }

    /// The last near link that was read.
    fn missing(&mut self, near: &NearLink) -> Link<'s> {
        let options = Options::commonmark();
        let mut link = Link::new(Form::Missing, Cow::Borrowed(""), near.span, &options);
        (link.image, link.text) = (near.image, self.near.text_of(near.text));
        link.label = self.near.text_of(near.target);
        link
    }
}

impl<'s> Iterator for AllLinks<'_, 's> {
    type Item = Link<'s>;

    fn next(&mut self) -> Option<Link<'s>> {
        // Near links come first: they do not keep the marks of their leaf, and links do.
        if self.near_ahead.is_none() {
            self.near_ahead = self.near.next();
        }
        if self.ahead.is_none() {
            self.ahead = self.links.next();
        }
        let end = self.ahead.as_ref().map_or(u32::MAX, |link| link.span.start);
        let found = self.next_missing(end).or_else(|| self.ahead.take());
        found.or_else(|| self.links.events.next_unused(&mut self.definition_idx))
    }
}
