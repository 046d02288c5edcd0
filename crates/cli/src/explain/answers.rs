//! The decisions of one dialect about every candidate of a document.
//!
//! Spans are stored, not texts; a destination is made when it is written. It is stored only if it
//! is more than a prefix and the text of the link, because of escapes or an international host in
//! the source. Links do not overlap, so the stored destinations exceed the source in length only by
//! what encoding adds.

use std::fmt;

use barelink::autolink::{Kind, Rule, Trim};
use barelink::{Document, Place, Span, Verdict};

use crate::explain::unlinked::{self, Unlinked};

/// A decision about a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer<'a> {
    /// It is a link, or part of one.
    Linked(Link<'a>),
    /// A rule refuses it.
    Refused { rule: Rule, at: u32 },
    /// It is in a place where bare links are not searched for.
    Elsewhere(Place),
    /// It is not a candidate in this dialect.
    Unseen,
}

/// A link of a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link<'a> {
    /// Its index among the links of the dialect.
    pub(crate) idx: usize,
    pub(crate) span: Span,
    pub(crate) href: Href<'a>,
    /// The parts that were trimmed from it, the outermost first.
    pub(crate) trims: &'a [OfLink<Trim>],
}

/// A destination in two parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Href<'a> {
    pub(crate) prefix: &'static str,
    pub(crate) rest: &'a str,
}

/// An item of the link with this index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OfLink<T> {
    link_idx: u32,
    pub(crate) it: T,
}

/// The decisions of one dialect.
#[derive(Debug)]
pub(crate) struct Answers<'t> {
    text: &'t str,
    links: Vec<Linked>,
    trims: Vec<OfLink<Trim>>,
    /// The distinct prefixes of destinations.
    prefixes: Vec<&'static str>,
    /// The destinations that are more than prefix and text, concatenated.
    hrefs: String,
    /// The end of each of them in `hrefs`.
    href_ends: Vec<OfLink<usize>>,
    unlinked: Unlinked,
}

/// A stored link.
#[derive(Debug, Clone, Copy)]
struct Linked {
    candidate_start: u32,
    candidate_len: u8,
    kind: Kind,
    prefix_idx: u8,
    span: Span,
}

/// A candidate for a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) kind: Kind,
    /// The `://`, `www.` or `@`.
    pub(crate) span: Span,
}

impl<'a> Answer<'a> {
    /// The verdict as a word.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Linked(_) => "linked",
            Self::Refused { .. } => "refused",
            Self::Elsewhere(_) => "elsewhere",
            Self::Unseen => "unseen",
        }
    }

    pub(crate) fn link(&self) -> Option<&Link<'a>> {
        match self {
            Self::Linked(link) => Some(link),
            _ => None,
        }
    }

    /// Whether the other decision makes a visible difference.
    ///
    /// LINEAR: destinations are compared only for the same span. Links of a dialect do not overlap,
    /// so no text is compared twice.
    pub(crate) fn differs(&self, other: &Answer<'_>) -> bool {
        match (self.link(), other.link()) {
            (Some(ours), Some(theirs)) => ours.span != theirs.span || ours.href != theirs.href,
            (None, None) => false,
            _ => true,
        }
    }
}

impl Link<'_> {
    /// The link with the parts that were trimmed from it.
    pub(crate) fn region(&self) -> Span {
        self.trims.iter().fold(self.span, |hull, trim| {
            let trimmed = trim.it.span;
            Span::new(hull.start.min(trimmed.start), hull.end.max(trimmed.end))
        })
    }
}

impl fmt::Display for Href<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.prefix)?;
        f.write_str(self.rest)
    }
}

impl PartialEq for Href<'_> {
    fn eq(&self, other: &Self) -> bool {
        let bytes = |href: &Self| href.prefix.bytes().chain(href.rest.bytes());
        bytes(self).eq(bytes(other))
    }
}

impl Eq for Href<'_> {}

impl From<unlinked::Verdict> for Answer<'_> {
    fn from(verdict: unlinked::Verdict) -> Self {
        match verdict {
            unlinked::Verdict::Refused { rule, at } => Self::Refused { rule, at },
            unlinked::Verdict::Elsewhere(place) => Self::Elsewhere(place),
        }
    }
}

impl<'t> Answers<'t> {
    /// Collects the decisions in the blocks of a document that touch a span.
    pub(crate) fn of(document: &Document<'_, 't>, within: Span) -> Self {
        let text = document.source();
        let mut answers = Self {
            text,
            links: Vec::new(),
            trims: Vec::new(),
            prefixes: Vec::new(),
            hrefs: String::new(),
            href_ends: Vec::new(),
            unlinked: Unlinked::default(),
        };
        for decision in document.explain().within(within) {
            let candidate = Candidate { kind: decision.kind, span: decision.candidate };
            answers.push(candidate, decision.verdict);
        }
        // Bare links are listed in the same order as their decisions.
        let mut links = answers.links.iter().enumerate();
        let listed = document.links().within(within);
        for listed in listed.filter(|link| link.form.is_bare()) {
            let Some((link_idx, link)) = links.find(|(_, link)| link.span == listed.span) else {
                break;
            };
            let prefix = answers.prefixes[usize::from(link.prefix_idx)];
            let rest = link.span.slice(text);
            if listed.destination.strip_prefix(prefix) != Some(rest) {
                answers.hrefs.push_str(&listed.destination);
                let (link_idx, it) = (link_idx as u32, answers.hrefs.len());
                answers.href_ends.push(OfLink { link_idx, it });
            }
        }
        answers.shrink();
        answers
    }

