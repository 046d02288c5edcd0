//! HTML from public events, so that a program can change the events of a document and have them
//! written as Barelink does.
//!
//! Whatever the events are, every tag that is opened is closed, anchors do not nest, and every
//! destination is checked by the gate. An end without its start is skipped; an element that is left
//! open is closed with the element around it.
//!
//! LINEAR: an event is written once. With a hook for links, the events of a link are held until it
//! is complete, and are then written once: the content of a link or image is not held again, except
//! images in a link.

mod hooks;

use std::borrow::Cow;
use std::collections::HashMap;

use barelink_text::{LineIndex, Span};

use self::hooks::Hooked;
use super::action::Change;
use super::escape::push_escaped;
use super::footnote::Notes;
use super::gate::RawDestination;
use super::kinds::{N_SLOTS, has_position, has_tightness, slot};
use super::markup::{
    ALERT_END, ALT_START, QUOTE_END, RowPlace, heading, insert_position, math_tags,
    push_code_start, push_heading_attributes, push_heading_start, push_image_start,
    push_item_start, push_link_start, push_list_start, push_quote_start, push_title, soft_break,
    start_line,
};
use super::raw::push_raw;
use super::render::Renderer;
use super::room::{CELL_LEN, TAGS_LEN};
use crate::event::Alignment;
use crate::event::{Event, EventKind, Tag, TagEnd, Target};
use crate::links::push_text;
use crate::memory::{PushSparingly as _, reserve_sparingly};
use crate::options::Options;

/// Appends the HTML of `events` to `out`. For the events of a document, it is
/// what [`Document::push_html`](crate::Document::push_html) appends, but without
/// [positions](crate::Policy::source_positions), since events may have been moved.
///
/// ```
/// use barelink::{EventKind, Options, html};
/// let options = Options::commonmark();
/// let document = barelink::parse("one\ntwo", &options)?;
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
    Renderer::new().push_events(events, options, out);
}

/// HTML being written from events.
pub(super) struct EventWriter<'w, 'h, 's> {
    options: &'w Options,
    hooks: &'w mut Renderer<'h>,
    /// Present if source positions are written.
    pub(super) lines: Option<LineIndex<'w>>,
    base: usize,
    /// Open elements, and those of them that hooks will write.
    open: Vec<OpenElement>,
    hooked: Vec<Hooked<'s>>,
    /// The number of open elements of each kind.
    n_open: [usize; N_SLOTS],
    /// For each open list, block quote and footnote, whether paragraphs directly in it are written
    /// without tags.
    tight: Vec<bool>,
    image: Option<Image<'s>>,
    tables: Vec<WrittenTable>,
    /// The indices in `open` of the tables, rows and cells that are written.
    table_parts: Vec<usize>,
    /// Ids of footnotes by their labels.
    labels: HashMap<String, u32>,
    notes: Notes,
    /// For each open footnote definition, its id, unless it is a duplicate, and the `base` around
    /// it.
    open_notes: Vec<(Option<u32>, usize)>,
    /// The events of a link or image that is held for its hook, and their nesting depth in links
    /// and images.
    held: Vec<Event<'s>>,
    depth: usize,
    /// The indices in `held` of starts of links and images that have not ended.
    held_starts: Vec<u32>,
    /// The text of the open elements that have hooks.
    text: Cow<'static, str>,
}

/// An element that has started. A hostile text may have as many as it has bytes.
#[derive(Clone, Copy)]
struct OpenElement {
    end: TagEnd,
    /// Whether its tags are written.
    is_written: bool,
    /// Whether it is the last element in `hooked`.
    is_hooked: bool,
}

const _: () = assert!(size_of::<OpenElement>() == 4);

/// The outermost image whose description is being written.
struct Image<'s> {
    /// The number of open images in its description.
    depth: usize,
    title: Cow<'s, str>,
    change: Change,
    is_hooked: bool,
    /// Where its description, the value of `alt`, starts in the output.
    alt: usize,
}

/// The open table.
struct WrittenTable {
    alignments: Vec<Alignment>,
    /// The last row.
    row: Option<RowPlace>,
    column: usize,
}

impl WrittenTable {
    fn has_body(&self) -> bool {
        matches!(self.row, Some(RowPlace::FirstOfBody | RowPlace::Body))
    }
}

impl<'w, 'h, 's> EventWriter<'w, 'h, 's> {
    pub(super) fn new(options: &'w Options, hooks: &'w mut Renderer<'h>, out: &str) -> Self {
        Self {
            options,
            hooks,
            lines: None,
            base: out.len(),
            open: Vec::new(),
            hooked: Vec::new(),
            n_open: [0; N_SLOTS],
            tight: Vec::new(),
            image: None,
            tables: Vec::new(),
            table_parts: Vec::new(),
            labels: HashMap::new(),
            notes: Notes::default(),
            open_notes: Vec::new(),
            held: Vec::new(),
            depth: 0,
            held_starts: Vec::new(),
            text: Cow::Borrowed(""),
        }
    }

