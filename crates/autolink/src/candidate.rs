//! Finds where a bare link could be: at a `://`, a `www.` or an `@`; if links without a scheme are
//! wanted, also at a period between two letters or digits; and at the colon of the caller's own
//! schemes.
//!
//! Nearly all text has none of them, so the search has to cost next to nothing: the kernel
//! [`Trigger`] leaps to where one of the three may be, and only the bytes there are examined.
//!
//! LINEAR: the search only moves forward, and each stop of the kernel is examined once.

use barelink_text::Span;
use barelink_text::find::{Kernel as _, Stops, Trigger};

use crate::rules::{Dialect, Kind, Rules};

/// A place where a bare link could be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The kind of link it would be.
    pub kind: Kind,
    /// The start of its `://`, `www.`, `@`, period or colon.
    pub start: usize,
}

impl Candidate {
    /// The end of the `://`, `www.`, `@`, period or colon.
    #[inline]
    pub const fn end(self) -> usize {
        self.start
            + match self.kind {
                Kind::Url => 3,
                Kind::Www => 4,
                Kind::Email | Kind::Domain | Kind::Scheme => 1,
            }
    }

    /// The span of the `://`, `www.`, `@`, period or colon.
    #[inline]
    pub const fn span(self) -> Span {
        Span::new(self.start as u32, self.end() as u32)
    }
}

/// The caller's own schemes, in whatever form the caller stores them.
pub trait Schemes {
    /// Whether there are none.
    fn is_empty(&self) -> bool;

    /// Whether `scheme` is one of them, ignoring case.
    fn has(&self, scheme: &[u8]) -> bool;

    /// Whether every scheme that is followed by `//` counts.
    fn has_any(&self) -> bool {
        false
    }
}

impl Schemes for &[&str] {
    fn is_empty(&self) -> bool {
        <[&str]>::is_empty(self)
    }

    fn has(&self, scheme: &[u8]) -> bool {
        self.iter().any(|own| own.as_bytes().eq_ignore_ascii_case(scheme))
    }

    fn has_any(&self) -> bool {
        self.contains(&"*")
    }
}

/// The candidates of a text, found on demand.
///
/// ```
/// use barelink_autolink::{Dialect, Kind, Rules, engine::Candidates};
///
/// let text = b"see www.a.bc or mail a@b.cd";
/// let mut candidates = Candidates::new(text, Rules::new(Dialect::Gfm));
/// assert_eq!(candidates.at_or_after(0).unwrap().start, 4);
/// assert_eq!(candidates.at_or_after(3).unwrap().start, 4);
/// assert_eq!(candidates.at_or_after(5).unwrap().kind, Kind::Email);
/// assert_eq!(candidates.at_or_after(23), None);
/// ```
#[derive(Clone, Debug)]
pub struct Candidates<'t, S = &'t [&'t str]> {
    text: &'t [u8],
    rules: Rules,
    /// The first candidate that has not been passed yet.
    next: Option<Candidate>,
    /// Whether no candidate is left: most texts have none at all, and are queried often.
    is_done: bool,
    /// Whether there is more to look for than `://`, `www.` and `@`: periods, or colons.
    has_more: bool,
    triggers: Stops<'t, Trigger>,
    /// The caller's own schemes.
    schemes: S,
    /// With `has_more`, the first of each sort that has not been passed yet: the colon of an own
    /// scheme, a `://`, `www.` or `@`, and a period.
    ahead: [Option<Candidate>; 3],
}

impl<'t> Candidates<'t> {
    /// The candidates of the kinds that `rules` includes.
    pub fn new(text: &'t [u8], rules: Rules) -> Self {
        Self::with_schemes(text, rules, &[])
    }
}

impl<'t, S: Schemes> Candidates<'t, S> {
    /// Like [`Candidates::new`], with the candidates of `schemes` too, which are given in lower
    /// case and without their colon. Only [`Dialect::Natural`] looks for them.
    ///
    /// ```
    /// use barelink_autolink::engine::Candidates;
    /// use barelink_autolink::{Dialect, Kind, Rules};
    ///
    /// let rules = Rules::new(Dialect::Natural);
    /// let schemes: &[&str] = &["tel"];
    /// let mut candidates = Candidates::with_schemes(b"call tel:+1-555", rules, schemes);
    /// let candidate = candidates.at_or_after(0).unwrap();
    /// assert_eq!((candidate.kind, candidate.start), (Kind::Scheme, 8));
    /// ```
    pub fn with_schemes(text: &'t [u8], rules: Rules, schemes: S) -> Self {
        let triggers = Stops::new(text, 0, text.len());
        let has_more = has_more(rules, &schemes);
        let (next, ahead) = (None, [None; 3]);
        Self { text, rules, next, is_done: false, has_more, triggers, schemes, ahead }
    }

