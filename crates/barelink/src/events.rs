//! Events from the tape and the marks, one at a time.
//!
//! An event is some seventy bytes, and moving it costs more than making it. So it is made
//! where it is returned, all the way up, as an `Option`; only what a single step gives
//! besides its first event waits in a queue.
#![allow(clippy::unnecessary_wraps)]

mod inline;
mod lines;

use std::borrow::Cow;
use std::collections::VecDeque;

use barelink_text::Span;

use self::inline::LeafEvents;
use self::lines::Lines;
use crate::block::alert::AlertKind;
use crate::block::front_matter;
use crate::block::tape::{self, Block, CHECKED, LOOSE, Tape, VARIANT};
use crate::document::{Parsed, Reading, Scratch, Shared, candidates};
use crate::event::{Definition, Event, EventKind, Form, Tag, TagEnd};
use crate::html::Slugger;
use crate::inline::own::Candidates;
use crate::inline::plain::plain_text;
use crate::inline::{Context, Target};
use crate::links::Link;
use crate::options::Options;
use crate::syntax::references::Title;
use crate::syntax::unescape::unescape;

/// Events that are settled and come first.
type Pending<'s> = VecDeque<Event<'s>>;

/// The events of a document. See [`Document::events`](crate::Document::events).
#[derive(Debug)]
pub struct Events<'p, 's> {
    source: &'s str,
    reading: Reading<'p>,
    /// The next record of the tape.
    block_idx: usize,
    leaf: Option<LeafEvents>,
    lines: Option<Lines>,
    /// The spans of the open table and row.
    table: Option<Span>,
    row: Option<Span>,
    /// Where the source could have bare links.
    candidates: Candidates<'s>,
    pending: Pending<'s>,
    slugger: Slugger,
    /// Which definitions links refer to, if somebody wants to know.
    uses: Option<Vec<bool>>,
}

impl<'s> Iterator for Events<'_, 's> {
    type Item = Event<'s>;

    fn next(&mut self) -> Option<Event<'s>> {
        if !self.pending.is_empty() {
            return self.pending.pop_front();
        }
        if let Some(leaf) = &mut self.leaf {
            let (parsed, scratch) = self.reading.parts()?;
            if !leaf.is_done(&scratch.inlines) {
                return leaf.next(self.source, &parsed.tape, scratch, &mut self.pending);
            }
            self.leaf = None;
        }
        if let Some(lines) = &mut self.lines {
            if !lines.is_done() {
                return lines.next(self.source, &self.reading.parsed.tape, &mut self.pending);
            }
            self.lines = None;
        }
        self.next_block()
    }
}

impl<'p, 's> Events<'p, 's> {
    pub(crate) fn new(source: &'s str, parsed: Shared<'p>) -> Self {
        let candidates = candidates(source, &parsed.options);
        Self {
            source,
            reading: Reading::new(parsed),
            block_idx: 0,
            leaf: None,
            lines: None,
            table: None,
            row: None,
            candidates,
            pending: VecDeque::new(),
            slugger: Slugger::new(),
            uses: None,
        }
    }

    /// Notes from now on which definitions are used.
    pub(crate) fn note_uses(&mut self) {
        self.uses = Some(Vec::new());
    }

