//! Decisions about the bare links of a leaf, recorded while it is parsed.
//!
//! A leaf may be a long row of `@`, each of which is a candidate. So a decision takes only 12
//! bytes, and the data of links is stored separately: links do not overlap, and are few.

use std::ops::Range;

use barelink_autolink::engine::Candidate;
use barelink_autolink::{Kind, Outcome, Rule, Trim};
use barelink_text::Span;

use crate::memory::PushSparingly as _;

/// The decisions about a leaf, in offsets of its text.
#[derive(Debug, Default)]
pub(crate) struct Decided {
    entries: Vec<Entry>,
    links: Vec<Linked>,
    /// The text left outside of the links, link by link.
    trims: Vec<Trim>,
}

/// A decision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    start: u32,
    pub(crate) reason: Reason,
}

/// Why a candidate is a link, or is not. The kind is stored here because it fits into padding.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reason {
    Linked { kind: Kind, link_idx: u32 },
    Refused { kind: Kind, rule: Rule, at: u32 },
}

/// A link.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Linked {
    pub(crate) span: Span,
    /// What precedes the link's text in the destination.
    pub(crate) prefix: &'static str,
    first_trim: u32,
    n_trims: u32,
}

impl Entry {
    pub(crate) fn candidate(&self) -> Candidate {
        let (Reason::Linked { kind, .. } | Reason::Refused { kind, .. }) = self.reason;
        Candidate { kind, start: self.start as usize }
    }
}

impl Entry {
    /// Whether this is a name without a scheme in a dialect that does not look for them.
    pub(crate) fn is_unwanted_name(&self) -> bool {
        matches!(self.reason, Reason::Refused { rule: Rule::DomainsOff, .. })
    }
}

impl Decided {
    /// Records the outcome for a candidate.
    pub(super) fn push(&mut self, candidate: Candidate, outcome: Outcome, prefix: &'static str) {
        let Candidate { kind, start } = candidate;
        let reason = match outcome {
            Outcome::Refused { rule, at, .. } => {
                return self.push_refused(candidate, rule, at);
            }
            Outcome::Linked { span, trims, .. } => {
                let first_trim = self.trims.len() as u32;
                self.trims.extend(trims.iter());
                let n_trims = self.trims.len() as u32 - first_trim;
                let link_idx = self.links.len() as u32;
                self.links.push_sparingly(Linked { span, prefix, first_trim, n_trims });
                Reason::Linked { kind, link_idx }
            }
        };
        self.entries.push_sparingly(Entry { start: start as u32, reason });
    }

    /// Records that a rule refuses a candidate.
    pub(crate) fn push_refused(&mut self, candidate: Candidate, rule: Rule, at: u32) {
        let Candidate { kind, start } = candidate;
        let reason = Reason::Refused { kind, rule, at };
        self.entries.push_sparingly(Entry { start: start as u32, reason });
    }

    /// Records that the delimiter run at `run` ends the last link, if that extends up to it.
    pub(super) fn closed_by(&mut self, run: Range<usize>) {
        let Some(link) = self.links.last_mut() else { return };
        let trims = &self.trims[link.first_trim as usize..];
        let end = trims.first().map_or(link.span.end, |trim| trim.span.end);
        if end == run.start as u32 {
            let span = Span::new(run.start as u32, run.end as u32);
            let trim = Trim::new(Rule::NaturalEmphasis, span);
            self.trims.insert(link.first_trim as usize, trim);
            link.n_trims += 1;
        }
    }

    /// Maps every offset of the last decision, which was made on decoded text.
    pub(super) fn map_last(&mut self, offset: impl Fn(usize) -> usize) {
        let offset = |at: u32| offset(at as usize) as u32;
        let Some(entry) = self.entries.last_mut() else { return };
        entry.start = offset(entry.start);
        match &mut entry.reason {
            Reason::Refused { at, .. } => *at = offset(*at),
            Reason::Linked { link_idx, .. } => {
                let link = &mut self.links[*link_idx as usize];
                let trims = &mut self.trims[link.first_trim as usize..];
                for span in trims.iter_mut().map(|trim| &mut trim.span).chain([&mut link.span]) {
                    *span = Span::new(offset(span.start), offset(span.end));
                }
            }
        }
    }

    /// Keeps only the decisions for which `is_kept` is true.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&Entry) -> bool) {
        self.entries.retain(is_kept);
    }

    /// Sorts the decisions in text order: addresses are decided after URLs.
    pub(crate) fn sort(&mut self) {
        self.entries.sort_unstable_by_key(|entry| entry.start);
    }

    /// The number of decisions before an offset, if they are sorted.
    pub(crate) fn count_before(&self, at: usize) -> usize {
        self.entries.partition_point(|entry| (entry.start as usize) < at)
    }

    pub(crate) fn get(&self, idx: usize) -> Option<&Entry> {
        self.entries.get(idx)
    }

    /// A link, and what was left outside at its end.
    pub(crate) fn link(&self, link_idx: u32) -> (&Linked, &[Trim]) {
        let link = &self.links[link_idx as usize];
        (link, &self.trims[link.first_trim as usize..][..link.n_trims as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::Entry;

    #[test]
    fn a_decision_is_small() {
        assert_eq!(size_of::<Entry>(), 12);
    }
}
