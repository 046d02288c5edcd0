//! The events of a leaf that is not inline text: a code block or HTML block, line by line if its
//! lines are not contiguous in the source. (If a code block has carriage returns, all of it is one
//! event: see `Events::queue_code`.)

use std::borrow::Cow;

use barelink_text::Span;

use super::{Queue, end};
use crate::event::{Event, EventKind, TagEnd};
use crate::tape::pieces::{Layout, Lead, Segment};
use crate::tape::{Record, Tape};

/// Whether a carriage return ends lines of a code block's text, as far as a look at one of them
/// tells.
#[inline]
pub(super) fn ends_in_return(source: &str, tape: &Tape, text: Record) -> bool {
    let end = match text.layout() {
        Layout::NoLines => return false,
        Layout::Crlf => return true,
        Layout::Slice => text.end,
        layout @ Layout::Pieces(_) => {
            tape.segments(layout).and_then(<[Segment]>::first).map_or(0, |first| first.end)
        }
    };
    source.as_bytes().get(end as usize) == Some(&b'\r')
}

/// The length of the line ending at `start`, if that is before `end`.
pub(super) fn line_ending_len(source: &str, start: u32, end: u32) -> u32 {
    match source.as_bytes().get(start as usize..end as usize) {
        Some([b'\r', b'\n', ..]) => 2,
        Some([b'\r' | b'\n', ..]) => 1,
        _ => 0,
    }
}

/// A leaf whose lines are being returned.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineEvents {
    layout: Layout,
    /// The rest of a text that is one slice of the source.
    rest: Option<Span>,
    /// The index of the next piece of a text in pieces.
    idx: usize,
    /// The span of the whole block.
    span: Span,
    end: TagEnd,
    /// The offset of a line feed that is still to be returned.
    line_feed: Option<u32>,
    is_done: bool,
}

impl LineEvents {
    /// The events of a block whose text is at `text`.
    pub(super) fn new(text: Span, layout: Layout, span: Span, end: TagEnd) -> Self {
        let rest = matches!(layout, Layout::Slice | Layout::Crlf).then_some(text);
        Self { layout, rest, idx: 0, span, end, line_feed: None, is_done: false }
    }

    /// The events after the text of a block: a line feed, if it is still to be returned, and the end.
    pub(super) fn last(line_feed: Option<u32>, span: Span, end: TagEnd) -> Self {
        Self { line_feed, ..Self::new(span, Layout::NoLines, span, end) }
    }

    /// Whether the end has been returned.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Returns the next event; further ones go to `pending`. The last one is the end.
    #[inline]
    pub(super) fn next<'s>(
        &mut self,
        source: &'s str,
        tape: &Tape,
        pending: &mut Queue<'s>,
    ) -> Option<Event<'s>> {
        // Fast path: most lines of code are unchanged in the source.
        if self.line_feed.is_none()
            && !tape.has_nul
            && let Some(segments) = tape.segments(self.layout)
            && let Some(piece) = segments.get(self.idx)
            && piece.is_plain()
            && piece.end < self.span.end
            && source.as_bytes().get(piece.end as usize) == Some(&b'\n')
        {
            self.idx += 1;
            let span = Span::new(piece.start, piece.end + 1);
            return self.event(span.slice(source), span);
        }
        self.next_other(source, tape, pending)
    }

    /// The next range that is contiguous in the source: without CRLF, all of it.
    fn next_piece(&mut self, source: &str, tape: &Tape) -> Option<Segment> {
        if let Some(segments) = tape.segments(self.layout) {
            self.idx += 1;
            return segments.get(self.idx - 1).copied();
        }
        let rest = self.rest.take()?;
        let mut end = rest.end;
        if self.layout == Layout::Crlf {
            let text = rest.slice(source).as_bytes();
            if let Some(at) = memchr::memchr2(b'\r', b'\n', text) {
                end = rest.start + at as u32;
                let len = if text[at..].starts_with(b"\r\n") { 2 } else { 1 };
                self.rest = Some(Span::new(end + len, rest.end));
            }
        }
        Some(Segment::line(rest.start as usize, end as usize))
    }

    #[inline(never)]
    fn next_other<'s>(
        &mut self,
        source: &'s str,
        tape: &Tape,
        pending: &mut Queue<'s>,
    ) -> Option<Event<'s>> {
        if let Some(at) = self.line_feed.take() {
            return self.event("\n", Span::new(at, at));
        }
        let Some(Segment { start, end: piece_end, lead }) = self.next_piece(source, tape) else {
            self.is_done = true;
            return end(self.end, self.span);
        };
        let ends_in_line_feed =
            piece_end < self.span.end && source.as_bytes().get(piece_end as usize) == Some(&b'\n');
        let span = Span::new(start, piece_end + u32::from(ends_in_line_feed));
        // A line has a line ending, whether the source has one or not.
        self.line_feed = (!ends_in_line_feed).then_some(piece_end);
        let n_spaces = if let Lead::Line { n_spaces } = lead { n_spaces } else { 0 };
        if n_spaces == 0 && !tape.has_nul && span.start < span.end {
            return self.event(span.slice(source), span);
        }
        if n_spaces > 0 {
            let spaces = "   ".get(..n_spaces.into()).unwrap_or("   ");
            pending.extend(self.event(spaces, Span::new(start, start)));
        }
        let text = span.slice(source);
        if text.contains('\0') {
            let text = Cow::Owned(text.replace('\0', "\u{FFFD}"));
            pending.push_back(Event { kind: self.kind(text), span });
        } else if !text.is_empty() {
            pending.extend(self.event(text, span));
        }
        pending.pop_front().or_else(|| self.next(source, tape, pending))
    }

    /// Two constructions without common code, so that nothing has to be moved.
    #[inline]
    fn event<'s>(&self, text: &'s str, span: Span) -> Option<Event<'s>> {
        if self.end == TagEnd::HtmlBlock {
            Some(Event { kind: EventKind::Html(Cow::Borrowed(text)), span })
        } else {
            Some(Event { kind: EventKind::Text(Cow::Borrowed(text)), span })
        }
    }

    fn kind<'s>(&self, text: Cow<'s, str>) -> EventKind<'s> {
        match self.end {
            TagEnd::HtmlBlock => EventKind::Html(text),
            _ => EventKind::Text(text),
        }
    }
}
