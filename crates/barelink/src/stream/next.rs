//! The shortcut of an update from one paragraph to the next: what came ends the open paragraph with
//! a blank line, and goes on with another one that is made of words, or with blank lines.
//!
//! ```text
//! some wo         what was shown
//! rds.⏎⏎More te   what came: the rest of the text, a blank line, the next paragraph
//! ```
//!
//! A line that starts with a letter behind a blank line can start nothing but a paragraph, if
//! no container is open. What follows the blank line and is something else is left to the block
//! phase, which finds the paragraph before it settled.
//!
//! As in `append`, debug builds do the same update once more without the shortcut.

use super::Stream;
use super::append::{Appended, Growing, Kind, Text};
use super::changes::{Change, Shown};
use super::partial::{IsOpen, Stale};
use super::update::{BlockId, BlockKind, BlockState, Pending};
use super::words::{At, Backtick, Backticks, Words};
use crate::block::front_matter::Search;
use crate::policy::SoftBreaks;

/// What stands behind the text of a paragraph.
const AFTER: &str = "</p>\n";

/// Where the text before the first blank line ends, and where the line after that starts.
pub(super) fn find_blank(at: At, piece: &[u8]) -> Option<(usize, usize)> {
    if at == At::LineStart && piece.first() == Some(&b'\n') {
        return Some((0, 1));
    }
    let mut ends = memchr::memchr_iter(b'\n', piece);
    let end = ends.find(|end| piece.get(end + 1) == Some(&b'\n'))?;
    Some((end, end + 2))
}

impl Stream {
    /// Whether nothing is open, and a line that starts with a letter would be a paragraph.
    pub(super) fn can_begin(&self) -> bool {
        let options = &self.parsed.options;
        let is_off = options.definition_lists
            || options.policy.source_positions
            || options.policy.soft_breaks != SoftBreaks::Newline
            || self.completer.is_some()
            || self.changes.is_end
            || self.front_matter != Search::Over
            || self.parsed.tape.has_nul
            || self.revisions.is_waiting();
        // A byte order mark may come first.
        !is_off
            && self.live.n_shown() > 0
            && self.open.is_empty()
            && self.live.is_between()
            && self.live.is_top(&self.buffers)
            && !self.has_section()
    }

    fn has_section(&self) -> bool {
        !self.section.is_empty() || self.scratch.html.has_notes()
    }

    /// Goes on from one paragraph to the next, as far as that goes.
    pub(super) fn append_blocks(&mut self) -> Appended {
        let from = self.live.n_shown();
        let mut next = from;
        if let Some(growing) = self.growing {
            let piece = &self.source.as_bytes()[from..];
            let Some((end, after)) = find_blank(growing.at, piece) else {
                return Appended::Nothing;
            };
            // What is defined here would have to revise what was not settled before.
            if memchr::memmem::find(&piece[after..], b"]:").is_some() {
                return Appended::Nothing;
            }
            if !self.end_paragraph(growing, from, from + end) {
                return Appended::Nothing;
            }
            next += after;
        } else if self.is_between {
            let first = self.source.as_bytes().get(from).copied().unwrap_or(b'\n');
            if first != b'\n' && !is_letter(first) {
                return Appended::Nothing;
            }
            self.changes.clear();
        } else {
            return Appended::Nothing;
        }
        loop {
            let bytes = self.source.as_bytes();
            next += bytes[next..].iter().take_while(|byte| **byte == b'\n').count();
            self.live.pass_blank(next, &self.parsed.tape);
            self.is_between = false;
            if self.has_section() {
                return Appended::Part;
            }
            if next == self.source.len() {
                self.live.rest(&self.parsed.tape, &self.buffers);
                self.set_frontier(self.n_records);
                self.is_between = true;
                break;
            }
            match self.begin_paragraph(next) {
                Some(after) if after == self.source.len() && !self.open.is_empty() => break,
                Some(after) => next = after,
                None => return Appended::Part,
            }
        }
        #[cfg(debug_assertions)]
        self.compare_append();
        Appended::All
    }

    /// Ends the open paragraph, whose text goes on up to `end`. False if it may be something
    /// else: then nothing was done.
    fn end_paragraph(&mut self, mut growing: Growing, from: usize, end: usize) -> bool {
        let Kind::Paragraph(words) = growing.kind else { return false };
        let is_off = !growing.has_lines
            || growing.in_tag
            || self.parsed.options.definition_lists
            || self.has_section()
            || self.open.len() != 1
            || !self.live.is_top(&self.buffers)
            || growing.record + 1 != self.parsed.tape.records.len()
            || !self.partial.is_about(growing.record);
        if is_off {
            return false;
        }
        let bytes = self.source.as_bytes();
        let (before, piece) = (bytes[from - 1], &bytes[from..end]);
        let mut backticks = Backticks::default();
        let escape = growing.go_on(before, piece, &mut backticks);
        // A label that is not defined has to be noted.
        let escape = escape.filter(|_| words.has_parentheses);
        if escape.is_none() && growing.go_on_with_text(before, piece).is_none() {
            return false;
        }
        let was = self.parsed.tape.records[growing.record].end as usize;
        let text_end = growing.text_end(&bytes[..end], was);
        self.changes.clear();
        self.live.extend(growing.record, (text_end as u32, end as u32), &mut self.parsed.tape);
        self.growing = Some(growing);
        let Some(&shown) = self.open.first() else { return false };
        if let Some(escape) = escape {
            let open = &mut self.open[0];
            (open.state, open.pending) = (BlockState::Settled, None);
            if !backticks.places().is_empty() {
                self.show_code(was..text_end, from, &backticks);
            } else if text_end > was {
                self.show_more(was..text_end, growing, escape);
            } else {
                let keep = shown.len;
                let change = Change { keep, ..self.open[0].gone(self.lengths.total()) };
                self.changes.blocks.push(change);
            }
            self.settle(self.open[0], "");
        } else {
            self.write_last(shown);
        }
        self.pass();
        true
    }

