//! The bridge to pulldown-cmark: where both read a source alike, our events are
//! its own; its writer makes of them the HTML that we make; and they nest, with
//! their spans, whatever the source is.

#[path = "checks/bridged.rs"]
mod bridged;

use barelink::{Autolinks, Options, Parser, Policy, pulldown};
use barelink_spectest::normalize::normalize;
use barelink_spectest::random::Random;
use barelink_spectest::suite::{self, Example};
use proptest::prelude::{ProptestConfig, Strategy, prop, proptest};
use pulldown_cmark::Options as Extensions;
use pulldown_cmark::{BlockQuoteKind, Event, LinkType, Tag, TagEnd, TextMergeStream};

const COMMONMARK: &str = "commonmark-0.31.2.json";

/// Examples where pulldown-cmark's own events are others, by the preset that the
/// suite is read with, and why.
const KNOWN: &[(&str, u32, &str)] = &[
    ("commonmark", 150, INDENTED_HTML),
    ("commonmark", 183, INDENTED_HTML),
    ("commonmark", 184, INDENTED_HTML),
    ("commonmark", 191, INDENTED_HTML),
    ("gfm", 120, INDENTED_HTML),
    ("gfm", 152, INDENTED_HTML),
    ("gfm", 153, INDENTED_HTML),
    ("gfm", 160, INDENTED_HTML),
];

const INDENTED_HTML: &str = "the spaces before an HTML block are told as text, outside its lines";

/// Files of a suite, of which one will do, the preset to read it with, and what
/// pulldown-cmark calls the same.
type Row = (&'static [&'static str], &'static str, Extensions);

fn suites() -> [Row; 3] {
    let gfm =
        Extensions::ENABLE_TABLES | Extensions::ENABLE_STRIKETHROUGH | Extensions::ENABLE_TASKLISTS;
    let github = gfm | Extensions::ENABLE_FOOTNOTES | Extensions::ENABLE_GFM;
    [
        (&[COMMONMARK], "commonmark", Extensions::empty()),
        (&["gfm-0.29-spec.json", "cmark-gfm-0.29.0-spec.json"], "gfm", gfm),
        (&["cmark-gfm-extensions.json", "cmark-gfm-0.29.0-extensions.json"], "github", github),
    ]
}

/// The examples of a suite, or none where it may be skipped.
fn load(files: &[&str]) -> Vec<Example> {
    suite::load_any(files).unwrap_or_else(|missing| {
        assert!(missing.is_skip(), "{missing}");
        Vec::new()
    })
}

fn trusted(preset: &str) -> Options {
    let mut options = Options::preset(preset).expect("a listed preset exists");
    options.policy = Policy::TRUSTED;
    options
}

/// The bridge's events with adjacent texts made one: where texts are cut is
/// nobody's business.
fn events<'s>(source: &'s str, options: &Options) -> Vec<Event<'s>> {
    let mut parser = Parser::new(options.clone());
    let document = parser.parse(source).expect("the source is short");
    TextMergeStream::new(pulldown::events(&document)).collect()
}

fn bridge_html(source: &str, options: &Options) -> String {
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, events(source, options).into_iter());
    html
}

#[test]
fn the_other_writer_gives_the_same_html() {
    let options = trusted("commonmark");
    for example in load(&[COMMONMARK]) {
        let source = &example.markdown;
        let ours = barelink::to_html(source, &options).expect("the source is short");
        let theirs = bridge_html(source, &options);
        assert_eq!(normalize(&ours), normalize(&theirs), "{}: {source:?}", example.number);
    }
}

#[test]
fn events_are_those_of_the_other_parser() {
    for (files, preset, extensions) in suites() {
        let mut options = trusted(preset);
        options.autolinks = Autolinks::NONE;
        for Example { number, markdown, .. } in load(files) {
            let ours = events(&markdown, &options);
            let parser = pulldown_cmark::Parser::new_ext(&markdown, extensions);
            let theirs: Vec<_> = TextMergeStream::new(parser).collect();
            let known = KNOWN.iter().find(|(of, known, _)| *of == preset && *known == number);
            match known {
                None => assert_eq!(ours, theirs, "{files:?} {number}: {markdown:?}"),
                Some((.., reason)) => {
                    assert_ne!(ours, theirs, "{files:?} {number} is listed: {reason}");
                }
            }
        }
    }
}

