//! Renders the events of a block to lines of a terminal.
//!
//! ```text
//! # Title                     bold
//! text, *emphasis*, `code`    wrapped; italic, bold, a color; links as OSC 8
//! • item                      │ quote
//! ```

use std::rc::Rc;

use barelink::{Alignment, Attribute, Event, EventKind, Policy, Tag, TagEnd, Target, html};

use clap::builder::styling::AnsiColor;

use super::wrap::{Cells, Look, Style};
use crate::visible::visible;

/// A longer destination is not written as a link: terminals ignore it.
const MAX_TARGET: usize = 2000;

/// Stands for containers that there is no room for.
const DEEPER: &str = "… ";

/// The size of the output, and what may be written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page<'p> {
    /// In columns.
    pub(crate) width: usize,
    pub(crate) style: Style,
    pub(crate) policy: &'p Policy,
    /// The end of the source so far. Links that reach it may still grow, and have no target yet.
    pub(crate) n_source: usize,
}

/// Renders events to lines.
pub(crate) fn render<'e>(events: impl Iterator<Item = Event<'e>>, page: Page<'_>) -> Vec<String> {
    let mut lines = Lines {
        page,
        out: Vec::new(),
        containers: Vec::new(),
        n_drawn: 0,
        tight: Vec::new(),
        numbers: Vec::new(),
        needs_gap: false,
        text: Cells::default(),
        looks: vec![Look::default()],
        links: Vec::new(),
        table: Table::default(),
    };
    events.for_each(|event| lines.push(event));
    lines.out
}

/// The markers that the lines of a container start with.
struct Container {
    first: String,
    rest: String,
    /// The number of lines when it began.
    n_before: usize,
    /// The columns that are taken up to its text.
    columns: usize,
}

impl Container {
    /// What is written before a line, if there are `n_lines` by now.
    fn start(&self, n_lines: usize) -> &str {
        if self.is_empty(n_lines) { &self.first } else { &self.rest }
    }

    fn is_empty(&self, n_lines: usize) -> bool {
        self.n_before == n_lines
    }
}

struct Lines<'p> {
    page: Page<'p>,
    out: Vec<String>,
    containers: Vec<Container>,
    /// The number of outer containers that are drawn. Of the deeper ones, only the innermost is,
    /// after [`DEEPER`].
    n_drawn: usize,
    /// For each open container, whether its blocks have no empty lines between them.
    tight: Vec<bool>,
    /// For each open list, the number of the next item.
    numbers: Vec<Option<u32>>,
    /// Whether a block ended, so that an empty line may precede the next.
    needs_gap: bool,
    text: Cells,
    /// A stack of styles; the last one applies.
    looks: Vec<Look>,
    /// The open links: the start of the text, and in plain style the destination to write after it.
    links: Vec<(usize, Option<String>)>,
    table: Table,
}

#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Cells>>,
}

