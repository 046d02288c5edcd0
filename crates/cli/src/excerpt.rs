//! Excerpts of a line around the marks in it.
//!
//! A short line is shown whole. Of a long one, the text around both ends of every mark is kept,
//! with an ellipsis for each gap: so a paragraph in one line, or an address of a thousand
//! characters, still fits on a screen.
//!
//! ```text
//! …reach us at https://example.org/a/very/l…g/path?with=much#more or by post…
//!              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//! ```

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Snippet};
use barelink::{LineIndex, Span};

use crate::visible::picture;

/// A line of more characters than this is cut.
const LINE_LEN_MAX: usize = 120;

/// How many characters are kept on each side of each end of a mark.
const KEPT: usize = 30;

const ELLIPSIS: &str = "…";

/// A part of a line, with marks in it.
#[derive(Debug, PartialEq, Eq)]
struct Excerpt {
    text: String,
    /// The marks, in the order they were given.
    marks: Vec<Range<usize>>,
}

impl Excerpt {
    /// Replaces characters that must not be shown. Tabs are left to the renderer, which also
    /// replaces other control characters of ASCII, but does not count a column for them.
    fn visible(self) -> Self {
        let replaced = |c: char| if c == '\t' { None } else { picture(c) };
        if self.text.chars().all(|c| replaced(c).is_none()) {
            return self;
        }
        let mut text = String::with_capacity(self.text.len());
        // The new offset of each byte.
        let mut places = Vec::with_capacity(self.text.len() + 1);
        for c in self.text.chars() {
            places.resize(places.len() + c.len_utf8(), text.len());
            text.push(replaced(c).unwrap_or(c));
        }
        places.push(text.len());
        let marks = self.marks.into_iter().map(|mark| places[mark.start]..places[mark.end]);
        let marks = marks.collect();
        Self { text, marks }
    }
}

/// A mark in a line: its kind, its span, and an optional label.
pub(crate) type Mark = (AnnotationKind, Span, Option<&'static str>);

/// A line of the source with marks in it.
pub(crate) fn marked_line<'a>(
    source: &str,
    lines: &LineIndex<'_>,
    line: u32,
    marks: &[Mark],
) -> Snippet<'a, Annotation<'a>> {
    let span = lines.line_span(line).unwrap_or_default();
    let shown = span.slice(source);
    let mut ranges = Vec::new();
    let mut kinds = Vec::new();
    for &(kind, mark, label) in marks {
        if let Some(mark) = within(mark, span, shown) {
            ranges.push(mark);
            kinds.push((kind, label));
        }
    }
    let excerpt = excerpt(shown, &ranges).visible();
    let annotations = excerpt
        .marks
        .into_iter()
        .zip(kinds)
        .map(|(mark, (kind, label))| kind.span(mark).label(label));
    Snippet::source(excerpt.text).line_start(line as usize).annotations(annotations)
}

/// A span as a range of the line, extended to whole characters; `None` if it starts on another
/// line. An empty span becomes that of the character there.
fn within(span: Span, line: Span, text: &str) -> Option<Range<usize>> {
    if span.start < line.start || span.start > line.end {
        return None;
    }
    let start = start_of_char(text, span.start - line.start);
    let end = start_of_char(text, span.end.min(line.end) - line.start);
    let first_end = text[start..].chars().next().map_or(start, |first| start + first.len_utf8());
    Some(start..end.max(first_end))
}

fn start_of_char(text: &str, offset: u32) -> usize {
    let mut start = offset as usize;
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    start
}

/// Makes an excerpt of a line. Marks are byte ranges of `line`, on character boundaries.
///
/// LINEAR: only the first [`LINE_LEN_MAX`] characters of a line and the text around marks are read.
fn excerpt(line: &str, marks: &[Range<usize>]) -> Excerpt {
    if line.chars().nth(LINE_LEN_MAX).is_none() {
        return Excerpt { text: line.to_owned(), marks: marks.to_vec() };
    }
    let pieces = kept(line, marks);
    let mut text = String::new();
    // Where each piece begins in `text`.
    let mut starts = Vec::new();
    let mut end = 0;
    for piece in &pieces {
        if piece.start > end {
            text.push_str(ELLIPSIS);
        }
        starts.push(text.len());
        text.push_str(&line[piece.clone()]);
        end = piece.end;
    }
    if end < line.len() {
        text.push_str(ELLIPSIS);
    }
    let place = |offset: usize| {
        let idx = pieces.partition_point(|piece| piece.end < offset).min(pieces.len() - 1);
        starts[idx] + offset.saturating_sub(pieces[idx].start)
    };
    let marks = marks.iter().map(|mark| place(mark.start)..place(mark.end)).collect();
    Excerpt { text, marks }
}

