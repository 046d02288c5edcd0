//! The fast path for the start of a leaf, if all blocks are settled and a line starts.
//!
//! | the line starts with | the leaf is | if |
//! |---|---|---|
//! | a letter, a quote, `(`, a mark before a word | a paragraph | its lines are text: see `append` |
//! | `#` and a space | a heading | its text consists of words |
//! | a fence | code | its lines end with line feeds |
//! | `<` | see `begin_tag` | |
//!
//! A leaf that ends within the piece is settled, and the next one begins after it. Anything else is
//! left to the block phase, which continues from there.
//!
//! While the line of a fence is not complete, the code is begun again with every piece.

use std::ops::Range;

use super::Stream;
use super::append::{MarkedText, PARAGRAPH_END};
use super::changes::{BlockChange, Shown, common_prefix};
use super::found::Findings;
use super::growing::{Growing, GrowingKind, Grown, OpenCode, Whither, has_no_definition};
use super::next::{may_define, may_refer};
use super::page::Page;
use super::update::{BlockId, BlockKind, BlockState, Pending};
use super::words::{At, Words};
use crate::block::code::Fence;
use crate::block::live::{Ending, OpenText, TextKind, Unfinished};
use crate::html::escape::push_escaped_range;
use crate::html::markup::{heading, push_code_start};
use crate::parsed::Parsed;
use crate::policy::SoftBreaks;
use crate::syntax::unescape::unescape;
use crate::tape::pieces::Lines;
use crate::tape::{Block, Record};

/// The HTML after the text of code.
const CODE_END: &str = "\n</code></pre>\n";

/// A longer first line is not read again.
const MAX_AGAIN: usize = 256;

/// The result of trying to begin a leaf at a line.
pub(super) enum Begun {
    /// The leaf is shown, with all that follows.
    Shown,
    /// The leaf is settled: its last line ends here.
    Ended(usize),
    /// The line may start something else. Nothing was done.
    Other,
}

impl Stream {
    /// Shows the source from `next` on, the start of a line; all blocks are settled. False if a
    /// part of it may be something else: then everything before that part is shown.
    pub(super) fn begin_leaves(&mut self, mut next: usize) -> bool {
        loop {
            match self.begin_leaf(next, None) {
                Begun::Shown => return true,
                Begun::Other => return false,
                Begun::Ended(line) => next = self.pass_leaf(line),
            }
        }
    }

    /// Begins a leaf at `next` again, whose first line continues. False if it may be something
    /// else: then nothing was done.
    #[inline(never)]
    pub(super) fn begin_again(&mut self, next: usize) -> bool {
        let is_long = self.live.n_shown() - next > MAX_AGAIN;
        let Some(was) = self.page.open.pop_if(|_| !is_long) else { return false };
        self.changes.clear();
        self.parsed.tape.records.truncate(self.n_records);
        std::mem::swap(&mut self.page.html, &mut self.out);
        self.page.html.clear();
        match self.begin_leaf(next, Some(was)) {
            Begun::Shown => {}
            Begun::Ended(line) => {
                let next = self.pass_leaf(line);
                if !self.begin_leaves(next) {
                    self.refresh_rest(Ending::Tentative);
                    return true;
                }
            }
            Begun::Other => {
                std::mem::swap(&mut self.page.html, &mut self.out);
                self.page.open.push(was);
                return false;
            }
        }
        #[cfg(debug_assertions)]
        self.compare_append();
        true
    }

    /// Counts the lines up to the one that ends at `line` as read, and their blocks as settled.
    /// Returns the start of the next line that is not blank.
    pub(super) fn pass_leaf(&mut self, line: usize) -> usize {
        let rest = &self.source.as_bytes()[line..];
        let next = line + rest.iter().take_while(|byte| **byte == b'\n').count();
        self.live.pass_leaf(line, next, &self.parsed.tape);
        next
    }

    /// Shows the leaf that starts at `start`. `was` is the block shown there before, if any.
    #[inline]
    fn begin_leaf(&mut self, start: usize, was: Option<Shown>) -> Begun {
        match self.source.as_bytes()[start..] {
            [] => {
                self.growing = Grown::Nothing;
                Begun::Shown
            }
            [b'#', ..] => self.begin_heading(start, was),
            [b'`', b'`', ..] | [b'~', ..] => self.begin_code(start, was),
            [b'<', ..] => self.begin_tag(start, was),
            _ => self.begin_paragraph(start, was),
        }
    }

