//! Short documents that are nothing but markup: whatever stands in whatever, all outputs agree and
//! nothing panics.
//!
//! Other random documents are like what people write. They have too little markup in too much text
//! for rare constructs to meet.

// What fails is said.
#![allow(clippy::print_stderr)]

#[path = "checks/destinations.rs"]
mod destinations;
#[path = "checks/events.rs"]
mod events;
#[path = "checks/explained.rs"]
mod explained;
#[path = "checks/options.rs"]
mod options;
#[path = "checks/output.rs"]
mod output;
#[path = "checks/streamed.rs"]
mod streamed;
#[path = "xss/tree.rs"]
mod tree;
#[path = "xss/well_formed.rs"]
mod well_formed;

use barelink::Options;
use barelink_spectest::random::{Random, repeat_hint, seed};
use streamed::boundary_from;

const N_DOCUMENTS: usize = 3000;

/// The most that a document is made of.
const MAX_PARTS: u64 = 24;

const PARTS: &[&str] = &[
    "[",
    "[^",
    "![",
    "]",
    "](",
    ")",
    "](b)",
    "[a]",
    "[^a]",
    "[^1]",
    "![a](b)",
    "[[",
    "]]",
    "[ ] ",
    "*",
    "**",
    "_",
    "~",
    "~~",
    "==",
    "^",
    "`",
    "``",
    "$",
    "$$",
    ":",
    ":smile:",
    "'",
    "\"",
    "---",
    "...",
    "a",
    "b",
    "é",
    "这",
    "😀",
    "\u{200B}",
    "\0",
    ".",
    ",",
    "!",
    "{",
    "}",
    "#",
    " ",
    "\t",
    "a@b.cd",
    "http://a.bc",
    "www.a.bc",
    "://",
    "ftp://",
    "xmpp:a@b.cd/x",
    "https://h.com/x(y)",
    "<b>",
    "</b>",
    "<a>",
    "</a>",
    "<!--",
    "-->",
    "<http://x.y>",
    "&amp;",
    "&#0;",
    "\\",
    "\n",
    "\r\n",
    "  \n",
    "\n\n",
    "\n> ",
    "\n- ",
    "\n1. ",
    "\n# ",
    "\n```\n",
    "    ",
    "|",
    "\n|-|-|\n",
    "\n[a]: /u \"t\"\n",
    "\n[^1]: n",
];

/// The presets, and the same with all that can be added.
fn choices() -> Vec<Options> {
    let presets = 0..Options::PRESETS.len() as u32;
    let rich = presets.clone().map(|preset| preset | 1 << 7 | 1 << 8 | 0x1FF << 20);
    presets.chain(rich).map(options::options_of).collect()
}

#[test]
fn outputs_agree() {
    let seed = seed().expect("no seed, or a good one");
    eprintln!("{}", repeat_hint(seed));
    let mut random = Random::new(seed);
    let choices = choices();
    for _ in 0..N_DOCUMENTS {
        let n_parts = 2 + random.below(MAX_PARTS);
        let source: String = (0..n_parts).map(|_| *random.pick(PARTS)).collect();
        // Shown if it fails: the last of these.
        eprintln!("{source:?}");
        let options = random.pick(&choices);
        events::check(&source, options);
        explained::check(&source, options);
        output::check(&source, options);
        let step = 1 + random.below(9) as usize;
        let ends = (1..source.len()).step_by(step).map(|at| boundary_from(&source, at));
        let mut cuts: Vec<usize> = ends.chain([source.len()]).collect();
        cuts.dedup();
        streamed::check(&source, options, &cuts);
    }
}
