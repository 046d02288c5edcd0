//! Fast paths around [`Phase::line`], the general path, for the kinds of lines that most documents
//! consist of.
//!
//! Each handles one case, which it recognizes by the first bytes of the line and the
//! [`State`](super::State), and has the effect of the general path:
//!
//! | accelerator | where | the lines it takes |
//! |---|---|---|
//! | [`blank`](Phase::accelerate_blank) | no container, no leaf or a paragraph | empty lines |
//! | [`paragraph`](Phase::accelerate_paragraph) | no container, no leaf | lines whose first byte starts no block |
//! | `continuation`, in [`accelerate`](Phase::accelerate) | no container, a paragraph | lines whose first byte starts no block |
//! | [`fenced`](Phase::accelerate_fenced) | no container, fenced code without indentation | lines that are not a fence |
//! | [`indented`](Phase::accelerate_indented) | no container, no leaf or indented code | a tab or four spaces, and text; in the code, empty lines |
//! | [`item`](Phase::accelerate_item) | lists and nothing else | the next item of one of them |
//! | [`message`](accelerate_message) | the whole document | one line whose first byte starts no block |
//! | `close_text`, in `live.rs` | a stream; no container, no leaf or a paragraph | the last line, if its first byte starts no block |
//!
//! They define no syntax: any other line goes to the general path. Debug builds read documents of
//! up to [`MAX_COMPARED`] bytes, and the last line of every stream, once more without them, and
//! compare the results ([`compare`]).

use super::code::Fence;
use super::container::ContainerKind;
use super::heading::is_blank;
use super::source_lines::{Bounds, SourceLines};
use super::start::Start;
#[cfg(debug_assertions)]
use super::{BlockBuffers, Options, Slots};
use super::{CODE_INDENT, OpenLeaf, Phase};
use crate::tape::pieces::{Layout, Lines, Segment};
use crate::tape::{Block, Record, Tape};

/// Longer documents are hardly ever a single line.
const MAX_MESSAGE: usize = 1024;

/// The first line that an accelerator did not take. `None` at the end of the document.
type Left = Option<Bounds>;

impl Phase<'_, '_> {
    /// Takes lines from `line` on as long as a fast path applies. Returns the first line for the
    /// general path; `None` at the end of the document.
    #[inline]
    pub(super) fn accelerate(&mut self, mut line: Bounds, lines: &mut SourceLines<'_, '_>) -> Left {
        let bytes = self.source.as_bytes();
        loop {
            if !self.buffers.containers.is_empty() {
                if !self.accelerate_item(line) {
                    return Some(line);
                }
                line = self.next_line(lines)?;
                continue;
            }
            let is_text = !line.is_empty() && self.is_text(bytes[line.start]);
            let leaf = self.state.leaf;
            line = match leaf {
                OpenLeaf::None | OpenLeaf::Paragraph if line.is_empty() => {
                    self.accelerate_blank();
                    self.next_line(lines)?
                }
                OpenLeaf::None if is_text => self.accelerate_paragraph(line, lines)?,
                OpenLeaf::None if is_blank(bytes[line.start]) => {
                    let Some(start) = indented_text(bytes, line) else { return Some(line) };
                    self.open_code(Segment::line(start, line.end));
                    self.state.after_blank = false;
                    self.next_line(lines)?
                }
                OpenLeaf::Paragraph if is_text => {
                    self.continue_paragraph(line.start, line.end);
                    self.next_line(lines)?
                }
                OpenLeaf::Indented(_) if is_text => {
                    self.close_leaf();
                    continue;
                }
                OpenLeaf::Indented(_) => {
                    let next = self.accelerate_indented(line, lines)?;
                    if next == line {
                        return Some(line);
                    }
                    next
                }
                OpenLeaf::Fenced(fence) if fence.is_code(&bytes[line.start..line.end]) => {
                    let next = self.accelerate_fenced(fence, line, lines)?;
                    if next == line {
                        return Some(line);
                    }
                    next
                }
                _ => return Some(line),
            };
        }
    }

    /// Whether a line at the top level that starts with `byte` starts no block.
    #[inline]
    pub(super) fn is_text(&self, byte: u8) -> bool {
        match Start::of(byte) {
            Start::Text => true,
            start => self.is_text_here(start),
        }
    }

