//! The block phase of a source that is still being written.
//!
//! Complete lines go through the phase once, and what it knows between two lines is kept.
//! The last line, which may go on, is read tentatively: everything it could change is noted
//! first, then it is read, everything is closed as at the end of a document, and once
//! somebody has looked at the tape, all of that is taken back.
//!
//! What a line can change besides adding to the ends of lists: the records of the open
//! containers, the records and the text of the open leaf, and the alert that is pending.
//!
//! LINEAR: noting and taking back costs as many steps as there are open containers, and
//! blank lines at the end of indented code.

use std::ops::Range;

use super::code::Fence;
use super::container::{Container, ContainerKind};
use super::{BlockBuffers, Bounds, OpenLeaf, Phase, SourceLines, State};
use crate::options::Options;
use crate::tape::pieces::{Lines, PiecesMark};
use crate::tape::{Block, Record, Tape};

/// The block phase between two lines.
#[derive(Debug, Default)]
pub(crate) struct Live {
    state: State,
    /// Where the first line starts that was not read.
    next: usize,
    /// Up to here, no line ends in what was not read.
    searched: usize,
    /// Up to here, the tape shows the source.
    n_shown: usize,
    undo: Undo,
    /// Whether everything is closed for the time being.
    is_closed: bool,
    /// The leaf that was open before that, or a line without an ending.
    open: Option<Unfinished>,
    text: Option<OpenText>,
}

/// The text that was open before everything was closed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenText {
    /// Its record.
    pub(crate) record: usize,
    /// Where the last line starts.
    pub(crate) line_start: usize,
    pub(crate) kind: TextKind,
    /// Whether no container is around it.
    pub(crate) is_top: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextKind {
    Paragraph,
    /// That of a line that starts with `#`.
    Heading,
    Code(Fence),
    Html,
}

/// What was open before everything was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// A line without an ending, of no leaf of several lines.
    Line,
    Paragraph,
    Code,
    Html,
    Table,
}

/// What a tentative line may change.
#[derive(Debug, Default)]
struct Undo {
    state: State,
    containers: Vec<Container>,
    /// The records of the containers.
    enters: Vec<Record>,
    quotes: Vec<u32>,
    /// The records of the open leaf.
    leaf: Vec<Record>,
    /// The last record, which may be a paragraph that turns into a term.
    last: Option<Record>,
    n_blocks: usize,
    text: PiecesMark,
    n_references: usize,
    n_footnotes: usize,
    n_alignments: usize,
}

impl Live {
    /// Reads the lines of `source` from `start` on, as those of a new document.
    pub(crate) fn start(&mut self, start: usize, tape: &mut Tape, buffers: &mut BlockBuffers) {
        tape.clear();
        buffers.containers.clear();
        buffers.quotes.clear();
        self.state = State::default();
        (self.next, self.searched) = (start, start);
        self.is_closed = false;
    }

    /// Passes over the byte order mark, which ends at `end`, if nothing was read yet.
    pub(crate) fn skip_mark(&mut self, end: usize) {
        self.next = self.next.max(end);
    }

    /// Reads the lines that are complete by now.
    pub(crate) fn read_lines(
        &mut self,
        source: &str,
        options: &Options,
        tape: &mut Tape,
        buffers: &mut BlockBuffers,
    ) {
        debug_assert!(!self.is_closed);
        let bytes = source.as_bytes();
        let start = self.line_start(bytes);
        // What is held back was perhaps searched before.
        let from = self.searched.min(bytes.len()).max(start);
        self.searched = bytes.len();
        self.n_shown = bytes.len();
        let Some(end) = memchr::memrchr2(b'\n', b'\r', &bytes[from..]) else { return };
        let complete = &source[..=from + end];
        let mut line_ends = std::mem::take(&mut buffers.line_ends);
        let state = std::mem::take(&mut self.state);
        let mut phase = Phase { source: complete, options, tape, buffers, state };
        phase.lines(&mut SourceLines::new(complete.as_bytes(), start, &mut line_ends));
        self.state = phase.state;
        buffers.line_ends = line_ends;
        self.next = complete.len();
    }

