//! `natural`: the complaints it is made for, GFM's examples, the tests of
//! UTS #58, and what only a caller that knows Markdown can ask.

use std::fs;
use std::path::{Path, PathBuf};

use barelink_autolink::verdict::Silent;
use barelink_autolink::{Context, Dialect, Kind, OpenEmphasis, links, natural, verdicts};
use serde::Deserialize;

const DIALECT: Dialect = Dialect::Natural;

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/autolink").join(name)
}

fn hrefs(text: &str) -> Vec<String> {
    links(text, DIALECT).map(|link| link.href().to_string()).collect()
}

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    input: String,
    expected_hrefs: Vec<String>,
}

/// Complaints in which other Markdown is decisive: links, emphasis further
/// away, tags.
const NEED_AN_ENGINE: &[&str] = &["U026", "U028", "U052"];

#[test]
fn complaints() {
    let json = fs::read_to_string(testdata("cases/natural.json")).expect("the complaints");
    let cases = serde_json::from_str::<File>(&json).expect("well-formed complaints").cases;
    assert_eq!(cases.len(), 60);
    let is_plain = |case: &&Case| !NEED_AN_ENGINE.contains(&case.id.as_str());
    let wrong: Vec<_> = cases
        .iter()
        .filter(is_plain)
        .map(|case| (case, hrefs(&case.input)))
        .filter(|(case, found)| *found != case.expected_hrefs)
        .map(|(case, found)| format!("{} {:?}: got {found:?}", case.id, case.input))
        .collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    // A complaint that needs no engine any more is to be taken off the list.
    for case in cases.iter().filter(|case| !is_plain(case)) {
        assert_ne!(hrefs(&case.input), case.expected_hrefs, "{} needs no engine", case.id);
    }
}

/// Examples 1 to 11 of the document's section, one paragraph each; what they
/// show is the same in its Chinese text. The twelfth is of Markdown's links.
const GFM_EXAMPLES: &[&str] = &[
    "|www.commonmark.org|",
    "Visit |www.commonmark.org/help| for more information.",
    "Visit |www.commonmark.org|.",
    "Visit |www.commonmark.org/a.b|.",
    "Visit |www.commonmark.org/~jm/foo/bar.pdf|.",
    "|www.google.com/search?q=Markup+(business)|",
    "(|www.google.com/search?q=Markup+(business)|)",
    "|www.google.com/search?q=(business))+ok|",
    "|www.google.com/search?q=commonmark&hl=en|",
    "|www.google.com/search?q=commonmark|&hl;",
    "|www.commonmark.org/he|<lp",
    "|http://commonmark.org|",
    "(Visit |https://encrypted.google.com/search?q=Markup+(business)|)",
    "Anonymous FTP is available at |ftp://foo.bar.baz|.",
    "|foo@bar.baz|",
    "hello@mail+xyz.example isn't valid, but |hello+xyz@mail.example| is.",
    "|a.b-c_d@a.b|",
    "|a.b-c_d@a.b|.",
    "a.b-c_d@a.b-",
    "a.b-c_d@a.b_",
];

/// The text with its links marked.
fn mark(text: &str, before: char, after: char) -> String {
    let (mut marked, mut done) = (String::new(), 0);
    for link in links(text, DIALECT) {
        marked += &text[done..link.span.range().start];
        marked.push(before);
        marked += link.text;
        marked.push(after);
        done = link.span.range().end;
    }
    marked + &text[done..]
}

#[test]
fn examples_of_gfm() {
    for example in GFM_EXAMPLES {
        assert_eq!(mark(&example.replace('|', ""), '|', '|'), *example);
    }
}

/// The lines of UTS #58's test that have a scheme, `www.` or an address.
fn uts58_lines() -> Option<Vec<String>> {
    let folder = std::env::var_os("BARELINK_UTS58").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/uts58"),
        PathBuf::from,
    );
    let Ok(text) = fs::read_to_string(folder.join("LinkDetectionTest.txt")) else {
        assert!(std::env::var_os("CI").is_none(), "no UTS #58 in {}", folder.display());
        return None;
    };
    let is_measured = |line: &&str| {
        let lower = line.to_lowercase();
        !line.starts_with('#') && ["://", "www.", "@"].iter().any(|mark| lower.contains(mark))
    };
    Some(text.lines().filter(is_measured).map(str::to_owned).collect())
}

/// The lines that come out otherwise, from a list with the reasons.
fn uts58_differences() -> Vec<String> {
    let list = fs::read_to_string(testdata("uts58-differences.txt")).expect("the list");
    list.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn tests_of_uts58() {
    let Some(lines) = uts58_lines() else {
        eprintln!("skipped: the data of UTS #58 is not here");
        return;
    };
    let listed = uts58_differences();
    let is_as_marked =
        |line: &&String| mark(&line.replace(['⸠', '⸡'], ""), '⸠', '⸡') == **line;
    let (good, other): (Vec<_>, Vec<_>) = lines.iter().partition(is_as_marked);
    eprintln!("{} of {} lines of UTS #58 as marked", good.len(), lines.len());
    for line in &other {
        assert!(listed.contains(line), "not as marked: {line}");
    }
    for line in &listed {
        assert!(other.contains(&line), "listed, but as marked or not there: {line}");
    }
    assert!(good.len() * 100 >= lines.len() * 95);
}
