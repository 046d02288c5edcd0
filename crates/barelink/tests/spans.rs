//! The places that events name, written down for each construct. Those of inlines are in a
//! paragraph that is one slice of the source, and in one that is joined from two lines of a block
//! quote; those of blocks at the top level, and inside of others. The same where lines end in CRLF,
//! which have ways of their own back to the source.

use std::collections::BTreeSet;

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
    ("a <b c=\"d\"> e", r#""a " 0..2, InlineHtml("<b c=\"d\">") 2..11, " e" 11..13"#),
    ("a <!-- b --> c", r#""a " 0..2, InlineHtml("<!-- b -->") 2..12, " c" 12..14"#),
    ("a &amp; b", r#""a " 0..2, "&" 2..7, " b" 7..9"#),
    ("a &#65;b", r#""a " 0..2, "A" 2..7, "b" 7..8"#),
    ("a \\* b", r#""a " 0..2, "* b" 3..6"#),
    ("a \\< b", r#""a " 0..2, "< b" 3..6"#),
    ("a < b & \"c\"", "\"a < b & \\\"c\\\"\" 0..11"),
    ("a\nb", r#""a" 0..1, SoftBreak 1..2, "b" 2..3"#),
    ("a \nb", r#""a" 0..1, SoftBreak 1..3, "b" 3..4"#),
    ("a  \nb", r#""a" 0..1, HardBreak 1..4, "b" 4..5"#),
    ("a\\\nb", r#""a" 0..1, HardBreak 1..3, "b" 3..4"#),
    ("a[^1] b\n\n[^1]: c", r#""a" 0..1, Footnote("[^1]") 1..5, " b" 5..7"#),
    ("a[^\n1] b\n\n[^1]: c", r#""a" 0..1, Footnote("[^\n1]") 1..6, " b" 6..8"#),
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
    ("a[^b]\n\n[^b]: c\n\n    d\n", r#"Paragraph 0..5, "a" 0..1, Footnote("[^b]") 1..5, /Paragraph 0..5, FootnoteDefinition 7..21, Paragraph 13..14, "c" 13..14, /Paragraph 13..14, Paragraph 20..21, "d" 20..21, /Paragraph 20..21, /FootnoteDefinition 7..21"#),
    ("---\na: b\n---\nc", r#"FrontMatter 0..12, Paragraph 13..14, "c" 13..14, /Paragraph 13..14"#),
    ("a\n: b\n  c\n", r#"DefinitionList 0..9, Term 0..1, "a" 0..1, /Term 0..1, Details 2..9, Paragraph 4..9, "b" 4..5, SoftBreak 5..5, "c" 8..9, /Paragraph 4..9, /Details 2..9, /DefinitionList 0..9"#),
    ("- > a\n  > b\n", r#"List 0..11, Item 0..11, BlockQuote 2..11, Paragraph 4..11, "a" 4..5, SoftBreak 5..5, "b" 10..11, /Paragraph 4..11, /BlockQuote 2..11, /Item 0..11, /List 0..11"#),
    ("> - a\n>   - b\n", r#"BlockQuote 0..13, List 2..13, Item 2..13, Paragraph 4..5, "a" 4..5, /Paragraph 4..5, List 10..13, Item 10..13, Paragraph 12..13, "b" 12..13, /Paragraph 12..13, /Item 10..13, /List 10..13, /Item 2..13, /List 2..13, /BlockQuote 0..13"#),
    ("> ```\n> a\n> ```\n", r#"BlockQuote 0..15, CodeBlock 2..15, "a\n" 8..10, /CodeBlock 2..15, /BlockQuote 0..15"#),
    ("$a$ $$b$$ $`c`$", r#"Paragraph 0..15, Math("a") 0..3, " " 3..4, Math("b") 4..9, " " 9..10, Math("c") 10..15, /Paragraph 0..15"#),
    (":smile: a", r#"Paragraph 0..9, "😄" 0..7, " a" 7..9, /Paragraph 0..9"#),
    ("[[a|b]] c", r#"Paragraph 0..9, Link(Wiki) 0..7, "b" 4..5, /Link 0..7, " c" 7..9, /Paragraph 0..9"#),
    ("==a== ^b^ ~c~", r#"Paragraph 0..13, Mark 0..5, "a" 2..3, /Mark 0..5, " " 5..6, Superscript 6..9, "b" 7..8, /Superscript 6..9, " " 9..10, Subscript 10..13, "c" 11..12, /Subscript 10..13, /Paragraph 0..13"#),
    ("\"a\" -- b...", r#"Paragraph 0..11, "“" 0..1, "a" 1..2, "”" 2..3, " " 3..4, "–" 4..6, " b" 6..8, "…" 8..11, /Paragraph 0..11"#),
];

/// The inline events where lines end in CRLF, in a paragraph that is read without its carriage
/// returns, and in those that are joined, from lines with markers or with a NUL between them.
#[rustfmt::skip]
const GOLDEN_CRLF: &[(&str, &str)] = &[
    ("a\r\nb", r#""a" 0..1, SoftBreak 1..1, "b" 3..4"#),
    ("a \r\nb", r#""a" 0..1, SoftBreak 1..2, "b" 4..5"#),
    ("a  \r\nb", r#""a" 0..1, HardBreak 1..3, "b" 5..6"#),
    ("a\\\r\nb", r#""a" 0..1, HardBreak 1..2, "b" 4..5"#),
    ("a\r\nb\r\nc", r#""a" 0..1, SoftBreak 1..1, "b" 3..4, SoftBreak 4..4, "c" 6..7"#),
    ("a `b\r\nc` d\r\ne", r#""a " 0..2, Code("b c") 2..8, " d" 8..10, SoftBreak 10..10, "e" 12..13"#),
    ("a <b\r\nc=\"d\"> e\r\nf", r#""a " 0..2, InlineHtml("<b\nc=\"d\">") 2..12, " e" 12..14, SoftBreak 14..14, "f" 16..17"#),
    ("a <!-- b\r\nc --> d", r#""a " 0..2, InlineHtml("<!-- b\nc -->") 2..15, " d" 15..17"#),
    ("a *b\r\nc* d\r\n*e*", r#""a " 0..2, Emphasis 2..8, "b" 3..4, SoftBreak 4..4, "c" 6..7, /Emphasis 2..8, " d" 8..10, SoftBreak 10..10, Emphasis 12..15, "e" 13..14, /Emphasis 12..15"#),
    ("a **b\r\nc** d", r#""a " 0..2, Strong 2..10, "b" 4..5, SoftBreak 5..5, "c" 7..8, /Strong 2..10, " d" 10..12"#),
    ("[a\r\nb](/u\r\n\"t\r\nv\") c\r\nd", r#"Link(Inline) 0..18, "a" 1..2, SoftBreak 2..2, "b" 4..5, /Link 0..18, " c" 18..20, SoftBreak 20..20, "d" 22..23"#),
    ("![a\r\n*b*](/u) c\r\nd", r#"Image(Inline) 0..13, "a" 2..3, SoftBreak 3..3, Emphasis 5..8, "b" 6..7, /Emphasis 5..8, /Image 0..13, " c" 13..15, SoftBreak 15..15, "d" 17..18"#),
    ("[a\r\nb][c\r\nd] e\r\nf\r\n\r\n[c d]: /u", r#"Link(Full) 0..12, "a" 1..2, SoftBreak 2..2, "b" 4..5, /Link 0..12, " e" 12..14, SoftBreak 14..14, "f" 16..17"#),
    ("a\r\nhttp://b.cd/e. f\r\nwww.b.cd\r\nb@c.de f", r#""a" 0..1, SoftBreak 1..1, Link(BareUrl) 3..16, "http://b.cd/e" 3..16, /Link 3..16, ". f" 16..19, SoftBreak 19..19, Link(BareWww) 21..29, "www.b.cd" 21..29, /Link 21..29, SoftBreak 29..29, Link(BareEmail) 31..37, "b@c.de" 31..37, /Link 31..37, " f" 37..39"#),
    ("a\r\nb&#64;c.de f", r#""a" 0..1, SoftBreak 1..1, Link(BareEmail) 3..13, "b@c.de" 3..13, /Link 3..13, " f" 13..15"#),
    ("a\r\n<http://b.cd> c\r\n<b@c.de>", r#""a" 0..1, SoftBreak 1..1, Link(Angle) 3..16, "http://b.cd" 4..15, /Link 3..16, " c" 16..18, SoftBreak 18..18, Link(Angle) 20..28, "b@c.de" 21..27, /Link 20..28"#),
    ("a\r\nb &amp; c\r\n&#65;", r#""a" 0..1, SoftBreak 1..1, "b " 3..5, "&" 5..10, " c" 10..12, SoftBreak 12..12, "A" 14..19"#),
    ("a\r\n\\* b\r\n\\< c", r#""a" 0..1, SoftBreak 1..1, "* b" 4..7, SoftBreak 7..7, "< c" 10..13"#),
    ("a[^\r\n1] b\r\nc\r\n\r\n[^1]: d", r#""a" 0..1, Footnote("[^\n1]") 1..7, " b" 7..9, SoftBreak 9..9, "c" 11..12"#),
    ("a\r\n~~b\r\nc~~", r#""a" 0..1, SoftBreak 1..1, Strikethrough 3..11, "b" 5..6, SoftBreak 6..6, "c" 8..9, /Strikethrough 3..11"#),
    ("a\r\n< b & \"c\"\r\nd", r#""a" 0..1, SoftBreak 1..1, "< b & \"c\"" 3..12, SoftBreak 12..12, "d" 14..15"#),
    ("é\r\n*ü* `漢`\r\n🙂", r#""é" 0..2, SoftBreak 2..2, Emphasis 4..8, "ü" 5..7, /Emphasis 4..8, " " 8..9, Code("漢") 9..14, SoftBreak 14..14, "🙂" 16..20"#),
    ("a\0b\r\nc", r#""a" 0..1, "�" 1..2, "b" 2..3, SoftBreak 3..3, "c" 5..6"#),
    ("a\rb\r\nc", r#""a" 0..1, SoftBreak 1..1, "b" 2..3, SoftBreak 3..3, "c" 5..6"#),
    ("a\nb\r\nc", r#""a" 0..1, SoftBreak 1..2, "b" 2..3, SoftBreak 3..3, "c" 5..6"#),
    ("a\r\nb\nc", r#""a" 0..1, SoftBreak 1..1, "b" 3..4, SoftBreak 4..5, "c" 5..6"#),
    ("a\r\n`b\r\n\\\r\nc", r#""a" 0..1, SoftBreak 1..1, "`b" 3..5, SoftBreak 5..5, HardBreak 7..8, "c" 10..11"#),
    ("a\r\n\r\nb", r#""a" 0..1"#),
    ("> a *b\r\n> c* d", r#""a " 2..4, Emphasis 4..12, "b" 5..6, SoftBreak 6..6, "c" 10..11, /Emphasis 4..12, " d" 12..14"#),
    ("> a `b\r\n> c` d", r#""a " 2..4, Code("b c") 4..12, " d" 12..14"#),
    ("> a  \r\n> b \r\n> c\\\r\n> d\r\ne", r#""a" 2..3, HardBreak 3..5, "b" 9..10, SoftBreak 10..11, "c" 15..16, HardBreak 16..17, "d" 21..22, SoftBreak 22..22, "e" 24..25"#),
    ("> a\r\n> http://b.cd\r\n> &amp;", r#""a" 2..3, SoftBreak 3..3, Link(BareUrl) 7..18, "http://b.cd" 7..18, /Link 7..18, SoftBreak 18..18, "&" 22..27"#),
    ("  a\r\n  b  \r\nc", r#""a" 2..3, SoftBreak 3..3, "b" 7..8, HardBreak 8..10, "c" 12..13"#),
    ("a\0\r\nb &amp;\r\n*c*", r#""a" 0..1, "�" 1..2, SoftBreak 2..2, "b " 4..6, "&" 6..11, SoftBreak 11..11, Emphasis 13..16, "c" 14..15, /Emphasis 13..16"#),
];

/// All events where lines end in CRLF.
#[rustfmt::skip]
const GOLDEN_CRLF_BLOCKS: &[(&str, &str)] = &[
    ("# a *b* #\r\n# c\r\n", r#"Heading 0..9, "a " 2..4, Emphasis 4..7, "b" 5..6, /Emphasis 4..7, /Heading 0..9, Heading 11..14, "c" 13..14, /Heading 11..14"#),
    ("a\r\nb *c*\r\n===\r\n", r#"Heading 0..13, "a" 0..1, SoftBreak 1..1, "b " 3..5, Emphasis 5..8, "c" 6..7, /Emphasis 5..8, /Heading 0..13"#),
    ("a\r\n---\r\n", r#"Heading 0..6, "a" 0..1, /Heading 0..6"#),
    ("# a {#b .c}\r\n", r#"Heading 0..11, "a" 2..3, /Heading 0..11"#),
    ("***\r\n- - -\r\n", "ThematicBreak 0..3, ThematicBreak 5..10"),
    ("```r s\r\na\r\n\r\nb\r\n```\r\n", r#"CodeBlock 0..19, "a\n\nb\n" 8..16, /CodeBlock 0..19"#),
    ("~~~\r\na\r\n", r#"CodeBlock 0..6, "a" 5..6, "\n" 6..6, /CodeBlock 0..6"#),
    ("~~~\r\na", r#"CodeBlock 0..6, "a" 5..6, "\n" 6..6, /CodeBlock 0..6"#),
    ("    a\r\n\r\n     b\r\n\r\nc", r#"CodeBlock 4..15, "a\n\n b" 4..15, "\n" 15..15, /CodeBlock 4..15, Paragraph 19..20, "c" 19..20, /Paragraph 19..20"#),
    ("\ta\r\n\t b\r\n", r#"CodeBlock 1..7, "a\n b" 1..7, "\n" 7..7, /CodeBlock 1..7"#),
    ("<div>\r\na\r\n\r\nb", r#"HtmlBlock 0..8, Html("<div>") 0..5, Html("\n") 5..5, Html("a") 7..8, Html("\n") 8..8, /HtmlBlock 0..8, Paragraph 12..13, "b" 12..13, /Paragraph 12..13"#),
    ("<!-- a\r\nb -->\r\nc", r#"HtmlBlock 0..13, Html("<!-- a") 0..6, Html("\n") 6..6, Html("b -->") 8..13, Html("\n") 13..13, /HtmlBlock 0..13, Paragraph 15..16, "c" 15..16, /Paragraph 15..16"#),
    ("[a]: <b>\r\n'c\r\nd'\r\ne\r\nf", r#"Definition 0..16, Paragraph 18..22, "e" 18..19, SoftBreak 19..19, "f" 21..22, /Paragraph 18..22"#),
    ("> a\r\n> b\r\nc\r\n", r#"BlockQuote 0..11, Paragraph 2..11, "a" 2..3, SoftBreak 3..3, "b" 7..8, SoftBreak 8..8, "c" 10..11, /Paragraph 2..11, /BlockQuote 0..11"#),
    ("> [!NOTE]\r\n> a\r\n> b\r\n", r#"BlockQuote 0..19, Paragraph 13..19, "a" 13..14, SoftBreak 14..14, "b" 18..19, /Paragraph 13..19, /BlockQuote 0..19"#),
    ("- a\r\n- b\r\n\r\n  c\r\n", r#"List 0..15, Item 0..3, Paragraph 2..3, "a" 2..3, /Paragraph 2..3, /Item 0..3, Item 5..15, Paragraph 7..8, "b" 7..8, /Paragraph 7..8, Paragraph 14..15, "c" 14..15, /Paragraph 14..15, /Item 5..15, /List 0..15"#),
    ("3) a\r\n   b\r\n4) c\r\n", r#"List 0..16, Item 0..10, Paragraph 3..10, "a" 3..4, SoftBreak 4..4, "b" 9..10, /Paragraph 3..10, /Item 0..10, Item 12..16, Paragraph 15..16, "c" 15..16, /Paragraph 15..16, /Item 12..16, /List 0..16"#),
    ("- [x] a\r\n  b\r\n", r#"List 0..12, Item 0..12, Paragraph 6..12, "a" 6..7, SoftBreak 7..7, "b" 11..12, /Paragraph 6..12, /Item 0..12, /List 0..12"#),
    ("|a|b|\r\n|-|:-|\r\n|c\\|d|\r\n| e | f |\r\n", r#"Table 0..32, Row 0..5, Cell 1..2, "a" 1..2, /Cell 1..2, Cell 3..4, "b" 3..4, /Cell 3..4, /Row 0..5, Row 15..21, Cell 16..20, "c" 16..17, "|d" 18..20, /Cell 16..20, /Row 15..21, Row 23..32, Cell 25..26, "e" 25..26, /Cell 25..26, Cell 29..30, "f" 29..30, /Cell 29..30, /Row 23..32, /Table 0..32"#),
    ("a[^b]\r\n\r\n[^b]: c\r\n\r\n    d\r\n    e\r\n", r#"Paragraph 0..5, "a" 0..1, Footnote("[^b]") 1..5, /Paragraph 0..5, FootnoteDefinition 9..32, Paragraph 15..16, "c" 15..16, /Paragraph 15..16, Paragraph 24..32, "d" 24..25, SoftBreak 25..25, "e" 31..32, /Paragraph 24..32, /FootnoteDefinition 9..32"#),
    ("---\r\na: b\r\n---\r\nc", r#"FrontMatter 0..14, Paragraph 16..17, "c" 16..17, /Paragraph 16..17"#),
    ("a\r\n: b\r\n  c\r\n", r#"DefinitionList 0..11, Term 0..1, "a" 0..1, /Term 0..1, Details 3..11, Paragraph 5..11, "b" 5..6, SoftBreak 6..6, "c" 10..11, /Paragraph 5..11, /Details 3..11, /DefinitionList 0..11"#),
    ("- > a\r\n  > b\r\n", r#"List 0..12, Item 0..12, BlockQuote 2..12, Paragraph 4..12, "a" 4..5, SoftBreak 5..5, "b" 11..12, /Paragraph 4..12, /BlockQuote 2..12, /Item 0..12, /List 0..12"#),
    ("```\r\na\r\n```", r#"CodeBlock 0..11, "a\n" 5..8, /CodeBlock 0..11"#),
    ("```\na\r\nb\n```", r#"CodeBlock 0..12, "a\nb\n" 4..9, /CodeBlock 0..12"#),
    ("```\r\n\r\n```", r#"CodeBlock 0..10, "\n" 5..7, /CodeBlock 0..10"#),
    ("```\r\n```", "CodeBlock 0..8, /CodeBlock 0..8"),
    ("> ```\r\n> \r\na", r#"BlockQuote 0..9, CodeBlock 2..9, "\n" 9..9, /CodeBlock 2..9, /BlockQuote 0..9, Paragraph 11..12, "a" 11..12, /Paragraph 11..12"#),
    ("~~~\r\na\0\r\nb", r#"CodeBlock 0..10, "a�\nb" 5..10, "\n" 10..10, /CodeBlock 0..10"#),
    ("~~~\ra\rb\r~~~", r#"CodeBlock 0..11, "a\nb\n" 4..8, /CodeBlock 0..11"#),
    ("- ```\r\n\ta\r\n  b\r\n  ```\r\n", r#"List 0..21, Item 0..21, CodeBlock 2..21, "  a\nb\n" 8..16, /CodeBlock 2..21, /Item 0..21, /List 0..21"#),
    ("> ```\r\n> a\r\n> ```\r\n", r#"BlockQuote 0..17, CodeBlock 2..17, "a\n" 9..12, /CodeBlock 2..17, /BlockQuote 0..17"#),
    ("$a\r\nb$ $$b\r\nc$$ $`c\r\nd`$\r\ne", r#"Paragraph 0..27, Math("a b") 0..6, " " 6..7, Math("b\nc") 7..15, " " 15..16, Math("c d") 16..24, SoftBreak 24..24, "e" 26..27, /Paragraph 0..27"#),
    ("a\r\nb :smile: c\r\nd :tada:", r#"Paragraph 0..24, "a" 0..1, SoftBreak 1..1, "b " 3..5, "😄" 5..12, " c" 12..14, SoftBreak 14..14, "d " 16..18, "🎉" 18..24, /Paragraph 0..24"#),
    ("a\r\n[[a|b]] c\r\n[[d]]", r#"Paragraph 0..19, "a" 0..1, SoftBreak 1..1, Link(Wiki) 3..10, "b" 7..8, /Link 3..10, " c" 10..12, SoftBreak 12..12, Link(Wiki) 14..19, "d" 16..17, /Link 14..19, /Paragraph 0..19"#),
    ("a\r\n==a\r\nb== ^b^ ~c~\r\nd", r#"Paragraph 0..22, "a" 0..1, SoftBreak 1..1, Mark 3..11, "a" 5..6, SoftBreak 6..6, "b" 8..9, /Mark 3..11, " " 11..12, Superscript 12..15, "b" 13..14, /Superscript 12..15, " " 15..16, Subscript 16..19, "c" 17..18, /Subscript 16..19, SoftBreak 19..19, "d" 21..22, /Paragraph 0..22"#),
    ("a\r\n\"b\" -- c\r\nd... e", r#"Paragraph 0..19, "a" 0..1, SoftBreak 1..1, "“" 3..4, "b" 4..5, "”" 5..6, " " 6..7, "–" 7..9, " c" 9..11, SoftBreak 11..11, "d" 13..14, "…" 14..17, " e" 17..19, /Paragraph 0..19"#),
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
        EventKind::InlineHtml(html) => format!("InlineHtml({html:?})"),
        EventKind::Math { text, .. } => format!("Math({text:?})"),
        EventKind::FootnoteReference { written, .. } => format!("Footnote({written:?})"),
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

/// All events.
fn all_shown(source: &str) -> String {
    let document = barelink::parse(source, &all_extensions()).expect("short");
    document.events().map(|event| name(&event)).collect::<Vec<_>>().join(", ")
}

#[test]
fn every_inline_construct_says_where_it_is() {
    for (source, expected) in GOLDEN.iter().chain(GOLDEN_CRLF) {
        assert_eq!(shown(source), *expected, "{source:?}");
    }
}

#[test]
fn every_block_says_where_it_is() {
    for (source, expected) in GOLDEN_BLOCKS.iter().chain(GOLDEN_CRLF_BLOCKS) {
        assert_eq!(all_shown(source), *expected, "{source:?}");
    }
}

/// The variants of a public enum of `src/event.rs`. (The compiler asks for none of them here: to
/// other crates, they are not all that there can be.)
fn variants(name: &str) -> BTreeSet<&'static str> {
    let source = include_str!("../src/event.rs");
    let (_, body) = source.split_once(&format!("\npub enum {name}<'s> {{\n")).expect("an enum");
    let (body, _) = body.split_once("\n}").expect("it ends");
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    let named = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    named.filter_map(|line| line.split([' ', '(', ',']).next()).collect()
}

/// A new construct is written down above, with line feeds and with CRLF.
#[test]
fn no_construct_is_left_out() {
    let first_word = |debug: String| debug.split([' ', '(']).next().unwrap_or_default().to_owned();
    for goldens in [[GOLDEN, GOLDEN_BLOCKS], [GOLDEN_CRLF, GOLDEN_CRLF_BLOCKS]] {
        let (mut kinds, mut tags) = (variants("EventKind"), variants("Tag"));
        assert!(kinds.contains("SoftBreak") && tags.contains("HtmlBlock"), "{kinds:?} {tags:?}");
        // The parser never makes it.
        assert!(kinds.remove("Markup"));
        for (source, _) in goldens.concat() {
            for options in [Options::github(), all_extensions()] {
                let document = barelink::parse(source, &options).expect("short");
                for Event { kind, .. } in document.events() {
                    kinds.remove(&*first_word(format!("{kind:?}")));
                    if let EventKind::Start(tag) = kind {
                        tags.remove(&*first_word(format!("{tag:?}")));
                    }
                }
            }
        }
        assert_eq!((kinds, tags), (BTreeSet::new(), BTreeSet::new()));
    }
}