    /// Writes all events, and ends what they leave open.
    pub(super) fn push_all(
        mut self,
        events: impl IntoIterator<Item = Event<'s>>,
        out: &mut String,
    ) {
        for event in events {
            self.push(event, out);
        }
        if self.depth > 0 {
            self.push_held(out);
        }
        self.end_image(out);
        self.close_to(0, out);
        self.notes.push_section(self.options, out);
    }

    fn push(&mut self, event: Event<'s>, out: &mut String) {
        let event = match self.hooks.link {
            Some(_) => match self.hold(event, out) {
                Some(event) => event,
                None => return,
            },
            None => event,
        };
        if !self.hooked.is_empty() {
            push_text(&event.kind, &mut self.text);
        }
        if self.image.is_some() {
            return self.push_alt(event.kind, out);
        }
        match event.kind {
            EventKind::Start(tag) => self.start(tag, event.span, out),
            EventKind::End(tag) => self.end(tag, out),
            EventKind::Text(text) => {
                reserve_sparingly(text.len() + TAGS_LEN, out);
                push_escaped(&text, out);
            }
            EventKind::Code(code) => {
                out.push_str("<code>");
                push_escaped(&code, out);
                out.push_str("</code>");
            }
            EventKind::Math { text, style } => {
                let (start, end) = math_tags(style);
                out.push_str(start);
                push_escaped(&text, out);
                out.push_str(end);
            }
            EventKind::Html(html) | EventKind::InlineHtml(html) => {
                push_raw(&html, self.options, out);
            }
            EventKind::Markup(markup) => out.push_str(&markup),
            EventKind::SoftBreak => out.push_str(soft_break(self.options)),
            EventKind::HardBreak => out.push_str("<br />\n"),
            EventKind::ThematicBreak => {
                start_line(self.base, out);
                let start = out.len();
                out.push_str("<hr />\n");
                self.insert_position(event.span, start, out);
            }
            // Anchors must not nest.
            EventKind::FootnoteReference { written, .. } if self.n_open[slot(TagEnd::Link)] > 0 => {
                push_escaped(&written, out);
            }
            EventKind::FootnoteReference { label, .. } => {
                let id = self.note_id(&label);
                self.notes.push_reference(id, &label, self.options, out);
            }
            EventKind::Definition(_) | EventKind::FrontMatter { .. } => {}
        }
    }

    /// The id of the footnote with this label.
    fn note_id(&mut self, label: &str) -> u32 {
        if let Some(&id) = self.labels.get(label) {
            return id;
        }
        let id = self.labels.len() as u32;
        self.labels.insert(label.to_owned(), id);
        id
    }

    fn insert_position(&self, span: Span, start: usize, out: &mut String) {
        if let Some(lines) = &self.lines {
            insert_position(lines, span, start, out);
        }
    }

