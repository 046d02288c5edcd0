//! `natural`: the complaints it is made for, GFM's examples, the tests of
//! UTS #58, and what only a caller that knows Markdown can ask.

use std::fs;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};

use barelink_autolink::engine::{
    Candidates, Match, OpenEmphasis, Reasons, Region, Silent, decide, natural,
};
use barelink_autolink::{Dialect, Kind, Outcome, Rules, links, links_with, verdicts};
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::select;
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

#[test]
fn schemes_of_ones_own() {
    const SCHEMES: &[&str] = &["tel", "magnet", "app", "x-y"];
    for (text, expected) in [
        ("tel:+1-555-0100.", &["tel:+1-555-0100"][..]),
        ("TEL:5550100", &["TEL:5550100"]),
        ("(tel:5550100)", &["tel:5550100"]),
        ("打电话tel:5550100吧", &["tel:5550100"]),
        ("magnet:?xt=urn:btih:c12fe1&dn=a.b", &["magnet:?xt=urn:btih:c12fe1&dn=a.b"]),
        ("**app://open/x?y=1**z", &["app://open/x?y=1"]),
        ("x-y:a https://h.com app://b", &["x-y:a", "https://h.com", "app://b"]),
        ("app://a,app://b", &["app://a,app://b"]),
        ("hotel:5550100", &[]),
        ("my.tel:5550100", &[]),
        ("tel: 5550100", &[]),
        ("tel:", &[]),
        ("tel:...", &[]),
        ("tel:电话", &[]),
        ("app://", &[]),
        ("ssh://h.com", &[]),
    ] {
        let found: Vec<_> = links_with(text, DIALECT, SCHEMES).map(|link| link.text).collect();
        assert_eq!(found, expected, "{text}");
        assert!(links(text, DIALECT).all(|link| link.text.starts_with("http")), "{text}");
    }
}

#[derive(Deserialize)]
struct Sentence {
    id: String,
    input: String,
    links: Vec<String>,
}

#[test]
fn chat() {
    let json = fs::read_to_string(testdata("cases/natural-chat.json")).expect("the sentences");
    let sentences: Vec<Sentence> = serde_json::from_str(&json).expect("well-formed sentences");
    assert_eq!(sentences.len(), 18);
    let wrong: Vec<_> = sentences
        .iter()
        .map(|sentence| (sentence, links(&sentence.input, DIALECT)))
        .map(|(sentence, found)| (sentence, found.map(|link| link.text).collect::<Vec<_>>()))
        .filter(|(sentence, found)| *found != sentence.links)
        .map(|(sentence, found)| format!("{} {:?}: got {found:?}", sentence.id, sentence.input))
        .collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
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
    let list = fs::read_to_string(testdata("uts58-differences.list")).expect("the list");
    list.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn tests_of_uts58() {
    let Some(lines) = uts58_lines() else {
        let _ = writeln!(stderr(), "skipped: the data of UTS #58 is not here");
        return;
    };
    let listed = uts58_differences();
    let is_as_marked = |line: &&String| mark(&line.replace(['⸠', '⸡'], ""), '⸠', '⸡') == **line;
    let (good, other): (Vec<_>, Vec<_>) = lines.iter().partition(is_as_marked);
    let _ = writeln!(stderr(), "{} of {} lines as UTS #58 marks them", good.len(), lines.len());
    for line in &other {
        assert!(listed.contains(line), "not as marked: {line}");
    }
    for line in &listed {
        assert!(other.contains(&line), "listed, but as marked or not there: {line}");
    }
    assert!(good.len() * 100 >= lines.len() * 95);
}

#[test]
fn bytes_that_are_no_text() {
    for bytes in [
        &b"http://bc/.'\xff"[..],
        b"http://bc/a'\xE4\xB8",
        b"http://bc/\xE4\xB8\xAD\xE4",
        b"http://bc/1\xE5\xB9\xB4\xEC",
        b"http://bc\xE4\xB8",
        b"http://bc&\xff",
        b"www.a.bc\xF0\x9F",
        b"a@b.cd\xE4",
        b"\xE4\xB8a@b.cd",
    ] {
        let mut region = Region::new(0, bytes.len());
        let candidate = Candidates::new(bytes, Rules::new(DIALECT)).at_or_after(0);
        let candidate = candidate.expect("a candidate");
        let report = &mut Reasons::default();
        let link = decide(DIALECT, candidate, bytes, &mut region, report).expect("a link");
        assert!(bytes[link.start..link.end].is_ascii() || link.end < bytes.len());
    }
}

/// The first URL or `www.` name as a caller finds it that knows of emphasis.
fn first_link(text: &str, floor: usize, open: OpenEmphasis) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut candidates = Candidates::new(bytes, Rules::new(DIALECT));
    let candidate = candidates.at_or_after(floor)?;
    let mut region = Region::new(floor, bytes.len());
    region.open_emphasis = open;
    let found = decide(DIALECT, candidate, bytes, &mut region, &mut Silent);
    found.map(|Match { start, end, .. }| &text[start..end])
}

