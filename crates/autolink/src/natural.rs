//! `natural`: links where a reader sees one.
//!
//! Barelink's own dialect. Sample: `文档：**https://例え.jp/中（文）**，“www.a.bc”`
//! gives 文档：**⟦https://例え.jp/中（文）⟧**，“⟦www.a.bc⟧”.
//!
//! ```text
//! link   = [ scheme "://" | "www." ] host [ ":" port ] [ tail ] | email
//!          without a scheme or "www." only where that is asked for, see `domain`
//! scheme = "http" | "https" | "ftp"     in any case, no ASCII letter or digit before
//! www    = in any case, no ASCII letter, digit or one of "/" "." "-" "@" "\" before
//! host   = see `host`
//! tail   = "/" | "?" | "#" and what follows, see `tail`
//! email  = see `email`
//! ```
//!
//! The principles, which a rule's section names:
//! 1. Emphasis counts: a run that closes an opener before the link ends it
//!    (`emphasis`).
//! 2. Scripts without spaces count: full-width punctuation and symbols end a link (`script`), and
//!    so do words glued to a host or to ASCII (`glued`), and particles (`particle`); nothing has to
//!    precede the link.
//! 3. Brackets and quotes belong to the sentence unless they pair within the link (`sentence`); so
//!    do endings after an apostrophe (`ending`).
//! 4. Real hosts: `localhost`, ports, IPv4, `[IPv6]`, international names,
//!    which are written in Punycode in the destination (`host`, `href`).
//! 5. Some things are not addresses: versions, paths on other machines (`email`).
//! 6. An escape prevents a link, and an entity counts as the character it stands for.
//! 7. No nested anchors: the engine ensures that.
//! 8. Any space of Unicode ends a link.
//!
//! Every example of GFM's document gives the result stated there. Where neither an example nor a
//! principle decides, UTS #58, Unicode Link Detection, does;
//! `testdata/autolink/uts58-differences.list` lists where this dialect departs from it.
//!
//! LINEAR: a host is read once, a tail once for each bracket that may be open in it; for an
//! address, at most the text between two `@` is read. Results of searches before or after a link
//! are kept in the `Region`. A link is consumed; a refused one is refused for its host, before more
//! is read.

mod decoded;
mod domain;
mod email;
mod emphasis;
mod ending;
mod glued;
mod host;
mod href;
mod own;
mod particle;
mod script;
mod sentence;
mod tail;

use barelink_text::ByteSet;
use barelink_text::chars::{next_char, prev_char};
use barelink_text::set::ASCII_ALPHANUMERIC;

pub use domain::match_domain;
pub use email::match_email;
pub use href::{has_idn_host, push_href};
pub use own::match_scheme;

use crate::balance::Balance;
use crate::region::{Edge, Match, Region};
use crate::scheme::{Case, find_scheme};
use crate::verdict::{Report, Rule};
use decoded::{DecodedPiece, Reach, starts_tail, stops_host};
use emphasis::{NextCloser, Openers};
use host::{NaturalHost, is_word, scan_ipv6, scan_port};
use script::{CharClass, classify, is_unspaced};
use tail::{End, scan_tail};

/// State kept between the candidates of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// The end of the last host that was refused.
    refused: usize,
    /// The end of the last host that was accepted, if it is all ASCII.
    ascii: Option<usize>,
    sentence: Balance,
    strong: NextCloser,
    strike: NextCloser,
}

impl Memory {
    /// The initial state for a text that starts at `start`.
    pub(crate) const fn new(start: usize) -> Self {
        Self {
            refused: 0,
            ascii: None,
            sentence: Balance::at(start),
            strong: NextCloser::NONE,
            strike: NextCloser::NONE,
        }
    }

    /// Whether the host of `link`, the last link found, is known to be ASCII.
    #[inline]
    pub(crate) fn has_ascii_host(&self, link: Match) -> bool {
        self.ascii.is_some_and(|end| (link.start..=link.end).contains(&end))
    }
}

/// Decides on the URL whose `://` stands at `colon`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, natural};
///
/// let text = "见http://localhost:80/x。".as_bytes();
/// let mut region = Region::new(0, text.len());
/// let link = natural::match_url(text, 7, &mut region, &mut Silent).unwrap();
/// assert_eq!(&text[link.start..link.end], b"http://localhost:80/x");
/// ```
pub fn match_url(
    text: &[u8],
    colon: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let text = text.get(..region.end)?;
    let start = match find_start(text, colon, region) {
        Ok(start) => start,
        Err((rule, at)) => {
            report.refused(rule, at);
            return None;
        }
    };
    let openers = Openers::before(text, start, region);
    let at = colon + 3;
    let host_end = if text.get(at) == Some(&b'[') {
        let end = scan_ipv6(text, at);
        if end.is_none() {
            report.refused(Rule::NaturalIpv6, at);
        }
        end?
    } else {
        let host_end = match_host(text, at, 1, openers, region, report)?;
        // `http://http://a.bc` is one URL with a scheme too many.
        if text[host_end..].starts_with(b"://") {
            report.refused(Rule::NaturalHostMissing, at);
            return None;
        }
        check_user(text, scan_user(text, host_end), region, report)?;
        host_end
    };
    let end = match_end(text, start, host_end, openers, region, report);
    Some(Match { start, end, prefix: "" })
}

