//! Streams of documents that are made of short lines of every kind, cut anywhere: what a line is
//! depends on those before it, and on what of it has come.
//!
//! See `checks/streamed.rs` for what has to hold.

// What fails is said.
#![allow(clippy::print_stderr)]

#[path = "checks/options.rs"]
mod options;
#[path = "checks/streamed.rs"]
mod streamed;

use barelink::{Options, Policy};
use barelink_spectest::random::{Random, repeat_hint, seed};
use streamed::{boundary_from, check};

const N_DOCUMENTS: usize = 3000;

/// Lines of text.
const TEXT: &[&str] = &[
    "some words",
    "more words here",
    "a `code` b",
    "*em* and **strong** c",
    "\"quoted\" text",
    "(paren) x",
    "see [a] b",
    "[link](url) x",
    "x <b>bold</b>",
    "a & b",
    "end.",
    "www.a.bc x",
    "a@b.cd",
    "漢字 wörds",
    "a  ",
    "a\\",
    "a\t",
    " a",
    "a\0b",
    "$x$ :smile: ==m== ~~s~~ a^b^",
    "'q' -- ... [[w]]",
    "https://a.bc/d?e=f*g*",
    "<https://a.bc> &amp; &#64; x",
    "*",
    "**a",
    "_b_c a_",
    "x[^1] y",
];

/// Lines that start or end a leaf, or look so.
const LEAVES: &[&str] = &[
    "# heading",
    "## two words ##",
    "### `code` x",
    "#### *em* y ",
    "####### seven",
    "#no",
    "##   ",
    "# a #b {#id}",
    "#\ttab",
    "```",
    "```rust",
    "```rust,ignore extra",
    "``` a`b",
    "````",
    "~~~ sh",
    "  ```",
    "    indented",
    "code < & \"",
    "``",
    "``` &amp; \\*",
    "---",
    "===",
    "***",
    "-",
    "=",
    "| a | b |",
    "|---|---|",
    "c | `d` | e",
    "|",
    "[a]: /u",
    "[b]: <c> 'd'",
    "[^1]: note",
    ": details",
];

/// Lines with tags.
const TAGS: &[&str] = &[
    "<div>",
    "</div>",
    "<span a=\"b\">x</span>",
    "<a id=\"b\"></a>",
    "<!-- comment -->",
    "<!-- open",
    "still -->",
    "<x number=\"1\" caption=\"a `b` c\">",
    "</x>",
    "<b",
    "<b c=d",
    "<x>y",
    "<pre>",
    "</pre> x",
    "<?a",
    "?>",
];

/// Lines with markers of containers.
const MARKERS: &[&str] = &[
    "- item",
    "- item `x` b",
    "  more of item",
    "- ",
    "* star",
    "1. one",
    "2. two **b**",
    "   text",
    "  - nested",
    "> quote",
    "> - item",
    ">",
    "10) ten",
    "- [ ] task",
    "> [!note]",
];

const PREFIXES: &[&str] = &["", "", "", "", "", "", "- ", "  ", "> "];

const ENDINGS: &[&str] = &["\n", "\n", "\n", "\n\n", "\n\n", "\r\n", "\n\n\n"];

/// The presets, the same with more, and some of everything.
fn choices() -> Vec<Options> {
    let mut all = Vec::new();
    for name in Options::PRESETS {
        let safe = Options::preset(name).expect("a preset");
        let mut trusted = safe.clone();
        trusted.policy = Policy::TRUSTED;
        let mut more = trusted.clone();
        more.policy.heading_ids = true;
        (more.definition_lists, more.heading_attributes) = (true, true);
        all.extend([safe, trusted, more]);
    }
    all.extend((0..8).map(|n| options::options_of(n * 0x0135_7BDF)));
    all
}

