//! The explanation agrees with what was done: a candidate is explained as
//! linked where there is a bare link, and nowhere else.

use barelink::{EventKind, Options, Parser, Span, Tag, Verdict};

/// Fails if links and explanations differ.
pub(crate) fn check(source: &str, options: &Options) {
    let mut parser = Parser::new(options.clone());
    let document = parser.parse(source).expect("the source is short");
    let bare: Vec<Span> =
        document.links().filter(|link| link.form.is_bare()).map(|link| link.span).collect();
    let mut explained = Vec::new();
    let mut last = 0;
    for decision in document.explain() {
        let Span { start, end } = decision.candidate;
        assert!(start >= last && start <= end, "{decision:?} in {source:?}");
        last = start;
        assert!(source.get(decision.candidate.range()).is_some(), "{decision:?} in {source:?}");
        match decision.verdict {
            Verdict::Linked { span, trims, .. } => {
                explained.push(span);
                for trim in trims {
                    assert!(trim.span.start >= span.end, "{trim:?} of {span:?} in {source:?}");
                    assert!(source.get(trim.span.range()).is_some(), "{trim:?} in {source:?}");
                }
            }
            Verdict::Refused { at, .. } => {
                assert!(at as usize <= source.len(), "refused at {at} in {source:?}");
            }
            _ => {}
        }
    }
    assert_eq!(bare, explained, "links and explanations differ on {source:?}");
    check_near(source, &document);
    check_within(source, &document);
    check_bare(source, &document);
    check_skipped(source, &document);
    check_events(source, &document);
}

/// Fails if the events of a place are not among all events, or one that is there is missing.
fn check_events(source: &str, document: &barelink::Document<'_, '_>) {
    // An id counts those before it.
    let written = |event: &barelink::Event<'_>| match &event.kind {
        EventKind::Start(Tag::Heading { level, .. }) => format!("{level:?} {:?}", event.span),
        kind => format!("{kind:?} {:?}", event.span),
    };
    let all: Vec<_> = document.events().map(|event| (event.span, written(&event))).collect();
    for at in [source.len() / 3, source.len() / 2, source.len()] {
        let point = Span::new(at as u32, at as u32);
        let there: Vec<_> = document.events().within(point).map(|event| written(&event)).collect();
        let mut rest = all.iter();
        for event in &there {
            assert!(rest.any(|(_, it)| it == event), "{event} at {at} of {source:?}");
        }
        let mut rest = there.iter();
        for (span, event) in &all {
            let is_there = span.start <= point.start && point.start < span.end;
            assert!(!is_there || rest.any(|it| it == event), "{event} at {at} of {source:?}");
        }
    }
}

/// Fails if the bare links alone are not those among all links, or those of a place are not
/// among them.
fn check_bare(source: &str, document: &barelink::Document<'_, '_>) {
    let bare = document.links().filter(|link| link.form.is_bare());
    let bare: Vec<_> =
        bare.map(|link| (link.span, link.form, link.destination, link.text)).collect();
    let alone = |within: Span| {
        let is_near = |leaf: Span| leaf.start <= within.end && within.start <= leaf.end;
        let mut found = Vec::new();
        document.bare_links(is_near, |bare| {
            let link = bare.link();
            assert_eq!(bare.span(), link.span, "in {source:?}");
            if let Some((form, before)) = bare.as_written() {
                let text = link.span.slice(source);
                assert_eq!((form, &*link.text), (link.form, text), "in {source:?}");
                assert_eq!(link.destination, format!("{before}{text}"), "in {source:?}");
            }
            found.push((link.span, link.form, link.destination, link.text));
        });
        found
    };
    assert_eq!(alone(Span::new(0, u32::MAX)), bare, "the bare links of {source:?}");
    let has_space = |link: Span| link.slice(source).contains([' ', '\t', '\n', '\r']);
    assert!(!bare.iter().any(|link| has_space(link.0)), "a bare link over two words in {source:?}");
    let is_marked = |link: &barelink::Link<'_>| !link.form.is_bare();
    let marked = document.links().marked_within(Span::new(0, u32::MAX)).filter(is_marked);
    assert!(marked.eq(document.links().filter(is_marked)), "the other links of {source:?}");
    let middle = source.len() as u32 / 2;
    let there = alone(Span::new(middle, middle));
    let is_there = |span: Span| span.start <= middle && middle <= span.end;
    assert!(there.iter().all(|link| bare.contains(link)), "in the middle of {source:?}");
    let missed = bare.iter().find(|link| is_there(link.0) && !there.contains(link));
    assert_eq!(missed, None, "in the middle of {source:?}");
}

