//! `github`: GFM's extended autolinks as GitHub's cmark-gfm 0.29.0.gfm.13 implements them, quirks
//! included.
//!
//! There is no specification: the program's output decides. Sample: `"http://a/x";` gives
//! "⟦http://a/x⟧"; [`crate::gfm`] finds no link there.
//!
//! ```text
//! url   = scheme "://" host rest        no ASCII letter before; host not starting with punctuation
//! www   = before "www." host rest       before as in gfm, the host may be empty
//! rest  = { any but space, tab, line end and "<" }    less its tail
//! email = { scheme ":" | local } "@" domain
//! ```
//!
//! Quirks, beyond the rules of the document:
//! - A host is read up to the first character that is not ASCII, and never to the last byte of the
//!   paragraph. A backslash in it is skipped. With more than ten periods, underscores are not
//!   checked. The period of `www.` counts.
//! - Quotes and every `;` are trimmed; an entity look-alike has letters only.
//! - A period of an address has to be followed by a letter or digit, the address ends in a letter,
//!   and `mailto:` or `xmpp:` joins it.
//! - A second `@` restarts after the first one, but keeps two results: the number of periods, and
//!   whether a scheme was seen.
//!
//! LINEAR: a bad host has at most ten periods, so no byte is in more than eleven bad hosts of
//! `www.` names; the rest is read only if the host is good. For an address, at most the text
//! between two `@` is read, and none before the place up to which the last address was read.

use barelink_text::ByteSet;
use barelink_text::chars::next_char;
use barelink_text::set::{ASCII_ALPHANUMERIC, ASCII_PUNCTUATION};

use crate::generated::host_start::NOT_HOST_START;
use crate::gfm::{LOCAL_PART, is_trailing_punctuation};
use crate::region::{Edge, Match, Region};
use crate::scheme::{Case, find_scheme};
use crate::trim::{TrimRules, scan_until, trim};
use crate::verdict::{Report, Rule};

/// With more periods than this in a host, underscores do not matter.
const MAX_CHECKED_PERIODS: usize = 10;

/// The bytes that always end a link. Vertical tab and form feed do not.
static STOP: ByteSet = ByteSet::of(b" \t\n\r<");

/// The bytes of a host, besides `.` and `_`: ASCII that is neither punctuation nor space, and `-`.
/// A character outside ASCII ends the host, but not the link.
static HOST: ByteSet = ASCII_PUNCTUATION
    .union(ByteSet::of(b" \t\n\x0C\r"))
    .add_range(0x80, 0xFF)
    .complement()
    .add(b'-');

/// Trims the tail as cmark-gfm does.
struct GithubTail;

impl TrimRules for GithubTail {
    #[inline]
    fn dropped(byte: u8) -> Option<Rule> {
        match byte {
            b'\'' | b'"' => Some(Rule::TrailingQuote),
            _ => is_trailing_punctuation(byte).then_some(Rule::TrailingPunctuation),
        }
    }

    #[inline]
    fn is_name(byte: u8) -> bool {
        byte.is_ascii_alphabetic()
    }

    const SEMICOLON: Option<Rule> = Some(Rule::TrailingSemicolon);
}

/// State kept between the addresses of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// Addresses before this offset are settled.
    settled: usize,
    carry: Carry,
}

impl Memory {
    /// The initial state.
    pub(crate) const NONE: Self = Self { settled: 0, carry: Carry::NONE };
}

/// State that one `@` passes on to the next, if its search restarted there.
#[derive(Clone, Copy, Debug)]
struct Carry {
    /// The `@` that the state is for.
    at: usize,
    n_periods: usize,
    scheme: Scheme,
}

impl Carry {
    /// Nothing is passed on.
    const NONE: Self = Self { at: usize::MAX, n_periods: 0, scheme: Scheme::None };
}

/// The scheme that joins an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scheme {
    None,
    Mailto,
    Xmpp,
}