    /// The rules it was made with.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The schemes it was made with.
    pub fn schemes(&self) -> &S {
        &self.schemes
    }

    /// Starts over, so that places that were passed may be queried again.
    pub fn restart(&mut self) {
        self.triggers = Stops::new(self.text, 0, self.text.len());
        (self.next, self.ahead, self.is_done) = (None, [None; 3], false);
    }

    /// The first candidate that starts at `at` or later. It never goes back: `at` should not
    /// decrease from call to call.
    #[inline]
    pub fn at_or_after(&mut self, at: usize) -> Option<Candidate> {
        match self.next {
            Some(next) if next.start >= at => Some(next),
            None if self.is_done => None,
            _ => self.search(at.min(self.text.len())),
        }
    }

    /// Whether any candidate starts in this span. Spans must come in order, as in
    /// [`Candidates::at_or_after`].
    #[inline]
    pub fn has_any(&mut self, span: Span) -> bool {
        let first = self.at_or_after(span.start as usize);
        first.is_some_and(|first| first.start < span.end as usize)
    }

    /// Whether a text joined from lines may have candidates that the lines do not have: periods and
    /// colons depend on their neighbors, and NUL is replaced by another character.
    #[inline]
    pub fn may_be_joined(&self) -> bool {
        self.has_more
    }

    /// Looks for a candidate from `from` on.
    fn search(&mut self, from: usize) -> Option<Candidate> {
        self.next = if self.has_more { self.search_all(from) } else { self.search_sign(from) };
        self.is_done = self.next.is_none();
        self.next
    }

    /// Looks for every sort of candidate, and takes the first one.
    #[cold]
    fn search_all(&mut self, from: usize) -> Option<Candidate> {
        let is_ahead = |candidate: &Candidate| candidate.start >= from;
        // LINEAR: a result that is still ahead is reused, and so is the result that there is none.
        let [colon, sign, period] = self.ahead.map(|candidate| candidate.filter(is_ahead));
        let nowhere = Candidate { kind: Kind::Url, start: usize::MAX };
        let colon = colon.or_else(|| self.find_colon(from));
        let sign = sign.or_else(|| self.search_sign(from));
        let period =
            period.or_else(|| if self.rules.domains { find_period(self.text, from) } else { None });
        self.ahead = [colon, sign, period].map(|found| found.or(Some(nowhere)));
        // At the same place the earlier sort wins: the colon of `app://x` is not that of a URL.
        let first = self.ahead.into_iter().flatten().min_by_key(|candidate| candidate.start);
        first.filter(|candidate| candidate.start < usize::MAX)
    }

    /// Finds the first colon at `from` or later that ends a wanted scheme.
    fn find_colon(&self, from: usize) -> Option<Candidate> {
        if !wants_schemes(self.rules, &self.schemes) {
            return None;
        }
        let has_any = self.schemes.has_any();
        let is_scheme = |&at: &usize| {
            let scheme = &self.text[scheme_start(self.text, at)..at];
            let is_any = has_any && self.text[at..].starts_with(b"://") && is_any_scheme(scheme);
            is_any || self.schemes.has(scheme)
        };
        let mut colons = memchr::memchr_iter(b':', &self.text[from..]).map(|offset| from + offset);
        let start = colons.find(is_scheme)?;
        Some(Candidate { kind: Kind::Scheme, start })
    }

    /// Looks for a `://`, `www.` or `@`.
    fn search_sign(&mut self, from: usize) -> Option<Candidate> {
        // The trigger of a candidate is not before its start.
        self.triggers.seek(from);
        let (text, rules) = (self.text, self.rules);
        self.triggers.by_ref().find_map(|trigger| candidate_around(text, trigger, from, rules))
    }
}

/// A lower bound of the first candidate; `None` if there is certainly none.
#[inline]
pub(crate) fn leap(text: &[u8], rules: Rules, schemes: &[&str]) -> Option<usize> {
    if rules.domains || !schemes.is_empty() {
        return Some(0);
    }
    // A trigger may be the second byte of a sign.
    Trigger::leap(text).map(|trigger| trigger.saturating_sub(1))
}

/// Whether periods or colons are looked for.
#[inline]
fn has_more(rules: Rules, schemes: &impl Schemes) -> bool {
    rules.wants(Kind::Domain) || wants_schemes(rules, schemes)
}

/// Whether the caller's own schemes are looked for.
#[inline]
fn wants_schemes(rules: Rules, schemes: &impl Schemes) -> bool {
    !schemes.is_empty() && rules.wants(Kind::Scheme)
}

/// The maximum length of a caller's scheme.
const MAX_SCHEME: usize = 32;

/// Scans back over the characters of a scheme, from its end at `colon` to its start.
pub(crate) fn scheme_start(text: &[u8], colon: usize) -> usize {
    let before = &text[colon.saturating_sub(MAX_SCHEME + 1)..colon];
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    colon - before.iter().rev().take_while(is_scheme).count()
}

