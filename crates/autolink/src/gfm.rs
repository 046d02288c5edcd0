//! `gfm`: GitHub Flavored Markdown's extended autolinks, as written.
//!
//! GFM 0.29 §6.9, Autolinks (extension). Sample: `(www.a.bc/x).` gives
//! (⟦www.a.bc/x⟧).
//!
//! ```text
//! link   = before ( scheme "://" domain | "www." domain ) rest | before email
//! before = start of line | whitespace | "*" | "_" | "~" | "("
//! scheme = "http" | "https" | "ftp"               in any case
//! domain = { letter or digit | "-" | "_" | "." }  a period; no "_" in the last two segments
//! rest   = { any but whitespace and "<" }         less its tail, see `trim`
//! email  = { ASCII letter or digit | "." | "-" | "_" | "+" } "@"
//!          { ASCII letter or digit | "." | "-" | "_" }
//! ```
//!
//! The domain of an address has a period, ends in neither `-` nor `_`, and leaves trailing periods
//! outside. Letters and digits of a URL's domain are Unicode's. The document does not say which
//! count in an address, so they are ASCII as in cmark-gfm. cmark-gfm also decides on case
//! (`HTTP://` is good, `WWW.` is not) and on an open bracket, which blocks URLs and `www.` names
//! but not addresses.
//!
//! Where others differ: cmark-gfm itself, see [`crate::github`]; the table in
//! `testdata/autolink/gfm.toml` has a row for each difference.
//!
//! LINEAR: the rest of a link is read only once its domain is good, and then it is consumed. A
//! domain is read once, even if it is bad and contains further candidates (`Region` remembers it).
//! For an address, at most the text between two `@` is read.

use barelink_text::ByteSet;
use barelink_text::chars::{is_alphanumeric, next_char};
use barelink_text::find::{Label, Stops};
use barelink_text::set::ASCII_ALPHANUMERIC;

use crate::host::HostRun;
use crate::region::{Edge, Match, Region};
use crate::scheme::{Case, find_scheme};
use crate::trim::{TrimRules, scan_until, trim};
use crate::verdict::{Report, Rule};

/// The bytes that always end a link: whitespace and `<`.
static STOP: ByteSet = ByteSet::of(b" \t\n\x0B\x0C\r<");

/// The bytes allowed after the `@` of an address.
pub(crate) static EMAIL_DOMAIN: ByteSet = ASCII_ALPHANUMERIC.union(ByteSet::of(b".-_"));

/// The bytes allowed before the `@` of an address.
pub(crate) static LOCAL_PART: ByteSet = EMAIL_DOMAIN.add(b'+');

/// Trims the tail as the document says.
struct GfmTail;

impl TrimRules for GfmTail {
    #[inline]
    fn dropped(byte: u8) -> Option<Rule> {
        is_trailing_punctuation(byte).then_some(Rule::TrailingPunctuation)
    }

    #[inline]
    fn is_name(byte: u8) -> bool {
        byte.is_ascii_alphanumeric()
    }

    // SPEC: a semicolon is trimmed only with what resembles an entity reference.
    const SEMICOLON: Option<Rule> = None;
}

/// The trailing punctuation of the document's list.
#[inline]
pub(crate) const fn is_trailing_punctuation(byte: u8) -> bool {
    matches!(byte, b'?' | b'!' | b'.' | b',' | b':' | b'*' | b'_' | b'~')
}

/// Decides on the URL whose `://` stands at `colon`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, gfm};
///
/// let text = b"(http://a.bc/x)";
/// let mut region = Region::new(0, text.len());
/// let link = gfm::match_url(text, 5, &mut region, &mut Silent).unwrap();
/// assert_eq!(&text[link.start..link.end], b"http://a.bc/x");
/// ```
#[inline]
pub fn match_url(
    text: &[u8],
    colon: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let Some(start) = find_scheme(text, region.start, colon, Case::Ignored) else {
        report.refused(Rule::Scheme, colon);
        return None;
    };
    let end = match_rest(text, start, colon + 3, region, report)?;
    Some(Match { start, end, prefix: "" })
}

/// Decides on the `www.` name that starts at `start`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, gfm};
///
/// let text = b"www.foo or www.a.bc!";
/// let mut region = Region::new(0, text.len());
/// assert!(gfm::match_www(text, 0, &mut region, &mut Silent).is_none());
/// assert_eq!(gfm::match_www(text, 11, &mut region, &mut Silent).unwrap().end, 19);
/// ```
#[inline]
pub fn match_www(
    text: &[u8],
    start: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    // SPEC: a valid domain has to follow `www.`, so that period does not count.
    let end = match_rest(text, start, start + 4, region, report)?;
    Some(Match { start, end, prefix: "http://" })
}

