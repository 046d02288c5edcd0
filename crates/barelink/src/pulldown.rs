//! The events of a document as those of pulldown-cmark, so that a program built on that crate gets
//! bare links by changing only the lines that parse.
//!
//! Requires the feature `pulldown-cmark`:
//!
//! ```
//! use barelink::{Options, Parser, pulldown};
//! let mut parser = Parser::new(Options::github());
//! let document = parser.parse("see www.a.bc")?;
//! // Where `pulldown_cmark::Parser::new(source)` was:
//! let events = pulldown::events(&document);
//! let mut html = String::new();
//! pulldown_cmark::html::push_html(&mut html, events);
//! assert_eq!(html, "<p>see <a href=\"http://www.a.bc\">www.a.bc</a></p>\n");
//! # Ok::<(), barelink::SourceTooLong>(())
//! ```
//!
//! The events are those of pulldown-cmark for the same structure: no paragraphs in tight lists, the
//! mark of a task inside the paragraph in a loose one, a table's header without a row around it,
//! every row with all its cells, HTML blocks line by line, addresses without `mailto:`. Marked
//! text, for which pulldown-cmark has no event, becomes HTML. Spans are the document's: they
//! exclude the line ending after a block, which pulldown-cmark includes.
//!
//! A link without brackets is [`LinkType::Autolink`] or [`LinkType::Email`] if its text between `<`
//! and `>` would be the same link, since that is how programs write these two back. It is
//! [`LinkType::Inline`] if the destination is more than the text, as for `www.a.bc`.
//!
//! Nothing is filtered: raw HTML and all destinations pass, whatever the [`Policy`](crate::Policy),
//! because that applies only to Barelink's own HTML.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::iter::Peekable;
use std::ops::Range;
use std::sync::Arc;

use pulldown_cmark::{BlockQuoteKind, CodeBlockKind, CowStr, HeadingLevel, LinkType};

use crate::document::Document;
use crate::event::AlertKind;
use crate::event::Alignment;
use crate::event::{Event, EventKind, Form, HeadingAttributes, MathStyle, Tag, TagEnd, Target};
use crate::event_iter;
use crate::memory::PushSparingly as _;

/// The document's events as pulldown-cmark's, in order.
pub fn events<'p, 's>(document: &Document<'p, 's>) -> Events<'p, 's> {
    Events(events_with_spans(document))
}

/// Like [`events()`], but each event comes with its range in the source: for programs that use
/// `into_offset_iter`.
///
/// ```
/// use barelink::{Options, Parser, pulldown};
/// use pulldown_cmark::Event;
/// let mut parser = Parser::new(Options::commonmark());
/// let document = parser.parse("a `b`")?;
/// let (_, range) = pulldown::events_with_spans(&document)
///     .find(|(event, _)| matches!(event, Event::Code(_)))
///     .unwrap();
/// assert_eq!(range, 2..5);
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
pub fn events_with_spans<'p, 's>(document: &Document<'p, 's>) -> EventsWithSpans<'p, 's> {
    EventsWithSpans {
        source: document.source(),
        events: document.events().peekable(),
        pending: VecDeque::new(),
        html: ("", 0..0),
        tight: Vec::new(),
        quotes: Vec::new(),
        task: None,
        table: TableCursor::default(),
    }
}

/// Events of pulldown-cmark. See [`events()`].
#[derive(Debug)]
pub struct Events<'p, 's>(EventsWithSpans<'p, 's>);

impl<'s> Iterator for Events<'_, 's> {
    type Item = pulldown_cmark::Event<'s>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(event, _)| event)
    }
}

/// Events of pulldown-cmark with their spans. See [`events_with_spans`].
#[derive(Debug)]
pub struct EventsWithSpans<'p, 's> {
    source: &'s str,
    events: Peekable<event_iter::Events<'p, 's>>,
    /// Events that are ready, and are returned first.
    pending: VecDeque<(pulldown_cmark::Event<'s>, Range<usize>)>,
    /// What is left of a text of raw HTML, and its range. A text may have a line for every byte, so
    /// each becomes an event only when its turn comes.
    html: (&'s str, Range<usize>),
    /// For each open list, block quote and footnote, whether paragraphs directly in it are left
    /// out.
    tight: Vec<bool>,
    /// The kinds of the open block quotes.
    quotes: Vec<Option<BlockQuoteKind>>,
    /// The mark of a task, until the paragraph that it goes into starts.
    task: Option<(bool, Range<usize>)>,
    table: TableCursor,
}

/// The open table.
#[derive(Debug, Default)]
struct TableCursor {
    n_columns: usize,
    column: usize,
    in_header: bool,
    /// The range of the row, if it has ended and still lacks cells.
    lacking: Option<Range<usize>>,
}

impl<'s> Iterator for EventsWithSpans<'_, 's> {
    type Item = (pulldown_cmark::Event<'s>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        while self.pending.is_empty() {
            if !self.html.0.is_empty() {
                return Some(self.next_html());
            }
            if let Some(range) = self.table.lacking.take() {
                self.end_row(range);
            } else {
                let event = self.events.next()?;
                self.push_event(event);
            }
        }
        self.pending.pop_front()
    }
}

