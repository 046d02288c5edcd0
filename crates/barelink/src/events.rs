//! Events from the tape and the marks, one at a time.

use std::borrow::Cow;
use std::collections::VecDeque;

use barelink_autolink::candidate::Candidates;
use barelink_text::Span;
use barelink_text::entity::{Decoded, scan_entity};

use crate::block::alert::AlertKind;
use crate::block::reference::Title;
use crate::block::tape::{
    self, BREAKS, Block, CHECKED, HAS_LINES, LOOSE, SEGMENTED, Segment, VARIANT,
};
use crate::document::{Buffers, candidates};
use crate::event::{Definition, Event, EventKind, Form, Tag, TagEnd, Target};
use crate::html::escape::{decode_entities, unescape};
use crate::inline::join::{Loaded, Text};
use crate::inline::mark::{Kind, Mark};
use crate::inline::{self, Context, code_span};
use crate::options::Options;

/// The events of a document. See [`Document::events`](crate::Document::events).
#[derive(Debug)]
pub struct Events<'p, 's> {
    source: &'s str,
    options: Options,
    buffers: &'p mut Buffers,
    /// The next record of the tape.
    block_idx: usize,
    leaf: Option<Leaf>,
    /// The spans of the open table and row.
    table: Option<Span>,
    row: Option<Span>,
    /// Where the source could have bare links.
    candidates: Candidates<'s>,
    /// Events that are settled and come first.
    pending: VecDeque<Event<'s>>,
}

/// A leaf whose inlines are being told.
#[derive(Debug, Clone, Copy)]
struct Leaf {
    loaded: Loaded,
    mark_idx: usize,
    /// How far its text has been told.
    at: usize,
    end: TagEnd,
    span: Span,
}

impl<'s> Iterator for Events<'_, 's> {
    type Item = Event<'s>;

    fn next(&mut self) -> Option<Event<'s>> {
        loop {
            if let Some(event) = self.pending.pop_front() {
                return Some(event);
            }
            if self.leaf.is_some() {
                self.next_inline();
                continue;
            }
            let idx = self.block_idx;
            let block = self.buffers.tape.blocks.get(idx).copied();
            if self.close_table_parts(block.map(|block| block.kind)) {
                continue;
            }
            self.block_idx += 1;
            self.next_block(idx, &block?);
        }
    }
}

impl<'p, 's> Events<'p, 's> {
    pub(crate) fn new(source: &'s str, options: Options, buffers: &'p mut Buffers) -> Self {
        Self {
            source,
            options,
            buffers,
            block_idx: 0,
            leaf: None,
            table: None,
            row: None,
            candidates: candidates(source, &options),
            pending: VecDeque::new(),
        }
    }

    fn push(&mut self, kind: EventKind<'s>, span: Span) {
        self.pending.push_back(Event { kind, span });
    }

    fn next_block(&mut self, idx: usize, block: &Block) {
        let span = block.span();
        match block.kind {
            tape::Kind::Paragraph => self.open_leaf(Tag::Paragraph, block, span),
            tape::Kind::Heading => {
                let level = block.aux as u8;
                let content = self.buffers.tape.blocks[idx + 1];
                self.open_leaf(Tag::Heading { level }, &content, span);
            }
            tape::Kind::CodeBlock => self.push_code_block(idx, block),
            tape::Kind::HtmlBlock => {
                self.push(EventKind::Start(Tag::HtmlBlock), span);
                self.push_lines(block, span, EventKind::Html);
                self.push(EventKind::End(TagEnd::HtmlBlock), span);
            }
            tape::Kind::ThematicBreak => self.push(EventKind::ThematicBreak, span),
            tape::Kind::Definition => {
                let kind = EventKind::Definition(Box::new(self.definition(block.data)));
                self.push(kind, span);
            }
            tape::Kind::BlockQuote
            | tape::Kind::List
            | tape::Kind::Item
            | tape::Kind::FootnoteDefinition => {
                let tag = self.container_tag(block);
                self.push(EventKind::Start(tag), span);
            }
            tape::Kind::Exit => {
                let enter = self.buffers.tape.blocks[block.data as usize];
                let tag = self.container_tag(&enter);
                self.push(EventKind::End(tag.end()), enter.span());
            }
            tape::Kind::Table => {
                let columns = block.data as usize..block.data as usize + usize::from(block.aux);
                let alignments = self.buffers.tape.alignments[columns].to_vec();
                self.push(EventKind::Start(Tag::Table { alignments }), span);
                self.table = Some(span);
            }
            tape::Kind::Row => {
                let header = block.has(VARIANT);
                self.push(EventKind::Start(Tag::Row { header }), span);
                self.row = Some(span);
            }
            tape::Kind::Cell => self.open_leaf(Tag::Cell, block, span),
            tape::Kind::Info | tape::Kind::Content => {}
        }
    }