fn document(random: &mut Random) -> String {
    let mut source = String::new();
    for _ in 0..=random.below(9) {
        let lines = *random.pick(&[TEXT, LEAVES, TAGS, MARKERS]);
        for parts in [PREFIXES, lines, ENDINGS] {
            source.push_str(random.pick::<&str>(parts));
        }
    }
    if random.below(2) == 0 {
        source.pop();
    }
    source
}

/// The ends of pieces, most of which are no longer than `len`.
fn cuts(source: &str, len: u64, random: &mut Random) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut end = 0;
    while end < source.len() {
        end = boundary_from(source, end + 1 + random.below(len) as usize);
        cuts.push(end);
    }
    cuts
}

#[test]
fn lines_are_exact() {
    let seed = seed().expect("no seed, or a good one");
    eprintln!("{}", repeat_hint(seed));
    let mut random = Random::new(seed);
    let choices = choices();
    for _ in 0..N_DOCUMENTS {
        let source = document(&mut random);
        let len = *random.pick(&[1, 4, 12, 40]);
        let cuts = cuts(&source, len, &mut random);
        // Shown if it fails: the last of these.
        eprintln!("{source:?} {cuts:?}");
        check(&source, random.pick(&choices), &cuts);
    }
}

/// Leaves that end in the middle of a piece, and lines that are shown as a row but are none.
#[test]
fn ends_of_leaves_are_exact() {
    let sources = [
        "# a heading\nwords\n\n## another #\n\nmore words\n### and\n#### one *more*  \n\n\nend",
        "```rust\nsome < code\n\n```\n\nwords\n\n```\ncode\n``` \t\nwords\n~~~~\n~~~\ncode\n~~~~~\n\n\nend",
        "```\ncode\n``\n```x\n    ```\n```\nwords\n```\n\n[a]: /b\n\n[a]\n\n```\nc\n```\n[a]\n\n- d",
        "words\n\n\n\nmore `code`\n\n`code` first\n\n(and) so\n\n*on* and\n\n\"on\"\n\n_x\n\n",
        "[a]: /some/destination\n[b]: <c> \"d\"\n[e]: f\n\n[a] [b] [e] [g]\n\n[g]:\nh*\n\n[g]: ***\n[a]: x",
        "[a]: /b\u{0}c\n\n[d]: /e'f(g)\n[h]: i \n\n[a] [d] [h]",
        "a|b\n-|-\nc\n1. d\n\na|b\n-|-\nc|d\n- e\n\na|b\n-|-\n2) c\n\na|b\n-|-\n|- c\n# d\n",
        "m\n e  \ne\n|- -\n\n> a\n>  `b \n> c\n> |- -`",
        "see [a][b]<!-- c -->\nand `d`.\n\nMore <e f> words](g).\n\n<h i=\"j\">\n\nk [l].\n\n\nm",
        "a <b\nc> [d](e\nf) *g\nh*\n\ni `j\n\nk` l **m\n\nn\n---\n\no [p\n=\n\nq] r\n\n- s [t]\n\nu",
        "a [b\n\nc [b] d [b]: e\n\n[b]: /f\n\ng [b] h\n\n[i] j\n\nk [^l] m\n\n[^l]: n\n\no [^l]\n\np",
        "(a) b\n***\n(c\n\nd\n---\ne\n___\nf\n\n> http://a.bc/d*e*\n\n> ## f\ng\n\n[^h]: i\n\nj[^h] k\n\n",
        "www.a.bc [d]\n\nhttp://e.fg/h_i [j](k)\n\nl@m.no ](p\n\nq\\\n\nr [s]  \n\nt [u]\r\n\r\nv",
    ];
    for source in sources {
        for options in &choices() {
            for len in 1..source.len() {
                let ends = (len..source.len()).step_by(len).map(|at| boundary_from(source, at));
                let mut cuts: Vec<usize> = ends.chain([source.len()]).collect();
                cuts.dedup();
                check(source, options, &cuts);
            }
        }
    }
}
