//! The HTML writer: walks the tape, parses the inlines of each leaf on the way, and appends
//! directly to one string.
//!
//! Only this folder writes markup. `from_events` writes the same HTML from public events; a
//! property test compares the two.

mod action;
pub(crate) mod escape;
pub(crate) mod footnote;
mod from_events;
pub(crate) mod gate;
mod inline;
mod kinds;
mod linkify;
pub(crate) mod markup;
pub(crate) mod part;
pub(crate) mod raw;
mod render;
mod room;
mod slug;
pub(crate) mod tokens;
mod unsure;

pub use self::action::{Action, Change};
pub use self::escape::push_escaped;
pub use self::from_events::push_events;
pub use self::gate::push_href;
pub use self::linkify::Linkifier;
pub use self::render::{Element, ElementKind, Renderer};
pub use self::slug::Slugger;
pub(crate) use self::unsure::Unsure;

use std::io;

use barelink_text::LineIndex;
use barelink_text::escape::push_escaped_folded;

use self::escape::push_escaped_range;
use self::footnote::Notes;
use self::markup::{
    ALERT_END, BODY_END, QUOTE_END, RowPlace, heading, insert_position, push_code_start,
    push_heading_attributes, push_heading_start, push_item_start, push_list_start,
    push_quote_start, start_line,
};
use self::part::{LastCode, Places};
use self::raw::push_raw_range;
use self::room::{CELL_LEN, MANY, TAGS_LEN, reserve_tags};
use crate::inline::own::Candidates;
use crate::inline::plain::plain_text;
use crate::inline::recorder::MarksOnly;
use crate::inline::{Context, Inlines};
use crate::memory::reserve_sparingly;
use crate::options::Options;
use crate::policy::{RawHtml, SoftBreaks};
use crate::syntax::attributes::Attributes;
use crate::syntax::text::Text;
use crate::syntax::unescape::unescape;
use crate::tape::join::Joined;
use crate::tape::pieces::{Layout, Lead, Lines};
use crate::tape::{Block, ListNumber, Record, Tape};

/// The number of bytes that [`Writer::write_document`] collects before it writes.
const CHUNK: usize = 64 * 1024;

/// A document being written.
pub(crate) struct Writer<'d> {
    pub(crate) source: &'d str,
    pub(crate) options: &'d Options,
    pub(crate) tape: &'d Tape,
    pub(crate) joined: &'d mut Joined,
    pub(crate) inlines: &'d mut Inlines,
    pub(crate) context: Context<'d>,
    pub(crate) state: &'d mut WriterState,
    /// The candidates for bare links in the source.
    pub(crate) candidates: Option<Candidates<'d>>,
    /// Present if source positions are written.
    pub(crate) lines: Option<LineIndex<'d>>,
}

/// The state of the writer; reused for its memory.
#[derive(Debug, Default)]
pub(crate) struct WriterState {
    /// For each open list and block quote, whether paragraphs directly in it are written without
    /// tags.
    tight: Vec<bool>,
    /// The length of the output at the start of the document, or of the definition of a footnote.
    base: usize,
    /// For each open footnote definition, the `base` around it.
    bases: Vec<usize>,
    /// The record of the open table, and whether it has a row after the header.
    table_idx: usize,
    has_body: bool,
    pub(crate) notes: Notes,
    slugger: Slugger,
    /// The links that are written without their destination.
    pub(crate) unsure: Unsure,
    /// The places where the text of the open paragraph could be split.
    pub(crate) places: Places,
    /// The offset in the output where the text of the last block ends, if the text may continue.
    pub(crate) text_end: Option<usize>,
    /// Whether a run of backticks is open in that text.
    pub(crate) code: LastCode,
    /// Whether nothing else is open in that text.
    pub(crate) is_closed: bool,
}

/// What a block asks of the document around it. If all blocks before it ask for the same as before,
/// it is written the same.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The footnotes that it refers to.
    pub(crate) notes: Vec<u32>,
    /// The ids of its headings, before they are made unique.
    pub(crate) slugs: Vec<String>,
}

