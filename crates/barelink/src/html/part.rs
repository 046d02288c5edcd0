//! A top-level block that is still open, written in two parts: what is final, once, and the
//! rest, as often as it changes.

use super::markup::{push_code_start, start_line};
use super::raw::push_raw_range;
use super::{Writer, push_escaped_range, unescape};
use crate::block::live::{FinalText, Frontier};
use crate::block::tape::{Block, HAS_LINES, Kind, SEGMENTED, Segment};
use crate::policy::RawHtml;

/// How far a block is written for good. Its HTML is a string of its own.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The first record that is not written, or not to its end.
    next: usize,
    /// The writer's state there.
    tight: Vec<bool>,
    leaf: LeafPart,
}

/// How far a leaf is written.
#[derive(Debug, Default, Clone, Copy)]
enum LeafPart {
    /// Not at all.
    #[default]
    Nothing,
    /// A code block or HTML block: the end of its last line that is written, if any is.
    Lines(Option<u32>),
    /// A table: the next row, and how many came before.
    Rows(usize, usize),
}

impl Part {
    /// Nothing is written of the block whose records start at `first`.
    pub(crate) fn start(&mut self, first: usize) {
        self.next = first;
        self.tight.clear();
        self.leaf = LeafPart::Nothing;
    }
}

impl Writer<'_> {
    /// Appends what became final.
    pub(crate) fn push_final(&mut self, part: &mut Part, frontier: &Frontier, out: &mut String) {
        self.resume(part);
        if part.next < frontier.record {
            self.push_records(part, frontier.record, out);
            part.next = frontier.record;
            part.leaf = LeafPart::Nothing;
        }
        part.tight.clone_from(&self.state.tight);
        match frontier.text {
            FinalText::Lines(end) if self.can_part_lines(part.next) => {
                let done = self.push_leaf_start(part, out);
                let content = self.text_record(part.next);
                let written = content.has(HAS_LINES) && end > content.start;
                self.push_lines_between(&content, done, end, out);
                part.leaf = LeafPart::Lines(if written { Some(end) } else { done });
            }
            FinalText::Rows(end) => {
                let (row, n_rows) = if let LeafPart::Rows(row, n_rows) = part.leaf {
                    (row, n_rows)
                } else {
                    self.push_table_start(part.next, out);
                    (part.next + 1, 0)
                };
                let (row, n_rows) = self.push_rows(part.next, (row, n_rows), end, out);
                part.leaf = LeafPart::Rows(row, n_rows);
            }
            _ => {}
        }
    }

    /// Appends the rest of the block, up to record `end`.
    pub(crate) fn push_rest(&mut self, part: &Part, end: usize, out: &mut String) {
        self.resume(part);
        self.push_records(part, end, out);
    }

    fn resume(&mut self, part: &Part) {
        self.state.tight.clone_from(&part.tight);
        self.state.bases.clear();
        self.state.base = 0;
    }

    fn push_records(&mut self, part: &Part, end: usize, out: &mut String) {
        let mut next = part.next;
        match part.leaf {
            LeafPart::Nothing => {}
            LeafPart::Lines(done) => {
                let content = self.text_record(next);
                self.push_lines_between(&content, done, u32::MAX, out);
                let is_code = self.tape.blocks[next].kind == Kind::CodeBlock;
                if !is_code || content.has(HAS_LINES) {
                    out.push('\n');
                }
                if is_code {
                    out.push_str("</code></pre>\n");
                }
                next += 1;
            }
            LeafPart::Rows(row, n_rows) => {
                let (_, n_rows) = self.push_rows(next, (row, n_rows), end, out);
                out.push_str(if n_rows > 1 { "</tbody>\n</table>\n" } else { "</table>\n" });
                next += 1;
            }
        }
        for idx in next..end {
            let block = self.tape.blocks[idx];
            self.push_block(idx, &block, out);
        }
    }

    /// Whether the lines of the leaf at `idx` are written as they are in the source, and not
    /// left out.
    fn can_part_lines(&self, idx: usize) -> bool {
        let is_html = self.tape.blocks[idx].kind == Kind::HtmlBlock;
        let is_dropped = is_html && self.options.policy.raw_html == RawHtml::Drop;
        !self.tape.has_nul && !is_dropped
    }

    /// The record with the text of the code block or HTML block at `idx`.
    fn text_record(&self, idx: usize) -> Block {
        let block = self.tape.blocks[idx];
        if block.kind == Kind::CodeBlock { self.tape.blocks[idx + 2] } else { block }
    }

    /// Appends the start of a leaf of lines, unless that was done. Returns up to where its
    /// lines were written.
    fn push_leaf_start(&mut self, part: &Part, out: &mut String) -> Option<u32> {
        if let LeafPart::Lines(done) = part.leaf {
            return done;
        }
        start_line(self.state.base, out);
        if self.tape.blocks[part.next].kind == Kind::CodeBlock {
            let info = self.tape.blocks[part.next + 1];
            if info.start == info.end {
                out.push_str("<pre><code>");
            } else {
                push_code_start(&unescape(info.span().slice(self.source)), out);
            }
        }
        None
    }

    /// Appends the lines of a leaf that follow those up to `done`, up to `end`.
    ///
    /// LINEAR: the first piece is searched for by halves.
    fn push_lines_between(
        &mut self,
        content: &Block,
        done: Option<u32>,
        end: u32,
        out: &mut String,
    ) {
        if !content.has(HAS_LINES) {
            return;
        }
        if !content.has(SEGMENTED) {
            // The line ending before the next line is part of the stretch.
            let start = done.unwrap_or(content.start);
            return self.push_stretch(content.kind, start, content.end.min(end), out);
        }
        let tape = self.tape;
        let pieces = tape.segments(content);
        let first = done.map_or(0, |done| pieces.partition_point(|piece| piece.end <= done));
        for (n, &Segment { start, end: piece_end, pad }) in pieces.iter().enumerate().skip(first) {
            if piece_end > end {
                break;
            }
            if let Some(done) = done.filter(|done| *done > start) {
                self.push_stretch(content.kind, done, piece_end, out);
                continue;
            }
            if n > 0 {
                out.push('\n');
            }
            out.extend(std::iter::repeat_n(' ', pad as usize));
            self.push_stretch(content.kind, start, piece_end, out);
        }
    }

    fn push_stretch(&self, kind: Kind, start: u32, end: u32, out: &mut String) {
        let (start, end) = (start as usize, end.max(start) as usize);
        if kind == Kind::Content {
            push_escaped_range(self.source, start, end, out);
        } else {
            push_raw_range(self.source, start, end, self.options, out);
        }
    }
}
