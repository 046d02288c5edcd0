//! From the tape to the text of a leaf: `syntax::text::Text`.
//!
//! If the leaf is one slice of the source, its text is read in place. Otherwise its pieces are
//! joined by line feeds in a reused buffer, with a map back to the source. NUL is replaced by
//! U+FFFD here, so no later code meets one.

use barelink_text::Span;
use barelink_text::find::{BLOCK, push_range, push_without_returns};

use super::Tape;
use super::folded::Folded;
use super::pieces::{Layout, Lead, Lines, Segment};
use crate::memory::PushSparingly as _;
use crate::syntax::text::{Map, Origin, Returns, Text};

/// The reused buffer for joined text.
#[derive(Debug, Default)]
pub(crate) struct Joined {
    /// The text, followed by a block of padding: whole blocks are faster to read.
    text: String,
    origins: Vec<Origin>,
    /// See [`Returns::in_source`].
    returns: Vec<u32>,
    /// The number of carriage returns before the end of the last text that was in [`Folded`].
    n_returns: u32,
}

/// The padding after the text in the buffer.
const PADDING: &str = match str::from_utf8(&[b' '; BLOCK]) {
    Ok(spaces) => spaces,
    Err(_) => "",
};

/// The place of a leaf's text: see [`Joined::load`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded {
    start: usize,
    end: usize,
    /// As [`Text::has_breaks`].
    has_breaks: bool,
    place: LoadedFrom,
}

/// The text that was loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LoadedFrom {
    Source,
    Origins,
    /// The source from this offset on, without carriage returns.
    Folded(u32),
    /// The copy of the whole source; the text has the carriage returns with these numbers.
    InCopy {
        first: u32,
        end: u32,
    },
}

impl Loaded {
    #[inline]
    pub(crate) fn in_place(span: Span, lines: Lines) -> Self {
        let (start, end) = (span.start as usize, span.end as usize);
        Self { start, end, has_breaks: lines.breaks, place: LoadedFrom::Source }
    }
}

impl Joined {
    /// Makes the text at `span` in this layout available to [`Joined::view`], by joining it if it
    /// is not one slice of the source.
    #[inline]
    pub(crate) fn load(&mut self, source: &str, tape: &Tape, span: Span, lines: Lines) -> Loaded {
        if matches!(lines.layout, Layout::Slice) && !tape.has_nul {
            return Loaded::in_place(span, lines);
        }
        self.load_other(source, tape, span, lines)
    }

    #[inline(never)]
    fn load_other(&mut self, source: &str, tape: &Tape, span: Span, lines: Lines) -> Loaded {
        let is_slice = matches!(lines.layout, Layout::NoLines | Layout::Slice);
        if is_slice && !(tape.has_nul && span.slice(source).contains('\0')) {
            return Loaded::in_place(span, lines);
        }
        if lines.layout == Layout::Crlf && !tape.folded.is_empty() {
            let numbers = tape.folded.numbers_in(span, self.n_returns);
            self.n_returns = numbers.end;
            let (first, end) = (numbers.start, numbers.end);
            return Loaded {
                start: (span.start - first) as usize,
                end: (span.end - end) as usize,
                has_breaks: lines.breaks,
                place: LoadedFrom::InCopy { first, end },
            };
        }
        self.text.clear();
        let place = if lines.layout == Layout::Crlf && !tape.has_nul {
            self.returns.clear();
            let (start, end) = (span.start as usize, span.end as usize);
            push_without_returns(source, start, end, &mut self.text, &mut self.returns);
            // In the source, those before it count as well.
            for (place, shift) in self.returns.iter_mut().zip(span.start..) {
                *place += shift;
            }
            LoadedFrom::Folded(span.start)
        } else {
            self.join(source, tape, span, lines.layout);
            LoadedFrom::Origins
        };
        let (end, has_breaks) = (self.text.len(), lines.breaks);
        self.text.push_str(PADDING);
        Loaded { start: 0, end, has_breaks, place }
    }

