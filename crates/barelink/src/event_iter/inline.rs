//! The events of a leaf's text, made from its marks.

use std::borrow::Cow;

use barelink_text::Span;
use barelink_text::entity::{Decoded, scan_entity};

use super::{Queue, end as finish, reference, start as begin};
use crate::bare_links::BareLink;
use crate::event::{Event, EventKind, Form, MathStyle, Tag, TagEnd, Target};
use crate::inline::delimiter::Style;
use crate::inline::emoji::emoji;
use crate::inline::mark::{BareIdx, LinkIdx, Mark, MarkIdx, MarkKind};
use crate::inline::{self, Inlines, Written, code_span, smart, wiki};
use crate::parsed::{Scratch, Shared};
use crate::syntax::text::{Map, Returns, Text};
use crate::syntax::unescape::{decode_entities, unescape};
use crate::tape::Tape;
use crate::tape::join::Loaded;

/// A leaf whose events are being returned.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeafEvents {
    pub(super) loaded: Loaded,
    /// The next mark that is not text.
    mark_idx: usize,
    /// The start of that mark.
    mark_start: u32,
    /// The next line ending that is text.
    line_end_idx: usize,
    /// The text before this offset has been returned.
    at: usize,
    /// The mapping to the source at this offset.
    shift: Shift,
    end: TagEnd,
    span: Span,
}

/// Maps the offsets `from..=to` of a leaf's text to the source by adding `by`. If the text is the
/// source itself, that range is unlimited; in a text without its carriage returns, it is one line.
/// Any other text has an empty range, and each offset is looked up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shift {
    by: u32,
    from: u32,
    to: u32,
}

impl Shift {
    /// The shift at the start of a text.
    #[inline]
    pub(crate) fn new(text: &Text<'_>) -> Self {
        match text.map {
            Map::Source => Self { by: 0, from: 0, to: u32::MAX },
            Map::Origins(_) => Self { by: 0, from: u32::MAX, to: 0 },
            Map::Folded(returns) => {
                let to = returns.place(0).unwrap_or(u32::MAX);
                Self { by: returns.start, from: 0, to }
            }
        }
    }

    /// The span of `start..end` in the source, if both offsets are in the range.
    #[inline]
    fn span(self, start: usize, end: usize) -> Option<Span> {
        let is_in_line = self.from as usize <= start && end <= self.to as usize;
        is_in_line.then(|| Span::new(start as u32 + self.by, end as u32 + self.by))
    }

    /// Advances to the line that contains `at`, in a text without its carriage returns.
    ///
    /// LINEAR: each carriage return is passed once.
    #[inline]
    fn pass(&mut self, map: Map<'_>, at: u32) {
        if let Map::Folded(returns) = map {
            while self.to < at {
                self.pass_one(returns);
            }
        }
    }

    #[inline]
    fn pass_one(&mut self, returns: Returns<'_>) {
        self.by += 1;
        self.from = self.to + 1;
        self.to = returns.place(self.by - returns.start).unwrap_or(u32::MAX);
    }

    /// The span in the source of the line feed at `at`, in a text without its carriage returns. If
    /// one was left out before it, the span is the end of the line, and empty.
    #[inline]
    fn soft_break(&mut self, map: Map<'_>, at: u32) -> Option<Span> {
        let Map::Folded(returns) = map else { return None };
        self.pass(map, at);
        let in_source = at + self.by;
        if self.to != at {
            return Some(Span::new(in_source, in_source + 1));
        }
        self.pass_one(returns);
        Some(Span::new(in_source, in_source))
    }
}

/// The data from which the events of a leaf are made.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a, 's> {
    pub(crate) source: &'s str,
    pub(crate) text: Text<'a>,
    pub(crate) inlines: &'a Inlines,
    pub(crate) tape: &'a Tape,
    /// The shift at the line of the current mark.
    pub(crate) shift: &'a Shift,
}

impl LeafEvents {
    /// The leaf whose text was loaded and parsed last. Its last event will be `end`, with `span`.
    #[inline]
    pub(super) fn new(
        loaded: Loaded,
        text: &Text<'_>,
        inlines: &Inlines,
        end: TagEnd,
        span: Span,
    ) -> Self {
        let (at, shift) = (text.start, Shift::new(text));
        let mut leaf =
            Self { loaded, mark_idx: 0, mark_start: 0, line_end_idx: 0, at, shift, end, span };
        leaf.find_mark(inlines);
        leaf
    }

