//! Events made from the tape and the marks, one at a time.
//!
//! An event has some seventy bytes, and moving it costs more than making it. So it is constructed
//! where it is returned, all the way up, as an `Option`; only further events of the same step are
//! put into a queue.
#![allow(clippy::unnecessary_wraps)]

mod inline;
mod lines;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use barelink_text::Span;

pub(crate) use self::inline::{Parts, Shift};

use self::inline::LeafEvents;
use self::lines::LineEvents;
use crate::block::front_matter;
use crate::event::{Definition, Event, EventKind, Form, HeadingAttributes, Tag, TagEnd};
use crate::html::Slugger;
use crate::inline::own::Candidates;
use crate::inline::plain::plain_text;
use crate::inline::{Context, LinkTarget};
use crate::links::Link;
use crate::options::Options;
use crate::parsed::{Parsed, ReadGuard, Scratch, Shared, candidates};
use crate::syntax::attributes::Attributes;
use crate::syntax::references::Title;
use crate::syntax::unescape::unescape;
use crate::tape::pieces::Lines;
use crate::tape::{Block, ListNumber, Record, Tape, is_apart};

/// Events that are ready, and are returned first.
type Queue<'s> = VecDeque<Event<'s>>;

/// The events of a document. See [`Document::events`](crate::Document::events).
#[derive(Debug)]
pub struct Events<'p, 's> {
    source: &'s str,
    reading: ReadGuard<'p>,
    /// The next record of the tape, and the one to stop at.
    block_idx: usize,
    end_idx: usize,
    /// How many containers of the next exit record have been left already.
    n_left: u16,
    leaf: Option<LeafEvents>,
    lines: Option<LineEvents>,
    /// The open row.
    row: Option<OpenRow>,
    /// The candidates for bare links in the source.
    candidates: Option<Candidates<'s>>,
    pending: Queue<'s>,
    slugger: Slugger,
    /// Which definitions have been used by links, if that is recorded.
    uses: Option<Vec<bool>>,
    wanted: Wanted,
}

/// The events that a reader needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    /// Links and their content, in leaves that this span overlaps or touches. Other events may be
    /// left out.
    Links(Span),
    /// As with `Links`, but leaves in which all links are bare may be left out, too.
    MarkedLinks(Span),
    /// All events, but of leaves and containers only those that this span overlaps or touches.
    Near(Span),
}

/// A row whose cells are being returned.
#[derive(Debug, Clone, Copy)]
struct OpenRow {
    span: Span,
    /// The record after its last cell.
    end_idx: usize,
}

