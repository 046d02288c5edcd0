//! The HTML writer: walks the tape, parses each leaf's inlines as it comes to
//! it, and appends straight to one string.
//!
//! Markup is written in this folder and nowhere else. `from_events` writes the
//! same HTML from public events; a property test holds the two together.

mod action;
pub(crate) mod escape;
pub(crate) mod footnote;
mod from_events;
pub(crate) mod gate;
mod inline;
mod linkify;
mod markup;
pub(crate) mod part;
mod raw;
mod render;
mod slug;
pub(crate) mod tokens;

pub use self::action::{Action, Change};
pub use self::escape::push_escaped;
pub use self::from_events::push_events;
pub use self::gate::push_href;
pub use self::linkify::Linkifier;
pub use self::render::{Element, ElementKind, Renderer};
pub use self::slug::Slugger;

use std::io;

use barelink_text::LineIndex;

use self::escape::push_escaped_range;
use self::footnote::Notes;
use self::markup::{
    cell_end, cell_start, heading, insert_position, push_code_start, push_heading_start,
    push_item_start, push_list_start, push_quote_start, push_row_start, quote_end, row_end,
    start_line,
};
use self::raw::push_raw_range;
use crate::block::alert::AlertKind;
use crate::block::tape::{
    Block, CHECKED, HAS_LINES, Kind, LOOSE, SEGMENTED, Segment, Tape, VARIANT,
};
use crate::inline::own::Candidates;
use crate::inline::plain::plain_text;
use crate::inline::recorder::MarksOnly;
use crate::inline::{Context, Inlines};
use crate::options::{Markup, Options};
use crate::policy::{RawHtml, SoftBreaks};
use crate::syntax::join::{Joined, Text};
use crate::syntax::unescape::unescape;

/// Bytes that [`Writer::write_document`] gathers before it writes.
const CHUNK: usize = 64 * 1024;

/// A document being written.
pub(crate) struct Writer<'d> {
    pub(crate) source: &'d str,
    pub(crate) options: &'d Options,
    pub(crate) tape: &'d Tape,
    pub(crate) joined: &'d mut Joined,
    pub(crate) inlines: &'d mut Inlines,
    pub(crate) context: Context<'d>,
    pub(crate) state: &'d mut State,
    /// Where the source could have bare links.
    pub(crate) candidates: Candidates<'d>,
    /// For positions, if they are wanted.
    pub(crate) lines: Option<LineIndex<'d>>,
}

/// Where in the output the writer is; kept for its memory.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// For each open list and block quote, whether paragraphs directly in it
    /// go without tags.
    tight: Vec<bool>,
    /// Length of the output before the document, or before the definition of a
    /// footnote.
    base: usize,
    /// For each open definition of a footnote, the `base` around it.
    bases: Vec<usize>,
    notes: Notes,
    slugger: Slugger,
}

/// What a block asked of the document around it: with the same of all blocks before, it is
/// written the same.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The notes it refers to.
    pub(crate) notes: Vec<u32>,
    /// The ids that its headings would like.
    pub(crate) slugs: Vec<String>,
}

impl Asked {
    pub(crate) fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.slugs.is_empty()
    }
}

impl State {
    /// A new document, of which [`State::take_asked`] tells.
    pub(crate) fn start(&mut self) {
        self.tight.clear();
        self.bases.clear();
        self.notes.clear();
        self.slugger.clear();
        self.take_asked();
    }

    /// What was asked for since the last call.
    pub(crate) fn take_asked(&mut self) -> Asked {
        Asked { notes: self.notes.take_trail(), slugs: self.slugger.take_trail() }
    }

    /// What is written from now on can be taken back.
    pub(crate) fn mark(&mut self) {
        self.notes.mark();
        self.slugger.mark();
    }

    /// Takes back what was written since the mark.
    pub(crate) fn take_back(&mut self) {
        self.notes.take_back();
        self.slugger.take_back();
    }

    /// What was written since the mark stays.
    pub(crate) fn keep(&mut self) {
        self.notes.keep();
        self.slugger.keep();
    }

    /// Forgets what all blocks asked for.
    pub(crate) fn forget(&mut self) {
        self.notes.forget_references();
        self.slugger.clear();
    }

    /// A block asked for this. `label` gives the labels of notes.
    pub(crate) fn replay<'l>(
        &mut self,
        asked: &Asked,
        markup: Markup,
        label: impl Fn(u32) -> &'l str,
    ) {
        for &note in &asked.notes {
            self.notes.refer(note, label(note), markup);
        }
        for slug in &asked.slugs {
            self.slugger.replay(slug);
        }
        self.take_asked();
    }

    /// Whether anything refers to a note.
    pub(crate) fn has_notes(&self) -> bool {
        !self.notes.is_empty()
    }
}

