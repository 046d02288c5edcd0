//! The block phase of a source that is still being written.
//!
//! Complete lines go through the phase once, and its state between two lines is kept. The last
//! line, which may continue, is read tentatively: everything that it could change is saved first,
//! then it is read and everything is closed as at the end of a document, and once the tape has been
//! used, all of that is undone.
//!
//! Besides appending to lists of the tape, a line can change the records of the open containers,
//! the records and the text of the open leaf, and the pending alert.
//!
//! LINEAR: saving and undoing takes a step for each open container, and for each blank line at the
//! end of indented code.

use barelink_text::find::{Ahead, Slots, TooLong};

use super::code::Fence;
use super::container::{Container, ContainerKind};
use super::frontier::Frontier;
use super::heading::is_blank;
use super::undo::Undo;
use super::{BlockBuffers, Bounds, OpenLeaf, Phase, SourceLines, State};
use crate::options::Options;
use crate::tape::pieces::{Layout, Lines};
use crate::tape::{Block, Record, Tape};

/// The block phase between two lines.
#[derive(Debug, Default)]
pub(crate) struct Live {
    state: State,
    /// The start of the first line that has not been read.
    next: usize,
    /// No line ends in the unread part of the source up to this offset.
    searched: usize,
    /// The tape represents the source up to this offset.
    n_shown: usize,
    undo: Undo,
    /// Whether everything is closed tentatively.
    is_closed: bool,
    /// The leaf that was open before that, or an incomplete line.
    open: Option<Unfinished>,
    text: Option<OpenText>,
    /// The start of the paragraph that was open, if closing it read all of it.
    joined_from: Option<u32>,
}

/// The text that was open before everything was closed tentatively.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenText {
    /// The index of its record.
    pub(crate) record: usize,
    /// The start of its last line.
    pub(crate) line_start: usize,
    pub(crate) kind: TextKind,
    /// Whether it is in no container.
    pub(crate) is_top: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextKind {
    Paragraph,
    /// The text of an ATX heading.
    Heading,
    Code(Fence),
    Html,
    /// The text of the last cell of a row.
    Cell,
}

/// What was open before everything was closed tentatively.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// An incomplete line that is not part of an open leaf.
    Line,
    Paragraph,
    Code,
    Html,
    Table,
}

impl Live {
    /// Starts a new document at `start`.
    pub(crate) fn start(&mut self, start: usize, tape: &mut Tape, buffers: &mut BlockBuffers) {
        tape.clear();
        buffers.containers.clear();
        buffers.quotes.clear();
        self.state = State::default();
        (self.next, self.searched) = (start, start);
        self.is_closed = false;
    }

    /// Skips the byte order mark, which ends at `end`, if nothing was read yet.
    pub(crate) fn skip_mark(&mut self, end: usize) {
        self.next = self.next.max(end);
    }

    /// Reads the lines that are complete by now, finds what is final, and closes everything as
    /// [`Live::close`] does. Returns the first record of the open top-level block, or else the
    /// index of the next record. After this, `tape.has_nul` is up to date for all lines.
    pub(crate) fn read(
        &mut self,
        source: &str,
        (options, tape): (&Options, &mut Tape),
        buffers: &mut BlockBuffers,
        ending: Ending,
        frontier: &mut Frontier,
    ) -> usize {
        debug_assert!(!self.is_closed);
        let bytes = source.as_bytes();
        let start = self.line_start(bytes);
        // The source after the last complete line may have been searched before.
        let from = self.searched.min(bytes.len()).max(start);
        self.searched = bytes.len();
        self.n_shown = bytes.len();
        let mut slots = std::mem::take(&mut buffers.line_ends);
        let mut ends = Ahead::new(bytes, from, &mut slots);
        let found = ends.find_last();
        let mut phase = Phase { source, options, tape, buffers, state: self.state.clone() };
        let last = match found {
            Ok(last) => last.filter(|at| bytes[*at] != 0),
            Err(TooLong) => None,
        };
        if let Some(end) = last {
            self.next = end + 1;
            phase.lines(&mut SourceLines::with_ends(&bytes[..self.next], start, ends));
            self.state = phase.state.clone();
        } else if found != Ok(None) {
            self.read_other(from, start, &mut phase, &mut slots);
        }
        if ending == Ending::Tentative && self.leaves_lists(&phase) {
            phase.close_containers(0);
            self.state = phase.state.clone();
        }
        let n_records = phase.find_frontier(frontier);
        if ending == Ending::Final || !self.close_text(&mut phase) {
            self.undo.note(&phase);
            self.close_from(self.next, &mut phase, &mut slots, ending);
        } else {
            #[cfg(debug_assertions)]
            self.compare_text(&mut phase, &mut slots);
        }
        buffers.line_ends = slots;
        n_records
    }

