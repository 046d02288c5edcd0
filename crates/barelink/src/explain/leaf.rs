//! The candidates of one leaf: the decision about each that was made while the leaf was parsed, or
//! the construct that contains it.
//!
//! LINEAR: one pass over candidates, decisions and marks, side by side.

use barelink_autolink::engine::Candidate;
use barelink_autolink::{Dialect, Rules, Trim};
use barelink_text::Span;

use super::{Decision, Place, Verdict};
use crate::inline::autolink::anchor_after;
use crate::inline::decided::{Decided, Entry, Reason};
use crate::inline::mark::{Mark, MarkKind, MarkRole};
use crate::inline::own::{Candidates, Own};
use crate::options::Options;
use crate::syntax::text::Text;
use crate::tape::join::Loaded;

/// A leaf whose marks are known.
pub(super) struct ExplainedLeaf<'a> {
    pub(super) text: &'a Text<'a>,
    pub(super) marks: &'a [Mark],
    pub(super) options: &'a Options,
    pub(super) schemes: &'a Own,
}

/// The progress of explaining a leaf.
#[derive(Debug)]
pub(super) struct LeafWalk {
    pub(super) loaded: Loaded,
    at: usize,
    ahead: NextCandidate,
    decided: Decided,
    /// How many entries of `decided` have been explained.
    n_decided: usize,
    places: PlaceFinder,
}

/// The first candidate at or after the walk's position.
#[derive(Debug, Clone, Copy)]
enum NextCandidate {
    Unknown,
    Known(Option<Candidate>),
}

impl LeafWalk {
    /// `decided` are the sorted decisions about the text that was loaded. Those before `start` are
    /// left out.
    pub(super) fn new(loaded: Loaded, start: usize, decided: Decided) -> Self {
        let places = PlaceFinder { idx: 0, inside: None, in_anchor: false };
        let n_decided = decided.count_before(start);
        Self { loaded, at: start, ahead: NextCandidate::Unknown, decided, n_decided, places }
    }

    /// The decision about the next candidate of the text, or about one that exists only in decoded
    /// text.
    pub(super) fn next(&mut self, leaf: &ExplainedLeaf<'_>) -> Option<Decision> {
        loop {
            let (candidate, entry) = self.next_candidate(leaf)?;
            let place = self.places.of(leaf, candidate.start);
            // A name that is not looked for anyway is not explained inside another construct.
            if place.is_some() && entry.is_some_and(|entry| entry.is_unwanted_name()) {
                continue;
            }
            let verdict = match (place, entry) {
                (Some(Place::Construct), None) if self.places.in_bare_link(leaf) => continue,
                // A link was found here, but turned back into text.
                (Some(Place::Construct), _) if !self.places.in_bare_link(leaf) => {
                    Verdict::Elsewhere(Place::Construct)
                }
                (Some(place @ (Place::LinkText | Place::ImageDescription)), _) => {
                    Verdict::Elsewhere(place)
                }
                (_, Some(entry)) => leaf.verdict(entry, &self.decided),
                (Some(place), None) => Verdict::Elsewhere(place),
                (None, None) => Verdict::Elsewhere(Place::SwitchedOff),
            };
            let kind = candidate.kind;
            return Some(Decision { kind, candidate: leaf.span(candidate.span()), verdict });
        }
    }

    /// The next candidate, and the decision about it, if there is one.
    fn next_candidate(&mut self, leaf: &ExplainedLeaf<'_>) -> Option<(Candidate, Option<Entry>)> {
        // LINEAR: the search starts at the last candidate, and its result is cached.
        let ahead = match self.ahead {
            NextCandidate::Known(ahead) => ahead,
            NextCandidate::Unknown => {
                let dialect = leaf.options.autolinks.dialect.unwrap_or_default();
                let (bytes, rules) = (leaf.text.bytes(), Rules::new(dialect));
                let schemes = leaf.schemes.clone();
                Candidates::with_schemes(bytes, rules, schemes).at_or_after(self.at)
            }
        };
        let start = ahead.map_or(usize::MAX, |candidate| candidate.start);
        let entry = self.decided.get(self.n_decided).copied();
        let entry = entry.filter(|entry| entry.candidate().start <= start);
        self.n_decided += usize::from(entry.is_some());
        let candidate = entry.map(|entry| entry.candidate()).or(ahead)?;
        self.at = self.at.max(candidate.end());
        self.ahead =
            if start < self.at { NextCandidate::Unknown } else { NextCandidate::Known(ahead) };
        Some((candidate, entry))
    }
}

