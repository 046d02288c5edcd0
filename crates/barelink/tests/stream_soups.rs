//! Streams of paragraphs and short blocks in which most things that can be open are open at once.
//!
//! What `tests/stream.rs` tries is like what people write. Here, brackets that look like references
//! to footnotes, code, math and bare links overlap, so that a place that seems neutral may not be.

// What fails is said.
#![allow(clippy::print_stderr)]

#[path = "checks/options.rs"]
mod options;
#[path = "checks/streamed.rs"]
mod streamed;

use barelink::Options;
use barelink_spectest::random::{Random, repeat_hint, seed};

use crate::streamed::{boundary_from, check};

const N_DOCUMENTS: usize = 1500;

/// A document is made of so many parts at least, and of as many more at the most.
const MIN_PARTS: u64 = 20;

/// The longest piece.
const MAX_PIECE: u64 = 24;

#[rustfmt::skip]
const PARTS: &[&str] = &[
    "*", "**", "_", "***", "~~", "==", "^", "[", "](u)", "]", "[^1]", "![", "$", "`", "[[", " ", " ",
    " ", " ", "\n", "a", "b", "www.a.bc", "https://h.com/x", "https://h.com/x*y", "a@b.cd", ".", ")",
    "https://h.com/a_b", "(", "中", "\\", "[^a", "[^1 ", "^a^", "x^2", " word ", " more words ", "<a>",
    "</a>", "<b", "&amp;", "&", "\"", "'", "--", "...", ":smile:", "\n\n", "\n- ", "\n> ", "\n# ",
    "\n1. ", "\n```\n", "|", "\n|-|\n", "{#a}", "\n: ", "\n\n[^1]: ", "[a]: u\n", "[a]", "~", "$$", "``",
    "\n  ", "  \n", "\\\n", "\t", "<!--", "-->", "http://", "@", ":", "//", "\n***\n", "\n\n",
];

/// The presets, and all that there is at once.
fn choices() -> Vec<Options> {
    let presets = Options::PRESETS.iter().filter_map(|name| Options::preset(name));
    presets.chain([options::everything()]).collect()
}

/// Cuts of so many bytes, moved on to whole characters.
fn cuts(source: &str, len: usize) -> Vec<usize> {
    let ends = (len..source.len()).step_by(len).map(|at| boundary_from(source, at));
    let mut cuts: Vec<usize> = ends.chain([source.len()]).collect();
    cuts.dedup();
    cuts
}

#[test]
fn soups_are_exact() {
    let seed = seed().expect("no seed, or a good one");
    eprintln!("{}", repeat_hint(seed));
    let mut random = Random::new(seed);
    let choices = choices();
    for _ in 0..N_DOCUMENTS {
        let n_parts = MIN_PARTS + random.below(MIN_PARTS);
        let source: String = (0..n_parts).map(|_| *random.pick(PARTS)).collect();
        let len = 1 + random.below(MAX_PIECE) as usize;
        let bits = random.below(1 << 32) as u32;
        // Shown if it fails: the last of these.
        eprintln!("{bits:#x} {len} {source:?}");
        for options in [random.pick(&choices), &options::options_of(bits)] {
            check(&source, options, &cuts(&source, len));
        }
    }
}

/// What was wrong once, and the length of the pieces.
#[rustfmt::skip]
const ONCE_WRONG: &[(usize, &str)] = &[
    // A line of stars is not text because of the line behind it.
    (10, "(  word .\n***\ne"),
    // Code took the end of what looks like the reference to a footnote.
    (5, "中[^https://y`] s ^`"),
    // There are brackets in what looks like one, and no marks of them.
    (12, "d(( [^1 bx^2[^1] \\ more words \\[^1]//h.com/x*y(`"),
    (1, "[^.com/x  word *[^1] _b~~^a^\\^a^^a^(^  ^1]: note"),
    (7, "@\n中 [^`om/a_b*$a@b.c~~` more words ]/h.com/x[["),
    // A backslash that is escaped stands before a dollar sign.
    (10, "a^[ ![rds htt\\\\$**]* word ](://h.com/a_b) a^ww(^a^$"),
    // The end of a paragraph refers to a note for the first time.
    (5, "[^1]: \n|-|\n[[^1]\n\n"),
    (12, "[^1]:\n#\np[^1]\n\n"),
    // A list is read again since it refers to a note: with its bare links.
    (1000, "- https://h [^1]\n- x\n\n[^1]:b"),
    (11, "[^1]:b\n- / $$<a>[^1]\n- ](u)https://h2x^2-->`` more wor: word :smile:|--> word "),
];

#[test]
fn what_was_wrong_once_is_exact() {
    for (len, source) in ONCE_WRONG {
        for options in choices() {
            check(source, &options, &cuts(source, *len));
            // Long enough for a place between marks to be looked for.
            let long = format!("{} {source}", "some words *and* ".repeat(9));
            check(&long, &options, &cuts(&long, *len));
        }
    }
}
