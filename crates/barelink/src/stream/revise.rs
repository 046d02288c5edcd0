//! Rewrites settled blocks that used a label before it was defined.
//!
//! An index maps each label that was missed to the blocks that missed it. If a block has footnote
//! references, or its headings have ids, later blocks may depend on it: then all of these are
//! visited in order.
//!
//! LINEAR: each byte that is pushed earns credit to read [`EARNED`] bytes again. A revision that
//! costs more than has been earned waits. At the end of the document none waits, but there each
//! block is written only once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;

use super::Stream;
use super::changes::BlockChange;
use super::options::Definitions;
use super::update::{BlockKind, BlockState};
use crate::block::live::Ending;
use crate::html::Asked;
use crate::inline::missed::{Missed, MissedLabels};
use crate::inline::{Inlines, MIN_EXPANSION};
use crate::memory::PushSparingly as _;
use crate::parsed::Parsed;
use crate::tape::Tape;

/// Bytes of source that may be read again for each byte that is pushed.
const EARNED: usize = 2;

/// Bytes of source that may be read again in addition, in any document.
const CREDIT: usize = 64 * 1024;

/// Replaying what a block needed costs as much as reading this many bytes.
const REPLAYED: usize = 16;

/// The state of blocks that may have to be revised. Blocks are identified by their index among the
/// settled ones.
#[derive(Debug)]
pub(super) struct Revisions {
    definitions: Definitions,
    /// For each label, the blocks that missed it: of references, and of footnotes.
    references: Vec<Vec<u32>>,
    notes: Vec<Vec<u32>>,
    /// The last block that missed a label.
    last_missed: Option<u32>,
    /// The number of definitions that were looked up in the index.
    n_defined: usize,
    n_notes: usize,
    /// The blocks that depend on the rest of the document, in order.
    asked: Vec<Asking>,
    /// The blocks to be rewritten, as a min-heap. One may be in it twice.
    waiting: BinaryHeap<Reverse<u32>>,
    credit: usize,
    /// Whether definitions have added so much that the order of blocks matters.
    is_refused: bool,
    /// An upper bound of what definitions added to revised blocks.
    n_expanded: usize,
}

/// A settled block that depends on the rest of the document.
#[derive(Debug)]
struct Asking {
    idx: u32,
    asked: Asked,
    /// A hash of its HTML.
    hash: u64,
}

impl Revisions {
    pub(super) fn new(definitions: Definitions) -> Self {
        Self {
            definitions,
            references: Vec::new(),
            notes: Vec::new(),
            last_missed: None,
            n_defined: 0,
            n_notes: 0,
            asked: Vec::new(),
            waiting: BinaryHeap::new(),
            credit: CREDIT,
            is_refused: false,
            n_expanded: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self { credit: self.credit, ..Self::new(self.definitions) };
    }

    /// The last block that missed a label.
    pub(super) fn last_missed(&self) -> Option<u32> {
        self.last_missed
    }

    /// Whether blocks are waiting to be rewritten.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub(super) fn earn(&mut self, n_pushed: usize) {
        self.credit = self.credit.saturating_add(EARNED * n_pushed);
    }

    /// Records what a settled block, which was just written, needed of the document.
    pub(super) fn note_asked(&mut self, idx: u32, html: &str, asked: Asked) {
        if self.definitions == Definitions::Revise {
            // Blocks settle in order.
            debug_assert!(self.asked.last().is_none_or(|last| last.idx < idx));
            self.asked.push_sparingly(Asking { idx, asked, hash: hash(html) });
        }
    }

    /// The first index in `asked` of a block from `idx` on.
    fn asked_from(&self, idx: u32) -> usize {
        self.asked.partition_point(|asking| asking.idx < idx)
    }

    fn has_asked(&self, idx: u32) -> bool {
        self.asked.get(self.asked_from(idx)).is_some_and(|asking| asking.idx == idx)
    }