impl ExplainedLeaf<'_> {
    fn span(&self, span: Span) -> Span {
        self.text.span(span.start as usize, span.end as usize)
    }

    /// Whether a mark says that a bare link starts at `at`.
    fn has_bare_link(&self, at: u32) -> bool {
        let first = self.marks.partition_point(|mark| mark.start < at);
        let mut here = self.marks[first..].iter().take_while(|mark| mark.start == at);
        here.any(|mark| matches!(mark.kind, MarkKind::BareLink { .. }))
    }

    fn verdict(&self, entry: Entry, decided: &Decided) -> Verdict {
        match entry.reason {
            Reason::Linked { link_idx, .. } => {
                let (link, trims) = decided.link(link_idx);
                if !self.has_bare_link(link.span.start) {
                    // The link was turned back into text, with the brackets around it.
                    return Verdict::Elsewhere(Place::Construct);
                }
                let trims = trims.iter();
                Verdict::Linked {
                    span: self.span(link.span),
                    prefix: link.prefix,
                    trims: trims.map(|trim| Trim::new(trim.rule, self.span(trim.span))).collect(),
                }
            }
            Reason::Refused { rule, at, .. } => {
                Verdict::Refused { rule, at: self.text.source_offset(at as usize) }
            }
        }
    }
}

/// Walks the marks, and tells which construct contains an offset.
#[derive(Debug)]
struct PlaceFinder {
    idx: usize,
    /// The place between an opening and a closing mark, and its end.
    inside: Option<(Place, u32)>,
    in_anchor: bool,
}

impl PlaceFinder {
    /// The place of `at`; offsets must not decrease.
    fn of(&mut self, leaf: &ExplainedLeaf<'_>, at: usize) -> Option<Place> {
        while let Some(mark) = leaf.marks.get(self.idx)
            && (mark.start as usize) <= at
        {
            if (mark.end as usize) > at
                && let Some(place) = place_of(mark)
            {
                // The mark that ends a place is no longer in it.
                let inside = self.inside.filter(|(_, end)| at < *end as usize);
                return inside.map(|(place, _)| place).or(Some(place));
            }
            if (mark.end as usize) > at {
                break;
            }
            self.pass(leaf, mark);
            self.idx += 1;
        }
        match self.inside {
            Some((place, end)) if at < end as usize => Some(place),
            _ if self.in_anchor => Some(Place::RawAnchor),
            _ => None,
        }
    }

    /// Whether the mark found by [`PlaceFinder::of`] is a bare link.
    fn in_bare_link(&self, leaf: &ExplainedLeaf<'_>) -> bool {
        let mark = leaf.marks.get(self.idx);
        mark.is_some_and(|mark| matches!(mark.kind, MarkKind::BareLink { .. }))
    }

    fn pass(&mut self, leaf: &ExplainedLeaf<'_>, mark: &Mark) {
        if mark.kind == MarkKind::RawHtml {
            let tag = &leaf.text.bytes()[mark.start as usize..mark.end as usize];
            let natural = leaf.options.autolinks.dialect == Some(Dialect::Natural);
            self.in_anchor = natural && anchor_after(tag).unwrap_or(self.in_anchor);
            return;
        }
        let MarkRole::LinkOpen(close) = mark.kind.role() else {
            if self.inside.is_some_and(|(_, end)| mark.start >= end) {
                self.inside = None;
            }
            return;
        };
        let is_image = matches!(mark.kind, MarkKind::ImageOpen { .. });
        let place = if is_image { Place::ImageDescription } else { Place::LinkText };
        let end = leaf.marks[close.get()].start;
        if self.inside.is_none_or(|(_, outer)| mark.start >= outer) {
            self.inside = Some((place, end));
        }
    }
}

/// The kind of place that a mark makes of the text it covers.
fn place_of(mark: &Mark) -> Option<Place> {
    match mark.kind {
        MarkKind::CodeSpan { .. } => Some(Place::CodeSpan),
        MarkKind::Math { .. } => Some(Place::Math),
        MarkKind::RawHtml => Some(Place::RawHtml),
        MarkKind::AngleUrl | MarkKind::AngleEmail => Some(Place::Angle),
        MarkKind::WikiLink { .. } => Some(Place::WikiLink),
        kind => match kind.role() {
            MarkRole::LinkClose => Some(Place::Destination),
            MarkRole::Closed | MarkRole::Construct => Some(Place::Construct),
            MarkRole::Text
            | MarkRole::Quote
            | MarkRole::Smart
            | MarkRole::Replaced
            | MarkRole::LineEnd
            | MarkRole::Open(_)
            | MarkRole::Close
            | MarkRole::LinkOpen(_) => None,
        },
    }
}
