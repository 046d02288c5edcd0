//! The table of link reference definitions, in which reference links are looked up (CommonMark
//! §4.7). If several definitions have the same label, the first one counts.

use std::ops::Range;

use barelink_text::Span;

use super::label::Labels;

/// A definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reference {
    /// The number of its label.
    pub(crate) label: u32,
    /// Its span in the source.
    pub(crate) destination: Span,
    /// Whether the destination needs no unescaping and no encoding.
    pub(crate) verbatim: bool,
    pub(crate) title: Title,
}

/// A title as written, without quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Title {
    /// A slice of the source.
    Source(Span),
    /// A range of the arena: it spans lines that are not contiguous in the source.
    Arena(Span),
}

/// The definitions of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct References {
    entries: Vec<Reference>,
    labels: Labels,
    /// For each label, the entry that counts.
    by_label: Vec<u32>,
    /// Titles that are not a slice of the source.
    arena: String,
    /// Whether new definitions are ignored, since their text may continue.
    pub(crate) is_tentative: bool,
}

impl References {
    pub(crate) fn clear(&mut self) {
        if !self.entries.is_empty() {
            self.entries.clear();
            self.labels.clear();
            self.by_label.clear();
            self.arena.clear();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The number of labels that are defined.
    pub(crate) fn n_defined(&self) -> usize {
        self.by_label.len()
    }

    /// The normalized label that was defined as number `number`.
    pub(crate) fn defined_label(&self, number: usize) -> &str {
        self.labels.get(number as u32)
    }

    /// Removes all definitions but the first `n`.
    pub(crate) fn truncate(&mut self, n: usize) {
        if self.entries.len() <= n {
            return;
        }
        let titles = self.entries[n..].iter().map(|entry| entry.title);
        let first = titles.filter_map(|title| match title {
            Title::Arena(span) => Some(span.start),
            Title::Source(_) => None,
        });
        if let Some(start) = first.min() {
            self.arena.truncate(start as usize);
        }
        self.entries.truncate(n);
        // Labels are numbered in the order of their first definitions.
        while self.by_label.pop_if(|idx| *idx as usize >= n).is_some() {}
        self.labels.truncate(self.by_label.len());
    }

    pub(crate) fn get(&self, idx: u32) -> &Reference {
        &self.entries[idx as usize]
    }

    /// The text of a span in the arena.
    pub(crate) fn arena(&self, span: Span) -> &str {
        span.slice(&self.arena)
    }

    /// The normalized label of a definition.
    pub(crate) fn label(&self, reference: &Reference) -> &str {
        self.labels.get(reference.label)
    }

    /// The definition for the label `text[label]`, which is normalized into `scratch`.
    pub(crate) fn find(
        &self,
        text: &str,
        label: Range<usize>,
        scratch: &mut String,
    ) -> Option<u32> {
        let number = self.labels.find(text, label, scratch)?;
        self.by_label.get(number as usize).copied()
    }

    /// Stores a title that is not a slice of the source.
    pub(crate) fn keep_title(&mut self, title: &str) -> Title {
        let start = self.arena.len() as u32;
        self.arena.push_str(title);
        Title::Arena(Span::new(start, self.arena.len() as u32))
    }

    /// Extends the destination of the last definition to `end`.
    pub(crate) fn extend_last(&mut self, end: u32) {
        if let Some(last) = self.entries.last_mut() {
            last.destination.end = end;
        }
    }

    /// Adds a definition of `text[label]`; `new` makes it from the number of its label.
    pub(crate) fn insert(
        &mut self,
        text: &str,
        label: Range<usize>,
        new: impl FnOnce(u32) -> Reference,
    ) -> u32 {
        let idx = self.entries.len() as u32;
        let label = self.labels.insert(text, label);
        if label as usize == self.by_label.len() && !self.is_tentative {
            self.by_label.push(idx);
        }
        self.entries.push(new(label));
        idx
    }
}
