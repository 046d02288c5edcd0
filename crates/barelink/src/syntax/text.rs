//! The text of a leaf as one string, however its lines are laid out in the source.
//!
//! Readers see a string and two offsets, and no lines, markers or indentation. The string is the
//! source itself, or one that `tape::join` has put together, with a map back to the source.

use std::ops::Range;

use barelink_text::Span;

/// A range of the buffer that was copied from the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// Its start in the buffer.
    pub(crate) joined: u32,
    /// Its start in the source.
    pub(crate) source: u32,
    /// Its length in the source. (U+FFFD for NUL is longer in the buffer.)
    pub(crate) source_len: u32,
}

/// The map from a text to the source.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Map<'a> {
    /// The text is in the source itself.
    Source,
    /// The text is joined from ranges of the source.
    Origins(&'a [Origin]),
    /// The text is the source without these carriage returns.
    Folded(Returns<'a>),
}

/// Carriage returns of the source that a text lacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Returns<'a> {
    /// How much further on in the source the text is, before the first one.
    pub(crate) start: u32,
    /// Their offsets in the source.
    pub(crate) in_source: &'a [u32],
}

impl Returns<'_> {
    /// Where one of them would be in the text.
    #[inline]
    pub(crate) fn place(self, number: u32) -> Option<u32> {
        self.in_source.get(number as usize).map(|in_source| in_source - self.start - number)
    }

    /// The number of those before an offset of the text.
    fn n_before(self, at: u32) -> u32 {
        let (mut low, mut high) = (0, self.in_source.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.place(middle).is_some_and(|place| place < at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The span in the source of `start..end` in the text. Each offset is increased by the number
    /// of carriage returns before it.
    fn span(self, start: u32, end: u32) -> Span {
        let before_start = self.n_before(start);
        let source_start = self.start + start + before_start;
        if end <= start {
            return Span::new(source_start, source_start);
        }
        // Most have no line ending in them.
        if self.place(before_start).is_none_or(|place| place >= end) {
            return Span::new(source_start, source_start + (end - start));
        }
        let before_last = self.n_before(end - 1);
        // The carriage return before the last line feed is left out as well.
        let end = self.place(before_last).map_or(end, |place| place.min(end));
        Span::new(source_start, self.start + end + before_last)
    }
}

/// The text of a leaf: `str[start..end]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    /// The source, or the buffer. Longer than the leaf.
    pub(crate) str: &'a str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether a line other than the last ends in a space or tab. If not, every line ending without
    /// a backslash stays as it is.
    pub(crate) has_breaks: bool,
    pub(crate) map: Map<'a>,
}

impl<'a> Text<'a> {
    /// Makes a text of a string that is not part of a source.
    pub(crate) fn of_str(str: &'a str) -> Self {
        Self { str, start: 0, end: str.len(), has_breaks: true, map: Map::Source }
    }

    /// The string up to the leaf's end; offsets are those of the string.
    #[inline]
    pub(crate) fn bytes(&self) -> &'a [u8] {
        &self.str.as_bytes()[..self.end]
    }

    /// The text between two offsets on character boundaries.
    #[inline]
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.str.get(start..end).unwrap_or_default()
    }

    /// Whether the string is the source itself.
    #[inline]
    pub(crate) fn is_source(&self) -> bool {
        matches!(self.map, Map::Source)
    }

    /// The span of the lines that it was joined from, including what was left out between them;
    /// `None` if it is the source itself, or empty.
    #[inline]
    pub(crate) fn lines_span(&self) -> Option<Span> {
        match self.map {
            Map::Folded(Returns { start, in_source }) => {
                let end = self.end as u32 + in_source.len() as u32;
                Some(Span::new(start + self.start as u32, start + end))
            }
            Map::Origins([first, .., last]) => {
                Some(Span::new(first.source, last.source + last.source_len))
            }
            Map::Origins([all]) => Some(Span::new(all.source, all.source + all.source_len)),
            Map::Source | Map::Origins([]) => None,
        }
    }

    /// The range that contains `at`; `None` if the string is the source itself.
    fn origin(&self, at: usize) -> Option<Origin> {
        match self.map {
            Map::Source => None,
            Map::Origins(origins) => {
                let after = origins.partition_point(|origin| origin.joined as usize <= at);
                origins.get(after.saturating_sub(1)).copied()
            }
            Map::Folded(returns) => {
                let n_before = returns.n_before(at as u32);
                let last = n_before.checked_sub(1).and_then(|last| returns.place(last));
                let joined = last.map_or(0, |last| last + 1);
                let end = returns.place(n_before).unwrap_or(self.end as u32);
                let source = returns.start + joined + n_before;
                Some(Origin { joined, source, source_len: end - joined })
            }
        }
    }

    /// Maps `at` to the source, as the start of something.
    pub(crate) fn source_offset(&self, at: usize) -> u32 {
        match self.origin(at) {
            Some(origin) => origin.source + (at as u32 - origin.joined).min(origin.source_len),
            None => at as u32,
        }
    }

    /// The offsets of this text that are within a span of the source.
    pub(crate) fn within(&self, span: Span) -> Range<usize> {
        if self.is_source() {
            return span.start as usize..span.end as usize;
        }
        let first = |is_before: &dyn Fn(u32) -> bool| {
            let (mut low, mut high) = (self.start, self.end);
            while low < high {
                let middle = low + (high - low) / 2;
                if is_before(self.source_offset(middle)) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        first(&|at| at < span.start)..first(&|at| at < span.end)
    }

    /// The span of `start..end` in the source.
    #[inline]
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        if self.is_source() {
            return Span::new(start as u32, end as u32);
        }
        self.joined_span(start, end)
    }

    #[inline(never)]
    fn joined_span(&self, start: usize, end: usize) -> Span {
        if let Map::Folded(returns) = self.map {
            return returns.span(start as u32, end as u32);
        }
        let source_start = self.source_offset(start);
        if end <= start {
            return Span::new(source_start, source_start);
        }
        let source_end = match self.origin(end - 1) {
            Some(origin) => origin.source + (end as u32 - origin.joined).min(origin.source_len),
            None => end as u32,
        };
        Span::new(source_start, source_end.max(source_start))
    }

    /// Whether `start..end` is the same in the source.
    pub(crate) fn is_verbatim(&self, start: usize, end: usize) -> bool {
        let Some(origin) = self.origin(start) else { return true };
        let in_piece = end as u32 - origin.joined <= origin.source_len;
        in_piece && !(origin.source_len == 1 && self.slice(start, end) == "\u{FFFD}")
    }

    /// The span of `start..end` in the source, if the text is the same there.
    #[inline]
    pub(crate) fn verbatim(&self, start: usize, end: usize) -> Option<Span> {
        match self.map {
            Map::Source => Some(Span::new(start as u32, end as u32)),
            Map::Folded(returns) => {
                let n_before = returns.n_before(start as u32);
                let next = returns.place(n_before).unwrap_or(u32::MAX);
                let shift = returns.start + n_before;
                let span = || Span::new(start as u32 + shift, end as u32 + shift);
                (end <= next as usize).then(span)
            }
            Map::Origins(_) => self.is_verbatim(start, end).then(|| self.span(start, end)),
        }
    }

    /// How far the text from `start` on is the same in the source, at most up to `end`.
    pub(crate) fn verbatim_end(&self, start: usize, end: usize) -> usize {
        let next = match self.map {
            Map::Source => return end,
            Map::Origins(origins) => {
                let after = origins.partition_point(|origin| origin.joined as usize <= start);
                origins.get(after).map(|origin| origin.joined)
            }
            Map::Folded(returns) => {
                let n_before = returns.n_before(start as u32);
                returns.place(n_before).map(|place| place + 1)
            }
        };
        next.map_or(end, |next| end.min(next as usize))
    }
}
