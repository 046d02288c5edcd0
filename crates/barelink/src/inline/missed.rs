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
    /// As numbers of `all`.
    pub(crate) recent: Vec<u32>,
}

impl MissedLabels {
    pub(super) fn note(&mut self, text: &str, label: Range<usize>) {
        let number = self.all.insert(text, label);
        if self.recent.last() != Some(&number) {
            self.recent.push(number);
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
        if let Some(missed) = &mut self.missed {
            missed.references.recent.clear();
            missed.notes.recent.clear();
        }
    }
}