    /// [`Phase::is_text`] for a byte that starts a block with some options only.
    #[inline(never)]
    fn is_text_here(&self, start: Start) -> bool {
        match start {
            Start::Bracket => !self.options.footnotes,
            Start::Pipe => !self.options.tables,
            Start::Colon => !self.options.tables && !self.options.definition_lists,
            _ => false,
        }
    }

    #[inline]
    fn accelerate_blank(&mut self) {
        if self.state.is_in_paragraph() {
            self.close_leaf();
        }
        self.state.after_blank = true;
    }

    /// Reads a paragraph from its first line on, as one slice of the source.
    #[inline]
    fn accelerate_paragraph(&mut self, first: Bounds, lines: &mut SourceLines<'_, '_>) -> Left {
        let bytes = self.source.as_bytes();
        let Bounds { start, mut end } = first;
        let mut breaks = false;
        let left = loop {
            let Some(next) = lines.next() else { break None };
            if next.is_empty()
                || !self.is_text(bytes[next.start])
                || !lines.follows_line_feed(next.start)
            {
                break Some(next);
            }
            if is_blank(bytes[end - 1]) {
                breaks = true;
            }
            end = next.end;
        };
        self.tape.has_nul |= lines.has_nul;
        let layout = slice_layout(bytes, first.end, end, lines);
        let block = Block::Paragraph(Lines { layout, breaks });
        self.push_leaf(Record::new(block, start, end));
        // Most paragraphs end at a blank line. If closing one would do nothing else, it is closed
        // here.
        let is_closed =
            bytes[start] != b'[' && !is_blank(bytes[end - 1]) && left.is_some_and(Bounds::is_empty);
        self.state.leaf = if is_closed { OpenLeaf::None } else { OpenLeaf::Paragraph };
        self.state.after_blank = false;
        left
    }

    /// Reads lines of fenced code, as one slice of the source.
    #[inline(never)]
    fn accelerate_fenced(
        &mut self,
        fence: Fence,
        first: Bounds,
        lines: &mut SourceLines<'_, '_>,
    ) -> Left {
        let bytes = self.source.as_bytes();
        let record = &mut self.tape.records[self.state.text_idx];
        let Block::CodeText(code) = &mut record.block else { return Some(first) };
        let goes_on = match code.layout {
            Layout::NoLines => true,
            Layout::Slice | Layout::Crlf => lines.follows_line_feed(first.start),
            Layout::Pieces(_) => false,
        };
        if !goes_on {
            return Some(first);
        }
        let mut end = first.end;
        let left = loop {
            let Some(next) = lines.next() else { break None };
            let is_code = fence.is_code(&bytes[next.start..next.end]);
            if !is_code || !lines.follows_line_feed(next.start) {
                break Some(next);
            }
            end = next.end;
        };
        let mut first_end = record.end as usize;
        if code.layout == Layout::NoLines {
            record.start = first.start as u32;
            first_end = first.end;
        }
        if code.layout != Layout::Crlf {
            code.layout = slice_layout(bytes, first_end, end, lines);
        }
        record.end = end as u32;
        self.state.content_end = end;
        self.state.after_blank = false;
        self.tape.has_nul |= lines.has_nul;
        left
    }

    /// Reads lines of indented code: each is a piece, without its indentation.
    #[inline(never)]
    fn accelerate_indented(&mut self, first: Bounds, lines: &mut SourceLines<'_, '_>) -> Left {
        let bytes = self.source.as_bytes();
        if !first.is_empty() && indented_text(bytes, first).is_none() {
            return Some(first);
        }
        let mut left = Some(first);
        let mut is_blank = false;
        let next = || {
            let line = left?;
            let start = if line.is_empty() { line.start } else { indented_text(bytes, line)? };
            is_blank = line.is_empty();
            left = lines.next();
            Some(Segment::line(start, line.end))
        };
        if let Some(kept) = self.tape.add_pieces(self.state.text_idx, bytes, next) {
            self.keep_indented(kept);
        }
        self.state.after_blank = is_blank;
        self.tape.has_nul |= lines.has_nul;
        left
    }

