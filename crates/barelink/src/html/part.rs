//! A top-level block that is still open is written in two parts: the final part once, and the rest
//! whenever it changes.

use std::ops::Range;

use barelink_text::Span;

use super::inline::InlineHtml;
use super::markup::{len_after_cell, push_code_start, start_line};
use super::raw::push_raw_range;
use super::{Writer, push_escaped_range, unescape};
use crate::block::frontier::Frontier;
use crate::inline::recorder::MarksOnly;
use crate::policy::{RawHtml, SoftBreaks};
use crate::syntax::text::Text;
use crate::tape::join::Loaded;
use crate::tape::pieces::{Layout, Lead};
use crate::tape::{Block, Record, Role, Tape};

/// The progress of writing the final part of a block. Its HTML is a separate string.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The first record that is not written, or not completely.
    next: usize,
    /// The writer's state there.
    tight: Vec<bool>,
    table_idx: usize,
    has_body: bool,
    leaf: LeafPart,
    /// The progress within the text of the next paragraph.
    text: TextPart,
}

/// The progress within the text of a paragraph.
#[derive(Debug, Default)]
struct TextPart {
    /// The text is written up to this offset of the source, if any of it is.
    at: Option<u32>,
    /// The start of the text.
    start: u32,
    /// The records from the part's next one up to the paragraph.
    path: Vec<Record>,
    /// The writer's state in the paragraph.
    tight: Vec<bool>,
}

/// The places where the text of an unfinished paragraph could be split, as offsets of the source.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Places {
    /// The last neutral place (see `inline::neutral`).
    pub(crate) neutral: Option<u32>,
    /// There, the length of the HTML, and the offset in the text.
    pub(crate) len: usize,
    pub(crate) text_at: usize,
    /// Whether no markup follows the neutral place.
    pub(crate) is_behind_marks: bool,
    /// The start of the last word, or of the last character if there is only one word.
    pub(crate) word: Option<u32>,
}

/// Whether a run of backticks is open in the text that was read last, if that is a slice of the
/// source.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastCode {
    /// There was no such text.
    #[default]
    Unknown,
    Closed,
    Open,
}

/// A text shorter than this is read again as a whole: finding a place to split it would cost more.
const SHORT: u32 = 48;

/// The number of bytes of a paragraph that may be read again at every update.
pub(crate) const FREE: usize = 256;

/// Whether a part of a text is the rest of it, which may continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    No,
    Yes,
}

/// The progress within a code block or HTML block.
#[derive(Debug, Default, Clone, Copy)]
enum LeafPart {
    /// Nothing is written.
    #[default]
    Nothing,
    /// The start is written, and the lines up to this offset, if any.
    Lines(Option<u32>),
}

impl Part {
    /// Starts with the block whose records start at `first`. Nothing of it is written yet.
    pub(crate) fn start(&mut self, first: usize) {
        self.next = first;
        self.tight.clear();
        self.leaf = LeafPart::Nothing;
        self.text.at = None;
    }

    /// The first record that is not written, or not completely.
    pub(crate) fn next(&self) -> usize {
        self.next
    }

    /// Whether more is final than has been written.
    pub(crate) fn has_final(&self, frontier: &Frontier) -> bool {
        self.next < frontier.record
            || match (frontier.lines_end, self.leaf) {
                (Some(end), LeafPart::Lines(done)) => done != Some(end),
                (end, _) => end.is_some(),
            }
    }

    /// The paragraph whose text is written in part, or could be: the last one of the block, which
    /// ends before record `end`.
    pub(crate) fn paragraph(&self, tape: &Tape, end: usize) -> Option<usize> {
        if self.text.at.is_some() {
            return Some(self.next + self.text.path.len());
        }
        if !matches!(self.leaf, LeafPart::Nothing) {
            return None;
        }
        let records = tape.records.get(self.next..end)?;
        let idx =
            records.iter().rposition(|record| !matches!(record.block.role(), Role::Exit(_)))?;
        // Other blocks are written elsewhere, or have other effects.
        let is_simple = |record: &Record| {
            matches!(
                record.block,
                Block::Quote { .. }
                    | Block::List { .. }
                    | Block::Item { .. }
                    | Block::DefinitionList { .. }
                    | Block::Term(_)
                    | Block::Details
                    | Block::Exit { .. }
                    | Block::Paragraph(_)
            )
        };
        let is_paragraph = matches!(records[idx].block, Block::Paragraph(_));
        (is_paragraph && records[..idx].iter().all(is_simple)).then_some(self.next + idx)
    }

