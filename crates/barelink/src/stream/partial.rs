//! The open top-level block: what is final of it is written once, and so is the text of its
//! open paragraph, up to the last neutral place.
//!
//! A paragraph may have no neutral place for long, and would be read again at every update: one
//! with a `*` that nothing closes. LINEAR: reading again what is longer than [`FREE`] costs
//! credit, and each byte that is pushed earns [`EARNED`]. Without credit, what comes is read on
//! its own, from the start of a word on, or of a character if there is one word only, until there is
//! credit to read all of it again.

use super::Stream;
use crate::html::part::{LastCode, Part, Places, Rest};
use crate::parsed::Parsed;
use crate::tape::{Block, Tape};

/// Bytes of a paragraph that may be read again at every update.
pub(super) const FREE: usize = 256;

/// Bytes more that may be read again for each byte that is pushed.
const EARNED: usize = 4;

/// Bytes more that may always be read again.
const CREDIT: usize = 256 * 1024;

/// What was shown of the open block and is not its HTML any more.
#[derive(Debug, Default)]
pub(super) struct Stale {
    /// So much of what was final stays.
    pub(super) kept: usize,
    /// What followed it.
    pub(super) html: String,
}

impl Stale {
    /// Cuts off what is final at `len`.
    fn cut(&mut self, html: &mut String, len: usize) {
        if len < self.kept {
            self.html.insert_str(0, &html[len..self.kept]);
            self.kept = len;
        }
        html.truncate(len);
    }
}

/// What is final of the open top-level block.
#[derive(Debug, Default)]
pub(super) struct Partial {
    /// Its first record.
    first: usize,
    part: Part,
    pub(super) html: String,
    /// The open lists, and whether they were taken for loose.
    lists: Vec<(u32, bool)>,
    /// What definitions had added before it.
    n_expanded: usize,
    /// Whether a label it missed is defined by now.
    pub(super) is_stale: bool,
    /// Whether it asked something of the document, and so cannot be written in parts.
    is_whole: bool,
    /// The length of `html` without the text of the open paragraph.
    n_final: usize,
    /// What definitions added to that text.
    n_text_expanded: usize,
    /// Where that text could be parted, when it was written last, and where it starts.
    pub(super) places: Places,
    pub(super) places_start: u32,
    /// Where it goes on once it can be read again, if it was parted at no neutral place.
    forced: Option<Forced>,
    spent: usize,
    earned: usize,
}

impl Partial {
    /// Whether its text is not what it will be, until there is credit to read it again.
    pub(super) fn is_forced(&self) -> bool {
        self.forced.is_some()
    }

    /// Up to where the text of its open paragraph is written.
    pub(super) fn text_at(&self) -> Option<u32> {
        self.part.text_at()
    }

    /// Forgets which block it is about.
    pub(super) fn forget(&mut self) {
        self.first = usize::MAX;
    }

    /// Starts again, with the block whose records start at `first`.
    fn start(&mut self, first: usize, stale: &mut Stale) {
        stale.cut(&mut self.html, 0);
        self.lists.clear();
        self.n_final = 0;
        self.n_text_expanded = 0;
        self.forced = None;
        self.places = Places::default();
        self.part.start(first);
        self.first = first;
        self.is_stale = false;
    }

    /// More may be read again, for bytes that were pushed.
    pub(super) fn earn(&mut self, n_pushed: usize) {
        self.earned = self.earned.saturating_add(EARNED * n_pushed);
    }

    /// Spends what reading so many bytes again costs. False if that is too much.
    fn spend(&mut self, len: usize) -> bool {
        let cost = len.saturating_sub(FREE);
        let is_affordable = self.spent + cost <= CREDIT.saturating_add(self.earned);
        if is_affordable {
            self.spent += cost;
        }
        is_affordable
    }

    /// Whether it is about the block whose records start at `first`.
    pub(super) fn is_about(&self, first: usize) -> bool {
        self.first == first
    }

    /// Whether this is about the block whose records start at `first`, and still true.
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

/// How far the text of a paragraph was written before it was parted at no neutral place.
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

impl Stream {
    /// Prepares the partial HTML for the block whose records start at `first`.
    pub(super) fn continue_partial(&mut self, first: usize, stale: &mut Stale) {
        if self.partial.is_valid(first, &self.parsed.tape) {
            return;
        }
        if self.partial.first == first {
            self.scratch.inlines.n_expanded = self.partial.n_expanded;
        } else {
            self.partial.is_whole = false;
        }
        self.partial.n_expanded = self.scratch.inlines.n_expanded;
        self.partial.start(first, stale);
    }

    /// The text of the open paragraph goes on as it was written, or is not written yet.
    pub(super) fn check_text(&mut self, is_open: IsOpen, stale: &mut Stale) {
        let partial = &mut self.partial;
        let tape = &self.parsed.tape;
        let (next, record) = (partial.part.next(), self.frontier.record);
        // What stands before the paragraph became final, and is written without it.
        let paragraph = partial.part.paragraph(tape, tape.records.len());
        let is_parted =
            is_open == IsOpen::Yes && record > next && paragraph.is_some_and(|idx| record <= idx);
        if is_parted || !partial.part.is_text_valid(tape) {
            stale.cut(&mut partial.html, partial.n_final);
            partial.part.cut_text(None);
            partial.forced = None;
            self.scratch.inlines.n_expanded -= std::mem::take(&mut partial.n_text_expanded);
            return;
        }
        let Some(Forced { at, len, n_expanded }) = partial.forced else { return };
        let end = paragraph.map_or(0, |idx| tape.records[idx].end);
        let is_done = is_open == IsOpen::No || record > next;
        let start = at.unwrap_or(partial.places_start);
        if is_done || partial.spend(end.saturating_sub(start) as usize) {
            stale.cut(&mut partial.html, len);
            partial.part.cut_text(at);
            partial.forced = None;
            partial.places = Places::default();
            let added = std::mem::replace(&mut partial.n_text_expanded, n_expanded) - n_expanded;
            self.scratch.inlines.n_expanded -= added;
        }
    }