/// Decides on the URL whose `://` stands at `colon`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, github};
///
/// let text = b"at:http://localhost:80/x'";
/// let mut region = Region::new(0, text.len());
/// let link = github::match_url(text, 7, &mut region, &mut Silent).unwrap();
/// assert_eq!(&text[link.start..link.end], b"http://localhost:80/x");
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
    check_bracket(region, report)?;
    let host = colon + 3;
    let text = text.get(..region.end)?;
    if !next_char(text, host).is_some_and(can_start_host) {
        report.refused(Rule::HostStart, host);
        return None;
    }
    let host = scan_host(text, host, report)?;
    let end = scan_rest(text, start, host.end, report);
    Some(Match { start, end, prefix: "" })
}

/// Decides on the `www.` name that starts at `start`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, github};
///
/// let text = b"www.foo";
/// let mut region = Region::new(0, text.len());
/// assert!(github::match_www(text, 0, &mut region, &mut Silent).is_some());
/// ```
#[inline]
pub fn match_www(
    text: &[u8],
    start: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let text = text.get(..region.end)?;
    check_before(text, start, region, report)?;
    check_bracket(region, report)?;
    let host = scan_host(text, start, report)?;
    if host.n_periods == 0 {
        report.refused(Rule::DomainPeriod, host.end);
        return None;
    }
    let end = scan_rest(text, start, host.end, report);
    Some(Match { start, end, prefix: "http://" })
}

/// Decides on the address around the `@` at `at`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, github};
///
/// let text = b"at:mailto:a@b.cd.";
/// let mut region = Region::new(0, text.len());
/// let link = github::match_email(text, 11, &mut region, &mut Silent).unwrap();
/// assert_eq!((link.start, link.end, link.prefix), (3, 16, ""));
/// ```
#[inline]
pub fn match_email(
    text: &[u8],
    at: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let text = text.get(..region.end)?;
    // LINEAR: text that was read for an earlier `@` is not read again.
    let floor = region.github.settled.max(region.start).min(at);
    let carry = if region.github.carry.at == at { region.github.carry } else { Carry::NONE };
    let (start, scheme) = scan_local_part(text, floor, at, carry.scheme);
    if start == at {
        region.github.settled = at + 1;
        report.refused(Rule::LocalPart, at);
        return None;
    }
    let (end, n_periods) = scan_email_domain(text, at, scheme);
    let n_periods = n_periods + carry.n_periods;
    if text.get(end) == Some(&b'@') {
        region.github.settled = at + 1;
        region.github.carry = Carry { at: end, n_periods, scheme };
        report.refused(Rule::SecondAt, end);
        return None;
    }
    region.github.settled = end;
    if end == at + 1 {
        report.refused(Rule::EmailDomain, end);
    } else if n_periods == 0 {
        report.refused(Rule::EmailPeriod, end);
    } else if !text[end - 1].is_ascii_alphabetic() {
        report.refused(Rule::EmailLastLetter, end - 1);
    } else {
        let prefix = if scheme == Scheme::None { "mailto:" } else { "" };
        return Some(Match { start, end, prefix });
    }
    None
}

/// Refuses a `www.` name with the wrong character before it.
#[inline]
fn check_before(
    text: &[u8],
    start: usize,
    region: &Region,
    report: &mut impl Report,
) -> Option<()> {
    let edge = region.edge_before(text, start);
    match edge {
        Edge::Open | Edge::Char(' ' | '\t' | '\n' | '\r' | '*' | '_' | '~' | '(') => Some(()),
        Edge::Char(_) => {
            report.refused(Rule::Before, region.offset_before(start, edge));
            None
        }
    }
}

/// Refuses a link after an open bracket.
#[inline]
fn check_bracket(region: &Region, report: &mut impl Report) -> Option<()> {
    // LINEAR: checked before anything is read, since a link refused for its bracket is not consumed
    // and others may lie in it.
    if let Some(bracket) = region.open_bracket {
        report.refused(Rule::OpenBracket, bracket as usize);
        return None;
    }
    Some(())
}

