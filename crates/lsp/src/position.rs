//! Positions in a text, as the protocol counts them: lines end with LF, CR or CRLF; columns are
//! UTF-16 code units or bytes. A position that does not exist stands for the nearest before it.
//!
//! LINEAR: [`Places`] counts columns incrementally from one offset to the next; see [`Units`].

use barelink::{Span, Unit, Units};

use crate::protocol::{Encoding, Position, Range};

/// The starts of the lines of a text. Messages are short enough for 32-bit offsets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
                starts.push(at as u32 + 1);
            }
        }
        Self { starts }
    }

    /// The line that contains an offset, counted from zero.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= offset).saturating_sub(1)
    }

    /// The range of a line without its line ending.
    pub(crate) fn line(&self, text: &str, line: usize) -> std::ops::Range<usize> {
        let Some(&start) = self.starts.get(line) else { return text.len()..text.len() };
        let start = start as usize;
        let next = self.starts.get(line + 1).map_or(text.len(), |next| *next as usize);
        let content = text[start..next].trim_end_matches(['\n', '\r']);
        start..start + content.len()
    }

    /// The offset of a position.
    pub(crate) fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let range = self.line(text, position.line as usize);
        let line = &text[range.clone()];
        let wanted = position.character as usize;
        match encoding {
            Encoding::Utf8 => {
                let mut len = wanted.min(line.len());
                while !line.is_char_boundary(len) {
                    len -= 1;
                }
                range.start + len
            }
            Encoding::Utf16 => {
                let mut n_units = 0;
                let fits = |c: &(usize, char)| {
                    n_units += c.1.len_utf16();
                    n_units <= wanted
                };
                let last = line.char_indices().take_while(fits).last();
                range.start + last.map_or(0, |(at, c)| at + c.len_utf8())
            }
        }
    }
}

/// Converts offsets of a text to positions.
#[derive(Debug)]
pub(crate) struct Places<'t> {
    text: &'t str,
    lines: &'t Lines,
    encoding: Encoding,
    units: Units<'t>,
    /// The line of the last offset. The next offset is usually in the same line or shortly after.
    line: usize,
}

impl<'t> Places<'t> {
    pub(crate) fn new(text: &'t str, lines: &'t Lines, encoding: Encoding) -> Self {
        // In ASCII, a byte is a UTF-16 code unit.
        let encoding = if text.is_ascii() { Encoding::Utf8 } else { encoding };
        Self { text, lines, encoding, units: Units::new(text, Unit::Utf16), line: 0 }
    }

    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    pub(crate) fn position(&mut self, offset: usize) -> Position {
        let starts = &self.lines.starts;
        let is_on = |line: usize| {
            let next = starts.get(line + 1);
            starts[line] as usize <= offset && next.is_none_or(|next| offset < *next as usize)
        };
        let near = self.line..(self.line + 4).min(starts.len());
        let line = near.into_iter().find(|line| is_on(*line));
        let line = line.unwrap_or_else(|| self.lines.line_of(offset));
        self.line = line;
        let start = starts[line];
        let character = match self.encoding {
            Encoding::Utf8 => offset as u32 - start,
            Encoding::Utf16 => self.units.at(offset as u32) - self.units.at(start),
        };
        Position { line: line as u32, character }
    }

    pub(crate) fn range(&mut self, span: Span) -> Range {
        let start = self.position(span.start as usize);
        Range { start, end: self.position(span.end as usize) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position, and back.
    fn check(text: &str, encoding: Encoding, offset: usize, expected: (u32, u32)) {
        let lines = Lines::new(text);
        let position = Places::new(text, &lines, encoding).position(offset);
        assert_eq!((position.line, position.character), expected, "{text:?} {offset}");
        assert_eq!(lines.offset(text, position, encoding), offset, "{text:?} {offset}");
    }

    #[test]
    fn places_are_found_and_found_again() {
        check("", Encoding::Utf16, 0, (0, 0));
        check("a\r\nb", Encoding::Utf16, 3, (1, 0));
        check("a\rb\n", Encoding::Utf16, 4, (2, 0));
        check("中😀x", Encoding::Utf16, 7, (0, 3));
        check("中😀x", Encoding::Utf8, 7, (0, 7));
        check("\u{FEFF}x", Encoding::Utf16, 3, (0, 1));
        check("a\n\n中b", Encoding::Utf16, 6, (2, 1));
    }

    #[test]
    fn what_is_not_there_is_the_nearest_that_is() {
        let text = "a😀\r\nb";
        let lines = Lines::new(text);
        let offset =
            |line, character| lines.offset(text, Position { line, character }, Encoding::Utf16);
        // Within the pair of units; past the end of a line, and of the text.
        assert_eq!(offset(0, 2), 1);
        assert_eq!(offset(0, 99), 5);
        assert_eq!(offset(1, u32::MAX), 8);
        assert_eq!(offset(u32::MAX, 0), 8);
        let bytes = Position { line: 0, character: 3 };
        assert_eq!(lines.offset(text, bytes, Encoding::Utf8), 1);
    }
}