#[test]
fn open_emphasis_is_closed() {
    const NONE: OpenEmphasis = OpenEmphasis { star: 0, underscore: 0, tilde: 0 };
    let star = |star| OpenEmphasis { star, ..NONE };
    let underscore = |underscore| OpenEmphasis { underscore, ..NONE };
    let tilde = |tilde| OpenEmphasis { tilde, ..NONE };
    for (text, open, link) in [
        ("see http://a.bc/x** y", star(2), "http://a.bc/x"),
        ("see http://a.bc/x** y", star(1), "http://a.bc/x"),
        ("see http://a.bc/x* y", star(2), "http://a.bc/x*"),
        ("see http://a.bc/x* y", star(0), "http://a.bc/x*"),
        ("see http://a.bc/x** y*", star(3), "http://a.bc/x"),
        ("see http://a.bc* y", star(1), "http://a.bc"),
        ("see http://a.bc/_x_ y", underscore(1), "http://a.bc/_x"),
        ("see http://a.bc/x_y y", underscore(1), "http://a.bc/x_y"),
        ("see http://a.bc_ y", underscore(1), "http://a.bc"),
        ("see www.a.bc_, y", underscore(1), "www.a.bc"),
        ("see http://a.bc/x~~ y", tilde(2), "http://a.bc/x"),
        ("see http://a.bc/~x y", tilde(1), "http://a.bc/~x"),
        ("see http://a.bc/x~y y", tilde(2), "http://a.bc/x~y"),
    ] {
        assert_eq!(first_link(text, 0, open), Some(link), "{text} with {open:?}");
    }
}

#[test]
fn nothing_before_the_floor_counts() {
    const NONE: OpenEmphasis = OpenEmphasis { star: 0, underscore: 0, tilde: 0 };
    assert_eq!(first_link("xhttp://a.bc", 1, NONE), Some("http://a.bc"));
    assert_eq!(first_link("xwww.a.bc", 1, NONE), Some("www.a.bc"));
    assert_eq!(first_link("*http://a.bc/*", 1, NONE), Some("http://a.bc/*"));
    assert_eq!(first_link("'http://a.bc/'x", 1, NONE), Some("http://a.bc/'x"));
    assert_eq!(first_link("x/a@b.cd", 2, NONE), Some("a@b.cd"));
}

#[test]
fn hosts_in_the_destination() {
    for (text, href) in [
        ("https://bücher.example/ü?ü", "https://xn--bcher-kva.example/ü?ü"),
        ("HTTPS://BÜCHER.example", "HTTPS://xn--bcher-kva.example"),
        ("www.例え.jp:80/例", "http://www.xn--r8jz45g.jp:80/例"),
        ("https://中国政府.政务.cn", "https://xn--fiqs8sirgfmh.xn--zfr164b.cn"),
        ("http://[::1]/é", "http://[::1]/é"),
        ("http://a.bc/é", "http://a.bc/é"),
        ("a@é.fr", "mailto:a@é.fr"),
        ("mailto:a@é.fr", "mailto:a@é.fr"),
        ("xmpp:a@é.fr", "xmpp:a@é.fr"),
    ] {
        assert_eq!(hrefs(text), [href]);
        let link = links(text, DIALECT).next().expect("a link");
        let mut pushed = String::new();
        natural::push_href(link.text, link.href_prefix(), &mut pushed).expect("a string takes all");
        assert_eq!(pushed, href);
        assert_eq!(link.text, text);
    }
}