impl Asked {
    pub(crate) fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.slugs.is_empty()
    }
}

impl WriterState {
    /// Starts a new document, and records for [`WriterState::take_asked`].
    pub(crate) fn start(&mut self) {
        self.tight.clear();
        self.bases.clear();
        self.notes.clear();
        self.slugger.clear();
        self.notes.take_trail();
        self.slugger.take_trail();
    }

    /// What was needed since the last call.
    pub(crate) fn take_asked(&mut self) -> Asked {
        if !self.has_asked() {
            return Asked::default();
        }
        Asked { notes: self.notes.take_trail(), slugs: self.slugger.take_trail() }
    }

    /// Whether anything was needed since [`WriterState::take_asked`] was called last.
    pub(crate) fn has_asked(&self) -> bool {
        self.notes.has_trail() || self.slugger.has_trail()
    }

    /// Sets the mark: what is written from now on can be undone.
    #[inline]
    pub(crate) fn mark(&mut self) {
        self.notes.mark();
        self.slugger.mark();
    }

    /// Undoes what was written since the mark.
    #[inline]
    pub(crate) fn take_back(&mut self) {
        if self.notes.is_changed() || self.slugger.is_changed() {
            self.notes.take_back();
            self.slugger.take_back();
        }
    }

    /// Makes what was written since the mark permanent.
    #[inline]
    pub(crate) fn keep(&mut self) {
        self.notes.keep();
        self.slugger.keep();
    }

    /// Forgets what all blocks needed.
    pub(crate) fn forget(&mut self) {
        self.notes.forget_references();
        self.slugger.clear();
    }

    /// Repeats what a block needed. `label` gives the labels of footnotes.
    pub(crate) fn replay<'l>(
        &mut self,
        asked: &Asked,
        options: &Options,
        label: impl Fn(u32) -> &'l str,
    ) {
        for &note in &asked.notes {
            self.notes.refer(note, label(note), options.markup);
        }
        for slug in &asked.slugs {
            self.slugger.replay(slug, options);
        }
        self.take_asked();
    }
}

