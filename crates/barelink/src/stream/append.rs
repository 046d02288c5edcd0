//! The shortcut of an update: what came only goes on with the text that was shown last, and
//! means nothing else. Then the page gets it as it is, and nothing is read again.
//!
//! | the open text is | what came is | and |
//! |---|---|---|
//! | a paragraph | words | the word before is one, or white space stands between |
//! | a paragraph in no container | lines of words | each starts with a letter, and none ends in white space |
//! | fenced code in no container | part of a line | the line does not start with the fence's byte |
//! | the same, not indented | lines | none of them does |
//! | raw HTML in no container | part of a line | nothing in it is markup, and the line is not the first, or that of a comment |
//! | a heading with `#`, in no container | words | as in a paragraph |
//!
//! Where a paragraph goes on in this way, but not with words alone, its text is read again from the
//! last neutral place on, and nothing else is.
//!
//! `words` says what a word is. What is open before it (emphasis, a bracket, a run of backticks, a
//! tag) stays open, since it would need another byte to end.
//!
//! The shortcut decides nothing on its own: debug builds do the same update once more without
//! it, and find that nothing is left to change.

use std::ops::Range;

use barelink_text::escape::push_escaped_line;

use super::Stream;
use super::changes::{Change, Shown};
use super::next::find_blank;
use super::partial::{FREE, IsOpen};
use super::words::{At, Backtick, Backticks, Escape, Words, ends_plainly};
use crate::block::front_matter::Search;
use crate::block::live::{Ending, OpenText, TextKind};
use crate::html::escape::push_escaped_range;
use crate::html::part::LastCode;
use crate::inline::code_span::is_padded;
use crate::options::Options;
use crate::policy::SoftBreaks;
use crate::syntax::tag::scan_tag;
use crate::tape::pieces::Layout;
use crate::tape::{Block, Record};

/// What a shortcut did with what came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Appended {
    Nothing,
    /// It took the first lines, and told of that.
    Part,
    All,
}

/// A text that what comes may be appended to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Growing {
    pub(super) kind: Kind,
    /// Its record.
    pub(super) record: usize,
    /// Bytes of HTML behind it.
    pub(super) n_after: usize,
    /// Whether it may have more lines.
    pub(super) has_lines: bool,
    /// Whether its last line starts with a tag that is not complete: with its end, the line
    /// may be another block.
    pub(super) in_tag: bool,
    pub(super) at: At,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Paragraph(Words),
    Heading(Words),
    /// The byte of its fence.
    Code(u8),
    Html,
}

/// How far the end of a label is looked for.
const MAX_LABEL: usize = 32;

/// The first bytes of a line that say whether it is text.
const MAX_START: usize = 8;

impl Growing {
    /// Goes on with `piece`, if that can be appended as it is. `before` is the byte before it.
    #[inline]
    pub(super) fn go_on(
        &mut self,
        before: u8,
        piece: &[u8],
        backticks: &mut Backticks,
    ) -> Option<Escape> {
        let (at, escape) = match self.kind {
            Kind::Paragraph(ref mut words) | Kind::Heading(ref mut words) => {
                let mut now = *words;
                now.has_lines &= !self.in_tag;
                now.is_code_unsure |= self.in_tag;
                let next = now.go_on(self.at, before, piece, backticks)?;
                words.is_code_unsure = now.is_code_unsure;
                next
            }
            Kind::Code(fence) => (self.go_on_with_code(fence, piece)?, Escape::Yes),
            Kind::Html => {
                let is_text =
                    |byte: &u8| *byte >= b' ' && !matches!(byte, b'<' | b'>' | b'&' | b'"');
                piece.iter().all(is_text).then_some((At::Line, Escape::No))?
            }
        };
        self.at = at;
        Some(escape)
    }

    /// The same if the piece goes on with a paragraph, whatever is in it.
    pub(super) fn go_on_with_text(&self, mut before: u8, piece: &[u8]) -> Option<At> {
        if !matches!(self.kind, Kind::Paragraph(_))
            || self.in_tag && memchr::memchr2(b'>', b'\n', piece).is_some()
        {
            return None;
        }
        let mut rest = piece;
        let mut at = self.at;
        loop {
            if rest.is_empty() {
                return Some(at);
            }
            if at == At::LineStart && !is_text_line(rest) {
                return None;
            }
            let Some(len) = memchr::memchr3(b'\n', b'\r', 0, rest) else { return Some(At::Line) };
            before = if len > 0 { rest[len - 1] } else { before };
            if rest[len] != b'\n' || !self.has_lines || !ends_plainly(before) {
                return None;
            }
            rest = &rest[len + 1..];
            at = At::LineStart;
        }
    }