/// Decides on the address around the `@` at `at`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, gfm};
///
/// let text = b"mail a@b.cd.";
/// let mut region = Region::new(0, text.len());
/// let link = gfm::match_email(text, 6, &mut region, &mut Silent).unwrap();
/// assert_eq!((link.start, link.end, link.prefix), (5, 11, "mailto:"));
/// ```
#[inline]
pub fn match_email(
    text: &[u8],
    at: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let local = text.get(region.start..at)?;
    let local_len = local.iter().rev().take_while(|&&byte| LOCAL_PART.contains(byte)).count();
    if local_len == 0 {
        report.refused(Rule::LocalPart, at);
        return None;
    }
    let start = at - local_len;
    check_before(text, start, region, report)?;

    let domain = text.get(at + 1..region.end)?;
    let domain_len = domain.iter().take_while(|&&byte| EMAIL_DOMAIN.contains(byte)).count();
    let n_periods = domain[..domain_len].iter().rev().take_while(|&&byte| byte == b'.').count();
    let (address, run_end) = (&domain[..domain_len - n_periods], at + 1 + domain_len);
    let end = at + 1 + address.len();
    match address.last() {
        None => report.refused(Rule::EmailDomain, at + 1),
        // SPEC: not `-` or `_`, even with periods after it.
        Some(b'-' | b'_') => report.refused(Rule::EmailLast, end - 1),
        Some(_) if !address.contains(&b'.') => report.refused(Rule::EmailPeriod, end),
        Some(_) => {
            if n_periods > 0 {
                report.trimmed(Rule::EmailTrailingPeriod, end, run_end);
            }
            return Some(Match { start, end, prefix: "mailto:" });
        }
    }
    None
}

/// Matches the rest of the link that starts at `start` and whose domain starts at `domain`. Returns
/// its end.
#[inline]
fn match_rest(
    text: &[u8],
    start: usize,
    domain: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<usize> {
    check_before(text, start, region, report)?;
    // LINEAR: checked before anything is read, since a link refused for its bracket is not consumed
    // and others may lie in it.
    if let Some(bracket) = region.open_bracket {
        report.refused(Rule::OpenBracket, bracket as usize);
        return None;
    }
    let host = scan_domain(text, domain, region, report)?;
    let end = scan_until(text, host, region.end, &STOP);
    Some(trim::<GfmTail>(text, start, end, report))
}

/// Refuses a link with the wrong character before it.
#[inline]
pub(crate) fn check_before(
    text: &[u8],
    start: usize,
    region: &Region,
    report: &mut impl Report,
) -> Option<()> {
    let edge = region.edge_before(text, start);
    match edge {
        Edge::Open
        | Edge::Char(' ' | '\t' | '\n' | '\u{B}' | '\u{C}' | '\r' | '*' | '_' | '~' | '(') => {
            Some(())
        }
        Edge::Char(_) => {
            report.refused(Rule::Before, region.offset_before(start, edge));
            None
        }
    }
}

/// The end of the valid domain that starts at `start`.
#[inline]
fn scan_domain(
    text: &[u8],
    start: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<usize> {
    // LINEAR: in `www._www._www.` the single run of domain characters is read once.
    if !region.host.covers(start) {
        region.host = scan_host(text, start, region.end);
    }
    let host = region.host;
    if host.end() == start {
        report.refused(Rule::DomainMissing, start);
    } else if !host.has_period(start) {
        report.refused(Rule::DomainPeriod, host.end());
    } else if let Some(at) = host.find_underscore(start) {
        report.refused(Rule::DomainUnderscore, at);
    } else {
        return Some(host.end());
    }
    None
}

/// Scans the run of domain characters at `start`.
#[inline]
fn scan_host(text: &[u8], start: usize, end: usize) -> HostRun {
    let end = end.min(text.len());
    let mut host = HostRun::new(start);
    let mut stops = Stops::<Label>::new(text, start, end);
    let end = loop {
        let Some(at) = stops.next() else { break end };
        match text[at] {
            b'.' => host.add_period(at),
            b'_' => host.add_underscore(at),
            0x80.. => match next_char(&text[..end], at).filter(|&c| is_alphanumeric(c)) {
                Some(c) => stops.seek(at + c.len_utf8()),
                None => break at,
            },
            _ => break at,
        }
    };
    host.close(end);
    host
}
