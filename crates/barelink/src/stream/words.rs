//! What can be appended to the text of a paragraph as it is: bytes that change nothing before
//! them, and that nothing before them changes.
//!
//! | bytes | why they are text |
//! |---|---|
//! | letters, digits, most punctuation | no inline construct looks at them, but next to one |
//! | `*`, `_` behind white space | they close nothing, and what would close them has not come |
//! | a backtick, if no run of them is open; `[`, `<` | the same |
//! | the backtick that closes another one | all that it changes is what stands between the two |
//! | `&`, `:` | the same, but what follows in the same word may be part of an entity or a URL |
//! | `.` | if the word is no name that would be linked |
//! | `)` | if no `]` before it may be that of a link |
//!
//! A word with anything else in it is left to those who read the text.

use barelink_text::find::{Class as _, Stops, Unplain};

/// What the text ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// The start of a line, or white space there if the text is code.
    LineStart,
    /// Bytes that go on with the line: only white space can be appended.
    Line,
    /// White space, or a word.
    Word,
    /// What may be a bare link: some depend on the white space that follows.
    Link,
}

impl At {
    /// The start of a line after a text that ends in this, unless another line could change it.
    pub(super) fn line_start_after(end: Self) -> Option<Self> {
        (end != Self::Link).then_some(Self::LineStart)
    }
}

/// What is known of a text that words may be appended to.
#[allow(clippy::struct_excessive_bools)] // Each stands alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Words {
    /// Whether a `)` can be no part of a link, since there is no `]` before.
    pub(super) has_parentheses: bool,
    /// Whether a period or a colon alone can be part of what is linked.
    pub(super) has_domains: bool,
    pub(super) backtick: Backtick,
    /// Whether what stands between backticks may be something else: a part of a tag, or of the
    /// destination of a link.
    pub(super) is_code_unsure: bool,
    /// Whether more lines may be appended.
    pub(super) has_lines: bool,
    /// Whether punctuation is smart: then quotes, hyphens and periods are left to those who read.
    pub(super) is_smart: bool,
}

/// Whether a run of backticks is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Backtick {
    Closed,
    /// One alone is: where it is in the source, and in the HTML of the open blocks.
    Open {
        at: u32,
        html: u32,
    },
    /// There may be one, or several.
    Unknown,
}

/// Where the backticks of a piece are, counted from its start.
#[derive(Debug, Default)]
pub(super) struct Backticks {
    places: [u32; MAX_BACKTICKS],
    len: usize,
}

/// A piece with more of them is left to those who read the text.
const MAX_BACKTICKS: usize = 8;

impl Backticks {
    pub(super) fn places(&self) -> &[u32] {
        &self.places[..self.len]
    }

    fn push(&mut self, place: usize) -> bool {
        let Some(free) = self.places.get_mut(self.len) else { return false };
        *free = place as u32;
        self.len += 1;
        true
    }
}

/// Whether HTML must escape something in a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    No,
    Yes,
}

/// So few bytes are looked at one by one.
const SHORT: usize = 32;

/// How far the last word is looked for.
const MAX_WORD: usize = 32;

/// What a byte may be: one bit.
type Class = u8;

/// Part of a word, or white space between words.
const PLAIN: Class = 1;
/// Part of a word that HTML must escape.
const ESCAPED: Class = 4;
const LINE_END: Class = 8;
/// Decided by [`Words::take`].
const SPECIAL: Class = 16;
/// It may mean something.
const OTHER: Class = 32;

const CLASSES: [Class; 256] = {
    let mut classes = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'\n' => LINE_END,
            b'"' => ESCAPED,
            b'<' | b'&' => SPECIAL | ESCAPED,
            b'.' | b')' | b'*' | b'_' | b'`' | b'[' | b':' => SPECIAL,
            plain if !Unplain::SET.contains(plain) => PLAIN,
            _ => OTHER,
        };
        byte += 1;
    }
    classes
};

fn class(byte: u8) -> Class {
    CLASSES[byte as usize]
}

/// Whether a line feed after this byte is nothing else.
pub(super) fn ends_plainly(byte: u8) -> bool {
    !matches!(byte, b' ' | b'\t' | b'\\' | b'\r')
}

/// Whether smart punctuation may make something else of a piece, or of the byte before it: how a
/// quote is shown depends on what stands behind it.
fn is_smart(before: u8, piece: &[u8]) -> bool {
    matches!(before, b'"' | b'\'')
        || piece.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'-' | b'.'))
}