    /// The next definition from record `idx` of the tape on that no link so far refers to.
    pub(crate) fn next_unused(&self, idx: &mut usize) -> Option<Link<'s>> {
        loop {
            let block = self.reading.parsed.tape.blocks.get(*idx)?;
            *idx += 1;
            let is_used = || {
                let used = self.uses.as_ref().and_then(|uses| uses.get(block.data as usize));
                used.copied().unwrap_or_default()
            };
            if block.kind == tape::Kind::Definition && !is_used() {
                let Definition { label, destination, title } = self.definition(block.data);
                let mut link =
                    Link::new(Form::Definition, destination, block.span(), self.options());
                (link.title, link.label) = (title, Cow::Owned(label));
                return Some(link);
            }
        }
    }

    /// The options of the document.
    pub(crate) fn options(&self) -> &Options {
        &self.reading.parsed.options
    }

    /// The event of the next record that has one.
    fn next_block(&mut self) -> Option<Event<'s>> {
        let tape = &self.reading.parsed.tape;
        let mut idx = self.block_idx;
        while let Some(tape::Kind::Info | tape::Kind::Content) =
            tape.blocks.get(idx).map(|block| block.kind)
        {
            idx += 1;
        }
        self.block_idx = idx;
        let block = tape.blocks.get(idx).copied();
        if self.table.is_some()
            && let Some(ended) = self.end_table_part(block.map(|block| block.kind))
        {
            return Some(ended);
        }
        let block = block?;
        let tape = &self.reading.parsed.tape;
        self.block_idx = idx + 1;
        let span = block.span();
        match block.kind {
            tape::Kind::Paragraph => {
                self.open_leaf(TagEnd::Paragraph, &block, span);
                start(Tag::Paragraph, span)
            }
            tape::Kind::Heading => {
                let level = block.aux as u8;
                let content = tape.blocks[idx + 1];
                self.open_leaf(TagEnd::Heading { level }, &content, span);
                start(Tag::Heading { level, id: self.heading_id() }, span)
            }
            tape::Kind::Cell => {
                self.open_leaf(TagEnd::Cell, &block, span);
                start(Tag::Cell, span)
            }
            tape::Kind::CodeBlock => {
                let content = tape.blocks[idx + 2];
                self.lines = Some(Lines::new(content, span, TagEnd::CodeBlock, tape));
                let info = block.has(VARIANT).then(|| {
                    let info = tape.blocks[idx + 1].span();
                    unescape(info.slice(self.source))
                });
                start(Tag::CodeBlock { info }, span)
            }
            tape::Kind::HtmlBlock => {
                self.lines = Some(Lines::new(block, span, TagEnd::HtmlBlock, tape));
                start(Tag::HtmlBlock, span)
            }
            tape::Kind::ThematicBreak => Some(Event { kind: EventKind::ThematicBreak, span }),
            tape::Kind::Definition => {
                let kind = EventKind::Definition(Box::new(self.definition(block.data)));
                Some(Event { kind, span })
            }
            tape::Kind::BlockQuote => start(Tag::BlockQuote { alert: AlertKind::of(&block) }, span),
            tape::Kind::List => {
                let number = block.has(VARIANT).then_some(block.data);
                start(Tag::List { start: number, tight: !block.has(LOOSE) }, span)
            }
            tape::Kind::Item => {
                let task = block.has(VARIANT).then_some(block.has(CHECKED));
                start(Tag::Item { task }, span)
            }
            tape::Kind::FootnoteDefinition => {
                let label = Cow::Borrowed(tape.footnotes.label(block.data).slice(self.source));
                start(Tag::FootnoteDefinition { label, duplicate: block.has(VARIANT) }, span)
            }
            tape::Kind::Exit => {
                let enter = tape.blocks[block.data as usize];
                end(container_end(&enter), enter.span())
            }
            tape::Kind::Table => {
                let columns = block.data as usize..block.data as usize + usize::from(block.aux);
                let alignments = tape.alignments[columns].to_vec();
                self.table = Some(span);
                start(Tag::Table { alignments }, span)
            }
            tape::Kind::Row => {
                self.row = Some(span);
                start(Tag::Row { header: block.has(VARIANT) }, span)
            }
            tape::Kind::FrontMatter => {
                let (format, text) = front_matter::text(&block, self.source);
                Some(Event { kind: EventKind::FrontMatter { format, text }, span })
            }
            tape::Kind::Info | tape::Kind::Content => None,
        }
    }

    /// The end of the open row, or else of the table, if the next record is not of it.
    fn end_table_part(&mut self, next: Option<tape::Kind>) -> Option<Event<'s>> {
        let in_row = next == Some(tape::Kind::Cell);
        let in_table = in_row || next == Some(tape::Kind::Row);
        if !in_row && let Some(span) = self.row.take() {
            return end(TagEnd::Row, span);
        }
        if !in_table && let Some(span) = self.table.take() {
            return end(TagEnd::Table, span);
        }
        None
    }

    fn definition(&self, idx: u32) -> Definition<'s> {
        let tape = &self.reading.parsed.tape;
        let references = &tape.references;
        let (destination, title) = reference(self.source, tape, idx);
        Definition { label: references.label(references.get(idx)).to_owned(), destination, title }
    }

    /// Reads the text of a leaf, whose events are to follow.
    fn open_leaf(&mut self, end: TagEnd, content: &Block, span: Span) {
        let Some((Parsed { options, tape, .. }, scratch)) = self.reading.parts() else { return };
        let Scratch { inlines, line_ends, joined, .. } = scratch;
        let loaded = joined.load(self.source, tape, content);
        let text = joined.view(self.source, loaded);
        let context = Context::new(options, &tape.references, &tape.footnotes);
        line_ends.clear();
        inlines.parse(&text, &context, &mut self.candidates, line_ends);
        if let Some(uses) = &mut self.uses {
            for link in &inlines.links {
                if let Target::Reference(idx) = link.target {
                    let idx = idx as usize;
                    uses.resize(uses.len().max(idx + 1), false);
                    uses[idx] = true;
                }
            }
        }
        self.leaf = Some(LeafEvents::new(loaded, text.start, inlines, end, span));
    }

    /// The id of the heading whose text has just been read.
    fn heading_id(&mut self) -> Option<Cow<'s, str>> {
        let (Parsed { options, .. }, scratch) = self.reading.parts()?;
        if !options.policy.heading_ids {
            return None;
        }
        let text = scratch.joined.view(self.source, self.leaf.as_ref()?.loaded);
        let id = self.slugger.heading_id(&plain_text(&text, &scratch.inlines), options);
        id.map(Cow::Owned)
    }
}

fn container_end(enter: &Block) -> TagEnd {
    match enter.kind {
        tape::Kind::BlockQuote => TagEnd::BlockQuote { alert: enter.has(VARIANT) },
        tape::Kind::List => TagEnd::List { ordered: enter.has(VARIANT) },
        tape::Kind::FootnoteDefinition => TagEnd::FootnoteDefinition,
        _ => TagEnd::Item,
    }
}

#[inline]
fn start(tag: Tag<'_>, span: Span) -> Option<Event<'_>> {
    Some(Event { kind: EventKind::Start(tag), span })
}

#[inline]
fn end<'s>(end: TagEnd, span: Span) -> Option<Event<'s>> {
    Some(Event { kind: EventKind::End(end), span })
}

/// Destination and title of a definition.
fn reference<'s>(source: &'s str, tape: &Tape, idx: u32) -> (Cow<'s, str>, Cow<'s, str>) {
    let reference = tape.references.get(idx);
    let title = match reference.title {
        Title::Source(span) => unescape(span.slice(source)),
        Title::Arena(span) => Cow::Owned(unescape(tape.references.arena(span)).into_owned()),
    };
    (unescape(reference.destination.slice(source)), title)
}
