//! A line that is consumed from the left: bytes, columns, and partly consumed tabs.
//!
//! CommonMark §2.2: a tab is not replaced by spaces, but where indentation decides about structure
//! it advances to the next multiple of four columns. A container may consume some of those columns
//! and leave the rest as spaces in front of what follows.

use crate::tape::pieces::{Lead, Segment};

/// Columns of a tab stop.
const TAB_STOP: usize = 4;

/// The position of a line's first byte that is neither space nor tab.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Indent {
    /// The columns before it, counted from the cursor.
    pub(crate) columns: usize,
    /// Its offset; the end of the line if the rest is blank.
    pub(crate) at: usize,
}

/// A cursor in one line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'s> {
    /// The source up to the line's end.
    bytes: &'s [u8],
    /// The offset of the cursor.
    pub(crate) at: usize,
    /// The offset of the line's end, before its line ending.
    pub(crate) end: usize,
    column: usize,
    /// Remaining columns of a tab before the cursor.
    pad: usize,
    /// Offset and column of the first byte at or after the cursor that is neither space nor tab,
    /// once computed.
    text: Option<(usize, usize)>,
}

impl<'s> Line<'s> {
    pub(crate) fn new(bytes: &'s [u8], start: usize, end: usize) -> Self {
        let bytes = bytes.get(..end).unwrap_or(bytes);
        Self { bytes, at: start, end, column: 0, pad: 0, text: None }
    }

    /// The byte at `at`, or a line feed at the end of the line.
    #[inline]
    pub(crate) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(b'\n')
    }

    pub(crate) fn indent(&mut self) -> Indent {
        // LINEAR: cached, since every container of a deep list needs it, and consuming indentation
        // does not move the text.
        let (at, column) = match self.text {
            Some(text) => text,
            None => *self.text.insert(self.find_text()),
        };
        Indent { columns: column - self.column, at }
    }

    fn find_text(&self) -> (usize, usize) {
        let mut at = self.at;
        let mut column = self.column + self.pad;
        loop {
            match self.byte(at) {
                b' ' => column += 1,
                b'\t' => column += TAB_STOP - column % TAB_STOP,
                _ => return (at, column),
            }
            at += 1;
        }
    }

    /// Consumes `n` columns of white space, or as many as there are.
    pub(crate) fn skip_columns(&mut self, mut n: usize) {
        // The usual case, only spaces: a byte is a column.
        if let Some((text, column)) = self.text
            && n <= text - self.at
            && text - self.at == column - self.column
        {
            self.at += n;
            self.column += n;
            return;
        }
        while n > 0 {
            if self.pad == 0 {
                match self.byte(self.at) {
                    b' ' => self.pad = 1,
                    b'\t' => self.pad = TAB_STOP - self.column % TAB_STOP,
                    _ => return,
                }
                self.at += 1;
            }
            let used = n.min(self.pad);
            self.pad -= used;
            self.column += used;
            n -= used;
        }
    }

    /// Advances to `indent` and past the `n` bytes there, none of them a tab.
    pub(crate) fn skip_marker(&mut self, indent: Indent, n: usize) {
        self.column += indent.columns + n;
        self.at = indent.at + n;
        self.pad = 0;
        self.text = None;
    }

    /// Consumes one column if it is white space. True if it was.
    pub(crate) fn skip_optional_space(&mut self) -> bool {
        let before = self.column;
        self.skip_columns(1);
        self.column != before
    }

    /// The rest of the line, with the spaces that a partly consumed tab stands for.
    pub(crate) fn rest(&self) -> Segment {
        let lead = Lead::Line { n_spaces: self.pad as u8 };
        Segment { start: self.at as u32, end: self.end as u32, lead }
    }
}

#[cfg(test)]
mod tests {
    use super::{Lead, Line};

    #[test]
    fn tabs_go_to_the_next_stop() {
        for (text, columns, at) in
            [("a", 0, 0), ("  a", 2, 2), ("\ta", 4, 1), ("  \ta", 4, 3), ("   \t\ta", 8, 5)]
        {
            let indent = Line::new(text.as_bytes(), 0, text.len()).indent();
            assert_eq!((indent.columns, indent.at), (columns, at), "{text:?}");
        }
    }

    #[test]
    fn a_tab_can_be_used_up_in_part() {
        let text = b"-\t\tfoo";
        let mut line = Line::new(text, 0, text.len());
        let indent = line.indent();
        line.skip_marker(indent, 1);
        assert!(line.skip_optional_space());
        assert_eq!(line.indent().columns, 6);
        line.skip_columns(4);
        let rest = line.rest();
        assert_eq!((rest.start, rest.lead), (3, Lead::Line { n_spaces: 2 }));
    }

    #[test]
    fn skipping_stops_at_text() {
        let mut line = Line::new(b" x", 0, 2);
        line.skip_columns(7);
        assert_eq!(line.at, 1);
        assert!(!line.skip_optional_space());
    }
}
