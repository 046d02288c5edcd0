//! Which text a page ends with, and whether what comes may be appended to it.
//!
//! All of this is found from what is shown, once somebody asks. `append` has the cases.

use barelink_text::find::{Stops, Unplain};

use super::Stream;
use super::append::PARAGRAPH_END;
use super::found::{Backtick, Found, Place};
use super::words::{At, Words, ends_plainly};
use crate::block::front_matter::Search;
use crate::block::live::{OpenText, TextKind};
use crate::html::part::LastCode;
use crate::options::Options;
use crate::policy::SoftBreaks;
use crate::syntax::tag::scan_tag;
use crate::tape::pieces::Layout;
use crate::tape::{Block, Record};

/// What is known of the text that was shown last.
#[derive(Debug, Clone, Copy)]
pub(super) enum Grown {
    /// Nobody asked.
    Unknown,
    /// What comes has to be read.
    Not,
    /// There is none: all blocks are settled, and a line starts.
    Nothing,
    /// A leaf that starts here, of which only its first line may be there.
    First(usize),
    Text(Growing),
}

/// A text that what comes may be appended to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Growing {
    pub(super) kind: Kind,
    /// What can be appended to the text of a paragraph or heading.
    pub(super) words: Words,
    pub(super) at: At,
    /// Whether it may have more lines.
    pub(super) has_lines: bool,
    /// Whether its last line starts with a tag that is not complete: with its end, the line
    /// may be another block.
    pub(super) in_tag: bool,
    /// Its record.
    pub(super) record: usize,
    /// Bytes of HTML behind it.
    pub(super) n_after: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Paragraph,
    Heading,
    /// A cell of a table.
    Cell,
    /// The byte of its fence.
    Code(u8),
    Html,
}

/// How a paragraph goes on.
pub(super) enum Whither {
    /// With all that came.
    On,
    /// Up to the line feed here, which a blank line follows.
    To(usize),
    /// In another way, or not at all.
    Elsewhere,
}

/// What the text of a paragraph ends with.
struct ParagraphEnd {
    at: At,
    /// As [`Growing::in_tag`].
    in_tag: bool,
    /// Whether nothing may be open in its last word.
    is_closed: bool,
}

/// How far the end of a label is looked for.
const MAX_LABEL: usize = 32;

/// The first bytes of a line that say whether it is text.
const MAX_START: usize = 8;

impl Growing {
    /// A paragraph at `record` of one line.
    pub(super) fn new(words: Words, record: usize) -> Self {
        let (kind, n_after) = (Kind::Paragraph, PARAGRAPH_END.len());
        Self { kind, words, at: At::Line, has_lines: false, in_tag: false, record, n_after }
    }

    /// Goes on with what stands from `from` on, if that can be appended as it is.
    #[inline]
    pub(super) fn go_on(&mut self, source: &[u8], from: usize, found: &mut Found) -> Option<()> {
        self.at = match self.kind {
            Kind::Paragraph | Kind::Heading | Kind::Cell => {
                self.words.go_on(self.at, source, from, found)?
            }
            Kind::Code(fence) => {
                found.is_escaped = true;
                let code = OpenCode { fence, has_lines: self.has_lines };
                code.go_on(self.at, source, from, found)?
            }
            Kind::Html => {
                let is_text =
                    |byte: &u8| *byte >= b' ' && !matches!(byte, b'<' | b'>' | b'&' | b'"');
                source[from..].iter().all(is_text).then_some(At::Line)?
            }
        };
        Some(())
    }

