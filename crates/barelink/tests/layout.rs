//! What a document says does not depend on how its lines are laid out: it is the same with
//! LF and with CRLF, and the same again when every line stands behind `> `, in a block quote: its
//! HTML, and events, links and explanations with their places.
//!
//! Behind `> `, these are told apart on purpose, and left out here: tabs, since a marker of
//! two columns moves the stops; footnotes, which are shown at the end, outside the block quote;
//! alerts, which are read at the top level only; definition lists, since a blank line in a block
//! quote makes none of them loose before its first details, as in pulldown-cmark.

#[path = "checks/crlf.rs"]
mod crlf;
#[path = "checks/options.rs"]
#[allow(dead_code)]
mod options;

use std::fmt::Write as _;

use barelink::{Document, Event, EventKind, Options, Policy, Span, Tag, TagEnd, Verdict};
use barelink_spectest::{made, random::Random};

const N_DOCUMENTS: usize = 400;

/// The presets and all extensions, each with a safe policy and without.
fn option_sets() -> impl Iterator<Item = Options> {
    let presets = Options::PRESETS.iter().map(|name| Options::preset(name).expect("it is listed"));
    presets.chain([options::everything()]).flat_map(|safe| {
        let mut trusted = safe.clone();
        trusted.policy = Policy::TRUSTED;
        trusted.policy.heading_ids = true;
        [safe, trusted]
    })
}

/// Documents whose lines end in LF. Every other one is long: with CRLF, it is read from a copy.
fn documents(seed: u64) -> impl Iterator<Item = String> {
    let mut random = Random::new(seed);
    (0..N_DOCUMENTS).map(move |n| {
        let pieces = if n % 3 == 0 { made::EXTENDED } else { made::PIECES };
        let source = random.document(&pieces).replace("\r\n", "\n").replace('\r', "\n");
        let rest = if n % 2 == 0 { "long ".repeat(220) } else { String::new() };
        format!("{source}\n\n{rest}")
    })
}

#[test]
fn line_feeds_are_as_good_as_crlf() {
    for source in documents(11) {
        for options in option_sets() {
            crlf::check(&source, &options);
        }
    }
}

/// A line of code is no event of its own because it ends in CRLF.
#[test]
fn code_has_no_more_events_with_crlf() {
    let n_texts = |source: &str, options: &Options| {
        let document = barelink::parse(source, options).expect("short");
        let (mut n_texts, mut in_code) = (0, false);
        for event in document.events() {
            match event.kind {
                EventKind::Start(Tag::CodeBlock { .. }) => in_code = true,
                EventKind::End(TagEnd::CodeBlock) => in_code = false,
                EventKind::Text(_) => n_texts += usize::from(in_code),
                _ => {}
            }
        }
        n_texts
    };
    let mut n_seen = 0;
    for source in documents(14) {
        for options in option_sets() {
            let n_line_feeds = n_texts(&source, &options);
            assert!(n_texts(&source.replace('\n', "\r\n"), &options) <= n_line_feeds, "{source:?}");
            n_seen += n_line_feeds;
        }
    }
    assert!(n_seen > 1000, "{n_seen}");
}

#[test]
fn a_document_is_the_same_in_a_block_quote() {
    let mut n_compared = 0;
    for source in documents(12) {
        let source = source.replace('\t', "    ");
        let quoted: String = source.lines().flat_map(|line| ["> ", line, "\n"]).collect();
        for mut options in option_sets() {
            (options.footnotes, options.alerts) = (false, false);
            options.definition_lists = false;
            let plain = barelink::to_html(&source, &options).expect("short");
            let quote = barelink::to_html(&quoted, &options).expect("short");
            assert_eq!(quote, format!("<blockquote>\n{plain}</blockquote>\n"), "{source:?}");
            let plain = barelink::parse(&source, &options).expect("short");
            let quote = barelink::parse(&quoted, &options).expect("short");
            let expected = told(&plain, plain.events(), |at| at);
            // The block quote is around everything.
            let mut events: Vec<_> = quote.events().collect();
            let (first, last) = (events.remove(0), events.pop());
            assert_eq!(first.kind, EventKind::Start(Tag::BlockQuote { alert: None }));
            let end = EventKind::End(TagEnd::BlockQuote { alert: false });
            assert_eq!(last.map(|event| event.kind), Some(end));
            let unquoted = told(&quote, events.into_iter(), |at| unquoted_offset(&quoted, at));
            assert_eq!(unquoted, expected, "{source:?}, {options:?}");
            n_compared += 1;
        }
    }
    assert_eq!(n_compared, N_DOCUMENTS * option_sets().count());
}

