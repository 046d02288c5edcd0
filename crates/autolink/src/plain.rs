//! Plain text as a dialect sees it: what the Markdown engine would show the
//! recogniser, worked out for text that is not Markdown.
//!
//! - The GFM dialects look for URLs and `www.` names in a paragraph, which ends
//!   at a blank line, and mind brackets that are open in it. E-mail addresses
//!   lie in the text between the links so found: in `a@b.c_www.d.ef` the
//!   `www.` name comes first, although it stands last.
//! - `md4c` looks at one line at a time, and all kinds are equal.
//!
//! No link crosses the end of a line, so a line is all that is measured; only
//! brackets need the paragraph, and only the part of it before the candidate.
//!
//! LINEAR: a line is measured when its first candidate is met; brackets are
//! counted once, up to the candidate that asks, and never before the last one
//! that did; no candidate is decided more than twice.

use memchr::{memchr, memrchr, memrchr3_iter};

use crate::candidate::{Candidate, Candidates};
use crate::context::{Context, Match};
use crate::gfm::EMAIL_DOMAIN;
use crate::rules::{Dialect, Kind, Rules};
use crate::verdict::{Report, Silent};
use crate::{gfm, github, md4c, natural};

/// Walks the candidates of a text and decides each.
#[derive(Clone, Debug)]
pub(crate) struct Plain<'t> {
    text: &'t [u8],
    rules: Rules,
    candidates: Candidates<'t>,
    /// Candidates before this are done with.
    passed: usize,
    /// Where the last link ended.
    linked: usize,
    /// Where the measured line ends.
    measured: usize,
    /// The measured line.
    region: Context,
    /// The text between links that an address of a GFM dialect lies in.
    node: Context,
    brackets: Brackets,
}

/// The brackets that are open in a paragraph.
#[derive(Clone, Copy, Debug)]
struct Brackets {
    /// Counted up to here.
    counted: usize,
    depth: usize,
    /// Where the outermost of them stands.
    outermost: usize,
}

impl<'t> Plain<'t> {
    pub(crate) const fn new(text: &'t [u8], rules: Rules) -> Self {
        Self {
            text,
            rules,
            candidates: Candidates::new(text, rules),
            passed: 0,
            linked: 0,
            measured: 0,
            region: Context::new(0, 0),
            node: Context::new(0, 0),
            brackets: Brackets::at(0),
        }
    }

    /// Decides the next candidate that lies in no link.
    #[inline]
    pub(crate) fn decide_next(
        &mut self,
        report: &mut impl Report,
    ) -> Option<(Candidate, Option<Match>)> {
        let candidate = self.candidates.at_or_after(self.passed)?;
        if candidate.start >= self.measured {
            self.measure(candidate.start, report);
        }
        let found = match (self.rules.dialect, candidate.kind) {
            (Dialect::Md4c, _) => self.match_in_region(candidate, report),
            (_, Kind::Email) => self.match_email(candidate.start, report),
            (_, Kind::Url | Kind::Www) => {
                self.count_brackets(candidate.start, report);
                let found = self.match_in_region(candidate, report);
                if let Some(link) = found {
                    // A bracket in a link is part of the link.
                    self.brackets.counted = link.end;
                }
                found
            }
        };
        self.passed = candidate.end();
        if let Some(link) = found {
            self.linked = link.end;
            self.passed = self.passed.max(link.end);
        }
        Some((candidate, found))
    }

    /// Decides a candidate that may lie anywhere in the line.
    #[inline]
    fn match_in_region(
        &mut self,
        candidate: Candidate,
        report: &mut impl Report,
    ) -> Option<Match> {
        let (text, at, region) = (self.text, candidate.start, &mut self.region);
        match (self.rules.dialect, candidate.kind) {
            (Dialect::Gfm, Kind::Url) => gfm::match_url(text, at, region, report),
            (Dialect::Gfm, Kind::Www) => gfm::match_www(text, at, region, report),
            (Dialect::Gfm, Kind::Email) => gfm::match_email(text, at, region, report),
            (Dialect::Github, Kind::Url) => github::match_url(text, at, region, report),
            (Dialect::Github, Kind::Www) => github::match_www(text, at, region, report),
            (Dialect::Github, Kind::Email) => github::match_email(text, at, region, report),
            (Dialect::Md4c, Kind::Url) => md4c::match_url(text, at, region, report),
            (Dialect::Md4c, Kind::Www) => md4c::match_www(text, at, region, report),
            (Dialect::Md4c, Kind::Email) => md4c::match_email(text, at, region, report),
            (Dialect::Natural, Kind::Url) => natural::match_url(text, at, region, report),
            (Dialect::Natural, Kind::Www) => natural::match_www(text, at, region, report),
            (Dialect::Natural, Kind::Email) => natural::match_email(text, at, region, report),
        }
    }

