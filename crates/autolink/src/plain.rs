//! Plain text as a dialect sees it: the regions that the Markdown engine would show the
//! recognizers, for text that is not Markdown.
//!
//! - The GFM dialects look for URLs and `www.` names in a paragraph, which ends at a blank line,
//!   and respect brackets that are open in it. E-mail addresses are in the text between those
//!   links: in `a@b.c_www.d.ef` the `www.` name has precedence, although it comes last.
//! - `md4c` reads one line at a time, and treats all kinds alike.
//! - `natural` looks for URLs and `www.` names in a paragraph too, ignoring brackets, and for
//!   addresses between them.
//!
//! Whitespace ends every link and may precede any, so the limits of lines and paragraphs matter
//! only to brackets, and in `github` to the last byte.
//!
//! LINEAR: a word is measured at its first candidate; brackets are counted at most twice, up to the
//! current candidate, and never before the previous one; no candidate is decided more than twice.

use barelink_text::ByteSet;
use barelink_text::chars::prev_char;
use barelink_text::find::Bracket;

use crate::balance::{Balance, is_blank};
use crate::candidate::{Candidate, Candidates, leap};
use crate::decide::decide;
use crate::gfm::{EMAIL_DOMAIN, LOCAL_PART};
use crate::region::{Edge, Match, Region};
use crate::rules::{Dialect, Kind, Rules};
use crate::trim::scan_until;
use crate::verdict::{Report, Silent};

/// The separators of words.
static SPACE: ByteSet = ByteSet::of(b" \t\n\r");

/// The bytes that can precede the `@` of an address in any dialect: those of a local part, or the
/// colon of a scheme.
static BEFORE_AT: ByteSet = LOCAL_PART.union(ByteSet::of(b"':")).add_range(0x80, 0xFF);

/// Hosts are rarely longer than this.
const MAX_HOST: usize = 64;

/// Walks the candidates of a text and decides each.
#[derive(Clone, Debug)]
pub(crate) struct Plain<'t> {
    text: &'t [u8],
    rules: Rules,
    schemes: &'t [&'t str],
    /// `None` until there may be a candidate: most short texts have none.
    walk: Option<Walk<'t>>,
}

impl<'t> Plain<'t> {
    #[inline]
    pub(crate) const fn new(text: &'t [u8], rules: Rules) -> Self {
        Self::with_schemes(text, rules, &[])
    }

    #[inline]
    pub(crate) const fn with_schemes(text: &'t [u8], rules: Rules, schemes: &'t [&'t str]) -> Self {
        Self { text, rules, schemes, walk: None }
    }

    /// Whether the host of `link`, the last link, may have to be converted to Punycode.
    #[inline]
    pub(crate) fn can_be_idn(&self, link: Match) -> bool {
        let walk = self.walk.as_ref().filter(|_| self.rules.dialect == Dialect::Natural);
        walk.is_some_and(|walk| !walk.decider.region.has_ascii_host(link))
    }

    /// The next link, and its kind.
    #[inline]
    pub(crate) fn next_link(&mut self) -> Option<(Kind, Match)> {
        if self.walk.is_none() && !self.start() {
            return None;
        }
        self.walk.as_mut()?.next_link()
    }

    /// Decides the next candidate outside of links.
    pub(crate) fn decide_next(
        &mut self,
        report: &mut impl Report,
    ) -> Option<(Candidate, Option<Match>)> {
        if self.walk.is_none() && !self.start() {
            return None;
        }
        self.walk.as_mut()?.decide_next(report)
    }

    /// Starts the walk, if the text can have candidates.
    fn start(&mut self) -> bool {
        let first = leap(self.text, self.rules, self.schemes);
        match first {
            Some(first) => self.start_at(first),
            // So that the text is not searched again.
            None => self.text = &[],
        }
        first.is_some()
    }

    /// Starts the walk at `first`. A separate function, since it moves many bytes.
    #[inline(never)]
    fn start_at(&mut self, first: usize) {
        self.walk = Some(Walk {
            candidates: Candidates::with_schemes(self.text, self.rules, self.schemes),
            passed: first,
            decider: Decider::new(self.text, self.rules.dialect),
        });
    }
}

/// The walk over the candidates.
#[derive(Clone, Debug)]
struct Walk<'t> {
    candidates: Candidates<'t>,
    /// Candidates before this are done.
    passed: usize,
    decider: Decider<'t>,
}