    /// Where the line starts that was not read. A line feed may have come since the carriage
    /// return that ended the last line: it belongs to it.
    fn line_start(&mut self, bytes: &[u8]) -> usize {
        if self.next > 0 && bytes[self.next - 1] == b'\r' && bytes.get(self.next) == Some(&b'\n') {
            self.next += 1;
        }
        self.next
    }

    /// The first record of the top-level block that is open, or where the next one goes.
    pub(crate) fn open_record(
        &self,
        options: &Options,
        tape: &Tape,
        buffers: &BlockBuffers,
    ) -> usize {
        if let Some(container) = buffers.containers.first() {
            return container.idx as usize;
        }
        self.leaf_record(options, tape)
    }

    /// The record of the open leaf, or of a paragraph that may be the term of a definition list
    /// by the next line; or where the next leaf goes.
    fn leaf_record(&self, options: &Options, tape: &Tape) -> usize {
        let n_records = tape.records.len();
        match self.state.leaf_record() {
            Some(idx) => idx,
            None if options.definition_lists && tape.ends_with_paragraph() => n_records - 1,
            None => n_records,
        }
    }

    /// Reads the rest of the source and closes everything, until [`Live::reopen`]. With
    /// `Tentative`, what the end defines is not defined.
    pub(crate) fn close(
        &mut self,
        source: &str,
        options: &Options,
        tape: &mut Tape,
        buffers: &mut BlockBuffers,
        ending: Ending,
    ) {
        self.undo.note(&self.state, tape, buffers);
        tape.references.is_tentative = ending == Ending::Tentative;
        let start = self.line_start(source.as_bytes());
        let mut phase = Phase { source, options, tape, buffers, state: self.state.clone() };
        let mut line_start = start;
        if ending == Ending::Tentative {
            // What is shown of the last line may have lines added to it.
            let searched = self.searched.clamp(start, source.len());
            for at in memchr::memchr_iter(b'\n', &source.as_bytes()[searched..]) {
                phase.line(Bounds { start: line_start, end: searched + at });
                line_start = searched + at + 1;
            }
        }
        if line_start < source.len() {
            phase.line(Bounds { start: line_start, end: source.len() });
        }
        self.open = match phase.state.leaf {
            OpenLeaf::None => (start < source.len()).then_some(Unfinished::Line),
            OpenLeaf::Paragraph => Some(Unfinished::Paragraph),
            OpenLeaf::Fenced(_) | OpenLeaf::Indented(_) => Some(Unfinished::Code),
            OpenLeaf::Html(_) => Some(Unfinished::Html),
            OpenLeaf::Table(_) => Some(Unfinished::Table),
        };
        let kind = match phase.state.leaf {
            OpenLeaf::Paragraph => Some(TextKind::Paragraph),
            OpenLeaf::Fenced(fence) => Some(TextKind::Code(fence)),
            OpenLeaf::Html(_) => Some(TextKind::Html),
            OpenLeaf::None if phase.is_heading(line_start) => Some(TextKind::Heading),
            _ => None,
        };
        let record = match kind {
            Some(TextKind::Heading) => phase.tape.records.len() - 1,
            _ => phase.state.text_idx,
        };
        let is_top = phase.buffers.containers.is_empty();
        self.text = kind.map(|kind| OpenText { record, line_start, kind, is_top });
        phase.close_containers(0);
        tape.references.is_tentative = false;
        self.is_closed = true;
    }

    /// How much of the source the tape shows.
    pub(crate) fn n_shown(&self) -> usize {
        self.n_shown
    }

    /// The text that was open before [`Live::close`].
    pub(crate) fn open_text(&self) -> Option<OpenText> {
        self.text
    }

