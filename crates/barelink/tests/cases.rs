//! The case files of bare links through the whole engine, and the recognizer
//! alone against the engine: on a plain paragraph they find the same links.

mod plain;

use barelink::autolink::links;
use barelink::{Autolinks, Dialect, Options, Parser, Policy, Span};
use barelink_spectest::link_cases::{self, Complaint, Found, HtmlCase, LinksCase};
use plain::is_plain;
use proptest::prelude::{ProptestConfig, Strategy, prop, proptest};

/// CommonMark with bare links in this dialect, everything let through.
fn options(dialect: Dialect) -> Options {
    let mut options = Options::commonmark();
    options.autolinks = Autolinks::new(dialect);
    options.policy = Policy::TRUSTED;
    options
}

fn render(source: &str, options: &Options) -> String {
    barelink::to_html(source, options).expect("the source is short")
}

/// The bare links of a document, each with its span.
fn find(source: &str, dialect: Dialect) -> Vec<(Found, Span)> {
    let mut parser = Parser::new(options(dialect));
    let document = parser.parse(source).expect("the source is short");
    let found = document.links().filter(|link| link.form.is_bare());
    found
        .map(|link| {
            let (text, href) = (link.text.into_owned(), link.destination.into_owned());
            (Found { text, href }, link.span)
        })
        .collect()
}

/// Fails with all that is wrong.
fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

fn check_links(file: &str, dialect: Dialect) {
    let cases: Vec<LinksCase> = link_cases::load(file).expect("the case file");
    assert_eq!(cases.len(), 3000);
    let mut wrong = Vec::new();
    for case in cases {
        let found: Vec<Found> =
            find(&case.markdown, dialect).into_iter().map(|(found, _)| found).collect();
        if found != case.links {
            wrong.push(format!("{:?}: want {:?}, got {found:?}", case.markdown, case.links));
        }
    }
    assert_none(&wrong);
}

#[test]
fn gfm() {
    check_links("gfm.json", Dialect::Gfm);
}

#[test]
fn md4c() {
    check_links("md4c.json", Dialect::Md4c);
}

#[test]
fn github() {
    let cases: Vec<HtmlCase> = link_cases::load("github.json").expect("the case file");
    assert_eq!(cases.len(), 3000);
    let mut wrong = Vec::new();
    for case in cases {
        let html = render(&case.markdown, &options(Dialect::Github));
        if html != case.html {
            wrong.push(format!("{:?}: want {:?}, got {html:?}", case.markdown, case.html));
        }
    }
    assert_none(&wrong);
}

#[test]
fn natural() {
    let cases: Vec<Complaint> = link_cases::load("natural.json").expect("the case file");
    assert_eq!(cases.len(), 60);
    let mut natural = Options::natural();
    natural.policy = Policy::TRUSTED;
    let mut wrong = Vec::new();
    for Complaint { id, input, expected_hrefs } in cases {
        let html = render(&input, &natural);
        let hrefs: Vec<String> = hrefs(&html).map(percent_decoded).collect();
        let expected: Vec<String> =
            expected_hrefs.iter().map(|href| percent_decoded(href)).collect();
        if hrefs != expected {
            wrong.push(format!("{id} {input:?}: want {expected:?}, got {hrefs:?}"));
        }
    }
    assert_none(&wrong);
}

/// The destinations in a piece of our HTML, as they are written.
fn hrefs(html: &str) -> impl Iterator<Item = &str> {
    html.split("<a href=\"").skip(1).filter_map(|rest| rest.split('"').next())
}

/// A destination without the encoding that HTML writers put on it.
fn percent_decoded(href: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = href.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).replace("&amp;", "&").replace("&#x27;", "'")
}

#[test]
fn destinations_are_read_back() {
    let html = "<p><a href=\"u%C3%A9&amp;\">x</a> <img src=\"y\" /> <a href=\"%zz%4\">a</a></p>";
    let found: Vec<String> = hrefs(html).map(percent_decoded).collect();
    assert_eq!(found, ["ué&", "%zz%4"]);
}

/// What bare links are made of, and what stands around them in plain text.
const PIECES: &[&str] = &[
    "http://",
    "https://",
    "ftp://",
    "HTTP://",
    "ssh://",
    "://",
    "www.",
    "WWW.",
    "mailto:",
    "xmpp:",
    "a@b.cd",
    "www.a.bc",
    "http://a.bc",
    "https://x.org/y",
    "@",
    "@b.cd",
    ".",
    "_",
    "-",
    "+",
    "a",
    "bc",
    "1",
    "é",
    "中",
    "。",
    "，",
    "（",
    "）",
    "한",
    "😀",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    "&",
    "&h1;",
    "'",
    "\"",
    ":",
    "/",
    "?",
    "?q=",
    "=",
    "#",
    "!",
    ",",
    "~",
    "*",
    "|",
    "<",
    ">",
    "%20",
    "\\",
    " ",
    " ",
    "\n",
    "\u{A0}",
    "\u{3000}",
    "\u{B}",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 1..14).prop_map(|pieces| pieces.concat())
}

/// On a plain paragraph, the recognizer alone finds what the engine finds.
fn check_agreement(source: &str, dialect: Dialect) {
    // In Markdown, `natural` minds every run that could open emphasis before a
    // link; the recognizer alone only one right before it.
    let has_runs = dialect == Dialect::Natural && source.contains(['*', '_', '~']);
    if has_runs || !is_plain(source) {
        return;
    }
    let alone: Vec<_> = links(source, dialect)
        .map(|link| {
            let (text, href) = (link.text.to_owned(), link.href().to_string());
            (Found { text, href }, link.span)
        })
        .collect();
    assert_eq!(alone, find(source, dialect), "alone and in the engine, on {source:?}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn recognizer_and_engine_agree_in_gfm(source in soup()) {
        check_agreement(&source, Dialect::Gfm);
    }

    #[test]
    fn recognizer_and_engine_agree_in_github(source in soup()) {
        check_agreement(&source, Dialect::Github);
    }

    #[test]
    fn recognizer_and_engine_agree_in_md4c(source in soup()) {
        check_agreement(&source, Dialect::Md4c);
    }

    #[test]
    fn recognizer_and_engine_agree_in_natural(source in soup()) {
        check_agreement(&source, Dialect::Natural);
    }
}

#[test]
fn plain_is_what_has_no_markup() {
    for plain in ["a", "http://a.bc/x_y", "a *b", "a\nb", "[a http://b.cd", "&h1;"] {
        assert!(is_plain(plain), "{plain:?}");
    }
    for marked in ["", "*a*", "&amp;", "# a", "a ", "\\*", "<b>", "a\n b", "[a](b)", "- a"] {
        assert!(!is_plain(marked), "{marked:?}");
    }
}