/// Pieces of definition lists, and of what ends them.
const TERMS: &[&str] = &[
    "a", "b c", "\n", "\n\n", "\n: ", "\n\n: ", "\n:", "\n  : ", ": ", "\n  ", "\n    ", "> ",
    "\n> ", "- ", "\n- ", "\n===", "\n---", "\n# ", "<div>", "*", "\\", "  \n", "[x]: /u",
];

/// Where the two part: pulldown-cmark ends a list at details that are empty, and passes over
/// link reference definitions between a term and its details. The other way round, it takes a
/// colon on the line after `[x]:` for the destination.
fn parts(source: &str) -> bool {
    let is_blank = |line: &str| line.trim_matches([' ', '>']).is_empty();
    let is_empty =
        |line: &str| line.contains(':') && is_blank(line.trim_matches([' ', '-', ':', '>']));
    let lines = source.lines().zip(source.lines().skip(1));
    source.contains("]:") || lines.into_iter().any(|(line, next)| is_empty(line) && is_blank(next))
}

#[test]
fn definition_lists_are_those_of_the_other_parser() {
    let mut options = trusted("commonmark");
    let mut random = Random::new(19);
    let mut n_lists = 0;
    for _ in 0..20_000 {
        let n_pieces = 2 + random.below(14);
        let mut source: String = (0..n_pieces).map(|_| *random.pick(TERMS)).collect();
        source.push('\n');
        if parts(&source) {
            continue;
        }
        let html = |extensions| {
            let mut html = String::new();
            let parser = pulldown_cmark::Parser::new_ext(&source, extensions);
            pulldown_cmark::html::push_html(&mut html, parser);
            normalize(&html)
        };
        let mut ours = |is_on| {
            options.definition_lists = is_on;
            normalize(&barelink::to_html(&source, &options).expect("the source is short"))
        };
        // What is different anyway is no matter of definition lists.
        if ours(false) == html(Extensions::empty()) {
            let ours = ours(true);
            n_lists += usize::from(ours.contains("<dl>"));
            assert_eq!(ours, html(Extensions::ENABLE_DEFINITION_LIST), "{source:?}");
        }
    }
    assert!(n_lists > 500, "only {n_lists} had a list");
}

/// The types and destinations of all links and images, and their labels.
fn links(source: &str) -> Vec<(LinkType, String, String)> {
    let events = events(source, &Options::natural()).into_iter();
    let targets = events.filter_map(|event| match event {
        Event::Start(
            Tag::Link { link_type, dest_url, id, .. } | Tag::Image { link_type, dest_url, id, .. },
        ) => Some((link_type, dest_url.into_string(), id.into_string())),
        _ => None,
    });
    targets.collect()
}

#[test]
fn links_have_the_type_they_can_be_written_back_as() {
    for (source, link_type, destination, label) in [
        ("[a](/b)", LinkType::Inline, "/b", ""),
        ("![a](/b)", LinkType::Inline, "/b", ""),
        ("<http://a.bc>", LinkType::Autolink, "http://a.bc", ""),
        ("<a@b.cd>", LinkType::Email, "a@b.cd", ""),
        ("<mailto:a@b.cd>", LinkType::Autolink, "mailto:a@b.cd", ""),
        ("http://a.bc", LinkType::Autolink, "http://a.bc", ""),
        ("a@b.cd", LinkType::Email, "a@b.cd", ""),
        ("www.a.bc", LinkType::Inline, "http://www.a.bc", ""),
        ("[a][b c]\n\n[b c]: /d", LinkType::Reference, "/d", "b c"),
        ("![a][b c]\n\n[b c]: /d", LinkType::Reference, "/d", "b c"),
        ("[a][b \\[ c]\n\n[b \\[ c]: /d", LinkType::Reference, "/d", "b \\[ c"),
        ("[b c][]\n\n[b c]: /d", LinkType::Collapsed, "/d", "b c"),
        ("[B c]\n\n[b c]: /d", LinkType::Shortcut, "/d", "B c"),
        ("![b]\n\n[b]: /d", LinkType::Shortcut, "/d", "b"),
        ("> [b\n>   c]\n\n[b c]: /d", LinkType::Shortcut, "/d", "b c"),
    ] {
        let expected = (link_type, destination.to_owned(), label.to_owned());
        assert_eq!(links(source), [expected], "{source:?}");
    }
}