    fn push(&mut self, candidate: Candidate, verdict: Verdict) {
        let Candidate { kind, span } = candidate;
        let verdict = match verdict {
            Verdict::Linked { span: link, prefix, trims, .. } => {
                let link_idx = self.links.len() as u32;
                self.trims.extend(trims.into_iter().map(|it| OfLink { link_idx, it }));
                let prefix_idx = self.prefix_idx(prefix);
                self.links.push(Linked {
                    candidate_start: span.start,
                    // No candidate is longer than `www.`.
                    candidate_len: span.len() as u8,
                    kind,
                    prefix_idx,
                    span: link,
                });
                return;
            }
            Verdict::Refused { rule, at, .. } => unlinked::Verdict::Refused { rule, at },
            Verdict::Elsewhere(place) => unlinked::Verdict::Elsewhere(place),
            // A verdict added to the library must be added here.
            _ => return,
        };
        self.unlinked.push(unlinked::Candidate { kind, span, verdict });
    }

    fn prefix_idx(&mut self, prefix: &'static str) -> u8 {
        let known = self.prefixes.iter().position(|known| *known == prefix);
        let prefix_idx = known.unwrap_or_else(|| {
            self.prefixes.push(prefix);
            self.prefixes.len() - 1
        });
        // There are few prefixes.
        prefix_idx as u8
    }

    /// Frees unused capacity.
    fn shrink(&mut self) {
        self.links.shrink_to_fit();
        self.trims.shrink_to_fit();
        self.hrefs.shrink_to_fit();
        self.href_ends.shrink_to_fit();
        self.unlinked.shrink();
    }

    /// The candidates that are links, in order.
    pub(crate) fn linked(&self) -> impl Iterator<Item = Candidate> {
        self.links.iter().map(|link| {
            let end = link.candidate_start + u32::from(link.candidate_len);
            Candidate { kind: link.kind, span: Span::new(link.candidate_start, end) }
        })
    }

    /// The candidates that are not links, in order.
    pub(crate) fn unlinked(&self) -> unlinked::Iter<'_> {
        self.unlinked.iter()
    }

    /// The link with this index.
    pub(crate) fn link(&self, idx: usize) -> Link<'_> {
        let Linked { prefix_idx, span, .. } = self.links[idx];
        let trims = of_link(&self.trims, idx);
        let is_before = |end: &OfLink<usize>| (end.link_idx as usize) < idx;
        let own_idx = self.href_ends.partition_point(is_before);
        let href = match self.href_ends.get(own_idx) {
            Some(end) if end.link_idx as usize == idx => {
                let start = own_idx.checked_sub(1).map_or(0, |before| self.href_ends[before].it);
                Href { prefix: "", rest: &self.hrefs[start..end.it] }
            }
            _ => {
                let prefix = self.prefixes[usize::from(prefix_idx)];
                Href { prefix, rest: span.slice(self.text) }
            }
        };
        Link { idx, span, href, trims }
    }

    /// The link whose candidate starts at this offset.
    pub(crate) fn link_at(&self, start: u32) -> Option<Link<'_>> {
        let found = self.links.binary_search_by_key(&start, |link| link.candidate_start);
        found.ok().map(|idx| self.link(idx))
    }

    /// The link that contains an offset. Links do not overlap, so they are sorted by end, too.
    pub(crate) fn link_around(&self, offset: u32) -> Option<Link<'_>> {
        let idx = self.links.partition_point(|link| link.span.end <= offset);
        let link = self.links.get(idx)?;
        (link.span.start <= offset).then(|| self.link(idx))
    }

    /// The links whose candidates are within a span.
    pub(crate) fn links_within(&self, span: Span) -> impl Iterator<Item = Link<'_>> {
        let from = self.links.partition_point(|link| link.candidate_start < span.start);
        let to = self.links.partition_point(|link| link.candidate_start < span.end);
        (from..to.max(from)).map(|idx| self.link(idx))
    }
}

/// The items of one link.
fn of_link<T>(all: &[OfLink<T>], idx: usize) -> &[OfLink<T>] {
    let from = all.partition_point(|of| (of.link_idx as usize) < idx);
    let len = all[from..].iter().take_while(|of| of.link_idx as usize == idx).count();
    &all[from..from + len]
}
