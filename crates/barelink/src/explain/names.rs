//! Names without a scheme that are not linked because the option is off.
//!
//! Prose is full of periods, so a name is explained only if the option would make it a link, or if
//! it may be a file.
//!
//! LINEAR: like the recognizer.

use std::ops::Range;

use barelink_autolink::engine::{Candidates, Region, Silent, natural};
use barelink_autolink::{Dialect, Kind, Rule, Rules};

use crate::inline::decided::{Decided, Entry, Reason};
use crate::syntax::text::Text;

/// Adds the names in some words of a text, each refused because the option is off.
pub(super) fn push_unwanted(text: &Text<'_>, words: Range<usize>, decided: &mut Decided) {
    let bytes = text.bytes();
    let mut rules = Rules::none(Dialect::Natural);
    rules.domains = true;
    let mut candidates = Candidates::new(bytes, rules);
    let mut region = Region::new(text.start, text.end);
    let mut at = text.start.max(words.start);
    while let Some(candidate) = candidates.at_or_after(at)
        && candidate.start < text.end.min(words.end)
    {
        at = candidate.end();
        let start = candidate.start;
        let Some(name) = natural::match_domain(bytes, start, &mut region, &mut Silent) else {
            continue;
        };
        at = at.max(name.end);
        region.start = at;
        // Such names are explained as `www.` names.
        let is_www = |start: &[u8]| start.eq_ignore_ascii_case(b"www.");
        if !bytes[name.start..].get(..4).is_some_and(is_www) {
            decided.push_refused(candidate, Rule::DomainsOff, name.start as u32);
        }
    }
}

/// Whether a decision about a name is worth returning.
pub(super) fn is_worth_telling(entry: &Entry) -> bool {
    match entry.reason {
        Reason::Refused { kind: Kind::Domain, rule, .. } => {
            matches!(rule, Rule::NaturalFile | Rule::DomainsOff)
        }
        _ => true,
    }
}
