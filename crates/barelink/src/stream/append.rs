//! The fast path of an update: if the new source only continues the text at the end of the page,
//! and has no other effect, it is appended to the HTML, and nothing is read again.
//!
//! | the open text is | the new source is | and |
//! |---|---|---|
//! | a paragraph | words | the previous word is one, too, or white space is between |
//! | a paragraph in no container | lines of words | each starts with a letter, and none ends in white space |
//! | fenced code in no container | part of a line | the line does not start with the fence's byte |
//! | such code, not indented | lines | none of them starts with the fence's byte |
//! | raw HTML in no container | part of a line | nothing in it is markup, and the line is not the first, or is that of a comment |
//! | a heading with `#`, in no container | words | as in a paragraph |
//! | the last cell of a row, in no container | words | as in a paragraph, and there is no pipe |
//!
//! `next` handles the end of a leaf, and `destination` a definition.
//!
//! If a paragraph continues like this, but not with words alone, its text is read again from the
//! last neutral place on (see `inline::neutral`), and nothing else is.
//!
//! `words` defines words. What is open before them (emphasis, a bracket, a run of backticks, a tag)
//! stays open, since it would need another byte to end.
//!
//! The fast path never changes the result: debug builds repeat the update without it, and check
//! that nothing is left to change.

use std::ops::Range;

use barelink_text::escape::push_escaped_line;

use super::Stream;
use super::changes::{BlockChange, Changes, Shown};
use super::found::{Backtick, Findings, Point};
use super::growing::{Growing, GrowingKind, Grown, Whither};
use super::next::LeafEnd;
use super::page::{Page, WrittenBlock};
use super::partial::IsOpen;
use super::words::{Words, run_len};
use super::write::Blocks;
use crate::block::live::{Ending, OpenText, TextKind};
use crate::html::escape::push_escaped_range;
use crate::html::part::FREE;
use crate::inline::code_span::is_padded;
use crate::parsed::Parsed;

/// The HTML after the text of most paragraphs.
pub(super) const PARAGRAPH_END: &str = "</p>\n";

/// A text is split only after this many bytes.
const MIN_PART: usize = 128;

/// A longer piece is read in the general way.
const MAX_PIECE: usize = 256;

/// Text with backticks in it, and runs that open or close emphasis.
pub(super) struct MarkedText<'s> {
    pub(super) source: &'s str,
    pub(super) range: Range<usize>,
    /// The offset that the marks are relative to.
    pub(super) from: usize,
    pub(super) found: &'s Findings,
    /// The offset in the HTML of the open blocks where the target string starts.
    pub(super) start: usize,
}

impl MarkedText<'_> {
    /// Appends its HTML. `words` has what is open before it, which it may close.
    pub(super) fn push(&self, words: &mut Words, html: &mut String) {
        let mut shown = self.range.start;
        for place in self.found.marks() {
            let at = self.from + usize::from(*place);
            shown = match self.source.as_bytes()[at] {
                b'`' => self.push_backtick(shown..at, &mut words.backtick, html),
                _ => self.push_run(shown..at, &mut words.run, html),
            };
        }
        self.push_text(shown..self.range.end, html);
    }

    /// Appends the text before a backtick, or the code that it closes. Returns the start of the
    /// rest.
    fn push_backtick(&self, text: Range<usize>, open: &mut Backtick, html: &mut String) -> usize {
        let (source, end) = (self.source, text.end);
        let Backtick::Open(place) = *open else {
            self.push_text(text, html);
            *open = Backtick::Open(self.place(end, html));
            return end;
        };
        html.truncate(place.html as usize - self.start);
        let start = place.at as usize + 1;
        let padding = usize::from(is_padded(&source.as_bytes()[start..end]));
        let code = start + padding..end - padding;
        html.push_str("<code>");
        if self.found.is_code_escaped || start <= self.from {
            push_escaped_line(source, code.start, code.end, html);
        } else {
            html.push_str(source.get(code).unwrap_or_default());
        }
        html.push_str("</code>");
        *open = Backtick::Closed;
        end + 1
    }

    /// Appends the text before a run of `*` or `_`, which opens or closes emphasis. Returns the
    /// start of the rest.
    fn push_run(&self, text: Range<usize>, open: &mut Option<Point>, html: &mut String) -> usize {
        let end = text.end;
        self.push_text(text, html);
        let Some(place) = open.take() else {
            *open = Some(self.place(end, html));
            return end;
        };
        let len = run_len(self.source.as_bytes(), end);
        let (start_tag, end_tag) =
            if len == 1 { ("<em>", "</em>") } else { ("<strong>", "</strong>") };
        let start = place.html as usize - self.start;
        html.replace_range(start..start + len, start_tag);
        html.push_str(end_tag);
        end + len
    }

    /// The end of `html`, which represents the text up to `at`.
    fn place(&self, at: usize, html: &str) -> Point {
        Point { at: at as u32, html: (self.start + html.len()) as u32 }
    }

    /// Appends a part of it that is not code.
    fn push_text(&self, text: Range<usize>, html: &mut String) {
        if self.found.is_escaped {
            push_escaped_range(self.source, text.start, text.end, html);
        } else {
            html.push_str(self.source.get(text).unwrap_or_default());
        }
    }
}

