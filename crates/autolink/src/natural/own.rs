//! URLs with one of the caller's own schemes: `tel:+1-555-0100`, `magnet:?xt=x`, `app://x`.
//!
//! ```text
//! link   = scheme ":" [ "//" ] rest
//! scheme = one that the caller has named, in any case, as a whole word
//! rest   = a letter, digit or sign of ASCII, and what follows, see `tail`
//! ```
//!
//! The form of the rest depends on the scheme, so it only has to have a letter or digit.
//!
//! LINEAR: the length of a scheme is bounded, and the rest is read like a path.

use super::emphasis::Openers;
use super::report_end;
use super::tail::scan_tail;
use crate::candidate::scheme_start;
use crate::region::{Match, Region};
use crate::verdict::{Report, Rule};

/// Decides on the URL whose scheme, a wanted one, ends at `colon`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, natural};
///
/// let text = b"(tel:+1-555-0100)";
/// let mut region = Region::new(0, text.len());
/// let link = natural::match_scheme(text, 4, &mut region, &mut Silent).unwrap();
/// assert_eq!((link.start, link.end, link.prefix), (1, 16, ""));
/// ```
pub fn match_scheme(
    text: &[u8],
    colon: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let text = text.get(..region.end)?;
    let start = scheme_start(text, colon).max(region.start);
    let rest = text.get(colon + 1..).unwrap_or_default();
    if start >= colon || !rest.first().is_some_and(u8::is_ascii_graphic) {
        report.refused(Rule::NaturalHostMissing, colon);
        return None;
    }
    let openers = Openers::before(text, start, region);
    let end = scan_tail(text, start, colon + 1, openers, region);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    if !text[colon + 1..end.link].iter().any(is_word) {
        report.refused(Rule::NaturalHostMissing, colon);
        return None;
    }
    report_end(text, end, report);
    Some(Match { start, end: end.link, prefix: "" })
}
