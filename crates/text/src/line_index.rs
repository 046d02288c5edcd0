//! Lines and columns of a source, for messages and for editors.
//!
//! A line ends with LF, CR or CRLF (CommonMark 0.31.2, section 2.1). Lines and columns count from
//! one; columns count characters, or bytes with [`LineIndex::byte_column`]. `"a\n"` has two lines,
//! the second of them empty, as in an editor. A byte order mark at the start of the source is in no
//! line and has no column: the first line starts after it.
//!
//! LINEAR: besides the start of each line the index stores how many characters come before each
//! block of 512 bytes, unless all are ASCII. So a column is found by counting within two blocks,
//! however long the line is.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::span::Span;

/// The distance in bytes between two stored counts of characters.
const BLOCK_LEN: usize = 512;

const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// A place in a source: its line and its column, both counted from one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineCol {
    /// The line, from one.
    pub line: u32,
    /// The column in characters, from one.
    pub column: u32,
}

/// Translates between offsets and lines with columns.
///
/// ```
/// use barelink_text::{LineCol, LineIndex};
///
/// let index = LineIndex::new("one\ntwö, three\n");
/// assert_eq!(index.line_col(10), LineCol { line: 2, column: 6 });
/// assert_eq!(index.offset(2, 6), Some(10));
/// assert_eq!(index.line_span(2).unwrap().slice("one\ntwö, three\n"), "twö, three");
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    text: &'a str,
    /// The start of each line; never empty.
    starts: Cow<'a, [u32]>,
    /// How many characters come before each block; empty if all are ASCII.
    chars_before: Cow<'a, [u32]>,
}

impl<'a> LineIndex<'a> {
    /// Builds the index in one pass. Of a text longer than `u32::MAX` bytes, only the first
    /// `u32::MAX` bytes are indexed.
    pub fn new(text: &'a str) -> Self {
        let text = clamp(text, u32::MAX as usize);
        let mut lines = GrowingLines::default();
        lines.go_on(text, 0);
        let GrowingLines { starts, chars_before, .. } = lines;
        Self { text, starts: Cow::Owned(starts), chars_before: Cow::Owned(chars_before) }
    }

    /// The line and column of `offset`. An offset past the end of the text is taken as the end, one
    /// within a character as the start of that character, and one within a leading byte order mark
    /// as the start of the text after it.
    ///
    /// ```
    /// # use barelink_text::{LineCol, LineIndex};
    /// assert_eq!(LineIndex::new("").line_col(7), LineCol { line: 1, column: 1 });
    /// ```
    pub fn line_col(&self, offset: u32) -> LineCol {
        let offset = self.clamp_offset(offset);
        let line_idx = self.line_idx(offset);
        let n_before = self.n_chars(offset) - self.n_chars(self.starts[line_idx]);
        LineCol { line: line_idx as u32 + 1, column: n_before + 1 }
    }

    /// The column of `offset` in bytes, from one. `offset` is clamped as in
    /// [`line_col`](Self::line_col).
    ///
    /// ```
    /// # use barelink_text::LineIndex;
    /// assert_eq!(LineIndex::new("é!").byte_column(2), 3);
    /// ```
    pub fn byte_column(&self, offset: u32) -> u32 {
        let offset = self.clamp_offset(offset);
        offset - self.starts[self.line_idx(offset)] + 1
    }

    /// The offset of a column in characters. The last column of a line is the one after its last
    /// character, where its line ending starts. `None` if there is no such line or column.
    ///
    /// ```
    /// # use barelink_text::LineIndex;
    /// let index = LineIndex::new("é!\r\n");
    /// assert_eq!(index.offset(1, 2), Some(2));
    /// assert_eq!(index.offset(1, 3), Some(3));
    /// assert_eq!(index.offset(1, 4), None);
    /// assert_eq!(index.offset(0, 1), None);
    /// ```
    pub fn offset(&self, line: u32, column: u32) -> Option<u32> {
        let span = self.line_span(line)?;
        let n_wanted = self.n_chars(span.start).checked_add(column.checked_sub(1)?)?;
        if n_wanted > self.n_chars(span.end) {
            return None;
        }
        Some(self.offset_of_char(n_wanted))
    }

