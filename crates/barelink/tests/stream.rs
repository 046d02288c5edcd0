//! A document that is still being written: see `checks/streamed.rs` for what has to hold.

#[path = "checks/options.rs"]
mod options;
#[path = "checks/streamed.rs"]
mod streamed;

use barelink::stream::{BlockId, BlockKind, BlockState, Definitions, StreamOptions};
use barelink::{Options, Policy, Stream, to_html};
use barelink_spectest::suite;
use proptest::prelude::{Strategy as _, prop};
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::streamed::{Client, boundary_from, check};

fn configurations() -> Vec<Options> {
    let mut all = Vec::new();
    for name in Options::PRESETS {
        let safe = Options::preset(name).unwrap();
        let mut trusted = safe.clone();
        trusted.policy = Policy::TRUSTED;
        trusted.definition_lists = true;
        trusted.heading_attributes = true;
        trusted.policy.heading_ids = true;
        trusted.front_matter = true;
        all.extend([safe, trusted]);
    }
    all.push(options::everything());
    all
}

/// The ends of pieces of `len` bytes, moved on to whole characters.
fn cuts(source: &str, len: usize) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut end = 0;
    while end < source.len() {
        end = boundary_from(source, end + len);
        cuts.push(end);
    }
    cuts
}

const PIECES: [usize; 6] = [1, 2, 3, 5, 7, 20];

fn check_all(source: &str, pieces: &[usize]) {
    for options in configurations() {
        for &len in pieces {
            check(source, &options, &cuts(source, len));
        }
    }
}

/// The Markdown of all examples in the suites that are here, and in `testdata`.
fn examples() -> Vec<String> {
    let mut all = Vec::new();
    for files in [
        &["commonmark-0.31.2.json"][..],
        &["cmark-regression.json"],
        &["gfm-0.29-spec.json", "cmark-gfm-0.29.0-spec.json"],
        &["cmark-gfm-0.29.0-extensions.json"],
    ] {
        if let Ok(examples) = suite::load_any(files) {
            all.extend(examples.into_iter().map(|example| example.markdown));
        }
    }
    all.extend(testdata());
    all
}

/// The examples between fences of 32 backticks.
fn testdata() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut all = Vec::new();
    for preset in ["commonmark", "gfm", "github", "natural"] {
        for file in std::fs::read_dir(folder.join(preset)).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            for example in text.split("```````````````````````````````` example\n").skip(1) {
                let markdown = example.split("\n.\n").next().unwrap_or_default();
                all.push(markdown.replace('→', "\t").replace('␍', "\r").replace('␀', "\0"));
            }
        }
    }
    assert!(all.len() > 50);
    all
}

/// The examples are many: each is cut in one way here, and all ways take turns.
#[test]
fn every_prefix_of_the_examples_is_exact() {
    for (idx, source) in examples().iter().enumerate() {
        check_all(source, &[PIECES[idx % PIECES.len()]]);
    }
}

#[test]
fn every_prefix_of_the_examples_together_is_exact() {
    let all = examples()[..40].join("\n\n");
    for name in Options::PRESETS {
        check(&all, &Options::preset(name).unwrap(), &cuts(&all, 20));
    }
}

#[test]
fn what_is_defined_late_is_exact() {
    for source in [
        "[a] and [b]\n\n# [a][b]\n\n# a\n\n# ab\n\n> [b]\n\n[b]: /b 'title'\n[a]: /a\n\n# a\n",
        "one[^1] two[^2]\n\n[^2]: second\n\nmore[^1][^2]\n\n[^1]: first, see[^2]\n\nend[^2]\n",
        "x[^b]\n\ny[^a][^b]\n\n- z[^a]\n\n[^a]: A [l]\n[^b]: B\n\n    more\n\n[l]: /u\n\n[^c]\n\n[^c]: C",
        "[a]\n\n[b]: /u\n[a]: /v\n===\n\n[a]: /w\n",
        "# [^1]\n\n# 1\n\n# [^1]\n\n[^1]: n\n",
        "[a]\n\n# fn\n\n# fn\n\n[a] [^1]\n\n# fn\n\n[a]: /u\n[^1]: n\n\n# [^1]\n",
        "[foo]: /url \"never closed\n\n[foo]\n",
        "> [a]: /u\n[a]\n\n[a]\n",
    ] {
        check_all(source, &PIECES);
    }
}

