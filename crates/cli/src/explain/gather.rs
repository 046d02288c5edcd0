//! Joins the decisions of all dialects by candidate.
//!
//! The same document is explained once in each dialect; its blocks are the same in all. A dialect
//! may have no decision about a candidate because a link covers it (the `@` in `http://a@b.cd`), or
//! because the dialect does not look there (`WWW.`, or an `@` that is written as an entity).
//!
//! LINEAR: answers are in the order of the source and merged in one pass; links are found by binary
//! search. A case refers to answers, and copies none.

use std::iter::{self, Peekable};

use barelink::autolink::Kind;
use barelink::{Dialect, Document, Span};

use crate::explain::answers::{Answer, Answers, Candidate, Link};
use crate::explain::unlinked;

/// The answers of all dialects. "Ours" is the selected dialect.
#[derive(Debug)]
pub(crate) struct Gathered<'t> {
    ours: Answers<'t>,
    others: Vec<(Dialect, Answers<'t>)>,
}

/// A candidate with the decisions of all dialects.
#[derive(Debug, Clone)]
pub(crate) struct Case<'a> {
    /// The kind of the link that it would be.
    pub(crate) kind: Kind,
    /// The `://`, `www.` or `@`.
    pub(crate) candidate: Span,
    /// The decision of the selected dialect.
    pub(crate) answer: Answer<'a>,
    /// The decisions of all other dialects.
    theirs: Vec<Their<'a>>,
}

/// The decision of another dialect.
#[derive(Debug, Clone, Copy)]
struct Their<'a> {
    dialect: Dialect,
    answer: Answer<'a>,
    answers: &'a Answers<'a>,
}

impl<'t> Gathered<'t> {
    /// Collects the decisions of every dialect in the blocks that touch a span.
    pub(crate) fn new(document: &Document<'_, 't>, within: Span) -> Self {
        let ours = Answers::of(document, within);
        // Kinds of links that are switched off stay off.
        let mut autolinks = document.options().autolinks;
        let own = autolinks.dialect;
        let mut document = document.clone();
        let mut others = Vec::new();
        for &dialect in Dialect::ALL {
            if own != Some(dialect) {
                autolinks.dialect = Some(dialect);
                document = document.with_autolinks(autolinks);
                others.push((dialect, Answers::of(&document, within)));
            }
        }
        Self { ours, others }
    }

    /// The candidates of the selected dialect, and those that others link elsewhere, in order.
    pub(crate) fn cases(&self) -> Cases<'_> {
        let mut keys: Vec<Keys<'_>> = Vec::new();
        let unlinked = self.ours.unlinked();
        keys.push(boxed(unlinked.map(|it| Candidate { kind: it.kind, span: it.span })));
        keys.push(boxed(self.ours.linked()));
        keys.extend(self.others.iter().map(|(_, answers)| boxed(answers.linked())));
        let others = self.others.iter().map(|(dialect, answers)| (*dialect, Reader::new(answers)));
        Cases { keys, last: None, ours: Reader::new(&self.ours), others: others.collect() }
    }
}

/// Candidates of a dialect, in order.
type Keys<'a> = Peekable<Box<dyn Iterator<Item = Candidate> + 'a>>;

fn boxed<'a>(candidates: impl Iterator<Item = Candidate> + 'a) -> Keys<'a> {
    let candidates: Box<dyn Iterator<Item = Candidate> + 'a> = Box::new(candidates);
    candidates.peekable()
}

/// The cases of a document. See [`Gathered::cases`].
pub(crate) struct Cases<'a> {
    /// The candidates of the selected dialect, and after them the links of the others.
    keys: Vec<Keys<'a>>,
    /// The position of the last case.
    last: Option<u32>,
    ours: Reader<'a>,
    others: Vec<(Dialect, Reader<'a>)>,
}

impl<'a> Iterator for Cases<'a> {
    type Item = Case<'a>;

    fn next(&mut self) -> Option<Case<'a>> {
        loop {
            let Candidate { kind, span: candidate } = self.next_key()?;
            if self.last == Some(candidate.start) {
                continue;
            }
            let answer = match self.ours.exactly_about(candidate) {
                Some(answer) => answer,
                None if self.ours.answers.link_around(candidate.start).is_some() => continue,
                None => Answer::Unseen,
            };
            self.last = Some(candidate.start);
            let theirs = self.others.iter_mut().map(|(dialect, reader)| Their {
                dialect: *dialect,
                answer: reader.about(candidate),
                answers: reader.answers,
            });
            return Some(Case { kind, candidate, answer, theirs: theirs.collect() });
        }
    }
}

impl Cases<'_> {
    /// The first remaining candidate; of several at one position, that of the selected dialect.
    fn next_key(&mut self) -> Option<Candidate> {
        let starts = self.keys.iter_mut().enumerate();
        let (_, idx) = starts
            .filter_map(|(idx, candidates)| Some((candidates.peek()?.span.start, idx)))
            .min()?;
        self.keys[idx].next()
    }
}

/// Looks up the answers of a dialect about candidates, which must be in order.
struct Reader<'a> {
    answers: &'a Answers<'a>,
    /// The candidates that are not links, from the last one that was looked up.
    unlinked: Peekable<unlinked::Iter<'a>>,
}

