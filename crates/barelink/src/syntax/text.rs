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
    /// The source without carriage returns: each stood before the line feed that is at its offset
    /// now. An offset before all `returns` is `start` bytes further on in the source.
    Folded { start: u32, returns: &'a [u32] },
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
            Map::Folded { start, returns } => {
                let end = self.end as u32 + returns.len() as u32;
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
            Map::Folded { start, returns } => {
                let n_before = returns.partition_point(|&line_end| (line_end as usize) < at);
                let joined = n_before.checked_sub(1).map_or(0, |last| returns[last] + 1);
                let end = returns.get(n_before).copied().unwrap_or(self.end as u32);
                let source = start + joined + n_before as u32;
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
        if let Map::Folded { start: first, returns } = self.map {
            return folded_span(first, returns, start as u32, end as u32);
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
            Map::Folded { start: first, returns } => {
                let n_before = returns.partition_point(|&line_end| (line_end as usize) < start);
                let next = returns.get(n_before).copied().unwrap_or(u32::MAX);
                let shift = first + n_before as u32;
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
            Map::Folded { returns, .. } => {
                let n_before = returns.partition_point(|&line_end| (line_end as usize) < start);
                returns.get(n_before).map(|line_end| line_end + 1)
            }
        };
        next.map_or(end, |next| end.min(next as usize))
    }
}

/// The span in the source of `start..end` in a text without its carriage returns. Each offset is
/// increased by the number of carriage returns left out before it.
#[inline]
fn folded_span(first: u32, returns: &[u32], start: u32, end: u32) -> Span {
    let before_start = returns.partition_point(|&line_end| line_end < start);
    let source_start = first + start + before_start as u32;
    let rest = &returns[before_start..];
    // Most have no line ending in them.
    let is_in_line = rest.first().is_none_or(|&line_end| line_end >= end);
    if end <= start {
        return Span::new(source_start, source_start);
    }
    if is_in_line {
        return Span::new(source_start, source_start + (end - start));
    }
    let before_last = before_start + rest.partition_point(|&line_end| line_end < end - 1);
    // The carriage return before the last line feed is left out as well.
    let end = returns.get(before_last).map_or(end, |&line_end| line_end.min(end));
    Span::new(source_start, first + end + before_last as u32)
}