    /// The words that can continue a text that is still empty.
    fn first_words(&self) -> Words {
        // DIALECT(natural): the rest is read to find what is open.
        Words { is_closed: self.words.has_runs, ..self.words }
    }

    fn begin_paragraph(&mut self, start: usize, was: Option<Shown>) -> Begun {
        let source = self.source.as_bytes();
        let has_lines = self.parsed.options.policy.soft_breaks == SoftBreaks::Newline;
        let mut words = Words { has_lines, ..self.first_words() };
        let mut found = Findings::default();
        let at = words.go_on(At::LineStart, source, start, &mut found);
        if at.is_none() && found.blank.is_none() {
            return if was.is_none() { self.begin_text(start) } else { Begun::Other };
        }
        let end = match found.blank {
            Some(line) => line,
            None => start + source[start..].trim_ascii_end().len(),
        };
        let block = Block::Paragraph(Lines::SLICE);
        let record = self.parsed.tape.push(Record::new(block, start, end));
        self.page.html.push_str("<p>");
        self.push_words(start..end, &found, &mut words);
        self.page.html.push_str(PARAGRAPH_END);
        let kind = BlockKind::Paragraph;
        let Some(at) = at else { return self.show_ended(record, kind, end, was) };
        self.show_leaf(record, kind, (BlockState::Open, Some(Pending::Paragraph)), was);
        self.partial.begin(record, self.n_expanded);
        let (line_start, kind) = (start, TextKind::Paragraph);
        let open = OpenText { record, line_start, kind, is_top: true };
        self.live.open_leaf_for_now(Unfinished::Paragraph, open, self.source.len());
        if let Some(line_end) = found.line_end {
            self.live.pass_lines(line_end, &self.parsed.tape);
        }
        self.grow(Growing { at, has_lines, ..Growing::new(words, record) });
        Begun::Shown
    }

    /// Begins a paragraph that does not consist of words alone.
    #[inline(never)]
    fn begin_text(&mut self, start: usize) -> Begun {
        let source = self.source.as_bytes();
        let has_lines = self.parsed.options.policy.soft_breaks == SoftBreaks::Newline;
        let lines = Growing { at: At::LineStart, has_lines, ..Growing::new(self.words, 0) };
        let (end, line) = match lines.whither(source, start) {
            _ if !has_no_definition(&source[start..], &self.parsed.options) => return Begun::Other,
            Whither::On => (start + source[start..].trim_ascii_end().len(), None),
            // A later definition would have to revise the paragraph, which is not yet in the index.
            Whither::To(line) if !may_define(&source[line..]) => (line, Some(line)),
            Whither::To(_) | Whither::Elsewhere => return Begun::Other,
        };
        if may_refer(self.source.get(start..end), &self.parsed.options) {
            return Begun::Other;
        }
        let block = Block::Paragraph(Lines::SLICE);
        let record = self.parsed.tape.push(Record::new(block, start, end));
        self.partial.begin(record, self.n_expanded);
        let shown = Shown {
            id: BlockId(start as u32),
            kind: BlockKind::Paragraph,
            end: end as u32,
            first: record as u32,
            after: record as u32 + 1,
            len: 0,
            state: BlockState::Open,
            pending: Some(Pending::Paragraph),
        };
        self.page.open.push(shown);
        if let Some(line) = line {
            self.end_paragraph(record, end);
            return Begun::Ended(line);
        }
        let (line_start, kind) = (start, TextKind::Paragraph);
        let open = OpenText { record, line_start, kind, is_top: true };
        self.live.open_leaf_for_now(Unfinished::Paragraph, open, source.len());
        if let Some(len) = memchr::memrchr(b'\n', &source[start..]) {
            self.live.pass_lines(start + len, &self.parsed.tape);
        }
        self.read_open(shown);
        Begun::Shown
    }

