//! HTML from public events, so that a program can change the events of a
//! document and still have them written as Barelink writes them.

use std::collections::HashMap;

use super::escape::push_escaped;
use super::footnote::Notes;
use super::markup::{
    cell_end, cell_start, heading, push_code_start, push_destination, push_item_start,
    push_list_start, push_quote_start, push_row_start, push_target_start, push_title, quote_end,
    row_end, soft_break, start_line,
};
use super::raw::push_raw;
use super::slug::Slugs;
use crate::block::table::Alignment;
use crate::event::{Event, EventKind, Tag, TagEnd};
use crate::options::Options;

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
/// html::push_events(events, &options, &mut out);
/// assert_eq!(out, "<p>one<br />\ntwo</p>\n");
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
pub fn push_events<'s>(
    events: impl IntoIterator<Item = Event<'s>>,
    options: &Options,
    out: &mut String,
) {
    let mut writer = EventWriter {
        options,
        base: out.len(),
        tight: Vec::new(),
        image: None,
        table: Table::default(),
        labels: Vec::new(),
        ids: HashMap::new(),
        definitions: Vec::new(),
        notes: Notes::default(),
        slugs: Slugs::default(),
        heading_start: 0,
    };
    for event in events {
        writer.push(event.kind, out);
    }
    let label = |id: u32| writer.labels[id as usize].as_str();
    writer.notes.push_section(label, options.markup, out);
}

struct EventWriter<'o> {
    options: &'o Options,
    base: usize,
    /// For each open list and block quote, whether paragraphs directly in it
    /// go without tags.
    tight: Vec<bool>,
    image: Option<Image>,
    table: Table,
    /// The labels of footnotes by identity, and the other way round.
    labels: Vec<String>,
    ids: HashMap<String, u32>,
    /// For each open definition of a footnote its identity, unless it is a
    /// second one, and the `base` around it.
    definitions: Vec<(Option<u32>, usize)>,
    notes: Notes,
    slugs: Slugs,
    /// Where the content of the open heading starts.
    heading_start: usize,
}

/// The outermost image whose description is being written.
struct Image {
    /// Images in its description that are open.
    depth: usize,
    title: String,
}

/// The open table.
#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    n_rows: usize,
    in_header: bool,
    column: usize,
}