    /// Whether the last line, however it continues, is text after all open lists: it follows a
    /// blank line and starts with a letter.
    fn leaves_lists(&self, phase: &Phase<'_, '_>) -> bool {
        let containers = phase.buffers.containers.as_slice();
        if containers.is_empty() {
            return false;
        }
        let (before, line) = phase.source.as_bytes().split_at(self.next);
        let is_list = |it: &Container| matches!(it.kind, ContainerKind::List | ContainerKind::Item);
        before.ends_with(b"\n\n")
            && line.first().is_some_and(|first| first.is_ascii_alphabetic() || *first >= 0x80)
            && phase.state.leaf == OpenLeaf::None
            && !phase.options.definition_lists
            && containers.iter().all(is_list)
    }

    /// A fast path of [`Live::close_from`] for a last line that is text of a paragraph in no
    /// container, which cannot start with a definition. False if it is something else.
    fn close_text(&mut self, phase: &mut Phase<'_, '_>) -> bool {
        let bytes = phase.source.as_bytes();
        let (start, mut end) = (self.next, bytes.len());
        let Some(&first) = bytes.get(start) else { return false };
        if !phase.buffers.containers.is_empty() || first == b'[' || !phase.is_text(first) {
            return false;
        }
        while is_blank(bytes[end - 1]) {
            end -= 1;
        }
        let records = &mut phase.tape.records;
        self.undo.leaf.clear();
        match phase.state.leaf {
            OpenLeaf::None => {
                self.undo.from = records.len();
                records.push(Record::new(Block::Paragraph(Lines::SLICE), start, end));
            }
            OpenLeaf::Paragraph => {
                let record = &mut records[phase.state.text_idx];
                let is_slice =
                    matches!(record.block, Block::Paragraph(Lines { layout: Layout::Slice, .. }));
                if !is_slice
                    || bytes[record.start as usize] == b'['
                    || bytes.get(record.end as usize..start) != Some(b"\n")
                {
                    return false;
                }
                self.undo.from = phase.state.text_idx;
                self.undo.leaf.push(*record);
                if is_blank(bytes[record.end as usize - 1])
                    && let Some(lines) = record.lines_mut()
                {
                    lines.breaks = true;
                }
                record.end = end as u32;
            }
            _ => return false,
        }
        self.undo.is_simple = true;
        self.joined_from = None;
        self.open = Some(Unfinished::Paragraph);
        let (record, kind) = (self.undo.from, TextKind::Paragraph);
        self.text = Some(OpenText { record, line_start: start, kind, is_top: true });
        self.is_closed = true;
        true
    }

    /// Closes everything again without the shortcut, and panics if the result differs.
    #[cfg(debug_assertions)]
    fn compare_text(&mut self, phase: &mut Phase<'_, '_>, slots: &mut Slots) {
        let from = self.undo.from;
        let fast = (phase.tape.records[from..].to_vec(), self.open, self.text);
        self.undo.take_back(phase.tape, phase.buffers);
        self.undo.note(phase);
        self.close_from(self.next, phase, slots, Ending::Tentative);
        let slow = (phase.tape.records[from..].to_vec(), self.open, self.text);
        assert_eq!(fast, slow, "with and without the shortcut for {:?}", phase.source);
        self.undo.take_back(phase.tape, phase.buffers);
        phase.state = self.state.clone();
        self.close_text(phase);
    }

    #[inline(never)]
    fn read_other(
        &mut self,
        from: usize,
        start: usize,
        phase: &mut Phase<'_, '_>,
        slots: &mut Slots,
    ) {
        let bytes = phase.source.as_bytes();
        let last = memchr::memrchr2(b'\n', b'\r', &bytes[from..]);
        self.next = last.map_or(self.next, |at| from + at + 1);
        phase.tape.has_nul |= memchr::memchr(0, &bytes[self.next..]).is_some();
        if last.is_some() {
            phase.lines(&mut SourceLines::new(&bytes[..self.next], start, slots));
            self.state = phase.state.clone();
        }
    }