    /// The source up to `end` goes on with the text of record `idx`, which was open before
    /// [`Live::close`] and now ends at `text_end`.
    pub(crate) fn extend(&mut self, idx: usize, (text_end, end): (u32, u32), tape: &mut Tape) {
        debug_assert!(self.is_closed);
        self.n_shown = end as usize;
        tape.trim_end(idx, text_end);
        match tape.records[idx].block {
            Block::CodeText(_) => tape.records[idx - 2].end = text_end,
            Block::HeadingText(_) => tape.records[idx - 1].end = end,
            _ => {}
        }
        for exit in idx + 1..tape.records.len() {
            if let Block::Exit { enter } = tape.records[exit].block {
                tape.records[exit].end = end;
                tape.records[enter as usize].end = end;
            }
        }
    }

    /// Whether no container is open, nor was before [`Live::close`].
    pub(crate) fn is_top(&self, buffers: &BlockBuffers) -> bool {
        buffers.containers.is_empty() && (!self.is_closed || self.undo.containers.is_empty())
    }

    /// Whether no leaf is open and no line unfinished, before [`Live::close`].
    pub(crate) fn is_between(&self) -> bool {
        self.open.is_none() && self.next == self.n_shown
    }

    /// The lines up to `next` are read. If these are any, the last of them is blank: with it, what
    /// was open before [`Live::close`] ended, and that was nothing, or a paragraph in no container
    /// that is the last record.
    pub(crate) fn pass_blank(&mut self, next: usize, tape: &Tape) {
        self.state.leaf = OpenLeaf::None;
        self.state.after_blank |= next > self.next;
        if let Some(last) = tape.records.last() {
            self.state.content_end = last.end as usize;
        }
        (self.next, self.searched, self.n_shown) = (next, next, next);
        (self.open, self.text) = (None, None);
        self.is_closed = false;
    }

    /// Nothing follows the lines that were read, for the time being.
    pub(crate) fn rest(&mut self, tape: &Tape, buffers: &BlockBuffers) {
        self.undo.note(&self.state, tape, buffers);
        self.is_closed = true;
    }

    /// What follows the lines that were read, for the time being, is a paragraph of these bytes in
    /// no container, and white space up to `end`. Returns its record.
    pub(crate) fn open_paragraph(
        &mut self,
        text: Range<usize>,
        end: usize,
        tape: &mut Tape,
        buffers: &BlockBuffers,
    ) -> usize {
        self.undo.note(&self.state, tape, buffers);
        let record = tape.push(Record::new(Block::Paragraph(Lines::SLICE), text.start, text.end));
        let line_start = text.start;
        let kind = TextKind::Paragraph;
        self.open = Some(Unfinished::Paragraph);
        self.text = Some(OpenText { record, line_start, kind, is_top: true });
        self.n_shown = end;
        self.is_closed = true;
        record
    }

    /// Where the line starts that is read tentatively.
    pub(crate) fn next_line(&self) -> usize {
        self.next
    }

    /// What was open before [`Live::close`].
    pub(crate) fn open_leaf(&self) -> Option<Unfinished> {
        self.open
    }

    /// Takes back what [`Live::close`] did.
    pub(crate) fn reopen(&mut self, tape: &mut Tape, buffers: &mut BlockBuffers) {
        if std::mem::take(&mut self.is_closed) {
            self.undo.take_back(tape, buffers);
        }
    }
}

impl Phase<'_, '_> {
    /// Whether the last line, which starts at `start`, is a heading.
    fn is_heading(&self, start: usize) -> bool {
        let last = self.tape.records.last();
        last.is_some_and(|last| {
            matches!(last.block, Block::HeadingText(_)) && last.start as usize > start
        })
    }
}

/// What is final of the top-level block that is open.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    /// All records before this one.
    pub(crate) record: usize,
    /// And, if the leaf there is code or HTML, the lines that end here or before.
    pub(crate) lines_end: Option<u32>,
    /// The lists before the record that are open: each may still turn loose.
    pub(crate) lists: Vec<u32>,
}