    fn begin_heading(&mut self, start: usize, was: Option<Shown>) -> Begun {
        let options = &self.parsed.options;
        let source = self.source.as_bytes();
        let level = source[start..].iter().take_while(|byte| **byte == b'#').count();
        let mut from = start + level;
        while source.get(from) == Some(&b' ') {
            from += 1;
        }
        let is_text = source.get(from).is_some_and(|byte| !matches!(byte, b'\t' | b'\n'));
        let has_attributes = options.policy.heading_ids || options.heading_attributes;
        if !is_text || level > 6 || from == start + level || has_attributes {
            return Begun::Other;
        }
        let mut words = self.first_words();
        words.signs = words.signs.without(b'#');
        let mut found = Findings::default();
        let at = words.go_on(At::Word, source, from, &mut found);
        let line = match (at, found.line_end) {
            (Some(_), _) => source.len(),
            (None, Some(line)) => line,
            (None, None) => return Begun::Other,
        };
        let end = from + source[from..line].trim_ascii_end().len();
        let tape = &mut self.parsed.tape;
        let block = Block::Heading { level: level as u8, has_attributes: false };
        let first = tape.push(Record::new(block, start, line));
        let record = tape.push(Record::new(Block::HeadingText(Lines::SLICE), from, end));
        let (start_tag, end_tag) = heading(level as u8);
        self.page.html.push_str(start_tag);
        self.push_words(from..end, &found, &mut words);
        self.page.html.push_str(end_tag);
        let kind = BlockKind::Heading;
        let Some(at) = at else { return self.show_ended(first, kind, line, was) };
        self.show_leaf(first, kind, (BlockState::Open, Some(Pending::Line)), was);
        self.partial.begin(first, self.n_expanded);
        let (line_start, kind) = (start, TextKind::Heading);
        let open = OpenText { record, line_start, kind, is_top: true };
        self.live.open_leaf_for_now(Unfinished::Line, open, self.source.len());
        let (kind, n_after) = (GrowingKind::Heading, end_tag.len());
        self.grow(Growing { kind, at, n_after, ..Growing::new(words, record) });
        Begun::Shown
    }

    fn begin_code(&mut self, start: usize, was: Option<Shown>) -> Begun {
        let source = self.source.as_bytes();
        let line = memchr::memchr2(b'\n', b'\r', &source[start..]);
        let line = line.map_or(source.len(), |len| start + len);
        let Some((fence, info)) = Fence::scan(&source[start..line]) else { return Begun::Other };
        let Some((text, at)) = scan_code(fence, source, line) else { return Begun::Other };
        let end = match at {
            CodeAt::FirstLine | CodeAt::Line(_) => text.as_ref().map_or(line, |text| text.end),
            CodeAt::Fence(end) => end,
        };
        let tape = &mut self.parsed.tape;
        let first = tape.push(Record::new(Block::Code { fenced: true }, start, end));
        tape.push(Record::new(Block::Info, start + info.start, start + info.end));
        let lines = if text.is_some() { Lines::SLICE } else { Lines::default() };
        let code = text.clone().unwrap_or(line..line);
        let record = tape.push(Record::new(Block::CodeText(lines), code.start, code.end));
        let html = &mut self.page.html;
        let info = self.source.get(start + info.start..start + info.end).unwrap_or_default();
        push_code_start(&unescape(info), &self.parsed.options, html);
        push_escaped_range(&self.source, code.start, code.end, html);
        html.push_str(if text.is_some() { CODE_END } else { &CODE_END[1..] });
        if let CodeAt::Fence(line) = at {
            return self.show_ended(first, BlockKind::Code, line, was);
        }
        self.show_leaf(first, BlockKind::Code, (BlockState::Open, Some(Pending::Code)), was);
        self.partial.begin(first, self.n_expanded);
        let kind = TextKind::Code(fence);
        let open = OpenText { record, line_start: start, kind, is_top: true };
        self.live.open_leaf_for_now(Unfinished::Code, open, self.source.len());
        self.growing = Grown::First(start);
        if let CodeAt::Line(at) = at {
            let (kind, n_after) = (GrowingKind::Code(fence.byte()), CODE_END.len());
            let growing = Growing::new(self.words, record);
            self.grow(Growing { kind, at, has_lines: true, n_after, ..growing });
        }
        Begun::Shown
    }