#[test]
fn line_endings_may_be_cut() {
    for source in
        ["a\r\nb\r\n\r\nc\r\n", "# a\r\rb\n\r\nc\r", "```\r\na\r\n\r\n```\r\nb", "- a\r\n\r\n  b"]
    {
        check_all(source, &[1, 2, 3]);
    }
}

#[test]
fn characters_may_be_cut() {
    let options = Options::github();
    for source in ["*é* 中文 😀\n\n\u{FEFF}x", "\u{FEFF}# é", "\u{FEFF}"] {
        check_bytes(source.as_bytes(), &options);
    }
    for bytes in [&b"a\xFFb"[..], b"\xE4\xB8", b"\xE4\xB8x\xF0\x9F\x98", b"\xF0\x9F\x98\x80\xC3"] {
        check_bytes(bytes, &options);
    }
}

fn check_bytes(bytes: &[u8], options: &Options) {
    let text = String::from_utf8_lossy(bytes);
    for len in 1..=bytes.len() {
        let mut stream = Stream::new(options.clone());
        let mut client = Client::default();
        for piece in bytes.chunks(len) {
            stream.push_bytes(piece).unwrap();
            client.apply(stream.update());
            assert!(text.starts_with(stream.source()));
        }
        client.apply(stream.finish());
        assert_eq!(client.html(), to_html(&text, options).unwrap());
        assert_eq!(stream.source(), text);
    }
}

#[test]
fn front_matter_counts_once_it_is_complete() {
    let mut options = Options::github();
    options.front_matter = true;
    let source = "---\ntitle: a\n\nb\n---\n# c\n\nd\n";
    for len in PIECES {
        let mut stream = Stream::new(options.clone());
        let mut client = Client::default();
        let mut start = 0;
        for end in cuts(source, len) {
            stream.push(&source[start..end]).unwrap();
            start = end;
            client.apply(stream.update());
            if end > source.find('#').unwrap() {
                assert_eq!(client.html(), to_html(&source[..end], &options).unwrap());
            }
        }
        client.apply(stream.finish());
        assert_eq!(client.html(), to_html(source, &options).unwrap());
    }
    for source in
        ["---\ntitle: a\n---", "---\ntitle: a\n\ntext", "---\n\ntext", "+++\na = 1\n+++\nb"]
    {
        let mut stream = Stream::new(options.clone());
        let mut client = Client::default();
        for end in cuts(source, 1) {
            stream.push(&source[end - 1..end]).unwrap();
            client.apply(stream.update());
        }
        client.apply(stream.finish());
        assert_eq!(client.html(), to_html(source, &options).unwrap());
    }
}

#[test]
fn a_finished_document_can_go_on() {
    let options = Options::github();
    let mut stream = Stream::new(options.clone());
    let mut client = Client::default();
    let mut source = String::new();
    for piece in ["[a] b[^1]\n\n[a]: /u", "rl\n", "\n[^1]: note", "s\n\n# c", "\n\n---"] {
        source.push_str(piece);
        stream.push(piece).unwrap();
        client.apply(stream.update());
        client.apply(stream.finish());
        assert_eq!(client.html(), to_html(&source, &options).unwrap(), "{source:?}");
    }
}