impl Lines<'_> {
    fn push(&mut self, event: Event<'_>) {
        match event.kind {
            EventKind::Start(tag) => self.start(tag, event.span.end as usize),
            EventKind::End(end) => self.end(end),
            EventKind::Text(text) => self.push_text(&text, |_| {}),
            EventKind::Code(text) => self.push_text(&text, |look| {
                look.paint = look.paint.fg_color(Some(AnsiColor::Cyan.into()));
            }),
            EventKind::Math { text, .. } => self.push_text(&text, |look| {
                look.paint = look.paint.fg_color(Some(AnsiColor::Magenta.into()));
            }),
            EventKind::Html(text) | EventKind::InlineHtml(text) => {
                self.push_text(&text, |look| look.paint = look.paint.dimmed());
            }
            EventKind::SoftBreak => self.push_text(" ", |_| {}),
            EventKind::HardBreak => self.push_text("\n", |_| {}),
            EventKind::ThematicBreak => {
                self.start_block();
                let width = self.width().min(40);
                self.push_text(&"─".repeat(width), |look| look.paint = look.paint.dimmed());
                self.end_leaf();
            }
            EventKind::FootnoteReference { label, .. } => {
                self.push_text(&format!("[^{label}]"), |look| look.paint = look.paint.dimmed());
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, end: usize) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.start_block(),
            Tag::Heading { level, .. } => {
                self.start_block();
                self.add_look(|look| look.paint = look.paint.bold());
                self.push_text(&format!("{} ", "#".repeat(level.into())), |_| {});
            }
            Tag::CodeBlock { .. } => {
                self.start_block();
                self.add_look(|look| {
                    look.paint = look.paint.fg_color(Some(AnsiColor::Cyan.into()));
                });
                self.open("  ", "  ");
            }
            Tag::BlockQuote { alert } => {
                self.start_block();
                self.open("│ ", "│ ");
                self.tight.push(false);
                if let Some(kind) = alert {
                    self.push_text(kind.title(), |look| look.paint = look.paint.bold());
                    self.end_leaf();
                }
            }
            Tag::List { start, tight } => {
                self.start_block();
                self.tight.push(tight);
                self.numbers.push(start);
            }
            Tag::Item { task } => self.start_item(task),
            Tag::DefinitionList { tight } => {
                self.start_block();
                self.tight.push(tight);
            }
            Tag::Term => {
                self.start_block();
                self.add_look(|look| look.paint = look.paint.bold());
            }
            Tag::Details => {
                // In a tight list, details follow their term directly.
                self.needs_gap &= self.tight.last() != Some(&true);
                self.start_block();
                self.open("  ", "  ");
            }
            Tag::FootnoteDefinition { label, .. } => {
                self.start_block();
                let label = label.replace('\n', "");
                let label = visible(&label);
                self.open(&format!("[^{label}] "), "  ");
                self.tight.push(false);
            }
            Tag::Table { alignments, .. } => {
                self.start_block();
                self.table = Table { alignments, rows: Vec::new() };
            }
            Tag::Row { header } => {
                self.table.rows.push(Vec::new());
                self.add_look(|look| {
                    if header {
                        look.paint = look.paint.bold();
                    }
                });
            }
            Tag::Emphasis => self.add_look(|look| look.paint = look.paint.italic()),
            Tag::Strong => self.add_look(|look| look.paint = look.paint.bold()),
            Tag::Strikethrough => self.add_look(|look| look.paint = look.paint.strikethrough()),
            Tag::Mark => self.add_look(|look| look.paint = look.paint.invert()),
            Tag::Superscript => self.push_text("^", |_| {}),
            Tag::Subscript => self.push_text("_", |_| {}),
            Tag::Link(target) => self.start_link(&target, end),
            Tag::Image(target) => {
                self.start_link(&target, end);
                self.push_text("[image: ", |_| {});
            }
            _ => {}
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Paragraph => self.end_leaf(),
            TagEnd::HtmlBlock => self.end_lines(),
            TagEnd::Heading { .. } | TagEnd::Term => {
                self.end_leaf();
                self.looks.pop();
            }
            TagEnd::CodeBlock => {
                self.end_lines();
                self.pop_container();
                self.looks.pop();
            }
            TagEnd::BlockQuote { .. } | TagEnd::FootnoteDefinition => {
                self.tight.pop();
                self.close();
            }
            TagEnd::List { .. } => {
                self.tight.pop();
                self.numbers.pop();
                self.needs_gap = true;
            }
            TagEnd::Item | TagEnd::Details => self.close(),
            TagEnd::DefinitionList => {
                self.tight.pop();
                self.needs_gap = true;
            }
            TagEnd::Cell => {
                let cell = std::mem::take(&mut self.text);
                self.table.rows.last_mut().into_iter().for_each(|row| row.push(cell.clone()));
            }
            TagEnd::Row => drop(self.looks.pop()),
            TagEnd::Table => self.end_table(),
            TagEnd::Link => self.end_link(),
            TagEnd::Image => {
                self.push_text("]", |_| {});
                self.end_link();
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Mark => {
                self.looks.pop();
            }
            _ => {}
        }
    }

    fn look(&self) -> Look {
        self.looks.last().cloned().unwrap_or_default()
    }

    fn add_look(&mut self, change: impl FnOnce(&mut Look)) {
        let mut look = self.look();
        change(&mut look);
        self.looks.push(look);
    }

    fn push_text(&mut self, text: &str, change: impl FnOnce(&mut Look)) {
        let mut look = self.look();
        change(&mut look);
        self.text.push(text, &look);
    }

    /// The columns that remain after the markers.
    fn width(&self) -> usize {
        let columns = self.containers.last().map_or(0, |container| container.columns);
        self.page.width.saturating_sub(columns)
    }

    /// Begins a container.
    ///
    /// LINEAR: every line repeats the markers, so half of the columns are the text's however deep
    /// it is.
    fn open(&mut self, first: &str, rest: &str) {
        let outer = self.n_drawn.checked_sub(1).and_then(|last| self.containers.get(last));
        let outer = outer.map_or(0, |container| container.columns);
        let own = rest.chars().count();
        let is_drawn = self.n_drawn == self.containers.len() && outer + own <= self.page.width / 2;
        let columns = if is_drawn { outer + own } else { outer + DEEPER.chars().count() + own };
        self.n_drawn += usize::from(is_drawn);
        let (first, rest) = (first.to_owned(), rest.to_owned());
        self.containers.push(Container { first, rest, n_before: self.out.len(), columns });
    }

    /// Ends a container, which may be empty.
    fn close(&mut self) {
        if self.containers.last().is_some_and(|container| container.is_empty(self.out.len())) {
            self.push_line("");
        }
        self.pop_container();
        self.needs_gap = true;
    }

    fn pop_container(&mut self) {
        self.containers.pop();
        self.n_drawn = self.n_drawn.min(self.containers.len());
    }

    /// The containers whose markers are written.
    fn drawn(&self) -> impl Iterator<Item = &Container> {
        let outer = self.containers.get(..self.n_drawn).unwrap_or_default();
        let inner = self.containers.get(self.n_drawn..).unwrap_or_default();
        outer.iter().chain(inner.last())
    }

    fn start_block(&mut self) {
        let is_tight = self.tight.last() == Some(&true);
        if std::mem::take(&mut self.needs_gap) && !is_tight {
            self.push_line("");
        }
    }

    fn start_item(&mut self, task: Option<bool>) {
        self.start_block();
        let number = self.numbers.last_mut().and_then(Option::as_mut);
        let mut marker = match number {
            Some(number) => {
                let marker = format!("{number}. ");
                *number += 1;
                marker
            }
            None => String::from("• "),
        };
        let rest = " ".repeat(marker.chars().count());
        match task {
            Some(true) => marker.push_str("[x] "),
            Some(false) => marker.push_str("[ ] "),
            None => {}
        }
        self.open(&marker, &rest);
    }

    /// Adds a line, after the markers of its containers.
    fn push_line(&mut self, line: &str) {
        let mut whole = String::new();
        let n_lines = self.out.len();
        for (n, container) in self.drawn().enumerate() {
            if n == self.n_drawn {
                whole.push_str(DEEPER);
            }
            whole.push_str(container.start(n_lines));
        }
        whole.push_str(line);
        whole.truncate(whole.trim_end_matches(' ').len());
        self.out.push(whole);
    }

    /// Writes the text of a leaf.
    fn end_leaf(&mut self) {
        let text = std::mem::take(&mut self.text);
        // The marker of a task is wider than the indentation of the lines below it.
        let n_lines = self.out.len();
        let firsts = self.drawn().filter(|container| container.is_empty(n_lines));
        let extra: usize =
            firsts.map(|it| it.first.chars().count().saturating_sub(it.rest.chars().count())).sum();
        for (line, _) in text.wrap(self.width().saturating_sub(extra), self.page.style) {
            self.push_line(&line);
        }
        self.needs_gap = true;
    }

    /// Writes lines of code or HTML, which end with a line ending.
    fn end_lines(&mut self) {
        let text = std::mem::take(&mut self.text);
        let mut lines = text.wrap(self.width(), self.page.style);
        if lines.last().is_some_and(|(_, width)| *width == 0) {
            lines.pop();
        }
        for (line, _) in lines {
            self.push_line(&line);
        }
        self.needs_gap = true;
    }

    fn start_link(&mut self, target: &Target<'_>, end: usize) {
        let may_grow = if target.form.is_bare() {
            end >= self.page.n_source
        } else {
            end > self.page.n_source
        };
        let url = if may_grow { None } else { self.url(&target.destination) };
        // In plain style, the destination follows the text.
        let written =
            url.clone().filter(|_| self.page.style == Style::Plain && !target.form.is_bare());
        self.links.push((self.text.len(), written));
        self.add_look(|look| {
            look.paint = look.paint.underline();
            // An image in a link leads where the link does.
            if look.target.is_none() {
                let is_link = |url: &String| url.contains(':') && url.len() <= MAX_TARGET;
                look.target = url.filter(is_link).map(Rc::from);
            }
        });
    }

    fn end_link(&mut self) {
        self.looks.pop();
        if let Some((start, Some(url))) = self.links.pop()
            && !self.text.ends_with(start, &url)
        {
            self.push_text(&format!(" ({url})"), |_| {});
        }
    }

    /// A destination that the policy allows, in printable ASCII.
    fn url(&self, destination: &str) -> Option<String> {
        let mut url = String::new();
        html::push_href(destination, Attribute::Href, self.page.policy, &mut url);
        let url = url.replace("&#39;", "'").replace("&#x27;", "'").replace("&amp;", "&");
        (!url.is_empty() && url.bytes().all(|byte| byte.is_ascii_graphic())).then_some(url)
    }

    fn end_table(&mut self) {
        let Table { alignments, rows } = std::mem::take(&mut self.table);
        let room = self.width();
        let mut widths: Vec<usize> = (0..alignments.len())
            .map(|column| {
                let cells = rows.iter().filter_map(|row| row.get(column));
                cells.map(Cells::width).max().unwrap_or(0).max(1)
            })
            .collect();
        if !shrink(&mut widths, room) {
            return self.push_rows(rows);
        }
        for (n, row) in rows.iter().enumerate() {
            let wrapped: Vec<_> = widths
                .iter()
                .enumerate()
                .map(|(column, width)| match row.get(column) {
                    Some(cell) if !cell.is_empty() => cell.wrap(*width, self.page.style),
                    _ => Vec::new(),
                })
                .collect();
            let height = wrapped.iter().map(Vec::len).max().unwrap_or(0).max(1);
            for line in 0..height {
                let cells = wrapped.iter().zip(&widths).zip(&alignments);
                let cells = cells.map(|((lines, width), alignment)| {
                    let (text, used) = lines.get(line).cloned().unwrap_or_default();
                    align(&text, width.saturating_sub(used), *alignment)
                });
                let cells: Vec<String> = cells.collect();
                self.push_line(&cells.join(" │ "));
            }
            if n == 0 {
                let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                self.push_line(&rules.join("─┼─"));
            }
        }
        self.needs_gap = true;
    }

    /// Writes the rows of a table that has too many columns, each as a text.
    fn push_rows(&mut self, rows: Vec<Vec<Cells>>) {
        for (n, row) in rows.into_iter().enumerate() {
            for (column, cell) in row.iter().enumerate() {
                if column > 0 {
                    self.push_text(" │ ", |_| {});
                }
                self.text.append(cell);
            }
            self.end_leaf();
            if n == 0 {
                self.push_line(&"─".repeat(self.width()));
            }
        }
    }
}

fn align(text: &str, blank: usize, alignment: Alignment) -> String {
    let before = match alignment {
        Alignment::Right => blank,
        Alignment::Center => blank / 2,
        _ => 0,
    };
    format!("{}{text}{}", " ".repeat(before), " ".repeat(blank - before))
}

/// The width below which no column is shrunk.
const MIN_COLUMN: usize = 3;

/// Makes columns fit into `room`, with three columns between them, the widest first. Returns
/// whether they do.
///
/// LINEAR: a line of a table repeats all columns, so there are no more than fit.
fn shrink(widths: &mut [usize], room: usize) -> bool {
    let room = room.saturating_sub(3 * widths.len().saturating_sub(1));
    let fits = |most: usize| widths.iter().map(|width| (*width).min(most)).sum::<usize>() <= room;
    if !fits(MIN_COLUMN) {
        return false;
    }
    // The greatest limit for all widths that makes them fit.
    let (mut most, mut too_much) = (MIN_COLUMN, room.max(MIN_COLUMN) + 1);
    while most + 1 < too_much {
        let middle = most.midpoint(too_much);
        if fits(middle) {
            most = middle;
        } else {
            too_much = middle;
        }
    }
    for width in widths {
        *width = (*width).min(most);
    }
    true
}
