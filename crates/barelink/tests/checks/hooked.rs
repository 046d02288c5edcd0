//! What holds for hooks: those that write what they get change nothing, whatever the options; what
//! they get is made of each other; and what links they refuse, no destination passes.

use barelink::html::{Action, Element, ElementKind, Renderer, push_escaped};
use barelink::{Options, Parser, RawHtml, Urls};

use super::{destinations, well_formed};

const KINDS: [ElementKind; 7] = [
    ElementKind::Paragraph,
    ElementKind::Heading,
    ElementKind::CodeBlock,
    ElementKind::HtmlBlock,
    ElementKind::Table,
    ElementKind::Link,
    ElementKind::Image,
];

/// Fails if something of it does not hold. The bits of `chosen` say which elements have hooks.
pub(crate) fn check(source: &str, options: &Options, chosen: u32) {
    let mut parser = Parser::new(options.clone());
    let document = parser.parse(source).expect("the source is short");
    let mut expected = String::new();
    document.push_html(&mut expected);
    let kinds = || KINDS.iter().zip(0..).filter(|(_, bit)| chosen >> bit & 1 == 1);

    let mut same = String::new();
    let mut renderer = Renderer::new().on_link(|_| Action::Keep);
    for (&kind, _) in kinds() {
        renderer = renderer.on(kind, |element, out| {
            check_element(element, source);
            out.push_str(element.html);
        });
    }
    renderer.push_document(&document, &mut same);
    drop(renderer);
    assert_eq!(same, expected, "hooks that write what they get change {source:?}");

    let mut changed = String::new();
    let mut renderer = Renderer::new()
        .on_link(|link| if link.image { Action::Drop } else { Action::rewrite("javascript:\"<") });
    for (&kind, _) in kinds() {
        renderer = renderer.on(kind, |element, out| {
            out.push_str("<i title=\"");
            push_escaped(element.text, out);
            out.push_str("\">");
            out.push_str(element.content);
            out.push_str("</i>");
        });
    }
    renderer.push_document(&document, &mut changed);
    drop(renderer);
    if options.policy.raw_html == RawHtml::Pass {
        return;
    }
    destinations::check_destinations(&changed, options);
    if options.policy.urls != Urls::Any {
        assert_eq!(well_formed::check(&changed), Ok(()), "out of {source:?}: {changed:?}");
    }
}

fn check_element(element: &Element<'_>, source: &str) {
    let Element { html, content, span, .. } = element;
    assert!(html.contains(content), "{content:?} is not in {html:?}, of {source:?}");
    assert!(source.get(span.range()).is_some(), "{span:?} in {source:?}");
}
