//! Hooks while HTML is written from events: links and images are held until they are complete, and
//! elements are written and then handed to their hook.
//!
//! LINEAR: held events are written once, and an element is handed over only if no other of its kind
//! contains it.

use std::borrow::Cow;

use barelink_text::Span;

use super::{EventWriter, Image, OpenElement};
use crate::event::{Event, EventKind, Tag, TagEnd};
use crate::html::action::{Action, Change};
use crate::html::escape::push_escaped;
use crate::html::kinds::slot;
use crate::html::markup::{push_changed_link_start, push_image_start};
use crate::html::render::{Element, ElementKind};
use crate::links::{Link, add_text};
use crate::memory::{PushSparingly as _, reserve_sparingly};

/// An element that a hook will write.
pub(super) struct Hooked<'s> {
    kind: ElementKind,
    tag: Tag<'s>,
    span: Span,
    /// The offsets in the output where the element and its content start.
    start: usize,
    content: usize,
    /// The offset where its text starts.
    text: usize,
}

/// Links that a hook decides about.
impl<'s> EventWriter<'_, '_, 's> {
    /// Holds an event for the hook: it starts a link or image that is written, or is inside a held
    /// one. Returns the event if it need not be held.
    pub(super) fn hold(&mut self, event: Event<'s>, out: &mut String) -> Option<Event<'s>> {
        if self.depth == 0 {
            let is_start = match event.kind {
                EventKind::Start(Tag::Image(_)) => true,
                EventKind::Start(Tag::Link(_)) => self.n_open[slot(TagEnd::Link)] == 0,
                _ => false,
            };
            if !is_start || self.image.is_some() {
                return Some(event);
            }
        }
        match event.kind {
            EventKind::Start(Tag::Link(_) | Tag::Image(_)) => self.depth += 1,
            EventKind::End(TagEnd::Link | TagEnd::Image) => self.depth -= 1,
            _ => {}
        }
        if !self.ends_unseen(&event.kind) {
            self.held.push_sparingly(event);
        }
        if self.depth == 0 {
            self.push_held(out);
        }
        None
    }

    /// Whether an event to be held ends an image inside another. Such an image is not displayed,
    /// and a hostile text may have very many: so its end is not held, and its start becomes empty
    /// text.
    fn ends_unseen(&mut self, kind: &EventKind<'s>) -> bool {
        let end = match kind {
            EventKind::Start(Tag::Link(_) | Tag::Image(_)) => {
                self.held_starts.push_sparingly(self.held.len() as u32);
                return false;
            }
            EventKind::End(end @ (TagEnd::Link | TagEnd::Image)) => *end,
            _ => return false,
        };
        let Some(start) = self.held_starts.pop() else { return false };
        let starts = |idx: u32, end: TagEnd| match &self.held[idx as usize].kind {
            EventKind::Start(tag) => tag.end() == end,
            _ => false,
        };
        if !starts(start, end) {
            // Changed events may end a link before an image in it. Then all of them are held.
            self.held_starts.clear();
            return false;
        }
        let around = self.held_starts.last();
        let is_unseen =
            end == TagEnd::Image && around.is_some_and(|around| starts(*around, TagEnd::Image));
        if is_unseen {
            self.held[start as usize].kind = EventKind::Text(Cow::Borrowed(""));
        }
        is_unseen
    }

    /// Writes the link or image that was held, as the hook decides.
    pub(super) fn push_held(&mut self, out: &mut String) {
        self.depth = 0;
        self.held_starts.clear();
        let mut events = std::mem::take(&mut self.held).into_iter();
        let (Some(first), Some(hook)) = (events.next(), &mut self.hooks.link) else { return };
        let Some(mut link) = Link::started_by(&first, self.options) else { return };
        for event in events.as_slice() {
            add_text(&event.kind, &mut link.text);
        }
        let change = match hook(&link) {
            Action::Drop => return,
            Action::Plain if link.image => {
                if !self.hooked.is_empty() {
                    self.text.to_mut().push_str(&link.text);
                }
                return push_escaped(&link.text, out);
            }
            Action::Plain => None,
            Action::Keep => Some(Change::new()),
            Action::Change(change) => Some(change),
        };
        let EventKind::Start(tag) = first.kind else { return };
        let is_hooked = change.is_some() && self.is_hooked(&tag, first.span, out);
        if link.image {
            let change = change.unwrap_or_default();
            let destination = change.destination.as_deref().unwrap_or(&link.destination);
            push_image_start(destination, self.options, out);
            let (title, alt) = (link.title, out.len());
            self.image = Some(Image { depth: 0, title, change, is_hooked, alt });
        } else {
            if let Some(change) = &change {
                push_changed_link_start(&link, change, self.options, out);
            }
            if is_hooked {
                self.start_content(out);
            }
            let end = TagEnd::Link;
            self.n_open[slot(end)] += 1;
            let is_written = change.is_some();
            self.open.push_sparingly(OpenElement { end, is_written, is_hooked });
        }
        for event in events {
            self.push(event, out);
        }
    }
}

/// Elements that hooks write.
impl<'s> EventWriter<'_, '_, 's> {
    /// Whether a hook is to write the element that starts with this tag. If so, it is recorded.
    pub(super) fn is_hooked(&mut self, tag: &Tag<'s>, span: Span, out: &str) -> bool {
        let Some(kind) = ElementKind::of(tag) else { return false };
        // LINEAR: hooks get no element inside another of its kind, since each gets a copy.
        if !self.hooks.has(kind) || self.n_open[slot(tag.end())] > 0 {
            return false;
        }
        let (start, text) = (out.len(), self.text.len());
        self.hooked.push(Hooked { kind, tag: tag.clone(), span, start, content: start, text });
        true
    }

    /// Marks the start of the content of the last element in `hooked`.
    pub(super) fn start_content(&mut self, out: &str) {
        if let Some(hooked) = self.hooked.last_mut() {
            hooked.content = out.len();
        }
    }

    /// Calls the hook of the last element in `hooked`, and replaces its HTML by what the hook
    /// appends.
    pub(super) fn push_hooked(&mut self, content_end: usize, out: &mut String) {
        let Some(hooked) = self.hooked.pop() else { return };
        let Hooked { kind, tag, span, start, content, text } = hooked;
        let html = out.split_off(start.min(out.len()));
        let content = html.get(content - start..content_end - start).unwrap_or_default();
        let text = self.text.get(text..).unwrap_or_default();
        let element = Element { tag: &tag, html: &html, content, text, span };
        reserve_sparingly(html.len() + text.len(), out);
        self.hooks.write(kind, &element, out);
        if self.hooked.is_empty() {
            self.text.to_mut().clear();
        }
    }
}