    /// Takes the next item of a list, as most lines of long lists are: optional spaces, the same
    /// bullet, a space, and text. Lists may nest, but there may be no other container. Nothing that
    /// is open in the previous item can continue with such a line. True if taken.
    #[inline]
    fn accelerate_item(&mut self, line: Bounds) -> bool {
        let text = &self.source.as_bytes()[line.start..line.end];
        let n_spaces = text.iter().take_while(|&&byte| byte == b' ').count();
        let &[bullet @ (b'-' | b'+' | b'*'), b' ', first, ..] = &text[n_spaces..] else {
            return false;
        };
        let mut columns = n_spaces;
        let (lists, _) = self.buffers.containers.as_chunks::<2>();
        // The list of the first item that the line does not belong to.
        let found = lists.iter().position(|[list, item]| {
            let is_inside = list.kind == ContainerKind::List && columns >= item.indent as usize;
            columns -= if is_inside { item.indent as usize } else { 0 };
            !is_inside
        });
        let Some(depth) = found else { return false };
        let list = lists[depth][0];
        if list.marker != bullet || columns >= CODE_INDENT || !self.is_text(first) {
            return false;
        }
        self.close_containers(2 * depth + 1);
        let start = line.start + n_spaces;
        self.push_item(start, start + 1, columns + 2);
        self.open_paragraph(start + 2, line.end);
        true
    }
}

/// The start of the text if a line at the top level is indented code by a tab or four spaces
/// ([`CODE_INDENT`]), and not blank.
#[inline]
fn indented_text(bytes: &[u8], line: Bounds) -> Option<usize> {
    let ([b'\t', text @ ..] | [b' ', b' ', b' ', b' ', text @ ..]) = &bytes[line.start..line.end]
    else {
        return None;
    };
    // The last byte usually decides, and no other byte is as good a guess: much code has more
    // indentation, of varying width.
    let has_text = text.last().is_some_and(|byte| !is_blank(*byte))
        || text.iter().any(|byte| !is_blank(*byte));
    has_text.then_some(line.end - text.len())
}

/// Takes a document of a single line: a paragraph, for which only the end has to be found. True if
/// taken.
#[inline]
pub(super) fn accelerate_message(source: &str, tape: &mut Tape) -> bool {
    let bytes = source.as_bytes();
    let starts_text = |byte: u8| {
        // A byte order mark is not part of the text.
        Start::of(byte) == Start::Text && byte != b'\xEF'
    };
    if bytes.len() > MAX_MESSAGE
        || !bytes.first().copied().is_some_and(starts_text)
        || memchr::memchr3(b'\n', b'\r', b'\0', bytes).is_some()
    {
        return false;
    }
    let n_blanks = bytes.iter().rev().take_while(|&&byte| is_blank(byte)).count();
    tape.clear();
    tape.push(Record::new(Block::Paragraph(Lines::SLICE), 0, bytes.len() - n_blanks));
    true
}

/// The layout of consecutive lines, the first of which ends at `first_end`, and the last at `end`.
#[inline]
fn slice_layout(bytes: &[u8], first_end: usize, end: usize, lines: &SourceLines<'_, '_>) -> Layout {
    if !lines.has_crlf || first_end == end {
        return Layout::Slice;
    }
    let text = bytes.get(first_end..end).unwrap_or_default();
    // Most documents end all lines alike.
    let has_crlf = text.starts_with(b"\r") || memchr::memchr(b'\r', text).is_some();
    if has_crlf { Layout::Crlf } else { Layout::Slice }
}

/// Larger documents are not compared, so that tests on them stay fast.
#[cfg(debug_assertions)]
const MAX_COMPARED: usize = 1 << 16;

/// Reads `source` again without accelerators, and panics if the tapes differ.
#[cfg(debug_assertions)]
pub(super) fn compare(source: &str, options: &Options, tape: &Tape) {
    if source.len() > MAX_COMPARED {
        return;
    }
    let mut again = Tape::default();
    let mut buffers = BlockBuffers::default();
    let mut slots = Slots::default();
    let mut phase = Phase::new(source, options, &mut again, &mut buffers);
    let start = phase.start();
    let mut lines = SourceLines::new(source.as_bytes(), start, &mut slots);
    while let Some(line) = phase.next_line(&mut lines) {
        phase.line(line);
    }
    phase.close_containers(0);
    let n_same = tape.records.iter().zip(&again.records).take_while(|(a, b)| a == b).count();
    let (fast, slow) = (tape.records.get(n_same), again.records.get(n_same));
    assert_eq!(fast, slow, "with and without accelerators, record {n_same} of {source:?}");
    assert!(*tape == again, "with and without accelerators, {source:?}");
}