impl Writer<'_> {
    /// Appends the whole document.
    pub(crate) fn push_document(&mut self, out: &mut String) {
        self.start(out.len());
        for (idx, block) in self.tape.blocks.iter().enumerate() {
            self.push_block(idx, block, out);
        }
        self.push_notes(out);
    }

    /// Writes the whole document in chunks of about [`CHUNK`] bytes.
    pub(crate) fn write_document(&mut self, to: &mut impl io::Write) -> io::Result<()> {
        self.start(0);
        let mut out = String::with_capacity(CHUNK);
        for (idx, block) in self.tape.blocks.iter().enumerate() {
            self.push_block(idx, block, &mut out);
            // Only at the start of a line, so that the next block sees one, and
            // not in a footnote, which is moved to the end.
            if out.len() >= CHUNK && out.ends_with('\n') && self.state.bases.is_empty() {
                to.write_all(out.as_bytes())?;
                out.clear();
            }
        }
        self.push_notes(&mut out);
        to.write_all(out.as_bytes())
    }

    fn start(&mut self, base: usize) {
        self.state.tight.clear();
        self.state.bases.clear();
        self.state.notes.clear();
        self.state.slugger.clear();
        self.state.base = base;
    }

    /// Appends the top-level block whose records these are.
    pub(crate) fn push_top(&mut self, records: std::ops::Range<usize>, out: &mut String) {
        self.state.base = out.len();
        for idx in records {
            let block = self.tape.blocks[idx];
            self.push_block(idx, &block, out);
        }
    }

    pub(crate) fn push_notes(&self, out: &mut String) {
        self.state.notes.push_section(self.options, out);
    }

    #[inline]
    fn start_line(&self, out: &mut String) {
        start_line(self.state.base, out);
    }

    fn push_block(&mut self, idx: usize, block: &Block, out: &mut String) {
        match block.kind {
            Kind::Paragraph => {
                if self.state.tight.last() == Some(&true) {
                    self.push_inlines(block, out);
                } else {
                    self.start_line(out);
                    self.push_tag("<p>", block, out);
                    self.push_inlines(block, out);
                    out.push_str("</p>\n");
                }
            }
            Kind::Heading => {
                let (open, close) = heading(block.aux as u8);
                let content = &self.tape.blocks[idx + 1];
                self.start_line(out);
                if self.options.policy.heading_ids {
                    self.push_heading_with_id(block, content, out);
                } else {
                    self.push_tag(open, block, out);
                    self.push_inlines(content, out);
                }
                out.push_str(close);
            }
            Kind::CodeBlock => self.push_code_block(idx, out),
            Kind::HtmlBlock => self.push_html_block(block, out),
            Kind::ThematicBreak => {
                self.start_line(out);
                self.push_tag("<hr />", block, out);
                out.push('\n');
            }
            Kind::BlockQuote => {
                self.start_line(out);
                let start = out.len();
                push_quote_start(AlertKind::of(block), self.options.markup, out);
                self.insert_position(block, start, out);
                self.state.tight.push(false);
            }
            Kind::List => {
                self.start_line(out);
                let start = out.len();
                push_list_start(block.has(VARIANT).then_some(block.data), out);
                self.insert_position(block, start, out);
                self.state.tight.push(!block.has(LOOSE));
            }
            Kind::Item => {
                self.start_line(out);
                let task = block.has(VARIANT).then_some(block.has(CHECKED));
                let start = out.len();
                push_item_start(task, self.options.markup, out);
                self.insert_position(block, start, out);
            }
            Kind::FootnoteDefinition => {
                self.state.bases.push(self.state.base);
                self.state.base = out.len();
                self.state.tight.push(false);
            }
            Kind::Exit => self.push_exit(block, out),
            Kind::Table => self.push_table(idx, out),
            Kind::Definition
            | Kind::FrontMatter
            | Kind::Info
            | Kind::Content
            | Kind::Row
            | Kind::Cell => {}
        }
    }

    /// Appends a tag, with its position if that is wanted.
    #[inline]
    fn push_tag(&self, tag: &str, block: &Block, out: &mut String) {
        let start = out.len();
        out.push_str(tag);
        self.insert_position(block, start, out);
    }

    /// Puts the block's position into the tag at `start`, if that is wanted.
    #[inline]
    fn insert_position(&self, block: &Block, start: usize, out: &mut String) {
        if let Some(lines) = &self.lines {
            insert_position(lines, block.span(), start, out);
        }
    }

    fn push_exit(&mut self, block: &Block, out: &mut String) {
        let enter = &self.tape.blocks[block.data as usize];
        match enter.kind {
            Kind::BlockQuote => {
                self.start_line(out);
                out.push_str(quote_end(enter.has(VARIANT)));
                self.state.tight.pop();
            }
            Kind::List => {
                out.push_str(if enter.has(VARIANT) { "</ol>\n" } else { "</ul>\n" });
                self.state.tight.pop();
            }
            Kind::FootnoteDefinition => {
                let start = self.state.base;
                if enter.has(VARIANT) {
                    out.truncate(start);
                } else {
                    self.state.notes.define(enter.data, start, self.options.markup, out);
                }
                self.state.base = self.state.bases.pop().unwrap_or(0);
                self.state.tight.pop();
            }
            _ => out.push_str("</li>\n"),
        }
    }

    /// A table: its rows follow it on the tape, up to the first other record.
    fn push_table(&mut self, idx: usize, out: &mut String) {
        self.push_table_start(idx, out);
        let (_, n_rows) = self.push_rows(idx, (idx + 1, 0), self.tape.blocks.len(), out);
        out.push_str(if n_rows > 1 { "</tbody>\n</table>\n" } else { "</table>\n" });
    }

    fn push_table_start(&mut self, idx: usize, out: &mut String) {
        self.start_line(out);
        self.push_tag("<table>", &self.tape.blocks[idx], out);
        out.push('\n');
    }

    /// The rows of the table at `idx`, from the record `next.0` on, before which there were
    /// `next.1`, and up to record `end`. Returns the same for what follows.
    fn push_rows(
        &mut self,
        idx: usize,
        next: (usize, usize),
        end: usize,
        out: &mut String,
    ) -> (usize, usize) {
        let table = &self.tape.blocks[idx];
        let alignments = &self.tape.alignments[table.data as usize..][..usize::from(table.aux)];
        let (mut row_idx, mut n_rows) = next;
        while row_idx < end
            && let Some(row) = self.tape.blocks.get(row_idx)
            && row.kind == Kind::Row
        {
            let header = row.has(VARIANT);
            push_row_start(header, n_rows == 1, out);
            for (column, &alignment) in alignments.iter().enumerate() {
                out.push_str(cell_start(header, alignment));
                if column < row.data as usize {
                    self.push_inlines(&self.tape.blocks[row_idx + 1 + column], out);
                }
                out.push_str(cell_end(header));
            }
            out.push_str(row_end(header));
            row_idx += 1 + row.data as usize;
            n_rows += 1;
        }
        (row_idx, n_rows)
    }

    fn push_code_block(&mut self, idx: usize, out: &mut String) {
        let info = self.tape.blocks[idx + 1];
        let content = self.tape.blocks[idx + 2];
        self.start_line(out);
        let start = out.len();
        if info.start == info.end {
            out.push_str("<pre><code>");
        } else {
            push_code_start(&unescape(info.span().slice(self.source)), out);
        }
        self.insert_position(&self.tape.blocks[idx], start, out);
        if content.has(HAS_LINES) {
            self.push_lines(&content, out, push_escaped_range);
            out.push('\n');
        }
        out.push_str("</code></pre>\n");
    }

    fn push_html_block(&mut self, block: &Block, out: &mut String) {
        self.start_line(out);
        if self.options.policy.raw_html == RawHtml::Drop {
            return;
        }
        let options = self.options;
        self.push_lines(block, out, |text, start, end, out| {
            push_raw_range(text, start, end, options, out);
        });
        out.push('\n');
    }

    /// The lines of a leaf that are not inline text.
    fn push_lines(
        &mut self,
        block: &Block,
        out: &mut String,
        push: impl Fn(&str, usize, usize, &mut String),
    ) {
        if block.has(SEGMENTED) && !self.tape.has_nul {
            // Nothing but padding differs from the source: no need to join.
            for (n, segment) in self.tape.segments(block).iter().enumerate() {
                let Segment { start, end, pad } = *segment;
                if n > 0 {
                    out.push('\n');
                }
                for _ in 0..pad {
                    out.push(' ');
                }
                push(self.source, start as usize, end as usize, out);
            }
        } else {
            let text = self.joined.text(self.source, self.tape, block);
            push(text.str, text.start, text.end, out);
        }
    }

    /// The start and the text of a heading that has an id, which is made from the text.
    fn push_heading_with_id(&mut self, block: &Block, content: &Block, out: &mut String) {
        let (options, start) = (self.options, out.len());
        let push_start =
            |text: &Text<'_>, inlines: &Inlines, state: &mut State, out: &mut String| {
                let id = state.slugger.heading_id(&plain_text(text, inlines), options);
                push_heading_start(block.aux as u8, id.as_deref(), out);
            };
        self.push_inlines_after(push_start, content, out);
        self.insert_position(block, start, out);
    }

    #[inline]
    fn push_inlines(&mut self, block: &Block, out: &mut String) {
        self.push_inlines_after(|_, _, _, _| {}, block, out);
    }

    /// The text of a leaf, and what is written before it when its marks are known.
    #[inline]
    fn push_inlines_after(
        &mut self,
        push_start: impl FnOnce(&Text<'_>, &Inlines, &mut State, &mut String),
        block: &Block,
        out: &mut String,
    ) {
        let text = self.joined.text(self.source, self.tape, block);
        self.inlines.parse(&text, &self.context, &mut self.candidates, &mut MarksOnly);
        push_start(&text, self.inlines, self.state, out);
        if let [_end] = self.inlines.marks.as_slice()
            && self.options.policy.soft_breaks == SoftBreaks::Newline
        {
            return out.push_str(text.slice(text.start, text.end));
        }
        inline::Inline {
            text,
            marks: &self.inlines.marks,
            links: &self.inlines.links,
            bare: &self.inlines.bare,
            source: self.source,
            tape: self.tape,
            options: self.options,
        }
        .push(&mut self.state.notes, out);
    }
}
