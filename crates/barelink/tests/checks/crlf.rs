//! A document says the same with LF and with CRLF.

use std::fmt::Write as _;

use barelink::{EventKind, Options, Span};

/// Fails if a source whose lines end in LF alone says something else with CRLF, in any output.
#[allow(dead_code)] // Not everybody asks for all of them.
pub(crate) fn check(source: &str, options: &Options) {
    let other = source.replace('\n', "\r\n");
    assert_eq!(outputs(&other, options), outputs(source, options), "{source:?}");
}

/// Fails if its HTML is another, from a document or in one call.
#[allow(dead_code)]
pub(crate) fn check_html(source: &str, options: &Options) {
    let other = source.replace('\n', "\r\n");
    let from_document = |source: &str| {
        let mut html = String::new();
        barelink::parse(source, options).expect("the source is short").push_html(&mut html);
        html
    };
    assert_eq!(from_document(&other), from_document(source), "{source:?}");
    let html = |source: &str| barelink::to_html(source, options).expect("the source is short");
    assert_eq!(html(&other), html(source), "the HTML alone of {source:?}");
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
        // The last line ending of code is a line break, too.
        let trimmed = |span: Span| {
            let len = span.slice(source).trim_end_matches(['\r', '\n']).len() as u32;
            Span::new(span.start, span.start + len)
        };
        let before = text.take().map(|(all, span)| (all, place(trimmed(span))));
        writeln!(out, "{before:?}\n{:?}", event.kind).expect("a string takes everything");
    }
    for mut link in document.all_links() {
        link.span = place(link.span);
        writeln!(out, "{link:?}").expect("a string takes everything");
    }
    for decision in document.explain() {
        writeln!(out, "{:?} {:?}", decision.kind, place(decision.candidate))
            .expect("a string takes everything");
    }
    out
}