impl<'s> Iterator for Events<'_, 's> {
    type Item = Event<'s>;

    fn next(&mut self) -> Option<Event<'s>> {
        if !self.pending.is_empty() {
            return self.pending.pop_front();
        }
        if let Some(leaf) = &mut self.leaf {
            let (parsed, scratch) = self.reading.held()?;
            if !leaf.is_done(&scratch.inlines) {
                return leaf.next(self.source, parsed, scratch, &mut self.pending);
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
            reading: ReadGuard::new(parsed),
            block_idx: 0,
            end_idx: usize::MAX,
            n_left: 0,
            leaf: None,
            lines: None,
            row: None,
            candidates,
            pending: VecDeque::new(),
            slugger: Slugger::new(),
            uses: None,
            wanted: Wanted::All,
        }
    }

    /// Restricts the events to links and their content, in leaves that this span overlaps or
    /// touches.
    pub(crate) fn want_links(&mut self, within: Span) {
        self.wanted = Wanted::Links(within);
    }

    /// Like [`Events::want_links`], but also skips leaves in which all links are bare.
    pub(crate) fn want_marked_links(&mut self, within: Span) {
        self.wanted = Wanted::MarkedLinks(within);
    }

    /// Skips the rest of a leaf in which a link starts at `start`, if only earlier links are
    /// wanted. Returns whether it did.
    pub(crate) fn leave_behind(&mut self, start: u32) -> bool {
        let is_behind = matches!(self.wanted, Wanted::MarkedLinks(within) if within.end < start);
        if is_behind {
            self.pending.clear();
            self.leaf = None;
        }
        is_behind
    }

    /// Leaves out blocks that this span neither overlaps nor touches. So in a long document, a
    /// place costs little more than finding its blocks. Ids of headings that are left out are not
    /// reserved.
    #[doc(hidden)]
    #[must_use]
    pub fn within(mut self, span: Span) -> Self {
        self.wanted = Wanted::Near(span);
        self
    }

    /// Restricts the events to some records.
    pub(crate) fn of_records(mut self, records: Range<usize>) -> Self {
        (self.block_idx, self.end_idx) = (records.start, records.end);
        self
    }

    /// Records from now on which definitions are used.
    pub(crate) fn note_uses(&mut self) {
        self.uses = Some(Vec::new());
    }

    /// The next definition from record `idx` of the tape on that no link so far uses.
    pub(crate) fn next_unused(&self, idx: &mut usize) -> Option<Link<'s>> {
        loop {
            let record = self.reading.parsed.tape.records.get(*idx)?;
            *idx += 1;
            let Block::Definition { number } = record.block else { continue };
            let used = self.uses.as_ref().and_then(|uses| uses.get(number as usize));
            if !used.copied().unwrap_or_default() {
                let Definition { label, destination, title } = self.definition(number);
                let mut link =
                    Link::new(Form::Definition, destination, record.span(), self.options());
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
        if let Wanted::Near(within) = self.wanted {
            self.skip_far(within);
        }
        if let Some(row) = self.row
            && self.block_idx >= row.end_idx
        {
            self.row = None;
            return end(TagEnd::Row, row.span);
        }
        match self.wanted {
            Wanted::Links(within) => self.skip_unless(within, Self::may_have_links),
            Wanted::MarkedLinks(within) => self.skip_unless(within, Self::may_have_marked_links),
            Wanted::All | Wanted::Near(_) => {}
        }
        let tape = &self.reading.parsed.tape;
        let idx = self.block_idx;
        let record = *tape.records.get(idx).filter(|_| idx < self.end_idx)?;
        self.block_idx = idx + 1;
        let span = record.span();
        match record.block {
            Block::Paragraph(lines) => {
                self.open_leaf(TagEnd::Paragraph, span, lines, span);
                start(Tag::Paragraph, span)
            }
            Block::Heading { .. } => self.start_heading(idx),
            Block::Cell(lines) => {
                self.open_leaf(TagEnd::Cell, span, lines, span);
                start(Tag::Cell, span)
            }
            Block::Code { fenced } => {
                let (info, code) = (tape.records.get(idx + 1)?.span(), *tape.records.get(idx + 2)?);
                let Block::CodeText(lines) = code.block else { return None };
                self.block_idx = idx + 3;
                let info = fenced.then(|| unescape(info.slice(self.source)));
                self.lines = Some(if lines::ends_in_return(self.source, tape, code) {
                    let line_feed = self.queue_code(code.span(), lines, span);
                    LineEvents::last(line_feed, span, TagEnd::CodeBlock)
                } else {
                    LineEvents::new(code.span(), lines.layout, span, TagEnd::CodeBlock)
                });
                start(Tag::CodeBlock { info }, span)
            }
            Block::Html(lines) => {
                self.lines = Some(LineEvents::new(span, lines.layout, span, TagEnd::HtmlBlock));
                start(Tag::HtmlBlock, span)
            }
            Block::ThematicBreak => Some(Event { kind: EventKind::ThematicBreak, span }),
            Block::Definition { number } => {
                let kind = EventKind::Definition(Box::new(self.definition(number)));
                Some(Event { kind, span })
            }
            Block::Quote { alert } => start(Tag::BlockQuote { alert }, span),
            Block::List { number, loose } => {
                start(Tag::List { start: number.map(ListNumber::get), tight: !loose }, span)
            }
            Block::Item { task } => start(Tag::Item { task }, span),
            Block::DefinitionList { loose } => start(Tag::DefinitionList { tight: !loose }, span),
            Block::Term(lines) => {
                self.open_leaf(TagEnd::Term, span, lines, span);
                start(Tag::Term, span)
            }
            Block::Details => start(Tag::Details, span),
            Block::FootnoteDefinition { number, duplicate } => {
                let label = Cow::Borrowed(tape.footnotes.label(number).slice(self.source));
                start(Tag::FootnoteDefinition { label, duplicate }, span)
            }
            Block::Exit { enter, n } => {
                let n_left = std::mem::take(&mut self.n_left);
                if n_left + 1 < n {
                    (self.n_left, self.block_idx) = (n_left + 1, idx);
                }
                let entered = &tape.records[enter as usize - usize::from(n_left)];
                end(container_end(entered), entered.span())
            }
            Block::Table { first_column, n_columns } => {
                let first = first_column as usize;
                let alignments = tape.alignments[first..first + usize::from(n_columns)].to_vec();
                start(Tag::Table { alignments }, span)
            }
            Block::Row { n_cells, header } => {
                self.row = Some(OpenRow { span, end_idx: idx + 1 + usize::from(n_cells) });
                start(Tag::Row { header }, span)
            }
            Block::FrontMatter(format) => {
                let text = front_matter::text(format, span.slice(self.source));
                Some(Event { kind: EventKind::FrontMatter { format, text }, span })
            }
            Block::HeadingText(_) | Block::HeadingAttributes | Block::Info | Block::CodeText(_) => {
                None
            }
        }
    }

    /// Skips blocks that `within` neither overlaps nor touches, inside the open row if there is
    /// one.
    fn skip_far(&mut self, within: Span) {
        let end_idx = self.row.map_or(self.end_idx, |row| row.end_idx);
        let records = &self.reading.parsed.tape.records[..];
        let is_near = |idx: usize| records.get(idx).is_some_and(|it| !is_apart(it.span(), within));
        while let Some(record) = records.get(self.block_idx)
            && self.block_idx < end_idx
        {
            if let Block::Exit { .. } = record.block {
                // An exit is near if the container that it leaves is.
                let mut left = record.left().skip(self.n_left.into());
                if let Some(n_far) = left.position(is_near) {
                    self.n_left += n_far as u16;
                    return;
                }
                self.n_left = 0;
            } else if is_near(self.block_idx) {
                return;
            }
            self.block_idx += match record.block {
                Block::Heading { has_attributes, .. } => 2 + usize::from(has_attributes),
                Block::Code { .. } => 3,
                // The records inside a far container are far, too, and are skipped one by one.
                _ => 1,
            };
        }
    }

    /// The start of a heading, with its text and attributes. Kept out of line, since most blocks
    /// are not headings.
    #[inline(never)]
    fn start_heading(&mut self, idx: usize) -> Option<Event<'s>> {
        let tape = &self.reading.parsed.tape;
        let record = *tape.records.get(idx)?;
        let Block::Heading { level, has_attributes } = record.block else { return None };
        let text = *tape.records.get(idx + 1)?;
        let Block::HeadingText(lines) = text.block else { return None };
        let written = tape.records.get(idx + 2).filter(|_| has_attributes);
        let written = written.map(|it| Attributes(it.span().slice(self.source)));
        self.block_idx = idx + 2 + usize::from(has_attributes);
        self.open_leaf(TagEnd::Heading { level }, text.span(), lines, record.span());
        let id = self.heading_id(written);
        let attributes = written.and_then(heading_attributes);
        start(Tag::Heading { level, id, attributes }, record.span())
    }

    /// Skips blocks that `within` neither overlaps nor touches, or for which `may_have` is false,
    /// without parsing their inlines.
    fn skip_unless(&mut self, within: Span, may_have: impl Fn(&mut Self, Span) -> bool) {
        while let Some(record) = self.reading.parsed.tape.records.get(self.block_idx) {
            let (n_records, text) = if let Block::Heading { has_attributes, .. } = record.block {
                // The record of its text is the next one.
                let text = self.reading.parsed.tape.records.get(self.block_idx + 1);
                (2 + usize::from(has_attributes), text.map(Record::span))
            } else {
                (1, record.block.inline_lines().map(|_| record.span()))
            };
            if text.is_some_and(|text| !is_apart(text, within) && may_have(self, text)) {
                return;
            }
            self.block_idx += n_records;
        }
    }

    /// Whether a leaf may have links: it has a `[` or `<`, a candidate for a bare link, or a
    /// character reference that may be part of one.
    fn may_have_links(&mut self, text: Span) -> bool {
        let bytes = text.slice(self.source).as_bytes();
        memchr::memchr3(b'[', b'<', b'&', bytes).is_some()
            || self.candidates.as_mut().is_some_and(|candidates| candidates.has_any(text))
    }

    /// Whether a leaf may have links that are not bare.
    fn may_have_marked_links(&mut self, text: Span) -> bool {
        memchr::memchr2(b'[', b'<', text.slice(self.source).as_bytes()).is_some()
    }

    fn definition(&self, idx: u32) -> Definition<'s> {
        let tape = &self.reading.parsed.tape;
        let references = &tape.references;
        let (destination, title) = reference(self.source, tape, idx);
        Definition { label: references.label(references.get(idx)).to_owned(), destination, title }
    }

    /// Reads the text of a leaf, whose events come next.
    fn open_leaf(&mut self, end: TagEnd, text: Span, lines: Lines, span: Span) {
        let Some((Parsed { options, tape, .. }, scratch)) = self.reading.parts() else { return };
        let Scratch { inlines, line_ends, joined, .. } = scratch;
        let loaded = joined.load(self.source, tape, text, lines);
        let text = joined.view(self.source, &tape.folded, loaded);
        let context = Context::new(options, &tape.references, &tape.footnotes);
        line_ends.clear();
        inlines.parse(&text, &context, &mut self.candidates, line_ends);
        if let Some(uses) = &mut self.uses {
            for link in &inlines.links {
                if let LinkTarget::Reference(idx) = link.target {
                    let idx = idx as usize;
                    uses.resize(uses.len().max(idx + 1), false);
                    uses[idx] = true;
                }
            }
        }
        self.leaf = Some(LeafEvents::new(loaded, &text, inlines, end, span));
    }

    /// Queues the text of a code block, which is at `text`, as one event. It cannot be borrowed from
    /// the source, which has carriage returns, but a copy costs less than two events for each line.
    /// Returns where its last line feed is, if the block has no line ending there.
    #[inline(never)]
    fn queue_code(&mut self, text: Span, lines: Lines, span: Span) -> Option<u32> {
        let (Parsed { tape, .. }, scratch) = self.reading.parts()?;
        let joined = scratch.joined.text(self.source, tape, text, lines);
        let mut code = String::with_capacity(joined.end - joined.start + 1);
        code.push_str(joined.slice(joined.start, joined.end));
        let ending_len = lines::line_ending_len(self.source, text.end, span.end);
        if ending_len > 0 {
            code.push('\n');
        }
        if !code.is_empty() {
            let kind = EventKind::Text(Cow::Owned(code));
            let span = Span::new(text.start, text.end + ending_len);
            self.pending.push_back(Event { kind, span });
        }
        (ending_len == 0).then_some(text.end)
    }

    /// The id of the heading whose text has just been read.
    fn heading_id(&mut self, written: Option<Attributes<'s>>) -> Option<Cow<'s, str>> {
        let (Parsed { options, tape, .. }, scratch) = self.reading.parts()?;
        if let Some(id) = written.and_then(Attributes::id) {
            return self.slugger.given_id(id, options).map(Cow::Owned);
        }
        if !options.policy.heading_ids {
            return None;
        }
        let text = scratch.joined.view(self.source, &tape.folded, self.leaf.as_ref()?.loaded);
        let id = self.slugger.heading_id(&plain_text(&text, &scratch.inlines), options);
        id.map(Cow::Owned)
    }
}

