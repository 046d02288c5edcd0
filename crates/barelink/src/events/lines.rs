//! The events of a leaf that is not inline text: a code block or HTML block, line by
//! line where its lines are not contiguous in the source.

use std::borrow::Cow;

use barelink_text::Span;

use super::{Pending, end};
use crate::block::tape::{Block, HAS_LINES, SEGMENTED, Segment, Tape};
use crate::event::{Event, EventKind, TagEnd};

/// A leaf whose lines are being told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    content: Block,
    /// The whole block.
    span: Span,
    end: TagEnd,
    /// The next piece.
    idx: usize,
    n_pieces: usize,
    /// Where a line feed is still to be told.
    line_feed: Option<u32>,
}

impl Lines {
    /// Of a block whose text is that of the record `content`.
    pub(super) fn new(content: Block, span: Span, end: TagEnd, tape: &Tape) -> Self {
        let n_pieces = if content.has(SEGMENTED) {
            tape.segments(&content).len()
        } else {
            usize::from(content.has(HAS_LINES))
        };
        Self { content, span, end, idx: 0, n_pieces, line_feed: None }
    }

    /// Whether the end has been told.
    pub(super) fn is_done(&self) -> bool {
        self.idx > self.n_pieces
    }

    /// Tells the next event; what belongs to it goes to `pending`. The last is the end.
    #[inline]
    pub(super) fn next<'s>(
        &mut self,
        source: &'s str,
        tape: &Tape,
        pending: &mut Pending<'s>,
    ) -> Option<Event<'s>> {
        // Most lines of code are as they stand in the source.
        if self.line_feed.is_none()
            && !tape.has_nul
            && self.content.has(SEGMENTED)
            && let Some(&Segment { start, end, pad: 0 }) =
                tape.segments(&self.content).get(self.idx)
            && end < self.span.end
            && source.as_bytes().get(end as usize) == Some(&b'\n')
        {
            self.idx += 1;
            let span = Span::new(start, end + 1);
            return self.event(span.slice(source), span);
        }
        self.next_other(source, tape, pending)
    }

    #[inline(never)]
    fn next_other<'s>(
        &mut self,
        source: &'s str,
        tape: &Tape,
        pending: &mut Pending<'s>,
    ) -> Option<Event<'s>> {
        if let Some(at) = self.line_feed.take() {
            return self.event("\n", Span::new(at, at));
        }
        let idx = self.idx;
        self.idx += 1;
        if idx == self.n_pieces {
            return end(self.end, self.span);
        }
        let piece = if self.content.has(SEGMENTED) {
            tape.segments(&self.content)[idx]
        } else {
            Segment { start: self.content.start, end: self.content.end, pad: 0 }
        };
        let Segment { start, end, pad } = piece;
        let ends_in_line_feed =
            end < self.span.end && source.as_bytes().get(end as usize) == Some(&b'\n');
        let span = Span::new(start, end + u32::from(ends_in_line_feed));
        // A line has a line ending, whether the source has or not.
        self.line_feed = (!ends_in_line_feed).then_some(end);
        if pad == 0 && !tape.has_nul && span.start < span.end {
            return self.event(span.slice(source), span);
        }
        if pad > 0 {
            let spaces = "   ".get(..pad as usize).unwrap_or("   ");
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

    /// Told in two ways that have nothing in common, so that nothing has to be moved.
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
