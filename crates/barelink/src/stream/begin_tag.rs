//! The fast path for the start of a leaf whose first line starts with `<`: a block of raw HTML, or
//! a paragraph of one line.
//!
//! Which one it is may change with every byte: `<b>` alone on a line is a block, `<b` and `<b>c`
//! are paragraphs. So as long as it is short and may continue, it is begun again with every piece.

use super::Stream;
use super::append::PARAGRAPH_END;
use super::begin::Begun;
use super::changes::Shown;
use super::found::Findings;
use super::growing::{Growing, GrowingKind, Grown, is_in_tag};
use super::update::{BlockKind, BlockState, Pending};
use super::words::At;
use crate::block::html::{HtmlBlock, scan_block};
use crate::block::live::{OpenText, TextKind, Unfinished};
use crate::html::raw::push_raw_range;
use crate::policy::RawHtml;
use crate::tape::pieces::Lines;
use crate::tape::{Block, Record};

impl Stream {
    #[inline(never)]
    pub(super) fn begin_tag(&mut self, start: usize, was: Option<Shown>) -> Begun {
        let source = self.source.as_bytes();
        let is_off = self.parsed.options.policy.raw_html == RawHtml::Drop
            || memchr::memchr2(b'\r', 0, &source[start..]).is_some();
        if is_off {
            return Begun::Other;
        }
        match scan_block(source, start) {
            Some(block) => self.begin_html(start, block, was),
            None => self.begin_line(start, was),
        }
    }

    fn begin_html(&mut self, start: usize, block: HtmlBlock, was: Option<Shown>) -> Begun {
        let end = block.text_end();
        let lines = Block::Html(Lines::SLICE);
        let record = self.parsed.tape.push(Record::new(lines, start, end));
        push_raw_range(&self.source, start, end, &self.parsed.options, &mut self.page.html);
        self.page.html.push('\n');
        let (open, pending) = match block {
            HtmlBlock::Over(line) => return self.show_ended(record, BlockKind::Html, line, was),
            HtmlBlock::LastLine(_) => (Unfinished::Line, Pending::Line),
            HtmlBlock::Open(_) => (Unfinished::Html, Pending::Html),
        };
        self.show_leaf(record, BlockKind::Html, (BlockState::Open, Some(pending)), was);
        self.begin_for_now(record, open, TextKind::Html);
        let text = &self.source.as_bytes()[start..];
        // Only a comment stays the same block whatever follows.
        let is_comment = text.starts_with(b"<!--") && !text[1..].contains(&b'<');
        if open == Unfinished::Html && is_comment && !text.contains(&b'\n') {
            let (words, n_after) = (self.words, "\n".len());
            self.grow(Growing { kind: GrowingKind::Html, n_after, ..Growing::new(words, record) });
        }
        Begun::Shown
    }

    /// Begins a paragraph of one line, unless it may have labels, which would have to be recorded.
    fn begin_line(&mut self, start: usize, was: Option<Shown>) -> Begun {
        let source = self.source.as_bytes();
        let rest = &source[start..];
        let line = memchr::memchr(b'\n', rest).map(|len| start + len);
        let text = &rest[..line.map_or(rest.len(), |line| line - start)];
        let is_over = line.is_some_and(|line| source.get(line + 1) == Some(&b'\n'));
        if line.is_some() && !is_over || memchr::memchr2(b'[', b']', text).is_some() {
            return Begun::Other;
        }
        let end = start + text.trim_ascii_end().len();
        let is_in_tag = line.is_none() && is_in_tag(text);
        let record = self.parsed.tape.push(Record::new(Block::Paragraph(Lines::SLICE), start, end));
        let (mut words, mut found) = (self.words, Findings::default());
        let at = if is_in_tag { words.go_on(At::Word, source, start, &mut found) } else { None };
        if at.is_some() {
            self.page.html.push_str("<p>");
            self.push_words(start..end, &found, &mut words);
            self.page.html.push_str(PARAGRAPH_END);
        } else {
            self.read_leaf(record..record + 1);
        }
        if let Some(line) = line {
            return self.show_ended(record, BlockKind::Paragraph, line, was);
        }
        let (open, pending) = (Unfinished::Paragraph, Pending::Paragraph);
        self.show_leaf(record, BlockKind::Paragraph, (BlockState::Open, Some(pending)), was);
        self.begin_for_now(record, open, TextKind::Paragraph);
        if let Some(at) = at {
            self.grow(Growing { at, in_tag: true, ..Growing::new(words, record) });
        }
        Begun::Shown
    }

    /// The leaf at `record`, which was just shown, is to be begun again with the next piece, unless
    /// that only continues its text.
    fn begin_for_now(&mut self, record: usize, open: Unfinished, kind: TextKind) {
        let line_start = self.parsed.tape.records[record].start as usize;
        self.partial.begin(record, self.n_expanded);
        let text = OpenText { record, line_start, kind, is_top: true };
        self.live.open_leaf_for_now(open, text, self.source.len());
        self.growing = Grown::First(line_start);
    }

    /// The start of the open leaf, if it can be begun again: nothing of it is final, and nothing
    /// else is open.
    pub(super) fn first_line(&self) -> Option<usize> {
        let [shown] = self.page.open.as_slice() else { return None };
        let start = shown.id.get() as usize;
        let is_first = shown.first as usize == self.n_records && start == self.live.next_line();
        (is_first && self.live.is_simple()).then_some(start)
    }
}
