//! What every dialect decided about every candidate, brought together.
//!
//! The same document is asked once for each dialect. Answers belong together if they are
//! about the same candidate. A candidate may be missing from an answer because a link
//! covers it (the `@` in `http://a@b.cd`), or because the dialect does not look there
//! (`WWW.`, or an `@` that is written as an entity).
//!
//! LINEAR: answers are sorted by their place, and looked for by bisection.

use std::collections::HashMap;

use barelink::autolink::{Kind, Rule, Trim};
use barelink::{Dialect, Options, Parser, Place, SourceTooLong, Span, Verdict};

/// A candidate with all that was decided about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Case {
    /// The kind of link it would be.
    pub(crate) kind: Kind,
    /// The `://`, `www.` or `@`.
    pub(crate) candidate: Span,
    /// The decision of the dialect that was asked for.
    pub(crate) answer: Answer,
    /// Those of all others. A dialect may come twice, if it sees two links in our one.
    pub(crate) others: Vec<(Dialect, Answer)>,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It is a link, or part of one.
    Linked { span: Span, href: String, trims: Vec<Trim> },
    /// A rule refuses it.
    Refused { rule: Rule, at: u32 },
    /// It is where no link is looked for.
    Elsewhere(Place),
    /// It is no candidate in this dialect.
    Unseen,
}

impl Case {
    /// The link with what was left outside of it, or else the candidate.
    pub(crate) fn region(&self) -> Span {
        match &self.answer {
            Answer::Linked { span, trims, .. } => trims.iter().fold(*span, |hull, trim| {
                Span::new(hull.start.min(trim.span.start), hull.end.max(trim.span.end))
            }),
            _ => self.candidate,
        }
    }

    /// Where it is to be looked for: the start of the link, or else of the candidate.
    pub(crate) fn start(&self) -> u32 {
        match &self.answer {
            Answer::Linked { span, .. } => span.start,
            _ => self.candidate.start,
        }
    }

    /// How many bytes it is away from `offset`.
    pub(crate) fn distance(&self, offset: u32) -> u32 {
        let region = self.region();
        region.start.saturating_sub(offset).max((offset + 1).saturating_sub(region.end))
    }

    /// The dialects that make another link of it than ours, or one where ours makes none.
    pub(crate) fn differing(&self) -> impl Iterator<Item = &(Dialect, Answer)> {
        self.others.iter().filter(|(_, other)| self.answer.differs(other))
    }
}

impl Answer {
    /// The verdict in a word.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Linked { .. } => "linked",
            Self::Refused { .. } => "refused",
            Self::Elsewhere(_) => "elsewhere",
            Self::Unseen => "unseen",
        }
    }

    /// Whether the reader of the page would notice.
    pub(crate) fn differs(&self, other: &Self) -> bool {
        self.link() != other.link()
    }

    fn link(&self) -> Option<(Span, &str)> {
        match self {
            Self::Linked { span, href, .. } => Some((*span, href)),
            _ => None,
        }
    }
}

/// Every candidate of the document, in order.
pub(crate) fn cases(text: &str, options: &Options) -> Result<Vec<Case>, SourceTooLong> {
    let ours = Answers::of(text, options.clone())?;
    let mut others = Vec::new();
    for &dialect in Dialect::ALL {
        if options.autolinks.dialect != Some(dialect) {
            // The kinds that are switched off stay so.
            let mut options = options.clone();
            options.autolinks.dialect = Some(dialect);
            others.push((dialect, Answers::of(text, options)?));
        }
    }
    let mut keys: Vec<(u32, Span, Kind)> = ours.keys().collect();
    for (_, answers) in &others {
        let linked = answers.linked.iter().map(|&idx| &answers.entries[idx]);
        keys.extend(
            linked
                .filter(|entry| ours.about(entry.candidate) == Answer::Unseen)
                .map(|entry| (entry.candidate.start, entry.candidate, entry.kind)),
        );
    }
    keys.sort_by_key(|&(start, ..)| start);
    keys.dedup_by_key(|&mut (start, ..)| start);
    let cases = keys.into_iter().map(|(_, candidate, kind)| {
        let answer = ours.about(candidate);
        let others = others.iter().flat_map(|(dialect, answers)| {
            answers.about_all(candidate, &answer).into_iter().map(|found| (*dialect, found))
        });
        Case { kind, candidate, others: others.collect(), answer }
    });
    Ok(cases.collect())
}

/// What one dialect decided, sorted by candidate.
struct Answers {
    entries: Vec<Entry>,
    /// The indices of those that are links.
    linked: Vec<usize>,
}

struct Entry {
    kind: Kind,
    candidate: Span,
    answer: Answer,
}

impl Answers {
    fn of(text: &str, options: Options) -> Result<Self, SourceTooLong> {
        let mut parser = Parser::new(options);
        let document = parser.parse(text)?;
        // A destination may be more than a prefix and the text: what is escaped in the
        // source is not in it.
        let hrefs: HashMap<Span, String> = document
            .links()
            .filter(|link| link.form.is_bare())
            .map(|link| (link.span, link.destination.into_owned()))
            .collect();
        let mut entries: Vec<Entry> = document
            .explain()
            .map(|decision| Entry {
                kind: decision.kind,
                candidate: decision.candidate,
                answer: answer(decision.verdict, &hrefs, text),
            })
            .collect();
        entries.sort_by_key(|entry| entry.candidate.start);
        let linked =
            (0..entries.len()).filter(|&idx| entries[idx].answer.link().is_some()).collect();
        Ok(Self { entries, linked })
    }