/// Decides on the `www.` name that starts at `start`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, natural};
///
/// let text = "“Www.a.bc”".as_bytes();
/// let mut region = Region::new(0, text.len());
/// let link = natural::match_www(text, 3, &mut region, &mut Silent).unwrap();
/// assert_eq!((link.start, link.end, link.prefix), (3, 11, "http://"));
/// ```
pub fn match_www(
    text: &[u8],
    start: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let text = text.get(..region.end)?;
    let edge = region.edge_before(text, start);
    if !can_precede_www(text, start, edge, region) {
        report.refused(Rule::NaturalBefore, region.offset_before(start, edge));
        return None;
    }
    // LINEAR: a host that was refused is not read again.
    if start < region.natural.refused {
        report.refused(Rule::NaturalBefore, start);
        return None;
    }
    let openers = Openers::before(text, start, region);
    // `www.` itself is one label; a domain with a period has to follow.
    let host_end = match_host(text, start, 3, openers, region, report)?;
    check_user(text, host_end, region, report)?;
    let end = match_end(text, start, host_end, openers, region, report);
    Some(Match { start, end, prefix: "http://" })
}

/// The start of the scheme that ends at `colon`, or else the broken rule and its offset.
fn find_start(text: &[u8], colon: usize, region: &Region) -> Result<usize, (Rule, usize)> {
    let start = find_scheme(text, region.start, colon, Case::Ignored);
    let Some(start) = start else {
        let is_escaped = colon > region.start && text[colon - 1] == b'\\';
        return Err(if is_escaped {
            (Rule::NaturalEscape, colon - 1)
        } else {
            (Rule::NaturalScheme, colon)
        });
    };
    // For the last byte of a character outside ASCII, this is false.
    let is_in_word = match region.before {
        _ if start > region.start => text[start - 1].is_ascii_alphanumeric(),
        Edge::Char(c) => c.is_ascii_alphanumeric(),
        Edge::Open => false,
    };
    if is_in_word { Err((Rule::NaturalScheme, colon)) } else { Ok(start) }
}

/// Whether a `www.` name may start at `start`, with `edge` before it.
fn can_precede_www(text: &[u8], start: usize, edge: Edge, region: &Region) -> bool {
    match edge {
        Edge::Open => true,
        Edge::Char('/' | '.' | '-' | '@' | '\\') => false,
        // An underscore within a word opens nothing.
        Edge::Char('_') if start > region.start => {
            let before = &text[region.start..start];
            let n_underscores = before.iter().rev().take_while(|&&byte| byte == b'_').count();
            prev_char(before, before.len() - n_underscores)
                .is_none_or(|c| !is_word(c) && !matches!(c, '.' | '-'))
        }
        Edge::Char(c) => !is_word(c) || is_unspaced(c),
    }
}