impl<'a> Reader<'a> {
    fn new(answers: &'a Answers<'a>) -> Self {
        Self { answers, unlinked: answers.unlinked().peekable() }
    }

    /// The decision about a candidate.
    fn exactly_about(&mut self, candidate: Span) -> Option<Answer<'a>> {
        let start = candidate.start;
        if let Some(link) = self.answers.link_at(start) {
            return Some(Answer::Linked(link));
        }
        while self.unlinked.next_if(|before| before.span.start < start).is_some() {}
        self.unlinked.peek().filter(|it| it.span.start == start).map(|it| it.verdict.into())
    }

    /// The decision about a candidate, or about the link that covers it.
    fn about(&mut self, candidate: Span) -> Answer<'a> {
        self.exactly_about(candidate)
            .or_else(|| self.answers.link_around(candidate.start).map(Answer::Linked))
            .unwrap_or(Answer::Unseen)
    }
}

impl<'a> Case<'a> {
    /// The link with the parts that were trimmed from it, or else the candidate.
    pub(crate) fn region(&self) -> Span {
        self.answer.link().map_or(self.candidate, Link::region)
    }

    /// The position to show: the start of the link, or else of the candidate.
    pub(crate) fn start(&self) -> u32 {
        self.answer.link().map_or(self.candidate, |link| link.span).start
    }

    /// The decisions of all other dialects. A dialect that has several links within ours occurs
    /// several times.
    pub(crate) fn others(&self) -> impl Iterator<Item = (Dialect, Answer<'a>)> {
        let ours = self.answer.link().map(|link| link.span);
        self.theirs.iter().flat_map(move |&Their { dialect, answer, answers }| {
            let first = answer.link().map(|link| link.idx);
            let within = ours.into_iter().flat_map(|span| answers.links_within(span));
            let more = within.filter(move |link| Some(link.idx) != first).map(Answer::Linked);
            iter::once(answer).chain(more).map(move |answer| (dialect, answer))
        })
    }

    /// The dialects whose decision makes a visible difference.
    pub(crate) fn differing(&self) -> impl Iterator<Item = (Dialect, Answer<'a>)> {
        self.others().filter(|(_, other)| self.answer.differs(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::EVERYWHERE;
    use barelink::{Options, Place};

    fn gather<'t>(text: &'t str, options: &Options) -> Gathered<'t> {
        Gathered::new(&barelink::parse(text, options).unwrap(), EVERYWHERE)
    }

    fn only<'a>(gathered: &'a Gathered<'_>) -> Case<'a> {
        let mut cases: Vec<Case<'_>> = gathered.cases().collect();
        assert_eq!(cases.len(), 1, "{cases:?}");
        cases.remove(0)
    }

    /// The hrefs of the dialects that differ; none is an empty one.
    fn differing(case: &Case<'_>) -> Vec<(Dialect, String)> {
        case.differing()
            .map(|(dialect, answer)| {
                (dialect, answer.link().map(|link| link.href.to_string()).unwrap_or_default())
            })
            .collect()
    }

    #[test]
    fn dialects_that_agree_are_not_different() {
        let gathered = gather("see www.a.bc", &Options::gfm());
        let case = only(&gathered);
        assert_eq!(differing(&case), []);
        assert_eq!(case.others().count(), 3);
    }

    #[test]
    fn dialects_that_differ_are_told() {
        let gathered = gather("(\"http://a.bc\")", &Options::md4c());
        let case = only(&gathered);
        let found = differing(&case);
        assert!(found.contains(&(Dialect::Github, "http://a.bc".to_owned())), "{found:?}");
        assert!(!found.iter().any(|(dialect, _)| *dialect == Dialect::Gfm), "{found:?}");
    }

    #[test]
    fn a_link_of_another_dialect_within_ours_is_told() {
        // MD4C allows no `@` in URLs, so it has an address after this one.
        let gathered = gather("ftp://x.yz/(a@b.cd)", &Options::gfm());
        let case = only(&gathered);
        let found = differing(&case);
        let md4c: Vec<_> = found.iter().filter(|(dialect, _)| *dialect == Dialect::Md4c).collect();
        assert_eq!(md4c[0].1, "", "{found:?}");
        assert_eq!(md4c[1].1, "mailto:a@b.cd", "{found:?}");
    }

    #[test]
    fn a_candidate_of_another_dialect_is_told() {
        // Only the GFM dialects look for addresses in decoded text.
        let gathered = gather("a&#64;b.cd", &Options::md4c());
        let case = only(&gathered);
        assert_eq!(case.answer, Answer::Unseen);
        let found = differing(&case);
        assert!(found.contains(&(Dialect::Gfm, "mailto:a@b.cd".to_owned())), "{found:?}");
    }

    #[test]
    fn kinds_that_are_switched_off_are_so_in_every_dialect() {
        let mut options = Options::gfm();
        options.autolinks.url = false;
        let gathered = gather("http://a.bc", &options);
        let case = only(&gathered);
        assert_eq!(case.answer, Answer::Elsewhere(Place::SwitchedOff));
        assert_eq!(differing(&case), []);
        // Without a dialect, all four are others.
        let gathered = gather("http://a.bc", &Options::commonmark());
        let case = only(&gathered);
        assert_eq!(differing(&case).len(), 4);
    }
}
