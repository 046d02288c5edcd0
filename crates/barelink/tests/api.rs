//! What no other test asks of the public face: the same document by every way out, and
//! the words that go with a decision.

use std::io::{self, Write};

use barelink::autolink::Dialect;
use barelink::{Autolinks, Document, Link, Options, Parser, Span, Verdict};

/// Long enough for many chunks, with all that must not be torn apart.
fn long_document() -> String {
    let part = "# A heading\n\nA paragraph[^a] of *some* text.\n\n> - quoted\n>   list\n\n\
                |a|b|\n|-|-|\n|c|d|\n\n```\ncode\n```\n\n[^a]: A note.\n\n";
    part.repeat(5000)
}

/// Notes how often it is written to, and fails when it is full.
struct Chunks {
    written: Vec<u8>,
    n_writes: usize,
    max_len: usize,
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.written.len() + bytes.len() > self.max_len {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.n_writes += 1;
        self.written.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn chunks_make_the_same_html() {
    let source = long_document();
    for name in Options::PRESETS {
        let mut parser = Parser::new(Options::preset(name).unwrap());
        let mut html = String::new();
        parser.push_html(&source, &mut html).unwrap();
        let mut chunks = Chunks { written: Vec::new(), n_writes: 0, max_len: usize::MAX };
        parser.parse(&source).unwrap().write_html(&mut chunks).unwrap();
        assert!(chunks.written == html.as_bytes(), "{name}");
        assert!(chunks.n_writes > 1, "{name}");
    }
}

#[test]
fn a_writer_that_fails_is_heard() {
    let source = long_document();
    let mut parser = Parser::new(Options::gfm());
    let mut chunks = Chunks { written: Vec::new(), n_writes: 0, max_len: 100_000 };
    let error = parser.parse(&source).unwrap().write_html(&mut chunks).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    assert!(chunks.n_writes > 0);
}

#[test]
fn breaks_are_spaces_in_the_text_of_a_link() {
    let mut parser = Parser::new(Options::gfm());
    let document = parser.parse("[a\nb](/u) ![c\\\nd](/v)").unwrap();
    let texts: Vec<_> = document.links().map(|link| link.text.to_string()).collect();
    assert_eq!(texts, ["a b", "c d"]);
}

#[test]
fn every_place_without_links_says_why() {
    let source = "`www.a.bc` <http://a.bc> <b title=\"www.a.bc\"> <a>www.a.bc</a>\n\
                  [www.a.bc](www.a.bc) ![www.a.bc](/u)\n\n\
                  [b]: www.a.bc\n\n    www.a.bc\n\n<div>\nwww.a.bc\n</div>\n";
    let mut options = Options::natural();
    options.autolinks.email = false;
    let mut parser = Parser::new(options);
    let source = format!("{source}\na@b.cd\n");
    let document = parser.parse(&source).unwrap();
    let mut reasons: Vec<&str> = document
        .explain()
        .filter_map(|decision| match decision.verdict {
            Verdict::Elsewhere(place) => Some(place.sentence()),
            _ => None,
        })
        .collect();
    reasons.sort_unstable();
    reasons.dedup();
    assert_eq!(reasons.len(), 11, "{reasons:#?}");
}

/// Links of every form in every kind of block.
const LINKS: &str = "# www.a.bc [a][m]\n\nTwo lines: a@b.cd\n![b](/c \"d\")\n===\n\n\
                     > * http://a.bc/x (\"www.e.fg\")\n>\n>   [f\n>   g](/h)\n> * WWW.I.JK\n\n\
                     |<http://l.mn>|a&#64;o.pq|\n|-|-|\n|www.r.st|[m]|\n\n\
                     [m]: /u\n```\nwww.c.de\n```\nx@y.zz[^1]\n\n[^1]: www.n.ot [1](/v)\n";

#[test]
fn links_within_a_line_are_those_of_its_blocks() {
    let document = barelink::parse(LINKS, &Options::natural()).unwrap();
    let lines = document.line_index();
    let mut n_found = 0;
    for number in 1..=lines.n_lines() {
        let line = lines.line_span(number).unwrap();
        let is_on = |link: &Link<'_>| link.span.start <= line.end && link.span.end >= line.start;
        let found: Vec<_> = document.links().within(line).filter(is_on).collect();
        let expected: Vec<_> = document.links().filter(is_on).collect();
        assert_eq!(found, expected, "line {number}");
        n_found += found.len();
    }
    // One is on two lines.
    assert_eq!(n_found, document.links().count() + 1);
    // The heading is left out below its text.
    let underline = LINKS.find("===").unwrap() as u32;
    assert_eq!(document.links().within(Span::new(underline, underline + 3)).count(), 0);
}

#[test]
fn other_bare_links_are_those_of_other_options() {
    let html = |document: &Document<'_, '_>| {
        let mut html = String::new();
        document.push_html(&mut html);
        html
    };
    for &dialect in Dialect::ALL {
        let mut options = Options::github();
        options.autolinks = Autolinks::new(dialect);
        let expected = barelink::to_html(LINKS, &options).unwrap();
        options.autolinks = Autolinks::NONE;
        let plain = barelink::parse(LINKS, &options).unwrap();
        let before = html(&plain);
        assert_ne!(before, expected);
        let shared = plain.clone().with_autolinks(Autolinks::new(dialect));
        assert_eq!(html(&shared), expected, "{dialect}");
        assert_eq!(html(&plain), before, "the one it was made from stays as it is");
        assert_eq!(html(&plain.with_autolinks(Autolinks::new(dialect))), expected, "{dialect}");
        let mut parser = Parser::new(Options::github());
        let borrowed = parser.parse(LINKS).unwrap().with_autolinks(Autolinks::new(dialect));
        assert_eq!(html(&borrowed), expected, "{dialect}");
    }
}