    /// Appends a text of words to the open HTML.
    pub(super) fn push_words(&mut self, range: Range<usize>, found: &Findings, words: &mut Words) {
        let (source, from) = (self.source.as_str(), range.start);
        MarkedText { source, range, from, found, start: 0 }.push(words, &mut self.page.html);
    }

    /// Reads a leaf, and appends its HTML to the open HTML.
    pub(super) fn read_leaf(&mut self, records: Range<usize>) {
        let Self { source, parsed: Parsed { options, tape, .. }, scratch, page, .. } = self;
        scratch.html.take_back();
        scratch.inlines.n_expanded = self.n_expanded;
        let end = tape.records[records.start].end as usize;
        let mut writer = scratch.writer_with(self.settings, end, source, (options, tape));
        writer.push_top(records, &mut page.html);
    }

    /// Shows the leaf whose records start at `first` in this state; its HTML is the open one.
    pub(super) fn show_leaf(
        &mut self,
        first: usize,
        kind: BlockKind,
        (state, pending): (BlockState, Option<Pending>),
        was: Option<Shown>,
    ) {
        let shown = self.tell_leaf(first, kind, (state, pending), was);
        self.page.open.push(shown);
    }

    /// Shows a leaf that is settled: its last line ends at `line`.
    pub(super) fn show_ended(
        &mut self,
        first: usize,
        kind: BlockKind,
        line: usize,
        was: Option<Shown>,
    ) -> Begun {
        let shown = self.tell_leaf(first, kind, (BlockState::Settled, None), was);
        self.settle_leaf(shown);
        Begun::Ended(line)
    }

    #[inline]
    fn tell_leaf(
        &mut self,
        first: usize,
        kind: BlockKind,
        (state, pending): (BlockState, Option<Pending>),
        was: Option<Shown>,
    ) -> Shown {
        let Self { parsed: Parsed { tape, .. }, page: Page { html, lengths, .. }, .. } = self;
        let Record { start, end, .. } = tape.records[first];
        let (id, after, len) = (BlockId(start), tape.records.len() as u32, html.len());
        let shown = Shown { id, kind, end, first: first as u32, after, len, state, pending };
        let (mut keep, mut len_before) = (0, 0);
        if let Some(was) = was {
            (keep, len_before) = (common_prefix(&self.out, html), was.len);
            let is_known = (was.kind, was.state, was.pending) == (kind, state, pending);
            if keep == len && len == len_before && is_known {
                return shown;
            }
        }
        let (at, span) = (lengths.total(), shown.span());
        let html = self.changes.push_html(&html[keep..]);
        let change = BlockChange { id, kind, span, keep, html, state, pending, at, len_before };
        self.changes.blocks.push(change);
        shown
    }

    /// Notes how the leaf that was just shown can continue.
    pub(super) fn grow(&mut self, growing: Growing) {
        self.n_after = Some(growing.n_after);
        self.growing = Grown::Text(growing);
    }
}

/// The end of the code so far.
enum CodeAt {
    /// The line of its fence, which may not be complete.
    FirstLine,
    Line(At),
    /// A closing fence: its line ends here.
    Fence(usize),
}

/// The range of the code's text after the line of its fence, which ends at `line`, if any, and the
/// end of the code. `None` if it has to be read in the general way.
fn scan_code(fence: Fence, source: &[u8], line: usize) -> Option<(Option<Range<usize>>, CodeAt)> {
    let start = line + 1;
    if source.get(line).is_some_and(|byte| *byte != b'\n') {
        return None;
    }
    if start >= source.len() {
        return Some((None, CodeAt::FirstLine));
    }
    let mut found = Findings::default();
    let code = OpenCode { fence: fence.byte(), has_lines: true };
    if let Some(at) = code.go_on(At::LineStart, source, start, &mut found) {
        let end = source.len() - usize::from(source.ends_with(b"\n"));
        return Some((Some(start..end), CodeAt::Line(at)));
    }
    let end = found.fence?;
    let line = end + memchr::memchr(b'\n', &source[end..])?;
    let text = (end > start).then(|| start..end - 1);
    fence.is_closed_by(&source[end..line]).then_some((text, CodeAt::Fence(line)))
}