/// A piece that may be appended, as far as it was looked at.
struct Piece<'p> {
    bytes: &'p [u8],
    /// The next byte.
    next: usize,
    at: At,
    /// The byte before it.
    before: u8,
    /// The byte that may open something: that of a run behind white space, which ends here.
    opener: Option<u8>,
    /// Whether a backtick is open.
    in_code: bool,
    backticks: &'p mut Backticks,
}

impl Words {
    /// What the text ends with after the piece `bytes`, if that can be appended. `before` is the
    /// byte before it.
    #[inline]
    pub(super) fn go_on(
        &mut self,
        at: At,
        before: u8,
        bytes: &[u8],
        backticks: &mut Backticks,
    ) -> Option<(At, Escape)> {
        if self.is_smart && is_smart(before, bytes) {
            return None;
        }
        if at == At::Word && bytes.len() <= SHORT {
            let all = bytes.iter().fold(PLAIN, |all, byte| all | class(*byte));
            if all == PLAIN {
                return Some((At::Word, Escape::No));
            }
        }
        let mut escape = Escape::No;
        let in_code = matches!(self.backtick, Backtick::Open { .. });
        let mut piece = Piece { bytes, next: 0, at, before, opener: None, in_code, backticks };
        let mut stops = Stops::<Unplain>::new(bytes, 0, bytes.len());
        while piece.next < bytes.len() {
            if piece.in_code
                && let Some(end) = self.end_of_code(&bytes[piece.next..])
            {
                piece.next += end;
                (piece.at, piece.before) = (At::Word, b' ');
                stops.seek(piece.next);
                escape = Escape::Yes;
            } else if piece.at == At::Word {
                stops.seek(piece.next);
                let stop = stops.next().unwrap_or(bytes.len());
                if stop > piece.next {
                    piece.opener = None;
                    piece.before = bytes[stop - 1];
                    piece.next = stop;
                }
                if stop == bytes.len() {
                    break;
                }
            }
            self.take(&mut piece)?;
            if class(piece.before) & ESCAPED != 0 {
                escape = Escape::Yes;
            }
        }
        Some((piece.at, escape))
    }

    /// Where the code ends that is open, if it does on this line.
    fn end_of_code(&self, rest: &[u8]) -> Option<usize> {
        if self.is_code_unsure {
            return None;
        }
        let end = memchr::memchr3(b'`', b'\n', b'\r', rest)?;
        let is_run = rest.get(end + 1) == Some(&b'`') || rest[..end].contains(&0);
        (rest[end] == b'`' && end > 0 && !is_run).then_some(end)
    }

    /// Takes the next byte of the piece, if it can be appended.
    #[inline]
    fn take(&mut self, piece: &mut Piece<'_>) -> Option<()> {
        let byte = piece.bytes[piece.next];
        let class = class(byte);
        let is_no_text = class & OTHER != 0 || class & LINE_END != 0 && !self.has_lines;
        if is_no_text || !self.take_special(byte, piece) {
            return None;
        }
        piece.at = match byte {
            b'\n' => At::LineStart,
            b'&' | b':' => At::Line,
            _ => At::Word,
        };
        piece.opener = matches!(byte, b'*' | b'_').then_some(byte);
        piece.before = byte;
        piece.next += 1;
        Some(())
    }

    fn take_special(&mut self, byte: u8, piece: &mut Piece<'_>) -> bool {
        let before = piece.before;
        match (piece.at, byte) {
            (At::LineStart, b'`') => {
                let next = piece.bytes.get(piece.next + 1);
                next.is_some_and(|next| *next != b'`') && self.take_backtick(piece)
            }
            (At::LineStart, _) => {
                byte.is_ascii_alphabetic() || byte >= 0x80 || b"\"'(".contains(&byte)
            }
            (At::Link, _) => false,
            (_, b' ') => true,
            (_, b'\n') => ends_plainly(before),
            (At::Line, _) => false,
            (_, b'.') => !self.has_domains && !matches!(before, b'w' | b'W'),
            (_, b':') => !self.has_domains,
            (_, b')') => self.has_parentheses,
            (_, b'*' | b'_') => matches!(before, b' ' | b'\t') || piece.opener == Some(byte),
            (_, b'`') => before != b'`' && self.take_backtick(piece),
            (_, b'<') => {
                self.is_code_unsure |= !piece.in_code;
                true
            }
            _ => true,
        }
    }

