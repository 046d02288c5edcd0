//! The explanation agrees with what was done: a candidate is explained as
//! linked where there is a bare link, and nowhere else.

use barelink::{Options, Parser, Span, Verdict};

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
