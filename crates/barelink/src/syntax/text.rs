//! The text of a leaf as one string, whatever its lines look like in the source.
//!
//! Whoever reads it sees a string and two offsets, and nothing of lines, markers or
//! indentation. That string is the source itself, or one that `tape::join` has put together,
//! with a map back to the source.

use barelink_text::Span;

/// A stretch of the buffer that came from the source as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// Where it starts in the buffer.
    pub(crate) joined: u32,
    /// Where it starts in the source.
    pub(crate) source: u32,
    /// Its length in the source. (U+FFFD for NUL is longer in the buffer.)
    pub(crate) source_len: u32,
}

/// The text of a leaf: `str[start..end]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    /// The source, or the buffer. Longer than the leaf in the first case.
    pub(crate) str: &'a str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether some line but the last ends in a space or tab. If not, every line ending
    /// without a backslash stays as it is.
    pub(crate) has_breaks: bool,
    /// Empty when `str` is the source.
    pub(crate) origins: &'a [Origin],
}

impl<'a> Text<'a> {
    /// A string that is a text of its own, and no part of a source.
    pub(crate) fn of_str(str: &'a str) -> Self {
        Self { str, start: 0, end: str.len(), has_breaks: true, origins: &[] }
    }

    /// The string up to the leaf's end: offsets are the string's.
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
        self.origins.is_empty()
    }

    fn origin(&self, at: usize) -> &Origin {
        let after = self.origins.partition_point(|origin| origin.joined as usize <= at);
        &self.origins[after.saturating_sub(1)]
    }

    /// Where `at` stands in the source, as the start of something.
    pub(crate) fn source_offset(&self, at: usize) -> u32 {
        if self.origins.is_empty() {
            return at as u32;
        }
        let origin = self.origin(at);
        origin.source + (at as u32 - origin.joined).min(origin.source_len)
    }

    /// The source of `start..end`.
    #[inline]
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        if self.origins.is_empty() {
            return Span::new(start as u32, end as u32);
        }
        self.joined_span(start, end)
    }

    #[inline(never)]
    fn joined_span(&self, start: usize, end: usize) -> Span {
        let source_start = self.source_offset(start);
        if end <= start {
            return Span::new(source_start, source_start);
        }
        let origin = self.origin(end - 1);
        let source_end = origin.source + (end as u32 - origin.joined).min(origin.source_len);
        Span::new(source_start, source_end.max(source_start))
    }

    /// Whether `start..end` is the same in the source.
    pub(crate) fn is_verbatim(&self, start: usize, end: usize) -> bool {
        if self.origins.is_empty() {
            return true;
        }
        let origin = self.origin(start);
        let in_piece = end as u32 - origin.joined <= origin.source_len;
        in_piece && !(origin.source_len == 1 && self.slice(start, end) == "\u{FFFD}")
    }

    /// How far text that starts at `start` is the same in the source, and not
    /// beyond `end`.
    pub(crate) fn verbatim_end(&self, start: usize, end: usize) -> usize {
        if self.origins.is_empty() {
            return end;
        }
        let after = self.origins.partition_point(|origin| origin.joined as usize <= start);
        match self.origins.get(after) {
            Some(next) => end.min(next.joined as usize),
            None => end,
        }
    }
}