    /// The start of the first unread line. If a line feed has come after the carriage return that
    /// ended the last line, it belongs to that line.
    fn line_start(&mut self, bytes: &[u8]) -> usize {
        if self.next > 0 && bytes[self.next - 1] == b'\r' && bytes.get(self.next) == Some(&b'\n') {
            self.next += 1;
        }
        self.next
    }

    /// Reads a source with another text after the complete lines, and closes everything, until
    /// [`Live::reopen`]. Definitions at the end are not entered.
    pub(crate) fn close(
        &mut self,
        source: &str,
        options: &Options,
        tape: &mut Tape,
        buffers: &mut BlockBuffers,
    ) {
        let mut slots = std::mem::take(&mut buffers.line_ends);
        let mut phase = Phase { source, options, tape, buffers, state: self.state.clone() };
        self.undo.note(&phase);
        let mut line_start = self.next;
        // The part shown of the last line may have been completed by added lines.
        let searched = self.searched.clamp(line_start, source.len());
        phase.tape.references.is_tentative = true;
        for at in memchr::memchr_iter(b'\n', &source.as_bytes()[searched..]) {
            phase.line(Bounds { start: line_start, end: searched + at });
            line_start = searched + at + 1;
        }
        self.close_from(line_start, &mut phase, &mut slots, Ending::Tentative);
        buffers.line_ends = slots;
    }

    /// Reads the line at `start`, which is the last and may continue, and closes everything. With
    /// `Tentative`, definitions at the end are not entered.
    fn close_from(
        &mut self,
        start: usize,
        phase: &mut Phase<'_, '_>,
        slots: &mut Slots,
        ending: Ending,
    ) {
        let end = phase.source.len();
        phase.tape.references.is_tentative = ending == Ending::Tentative;
        // The line may end the paragraph.
        let joined_from = phase.joined_from();
        if start < end {
            phase.lines(&mut SourceLines::last(phase.source.as_bytes(), start, slots));
        }
        let mut record = phase.state.text_idx;
        let (open, kind) = match phase.state.leaf {
            OpenLeaf::Paragraph => (Unfinished::Paragraph, Some(TextKind::Paragraph)),
            OpenLeaf::Fenced(fence) => (Unfinished::Code, Some(TextKind::Code(fence))),
            OpenLeaf::Indented(_) => (Unfinished::Code, None),
            OpenLeaf::Html(_) => (Unfinished::Html, Some(TextKind::Html)),
            OpenLeaf::Table(_) => {
                record = phase.tape.records.len().wrapping_sub(1);
                (Unfinished::Table, phase.is_cell(start).then_some(TextKind::Cell))
            }
            OpenLeaf::None => {
                record = phase.tape.records.len().wrapping_sub(1);
                (Unfinished::Line, phase.is_heading(start).then_some(TextKind::Heading))
            }
        };
        self.open = (open != Unfinished::Line || self.next < end).then_some(open);
        self.joined_from = joined_from.or_else(|| phase.joined_from());
        let is_top = phase.buffers.containers.is_empty();
        self.text = kind.map(|kind| OpenText { record, line_start: start, kind, is_top });
        phase.close_containers(0);
        phase.tape.references.is_tentative = false;
        self.is_closed = true;
    }

    /// How much of the source the tape represents.
    pub(crate) fn n_shown(&self) -> usize {
        self.n_shown
    }

    /// The start of the paragraph that was open before [`Live::close`], if all of it was read to
    /// find what it starts with.
    pub(crate) fn joined_from(&self) -> Option<u32> {
        self.joined_from
    }

    /// The text that was open before [`Live::close`].
    pub(crate) fn open_text(&self) -> Option<OpenText> {
        self.text
    }

    /// Continues the open paragraph, which is in no container, with complete lines of text, none of
    /// which ends in white space. The last of them ends at `end`. They count as read.
    pub(crate) fn pass_lines(&mut self, end: usize, tape: &Tape) {
        let Some(text) = &mut self.text else { return };
        text.line_start = end + 1;
        if !self.undo.is_simple {
            return;
        }
        let record = self.undo.from;
        self.undo.leaf.clear();
        self.undo.leaf.push(Record { end: end as u32, ..tape.records[record] });
        self.state.leaf = OpenLeaf::Paragraph;
        (self.state.leaf_idx, self.state.text_idx) = (record, record);
        (self.state.after_blank, self.state.content_end) = (false, end);
        (self.next, self.searched) = (end + 1, end + 1);
    }