    /// The number of lines: one more than there are line endings.
    ///
    /// ```
    /// # use barelink_text::LineIndex;
    /// assert_eq!(LineIndex::new("").n_lines(), 1);
    /// assert_eq!(LineIndex::new("a\r\nb\rc\n").n_lines(), 4);
    /// ```
    pub fn n_lines(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The span of a line without its ending, or `None` if there is no such line.
    ///
    /// ```
    /// # use barelink_text::{LineIndex, Span};
    /// let index = LineIndex::new("ab\r\ncd");
    /// assert_eq!(index.line_span(1), Some(Span::new(0, 2)));
    /// assert_eq!(index.line_span(2), Some(Span::new(4, 6)));
    /// assert_eq!(index.line_span(3), None);
    /// ```
    pub fn line_span(&self, line: u32) -> Option<Span> {
        let line_idx = line.checked_sub(1)? as usize;
        let start = *self.starts.get(line_idx)?;
        let end = match self.starts.get(line_idx + 1) {
            Some(&next) => next - ending_len(&self.text.as_bytes()[..next as usize]),
            None => self.text.len() as u32,
        };
        Some(Span::new(start, end))
    }

    /// Clamps `offset` to the indexed text and to the start of a character.
    fn clamp_offset(&self, offset: u32) -> u32 {
        (clamp(self.text, offset as usize).len() as u32).max(self.starts[0])
    }

    /// The index of the line that `offset` is on.
    fn line_idx(&self, offset: u32) -> usize {
        // No offset is before the first line, so at least one start is counted.
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// The number of characters that start before `offset`, which is within the text.
    fn n_chars(&self, offset: u32) -> u32 {
        if self.chars_before.is_empty() {
            return offset;
        }
        let offset = offset as usize;
        let block = offset / BLOCK_LEN;
        let rest = &self.text.as_bytes()[block * BLOCK_LEN..offset];
        self.chars_before[block] + count_starts(rest)
    }

    /// The offset of the character that has `n_chars` others before it, or the end of the text if
    /// there is none.
    fn offset_of_char(&self, n_chars: u32) -> u32 {
        if self.chars_before.is_empty() {
            return n_chars;
        }
        // The last block with at most that many characters before it; the first block has none.
        let block = self.chars_before.partition_point(|&before| before <= n_chars) - 1;
        let block_start = block * BLOCK_LEN;
        let n_in_block = n_chars - self.chars_before[block];
        let rest = &self.text.as_bytes()[block_start..];
        let found = (0..rest.len())
            .filter(|&at| is_char_start(rest[at]))
            .nth(n_in_block as usize)
            .unwrap_or(rest.len());
        (block_start + found) as u32
    }
}

/// The lines of a text that grows.
///
/// LINEAR: what stays is read once.
#[derive(Clone, Debug, Default)]
pub struct GrowingLines {
    starts: Vec<u32>,
    chars_before: Vec<u32>,
    /// The text up to here stays.
    n_kept: usize,
}

impl GrowingLines {
    /// Finds the lines of `text`, which starts with what stayed of the last one. Of this one,
    /// `n_kept` bytes will stay.
    pub fn go_on(&mut self, text: &str, n_kept: usize) {
        let text = clamp(text, u32::MAX as usize);
        let from = self.n_kept.min(n_kept).min(text.len());
        self.n_kept = n_kept;
        self.find_starts(text, from);
        self.count_blocks(text, from);
    }

    /// The index of the text whose lines were found last.
    pub fn index<'a>(&'a self, text: &'a str) -> LineIndex<'a> {
        let text = clamp(text, u32::MAX as usize);
        let (starts, chars_before) = (&*self.starts, &*self.chars_before);
        LineIndex { text, starts: Cow::Borrowed(starts), chars_before: Cow::Borrowed(chars_before) }
    }

    /// Finds the lines that start after `from`.
    fn find_starts(&mut self, text: &str, from: usize) {
        let bytes = text.as_bytes();
        let starts = &mut self.starts;
        starts.truncate(starts.partition_point(|&start| start as usize <= from));
        // A line feed that has come after a carriage return belongs to that line ending.
        let is_cut = from > 0 && bytes[from - 1] == b'\r' && bytes.get(from) == Some(&b'\n');
        if is_cut && starts.last() == Some(&(from as u32)) {
            starts.pop();
        }
        if from == 0 || starts.is_empty() {
            let has_mark = text.starts_with(BYTE_ORDER_MARK);
            starts.clear();
            starts.reserve(1 + bytes.len() / 32);
            starts.push(if has_mark { BYTE_ORDER_MARK.len_utf8() as u32 } else { 0 });
        }
        for at in memchr::memchr2_iter(b'\n', b'\r', &bytes[from..]) {
            let at = from + at;
            let is_first_of_two = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
            if !is_first_of_two {
                starts.push(at as u32 + 1);
            }
        }
    }

    /// Counts the characters that start before each block. The last block is the one that the text
    /// does not fill; it may be empty.
    fn count_blocks(&mut self, text: &str, from: usize) {
        let before = &mut self.chars_before;
        if before.is_empty() && text.as_bytes()[from..].is_ascii() {
            return;
        }
        before.truncate(from / BLOCK_LEN + 1);
        if before.is_empty() {
            before.reserve(text.len() / BLOCK_LEN + 1);
            before.push(0);
        }
        let n_counted = (before.len() - 1) * BLOCK_LEN;
        let mut n_chars = before[before.len() - 1];
        for block in text.as_bytes()[n_counted..].chunks_exact(BLOCK_LEN) {
            n_chars += count_starts(block);
            before.push(n_chars);
        }
    }
}

/// The longest prefix of `text` that has at most `max_len` bytes.
fn clamp(text: &str, max_len: usize) -> &str {
    if max_len >= text.len() {
        return text;
    }
    let mut end = max_len;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The length of the line ending that `bytes` ends with.
fn ending_len(bytes: &[u8]) -> u32 {
    if bytes.ends_with(b"\r\n") { 2 } else { 1 }
}

/// The number of characters that start within `bytes`.
fn count_starts(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&byte| u32::from(is_char_start(byte))).sum()
}

/// Whether a byte of UTF-8 starts a character.
const fn is_char_start(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::{BLOCK_LEN, GrowingLines, LineCol, LineIndex};
    use crate::Span;

    #[test]
    fn lines_of_a_text_that_grows() {
        let long = "é\n".repeat(BLOCK_LEN) + "a\r\n\r\rb";
        for text in ["\u{FEFF}a\r\nb\n\r\n\rc", "ab\ncd\r\n", &long] {
            let mut lines = GrowingLines::default();
            let cuts = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
            let mut kept = 0;
            for cut in cuts {
                // The end of a text may be a guess.
                let shown = format!("{}\r\ré\n", &text[..cut]);
                for text in [&*shown, &text[..cut]] {
                    lines.go_on(text, kept);
                    let (index, fresh) = (lines.index(text), LineIndex::new(text));
                    assert_eq!(index.starts, fresh.starts, "{text:?}");
                    for at in [0, kept as u32, cut as u32] {
                        assert_eq!(index.line_col(at), fresh.line_col(at), "{text:?} at {at}");
                    }
                }
                kept = cut - cut % 3;
                kept -= usize::from(!text.is_char_boundary(kept));
            }
        }
    }

    /// Walks the text character by character: the line and column of each.
    fn places(text: &str) -> Vec<(u32, LineCol)> {
        let mut place = LineCol { line: 1, column: 1 };
        let mut places = Vec::new();
        let n_skipped = usize::from(text.starts_with('\u{FEFF}'));
        for (at, c) in text.char_indices().skip(n_skipped) {
            places.push((at as u32, place));
            let is_ending = c == '\n' || (c == '\r' && !text[at + 1..].starts_with('\n'));
            place = if is_ending {
                LineCol { line: place.line + 1, column: 1 }
            } else {
                LineCol { column: place.column + 1, ..place }
            };
        }
        places.push((text.len() as u32, place));
        places
    }

    fn check(text: &str) {
        let index = LineIndex::new(text);
        for (offset, place) in places(text) {
            assert_eq!(index.line_col(offset), place, "{text:?} at {offset}");
            let span = index.line_span(place.line).expect("a line");
            assert_eq!(index.byte_column(offset), offset - span.start + 1);
            // Only between CR and LF is there no column to come back from.
            let expected = (offset <= span.end).then_some(offset);
            assert_eq!(index.offset(place.line, place.column), expected, "{text:?}, {place:?}");
        }
        let last = places(text).pop().expect("the end");
        assert_eq!(index.n_lines(), last.1.line);
        assert_eq!(index.line_col(u32::MAX), last.1);
    }

    #[test]
    fn agrees_with_counting() {
        for text in [
            "",
            "a",
            "\n",
            "\r",
            "\r\n",
            "\n\r",
            "\r\r\n\n",
            "a\nb\rc\r\nd",
            "a\n\n\nb\n",
            "é\n€uro\r\n😀😀\rx",
            "\u{2028}\u{85}a",
            "\u{FEFF}",
            "\u{FEFF}a",
            "\u{FEFF}\né\u{FEFF}",
            "\u{FEFF}\u{FEFF}é\r\nb",
        ] {
            check(text);
        }
    }

    #[test]
    fn agrees_with_counting_across_blocks() {
        for unit in ["ab", "é", "€\n", "x€\r\n", "😀", "aé€😀 "] {
            for n_units in [BLOCK_LEN / 4, BLOCK_LEN / 2, BLOCK_LEN, BLOCK_LEN + 1] {
                check(&unit.repeat(n_units));
                check(&format!("é{}", unit.repeat(n_units)));
            }
            check(&format!("\u{FEFF}{}", unit.repeat(BLOCK_LEN / 2)));
        }
    }

    #[test]
    fn inside_a_character() {
        let index = LineIndex::new("a😀b");
        for offset in 1..=4 {
            assert_eq!(index.line_col(offset), LineCol { line: 1, column: 2 });
            assert_eq!(index.byte_column(offset), 2);
        }
        assert_eq!(index.line_col(5), LineCol { line: 1, column: 3 });
    }

    #[test]
    fn a_byte_order_mark_does_not_count() {
        let index = LineIndex::new("\u{FEFF}é!\nb");
        for offset in 0..=4 {
            assert_eq!(index.line_col(offset), LineCol { line: 1, column: 1 }, "{offset}");
            assert_eq!(index.byte_column(offset), 1, "{offset}");
        }
        assert_eq!(index.line_col(5), LineCol { line: 1, column: 2 });
        assert_eq!(index.byte_column(5), 3);
        assert_eq!((index.offset(1, 1), index.offset(1, 2)), (Some(3), Some(5)));
        assert_eq!((index.offset(1, 3), index.offset(1, 4)), (Some(6), None));
        assert_eq!(index.line_span(1), Some(Span::new(3, 6)));
        assert_eq!(index.line_col(7), LineCol { line: 2, column: 1 });
    }

    #[test]
    fn no_such_place() {
        let index = LineIndex::new("ab\nc");
        for (line, column) in
            [(0, 0), (0, 1), (1, 0), (1, 4), (2, 3), (3, 1), (u32::MAX, 1), (1, u32::MAX)]
        {
            assert_eq!(index.offset(line, column), None, "{line}:{column}");
        }
        assert_eq!((index.line_span(0), index.line_span(3)), (None, None));
    }

    #[test]
    fn spans_leave_endings_out() {
        let text = "one\rtwo\r\n\nthree\n";
        let index = LineIndex::new(text);
        let lines: Vec<&str> = (1..=index.n_lines())
            .map(|line| index.line_span(line).map_or("missing", |span| span.slice(text)))
            .collect();
        assert_eq!(lines, ["one", "two", "", "three", ""]);
        assert_eq!(LineIndex::new("").line_span(1), Some(Span::new(0, 0)));
    }

    #[test]
    fn one_long_line() {
        let text: String = "ж".repeat(100_000);
        let index = LineIndex::new(&text);
        for n_chars in (0..=100_000).step_by(997) {
            assert_eq!(index.line_col(n_chars * 2).column, n_chars + 1);
            assert_eq!(index.offset(1, n_chars + 1), Some(n_chars * 2));
        }
    }
}
