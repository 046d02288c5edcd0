//! The events of a leaf's text, from its marks.

use std::borrow::Cow;

use barelink_text::Span;
use barelink_text::entity::{Decoded, scan_entity};

use super::{Pending, end, reference, start};
use crate::block::tape::Tape;
use crate::document::Scratch;
use crate::event::{Event, EventKind, Form, Tag, TagEnd, Target};
use crate::inline::mark::{Kind, Mark};
use crate::inline::{self, Inlines, code_span};
use crate::syntax::join::{Loaded, Text};
use crate::syntax::unescape::{decode_entities, unescape};

/// A leaf whose text is being told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    pub(super) loaded: Loaded,
    pub(super) mark_idx: usize,
    /// How far its text has been told.
    pub(super) at: usize,
    pub(super) end: TagEnd,
    pub(super) span: Span,
}

/// What the events of a leaf are made from.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a, 's> {
    pub(super) source: &'s str,
    pub(super) text: Text<'a>,
    pub(super) inlines: &'a Inlines,
    pub(super) tape: &'a Tape,
}

impl Leaf {
    /// Tells the next event; what belongs to it goes to `pending`. The last is the
    /// leaf's end.
    #[inline]
    pub(super) fn next<'s>(
        &mut self,
        source: &'s str,
        tape: &Tape,
        scratch: &Scratch,
        pending: &mut Pending<'s>,
    ) -> Option<Event<'s>> {
        let Scratch { inlines, joined, .. } = scratch;
        let parts = || {
            let text = joined.view(source, self.loaded);
            Parts { source, text, inlines, tape }
        };
        loop {
            let mark = &inlines.marks[self.mark_idx];
            // A byte that only HTML has to escape is text like any other.
            if mark.kind == Kind::Unused || mark.kind == Kind::Literal && mark.end == mark.start + 1
            {
                self.mark_idx += 1;
                continue;
            }
            if self.at < mark.start as usize {
                let end = mark.start as usize;
                return if self.loaded.in_place {
                    self.next_text(source, end)
                } else {
                    let parts = parts();
                    self.next_joined_text(&parts, end)
                };
            }
            self.at = mark.end as usize;
            self.mark_idx += 1;
            match mark.kind {
                Kind::End => return end(self.end, self.span),
                // What is escaped is text: go on right before it.
                Kind::Literal => self.at -= 1,
                Kind::Backslash => {}
                Kind::SoftBreak if self.loaded.in_place => {
                    let span = Span::new(mark.start, mark.end);
                    return Some(Event { kind: EventKind::SoftBreak, span });
                }
                _ => return parts().mark_event(mark, pending),
            }
        }
    }

    /// The text up to `end`, in the source itself.
    #[inline]
    fn next_text<'s>(&mut self, source: &'s str, end: usize) -> Option<Event<'s>> {
        let start = std::mem::replace(&mut self.at, end);
        let text = source.get(start..end).unwrap_or_default();
        let span = Span::new(start as u32, end as u32);
        Some(Event { kind: EventKind::Text(Cow::Borrowed(text)), span })
    }

    /// The same where the text is joined, and also up to where it is interrupted.
    #[inline(never)]
    fn next_joined_text<'s>(&mut self, parts: &Parts<'_, 's>, end: usize) -> Option<Event<'s>> {
        let (text, at) = (&parts.text, self.at);
        let end = text.verbatim_end(at, end);
        self.at = end;
        Some(Event { kind: EventKind::Text(parts.text(at, end)), span: text.span(at, end) })
    }

    /// Whether the end has been told.
    pub(super) fn is_done(&self, inlines: &Inlines) -> bool {
        self.mark_idx >= inlines.marks.len()
    }
}