/// Whether a piece certainly ends a text that is limited to one line here, or that continues only
/// with words. Then the end of that text need not be analyzed.
#[inline]
fn ends_text(text: &OpenText, piece: &str) -> bool {
    let piece = piece.as_bytes();
    match text.kind {
        TextKind::Paragraph => !text.is_top && memchr::memchr(b'\n', piece).is_some(),
        TextKind::Cell => memchr::memchr2(b'|', b'\n', piece).is_some(),
        TextKind::Html => memchr::memchr3(b'<', b'>', b'\n', piece).is_some(),
        TextKind::Heading | TextKind::Code(_) => false,
    }
}

impl Stream {
    /// Appends the new source to the text at the end of the page. False if it may need more than
    /// that.
    pub(super) fn append(&mut self) -> bool {
        let from = self.live.n_shown();
        if self.source.len() - from > MAX_PIECE {
            return false;
        }
        if let Grown::Unknown = self.growing {
            if self.live.open_text().is_some_and(|text| ends_text(&text, &self.source[from..])) {
                return false;
            }
            self.growing = self.find_growing();
        }
        let growing = match &mut self.growing {
            Grown::Text(growing) => growing,
            Grown::Nothing => {
                self.append_first();
                return true;
            }
            &mut Grown::First(start) => return self.begin_again(start),
            Grown::Not | Grown::Unknown => return self.append_destination(),
        };
        let source = self.source.as_bytes();
        let before = growing.at;
        let mut found = Findings::default();
        if growing.go_on(source, from, &mut found).is_none() {
            growing.at = before;
            let growing = *growing;
            if let Some(end) = self.leaf_end(&growing, &found) {
                return self.append_next(end, Some(&found));
            }
            return match growing.whither(source, from) {
                Whither::On => self.read_text_again(growing),
                Whither::To(line) => self.append_next(LeafEnd::at_line(line), None),
                Whither::Elsewhere => {
                    self.first_line().is_some_and(|start| self.begin_again(start))
                }
            };
        }
        let is_text = found.is_text() && growing.kind == GrowingKind::Paragraph;
        if !is_text || !self.append_text(from, found.line_end) {
            self.append_found(from, &found);
        }
        #[cfg(debug_assertions)]
        self.compare_append();
        true
    }

    /// Appends a piece that continues the text.
    fn append_found(&mut self, from: usize, found: &Findings) {
        let Grown::Text(growing) = &self.growing else { return };
        let source = self.source.as_bytes();
        if let Some(end) = found.line_end {
            self.live.pass_lines(end, &self.parsed.tape);
        }
        let was = self.parsed.tape.records[growing.record].end as usize;
        let text_end = growing.text_end(source, from, was);
        let ends = (text_end as u32, source.len() as u32);
        self.live.extend(growing.record, ends, &mut self.parsed.tape);
        self.changes.clear();
        self.show(was..text_end, from, found);
        self.part_text(from.min(text_end)..text_end);
    }

    /// Appends most pieces: text that is copied, in a paragraph that is the only open block. False
    /// if the block is another one, or if the piece has only white space.
    #[inline]
    fn append_text(&mut self, from: usize, line_end: Option<usize>) -> bool {
        let Self { source, live, parsed: Parsed { tape, .. }, changes, .. } = self;
        let Page { open, html, lengths, .. } = &mut self.page;
        let [shown] = open.as_mut_slice() else { return false };
        let idx = shown.first as usize;
        let was = tape.records[idx].end as usize;
        let bytes = source.as_bytes();
        // The only white space in words is spaces and line feeds.
        let mut end = bytes.len();
        while end > from && bytes[end - 1] <= b' ' {
            end -= 1;
        }
        if end == from {
            return false;
        }
        let Some(piece) = source.get(was..end).filter(|_| live.is_simple()) else { return false };
        if let Some(line_end) = line_end {
            live.pass_lines(line_end, tape);
        }
        tape.records[idx].end = end as u32;
        shown.end = end as u32;
        live.show_more(source.len());
        changes.clear();
        changes.html.push_str(piece);
        changes.html.push_str(PARAGRAPH_END);
        let len_before = shown.len;
        let keep = len_before - PARAGRAPH_END.len();
        html.truncate(keep);
        html.push_str(&changes.html);
        shown.len = html.len();
        changes.blocks.push(BlockChange {
            id: shown.id,
            kind: shown.kind,
            span: shown.span(),
            keep,
            html: 0..changes.html.len(),
            state: shown.state,
            pending: shown.pending,
            at: lengths.total(),
            len_before,
        });
        self.part_text(from..end);
        true
    }