    /// How what stands from `from` on goes on with a paragraph, whatever is in it.
    pub(super) fn whither(&self, source: &[u8], from: usize) -> Whither {
        let rest = &source[from..];
        if self.kind != Kind::Paragraph
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

    /// The end of the text in `source`, and with it the length of what is shown of that. Before
    /// what stands from `from` on, it ended at `was`, and white space followed.
    #[inline]
    pub(super) fn text_end(&self, source: &[u8], from: usize, was: usize) -> usize {
        let end = match self.kind {
            Kind::Code(_) => source.len() - usize::from(source.ends_with(b"\n")),
            Kind::Html => source.len(),
            Kind::Paragraph | Kind::Heading | Kind::Cell => trimmed_end(source, from, was),
        };
        end.max(was)
    }
}

/// Code that is open.
pub(super) struct OpenCode {
    /// The byte of its fence.
    pub(super) fence: u8,
    /// Whether it may have more lines.
    pub(super) has_lines: bool,
}

impl OpenCode {
    /// What it ends with after what stands from `from` on, if nothing there may close it.
    pub(super) fn go_on(
        &self,
        mut at: At,
        source: &[u8],
        from: usize,
        found: &mut Found,
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

/// The end of a text in `source` without white space. What stands from `from` on is new: before,
/// it was at `was`.
///
/// LINEAR: only what is new is looked at.
fn trimmed_end(source: &[u8], from: usize, was: usize) -> usize {
    let mut end = source.len();
    while end > from && matches!(source[end - 1], b' ' | b'\t' | b'\n') {
        end -= 1;
    }
    if end == from { was } else { end }
}

/// Whether the text of a paragraph, which is not complete, can start with no definition.
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

/// Whether a line of a paragraph starts with a tag that is not complete. No other block than
/// one of raw HTML can become of it, once the name of the tag is known.
pub(super) fn is_in_tag(line: &[u8]) -> bool {
    let [b'<', rest @ ..] = line else { return false };
    let n_name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    n_name > 0 && rest.get(n_name) == Some(&b' ') && memchr::memchr(b'>', rest).is_none()
}

/// Whether a line of a paragraph starts with a tag that is complete and followed by text.
fn is_behind_tag(line: &[u8]) -> bool {
    let after = scan_tag(line, 0).and_then(|end| line.get(end..));
    line.first() == Some(&b'<') && after.is_some_and(|after| !after.trim_ascii().is_empty())
}

/// Whether the last line of a paragraph or table, which is not complete, is text whatever follows.
fn is_text_line(line: &[u8]) -> bool {
    let start = &line[..line.len().min(MAX_START)];
    let start = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    match start {
        [b'*' | b'_', second, ..] => {
            !matches!(second, b' ' | b'\t') && start.iter().any(u8::is_ascii_alphanumeric)
        }
        [b'`', second, third, ..] => (*second, *third) != (b'`', b'`'),
        // A number is followed by no period or parenthesis, which would start an item.
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
    /// The text that was shown last, if what comes may simply be appended to it.
    pub(super) fn find_growing(&self) -> Grown {
        self.growing_text().map_or(Grown::Not, Grown::Text)
    }

    /// Whether no shortcut is possible.
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
        // In a container, the markers of the line would have to be told from its text.
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
                (Kind::Paragraph, end.at)
            }
            TextKind::Heading => {
                let is_text = matches!(record.block, Block::HeadingText(_));
                let is_whole = source[record.end as usize..].trim_ascii().is_empty();
                let has_attributes = options.policy.heading_ids || options.heading_attributes;
                if !is_text || !is_whole || record.start == record.end || has_attributes {
                    return None;
                }
                (Kind::Heading, self.words.end_of(source, record.start as usize).0)
            }
            TextKind::Cell => {
                let is_text = matches!(record.block, Block::Cell(_)) && record.start < record.end;
                let is_whole = source[record.end as usize..].trim_ascii().is_empty();
                // Otherwise a row may still turn out to be the start of another block.
                let line = source[text.line_start..].trim_ascii_start();
                let is_row = line.first() == Some(&b'|') || is_text_line(line);
                if !is_text || !is_whole || !is_row || record.layout() != Layout::Slice {
                    return None;
                }
                (Kind::Cell, self.words.end_of(source, record.start as usize).0)
            }
            TextKind::Html => {
                let is_first = record.start as usize >= text.line_start;
                let line = source.get(text.line_start..record.end as usize)?;
                // Only a comment is one whatever follows.
                let line = if is_first { line.strip_prefix(b"<!--")? } else { line };
                // The name of a tag may be filtered.
                let is_text = matches!(record.block, Block::Html(_))
                    && !line.contains(&b'<')
                    && (is_first || !line.trim_ascii().is_empty());
                is_text.then_some((Kind::Html, At::Line))?
            }
            TextKind::Code(fence) => {
                let line = &source[text.line_start..];
                let first = line.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
                if first == Some(&fence.byte()) || !matches!(record.block, Block::CodeText(_)) {
                    return None;
                }
                let at = if first.is_none() { At::LineStart } else { At::Line };
                (Kind::Code(fence.byte()), at)
            }
        };
        let is_flush = match text.kind {
            TextKind::Paragraph => options.policy.soft_breaks == SoftBreaks::Newline,
            TextKind::Code(fence) => fence.is_flush(),
            TextKind::Heading | TextKind::Html | TextKind::Cell => false,
        };
        let is_slice = record.layout() == Layout::Slice;
        // With its end, the line would settle what stands before the block.
        let has_lines = text.is_top && is_flush && is_slice && self.page.open.len() == 1;
        if at == At::LineStart {
            // A line that ends in another way is joined to the next one.
            let is_code = is_slice && matches!(kind, Kind::Code(_));
            let is_lf = match &source[..text.line_start] {
                [.., last, b'\n'] => is_code && *last != b'\r' || ends_plainly(*last),
                _ => false,
            };
            if !has_lines || !is_lf {
                return None;
            }
        }
        let mut words = self.words;
        if matches!(kind, Kind::Paragraph | Kind::Heading | Kind::Cell) {
            self.find_open(&mut words, record);
            words.is_closed = is_closed && self.scratch.html.is_closed;
            words.has_lines = has_lines && !in_tag;
            match kind {
                Kind::Heading => words.signs = words.signs.without(b'#'),
                Kind::Cell => words.signs = words.signs.without(b'|'),
                _ => {}
            }
            words.is_code_unsure |= in_tag;
        }
        Some(Growing { kind, words, at, has_lines, in_tag, record: text.record, n_after })
    }

    /// What the open paragraph ends with.
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

    /// Which backtick is open in a text that was just read, and has so many. The last is at `at`,
    /// where `rest` starts.
    fn find_backtick(&self, at: usize, rest: &[u8], n_backticks: usize) -> Backtick {
        let code = self.scratch.html.code;
        if code != LastCode::Open || self.page.open.len() > 1 {
            return if code == LastCode::Closed { Backtick::Closed } else { Backtick::Unknown };
        }
        let Some(n_after) = self.n_after else { return Backtick::Unknown };
        let is_text = self.scratch.inlines.is_text_from(at);
        // Code may take the end of what looks like the reference to a footnote, in which there is
        // no markup.
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
            Backtick::Open(Place { at: at as u32, html: html as u32 })
        })
    }
}
