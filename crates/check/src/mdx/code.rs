//! The parts of an MDX file that are not Markdown: statements, expressions and tags.
//!
//! ```text
//! import a from "b"              a statement, at the start of a block, up to a blank line, or
//! export const c = {…}           further, as long as a bracket, a string or a tag is open
//! {d} {/* e */}                  an expression, where a line starts or in it
//! <f g="h" i={j}>                a tag, and not what is between two of them
//! ```
//!
//! In doubt, more counts as code than in MDX itself: the whole rest of a block after a brace or a
//! tag that is never closed, the whole rest of the file after such a statement.
//!
//! LINEAR: a line is read once, except for its code spans and for what is never closed. The end of
//! that is searched for across blank lines a few times at most.

use barelink::Span;
use memchr::{memchr2, memchr3};

use super::script::{Piece, Script, end_of, is_of_name};
use crate::front_matter::{self, Closed};

/// After this many pieces that are never closed, everything is code.
const UNCLOSED_MAX: usize = 8;

/// Everything of a source that is code, in order, without overlap.
pub(crate) fn spans(source: &str) -> Vec<Span> {
    let bytes = source.as_bytes();
    let mut file = File {
        bytes,
        found: Vec::new(),
        items: Vec::new(),
        fence: None,
        before: Before::Nothing,
        table: Table::None,
        block: Block::default(),
        blank: 0,
        n_unclosed: 0,
    };
    let mut at = front_matter::end(source, Closed::Anyhow);
    while at < bytes.len() {
        at = file.read_line(at);
    }
    file.found
}

/// What the line before is: a statement does not interrupt a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Text,
}

/// Whether there has been a table since the last blank line. Its last row may be any text, and a
/// statement ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Table {
    None,
    Open,
}

/// Where a piece starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Only other pieces precede it on its line.
    LineStart,
    InLine,
}

/// Fenced code that is open.
#[derive(Debug, Clone, Copy)]
struct Fence {
    byte: u8,
    len: usize,
    /// The number of quotes that it is in, and the column of its content in items.
    n_quotes: usize,
    column: usize,
}

/// What is known of the block that is being read.
#[derive(Debug, Default)]
struct Block {
    /// The offset past which no code span extends.
    end: usize,
    /// Its runs of backticks, by length and place.
    runs: Vec<(usize, usize)>,
}

struct File<'s> {
    bytes: &'s [u8],
    found: Vec<Span>,
    /// The columns that the content of open list items starts at.
    items: Vec<usize>,
    fence: Option<Fence>,
    before: Before,
    table: Table,
    block: Block,
    /// The start of the next blank line, unless the scan is past it.
    blank: usize,
    n_unclosed: usize,
}

/// The start of a line, after the markers of its containers.
#[derive(Debug, Clone, Copy)]
struct LineStart {
    n_quotes: usize,
    column: usize,
    at: usize,
}

