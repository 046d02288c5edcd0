//! `docs/replacing-linkify.md`: what it shows is compiled and run here, word for word.

use barelink_autolink::{Dialect, Kind, Rules, Segment, links, links_with, spans, spans_with};

/// Whether the guide shows what is here, and nothing else.
#[test]
fn the_guide_shows_these_examples() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/replacing-linkify.md");
    let guide = std::fs::read_to_string(path).unwrap();
    let examples: Vec<&str> = guide.split("```rust\n").skip(1).collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        let (code, _) = example.split_once("```").unwrap();
        let line = |line: &str| if line.is_empty() { line.into() } else { format!("    {line}") };
        let lines: Vec<String> = code.lines().map(line).collect();
        assert!(include_str!("linkify.rs").contains(&lines.join("\n")), "another example:\n{code}");
    }
}

#[test]
fn links_of_a_text() {
    let text = "see https://a.bc/x, or mail me@a.bc";
    let mut found = links(text, Dialect::Natural);
    let link = found.next().unwrap();
    assert_eq!((link.text, link.span.start, link.span.end), ("https://a.bc/x", 4, 18));
    assert_eq!(link.kind, Kind::Url);
    assert_eq!(found.next().unwrap().href().to_string(), "mailto:me@a.bc");
}

#[test]
fn text_and_links() {
    let segments = spans("see https://a.bc.", Dialect::Natural);
    let marked: String = segments
        .map(|segment| match segment {
            Segment::Text(text) => text.to_owned(),
            Segment::Link(link) => format!("[{}]", link.text),
        })
        .collect();
    assert_eq!(marked, "see [https://a.bc].");
}

#[test]
fn as_linkify_finds_them() {
    let mut rules = Rules::none(Dialect::Natural);
    rules.url = true;
    rules.email = true;
    let text = "ssh://a.bc, me@a.bc, www.a.bc";
    let found = links_with(text, rules, &["*"]).map(|link| link.text);
    assert!(found.eq(["ssh://a.bc", "me@a.bc"]));
}

#[test]
fn segments_are_the_text() {
    for text in [
        "",
        "no link",
        "https://a.bc",
        "a www.a.bc b",
        "www.a.bc。https://a.bc，x",
        "a@b.cd tel:1 b@c.de",
        "\"www.a.bc\"\n\nhttp://例え.jp/（x）",
    ] {
        for dialect in Dialect::ALL {
            for schemes in [&[][..], &["tel"], &["*"]] {
                let segments: Vec<Segment<'_>> = spans_with(text, *dialect, schemes).collect();
                assert_eq!(segments.iter().map(Segment::as_str).collect::<String>(), text);
                assert!(segments.iter().all(|segment| !segment.as_str().is_empty()));
                let is_text = |segment: &Segment<'_>| segment.link().is_none();
                assert!(!segments.windows(2).any(|two| two.iter().all(is_text)), "{segments:?}");
                let found = segments.iter().filter_map(Segment::link).copied();
                assert!(found.eq(links_with(text, *dialect, schemes)), "{text}");
            }
        }
    }
}

#[test]
fn any_scheme_is_one_with_slashes() {
    let found = |text| -> Vec<&str> {
        links_with(text, Dialect::Natural, &["*"]).map(|link| link.text).collect()
    };
    assert_eq!(
        found("(git+ssh://a.bc/x_y), IRC://a.bc/#x."),
        ["git+ssh://a.bc/x_y", "IRC://a.bc/#x"]
    );
    assert_eq!(
        found("见file:///etc/x。http://a.bc/ftp://x"),
        ["file:///etc/x", "http://a.bc/ftp://x"]
    );
    assert_eq!(found("tel:1 note: x a://b 1x://a.bc ://a.bc x://"), [""; 0]);
    assert_eq!(found("javascript://a.bc/%0Aalert(1) DATA://a.bc vbscript://a.bc"), [""; 0]);
    // Those that are known keep their own rules.
    assert_eq!(found("http://a..b http://localhost"), ["http://localhost"]);
    let both: Vec<_> = links_with("tel:1 ssh://a.bc", Dialect::Natural, &["tel", "*"]).collect();
    assert_eq!(both.iter().map(|link| link.kind).collect::<Vec<_>>(), [Kind::Scheme; 2]);
}
