//! The text that a page ends with, and whether new source may be appended to it.
//!
//! All of this is derived on demand from what is shown. `append` lists the cases.

use barelink_text::find::{Stops, Unplain};

use super::Stream;
use super::append::PARAGRAPH_END;
use super::found::{Backtick, Findings, Point};
use super::words::{At, Words, ends_plainly};
use crate::block::front_matter::Search;
use crate::block::live::{OpenText, TextKind};
use crate::html::part::LastCode;
use crate::options::Options;
use crate::policy::SoftBreaks;
use crate::syntax::tag::scan_tag;
use crate::tape::pieces::Layout;
use crate::tape::{Block, Record};

/// How the page may continue.
#[derive(Debug, Clone, Copy)]
pub(super) enum Grown {
    /// Not determined yet.
    Unknown,
    /// New source has to be read in the general way.
    Not,
    /// There is no open text: all blocks are settled, and a line starts.
    Nothing,
    /// A leaf that starts here, and of which only the first line may have come.
    First(usize),
    Text(Growing),
}

/// A text that new source may be appended to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Growing {
    pub(super) kind: GrowingKind,
    /// The words that can be appended to the text of a paragraph or heading.
    pub(super) words: Words,
    pub(super) at: At,
    /// Whether it may get more lines.
    pub(super) has_lines: bool,
    /// Whether its last line starts with a tag that is not complete: once it is, the line may be
    /// another block.
    pub(super) in_tag: bool,
    /// The index of its record.
    pub(super) record: usize,
    /// The number of bytes of HTML after it.
    pub(super) n_after: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GrowingKind {
    Paragraph,
    Heading,
    /// A cell of a table.
    Cell,
    /// The value is the byte of its fence.
    Code(u8),
    Html,
}

/// How a paragraph continues.
pub(super) enum Whither {
    /// With all of the new source.
    On,
    /// Up to the line feed at this offset, which a blank line follows.
    To(usize),
    /// In another way, or not at all.
    Elsewhere,
}

/// The end of a paragraph's text.
struct ParagraphEnd {
    at: At,
    /// Like [`Growing::in_tag`].
    in_tag: bool,
    /// Whether nothing can be open in its last word.
    is_closed: bool,
}

/// How far to search for the end of a label.
const MAX_LABEL: usize = 32;

/// The number of bytes at the start of a line that decide whether it is text.
const MAX_START: usize = 8;

impl Growing {
    /// A paragraph of one line, with the record `record`.
    pub(super) fn new(words: Words, record: usize) -> Self {
        let (kind, n_after) = (GrowingKind::Paragraph, PARAGRAPH_END.len());
        Self { kind, words, at: At::Line, has_lines: false, in_tag: false, record, n_after }
    }

    /// Continues with the source from `from` on, if that can be appended.
    #[inline]
    pub(super) fn go_on(&mut self, source: &[u8], from: usize, found: &mut Findings) -> Option<()> {
        self.at = match self.kind {
            GrowingKind::Paragraph | GrowingKind::Heading | GrowingKind::Cell => {
                self.words.go_on(self.at, source, from, found)?
            }
            GrowingKind::Code(fence) => {
                found.is_escaped = true;
                let code = OpenCode { fence, has_lines: self.has_lines };
                code.go_on(self.at, source, from, found)?
            }
            GrowingKind::Html => {
                let is_text =
                    |byte: &u8| *byte >= b' ' && !matches!(byte, b'<' | b'>' | b'&' | b'"');
                source[from..].iter().all(is_text).then_some(At::Line)?
            }
        };
        Some(())
    }

    /// How the source from `from` on continues a paragraph, whatever it contains.
    pub(super) fn whither(&self, source: &[u8], from: usize) -> Whither {
        let rest = &source[from..];
        if self.kind != GrowingKind::Paragraph
            || self.in_tag && memchr::memchr2(b'>', b'\n', rest).is_some()
        {
            return Whither::Elsewhere;
        }
        let mut start = from;
        let mut at = self.at;
        loop {
            let rest = &source[start..];
            if rest.is_empty() {
                return Whither::On;
            }
            if at == At::LineStart && !is_text_line(rest) {
                let is_end = start > from && rest[0] == b'\n';
                return if is_end { Whither::To(start - 1) } else { Whither::Elsewhere };
            }
            let Some(len) = memchr::memchr3(b'\n', b'\r', 0, rest) else { return Whither::On };
            let end = start + len;
            if source[end] != b'\n' || !self.has_lines || !ends_plainly(source[end - 1]) {
                return Whither::Elsewhere;
            }
            start = end + 1;
            at = At::LineStart;
        }
    }

