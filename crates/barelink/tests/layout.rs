//! What a document says does not depend on how its lines are laid out: it is the same with
//! LF and with CRLF, and the same again when every line stands behind `> `, in a block quote.
//!
//! Behind `> `, these are told apart on purpose, and left out here: tabs, since a marker of
//! two columns moves the stops; footnotes, which are shown at the end, outside the block quote;
//! alerts, which are read at the top level only.

use std::fmt::Write as _;

use barelink::{EventKind, Options, Policy, Span};
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

/// Everything that can be read from a document, with offsets as if lines ended in LF.
///
/// Text that follows text is one: how long lines are cut is nobody's concern. Nor is where a
/// line break is, which has no characters of its own where lines are joined.
fn outputs(source: &str, options: &Options) -> String {
    let place = |span: Span| {
        let n_returns = |end: u32| source[..end as usize].matches('\r').count() as u32;
        Span::new(span.start - n_returns(span.start), span.end - n_returns(span.end))
    };
    let document = barelink::parse(source, options).expect("short");
    let mut out = String::new();
    document.push_html(&mut out);
    document.push_text(&mut out);
    let mut text: Option<(String, Span)> = None;
    for event in document.events() {
        match event.kind {
            EventKind::Text(piece) | EventKind::Html(piece) => {
                let (all, span) = text.get_or_insert((String::new(), event.span));
                all.push_str(&piece);
                span.end = event.span.end;
                continue;
            }
            EventKind::SoftBreak | EventKind::HardBreak => {}
            _ => write!(out, "{:?}", place(event.span)).expect("a string takes everything"),
        }
        let before = text.take().map(|(all, span)| (all, place(span)));
        writeln!(out, "{before:?}\n{:?}", event.kind).expect("a string takes everything");
    }
    for mut link in document.all_links() {
        link.span = place(link.span);
        link.text = link.text.replace('\r', "").into();
        writeln!(out, "{link:?}").expect("a string takes everything");
    }
    for decision in document.explain() {
        writeln!(out, "{:?} {:?}", decision.kind, place(decision.candidate))
            .expect("a string takes everything");
    }
    out
}

#[test]
fn line_feeds_are_as_good_as_crlf() {
    for source in documents(11) {
        let other = source.replace('\n', "\r\n");
        for options in presets() {
            assert_eq!(outputs(&other, &options), outputs(&source, &options), "{source:?}");
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