    /// Writes what is left of the open paragraph, which was shown as `was` and is complete.
    fn write_last(&mut self, was: Shown) {
        self.scratch.html.take_back();
        self.scratch.inlines.n_expanded = self.n_expanded;
        let mut html = std::mem::take(&mut self.out);
        let before = std::mem::take(&mut self.open_html);
        html.clear();
        let kept = self.partial.html.len();
        self.write_rest(kept, self.parsed.tape.records.len(), IsOpen::No, &mut html);
        let end = self.parsed.tape.records[was.first as usize].end;
        let (len, state) = (kept + html.len(), BlockState::Settled);
        let shown = Shown { len, end, state, pending: None, ..was };
        self.compare(Some((&was, &before)), &shown, (kept, &html), self.lengths.total());
        if kept > 0 && self.scratch.html.has_asked() {
            html.insert_str(0, &self.partial.html);
        }
        self.settle(shown, &html);
        self.out = html;
        self.open_html = before;
    }

    /// The last block is settled, and nothing is open.
    fn pass(&mut self) {
        self.partial.html.clear();
        self.partial.forget();
        self.open.clear();
        self.open_html.clear();
        self.growing = None;
        self.n_after = None;
        self.mark(self.parsed.tape.records.len());
    }

    /// What is final ends before this record.
    fn set_frontier(&mut self, record: usize) {
        self.frontier.record = record;
        self.frontier.lines_end = None;
        self.frontier.lists.clear();
    }

    /// Begins a paragraph with the line at `start`. Returns up to where it took the source: to
    /// the end, and it is open, or behind a blank line. `None` if it may be something else: then
    /// nothing was done.
    fn begin_paragraph(&mut self, start: usize) -> Option<usize> {
        let rest = &self.source.as_bytes()[start..];
        is_letter(rest[0]).then_some(())?;
        let blank = find_blank(At::Line, rest);
        let (end, after) = blank.unwrap_or((rest.len(), rest.len()));
        let options = &self.parsed.options;
        let mut words = Words {
            has_parentheses: true,
            has_domains: options.autolinks.domains || !options.schemes.is_empty(),
            backtick: Backtick::Closed,
            is_code_unsure: options.math || options.wiki_links,
            has_lines: true,
            is_smart: self.parsed.options.smart_punctuation,
        };
        let mut backticks = Backticks::default();
        let (at, _) = words.go_on(At::LineStart, b'\n', &rest[..end], &mut backticks)?;
        let n_shown = rest[..end].trim_ascii_end().len();
        let (text, end, after) = (start..start + n_shown, start + end, start + after);
        let (tape, buffers) = (&mut self.parsed.tape, &self.buffers);
        let record = self.live.open_paragraph(text.clone(), end, tape, buffers);
        self.open_html.push_str("<p>");
        let source = &self.source;
        let words_text = Text { source, range: text, from: start, backticks: &backticks, start: 0 };
        words.backtick = words_text.push(Backtick::Closed, &mut self.open_html);
        self.open_html.push_str(AFTER);
        let is_settled = blank.is_some();
        let settled = (BlockState::Settled, None);
        let (state, pending) =
            if is_settled { settled } else { (BlockState::Open, Some(Pending::Paragraph)) };
        let shown = Shown {
            id: BlockId(start as u32),
            kind: BlockKind::Paragraph,
            end: (start + n_shown) as u32,
            first: record as u32,
            after: record as u32 + 1,
            len: self.open_html.len(),
            state,
            pending,
        };
        let html = self.changes.push_html(&self.open_html);
        let change =
            Change { html, state, pending, len_before: 0, ..shown.gone(self.lengths.total()) };
        self.changes.blocks.push(change);
        if is_settled {
            self.settle(shown, "");
            self.pass();
            return Some(after);
        }
        self.open.push(shown);
        self.set_frontier(record);
        self.continue_partial(record, &mut Stale::default());
        let n_after = AFTER.len();
        self.n_after = Some(n_after);
        let kind = Kind::Paragraph(words);
        self.growing = Some(Growing { kind, record, n_after, has_lines: true, in_tag: false, at });
        Some(after)
    }
}

/// Whether a line that starts with this byte can be no block but a paragraph.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0x80
}