    /// Ends the open row and table if the next record is of neither. True if
    /// something ended.
    fn close_table_parts(&mut self, next: Option<tape::Kind>) -> bool {
        let in_row = next == Some(tape::Kind::Cell);
        let in_table = in_row || next == Some(tape::Kind::Row);
        if !in_row && let Some(span) = self.row.take() {
            self.push(EventKind::End(TagEnd::Row), span);
        }
        if !in_table && let Some(span) = self.table.take() {
            self.push(EventKind::End(TagEnd::Table), span);
        }
        !self.pending.is_empty()
    }

    fn container_tag(&self, enter: &Block) -> Tag<'s> {
        match enter.kind {
            tape::Kind::BlockQuote => Tag::BlockQuote { alert: AlertKind::of(enter) },
            tape::Kind::List => Tag::List {
                start: enter.has(VARIANT).then_some(enter.data),
                tight: !enter.has(LOOSE),
            },
            tape::Kind::FootnoteDefinition => Tag::FootnoteDefinition {
                label: self.footnote_label(enter.data),
                duplicate: enter.has(VARIANT),
            },
            _ => Tag::Item { task: enter.has(VARIANT).then_some(enter.has(CHECKED)) },
        }
    }

    fn footnote_label(&self, number: u32) -> Cow<'s, str> {
        Cow::Borrowed(self.buffers.tape.footnotes.label(number).slice(self.source))
    }

    fn definition(&self, idx: u32) -> Definition<'s> {
        let references = &self.buffers.tape.references;
        let (destination, title) = self.reference(idx);
        Definition { label: references.label(references.get(idx)).to_owned(), destination, title }
    }

    /// Destination and title of a definition.
    fn reference(&self, idx: u32) -> (Cow<'s, str>, Cow<'s, str>) {
        let references = &self.buffers.tape.references;
        let reference = references.get(idx);
        let title = match reference.title {
            Title::Source(span) => unescape(span.slice(self.source)),
            Title::Arena(span) => Cow::Owned(unescape(references.arena(span)).into_owned()),
        };
        (unescape(reference.destination.slice(self.source)), title)
    }

    fn push_code_block(&mut self, idx: usize, block: &Block) {
        let span = block.span();
        let info = block.has(VARIANT).then(|| {
            let info = self.buffers.tape.blocks[idx + 1].span();
            unescape(info.slice(self.source))
        });
        self.push(EventKind::Start(Tag::CodeBlock { info }), span);
        let content = self.buffers.tape.blocks[idx + 2];
        if content.has(HAS_LINES) {
            self.push_lines(&content, span, EventKind::Text);
        }
        self.push(EventKind::End(TagEnd::CodeBlock), span);
    }

    /// The lines of a leaf that is not inline text, each with a line ending.
    fn push_lines(&mut self, block: &Block, outer: Span, kind: fn(Cow<'s, str>) -> EventKind<'s>) {
        if !block.has(SEGMENTED) {
            let whole = Segment { start: block.start, end: block.end, pad: 0 };
            return self.push_segment(whole, outer, kind);
        }
        for idx in 0..self.buffers.tape.segments(block).len() {
            let segment = self.buffers.tape.segments(block)[idx];
            self.push_segment(segment, outer, kind);
        }
    }

    fn push_segment(
        &mut self,
        segment: Segment,
        outer: Span,
        kind: fn(Cow<'s, str>) -> EventKind<'s>,
    ) {
        let Segment { start, mut end, pad } = segment;
        if pad > 0 {
            let spaces = "   ".get(..pad as usize).unwrap_or("   ");
            self.push(kind(Cow::Borrowed(spaces)), Span::new(start, start));
        }
        let ends_in_line_feed =
            end < outer.end && self.source.as_bytes().get(end as usize) == Some(&b'\n');
        if ends_in_line_feed {
            end += 1;
        }
        if start < end {
            let span = Span::new(start, end);
            let text = span.slice(self.source);
            let text = if self.buffers.tape.has_nul && text.contains('\0') {
                Cow::Owned(text.replace('\0', "\u{FFFD}"))
            } else {
                Cow::Borrowed(text)
            };
            self.push(kind(text), span);
        }
        if !ends_in_line_feed {
            self.push(kind(Cow::Borrowed("\n")), Span::new(end, end));
        }
    }

    fn open_leaf(&mut self, tag: Tag<'s>, content: &Block, span: Span) {
        let end = tag.end();
        self.push(EventKind::Start(tag), span);
        let Buffers { tape, inlines, joined, .. } = &mut *self.buffers;
        let loaded = joined.load(self.source, tape, content);
        let text = joined.view(self.source, loaded);
        let context = Context::new(&self.options, tape);
        inlines.parse(&text, context, content.has(BREAKS), &mut self.candidates);
        self.leaf = Some(Leaf { loaded, mark_idx: 0, at: text.start, end, span });
    }

    /// Tells at least one more event of the open leaf, or closes it.
    fn next_inline(&mut self) {
        let Some(mut leaf) = self.leaf else { return };
        let mut mark = self.buffers.inlines.marks[leaf.mark_idx];
        // A byte that only HTML has to escape is text like any other.
        while mark.kind == Kind::Unused || mark.kind == Kind::Literal && mark.end == mark.start + 1
        {
            leaf.mark_idx += 1;
            mark = self.buffers.inlines.marks[leaf.mark_idx];
        }
        if leaf.at < mark.start as usize {
            leaf.at = self.push_text(&leaf, mark.start as usize);
            self.leaf = Some(leaf);
            return;
        }
        leaf.at = mark.end as usize;
        leaf.mark_idx += 1;
        self.leaf = Some(leaf);
        match mark.kind {
            Kind::End => {
                self.leaf = None;
                self.push(EventKind::End(leaf.end), leaf.span);
            }
            // What is escaped is text: go on right before it.
            Kind::Literal => self.leaf = Some(Leaf { at: leaf.at - 1, ..leaf }),
            Kind::Backslash | Kind::Unused => {}
            _ => self.push_mark(&leaf, &mark),
        }
    }

    /// Tells the text from `leaf.at` up to `end`, the end of its line, or
    /// where it is interrupted in the source. Returns how far that was.
    fn push_text(&mut self, leaf: &Leaf, end: usize) -> usize {
        let text = self.buffers.joined.view(self.source, leaf.loaded);
        let at = leaf.at;
        if text.bytes()[at] == b'\n' {
            let span = text.span(at, at + 1);
            self.push(EventKind::SoftBreak, span);
            return at + 1;
        }
        let end = text.verbatim_end(at, end);
        let line = &text.bytes()[at..end];
        let end = memchr::memchr(b'\n', line).map_or(end, |len| at + len);
        let kind = EventKind::Text(self.text(&text, at, end));
        let span = text.span(at, end);
        self.push(kind, span);
        end
    }

    /// A stretch of the leaf's text, borrowed from the source where it can be.
    fn text(&self, text: &Text<'_>, start: usize, end: usize) -> Cow<'s, str> {
        if text.is_verbatim(start, end) {
            Cow::Borrowed(text.span(start, end).slice(self.source))
        } else {
            Cow::Owned(text.slice(start, end).to_owned())
        }
    }

    /// The same, unescaped.
    fn unescaped(&self, text: &Text<'_>, start: usize, end: usize) -> Cow<'s, str> {
        match self.text(text, start, end) {
            Cow::Borrowed(text) => unescape(text),
            Cow::Owned(text) => Cow::Owned(unescape(&text).into_owned()),
        }
    }

    fn push_mark(&mut self, leaf: &Leaf, mark: &Mark) {
        let text = self.buffers.joined.view(self.source, leaf.loaded);
        let (start, end) = (mark.start as usize, mark.end as usize);
        let own_span = text.span(start, end);
        let kind = match mark.kind {
            Kind::HardBreak => EventKind::HardBreak,
            Kind::SoftBreak => EventKind::SoftBreak,
            Kind::RawHtml => EventKind::InlineHtml(self.text(&text, start, end)),
            Kind::Entity => EventKind::Text(decoded(&text, start)),
            Kind::TakenBack => EventKind::Text(self.unescaped(&text, start, end)),
            Kind::FootnoteReference => EventKind::FootnoteReference {
                label: self.footnote_label(mark.mate),
                written: self.text(&text, start, end),
            },
            Kind::CodeSpan => EventKind::Code(self.code(&text, mark)),
            Kind::AngleUrl | Kind::AngleEmail => return self.push_angle(leaf, mark),
            Kind::BareLink => return self.push_bare(leaf, mark),
            _ => return self.push_element(leaf, mark),
        };
        self.push(kind, own_span);
    }

    fn push_element(&mut self, leaf: &Leaf, mark: &Mark) {
        let text = self.buffers.joined.view(self.source, leaf.loaded);
        let marks = &self.buffers.inlines.marks;
        let opens = matches!(
            mark.kind,
            Kind::EmphasisOpen
                | Kind::StrongOpen
                | Kind::StrikethroughOpen
                | Kind::LinkOpen
                | Kind::ImageOpen
        );
        if opens {
            let close = marks[mark.mate as usize];
            let span = text.span(mark.start as usize, close.end as usize);
            let tag = match mark.kind {
                Kind::EmphasisOpen => Tag::Emphasis,
                Kind::StrongOpen => Tag::Strong,
                Kind::StrikethroughOpen => Tag::Strikethrough,
                Kind::LinkOpen => Tag::Link(self.target(&text, &close)),
                _ => Tag::Image(self.target(&text, &close)),
            };
            return self.push(EventKind::Start(tag), span);
        }
        let (open, end) = match mark.kind {
            Kind::EmphasisClose => (mark.mate, TagEnd::Emphasis),
            Kind::StrongClose => (mark.mate, TagEnd::Strong),
            Kind::StrikethroughClose => (mark.mate, TagEnd::Strikethrough),
            Kind::LinkClose => (self.link_of(mark).open_idx, TagEnd::Link),
            _ => (self.link_of(mark).open_idx, TagEnd::Image),
        };
        let span = text.span(marks[open as usize].start as usize, mark.end as usize);
        self.push(EventKind::End(end), span);
    }

    fn link_of(&self, close: &Mark) -> &inline::Link {
        &self.buffers.inlines.links[close.mate as usize]
    }

    fn target(&self, text: &Text<'_>, close: &Mark) -> Target<'s> {
        let link = self.link_of(close);
        let (destination, title) = match link.target {
            inline::Target::Inline { destination, title, .. } => (
                self.unescaped(text, destination.start, destination.end),
                title.map_or(Cow::Borrowed(""), |title| {
                    self.unescaped(text, title.start, title.end)
                }),
            ),
            inline::Target::Reference(idx) => self.reference(idx),
        };
        Target { destination, title, form: link.form }
    }

    fn push_angle(&mut self, leaf: &Leaf, mark: &Mark) {
        let text = self.buffers.joined.view(self.source, leaf.loaded);
        let (start, end) = (mark.start as usize, mark.end as usize);
        let span = text.span(start, end);
        let inner_span = text.span(start + 1, end - 1);
        let inner = match self.text(&text, start + 1, end - 1) {
            Cow::Borrowed(text) => decode_entities(text),
            Cow::Owned(text) => Cow::Owned(decode_entities(&text).into_owned()),
        };
        let destination = match mark.kind {
            Kind::AngleEmail => Cow::Owned(format!("mailto:{inner}")),
            _ => inner.clone(),
        };
        let title = Cow::Borrowed("");
        let tag = Tag::Link(Target { destination, title, form: Form::Angle });
        self.push(EventKind::Start(tag), span);
        self.push(EventKind::Text(inner), inner_span);
        self.push(EventKind::End(TagEnd::Link), span);
    }

    fn push_bare(&mut self, leaf: &Leaf, mark: &Mark) {
        let text = self.buffers.joined.view(self.source, leaf.loaded);
        let (start, end) = (mark.start as usize, mark.end as usize);
        let span = text.span(start, end);
        let bare = self.buffers.inlines.bare[mark.mate as usize];
        let shown = if bare.decoded {
            self.unescaped(&text, start, end)
        } else {
            self.text(&text, start, end)
        };
        let destination = match bare.destination(&shown) {
            ("", Cow::Borrowed(_)) => shown.clone(),
            (prefix, rest) => Cow::Owned(format!("{prefix}{rest}")),
        };
        let form = bare.form();
        let tag = Tag::Link(Target { destination, title: Cow::Borrowed(""), form });
        self.push(EventKind::Start(tag), span);
        self.push(EventKind::Text(shown), span);
        self.push(EventKind::End(TagEnd::Link), span);
    }

    fn code(&self, text: &Text<'_>, mark: &Mark) -> Cow<'s, str> {
        let run = mark.mate as usize;
        let (start, end) = (mark.start as usize + run, mark.end as usize - run);
        match self.text(text, start, end) {
            Cow::Borrowed(content) if !content.contains('\n') => {
                Cow::Borrowed(code_span::strip(content))
            }
            content => Cow::Owned(code_span::strip(&content).replace('\n', " ")),
        }
    }
}

fn decoded<'s>(text: &Text<'_>, at: usize) -> Cow<'s, str> {
    match scan_entity(text.bytes(), at) {
        Some((_, Decoded::Named(named))) => Cow::Borrowed(named),
        Some((_, Decoded::Char(c))) => Cow::Owned(c.to_string()),
        None => Cow::Borrowed(""),
    }
}