    /// If nothing is open in the text, which has just got the bytes `piece`, makes all but its last
    /// word final.
    #[inline]
    fn part_text(&mut self, piece: Range<usize>) {
        let Grown::Text(growing) = &self.growing else { return };
        let from = self.partial.text_at().unwrap_or(0) as usize;
        let is_closed = growing.words.is_closed && growing.words.backtick == Backtick::Closed;
        if is_closed && piece.end > from + MIN_PART && self.page.open.len() == 1 {
            self.part_before_word(piece, growing.record, growing.n_after);
        }
    }

    #[inline(never)]
    fn part_before_word(&mut self, piece: Range<usize>, record: usize, n_after: usize) {
        let bytes = self.source.as_bytes();
        let mut at = piece.end;
        while at > piece.start && !matches!(bytes[at - 1], b' ' | b'\n') {
            at -= 1;
            if matches!(bytes[at], b'"' | b'&' | b'<' | b'>' | b'`' | b'*' | b'_' | b'\t' | b'\r') {
                return;
            }
        }
        let n_word = piece.end - at;
        if at > piece.start && n_word > 0 {
            let len = self.page.html.len() - n_after - n_word;
            self.partial.part_at(&self.parsed.tape, record, (at as u32, len));
        }
    }

    /// Reads the text of the open paragraph again, which continues. False if more may have to be
    /// done.
    fn read_text_again(&mut self, growing: Growing) -> bool {
        let Some(&was) = self.page.open.first() else { return false };
        let record = self.parsed.tape.records[growing.record];
        let from = self.partial.text_at().unwrap_or(record.start);
        // New bytes are read only once.
        let is_long = self.live.n_shown().saturating_sub(from as usize) > FREE;
        let has_others = self.page.open.len() > 1 || self.may_refer(self.source.len());
        if is_long || has_others || !self.partial.is_about(was.first as usize) {
            return false;
        }
        let Self { source, parsed: Parsed { tape, .. }, live, .. } = self;
        let bytes = source.as_bytes();
        let text_end = growing.text_end(bytes, live.n_shown(), record.end as usize);
        if let Some(end) = memchr::memrchr(b'\n', &bytes[live.n_shown()..]) {
            live.pass_lines(live.n_shown() + end, tape);
        }
        live.extend(growing.record, (text_end as u32, bytes.len() as u32), tape);
        self.changes.clear();
        self.read_open(was);
        #[cfg(debug_assertions)]
        self.compare_append();
        true
    }

    /// Reads the text of the open paragraph, in the only open block, which was shown as `was`.
    pub(super) fn read_open(&mut self, was: Shown) {
        let Self { source, parsed: Parsed { options, tape, .. }, scratch, .. } = self;
        scratch.html.take_back();
        scratch.inlines.n_expanded = self.n_expanded;
        let Page { open, html, lengths, settled, .. } = &mut self.page;
        let Changes { blocks: told, html: out, .. } = &mut self.changes;
        let mut blocks = Blocks {
            writer: scratch.writer_with(self.settings, source.len(), source, (options, tape)),
            partial: &mut self.partial,
            frontier: &self.frontier,
            revisions: &mut self.revisions,
            out,
            n_settled: settled.len(),
            marked: None,
            n_after: None,
        };
        let (first, n_records) = (was.first as usize, tape.records.len());
        let written = if first + 1 == n_records {
            blocks.push_part(first..n_records, IsOpen::Yes, html)
        } else {
            blocks.mark();
            let kept = blocks.partial.len;
            blocks.writer.go_on(&html[..kept], blocks.out);
            let start = blocks.out.len();
            blocks.write_rest(n_records, IsOpen::Yes);
            WrittenBlock { kept, start }
        };
        let kept = written.kept;
        blocks.forget_asked();
        self.n_after = blocks.n_after;
        self.n_expanded = blocks.marked.unwrap_or_default();
        let end = tape.records[was.first as usize].end;
        let shown = Shown { len: kept + out.len() - written.start, end, ..was };
        let same = written.tell(Some((&was, html)), &shown, (lengths.total(), out), told);
        open[0] = shown;
        html.truncate(kept + same);
        html.push_str(&out[written.start + same..]);
        self.write_section(Ending::Tentative);
        self.growing = Grown::Unknown;
    }

