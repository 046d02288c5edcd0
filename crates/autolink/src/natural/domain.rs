//! Names without a scheme, if they are wanted: `github.com/foo`, `example.中国`.
//!
//! Sample: `see example.com, README.md and e.g. node.js` gives
//! see ⟦example.com⟧, README.md and e.g. node.js.
//!
//! ```text
//! link = host [ ":" port ] [ tail ]    of two labels or more
//! ```
//!
//! The last label is a top-level domain of IANA's list, in lower case: `ASP.NET` and
//! `done.It works` do not count. If that label is also a file extension or a common word of
//! programs (`main.rs`, `user.name`), or if the name is a number (`10.am`) or a reversed domain
//! (`com.example.app`), a port or a path is required.
//!
//! LINEAR: a name is read once, forward from its first label. If it is refused, `Memory` keeps its
//! end, and its other periods are refused without reading.

use core::fmt::{self, Write};

use barelink_text::chars::prev_char;
use barelink_text::words;

use super::emphasis::Openers;
use super::host::{NaturalHost, is_glued, is_word, scan_port};
use super::script::is_name;
use super::{can_precede_www, is_user, match_end};
use crate::generated::top_level::TOP_LEVEL;
use crate::punycode::push_label;
use crate::region::{Edge, Match, Region};
use crate::verdict::{Report, Rule};

/// The longest label that the domain name system knows, in bytes of Punycode.
const MAX_LABEL: usize = 63;

/// Top-level domains that are also file extensions, or words common in programs.
const AMBIGUOUS: &[&str] = &[
    // Files
    "ac",
    "am",
    "app",
    "as",
    "bar",
    "bz",
    "cab",
    "cc",
    "cfd",
    "dot",
    "foo",
    "gs",
    "hs",
    "java",
    "la",
    "link",
    "lua",
    "md",
    "mk",
    "mm",
    "mo",
    "mov",
    "ms",
    "pa",
    "pk",
    "pl",
    "pm",
    "ps",
    "pub",
    "py",
    "rs",
    "sc",
    "sh",
    "so",
    "sql",
    "st",
    "tf",
    "vb",
    "vi",
    "zip",
    // Programs
    "call",
    "data",
    "date",
    "events",
    "id",
    "map",
    "name",
    "new",
    "next",
    "now",
    "open",
    "page",
    "properties",
    "select",
    "show",
    "stream",
    "style",
    "target",
    "watch",
];

/// The first labels of reversed domain names.
const BACKWARDS: &[&[u8]] = &[b"com", b"org", b"net", b"edu", b"gov", b"io"];

/// Decides on the name without a scheme that has a period at `period`, if it is the first one.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, natural};
///
/// let text = b"see example.com.";
/// let mut region = Region::new(0, text.len());
/// let link = natural::match_domain(text, 11, &mut region, &mut Silent).unwrap();
/// assert_eq!((link.start, link.end, link.prefix), (4, 15, "http://"));
/// ```
pub fn match_domain(
    text: &[u8],
    period: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let text = text.get(..region.end)?;
    let start = scan_back(text, region.start, period);
    let edge = region.edge_before(text, start);
    let is_other = matches!(edge, Edge::Char('#' | '$' | '%' | '&' | '+' | ';'));
    if period < region.natural.refused
        || start >= period
        || is_other
        || !can_precede_www(text, start, edge, region)
    {
        report.refused(Rule::NaturalDomainBefore, region.offset_before(start, edge));
        return None;
    }
    let openers = Openers::before(text, start, region);
    let host = NaturalHost::scan(text, start, openers);
    if let Err((rule, at)) = check(text, &host) {
        region.natural.refused = host.read;
        report.refused(rule, at);
        return None;
    }
    let end = match_end(text, start, host.end, openers, region, report);
    Some(Match { start, end, prefix: "http://" })
}

/// The start of the label that ends at `period`.
fn scan_back(text: &[u8], floor: usize, period: usize) -> usize {
    let floor = floor.max(period.saturating_sub(4 * MAX_LABEL));
    let is_ascii = period > floor && text[period - 1].is_ascii();
    let mut start = period;
    while start > floor
        && let Some(c) = prev_char(text, start)
    {
        // Unspaced letters before ASCII belong to the sentence.
        let is_label = match c {
            '-' => true,
            _ if c.is_ascii() => c.is_ascii_alphanumeric(),
            _ => is_name(c) && !(is_ascii && is_glued(c)),
        };
        if !is_label {
            break;
        }
        start = start.saturating_sub(c.len_utf8()).max(floor);
    }
    start
}

/// Checks a name: the broken rule and its offset, if any.
fn check(text: &[u8], host: &NaturalHost) -> Result<(), (Rule, usize)> {
    host.check(text, 2)?;
    let last = host.last_label(text);
    if last.iter().any(u8::is_ascii_uppercase) || !is_top_level(last) {
        return Err((Rule::NaturalTopLevel, host.last));
    }
    if is_user(text, host.end) {
        return Err((Rule::NaturalUser, host.end));
    }
    if is_ambiguous(text, host) && !is_spoken_for(text, host) {
        return Err((Rule::NaturalFile, host.last));
    }
    Ok(())
}

/// Whether a label in lower case is a top-level domain.
fn is_top_level(label: &[u8]) -> bool {
    let Ok(label) = core::str::from_utf8(label) else { return false };
    let mut ascii = Ascii { bytes: [0; MAX_LABEL], len: 0 };
    if push_label(label, &mut ascii).is_err() {
        return false;
    }
    let label = &ascii.bytes[..ascii.len];
    words::find(TOP_LEVEL, label).is_some()
}

/// A buffer for a label in Punycode.
struct Ascii {
    bytes: [u8; MAX_LABEL],
    len: usize,
}

impl Write for Ascii {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        let room = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// Whether a name may also be something else, such as a file.
fn is_ambiguous(text: &[u8], host: &NaturalHost) -> bool {
    let last = host.last_label(text);
    let before = &text[host.start..host.last - 1];
    let is_number = before.len() <= 2 && before.iter().all(u8::is_ascii_digit) && last.len() == 2;
    let first = before.split(|&byte| byte == b'.').next().unwrap_or_default();
    is_number
        || BACKWARDS.contains(&first)
        || AMBIGUOUS.iter().any(|ambiguous| ambiguous.as_bytes() == last)
        // A call, an index, an assignment.
        || matches!(text.get(host.end), Some(b'(' | b'[' | b'='))
}

/// Whether the name is in lower case and followed by a port or a path.
fn is_spoken_for(text: &[u8], host: &NaturalHost) -> bool {
    let port_end = scan_port(text, host.end);
    let has_path = text.get(port_end) == Some(&b'/')
        && barelink_text::chars::next_char(text, port_end + 1).is_some_and(is_word);
    !text[host.start..host.end].iter().any(u8::is_ascii_uppercase)
        && (port_end > host.end || has_path)
}
