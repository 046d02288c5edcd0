//! `md4c`: MD4C's permissive autolinks, as written.
//!
//! MD4C permissive autolinks. Sample: `(http://a.bc/x?y=1).` gives
//! (⟦http://a.bc/x?y=1⟧).
//!
//! ```text
//! link     = before ( ( scheme "://" | "www." ) host [ path ] [ query ] [ fragment ] | email ) after
//! before   = start of line | Unicode whitespace | "(" | "{" | "[" | resolved opener
//! after    = end of line | Unicode whitespace | one of ) } ] . ! ? , ; | resolved closer
//! host     = words joined by "." "-" "_"    two or more parts between ".", the last of two characters or more
//! path     = "/" [ words joined by "/" "." "-" "_" ] [ "/" ]
//! query    = "?" words joined by "&" "." "-" "+" "_" "="   and balanced "(" ")"
//! fragment = "#" words joined by "." "-" "+" "_"
//! email    = words joined by "." "-" "_" "+" "@" host
//! ```
//!
//! A word is one or more ASCII letters and digits; the document does not mention others, so this
//! follows md4c 0.5.2. Likewise a slash may end a path, `HTTP://` and `WWW.` are not recognized,
//! and a port prevents the link, since `:` is not among the characters that may follow. By the
//! prose, `(` and `)` stand between letters and digits, but the document's own example
//! `Markup+(business)` breaks that: the example wins.
//!
//! Where others differ: md4c's releases, in the last part of a host (one character is enough) and,
//! since 2026, in the characters of a path and a query; the table in `testdata/autolink/md4c.toml`
//! has a row for each difference.
//!
//! LINEAR: a user name is read back to the last `@` at most, a host up to the next one. Only a `(`
//! in a query can have another candidate after it in the text that was read, and reading from there
//! stops at the next `(` at the latest, as a second `?` ends a query. So every byte is read a
//! bounded number of times.

use barelink_text::ByteSet;
use barelink_text::chars::{is_unicode_whitespace, next_char};

use crate::region::{Edge, Match, Region};
use crate::scheme::{Case, find_scheme};
use crate::verdict::{Report, Rule};

/// The bytes that may join the words of a host.
static HOST: ByteSet = ByteSet::of(b".-_");
/// The bytes that may join the words of a path.
static PATH: ByteSet = ByteSet::of(b"/.-_");
/// The bytes that may join the words of a query, besides parentheses.
static QUERY: ByteSet = ByteSet::of(b"&.-+_=");
/// The bytes that may join the words of a fragment.
static FRAGMENT: ByteSet = ByteSet::of(b".-+_");
/// The bytes that may join the words of a user name.
static USER: ByteSet = ByteSet::of(b".-_+");

/// Decides on the URL whose `://` stands at `colon`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, md4c};
///
/// let text = b"[http://a.bc/x.";
/// let mut region = Region::new(0, text.len());
/// let link = md4c::match_url(text, 5, &mut region, &mut Silent).unwrap();
/// assert_eq!(&text[link.start..link.end], b"http://a.bc/x");
/// ```
#[inline]
pub fn match_url(
    text: &[u8],
    colon: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let text = text.get(..region.end)?;
    let Some(start) = find_scheme(text, region.start, colon, Case::Exact) else {
        report.refused(Rule::PermissiveScheme, colon);
        return None;
    };
    let end = match_rest(text, start, colon + 3, region, report)?;
    Some(Match { start, end, prefix: "" })
}

/// Decides on the `www.` name that starts at `start`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, md4c};
///
/// let text = b"www.bc www.a.bc";
/// let mut region = Region::new(0, text.len());
/// assert!(md4c::match_www(text, 0, &mut region, &mut Silent).is_none());
/// assert!(md4c::match_www(text, 7, &mut region, &mut Silent).is_some());
/// ```
#[inline]
pub fn match_www(
    text: &[u8],
    start: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let text = text.get(..region.end)?;
    let end = match_rest(text, start, start + 4, region, report)?;
    Some(Match { start, end, prefix: "http://" })
}

/// Decides on the address around the `@` at `at`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, md4c};
///
/// let text = b"mail a.b@c.de!";
/// let mut region = Region::new(0, text.len());
/// let link = md4c::match_email(text, 8, &mut region, &mut Silent).unwrap();
/// assert_eq!((link.start, link.end, link.prefix), (5, 13, "mailto:"));
/// ```
#[inline]
pub fn match_email(
    text: &[u8],
    at: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let text = text.get(..region.end)?;
    let start = scan_user(text, region.start, at);
    if start == at {
        report.refused(Rule::PermissiveUser, at);
        return None;
    }
    check_before(text, start, region, report)?;
    let end = scan_host(text, at + 1, report)?;
    check_after(text, end, region, report)?;
    Some(Match { start, end, prefix: "mailto:" })
}

/// The end of the link that starts at `start` and whose host starts at `host`.
#[inline]
fn match_rest(
    text: &[u8],
    start: usize,
    host: usize,
    region: &Region,
    report: &mut impl Report,
) -> Option<usize> {
    check_before(text, start, region, report)?;
    let host_end = scan_host(text, host, report)?;
    let path_end = scan_path(text, host_end);
    let query_end = match scan_query(text, path_end) {
        Ok(query_end) => query_end,
        Err(Unclosed { open }) => {
            report.refused(Rule::PermissiveParentheses, open);
            return None;
        }
    };
    let end = scan_fragment(text, query_end);
    check_after(text, end, region, report)?;
    Some(end)
}

