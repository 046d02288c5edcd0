//! The places that events name, written down for each inline construct: in a paragraph that is
//! one slice of the source, and in one that is joined from two lines of a block quote.

use barelink::{Event, EventKind, Options, Parser, Tag, TagEnd};

/// A source, and the inline events that it must give: `name start..end`, one after the other.
#[rustfmt::skip]
const GOLDEN: &[(&str, &str)] = &[
    ("a *b* c", r#""a " 0..2, Emphasis 2..5, "b" 3..4, /Emphasis 2..5, " c" 5..7"#),
    ("a **b** c", r#""a " 0..2, Strong 2..7, "b" 4..5, /Strong 2..7, " c" 7..9"#),
    ("***a***", r#"Emphasis 0..7, Strong 1..6, "a" 3..4, /Strong 1..6, /Emphasis 0..7"#),
    ("a ~~b~~ c", r#""a " 0..2, Strikethrough 2..7, "b" 4..5, /Strikethrough 2..7, " c" 7..9"#),
    ("a `b` c", r#""a " 0..2, Code("b") 2..5, " c" 5..7"#),
    ("a `` b ` `` c", r#""a " 0..2, Code("b `") 2..11, " c" 11..13"#),
    ("[a *b*](/u \"t\") c", r#"Link(Inline) 0..15, "a " 1..3, Emphasis 3..6, "b" 4..5, /Emphasis 3..6, /Link 0..15, " c" 15..17"#),
    ("[a][b]\n\n[b]: /u", r#"Link(Full) 0..6, "a" 1..2, /Link 0..6"#),
    ("[b][]\n\n[b]: /u", r#"Link(Collapsed) 0..5, "b" 1..2, /Link 0..5"#),
    ("[b]\n\n[b]: /u", r#"Link(Shortcut) 0..3, "b" 1..2, /Link 0..3"#),
    ("![a](/u) b", r#"Image(Inline) 0..8, "a" 2..3, /Image 0..8, " b" 8..10"#),
    ("a <http://b.cd> c", r#""a " 0..2, Link(Angle) 2..15, "http://b.cd" 3..14, /Link 2..15, " c" 15..17"#),
    ("a <b@c.de> f", r#""a " 0..2, Link(Angle) 2..10, "b@c.de" 3..9, /Link 2..10, " f" 10..12"#),
    ("a http://b.cd/e. f", r#""a " 0..2, Link(BareUrl) 2..15, "http://b.cd/e" 2..15, /Link 2..15, ". f" 15..18"#),
    ("a www.b.cd f", r#""a " 0..2, Link(BareWww) 2..10, "www.b.cd" 2..10, /Link 2..10, " f" 10..12"#),
    ("a b@c.de f", r#""a " 0..2, Link(BareEmail) 2..8, "b@c.de" 2..8, /Link 2..8, " f" 8..10"#),
    ("a b&#64;c.de f", r#""a " 0..2, Link(BareEmail) 2..12, "b@c.de" 2..12, /Link 2..12, " f" 12..14"#),
    ("a <b c=\"d\"> e", r#""a " 0..2, Html 2..11, " e" 11..13"#),
    ("a <!-- b --> c", r#""a " 0..2, Html 2..12, " c" 12..14"#),
    ("a &amp; b", r#""a " 0..2, "&" 2..7, " b" 7..9"#),
    ("a &#65;b", r#""a " 0..2, "A" 2..7, "b" 7..8"#),
    ("a \\* b", r#""a " 0..2, "* b" 3..6"#),
    ("a \\< b", r#""a " 0..2, "< b" 3..6"#),
    ("a < b & \"c\"", "\"a < b & \\\"c\\\"\" 0..11"),
    ("a\nb", r#""a" 0..1, SoftBreak 1..2, "b" 2..3"#),
    ("a \nb", r#""a" 0..1, SoftBreak 1..3, "b" 3..4"#),
    ("a  \nb", r#""a" 0..1, HardBreak 1..4, "b" 4..5"#),
    ("a\\\nb", r#""a" 0..1, HardBreak 1..3, "b" 3..4"#),
    ("a[^1] b\n\n[^1]: c", r#""a" 0..1, Footnote 1..5, " b" 5..7"#),
    ("a[^\n1] b\n\n[^1]: c", r#""a" 0..1, Footnote 1..6, " b" 6..8"#),
    ("[http://a.bc](/u)", r#"Link(Inline) 0..17, "http://a.bc" 1..12, /Link 0..17"#),
    ("é *ü* `漢`", r#""é " 0..3, Emphasis 3..7, "ü" 4..6, /Emphasis 3..7, " " 7..8, Code("漢") 8..13"#),
    ("> a *b\n> c* d", r#""a " 2..4, Emphasis 4..11, "b" 5..6, SoftBreak 6..6, "c" 9..10, /Emphasis 4..11, " d" 11..13"#),
    ("> a `b\n> c` d", r#""a " 2..4, Code("b c") 4..11, " d" 11..13"#),
    ("> [a\n> b](/u\n> \"t\") c", r#"Link(Inline) 2..19, "a" 3..4, SoftBreak 4..4, "b" 7..8, /Link 2..19, " c" 19..21"#),
    ("> a  \n> b \n> c\n> d", r#""a" 2..3, HardBreak 3..5, "b" 8..9, SoftBreak 9..10, "c" 13..14, SoftBreak 14..14, "d" 17..18"#),
    ("> <http://a.bc>\n> www.b.cd\n> e@f.gh", r#"Link(Angle) 2..15, "http://a.bc" 3..14, /Link 2..15, SoftBreak 15..15, Link(BareWww) 18..26, "www.b.cd" 18..26, /Link 18..26, SoftBreak 26..26, Link(BareEmail) 29..35, "e@f.gh" 29..35, /Link 29..35"#),
    ("> a\0b\n> c", r#""a" 2..3, "�" 3..4, "b" 4..5, SoftBreak 5..5, "c" 8..9"#),
    ("> ![a\n> *b*](/u)", r#"Image(Inline) 2..16, "a" 4..5, SoftBreak 5..5, Emphasis 8..11, "b" 9..10, /Emphasis 8..11, /Image 2..16"#),
    ("> a\\\n> b &amp; c\n> d", r#""a" 2..3, HardBreak 3..4, "b " 7..9, "&" 9..14, " c" 14..16, SoftBreak 16..16, "d" 19..20"#),
];

fn name(event: &Event<'_>) -> Option<String> {
    let name = match &event.kind {
        EventKind::Start(Tag::Paragraph | Tag::BlockQuote { .. })
        | EventKind::End(TagEnd::Paragraph | TagEnd::BlockQuote { .. })
        | EventKind::Definition(_) => return None,
        EventKind::Start(Tag::Link(target)) => format!("Link({:?})", target.form),
        EventKind::Start(Tag::Image(target)) => format!("Image({:?})", target.form),
        EventKind::Start(tag) => format!("{tag:?}"),
        EventKind::End(end) => format!("/{end:?}"),
        EventKind::Text(text) => format!("{text:?}"),
        EventKind::Code(code) => format!("Code({code:?})"),
        EventKind::InlineHtml(_) => "Html".to_owned(),
        EventKind::FootnoteReference { .. } => "Footnote".to_owned(),
        other => format!("{other:?}"),
    };
    Some(format!("{name} {}..{}", event.span.start, event.span.end))
}

/// The inline events of the first paragraph.
fn shown(source: &str) -> String {
    let mut parser = Parser::new(Options::github());
    let document = parser.parse(source).expect("short");
    let is_in = |event: &Event<'_>| event.kind != EventKind::End(TagEnd::Paragraph);
    let names: Vec<_> = document.events().take_while(is_in).filter_map(|it| name(&it)).collect();
    names.join(", ")
}

#[test]
fn every_inline_construct_says_where_it_is() {
    for (source, expected) in GOLDEN {
        assert_eq!(shown(source), *expected, "{source:?}");
    }
}