    fn go_on_with_code(&self, fence: u8, piece: &[u8]) -> Option<At> {
        let mut at = self.at;
        let mut rest = piece;
        loop {
            if at == At::LineStart {
                let n_blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                rest = &rest[n_blank..];
                let first = *rest.first().unwrap_or(&b' ');
                if rest.is_empty() {
                    return Some(At::LineStart);
                }
                if first == fence {
                    return None;
                }
            }
            let len = memchr::memchr3(b'\n', b'\r', 0, rest);
            let Some(len) = len else { return Some(At::Line) };
            if rest[len] != b'\n' || !self.has_lines {
                return None;
            }
            rest = &rest[len + 1..];
            at = At::LineStart;
        }
    }

    /// The end of the text, and with it the length of what is shown of the source.
    pub(super) fn text_end(&self, source: &[u8], floor: usize) -> usize {
        let mut end = source.len();
        match self.kind {
            Kind::Code(_) => end -= usize::from(source.ends_with(b"\n")),
            Kind::Html => {}
            Kind::Paragraph(_) | Kind::Heading(_) => {
                while end > floor && matches!(source[end - 1], b' ' | b'\t' | b'\n') {
                    end -= 1;
                }
            }
        }
        end.max(floor)
    }
}

/// Whether the text of a paragraph, which is not complete, can start with no definition.
fn has_no_definition(text: &[u8], options: &Options) -> bool {
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
fn is_in_tag(line: &[u8]) -> bool {
    let [b'<', rest @ ..] = line else { return false };
    let n_name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    n_name > 0 && rest.get(n_name) == Some(&b' ') && memchr::memchr(b'>', rest).is_none()
}

/// Whether a line of a paragraph starts with a tag that is complete and followed by text.
fn is_behind_tag(line: &[u8]) -> bool {
    let after = scan_tag(line, 0).and_then(|end| line.get(end..));
    line.first() == Some(&b'<') && after.is_some_and(|after| !after.trim_ascii().is_empty())
}

/// Whether the last line of a paragraph, which is not complete, is text whatever follows.
fn is_text_line(line: &[u8]) -> bool {
    let start = &line[..line.len().min(MAX_START)];
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

/// Text with backticks in it.
pub(super) struct Text<'s> {
    pub(super) source: &'s str,
    pub(super) range: Range<usize>,
    /// The backticks are counted from here on.
    pub(super) from: usize,
    pub(super) backticks: &'s Backticks,
    /// Where in the HTML of the open blocks the string starts that it is written to.
    pub(super) start: usize,
}

impl Text<'_> {
    /// Appends its HTML. If a backtick is open before it, the HTML goes on behind that.
    pub(super) fn push(&self, mut backtick: Backtick, html: &mut String) -> Backtick {
        let source = self.source;
        let mut shown = self.range.start;
        for place in self.backticks.places() {
            let at = self.from + *place as usize;
            let Backtick::Open { at: open, html: place } = backtick else {
                push_escaped_range(source, shown, at, html);
                shown = at;
                backtick = Backtick::Open { at: at as u32, html: (self.start + html.len()) as u32 };
                continue;
            };
            html.truncate(place as usize - self.start);
            let (start, end) = (open as usize + 1, at);
            let padding = usize::from(is_padded(&source.as_bytes()[start..end]));
            html.push_str("<code>");
            push_escaped_line(source, start + padding, end - padding, html);
            html.push_str("</code>");
            shown = at + 1;
            backtick = Backtick::Closed;
        }
        push_escaped_range(source, shown, self.range.end, html);
        backtick
    }
}