    /// Writes the text of the open paragraph, which the block that ends before record `end`
    /// ends with, up to the last place where it could be parted.
    pub(super) fn write_text(&mut self, end: usize) {
        let Parsed { options, tape, .. } = &self.parsed;
        let partial = &mut self.partial;
        let places = std::mem::take(&mut partial.places);
        let is_whole = partial.is_whole || options.policy.source_positions || tape.has_nul;
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
                len: partial.html.len(),
                n_expanded: partial.n_text_expanded,
            });
            place = Some(word);
        }
        let Some(place) = place else { return };
        let n_expanded = self.scratch.inlines.n_expanded;
        let Partial { part, html, forced, .. } = partial;
        let (len, is_first) = (html.len(), part.text_at().is_none());
        self.scratch.html.mark();
        self.scratch.writer(&self.source, options, tape).push_text(part, idx, place, html);
        if is_first && !self.scratch.html.take_asked().is_empty() {
            // A block before the paragraph asked something of the document.
            self.scratch.html.take_back();
            self.scratch.inlines.forget_missed();
            self.scratch.inlines.n_expanded = n_expanded;
            html.truncate(len);
            part.cut_text(None);
            *forced = None;
            return;
        }
        self.scratch.html.keep();
        partial.n_text_expanded += self.scratch.inlines.n_expanded - n_expanded;
        self.revisions.note_missed(self.settled.len() as u32, &mut self.scratch.inlines);
    }

    /// Writes what became final of the open block.
    pub(super) fn write_final(&mut self, stale: &mut Stale) {
        let has_positions = self.parsed.options.policy.source_positions;
        if self.partial.is_whole || has_positions || self.frontier.record < self.partial.first {
            return;
        }
        let next = self.partial.part.next();
        if self.partial.part.has_final(&self.frontier) {
            self.write_records(stale);
            if self.partial.is_whole {
                return;
            }
        }
        // While a footnote is open, less is final than was written: the lists in that count.
        if self.frontier.record >= next {
            let tape = &self.parsed.tape;
            let lists = &mut self.partial.lists;
            let loose = |idx: &u32| (*idx, is_loose(tape, *idx));
            lists.clear();
            lists.extend(self.frontier.lists.iter().map(loose));
        }
    }

    /// Writes the records and lines that became final.
    fn write_records(&mut self, stale: &mut Stale) {
        let Parsed { options, tape, .. } = &self.parsed;
        let Partial { part, html, n_expanded, .. } = &mut self.partial;
        let len = html.len();
        let next = part.next();
        self.scratch.html.mark();
        self.scratch.writer(&self.source, options, tape).push_final(part, &self.frontier, html);
        if !self.scratch.html.take_asked().is_empty() {
            self.scratch.html.take_back();
            self.scratch.inlines.forget_missed();
            self.scratch.inlines.n_expanded = *n_expanded;
            html.truncate(len);
            self.partial.is_whole = true;
            return self.partial.start(self.partial.first, stale);
        }
        self.scratch.html.keep();
        if self.partial.part.next() > next {
            // The paragraph that was open is complete.
            self.partial.n_text_expanded = 0;
        }
        if self.partial.part.text_at().is_none() {
            self.partial.n_final = self.partial.html.len();
        }
        self.revisions.note_missed(self.settled.len() as u32, &mut self.scratch.inlines);
    }

    /// Appends the rest of the block, which ends before record `end`, and before that what is
    /// written for good from byte `kept` on.
    pub(super) fn write_rest(
        &mut self,
        kept: usize,
        end: usize,
        is_open: IsOpen,
        html: &mut String,
    ) {
        let Parsed { options, tape, .. } = &self.parsed;
        let Partial { part, html: done, places, places_start, .. } = &mut self.partial;
        let len = done.len();
        self.scratch.html.places = Places::default();
        self.scratch.html.text_end = None;
        self.scratch.html.code = LastCode::Unknown;
        let n_expanded = self.scratch.inlines.n_expanded;
        let mut writer = self.scratch.writer(&self.source, options, tape);
        if is_open == IsOpen::No {
            writer.push_rest(part, end, Rest::No, done);
            html.push_str(&done[kept..]);
            return done.truncate(len);
        }
        writer.push_rest(part, end, Rest::Yes, done);
        *places = self.scratch.html.places;
        let paragraph = part.paragraph(tape, end);
        *places_start = paragraph.map_or(0, |idx| tape.records[idx].start);
        html.push_str(&done[kept..]);
        self.n_after = self.scratch.html.text_end.map(|end| done.len() - end);
        // What stands before a neutral place is written for good, if it left nothing behind
        // that would have to be noted.
        let is_whole = self.partial.is_whole || options.policy.source_positions || tape.has_nul;
        let is_clean = !is_whole
            && self.frontier.record >= self.partial.first
            && self.scratch.inlines.n_expanded == n_expanded
            && !self.scratch.inlines.has_missed()
            && !self.scratch.html.has_asked();
        let Partial { part, html: done, places, forced, .. } = &mut self.partial;
        if let (Some(at), Some(idx)) = (places.neutral, paragraph)
            && is_clean
            && forced.is_none()
            && part.put_text(tape, idx, at)
        {
            done.truncate(places.len);
            *places = Places::default();
        } else {
            done.truncate(len);
        }
    }
}