    fn take_backtick(&self, piece: &mut Piece<'_>) -> bool {
        let is_taken = self.backtick != Backtick::Unknown && piece.backticks.push(piece.next);
        piece.in_code = is_taken && !piece.in_code;
        is_taken
    }

    /// What a text ends with, which is not at the start of a line. White space at its end is not
    /// shown.
    pub(super) fn end_of(self, text: &[u8]) -> At {
        let shown = text.trim_ascii_end();
        match self.end_of_shown(shown) {
            At::Line if shown.len() < text.len() => At::Word,
            at => at,
        }
    }

    fn end_of_shown(self, text: &[u8]) -> At {
        let last = &text[text.len().saturating_sub(MAX_WORD)..];
        let start = last.iter().rposition(|byte| matches!(byte, b' ' | b'\t' | b'\n'));
        if start.is_none() && last.len() < text.len() {
            return At::Link;
        }
        let word = &last[start.map_or(0, |at| at + 1)..];
        if word.iter().all(|byte| class(*byte) & (SPECIAL | OTHER) == 0) {
            return At::Word;
        }
        let mut words = Self { has_parentheses: true, backtick: Backtick::Closed, ..self };
        let mut piece = Piece {
            bytes: word,
            next: 0,
            at: At::Word,
            before: b' ',
            opener: None,
            in_code: false,
            backticks: &mut Backticks::default(),
        };
        while piece.next < word.len() && words.take(&mut piece).is_some() {}
        let at = (piece.next == word.len()).then_some(piece.at);
        at.unwrap_or(if self.may_link(word) { At::Link } else { At::Line })
    }

    /// Whether a word may have a bare link in it.
    fn may_link(self, word: &[u8]) -> bool {
        let is_sign = |pair: &[u8]| match pair {
            [b'w' | b'W', b'.'] | [b':', b'/'] => true,
            [_, b'.'] => self.has_domains,
            _ => false,
        };
        word.contains(&b'@')
            || self.has_domains && word.contains(&b':')
            || word.windows(2).any(is_sign)
    }
}

#[cfg(test)]
mod tests {
    use super::{At, Backtick, Backticks, Words};

    const WORDS: Words = Words {
        has_parentheses: true,
        has_domains: false,
        backtick: Backtick::Closed,
        is_code_unsure: false,
        has_lines: true,
        is_smart: false,
    };

    fn go_on(text: &str, piece: &str) -> Option<At> {
        let mut words = WORDS;
        let at = words.end_of(text.as_bytes());
        let before = *text.as_bytes().last().unwrap_or(&b' ');
        words.go_on(at, before, piece.as_bytes(), &mut Backticks::default()).map(|(at, _)| at)
    }

    #[test]
    fn pieces_that_only_go_on() {
        for (text, piece, at) in [
            ("some wo", "rds, and", At::Word),
            ("some words.", " More", At::Word),
            ("a", " **b", At::Word),
            ("a *", "b", At::Word),
            ("a", " `b", At::Word),
            ("a [b", "c", At::Word),
            ("a", ": b", At::Word),
            ("a", "\nb", At::Word),
            ("a", "\n", At::LineStart),
            ("*a*", " b", At::Word),
            ("a", " &", At::Line),
            ("a", " `b` c `d", At::Word),
            ("a", " `b<c>=d` e", At::Word),
            ("a", "\n`b", At::Word),
            ("a", "\n(b", At::Word),
        ] {
            assert_eq!(go_on(text, piece), Some(at), "{text:?} {piece:?}");
        }
    }

    #[test]
    fn pieces_that_may_be_more() {
        for (text, piece) in [
            ("*a", "*"),
            ("a _b", "_"),
            ("a_", "b"),
            ("*a*", "b"),
            ("www", ".a"),
            ("www.a", "b."),
            ("a", "](b"),
            ("a", "\n- b"),
            ("a ", "\nb"),
            ("a\\", "\nb"),
            ("http:", "//a"),
            ("http://a.bc_", " d"),
            ("http://a.bc_ ", "d"),
            ("&amp", ";"),
            ("a", " *_"),
            ("a", " &am"),
            ("`a`", "`"),
            ("a", " ``b"),
            ("a", " <b `c>`"),
            ("a", " `b\n`"),
            ("a", " `b>"),
            ("a", "\n`"),
            ("a", "\n```"),
            ("a", " ==b"),
        ] {
            assert_eq!(go_on(text, piece), None, "{text:?} {piece:?}");
        }
    }
}