impl<'s> Parts<'_, 's> {
    /// A stretch of the leaf's text, borrowed from the source where it can be.
    fn text(&self, start: usize, end: usize) -> Cow<'s, str> {
        if self.text.is_verbatim(start, end) {
            Cow::Borrowed(self.text.span(start, end).slice(self.source))
        } else {
            Cow::Owned(self.text.slice(start, end).to_owned())
        }
    }

    /// The same, unescaped.
    fn unescaped(&self, start: usize, end: usize) -> Cow<'s, str> {
        match self.text(start, end) {
            Cow::Borrowed(text) => unescape(text),
            Cow::Owned(text) => Cow::Owned(unescape(&text).into_owned()),
        }
    }

    #[inline(never)]
    fn mark_event(&self, mark: &Mark, pending: &mut Pending<'s>) -> Option<Event<'s>> {
        let (start, end) = (mark.start as usize, mark.end as usize);
        let span = self.text.span(start, end);
        let event = |kind| Some(Event { kind, span });
        match mark.kind {
            Kind::HardBreak => event(EventKind::HardBreak),
            Kind::SoftBreak => event(EventKind::SoftBreak),
            Kind::RawHtml => event(EventKind::InlineHtml(self.text(start, end))),
            Kind::Entity => event(EventKind::Text(self.decoded(start))),
            Kind::TakenBack => event(EventKind::Text(self.unescaped(start, end))),
            Kind::FootnoteReference => event(EventKind::FootnoteReference {
                label: Cow::Borrowed(self.tape.footnotes.label(mark.mate).slice(self.source)),
                written: self.text(start, end),
            }),
            Kind::CodeSpan => event(EventKind::Code(self.code(mark))),
            Kind::AngleUrl | Kind::AngleEmail => self.angle_event(mark, pending),
            Kind::BareLink => self.bare_event(mark, pending),
            _ => self.element_event(mark),
        }
    }

    /// Something with content starts or ends.
    #[inline]
    fn element_event(&self, mark: &Mark) -> Option<Event<'s>> {
        let marks = &self.inlines.marks;
        let (first, last) = match mark.kind {
            Kind::EmphasisClose | Kind::StrongClose | Kind::StrikethroughClose => {
                (&marks[mark.mate as usize], mark)
            }
            Kind::LinkClose | Kind::ImageClose => {
                (&marks[self.link_of(mark).open_idx as usize], mark)
            }
            _ => (mark, &marks[mark.mate as usize]),
        };
        let span = self.text.span(first.start as usize, last.end as usize);
        match mark.kind {
            Kind::EmphasisOpen => start(Tag::Emphasis, span),
            Kind::StrongOpen => start(Tag::Strong, span),
            Kind::StrikethroughOpen => start(Tag::Strikethrough, span),
            Kind::LinkOpen => start(Tag::Link(self.target(last)), span),
            Kind::ImageOpen => start(Tag::Image(self.target(last)), span),
            Kind::EmphasisClose => end(TagEnd::Emphasis, span),
            Kind::StrongClose => end(TagEnd::Strong, span),
            Kind::StrikethroughClose => end(TagEnd::Strikethrough, span),
            Kind::LinkClose => end(TagEnd::Link, span),
            _ => end(TagEnd::Image, span),
        }
    }

    fn link_of(&self, close: &Mark) -> &inline::Link {
        &self.inlines.links[close.mate as usize]
    }

    /// What the link or image with this closing mark refers to.
    #[inline]
    fn target(&self, close: &Mark) -> Target<'s> {
        let link = self.link_of(close);
        let (destination, title) = match link.target {
            inline::Target::Inline { destination, title, .. } => (
                self.unescaped(destination.start, destination.end),
                title.map_or(Cow::Borrowed(""), |title| self.unescaped(title.start, title.end)),
            ),
            inline::Target::Reference(idx) => reference(self.source, self.tape, idx),
        };
        Target { destination, title, form: link.form }
    }

    fn angle_event(&self, mark: &Mark, pending: &mut Pending<'s>) -> Option<Event<'s>> {
        let (start, end) = (mark.start as usize, mark.end as usize);
        let inner_span = self.text.span(start + 1, end - 1);
        let inner = match self.text(start + 1, end - 1) {
            Cow::Borrowed(text) => decode_entities(text),
            Cow::Owned(text) => Cow::Owned(decode_entities(&text).into_owned()),
        };
        let destination = match mark.kind {
            Kind::AngleEmail => Cow::Owned(format!("mailto:{inner}")),
            _ => inner.clone(),
        };
        let target = Target { destination, title: Cow::Borrowed(""), form: Form::Angle };
        let text = Event { kind: EventKind::Text(inner), span: inner_span };
        whole_link(target, text, self.text.span(start, end), pending)
    }

    fn bare_event(&self, mark: &Mark, pending: &mut Pending<'s>) -> Option<Event<'s>> {
        let (start, end) = (mark.start as usize, mark.end as usize);
        let bare = self.inlines.bare[mark.mate as usize];
        let shown = if bare.decoded { self.unescaped(start, end) } else { self.text(start, end) };
        let destination = match bare.destination(&shown) {
            ("", Cow::Borrowed(_)) => shown.clone(),
            (prefix, rest) => Cow::Owned(format!("{prefix}{rest}")),
        };
        let target = Target { destination, title: Cow::Borrowed(""), form: bare.form() };
        let span = self.text.span(start, end);
        whole_link(target, Event { kind: EventKind::Text(shown), span }, span, pending)
    }

    fn code(&self, mark: &Mark) -> Cow<'s, str> {
        let run = mark.mate as usize;
        let (start, end) = (mark.start as usize + run, mark.end as usize - run);
        match self.text(start, end) {
            Cow::Borrowed(content) if !content.as_bytes().contains(&b'\n') => {
                Cow::Borrowed(code_span::strip(content))
            }
            content => Cow::Owned(code_span::strip(&content).replace('\n', " ")),
        }
    }

    fn decoded(&self, at: usize) -> Cow<'s, str> {
        match scan_entity(self.text.bytes(), at) {
            Some((_, Decoded::Named(named))) => Cow::Borrowed(named),
            Some((_, Decoded::Char(c))) => Cow::Owned(c.to_string()),
            None => Cow::Borrowed(""),
        }
    }
}

/// A link that is one mark: its start, its text and its end.
fn whole_link<'s>(
    target: Target<'s>,
    text: Event<'s>,
    span: Span,
    pending: &mut Pending<'s>,
) -> Option<Event<'s>> {
    pending.push_back(text);
    pending.push_back(Event { kind: EventKind::End(TagEnd::Link), span });
    start(Tag::Link(target), span)
}
