//! Events as JSON: what starts and ends, and the texts between.

use barelink::{
    Alignment, Document, EventKind, FrontMatter, MathStyle, Tag, TagEnd, Target, Unit, Units,
};

use crate::json::{Object, push_array, push_string};

/// Appends the first `limit` events of a document.
pub(crate) fn push_events(document: &Document<'_, '_>, limit: usize, out: &mut String) {
    let mut units = Units::new(document.source(), Unit::Utf16);
    push_array(document.events().take(limit), out, |event, out| {
        let mut object = Object::new(out);
        push_kind(&event.kind, &mut object);
        object.span("span", event.span, &mut units).end();
    });
}

fn push_kind(kind: &EventKind<'_>, object: &mut Object<'_>) {
    let (name, text) = match kind {
        EventKind::Start(tag) => {
            push_tag(tag, object.text("event", "start"));
            return;
        }
        EventKind::End(end) => {
            object.text("event", "end").text("tag", name_of(*end));
            return;
        }
        EventKind::FootnoteReference { label, written } => {
            object
                .text("event", "footnote-reference")
                .text("label", label)
                .text("written", written);
            return;
        }
        EventKind::Definition(it) => {
            object.text("event", "definition").text("label", &it.label);
            object.text("destination", &it.destination).text("title", &it.title);
            return;
        }
        EventKind::FrontMatter { format, text } => {
            let format = if *format == FrontMatter::Toml { "toml" } else { "yaml" };
            object.text("event", "front-matter").text("format", format).text("text", text);
            return;
        }
        EventKind::Math { text, style } => {
            let style = match style {
                MathStyle::Inline => "inline",
                MathStyle::Display => "display",
                _ => "code",
            };
            object.text("event", "math").text("text", text).text("style", style);
            return;
        }
        EventKind::Text(text) => ("text", Some(text)),
        EventKind::Code(text) => ("code", Some(text)),
        EventKind::Html(text) => ("html", Some(text)),
        EventKind::InlineHtml(text) => ("inline-html", Some(text)),
        EventKind::SoftBreak => ("soft-break", None),
        EventKind::HardBreak => ("hard-break", None),
        EventKind::ThematicBreak => ("thematic-break", None),
        // The parser makes no others.
        _ => ("other", None),
    };
    object.text("event", name);
    if let Some(text) = text {
        object.text("text", text);
    }
}

fn push_tag(tag: &Tag<'_>, object: &mut Object<'_>) {
    object.text("tag", name_of(tag.end()));
    match tag {
        Tag::Heading { level, id, attributes } => {
            object.value("level", level).text_or_null("id", id.as_deref());
            let classes = attributes.iter().flat_map(|it| &it.classes);
            push_array(classes, object.field("classes"), |class, out| push_string(class, out));
            let others = attributes.iter().flat_map(|it| &it.others);
            push_array(others, object.field("attributes"), |(name, value), out| {
                push_array([Some(name), value.as_ref()], out, |text, out| match text {
                    Some(text) => push_string(text, out),
                    None => out.push_str("null"),
                });
            });
        }
        Tag::BlockQuote { alert } => {
            object.text_or_null("alert", alert.map(barelink::AlertKind::name));
        }
        Tag::List { start, tight } => {
            match start {
                Some(start) => object.value("start", start),
                None => object.value("start", "null"),
            };
            object.value("tight", tight);
        }
        Tag::Item { task } => {
            object.value("task", task.map_or("null", |done| if done { "true" } else { "false" }));
        }
        Tag::DefinitionList { tight } => {
            object.value("tight", tight);
        }
        Tag::CodeBlock { info } => {
            object.text_or_null("info", info.as_deref());
        }
        Tag::FootnoteDefinition { label, duplicate } => {
            object.text("label", label).value("duplicate", duplicate);
        }
        Tag::Table { alignments } => {
            push_array(alignments, object.field("alignments"), |alignment, out| match alignment {
                Alignment::Left => push_string("left", out),
                Alignment::Center => push_string("center", out),
                Alignment::Right => push_string("right", out),
                _ => out.push_str("null"),
            });
        }
        Tag::Row { header } => {
            object.value("header", header);
        }
        Tag::Link(Target { destination, title, form, .. })
        | Tag::Image(Target { destination, title, form, .. }) => {
            object.text("destination", destination).text("title", title).text("form", form.name());
        }
        _ => {}
    }
}

fn name_of(end: TagEnd) -> &'static str {
    match end {
        TagEnd::Paragraph => "paragraph",
        TagEnd::Heading { .. } => "heading",
        TagEnd::BlockQuote { .. } => "block-quote",
        TagEnd::List { .. } => "list",
        TagEnd::Item => "item",
        TagEnd::DefinitionList => "definition-list",
        TagEnd::Term => "term",
        TagEnd::Details => "details",
        TagEnd::CodeBlock => "code-block",
        TagEnd::FootnoteDefinition => "footnote-definition",
        TagEnd::Table => "table",
        TagEnd::Row => "row",
        TagEnd::Cell => "cell",
        TagEnd::HtmlBlock => "html-block",
        TagEnd::Emphasis => "emphasis",
        TagEnd::Strong => "strong",
        TagEnd::Strikethrough => "strikethrough",
        TagEnd::Mark => "mark",
        TagEnd::Superscript => "superscript",
        TagEnd::Subscript => "subscript",
        TagEnd::Link => "link",
        TagEnd::Image => "image",
        // There is none yet.
        _ => "element",
    }
}
