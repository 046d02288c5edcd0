//! Documents in lines: for each JSON string in, a JSON string out, in order.
//!
//! ```text
//! in    "*hi*"                         out   "<p><em>hi</em></p>\n"
//! ```
//!
//! Line n of the output always answers line n of the input: a line that is not a JSON string is
//! reported and answered by `null`. Memory is bounded by the longest line. Output is buffered only
//! while further lines are already available: a program that writes a line and waits gets its
//! answer.

use std::io::{self, BufRead as _, BufReader, Read, Write};

use barelink::{Options, Parser};

use crate::html::Yield;
use crate::report::{Report, reason};
use crate::source::{MAX_SOURCE_LEN, Source};
use crate::visible;

const BUFFER_LEN: usize = 64 * 1024;

/// Answers the lines of all sources. Errors are those of writing.
pub(crate) fn run(
    sources: &[Source],
    out: &mut impl Write,
    options: Options,
    report: &Report,
) -> io::Result<Yield> {
    let mut renderer = Renderer { parser: Parser::new(options), html: String::new() };
    let mut got = Yield::Nothing;
    for source in sources {
        match source.open() {
            Ok(reader) => {
                got = Yield::Something;
                let lines = Lines::new(reader, MAX_SOURCE_LEN);
                answer(lines, &mut renderer, out, source, report)?;
            }
            Err(error) => report.error(source, error),
        }
    }
    Ok(got)
}

fn answer(
    mut lines: Lines<impl Read>,
    renderer: &mut Renderer,
    out: &mut impl Write,
    source: &Source,
    report: &Report,
) -> io::Result<()> {
    let mut answer = Vec::new();
    for line_number in 1_u64.. {
        if !lines.has_next_at_hand() {
            out.flush()?;
        }
        let outcome = match lines.next() {
            Ok(Next::End) => break,
            Ok(Next::Line(line)) => renderer.render(line),
            Ok(Next::TooLong) => Err(BadLine::too_long()),
            Err(error) => {
                report.error(source, reason(&error));
                break;
            }
        };
        match outcome {
            Ok(html) => visible::write_json_line(&html, &mut answer, out)?,
            Err(BadLine { column, what }) => {
                report.error(format_args!("{source}:{line_number}:{column}"), what);
                out.write_all(b"null\n")?;
            }
        }
    }
    Ok(())
}

/// Why a line has no answer.
#[derive(Debug)]
pub(crate) struct BadLine {
    /// In bytes, from 1.
    pub(crate) column: usize,
    pub(crate) what: String,
}

impl BadLine {
    pub(crate) fn too_long() -> Self {
        Self { column: 1, what: "is too long: the limit is 4 GiB".to_owned() }
    }
}

/// Parses a line, which must be a JSON string.
pub(crate) fn parse_line(line: &[u8]) -> Result<String, BadLine> {
    if line.trim_ascii().is_empty() {
        let what = "the line is empty; expected a JSON string".to_owned();
        return Err(BadLine { column: 1, what });
    }
    serde_json::from_slice(line).map_err(|error| {
        let text = error.to_string();
        // The error's position is always in "line 1".
        let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
        BadLine { column: error.column().max(1), what: what.to_owned() }
    })
}

struct Renderer {
    parser: Parser,
    html: String,
}

impl Renderer {
    fn render(&mut self, line: &[u8]) -> Result<&str, BadLine> {
        let source = parse_line(line)?;
        self.html.clear();
        self.parser
            .push_html(&source, &mut self.html)
            .map_err(|error| BadLine { column: 1, what: error.to_string() })?;
        Ok(&self.html)
    }
}

/// Reads the lines of a stream, one at a time, into one buffer.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    max_len: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next<'a> {
    /// A line without its line ending.
    Line(&'a [u8]),
    /// A line of more than `max_len` bytes, which was skipped.
    TooLong,
    End,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(reader: R, max_len: u64) -> Self {
        Self { reader: BufReader::with_capacity(BUFFER_LEN, reader), line: Vec::new(), max_len }
    }

    /// Whether the next line is already in the buffer.
    fn has_next_at_hand(&self) -> bool {
        self.reader.buffer().contains(&b'\n')
    }

    pub(crate) fn next(&mut self) -> io::Result<Next<'_>> {
        self.line.clear();
        // One byte more, for the line ending.
        self.reader.by_ref().take(self.max_len + 1).read_until(b'\n', &mut self.line)?;
        match self.line.as_slice() {
            [] => Ok(Next::End),
            [line @ .., b'\n'] => Ok(Next::Line(line)),
            line if line.len() as u64 <= self.max_len => Ok(Next::Line(line)),
            _ => {
                self.reader.skip_until(b'\n')?;
                Ok(Next::TooLong)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_over_the_limit_is_passed_over() {
        let mut lines = Lines::new(&b"abc\nabcd\nab\n\nabc"[..], 3);
        assert_eq!(lines.next().unwrap(), Next::Line(b"abc"));
        assert_eq!(lines.next().unwrap(), Next::TooLong);
        assert_eq!(lines.next().unwrap(), Next::Line(b"ab"));
        assert_eq!(lines.next().unwrap(), Next::Line(b""));
        assert_eq!(lines.next().unwrap(), Next::Line(b"abc"));
        assert_eq!(lines.next().unwrap(), Next::End);
    }

    #[test]
    fn a_bad_line_tells_its_column() {
        let options = Options::preset(crate::markdown::DEFAULT_PRESET).unwrap();
        let mut renderer = Renderer { parser: Parser::new(options), html: String::new() };
        for (line, column, what) in [
            (&b" \r"[..], 1, "the line is empty; expected a JSON string"),
            (b"{}", 1, "invalid type: map, expected a string"),
            (b"\"a\" x", 5, "trailing characters"),
            (b"\"ab", 3, "EOF while parsing a string"),
        ] {
            let bad = renderer.render(line).unwrap_err();
            assert_eq!((bad.column, bad.what.as_str()), (column, what));
        }
    }
}
