//! The open top-level block: its final part is written once, and so is the text of its open
//! paragraph, up to the last neutral place (see `inline::neutral`).
//!
//! A paragraph may have no neutral place for a long time, such as one with an unclosed `*`, and
//! would be read again at every update.
//!
//! LINEAR: rereading more than [`FREE`] bytes costs credit, and each byte that is pushed earns
//! [`EARNED`]. Without credit, the new text is read separately, starting at a word, or at a
//! character if there is only one word, until there is credit to read all of it again.

use std::ops::Range;

use super::page::WrittenBlock;
use super::write::Blocks;
use crate::html::part::{FREE, LastCode, Part, Places, Rest};
use crate::policy::RawHtml;
use crate::tape::{Block, Tape};

/// Bytes that may be read again for each byte that is pushed.
const EARNED: usize = 4;

/// Bytes that may be read again in addition, in any document.
const CREDIT: usize = 256 * 1024;

/// The progress of writing the final part of the open top-level block.
#[derive(Debug, Default)]
pub(super) struct Partial {
    /// The first record of the block.
    first: usize,
    part: Part,
    /// The number of bytes of its HTML that are final.
    pub(super) len: usize,
    /// The open lists, and whether they were written as loose.
    lists: Vec<(u32, bool)>,
    /// The number of bytes that definitions had added before it.
    n_expanded: usize,
    /// Whether a label that it missed has been defined.
    pub(super) is_stale: bool,
    /// Whether it depends on the rest of the document, and so cannot be written in parts.
    is_whole: bool,
    /// The value of `len` without the text of the open paragraph.
    n_final: usize,
    /// The number of bytes that definitions added to that text.
    n_text_expanded: usize,
    /// The places where that text could be split, as of when it was last written, and its start.
    pub(super) places: Places,
    pub(super) places_start: u32,
    /// The last correct state, if the text was split at a place that is not neutral.
    forced: Option<Forced>,
    spent: usize,
    earned: usize,
}

impl Partial {
    /// Whether its text is provisional until there is credit to read it again.
    pub(super) fn is_forced(&self) -> bool {
        self.forced.is_some()
    }

    /// The offset up to which the text of its open paragraph is written.
    pub(super) fn text_at(&self) -> Option<u32> {
        self.part.text_at()
    }

    /// The offset up to which the text of the paragraph at `record` is written, if that is the open
    /// one and its text has not changed.
    pub(super) fn written_of(&self, record: usize, tape: &Tape) -> Option<u32> {
        let at = self.part.text_at()?;
        let is_it = self.part.paragraph(tape, tape.records.len()) == Some(record);
        (is_it && !self.is_stale && self.part.is_text_valid(tape)).then_some(at)
    }

    /// Whether the block whose records start at `first` is written in parts.
    pub(super) fn has_parts(&self, first: usize) -> bool {
        self.first == first && !self.is_whole
    }

    /// The offset from which the block is read again; `None` if credit limits that.
    pub(super) fn read_from(&self, tape: &Tape) -> Option<u32> {
        let can_be_parted = self.places.neutral.is_some() || self.places.word.is_some();
        self.part.written_to(tape).filter(|_| !can_be_parted && self.forced.is_none())
    }

    /// Makes the text of the paragraph at `record` final up to `at`, where the HTML of the block
    /// has the length `len`.
    pub(super) fn part_at(&mut self, tape: &Tape, record: usize, (at, len): (u32, usize)) {
        let is_off = self.is_whole || self.forced.is_some() || self.places.neutral.is_some();
        if !is_off && self.first <= record && self.part.put_text(tape, record, at) {
            self.len = len;
            self.places = Places::default();
        }
    }

    /// Whether this is about the paragraph at `record`, and it can be ended without further work.
    pub(super) fn can_end(&self, record: usize) -> bool {
        self.first == record && !self.is_whole && !self.is_stale && self.forced.is_none()
    }

    /// Starts with the block whose records start at `first`, after a document to which definitions
    /// have added `n_expanded` bytes.
    pub(super) fn begin(&mut self, first: usize, n_expanded: usize) {
        self.is_whole = false;
        self.n_expanded = n_expanded;
        self.start(first);
    }

    /// Forgets the block.
    pub(super) fn forget(&mut self) {
        self.first = usize::MAX;
    }

    /// Starts again, with the block whose records start at `first`.
    pub(super) fn start(&mut self, first: usize) {
        self.len = 0;
        self.lists.clear();
        self.n_final = 0;
        self.n_text_expanded = 0;
        self.forced = None;
        self.places = Places::default();
        self.part.start(first);
        self.first = first;
        self.is_stale = false;
    }