impl Live {
    /// What is final between two lines. A container is not while the line after may say what
    /// it is: an item without content may become a task, and a block quote an alert.
    pub(crate) fn find_frontier(
        &self,
        options: &Options,
        tape: &Tape,
        buffers: &BlockBuffers,
        to: &mut Frontier,
    ) {
        let State { leaf, text_idx, alert_title, .. } = &self.state;
        let containers = buffers.containers.as_slice();
        let leaf_record = self.leaf_record(options, tape);
        to.record = leaf_record;
        if let Some(item) = containers.last().filter(|last| last.kind == ContainerKind::Item) {
            let idx = item.idx as usize;
            let is_task = matches!(tape.records[idx].block, Block::Item { task: Some(_) });
            if !item.has_children || leaf_record == idx + 1 && is_task {
                to.record = idx;
            }
        }
        if let [quote] = containers
            && quote.kind == ContainerKind::BlockQuote
            && (leaf_record == quote.idx as usize + 1 || alert_title.is_some())
        {
            to.record = quote.idx as usize;
        }
        // The content of a footnote is moved once it is complete.
        if containers.iter().any(|container| container.kind == ContainerKind::FootnoteDefinition) {
            to.record = containers[0].idx as usize;
        }
        to.lines_end = None;
        if to.record == leaf_record {
            match leaf {
                OpenLeaf::Fenced(_) | OpenLeaf::Html(_) => {
                    to.lines_end = Some(tape.records[*text_idx].end);
                }
                OpenLeaf::Indented(kept) => to.lines_end = Some(kept.end()),
                // Rows are only added.
                OpenLeaf::Table(_) => to.record = tape.records.len(),
                OpenLeaf::None | OpenLeaf::Paragraph => {}
            }
        }
        to.lists.clear();
        let before = containers.iter().filter(|container| (container.idx as usize) < to.record);
        let is_list = |it: &&Container| {
            matches!(it.kind, ContainerKind::List | ContainerKind::DefinitionList)
        };
        to.lists.extend(before.filter(is_list).map(|list| list.idx));
    }
}

/// How a document ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It may go on.
    Tentative,
    /// This is all of it.
    Final,
}

impl Undo {
    fn note(&mut self, state: &State, tape: &Tape, buffers: &BlockBuffers) {
        self.state = state.clone();
        self.containers.clone_from(&buffers.containers);
        self.quotes.clone_from(&buffers.quotes);
        self.enters.clear();
        let enters =
            buffers.containers.iter().map(|container| tape.records[container.idx as usize]);
        self.enters.extend(enters);
        self.n_blocks = tape.records.len();
        self.last = tape.records.last().copied();
        self.leaf.clear();
        if let Some(first) = state.leaf_record() {
            // Rows are only added to a table.
            let is_table = matches!(state.leaf, OpenLeaf::Table(_));
            let end = if is_table { first + 1 } else { self.n_blocks };
            self.leaf.extend_from_slice(&tape.records[first..end]);
        }
        let kept = match state.leaf {
            OpenLeaf::Indented(snapshot) => Some(snapshot),
            _ => None,
        };
        tape.note_text(self.leaf.last(), kept, &mut self.text);
        self.n_references = tape.references.len();
        self.n_footnotes = tape.footnotes.len();
        self.n_alignments = tape.alignments.len();
    }

    fn take_back(&mut self, tape: &mut Tape, buffers: &mut BlockBuffers) {
        std::mem::swap(&mut buffers.containers, &mut self.containers);
        std::mem::swap(&mut buffers.quotes, &mut self.quotes);
        tape.records.truncate(self.n_blocks);
        if let (Some(last), Some(record)) = (self.last, tape.records.last_mut()) {
            *record = last;
        }
        if let Some(first) = self.state.leaf_record() {
            if matches!(self.state.leaf, OpenLeaf::Table(_)) {
                tape.records[first] = self.leaf[0];
            } else {
                tape.records.truncate(first);
                tape.records.extend_from_slice(&self.leaf);
            }
        }
        for (container, enter) in buffers.containers.iter().zip(&self.enters) {
            tape.records[container.idx as usize] = *enter;
        }
        tape.take_back_text(&self.text);
        tape.references.truncate(self.n_references);
        tape.footnotes.truncate(self.n_footnotes);
        tape.alignments.truncate(self.n_alignments);
    }
}