#[test]
fn settled_blocks_stay_if_that_is_wanted() {
    let mut options = StreamOptions::new(Options::github());
    options.definitions = Definitions::Settled;
    let source = "[a] [^1]\n\n[a]: /u\n[^1]: note\n\n[a] [^1]\n";
    let mut stream = Stream::new(options);
    let mut client = Client::default();
    for byte in source.bytes() {
        stream.push_bytes(&[byte]).unwrap();
        let update = stream.update();
        assert_eq!(update.revised().count(), 0);
        client.apply(update);
    }
    client.apply(stream.finish());
    let html = client.html();
    assert!(html.starts_with("<p>[a] [^1]</p>\n<p><a href=\"/u\">a</a> <sup"), "{html}");
}

/// Definitions add so much that the order of the blocks that use them counts.
#[test]
fn late_definitions_keep_to_the_limit() {
    let options = Options::commonmark();
    let definition = format!("[a]: /{}\n\n", "x".repeat(10_000));
    let source = format!("{}{definition}{}", "[a]\n\n".repeat(20), "[a]\n\n".repeat(20));
    let mut stream = Stream::new(options.clone());
    let mut client = Client::default();
    let mut start = 0;
    for end in cuts(&source, 1000) {
        stream.push(&source[start..end]).unwrap();
        start = end;
        client.apply(stream.update());
    }
    client.apply(stream.finish());
    assert_eq!(client.html(), to_html(&source, &options).unwrap());
}

#[test]
fn events_are_those_of_the_text_so_far() {
    let source = "# A\n\n- see www.a.bc\n- *b*\n\n[c]: /d\n\n[c] ![e](f)";
    let options = Options::github();
    let mut stream = Stream::new(options.clone());
    for end in cuts(source, 3) {
        stream.push(&source[stream.source().len()..end]).unwrap();
        stream.update();
        let whole = barelink::parse(&source[..end], &options).unwrap();
        if !source[..end].contains("]:") {
            assert!(stream.document().events().eq(whole.events()), "{end}");
            assert!(stream.document().links().eq(whole.links()), "{end}");
        }
    }
    stream.finish();
    let whole = barelink::parse(source, &options).unwrap();
    assert!(stream.document().events().eq(whole.events()));
}

/// A list is written up to a footnote in it, and may turn loose by what the footnote is.
#[test]
fn footnotes_in_lists_are_exact() {
    for source in
        ["- x\n  [^a]:\n\n    n\n", "* a\n* [^1]: b\n\n* c\n", "-\ta\n\t[^a]:\n\t<!--\n\n  b\n"]
    {
        check_all(source, &PIECES);
    }
}

/// A run in a bare link may end it, if one that comes later could close that.
#[test]
fn runs_in_bare_links_are_exact() {
    let words = "some words, and ".repeat(10);
    for link in ["https://a.bc/d**>", "www.a.bc/d~~(", "a.bc/**_"] {
        check_all(&format!("{link} {words}e** f~~ g"), &[20, 50, 100]);
    }
}

/// A parenthesis or quote before a bare link tells where it ends, however far before.
#[test]
fn sentences_with_bare_links_are_exact() {
    let words = "some words, and ".repeat(10);
    for before in ["(", "\"", "*a* (", "*a* \" *b*", "www.a.bc (", "[a] (\") "] {
        for link in ["https://a.bc/d)e", "https://a.bc/d\"e"] {
            check_all(&format!("{before}{words}{link} {words}\n{link}"), &[5, 20, 100]);
        }
    }
}

/// Pieces that mean something, in any order.
const SOUP: &[&str] = &[
    "a",
    "b c",
    "é",
    " ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\0",
    "*",
    "**",
    "_",
    "~~",
    "`",
    "```",
    "[",
    "]",
    "](",
    "][",
    "[a]",
    "[a]: /u",
    "[^1]",
    "[^1]: ",
    "!",
    "<",
    ">",
    "<b>",
    "<!--",
    "-->",
    "&amp;",
    "\\",
    "- ",
    "- [ ] ",
    "+ ",
    "1. ",
    "> ",
    "> [!NOTE]\n",
    "# ",
    "---",
    "===",
    "| a | b |",
    ": ",
    ":tada:",
    ":heart_eyes:",
    " {#a .b}",
    "|-|-|",
    "www.a.bc",
    "https://d.ef/g",
    "h@i.jk",
    "<div>",
    "<script>",
    "</script>",
    "---\nk: v\n",
];

