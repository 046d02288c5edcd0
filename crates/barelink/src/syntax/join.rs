//! The text of a leaf as one string, whatever its lines look like in the source.
//!
//! Inline parsing sees a string and two offsets and nothing of lines, markers
//! or indentation. Where the leaf is one slice of the source, that string is
//! the source itself; otherwise its pieces are joined by line feeds in a
//! buffer that is used again for each leaf, with a map back to the source.
//! NUL becomes U+FFFD on the way, so nothing after this meets one.

use barelink_text::Span;
use barelink_text::find::push_range;

use crate::block::tape::{BREAKS, Block, GLUED, SEGMENTED, Segment, Tape};

/// A stretch of the buffer that came from the source as it is.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Where it starts in the buffer.
    joined: u32,
    /// Where it starts in the source.
    source: u32,
    /// Its length in the source. (U+FFFD for NUL is longer in the buffer.)
    source_len: u32,
}

/// The reused buffer.
#[derive(Debug, Default)]
pub(crate) struct Joined {
    text: String,
    pieces: Vec<Piece>,
}

/// The text of a leaf: `str[start..end]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    /// The source, or the buffer. Longer than the leaf in the first case.
    pub(crate) str: &'a str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether some line but the last ends in a space or tab. If not, every line ending
    /// without a backslash stays as it is.
    pub(crate) has_breaks: bool,
    /// Empty when `str` is the source.
    pieces: &'a [Piece],
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

impl Joined {
    /// Makes the text of `block` available to [`Joined::view`], joining it if
    /// it is not one slice of the source.
    #[inline]
    pub(crate) fn load(&mut self, source: &str, tape: &Tape, block: &Block) -> Loaded {
        let has_breaks = block.has(BREAKS);
        if !block.has(SEGMENTED) && !tape.has_nul {
            let (start, end) = (block.start as usize, block.end as usize);
            return Loaded { start, end, has_breaks, in_place: true };
        }
        self.join(source, tape, block);
        Loaded { start: 0, end: self.text.len(), has_breaks, in_place: false }
    }

    /// The text that was loaded last.
    #[inline]
    pub(crate) fn view<'a>(&'a self, source: &'a str, loaded: Loaded) -> Text<'a> {
        let Loaded { start, end, has_breaks, in_place } = loaded;
        if in_place {
            Text { str: source, start, end, has_breaks, pieces: &[] }
        } else {
            Text { str: &self.text, start, end, has_breaks, pieces: &self.pieces }
        }
    }

    /// The text of `block`, in place or joined.
    #[inline]
    pub(crate) fn text<'a>(&'a mut self, source: &'a str, tape: &Tape, block: &Block) -> Text<'a> {
        let loaded = self.load(source, tape, block);
        self.view(source, loaded)
    }

    fn join(&mut self, source: &str, tape: &Tape, block: &Block) {
        self.text.clear();
        self.pieces.clear();
        if !block.has(SEGMENTED) {
            return self.push_shown(source, block.start, block.end);
        }
        for (n, &Segment { start, end, pad }) in tape.segments(block).iter().enumerate() {
            if n > 0 && pad != GLUED {
                self.text.push('\n');
            }
            self.push_padding(start, pad);
            if tape.has_nul {
                self.push_shown(source, start, end);
            } else {
                self.add_piece(start, end - start);
                push_range(source, start as usize, end as usize, &mut self.text);
            }
        }
    }

    /// The spaces before a segment.
    #[inline]
    fn push_padding(&mut self, start: u32, pad: u32) {
        if pad > 0 && pad != GLUED {
            self.add_piece(start, 0);
            self.text.extend(std::iter::repeat_n(' ', pad as usize));
        }
    }

    /// A stretch of the source that may hold NUL, as it is shown.
    fn push_shown(&mut self, source: &str, mut start: u32, end: u32) {
        loop {
            let rest = Span::new(start, end).slice(source);
            let len = memchr::memchr(0, rest.as_bytes()).unwrap_or(rest.len());
            self.add_piece(start, len as u32);
            self.text.push_str(&rest[..len]);
            if len == rest.len() {
                return;
            }
            start += len as u32;
            self.add_piece(start, 1);
            self.text.push('\u{FFFD}');
            start += 1;
        }
    }

    /// Notes that what comes next is that stretch of the source.
    #[inline]
    fn add_piece(&mut self, source: u32, source_len: u32) {
        self.pieces.push(Piece { joined: self.text.len() as u32, source, source_len });
    }
}

impl<'a> Text<'a> {
    /// The string up to the leaf's end: offsets are the string's.
    #[inline]
    pub(crate) fn bytes(&self) -> &'a [u8] {
        &self.str.as_bytes()[..self.end]
    }

    /// The text between two offsets on character boundaries.
    #[inline]
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.str.get(start..end).unwrap_or_default()
    }

    /// Whether the string is the source itself.
    #[inline]
    pub(crate) fn is_source(&self) -> bool {
        self.pieces.is_empty()
    }

    fn piece(&self, at: usize) -> &Piece {
        let after = self.pieces.partition_point(|piece| piece.joined as usize <= at);
        &self.pieces[after.saturating_sub(1)]
    }

    /// Where `at` stands in the source, as the start of something.
    pub(crate) fn source_offset(&self, at: usize) -> u32 {
        if self.pieces.is_empty() {
            return at as u32;
        }
        let piece = self.piece(at);
        piece.source + (at as u32 - piece.joined).min(piece.source_len)
    }

    /// The source of `start..end`.
    #[inline]
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        if self.pieces.is_empty() {
            return Span::new(start as u32, end as u32);
        }
        self.joined_span(start, end)
    }

    #[inline(never)]
    fn joined_span(&self, start: usize, end: usize) -> Span {
        let source_start = self.source_offset(start);
        if end <= start {
            return Span::new(source_start, source_start);
        }
        let piece = self.piece(end - 1);
        let source_end = piece.source + (end as u32 - piece.joined).min(piece.source_len);
        Span::new(source_start, source_end.max(source_start))
    }

    /// Whether `start..end` is the same in the source.
    pub(crate) fn is_verbatim(&self, start: usize, end: usize) -> bool {
        if self.pieces.is_empty() {
            return true;
        }
        let piece = self.piece(start);
        let in_piece = end as u32 - piece.joined <= piece.source_len;
        in_piece && !(piece.source_len == 1 && self.slice(start, end) == "\u{FFFD}")
    }

    /// How far text that starts at `start` is the same in the source, and not
    /// beyond `end`.
    pub(crate) fn verbatim_end(&self, start: usize, end: usize) -> usize {
        if self.pieces.is_empty() {
            return end;
        }
        let after = self.pieces.partition_point(|piece| piece.joined as usize <= start);
        match self.pieces.get(after) {
            Some(next) => end.min(next.joined as usize),
            None => end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Joined, Span};
    use crate::block;

    #[test]
    fn offsets_go_back_to_the_source() {
        let source = "> a\0b\n> cd";
        let mut tape = block::tape::Tape::default();
        block::parse(
            source,
            &crate::Options::commonmark(),
            &mut tape,
            &mut block::Buffers::default(),
        );
        let paragraph = tape.blocks[1];
        let mut joined = Joined::default();
        let text = joined.text(source, &tape, &paragraph);
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
