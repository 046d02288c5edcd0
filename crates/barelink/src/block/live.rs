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

use barelink_text::find::Ahead;

use super::container::Container;
use super::tape::{Block, Kind, Tape, TextMark, VARIANT};
use super::{Buffers, Leaf, Phase};
use crate::options::Options;

/// What the phase knows between two lines, besides its buffers and the tape.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Saved {
    pub(super) leaf: Leaf,
    pub(super) leaf_idx: usize,
    pub(super) after_blank: bool,
    pub(super) content_end: usize,
    pub(super) misfit: Option<usize>,
    pub(super) n_filled_cells: usize,
    pub(super) alert_title: Option<Block>,
}

/// The block phase between two lines.
#[derive(Debug, Default)]
pub(crate) struct Live {
    saved: Saved,
    /// Where the first line starts that was not read.
    next: usize,
    /// Up to here, no line ends in what was not read.
    searched: usize,
    undo: Undo,
    /// Whether everything is closed for the time being.
    is_closed: bool,
    /// The leaf that was open before that, or a line without an ending.
    open: Option<OpenLeaf>,
}

/// What was open before everything was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpenLeaf {
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
    saved: Saved,
    containers: Vec<Container>,
    /// The records of the containers.
    enters: Vec<Block>,
    quotes: Vec<u32>,
    /// The records of the open leaf.
    leaf: Vec<Block>,
    n_blocks: usize,
    text: TextMark,
    n_references: usize,
    n_footnotes: usize,
    n_alignments: usize,
}

impl Leaf {
    /// The first record of a leaf whose text goes to record `idx`.
    fn first_record(self, idx: usize) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Paragraph | Self::Html(_) | Self::Table(_) => Some(idx),
            Self::Fenced(_) | Self::Indented(_) => Some(idx - 2),
        }
    }
}

impl Live {
    /// Reads the lines of `source` from `start` on, as those of a new document.
    pub(crate) fn start(&mut self, start: usize, tape: &mut Tape, buffers: &mut Buffers) {
        tape.clear();
        buffers.containers.clear();
        buffers.quotes.clear();
        self.saved = Saved::default();
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
        buffers: &mut Buffers,
    ) {
        debug_assert!(!self.is_closed);
        let bytes = source.as_bytes();
        let start = self.line_start(bytes);
        let from = self.searched.max(start);
        self.searched = bytes.len();
        let Some(end) = memchr::memrchr2(b'\n', b'\r', &bytes[from..]) else { return };
        let complete = &source[..=from + end];
        let mut line_ends = std::mem::take(&mut buffers.line_ends);
        let mut phase = Phase::resume(complete, options, (tape, buffers), self.saved);
        phase.lines(start, &mut Ahead::new(complete.as_bytes(), start, &mut line_ends));
        self.saved = phase.save();
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
    pub(crate) fn open_record(&self, tape: &Tape, buffers: &Buffers) -> usize {
        if let Some(container) = buffers.containers.first() {
            return container.idx as usize;
        }
        let Saved { leaf, leaf_idx, .. } = self.saved;
        leaf.first_record(leaf_idx).unwrap_or(tape.blocks.len())
    }

    /// Reads the rest of the source and closes everything, until [`Live::reopen`]. With
    /// `Tentative`, what the end defines is not defined.
    pub(crate) fn close(
        &mut self,
        source: &str,
        options: &Options,
        tape: &mut Tape,
        buffers: &mut Buffers,
        ending: Ending,
    ) {
        self.undo.note(&self.saved, tape, buffers);
        tape.references.is_tentative = ending == Ending::Tentative;
        let start = self.line_start(source.as_bytes());
        let mut phase = Phase::resume(source, options, (tape, buffers), self.saved);
        if start < source.len() {
            phase.line(start, source.len());
        }
        self.open = match phase.leaf {
            Leaf::None => (start < source.len()).then_some(OpenLeaf::Line),
            Leaf::Paragraph => Some(OpenLeaf::Paragraph),
            Leaf::Fenced(_) | Leaf::Indented(_) => Some(OpenLeaf::Code),
            Leaf::Html(_) => Some(OpenLeaf::Html),
            Leaf::Table(_) => Some(OpenLeaf::Table),
        };
        phase.close_containers(0);
        tape.references.is_tentative = false;
        self.is_closed = true;
    }

    /// How much of the source was looked at.
    pub(crate) fn n_read(&self) -> usize {
        self.searched
    }

    /// What was open before [`Live::close`].
    pub(crate) fn open_leaf(&self) -> Option<OpenLeaf> {
        self.open
    }

    /// Takes back what [`Live::close`] did.
    pub(crate) fn reopen(&mut self, tape: &mut Tape, buffers: &mut Buffers) {
        if std::mem::take(&mut self.is_closed) {
            self.undo.take_back(tape, buffers);
        }
    }
}

/// What is final of the top-level block that is open.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    /// All records before this one.
    pub(crate) record: usize,
    /// And what is final of the leaf there.
    pub(crate) text: FinalText,
    /// The lists before the record that are open: each may still turn loose.
    pub(crate) lists: Vec<u32>,
}

