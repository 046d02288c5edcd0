//! Time is linear: no byte is looked at more than a fixed number of times, by
//! count and not by the clock, also where a caller knows of open emphasis.

extern crate std;

use std::format;

use super::{match_domain, match_email, match_scheme, match_url, match_www};
use crate::candidate::Candidates;
use crate::context::{Context, OpenEmphasis};
use crate::plain::Plain;
use crate::rules::{Dialect, Kind, Rules};
use crate::verdict::{Report, Rule};

/// How often a byte may be looked at, on the average. A tail is read again for
/// each bracket that may stay open in it, and all that twice where an address
/// stands before it.
const MAX_LOOKS: usize = 16;

/// The unit each text repeats.
const UNITS: &[&str] = &[
    "http://[",
    "http://[::",
    "http://a.b/(",
    "http://a.b/中（",
    "http://a.b/[",
    "http://a.b/[](",
    "http://a.b/\"",
    "中",
    "한",
    "a한",
    "1年",
    "中a",
    "-中",
    "=中",
    ".中.a",
    "?中",
    "에",
    "'a",
    "中www.",
    "_www.中",
    "http://中",
    "http://a_",
    "www.a.b:",
    "**",
    "http://a.b/**x",
    "http://a.b/~~x",
    "*http://a.b/*x",
    "_http://a.b/__x",
    "_",
    "*",
    "~",
    "&gt",
    "&gt;",
    "&#x",
    "&a;",
    "a&#97;",
    "a@b&#97;",
    "www.a&#97;",
    "\\_",
    "\\",
    "\\(",
    "a@",
    "a@b.",
    "a.",
    "a.com",
    "中.",
    "a:",
    "a:b@",
    "//a:b@",
    "'",
    "’",
    "”",
    "“中",
    "—",
    "…",
    "・",
    "http://a.b/a,",
    ",http://",
    "中http://",
    "http://a:",
    "http://a:b@",
    ".",
    "..",
    "-",
    "mailto:a@b.c?d=(",
    "xmpp:a@b.c/",
    "(",
    ")",
    "\"",
    "\n",
    "\n\n",
    " ",
    "http://a.b/x\n",
    "http://a.b)x(",
];

/// What stands before and after the repeated units.
const FRAMES: &[(&str, &str)] = &[
    ("", ""),
    ("http://a.b/", ""),
    ("http://a.b/中", "_"),
    ("http://a.", "_"),
    ("(http://a.b/", ")x"),
    ("**http://a.b/", "**"),
    ("\"http://a.b/", "](x"),
    ("a@", ".b"),
    ("", "@b.cd"),
];

#[derive(Default)]
struct Looks(usize);

impl Report for Looks {
    fn refused(&mut self, _: Rule, _: usize) {}

    fn trimmed(&mut self, _: Rule, _: usize, _: usize) {}

    fn examined(&mut self, n_bytes: usize) {
        self.0 += n_bytes;
    }
}

/// The looks at a text by the recognizer alone.
fn count_plain(text: &[u8]) -> usize {
    let mut looks = Looks::default();
    let mut rules = Rules::new(Dialect::Natural);
    rules.domains = true;
    let mut plain = Plain::with_schemes(text, rules, &["a", "b"]);
    while plain.decide_next(&mut looks).is_some() {}
    looks.0
}

/// The looks at a text by a caller in which emphasis is always open.
fn count_emphasized(text: &[u8]) -> usize {
    let mut looks = Looks::default();
    let mut candidates = Candidates::new(text, Rules::new(Dialect::Natural));
    let mut context = Context::new(0, text.len());
    context.open_emphasis = OpenEmphasis { star: 2, underscore: 1, tilde: 2 };
    let mut at = 0;
    while let Some(candidate) = candidates.at_or_after(at) {
        let found = match candidate.kind {
            Kind::Url => match_url(text, candidate.start, &mut context, &mut looks),
            Kind::Www => match_www(text, candidate.start, &mut context, &mut looks),
            Kind::Email => match_email(text, candidate.start, &mut context, &mut looks),
            Kind::Domain => match_domain(text, candidate.start, &mut context, &mut looks),
            Kind::Scheme => match_scheme(text, candidate.start, &mut context, &mut looks),
        };
        at = found.map_or(candidate.end(), |link| link.end.max(candidate.end()));
        context.start = at.min(text.len());
    }
    looks.0
}

fn check(text: &str, unit: &str) {
    for count in [count_plain, count_emphasized] {
        let n_looks = count(text.as_bytes());
        assert!(
            n_looks <= MAX_LOOKS * (text.len() + 16),
            "{n_looks} looks at the {} bytes of {unit:?}…",
            text.len()
        );
    }
}

#[test]
fn repeated_units() {
    for unit in UNITS {
        for (before, after) in FRAMES {
            for n_units in [50, 1000] {
                check(&format!("{before}{}{after}", unit.repeat(n_units)), unit);
            }
        }
    }
}

#[test]
fn pairs_of_runs() {
    for one in UNITS {
        for two in UNITS {
            check(&[one.repeat(60), two.repeat(60)].concat(), one);
            check(&[*one, *two].concat().repeat(60), one);
        }
    }
}
