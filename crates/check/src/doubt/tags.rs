//! Lines that are nothing but a tag, and go on with a paragraph lazily: to cmark-gfm they begin HTML.
//!
//! LINEAR: lines before and behind a tag are looked at once.

use barelink::{Document, Span};
use memchr::{memchr_iter, memmem};

use super::lines::{behind_blank_line, is_before_delimiters, line_before, line_end, line_start};

/// Lines that are indented by so many columns are code, unless they are in a container.
const CODE_COLUMNS: usize = 4;

/// What stands before the text of a line.
#[derive(Debug)]
struct Indentation {
    /// How many markers of quotes there are, and those without the space that may belong to them.
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

    /// That of the paragraph at `start`. To cmark-gfm the first line of an alert belongs to it.
    fn of_paragraph(source: &[u8], start: usize) -> Self {
        let line = line_start(source, start);
        let before = line_before(source, line);
        match memmem::find(before, b"[!") {
            Some(title) => Self::of(&before[..title]),
            None => Self::of(&source[line..start]),
        }
    }

    /// Whether a line may go on lazily with a paragraph whose first line has this.
    fn may_be_lazy_after(&self, first: &Self) -> bool {
        self.quotes < first.quotes || self.columns < first.columns + first.narrow
    }
}

/// Each paragraph with a lazy line that is nothing but a tag, and all that it counts for.
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
            let first = first.get_or_insert_with(|| Indentation::of_paragraph(source, start));
            if tag.start >= last_end && Indentation::of(before).may_be_lazy_after(first) {
                last_end = behind(tag);
                regions.push(Span::new(leaf.start, last_end));
            }
        }
        // None is read.
        false
    };
    document.bare_links(look, |_| {});
    regions
}

/// Whether a line with a tag may go on with the first line of an alert, which is not that of a
/// paragraph to us. Or it is the head of a table, which the paragraph before has ended for.
fn may_start_leaf(source: &[u8], tag: Span) -> bool {
    let line = line_before(source, line_start(source, tag.start as usize));
    memmem::find(line, b"[!").is_some() || is_before_delimiters(source, tag.end as usize)
}

/// Lines that are nothing but a tag, behind markers of quotes.
fn tag_lines(source: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    for at in memchr_iter(b'<', source) {
        let is_start = matches!(source.get(at + 1), Some(b'/' | b'a'..=b'z' | b'A'..=b'Z'));
        let before = source[..at].iter().rposition(|byte| !matches!(byte, b' ' | b'\t' | b'>'));
        let is_first = before.is_none_or(|at| matches!(source[at], b'\n' | b'\r'));
        if is_start && is_first {
            let line = source[at..line_end(source, at)].trim_ascii_end();
            if line.ends_with(b">") {
                found.push(Span::new(at as u32, (at + line.len()) as u32));
            }
        }
    }
    found
}

/// Where the next line starts that has nothing but spaces, and behind it one that is not indented
/// as in a container, which has ended there; else the end.
pub(super) fn end_of_html(source: &[u8], at: usize) -> usize {
    let mut at = line_end(source, at);
    let mut is_behind = false;
    while at < source.len() {
        let start = at + if source[at..].starts_with(b"\r\n") { 2 } else { 1 };
        let end = line_end(source, start.min(source.len()));
        let line = &source[start.min(end)..end];
        let text = line.trim_ascii_start();
        let is_indented = Indentation::of(&line[..line.len() - text.len()]).columns >= CODE_COLUMNS;
        if is_behind && !text.is_empty() && !is_indented {
            return start;
        }
        is_behind |= text.is_empty();
        at = end;
    }
    source.len()
}
