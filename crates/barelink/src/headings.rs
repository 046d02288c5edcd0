//! Every heading of a document with its text and its id, for tables of contents.

use std::borrow::Cow;

use barelink_text::Span;

use crate::event::{EventKind, Tag, TagEnd};
use crate::event_iter::Events;
use crate::links::push_text;

/// A heading. See [`Document::headings`](crate::Document::headings).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Heading {
    /// The level, from 1 to 6.
    pub level: u8,
    /// The id in HTML, with the prefix, if [`Policy::heading_ids`](crate::Policy::heading_ids) is
    /// on and its text has a letter or digit, or if it [specifies
    /// one](crate::Options::heading_attributes).
    pub id: Option<String>,
    /// Its text, without markup.
    pub text: String,
    /// The span of the source that it comes from.
    pub span: Span,
}

/// The headings of a document. See [`Document::headings`](crate::Document::headings).
#[derive(Debug)]
pub struct Headings<'p, 's> {
    events: Events<'p, 's>,
}

impl<'p, 's> Headings<'p, 's> {
    pub(crate) fn new(events: Events<'p, 's>) -> Self {
        Self { events }
    }
}

impl Iterator for Headings<'_, '_> {
    type Item = Heading;

    fn next(&mut self) -> Option<Heading> {
        let (level, id, span) = self.events.find_map(|event| match event.kind {
            EventKind::Start(Tag::Heading { level, id, .. }) => Some((level, id, event.span)),
            _ => None,
        })?;
        let mut text = Cow::Borrowed("");
        for event in self.events.by_ref() {
            if let EventKind::End(TagEnd::Heading { .. }) = event.kind {
                break;
            }
            push_text(&event.kind, &mut text);
        }
        Some(Heading { level, id: id.map(Into::into), text: text.into_owned(), span })
    }
}