#[test]
fn soups_are_exact() {
    let mut runner = TestRunner::deterministic();
    let soups = prop::collection::vec(prop::sample::select(SOUP), 1..40);
    for round in 0..150 {
        let source: String = soups.new_tree(&mut runner).unwrap().current().concat();
        check_all(&source, &[PIECES[round % PIECES.len()]]);
        let len = PIECES[(round + 1) % PIECES.len()];
        let bits = (round as u32).wrapping_mul(0x9E37_79B9);
        check(&source, &options::options_of(bits), &cuts(&source, len));
    }
}

/// What may be open in a paragraph, or look so.
const PARAGRAPH: &[&str] = &[
    "a",
    "b c ",
    " ",
    " d ",
    "\n",
    "\ne ",
    "  \n",
    "\\\n",
    "*",
    "**",
    "*f* ",
    "_",
    " _g",
    "~~",
    "`",
    " `h` ",
    "[",
    "]",
    " [i](j) ",
    "[a]",
    "](",
    ")",
    "![",
    "<",
    "<b",
    ">",
    " <a k>",
    "</a>",
    "<!-- ",
    "&amp; ",
    "\\*",
    "www.l.mn*",
    " https://o.pq_ ",
    "r@s.tu ",
    "[^1] ",
    "!",
    "(",
    "http://v.wx/*y* ",
    "中",
];

/// Paragraphs are written up to their neutral places: whatever follows, and in whatever
/// container they are.
#[test]
fn paragraphs_are_exact() {
    let mut runner = TestRunner::deterministic();
    let pieces = prop::collection::vec(prop::sample::select(PARAGRAPH), 1..40);
    for round in 0..60 {
        let text: String = pieces.new_tree(&mut runner).unwrap().current().concat();
        let source = match round % 5 {
            0 => format!("[a]: /u\n[^1]: n\n\n{text}"),
            1 => format!("> {}", text.replace('\n', "\n> ")),
            2 => format!("- x\n- {}\n\n  y", text.replace('\n', "\n  ")),
            3 => text.replace('\n', "\r\n"),
            _ => format!("{text}\n---\n\n[a]: /u\n\n[^1]: n"),
        };
        for options in configurations() {
            check(&source, &options, &cuts(&source, PIECES[round % PIECES.len()]));
        }
    }
}

/// What prose is made of: most of it is appended without being read again.
const PROSE: &[&str] = &[
    "word ",
    "and more words ",
    "it's \"quoted\", ",
    "é中 ",
    "end.",
    " (in parentheses) ",
    "`code` ",
    "`a<b>&c` ",
    "` padded ` ",
    "``two`` ",
    "`open ",
    "`",
    "\\` ",
    "<b x=\"",
    "> ",
    "[a](b`c) ",
    "[a]",
    "a: b ",
    "*em* ",
    " _open",
    "&amp; ",
    "\n",
    "\nnext line ",
    "\n`code` first ",
    "\n\n",
    "\n\nNew paragraph ",
    "\n\n\n",
    "  \n\n",
    "\n\n# Heading ",
    "\n# ",
    " #",
    "\n\n<!-- comment ",
    " -->\n",
    "\n\n```\n",
    "\n\n- item ",
    "\n---\n",
    "\n\n[a]: /u\n\n",
    "[^n] ",
    "\n\n[^n]: note\n\n",
    "www.a.bc ",
    "$x$ ",
    "[[wiki `a`]] ",
];

