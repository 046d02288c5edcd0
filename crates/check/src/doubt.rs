//! The regions that cmark-gfm reads differently from the engine, so that a safe fix would change
//! its page: nothing is fixed there.
//!
//! ```text
//! > a                          a tag on a line of its own that lazily continues a paragraph: to
//! <br>                         cmark-gfm it is HTML, and so is all up to a blank line
//! https://b.cd
//!
//! $[a$ https://d.ef            math, which cmark-gfm does not know, with what may be markup or a link
//!
//! > * [ ] a|https://b.cd       a table that begins after the box of a task: cmark-gfm looks for
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
//! **a*https://b.cd e*f*        runs that cmark-gfm pairs otherwise (`runs.rs`)
//!
//! > - [x]                      a box that is text to cmark-gfm, and continues (`starts.rs`)
//! b
//!
//! [a](https://b.cd( )          parentheses that nothing closes (`destinations.rs`)
//!
//! [a@b.cd <c@d.ef>]()          a link to cmark-gfm, though there is one in it
//!
//! a <!b> https://c.de          a declaration that is text to cmark-gfm
//!
//! - [ ] https://a.bc/[x]       what is done to cmark-gfm, and would not be with a backslash
//! ```
//!
//! All of this is rare. LINEAR: lines with a tag, with a box, or with spaces only are read once,
//! and so is a leaf with links.

mod destinations;
mod feeds;
mod lines;
mod runs;
mod starts;
mod tags;

use barelink::{Document, EventKind, FoundBare, Span, Tag};
use memchr::{memchr, memchr_iter, memchr2, memmem};

use self::destinations::{behind_open_definitions, has_open_destination};
use self::feeds::around_feeds;
use self::lines::{is_before_delimiters, line_before, line_end, line_start, next_line_end};
use self::runs::has_odd_runs;
use self::starts::behind_odd_starts;
use self::tags::behind_lazy_tags;

/// The maximum length of a label.
const LABEL_LEN_MAX: usize = 1002;

/// The regions that are read differently.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    /// In order, and not nested.
    regions: Vec<Span>,
    /// Whether cmark-gfm may have a definition that the engine has not, so that any bracket may be
    /// a link.
    has_open_definition: bool,
    /// Leaves, and links in other leaves, in order.
    leaves: Vec<Span>,
    /// The leaf that was checked last, and whether it is that of an open task.
    last: Option<Span>,
    is_task: bool,
}

impl Doubts {
    /// The doubts about a document that do not depend on its links.
    pub(crate) fn new(document: &Document<'_, '_>) -> Self {
        Self {
            regions: doubtful_regions(document),
            has_open_definition: !behind_open_definitions(document.source().as_bytes()).is_empty(),
            ..Self::default()
        }
    }

    /// Checks a link. Links come in order.
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
        let has_address = memchr(b'@', bytes).is_some();
        let is_odd = |math: &[u8]| may_be_markup(math) || has_address && may_close_emphasis(math);
        let has_math = || memchr(b'$', bytes).is_some() && found.has_math(is_odd);
        let has_missed_code = || has_different_runs(bytes) && found.has_open_code();
        let before = &source.as_bytes()[..leaf.start as usize];
        self.is_task = before.trim_ascii_end().ends_with(b"[ ]");
        let has_feed = || memchr2(0x0B, 0x0C, bytes).is_some();
        if is_failed_definition(bytes)
            || is_failed_title(before, bytes)
            || is_between_definition_and_table(source.as_bytes(), leaf)
            || has_open_destination(bytes)
            || self.has_open_definition && memchr(b'[', bytes).is_some()
            || has_link_in_brackets(bytes)
            || has_small_declaration(bytes)
            || has_feed()
            || has_odd_runs(leaf.slice(source))
            || has_note_over_lines(bytes)
            || has_math()
            || has_missed_code()
        {
            self.leaves.push(leaf);
        }
    }

    /// Whether a link is in one of the regions.
    pub(crate) fn cover(&self, link: Span) -> bool {
        let cover = |spans: &[Span]| {
            let n_before = spans.partition_point(|span| span.start <= link.start);
            n_before > 0 && link.start < spans[n_before - 1].end
        };
        cover(&self.leaves) || cover(&self.regions)
    }
}

/// The regions that cmark-gfm reads differently, regardless of links: in order, and not nested.
pub(crate) fn doubtful_regions(document: &Document<'_, '_>) -> Vec<Span> {
    let source = document.source().as_bytes();
    let mut regions = behind_lazy_tags(document);
    regions.extend(behind_odd_starts(source));
    regions.extend(around_feeds(source));
    regions.extend(behind_open_definitions(source));
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
    regions
}

