//! The table that reference links look in (CommonMark §4.7): what the link reference
//! definitions of a document define. The first of several with the same label counts.

use std::ops::Range;

use barelink_text::Span;

use super::label::Labels;

/// A definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reference {
    /// The number of its label.
    pub(crate) label: u32,
    /// In the source.
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
    /// In the arena: it runs over lines that are not contiguous in the source.
    Arena(Span),
}

/// The definitions of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct References {
    entries: Vec<Reference>,
    labels: Labels,
    /// The entry that counts for each label.
    by_label: Vec<u32>,
    /// Titles that are no slice of the source.
    arena: String,
    /// Whether new definitions do not count, since what they stand in may go on.
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

    /// How many labels are defined.
    pub(crate) fn n_defined(&self) -> usize {
        self.by_label.len()
    }

    /// The label that was defined as number `number`, normalized.
    pub(crate) fn defined_label(&self, number: usize) -> &str {
        self.labels.get(number as u32)
    }

    /// Takes back all definitions but the first `n`.
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

    /// The arena's text under `span`.
    pub(crate) fn arena(&self, span: Span) -> &str {
        span.slice(&self.arena)
    }

    /// The label of a definition, normalized.
    pub(crate) fn label(&self, reference: &Reference) -> &str {
        self.labels.get(reference.label)
    }

    /// The definition for the label that is `text[label]`, which is normalized into
    /// `scratch`.
    pub(crate) fn find(
        &self,
        text: &str,
        label: Range<usize>,
        scratch: &mut String,
    ) -> Option<u32> {
        let number = self.labels.find(text, label, scratch)?;
        self.by_label.get(number as usize).copied()
    }

    /// Keeps a title that is no slice of the source.
    pub(crate) fn keep_title(&mut self, title: &str) -> Title {
        let start = self.arena.len() as u32;
        self.arena.push_str(title);
        Title::Arena(Span::new(start, self.arena.len() as u32))
    }

    /// The destination of the last definition goes on up to `end`.
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
