//! Paragraphs (CommonMark §4.8), and how every leaf is closed.
//!
//! A paragraph's lines are stripped of their indentation. As long as each
//! starts right after the line ending before it, the paragraph is one slice of
//! the source; otherwise its pieces are listed and joined when it is rendered.

use super::tape::{BREAKS, Block, HAS_LINES, Kind, Segment};
use super::{Leaf, Phase};

impl Phase<'_, '_> {
    /// `start..end` is the first line's text, not blank.
    #[inline]
    pub(super) fn open_paragraph(&mut self, start: usize, end: usize) {
        let mut block = Block::new(Kind::Paragraph, start, end);
        block.flags = HAS_LINES;
        self.leaf_idx = self.push_leaf(block);
        self.leaf = Leaf::Paragraph;
        self.after_blank = false;
    }

    /// `start..end` is another line's text, not blank.
    #[inline]
    pub(super) fn continue_paragraph(&mut self, start: usize, end: usize) {
        let bytes = self.source.as_bytes();
        let block = &mut self.tape.blocks[self.leaf_idx];
        if matches!(bytes[block.end as usize - 1], b' ' | b'\t') {
            block.flags |= BREAKS;
        }
        let line = Segment { start: start as u32, end: end as u32, pad: 0 };
        self.tape.add_line(self.leaf_idx, bytes, line);
        self.content_end = end;
    }

    #[inline]
    pub(super) fn close_leaf(&mut self) {
        match self.leaf {
            Leaf::None => return,
            Leaf::Paragraph => {
                if self.take_definitions() {
                    self.trim_leaf();
                }
            }
            Leaf::Indented(text) => self.close_indented_code(text),
            Leaf::Fenced(_) => self.close_fenced_code(),
            Leaf::Html(_) => self.content_end = self.tape.blocks[self.leaf_idx].end as usize,
        }
        self.leaf = Leaf::None;
    }

    /// Drops white space at the end of the paragraph.
    pub(super) fn trim_leaf(&mut self) {
        let block = &self.tape.blocks[self.leaf_idx];
        let end = self.trimmed_end(block.start as usize, block.end as usize);
        if end != block.end as usize {
            self.tape.trim_end(self.leaf_idx, end as u32);
        }
    }
}
