//! Lines with only a tag that lazily continue a paragraph: to cmark-gfm they begin HTML.
//!
//! LINEAR: the lines around a tag are read once.

use barelink::{Document, Span};
use memchr::{memchr_iter, memmem};

use super::lines::{behind_blank_line, is_before_delimiters, line_before, line_end, line_start};
use super::starts::behind_markers;

/// What precedes the text of a line.
#[derive(Debug)]
struct Indentation {
    /// The number of markers of quotes, and of those that no space or tab follows.
    quotes: usize,
    narrow: usize,
    columns: usize,
}

impl Indentation {
    fn of(before: &[u8]) -> Self {
        let columns = before.iter().fold(0, |column, byte| match byte {
            b'\t' => column + 4 - column % 4,
            0x80..=0xBF => column,
            _ => column + 1,
        });
        let quotes = || memchr_iter(b'>', before);
        let is_narrow = |at: &usize| !matches!(before.get(at + 1), Some(b' ' | b'\t'));
        Self { quotes: quotes().count(), narrow: quotes().filter(is_narrow).count(), columns }
    }

    /// The indentation of the paragraph at `start`, and that of the previous line, if it may be the
    /// title of an alert: to cmark-gfm that is part of the paragraph.
    fn of_paragraph(source: &[u8], start: usize) -> (Self, Option<Self>) {
        let line = line_start(source, start);
        let before = line_before(source, line);
        let title = memmem::find(before, b"[!");
        (Self::of(&source[line..start]), title.map(|title| Self::of(&before[..title])))
    }

    /// Whether a line may lazily continue a paragraph whose first line has this indentation.
    fn may_be_lazy_after(&self, first: &Self) -> bool {
        self.quotes < first.quotes || self.columns < first.columns + first.narrow
    }
}

/// The paragraphs with a lazy line that has only a tag, each with all that this affects.
pub(super) fn behind_lazy_tags(document: &Document<'_, '_>) -> Vec<Span> {
    let source = document.source().as_bytes();
    let tags = tag_lines(source);
    if tags.is_empty() {
        return Vec::new();
    }
    let behind = |tag: Span| end_of_html(source, tag.end as usize) as u32;
    let mut regions: Vec<Span> = Vec::new();
    let (mut read, mut is_defining) = (0, false);
    for tag in &tags {
        let start = line_start(source, tag.start as usize);
        let lines = &source[read..start];
        read = start;
        let since_blank = behind_blank_line(lines);
        is_defining &= since_blank.len() == lines.len();
        is_defining |= memmem::find(since_blank, b"]:").is_some();
        let is_known = regions.last().is_some_and(|region| tag.start < region.end);
        if !is_known && (is_defining || may_start_leaf(source, *tag)) {
            regions.push(Span::new(tag.start, behind(*tag)));
        }
    }
    let mut tags = tags.into_iter().peekable();
    let mut last_end = 0;
    let look = |leaf: Span| {
        while tags.next_if(|tag| tag.start <= leaf.start).is_some() {}
        let (start, mut first) = (leaf.start as usize, None);
        while let Some(tag) = tags.next_if(|tag| tag.end <= leaf.end) {
            let before = &source[line_start(source, tag.start as usize)..tag.start as usize];
            let (first, title) =
                first.get_or_insert_with(|| Indentation::of_paragraph(source, start));
            let indentation = Indentation::of(before);
            let is_lazy = [Some(&*first), title.as_ref()]
                .into_iter()
                .flatten()
                .any(|first| indentation.may_be_lazy_after(first));
            if tag.start >= last_end && is_lazy {
                last_end = behind(tag);
                regions.push(Span::new(leaf.start, last_end));
            }
        }
        // No link is read.
        false
    };
    document.bare_links(look, |_| {});
    regions
}

/// Whether a line with a tag may continue the title of an alert, which is not a paragraph to the
/// engine, or is the header of a table, before which the paragraph has ended.
fn may_start_leaf(source: &[u8], tag: Span) -> bool {
    let line = line_before(source, line_start(source, tag.start as usize));
    memmem::find(line, b"[!").is_some() || is_before_delimiters(source, tag.end as usize)
}

/// Lines that have only a tag, after markers of quotes.
fn tag_lines(source: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    for at in memchr_iter(b'<', source) {
        let before = source[..at].iter().rposition(|byte| !matches!(byte, b' ' | b'\t' | b'>'));
        let is_first = before.is_none_or(|at| matches!(source[at], b'\n' | b'\r'));
        if is_first {
            let line = source[at..line_end(source, at)].trim_ascii_end();
            if is_tag(line) {
                found.push(Span::new(at as u32, (at + line.len()) as u32));
            }
        }
    }
    found
}

/// Whether a line may be exactly a tag, and not an autolink.
fn is_tag(line: &[u8]) -> bool {
    let Some(rest) = line.get(1..) else { return false };
    let rest = rest.strip_prefix(b"/").unwrap_or(rest);
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
    let behind = &rest[rest.iter().take_while(is_of_name).count()..];
    if !rest.first().is_some_and(u8::is_ascii_alphabetic)
        || !matches!(behind.first(), Some(b' ' | b'\t'..=b'\r' | b'/' | b'>'))
    {
        return false;
    }
    let mut quote = None;
    let end = behind.iter().position(|&byte| {
        match quote {
            None if byte == b'>' => return true,
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            Some(open) if open == byte => quote = None,
            _ => {}
        }
        false
    });
    end.is_some_and(|end| end + 1 == behind.len())
}

/// The start of the first line that follows a line of only spaces and is not indented, so that
/// containers have ended there; or the end of the source. It is also the end if a line before may
/// begin something that continues past such lines.
pub(super) fn end_of_html(source: &[u8], at: usize) -> usize {
    let mut line = &source[line_start(source, at)..line_end(source, at)];
    let mut end = line_end(source, at);
    let mut is_behind = false;
    while end < source.len() {
        if may_go_on(line) {
            return source.len();
        }
        let start = end + if source[end..].starts_with(b"\r\n") { 2 } else { 1 };
        end = line_end(source, start.min(source.len()));
        line = &source[start.min(end)..end];
        let text = line.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
        if is_behind && text == Some(0) {
            return start;
        }
        is_behind = text.is_none();
    }
    source.len()
}

/// Whether a line may begin fenced code, or HTML that does not end at a blank line.
fn may_go_on(line: &[u8]) -> bool {
    const TAGS: [&[u8]; 4] = [b"script", b"style", b"pre", b"textarea"];
    let (text, _) = behind_markers(line);
    match text {
        [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..] | [b'<', b'!' | b'?', ..] => true,
        [b'<', tag @ ..] => TAGS
            .iter()
            .any(|name| tag.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name))),
        _ => false,
    }
}
