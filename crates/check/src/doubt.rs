//! Where cmark-gfm reads a document otherwise than the engine does, and a safe fix would change its
//! page: nothing is fixed there.
//!
//! ```text
//! > a                          a tag on a line of its own, which goes on with a paragraph lazily:
//! <br>                         to cmark-gfm it is HTML, and so is all up to a blank line
//! https://b.cd
//!
//! $https://a.bc$https://d.ef   math, which cmark-gfm does not know
//!
//! > * [ ] a|https://b.cd       a table that begins behind the box of a task: cmark-gfm looks for
//! >   -|-                      a box at the start of a line
//!
//! [^1]: a                      a footnote with a line of spaces, where it ends for cmark-gfm
//! ␠
//!     https://b.cd
//!
//! [a]:(https://b.cd            no definition, since a parenthesis is not closed; but it is one
//! [a]                          to cmark-gfm
//!
//! [a]: /b                      no title, since more follows; but it is one to cmark-gfm, and text
//! "https://c.de" f
//!
//! `` `a` `https://b.cd`        code behind backticks that nothing closes, which cmark-gfm may miss
//!
//! [^a@b.cd]                    a note that is not defined, where `<a@b.cd>` is text to cmark-gfm
//! https://b.cd [^a             and one that runs over lines, which it cuts
//! b]
//!
//! - [ ] https://a.bc/[x]       what is done to cmark-gfm, and would not be with a backslash
//! ```
//!
//! All of this is rare. LINEAR: lines with a tag, a box or nothing are looked at once, and so is
//! a leaf with links.

use barelink::{Document, EventKind, FoundBare, Span, Tag};
use memchr::{memchr, memchr_iter, memchr2, memmem, memrchr2};

/// Lines that are indented by so many columns are code, unless they are in a container.
const CODE_COLUMNS: usize = 4;

/// No label is longer.
const LABEL_LEN_MAX: usize = 1002;

/// What is read otherwise.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    /// In order, and none is in another.
    regions: Vec<Span>,
    /// Leaves, and links in others, in order.
    leaves: Vec<Span>,
    /// The leaf that was looked at last, and whether it is that of a task that is not done.
    last: Option<Span>,
    is_task: bool,
}

impl Doubts {
    /// What is known of a document before its links are.
    pub(crate) fn new(document: &Document<'_, '_>) -> Self {
        let source = document.source().as_bytes();
        let mut regions = behind_lazy_tags(document);
        if memmem::find(source, b"[^").is_some() {
            regions.extend(rests_of_notes(source, &document.notes()));
        }
        if has_table_behind_box(source) {
            regions.extend(tables_behind_boxes(document));
        }
        regions.sort_by_key(|region| (region.start, region.end));
        regions.dedup_by(|next, before| {
            let overlap = next.start <= before.end;
            if overlap {
                before.end = before.end.max(next.end);
            }
            overlap
        });
        Self { regions, ..Self::default() }
    }

    /// Looks at a link. They come in order.
    pub(crate) fn look(&mut self, source: &str, found: &FoundBare<'_, '_>) {
        let leaf = found.leaf();
        if self.last.replace(leaf) != Some(leaf) {
            self.look_at_leaf(source, found);
        }
        let link = found.span();
        let has_box = || self.is_task && has_done_box(link.slice(source).as_bytes());
        if self.leaves.last() != Some(&leaf) && (found.is_in_missing_note() || has_box()) {
            self.leaves.push(link);
        }
    }

    fn look_at_leaf(&mut self, source: &str, found: &FoundBare<'_, '_>) {
        let leaf = found.leaf();
        let bytes = leaf.slice(source).as_bytes();
        let has_math = || memchr(b'$', bytes).is_some() && found.has_math();
        let has_missed_code = || has_different_runs(bytes) && found.has_open_code();
        let before = &source.as_bytes()[..leaf.start as usize];
        self.is_task = before.trim_ascii_end().ends_with(b"[ ]");
        let is_failed = is_failed_definition(bytes) || is_failed_title(before, bytes);
        if is_failed || has_note_over_lines(bytes) || has_math() || has_missed_code() {
            self.leaves.push(leaf);
        }
    }