    /// Earns credit for bytes that were pushed.
    pub(super) fn earn(&mut self, n_pushed: usize) {
        self.earned = self.earned.saturating_add(EARNED * n_pushed);
    }

    /// Spends the credit for reading `len` bytes again. False if there is not enough.
    fn spend(&mut self, len: usize) -> bool {
        let cost = len.saturating_sub(FREE);
        let is_affordable = self.spent + cost <= CREDIT.saturating_add(self.earned);
        if is_affordable {
            self.spent += cost;
        }
        is_affordable
    }

    /// Whether this is about the block whose records start at `first`.
    pub(super) fn is_about(&self, first: usize) -> bool {
        self.first == first
    }

    /// Whether this is about the block whose records start at `first`, and is up to date.
    fn is_valid(&self, first: usize, tape: &Tape) -> bool {
        self.first == first
            && !self.is_stale
            && self.lists.iter().all(|&(idx, loose)| is_loose(tape, idx) == loose)
    }
}

/// Whether the list at record `idx` is loose.
fn is_loose(tape: &Tape, idx: u32) -> bool {
    let block = tape.records[idx as usize].block;
    matches!(block, Block::List { loose: true, .. } | Block::DefinitionList { loose: true })
}

/// The state of a paragraph's text before it was split at a place that is not neutral.
#[derive(Debug, Clone, Copy)]
struct Forced {
    at: Option<u32>,
    /// The length of the HTML.
    len: usize,
    n_expanded: usize,
}

/// Whether a block is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IsOpen {
    No,
    Yes,
}