impl<'s> EventsWithSpans<'_, 's> {
    fn push(&mut self, event: pulldown_cmark::Event<'s>, range: Range<usize>) {
        self.pending.push_sparingly((event, range));
    }

    fn push_event(&mut self, event: Event<'s>) {
        use pulldown_cmark::Event as To;
        let range = event.span.range();
        let to = match event.kind {
            EventKind::Start(tag) => return self.start(tag, range),
            EventKind::End(tag) => return self.end(tag, range),
            EventKind::Html(html) => return self.push_html(html, range),
            EventKind::Text(text) => To::Text(text.into()),
            EventKind::Code(code) => To::Code(code.into()),
            EventKind::Math { text, style: MathStyle::Display } => To::DisplayMath(text.into()),
            EventKind::Math { text, style: MathStyle::Inline | MathStyle::Code } => {
                To::InlineMath(text.into())
            }
            EventKind::InlineHtml(html) => To::InlineHtml(html.into()),
            EventKind::SoftBreak => To::SoftBreak,
            EventKind::HardBreak => To::HardBreak,
            EventKind::ThematicBreak => {
                self.push_task();
                To::Rule
            }
            EventKind::FootnoteReference { label, .. } => To::FootnoteReference(label.into()),
            EventKind::Markup(markup) => To::InlineHtml(markup.into()),
            // They are not displayed, and pulldown-cmark has no such events.
            EventKind::Definition(_) | EventKind::FrontMatter { .. } => return,
        };
        self.push(to, range);
    }

    fn start(&mut self, tag: Tag<'s>, range: Range<usize>) {
        use pulldown_cmark::Tag as To;
        let is_tight = self.tight.last() == Some(&true);
        if tag != Tag::Paragraph {
            self.push_task();
        }
        let to = match tag {
            Tag::Paragraph if is_tight => return,
            Tag::Paragraph => {
                self.push(pulldown_cmark::Event::Start(To::Paragraph), range);
                return self.push_task();
            }
            Tag::Heading { level, id, attributes } => {
                let HeadingAttributes { classes, others } =
                    attributes.map(Arc::unwrap_or_clone).unwrap_or_default();
                let other = |(name, value): (Cow<'s, str>, Option<Cow<'s, str>>)| {
                    (name.into(), value.map(Into::into))
                };
                To::Heading {
                    level: heading_level(level),
                    id: id.map(Into::into),
                    classes: classes.into_iter().map(Into::into).collect(),
                    attrs: others.into_iter().map(other).collect(),
                }
            }
            Tag::BlockQuote { alert } => {
                let kind = alert.map(quote_kind);
                self.quotes.push(kind);
                self.tight.push(false);
                To::BlockQuote(kind)
            }
            Tag::List { start, tight } => {
                self.tight.push(tight);
                To::List(start.map(u64::from))
            }
            Tag::Item { task } => return self.start_item(task, range),
            Tag::DefinitionList { tight } => {
                self.tight.push(tight);
                To::DefinitionList
            }
            Tag::Term => To::DefinitionListTitle,
            Tag::Details => To::DefinitionListDefinition,
            Tag::CodeBlock { info: None } => To::CodeBlock(CodeBlockKind::Indented),
            Tag::CodeBlock { info: Some(info) } => {
                To::CodeBlock(CodeBlockKind::Fenced(info.into()))
            }
            Tag::FootnoteDefinition { label, .. } => {
                self.tight.push(false);
                To::FootnoteDefinition(label.into())
            }
            Tag::Table { alignments } => {
                self.table = TableCursor { n_columns: alignments.len(), ..TableCursor::default() };
                To::Table(alignments.into_iter().map(alignment).collect())
            }
            Tag::Row { header } => {
                self.table.in_header = header;
                self.table.column = 0;
                if header { To::TableHead } else { To::TableRow }
            }
            Tag::Cell => {
                self.table.column += 1;
                To::TableCell
            }
            Tag::HtmlBlock => To::HtmlBlock,
            Tag::Emphasis => To::Emphasis,
            Tag::Strong => To::Strong,
            Tag::Strikethrough => To::Strikethrough,
            Tag::Mark => {
                return self.push(pulldown_cmark::Event::InlineHtml("<mark>".into()), range);
            }
            Tag::Superscript => To::Superscript,
            Tag::Subscript => To::Subscript,
            Tag::Link(target) => self.link(target, &range),
            Tag::Image(target) => self.image(target, &range),
        };
        self.push(pulldown_cmark::Event::Start(to), range);
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        use pulldown_cmark::TagEnd as To;
        let to = match tag {
            TagEnd::Paragraph if self.tight.last() == Some(&true) => return,
            TagEnd::Paragraph => To::Paragraph,
            TagEnd::Heading { level } => To::Heading(heading_level(level)),
            TagEnd::BlockQuote { .. } => {
                self.tight.pop();
                To::BlockQuote(self.quotes.pop().flatten())
            }
            TagEnd::List { ordered } => {
                self.tight.pop();
                To::List(ordered)
            }
            TagEnd::Item => {
                self.push_task();
                To::Item
            }
            TagEnd::DefinitionList => {
                self.tight.pop();
                To::DefinitionList
            }
            TagEnd::Term => To::DefinitionListTitle,
            TagEnd::Details => To::DefinitionListDefinition,
            TagEnd::CodeBlock => To::CodeBlock,
            TagEnd::FootnoteDefinition => {
                self.tight.pop();
                To::FootnoteDefinition
            }
            TagEnd::Table => To::Table,
            TagEnd::Row => return self.end_row(range),
            TagEnd::Cell => To::TableCell,
            TagEnd::HtmlBlock => To::HtmlBlock,
            TagEnd::Emphasis => To::Emphasis,
            TagEnd::Strong => To::Strong,
            TagEnd::Strikethrough => To::Strikethrough,
            TagEnd::Mark => {
                return self.push(pulldown_cmark::Event::InlineHtml("</mark>".into()), range);
            }
            TagEnd::Superscript => To::Superscript,
            TagEnd::Subscript => To::Subscript,
            TagEnd::Link => To::Link,
            TagEnd::Image => To::Image,
        };
        self.push(pulldown_cmark::Event::End(to), range);
    }

    /// Starts an item, and emits its task: at once in a tight list, inside the item's paragraph in
    /// a loose one.
    ///
    /// LINEAR: a task is the first thing in its item, so only text of this item is searched. Items
    /// without a task, which may be long and nest, are not searched at all.
    fn start_item(&mut self, task: Option<bool>, range: Range<usize>) {
        self.push(pulldown_cmark::Event::Start(pulldown_cmark::Tag::Item), range.clone());
        self.task = task.map(|done| {
            // No list marker has a bracket, so the first one is the task's.
            let text = self.source.get(range.clone()).unwrap_or_default();
            let open = range.start + text.find('[').unwrap_or_default();
            (done, open..(open + "[x]".len()).min(range.end))
        });
        if self.tight.last() == Some(&true) {
            self.push_task();
        }
    }

    fn push_task(&mut self) {
        if let Some((done, range)) = self.task.take() {
            self.push(pulldown_cmark::Event::TaskListMarker(done), range);
        }
    }

    /// Ends a row, or adds a cell if it lacks one.
    ///
    /// LINEAR: the parser has a budget for the cells that a document lacks.
    fn end_row(&mut self, range: Range<usize>) {
        use pulldown_cmark::{Event, Tag, TagEnd};
        if self.table.column < self.table.n_columns {
            self.table.column += 1;
            let end = range.end..range.end;
            self.push(Event::Start(Tag::TableCell), end.clone());
            self.push(Event::End(TagEnd::TableCell), end);
            self.table.lacking = Some(range);
        } else {
            let end = if self.table.in_header { TagEnd::TableHead } else { TagEnd::TableRow };
            self.push(Event::End(end), range);
        }
    }

    /// Emits the lines of an HTML block, each with its line ending.
    fn push_html(&mut self, html: Cow<'s, str>, range: Range<usize>) {
        match html {
            Cow::Borrowed(html) => self.html = (html, range),
            Cow::Owned(html) => self.push(pulldown_cmark::Event::Html(html.into()), range),
        }
    }

    /// The next line of the text of raw HTML.
    fn next_html(&mut self) -> (pulldown_cmark::Event<'s>, Range<usize>) {
        let (html, range) = &mut self.html;
        let len = memchr::memchr(b'\n', html.as_bytes()).map_or(html.len(), |at| at + 1);
        let (line, rest) = html.split_at(len);
        let (start, end) = (range.start, (range.start + len).min(range.end));
        (*html, range.start) = (rest, end);
        let line = if line.ends_with('\n') { line.into() } else { self.complete(line, end) };
        (pulldown_cmark::Event::Html(line), start..end)
    }

    /// The line of HTML that ends at `end`, with its line ending if that is the next event: it is
    /// not in the block's span.
    fn complete(&mut self, line: &'s str, end: usize) -> CowStr<'s> {
        let is_ending = |event: &Event<'s>| event.kind == EventKind::Html(Cow::Borrowed("\n"));
        if self.events.next_if(is_ending).is_none() {
            return line.into();
        }
        match self.source.get(end.saturating_sub(line.len())..=end) {
            Some(whole) if whole.ends_with('\n') => whole.into(),
            _ => format!("{line}\n").into(),
        }
    }

    fn link(&mut self, target: Target<'s>, range: &Range<usize>) -> pulldown_cmark::Tag<'s> {
        let Target { destination, title, form } = target;
        let (link_type, dest_url) = match form {
            Form::Angle | Form::BareUrl | Form::BareWww | Form::BareEmail => {
                self.without_brackets(destination)
            }
            Form::Wiki => {
                let written = self.source.get(range.clone()).unwrap_or_default();
                (LinkType::WikiLink { has_pothole: written.contains('|') }, destination)
            }
            _ => (bracket_type(form), destination),
        };
        let id = self.label(form, range);
        pulldown_cmark::Tag::Link { link_type, dest_url: dest_url.into(), title: title.into(), id }
    }

    fn image(&self, target: Target<'s>, range: &Range<usize>) -> pulldown_cmark::Tag<'s> {
        let Target { destination, title, form } = target;
        pulldown_cmark::Tag::Image {
            link_type: bracket_type(form),
            dest_url: destination.into(),
            title: title.into(),
            id: self.label(form, range),
        }
    }

    /// The type and the destination of a link whose text, the next event, is its target.
    fn without_brackets(&mut self, destination: Cow<'s, str>) -> (LinkType, Cow<'s, str>) {
        let Some(Event { kind: EventKind::Text(text), .. }) = self.events.peek() else {
            return (LinkType::Inline, destination);
        };
        if *text == destination {
            (LinkType::Autolink, destination)
        } else if destination.strip_prefix("mailto:") == Some(text) {
            (LinkType::Email, text.clone())
        } else {
            (LinkType::Inline, destination)
        }
    }

    /// The label of a reference as written, on one line.
    fn label(&self, form: Form, range: &Range<usize>) -> CowStr<'s> {
        let written = self.source.get(range.clone()).unwrap_or_default();
        let written = written.strip_prefix('!').unwrap_or(written);
        let label = match form {
            Form::Full => written.strip_suffix(']').and_then(|text| text.get(find_open(text)..)),
            Form::Collapsed => written.strip_prefix('[').and_then(|text| text.strip_suffix("][]")),
            Form::Shortcut => written.strip_prefix('[').and_then(|text| text.strip_suffix(']')),
            _ => None,
        };
        let label = label.unwrap_or_default();
        if !label.contains(['\n', '\r']) {
            return label.into();
        }
        // In text, only the marker of a block quote can start a line with `>`.
        let lines = label.split(['\n', '\r']).map(|line| line.trim_start_matches([' ', '\t', '>']));
        let words: Vec<&str> = lines.flat_map(str::split_ascii_whitespace).collect();
        words.join(" ").into()
    }
}

/// The start of the label at the end of `text`: after the last unescaped bracket.
///
/// LINEAR: a label has at most 999 characters.
fn find_open(text: &str) -> usize {
    let is_escaped = |at: usize| {
        let before = &text.as_bytes()[..at];
        before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
    };
    let open = text.rmatch_indices('[').map(|(at, _)| at).find(|&at| !is_escaped(at));
    open.map_or(0, |at| at + 1)
}

fn bracket_type(form: Form) -> LinkType {
    match form {
        Form::Full => LinkType::Reference,
        Form::Collapsed => LinkType::Collapsed,
        Form::Shortcut => LinkType::Shortcut,
        _ => LinkType::Inline,
    }
}

fn heading_level(level: u8) -> HeadingLevel {
    HeadingLevel::try_from(usize::from(level)).unwrap_or(HeadingLevel::H6)
}

fn quote_kind(alert: AlertKind) -> BlockQuoteKind {
    match alert {
        AlertKind::Note => BlockQuoteKind::Note,
        AlertKind::Tip => BlockQuoteKind::Tip,
        AlertKind::Important => BlockQuoteKind::Important,
        AlertKind::Warning => BlockQuoteKind::Warning,
        AlertKind::Caution => BlockQuoteKind::Caution,
    }
}

fn alignment(alignment: Alignment) -> pulldown_cmark::Alignment {
    match alignment {
        Alignment::None => pulldown_cmark::Alignment::None,
        Alignment::Left => pulldown_cmark::Alignment::Left,
        Alignment::Center => pulldown_cmark::Alignment::Center,
        Alignment::Right => pulldown_cmark::Alignment::Right,
    }
}