    /// Whether a link is in one of them.
    pub(crate) fn cover(&self, link: Span) -> bool {
        let cover = |spans: &[Span]| {
            let n_before = spans.partition_point(|span| span.start <= link.start);
            n_before > 0 && link.start < spans[n_before - 1].end
        };
        cover(&self.leaves) || cover(&self.regions)
    }
}

fn line_start(source: &[u8], at: usize) -> usize {
    memrchr2(b'\n', b'\r', &source[..at]).map_or(0, |at| at + 1)
}

/// The last line before this one that is not empty.
fn line_before(source: &[u8], line_start_at: usize) -> &[u8] {
    let before = source[..line_start_at].trim_ascii_end();
    &before[line_start(before, before.len())..]
}

fn line_end(source: &[u8], at: usize) -> usize {
    at + memchr2(b'\n', b'\r', &source[at..]).unwrap_or(source.len() - at)
}

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
fn behind_lazy_tags(document: &Document<'_, '_>) -> Vec<Span> {
    let source = document.source().as_bytes();
    let tags = tag_lines(source);
    if tags.is_empty() {
        return Vec::new();
    }
    let behind = |tag: Span| end_of_html(source, tag.end as usize) as u32;
    let mut regions: Vec<Span> = Vec::new();
    for tag in &tags {
        let is_known = regions.last().is_some_and(|region| tag.start < region.end);
        if !is_known && may_start_leaf(source, *tag) {
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

/// Whether a line with a tag may go on with what is no paragraph to us: a definition, or the first
/// line of an alert. Or it is the head of a table, which the paragraph before has ended for.
fn may_start_leaf(source: &[u8], tag: Span) -> bool {
    let line = line_before(source, line_start(source, tag.start as usize));
    let follows = |sign: &[u8]| memmem::find(line, sign).is_some();
    follows(b"]:") || follows(b"[!") || is_before_delimiters(source, tag.end as usize)
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
fn end_of_html(source: &[u8], at: usize) -> usize {
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

/// Footnotes from their first line on that is blank and not empty.
fn rests_of_notes<'n>(source: &'n [u8], notes: &'n [Span]) -> impl Iterator<Item = Span> + 'n {
    let mut end = 0;
    // LINEAR: whatever is in a note that is in another is looked at once.
    let is_outermost = move |note: &&Span| {
        let is_outermost = note.start >= end;
        end = end.max(note.end);
        is_outermost
    };
    notes.iter().filter(is_outermost).filter_map(|note| rest_of_note(source, *note))
}

fn rest_of_note(source: &[u8], note: Span) -> Option<Span> {
    let (mut start, end) = (note.start as usize, note.end as usize);
    while start < end {
        let line = &source[start..line_end(source, start).min(end)];
        if !line.is_empty() && line.iter().all(|byte| b" \t>".contains(byte)) {
            return Some(Span::new(start as u32, note.end));
        }
        start += line.len() + 1;
    }
    None
}

/// Whether a line with the box of a task is followed by one that delimits columns.
fn has_table_behind_box(source: &[u8]) -> bool {
    let mut start = 0;
    while let Some(at) = memchr(b']', &source[start..]) {
        let at = start + at;
        let is_box = at >= 2 && source[at - 2] == b'[' && b" xX".contains(&source[at - 1]);
        if !is_box {
            start = at + 1;
            continue;
        }
        let end = line_end(source, at);
        let has_pipe = memchr(b'|', &source[at..end]).is_some();
        if has_pipe && is_before_delimiters(source, end) {
            return true;
        }
        start = end;
    }
    false
}

/// Whether the next line delimits columns.
fn is_before_delimiters(source: &[u8], at: usize) -> bool {
    let next = &source[line_end(source, at)..];
    let next = next.strip_prefix(b"\r\n").or(next.get(1..)).unwrap_or_default();
    let next = &next[..line_end(next, 0)];
    let is_delimiter = |byte: &u8| b" \t>|:-".contains(byte);
    memchr(b'-', next).is_some() && next.iter().all(is_delimiter)
}

/// The tables that start behind the box of a task that is not the first thing in its line.
fn tables_behind_boxes(document: &Document<'_, '_>) -> Vec<Span> {
    let source = document.source().as_bytes();
    let is_behind_box = |table: Span| {
        let start = table.start as usize;
        let line = source[line_start(source, start)..start].trim_ascii();
        line.ends_with(b"]") && !is_first_task(line)
    };
    let tables = document.events().filter_map(|event| match event.kind {
        EventKind::Start(Tag::Table { .. }) => Some(event.span),
        _ => None,
    });
    tables.filter(|table| is_behind_box(*table)).collect()
}

/// Whether this is the marker of an item and a box, and nothing else.
fn is_first_task(line: &[u8]) -> bool {
    let n_digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &line[n_digits..];
    let has_marker = matches!(
        (n_digits, rest.first()),
        (0, Some(b'-' | b'+' | b'*')) | (1.., Some(b'.' | b')'))
    );
    has_marker && rest[1..].trim_ascii_start().len() == 3
}

/// Whether there are runs of backticks of different lengths.
fn has_different_runs(leaf: &[u8]) -> bool {
    let mut first_len = None;
    let mut end = 0;
    while let Some(at) = memchr(b'`', &leaf[end..]) {
        let start = end + at;
        let len = leaf[start..].iter().take_while(|byte| **byte == b'`').count();
        end = start + len;
        if *first_len.get_or_insert(len) != len {
            return true;
        }
    }
    false
}

/// Whether there are `[^` and the `]` that belongs to it on two lines.
fn has_note_over_lines(leaf: &[u8]) -> bool {
    let Some(first) = memmem::find(leaf, b"[^") else { return false };
    let leaf = &leaf[first..];
    let mut line = 0_u32;
    let mut depth = 0_u32;
    // Those that are open: how many brackets are around each, and its line.
    let mut notes: Vec<(u32, u32)> = Vec::new();
    for (at, byte) in leaf.iter().enumerate() {
        match byte {
            b'[' => {
                if leaf.get(at + 1) == Some(&b'^') {
                    notes.push((depth, line));
                }
                depth += 1;
            }
            b']' => {
                depth = depth.saturating_sub(1);
                if notes.pop_if(|note| note.0 >= depth).is_some_and(|note| note.1 != line) {
                    return true;
                }
            }
            b'\n' | b'\r' => line += 1,
            _ => {}
        }
    }
    false
}

/// Whether this has what marks a task as done.
fn has_done_box(text: &[u8]) -> bool {
    memmem::find(text, b"[x]").is_some() || memmem::find(text, b"[X]").is_some()
}

/// Whether a paragraph begins like a definition whose destination has a parenthesis.
fn is_failed_definition(leaf: &[u8]) -> bool {
    if !leaf.starts_with(b"[") {
        return false;
    }
    let label = &leaf[..leaf.len().min(LABEL_LEN_MAX)];
    memmem::find(label, b"]:").is_some_and(|at| {
        let rest = leaf[at + 2..].trim_ascii_start();
        let len = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        memchr2(b'(', b')', &rest[..len]).is_some()
    })
}

/// Whether a paragraph begins like a title, and what is before it may end with a definition.
fn is_failed_title(before: &[u8], leaf: &[u8]) -> bool {
    if !matches!(leaf.first(), Some(b'"' | b'\'' | b'(')) {
        return false;
    }
    // Markers may stand before it, and a line ending.
    let end = before.iter().rposition(|byte| !b" \t>\n\r".contains(byte)).map_or(0, |at| at + 1);
    // LINEAR: one leaf follows a line; the cells of a row do not.
    memchr2(b'\n', b'\r', &before[end..]).is_some()
        && memmem::find(&before[line_start(before, end)..end], b"]:").is_some()
}
