//! Time is linear: no byte of any text is looked at more than a fixed number
//! of times, by count and not by the clock.

extern crate std;

use std::format;

use crate::candidate::Candidates;
use crate::links;
use crate::plain::Plain;
use crate::rules::{Dialect, Rules};
use crate::verdict::{Report, Rule};

/// How often a byte may be looked at, on the average. `github` reads a bad host
/// up to eleven times; everything else stays far below.
const MAX_LOOKS: usize = 16;

/// The unit each text repeats, or a whole text made of so many.
const UNITS: &[&str] = &[
    "a@",
    "@",
    "a.",
    "a@b.c/",
    "a@b.c@",
    "a@b_",
    "mailto:",
    "mailto:a@",
    "xmpp:a@/",
    "xmpp:/",
    ":",
    "www.",
    "www._",
    "_www._",
    "_www.a_",
    "(www.a.b",
    "(www.a_b",
    "*www.",
    "www.a.b(",
    "[www.a.b",
    "http://",
    "http://_",
    "http://a_",
    "http://a.b/",
    "(http://a.b/",
    "(http://a.b/[",
    "[(http://a.b/",
    "[(http://a.b/](http://_",
    "*http://a.b*",
    "://",
    "h://",
    "ftp:",
    ")",
    "(",
    "()",
    "&amp;",
    "&",
    ";",
    "&a",
    "a;",
    ".,:!?*_~",
    "'\"",
    "[",
    "]",
    "[]",
    "][",
    "\n",
    "\n\n",
    " \n",
    "[\n",
    "\\",
    "é",
    "中_",
    ".",
    "_",
    "_.",
    "-",
    "/",
    "?a=",
    "(www.a.bc?x",
    "(www.a.bc?x=(",
    "x(",
    "www.a.bc?",
    "a@b.cd ",
    "a@_www.",
    "a@b_www.c_d",
    "a@x_www.a.b",
    "a@http://",
    "1http://a",
    "aaaaaaaaaaaaaaaa_www.",
];

/// What stands before and after the repeated units.
const FRAMES: &[(&str, &str)] = &[
    ("", ""),
    ("http://a.b/", ""),
    ("www.a.b", ""),
    ("www.a.b/(", ")"),
    ("www.a.bc?x=", ""),
    ("a@b.c", ""),
    ("[", ""),
    ("", "@a.bc"),
    ("", "@"),
    ("www.", "_"),
    ("www.", "_a.b"),
    ("http://a.", "_b"),
    ("a@", "_b"),
    ("xmpp:a@", "1"),
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

fn count_looks(text: &str, dialect: Dialect) -> usize {
    let mut looks = Looks::default();
    let mut plain = Plain::new(text.as_bytes(), Rules::new(dialect));
    while plain.decide_next(&mut looks).is_some() {}
    looks.0
}

/// The links of a text: something was looked at for each, whatever is reported.
fn count_links(text: &str, dialect: Dialect) -> usize {
    links(text, Rules::new(dialect)).count()
}

fn is_linear(n_looks: usize, text: &str) -> bool {
    n_looks <= MAX_LOOKS * (text.len() + 16)
}

fn check(text: &str, unit: &str) {
    for &dialect in Dialect::ALL {
        let n_looks = count_looks(text, dialect);
        let n_bytes = text.len();
        assert!(
            is_linear(n_looks, text),
            "{n_looks} looks at the {n_bytes} bytes of {unit:?}… in {dialect:?}"
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
fn what_is_looked_at_is_reported() {
    for unit in UNITS {
        for (before, after) in FRAMES {
            let text = &format!("{before}{}{after}", unit.repeat(20));
            for &dialect in Dialect::ALL {
                let (n_looks, n_links) = (count_looks(text, dialect), count_links(text, dialect));
                assert!(
                    n_looks >= 3 * n_links,
                    "{n_looks} looks reported for {n_links} links of {unit:?}… in {dialect:?}"
                );
            }
        }
    }
}

#[test]
fn pairs_of_runs() {
    for one in UNITS {
        for two in UNITS {
            check(&[one.repeat(80), two.repeat(80)].concat(), one);
            check(&[*one, *two].concat().repeat(80), one);
        }
    }
}

/// A recognizer that reads on from every candidate to the end of the text, for something that
/// is not there, and finds no link.
fn count_looks_to_the_end(text: &str) -> usize {
    let mut looks = Looks::default();
    let mut candidates = Candidates::new(text.as_bytes(), Rules::new(Dialect::Gfm));
    let mut at = 0;
    while let Some(candidate) = candidates.at_or_after(at) {
        at = candidate.end();
        for byte in &text.as_bytes()[at..] {
            looks.examined(1);
            assert_ne!(*byte, 0, "there is no such byte");
        }
    }
    looks.0
}

#[test]
fn the_count_would_notice() {
    let mut n_noticed = 0;
    for unit in UNITS {
        let text = unit.repeat(1000);
        n_noticed += usize::from(!is_linear(count_looks_to_the_end(&text), &text));
    }
    // Those with a candidate in them.
    let is_candidate =
        |unit: &&&str| unit.contains('@') || unit.contains("://") || unit.contains("www.");
    let n_units = UNITS.iter().filter(is_candidate).count();
    assert!(n_units > 30);
    assert_eq!(n_noticed, n_units);
}