    /// Advances to the next mark that is not text.
    #[inline]
    fn find_mark(&mut self, inlines: &Inlines) {
        while let Some(mark) = inlines.marks.get(self.mark_idx) {
            self.mark_start = mark.start;
            // A byte that only HTML has to escape is text like any other.
            if mark.kind != MarkKind::Unused && !mark.is_escapable_byte() {
                break;
            }
            self.mark_idx += 1;
        }
    }

    /// Returns the next event; further events of the same mark go to `pending`. The last one is the
    /// leaf's end.
    #[inline]
    pub(super) fn next<'s>(
        &mut self,
        source: &'s str,
        parsed: &Shared<'_>,
        scratch: &Scratch,
        pending: &mut Queue<'s>,
    ) -> Option<Event<'s>> {
        let Scratch { inlines, line_ends, .. } = scratch;
        loop {
            let line_end = line_ends.get(self.line_end_idx);
            let stop = self.mark_start.min(line_end) as usize;
            if self.at < stop {
                return if stop <= self.shift.to as usize {
                    self.next_text(source, stop)
                } else {
                    let text = scratch.joined.view(source, &parsed.tape.folded, self.loaded);
                    self.next_joined_text(source, &text, stop)
                };
            }
            if line_end < self.mark_start {
                self.line_end_idx += 1;
                // The previous mark may have covered it.
                if self.at > line_end as usize {
                    continue;
                }
                self.at += 1;
                let span = if line_end < self.shift.to {
                    let start = line_end + self.shift.by;
                    Span::new(start, start + 1)
                } else {
                    let map = scratch.joined.map(&parsed.tape.folded, self.loaded);
                    self.shift.soft_break(map, line_end).unwrap_or_else(|| {
                        let text = scratch.joined.view(source, &parsed.tape.folded, self.loaded);
                        text.span(line_end as usize, line_end as usize + 1)
                    })
                };
                return Some(Event { kind: EventKind::SoftBreak, span });
            }
            let mark = &inlines.marks[self.mark_idx];
            self.at = mark.end as usize;
            self.mark_idx += 1;
            self.find_mark(inlines);
            match mark.kind {
                MarkKind::End => return finish(self.end, self.span),
                // The escaped byte is text: continue right before it.
                MarkKind::Literal => self.at -= 1,
                MarkKind::Backslash => {}
                _ => {
                    let text = scratch.joined.view(source, &parsed.tape.folded, self.loaded);
                    self.shift.pass(text.map, mark.start);
                    let (tape, shift) = (&parsed.tape, &self.shift);
                    return Parts { source, text, inlines, tape, shift }.mark_event(mark, pending);
                }
            }
        }
    }

    /// The text up to `end`, borrowed from the source.
    #[inline]
    fn next_text<'s>(&mut self, source: &'s str, end: usize) -> Option<Event<'s>> {
        let shift = self.shift.by as usize;
        let (start, end) = (std::mem::replace(&mut self.at, end) + shift, end + shift);
        let text = source.get(start..end).unwrap_or_default();
        let span = Span::new(start as u32, end as u32);
        Some(Event { kind: EventKind::Text(Cow::Borrowed(text)), span })
    }

    /// The text up to `end` if it is joined, or up to where it is interrupted in the source.
    #[inline(never)]
    fn next_joined_text<'s>(
        &mut self,
        source: &'s str,
        text: &Text<'_>,
        end: usize,
    ) -> Option<Event<'s>> {
        let at = self.at;
        self.shift.pass(text.map, at as u32);
        if self.shift.span(at, end).is_some() {
            return self.next_text(source, end);
        }
        let end = text.verbatim_end(at, end);
        self.at = end;
        let shown = borrowed(source, text, text.verbatim(at, end), at, end);
        Some(Event { kind: EventKind::Text(shown), span: text.span(at, end) })
    }

    /// Whether the end has been returned.
    pub(super) fn is_done(&self, inlines: &Inlines) -> bool {
        self.mark_idx >= inlines.marks.len()
    }
}

