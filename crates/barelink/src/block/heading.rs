//! ATX headings, setext headings and thematic breaks (CommonMark §4.1–4.3).
//!
//! ```text
//! atx    = 1*6"#" (white space text)? (white space 1*"#")?
//! setext = 1*"=" | 1*"-"      after the lines of a paragraph
//! attributes = "{" … "}"      at the end of the text, with the option: see `syntax::attributes`
//! break  = 3*("*" | "-" | "_")      with white space between
//! ```
//!
//! LINEAR: one pass over the line for each construct.

use super::line::{Indent, Line};
use super::{OpenLeaf, Phase};
use crate::syntax::attributes::find_block;
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
        // LINEAR: a stream reads its last line again and again, so only what can be a heading is read.
        while line.byte(start) == b'#' && start - indent.at <= MAX_LEVEL {
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
        let attributes = self.find_attributes(start, end);
        if let Some((open, _)) = attributes {
            end = self.trimmed_end(start, open);
        }
        let whole_end = end;
        while end > start && line.byte(end - 1) == b'#' {
            end -= 1;
        }
        if end > start && !is_blank(line.byte(end - 1)) {
            end = whole_end;
        }
        end = self.trimmed_end(start, end);
        self.close_containers(matched);
        let block = Block::Heading { level: level as u8, has_attributes: attributes.is_some() };
        self.push_leaf(Record::new(block, indent.at, line.end));
        self.tape.push(Record::new(Block::HeadingText(Lines::SLICE), start, end));
        self.push_attributes(attributes);
        true
    }

    /// The attributes at the end of the text `start..end`: the offsets where their block opens and
    /// ends.
    #[inline]
    fn find_attributes(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        if !self.options.heading_attributes {
            return None;
        }
        let open = find_block(&self.source.as_bytes()[start..end])?;
        Some((start + open, end))
    }

    fn push_attributes(&mut self, attributes: Option<(usize, usize)>) {
        if let Some((open, end)) = attributes {
            self.tape.push(Record::new(Block::HeadingAttributes, open + 1, end - 1));
        }
    }

    /// Removes the attributes from the open paragraph, which is about to become a heading.
    fn take_attributes(&mut self) -> Option<(usize, usize)> {
        let (bytes, idx) = (self.source.as_bytes(), self.state.text_idx);
        let (start, end) = self.tape.last_line(idx, bytes);
        let attributes = self.find_attributes(start, end)?;
        let text_end = self.trimmed_end(start, attributes.0);
        if text_end > start || self.tape.records[idx].start as usize == start {
            self.tape.trim_end(idx, text_end as u32);
        } else {
            self.tape.drop_last_line(idx, start as u32, bytes);
            self.trim_leaf();
        }
        Some(attributes)
    }

    /// Turns the open paragraph into a heading if `line` is its underline.
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
        // SPEC: 4.7: definitions at the start are not part of the heading, and if nothing else is
        // left, this is not an underline.
        if !self.take_prefixes() {
            return false;
        }
        self.state.leaf = OpenLeaf::None;
        self.trim_leaf();
        self.leave_definition_list();
        let attributes = self.take_attributes();
        let paragraph = &mut self.tape.records[self.state.text_idx];
        let Block::Paragraph(lines) = paragraph.block else { return false };
        let text = Record { block: Block::HeadingText(lines), ..*paragraph };
        let level = if byte == b'=' { 1 } else { 2 };
        paragraph.block = Block::Heading { level, has_attributes: attributes.is_some() };
        paragraph.end = line.end as u32;
        self.state.content_end = line.end;
        self.tape.push(text);
        self.push_attributes(attributes);
        true
    }

    pub(super) fn open_break(&mut self, line: &Line<'_>, indent: Indent, matched: usize) -> bool {
        let byte = line.byte(indent.at);
        // LINEAR: `* * * … a` opens a list at every marker; the byte that ruled out the first as a
        // break also rules out the others.
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

    /// `end`, moved left over spaces and tabs, but not past `start`.
    pub(super) fn trimmed_end(&self, start: usize, mut end: usize) -> usize {
        let bytes = self.source.as_bytes();
        while end > start && is_blank(bytes[end - 1]) {
            end -= 1;
        }
        end
    }
}
