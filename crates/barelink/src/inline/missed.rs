//! The labels that a text uses and that were not defined when it was read. Once they are,
//! what used them has to be written again.

use std::ops::Range;

use super::Inlines;
use crate::syntax::label::Labels;

/// The labels that were missed.
#[derive(Debug, Default)]
pub(crate) struct Missed {
    /// Of reference links.
    pub(crate) references: MissedLabels,
    /// Of footnotes.
    pub(crate) notes: MissedLabels,
    /// Whether a definition was not used since definitions had added too much before.
    pub(crate) is_refused: bool,
}

/// All labels of a kind that were ever missed, and those missed since the last look.
#[derive(Debug, Default)]
pub(crate) struct MissedLabels {
    pub(crate) all: Labels,
    /// As numbers of `all`, with their places in the text.
    pub(crate) recent: Vec<(u32, usize)>,
}

impl MissedLabels {
    pub(super) fn note(&mut self, text: &str, label: Range<usize>) {
        let at = label.start;
        let number = self.all.insert(text, label);
        if self.recent.last().is_none_or(|last| last.0 != number) {
            self.recent.push((number, at));
        }
    }
}

impl Inlines {
    /// Whether anything was missed since the last look.
    pub(crate) fn has_missed(&self) -> bool {
        self.missed.as_ref().is_some_and(|missed| {
            !missed.references.recent.is_empty() || !missed.notes.recent.is_empty()
        })
    }

    /// Forgets what was missed since the last look.
    pub(crate) fn forget_missed(&mut self) {
        self.forget_missed_from(0);
    }

    /// The same for what was missed in a text from `start` on.
    pub(crate) fn forget_missed_from(&mut self, start: usize) {
        if let Some(missed) = &mut self.missed {
            missed.references.recent.retain(|(_, at)| *at < start);
            missed.notes.recent.retain(|(_, at)| *at < start);
        }
    }
}