/// Pieces that links of this dialect are made of, and what ends them.
const PIECES: &[&str] = &[
    "http://", "https://", "HTTP://", "www.", "WWW.", "@", "mailto:", "xmpp:", "a", "b.cd", "x1",
    "b.com", "1", ".", "-", "_", "__", "+", "/", "?", "#", "=", "&amp;", "&gt;", "&x;", ";", ":",
    ",", "!", "*", "**", "~~", "(", ")", "[", "]", "[^", "](", "{", "}", "<", ">", "'", "\"", "\\",
    "|", "`", " ", "\n", "\n\n", "é", "中", "か", "・", "한", "에서", "년", "ไ", "。", "（", "）",
    "“", "”", "を", "서울", "2024", "年", "。a", ".pdf", "&#99;", "\\_", "~", "^^", "'", "«", "’",
    "—", "…", "\u{3000}", "\u{A0}", "\u{200B}", "😀", "\u{301}", "\0", "%20", "[::1]", ":80",
];

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn links_are_sound(text in text(), domains in any::<bool>()) {
        let mut done = 0;
        let mut rules = Rules::new(DIALECT);
        rules.domains = domains;
        for link in links(&text, rules) {
            prop_assert!(done <= link.span.start && link.span.start < link.span.end);
            prop_assert_eq!(text.get(link.span.range()), Some(link.text));
            prop_assert!(!link.text.contains(|c: char| c.is_whitespace() || c == '<' || c == '`'));
            prop_assert!(!link.text.ends_with(['.', ',', '。', '，', '）', '“', ';', '!', '?']) ||
                link.text.contains('&'));
            // A quote stays only as one of a pair.
            prop_assert!(!link.text.ends_with('\'') || link.text.matches('\'').count() > 1);
            let href = link.href().to_string();
            let host = href.split("://").nth(1).unwrap_or("").split(['/', '?', '#']).next();
            prop_assert!(link.kind == Kind::Email || host.is_some_and(str::is_ascii), "{}", href);
            done = link.span.end;
        }
    }

    #[test]
    fn every_candidate_has_a_verdict(text in text()) {
        for verdict in verdicts(&text, DIALECT) {
            match verdict.outcome {
                Outcome::Linked { span, trims, .. } => {
                    let mut trimmed: Vec<_> = trims.iter().map(|trim| trim.span).collect();
                    trimmed.reverse();
                    let mut end = span.end;
                    for trim in trimmed {
                        prop_assert_eq!(trim.start, end);
                        prop_assert!(text.is_char_boundary(trim.end as usize));
                        end = trim.end;
                    }
                }
                Outcome::Refused { at, .. } => prop_assert!(text.is_char_boundary(at as usize)),
            }
        }
    }

    #[test]
    fn any_caller_is_safe(
        text in text(), open in any::<[u8; 3]>(), floor in any::<proptest::sample::Index>()
    ) {
        let floor = floor.index(text.len() + 1);
        let [star, underscore, tilde] = open.map(|len| len % 4);
        if text.is_char_boundary(floor) {
            let link = first_link(&text, floor, OpenEmphasis { star, underscore, tilde });
            prop_assert!(link.is_none_or(|link| !link.is_empty()));
        }
    }

    #[test]
    fn any_bytes_are_safe(
        pieces in proptest::collection::vec(
            prop_oneof![
                select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
                any::<[u8; 2]>().prop_map(|bytes| bytes.to_vec()),
                // Part of a character.
                select(PIECES).prop_map(|piece| piece.as_bytes()[..1].to_vec()),
            ],
            0..40,
        )
    ) {
        let bytes = pieces.concat();
        for &dialect in Dialect::ALL {
            let mut rules = Rules::new(dialect);
            rules.domains = true;
            let schemes: &[&str] = &["a", "mailto", "x1"];
            let mut candidates = Candidates::with_schemes(&bytes, rules, schemes);
            let mut region = Region::new(0, bytes.len());
            let mut at = 0;
            while let Some(candidate) = candidates.at_or_after(at) {
                let found =
                    decide(dialect, candidate, &bytes, &mut region, &mut Reasons::default());
                if let Some(link) = found {
                    prop_assert!(link.start < link.end && link.end <= bytes.len());
                }
                at = found.map_or(candidate.end(), |link| link.end.max(candidate.end()));
            }
        }
    }
}