impl Walk<'_> {
    fn next_link(&mut self) -> Option<(Kind, Match)> {
        loop {
            if let (candidate, Some(link)) = self.decide_next(&mut Silent)? {
                return Some((candidate.kind, link));
            }
        }
    }

    #[inline]
    fn decide_next(&mut self, report: &mut impl Report) -> Option<(Candidate, Option<Match>)> {
        let candidate = self.candidates.at_or_after(self.passed)?;
        let found = self.decider.decide(candidate, &mut self.candidates, report);
        self.passed = match found {
            Some(link) => candidate.end().max(link.end),
            None => candidate.end(),
        };
        Some((candidate, found))
    }
}

/// The state for deciding candidates.
#[derive(Clone, Debug)]
struct Decider<'t> {
    text: &'t [u8],
    dialect: Dialect,
    /// The end of the last link.
    linked: usize,
    /// The whole text, except after [`Decider::measure_word`].
    region: Region,
    /// The end of the last measured word.
    measured: usize,
    /// The text between links in which addresses are decided, once there was one.
    node: Option<Region>,
    brackets: Balance,
}

impl<'t> Decider<'t> {
    fn new(text: &'t [u8], dialect: Dialect) -> Self {
        Self {
            text,
            dialect,
            linked: 0,
            region: Region::new(0, text.len()),
            measured: 0,
            node: None,
            brackets: Balance::at(0),
        }
    }

    /// Decides a candidate; `candidates` are those after it.
    fn decide(
        &mut self,
        candidate: Candidate,
        candidates: &mut Candidates<'t>,
        report: &mut impl Report,
    ) -> Option<Match> {
        let found = match (self.dialect, candidate.kind) {
            (Dialect::Md4c, _)
            | (Dialect::Natural, Kind::Url | Kind::Www | Kind::Domain | Kind::Scheme) => {
                self.match_in_region(candidate, report)
            }
            // A mention, as in `hi @you`: with a silent report, the broken rule need not be found.
            (_, Kind::Email) if !report.is_heard() && !self.is_behind_name(candidate.start) => None,
            (_, Kind::Email) => self.match_in_node(candidate, candidates, report),
            (_, Kind::Url | Kind::Www | Kind::Domain | Kind::Scheme) => {
                self.count_brackets(candidate.start);
                let found = self.match_in_region(candidate, report);
                if let Some(link) = found {
                    // A bracket in a link is part of the link.
                    self.brackets.counted = link.end;
                }
                found
            }
        };
        if let Some(link) = found {
            self.linked = link.end;
            if self.dialect == Dialect::Natural {
                // A link may end right before the `://` of the next candidate.
                self.region.start = link.end;
                // In Markdown, addresses are looked for after all URLs are known.
                self.region.before = match candidate.kind {
                    Kind::Email => prev_char(self.text, link.end).map_or(Edge::Open, Edge::Char),
                    _ => Edge::Open,
                };
            }
        }
        found
    }

    /// Decides a candidate in the current region.
    #[inline]
    fn match_in_region(&mut self, candidate: Candidate, report: &mut impl Report) -> Option<Match> {
        if self.dialect == Dialect::Github && candidate.start >= self.measured {
            // If a path or a port ends the host, it does not depend on the end of the paragraph.
            if self.is_host_ended(candidate.end()) {
                self.region.end = self.text.len();
            } else {
                self.measure_word(candidate.start);
            }
        }
        decide(self.dialect, candidate, self.text, &mut self.region, report)
    }

    /// Whether an address may have its `@` at `at`.
    #[inline]
    fn is_behind_name(&self, at: usize) -> bool {
        at > self.linked && BEFORE_AT.contains(self.text[at - 1])
    }

