//! Which recogniser decides a candidate: the one place that knows all of them.

use crate::candidate::Candidate;
use crate::context::{Context, Match};
use crate::rules::{Dialect, Kind};
use crate::verdict::{Report, Rule};
use crate::{gfm, github, md4c, natural};

impl Dialect {
    /// The link that a candidate is part of, if this dialect makes one of it.
    #[doc(hidden)]
    #[inline]
    pub fn decide(
        self,
        candidate: Candidate,
        text: &[u8],
        context: &mut Context,
        report: &mut impl Report,
    ) -> Option<Match> {
        let at = candidate.start;
        match (self, candidate.kind) {
            (Self::Gfm, Kind::Url) => gfm::match_url(text, at, context, report),
            (Self::Gfm, Kind::Www) => gfm::match_www(text, at, context, report),
            (Self::Gfm, Kind::Email) => gfm::match_email(text, at, context, report),
            (Self::Github, Kind::Url) => github::match_url(text, at, context, report),
            (Self::Github, Kind::Www) => github::match_www(text, at, context, report),
            (Self::Github, Kind::Email) => github::match_email(text, at, context, report),
            (Self::Md4c, Kind::Url) => md4c::match_url(text, at, context, report),
            (Self::Md4c, Kind::Www) => md4c::match_www(text, at, context, report),
            (Self::Md4c, Kind::Email) => md4c::match_email(text, at, context, report),
            (Self::Natural, Kind::Url) => natural::match_url(text, at, context, report),
            (Self::Natural, Kind::Www) => natural::match_www(text, at, context, report),
            (Self::Natural, Kind::Email) => natural::match_email(text, at, context, report),
            (Self::Natural, Kind::Domain) => natural::match_domain(text, at, context, report),
            (Self::Natural, Kind::Scheme) => natural::match_scheme(text, at, context, report),
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
}
