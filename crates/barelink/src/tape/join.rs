//! From the tape to the text of a leaf: `syntax::text::Text`.
//!
//! Where the leaf is one slice of the source, its text is read in place. Otherwise its pieces
//! are joined by line feeds in a buffer that is used again for each leaf, with a map back to
//! the source. NUL becomes U+FFFD on the way, so nothing after this meets one.

use barelink_text::Span;
use barelink_text::find::push_range;

use super::Tape;
use super::pieces::{Layout, Lead, Lines};
use crate::syntax::text::{Origin, Text};

/// The reused buffer.
#[derive(Debug, Default)]
pub(crate) struct Joined {
    text: String,
    origins: Vec<Origin>,
}

/// Where a leaf's text is: see [`Joined::load`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded {
    start: usize,
    end: usize,
    /// As [`Text::has_breaks`].
    has_breaks: bool,
    /// Whether it is in the source itself.
    pub(crate) in_place: bool,
}

impl Loaded {
    #[inline]
    fn in_place(span: Span, lines: Lines) -> Self {
        let (start, end) = (span.start as usize, span.end as usize);
        Self { start, end, has_breaks: lines.breaks, in_place: true }
    }
}

impl Joined {
    /// Makes the text that lies at `span` in this layout available to [`Joined::view`],
    /// joining it if it is not one slice of the source.
    #[inline]
    pub(crate) fn load(&mut self, source: &str, tape: &Tape, span: Span, lines: Lines) -> Loaded {
        if lines.layout == Layout::Slice && !tape.has_nul {
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
        self.join(source, tape, span, lines.layout);
        let has_breaks = lines.breaks;
        Loaded { start: 0, end: self.text.len(), has_breaks, in_place: false }
    }

    /// The text that was loaded last.
    #[inline]
    pub(crate) fn view<'a>(&'a self, source: &'a str, loaded: Loaded) -> Text<'a> {
        let Loaded { start, end, has_breaks, in_place } = loaded;
        if in_place {
            Text { str: source, start, end, has_breaks, origins: &[] }
        } else {
            Text { str: &self.text, start, end, has_breaks, origins: &self.origins }
        }
    }

    /// The text that lies at `span` in this layout, in place or joined.
    #[inline]
    pub(crate) fn text<'a>(
        &'a mut self,
        source: &'a str,
        tape: &Tape,
        span: Span,
        lines: Lines,
    ) -> Text<'a> {
        let loaded = self.load(source, tape, span, lines);
        self.view(source, loaded)
    }

    fn join(&mut self, source: &str, tape: &Tape, span: Span, layout: Layout) {
        self.text.clear();
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

    /// A slice of the source whose lines may end in CRLF.
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

    /// A stretch of the source that may hold NUL, as it is shown.
    fn push_shown(&mut self, source: &str, mut start: u32, end: u32) {
        loop {
            let rest = Span::new(start, end).slice(source);
            let len = memchr::memchr(0, rest.as_bytes()).unwrap_or(rest.len());
            self.add_origin(start, len as u32);
            self.text.push_str(&rest[..len]);
            if len == rest.len() {
                return;
            }
            start += len as u32;
            self.add_origin(start, 1);
            self.text.push('\u{FFFD}');
            start += 1;
        }
    }

    /// Notes that what comes next is that stretch of the source.
    #[inline]
    fn add_origin(&mut self, source: u32, source_len: u32) {
        self.origins.push(Origin { joined: self.text.len() as u32, source, source_len });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Block, Tape};
    use super::{Joined, Span};
    use crate::block;

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
        assert_eq!(text.str, "a\u{FFFD}b\ncd");
        assert_eq!(text.span(0, text.end), Span::new(2, 10));
        assert_eq!(text.span(1, 4), Span::new(3, 4));
        assert_eq!(text.span(4, 5), Span::new(4, 5));
        assert_eq!(text.span(5, 6), Span::new(5, 5));
        assert_eq!(text.span(6, 7), Span::new(8, 9));
        assert!(text.is_verbatim(6, 8));
        assert!(!text.is_verbatim(1, 4));
        assert!(!text.is_verbatim(4, 7));
    }
}
