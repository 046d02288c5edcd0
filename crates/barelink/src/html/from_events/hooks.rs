//! What hooks decide while HTML is written from events: links and images, which wait until they are
//! complete, and elements, which are written and then handed over.
//!
//! LINEAR: what waits is written once, and what is handed over is in no other element of its kind.

use barelink_text::Span;

use super::{EventWriter, Image, OpenElement};
use crate::event::{Event, EventKind, Tag, TagEnd};
use crate::html::action::{Action, Change};
use crate::html::escape::push_escaped;
use crate::html::kinds::slot;
use crate::html::markup::{push_changed_link_start, push_image_start};
use crate::html::render::{Element, ElementKind};
use crate::links::Link;
use crate::memory::{PushSparingly as _, reserve_sparingly};

/// An element that a hook will write.
pub(super) struct Hooked<'s> {
    kind: ElementKind,
    tag: Tag<'s>,
    span: Span,
    /// Where it starts in the output, and where its content does.
    start: usize,
    content: usize,
    /// Where its text starts.
    text: usize,
}

/// Links that a hook decides about.
impl<'s> EventWriter<'_, '_, 's> {
    /// Whether an event waits for the hook: it starts a link or image that is shown, or is in
    /// one that waits.
    pub(super) fn hold(&mut self, event: &Event<'s>) -> bool {
        let is_start = match event.kind {
            EventKind::Start(Tag::Image(_)) => true,
            EventKind::Start(Tag::Link(_)) => self.n_open[slot(TagEnd::Link)] == 0,
            _ => false,
        };
        if self.depth == 0 {
            self.depth = usize::from(is_start && self.image.is_none());
            return self.depth > 0;
        }
        match event.kind {
            EventKind::Start(Tag::Link(_) | Tag::Image(_)) => self.depth += 1,
            EventKind::End(TagEnd::Link | TagEnd::Image) => self.depth -= 1,
            _ => {}
        }
        true
    }

    /// Writes the link or image that has waited, as the hook wants it.
    pub(super) fn push_held(&mut self, out: &mut String) {
        self.depth = 0;
        let mut events = std::mem::take(&mut self.held).into_iter();
        let (Some(first), Some(hook)) = (events.next(), &mut self.hooks.link) else { return };
        let Some(mut link) = Link::started_by(&first, self.options) else { return };
        for event in events.as_slice() {
            link.add_text(&event.kind);
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
    /// Whether a hook is to write the element that starts with this tag. If so, it is kept.
    pub(super) fn is_hooked(&mut self, tag: &Tag<'s>, span: Span, out: &str) -> bool {
        let Some(kind) = ElementKind::of(tag) else { return false };
        // LINEAR: one in another of its kind is not for the hook, which copies what it gets.
        if !self.hooks.has(kind) || self.n_open[slot(tag.end())] > 0 {
            return false;
        }
        let (start, text) = (out.len(), self.text.len());
        self.hooked.push(Hooked { kind, tag: tag.clone(), span, start, content: start, text });
        true
    }

    /// The content of the last element that a hook is to write starts here.
    pub(super) fn start_content(&mut self, out: &str) {
        if let Some(hooked) = self.hooked.last_mut() {
            hooked.content = out.len();
        }
    }

    /// Lets the hook write the last element that it is to write in place of what was written.
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
