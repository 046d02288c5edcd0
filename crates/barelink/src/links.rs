//! Every link and image of a document, with its text: bare, angle, inline and
//! reference alike.

use std::borrow::Cow;
use std::collections::VecDeque;

use barelink_text::Span;

use crate::event::{EventKind, Form, Tag, TagEnd, Target};
use crate::events::Events;

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link<'s> {
    /// Whether it is an image.
    pub image: bool,
    /// How it is written.
    pub form: Form,
    /// Where it points: unescaped, not percent-encoded.
    pub destination: Cow<'s, str>,
    /// Its title; empty if there is none.
    pub title: Cow<'s, str>,
    /// Its text, or the image's description, without markup, and without the
    /// links and images in it, which come on their own.
    pub text: Cow<'s, str>,
    /// The bytes of the source it came from.
    pub span: Span,
}

/// The links of a document. See [`Document::links`](crate::Document::links).
#[derive(Debug)]
pub struct Links<'p, 's> {
    events: Events<'p, 's>,
    /// Links that are complete, and those in them.
    found: VecDeque<Link<'s>>,
}

impl<'p, 's> Links<'p, 's> {
    pub(crate) fn new(events: Events<'p, 's>) -> Self {
        Self { events, found: VecDeque::new() }
    }

    /// Reads the link that has just started, with all that is in it.
    fn read(&mut self, image: bool, target: Target<'s>, span: Span) {
        self.found.push_back(new_link(image, target, span));
        let mut open = vec![0];
        while let Some(event) = self.events.next() {
            match event.kind {
                EventKind::Start(Tag::Link(target)) => {
                    open.push(self.found.len());
                    self.found.push_back(new_link(false, target, event.span));
                }
                EventKind::Start(Tag::Image(target)) => {
                    open.push(self.found.len());
                    self.found.push_back(new_link(true, target, event.span));
                }
                EventKind::End(TagEnd::Link | TagEnd::Image) => {
                    open.pop();
                    if open.is_empty() {
                        return;
                    }
                }
                EventKind::Text(text) | EventKind::Code(text) => self.add_text(&open, &text),
                EventKind::SoftBreak | EventKind::HardBreak => self.add_text(&open, " "),
                _ => {}
            }
        }
    }

    /// LINEAR: text belongs to the innermost alone; images nest without end.
    fn add_text(&mut self, open: &[usize], text: &str) {
        if let Some(&idx) = open.last() {
            self.found[idx].text.to_mut().push_str(text);
        }
    }
}

fn new_link(image: bool, target: Target<'_>, span: Span) -> Link<'_> {
    let Target { destination, title, form } = target;
    Link { image, form, destination, title, text: Cow::Borrowed(""), span }
}

impl<'s> Iterator for Links<'_, 's> {
    type Item = Link<'s>;

    fn next(&mut self) -> Option<Link<'s>> {
        while self.found.is_empty() {
            let event = self.events.next()?;
            match event.kind {
                EventKind::Start(Tag::Link(target)) => self.read(false, target, event.span),
                EventKind::Start(Tag::Image(target)) => self.read(true, target, event.span),
                _ => {}
            }
        }
        self.found.pop_front()
    }
}