/// Fails if something is missing among the decisions about the words from a place on.
fn check_skipped(source: &str, document: &barelink::Document<'_, '_>) {
    // Where a word starts: a place in a candidate would be none to start from.
    let middle = source.len() / 2;
    let Some(space) = source.as_bytes()[middle..].iter().position(u8::is_ascii_whitespace) else {
        return;
    };
    let start = (middle + space) as u32;
    let rest = &source.as_bytes()[source.len() - (source.len() - middle - space) / 2..];
    let n_left = rest.iter().position(u8::is_ascii_whitespace).map_or(0, |at| rest.len() - at);
    let words = Span::new(start, start.max((source.len() - n_left) as u32));
    let is_there = |it: &barelink::Decision| {
        words.start <= it.candidate.start && it.candidate.end <= words.end
    };
    let some = document.explain().among(words).filter(is_there);
    assert!(some.eq(document.explain().filter(is_there)), "of {words:?} in {source:?}");
    let bare = |among: Span| {
        let mut found = Vec::new();
        document.bare_links_among(among, |_| true, |bare| found.push(bare.link()));
        found.retain(|link| words.start <= link.span.start && link.span.end <= words.end);
        found
    };
    let all = bare(Span::new(0, u32::MAX));
    assert_eq!(bare(words), all, "of {words:?} in {source:?}");
    let is_there = |it: &barelink::Link<'_>| !it.form.is_bare() && it.span.start <= words.end;
    let marked = document.links().marked_within(Span::new(0, words.end)).filter(is_there);
    assert!(marked.eq(document.links().filter(is_there)), "up to {words:?} in {source:?}");
}

/// Fails if what is told about a place is not what is told about the whole document.
fn check_within(source: &str, document: &barelink::Document<'_, '_>) {
    let all: Vec<String> = document.explain().map(|decision| format!("{decision:?}")).collect();
    let candidates: Vec<Span> = document.explain().map(|decision| decision.candidate).collect();
    for at in [source.len() / 3, source.len() / 2, source.len()] {
        let point = Span::new(at as u32, at as u32);
        let there: Vec<String> =
            document.explain().within(point).map(|decision| format!("{decision:?}")).collect();
        let mut rest = all.iter();
        for decision in &there {
            assert!(rest.any(|it| it == decision), "{decision} at {at} of {source:?}");
        }
        for (candidate, decision) in candidates.iter().zip(&all) {
            let is_there = candidate.start < point.start && point.start < candidate.end;
            assert!(!is_there || there.contains(decision), "{decision} at {at} of {source:?}");
        }
    }
}

/// Fails if something is told to be no link that is one, or is told out of order.
fn check_near(source: &str, document: &barelink::Document<'_, '_>) {
    let links: Vec<Span> = document.links().map(|link| link.span).collect();
    let mut last = 0;
    for near in document.near_links() {
        let span = near.span;
        assert!(span.start >= last, "{near:?} in {source:?}");
        last = span.start;
        assert!(!links.contains(&span), "{near:?} is a link in {source:?}");
        for part in [span, near.text, near.target] {
            assert!(source.get(part.range()).is_some(), "{near:?} in {source:?}");
            assert!(span.start <= part.start && part.end <= span.end, "{near:?} in {source:?}");
        }
        assert!(source.is_char_boundary(near.at as usize), "{near:?} in {source:?}");
        assert!(span.start <= near.at && near.at <= span.end, "{near:?} in {source:?}");
    }
}
