//! Indented and fenced code blocks (CommonMark §4.4 and §4.5).
//!
//! ```text
//! fence = 3*"`" info without "`" | 3*"~" info
//! ```
//!
//! Fenced code at the top level is one slice of the source; indented code is a
//! list of lines, each without its four columns.

use super::line::{Indent, Line};
use super::tape::{Block, Kind, Segment, Snapshot, VARIANT};
use super::{Bounds, CODE_INDENT, Leaf, LineEnds, Phase};

const MIN_FENCE: usize = 3;

/// The fence that opened a code block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fence {
    byte: u8,
    len: u32,
    /// Columns of indentation to take off each line.
    indent: u32,
}

impl Fence {
    /// Whether a line at the top level is content as it stands, by its first
    /// bytes: they start no fence, and there is no indentation to take off.
    #[inline]
    pub(super) fn is_content(self, line: &[u8]) -> bool {
        self.indent == 0
            && match line {
                [] | [b' ', b' ', b' ', b' ', ..] => true,
                [first, ..] => *first != self.byte && !matches!(first, b' ' | b'\t'),
            }
    }
}

/// The length of the indentation of a line at the top level that its first bytes show to
/// be indented code, and not blank.
#[inline]
fn code_indent_len(line: &[u8]) -> Option<usize> {
    let (len, first) = match line {
        [b'\t', first, ..] => (1, first),
        [b' ', b' ', b' ', b' ', first, ..] => (CODE_INDENT, first),
        _ => return None,
    };
    (!matches!(first, b' ' | b'\t')).then_some(len)
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
        let byte = line.byte(indent.at);
        let len = scan_run(line, indent.at);
        if len < MIN_FENCE {
            return false;
        }
        let mut start = indent.at + len;
        while matches!(line.byte(start), b' ' | b'\t') {
            start += 1;
        }
        let end = self.trimmed_end(start, line.end);
        if byte == b'`' && self.source.as_bytes()[start..end].contains(&b'`') {
            return false;
        }
        self.close_containers(matched);
        let mut block = Block::new(Kind::CodeBlock, indent.at, line.end);
        block.flags = VARIANT;
        self.push_leaf(block);
        self.tape.push(Block::new(Kind::Info, start, end));
        self.leaf_idx = self.tape.push(Block::new(Kind::Content, line.end, line.end));
        let indent = indent.columns as u32;
        self.leaf = Leaf::Fenced(Fence { byte, len: len as u32, indent });
        true
    }

    pub(super) fn fenced_line(&mut self, line: &mut Line<'_>, fence: Fence) {
        let indent = line.indent();
        if indent.columns < CODE_INDENT && line.byte(indent.at) == fence.byte {
            let len = scan_run(line, indent.at);
            let after = indent.at + len;
            if len >= fence.len as usize && self.trimmed_end(after, line.end) == after {
                self.content_end = line.end;
                self.tape.blocks[self.leaf_idx - 2].end = line.end as u32;
                self.leaf = Leaf::None;
                return;
            }
        }
        line.skip_columns(fence.indent as usize);
        self.tape.add_line(self.leaf_idx, self.source.as_bytes(), line.rest());
        self.content_end = line.end;
    }

    /// [`Phase::plain_lines`] of fenced code: the content is one stretch.
    #[inline(never)]
    pub(super) fn fenced_lines(
        &mut self,
        fence: Fence,
        first: Bounds,
        ends: &mut LineEnds<'_>,
    ) -> Option<Bounds> {
        let bytes = self.source.as_bytes();
        let mut line = Some(first);
        let mut stretch_end = None;
        while let Some((start, end)) = line
            && bytes.get(end) == Some(&b'\n')
            && fence.is_content(&bytes[start..end])
        {
            stretch_end = Some(end);
            line = self.next_line(end + 1, ends);
        }
        if let Some(end) = stretch_end {
            let stretch = Segment { start: first.0 as u32, end: end as u32, pad: 0 };
            self.tape.add_line(self.leaf_idx, bytes, stretch);
            self.content_end = end;
            self.after_blank = false;
        }
        line
    }

    /// [`Phase::plain_lines`] of indented code, whose lines lose their indentation.
    #[inline(never)]
    pub(super) fn indented_lines(
        &mut self,
        first: Bounds,
        ends: &mut LineEnds<'_>,
    ) -> Option<Bounds> {
        let bytes = self.source.as_bytes();
        let mut line = Some(first);
        let mut after_blank = self.after_blank;
        while let Some((start, end)) = line
            && bytes.get(end) == Some(&b'\n')
        {
            let blank = start == end;
            let len = if blank { Some(0) } else { code_indent_len(&bytes[start..end]) };
            let Some(len) = len else { break };
            if blank && !after_blank {
                self.keep_indented();
            }
            self.tape.add_segment(self.leaf_idx, (start + len) as u32, end as u32, 0);
            after_blank = blank;
            line = self.next_line(end + 1, ends);
        }
        self.after_blank = after_blank;
        if !after_blank {
            self.keep_indented();
        }
        line
    }

    /// Notes that what the indented code block has so far is part of it.
    fn keep_indented(&mut self) {
        self.content_end = self.tape.blocks[self.leaf_idx].end as usize;
        self.leaf = Leaf::Indented(self.tape.snapshot(self.leaf_idx));
    }

    /// The document or a container ended before the closing fence.
    pub(super) fn close_fenced_code(&mut self) {
        let end = self.tape.blocks[self.leaf_idx].end;
        let block = &mut self.tape.blocks[self.leaf_idx - 2];
        block.end = block.end.max(end);
        self.content_end = block.end as usize;
    }

    pub(super) fn open_indented_code(&mut self, line: &mut Line<'_>) {
        line.skip_columns(CODE_INDENT);
        self.push_leaf(Block::new(Kind::CodeBlock, line.at, line.end));
        self.tape.push(Block::new(Kind::Info, line.at, line.at));
        self.leaf_idx = self.tape.push(Block::new(Kind::Content, line.at, line.end));
        self.tape.add_line(self.leaf_idx, self.source.as_bytes(), line.rest());
        self.keep_indented();
    }

    /// Opens indented code at the top level with a line whose first bytes show it. False
    /// if they do not.
    pub(super) fn open_plain_code(&mut self, line: &mut Line<'_>) -> bool {
        let is_code = code_indent_len(&self.source.as_bytes()[line.at..line.end]).is_some();
        if is_code {
            self.open_indented_code(line);
        }
        is_code
    }

    /// True if the line belongs to the open indented code block.
    pub(super) fn indented_line(&mut self, line: &mut Line<'_>) -> bool {
        let indent = line.indent();
        let blank = indent.at >= line.end;
        if !blank && indent.columns < CODE_INDENT {
            return false;
        }
        line.skip_columns(CODE_INDENT);
        self.tape.add_line(self.leaf_idx, self.source.as_bytes(), line.rest());
        if !blank {
            self.keep_indented();
        }
        self.after_blank = blank;
        true
    }

    /// SPEC: 4.4: blank lines at the end are no part of it; `text` is what it
    /// was at the last line that was not blank.
    pub(super) fn close_indented_code(&mut self, text: Snapshot) {
        self.tape.restore(self.leaf_idx, text);
        let end = self.tape.blocks[self.leaf_idx].end;
        self.tape.blocks[self.leaf_idx - 2].end = end;
    }
}