/// What is final of a leaf that is open.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FinalText {
    #[default]
    Nothing,
    /// The lines that end here or before.
    Lines(u32),
    /// The rows before this record.
    Rows(usize),
}

impl Live {
    /// What is final between two lines. A container is not while the line after may say what
    /// it is: an item without content may become a task, and a block quote an alert.
    pub(crate) fn find_frontier(&self, tape: &Tape, buffers: &Buffers, to: &mut Frontier) {
        let Saved { leaf, leaf_idx, alert_title, .. } = self.saved;
        let containers = buffers.containers.as_slice();
        let leaf_record = leaf.first_record(leaf_idx).unwrap_or(tape.blocks.len());
        to.record = leaf_record;
        if let Some(item) = containers.last().filter(|last| last.kind == Kind::Item) {
            let idx = item.idx as usize;
            if !item.has_children || leaf_record == idx + 1 && tape.blocks[idx].has(VARIANT) {
                to.record = idx;
            }
        }
        if let [quote] = containers
            && quote.kind == Kind::BlockQuote
            && (leaf_record == quote.idx as usize + 1 || alert_title.is_some())
        {
            to.record = quote.idx as usize;
        }
        // The content of a footnote is moved once it is complete.
        if containers.iter().any(|container| container.kind == Kind::FootnoteDefinition) {
            to.record = containers[0].idx as usize;
        }
        to.text = match leaf {
            _ if to.record != leaf_record => FinalText::Nothing,
            Leaf::Fenced(_) | Leaf::Html(_) => FinalText::Lines(tape.blocks[leaf_idx].end),
            Leaf::Indented(kept) => FinalText::Lines(kept.end()),
            Leaf::Table(_) => FinalText::Rows(tape.blocks.len()),
            Leaf::None | Leaf::Paragraph => FinalText::Nothing,
        };
        to.lists.clear();
        let before = containers.iter().filter(|container| (container.idx as usize) < to.record);
        to.lists.extend(before.filter(|it| it.kind == Kind::List).map(|list| list.idx));
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
    fn note(&mut self, saved: &Saved, tape: &Tape, buffers: &Buffers) {
        self.saved = *saved;
        self.containers.clone_from(&buffers.containers);
        self.quotes.clone_from(&buffers.quotes);
        self.enters.clear();
        let enters = buffers.containers.iter().map(|container| tape.blocks[container.idx as usize]);
        self.enters.extend(enters);
        self.n_blocks = tape.blocks.len();
        self.leaf.clear();
        if let Some(first) = saved.leaf.first_record(saved.leaf_idx) {
            // Rows are only added to a table.
            let is_table = matches!(saved.leaf, Leaf::Table(_));
            let end = if is_table { first + 1 } else { self.n_blocks };
            self.leaf.extend_from_slice(&tape.blocks[first..end]);
        }
        let kept = match saved.leaf {
            Leaf::Indented(snapshot) => Some(snapshot),
            _ => None,
        };
        tape.note_text(self.leaf.last(), kept, &mut self.text);
        self.n_references = tape.references.len();
        self.n_footnotes = tape.footnotes.len();
        self.n_alignments = tape.alignments.len();
    }

    fn take_back(&mut self, tape: &mut Tape, buffers: &mut Buffers) {
        std::mem::swap(&mut buffers.containers, &mut self.containers);
        std::mem::swap(&mut buffers.quotes, &mut self.quotes);
        tape.blocks.truncate(self.n_blocks);
        if let Some(first) = self.saved.leaf.first_record(self.saved.leaf_idx) {
            if matches!(self.saved.leaf, Leaf::Table(_)) {
                tape.blocks[first] = self.leaf[0];
            } else {
                tape.blocks.truncate(first);
                tape.blocks.extend_from_slice(&self.leaf);
            }
        }
        for (container, enter) in buffers.containers.iter().zip(&self.enters) {
            tape.blocks[container.idx as usize] = *enter;
        }
        tape.take_back_text(&self.text);
        tape.references.truncate(self.n_references);
        tape.footnotes.truncate(self.n_footnotes);
        tape.alignments.truncate(self.n_alignments);
    }
}

impl<'s, 'b> Phase<'s, 'b> {
    /// The phase as it was between two lines.
    fn resume(
        source: &'s str,
        options: &'b Options,
        (tape, buffers): (&'b mut Tape, &'b mut Buffers),
        saved: Saved,
    ) -> Self {
        let Saved { leaf, leaf_idx, after_blank, content_end, misfit, n_filled_cells, alert_title } =
            saved;
        Self {
            source,
            options,
            tape,
            buffers,
            leaf,
            leaf_idx,
            after_blank,
            content_end,
            not_a_break: (0, 0),
            misfit,
            n_filled_cells,
            alert_title,
        }
    }

    fn save(&self) -> Saved {
        let Self {
            leaf,
            leaf_idx,
            after_blank,
            content_end,
            misfit,
            n_filled_cells,
            alert_title,
            ..
        } = *self;
        Saved { leaf, leaf_idx, after_blank, content_end, misfit, n_filled_cells, alert_title }
    }
}
