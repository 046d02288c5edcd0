//! An iterator over the lines of a source, whose ends are found many at a time.

use barelink_text::find::{Ahead, LineEnd, Slots};

/// The bounds of a line, without its line ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Bounds {
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// What [`SourceLines`] has a list of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Listed {
    /// Every line feed, carriage return and NUL.
    Bytes,
    /// The carriage return of every line ending, which are all CRLF.
    Crlf,
}

/// The lines that are still to be read. A line ends with a line feed, a carriage return, or both;
/// the last may lack an ending.
#[derive(Debug)]
pub(super) struct SourceLines<'s, 'b> {
    bytes: &'s [u8],
    ends: Ahead<'s, 'b, LineEnd>,
    /// The start of the next line.
    next: usize,
    listed: Listed,
    /// The length of a line ending that is listed alone: 2 for CRLF.
    ending_len: usize,
    /// Whether any line so far ended with a carriage return and a line feed.
    pub(super) has_crlf: bool,
    /// Whether any line so far ended with a carriage return alone.
    has_lone_cr: bool,
    /// Whether there was a NUL in any line so far.
    pub(super) has_nul: bool,
}

impl<'s, 'b> SourceLines<'s, 'b> {
    /// The lines of `bytes` from `start` on.
    pub(super) fn new(bytes: &'s [u8], start: usize, slots: &'b mut Slots) -> Self {
        Self::with_ends(bytes, start, Ahead::new(bytes, start, slots))
    }

    /// Like [`SourceLines::new`], where the slots have all line ends of `bytes` already.
    pub(super) fn listed(bytes: &'s [u8], start: usize, slots: &'b mut Slots) -> Self {
        Self::with_ends(bytes, start, Ahead::listed(bytes, start, slots))
    }

    /// Like [`SourceLines::new`], where all lines end in CRLF, and the slots have all their carriage
    /// returns already.
    pub(super) fn crlf(bytes: &'s [u8], start: usize, slots: &'b mut Slots) -> Self {
        let lines = Self::with_ends(bytes, start, Ahead::listed(bytes, start, slots));
        Self { listed: Listed::Crlf, ending_len: 2, has_crlf: true, ..lines }
    }

    /// Everything from `start` on is one line, the last.
    pub(super) fn last(bytes: &'s [u8], start: usize, slots: &'b mut Slots) -> Self {
        Self::with_ends(bytes, start, Ahead::new(bytes, bytes.len(), slots))
    }

    /// Like [`SourceLines::new`], with line ends that are given.
    pub(super) fn with_ends(bytes: &'s [u8], start: usize, ends: Ahead<'s, 'b, LineEnd>) -> Self {
        // The ending of the previous line is known from the bytes before.
        let before = &bytes[..start];
        let (has_crlf, has_lone_cr) = match before {
            [] => (false, false),
            _ => (before.ends_with(b"\r\n"), before.ends_with(b"\r")),
        };
        Self {
            bytes,
            ends,
            next: start,
            listed: Listed::Bytes,
            ending_len: 1,
            has_crlf,
            has_lone_cr,
            has_nul: false,
        }
    }

    /// Whether the line before the one at `start` ended with a line feed, rather than a carriage
    /// return alone.
    #[inline]
    pub(super) fn follows_line_feed(&self, start: usize) -> bool {
        !self.has_lone_cr || self.bytes[..start].ends_with(b"\n")
    }
}

impl Iterator for SourceLines<'_, '_> {
    type Item = Bounds;

    #[inline]
    fn next(&mut self) -> Option<Bounds> {
        let start = self.next;
        let Some(end) = self.ends.next() else {
            let end = self.bytes.len();
            self.next = end;
            return (start < end).then_some(Bounds { start, end });
        };
        if self.bytes[end] != b'\n' && self.listed == Listed::Bytes {
            return Some(self.next_other(end));
        }
        self.next = end + self.ending_len;
        Some(Bounds { start, end })
    }
}

impl SourceLines<'_, '_> {
    /// The next line, if the stop at `end` is not a line feed.
    #[inline(never)]
    fn next_other(&mut self, end: usize) -> Bounds {
        let start = self.next;
        if self.bytes.get(end..end + 2) != Some(b"\r\n") {
            return self.next_rare(end);
        }
        self.next = end + 2;
        self.has_crlf = true;
        // The line feed is part of the same line ending.
        self.ends.skip_one();
        Bounds { start, end }
    }

    /// The next line, if the stop at `end` is neither a line feed nor CRLF.
    #[cold]
    fn next_rare(&mut self, mut end: usize) -> Bounds {
        let start = self.next;
        while self.bytes.get(end) == Some(&0) {
            self.has_nul = true;
            end = self.ends.next().unwrap_or(self.bytes.len());
        }
        self.next = (end + 1).min(self.bytes.len());
        if self.bytes[end..].starts_with(b"\r\n") {
            self.next = end + 2;
            self.has_crlf = true;
            self.ends.skip_one();
        } else {
            self.has_lone_cr = true;
        }
        Bounds { start, end }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Slots, SourceLines};

    #[test]
    fn lines_end_in_three_ways() {
        let source = b"a\n\rb\0c\r\n\r\r\n\n\0\0d";
        let mut slots = Slots::default();
        let mut lines = SourceLines::new(source, 0, &mut slots);
        assert!(!lines.has_crlf && !lines.has_nul);
        let found: Vec<&[u8]> =
            lines.by_ref().map(|Bounds { start, end }| &source[start..end]).collect();
        assert_eq!(found, [&b"a"[..], b"", b"b\0c", b"", b"", b"", b"\0\0d"]);
        assert!(lines.has_crlf && lines.has_nul);
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn a_source_that_ends_in_a_line_ending_has_no_line_after_it() {
        for (source, n_lines) in [("", 0), ("\n", 1), ("a\r", 1), ("a\r\n", 1), ("a\n\n", 2)] {
            let mut slots = Slots::default();
            let lines = SourceLines::new(source.as_bytes(), 0, &mut slots);
            assert_eq!(lines.count(), n_lines, "{source:?}");
        }
    }
}