    /// Counts the lines up to `next` as read, and closes for good what was open before
    /// [`Live::close`]: a leaf in no container, whose records are the last. Its last line ends at
    /// `end`, and the lines after it are blank.
    pub(crate) fn pass_leaf(&mut self, end: usize, next: usize, tape: &Tape) {
        self.state.leaf = OpenLeaf::None;
        self.state.after_blank = next > end + 1;
        self.state.content_end = end;
        (self.next, self.searched, self.n_shown) = (next, next, next);
        (self.open, self.text, self.joined_from) = (None, None, None);
        self.undo.is_simple = true;
        self.undo.from = tape.records.len();
        self.undo.leaf.clear();
        self.is_closed = true;
    }

    /// Counts the lines up to `next` as read, which are blank and follow a leaf that was passed.
    pub(crate) fn pass_blank(&mut self, next: usize) {
        self.state.after_blank = true;
        (self.next, self.searched, self.n_shown) = (next, next, next);
    }

    /// Opens a leaf tentatively: it is in no container, and its records are the last. With it the
    /// tape represents the source up to `end`.
    pub(crate) fn open_leaf_for_now(&mut self, leaf: Unfinished, text: OpenText, end: usize) {
        debug_assert!(self.is_closed && self.undo.is_simple);
        self.open = Some(leaf);
        self.text = Some(text);
        self.n_shown = end;
    }

    /// Whether what was open before [`Live::close`] is a paragraph in no container, or nothing.
    #[inline]
    pub(crate) fn is_simple(&self) -> bool {
        self.undo.is_simple
    }

    /// Notes that the tape represents the source up to `end`: the caller has extended it.
    #[inline]
    pub(crate) fn show_more(&mut self, end: usize) {
        self.n_shown = end;
    }

    /// Extends the text of record `idx`, which was open before [`Live::close`]: it now ends at
    /// `text_end`, and the source at `end`.
    #[inline]
    pub(crate) fn extend(&mut self, idx: usize, (text_end, end): (u32, u32), tape: &mut Tape) {
        debug_assert!(self.is_closed);
        self.n_shown = end as usize;
        if self.undo.is_simple && idx == self.undo.from {
            // A paragraph in no container.
            tape.records[idx].end = text_end;
        } else {
            Self::extend_other(idx, (text_end, end), tape);
        }
    }

    #[inline(never)]
    fn extend_other(idx: usize, (text_end, end): (u32, u32), tape: &mut Tape) {
        tape.trim_end(idx, text_end);
        if let Some(whole) = tape.whole_of(idx) {
            let is_heading = matches!(tape.records[whole].block, Block::Heading { .. });
            tape.records[whole].end = if is_heading { end } else { text_end };
        }
        for exit in idx + 1..tape.records.len() {
            tape.records[exit].end = end;
            for entered in tape.records[exit].left() {
                tape.records[entered].end = end;
            }
        }
    }

    /// The start of the line that is read tentatively.
    pub(crate) fn next_line(&self) -> usize {
        self.next
    }

    /// What was open before [`Live::close`].
    pub(crate) fn open_leaf(&self) -> Option<Unfinished> {
        self.open
    }

    /// Undoes [`Live::close`].
    pub(crate) fn reopen(&mut self, tape: &mut Tape, buffers: &mut BlockBuffers) {
        if std::mem::take(&mut self.is_closed) {
            self.undo.take_back(tape, buffers);
        }
    }
}

impl Phase<'_, '_> {
    /// Whether the last line, which starts at `start`, ends with a cell.
    fn is_cell(&self, start: usize) -> bool {
        let last = self.tape.records.last();
        last.is_some_and(|last| {
            matches!(last.block, Block::Cell(_)) && last.start as usize >= start
        })
    }

    /// Whether the last line, which starts at `start`, is a heading.
    fn is_heading(&self, start: usize) -> bool {
        let last = self.tape.records.last();
        last.is_some_and(|last| {
            matches!(last.block, Block::HeadingText(_)) && last.start as usize > start
        })
    }
}

/// How a document ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// More may follow.
    Tentative,
    /// The document is complete.
    Final,
}