    pub(super) fn note_missed(&mut self, idx: u32, inlines: &mut Inlines) {
        let Some(missed) = &mut inlines.missed else { return };
        let Missed { references, notes, is_refused } = &mut **missed;
        if !references.recent.is_empty() || !notes.recent.is_empty() {
            self.last_missed = self.last_missed.max(Some(idx));
        }
        note_users(idx, references, &mut self.references);
        note_users(idx, notes, &mut self.notes);
        self.is_refused |= *is_refused;
    }

    /// Whether there are definitions that were not looked up yet, or blocks wait.
    fn has_news(&self, tape: &Tape) -> bool {
        tape.references.n_defined() > self.n_defined
            || tape.footnotes.len() > self.n_notes
            || self.is_waiting()
    }

    /// Finds the blocks that missed labels which have been defined since. Returns whether the block
    /// `open`, which is not settled yet, is among them.
    fn find(&mut self, tape: &Tape, inlines: &mut Inlines, open: u32) -> bool {
        let Some(missed) = &mut inlines.missed else { return false };
        let mut is_open = false;
        let waiting = &mut self.waiting;
        let mut wait = |users: Vec<u32>| {
            is_open |= users.contains(&open);
            waiting.extend(users.into_iter().filter(|idx| *idx != open).map(Reverse));
        };
        let mut scratch = String::new();
        let mut users = |label: &str, missed: &MissedLabels, users: &mut [Vec<u32>]| {
            let number = missed.all.find(label, 0..label.len(), &mut scratch)?;
            users.get_mut(number as usize).map(std::mem::take)
        };
        let n_defined = tape.references.n_defined();
        for number in self.n_defined..n_defined {
            let label = tape.references.defined_label(number);
            let found = users(label, &missed.references, &mut self.references);
            wait(found.unwrap_or_default());
        }
        // A tentative line that defines a footnote will define it however it continues.
        let n_notes = tape.footnotes.len();
        for number in self.n_notes..n_notes {
            let label = tape.footnotes.labels.get(number as u32);
            let found = users(label, &missed.notes, &mut self.notes);
            wait(found.unwrap_or_default());
        }
        self.n_defined = self.n_defined.max(n_defined);
        self.n_notes = self.n_notes.max(n_notes);
        is_open
    }
}

/// Adds block `idx` to those that missed the recent labels.
fn note_users(idx: u32, missed: &mut MissedLabels, users: &mut Vec<Vec<u32>>) {
    for (number, _) in missed.recent.drain(..) {
        let number = number as usize;
        if users.len() <= number {
            users.resize(number + 1, Vec::new());
        }
        if users[number].last() != Some(&idx) {
            users[number].push(idx);
        }
    }
}

fn hash(html: &str) -> u64 {
    FixedState::default().hash_one(html)
}

impl Stream {
    /// Rewrites the settled blocks that new definitions change.
    pub(super) fn revise(&mut self, ending: Ending) {
        let is_over = !self.revisions.has_news(&self.parsed.tape);
        if self.revisions.definitions == Definitions::Settled
            || is_over && ending == Ending::Tentative
        {
            return;
        }
        // The open block will settle next.
        let open = self.page.settled.len() as u32;
        let inlines = &mut self.scratch.inlines;
        self.partial.is_stale |= self.revisions.find(&self.parsed.tape, inlines, open);
        let before = self.scratch.inlines.n_expanded;
        self.scratch.inlines.n_expanded += self.revisions.n_expanded;
        while let Some(&Reverse(idx)) = self.revisions.waiting.peek() {
            let cost = self.cost(idx);
            if ending == Ending::Tentative && cost > self.revisions.credit {
                break;
            }
            if self.revisions.has_asked(idx) || !self.revise_alone(idx) {
                if !self.revise_from(idx, ending) {
                    break;
                }
            } else {
                while self.revisions.waiting.peek() == Some(&Reverse(idx)) {
                    self.revisions.waiting.pop();
                }
                self.revisions.credit = self.revisions.credit.saturating_sub(cost);
            }
        }
        let n_expanded = std::mem::replace(&mut self.scratch.inlines.n_expanded, before);
        self.revisions.n_expanded = n_expanded - before;
        let is_much = self.revisions.is_refused || n_expanded > MIN_EXPANSION;
        if ending == Ending::Final && self.revisions.n_expanded > 0 && is_much {
            // The order in which the blocks use definitions matters.
            self.revisions.waiting.extend((0..open).map(Reverse));
            self.scratch.inlines.n_expanded = 0;
            self.partial.forget();
            self.revise_from(0, ending);
        }
    }