impl Stream {
    /// The text that was just shown, if what comes may simply be appended to it.
    pub(super) fn find_growing(&self) -> Option<Growing> {
        let n_after = self.n_after?;
        let text = self.live.open_text()?;
        let options = &self.parsed.options;
        let is_off = self.completer.is_some()
            || self.changes.is_end
            || self.front_matter != Search::Over
            || options.policy.source_positions
            || self.parsed.tape.has_nul
            || self.revisions.is_waiting()
            || self.partial.is_stale
            || self.partial.is_forced();
        let record = self.parsed.tape.records.get(text.record).filter(|_| !is_off)?;
        let is_text = matches!(
            record.block,
            Block::Paragraph(_) | Block::HeadingText(_) | Block::CodeText(_) | Block::Html(_)
        );
        if !is_text {
            return None;
        }
        // In a container, the markers of the line would have to be told from its text.
        if text.kind != TextKind::Paragraph && !text.is_top {
            return None;
        }
        let mut in_tag = false;
        let (kind, at) = match text.kind {
            TextKind::Paragraph => self.find_words(&text, record, &mut in_tag)?,
            TextKind::Heading => {
                let bytes = self.source.as_bytes();
                let (start, end) = (record.start as usize, record.end as usize);
                let is_whole = bytes[end..].trim_ascii().is_empty() && start < end;
                if !is_whole || options.policy.heading_ids || options.heading_attributes {
                    return None;
                }
                let words = self.words(record);
                (Kind::Heading(words), words.end_of(&bytes[start..]))
            }
            TextKind::Html => {
                let is_first = record.start as usize >= text.line_start;
                let line = self.source.as_bytes().get(text.line_start..record.end as usize)?;
                // Only a comment is one whatever follows.
                let line = if is_first { line.strip_prefix(b"<!--")? } else { line };
                // The name of a tag may be filtered.
                let is_text = !line.contains(&b'<') && (is_first || !line.trim_ascii().is_empty());
                is_text.then_some((Kind::Html, At::Line))?
            }
            TextKind::Code(fence) => {
                let bytes = self.source.as_bytes();
                let line = &bytes[text.line_start..];
                let first = line.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
                if first == Some(&fence.byte()) {
                    return None;
                }
                let at = if first.is_none() { At::LineStart } else { At::Line };
                (Kind::Code(fence.byte()), at)
            }
        };
        let is_flush = match text.kind {
            TextKind::Paragraph => options.policy.soft_breaks == SoftBreaks::Newline,
            TextKind::Code(fence) => fence.is_flush(),
            TextKind::Heading | TextKind::Html => false,
        };
        // With its end, the line would settle what stands before the block.
        let has_lines =
            text.is_top && is_flush && record.layout() == Layout::Slice && self.open.len() == 1;
        let kind = match kind {
            Kind::Paragraph(words) => Kind::Paragraph(Words { has_lines, ..words }),
            kind => kind,
        };
        // A line that ends in another way is joined to the next one.
        let before = &self.source.as_bytes()[..text.line_start];
        let is_code = record.layout() == Layout::Slice && matches!(kind, Kind::Code(_));
        let is_lf =
            matches!(before, [.., last, b'\n'] if is_code && *last != b'\r' || ends_plainly(*last));
        let is_good = at != At::LineStart || has_lines && is_lf;
        is_good.then_some(Growing { kind, record: text.record, n_after, has_lines, in_tag, at })
    }

    /// What can go on with the paragraph.
    fn find_words(
        &self,
        text: &OpenText,
        record: &Record,
        in_tag: &mut bool,
    ) -> Option<(Kind, At)> {
        let bytes = self.source.as_bytes();
        let (start, end) = (record.start as usize, record.end as usize);
        let options = &self.parsed.options;
        if end <= start || !has_no_definition(&bytes[start..end], options) {
            return None;
        }
        let words = self.words(record);
        let end_at = words.end_of(&bytes[start..]);
        let at = if text.line_start == bytes.len() {
            At::line_start_after(end_at)?
        } else {
            let segments = self.parsed.tape.segments(record.layout());
            let last =
                segments.and_then(<[_]>::last).map_or(text.line_start, |it| it.start as usize);
            let line_start = last.max(start).max(text.line_start);
            let line = bytes.get(line_start..end)?;
            *in_tag = is_in_tag(line);
            if !*in_tag && !is_text_line(line) && !is_behind_tag(line) {
                return None;
            }
            end_at
        };
        Some((Kind::Paragraph(words), at))
    }

    /// What can be appended to the text of the open paragraph, which was just read.
    fn words(&self, record: &Record) -> Words {
        let options = &self.parsed.options;
        let has_domains = options.autolinks.domains || !options.schemes.is_empty();
        let from = self.partial.text_at().unwrap_or(0).max(record.start) as usize;
        let rest = self.source.as_bytes().get(from..record.end as usize).unwrap_or_default();
        let has_parentheses = memchr::memchr(b']', rest).is_none();
        let is_code_unsure = !has_parentheses
            || options.math
            || options.wiki_links
            || memchr::memchr(b'<', rest).is_some();
        let backtick = self.find_backtick(from, rest);
        let is_smart = options.smart_punctuation;
        Words { has_parentheses, has_domains, backtick, is_code_unsure, has_lines: false, is_smart }
    }