    /// The offset up to which the paragraph's text is written, if any of it is.
    pub(crate) fn text_at(&self) -> Option<u32> {
        self.text.at
    }

    /// The offset of the source up to which the block is written; `None` if all of it is.
    pub(crate) fn written_to(&self, tape: &Tape) -> Option<u32> {
        let start = || match tape.records.get(self.next)? {
            Record { end, block: Block::Exit { .. }, .. } => Some(*end),
            record => Some(record.start),
        };
        match self.leaf {
            LeafPart::Lines(Some(end)) => Some(end),
            LeafPart::Nothing | LeafPart::Lines(None) => self.text.at.or_else(start),
        }
    }

    /// Whether the part of the text that is written is still up to date.
    pub(crate) fn is_text_valid(&self, tape: &Tape) -> bool {
        let text = &self.text;
        let Some(at) = text.at else { return true };
        // Containers grow with their content.
        let is_same = |(before, now): (&Record, &Record)| {
            before.block == now.block
                && before.start == now.start
                && (before.end == now.end || !matches!(now.block, Block::Paragraph(_)))
        };
        let records = tape.records.get(self.next..=self.next + text.path.len());
        let Some((now, others)) = records.and_then(<[_]>::split_last) else { return false };
        // The paragraph may have got more lines.
        matches!(now.block, Block::Paragraph(_))
            && now.start == text.start
            && now.end >= at
            && text.path.iter().zip(others).all(is_same)
    }

    /// Counts the text of the paragraph at record `idx` as written up to `at`. False unless that is
    /// the first record that is not completely written.
    #[inline]
    pub(crate) fn put_text(&mut self, tape: &Tape, idx: usize, at: u32) -> bool {
        if self.text.at.is_none() {
            if idx != self.next {
                return false;
            }
            self.text.start = tape.records[idx].start;
            self.text.path.clear();
            self.text.tight.clone_from(&self.tight);
        }
        self.text.at = Some(at);
        true
    }

    /// Whether only text of the paragraph `record`, the first record of the block, has been
    /// written.
    #[inline]
    pub(crate) fn is_in_paragraph(&self, record: &Record) -> bool {
        let text = &self.text;
        let is_it =
            |at: u32| text.path.is_empty() && text.start == record.start && at <= record.end;
        text.at.is_none_or(is_it) && matches!(self.leaf, LeafPart::Nothing)
    }

    /// Cuts the written text back to `at`, or to nothing.
    pub(crate) fn cut_text(&mut self, at: Option<u32>) {
        self.text.at = at.filter(|_| self.text.at.is_some());
    }
}

