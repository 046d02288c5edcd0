//! What holds for every document: see `checks`. Here it is asked of the suites,
//! of soups of Markdown pieces and of random text; `fuzz/` asks it of more.

#[path = "checks/events.rs"]
mod events;
#[path = "checks/explained.rs"]
mod explained;
#[path = "checks/options.rs"]
#[allow(dead_code)]
mod options;

use barelink::{Options, Parser, Policy};
use barelink_spectest::{made, random::Random, suite};
use proptest::prelude::{ProptestConfig, Strategy, any, prop, proptest};

/// Every configuration that a property must hold in.
fn configurations() -> Vec<Options> {
    let mut all = Vec::new();
    for name in Options::PRESETS {
        let safe = Options::preset(name).expect("a listed preset exists");
        let mut trusted = safe.clone();
        trusted.policy = Policy::TRUSTED;
        trusted.definition_lists = true;
        trusted.heading_attributes = true;
        trusted.policy.source_positions = true;
        all.extend([safe, trusted]);
    }
    all.push(options::everything());
    all
}

fn check(source: &str) {
    for options in configurations() {
        events::check(source, &options);
        explained::check(source, &options);
    }
}

#[test]
fn suites_hold_the_properties() {
    for files in [
        &["commonmark-0.31.2.json"][..],
        &["cmark-regression.json"],
        &["gfm-0.29-spec.json", "cmark-gfm-0.29.0-spec.json"],
    ] {
        match suite::load_any(files) {
            Ok(examples) => {
                assert!(!examples.is_empty(), "{files:?} is empty");
                for example in examples {
                    check(&example.markdown);
                }
            }
            Err(missing) => assert!(missing.is_skip(), "{missing}"),
        }
    }
}

#[test]
fn made_documents_hold_the_properties() {
    let mut random = Random::new(17);
    for n in 0..300 {
        let pieces = if n % 2 == 0 { made::EXTENDED } else { made::PIECES };
        let source = random.document(&pieces);
        check(&match n % 5 {
            0 => source.replace('b', "\0"),
            1 | 2 => source.replace("\r\n", "\n").replace('\n', "\r\n"),
            _ => source,
        });
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
    "\n: ",
    ":+1:",
    "tada:",
    " {#a .b c=d}\n",
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
        let mut parser = Parser::new(options.clone());
        let mut html = String::new();
        parser.push_html(&first, &mut html).expect("short");
        html.clear();
        parser.push_html(&second, &mut html).expect("short");
        assert_eq!(html, barelink::to_html(&second, &options).expect("short"));
    }
}