    /// Extends the last block with these bytes of the source, part of a piece that starts at
    /// `from`.
    #[inline]
    pub(super) fn show(&mut self, text: Range<usize>, from: usize, found: &Findings) {
        if !found.marks().is_empty() {
            self.show_marks(text, from, found);
        } else if text.end > text.start {
            self.show_more(text, found);
        } else if let Some(shown) = self.page.open.last_mut() {
            shown.end = self.parsed.tape.records[shown.first as usize].end;
        }
    }

    #[inline]
    fn show_more(&mut self, text: Range<usize>, found: &Findings) {
        let Grown::Text(growing) = &self.growing else { return };
        let n_after = growing.n_after;
        let html = &mut self.changes.html;
        if found.is_escaped {
            push_escaped_range(&self.source, text.start, text.end, html);
        } else {
            html.push_str(self.source.get(text).unwrap_or_default());
        }
        // The line ending at the end of the code is there already.
        let is_code = matches!(growing.kind, GrowingKind::Code(_));
        let same = usize::from(is_code && html.starts_with('\n'));
        self.replace_end(self.page.html.len() - n_after, n_after, same);
    }

    /// [`Stream::show_more`] for text with marks: from the first mark that is closed on, the HTML
    /// differs.
    fn show_marks(&mut self, text: Range<usize>, from: usize, found: &Findings) {
        let Grown::Text(Growing { words, n_after, .. }) = &mut self.growing else { return };
        let (html, n_after) = (&mut self.changes.html, *n_after);
        let end = self.page.html.len() - n_after;
        let mut start = end;
        let bytes = self.source.as_bytes();
        let is_run = |place: &u16| bytes[from + usize::from(*place)] != b'`';
        if let Some(run) = words.run
            && found.marks().iter().any(is_run)
        {
            // The run is closed, which happens only once.
            start = run.html as usize;
            html.push_str(&self.page.html[start..end]);
        } else if let Backtick::Open(place) = words.backtick {
            start = place.html as usize;
        }
        MarkedText { source: &self.source, range: text, from, found, start }.push(words, html);
        self.replace_end(start, n_after, 0);
    }

    /// Replaces the HTML of the last block from byte `start` of the open HTML on by that of the
    /// changes, and the last `n_after` bytes again. The first `same` bytes of it are unchanged.
    fn replace_end(&mut self, start: usize, n_after: usize, same: usize) {
        let Self { page: Page { open, html, lengths, .. }, changes, .. } = self;
        let Some((shown, others)) = open.split_last_mut() else { return };
        let n_gone = html.len() - start;
        if n_after == PARAGRAPH_END.len() {
            // No other end has this length, and a constant is copied faster.
            debug_assert!(html.ends_with(PARAGRAPH_END));
            changes.html.push_str(PARAGRAPH_END);
        } else {
            changes.html.push_str(html.get(html.len() - n_after..).unwrap_or_default());
        }
        html.truncate(start);
        html.push_str(&changes.html);
        let len_before = shown.len;
        let keep = len_before - n_gone;
        shown.len = keep + changes.html.len();
        shown.end = self.parsed.tape.records[shown.first as usize].end;
        changes.blocks.push(BlockChange {
            id: shown.id,
            kind: shown.kind,
            span: shown.span(),
            keep: keep + same,
            html: same..changes.html.len(),
            state: shown.state,
            pending: shown.pending,
            at: lengths.total() + others.iter().map(|block| block.len).sum::<usize>(),
            len_before,
        });
    }

    /// Checks that the general path finds nothing to change. (Only for every other length of the
    /// source, so that fast paths in sequence are tested, too.)
    #[cfg(debug_assertions)]
    pub(super) fn compare_append(&mut self) {
        if self.source.len().is_multiple_of(2) {
            return;
        }
        let notes = self.changes.notes.clone();
        let changes = std::mem::replace(&mut self.changes, Changes { notes, ..Changes::default() });
        let records = self.parsed.tape.records[self.n_records..].to_vec();
        let open = self.page.open.clone();
        self.refresh(Ending::Tentative);
        assert!(self.changes.revised.is_empty(), "{:?}", self.changes);
        assert!(self.changes.blocks.is_empty(), "{:?} after {changes:?}", self.changes);
        assert_eq!(self.parsed.tape.records[self.n_records..], records);
        assert_eq!(self.page.open, open);
        self.changes = changes;
    }
}
