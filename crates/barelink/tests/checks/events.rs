//! What holds for the events of every document: they render to the same HTML as
//! the walker, they balance, and their spans nest, lie on character boundaries
//! and point at the text they came from.

use std::borrow::Cow;

use barelink::html::{self, Renderer};
use barelink::{EventKind, Options, Parser, Span, Tag};

/// Fails if something of it does not hold.
pub(crate) fn check(source: &str, options: &Options) {
    check_html(source, options);
    check_spans(source, options);
}

/// HTML is the same from the walker, from events, and written in pieces. Without the source, there
/// are no positions, whatever the policy says.
fn check_html(source: &str, options: &Options) {
    let mut unplaced = options.clone();
    unplaced.policy.source_positions = false;
    let mut parser = Parser::new(unplaced);
    let document = parser.parse(source).expect("the source is short");
    let mut from_walker = String::new();
    document.push_html(&mut from_walker);
    let mut from_events = String::new();
    html::push_events(document.events(), options, &mut from_events);
    assert_eq!(from_walker, from_events, "walker and events differ on {source:?}");
    let mut written = Vec::new();
    document.write_html(&mut written).expect("a vector takes everything");
    assert_eq!(from_walker.as_bytes(), written, "written HTML differs on {source:?}");
    if options.policy.source_positions {
        check_positions(source, options, &from_walker);
    }
}

/// A renderer that has the document writes positions where the walker does; one that has the
/// events alone writes HTML without.
fn check_positions(source: &str, options: &Options, unplaced: &str) {
    let document = barelink::parse(source, options).expect("the source is short");
    let mut from_walker = String::new();
    document.push_html(&mut from_walker);
    let mut rendered = String::new();
    Renderer::new().push_document(&document, &mut rendered);
    assert_eq!(from_walker, rendered, "walker and renderer differ on {source:?}");
    let mut from_events = String::new();
    Renderer::new().push_events(document.events(), options, &mut from_events);
    assert_eq!(from_events, unplaced, "events of a document with positions, {source:?}");
}

fn check_spans(source: &str, options: &Options) {
    let mut parser = Parser::new(options.clone());
    let document = parser.parse(source).expect("the source is short");
    let mut open: Vec<(Tag<'_>, Span)> = Vec::new();
    let whole = Span::new(0, source.len() as u32);
    let mut last_start = 0;
    for event in document.events() {
        let Span { start, end } = event.span;
        assert!(
            start <= end && source.get(event.span.range()).is_some(),
            "{event:?} in {source:?}"
        );
        let outer = open.last().map_or(whole, |(_, span)| *span);
        assert!(outer.contains(event.span), "{event:?} leaves {outer:?} in {source:?}");
        match event.kind {
            EventKind::Start(tag) => {
                assert!(start >= last_start, "{tag:?} goes back in {source:?}");
                last_start = start;
                open.push((tag, event.span));
            }
            EventKind::End(end) => {
                let (tag, span) = open.pop().expect("an end has a start");
                assert_eq!((tag.end(), span), (end, event.span), "in {source:?}");
            }
            EventKind::Text(Cow::Borrowed(text)) => {
                assert!(start >= last_start, "{text:?} goes back in {source:?}");
                last_start = start;
                check_text(text, event.span.slice(source), source);
            }
            EventKind::Markup(markup) => panic!("{markup:?} is made up in {source:?}"),
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?} never ends in {source:?}");
}

/// Text is what stands in the source, or stands for it.
fn check_text(text: &str, written: &str, source: &str) {
    let is_entity = written.starts_with('&') && written.ends_with(';');
    let is_nul = written == "\0" && text == "\u{FFFD}";
    let is_added = written.is_empty() && text.trim_matches([' ', '\n']).is_empty();
    // The colons are part of the span.
    let is_emoji = written.len() > 2
        && written.starts_with(':')
        && written.ends_with(':')
        && !text.contains(|c: char| c.is_ascii_alphabetic());
    let is_smart = match written {
        "\"" => matches!(text, "“" | "”"),
        "'" => matches!(text, "‘" | "’"),
        "--" => text == "–",
        "---" => text == "—",
        "..." => text == "…",
        _ => false,
    };
    let is_other = is_entity || is_nul || is_added || is_emoji || is_smart;
    assert!(text == written || is_other, "{text:?} {written:?} {source:?}");
}
