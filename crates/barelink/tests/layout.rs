//! What a document says does not depend on how its lines are laid out: it is the same with
//! LF and with CRLF, and the same again when every line stands behind `> `, in a block quote.
//!
//! Behind `> `, these are told apart on purpose, and left out here: tabs, since a marker of
//! two columns moves the stops; footnotes, which are shown at the end, outside the block quote;
//! alerts, which are read at the top level only.

#[path = "checks/crlf.rs"]
mod crlf;

use barelink::{Options, Policy};
use barelink_spectest::{made, random::Random};

const N_DOCUMENTS: usize = 400;

fn presets() -> impl Iterator<Item = Options> {
    let presets = Options::PRESETS.iter().map(|name| Options::preset(name).expect("it is listed"));
    presets.flat_map(|safe| {
        let mut trusted = safe.clone();
        trusted.policy = Policy::TRUSTED;
        trusted.policy.heading_ids = true;
        [safe, trusted]
    })
}

/// Documents whose lines end in LF.
fn documents(seed: u64) -> impl Iterator<Item = String> {
    let mut random = Random::new(seed);
    let make = move || random.document(&made::PIECES).replace("\r\n", "\n").replace('\r', "\n");
    std::iter::repeat_with(make).take(N_DOCUMENTS)
}

#[test]
fn line_feeds_are_as_good_as_crlf() {
    for source in documents(11) {
        for options in presets() {
            crlf::check(&source, &options);
        }
    }
}

#[test]
fn a_document_is_the_same_in_a_block_quote() {
    let mut n_compared = 0;
    for source in documents(12) {
        let source = source.replace('\t', "    ");
        let quoted: String = source.lines().flat_map(|line| ["> ", line, "\n"]).collect();
        for mut options in presets() {
            (options.footnotes, options.alerts) = (false, false);
            let plain = barelink::to_html(&source, &options).expect("short");
            let quote = barelink::to_html(&quoted, &options).expect("short");
            assert_eq!(quote, format!("<blockquote>\n{plain}</blockquote>\n"), "{source:?}");
            n_compared += 1;
        }
    }
    assert_eq!(n_compared, N_DOCUMENTS * 2 * Options::PRESETS.len());
}