impl EventWriter<'_> {
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
            EventKind::Html(html) | EventKind::InlineHtml(html) => {
                push_raw(&html, self.options, out);
            }
            EventKind::SoftBreak => out.push_str(soft_break(self.options)),
            EventKind::HardBreak => out.push_str("<br />\n"),
            EventKind::ThematicBreak => {
                start_line(self.base, out);
                out.push_str("<hr />\n");
            }
            EventKind::FootnoteReference { label, .. } => {
                let id = self.note_id(&label);
                self.notes.push_reference(id, &label, self.options.markup, out);
            }
            EventKind::Definition(_) => {}
        }
    }

    /// The identity of the footnote with this label.
    fn note_id(&mut self, label: &str) -> u32 {
        if let Some(&id) = self.ids.get(label) {
            return id;
        }
        let id = self.labels.len() as u32;
        self.labels.push(label.to_owned());
        self.ids.insert(label.to_owned(), id);
        id
    }

    fn start(&mut self, tag: Tag<'_>, out: &mut String) {
        let bare = tag == Tag::Paragraph && self.tight.last() == Some(&true);
        if tag.is_block() && !bare {
            start_line(self.base, out);
        }
        match tag {
            Tag::Paragraph if bare => {}
            Tag::Paragraph => out.push_str("<p>"),
            Tag::Heading { level } => {
                out.push_str(heading(level).0);
                self.heading_start = out.len();
            }
            Tag::BlockQuote { alert } => {
                push_quote_start(alert, self.options.markup, out);
                self.tight.push(false);
            }
            Tag::List { start, tight } => {
                push_list_start(start, out);
                self.tight.push(tight);
            }
            Tag::Item { task } => push_item_start(task, self.options.markup, out),
            Tag::CodeBlock { info } => push_code_start(&info.unwrap_or_default(), out),
            Tag::FootnoteDefinition { label, duplicate } => {
                let id = if duplicate { None } else { Some(self.note_id(&label)) };
                self.definitions.push((id, self.base));
                self.base = out.len();
                self.tight.push(false);
            }
            Tag::Table { alignments } => {
                out.push_str("<table>\n");
                self.table = Table { alignments, ..Table::default() };
            }
            Tag::Row { header } => {
                self.table.in_header = header;
                self.table.column = 0;
                push_row_start(header, self.table.n_rows == 1, out);
                self.table.n_rows += 1;
            }
            Tag::Cell => self.start_cell(out),
            Tag::HtmlBlock => {}
            Tag::Emphasis => out.push_str("<em>"),
            Tag::Strong => out.push_str("<strong>"),
            Tag::Strikethrough => out.push_str("<del>"),
            Tag::Link(link) => push_target_start(&link, self.options, out),
            Tag::Image(image) => {
                out.push_str("<img src=\"");
                push_destination(&image.destination, self.options, out);
                out.push_str("\" alt=\"");
                self.image = Some(Image { depth: 0, title: image.title.into_owned() });
            }
        }
    }

    fn start_cell(&mut self, out: &mut String) {
        let alignment = self.table.alignments.get(self.table.column).copied().unwrap_or_default();
        out.push_str(cell_start(self.table.in_header, alignment));
        self.table.column += 1;
    }

    fn end(&mut self, tag: TagEnd, out: &mut String) {
        match tag {
            TagEnd::Paragraph if self.tight.last() == Some(&true) => {}
            TagEnd::Paragraph => out.push_str("</p>\n"),
            TagEnd::Heading { level } => {
                if self.options.policy.heading_ids {
                    self.slugs.insert_id(self.heading_start, out);
                }
                out.push_str(heading(level).1);
            }
            TagEnd::BlockQuote { alert } => {
                start_line(self.base, out);
                out.push_str(quote_end(alert));
                self.tight.pop();
            }
            TagEnd::List { ordered } => {
                out.push_str(if ordered { "</ol>\n" } else { "</ul>\n" });
                self.tight.pop();
            }
            TagEnd::Item => out.push_str("</li>\n"),
            TagEnd::CodeBlock => out.push_str("</code></pre>\n"),
            TagEnd::FootnoteDefinition => self.end_definition(out),
            TagEnd::Table => {
                let has_body = self.table.n_rows > 1;
                out.push_str(if has_body { "</tbody>\n</table>\n" } else { "</table>\n" });
            }
            TagEnd::Row => {
                // A row may have fewer cells than the table has columns.
                while self.table.column < self.table.alignments.len() {
                    self.start_cell(out);
                    out.push_str(cell_end(self.table.in_header));
                }
                out.push_str(row_end(self.table.in_header));
            }
            TagEnd::Cell => out.push_str(cell_end(self.table.in_header)),
            TagEnd::HtmlBlock | TagEnd::Image => {}
            TagEnd::Emphasis => out.push_str("</em>"),
            TagEnd::Strong => out.push_str("</strong>"),
            TagEnd::Strikethrough => out.push_str("</del>"),
            TagEnd::Link => out.push_str("</a>"),
        }
    }

    fn end_definition(&mut self, out: &mut String) {
        let Some((id, outer_base)) = self.definitions.pop() else { return };
        match id {
            Some(id) => self.notes.define(id, self.base, self.options.markup, out),
            None => out.truncate(self.base),
        }
        self.base = outer_base;
        self.tight.pop();
    }

    /// An event of an image's description, as plain text.
    fn push_alt(&mut self, kind: EventKind<'_>, out: &mut String) {
        let Some(image) = &mut self.image else { return };
        match kind {
            EventKind::Text(text) | EventKind::Code(text) | EventKind::InlineHtml(text) => {
                push_escaped(&text, out);
            }
            EventKind::FootnoteReference { written, .. } => push_escaped(&written, out),
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
