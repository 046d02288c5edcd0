//! A parser that has read other documents, with other options, gives what a fresh one gives.

use std::fmt::Write as _;

use barelink::{Document, EventKind, Options, Parser, Tag};

/// Everything that can be read from a document.
pub(crate) fn all_outputs(document: &Document<'_, '_>) -> String {
    let mut out = String::new();
    document.push_html(&mut out);
    let mut written = Vec::new();
    document.write_html(&mut written).expect("a vector takes everything");
    assert_eq!(out.as_bytes(), written, "written HTML of {:?}", document.source());
    // Links pass over blocks that cannot have any; events tell everything.
    let starts = document
        .events()
        .filter(|event| matches!(event.kind, EventKind::Start(Tag::Link(_) | Tag::Image(_))));
    assert!(
        document.links().map(|link| link.span).eq(starts.map(|event| event.span)),
        "links of {:?}",
        document.source()
    );
    let mut add = |name: &str, item: &dyn std::fmt::Debug| {
        writeln!(out, "{name} {item:?}").expect("a string takes everything");
    };
    document.events().for_each(|event| add("event", &event));
    document.links().for_each(|link| add("link", &link));
    document.all_links().for_each(|link| add("any link", &link));
    document.near_links().for_each(|near| add("near link", &near));
    document.headings().for_each(|heading| add("heading", &heading));
    document.explain().for_each(|decision| add("decision", &decision));
    out
}

/// Fails if a parser that reads these one after the other gives anything else than fresh ones.
#[allow(dead_code)] // Who takes only the above has documents of its own.
pub(crate) fn check(documents: &[(String, Options)]) {
    let mut used = Parser::new(Options::commonmark());
    for (source, options) in documents {
        let mut fresh = Parser::new(options.clone());
        let expected = all_outputs(&fresh.parse(source).expect("the source is short"));
        used.set_options(options.clone());
        let again = all_outputs(&used.parse(source).expect("the source is short"));
        assert_eq!(again, expected, "a used parser on {source:?}, the last of {documents:?}");
        let mut html = String::new();
        used.push_html(source, &mut html).expect("the source is short");
        let fresh = barelink::to_html(source, options).expect("the source is short");
        assert_eq!(html, fresh, "a used parser on {source:?}, the last of {documents:?}");
    }
}