    /// The end of the text in `source`, which is also the end of what is displayed. Before the new
    /// source from `from` on, the text ended at `was`, and white space followed.
    #[inline]
    pub(super) fn text_end(&self, source: &[u8], from: usize, was: usize) -> usize {
        let end = match self.kind {
            GrowingKind::Code(_) => source.len() - usize::from(source.ends_with(b"\n")),
            GrowingKind::Html => source.len(),
            GrowingKind::Paragraph | GrowingKind::Heading | GrowingKind::Cell => {
                trimmed_end(source, from, was)
            }
        };
        end.max(was)
    }
}

/// Code that is open.
pub(super) struct OpenCode {
    /// The byte of its fence.
    pub(super) fence: u8,
    /// Whether it may get more lines.
    pub(super) has_lines: bool,
}

impl OpenCode {
    /// The position after the source from `from` on, if nothing in there may close the code.
    pub(super) fn go_on(
        &self,
        mut at: At,
        source: &[u8],
        from: usize,
        found: &mut Findings,
    ) -> Option<At> {
        let mut start = from;
        loop {
            if at == At::LineStart {
                let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
                start += source[start..].iter().take_while(is_blank).count();
                let Some(first) = source.get(start) else { return Some(At::LineStart) };
                if *first == self.fence {
                    let is_start = self.has_lines && source[start - 1] == b'\n';
                    found.fence = is_start.then_some(start);
                    return None;
                }
            }
            let rest = &source[start..];
            let Some(len) = memchr::memchr3(b'\n', b'\r', 0, rest) else { return Some(At::Line) };
            if rest[len] != b'\n' || !self.has_lines {
                return None;
            }
            start += len + 1;
            at = At::LineStart;
        }
    }
}

/// The end of a text in `source` without white space. The part from `from` on is new; before, the
/// end was at `was`.
///
/// LINEAR: only the new part is read.
fn trimmed_end(source: &[u8], from: usize, was: usize) -> usize {
    let mut end = source.len();
    while end > from && matches!(source[end - 1], b' ' | b'\t' | b'\n') {
        end -= 1;
    }
    if end == from { was } else { end }
}

/// Whether the text of a paragraph, which is not complete, certainly starts with no definition.
pub(super) fn has_no_definition(text: &[u8], options: &Options) -> bool {
    if text.first() != Some(&b'[') {
        return true;
    }
    if options.alerts && text.get(1) == Some(&b'!') {
        return false;
    }
    let text = &text[..text.len().min(MAX_LABEL)];
    let Some(at) = memchr::memchr(b']', text) else { return false };
    text[at - 1] != b'\\' && text.get(at + 1).is_some_and(|after| *after != b':')
}

/// Whether a line of a paragraph starts with an incomplete tag. Once the name of the tag is known,
/// the line can become no block other than raw HTML.
pub(super) fn is_in_tag(line: &[u8]) -> bool {
    let [b'<', rest @ ..] = line else { return false };
    let n_name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    n_name > 0 && rest.get(n_name) == Some(&b' ') && memchr::memchr(b'>', rest).is_none()
}

/// Whether a line of a paragraph starts with a complete tag that is followed by text.
fn is_behind_tag(line: &[u8]) -> bool {
    let after = scan_tag(line, 0).and_then(|end| line.get(end..));
    line.first() == Some(&b'<') && after.is_some_and(|after| !after.trim_ascii().is_empty())
}

/// Whether the last line of a paragraph or table, which is not complete, is text however it
/// continues.
fn is_text_line(line: &[u8]) -> bool {
    let start = &line[..line.len().min(MAX_START)];
    let start = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    match start {
        [b'*' | b'_', second, ..] => {
            !matches!(second, b' ' | b'\t') && start.iter().any(u8::is_ascii_alphanumeric)
        }
        [b'`', second, third, ..] => (*second, *third) != (b'`', b'`'),
        // The byte after a number must not be a period or parenthesis, which would start an item.
        [b'0'..=b'9', ..] => {
            let after = start.iter().find(|byte| !byte.is_ascii_digit());
            after.is_some_and(|after| !matches!(after, b'.' | b')'))
        }
        [b'[', second, ..] => *second != b'^',
        [first, ..] => first.is_ascii_alphabetic() || *first >= 0x80 || b"\"'(\\".contains(first),
        [] => false,
    }
}