/// The parts of footnotes after their first line with only spaces.
fn rests_of_notes<'n>(source: &'n [u8], notes: &'n [Span]) -> impl Iterator<Item = Span> + 'n {
    let mut end = 0;
    // LINEAR: a nested note is read once, as part of the outermost one.
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

/// Whether a line with the box of a task is followed by a delimiter row.
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

/// The tables that start after the box of a task that is not the first thing on its line.
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

/// Whether a line has only the marker of an item and a box.
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

/// Whether something in math may be markup without math, or a link.
fn may_be_markup(math: &[u8]) -> bool {
    let is_sign = |(before, byte): (&u8, &u8)| match byte {
        b'[' | b']' | b'`' | b'<' | b'>' | b'*' | b'~' | b'@' | b':' | b'&' => true,
        b'_' => !before.is_ascii_alphanumeric(),
        _ => false,
    };
    math.iter().zip(math.iter().skip(1)).any(is_sign) || memmem::find(math, b"www.").is_some()
}

/// Whether emphasis may end in math. That matters only to e-mail addresses, which cmark-gfm looks
/// for after resolving emphasis.
fn may_close_emphasis(math: &[u8]) -> bool {
    let is_close = |at| math.get(at + 1).is_none_or(|behind: &u8| !behind.is_ascii_alphanumeric());
    memchr_iter(b'_', math).any(is_close)
}

/// Whether a `[^` and its `]` are on different lines.
fn has_note_over_lines(leaf: &[u8]) -> bool {
    let Some(first) = memmem::find(leaf, b"[^") else { return false };
    let leaf = &leaf[first..];
    let mut line = 0_u32;
    let mut depth = 0_u32;
    // For each open note, the bracket depth around it, and its line.
    let mut notes: Vec<(u32, u32)> = Vec::new();
    let mut is_escaped = false;
    for (at, byte) in leaf.iter().enumerate() {
        if std::mem::take(&mut is_escaped) && matches!(byte, b'[' | b']' | b'\\') {
            continue;
        }
        match byte {
            b'\\' => is_escaped = true,
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

/// Whether there is an autolink or a note between brackets.
fn has_link_in_brackets(leaf: &[u8]) -> bool {
    let mut depth = 0_u32;
    let mut bytes = leaf.iter().enumerate();
    while let Some((at, byte)) = bytes.next() {
        let rest = &leaf[at + 1..];
        match byte {
            b'\\' => drop(bytes.next()),
            b'[' if depth > 0 && rest.starts_with(b"^") => return true,
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b'<' if depth > 0 && starts_autolink(rest) => return true,
            _ => {}
        }
    }
    false
}

/// Whether this may be the rest of an autolink after its `<`.
fn starts_autolink(rest: &[u8]) -> bool {
    // LINEAR: nothing is read beyond the next `<`.
    let len = rest.iter().position(|byte| b"<> \t\n\r".contains(byte)).unwrap_or(rest.len());
    rest.get(len) == Some(&b'>') && memchr2(b':', b'@', &rest[..len]).is_some()
}

/// Whether a paragraph is between a definition and a table: to cmark-gfm the definition is text of
/// the paragraph.
fn is_between_definition_and_table(source: &[u8], leaf: Span) -> bool {
    let before = source[..leaf.start as usize].iter();
    let end = before.rev().position(|byte| !b" \t>".contains(byte));
    let line = end.map_or(0, |len| leaf.start as usize - len);
    // LINEAR: only one leaf follows a line end; the cells of a row do not.
    matches!(source[..line], [.., b'\n' | b'\r'])
        && memmem::find(line_before(source, line), b"]:").is_some()
        && is_before_delimiters(source, next_line_end(source, leaf.end as usize))
}

/// Whether there may be a declaration that starts with a lower-case letter, which is text to
/// cmark-gfm.
fn has_small_declaration(leaf: &[u8]) -> bool {
    memmem::find_iter(leaf, b"<!").any(|at| leaf.get(at + 2).is_some_and(u8::is_ascii_lowercase))
}

/// Whether a text contains the mark of a completed task.
fn has_done_box(text: &[u8]) -> bool {
    memmem::find(text, b"[x]").is_some() || memmem::find(text, b"[X]").is_some()
}

/// Whether a paragraph begins like a definition with a parenthesis in its destination, or an
/// escaped quote in its title.
fn is_failed_definition(leaf: &[u8]) -> bool {
    if !leaf.starts_with(b"[") {
        return false;
    }
    let label = &leaf[..leaf.len().min(LABEL_LEN_MAX)];
    memmem::find(label, b"]:").is_some_and(|at| {
        let rest = leaf[at + 2..].trim_ascii_start();
        let len = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        memchr2(b'(', b')', &rest[..len]).is_some() || has_escaped_quote(&rest[len..])
    })
}

/// Whether the closer of a title occurs with a backslash before it: to cmark-gfm it does close the
/// title.
fn has_escaped_quote(text: &[u8]) -> bool {
    let is_quote = |at: usize| matches!(text.get(at + 1), Some(b'"' | b'\'' | b')'));
    memchr_iter(b'\\', text).any(is_quote)
}

/// Whether a paragraph begins like a title, and a definition may precede it.
fn is_failed_title(before: &[u8], leaf: &[u8]) -> bool {
    if !matches!(leaf.first(), Some(b'"' | b'\'' | b'(')) {
        return false;
    }
    // Markers may precede it, and a line ending.
    let end = before.iter().rposition(|byte| !b" \t>\n\r".contains(byte)).map_or(0, |at| at + 1);
    // LINEAR: only one leaf follows a line end; the cells of a row do not.
    if memchr2(b'\n', b'\r', &before[end..]).is_none() {
        return false;
    }
    // The destination may be on a separate line.
    let line = line_start(before, end);
    [&before[line..end], line_before(before, line)]
        .iter()
        .any(|line| memmem::find(line, b"]:").is_some())
}