#[test]
fn other_blocks_are_told_as_the_other_parser_tells_them() {
    let source = "\
- [x] done
- [ ] not

1. [x] loose

   more

> [!TIP]
> see www.a.bc [^n]

| a | b |
|---|:-:|
| 1 |

[^n]: note
";
    let events = events(source, &Options::github());
    let holds = |part: &[Event<'_>]| events.windows(part.len()).any(|window| window == part);
    let cell = |text: &'static str| {
        let start = Event::Start(Tag::TableCell);
        [start, Event::Text(text.into()), Event::End(TagEnd::TableCell)]
    };
    let [start, ..] = cell("");
    assert!(holds(&[Event::Start(Tag::Item), Event::TaskListMarker(true)]));
    assert!(holds(&[Event::TaskListMarker(false), Event::Text("not".into())]));
    assert!(holds(&[Event::Start(Tag::Paragraph), Event::TaskListMarker(true)]));
    assert!(holds(&[Event::Start(Tag::List(Some(1))), Event::Start(Tag::Item)]));
    assert!(holds(&[Event::Start(Tag::BlockQuote(Some(BlockQuoteKind::Tip)))]));
    assert!(holds(&[Event::End(TagEnd::BlockQuote(Some(BlockQuoteKind::Tip)))]));
    assert!(holds(&[Event::FootnoteReference("n".into())]));
    assert!(holds(&[Event::Start(Tag::FootnoteDefinition("n".into()))]));
    assert!(holds(&[&[Event::Start(Tag::TableHead)][..], &cell("a")].concat()));
    // The cell that is missing is there.
    let missing = [start, Event::End(TagEnd::TableCell), Event::End(TagEnd::TableRow)];
    assert!(holds(&[&cell("1")[..], &missing].concat()), "{events:#?}");
}

fn check(source: &str) {
    for preset in Options::PRESETS {
        bridged::check(source, &trusted(preset));
    }
}

#[test]
fn suites_nest() {
    for (files, ..) in suites() {
        for example in load(files) {
            check(&example.markdown);
        }
    }
}

/// Pieces that make blocks, and some text.
const PIECES: &[&str] = &[
    "a",
    "b c",
    "é",
    " ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\0",
    "*",
    "**",
    "~~",
    "`",
    "```",
    "```rs\n",
    "[",
    "]",
    "](",
    "![",
    "(",
    ")",
    "<",
    ">",
    "\n> ",
    "- ",
    "\n- ",
    "1. ",
    "# ",
    "===",
    "---",
    "&amp;",
    "\\",
    "[a]: ",
    "[a]",
    "[b][a]",
    "[a][]",
    "<a>",
    "<!--",
    "-->",
    "\n<div>",
    "<http://a.b>",
    "<a@b.c>",
    "/url",
    "|",
    "\n|-|-|\n",
    "[^1]",
    "[^1]: ",
    "[x] ",
    "- [ ] ",
    "www.a.bc",
    "http://a.bc/",
    "a@b.cd",
    "\n  ",
    "\n    ",
    "  \n",
    "> [!NOTE]\n",
    "~~~\n",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soups_of_pieces_nest(source in soup()) {
        check(&source);
    }
}