/// Matches the host that starts at `start` and must have at least `n_labels` labels. Returns its
/// end.
fn match_host(
    text: &[u8],
    start: usize,
    n_labels: usize,
    openers: Openers,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<usize> {
    let host = NaturalHost::scan(text, start, openers);
    // LINEAR: a host too long to be decoded is read once, and taken as written.
    if host.read - start < decoded::MAX_LEN && stops_host(text, host.read) {
        return match_decoded_host(text, start, n_labels, region, report);
    }
    if let Err((rule, at)) = host.check(text, n_labels) {
        region.natural.refused = host.read;
        report.refused(rule, at);
        return None;
    }
    region.natural.ascii = host.is_ascii.then_some(host.end);
    Some(host.end)
}

/// [`match_host`] for a host with escapes or entities in it.
#[cold]
fn match_decoded_host(
    text: &[u8],
    start: usize,
    n_labels: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<usize> {
    region.natural.ascii = None;
    let reach = if n_labels > 1 { Reach::Host } else { Reach::User };
    let piece = DecodedPiece::new(text, start, reach);
    let decoded = piece.bytes();
    let host = NaturalHost::scan(decoded, 0, Openers::NONE);
    let user_end = scan_user(decoded, host.end);
    let checked = host.check(decoded, n_labels).and_then(|()| {
        let is_user = is_user(decoded, user_end);
        if is_user { Err((Rule::NaturalUser, user_end)) } else { Ok(()) }
    });
    if let Err((rule, at)) = checked {
        region.natural.refused = piece.source_offset(host.read);
        report.refused(rule, piece.source_offset(at));
        return None;
    }
    Some(piece.source_offset(host.end))
}

/// The end of the link that starts at `start` and whose host ends at `host_end`.
fn match_end(
    text: &[u8],
    start: usize,
    host_end: usize,
    openers: Openers,
    region: &mut Region,
    report: &mut impl Report,
) -> usize {
    let port_end = scan_port(text, host_end);
    let end = match text.get(port_end) {
        Some(b'/' | b'?' | b'#') => scan_tail(text, start, port_end, openers, region),
        Some(b'&') if starts_tail(text, port_end) => {
            scan_tail(text, start, port_end, openers, region)
        }
        _ => match openers.closer_len(text, port_end) {
            Some(len) => {
                End { rule: Some((Rule::NaturalEmphasis, port_end + len)), ..End::at(port_end) }
            }
            None => End::at(port_end),
        },
    };
    report_end(text, end, report);
    end.link
}

/// Refuses a host if an `@` at `at` shows that it is a user name.
fn check_user(text: &[u8], at: usize, region: &mut Region, report: &mut impl Report) -> Option<()> {
    if is_user(text, at) {
        region.natural.refused = at;
        report.refused(Rule::NaturalUser, at);
        return None;
    }
    Some(())
}

/// Whether an `@` at `at`, with a host after it, ends a user name.
fn is_user(text: &[u8], at: usize) -> bool {
    text.get(at) == Some(&b'@') && next_char(text, at + 1).is_some_and(is_word)
}

/// The bytes of a user name and password, and the colon between them.
static USER: ByteSet = ASCII_ALPHANUMERIC.union(ByteSet::of(b"-._~%+:!$&="));

/// The end of a user name and password of which the part up to `host_end` was read as a host.
fn scan_user(text: &[u8], host_end: usize) -> usize {
    // LINEAR: a slash ends it, so that the text read contains no other URL.
    let len = text[host_end..].iter().take_while(|&&byte| USER.contains(byte)).count();
    host_end + len
}

impl End {
    /// The link and the scan both end at `at`; the character there may give the rule.
    const fn at(at: usize) -> Self {
        Self { link: at, stop: at, rule: None }
    }
}

/// Reports what was left outside at the end of a link, and why.
#[inline]
fn report_end(text: &[u8], end: End, report: &mut impl Report) {
    if report.is_heard() {
        tell_end(text, end, report);
    }
}

/// [`report_end`] for a report that is not silent.
fn tell_end(text: &[u8], end: End, report: &mut impl Report) {
    let rule = end.rule.or_else(|| {
        let c = next_char(text, end.stop)?;
        Some((rule_of(c)?, end.stop + c.len_utf8()))
    });
    if let Some((rule, rule_end)) = rule {
        report.trimmed(rule, end.stop, rule_end);
    }
    let mut at = end.stop;
    while at > end.link {
        let c = prev_char(text, at).unwrap_or(' ');
        let char_start = at.saturating_sub(c.len_utf8()).max(end.link);
        let (rule, cut) = match find_entity(&text[end.link..at]) {
            Some(offset) => (Rule::NaturalEntity, end.link + offset),
            None => (rule_of(c).unwrap_or(Rule::NaturalPunctuation), char_start),
        };
        report.trimmed(rule, cut, at);
        at = cut;
    }
}

/// The offset of the `&` if `text` ends in an entity, `&name;`.
fn find_entity(text: &[u8]) -> Option<usize> {
    let name = text.strip_suffix(b";")?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    let start = name.iter().rposition(|byte| !is_name(byte))?;
    (name[start] == b'&' && start + 1 < name.len()).then_some(start)
}

/// The rule that leaves `c` outside at the end of a link, if any.
fn rule_of(c: char) -> Option<Rule> {
    match c {
        '(' | ')' | '[' | ']' | '{' | '}' | '>' => Some(Rule::NaturalBracket),
        '"' | '\'' | '’' | '‘' | '“' | '”' | '«' | '»' | '‹' | '›' => {
            Some(Rule::NaturalQuote)
        }
        '.' | ',' | ':' | ';' | '!' | '?' | '|' | '\\' => Some(Rule::NaturalPunctuation),
        _ if c.is_ascii() => None,
        _ => match classify(c) {
            CharClass::FullWidth | CharClass::Open | CharClass::Close(_) => {
                Some(Rule::NaturalFullWidth)
            }
            CharClass::Soft => Some(Rule::NaturalPunctuation),
            CharClass::Dash => Some(Rule::NaturalDash),
            CharClass::Symbol => Some(Rule::NaturalSymbol),
            CharClass::Include if is_unspaced(c) => Some(Rule::NaturalGlued),
            CharClass::Include | CharClass::Hard => None,
        },
    }
}