/// Joins the two parts of a text, and replaces its middle with an ellipsis if it is long. `prefix`
/// is short.
///
/// LINEAR: only both ends of the text are read.
pub(crate) fn shortened(prefix: &str, rest: &str) -> String {
    let mut start = prefix.chars().chain(rest.chars());
    let head: String = start.by_ref().take(LINE_LEN_MAX).collect();
    if start.next().is_none() {
        return head;
    }
    let head: String = head.chars().take(KEPT).collect();
    format!("{head}{ELLIPSIS}{}", &rest[back(rest, rest.len())..])
}

/// The pieces of a line that are kept, in order and without overlap; at least one.
fn kept(line: &str, marks: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut ends: Vec<usize> = marks.iter().flat_map(|mark| [mark.start, mark.end]).collect();
    ends.sort_unstable();
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for offset in ends.into_iter().chain(marks.is_empty().then_some(0)) {
        let piece = back(line, offset)..forth(line, offset);
        match pieces.last_mut() {
            // An ellipsis is no shorter than a gap of one character.
            Some(last) if piece.start <= last.end + 1 => last.end = piece.end,
            _ => pieces.push(piece),
        }
    }
    pieces
}

fn back(line: &str, offset: usize) -> usize {
    line[..offset].char_indices().rev().take(KEPT).last().map_or(offset, |(start, _)| start)
}

fn forth(line: &str, offset: usize) -> usize {
    let rest = &line[offset..];
    rest.char_indices().nth(KEPT).map_or(line.len(), |(end, _)| offset + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the marks in the excerpt, and the excerpt.
    fn cut(line: &str, marks: &[Range<usize>]) -> (String, Vec<String>) {
        let excerpt = excerpt(line, marks);
        let texts = excerpt.marks.iter().map(|mark| excerpt.text[mark.clone()].to_owned());
        let texts = texts.collect();
        (excerpt.text, texts)
    }

    #[test]
    fn a_short_line_stays_whole() {
        let line = "é".repeat(LINE_LEN_MAX);
        assert_eq!(cut(&line, &[2..4, 0..2]), (line.clone(), vec!["é".to_owned(); 2]));
    }

    #[test]
    fn a_long_line_is_cut_around_the_marks() {
        let line = format!("{}www.a.bc.{}", "ж ".repeat(500), " 字".repeat(500));
        let start = line.find("www").unwrap();
        let (text, marks) = cut(&line, &[start..start + 8, start + 8..start + 9]);
        assert!(text.starts_with("…") && text.ends_with("…"), "{text}");
        assert_eq!(text.chars().count(), 2 + 9 + 2 * KEPT);
        assert_eq!(marks, ["www.a.bc", "."]);
    }

    #[test]
    fn a_long_mark_is_cut_in_its_middle() {
        let line = format!("see http://{}.bc now", "a".repeat(1000));
        let (text, marks) = cut(&line, &[4..line.len() - 4, 8..11]);
        assert!(text.starts_with("see http://aaa"), "{text}");
        assert!(text.ends_with("aaa.bc now"), "{text}");
        assert!(text.chars().count() < 110, "{text}");
        assert_eq!(marks[0], text[4..text.len() - 4]);
        assert_eq!(marks[1], "://");
    }

    #[test]
    fn a_long_text_in_two_parts_is_cut_in_its_middle() {
        let rest = format!("a{}z", "漢".repeat(LINE_LEN_MAX - 7));
        assert_eq!(
            shortened("p-", &rest[..rest.len() - 1]),
            format!("p-{}", &rest[..rest.len() - 1])
        );
        let start = "漢".repeat(KEPT - 8);
        let end = "漢".repeat(KEPT - 1);
        assert_eq!(shortened("prefix-", &rest), format!("prefix-a{start}…{end}z"));
    }

    #[test]
    fn marks_at_the_ends_of_a_line_and_empty_ones() {
        let line = format!("@{}@", "x".repeat(500));
        let (text, marks) = cut(&line, &[0..1, 501..502, 502..502, 0..0]);
        assert_eq!(text.matches('…').count(), 1);
        assert_eq!(marks, ["@", "@", "", ""]);
        assert_eq!(cut(&line, &[]).0.chars().count(), KEPT + 1);
    }
}
