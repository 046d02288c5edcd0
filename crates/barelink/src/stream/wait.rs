//! Updates that wait because they would reread too much.
//!
//! Nearly everything is written in parts, and so is read once. Some things cannot be split: a
//! heading, a footnote, an incomplete definition, a block whose footnotes or headings depend on all
//! others, and what the last line starts with while that decides what the line is.
//!
//! LINEAR: if more than [`LONG`] bytes would be read again, the update waits until they have grown
//! by an eighth. So a byte is read at most nine times, and as long as nothing is long, an update
//! reads at most [`LONG`] bytes again.

use super::Stream;
use super::tail::may_be_definition;
use crate::block::live::TextKind;
use crate::syntax::destination::MAX_LABEL;

/// The number of bytes that may be read again at every update.
pub(super) const LONG: usize = 16 * 1024;

/// What the next update would read again.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Wait {
    /// The number of bytes that were read and will be read again.
    n_again: usize,
    /// The length of the source at that time.
    n_read: usize,
    /// Whether that is the start of the last line.
    is_line: bool,
}

/// Whether work on `len` bytes should be repeated after `n_new` more have been pushed.
pub(super) fn is_worth(len: usize, n_new: usize) -> bool {
    len <= LONG || n_new >= len / 8
}

/// The end of what decides about a line: white space and markers, a delimiter row, or the label of
/// a footnote.
#[cold]
fn scan_line_start(line: &[u8]) -> usize {
    let is_start = |byte: &u8| b" \t>-+*|:".contains(byte);
    let start = line.iter().position(|byte| !is_start(byte)).unwrap_or(line.len());
    let Some(label) = line[start..].strip_prefix(b"[^") else { return start };
    let is_end = |byte: &u8| matches!(byte, b']' | b' ' | b'\t' | b'\n');
    line.len() - label.len() + label.iter().position(is_end).unwrap_or(label.len())
}

impl Stream {
    /// Whether an update should wait for more of the source.
    pub(super) fn waits(&self) -> bool {
        let Wait { n_again, n_read, is_line } = self.wait;
        if is_worth(n_again, self.source.len() - n_read) || self.changes.is_end {
            return false;
        }
        // A line ending ends a heading or a row.
        let kind = self.live.open_text().map(|text| text.kind);
        let is_line = is_line || matches!(kind, Some(TextKind::Heading | TextKind::Cell));
        let new = &self.source.as_bytes()[n_read..];
        !(is_line && memchr::memchr2(b'\n', b'\r', new).is_some())
    }

    /// Records how much the next update will read again.
    pub(super) fn note_wait(&mut self) {
        let n_read = self.source.len();
        let n_held = self.changes.held.len() as usize;
        let open = self.parsed.tape.records.get(self.n_records);
        let n_open = open.map_or(0, |record| n_read - record.start as usize);
        // This is an upper bound, and usually small.
        let n_again = if n_open <= LONG { 0 } else { self.n_read_again(n_open) };
        let n_again = n_again.max(n_held);
        let n_start = self.n_line_start();
        self.wait = Wait { n_again: n_again.max(n_start), n_read, is_line: n_start > n_again };
    }

    /// How many bytes at the start of the last line the block phase will read again.
    fn n_line_start(&self) -> usize {
        match self.source.as_bytes().get(self.live.next_line()..) {
            Some(line) if line.len() > LONG => scan_line_start(line),
            _ => 0,
        }
    }

    /// How many bytes of the open block, which has `n_open`, will be read again.
    #[cold]
    fn n_read_again(&self, n_open: usize) -> usize {
        let tape = &self.parsed.tape;
        let is_whole = self.parsed.options.policy.source_positions || tape.has_nul;
        if is_whole || !self.partial.has_parts(self.n_records) {
            return n_open;
        }
        let from = self.live.joined_from().or_else(|| self.definition_start());
        let from = from.or_else(|| self.partial.read_from(tape));
        from.map_or(0, |from| self.source.len() - from as usize)
    }

    /// The start of the open paragraph, if it may be a definition, which is always read from its
    /// start.
    fn definition_start(&self) -> Option<u32> {
        let text = self.live.open_text().filter(|text| text.kind == TextKind::Paragraph)?;
        let record = self.parsed.tape.records.get(text.record)?;
        let text = record.span().slice(&self.source).as_bytes();
        if text.first() != Some(&b'[') {
            return None;
        }
        memchr::memmem::find(&text[..text.len().min(MAX_LABEL + 3)], b"]:")?;
        may_be_definition(text).then_some(record.start)
    }
}
