//! Dispatches a candidate to its recognizer: the one place that knows all of them.

use crate::candidate::Candidate;
use crate::region::{Match, Region};
use crate::rules::{Dialect, Kind};
use crate::verdict::{Report, Rule};
use crate::{gfm, github, md4c, natural};

/// The link around a candidate, if the dialect makes it one.
#[inline]
pub fn decide(
    dialect: Dialect,
    candidate: Candidate,
    text: &[u8],
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let at = candidate.start;
    match (dialect, candidate.kind) {
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
        (Dialect::Natural, Kind::Domain) => natural::match_domain(text, at, region, report),
        (Dialect::Natural, Kind::Scheme) => natural::match_scheme(text, at, region, report),
        // No other dialect looks for these.
        (_, Kind::Domain) => {
            report.refused(Rule::DomainsOff, at);
            None
        }
        (_, Kind::Scheme) => {
            report.refused(Rule::Scheme, at);
            None
        }
    }
}
