//! What can be appended to the text of a paragraph as it is: bytes that change nothing before
//! them, and that nothing before them changes.
//!
//! | bytes | why they are text |
//! |---|---|
//! | letters, digits, most punctuation | no inline construct looks at them, but next to one |
//! | `*`, `_` behind white space | they close nothing, and what would close them has not come |
//! | a backtick, if no run of them is open; `[`, `<` | the same |
//! | `&`, `:` | the same, but what follows in the same word may be part of an entity or a URL |
//! | `.` | if the word is no name that would be linked |
//! | `)` | if no `]` before it may be that of a link |
//!
//! A word with anything else in it is left to those who read the text.

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
    /// Whether a run of backticks may be open.
    pub(super) has_backticks: bool,
    /// Whether more lines may be appended.
    pub(super) has_lines: bool,
}

/// Whether HTML must escape something in a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    No,
    Yes,
}

/// How far the last word is looked for.
const MAX_WORD: usize = 32;

/// What a byte may be: one bit.
type Class = u8;

/// Part of a word.
const WORD: Class = 1;
const SPACE: Class = 2;
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
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | 0x80..
            | b','
            | b';'
            | b'\''
            | b'-'
            | b'('
            | b'?'
            | b'/'
            | b'!'
            | b'%' => WORD,
            b' ' => SPACE,
            b'\n' => LINE_END,
            b'"' => ESCAPED,
            b'<' | b'&' => SPECIAL | ESCAPED,
            b'.' | b')' | b'*' | b'_' | b'`' | b'[' | b':' => SPECIAL,
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

impl Words {
    /// What the text ends with after `piece`, if that can be appended. `before` is the byte
    /// before it.
    #[inline]
    pub(super) fn go_on(&mut self, at: At, before: u8, piece: &[u8]) -> Option<(At, Escape)> {
        let all = piece.iter().fold(0, |all, byte| all | class(*byte));
        let escape = if all & ESCAPED == 0 { Escape::No } else { Escape::Yes };
        if all & !(WORD | SPACE | ESCAPED) == 0 && at == At::Word {
            return Some((At::Word, escape));
        }
        if all & OTHER != 0 || all & LINE_END != 0 && !self.has_lines {
            return None;
        }
        Some((self.take(at, before, piece)?, escape))
    }

    fn take(&mut self, mut at: At, mut before: u8, piece: &[u8]) -> Option<At> {
        // The byte that may open something: that of a run behind white space, which ends here.
        let mut opener = None;
        for &byte in piece {
            let is_text = match (at, byte) {
                (At::LineStart, _) => byte.is_ascii_alphabetic() || byte >= 0x80,
                (At::Link, _) => false,
                (_, b' ') => true,
                (_, b'\n') => ends_plainly(before),
                (At::Line, _) => false,
                (_, b'.') => !self.has_domains && !matches!(before, b'w' | b'W'),
                (_, b':') => !self.has_domains,
                (_, b')') => self.has_parentheses,
                (_, b'*' | b'_') => matches!(before, b' ' | b'\t') || opener == Some(byte),
                (_, b'`') => !std::mem::replace(&mut self.has_backticks, true),
                _ => true,
            };
            if !is_text {
                return None;
            }
            at = match byte {
                b'\n' => At::LineStart,
                b'&' | b':' => At::Line,
                _ => At::Word,
            };
            opener = matches!(byte, b'*' | b'_').then_some(byte);
            before = byte;
        }
        Some(at)
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
        let mut words = Self { has_parentheses: true, has_backticks: false, ..self };
        let is_text = word.iter().all(|byte| class(*byte) & OTHER == 0);
        let at = if is_text { words.take(At::Word, b' ', word) } else { None };
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
    use super::{At, Words};

    const WORDS: Words =
        Words { has_parentheses: true, has_domains: false, has_backticks: false, has_lines: true };

    fn go_on(text: &str, piece: &str) -> Option<At> {
        let mut words = WORDS;
        let at = words.end_of(text.as_bytes());
        let before = *text.as_bytes().last().unwrap_or(&b' ');
        words.go_on(at, before, piece.as_bytes()).map(|(at, _)| at)
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
            ("a", " ==b"),
        ] {
            assert_eq!(go_on(text, piece), None, "{text:?} {piece:?}");
        }
    }
}
