//! Paragraphs (CommonMark §4.8), and how every leaf is closed.
//!
//! A paragraph's lines are stripped of their indentation. As long as each
//! starts right after the line ending before it, the paragraph is one slice of
//! the source; otherwise its pieces are listed and joined when it is rendered.

use super::heading::is_blank;
use super::tape::{BREAKS, Block, HAS_LINES, Kind, Segment};
use super::{Bounds, Leaf, LineEnds, Phase};

impl Phase<'_, '_> {
    /// `start..end` is the first line's text, not blank.
    #[inline]
    pub(super) fn open_paragraph(&mut self, start: usize, end: usize) {
        let start = if self.options.task_lists { self.take_task(start, end) } else { start };
        if start == end {
            // A task, and nothing after it.
            return;
        }
        let mut block = Block::new(Kind::Paragraph, start, end);
        block.flags = HAS_LINES;
        self.leaf_idx = self.push_leaf(block);
        self.leaf = Leaf::Paragraph;
        self.after_blank = false;
    }

    /// [`Phase::plain_lines`] of a paragraph that starts with the line `first`.
    #[inline]
    pub(super) fn paragraph_lines(
        &mut self,
        first: Bounds,
        ends: &mut LineEnds<'_>,
    ) -> Option<Bounds> {
        let bytes = self.source.as_bytes();
        let (start, mut end) = first;
        let mut flags = HAS_LINES;
        let line = loop {
            let line = self.next_line(end + 1, ends);
            let Some((next, next_end)) = line else { break line };
            let is_plain = bytes.get(next_end) == Some(&b'\n') && next < next_end;
            if !is_plain || !self.is_text(bytes[next]) {
                break line;
            }
            if is_blank(bytes[end - 1]) {
                flags |= BREAKS;
            }
            end = next_end;
        };
        let block = Block { flags, ..Block::new(Kind::Paragraph, start, end) };
        self.leaf_idx = self.push_leaf(block);
        // Most are followed by a blank line, and closing them would change nothing.
        let is_closed = bytes[start] != b'['
            && !is_blank(bytes[end - 1])
            && line.is_some_and(|(start, end)| start == end);
        self.leaf = if is_closed { Leaf::None } else { Leaf::Paragraph };
        self.after_blank = false;
        line
    }

    /// `start..end` is another line's text, not blank.
    #[inline]
    pub(super) fn continue_paragraph(&mut self, start: usize, end: usize) {
        let bytes = self.source.as_bytes();
        let block = &mut self.tape.blocks[self.leaf_idx];
        if is_blank(bytes[block.end as usize - 1]) {
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
            Leaf::Table(_) => {}
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
