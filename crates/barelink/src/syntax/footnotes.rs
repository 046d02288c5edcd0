//! The footnotes that a document defines, by label. If several have the same label, the first one
//! counts.

use barelink_text::Span;

use super::label::Labels;

/// The footnotes that are defined in a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Footnotes {
    /// Its numbers are those of the footnotes.
    pub(crate) labels: Labels,
    /// The labels as written in the definitions.
    written: Vec<Span>,
}

impl Footnotes {
    pub(crate) fn clear(&mut self) {
        self.labels.clear();
        self.written.clear();
    }

    /// Defines the footnote whose label is this span of the source. Returns its number, and whether
    /// the label is new.
    pub(crate) fn define(&mut self, source: &str, label: Span) -> (u32, bool) {
        let n_before = self.labels.len();
        let number = self.labels.insert(source, label.range());
        let is_new = self.labels.len() > n_before;
        if is_new {
            self.written.push(label);
        }
        (number, is_new)
    }

    pub(crate) fn len(&self) -> usize {
        self.written.len()
    }

    /// Removes all but the first `n`.
    pub(crate) fn truncate(&mut self, n: usize) {
        self.labels.truncate(n);
        self.written.truncate(n);
    }

    /// The label in the source, without `[^` and `]`.
    pub(crate) fn label(&self, number: u32) -> Span {
        self.written[number as usize]
    }
}