    /// Decides an address in the text between the links around it.
    #[inline]
    fn match_in_node(
        &mut self,
        candidate: Candidate,
        candidates: &mut Candidates<'t>,
        report: &mut impl Report,
    ) -> Option<Match> {
        let link = self.find_link_in_domain(candidate.start, candidates);
        let node = self.node.get_or_insert_with(|| Region::new(0, self.text.len()));
        node.end = link.unwrap_or(self.text.len());
        node.start = self.linked;
        node.before = prev_char(self.text, self.linked).map_or(Edge::Open, Edge::Char);
        decide(self.dialect, candidate, self.text, node, report)
    }

    /// The start of a URL or `www.` name within what could be the domain of the address at `at`:
    /// such a link has precedence.
    #[inline]
    fn find_link_in_domain(&mut self, at: usize, candidates: &mut Candidates<'t>) -> Option<usize> {
        let next = candidates.at_or_after(at + 1)?;
        // `github` accepts slashes in an `xmpp:` address.
        let is_natural = self.dialect == Dialect::Natural;
        let is_domain = |byte: &&u8| {
            EMAIL_DOMAIN.contains(**byte) || **byte == b'/' || (is_natural && !byte.is_ascii())
        };
        let domain_len = self.text[at + 1..].iter().take_while(is_domain).count();
        let mut domain_end = at + 1 + domain_len;
        if is_natural && matches!(self.text.get(domain_end), Some(b':' | b'@')) {
            // `natural` looks past these, where the scheme of a URL may begin.
            domain_end += ":https".len();
        }
        if next.start > domain_end {
            return None;
        }
        // LINEAR: the domains of two addresses do not overlap, as an `@` ends them. So a candidate
        // is decided once here and once in its turn.
        let mut ahead = candidates.clone();
        let mut from = at + 1;
        while let Some(candidate) = ahead.at_or_after(from)
            && candidate.start <= domain_end
        {
            if matches!(candidate.kind, Kind::Url | Kind::Www) {
                self.count_brackets(candidate.start);
                if let Some(link) = self.match_in_region(candidate, &mut Silent) {
                    return Some(link.start);
                }
            }
            from = candidate.end();
        }
        None
    }

    /// Whether punctuation ends what may be a host at `start`.
    ///
    /// LINEAR: one long host may contain many candidates, so at most [`MAX_HOST`] bytes of it are
    /// read. The word of a longer one is measured once.
    #[inline]
    fn is_host_ended(&self, start: usize) -> bool {
        let rest = self.text.get(start..).unwrap_or_default();
        let rest = &rest[..rest.len().min(MAX_HOST)];
        let mut bytes = rest.iter().skip_while(|&&byte| EMAIL_DOMAIN.contains(byte));
        bytes.next().is_some_and(|byte| matches!(byte, b'/' | b':' | b'?' | b'#' | b')'))
    }

    /// Ends the region with the word at `at` if that ends the paragraph, and else with the text.
    #[inline]
    fn measure_word(&mut self, at: usize) {
        let word_end = scan_until(self.text, at, self.text.len(), &SPACE);
        let is_last = match scan_blanks(&self.text[word_end..]) {
            [] => true,
            [b'\n', next_line @ ..] => matches!(scan_blanks(next_line), [] | [b'\n', ..]),
            _ => false,
        };
        self.measured = word_end;
        self.region.end = if is_last { self.measured } else { self.text.len() };
    }

    /// Sets the open bracket of the region, as of `at`.
    #[inline]
    fn count_brackets(&mut self, at: usize) {
        if !self.brackets.count_closed(self.text, at) {
            self.brackets.count_to::<Bracket, b'[', b']'>(self.text, at);
        }
        let Balance { depth, outermost, .. } = self.brackets;
        self.region.open_bracket = (depth > 0).then_some(outermost as u32);
    }
}

/// `text` without its leading blanks.
fn scan_blanks(text: &[u8]) -> &[u8] {
    let n_blanks = text.iter().take_while(|&&byte| is_blank(byte)).count();
    &text[n_blanks..]
}