#[test]
fn prose_is_exact() {
    let mut runner = TestRunner::deterministic();
    let pieces = prop::collection::vec(prop::sample::select(PROSE), 1..60);
    for round in 0..100 {
        let source: String = pieces.new_tree(&mut runner).unwrap().current().concat();
        let len = [1, 3, 7, 20, 50, 200][round % 6];
        for options in configurations() {
            check(&source, &options, &cuts(&source, len));
        }
        let bits = (round as u32).wrapping_mul(0x9E37_79B9);
        check(&source, &options::options_of(bits), &cuts(&source, len));
    }
}

/// A paragraph that is open for long is not read again at every update, and is exact when it
/// ends.
#[test]
fn long_paragraphs_are_exact_in_the_end() {
    let words = "some words, *some* more and [a] ".repeat(3000);
    let options = Options::github();
    for open in ["*a ", "[a ", "`a ", "<!-- ", "> *a ", "- `a "] {
        check_in_the_end(&format!("{open}{words}b*`](/u) -->\n\n[a]: /v\n"), &options);
    }
    // There may be one word only.
    for word in ["a***", "é[", "中**`", "<a&amp;"] {
        let source = word.repeat(100_000 / word.len());
        check_in_the_end(&format!("{source}b*`](/u) -->\n\n[a]: /v\n"), &options);
        check_in_the_end(&format!("- a\n  {source}\n  {source}"), &options);
    }
}

/// Where a word is too long to be read again, it is parted anywhere: also within `://`.
#[test]
fn signs_of_links_may_be_parted() {
    for name in ["gfm", "natural"] {
        let options = Options::preset(name).unwrap();
        for unit in ["http://a_", "www.a_", "ab://c_@"] {
            check_in_the_end(&unit.repeat(1100), &options);
            check_in_the_end(&format!("x{}", unit.repeat(1100)), &options);
        }
    }
}

fn check_in_the_end(source: &str, options: &Options) {
    let mut stream = Stream::new(options.clone());
    let mut client = Client::default();
    let mut start = 0;
    for end in cuts(source, 100) {
        stream.push(&source[start..end]).unwrap();
        start = end;
        client.apply(stream.update());
    }
    client.apply(stream.finish());
    assert_eq!(client.html(), to_html(source, options).unwrap());
}

#[test]
fn the_guide_has_every_name() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/streaming.md");
    let guide = std::fs::read_to_string(path).unwrap();
    for kind in [BlockKind::Paragraph, BlockKind::ThematicBreak, BlockKind::Notes] {
        assert!(guide.contains(kind.name()), "{kind:?}");
    }
    for state in [BlockState::Open, BlockState::Closed, BlockState::Settled] {
        assert!(guide.contains(&format!("\n| {} |", state.name())), "{state:?}");
    }
    assert!(guide.contains(&BlockId::NOTES.to_string()));
}

/// What stands behind the text of an item is not what stands behind that of the next one.
#[test]
fn text_of_the_last_item_goes_on() {
    let source = "1. f\u{FFFD}\u{FFFD}s://ar.wikipedia.or\nar.wikipedia.or\n1. fXXX";
    let options: Vec<_> =
        [267].into_iter().map(options::options_of).chain(configurations()).collect();
    for options in &options {
        for len in 1..20 {
            check(source, options, &cuts(source, len));
        }
    }
}

/// Emphasis that a piece closes, and what may stand beside it.
#[test]
fn emphasis_is_exact() {
    let sources = [
        "some _words_ and *others*, **strong**. __And__ (_so_) on_ *a",
        "an _open `run` with code_ and **two lines\nof it** here\n_and_ there\n**so**",
        "*a b* c*d* _e_f_ g_ *h *i* j* **k*l** ***m*** n",
        "*a [b* c](/d) *e <f* g> *h `i* j` k* _l_\u{a0}m_ *n_ o*_",
        "# some *words*, **so** _on_ \n\n*and* more\n_of_ them\n\n*nothing",
        "| a |\n|---|\n| some *words* and `code` _so_ on |\n| *next* |",
    ];
    for source in sources {
        for options in &configurations() {
            for len in 1..source.len() {
                check(source, options, &cuts(source, len));
            }
        }
    }
}