    fn start(&mut self, tag: Tag<'s>, span: Span, out: &mut String) {
        reserve_sparingly(TAGS_LEN, out);
        let is_tight = tag == Tag::Paragraph && self.tight.last() == Some(&true);
        if tag.is_block() && !is_tight {
            start_line(self.base, out);
        }
        let end = tag.end();
        let is_misplaced = match end {
            // Anchors must not nest.
            TagEnd::Link => self.n_open[slot(end)] > 0,
            TagEnd::Row => !self.is_directly_in(TagEnd::Table, out),
            TagEnd::Cell => !self.is_directly_in(TagEnd::Row, out),
            _ => false,
        };
        let is_hooked = self.is_hooked(&tag, span, out);
        let start = out.len();
        let is_written = !is_tight && !is_misplaced;
        let mut is_tight_list = false;
        match tag {
            _ if !is_written => {}
            Tag::Paragraph => out.push_str("<p>"),
            Tag::Heading { level, ref id, ref attributes } => {
                push_heading_start(level, id.as_deref(), out);
                if let Some(attributes) = attributes {
                    let classes = attributes.classes.iter().map(Cow::as_ref);
                    let others = attributes.others.iter();
                    let others = others.map(|(name, value)| (&**name, value.as_deref()));
                    push_heading_attributes(classes, others, self.options, out);
                }
                out.push('>');
            }
            Tag::BlockQuote { alert } => push_quote_start(alert, self.options.markup, out),
            Tag::List { start, tight } => {
                push_list_start(start, out);
                is_tight_list = tight;
            }
            Tag::Item { task } => push_item_start(task, self.options.markup, out),
            Tag::DefinitionList { tight } => {
                out.push_str("<dl>\n");
                is_tight_list = tight;
            }
            Tag::Term => out.push_str("<dt>"),
            Tag::Details => out.push_str("<dd>"),
            Tag::CodeBlock { ref info } => {
                push_code_start(info.as_deref().unwrap_or(""), self.options, out);
            }
            Tag::FootnoteDefinition { ref label, duplicate } => {
                let id = if duplicate { None } else { Some(self.note_id(label)) };
                self.open_notes.push((id, self.base));
                self.base = out.len();
            }
            Tag::Table { ref alignments } => {
                out.push_str("<table>\n");
                let alignments = alignments.clone();
                self.tables.push(WrittenTable { alignments, row: None, column: 0 });
            }
            Tag::Row { header: true } => self.start_header(out),
            Tag::Row { header: false } => self.start_body_row(out),
            Tag::Cell => self.start_cell(out),
            Tag::HtmlBlock => {}
            Tag::Emphasis => out.push_str("<em>"),
            Tag::Strong => out.push_str("<strong>"),
            Tag::Strikethrough => out.push_str("<del>"),
            Tag::Mark => out.push_str("<mark>"),
            Tag::Superscript => out.push_str("<sup>"),
            Tag::Subscript => out.push_str("<sub>"),
            Tag::Link(Target { ref destination, ref title, form }) => {
                push_link_start(RawDestination::new(destination), title, form, self.options, out);
            }
            Tag::Image(Target { destination, title, .. }) => {
                push_image_start(&destination, self.options, out);
                let change = Change::new();
                let alt = out.len();
                self.image = Some(Image { depth: 0, title, change, is_hooked, alt });
                return;
            }
        }
        if has_position(end) && is_written {
            self.insert_position(span, start, out);
        }
        if is_hooked {
            self.start_content(out);
        }
        if has_tightness(end) {
            self.tight.push(is_tight_list);
        }
        if let TagEnd::Table | TagEnd::Row | TagEnd::Cell = end
            && is_written
        {
            self.table_parts.push(self.open.len());
        }
        self.n_open[slot(end)] += 1;
        self.open.push_sparingly(OpenElement { end, is_written, is_hooked });
    }

    /// Whether the innermost part of a table is of this kind, after closing what was left open in
    /// it.
    fn is_directly_in(&mut self, part: TagEnd, out: &mut String) -> bool {
        while let Some(&idx) = self.table_parts.last() {
            let innermost = self.open[idx].end;
            if innermost == part {
                self.close_to(idx + 1, out);
                return true;
            }
            if innermost == TagEnd::Table {
                return false;
            }
            self.close_to(idx, out);
        }
        false
    }

    fn start_header(&mut self, out: &mut String) {
        if self.tables.last().is_some_and(WrittenTable::has_body) {
            out.push_str("</tbody>\n");
        }
        self.start_row(RowPlace::Header, out);
    }

    fn start_body_row(&mut self, out: &mut String) {
        let has_body = self.tables.last().is_some_and(WrittenTable::has_body);
        self.start_row(if has_body { RowPlace::Body } else { RowPlace::FirstOfBody }, out);
    }

    fn start_row(&mut self, row: RowPlace, out: &mut String) {
        let Some(table) = self.tables.last_mut() else { return out.push_str("<tr>\n") };
        out.push_str(row.start());
        (table.row, table.column) = (Some(row), 0);
    }

    fn start_cell(&mut self, out: &mut String) {
        let row = self.row();
        let Some(table) = self.tables.last_mut() else { return out.push_str("<td>") };
        let alignment = table.alignments.get(table.column).copied().unwrap_or_default();
        out.push_str(row.cell_start(alignment));
        table.column += 1;
    }

    /// Ends the last element of this kind, and what is open in it.
    fn end(&mut self, end: TagEnd, out: &mut String) {
        if self.n_open[slot(end)] == 0 {
            return;
        }
        let is_same = |open: &OpenElement| slot(open.end) == slot(end);
        // LINEAR: the elements that are skipped get closed.
        let idx = self.open.iter().rposition(is_same).unwrap_or(self.open.len());
        self.close_to(idx, out);
    }

