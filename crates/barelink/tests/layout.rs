//! What a document says does not depend on how its lines are laid out: it is the same with
//! LF and with CRLF, and the same again when every line stands behind `> `, in a block quote.
//!
//! Behind `> `, these are told apart on purpose, and left out here: tabs, since a marker of
//! two columns moves the stops; footnotes, which are shown at the end, outside the block quote;
//! alerts, which are read at the top level only.

#[path = "checks/crlf.rs"]
mod crlf;

use barelink::{EventKind, Options, Policy};
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

/// A NUL anywhere has every text joined line by line, which without one is read in place, or
/// without its carriage returns. The events behind it are the same, at the same places.
#[test]
fn events_are_the_same_however_lines_are_read() {
    const BEFORE: &str = "\0\r\n\r\n";
    let mut n_in_lines = 0;
    for source in documents(13) {
        // Elsewhere it is shown as another character, and front matter stands at the start.
        let source = format!("a\r\n\r\n{}", source.replace('\0', "").replace('\n', "\r\n"));
        let joined = format!("{BEFORE}{source}");
        for options in presets() {
            let read = barelink::parse(&source, &options).expect("short");
            let read_joined = barelink::parse(&joined, &options).expect("short");
            let mut events = read_joined.events().skip_while(|event| event.span.start < 5);
            for event in read.events() {
                let mut other = events.next().expect("as many events");
                n_in_lines += usize::from(event.kind == EventKind::SoftBreak);
                other.span.start -= BEFORE.len() as u32;
                other.span.end -= BEFORE.len() as u32;
                assert_eq!(event, other, "{source:?}");
            }
            assert_eq!(events.next(), None, "{source:?}");
        }
    }
    assert!(n_in_lines > 1000, "{n_in_lines}");
}
