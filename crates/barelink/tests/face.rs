//! What the public face promises for every document and every choice of options: HTML from
//! the document, from its events and through a hook that keeps everything is the same; no
//! destination comes out that the policy does not allow, whatever is done to the events; ids
//! are there once.

#[path = "checks/changed.rs"]
mod changed;
#[path = "checks/destinations.rs"]
mod destinations;
#[path = "checks/events.rs"]
mod events;
#[path = "checks/options.rs"]
mod options;
#[path = "checks/output.rs"]
mod output;
#[path = "xss/tree.rs"]
mod tree;
#[path = "xss/well_formed.rs"]
mod well_formed;

use proptest::prelude::{ProptestConfig, Strategy, any, prop, proptest};

/// Pieces of links, images, headings and footnotes, and what they could be spoiled with.
const PIECES: &[&str] = &[
    "a",
    " ",
    "\n",
    "\n\n",
    "[",
    "](",
    "]",
    ")",
    "![",
    "<",
    ">",
    "*",
    "`",
    "# ",
    "\n# fn-1\n",
    "# a\n",
    "[^1]",
    "[^1-2]",
    "\n\n[^1]: ",
    "\n\n[^1-2]: ",
    "[^é]",
    "[^%C3%A9]",
    "\n\n[^é]: x\n\n[^%C3%A9]: y\n",
    "http://a.bc/x",
    "https://www.a.bc",
    "ftp://a.bc",
    "www.a.bc",
    "a@b.cd",
    "<a@b.cd>",
    "<http://d.ef>",
    "<x-y:z>",
    "mailto:a@b.cd",
    "xmpp:a@b.cd/x",
    "[a](javascript:b)",
    "![a](data:image/png;base64,b)",
    "[a](#fn-1)",
    "[a](#)",
    "[r]",
    "\n\n[r]: file:///x 'y'\n",
    "[a ![b](c) <i>d</i>](e)",
    "//h.com",
    "---\na: b\n---\n",
    "|a|\n|-|\n",
    "\n: ",
    ":tada:",
    " {#fn-1 .a\"b onclick=c style}\n",
    " {#a}\n===\n",
    "\n\n:",
    "\"",
    "&quot;",
    "\\",
    "\0",
    "é",
    "- ",
    "> ",
    "~~",
    "  \n",
    "<!-- -->",
    "```rust\n",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_face_keeps_its_promises(source in soup(), bits in any::<u32>(), seed in any::<u64>()) {
        let options = options::options_of(bits);
        events::check(&source, &options);
        output::check(&source, &options);
        changed::check(&source, &options, seed);
    }
}
