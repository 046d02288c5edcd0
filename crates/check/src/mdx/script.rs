//! Where a piece of JavaScript ends: an expression in braces, a tag of JSX, or a statement, which
//! continues on further lines as long as something in it is open.
//!
//! ```text
//! {a.map(b => <c d="}">{`${e}`}</c>)}     brackets, tags and templates nest
//! {"}" /* } */ + /}/}                     those in strings, comments and patterns do not count
//! ```
//!
//! This is not a parser: it may accept what is not JavaScript. A pattern is a regular expression.
//!
//! LINEAR: every byte is read once.

use memchr::{memchr, memchr2, memmem};

/// What is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    Brace,
    Parenthesis,
    Bracket,
    Template,
    /// `<a …>`, and then its content, or `</a>`.
    OpeningTag,
    ClosingTag,
    /// The content between two tags.
    Content,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// `{…}`
    Expression,
    /// `<…>`
    Tag,
}

/// Whether a value may come next, so that `/` begins a pattern and `<` a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    Operator,
}

/// A piece of JavaScript that was read up to a place.
#[derive(Debug)]
pub(super) struct Script<'s> {
    bytes: &'s [u8],
    pub(super) at: usize,
    open: Vec<Frame>,
    next: Next,
    /// Whether something was closed that is not open.
    is_broken: bool,
    /// For strings in `'`, strings in `"` and patterns: the offset before which a search for their
    /// end fails.
    missed: [usize; 3],
}

/// The end of the piece at `start`, where its `{` or `<` is; `None` if it is not closed.
pub(super) fn end_of(piece: Piece, bytes: &[u8], start: usize) -> Option<usize> {
    let mut script = Script::new(bytes, start + 1);
    let is_closing = bytes.get(start + 1) == Some(&b'/');
    script.open.push(match piece {
        Piece::Expression => Frame::Brace,
        Piece::Tag => Frame::ClosingTag,
    });
    if piece == Piece::Tag && is_closing {
        script.at += 1;
    }
    while !script.open.is_empty() && script.at < bytes.len() {
        script.step();
    }
    (script.open.is_empty() && !script.is_broken).then_some(script.at)
}

impl<'s> Script<'s> {
    /// The statements that start here.
    pub(super) fn new(bytes: &'s [u8], at: usize) -> Self {
        Self { bytes, at, open: Vec::new(), next: Next::Value, is_broken: false, missed: [0; 3] }
    }

    /// Reads up to `end`, or to the end of a string or comment that extends past it.
    pub(super) fn read_to(&mut self, end: usize) {
        while self.at < end {
            self.step();
        }
    }

    /// Whether nothing is open.
    pub(super) fn is_whole(&self) -> bool {
        self.open.is_empty() && !self.is_broken
    }

    fn step(&mut self) {
        let Some(&byte) = self.bytes.get(self.at) else { return };
        match self.open.last() {
            Some(Frame::Template) => self.step_in_template(byte),
            Some(&tag @ (Frame::OpeningTag | Frame::ClosingTag)) => self.step_in_tag(byte, tag),
            Some(Frame::Content) => self.step_in_content(byte),
            _ => self.step_in_code(byte),
        }
    }

    fn step_in_template(&mut self, byte: u8) {
        match byte {
            b'\\' => self.at += 2,
            b'`' => self.close(Frame::Template),
            b'$' if self.bytes.get(self.at + 1) == Some(&b'{') => {
                self.at += 1;
                self.open(Frame::Brace);
            }
            _ => self.at += 1,
        }
    }

    fn step_in_tag(&mut self, byte: u8, tag: Frame) {
        match byte {
            b'"' | b'\'' => {
                let len = memchr(byte, &self.bytes[self.at + 1..]);
                self.at = len.map_or(self.bytes.len(), |len| self.at + len + 2);
            }
            b'{' => self.open(Frame::Brace),
            b'/' if self.bytes.get(self.at + 1) == Some(&b'>') => {
                self.at += 1;
                self.close(tag);
            }
            b'>' => {
                self.close(tag);
                if tag == Frame::OpeningTag {
                    self.open.push(Frame::Content);
                } else if self.open.last() == Some(&Frame::Content) {
                    self.open.pop();
                }
            }
            _ => self.at += 1,
        }
    }

    fn step_in_content(&mut self, byte: u8) {
        match byte {
            b'{' => self.open(Frame::Brace),
            b'<' if self.bytes.get(self.at + 1) == Some(&b'/') => {
                self.open(Frame::ClosingTag);
                self.at += 1;
            }
            b'<' => self.open(Frame::OpeningTag),
            _ => self.at += 1,
        }
    }

    fn step_in_code(&mut self, byte: u8) {
        let after = self.bytes.get(self.at + 1).copied().unwrap_or(b' ');
        match (byte, after) {
            (b'/', b'/') => self.step_over_line(),
            (b'/', b'*') => self.step_over_comment(),
            (b'/', _) if self.next == Next::Value => self.step_over_pattern(),
            (b'<', after) if self.next == Next::Value && (is_of_name(after) || after == b'>') => {
                self.open(Frame::OpeningTag);
            }
            (b'"' | b'\'', _) => self.step_over_string(byte),
            (b'`', _) => self.open(Frame::Template),
            (b'{', _) => self.open(Frame::Brace),
            (b'(', _) => self.open(Frame::Parenthesis),
            (b'[', _) => self.open(Frame::Bracket),
            (b'}', _) => self.close(Frame::Brace),
            (b')', _) => self.close(Frame::Parenthesis),
            (b']', _) => self.close(Frame::Bracket),
            (byte, _) if is_of_name(byte) => self.step_over_word(),
            (byte, _) => {
                self.at += 1;
                if !byte.is_ascii_whitespace() {
                    self.next = Next::Value;
                }
            }
        }
    }