impl<'s> Parts<'_, 's> {
    /// The span of a range of the leaf's text in the source.
    #[inline]
    fn span(&self, start: usize, end: usize) -> Span {
        self.shift.span(start, end).unwrap_or_else(|| self.text.span(start, end))
    }

    /// A range of the leaf's text, borrowed from the source if possible.
    fn text(&self, start: usize, end: usize) -> Cow<'s, str> {
        let verbatim = self.shift.span(start, end).or_else(|| self.text.verbatim(start, end));
        borrowed(self.source, &self.text, verbatim, start, end)
    }

    /// A range of the leaf's text, unescaped.
    fn unescaped(&self, start: usize, end: usize) -> Cow<'s, str> {
        match self.text(start, end) {
            Cow::Borrowed(text) => unescape(text),
            Cow::Owned(text) => Cow::Owned(unescape(&text).into_owned()),
        }
    }

    #[inline(never)]
    fn mark_event(&self, mark: &Mark, pending: &mut Queue<'s>) -> Option<Event<'s>> {
        let (start, end) = (mark.start as usize, mark.end as usize);
        // Computed on demand: in a joined text, it has to be searched for.
        let span = || self.span(start, end);
        let event = |kind| Some(Event { kind, span: span() });
        match mark.kind {
            MarkKind::HardBreak => event(EventKind::HardBreak),
            MarkKind::SoftBreak => event(EventKind::SoftBreak),
            MarkKind::RawHtml => event(EventKind::InlineHtml(self.text(start, end))),
            MarkKind::Entity => event(EventKind::Text(self.decoded(start))),
            MarkKind::Emoji { at } => event(EventKind::Text(Cow::Borrowed(emoji(at)))),
            MarkKind::Quote { .. }
            | MarkKind::LoneQuote { .. }
            | MarkKind::Dashes
            | MarkKind::Ellipsis => event(EventKind::Text(smart::shown(mark)?)),
            MarkKind::TakenBack { .. } => event(EventKind::Text(self.unescaped(start, end))),
            MarkKind::FootnoteReference { number } => event(EventKind::FootnoteReference {
                label: Cow::Borrowed(self.tape.footnotes.label(number).slice(self.source)),
                written: self.text(start, end),
            }),
            MarkKind::CodeSpan { n_backticks } => {
                let run = n_backticks as usize;
                event(EventKind::Code(self.code(start + run, end - run)))
            }
            MarkKind::Math { style } => {
                let fence = style.fence_len();
                let (start, end) = (start + fence, end - fence);
                let text = match style {
                    MathStyle::Display => self.text(start, end),
                    MathStyle::Inline | MathStyle::Code => self.code(start, end),
                };
                event(EventKind::Math { text, style })
            }
            MarkKind::AngleUrl | MarkKind::AngleEmail => self.angle_event(mark, pending),
            MarkKind::WikiLink { pipe } => {
                let (destination, shown) = wiki::parts(&self.text, start..end, pipe);
                let destination = self.unescaped(destination.start, destination.end);
                let target = Target { destination, title: Cow::Borrowed(""), form: Form::Wiki };
                let kind = EventKind::Text(self.unescaped(shown.start, shown.end));
                let text = Event { kind, span: self.span(shown.start, shown.end) };
                whole_link(target, text, span(), pending)
            }
            MarkKind::BareLink { bare } => self.bare_event(mark, bare, pending),
            MarkKind::Open { style, close } => {
                begin(style_tag(style), self.span_between(mark, self.mark(close)))
            }
            MarkKind::Close { style, open } => {
                finish(style_tag(style).end(), self.span_between(self.mark(open), mark))
            }
            MarkKind::LinkOpen { close } => {
                begin(Tag::Link(self.target(close)?), self.span_between(mark, self.mark(close)))
            }
            MarkKind::LinkClose { link } => finish(TagEnd::Link, self.link_span(link, mark)),
            MarkKind::ImageOpen { close } => {
                begin(Tag::Image(self.target(close)?), self.span_between(mark, self.mark(close)))
            }
            MarkKind::ImageClose { link } => finish(TagEnd::Image, self.link_span(link, mark)),
            // Text, or the end, which are handled elsewhere.
            MarkKind::Unused | MarkKind::End | MarkKind::Literal | MarkKind::Backslash => None,
        }
    }

    fn mark(&self, idx: MarkIdx) -> &Mark {
        &self.inlines.marks[idx.get()]
    }

    /// The span of the link or image that this mark closes.
    fn link_span(&self, link: LinkIdx, close: &Mark) -> Span {
        self.span_between(self.mark(self.link(link).open), close)
    }

    /// The span from the start of one mark to the end of another.
    fn span_between(&self, open: &Mark, close: &Mark) -> Span {
        self.span(open.start as usize, close.end as usize)
    }

    fn link(&self, idx: LinkIdx) -> &inline::ResolvedLink {
        &self.inlines.links[idx.0 as usize]
    }

    /// The target of the link or image with this closing mark.
    #[inline]
    fn target(&self, close: MarkIdx) -> Option<Target<'s>> {
        let (MarkKind::LinkClose { link } | MarkKind::ImageClose { link }) = self.mark(close).kind
        else {
            return None;
        };
        let link = self.link(link);
        let unescaped = |span: Span| self.unescaped(span.start as usize, span.end as usize);
        let (destination, title) = match link.target {
            inline::LinkTarget::Inline { destination, title, .. } => {
                (unescaped(destination), title.map_or(Cow::Borrowed(""), unescaped))
            }
            inline::LinkTarget::Reference(idx) => reference(self.source, self.tape, idx),
        };
        Some(Target { destination, title, form: link.form })
    }

    fn angle_event(&self, mark: &Mark, pending: &mut Queue<'s>) -> Option<Event<'s>> {
        let (start, end) = (mark.start as usize, mark.end as usize);
        let inner_span = self.span(start + 1, end - 1);
        let inner = match self.text(start + 1, end - 1) {
            Cow::Borrowed(text) => decode_entities(text),
            Cow::Owned(text) => Cow::Owned(decode_entities(&text).into_owned()),
        };
        let destination = match mark.kind {
            MarkKind::AngleEmail => Cow::Owned(format!("mailto:{inner}")),
            _ => inner.clone(),
        };
        let target = Target { destination, title: Cow::Borrowed(""), form: Form::Angle };
        let text = Event { kind: EventKind::Text(inner), span: inner_span };
        whole_link(target, text, self.span(start, end), pending)
    }

    /// The bare link of a mark.
    #[inline]
    pub(crate) fn bare_link(&self, mark: &Mark, bare: BareIdx) -> BareLink<'s> {
        let (start, end) = (mark.start as usize, mark.end as usize);
        let bare = self.inlines.bare[bare.0 as usize];
        let text = match bare.written {
            Written::Escaped => self.unescaped(start, end),
            Written::Plainly => self.text(start, end),
        };
        let destination = match bare.destination(&text) {
            ("", Cow::Borrowed(_)) => text.clone(),
            (prefix, rest) => Cow::Owned([prefix, &rest].concat()),
        };
        BareLink { span: self.span(start, end), form: bare.form(), destination, text }
    }

    fn bare_event(&self, mark: &Mark, bare: BareIdx, pending: &mut Queue<'s>) -> Option<Event<'s>> {
        let BareLink { span, form, destination, text } = self.bare_link(mark, bare);
        let target = Target { destination, title: Cow::Borrowed(""), form };
        whole_link(target, Event { kind: EventKind::Text(text), span }, span, pending)
    }

    /// The code between the delimiters of a code span or math.
    fn code(&self, start: usize, end: usize) -> Cow<'s, str> {
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

/// A range of a text, borrowed from the source if it is the same there, at the given span.
fn borrowed<'s>(
    source: &'s str,
    text: &Text<'_>,
    verbatim: Option<Span>,
    start: usize,
    end: usize,
) -> Cow<'s, str> {
    match verbatim {
        Some(span) => Cow::Borrowed(span.slice(source)),
        None => Cow::Owned(text.slice(start, end).to_owned()),
    }
}

/// The element of a style.
fn style_tag(style: Style) -> Tag<'static> {
    match style {
        Style::Emphasis => Tag::Emphasis,
        Style::Strong => Tag::Strong,
        Style::Strikethrough => Tag::Strikethrough,
        Style::Mark => Tag::Mark,
        Style::Superscript => Tag::Superscript,
        Style::Subscript => Tag::Subscript,
    }
}

/// The events of a link that is a single mark: its start, its text and its end.
fn whole_link<'s>(
    target: Target<'s>,
    text: Event<'s>,
    span: Span,
    pending: &mut Queue<'s>,
) -> Option<Event<'s>> {
    pending.push_back(text);
    pending.push_back(Event { kind: EventKind::End(TagEnd::Link), span });
    begin(Tag::Link(target), span)
}