    /// Which backtick is open in `rest`, the text from `from` on that was just read.
    fn find_backtick(&self, from: usize, rest: &[u8]) -> Backtick {
        let code = self.scratch.html.code;
        let Some(at) = memchr::memrchr(b'`', rest) else { return Backtick::Closed };
        if code != LastCode::Open || self.open.len() > 1 {
            return if code == LastCode::Closed { Backtick::Closed } else { Backtick::Unknown };
        }
        let Some(n_after) = self.n_after else { return Backtick::Unknown };
        let is_text = self.scratch.inlines.is_text_from(from + at);
        if !is_text || rest[at..].contains(&b'\n') || memchr::memchr(b'`', &rest[..at]).is_some() {
            return Backtick::Unknown;
        }
        let n_escaped = rest[at..].iter().map(|byte| match byte {
            b'<' | b'>' => "&lt;".len(),
            b'&' => "&amp;".len(),
            b'"' => "&quot;".len(),
            _ => 1,
        });
        let html = (self.open_html.len() - n_after).checked_sub(n_escaped.sum());
        let at = (from + at) as u32;
        html.map_or(Backtick::Unknown, |html| Backtick::Open { at, html: html as u32 })
    }

    /// Appends what came to the text that was shown last, or to the page.
    pub(super) fn append(&mut self) -> Appended {
        let from = self.live.n_shown();
        if let Some(growing) = &self.growing
            && (!growing.has_lines
                || find_blank(growing.at, &self.source.as_bytes()[from..]).is_none())
        {
            return if self.append_text() { Appended::All } else { Appended::Nothing };
        }
        self.append_blocks()
    }

    /// Appends what came to the text that was shown last. False if it may be more than that.
    fn append_text(&mut self) -> bool {
        let Some(growing) = &mut self.growing else { return false };
        let from = self.live.n_shown();
        let bytes = self.source.as_bytes();
        let before = bytes[from - 1];
        let mut backticks = Backticks::default();
        let Some(escape) = growing.go_on(before, &bytes[from..], &mut backticks) else {
            let at = growing.go_on_with_text(before, &bytes[from..]);
            return at.is_some_and(|at| self.read_text_again(at));
        };
        let growing = *growing;
        let record = growing.record;
        let was = self.parsed.tape.records[record].end as usize;
        let text_end = growing.text_end(bytes, was);
        self.changes.clear();
        let ends = (text_end as u32, bytes.len() as u32);
        self.live.extend(record, ends, &mut self.parsed.tape);
        if !backticks.places().is_empty() {
            self.show_code(was..text_end, from, &backticks);
        } else if text_end > was {
            self.show_more(was..text_end, growing, escape);
        } else if let Some(shown) = self.open.last_mut() {
            shown.end = self.parsed.tape.records[shown.first as usize].end;
        }
        #[cfg(debug_assertions)]
        self.compare_append();
        true
    }

    /// Reads the text of the open paragraph again, which goes on. False if there may be more
    /// to do than that.
    fn read_text_again(&mut self, at: At) -> bool {
        let Some(growing) = self.growing else { return false };
        let Some(&was) = self.open.first() else { return false };
        let record = self.parsed.tape.records[growing.record];
        let from = self.partial.text_at().unwrap_or(record.start);
        let is_long = self.source.len() - from as usize > FREE;
        let has_others = self.open.len() > 1 || self.scratch.html.has_notes();
        if is_long || has_others || !self.partial.is_about(was.first as usize) {
            return false;
        }
        self.changes.clear();
        self.scratch.html.take_back();
        self.scratch.html.mark();
        self.scratch.inlines.n_expanded = self.n_expanded;
        let bytes = self.source.as_bytes();
        let text_end = growing.text_end(bytes, record.end as usize);
        let ends = (text_end as u32, bytes.len() as u32);
        self.live.extend(growing.record, ends, &mut self.parsed.tape);
        let mut html = std::mem::take(&mut self.out);
        let before = std::mem::take(&mut self.open_html);
        html.clear();
        let kept = self.partial.html.len();
        self.write_rest(kept, self.parsed.tape.records.len(), IsOpen::Yes, &mut html);
        let end = self.parsed.tape.records[was.first as usize].end;
        let shown = Shown { len: kept + html.len(), end, ..was };
        self.compare(Some((&was, &before)), &shown, (kept, &html), self.lengths.total());
        self.scratch.inlines.forget_missed();
        self.open[0] = shown;
        html.drain(..self.partial.html.len() - kept);
        self.open_html = html;
        self.out = before;
        self.write_section(Ending::Tentative);
        self.growing = self.n_after.and_then(|n_after| {
            let Kind::Paragraph(Words { has_lines, .. }) = growing.kind else {
                return None;
            };
            let record = &self.parsed.tape.records[growing.record];
            let words = Words { has_lines, ..self.words(record) };
            let text = &self.source.as_bytes()[record.start as usize..];
            let end_at = words.end_of(text);
            let at = if at == At::LineStart { At::line_start_after(end_at)? } else { end_at };
            let kind = Kind::Paragraph(words);
            Some(Growing { kind, n_after, at, ..growing })
        });
        #[cfg(debug_assertions)]
        self.compare_append();
        true
    }