impl Writer<'_> {
    /// Appends the text of the paragraph at record `idx`, which follows the part, up to `to`.
    pub(crate) fn push_text(&mut self, part: &mut Part, idx: usize, to: u32, out: &mut String) {
        self.start_text(part, idx, out);
        let record = self.tape.records[idx];
        let from = part.text_at().unwrap_or(record.start);
        self.push_text_part(&record, Span::new(from, to), Rest::No, out);
        let TextPart { at, start, path, tight } = &mut part.text;
        if at.is_none() {
            *start = record.start;
            path.clear();
            path.extend_from_slice(&self.tape.records[part.next..idx]);
            tight.clone_from(&self.state.tight);
        }
        *at = Some(to);
    }

    /// Appends the rest of a paragraph in no container: its text from `from` on, or all of it.
    #[inline]
    pub(crate) fn push_paragraph(
        &mut self,
        record: &Record,
        from: Option<u32>,
        rest: Rest,
        out: &mut String,
    ) {
        if from.is_none() {
            out.push_str("<p>");
        }
        let part = Span::new(from.unwrap_or(record.start), record.end);
        let loaded = self.joined.load_part(self.source, self.tape, part, record.lines());
        self.push_loaded(loaded, part.len(), rest, out);
        out.push_str("</p>\n");
    }

    /// Appends what precedes the text of a paragraph, unless it has been written.
    fn start_text(&mut self, part: &Part, idx: usize, out: &mut String) {
        self.resume(part);
        if part.text.at.is_some() {
            return self.state.tight.clone_from(&part.text.tight);
        }
        for idx in part.next..idx {
            let record = self.tape.records[idx];
            self.push_block(idx, &record, out);
        }
        if self.state.tight.last() != Some(&true) {
            self.start_line(out);
            let record = self.tape.records[idx];
            self.push_tag("<p>", &record, out);
        }
    }

    /// Appends a part of the text of a paragraph. If it is the rest, and long, this also finds
    /// where it could be split.
    fn push_text_part(&mut self, record: &Record, part: Span, rest: Rest, out: &mut String) {
        let loaded = self.joined.load_part(self.source, self.tape, part, record.lines());
        self.push_loaded(loaded, part.len(), rest, out);
    }

    #[inline]
    fn push_loaded(&mut self, loaded: Loaded, len: u32, rest: Rest, out: &mut String) {
        let text = self.joined.view(self.source, &self.tape.folded, loaded);
        self.inlines.parse(&text, &self.context, &mut self.candidates, &mut MarksOnly);
        let mut neutral = None;
        if rest == Rest::Yes {
            let floor = self.inlines.closed_floor(&text, &self.context);
            self.state.is_closed = floor.is_some();
            if len >= SHORT {
                neutral = self.inlines.neutral_place(floor, &text, &self.context);
            }
        }
        let marks = self.inlines.marks.as_slice();
        let is_as_it_is = self.options.policy.soft_breaks == SoftBreaks::Newline;
        // What follows the last mark before the end mark is copied.
        let plain_from = match marks {
            _ if !is_as_it_is => usize::MAX,
            [.., last, _end] => last.end as usize,
            _ => 0,
        };
        if plain_from == 0 {
            out.push_str(text.slice(text.start, text.end));
        } else {
            let inline = InlineHtml {
                text,
                marks,
                links: &self.inlines.links,
                bare: &self.inlines.bare,
                source: self.source,
                tape: self.tape,
                options: self.options,
                unsure: self.state.unsure,
                first: 0,
            };
            match neutral {
                Some(at) if at < plain_from => {
                    self.state.places.len = inline.push_parted(at, &mut self.state.notes, out);
                }
                _ => inline.push(&mut self.state.notes, out),
            }
        }
        if rest == Rest::No {
            return;
        }
        if text.is_source() {
            let is_open = self.inlines.has_open_code();
            self.state.code = if is_open { LastCode::Open } else { LastCode::Closed };
        }
        let places = &mut self.state.places;
        if let Some(at) = neutral {
            places.neutral = Some(text.source_offset(at));
            places.text_at = at;
            places.is_behind_marks = at >= plain_from;
            if places.is_behind_marks {
                places.len = out.len() - (text.end - at);
            }
        }
        if len as usize > FREE {
            // Text that a guess has added is not part of the source.
            let cut = self.state.unsure.links;
            let end = if cut == u32::MAX { text.end } else { text.within(Span::new(0, cut)).end };
            let word = last_word(&text, end.min(text.end));
            places.word = word.map(|at| text.source_offset(at));
        }
    }

    /// Appends what has become final, if [`Part::has_final`] is true.
    pub(crate) fn push_final(&mut self, part: &mut Part, frontier: &Frontier, out: &mut String) {
        self.resume(part);
        if part.next < frontier.record {
            self.push_records(part, frontier.record, Rest::No, out);
            part.next = frontier.record;
            part.leaf = LeafPart::Nothing;
            part.text.at = None;
        }
        part.tight.clone_from(&self.state.tight);
        part.table_idx = self.state.table_idx;
        part.has_body = self.state.has_body;
        if let Some(end) = frontier.lines_end
            && self.can_part_lines(part.next)
        {
            let done = self.push_leaf_start(part, out);
            let text = self.text_record(part.next);
            let written = text.lines().layout != Layout::NoLines && end > text.start;
            self.push_lines_between(&text, done, end, out);
            part.leaf = LeafPart::Lines(if written { Some(end) } else { done });
        }
    }

    /// Appends the rest of the block, up to record `end`. Returns the last paragraph of the block,
    /// if its text can be written in parts.
    pub(crate) fn push_rest(
        &mut self,
        part: &Part,
        end: usize,
        rest: Rest,
        out: &mut String,
    ) -> Option<usize> {
        self.resume(part);
        self.push_records(part, end, rest, out)
    }

    /// Undoes what was written since the mark, so that it can be read again.
    pub(crate) fn take_back(&mut self) {
        self.state.take_asked();
        self.state.take_back();
        self.inlines.forget_missed();
        if let Some(candidates) = &mut self.candidates {
            candidates.restart();
        }
    }

    /// Prepares for appending to `out` the continuation of a block whose HTML so far is `before`.
    pub(crate) fn go_on(&mut self, before: &str, out: &mut String) {
        let is_within_line = !before.is_empty() && !before.ends_with('\n');
        self.state.bases.clear();
        self.state.base = out.len();
        if is_within_line {
            // A placeholder for the HTML so far, so that a line can be ended.
            out.push(' ');
        }
    }

    fn resume(&mut self, part: &Part) {
        self.state.tight.clone_from(&part.tight);
        self.state.table_idx = part.table_idx;
        self.state.has_body = part.has_body;
    }

    fn push_records(
        &mut self,
        part: &Part,
        end: usize,
        rest: Rest,
        out: &mut String,
    ) -> Option<usize> {
        let mut next = part.next;
        let paragraph = part.paragraph(self.tape, end).filter(|idx| *idx < end);
        if let Some(idx) = paragraph {
            self.start_text(part, idx, out);
            let record = self.tape.records[idx];
            let from = part.text_at().unwrap_or(record.start);
            self.push_text_part(&record, Span::new(from, record.end), rest, out);
            self.state.text_end = Some(out.len());
            if self.state.tight.last() != Some(&true) {
                out.push_str("</p>\n");
            }
            next = idx + 1;
        }
        if let LeafPart::Lines(done) = part.leaf {
            let text = self.text_record(next);
            self.push_lines_between(&text, done, u32::MAX, out);
            let is_code = matches!(text.block, Block::CodeText(_));
            if !is_code || text.lines().layout != Layout::NoLines {
                self.state.text_end = Some(out.len());
                out.push('\n');
            }
            if is_code {
                out.push_str("</code></pre>\n");
            }
            next += 1;
        }
        for idx in next..end {
            let record = self.tape.records[idx];
            if !matches!(record.block, Block::Exit { .. } | Block::Info | Block::CodeText(_)) {
                // Another text follows.
                self.state.text_end = None;
            }
            self.push_block(idx, &record, out);
        }
        if rest == Rest::Yes && next < end {
            let is_dropped = self.options.policy.raw_html == RawHtml::Drop;
            let n_after = match self.tape.records[end - 1].block {
                Block::HeadingText(_) => "</h1>\n".len(),
                Block::Html(_) if !is_dropped => "\n".len(),
                Block::Exit { enter, n: 1 } => match self.after_cell(enter as usize, next..end - 1)
                {
                    Some(n_after) => n_after,
                    None => return paragraph,
                },
                _ => return paragraph,
            };
            self.state.text_end = Some(out.len() - n_after);
        }
        paragraph
    }

    /// The number of bytes after the text of the last cell of the table at record `table`, if there
    /// is a row in the rest of its records.
    fn after_cell(&self, table: usize, rest: Range<usize>) -> Option<usize> {
        let Block::Table { first_column, n_columns } = self.tape.records[table].block else {
            return None;
        };
        let records = self.tape.records.get(rest)?;
        let is_cell = |record: &Record| matches!(record.block, Block::Cell(_));
        let row = records.iter().rposition(|record| !is_cell(record))?;
        let Block::Row { n_cells, header: false } = records[row].block else { return None };
        let alignments = &self.tape.alignments[first_column as usize..][..usize::from(n_columns)];
        let lacking = alignments.get(usize::from(n_cells)..)?;
        (n_cells > 0).then(|| len_after_cell(lacking))
    }

    /// Whether the lines of the leaf at `idx` can be written in parts: as they are in the source,
    /// and not dropped.
    fn can_part_lines(&self, idx: usize) -> bool {
        let is_html = matches!(self.tape.records[idx].block, Block::Html(_));
        let is_dropped = is_html && self.options.policy.raw_html == RawHtml::Drop;
        !self.tape.has_nul && !is_dropped
    }

    /// The record with the text of the code block or HTML block at `idx`.
    fn text_record(&self, idx: usize) -> Record {
        match self.tape.records[idx..] {
            [Record { block: Block::Code { .. }, .. }, _info, code, ..] => code,
            _ => self.tape.records[idx],
        }
    }

    /// Appends the start of a leaf of lines, unless it has been written. Returns the offset up to
    /// which its lines have been written.
    fn push_leaf_start(&mut self, part: &Part, out: &mut String) -> Option<u32> {
        if let LeafPart::Lines(done) = part.leaf {
            return done;
        }
        start_line(self.state.base, out);
        if let Block::Code { .. } = self.tape.records[part.next].block {
            let info = self.tape.records[part.next + 1];
            if info.start == info.end {
                out.push_str("<pre><code>");
            } else {
                push_code_start(&unescape(info.span().slice(self.source)), self.options, out);
            }
        }
        None
    }

    /// Appends the lines of a leaf from `done` up to `end`.
    ///
    /// LINEAR: the first piece is found by binary search.
    fn push_lines_between(&self, text: &Record, done: Option<u32>, end: u32, out: &mut String) {
        // The line ending before the next line is part of this range.
        let slice = (done.unwrap_or(text.start), text.end.min(end));
        let pieces = match text.lines().layout {
            Layout::NoLines => return,
            Layout::Slice => return self.push_stretch(text.block, slice, out),
            Layout::Crlf => return self.push_crlf_stretch(text.block, slice, out),
            layout @ Layout::Pieces(_) => self.tape.segments(layout).unwrap_or_default(),
        };
        let first = done.map_or(0, |done| pieces.partition_point(|piece| piece.end <= done));
        for (n, piece) in pieces.iter().enumerate().skip(first) {
            if piece.end > end {
                break;
            }
            if let Some(done) = done.filter(|done| *done > piece.start) {
                self.push_stretch(text.block, (done, piece.end), out);
                continue;
            }
            if n > 0 {
                out.push('\n');
            }
            if let Lead::Line { n_spaces } = piece.lead {
                out.extend(std::iter::repeat_n(' ', usize::from(n_spaces)));
            }
            self.push_stretch(text.block, (piece.start, piece.end), out);
        }
    }

    /// Appends a range whose carriage returns are not part of the text.
    fn push_crlf_stretch(&self, block: Block, (start, end): (u32, u32), out: &mut String) {
        let bytes = &self.source.as_bytes()[start as usize..end.max(start) as usize];
        let mut from = start;
        for at in memchr::memchr_iter(b'\r', bytes) {
            let at = start + at as u32;
            self.push_stretch(block, (from, at), out);
            from = at + 1;
        }
        self.push_stretch(block, (from, end), out);
    }

    fn push_stretch(&self, block: Block, (start, end): (u32, u32), out: &mut String) {
        let (start, end) = (start as usize, end.max(start) as usize);
        if let Block::CodeText(_) = block {
            push_escaped_range(self.source, start, end, out);
        } else {
            push_raw_range(self.source, start, end, self.options, out);
        }
    }
}

/// The start of the last word of a text up to `end`, if another word precedes it; or else the start
/// of its last character.
fn last_word(text: &Text<'_>, end: usize) -> Option<usize> {
    let bytes = text.bytes();
    let is_start =
        |at: &usize| matches!(bytes[at - 1], b' ' | b'\n') && !bytes[*at].is_ascii_whitespace();
    let is_character =
        |at: &usize| !bytes[*at].is_ascii_whitespace() && text.str.is_char_boundary(*at);
    let mut places = (text.start + 1..end).rev();
    places.clone().find(is_start).or_else(|| places.find(is_character))
}
