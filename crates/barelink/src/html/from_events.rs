//! HTML from public events, so that a program can change the events of a
//! document and still have them written as Barelink writes them.

use super::escape::push_escaped;
use super::{
    HEADINGS, push_code_start, push_destination, push_link_start, push_list_start, push_raw_html,
    push_title, start_line,
};
use crate::event::{Event, EventKind, Tag, TagEnd};
use crate::options::{Policy, RawHtml};

/// Appends the HTML of `events` to `out`. For the events of a document, it is
/// what [`Document::push_html`](crate::Document::push_html) appends.
///
/// ```
/// use barelink::{EventKind, Options, Parser, html};
/// let options = Options::commonmark();
/// let mut parser = Parser::new(options);
/// let mut document = parser.parse("one\ntwo")?;
/// // Every line ending becomes a hard break.
/// let events = document.events().map(|mut event| {
///     if event.kind == EventKind::SoftBreak {
///         event.kind = EventKind::HardBreak;
///     }
///     event
/// });
/// let mut out = String::new();
/// html::push_events(events, options.policy, &mut out);
/// assert_eq!(out, "<p>one<br />\ntwo</p>\n");
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
pub fn push_events<'s>(
    events: impl IntoIterator<Item = Event<'s>>,
    policy: Policy,
    out: &mut String,
) {
    let mut writer =
        EventWriter { policy, base: out.len(), tight: Vec::new(), in_code: false, image: None };
    for event in events {
        writer.push(event.kind, out);
    }
}

struct EventWriter {
    policy: Policy,
    base: usize,
    /// For each open list and block quote, whether paragraphs directly in it
    /// go without tags.
    tight: Vec<bool>,
    in_code: bool,
    image: Option<Image>,
}

/// The outermost image whose description is being written.
struct Image {
    /// Images in its description that are open.
    depth: usize,
    title: String,
}

impl EventWriter {
    fn push(&mut self, kind: EventKind<'_>, out: &mut String) {
        if self.image.is_some() {
            return self.push_alt(kind, out);
        }
        match kind {
            EventKind::Start(tag) => self.start(tag, out),
            EventKind::End(tag) => self.end(tag, out),
            EventKind::Text(text) => push_escaped(&text, out),
            EventKind::Code(code) => {
                out.push_str("<code>");
                push_escaped(&code, out);
                out.push_str("</code>");
            }
            EventKind::Html(html) => match self.policy.raw_html {
                RawHtml::Pass => out.push_str(&html),
                RawHtml::Escape => push_escaped(&html, out),
            },
            EventKind::InlineHtml(html) => push_raw_html(&html, self.policy, out),
            EventKind::SoftBreak => out.push('\n'),
            EventKind::HardBreak => out.push_str("<br />\n"),
            EventKind::ThematicBreak => {
                start_line(self.base, out);
                out.push_str("<hr />\n");
            }
            EventKind::Definition(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, out: &mut String) {
        let inline =
            matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Link(_) | Tag::Image(_));
        let bare = tag == Tag::Paragraph && self.tight.last() == Some(&true);
        if !inline && !bare {
            start_line(self.base, out);
        }
        match tag {
            Tag::Paragraph if bare => {}
            Tag::Paragraph => out.push_str("<p>"),
            Tag::Heading { level } => out.push_str(heading(level).0),
            Tag::BlockQuote => {
                out.push_str("<blockquote>\n");
                self.tight.push(false);
            }
            Tag::List { start, tight } => {
                push_list_start(start, out);
                self.tight.push(tight);
            }
            Tag::Item => out.push_str("<li>"),
            Tag::CodeBlock { info } => {
                self.in_code = true;
                push_code_start(&info.unwrap_or_default(), out);
            }
            Tag::HtmlBlock => {}
            Tag::Emphasis => out.push_str("<em>"),
            Tag::Strong => out.push_str("<strong>"),
            Tag::Link(link) => push_link_start(&link.destination, &link.title, self.policy, out),
            Tag::Image(image) => {
                out.push_str("<img src=\"");
                push_destination(&image.destination, self.policy, out);
                out.push_str("\" alt=\"");
                self.image = Some(Image { depth: 0, title: image.title.into_owned() });
            }
        }
    }

    fn end(&mut self, tag: TagEnd, out: &mut String) {
        match tag {
            TagEnd::Paragraph if self.tight.last() == Some(&true) => {}
            TagEnd::Paragraph => out.push_str("</p>\n"),
            TagEnd::Heading { level } => out.push_str(heading(level).1),
            TagEnd::BlockQuote => {
                start_line(self.base, out);
                out.push_str("</blockquote>\n");
                self.tight.pop();
            }
            TagEnd::List { ordered } => {
                out.push_str(if ordered { "</ol>\n" } else { "</ul>\n" });
                self.tight.pop();
            }
            TagEnd::Item => out.push_str("</li>\n"),
            TagEnd::CodeBlock => out.push_str("</code></pre>\n"),
            TagEnd::HtmlBlock | TagEnd::Image => {}
            TagEnd::Emphasis => out.push_str("</em>"),
            TagEnd::Strong => out.push_str("</strong>"),
            TagEnd::Link => out.push_str("</a>"),
        }
    }

    /// An event of an image's description, as plain text.
    fn push_alt(&mut self, kind: EventKind<'_>, out: &mut String) {
        let Some(image) = &mut self.image else { return };
        match kind {
            EventKind::Text(text) | EventKind::Code(text) | EventKind::InlineHtml(text) => {
                push_escaped(&text, out);
            }
            EventKind::SoftBreak | EventKind::HardBreak => out.push(' '),
            EventKind::Start(Tag::Image(_)) => image.depth += 1,
            EventKind::End(TagEnd::Image) if image.depth > 0 => image.depth -= 1,
            EventKind::End(TagEnd::Image) => {
                push_title(&image.title, out);
                out.push_str("\" />");
                self.image = None;
            }
            _ => {}
        }
    }
}

fn heading(level: u8) -> (&'static str, &'static str) {
    HEADINGS[usize::from(level.clamp(1, 6)) - 1]
}