    /// The last block goes on with these bytes of the source.
    pub(super) fn show_more(&mut self, text: Range<usize>, growing: Growing, escape: Escape) {
        let html = &mut self.changes.html;
        if escape == Escape::Yes {
            push_escaped_range(&self.source, text.start, text.end, html);
        } else {
            html.push_str(&self.source[text]);
        }
        let after = self.open_html.len() - growing.n_after;
        // The line ending at the end of the code was there before.
        let is_code = matches!(growing.kind, Kind::Code(_));
        let same = usize::from(is_code && html.starts_with('\n'));
        self.replace_end(after, growing.n_after, same);
    }

    /// The same, with backticks in them: from the first that is closed on, the HTML is another.
    /// They are counted from `from` on.
    pub(super) fn show_code(&mut self, text: Range<usize>, from: usize, backticks: &Backticks) {
        let Some(Growing { kind, n_after, .. }) = &mut self.growing else { return };
        let (Kind::Paragraph(words) | Kind::Heading(words)) = kind else { return };
        let (mut start, n_after) = (self.open_html.len() - *n_after, *n_after);
        if let Backtick::Open { html, .. } = words.backtick {
            start = html as usize;
        }
        let text = Text { source: &self.source, range: text, from, backticks, start };
        words.backtick = text.push(words.backtick, &mut self.changes.html);
        self.replace_end(start, n_after, 0);
    }

    /// What the last block shows from byte `start` of the open HTML on is now what the change
    /// says, and the last `n_after` bytes again. The first `same` bytes of it are as before.
    fn replace_end(&mut self, start: usize, n_after: usize, same: usize) {
        let Self { open, open_html, changes, .. } = self;
        let Some((shown, others)) = open.split_last_mut() else { return };
        let n_gone = open_html.len() - start;
        changes.html.push_str(&open_html[open_html.len() - n_after..]);
        open_html.truncate(start);
        open_html.push_str(&changes.html);
        let len_before = shown.len;
        let keep = len_before - n_gone;
        shown.len = keep + changes.html.len();
        shown.end = self.parsed.tape.records[shown.first as usize].end;
        changes.blocks.push(Change {
            id: shown.id,
            kind: shown.kind,
            span: shown.span(),
            keep: keep + same,
            html: same..changes.html.len(),
            state: shown.state,
            pending: shown.pending,
            at: self.lengths.total() + others.iter().map(|block| block.len).sum::<usize>(),
            len_before,
        });
    }

    /// The way without the shortcut finds nothing that is not so already. (It is not gone every
    /// time, so that shortcuts follow on each other as well.)
    #[cfg(debug_assertions)]
    pub(super) fn compare_append(&mut self) {
        if self.source.len().is_multiple_of(2) {
            return;
        }
        let changes = std::mem::take(&mut self.changes);
        let records = self.parsed.tape.records[self.n_records..].to_vec();
        let open = self.open.clone();
        self.refresh(Ending::Tentative);
        assert!(self.changes.revised.is_empty(), "{:?}", self.changes);
        assert!(self.changes.blocks.is_empty(), "{:?} after {changes:?}", self.changes);
        assert_eq!(self.parsed.tape.records[self.n_records..], records);
        assert_eq!(self.open, open);
        self.changes = changes;
    }
}
