//! The labels that a text uses and that were not defined when it was read. Once they are defined,
//! the text has to be rendered again.

use std::ops::Range;

use super::Inlines;
use crate::syntax::label::Labels;

/// The labels that were looked up in vain.
#[derive(Debug, Default)]
pub(crate) struct Missed {
    /// Labels of reference links.
    pub(crate) references: MissedLabels,
    /// Labels of footnotes.
    pub(crate) notes: MissedLabels,
    /// Whether a definition was not used because definitions had added too much already.
    pub(crate) is_refused: bool,
}

/// All labels of a kind that were ever missed, and those missed since the last reset.
#[derive(Debug, Default)]
pub(crate) struct MissedLabels {
    pub(crate) all: Labels,
    /// Their numbers in `all`, with their offsets in the text.
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
    /// Whether any label was missed since the last reset.
    pub(crate) fn has_missed(&self) -> bool {
        self.missed.as_ref().is_some_and(|missed| {
            !missed.references.recent.is_empty() || !missed.notes.recent.is_empty()
        })
    }

    /// Resets the recently missed labels.
    pub(crate) fn forget_missed(&mut self) {
        self.forget_missed_from(0);
    }

    /// Resets those that were missed in a text from `start` on.
    pub(crate) fn forget_missed_from(&mut self, start: usize) {
        if let Some(missed) = &mut self.missed {
            missed.references.recent.retain(|(_, at)| *at < start);
            missed.notes.recent.retain(|(_, at)| *at < start);
        }
    }
}
