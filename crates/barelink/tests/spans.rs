//! The places that events name, written down for each construct. Those of inlines are in a
//! paragraph that is one slice of the source, and in one that is joined from two lines of a block
//! quote; those of blocks at the top level, and inside of others.

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

/// The same for blocks and for what no preset has, with all events.
#[rustfmt::skip]
const GOLDEN_BLOCKS: &[(&str, &str)] = &[
    ("# a *b* #\n", r#"Heading 0..9, "a " 2..4, Emphasis 4..7, "b" 5..6, /Emphasis 4..7, /Heading 0..9"#),
    ("a\nb\n===\n", r#"Heading 0..7, "a" 0..1, SoftBreak 1..2, "b" 2..3, /Heading 0..7"#),
    ("# a {#b .c}\n", r#"Heading 0..11, "a" 2..3, /Heading 0..11"#),
    ("***\n", "ThematicBreak 0..3"),
    ("```r s\na\n\nb\n```\n", r#"CodeBlock 0..15, "a\n\nb\n" 7..12, /CodeBlock 0..15"#),
    ("~~~\na", r#"CodeBlock 0..5, "a" 4..5, "\n" 5..5, /CodeBlock 0..5"#),
    ("    a\n\n     b\n\nc", r#"CodeBlock 4..13, "a\n" 4..6, "\n" 6..7, " b" 11..13, "\n" 13..13, /CodeBlock 4..13, Paragraph 15..16, "c" 15..16, /Paragraph 15..16"#),
    ("\ta\n\t b\n", r#"CodeBlock 1..6, "a\n" 1..3, " b" 4..6, "\n" 6..6, /CodeBlock 1..6"#),
    ("<div>\na\n\nb", r#"HtmlBlock 0..7, Html("<div>\na") 0..7, Html("\n") 7..7, /HtmlBlock 0..7, Paragraph 9..10, "b" 9..10, /Paragraph 9..10"#),
    ("<!-- a -->\nb", r#"HtmlBlock 0..10, Html("<!-- a -->") 0..10, Html("\n") 10..10, /HtmlBlock 0..10, Paragraph 11..12, "b" 11..12, /Paragraph 11..12"#),
    ("[a]: <b> 'c'\nd", r#"Definition 0..12, Paragraph 13..14, "d" 13..14, /Paragraph 13..14"#),
    ("> a\n> b\n", r#"BlockQuote 0..7, Paragraph 2..7, "a" 2..3, SoftBreak 3..3, "b" 6..7, /Paragraph 2..7, /BlockQuote 0..7"#),
    ("> [!NOTE]\n> a\n", r#"BlockQuote 0..13, Paragraph 12..13, "a" 12..13, /Paragraph 12..13, /BlockQuote 0..13"#),
    ("- a\n- b\n\n  c\n", r#"List 0..12, Item 0..3, Paragraph 2..3, "a" 2..3, /Paragraph 2..3, /Item 0..3, Item 4..12, Paragraph 6..7, "b" 6..7, /Paragraph 6..7, Paragraph 11..12, "c" 11..12, /Paragraph 11..12, /Item 4..12, /List 0..12"#),
    ("3) a\n", r#"List 0..4, Item 0..4, Paragraph 3..4, "a" 3..4, /Paragraph 3..4, /Item 0..4, /List 0..4"#),
    ("- [x] a\n", r#"List 0..7, Item 0..7, Paragraph 6..7, "a" 6..7, /Paragraph 6..7, /Item 0..7, /List 0..7"#),
    ("|a|b|\n|-|:-|\n|c\\|d|\n", r#"Table 0..19, Row 0..5, Cell 1..2, "a" 1..2, /Cell 1..2, Cell 3..4, "b" 3..4, /Cell 3..4, /Row 0..5, Row 13..19, Cell 14..18, "c" 14..15, "|d" 16..18, /Cell 14..18, /Row 13..19, /Table 0..19"#),
    ("a[^b]\n\n[^b]: c\n\n    d\n", r#"Paragraph 0..5, "a" 0..1, Footnote 1..5, /Paragraph 0..5, FootnoteDefinition 7..21, Paragraph 13..14, "c" 13..14, /Paragraph 13..14, Paragraph 20..21, "d" 20..21, /Paragraph 20..21, /FootnoteDefinition 7..21"#),
    ("---\na: b\n---\nc", r#"FrontMatter 0..12, Paragraph 13..14, "c" 13..14, /Paragraph 13..14"#),
    ("a\n: b\n  c\n", r#"DefinitionList 0..9, Term 0..1, "a" 0..1, /Term 0..1, Details 2..9, Paragraph 4..9, "b" 4..5, SoftBreak 5..5, "c" 8..9, /Paragraph 4..9, /Details 2..9, /DefinitionList 0..9"#),
    ("- > a\n  > b\n", r#"List 0..11, Item 0..11, BlockQuote 2..11, Paragraph 4..11, "a" 4..5, SoftBreak 5..5, "b" 10..11, /Paragraph 4..11, /BlockQuote 2..11, /Item 0..11, /List 0..11"#),
    ("> - a\n>   - b\n", r#"BlockQuote 0..13, List 2..13, Item 2..13, Paragraph 4..5, "a" 4..5, /Paragraph 4..5, List 10..13, Item 10..13, Paragraph 12..13, "b" 12..13, /Paragraph 12..13, /Item 10..13, /List 10..13, /Item 2..13, /List 2..13, /BlockQuote 0..13"#),
    ("> ```\n> a\n> ```\n", r#"BlockQuote 0..15, CodeBlock 2..15, "a\n" 8..10, /CodeBlock 2..15, /BlockQuote 0..15"#),
    ("$a$ $$b$$ $`c`$", r#"Paragraph 0..15, Math 0..3, " " 3..4, Math 4..9, " " 9..10, Math 10..15, /Paragraph 0..15"#),
    (":smile: a", r#"Paragraph 0..9, "😄" 0..7, " a" 7..9, /Paragraph 0..9"#),
    ("[[a|b]] c", r#"Paragraph 0..9, Link(Wiki) 0..7, "b" 4..5, /Link 0..7, " c" 7..9, /Paragraph 0..9"#),
    ("==a== ^b^ ~c~", r#"Paragraph 0..13, Mark 0..5, "a" 2..3, /Mark 0..5, " " 5..6, Superscript 6..9, "b" 7..8, /Superscript 6..9, " " 9..10, Subscript 10..13, "c" 11..12, /Subscript 10..13, /Paragraph 0..13"#),
    ("\"a\" -- b...", r#"Paragraph 0..11, "“" 0..1, "a" 1..2, "”" 2..3, " " 3..4, "–" 4..6, " b" 6..8, "…" 8..11, /Paragraph 0..11"#),
];

fn name(event: &Event<'_>) -> String {
    // Of what has parts, the first word is the name.
    let first_word = |debug: String| debug.split([' ', '(']).next().unwrap_or_default().to_owned();
    let name = match &event.kind {
        EventKind::Start(Tag::Link(target)) => format!("Link({:?})", target.form),
        EventKind::Start(Tag::Image(target)) => format!("Image({:?})", target.form),
        EventKind::Start(tag) => first_word(format!("{tag:?}")),
        EventKind::End(end) => first_word(format!("/{end:?}")),
        EventKind::Text(text) => format!("{text:?}"),
        EventKind::Code(code) => format!("Code({code:?})"),
        EventKind::Html(html) => format!("Html({html:?})"),
        EventKind::InlineHtml(_) => "Html".to_owned(),
        EventKind::FootnoteReference { .. } => "Footnote".to_owned(),
        other => first_word(format!("{other:?}")),
    };
    format!("{name} {}..{}", event.span.start, event.span.end)
}

/// Github's, and every extension that it does not have.
fn all_extensions() -> Options {
    let mut options = Options::github();
    for extension in [
        &mut options.math,
        &mut options.emoji,
        &mut options.mark,
        &mut options.superscript,
        &mut options.subscript,
        &mut options.wiki_links,
        &mut options.definition_lists,
        &mut options.heading_attributes,
        &mut options.front_matter,
        &mut options.smart_punctuation,
    ] {
        *extension = true;
    }
    options
}

/// The inline events of the first paragraph.
fn shown(source: &str) -> String {
    let mut parser = Parser::new(Options::github());
    let document = parser.parse(source).expect("short");
    let is_in = |event: &Event<'_>| event.kind != EventKind::End(TagEnd::Paragraph);
    let is_inline = |event: &Event<'_>| {
        let is_block = |tag: &Tag<'_>| matches!(tag, Tag::Paragraph | Tag::BlockQuote { .. });
        !matches!(&event.kind, EventKind::Start(tag) if is_block(tag))
    };
    let events = document.events().take_while(is_in).filter(is_inline);
    events.map(|event| name(&event)).collect::<Vec<_>>().join(", ")
}

#[test]
fn every_inline_construct_says_where_it_is() {
    for (source, expected) in GOLDEN {
        assert_eq!(shown(source), *expected, "{source:?}");
    }
}

#[test]
fn every_block_says_where_it_is() {
    for (source, expected) in GOLDEN_BLOCKS {
        let document = barelink::parse(source, &all_extensions()).expect("short");
        let shown: Vec<_> = document.events().map(|event| name(&event)).collect();
        assert_eq!(shown.join(", "), *expected, "{source:?}");
    }
}