    /// Decides an address of a GFM dialect, between the links around it.
    #[inline]
    fn match_email(&mut self, at: usize, report: &mut impl Report) -> Option<Match> {
        self.node.end = self.find_link_in_domain(at, report).unwrap_or(self.region.end);
        self.node.start = self.region.start.max(self.linked);
        self.node.before = self.region.edge_before(self.text, self.node.start);
        match self.rules.dialect {
            Dialect::Gfm => gfm::match_email(self.text, at, &mut self.node, report),
            Dialect::Github => github::match_email(self.text, at, &mut self.node, report),
            Dialect::Md4c => md4c::match_email(self.text, at, &mut self.node, report),
            Dialect::Natural => natural::match_email(self.text, at, &mut self.node, report),
        }
    }

    /// Where a URL or `www.` name starts within what could be the domain of the
    /// address at `at`: such a link was there first.
    #[inline]
    fn find_link_in_domain(&mut self, at: usize, report: &mut impl Report) -> Option<usize> {
        let next = self.candidates.at_or_after(at + 1)?;
        if next.start > self.region.end {
            return None;
        }
        // A slash can be part of what `github` takes for an `xmpp:` address.
        let is_domain = |byte: &&u8| EMAIL_DOMAIN.contains(**byte) || **byte == b'/';
        let domain_len = self.text[at + 1..self.region.end].iter().take_while(is_domain).count();
        let domain_end = at + 1 + domain_len;
        report.examined(domain_len + 1);
        if next.start > domain_end {
            return None;
        }
        // LINEAR: the domains of two addresses do not overlap, as an `@` ends
        // them. So a candidate is decided once here and once in its turn.
        let mut ahead = self.candidates.clone();
        let mut from = at + 1;
        while let Some(candidate) = ahead.at_or_after(from)
            && candidate.start <= domain_end
        {
            if candidate.kind != Kind::Email {
                self.count_brackets(candidate.start, report);
                if let Some(link) = self.match_in_region(candidate, &mut Silent) {
                    return Some(link.start);
                }
            }
            from = candidate.end();
        }
        None
    }

    /// Measures the line around `at`.
    fn measure(&mut self, at: usize, report: &mut impl Report) {
        let (text, floor) = (self.text, self.measured);
        let start = find_line_start(text, floor, at);
        let end = find_line_end(text, at);
        report.examined(end - start);
        self.measured = end;
        self.region = Context::new(start, end);
        // DIALECT(github): the last byte of a paragraph is special. Elsewhere
        // the line feed may be seen as well as not.
        if end == text.len() || is_blank_line(text, end + 1) {
            let n_blanks = text[at..end].iter().rev().take_while(|&&b| is_blank(b)).count();
            self.region.end -= n_blanks;
        } else if self.rules.dialect != Dialect::Md4c {
            self.region.end += 1;
        }
    }

    /// Tells the region which bracket is open at `at`.
    #[inline]
    fn count_brackets(&mut self, at: usize, report: &mut impl Report) {
        report.examined(at.saturating_sub(self.brackets.counted));
        self.brackets.count_to(self.text, at);
        let Brackets { depth, outermost, .. } = self.brackets;
        self.region.open_bracket = (depth > 0).then_some(outermost as u32);
    }
}

impl Brackets {
    const fn at(start: usize) -> Self {
        Self { counted: start, depth: 0, outermost: start }
    }

    /// Counts on up to `at`, from there back to where the last count ended or
    /// to a blank line, which ends every bracket.
    #[inline]
    fn count_to(&mut self, text: &[u8], at: usize) {
        let Some(rest) = text.get(self.counted..at) else { return };
        let (mut n_open, mut n_closed, mut first_open) = (0, 0, 0);
        let mut line_end = rest.len();
        for offset in memrchr3_iter(b'[', b']', b'\n', rest) {
            match rest[offset] {
                b']' => n_closed += 1,
                b'[' if n_closed > 0 => n_closed -= 1,
                b'[' => {
                    n_open += 1;
                    first_open = self.counted + offset;
                }
                _ if rest[offset + 1..line_end].iter().all(|&byte| is_blank(byte)) => {
                    // The line behind this line feed is blank.
                    self.depth = 0;
                    break;
                }
                _ => line_end = offset,
            }
        }
        if self.depth <= n_closed {
            self.outermost = first_open;
        }
        self.depth = self.depth.saturating_sub(n_closed) + n_open;
        self.counted = at;
    }
}

/// Whether this byte leaves a line blank.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// Whether the line that starts at `start` is blank.
fn is_blank_line(text: &[u8], start: usize) -> bool {
    let end = text[start..].iter().find(|&&byte| !is_blank(byte));
    end.is_none_or(|&byte| byte == b'\n')
}

/// Where the line starts that `at` is in, `floor` at the least.
fn find_line_start(text: &[u8], floor: usize, at: usize) -> usize {
    memrchr(b'\n', &text[floor..at]).map_or(floor, |offset| floor + offset + 1)
}

/// Where the line ends that `at` is in, before its line feed.
fn find_line_end(text: &[u8], at: usize) -> usize {
    memchr(b'\n', &text[at..]).map_or(text.len(), |offset| at + offset)
}