    fn keys(&self) -> impl Iterator<Item = (u32, Span, Kind)> {
        self.entries.iter().map(|entry| (entry.candidate.start, entry.candidate, entry.kind))
    }

    /// The decision about a candidate, or about the link that covers it.
    fn about(&self, candidate: Span) -> Answer {
        let same = self.entries.binary_search_by_key(&candidate.start, |e| e.candidate.start);
        let found = match same {
            Ok(idx) => Some(&self.entries[idx]),
            Err(_) => self.covering(candidate),
        };
        found.map_or(Answer::Unseen, |entry| entry.answer.clone())
    }

    /// The decision, and all links that lie within `ours` beside it.
    fn about_all(&self, candidate: Span, ours: &Answer) -> Vec<Answer> {
        let mut found = vec![self.about(candidate)];
        if let Some((span, _)) = ours.link() {
            let from = self.linked.partition_point(|&idx| self.start(idx) < span.start);
            let within = self.linked[from..].iter().take_while(|&&idx| self.start(idx) < span.end);
            for &idx in within {
                if !found.contains(&self.entries[idx].answer) {
                    found.push(self.entries[idx].answer.clone());
                }
            }
        }
        found
    }

    /// The link around a candidate. Links do not overlap, so they are sorted, too.
    fn covering(&self, candidate: Span) -> Option<&Entry> {
        let is_before = |idx: usize| {
            self.entries[idx].answer.link().is_some_and(|(span, _)| span.end <= candidate.start)
        };
        let idx = *self.linked.get(self.linked.partition_point(|&idx| is_before(idx)))?;
        let entry = &self.entries[idx];
        entry.answer.link().filter(|(span, _)| span.start <= candidate.start).map(|_| entry)
    }

    fn start(&self, idx: usize) -> u32 {
        self.entries[idx].candidate.start
    }
}

fn answer(verdict: Verdict, hrefs: &HashMap<Span, String>, text: &str) -> Answer {
    match verdict {
        Verdict::Linked { span, prefix, trims, .. } => {
            let href = match hrefs.get(&span) {
                Some(href) => href.clone(),
                None => format!("{prefix}{}", span.slice(text)),
            };
            Answer::Linked { span, href, trims }
        }
        Verdict::Refused { rule, at, .. } => Answer::Refused { rule, at },
        Verdict::Elsewhere(place) => Answer::Elsewhere(place),
        _ => Answer::Unseen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str, options: &Options) -> Case {
        let mut cases = cases(text, options).unwrap();
        assert_eq!(cases.len(), 1, "{cases:?}");
        cases.remove(0)
    }

    /// The hrefs of the dialects that differ; none is an empty one.
    fn differing(case: &Case) -> Vec<(Dialect, String)> {
        case.differing()
            .map(|(dialect, answer)| {
                (*dialect, answer.link().map(|(_, href)| href.to_owned()).unwrap_or_default())
            })
            .collect()
    }

    #[test]
    fn dialects_that_agree_are_not_different() {
        let case = only("see www.a.bc", &Options::gfm());
        assert_eq!(differing(&case), []);
        assert_eq!(case.others.len(), 3);
    }

    #[test]
    fn dialects_that_differ_are_told() {
        let case = only("(\"http://a.bc\")", &Options::md4c());
        let found = differing(&case);
        assert!(found.contains(&(Dialect::Github, "http://a.bc".to_owned())), "{found:?}");
        assert!(!found.iter().any(|(dialect, _)| *dialect == Dialect::Gfm), "{found:?}");
    }

    #[test]
    fn a_link_of_another_dialect_within_ours_is_told() {
        // MD4C has no `@` in its URLs, and an address behind it.
        let case = only("ftp://x.yz/(a@b.cd)", &Options::gfm());
        let found = differing(&case);
        let md4c: Vec<_> = found.iter().filter(|(dialect, _)| *dialect == Dialect::Md4c).collect();
        assert_eq!(md4c[0].1, "", "{found:?}");
        assert_eq!(md4c[1].1, "mailto:a@b.cd", "{found:?}");
    }

    #[test]
    fn a_candidate_of_another_dialect_is_told() {
        // Only the GFM dialects look for addresses in decoded text.
        let case = only("a&#64;b.cd", &Options::md4c());
        assert_eq!(case.answer, Answer::Unseen);
        let found = differing(&case);
        assert!(found.contains(&(Dialect::Gfm, "mailto:a@b.cd".to_owned())), "{found:?}");
    }

    #[test]
    fn kinds_that_are_switched_off_are_so_in_every_dialect() {
        let mut options = Options::gfm();
        options.autolinks.url = false;
        let case = only("http://a.bc", &options);
        assert_eq!(case.answer, Answer::Elsewhere(Place::SwitchedOff));
        assert_eq!(differing(&case), []);
        // Without a dialect, all four are others.
        let case = only("http://a.bc", &Options::commonmark());
        assert_eq!(differing(&case).len(), 4);
    }
}