impl File<'_> {
    /// Reads the line at `start`, and returns the start of the next one.
    fn read_line(&mut self, start: usize) -> usize {
        let end = line_end(self.bytes, start);
        let next = next_line(self.bytes, end);
        if self.is_in_fence(start, end) {
            return next;
        }
        let line = self.read_markers(start, end);
        if line.at == end {
            (self.before, self.table) = (Before::Nothing, Table::None);
            return next;
        }
        let rest = &self.bytes[line.at..end];
        if self.before == Before::Nothing && line.at == start && is_statement(rest) {
            return self.read_statement(start);
        }
        if let Some((byte, len)) = opening_fence(rest) {
            let column = self.items.last().copied().unwrap_or_default();
            self.fence = Some(Fence { byte, len, n_quotes: line.n_quotes, column });
            self.before = Before::Nothing;
            return next;
        }
        if is_delimiter_row(rest) {
            self.table = Table::Open;
        }
        let is_alone = is_heading(rest) || is_rule(rest) || self.table == Table::Open;
        let behind = self.read_text(line.at);
        if is_alone {
            self.before = Before::Nothing;
        }
        behind
    }

    /// Whether a line is in fenced code, or ends it.
    fn is_in_fence(&mut self, start: usize, end: usize) -> bool {
        let Some(Fence { byte, len, n_quotes, column }) = self.fence else { return false };
        let mut line = LineStart { n_quotes: 0, column: 0, at: start };
        while line.n_quotes < n_quotes && self.skip_quote(&mut line, end) {}
        self.skip_spaces(&mut line, end);
        let rest = &self.bytes[line.at..end];
        if line.n_quotes < n_quotes || !rest.is_empty() && line.column < column {
            self.fence = None;
            return false;
        }
        let n_signs = rest.iter().take_while(|it| **it == byte).count();
        if n_signs >= len && rest[n_signs..].trim_ascii().is_empty() {
            self.fence = None;
        }
        true
    }

    fn skip_spaces(&self, line: &mut LineStart, end: usize) {
        while line.at < end {
            match self.bytes[line.at] {
                b' ' => line.column += 1,
                b'\t' => line.column += 4 - line.column % 4,
                _ => return,
            }
            line.at += 1;
        }
    }

    fn skip_quote(&self, line: &mut LineStart, end: usize) -> bool {
        let mut behind = *line;
        self.skip_spaces(&mut behind, end);
        let is_quote = behind.at < end && self.bytes[behind.at] == b'>';
        if is_quote {
            let at = behind.at + 1;
            *line = LineStart { n_quotes: line.n_quotes + 1, column: behind.column + 1, at };
        }
        is_quote
    }

    /// Reads the markers of quotes and list items at the start of a line.
    fn read_markers(&mut self, start: usize, end: usize) -> LineStart {
        let mut line = LineStart { n_quotes: 0, column: 0, at: start };
        self.skip_spaces(&mut line, end);
        if line.at == end {
            return line;
        }
        while self.items.pop_if(|column| *column > line.column).is_some() {}
        loop {
            if self.skip_quote(&mut line, end) {
                self.skip_spaces(&mut line, end);
                continue;
            }
            let Some(len) = marker_len(&self.bytes[line.at..end]) else { return line };
            // A line that starts like an item ends the text before it.
            self.before = Before::Nothing;
            line.at += len;
            line.column += len;
            self.skip_spaces(&mut line, end);
            self.items.push(line.column);
        }
    }

    /// Reads a statement. All that follows is code as long as something in it is open.
    fn read_statement(&mut self, start: usize) -> usize {
        let mut script = Script::new(self.bytes, start);
        let mut at = start;
        loop {
            let end = line_end(self.bytes, at);
            let is_blank = self.bytes[at..end].trim_ascii().is_empty();
            script.read_to(end);
            if is_blank && script.at <= end && script.is_whole() {
                break;
            }
            at = next_line(self.bytes, end);
            if at >= self.bytes.len() {
                at = self.bytes.len();
                break;
            }
        }
        self.found.push(Span::new(start as u32, at as u32));
        self.before = Before::Nothing;
        at
    }

    /// Reads text, with what is code in it, to the end of a line.
    fn read_text(&mut self, start: usize) -> usize {
        let (mut at, mut place) = (start, Place::LineStart);
        self.before = Before::Nothing;
        while let Some(&byte) = self.bytes.get(at) {
            let from = at;
            match byte {
                b'\n' | b'\r' => return next_line(self.bytes, at),
                b' ' | b'\t' => {
                    at += 1;
                    continue;
                }
                b'\\' if !matches!(self.bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 2,
                b'`' => at = self.behind_backticks(at),
                b'{' => at = self.read_piece(Piece::Expression, at, place),
                b'<' if is_tag(self.bytes, at) => at = self.read_piece(Piece::Tag, at, place),
                _ => at += 1,
            }
            if self.found.last().is_some_and(|last| last.start as usize == from) {
                if at == self.blank {
                    // Nothing closed it.
                    return at;
                }
            } else {
                self.before = Before::Text;
                place = Place::InLine;
            }
        }
        self.bytes.len()
    }

    /// Reads an expression or a tag, and returns its end. If only other pieces precede it on its
    /// line, it may extend past blank lines.
    fn read_piece(&mut self, piece: Piece, start: usize, place: Place) -> usize {
        if start >= self.blank {
            self.blank = blank_line(self.bytes, start);
        }
        let limit = match place {
            Place::LineStart => self.bytes.len(),
            Place::InLine => self.blank,
        };
        let end = end_of(piece, &self.bytes[..limit], start).unwrap_or_else(|| {
            self.n_unclosed += usize::from(limit > self.blank);
            if self.n_unclosed > UNCLOSED_MAX { self.bytes.len() } else { self.blank }
        });
        self.found.push(Span::new(start as u32, end as u32));
        end
    }

    /// The end of the code span that starts here, or else of its first run.
    fn behind_backticks(&mut self, start: usize) -> usize {
        if start >= self.block.end {
            let end = self.end_of_block(start);
            self.block = Block { end, runs: runs(&self.bytes[..end], start) };
        }
        let len = self.bytes[start..].iter().take_while(|byte| **byte == b'`').count();
        let runs = &self.block.runs;
        let next = runs.partition_point(|run| *run <= (len, start));
        match runs.get(next) {
            Some((n_same, at)) if *n_same == len => at + len,
            _ => start + len,
        }
    }

    /// The last possible end of a code span: before a line that may start another block.
    fn end_of_block(&self, start: usize) -> usize {
        let mut end = line_end(self.bytes, start);
        loop {
            let next = next_line(self.bytes, end);
            if next >= self.bytes.len() {
                return self.bytes.len();
            }
            let after = line_end(self.bytes, next);
            let line = self.bytes[next..after].trim_ascii_start();
            if line.is_empty()
                || matches!(line[0], b'>' | b'#' | b'|')
                || marker_len(line).is_some()
                || opening_fence(line).is_some()
                || is_rule(line)
            {
                return end;
            }
            end = after;
        }
    }
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |len| at + len)
}