    /// Closes open elements until `n_left` are left.
    fn close_to(&mut self, n_left: usize, out: &mut String) {
        while self.open.len() > n_left
            && let Some(open) = self.open.pop()
        {
            self.n_open[slot(open.end)] -= 1;
            self.table_parts.pop_if(|idx| *idx == self.open.len());
            // The end tag of the body is part of the table's content.
            let is_table = open.end == TagEnd::Table && open.is_written;
            if is_table && self.tables.pop().is_some_and(|table| table.has_body()) {
                out.push_str("</tbody>\n");
            }
            reserve_sparingly(TAGS_LEN, out);
            let content_end = out.len();
            self.close(open, out);
            if open.is_hooked {
                self.push_hooked(content_end, out);
            }
        }
    }

    fn close(&mut self, open: OpenElement, out: &mut String) {
        if has_tightness(open.end) {
            self.tight.pop();
        }
        match open.end {
            _ if !open.is_written => {}
            TagEnd::Paragraph => out.push_str("</p>\n"),
            TagEnd::Heading { level } => out.push_str(heading(level).1),
            TagEnd::BlockQuote { alert } => {
                start_line(self.base, out);
                out.push_str(if alert { ALERT_END } else { QUOTE_END });
            }
            TagEnd::List { ordered } => out.push_str(if ordered { "</ol>\n" } else { "</ul>\n" }),
            TagEnd::Item => out.push_str("</li>\n"),
            TagEnd::DefinitionList => out.push_str("</dl>\n"),
            TagEnd::Term => out.push_str("</dt>\n"),
            TagEnd::Details => out.push_str("</dd>\n"),
            TagEnd::CodeBlock => out.push_str("</code></pre>\n"),
            TagEnd::FootnoteDefinition => {
                let (id, outer_base) = self.open_notes.pop().unwrap_or_default();
                match id {
                    Some(id) => self.notes.define(id, self.base, self.options.markup, out),
                    None => out.truncate(self.base),
                }
                self.base = outer_base;
            }
            TagEnd::Table => out.push_str("</table>\n"),
            TagEnd::Row => self.end_row(out),
            TagEnd::Cell => out.push_str(self.row().cell_end()),
            TagEnd::HtmlBlock | TagEnd::Image => {}
            TagEnd::Emphasis => out.push_str("</em>"),
            TagEnd::Strong => out.push_str("</strong>"),
            TagEnd::Strikethrough => out.push_str("</del>"),
            TagEnd::Mark => out.push_str("</mark>"),
            TagEnd::Superscript => out.push_str("</sup>"),
            TagEnd::Subscript => out.push_str("</sub>"),
            TagEnd::Link => out.push_str("</a>"),
        }
    }

    /// The place of the open row, or that of a body row if there is none.
    fn row(&self) -> RowPlace {
        self.tables.last().and_then(|table| table.row).unwrap_or(RowPlace::Body)
    }

    fn end_row(&mut self, out: &mut String) {
        // A row may have fewer cells than the table has columns.
        let n_columns = self.tables.last().map_or(0, |table| table.alignments.len());
        reserve_sparingly(TAGS_LEN + n_columns * CELL_LEN, out);
        while let Some(table) = self.tables.last()
            && table.column < table.alignments.len()
        {
            self.start_cell(out);
            out.push_str(self.row().cell_end());
        }
        out.push_str(self.row().end());
    }

    /// Writes an event of an image's description, as plain text.
    fn push_alt(&mut self, kind: EventKind<'_>, out: &mut String) {
        let Some(image) = &mut self.image else { return };
        match kind {
            EventKind::Text(text)
            | EventKind::Code(text)
            | EventKind::Math { text, .. }
            | EventKind::InlineHtml(text) => {
                push_escaped(&text, out);
            }
            EventKind::FootnoteReference { written, .. } => push_escaped(&written, out),
            EventKind::SoftBreak | EventKind::HardBreak => out.push(' '),
            EventKind::Start(Tag::Image(_)) => image.depth += 1,
            EventKind::End(TagEnd::Image) if image.depth > 0 => image.depth -= 1,
            EventKind::End(TagEnd::Image) => self.end_image(out),
            EventKind::Start(_)
            | EventKind::End(_)
            | EventKind::Html(_)
            | EventKind::ThematicBreak
            | EventKind::Definition(_)
            | EventKind::FrontMatter { .. }
            | EventKind::Markup(_) => {}
        }
    }

    /// Ends the open image, if there is one.
    fn end_image(&mut self, out: &mut String) {
        let Some(Image { title, change, is_hooked, alt, .. }) = self.image.take() else { return };
        if change.decides("alt") {
            out.truncate(alt.saturating_sub(ALT_START.len()));
        }
        if !change.decides("title") {
            push_title(&title, out);
        }
        out.push('"');
        change.push_attributes(out);
        out.push_str(" />");
        if is_hooked {
            self.start_content(out);
            self.push_hooked(out.len(), out);
        }
    }
}