impl Blocks<'_> {
    /// Appends the part that is not final of the block with these records, which was shown as
    /// `shown`.
    #[inline]
    pub(super) fn push_part(
        &mut self,
        records: Range<usize>,
        is_open: IsOpen,
        shown: &str,
    ) -> WrittenBlock {
        let is_one = records.start + 1 == records.end;
        let written =
            if is_one { self.push_paragraph(records.start, is_open, shown) } else { None };
        let written = written.or_else(|| self.push_leaf(&records, is_open));
        written.unwrap_or_else(|| self.push_other_part(records, is_open, shown))
    }

    /// The fast path for other leaves in no container, if nothing of them is or becomes final.
    fn push_leaf(&mut self, records: &Range<usize>, is_open: IsOpen) -> Option<WrittenBlock> {
        let Self { partial, frontier, .. } = self;
        let first = records.start;
        let block = self.writer.tape.records[first].block;
        let is_leaf = matches!(block, Block::Heading { .. } | Block::Code { .. } | Block::Html(_));
        let is_new = partial.first != first || partial.len == 0;
        let is_final = frontier.record != first || frontier.lines_end.is_some();
        if !is_leaf || !is_new || is_open == IsOpen::Yes && is_final {
            return None;
        }
        if partial.first != first {
            partial.begin(first, self.writer.inlines.n_expanded);
        }
        if is_open == IsOpen::Yes {
            self.mark();
            self.start_rest();
        }
        let start = self.out.len();
        self.writer.push_top(records.clone(), self.out);
        if is_open == IsOpen::Yes {
            let is_dropped = self.writer.options.policy.raw_html == RawHtml::Drop;
            self.n_after = match block {
                Block::Heading { .. } => Some("</h1>\n".len()),
                Block::Html(_) if !is_dropped => Some("\n".len()),
                _ => None,
            };
        }
        Some(WrittenBlock { kept: 0, start })
    }

    #[inline(never)]
    fn push_other_part(
        &mut self,
        records: Range<usize>,
        is_open: IsOpen,
        shown: &str,
    ) -> WrittenBlock {
        self.continue_partial(records.start, shown);
        self.check_text(is_open);
        let mut kept = self.partial.len;
        self.writer.go_on(&shown[..kept], self.out);
        let mut start = self.out.len();
        if is_open == IsOpen::Yes {
            self.write_final();
            if self.partial.len < kept {
                kept = 0;
                self.writer.go_on("", self.out);
                start = self.out.len();
            }
            self.write_text(records.end);
            self.mark();
        }
        self.write_rest(records.end, is_open);
        WrittenBlock { kept, start }
    }

    /// The fast path for a paragraph in no container, if its text only continues.
    fn push_paragraph(
        &mut self,
        first: usize,
        is_open: IsOpen,
        shown: &str,
    ) -> Option<WrittenBlock> {
        let Self { partial, writer, .. } = self;
        let tape = writer.tape;
        let record = &tape.records[first];
        let is_off = !matches!(record.block, Block::Paragraph(_))
            || writer.options.policy.source_positions
            || tape.has_nul
            || partial.forced.is_some()
            || is_open == IsOpen::Yes && self.frontier.record != first;
        if is_off {
            return None;
        }
        let mut from = None;
        if partial.first == first {
            let is_valid = !partial.is_stale
                && partial.len <= shown.len()
                && partial.places.neutral.is_none()
                && partial.places.word.is_none()
                && partial.lists.is_empty()
                && partial.part.is_in_paragraph(record);
            if !is_valid {
                return None;
            }
            from = partial.part.text_at();
        } else {
            partial.begin(first, writer.inlines.n_expanded);
        }
        let written = WrittenBlock { kept: partial.len, start: self.out.len() };
        let mut rest = Rest::No;
        let mut n_expanded = 0;
        if is_open == IsOpen::Yes {
            rest = Rest::Yes;
            self.mark();
            n_expanded = self.start_rest();
        }
        self.writer.push_paragraph(record, from, rest, self.out);
        if is_open == IsOpen::Yes {
            self.n_after = Some("</p>\n".len());
            self.keep_rest(Some(first), written.start, n_expanded);
        }
        Some(written)
    }

    /// Prepares the state for the block whose records start at `first`, and which was shown as
    /// `shown`.
    fn continue_partial(&mut self, first: usize, shown: &str) {
        let Self { partial, writer, .. } = self;
        if partial.is_valid(first, writer.tape) && partial.len <= shown.len() {
            return;
        }
        if partial.first == first {
            writer.inlines.n_expanded = partial.n_expanded;
        } else {
            partial.is_whole = false;
        }
        partial.n_expanded = writer.inlines.n_expanded;
        partial.start(first);
    }

    /// Checks that the written text of the open paragraph is still right; if not, goes back.
    fn check_text(&mut self, is_open: IsOpen) {
        let Self { partial, writer, .. } = self;
        if partial.part.text_at().is_none() {
            return;
        }
        let tape = writer.tape;
        let (next, record) = (partial.part.next(), self.frontier.record);
        // The records before the paragraph became final, and are written without it.
        let paragraph = partial.part.paragraph(tape, tape.records.len());
        let is_parted =
            is_open == IsOpen::Yes && record > next && paragraph.is_some_and(|idx| record <= idx);
        if is_parted || !partial.part.is_text_valid(tape) {
            partial.len = partial.n_final;
            partial.part.cut_text(None);
            partial.forced = None;
            writer.inlines.n_expanded -= std::mem::take(&mut partial.n_text_expanded);
            return;
        }
        let Some(Forced { at, len, n_expanded }) = partial.forced else { return };
        let end = paragraph.map_or(0, |idx| tape.records[idx].end);
        let is_done = is_open == IsOpen::No || record > next;
        let start = at.unwrap_or(partial.places_start);
        if is_done || partial.spend(end.saturating_sub(start) as usize) {
            partial.len = len;
            partial.part.cut_text(at);
            partial.forced = None;
            partial.places = Places::default();
            let added = std::mem::replace(&mut partial.n_text_expanded, n_expanded) - n_expanded;
            writer.inlines.n_expanded -= added;
        }
    }

    /// Writes what has become final of the open block.
    fn write_final(&mut self) {
        let Self { partial, writer, frontier, .. } = self;
        let has_positions = writer.options.policy.source_positions;
        if partial.is_whole || has_positions || frontier.record < partial.first {
            return;
        }
        let next = partial.part.next();
        if partial.part.has_final(frontier) {
            self.write_records();
            if self.partial.is_whole {
                return;
            }
        }
        let Self { partial, writer, frontier, .. } = self;
        // While a footnote is open, less is final than has been written; the lists in the written
        // part still matter.
        if frontier.record >= next {
            let loose = |idx: &u32| (*idx, is_loose(writer.tape, *idx));
            partial.lists.clear();
            partial.lists.extend(frontier.lists.iter().map(loose));
        }
    }

    /// Writes the records and lines that have become final.
    fn write_records(&mut self) {
        let Self { partial, writer, out, .. } = self;
        let len = out.len();
        let next = partial.part.next();
        writer.state.mark();
        writer.push_final(&mut partial.part, self.frontier, out);
        if writer.state.has_asked() {
            writer.take_back();
            writer.inlines.n_expanded = partial.n_expanded;
            out.truncate(len);
            partial.is_whole = true;
            return partial.start(partial.first);
        }
        writer.state.keep();
        partial.len += out.len() - len;
        if partial.part.next() > next {
            // The paragraph that was open is complete.
            partial.n_text_expanded = 0;
        }
        if partial.part.text_at().is_none() {
            partial.n_final = partial.len;
        }
        self.revisions.note_missed(self.n_settled as u32, writer.inlines);
    }

    /// Writes the text of the open paragraph, the last one of the block that ends before record
    /// `end`, up to the last place where it could be split.
    fn write_text(&mut self, end: usize) {
        let Self { partial, writer, out, .. } = self;
        let places = std::mem::take(&mut partial.places);
        if places.neutral.is_none() && places.word.is_none() {
            return;
        }
        let tape = writer.tape;
        let is_whole = partial.is_whole || writer.options.policy.source_positions || tape.has_nul;
        let Some(idx) = partial.part.paragraph(tape, end).filter(|_| !is_whole) else { return };
        let paragraph = tape.records[idx];
        if paragraph.start != partial.places_start || self.frontier.record < partial.first {
            return;
        }
        let from = partial.part.text_at().unwrap_or(paragraph.start);
        let is_place = |at: &u32| *at > from && *at <= paragraph.end;
        let mut place = places.neutral.filter(is_place);
        let rest = paragraph.end.saturating_sub(place.unwrap_or(from)) as usize;
        if !partial.spend(rest)
            && let Some(word) = places.word.filter(is_place)
            && place.is_none_or(|place| place < word)
        {
            partial.forced.get_or_insert(Forced {
                at: partial.part.text_at(),
                len: partial.len,
                n_expanded: partial.n_text_expanded,
            });
            place = Some(word);
        }
        let Some(place) = place else { return };
        let n_expanded = writer.inlines.n_expanded;
        let Partial { part, forced, .. } = &mut **partial;
        let (len, is_first) = (out.len(), part.text_at().is_none());
        writer.state.mark();
        writer.push_text(part, idx, place, out);
        if is_first && writer.state.has_asked() {
            // A block before the paragraph depends on the rest of the document.
            writer.take_back();
            writer.inlines.n_expanded = n_expanded;
            out.truncate(len);
            part.cut_text(None);
            *forced = None;
            return;
        }
        writer.state.keep();
        partial.len += out.len() - len;
        partial.n_text_expanded += writer.inlines.n_expanded - n_expanded;
        self.revisions.note_missed(self.n_settled as u32, writer.inlines);
    }

    /// Appends the rest of the block, which ends before record `end`.
    pub(super) fn write_rest(&mut self, end: usize, is_open: IsOpen) {
        if is_open == IsOpen::No {
            self.writer.push_rest(&self.partial.part, end, Rest::No, self.out);
            return;
        }
        let start = self.out.len();
        let n_expanded = self.start_rest();
        self.writer.state.text_end = None;
        let paragraph = self.writer.push_rest(&self.partial.part, end, Rest::Yes, self.out);
        self.n_after = self.writer.state.text_end.map(|end| self.out.len() - end);
        self.keep_rest(paragraph, start, n_expanded);
    }

    /// Prepares for writing the rest of the block. Returns the number of bytes that definitions
    /// have added before.
    fn start_rest(&mut self) -> usize {
        self.writer.state.places = Places::default();
        self.writer.state.code = LastCode::Unknown;
        self.writer.state.is_closed = false;
        self.writer.inlines.n_expanded
    }

    /// After the rest of the block was written from byte `start` on: makes the text before a
    /// neutral place of its last paragraph final.
    #[inline]
    fn keep_rest(&mut self, paragraph: Option<usize>, start: usize, n_expanded: usize) {
        let Self { partial, writer, .. } = self;
        // LINEAR: without places, it is known that the text will be read again from its start, and
        // an update waits.
        partial.places = Places::default();
        let tape = writer.tape;
        let is_whole = partial.is_whole || writer.options.policy.source_positions || tape.has_nul;
        let Some(idx) = paragraph.filter(|_| !is_whole && !writer.state.has_asked()) else {
            return;
        };
        let places = writer.state.places;
        partial.places = places;
        partial.places_start = tape.records[idx].start;
        let Some(at) = places.neutral else { return };
        let n_added = writer.inlines.n_expanded - n_expanded;
        // If definitions added bytes, it must be certain that they did so before that place.
        let is_off = partial.forced.is_some()
            || self.frontier.record < partial.first
            || n_added > 0 && !places.is_behind_marks;
        if is_off || !partial.part.put_text(tape, idx, at) {
            return;
        }
        partial.len += places.len - start;
        partial.places.neutral = None;
        partial.n_text_expanded += n_added;
        self.marked = self.marked.map(|n_expanded| n_expanded + n_added);
        if writer.inlines.has_missed() {
            writer.inlines.forget_missed_from(places.text_at);
            self.revisions.note_missed(self.n_settled as u32, writer.inlines);
        }
    }
}