/// Whether a host can start with `c`.
fn can_start_host(c: char) -> bool {
    if c.is_ascii() {
        return HOST.contains(c as u8) && c != '-';
    }
    let code = u32::from(c);
    let idx = NOT_HOST_START.partition_point(|&(_, last)| last < code);
    NOT_HOST_START.get(idx).is_none_or(|&(first, _)| code < first)
}

/// The result of scanning a host.
struct ReadHost {
    end: usize,
    n_periods: usize,
}

/// Scans the host that starts at `start`. Neither its first byte nor the last byte of the text is
/// checked.
#[inline]
fn scan_host(text: &[u8], start: usize, report: &mut impl Report) -> Option<ReadHost> {
    let last = text.len() - 1;
    let mut n_periods = 0;
    // The last underscore of the current segment, and of the one before.
    let mut underscores = [None; 2];
    let mut at = start + 1;
    while at < last {
        // Fast path: most of a host is letters.
        while at < last && ASCII_ALPHANUMERIC.contains(text[at]) {
            at += 1;
        }
        if at >= last {
            break;
        }
        let mut byte = text[at];
        if byte == b'\\' && at + 1 < last {
            at += 1;
            byte = text[at];
        }
        match byte {
            b'.' => {
                n_periods += 1;
                underscores = [None, underscores[0]];
            }
            b'_' => underscores[0] = Some(at),
            _ if HOST.contains(byte) => {}
            _ => break,
        }
        at += 1;
    }
    if n_periods <= MAX_CHECKED_PERIODS
        && let Some(underscore) = underscores[0].or(underscores[1])
    {
        report.refused(Rule::DomainUnderscore, underscore);
        return None;
    }
    Some(ReadHost { end: at, n_periods })
}

/// The end of the link that starts at `start` and whose host ends at `host_end`.
#[inline]
fn scan_rest(text: &[u8], start: usize, host_end: usize, report: &mut impl Report) -> usize {
    let end = scan_until(text, host_end, text.len(), &STOP);
    trim::<GithubTail>(text, start, end, report)
}

/// Scans back from the `@` to the start of the local part, and tells which scheme is in it. Schemes
/// chain: `mailto:xmpp:a@b.cd` is one address.
#[inline]
fn scan_local_part(text: &[u8], floor: usize, at: usize, carried: Scheme) -> (usize, Scheme) {
    let mut scheme = carried;
    let mut start = at;
    while start > floor {
        let byte = text[start - 1];
        if !LOCAL_PART.contains(byte) {
            if byte != b':' {
                break;
            }
            if ends_in_scheme(&text[floor..start], b"mailto:") {
                scheme = if scheme == Scheme::Xmpp { scheme } else { Scheme::Mailto };
            } else if ends_in_scheme(&text[floor..start], b"xmpp:") {
                scheme = Scheme::Xmpp;
            } else {
                break;
            }
        }
        start -= 1;
    }
    (start, scheme)
}

/// Whether `text` ends in the scheme, with no letter or digit before it.
fn ends_in_scheme(text: &[u8], scheme: &[u8]) -> bool {
    text.strip_suffix(scheme)
        .is_some_and(|before| before.last().is_none_or(|byte| !byte.is_ascii_alphanumeric()))
}

/// Scans the part after the `@` at `at`. Returns its end and its number of periods. A period that
/// is not followed by a letter or digit ends it too.
#[inline]
fn scan_email_domain(text: &[u8], at: usize, scheme: Scheme) -> (usize, usize) {
    let mut n_periods = 0;
    let mut end = at + 1;
    while let Some(&byte) = text.get(end) {
        match byte {
            b'-' | b'_' => {}
            b'.' if text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric) => n_periods += 1,
            b'/' if scheme == Scheme::Xmpp => {}
            _ if byte.is_ascii_alphanumeric() => {}
            _ => break,
        }
        end += 1;
    }
    (end, n_periods)
}