impl Stream {
    /// The text at the end of the page, if new source may simply be appended to it.
    pub(super) fn find_growing(&self) -> Grown {
        self.growing_text().map_or(Grown::Not, Grown::Text)
    }

    /// Whether no fast path is possible.
    #[inline]
    pub(super) fn is_read_whole(&self) -> bool {
        self.completer.is_some()
            || self.changes.is_end
            || self.front_matter != Search::Over
            || self.parsed.options.policy.source_positions
            || self.parsed.tape.has_nul
            || self.revisions.is_waiting()
            || self.partial.is_stale
            || self.partial.is_forced()
    }

    fn growing_text(&self) -> Option<Growing> {
        let n_after = self.n_after?;
        let text = self.live.open_text()?;
        let options = &self.parsed.options;
        let record = self.parsed.tape.records.get(text.record)?;
        if self.is_read_whole() {
            return None;
        }
        // In a container, markers would have to be separated from the text of the line.
        if text.kind != TextKind::Paragraph && !text.is_top {
            return None;
        }
        let source = &self.source.as_bytes()[..self.live.n_shown()];
        let mut in_tag = false;
        let mut is_closed = false;
        let (kind, at) = match text.kind {
            TextKind::Paragraph => {
                let end = self.paragraph_end(&text, record, source)?;
                (in_tag, is_closed) = (end.in_tag, end.is_closed);
                (GrowingKind::Paragraph, end.at)
            }
            TextKind::Heading => {
                let is_text = matches!(record.block, Block::HeadingText(_));
                let is_whole = source[record.end as usize..].trim_ascii().is_empty();
                let has_attributes = options.policy.heading_ids || options.heading_attributes;
                if !is_text || !is_whole || record.start == record.end || has_attributes {
                    return None;
                }
                (GrowingKind::Heading, self.words.end_of(source, record.start as usize).0)
            }
            TextKind::Cell => {
                let is_text = matches!(record.block, Block::Cell(_)) && record.start < record.end;
                let is_whole = source[record.end as usize..].trim_ascii().is_empty();
                // Otherwise a row may still become the start of another block.
                let line = source[text.line_start..].trim_ascii_start();
                let is_row = line.first() == Some(&b'|') || is_text_line(line);
                if !is_text || !is_whole || !is_row || record.layout() != Layout::Slice {
                    return None;
                }
                (GrowingKind::Cell, self.words.end_of(source, record.start as usize).0)
            }
            TextKind::Html => {
                let is_first = record.start as usize >= text.line_start;
                let line = source.get(text.line_start..record.end as usize)?;
                // Only a comment stays the same block whatever follows.
                let line = if is_first { line.strip_prefix(b"<!--")? } else { line };
                // A tag may be filtered by its name.
                let is_text = matches!(record.block, Block::Html(_))
                    && !line.contains(&b'<')
                    && (is_first || !line.trim_ascii().is_empty());
                is_text.then_some((GrowingKind::Html, At::Line))?
            }
            TextKind::Code(fence) => {
                let line = &source[text.line_start..];
                let first = line.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
                if first == Some(&fence.byte()) || !matches!(record.block, Block::CodeText(_)) {
                    return None;
                }
                let at = if first.is_none() { At::LineStart } else { At::Line };
                (GrowingKind::Code(fence.byte()), at)
            }
        };
        let is_flush = match text.kind {
            TextKind::Paragraph => options.policy.soft_breaks == SoftBreaks::Newline,
            TextKind::Code(fence) => fence.is_flush(),
            TextKind::Heading | TextKind::Html | TextKind::Cell => false,
        };
        let is_slice = record.layout() == Layout::Slice;
        // With several open blocks, the end of the line would settle the earlier ones.
        let has_lines = text.is_top && is_flush && is_slice && self.page.open.len() == 1;
        if at == At::LineStart {
            // Only after such a line end is the next line joined by a line feed.
            let is_code = is_slice && matches!(kind, GrowingKind::Code(_));
            let is_lf = match &source[..text.line_start] {
                [.., last, b'\n'] => is_code && *last != b'\r' || ends_plainly(*last),
                _ => false,
            };
            if !has_lines || !is_lf {
                return None;
            }
        }
        let mut words = self.words;
        if matches!(kind, GrowingKind::Paragraph | GrowingKind::Heading | GrowingKind::Cell) {
            self.find_open(&mut words, record);
            words.is_closed = is_closed && self.scratch.html.is_closed;
            words.has_lines = has_lines && !in_tag;
            match kind {
                GrowingKind::Heading => words.signs = words.signs.without(b'#'),
                GrowingKind::Cell => words.signs = words.signs.without(b'|'),
                _ => {}
            }
            words.is_code_unsure |= in_tag;
        }
        Some(Growing { kind, words, at, has_lines, in_tag, record: text.record, n_after })
    }