/// Schemes that `*` does not include: those with rules of their own, and those that run code or
/// hold data.
const NOT_ANY: [&[u8]; 6] = [b"http", b"https", b"ftp", b"javascript", b"vbscript", b"data"];

/// Whether `*` includes this scheme.
fn is_any_scheme(scheme: &[u8]) -> bool {
    (2..=MAX_SCHEME).contains(&scheme.len())
        && scheme[0].is_ascii_alphabetic()
        && !NOT_ANY.iter().any(|not| not.eq_ignore_ascii_case(scheme))
}

/// Finds the first period at `from` or later with a letter or digit on both sides.
fn find_period(text: &[u8], from: usize) -> Option<Candidate> {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b >= 0x80);
    let periods = memchr::memchr_iter(b'.', &text[from..]).map(|offset| from + offset);
    let mut periods = periods.filter(|&at| at > 0 && is_word(text.get(at - 1)));
    let start = periods.find(|&at| is_word(text.get(at + 1)))?;
    Some(Candidate { kind: Kind::Domain, start })
}

/// The wanted candidate that contains the trigger at `at` and starts at `from` or later.
#[inline]
fn candidate_around(text: &[u8], at: usize, from: usize, rules: Rules) -> Option<Candidate> {
    let byte = text[at];
    if byte == b'@' {
        return rules.email.then_some(Candidate { kind: Kind::Email, start: at });
    }
    // The pair of bytes at the trigger is the first or the second of its `://` or `www.`.
    let is_slash = byte == b'/';
    if is_slash || byte == b':' {
        let start = at.wrapping_sub(usize::from(is_slash));
        let is_url = rules.url && text.get(start..).is_some_and(|rest| rest.starts_with(b"://"));
        return (is_url && start >= from).then_some(Candidate { kind: Kind::Url, start });
    }
    let mut starts = at.saturating_sub(1).max(from)..=at;
    let start = starts.find(|&start| rules.www && is_www(&text[start..], rules.dialect))?;
    Some(Candidate { kind: Kind::Www, start })
}

/// Whether `rest` starts with a `www.` as the dialect spells it.
fn is_www(rest: &[u8], dialect: Dialect) -> bool {
    match dialect {
        Dialect::Natural => starts_with_www(rest),
        _ => rest.starts_with(b"www."),
    }
}

/// Whether `text` starts with `www.` in any case.
fn starts_with_www(text: &[u8]) -> bool {
    text.first_chunk().is_some_and(|start: &[u8; 4]| start.eq_ignore_ascii_case(b"www."))
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::{Candidates, is_www};
    use crate::rules::{Dialect, Rules};

    /// Whether a candidate starts exactly there.
    fn is_candidate(text: &[u8], start: usize, dialect: Dialect) -> bool {
        let rest = &text[start..];
        rest.starts_with(b"@") || rest.starts_with(b"://") || is_www(rest, dialect)
    }

    fn starts(text: &[u8]) -> Vec<usize> {
        starts_in(text, Dialect::Gfm)
    }

    fn starts_in(text: &[u8], dialect: Dialect) -> Vec<usize> {
        let mut candidates = Candidates::new(text, Rules::new(dialect));
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(candidate) = candidates.at_or_after(at) {
            found.push(candidate.start);
            at = candidate.start + 1;
        }
        found
    }

    #[test]
    fn found_wherever_a_block_ends() {
        for marker in ["://", "www.", "@", "w", ":/", "//", "WWW.", "wWw."] {
            for len in [0, 1, 2, 63, 64, 65, 127, 128, 129, 191, 300] {
                for start in 0..len {
                    let mut text = std::vec![b'a'; len];
                    text.splice(start..start, marker.bytes());
                    for dialect in [Dialect::Gfm, Dialect::Natural] {
                        let expected: Vec<_> = (0..text.len())
                            .filter(|&at| is_candidate(&text, at, dialect))
                            .collect();
                        let found = starts_in(&text, dialect);
                        assert_eq!(found, expected, "{marker} at {start} of {len}");
                    }
                }
            }
        }
    }

    #[test]
    fn all_of_a_crowd() {
        assert_eq!(starts(&b"a@".repeat(100)), (0..100).map(|n| 2 * n + 1).collect::<Vec<_>>());
        assert_eq!(starts(&b"://".repeat(50)), (0..50).map(|n| 3 * n).collect::<Vec<_>>());
        assert_eq!(starts(&b"www.".repeat(50)), (0..50).map(|n| 4 * n).collect::<Vec<_>>());
    }

    #[test]
    fn beyond_the_end_is_nothing() {
        let mut candidates = Candidates::new(b"a@", Rules::new(Dialect::Gfm));
        assert_eq!(candidates.at_or_after(usize::MAX), None);
        assert_eq!(candidates.at_or_after(0), None);
    }
}
