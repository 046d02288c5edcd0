//! ATX headings, setext headings and thematic breaks (CommonMark §4.1–4.3).
//!
//! ```text
//! atx    = 1*6"#" (white space text)? (white space 1*"#")?
//! setext = 1*"=" | 1*"-"      after the lines of a paragraph
//! break  = 3*("*" | "-" | "_")      with white space between
//! ```
//!
//! LINEAR: one pass over the line each.

use super::line::{Indent, Line};
use super::{OpenLeaf, Phase};
use crate::tape::pieces::Lines;
use crate::tape::{Block, Record};

const MAX_LEVEL: usize = 6;

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

impl Phase<'_, '_> {
    pub(super) fn open_atx_heading(
        &mut self,
        line: &Line<'_>,
        indent: Indent,
        matched: usize,
    ) -> bool {
        let mut start = indent.at;
        while line.byte(start) == b'#' {
            start += 1;
        }
        let level = start - indent.at;
        if level > MAX_LEVEL || !matches!(line.byte(start), b' ' | b'\t' | b'\n') {
            return false;
        }
        while is_blank(line.byte(start)) {
            start += 1;
        }
        let mut end = self.trimmed_end(start, line.end);
        let whole_end = end;
        while end > start && line.byte(end - 1) == b'#' {
            end -= 1;
        }
        if end > start && !is_blank(line.byte(end - 1)) {
            end = whole_end;
        }
        end = self.trimmed_end(start, end);
        self.close_containers(matched);
        let block = Block::Heading { level: level as u8 };
        self.push_leaf(Record::new(block, indent.at, line.end));
        self.tape.push(Record::new(Block::HeadingText(Lines::SLICE), start, end));
        true
    }

    /// Turns the open paragraph into a heading if `line` underlines it.
    pub(super) fn open_setext_heading(&mut self, line: &Line<'_>, indent: Indent) -> bool {
        let byte = line.byte(indent.at);
        let mut at = indent.at;
        while line.byte(at) == byte {
            at += 1;
        }
        if byte == b'*' || self.trimmed_end(at, line.end) != at {
            return false;
        }
        self.give_back_task();
        // SPEC: 4.7: definitions at the start are no part of the heading, and
        // if they are all there is, this is no underline.
        if !self.take_definitions() {
            return false;
        }
        self.state.leaf = OpenLeaf::None;
        self.trim_leaf();
        self.leave_definition_list();
        let paragraph = &mut self.tape.records[self.state.text_idx];
        let Block::Paragraph(lines) = paragraph.block else { return false };
        let text = Record { block: Block::HeadingText(lines), ..*paragraph };
        paragraph.block = Block::Heading { level: if byte == b'=' { 1 } else { 2 } };
        paragraph.end = line.end as u32;
        self.state.content_end = line.end;
        self.tape.push(text);
        true
    }

    pub(super) fn open_break(&mut self, line: &Line<'_>, indent: Indent, matched: usize) -> bool {
        let byte = line.byte(indent.at);
        // LINEAR: `* * * … a` opens a list with every marker; what refused the
        // first as a break refuses the others.
        let (refused, refused_at) = self.state.not_a_break;
        if refused == byte && indent.at < refused_at {
            return false;
        }
        let mut n_marks = 0;
        for at in indent.at..line.end {
            match line.byte(at) {
                mark if mark == byte => n_marks += 1,
                b' ' | b'\t' => {}
                _ => {
                    self.state.not_a_break = (byte, at);
                    return false;
                }
            }
        }
        if n_marks < 3 {
            return false;
        }
        self.close_containers(matched);
        let end = self.trimmed_end(indent.at, line.end);
        self.push_leaf(Record::new(Block::ThematicBreak, indent.at, end));
        true
    }

    /// `end`, moved left over spaces and tabs, not beyond `start`.
    pub(super) fn trimmed_end(&self, start: usize, mut end: usize) -> usize {
        let bytes = self.source.as_bytes();
        while end > start && is_blank(bytes[end - 1]) {
            end -= 1;
        }
        end
    }
}