/// Where it would be if no line had a marker of two bytes. In a marker, that is where the line
/// starts.
fn unquoted_offset(quoted: &str, at: u32) -> u32 {
    let before = &quoted[..at as usize];
    let line_start = before.rfind('\n').map_or(0, |line_end| line_end + 1);
    let n_lines = before[..line_start].matches('\n').count();
    let in_marker = (before.len() - line_start).min(2);
    at - (2 * n_lines + in_marker) as u32
}

/// What is told of a document, with all places through `offset`.
///
/// Text that follows text is one, since lines with markers are told one by one. Where a line break
/// is, is left out: it has no characters of its own where lines are joined.
fn told<'s>(
    document: &Document<'_, 's>,
    events: impl Iterator<Item = Event<'s>>,
    offset: impl Fn(u32) -> u32,
) -> String {
    let place = |span: Span| Span::new(offset(span.start), offset(span.end));
    let mut out = String::new();
    let mut add = |what: std::fmt::Arguments<'_>| {
        out.write_fmt(what).expect("a string takes everything");
        out.push('\n');
    };
    let mut text: Option<(String, Span)> = None;
    for Event { kind, span } in events {
        if let EventKind::Text(piece) | EventKind::Html(piece) = kind {
            let (all, place) = text.get_or_insert((String::new(), span));
            all.push_str(&piece);
            place.end = span.end;
            continue;
        }
        if let Some((all, span)) = text.take() {
            add(format_args!("{all:?} {:?}", place(span)));
        }
        match kind {
            EventKind::SoftBreak | EventKind::HardBreak => add(format_args!("{kind:?}")),
            kind => add(format_args!("{kind:?} {:?}", place(span))),
        }
    }
    for mut link in document.all_links() {
        link.span = place(link.span);
        add(format_args!("{link:?}"));
    }
    for mut near in document.near_links() {
        near.span = place(near.span);
        (near.text, near.target) = (place(near.text), place(near.target));
        near.at = offset(near.at);
        add(format_args!("{near:?}"));
    }
    for decision in document.explain() {
        add(format_args!("{:?} {:?}", decision.kind, place(decision.candidate)));
        match decision.verdict {
            Verdict::Linked { span, prefix, trims, .. } => {
                add(format_args!("linked {:?} {prefix:?}", place(span)));
                for trim in trims {
                    add(format_args!("but for {:?} {:?}", place(trim.span), trim.rule));
                }
            }
            Verdict::Refused { rule, at, .. } => {
                add(format_args!("refused {rule:?} {}", offset(at)));
            }
            verdict => add(format_args!("{verdict:?}")),
        }
    }
    out
}

/// A NUL anywhere has every text joined line by line, which without one is read in place, or
/// without its carriage returns. What is told of the rest is the same, at the same places.
#[test]
fn all_is_the_same_however_lines_are_read() {
    const BEFORE: &str = "\0\r\n\r\n";
    let mut n_in_lines = 0;
    for source in documents(13) {
        // Elsewhere it is shown as another character, and front matter stands at the start.
        let source = format!("a\r\n\r\n{}", source.replace('\0', "").replace('\n', "\r\n"));
        let joined = format!("{BEFORE}{source}");
        for options in option_sets() {
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
            let rest = told(&read, std::iter::empty(), |at| at);
            let offset = |at: u32| at - BEFORE.len() as u32;
            assert_eq!(told(&read_joined, std::iter::empty(), offset), rest, "{source:?}");
        }
    }
    assert!(n_in_lines > 1000, "{n_in_lines}");
}
