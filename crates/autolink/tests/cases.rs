//! The case files: plain paragraphs, and the links that must be found in them.

use std::path::Path;

use barelink_autolink::{Dialect, links};
use serde::Deserialize;

#[derive(Deserialize)]
struct File<T> {
    cases: Vec<T>,
}

#[derive(Deserialize)]
struct LinksCase {
    markdown: String,
    links: Vec<Found>,
}

#[derive(Deserialize)]
struct HtmlCase {
    markdown: String,
    html: String,
}

#[derive(Deserialize, PartialEq, Eq, Debug)]
struct Found {
    text: String,
    href: String,
}

fn read<T: for<'de> Deserialize<'de>>(name: &str) -> Vec<T> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/autolink/cases").join(name);
    let json = std::fs::read_to_string(&path).expect("a case file");
    serde_json::from_str::<File<T>>(&json).expect("a well-formed case file").cases
}

/// A paragraph as a Markdown engine hands it over: no blanks at either end of
/// a line.
fn paragraph(markdown: &str) -> String {
    let lines: Vec<_> = markdown.split('\n').map(|line| line.trim_matches([' ', '\t'])).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

fn find(text: &str, dialect: Dialect) -> Vec<Found> {
    links(text, dialect)
        .map(|link| Found { text: link.text.to_owned(), href: link.href().to_string() })
        .collect()
}

fn check(name: &str, dialect: Dialect) {
    let cases: Vec<LinksCase> = read(name);
    assert_eq!(cases.len(), 3000);
    let wrong: Vec<_> = cases
        .iter()
        .map(|case| (case, find(&paragraph(&case.markdown), dialect)))
        .filter(|(case, found)| *found != case.links)
        .map(|(case, found)| format!("{:?}: want {:?}, got {found:?}", case.markdown, case.links))
        .collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn gfm() {
    check("gfm.json", Dialect::Gfm);
}

#[test]
fn md4c() {
    check("md4c.json", Dialect::Md4c);
}

/// A case of `github.json` in which nothing but links was recognized: without
/// its anchors, the HTML says what the Markdown said. The rest needs an engine.
fn parse_plain(case: &HtmlCase) -> Option<(String, Vec<Found>)> {
    let mut rest = case.html.strip_prefix("<p>")?.strip_suffix("</p>\n")?;
    let (mut text, mut links) = (String::new(), Vec::new());
    while let Some((before, tagged)) = rest.split_once('<') {
        text += &unescape(before);
        let (href, tagged) = tagged.strip_prefix("a href=\"")?.split_once("\">")?;
        let (anchor, after) = tagged.split_once("</a>")?;
        text += &unescape(anchor);
        links.push(Found { text: unescape(anchor), href: unescape(href) });
        rest = after;
    }
    text += &unescape(rest);
    let given = paragraph(&case.markdown);
    (text == given).then_some((given, links))
}

fn unescape(html: &str) -> String {
    html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#x27;", "'")
        .replace("&amp;", "&")
}

/// The destination as cmark-gfm writes it into an attribute.
fn encode(href: &str) -> String {
    let mut encoded = String::new();
    for byte in href.bytes() {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => encoded.push(byte as char),
            _ if b"-_.+!*'(),%#@?=;:/&$~".contains(&byte) => encoded.push(byte as char),
            _ => encoded.extend(format!("%{byte:02X}").chars()),
        }
    }
    encoded
}

#[test]
fn github() {
    let cases: Vec<HtmlCase> = read("github.json");
    assert_eq!(cases.len(), 3000);
    let plain: Vec<_> = cases.iter().filter_map(parse_plain).collect();
    // Guards against a reader that skips what it ought to check.
    assert_eq!(plain.len(), 2804, "cases that need no engine");
    let wrong: Vec<_> = plain
        .iter()
        .map(|(text, want)| {
            let mut found = find(text, Dialect::Github);
            for link in &mut found {
                link.href = encode(&link.href);
            }
            (text, want, found)
        })
        .filter(|(_, want, found)| found != *want)
        .map(|(text, want, found)| format!("{text:?}: want {want:?}, got {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