    /// Analyzes the end of the open paragraph.
    fn paragraph_end(
        &self,
        text: &OpenText,
        record: &Record,
        source: &[u8],
    ) -> Option<ParagraphEnd> {
        let (start, end) = (record.start as usize, record.end as usize);
        let is_paragraph = matches!(record.block, Block::Paragraph(_));
        if end <= start
            || !is_paragraph
            || !has_no_definition(&source[start..end], &self.parsed.options)
        {
            return None;
        }
        let (at, is_closed) = self.words.end_of(source, start);
        if text.line_start == source.len() {
            let at = At::line_start_after(at)?;
            return Some(ParagraphEnd { at, in_tag: false, is_closed });
        }
        let segments = self.parsed.tape.segments(record.layout());
        let last = segments.and_then(<[_]>::last).map_or(text.line_start, |it| it.start as usize);
        let line = source.get(last.max(start).max(text.line_start)..end)?;
        let in_tag = is_in_tag(line);
        let is_text = in_tag || is_text_line(line) || is_behind_tag(line);
        is_text.then_some(ParagraphEnd { at, in_tag, is_closed })
    }

    /// Finds what is open in the text of `record`, which was just read from its last neutral place
    /// on.
    fn find_open(&self, words: &mut Words, record: &Record) {
        let from = self.partial.text_at().unwrap_or(0).max(record.start) as usize;
        let text = &self.source.as_bytes()[..record.end as usize];
        let mut last_backtick = None;
        let mut n_backticks = 0;
        for at in Stops::<Unplain>::at_end(text, from) {
            match text[at] {
                b']' => words.has_parentheses = false,
                b'<' => words.has_angles = false,
                b'`' => (last_backtick, n_backticks) = (Some(at), n_backticks + 1),
                _ => {}
            }
        }
        words.is_code_unsure |= !words.has_parentheses || !words.has_angles;
        if let Some(at) = last_backtick {
            words.backtick = self.find_backtick(at, &text[at..], n_backticks);
        }
    }

    /// Finds the open backtick in a text that was just read, which has `n_backticks`. The last one
    /// is at `at`, where `rest` starts.
    fn find_backtick(&self, at: usize, rest: &[u8], n_backticks: usize) -> Backtick {
        let code = self.scratch.html.code;
        if code != LastCode::Open || self.page.open.len() > 1 {
            return if code == LastCode::Closed { Backtick::Closed } else { Backtick::Unknown };
        }
        let Some(n_after) = self.n_after else { return Backtick::Unknown };
        let is_text = self.scratch.inlines.is_text_from(at);
        // The end of what looks like a footnote reference, which contains no markup, may be inside
        // the code.
        let is_plain = memchr::memchr2(b'\n', b']', rest).is_none();
        if !is_text || n_backticks > 1 || !is_plain {
            return Backtick::Unknown;
        }
        let n_escaped = rest.iter().map(|byte| match byte {
            b'<' | b'>' => "&lt;".len(),
            b'&' => "&amp;".len(),
            b'"' => "&quot;".len(),
            _ => 1,
        });
        let html = (self.page.html.len() - n_after).checked_sub(n_escaped.sum());
        html.map_or(Backtick::Unknown, |html| {
            Backtick::Open(Point { at: at as u32, html: html as u32 })
        })
    }
}
