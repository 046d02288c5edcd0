//! What holds for every document: the events render to the same HTML as the
//! walker, they balance, and their spans nest, lie on character boundaries and
//! point at the text they came from.

use std::borrow::Cow;

use barelink::{EventKind, Options, Parser, Policy, Span, Tag, Verdict, html};
use barelink_spectest::suite;
use proptest::prelude::{ProptestConfig, Strategy, any, prop, proptest};

/// Every configuration that a property must hold in.
fn configurations() -> Vec<Options> {
    let mut all = Vec::new();
    for name in Options::PRESETS {
        let safe = Options::preset(name).expect("a listed preset exists");
        let mut trusted = safe;
        trusted.policy = Policy::TRUSTED;
        all.extend([safe, trusted]);
    }
    all
}

fn check(source: &str) {
    for options in configurations() {
        check_with(source, options);
        check_explained(source, options);
    }
}

fn check_with(source: &str, options: Options) {
    let mut parser = Parser::new(options);
    let mut document = parser.parse(source).expect("the source is short");
    let mut from_walker = String::new();
    document.push_html(&mut from_walker);
    let mut from_events = String::new();
    html::push_events(document.events(), &options, &mut from_events);
    assert_eq!(from_walker, from_events, "walker and events differ on {source:?}");
    let mut written = Vec::new();
    document.write_html(&mut written).expect("a vector takes everything");
    assert_eq!(from_walker.as_bytes(), written, "written HTML differs on {source:?}");

    let mut open: Vec<(Tag<'_>, Span)> = Vec::new();
    let whole = Span::new(0, source.len() as u32);
    let mut last_start = 0;
    for event in document.events() {
        let Span { start, end } = event.span;
        assert!(
            start <= end && source.get(event.span.range()).is_some(),
            "{event:?} in {source:?}"
        );
        let outer = open.last().map_or(whole, |(_, span)| *span);
        assert!(outer.contains(event.span), "{event:?} leaves {outer:?} in {source:?}");
        match event.kind {
            EventKind::Start(tag) => {
                assert!(start >= last_start, "{tag:?} goes back in {source:?}");
                last_start = start;
                open.push((tag, event.span));
            }
            EventKind::End(end) => {
                let (tag, span) = open.pop().expect("an end has a start");
                assert_eq!((tag.end(), span), (end, event.span), "in {source:?}");
            }
            EventKind::Text(Cow::Borrowed(text)) => {
                assert!(start >= last_start, "{text:?} goes back in {source:?}");
                last_start = start;
                check_text(text, event.span.slice(source), source);
            }
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?} never ends in {source:?}");
}

/// The explanation agrees with what was done: a candidate is explained as
/// linked where there is a bare link, and nowhere else.
fn check_explained(source: &str, options: Options) {
    let mut parser = Parser::new(options);
    let mut document = parser.parse(source).expect("the source is short");
    let bare: Vec<Span> =
        document.links().filter(|link| link.form.is_bare()).map(|link| link.span).collect();
    let mut explained = Vec::new();
    let mut last = 0;
    for decision in document.explain() {
        let Span { start, end } = decision.candidate;
        assert!(start >= last && start <= end, "{decision:?} in {source:?}");
        last = start;
        assert!(source.get(decision.candidate.range()).is_some(), "{decision:?} in {source:?}");
        if let Verdict::Linked { span, trims, .. } = decision.verdict {
            explained.push(span);
            for trim in trims {
                assert!(trim.span.start >= span.end, "{trim:?} of {span:?} in {source:?}");
            }
        }
    }
    assert_eq!(bare, explained, "links and explanations differ on {source:?}");
}

/// Text is what stands in the source, or stands for it.
fn check_text(text: &str, written: &str, source: &str) {
    let is_entity = written.starts_with('&') && written.ends_with(';');
    let is_nul = written == "\0" && text == "\u{FFFD}";
    let is_added = written.is_empty() && text.trim_matches([' ', '\n']).is_empty();
    assert!(text == written || is_entity || is_nul || is_added, "{text:?} {written:?} {source:?}");
}

#[test]
fn suites_hold_the_properties() {
    for file in ["commonmark-0.31.2.json", "cmark-regression.json", "gfm-0.29-spec.json"] {
        match suite::load(file) {
            Ok(examples) => {
                assert!(!examples.is_empty(), "{file} is empty");
                for example in examples {
                    check(&example.markdown);
                }
            }
            Err(missing) => assert!(missing.is_skip(), "{missing}"),
        }
    }
}

/// Pieces that mean something to a Markdown parser, alone and together.
const PIECES: &[&str] = &[
    "a",
    "b c",
    "é",
    "中文",
    " ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\0",
    "\u{A0}",
    "*",
    "**",
    "***",
    "_",
    "__",
    "~",
    "~~",
    "`",
    "``",
    "```",
    "[",
    "]",
    "](",
    "][",
    "[]",
    "![",
    "(",
    ")",
    "<",
    ">",
    "> ",
    ">",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "2) ",
    "#",
    "# ",
    "=",
    "===",
    "---",
    "***\n",
    "&",
    "&amp;",
    "&#65;",
    "&#0;",
    "\\",
    "\\\n",
    "\\*",
    "\"",
    "'",
    ":",
    "[a]: ",
    "[a]",
    "<a>",
    "</a>",
    "<!--",
    "-->",
    "<?",
    "?>",
    "<div>",
    "<pre>",
    "</pre>",
    "<http://a.b>",
    "<a@b.c>",
    "/url",
    "|",
    "-|-",
    ":--",
    "[^1]",
    "[^1]: ",
    "[x] ",
    "[ ] ",
    "www.a.bc",
    "http://a.bc/",
    "@",
    "a@b.cd",
    "\n  ",
    "\n> ",
    "\n- ",
    "\n    ",
    "  \n",
    "[!NOTE]",
    "~~~\n",
    "```rust\n",
    "!",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soups_of_pieces_hold_the_properties(source in soup()) {
        check(&source);
    }

    #[test]
    fn any_text_holds_the_properties(source in any::<String>()) {
        check(&source);
    }

    #[test]
    fn a_parser_remembers_nothing(first in soup(), second in soup()) {
        let options = Options::commonmark();
        let mut parser = Parser::new(options);
        let mut html = String::new();
        parser.push_html(&first, &mut html).expect("short");
        html.clear();
        parser.push_html(&second, &mut html).expect("short");
        assert_eq!(html, barelink::to_html(&second, &options).expect("short"));
    }
}