    /// The text that was loaded last.
    #[inline]
    pub(crate) fn view<'a>(
        &'a self,
        source: &'a str,
        folded: &'a Folded,
        loaded: Loaded,
    ) -> Text<'a> {
        let Loaded { start, end, has_breaks, place } = loaded;
        let str = match place {
            LoadedFrom::Source => source,
            LoadedFrom::Origins | LoadedFrom::Folded(_) => &self.text,
            LoadedFrom::InCopy { .. } => folded.text(),
        };
        Text { str, start, end, has_breaks, map: self.map(folded, loaded) }
    }

    /// The map of the text that was loaded last.
    #[inline]
    pub(crate) fn map<'a>(&'a self, folded: &'a Folded, loaded: Loaded) -> Map<'a> {
        match loaded.place {
            LoadedFrom::Source => Map::Source,
            LoadedFrom::Origins => Map::Origins(&self.origins),
            LoadedFrom::Folded(start) => Map::Folded(Returns { start, in_source: &self.returns }),
            LoadedFrom::InCopy { first, end } => {
                Map::Folded(Returns { start: first, in_source: folded.returns(first..end) })
            }
        }
    }

    /// The text at `span` in this layout, in place or joined.
    #[inline]
    pub(crate) fn text<'a>(
        &'a mut self,
        source: &'a str,
        tape: &'a Tape,
        span: Span,
        lines: Lines,
    ) -> Text<'a> {
        let loaded = self.load(source, tape, span, lines);
        if loaded.place == LoadedFrom::Source {
            let Loaded { start, end, has_breaks, .. } = loaded;
            return Text { str: source, start, end, has_breaks, map: Map::Source };
        }
        self.view_joined(source, &tape.folded, loaded)
    }

    /// [`Joined::view`] of a text that is rarely joined.
    #[inline(never)]
    fn view_joined<'a>(&'a self, source: &'a str, folded: &'a Folded, loaded: Loaded) -> Text<'a> {
        self.view(source, folded, loaded)
    }

    /// Like [`Joined::load`], for a part of a text in this layout. The bounds are offsets of the
    /// source, each at the start of a line or within one.
    #[inline]
    pub(crate) fn load_part(
        &mut self,
        source: &str,
        tape: &Tape,
        part: Span,
        lines: Lines,
    ) -> Loaded {
        match tape.segments(lines.layout) {
            None => self.load(source, tape, part, lines),
            Some(segments) => self.load_segments(source, tape, part, (segments, lines.breaks)),
        }
    }

    fn load_segments(
        &mut self,
        source: &str,
        tape: &Tape,
        part: Span,
        (segments, has_breaks): (&[Segment], bool),
    ) -> Loaded {
        self.text.clear();
        self.origins.clear();
        let first = segments.partition_point(|segment| segment.end <= part.start);
        for (n, segment) in segments[first..].iter().enumerate() {
            if n > 0 && segment.start <= part.end {
                self.text.push('\n');
            }
            if segment.start >= part.end {
                break;
            }
            let (start, end) = (segment.start.max(part.start), segment.end.min(part.end));
            self.push_segment(source, tape, start, end);
        }
        let end = self.text.len();
        self.text.push_str(PADDING);
        Loaded { start: 0, end, has_breaks, place: LoadedFrom::Origins }
    }

    fn join(&mut self, source: &str, tape: &Tape, span: Span, layout: Layout) {
        self.origins.clear();
        let Some(segments) = tape.segments(layout) else {
            return self.join_slice(source, tape, span);
        };
        for (n, segment) in segments.iter().enumerate() {
            match segment.lead {
                Lead::Line { n_spaces } => {
                    if n > 0 {
                        self.text.push('\n');
                    }
                    if n_spaces > 0 {
                        self.add_origin(segment.start, 0);
                        self.text.extend(std::iter::repeat_n(' ', n_spaces.into()));
                    }
                }
                Lead::Glued => {}
            }
            self.push_segment(source, tape, segment.start, segment.end);
        }
    }

    /// Appends a slice of the source with NULs in it, whose lines may end in CRLF.
    fn join_slice(&mut self, source: &str, tape: &Tape, span: Span) {
        let mut start = span.start;
        for at in memchr::memchr_iter(b'\r', span.slice(source).as_bytes()) {
            let end = span.start + at as u32;
            self.push_segment(source, tape, start, end);
            self.text.push('\n');
            start = end + 2;
        }
        self.push_segment(source, tape, start, span.end);
    }

    #[inline]
    fn push_segment(&mut self, source: &str, tape: &Tape, start: u32, end: u32) {
        if tape.has_nul {
            self.push_shown(source, start, end);
        } else {
            self.add_origin(start, end - start);
            push_range(source, start as usize, end as usize, &mut self.text);
        }
    }

    /// Appends a range of the source, with each NUL as U+FFFD.
    fn push_shown(&mut self, source: &str, mut start: u32, end: u32) {
        loop {
            let rest = Span::new(start, end).slice(source);
            let len = memchr::memchr(0, rest.as_bytes()).unwrap_or(rest.len());
            // Between two adjacent NULs there is nothing.
            if len > 0 || rest.is_empty() {
                self.add_origin(start, len as u32);
                self.text.push_str(&rest[..len]);
            }
            if len == rest.len() {
                return;
            }
            start += len as u32;
            self.add_origin(start, 1);
            self.text.push('\u{FFFD}');
            start += 1;
        }
    }

    /// Maps the text that is appended next to this range of the source.
    #[inline]
    fn add_origin(&mut self, source: u32, source_len: u32) {
        self.origins.push_sparingly(Origin { joined: self.text.len() as u32, source, source_len });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Block, Tape};
    use super::{Folded, Joined, Layout, Map, Span, Text};
    use crate::block;
    use crate::source_len::n_added;

    #[test]
    fn offsets_go_back_to_the_source() {
        let source = "> a\0b\n> cd";
        let mut tape = Tape::default();
        block::parse(
            source,
            &crate::Options::commonmark(),
            &mut tape,
            &mut block::BlockBuffers::default(),
        );
        let paragraph = tape.records[1];
        let Block::Paragraph(lines) = paragraph.block else { panic!("{paragraph:?}") };
        let mut joined = Joined::default();
        let text = joined.text(source, &tape, paragraph.span(), lines);
        assert_eq!(text.slice(0, text.end), "a\u{FFFD}b\ncd");
        assert_eq!(text.span(0, text.end), Span::new(2, 10));
        assert_eq!(text.span(1, 4), Span::new(3, 4));
        assert_eq!(text.span(4, 5), Span::new(4, 5));
        assert_eq!(text.span(5, 6), Span::new(5, 5));
        assert_eq!(text.span(6, 7), Span::new(8, 9));
        assert!(text.is_verbatim(6, 8));
        assert!(!text.is_verbatim(1, 4));
        assert!(!text.is_verbatim(4, 7));
    }

    #[test]
    fn no_text_is_longer_than_was_counted() {
        // A tab that an item has cut in two, NUL, both; and with other containers before them.
        let n_lines = |line: &str| line.repeat(50);
        for source in [
            n_lines("\0\0\0\n"),
            format!("- ```\n{}", n_lines("\tx\n")),
            format!("1. ```\r\n{}", n_lines("\t\r\n")),
            format!("- - - ```\n{}", n_lines("\t\tx\n")),
            format!("> - ```\n{}", n_lines(">\t\0\n")),
            format!("-     code\n{}", n_lines("\t\t\n")),
            format!(" -  <div>\n{}", n_lines(" \t\0\n")),
            format!("- a\n\n  a\0\n{}", n_lines("\ta\0\n")),
            format!("```\n{}", n_lines("\0\r\n")),
        ] {
            let mut tape = Tape::default();
            let buffers = &mut block::BlockBuffers::default();
            block::parse(&source, &crate::Options::github(), &mut tape, buffers);
            let most = source.len() + n_added(source.as_bytes());
            let mut longest = 0;
            for record in &mut tape.records.clone() {
                let (span, mut joined) = (record.span(), Joined::default());
                let Some(lines) = record.lines_mut() else { continue };
                longest = longest.max(joined.text(&source, &tape, span, *lines).end);
            }
            assert!((1..=most).contains(&longest), "{longest} of {most}: {source:?}");
        }
    }

    #[test]
    fn a_text_without_carriage_returns_is_mapped_as_one_that_was_joined() {
        for source in ["a\r\nbc\r\nd", "ab\ncd\r\ne\nf", "é\r\n漢\r\n🙂"] {
            let folded = read(source);
            // As if there were a NUL somewhere else.
            let joined = Tape { has_nul: true, ..folded.clone() };
            assert_eq!(compare_texts(source, &folded, &joined), 1, "{source:?}");
        }
    }

    #[test]
    fn a_text_in_the_copy_is_mapped_as_one_that_was_joined() {
        let source = "one\r\ntwo\r\n\r\n- é\r\n🙂\r\n\r\n# a\r\n\r\nb\r\nc\r\n\r\n".repeat(30);
        let copied = read(&source);
        assert!(!copied.folded.is_empty());
        let joined = Tape { folded: Folded::default(), has_nul: true, ..copied.clone() };
        assert_eq!(compare_texts(&source, &copied, &joined), 90);
    }

    fn read(source: &str) -> Tape {
        let mut tape = Tape::default();
        let buffers = &mut block::BlockBuffers::default();
        block::parse(source, &crate::Options::commonmark(), &mut tape, buffers);
        tape
    }

    /// Compares the texts with CRLF of two tapes, of which the second joins them. Returns their
    /// number.
    fn compare_texts(source: &str, folded_tape: &Tape, joined_tape: &Tape) -> usize {
        let (mut one, mut other) = (Joined::default(), Joined::default());
        let mut n_compared = 0;
        for record in &folded_tape.records {
            if record.layout() != Layout::Crlf {
                continue;
            }
            let (span, lines) = (record.span(), record.lines());
            let folded = one.text(source, folded_tape, span, lines);
            let joined = other.text(source, joined_tape, span, lines);
            assert!(matches!(folded.map, Map::Folded(_)), "{source:?}");
            assert!(matches!(joined.map, Map::Origins(_)), "{source:?}");
            compare_maps(&folded, &joined);
            n_compared += 1;
        }
        n_compared
    }

    /// Compares a text, which may be anywhere in a string, with one at the start of a string.
    fn compare_maps(folded: &Text<'_>, joined: &Text<'_>) {
        let base = folded.start;
        assert_eq!(folded.slice(base, folded.end), joined.slice(0, joined.end));
        assert_eq!(folded.lines_span(), joined.lines_span());
        for start in 0..joined.end {
            assert_eq!(folded.source_offset(base + start), joined.source_offset(start));
            for end in start..=joined.end {
                let of = |text: &Text<'_>, base: usize| {
                    let (start, end) = (base + start, base + end);
                    let (span, verbatim) = (text.span(start, end), text.verbatim(start, end));
                    assert_eq!(verbatim, text.is_verbatim(start, end).then_some(span));
                    (span, verbatim, text.verbatim_end(start, end) - base)
                };
                assert_eq!(of(folded, base), of(joined, 0), "{start}..{end} of {joined:?}");
            }
        }
    }
}