/// The start of the line after this line ending.
fn next_line(bytes: &[u8], end: usize) -> usize {
    let len = if bytes[end..].starts_with(b"\r\n") { 2 } else { 1 };
    bytes.len().min(end + len)
}

/// The start of the next line that has only spaces and markers of quotes, or the end.
fn blank_line(bytes: &[u8], at: usize) -> usize {
    let mut start = next_line(bytes, line_end(bytes, at));
    while start < bytes.len() {
        let end = line_end(bytes, start);
        if bytes[start..end].iter().all(|byte| matches!(byte, b' ' | b'\t' | b'>')) {
            return start;
        }
        start = next_line(bytes, end);
    }
    bytes.len()
}

fn is_statement(line: &[u8]) -> bool {
    line.starts_with(b"import ") || line.starts_with(b"export ")
}

/// The byte and the length of the fence that a line opens.
fn opening_fence(line: &[u8]) -> Option<(u8, usize)> {
    let byte = *line.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let len = line.iter().take_while(|it| **it == byte).count();
    let is_code = byte == b'`' && line[len..].contains(&b'`');
    (len >= 3 && !is_code).then_some((byte, len))
}

/// The length of the list item's marker that a line starts with.
fn marker_len(line: &[u8]) -> Option<usize> {
    let n_digits = line.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let is_marker = match line.get(n_digits)? {
        b'.' | b')' => n_digits > 0,
        b'-' | b'+' | b'*' => n_digits == 0,
        _ => false,
    };
    let is_apart = matches!(line.get(n_digits + 1), None | Some(b' ' | b'\t'));
    (is_marker && is_apart).then_some(n_digits + 1)
}

fn is_heading(line: &[u8]) -> bool {
    line.starts_with(b"#")
}

/// Whether a line is a thematic break, or the underline of a heading.
fn is_rule(line: &[u8]) -> bool {
    let is_of = |sign: u8| line.iter().all(|byte| *byte == sign || matches!(byte, b' ' | b'\t'));
    b"-*_=".iter().any(|sign| is_of(*sign))
}

/// Whether a line may separate the head of a table from its rows.
fn is_delimiter_row(line: &[u8]) -> bool {
    line.contains(&b'-') && line.iter().all(|byte| b"|-: \t".contains(byte))
}

/// Whether `<` starts a tag, and not the text `<https://a.bc>` or `a < b`. A `<` around the
/// destination of a link starts none either.
fn is_tag(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at + 1..];
    let rest = rest.strip_prefix(b"/").unwrap_or(rest);
    let starts =
        |name: &[u8]| name.first().is_some_and(|it| is_of_name(*it) && !it.is_ascii_digit());
    let mut name = rest;
    while starts(name) {
        let len = name.iter().take_while(|byte| is_of_name(**byte) || **byte == b'-').count();
        name = match &name[len..] {
            [b':' | b'.', after @ ..] if starts(after) => after,
            after => {
                name = after;
                break;
            }
        };
    }
    let is_closed = matches!(name.first(), None | Some(b'>' | b'/' | b'{' | b' ' | b'\t'..=b'\r'));
    is_closed && !rest.first().is_none_or(u8::is_ascii_whitespace) && !is_destination(bytes, at)
}

fn is_destination(bytes: &[u8], at: usize) -> bool {
    /// LINEAR: no more is read.
    const LEN_MAX: usize = 1000;
    let near = &bytes[at..bytes.len().min(at + LEN_MAX)];
    bytes[..at].ends_with(b"](")
        && memchr3(b'>', b'{', b'\n', near).is_some_and(|end| near[end..].starts_with(b">)"))
}

