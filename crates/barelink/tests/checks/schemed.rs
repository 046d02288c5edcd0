//! What holds for the recognizer with schemes of one's own and with domains: links stand in order
//! and in the text, segments are the text, and nothing is a link that nobody asked for.

use barelink::Span;
use barelink::autolink::{Kind, Rules, Segment, links, links_with, spans};

/// Schemes that somebody could have.
const SCHEMES: [&[&str]; 6] =
    [&[], &["tel"], &["app", "a"], &["git+ssh", "x-y.z"], &["*"], &["*", "http", "mailto"]];

/// Fails if something of it does not hold. `choice` says which schemes there are.
pub(crate) fn check(text: &str, mut rules: Rules, choice: u32) {
    let schemes = SCHEMES[choice as usize % SCHEMES.len()];
    rules.domains = choice & 0x100 != 0;
    let mut done = 0;
    for link in links_with(text, rules, schemes) {
        let Span { start, end } = link.span;
        assert!(done <= start && start < end, "{link:?} goes back in {text:?}");
        assert_eq!(text.get(link.span.range()), Some(link.text), "in {text:?}");
        assert!(link.kind != Kind::Scheme || !schemes.is_empty(), "{link:?} in {text:?}");
        assert!(link.kind != Kind::Domain || rules.domains, "{link:?} in {text:?}");
        let href = link.href().to_string();
        let is_code = |scheme: &str| {
            href.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        };
        let is_any = |scheme: &&str| is_code(scheme);
        let code = ["javascript:", "vbscript:", "data:"].iter().find(|scheme| is_any(scheme));
        assert_eq!(code, None, "{link:?} in {text:?}");
        done = end;
    }
    let none: [&str; 0] = [];
    let without = links(text, rules).map(|link| (link.kind, link.span));
    assert!(
        links_with(text, rules, &none).map(|link| (link.kind, link.span)).eq(without),
        "no schemes are as good as none asked for in {text:?}"
    );
    let mut whole = String::new();
    for segment in spans(text, rules) {
        let piece = match segment {
            Segment::Text(text) => text,
            Segment::Link(link) => link.text,
        };
        assert!(!piece.is_empty(), "an empty segment of {text:?}");
        whole.push_str(piece);
    }
    assert_eq!(whole, text);
}