/// Whether there is an ASCII letter or digit at `at`.
#[inline]
fn is_word(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(u8::is_ascii_alphanumeric)
}

/// Scans words from `at` on, with one byte of `joints` between two words. Returns the end.
#[inline]
fn scan_words(text: &[u8], mut at: usize, joints: &ByteSet) -> usize {
    while let Some(&byte) = text.get(at) {
        let is_joint = joints.contains(byte)
            && at.checked_sub(1).is_some_and(|before| is_word(text, before))
            && is_word(text, at + 1);
        if !byte.is_ascii_alphanumeric() && !is_joint {
            break;
        }
        at += 1;
    }
    at
}

/// The end of the host that starts at `start`.
#[inline]
fn scan_host(text: &[u8], start: usize, report: &mut impl Report) -> Option<usize> {
    let end = if is_word(text, start) { scan_words(text, start, &HOST) } else { start };
    let host = text.get(start..end)?;
    match host.iter().rposition(|&byte| byte == b'.') {
        None => report.refused(Rule::PermissiveComponents, end),
        // SPEC: at least two characters; md4c 0.5.2 requires only one.
        Some(period) if host.len() - period <= 2 => {
            report.refused(Rule::PermissiveLastComponent, start + period + 1);
        }
        Some(_) => return Some(end),
    }
    None
}

/// The end of the path at `start`, or `start` if there is none.
#[inline]
fn scan_path(text: &[u8], start: usize) -> usize {
    if text.get(start) != Some(&b'/') {
        return start;
    }
    let end = scan_words(text, start + 1, &PATH);
    // DIALECT(md4c): not in the document, but md4c 0.5.2 accepts one more slash, even after the
    // first one.
    if text.get(end) == Some(&b'/') { end + 1 } else { end }
}

/// The query has an unclosed parenthesis.
struct Unclosed {
    /// The outermost unclosed parenthesis.
    open: usize,
}

/// The end of the query at `start`, or `start` if there is none.
#[inline]
fn scan_query(text: &[u8], start: usize) -> Result<usize, Unclosed> {
    if text.get(start) != Some(&b'?') || !is_word(text, start + 1) {
        return Ok(start);
    }
    let mut depth = 0_usize;
    let mut open = start;
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        if !byte.is_ascii_alphanumeric() {
            // DIALECT(md4c): any character may precede a `(` or follow a `)`, and to that neighbor
            // the parenthesis counts as a letter. The document's example `+(business)` requires at
            // least this.
            let has_before = byte == b'(' || text[at - 1] == b')' || is_word(text, at - 1);
            let has_after =
                byte == b')' || text.get(at + 1) == Some(&b'(') || is_word(text, at + 1);
            if !has_before || !has_after {
                break;
            }
            match byte {
                b'(' => {
                    open = if depth == 0 { at } else { open };
                    depth += 1;
                }
                b')' if depth > 0 => depth -= 1,
                _ if QUERY.contains(byte) => {}
                _ => break,
            }
        }
        at += 1;
    }
    if depth == 0 { Ok(at) } else { Err(Unclosed { open }) }
}

/// The end of the fragment at `start`, or `start` if there is none.
#[inline]
fn scan_fragment(text: &[u8], start: usize) -> usize {
    if text.get(start) == Some(&b'#') && is_word(text, start + 1) {
        scan_words(text, start + 1, &FRAGMENT)
    } else {
        start
    }
}

/// Scans back over the user name that ends at `at`. Returns its start.
#[inline]
fn scan_user(text: &[u8], floor: usize, at: usize) -> usize {
    let mut start = at;
    while start > floor {
        let byte = text[start - 1];
        let is_joint = USER.contains(byte)
            && start >= floor + 2
            && text[start - 2].is_ascii_alphanumeric()
            && is_word(text, start);
        if !byte.is_ascii_alphanumeric() && !is_joint {
            break;
        }
        start -= 1;
    }
    start
}

/// Refuses a link with the wrong character before it.
#[inline]
fn check_before(
    text: &[u8],
    start: usize,
    region: &Region,
    report: &mut impl Report,
) -> Option<()> {
    let edge = region.edge_before(text, start);
    match edge {
        Edge::Open | Edge::Char('(' | '{' | '[') => Some(()),
        Edge::Char(c) if is_whitespace(c) => Some(()),
        Edge::Char(_) => {
            report.refused(Rule::PermissiveBefore, region.offset_before(start, edge));
            None
        }
    }
}

/// Refuses a link with the wrong character after it.
#[inline]
fn check_after(text: &[u8], end: usize, region: &Region, report: &mut impl Report) -> Option<()> {
    let edge = next_char(text, end).map_or(region.after, Edge::Char);
    match edge {
        Edge::Open | Edge::Char(')' | '}' | ']' | '.' | '!' | '?' | ',' | ';') => Some(()),
        Edge::Char(c) if is_whitespace(c) => Some(()),
        Edge::Char(_) => {
            report.refused(Rule::PermissiveAfter, end);
            None
        }
    }
}

/// Unicode whitespace as defined by md4c 0.5.2: including the vertical tab, which CommonMark leaves
/// out.
#[inline]
fn is_whitespace(c: char) -> bool {
    c == '\u{B}' || is_unicode_whitespace(c)
}
