//! Indented and fenced code blocks (CommonMark §4.4 and §4.5).
//!
//! ```text
//! fence = 3*"`" info without "`" | 3*"~" info
//! ```
//!
//! Fenced code at the top level is one slice of the source; indented code is a
//! list of lines, each without its four columns.

use std::ops::Range;

use super::heading::is_blank;
use super::line::{Indent, Line};
use super::{CODE_INDENT, OpenLeaf, Phase};
use crate::tape::pieces::{Lines, Segment};
use crate::tape::{Block, Record, Snapshot};

const MIN_FENCE: usize = 3;

/// The fence that opened a code block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fence {
    byte: u8,
    len: u32,
    /// Columns of indentation to remove from each line.
    indent: u32,
}

impl Fence {
    /// The fence at the start of `line`, which is not indented, and the range of its info string.
    #[inline]
    pub(crate) fn scan(line: &[u8]) -> Option<(Self, Range<usize>)> {
        let byte = *line.first()?;
        let len = line.iter().take_while(|other| **other == byte).count();
        if len < MIN_FENCE {
            return None;
        }
        let (mut start, mut end) = (len, line.len());
        while start < end && is_blank(line[start]) {
            start += 1;
        }
        while end > start && is_blank(line[end - 1]) {
            end -= 1;
        }
        let is_fence = byte != b'`' || !line[start..end].contains(&b'`');
        is_fence.then_some((Self { byte, len: len as u32, indent: 0 }, start..end))
    }

    /// The byte that the fence consists of.
    pub(crate) fn byte(self) -> u8 {
        self.byte
    }

    /// Whether the fence is not indented, so that nothing is removed from its lines.
    pub(crate) fn is_flush(self) -> bool {
        self.indent == 0
    }

    /// Whether `line`, which starts with the fence's byte, closes it.
    pub(crate) fn is_closed_by(self, line: &[u8]) -> bool {
        let len = line.iter().take_while(|byte| **byte == self.byte).count();
        len >= self.len as usize && line[len..].iter().all(|byte| is_blank(*byte))
    }

    /// Whether a line at the top level is certainly code as it stands: its first bytes cannot start
    /// a fence, and no indentation is removed.
    #[inline]
    pub(super) fn is_code(self, line: &[u8]) -> bool {
        self.indent == 0
            && match line {
                [] | [b' ', b' ', b' ', b' ', ..] => true,
                [byte, ..] => *byte != self.byte && !is_blank(*byte),
            }
    }
}

fn scan_run(line: &Line<'_>, at: usize) -> usize {
    let byte = line.byte(at);
    (at..line.end).take_while(|&at| line.byte(at) == byte).count()
}

impl Phase<'_, '_> {
    pub(super) fn open_fenced_code(
        &mut self,
        line: &Line<'_>,
        indent: Indent,
        matched: usize,
    ) -> bool {
        let start = indent.at;
        let Some((fence, info)) = Fence::scan(&self.source.as_bytes()[start..line.end]) else {
            return false;
        };
        self.close_containers(matched);
        self.push_leaf(Record::new(Block::Code { fenced: true }, start, line.end));
        self.tape.push(Record::new(Block::Info, start + info.start, start + info.end));
        let code = Record::new(Block::CodeText(Lines::default()), line.end, line.end);
        self.state.text_idx = self.tape.push(code);
        self.state.leaf = OpenLeaf::Fenced(Fence { indent: indent.columns as u32, ..fence });
        true
    }

    pub(super) fn fenced_line(&mut self, line: &mut Line<'_>, fence: Fence) {
        let indent = line.indent();
        if indent.columns < CODE_INDENT && line.byte(indent.at) == fence.byte {
            let len = scan_run(line, indent.at);
            let after = indent.at + len;
            if len >= fence.len as usize && self.trimmed_end(after, line.end) == after {
                self.state.content_end = line.end;
                self.tape.records[self.state.leaf_idx].end = line.end as u32;
                self.state.leaf = OpenLeaf::None;
                return;
            }
        }
        line.skip_columns(fence.indent as usize);
        self.tape.add_line(self.state.text_idx, self.source.as_bytes(), line.rest());
        self.state.content_end = line.end;
    }

    /// Sets the part of the open indented code block that is final, whatever follows.
    #[inline]
    pub(super) fn keep_indented(&mut self, kept: Snapshot) {
        self.state.content_end = kept.end() as usize;
        self.state.leaf = OpenLeaf::Indented(kept);
    }

    /// The document or a container ended before the closing fence.
    pub(super) fn close_fenced_code(&mut self) {
        let end = self.tape.records[self.state.text_idx].end;
        let block = &mut self.tape.records[self.state.leaf_idx];
        block.end = block.end.max(end);
        self.state.content_end = block.end as usize;
    }

    pub(super) fn open_indented_code(&mut self, line: &mut Line<'_>) {
        line.skip_columns(CODE_INDENT);
        self.open_code(line.rest());
    }

    /// Opens indented code with its first line, whose indentation has been removed.
    pub(super) fn open_code(&mut self, first: Segment) {
        let (start, end) = (first.start as usize, first.end as usize);
        self.push_leaf(Record::new(Block::Code { fenced: false }, start, end));
        self.tape.push(Record::new(Block::Info, start, start));
        let code = Record::new(Block::CodeText(Lines::default()), start, end);
        self.state.text_idx = self.tape.push(code);
        self.tape.add_line(self.state.text_idx, self.source.as_bytes(), first);
        self.keep_indented(self.tape.snapshot(self.state.text_idx));
    }

    /// True if the line belongs to the open indented code block.
    pub(super) fn indented_line(&mut self, line: &mut Line<'_>) -> bool {
        let indent = line.indent();
        let blank = indent.at >= line.end;
        if !blank && indent.columns < CODE_INDENT {
            return false;
        }
        line.skip_columns(CODE_INDENT);
        self.tape.add_segment(self.state.text_idx, self.source.as_bytes(), line.rest());
        if !blank {
            self.keep_indented(self.tape.snapshot(self.state.text_idx));
        }
        self.state.after_blank = blank;
        true
    }

    /// SPEC: 4.4: blank lines at the end are not part of the block; `text` is its text up to the
    /// last line that was not blank.
    pub(super) fn close_indented_code(&mut self, text: Snapshot) {
        self.tape.restore(self.state.text_idx, text);
        let end = self.tape.records[self.state.text_idx].end;
        self.tape.records[self.state.leaf_idx].end = end;
    }
}