    fn open(&mut self, frame: Frame) {
        self.at += 1;
        self.open.push(frame);
        self.next = Next::Value;
    }

    fn close(&mut self, frame: Frame) {
        self.at += 1;
        if self.open.last() == Some(&frame) {
            self.open.pop();
        } else {
            self.is_broken = true;
        }
        self.next = Next::Operator;
    }

    fn step_over_line(&mut self) {
        let len = memchr2(b'\n', b'\r', &self.bytes[self.at..]);
        self.at = len.map_or(self.bytes.len(), |len| self.at + len);
    }

    fn step_over_comment(&mut self) {
        let len = memmem::find(&self.bytes[self.at + 2..], b"*/");
        self.at = len.map_or(self.bytes.len(), |len| self.at + len + 4);
    }

    /// Skips a string, which ends on its line. If it does not, skips only the quote.
    fn step_over_string(&mut self, quote: u8) {
        self.at += 1;
        self.next = Next::Operator;
        if let Some(end) = self.end_on_line(usize::from(quote == b'"'), |byte| byte == quote) {
            self.at = end;
        }
    }

    /// Skips a pattern, `/…/`, or else an operator.
    fn step_over_pattern(&mut self) {
        self.at += 1;
        let mut is_in_class = false;
        let end = self.end_on_line(2, |byte| {
            match byte {
                b'[' => is_in_class = true,
                b']' => is_in_class = false,
                _ => {}
            }
            byte == b'/' && !is_in_class
        });
        if let Some(end) = end {
            self.at = end;
            self.next = Next::Operator;
        }
    }

    /// The offset after the end of such a construct on this line, if it has one. A backslash
    /// escapes the byte after it.
    ///
    /// LINEAR: text that was searched in vain is not searched again for the same kind.
    fn end_on_line(&mut self, kind: usize, mut is_end: impl FnMut(u8) -> bool) -> Option<usize> {
        let mut at = self.at;
        if at < self.missed[kind] {
            return None;
        }
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                // After a backslash at the end of a line, a string continues on the next one.
                b'\\' => at += 1,
                b'\n' | b'\r' => break,
                byte if is_end(byte) => return Some(at + 1),
                _ => {}
            }
            at += 1;
        }
        self.missed[kind] = at;
        None
    }

    fn step_over_word(&mut self) {
        let rest = &self.bytes[self.at..];
        let len = rest.iter().take_while(|byte| is_of_name(**byte)).count();
        let is_operator = OPERATORS.contains(&&rest[..len]);
        self.next = if is_operator { Next::Value } else { Next::Operator };
        self.at += len;
    }
}

/// Words that a value follows.
const OPERATORS: [&[u8]; 14] = [
    b"await",
    b"case",
    b"default",
    b"delete",
    b"do",
    b"else",
    b"in",
    b"instanceof",
    b"new",
    b"return",
    b"throw",
    b"typeof",
    b"void",
    b"yield",
];

/// Whether a name may contain this byte.
pub(super) fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

#[cfg(test)]
mod tests {
    use super::{Piece, Script, end_of};

    #[test]
    fn pieces_end_where_they_are_closed() {
        for (source, rest) in [
            ("{a} b", " b"),
            ("{} }", " }"),
            ("{/* } */}!", "!"),
            ("{a // }\n}!", "!"),
            ("{'}' + \"\\\"}\"}!", "!"),
            ("{`}${`}`}`}!", "!"),
            ("{a.replace(/[/}]/g, b / c)}!", "!"),
            ("{a < b}!", "!"),
            ("{a && <b c='}' d={{e: 1}}>don't } <f/>{g}</b>}!", "!"),
            ("{<>}</>}!", "!"),
            ("{() => { return <a>'</a> }}!", "!"),
            ("{it's}!", "!"),
        ] {
            let end = end_of(Piece::Expression, source.as_bytes(), 0);
            assert_eq!(end.map(|end| &source[end..]), Some(rest), "{source}");
        }
        for source in ["{", "{a", "{(}", "{`}", "{/* }", "{<a>}"] {
            assert_eq!(end_of(Piece::Expression, source.as_bytes(), 0), None, "{source}");
        }
        for (source, rest) in [
            ("<a> b", " b"),
            ("<a/> b", " b"),
            ("</a> b", " b"),
            ("<> b", " b"),
            ("<a b='>' c={d > e} {...f}\n g> b", " b"),
        ] {
            let end = end_of(Piece::Tag, source.as_bytes(), 0);
            assert_eq!(end.map(|end| &source[end..]), Some(rest), "{source}");
        }
    }

    #[test]
    fn statements_are_whole_when_nothing_is_open() {
        for (source, is_whole) in [
            ("import a from 'b'", true),
            ("export const a = {", false),
            ("export const a = '{'", true),
            ("export const a = <p>{b} it's (", false),
            ("export const a = <p>it's</p>", true),
            ("export const a = b)", false),
        ] {
            let mut script = Script::new(source.as_bytes(), 0);
            script.read_to(source.len());
            assert_eq!(script.is_whole(), is_whole, "{source}");
        }
    }
}
