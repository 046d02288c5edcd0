//! A half-open range of byte offsets into a source, eight bytes wide.
//!
//! Everything Barelink reports refers to the source by a [`Span`]. Offsets are `u32`, so that
//! blocks and marks stay small; a source too long for that is rejected on input, and offsets never
//! wrap here.

use core::ops::Range;

/// Byte offsets `start..end` into a source.
///
/// ```
/// use barelink_text::Span;
///
/// let span = Span::new(6, 16);
/// assert_eq!(span.slice("Visit www.x.org."), "www.x.org.");
/// assert_eq!(span.len(), 10);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`, exclusive.
    #[inline]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Length in bytes; a span that ends before it starts counts as empty.
    #[inline]
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span covers no byte.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The same offsets as a range to index slices with.
    ///
    /// ```
    /// # use barelink_text::Span;
    /// assert_eq!(&b"bare link"[Span::new(5, 9).range()], b"link");
    /// ```
    #[inline]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text covered by the span, or `""` if the span exceeds `text` or splits a character.
    /// Never panics.
    ///
    /// ```
    /// # use barelink_text::Span;
    /// assert_eq!(Span::new(0, 2).slice("é!"), "é");
    /// assert_eq!(Span::new(0, 1).slice("é!"), "");
    /// assert_eq!(Span::new(0, 9).slice("é!"), "");
    /// ```
    #[inline]
    pub fn slice(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or("")
    }

    /// Whether `inner` lies entirely within this span.
    ///
    /// ```
    /// # use barelink_text::Span;
    /// assert!(Span::new(2, 8).contains(Span::new(2, 5)));
    /// assert!(!Span::new(2, 8).contains(Span::new(7, 9)));
    /// ```
    #[inline]
    pub const fn contains(self, inner: Self) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }
}

impl From<Span> for Range<usize> {
    #[inline]
    fn from(span: Span) -> Self {
        span.range()
    }
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn is_eight_bytes() {
        assert_eq!(size_of::<Span>(), 8);
    }

    #[test]
    fn backwards_is_empty() {
        let span = Span::new(5, 2);
        assert!(span.is_empty());
        assert_eq!(span.len(), 0);
        assert_eq!(span.slice("0123456789"), "");
    }

    #[test]
    fn slice_never_panics() {
        let text = "aé\u{1F600}";
        for start in 0..10 {
            for end in 0..10 {
                let got = Span::new(start, end).slice(text);
                assert_eq!(got, text.get(start as usize..end as usize).unwrap_or(""));
            }
        }
        assert_eq!(Span::new(0, u32::MAX).slice(text), "");
    }

    #[test]
    fn contains_its_own_edges() {
        let span = Span::new(3, 7);
        assert!(span.contains(span));
        assert!(span.contains(Span::new(3, 3)));
        assert!(span.contains(Span::new(7, 7)));
        assert!(!span.contains(Span::new(2, 3)));
    }
}