/// The attributes of a heading other than its id.
fn heading_attributes(written: Attributes<'_>) -> Option<Arc<HeadingAttributes<'_>>> {
    let classes: Vec<_> = written.classes().map(Cow::Borrowed).collect();
    let other = |(name, value): (_, Option<_>)| (Cow::Borrowed(name), value.map(Cow::Borrowed));
    let others: Vec<_> = written.others().map(other).collect();
    let is_empty = classes.is_empty() && others.is_empty();
    (!is_empty).then(|| Arc::new(HeadingAttributes { classes, others }))
}

fn container_end(enter: &Record) -> TagEnd {
    match enter.block {
        Block::Quote { alert } => TagEnd::BlockQuote { alert: alert.is_some() },
        Block::List { number, .. } => TagEnd::List { ordered: number.is_some() },
        Block::DefinitionList { .. } => TagEnd::DefinitionList,
        Block::Details => TagEnd::Details,
        Block::FootnoteDefinition { .. } => TagEnd::FootnoteDefinition,
        Block::Table { .. } => TagEnd::Table,
        Block::Item { .. }
        // No other record enters a container.
        | Block::Exit { .. }
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
        | Block::Cell(_) => TagEnd::Item,
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

/// The destination and title of a definition.
fn reference<'s>(source: &'s str, tape: &Tape, idx: u32) -> (Cow<'s, str>, Cow<'s, str>) {
    let reference = tape.references.get(idx);
    let title = match reference.title {
        Title::Source(span) => unescape(span.slice(source)),
        Title::Arena(span) => Cow::Owned(unescape(tape.references.arena(span)).into_owned()),
    };
    (unescape(reference.destination.slice(source)), title)
}
