//! The open top-level block: what is final of it is written once.

use super::Stream;
use crate::document::Parsed;
use crate::html::part::Part;
use crate::tape::{Block, Tape};

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
}

impl Partial {
    /// Forgets which block it is about.
    pub(super) fn forget(&mut self) {
        self.first = usize::MAX;
    }

    /// Starts again, with the block whose records start at `first`.
    fn start(&mut self, first: usize, old: &mut String) {
        old.push_str(&self.html);
        self.html.clear();
        self.lists.clear();
        self.part.start(first);
        self.first = first;
        self.is_stale = false;
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
    matches!(tape.records[idx as usize].block, Block::List { loose: true, .. })
}

impl Stream {
    /// Prepares the partial HTML for the block whose records start at `first`. What it was so
    /// far is appended to `old` if it does not stay.
    pub(super) fn continue_partial(&mut self, first: usize, old: &mut String) {
        if self.partial.is_valid(first, &self.parsed.tape) {
            return;
        }
        if self.partial.first == first {
            self.scratch.inlines.n_expanded = self.partial.n_expanded;
        } else {
            self.partial.is_whole = false;
        }
        self.partial.n_expanded = self.scratch.inlines.n_expanded;
        self.partial.start(first, old);
    }

    /// Writes what became final of the open block. If that cannot be, what was written so far
    /// is appended to `old`.
    pub(super) fn write_final(&mut self, old: &mut String) {
        let has_positions = self.parsed.options.policy.source_positions;
        if self.partial.is_whole || has_positions || self.frontier.record < self.partial.first {
            return;
        }
        let Parsed { options, tape, .. } = &self.parsed;
        let Partial { part, html, lists, n_expanded, .. } = &mut self.partial;
        let len = html.len();
        self.scratch.html.mark();
        self.scratch.writer(&self.source, options, tape).push_final(part, &self.frontier, html);
        if !self.scratch.html.take_asked().is_empty() {
            self.scratch.html.take_back();
            self.scratch.inlines.forget_missed();
            self.scratch.inlines.n_expanded = *n_expanded;
            html.truncate(len);
            self.partial.is_whole = true;
            return self.partial.start(self.partial.first, old);
        }
        self.scratch.html.keep();
        let loose = |idx: &u32| (*idx, is_loose(tape, *idx));
        lists.clear();
        lists.extend(self.frontier.lists.iter().map(loose));
        self.revisions.note_missed(self.settled.len() as u32, &mut self.scratch.inlines);
    }

    /// Appends the rest of the block, which ends before record `end`, and before that what is
    /// written for good from byte `kept` on.
    pub(super) fn write_rest(&mut self, kept: usize, end: usize, html: &mut String) {
        let Parsed { options, tape, .. } = &self.parsed;
        let Partial { part, html: done, .. } = &mut self.partial;
        let len = done.len();
        self.scratch.writer(&self.source, options, tape).push_rest(part, end, done);
        html.push_str(&done[kept..]);
        done.truncate(len);
    }
}
