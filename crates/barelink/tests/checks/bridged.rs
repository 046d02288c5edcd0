//! What holds for the events of the bridge to pulldown-cmark: starts have their ends, spans lie in
//! those around them, and its writer takes it all.

use barelink::{Options, Parser, pulldown};
use pulldown_cmark::Event;

/// Fails if something of it does not hold.
pub(crate) fn check(source: &str, options: &Options) {
    let mut parser = Parser::new(options.clone());
    let document = parser.parse(source).expect("the source is short");
    let mut open = vec![(None, 0..source.len())];
    for (event, range) in pulldown::events_with_spans(&document) {
        assert!(source.get(range.clone()).is_some(), "{event:?} {range:?} in {source:?}");
        let (_, outer) = open.last().expect("the document is open");
        // The mark of a task stands before the paragraph it is told in.
        let is_inside = outer.start <= range.start && range.end <= outer.end
            || matches!(event, Event::TaskListMarker(_));
        assert!(is_inside, "{event:?} leaves {outer:?} in {source:?}");
        match event {
            Event::Start(tag) => open.push((Some(tag.to_end()), range)),
            Event::End(end) => assert_eq!(open.pop(), Some((Some(end), range)), "{source:?}"),
            Event::TaskListMarker(done) => {
                let written = if done { ["[x]", "[X]"] } else { ["[ ]"; 2] };
                assert!(written.contains(&&source[range]), "{source:?}");
            }
            _ => {}
        }
    }
    assert_eq!(open.len(), 1, "{open:?} never ends in {source:?}");
    let with_spans = pulldown::events_with_spans(&document).map(|(event, _)| event);
    assert!(with_spans.eq(pulldown::events(&document)), "with and without spans: {source:?}");
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, pulldown::events(&document));
}