    fn cost(&self, idx: u32) -> usize {
        self.page.settled[idx as usize].span().len() as usize
    }

    /// Rewrites a block, unless other blocks may depend on it. False if they may.
    fn revise_alone(&mut self, idx: u32) -> bool {
        let mut html = std::mem::take(&mut self.out);
        html.clear();
        self.scratch.html.mark();
        self.write(self.page.settled[idx as usize].records(), &mut html);
        let is_alone = self.scratch.html.take_asked().is_empty();
        if is_alone {
            self.scratch.html.keep();
            self.revisions.note_missed(idx, &mut self.scratch.inlines);
            self.push_revised(idx, &html);
        } else {
            self.scratch.html.take_back();
            self.scratch.inlines.forget_missed();
        }
        self.out = html;
        is_alone
    }

    /// Rewrites the blocks from `from` on that wait, or that depend on others. False if that would
    /// cost too much.
    fn revise_from(&mut self, from: u32, ending: Ending) -> bool {
        let first = self.revisions.asked_from(from);
        let mut all = self.revisions.waiting.clone();
        all.extend(self.revisions.asked[first..].iter().map(|asking| Reverse(asking.idx)));
        let mut all = all.into_sorted_vec();
        all.dedup();
        let is_last = first == self.revisions.asked.len();
        let n_replayed = if is_last { 0 } else { REPLAYED * first };
        let cost = n_replayed + all.iter().map(|Reverse(idx)| self.cost(*idx)).sum::<usize>();
        if ending == Ending::Tentative && cost > self.revisions.credit {
            return false;
        }
        self.revisions.credit = self.revisions.credit.saturating_sub(cost);
        let Parsed { options, tape, .. } = &self.parsed;
        let label = |note| tape.footnotes.label(note).slice(&self.source);
        // LINEAR: usually, footnotes are defined in the order of their use, and no later block
        // depends on the document yet.
        if !is_last {
            self.scratch.html.forget();
            for Asking { asked, .. } in &self.revisions.asked[..first] {
                self.scratch.html.replay(asked, options, label);
            }
        }
        let mut before = self.revisions.asked.split_off(first).into_iter().peekable();
        let mut html = std::mem::take(&mut self.out);
        for Reverse(idx) in all.into_iter().rev() {
            html.clear();
            self.write(self.page.settled[idx as usize].records(), &mut html);
            let asked = self.scratch.html.take_asked();
            self.revisions.note_missed(idx, &mut self.scratch.inlines);
            let hash = hash(&html);
            let before = before.next_if(|asking| asking.idx == idx);
            let is_same = before.is_some_and(|old| old.asked == asked && old.hash == hash);
            if !is_same {
                self.push_revised(idx, &html);
            }
            if !asked.is_empty() {
                self.revisions.asked.push(Asking { idx, asked, hash });
            }
        }
        self.out = html;
        self.revisions.waiting.clear();
        true
    }

    fn push_revised(&mut self, idx: u32, html: &str) {
        let shown = &mut self.page.settled[idx as usize];
        if shown.kind == BlockKind::Notes {
            return;
        }
        let change = BlockChange {
            id: shown.id,
            kind: shown.kind,
            span: shown.span(),
            keep: 0,
            html: self.changes.push_html(html),
            state: BlockState::Settled,
            pending: None,
            at: self.page.lengths.before(idx as usize),
            len_before: shown.len,
        };
        // Changes that a fast path has already recorded come after it, and move with it.
        for told in &mut self.changes.blocks {
            told.at = told.at + html.len() - shown.len;
        }
        self.page.lengths.set(idx as usize, shown.len, html.len());
        shown.len = html.len();
        self.changes.revised.push(change);
    }
}