/// The runs of backticks, by length and place.
fn runs(bytes: &[u8], start: usize) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut at = start;
    while let Some(len) = memchr::memchr(b'`', &bytes[at..]) {
        at += len;
        let len = bytes[at..].iter().take_while(|byte| **byte == b'`').count();
        runs.push((len, at));
        at += len;
    }
    runs.sort_unstable();
    runs
}

#[cfg(test)]
mod tests {
    use super::spans;

    fn code(source: &str) -> Vec<&str> {
        spans(source).iter().map(|span| span.slice(source)).collect()
    }

    #[test]
    fn statements_start_where_a_paragraph_does() {
        for (source, expected) in [
            ("import a from 'b'\nexport c\n\ntext\nimport d\n\nexport e", &[(0, 2), (6, 7)][..]),
            ("---\na: b\n---\nimport c\n\nd", &[(3, 4)][..]),
            ("---\na: b\n---\n\nimport c\n\nd", &[(4, 5)][..]),
            ("# a\nimport b\n\nc", &[(1, 2)][..]),
            ("```\nimport a\n```\nimport b\n\nc", &[(3, 4)][..]),
            ("| a |\n|---|\n| b\nc\nimport d\n\ne", &[(4, 5)][..]),
            ("- a\nimport b\n\n import c\n\nimporta", &[][..]),
            ("export const a = {\n\n  b: '}',\n\n}\n\nc", &[(0, 5)][..]),
            ("export const a = `\n\n`\n\nc", &[(0, 3)][..]),
            ("export const a = (\n\nb", &[(0, 3)][..]),
            ("export const a = 1 /*\n\n*/\n\nb", &[(0, 3)][..]),
        ] {
            let lines: Vec<&str> = source.split_inclusive('\n').collect();
            let expected: Vec<String> =
                expected.iter().map(|&(start, end)| lines[start..end].concat()).collect();
            assert_eq!(code(source), expected, "{source}");
            let crlf = source.replace('\n', "\r\n");
            let expected: Vec<String> =
                expected.into_iter().map(|text| text.replace('\n', "\r\n")).collect();
            assert_eq!(code(&crlf), expected, "{crlf:?}");
        }
    }

    #[test]
    fn expressions_and_tags_are_code() {
        for (source, expected) in [
            ("a {b} c {/* d */} e", &["{b}", "{/* d */}"][..]),
            ("a {b\nc} d", &["{b\nc}"]),
            ("{a\n\nb} c", &["{a\n\nb}"]),
            ("> {a\n>\n> b} c", &["{a\n>\n> b}"]),
            ("a {b\n\nc} d", &["{b\n"]),
            ("a {b\n\nimport c\n", &["{b\n", "import c\n"]),
            ("a\n{b\n\nc", &["{b\n"]),
            ("a \\{b} `{c}` {d}", &["{d}"]),
            ("`{a}\n\n{b}`", &["{a}", "{b}"]),
            ("`{a}\n# {b}`", &["{a}", "{b}"]),
            ("```\n{a}\n```\n{b}", &["{b}"]),
            ("- ```\n  {a}\n{b}", &["{b}"]),
            ("> ~~~\n> {a}\n{b}", &["{b}"]),
            ("    {a}", &["{a}"]),
            ("a\\\n{b\n\n}", &["{b\n\n}"]),
            (
                "<A href=\"https://x\" b={c > d}>e</A> <f.g/> <h:i>",
                &["<A href=\"https://x\" b={c > d}>", "</A>", "<f.g/>", "<h:i>"],
            ),
            ("<A\n\nb='c'\n/>d", &["<A\n\nb='c'\n/>"]),
            ("<https://a.bc> <a@b.cd> a < b <3 [a](<b>)", &[]),
            ("<tel:12> <mailto:a@b.cd>", &[]),
        ] {
            assert_eq!(code(source), expected, "{source}");
        }
    }

    #[test]
    fn what_is_never_closed_takes_no_time() {
        for piece in
            ["{a\n\n", "<a\n\n", "a{", "a<b ", "'{`", "`", "{\\'", "/[/", "* {a\n\n", "](<a b"]
        {
            let source = piece.repeat(200_000 / piece.len());
            let _ = spans(&source);
            let _ = spans(&format!("a {source}>)"));
            let _ = spans(&format!("export {source}"));
        }
    }
}