impl Writer<'_> {
    /// Appends the whole document.
    #[allow(clippy::inline_always)] // The path of every leaf: see ARCHITECTURE.md.
    #[inline(always)]
    pub(crate) fn push_document(&mut self, out: &mut String) {
        self.start(out.len());
        if self.tape.records.len() > MANY + self.source.len() / 4 {
            reserve_tags(self.source, self.tape, self.lines.as_ref(), out);
        }
        for (idx, record) in self.tape.records.iter().enumerate() {
            self.push_block(idx, record, out);
        }
        self.push_notes(out);
    }

    /// Writes the whole document in chunks of about [`CHUNK`] bytes. `write` also gets the inlines,
    /// which know whether a limit was reached.
    pub(crate) fn write_document(
        &mut self,
        mut write: impl FnMut(&str, &Inlines) -> io::Result<()>,
    ) -> io::Result<()> {
        self.start(0);
        let mut out = String::with_capacity(CHUNK);
        for (idx, record) in self.tape.records.iter().enumerate() {
            self.push_block(idx, record, &mut out);
            // Only at the start of a line, which the next block depends on, and not in a footnote,
            // which is moved to the end.
            if out.len() >= CHUNK && out.ends_with('\n') && self.state.bases.is_empty() {
                write(&out, self.inlines)?;
                out.clear();
            }
        }
        self.push_notes(&mut out);
        write(&out, self.inlines)
    }

    fn start(&mut self, base: usize) {
        self.state.tight.clear();
        self.state.bases.clear();
        self.state.notes.clear();
        self.state.slugger.clear();
        self.state.base = base;
    }

    /// Appends a top-level block, given its records.
    pub(crate) fn push_top(&mut self, records: std::ops::Range<usize>, out: &mut String) {
        self.state.base = out.len();
        for idx in records {
            let record = self.tape.records[idx];
            self.push_block(idx, &record, out);
        }
    }

    #[inline]
    fn push_notes(&mut self, out: &mut String) {
        self.state.notes.push_section(self.options, out);
    }

    #[inline]
    fn start_line(&self, out: &mut String) {
        start_line(self.state.base, out);
    }

    #[allow(clippy::inline_always)] // A call for each record takes 4% of nested lists.
    #[inline(always)]
    fn push_block(&mut self, idx: usize, record: &Record, out: &mut String) {
        match record.block {
            Block::Paragraph(lines) => {
                if self.state.tight.last() == Some(&true) {
                    self.push_inlines(record, lines, out);
                } else {
                    self.start_line(out);
                    self.push_tag("<p>", record, out);
                    self.push_inlines(record, lines, out);
                    out.push_str("</p>\n");
                }
            }
            Block::Heading { level, .. } => self.push_heading(idx, level, out),
            Block::Code { .. } => self.push_code_block(idx, out),
            Block::Html(lines) => self.push_html_block(record, lines, out),
            Block::ThematicBreak => {
                self.start_line(out);
                self.push_tag("<hr />", record, out);
                out.push('\n');
            }
            Block::Quote { alert } => {
                self.start_line(out);
                let start = out.len();
                push_quote_start(alert, self.options.markup, out);
                self.insert_position(record, start, out);
                self.state.tight.push(false);
            }
            Block::List { number, loose } => {
                self.start_line(out);
                let start = out.len();
                push_list_start(number.map(ListNumber::get), out);
                self.insert_position(record, start, out);
                self.state.tight.push(!loose);
            }
            Block::Item { task } => {
                self.start_line(out);
                let start = out.len();
                push_item_start(task, self.options.markup, out);
                self.insert_position(record, start, out);
            }
            Block::DefinitionList { .. } | Block::Term(_) | Block::Details => {
                self.push_definition_part(record, out);
            }
            Block::FootnoteDefinition { .. } => {
                self.state.bases.push(self.state.base);
                self.state.base = out.len();
                self.state.tight.push(false);
            }
            Block::Table { .. } => {
                self.start_line(out);
                self.push_tag("<table>", record, out);
                out.push('\n');
                self.state.table_idx = idx;
                self.state.has_body = false;
            }
            Block::Row { .. } => self.push_row(idx, out),
            Block::Exit { enter, n } => {
                self.push_exit(enter as usize, out);
                if n > 1 {
                    self.push_outer_exits(record, out);
                }
            }
            // Not displayed, or written together with an earlier record.
            Block::Definition { .. }
            | Block::FrontMatter(_)
            | Block::HeadingText(_)
            | Block::HeadingAttributes
            | Block::Info
            | Block::CodeText(_)
            | Block::Cell(_) => {}
        }
    }

    /// Writes a part of a definition list. Kept out of line, so that other blocks do not pay for
    /// it.
    #[inline(never)]
    fn push_definition_part(&mut self, record: &Record, out: &mut String) {
        self.start_line(out);
        match record.block {
            Block::DefinitionList { loose } => {
                self.push_tag("<dl>\n", record, out);
                self.state.tight.push(!loose);
            }
            Block::Details => self.push_tag("<dd>", record, out),
            _ => {
                self.push_tag("<dt>", record, out);
                self.push_inlines(record, record.lines(), out);
                out.push_str("</dt>\n");
            }
        }
    }

    /// Appends a tag, with its position if positions are written.
    #[inline]
    fn push_tag(&self, tag: &str, record: &Record, out: &mut String) {
        let start = out.len();
        out.push_str(tag);
        self.insert_position(record, start, out);
    }

    /// Inserts the block's position into the tag at `start`, if positions are written.
    #[inline]
    fn insert_position(&self, record: &Record, start: usize, out: &mut String) {
        if let Some(lines) = &self.lines {
            reserve_sparingly(TAGS_LEN, out);
            insert_position(lines, record.span(), start, out);
        }
    }

    /// Leaves all containers of an exit record except the first.
    #[inline(never)]
    fn push_outer_exits(&mut self, exit: &Record, out: &mut String) {
        for enter in exit.left().skip(1) {
            self.push_exit(enter, out);
        }
    }

    fn push_exit(&mut self, enter: usize, out: &mut String) {
        reserve_sparingly(TAGS_LEN, out);
        match self.tape.records[enter].block {
            Block::Quote { alert } => {
                self.start_line(out);
                out.push_str(if alert.is_some() { ALERT_END } else { QUOTE_END });
                self.state.tight.pop();
            }
            Block::List { number, .. } => {
                out.push_str(if number.is_some() { "</ol>\n" } else { "</ul>\n" });
                self.state.tight.pop();
            }
            Block::Item { .. } => out.push_str("</li>\n"),
            Block::DefinitionList { .. } => {
                out.push_str("</dl>\n");
                self.state.tight.pop();
            }
            Block::Details => out.push_str("</dd>\n"),
            Block::FootnoteDefinition { number, duplicate } => {
                let start = self.state.base;
                if duplicate {
                    out.truncate(start);
                } else {
                    self.state.notes.define(number, start, self.options.markup, out);
                }
                self.state.base = self.state.bases.pop().unwrap_or(0);
                self.state.tight.pop();
            }
            Block::Table { .. } => {
                let has_body = self.state.has_body;
                out.push_str(if has_body { BODY_END } else { "</table>\n" });
            }
            // No other record enters a container.
            Block::Exit { .. }
            | Block::Paragraph(_)
            | Block::Term(_)
            | Block::Heading { .. }
            | Block::HeadingText(_)
            | Block::HeadingAttributes
            | Block::Code { .. }
            | Block::Info
            | Block::CodeText(_)
            | Block::Html(_)
            | Block::ThematicBreak
            | Block::Definition { .. }
            | Block::FrontMatter(_)
            | Block::Row { .. }
            | Block::Cell(_) => {}
        }
    }

    /// Writes a row with its cells, which follow it on the tape.
    fn push_row(&mut self, idx: usize, out: &mut String) {
        let tape = self.tape;
        let Block::Table { first_column, n_columns } = tape.records[self.state.table_idx].block
        else {
            return;
        };
        let Block::Row { n_cells, header } = tape.records[idx].block else { return };
        let row = match (header, self.state.has_body) {
            (true, _) => RowPlace::Header,
            (false, false) => RowPlace::FirstOfBody,
            (false, true) => RowPlace::Body,
        };
        reserve_sparingly(TAGS_LEN + usize::from(n_columns) * CELL_LEN, out);
        out.push_str(row.start());
        self.state.has_body = !header;
        let alignments = &tape.alignments[first_column as usize..][..usize::from(n_columns)];
        let cells = &tape.records[idx + 1..][..usize::from(n_cells)];
        for (column, &alignment) in alignments.iter().enumerate() {
            out.push_str(row.cell_start(alignment));
            if let Some(cell) = cells.get(column) {
                self.push_inlines(cell, cell.lines(), out);
            }
            out.push_str(row.cell_end());
        }
        out.push_str(row.end());
    }

    /// Writes a code block; its info string and its code follow it on the tape.
    fn push_code_block(&mut self, idx: usize, out: &mut String) {
        let [block, info, code] = &self.tape.records[idx..idx + 3] else { return };
        let Block::CodeText(lines) = code.block else { return };
        self.start_line(out);
        let start = out.len();
        if info.start == info.end {
            out.push_str("<pre><code>");
        } else {
            push_code_start(&unescape(info.span().slice(self.source)), self.options, out);
        }
        self.insert_position(block, start, out);
        if lines.layout != Layout::NoLines {
            if lines.layout == Layout::Crlf && !self.tape.has_nul {
                push_escaped_folded(self.source, code.start as usize, code.end as usize, out);
            } else {
                self.push_lines(code, lines, out, push_escaped_range);
            }
            out.push('\n');
        }
        out.push_str("</code></pre>\n");
    }

    fn push_html_block(&mut self, record: &Record, lines: Lines, out: &mut String) {
        self.start_line(out);
        if self.options.policy.raw_html == RawHtml::Drop {
            return;
        }
        let options = self.options;
        self.push_lines(record, lines, out, |text, start, end, out| {
            push_raw_range(text, start, end, options, out);
        });
        out.push('\n');
    }

    /// Writes the lines of a leaf that are not inline text.
    pub(crate) fn push_lines(
        &mut self,
        record: &Record,
        lines: Lines,
        out: &mut String,
        push: impl Fn(&str, usize, usize, &mut String),
    ) {
        if let Some(segments) = self.tape.segments(lines.layout)
            && !self.tape.has_nul
        {
            // Only padding differs from the source: no need to join.
            for (n, segment) in segments.iter().enumerate() {
                if n > 0 {
                    out.push('\n');
                }
                if let Lead::Line { n_spaces } = segment.lead {
                    for _ in 0..n_spaces {
                        out.push(' ');
                    }
                }
                push(self.source, segment.start as usize, segment.end as usize, out);
            }
        } else {
            let text = self.joined.text(self.source, self.tape, record.span(), lines);
            push(text.str, text.start, text.end, out);
        }
    }

    /// Writes a heading; its text follows it on the tape.
    fn push_heading(&mut self, idx: usize, level: u8, out: &mut String) {
        let [record, text] = &self.tape.records[idx..idx + 2] else { return };
        let (open, close) = heading(level);
        self.start_line(out);
        if let Block::Heading { has_attributes: true, .. } = record.block {
            self.push_heading_with(idx, level, out);
        } else if self.options.policy.heading_ids {
            let (options, start) = (self.options, out.len());
            let push_start =
                |text: &Text<'_>, inlines: &Inlines, state: &mut WriterState, out: &mut String| {
                    let id = state.slugger.heading_id(&plain_text(text, inlines), options);
                    push_heading_start(level, id.as_deref(), out);
                    out.push('>');
                };
            self.push_inlines_after(push_start, text, text.lines(), out);
            self.insert_position(record, start, out);
        } else {
            self.push_tag(open, record, out);
            self.push_inlines(text, text.lines(), out);
        }
        out.push_str(close);
    }

    /// Writes the start tag of a heading with attributes, and its text.
    #[inline(never)]
    fn push_heading_with(&mut self, idx: usize, level: u8, out: &mut String) {
        let [record, text, attributes] = &self.tape.records[idx..idx + 3] else { return };
        let attributes = Attributes(attributes.span().slice(self.source));
        let (options, start) = (self.options, out.len());
        let push_start =
            |text: &Text<'_>, inlines: &Inlines, state: &mut WriterState, out: &mut String| {
                let id = match attributes.id() {
                    Some(id) => state.slugger.given_id(id, options),
                    None if !options.policy.heading_ids => None,
                    None => state.slugger.heading_id(&plain_text(text, inlines), options),
                };
                push_heading_start(level, id.as_deref(), out);
                push_heading_attributes(attributes.classes(), attributes.others(), options, out);
                out.push('>');
            };
        self.push_inlines_after(push_start, text, text.lines(), out);
        self.insert_position(record, start, out);
    }

    #[inline]
    fn push_inlines(&mut self, record: &Record, lines: Lines, out: &mut String) {
        self.push_inlines_after(|_, _, _, _| {}, record, lines, out);
    }

    /// Writes the text of a leaf, after `push_start`, which is called when the marks are known.
    #[inline]
    fn push_inlines_after(
        &mut self,
        push_start: impl FnOnce(&Text<'_>, &Inlines, &mut WriterState, &mut String),
        record: &Record,
        lines: Lines,
        out: &mut String,
    ) {
        let text = self.joined.text(self.source, self.tape, record.span(), lines);
        self.inlines.parse(&text, &self.context, &mut self.candidates, &mut MarksOnly);
        push_start(&text, self.inlines, self.state, out);
        if let [_end] = self.inlines.marks.as_slice()
            && self.options.policy.soft_breaks == SoftBreaks::Newline
        {
            return out.push_str(text.slice(text.start, text.end));
        }
        inline::InlineHtml {
            text,
            marks: &self.inlines.marks,
            links: &self.inlines.links,
            bare: &self.inlines.bare,
            source: self.source,
            tape: self.tape,
            options: self.options,
            unsure: self.state.unsure,
            first: 0,
        }
        .push(&mut self.state.notes, out);
    }
}
