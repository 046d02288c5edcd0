//! Paragraphs (CommonMark §4.8), and the closing of any leaf.
//!
//! The lines of a paragraph are stripped of their indentation. As long as each starts right after
//! the previous line ending, the paragraph is one slice of the source; otherwise its pieces are
//! listed, and joined when it is read.

use super::heading::is_blank;
use super::{OpenLeaf, Phase};
use crate::tape::Record;
use crate::tape::pieces::Segment;

impl Phase<'_, '_> {
    /// Continues the paragraph with the text `start..end` of another line, not blank.
    #[inline]
    pub(super) fn continue_paragraph(&mut self, start: usize, end: usize) {
        let bytes = self.source.as_bytes();
        let record = &mut self.tape.records[self.state.text_idx];
        if is_blank(bytes[record.end as usize - 1])
            && let Some(lines) = record.lines_mut()
        {
            lines.breaks = true;
        }
        self.tape.add_line(self.state.text_idx, bytes, Segment::line(start, end));
        self.state.content_end = end;
    }

    #[inline]
    pub(super) fn close_leaf(&mut self) {
        match self.state.leaf {
            OpenLeaf::None => return,
            OpenLeaf::Paragraph => {
                if self.take_prefixes() {
                    self.trim_leaf();
                }
            }
            _ => self.close_other_leaf(),
        }
        self.state.leaf = OpenLeaf::None;
    }

    #[inline(never)]
    fn close_other_leaf(&mut self) {
        match self.state.leaf {
            OpenLeaf::None | OpenLeaf::Paragraph => {}
            OpenLeaf::Indented(text) => self.close_indented_code(text),
            OpenLeaf::Fenced(_) => self.close_fenced_code(),
            OpenLeaf::Table(_) => self.close_table(),
            OpenLeaf::Html(_) => {
                self.state.content_end = self.tape.records[self.state.text_idx].end as usize;
            }
        }
    }

    /// Drops white space at the end of the paragraph.
    #[inline]
    pub(super) fn trim_leaf(&mut self) {
        let Record { start, end, .. } = self.tape.records[self.state.text_idx];
        let trimmed = self.trimmed_end(start as usize, end as usize) as u32;
        if trimmed != end {
            self.tape.trim_end(self.state.text_idx, trimmed);
        }
    }
}
