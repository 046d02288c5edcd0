//! The job `stream`: reads a document from standard input while it is being written, and outputs
//! for each piece what changes on its page.
//!
//! ```text
//! in    some *te           out   {"blocks":[{"id":0,"keep":0,"html":"<p>some *te</p>\n",…}],"revised":[]}
//! in    xt*                out   {"blocks":[{"id":0,"keep":8,"html":"<em>text</em></p>\n",…}],"revised":[]}
//! end                      out   {"blocks":[{"id":0,"keep":30,"html":"",…}],"revised":[],"end":true}
//! ```
//!
//! Every answer is a line, and flushed immediately.

use std::io::{self, Read as _, Write};

use barelink::Stream;
use barelink::stream::{Block, StreamOptions, Update};
use serde::Serialize;

use crate::jsonl::{BadLine, Lines, Next, parse_line};
use crate::report::{Report, reason};
use crate::source::{MAX_SOURCE_LEN, Source};
use crate::terminal::Screen;

/// The length of the first piece that is read, in bytes. Later ones are as long as all before them:
/// what cannot be shown in parts is read again once each time a long file doubles.
const PIECE_LEN: usize = 64 * 1024;

/// A document that is still being written.
#[derive(Debug)]
pub(crate) struct StreamJob {
    /// The options for parsing and rendering.
    pub(crate) options: StreamOptions,
    /// How the input is split into pieces.
    pub(crate) pieces: Pieces,
    /// The form of the output.
    pub(crate) answers: Answers,
}

/// The form of the output for a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answers {
    /// The changes of the page, as JSON.
    Json,
    /// The document, in a terminal.
    Terminal,
}

/// How the input is split into pieces of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pieces {
    /// The bytes of one read.
    Bytes,
    /// A line with a JSON string.
    Lines,
}

/// The answer to a piece, or the last one.
#[derive(Serialize)]
struct Answer<'s> {
    blocks: Vec<Changed<'s>>,
    revised: Vec<Revised<'s>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    end: bool,
}

/// A block that changed.
#[derive(Serialize)]
struct Changed<'s> {
    id: u32,
    keep: usize,
    html: &'s str,
    state: &'static str,
}

/// A settled block that changed.
#[derive(Serialize)]
struct Revised<'s> {
    id: u32,
    html: &'s str,
}

impl<'s> From<Update<'s>> for Answer<'s> {
    fn from(update: Update<'s>) -> Self {
        let changed = |block: Block<'s>| Changed {
            id: block.id.get(),
            keep: block.keep,
            html: block.html,
            state: block.state.name(),
        };
        let revised = |block: Block<'s>| Revised { id: block.id.get(), html: block.html };
        Self {
            blocks: update.blocks().map(changed).collect(),
            revised: update.revised().map(revised).collect(),
            end: update.is_end(),
        }
    }
}

/// Where answers go.
enum Output {
    Json(io::StdoutLock<'static>),
    Terminal(Box<Screen<io::StdoutLock<'static>>>),
}

impl Output {
    fn update(&mut self, stream: &mut Stream) -> io::Result<()> {
        match self {
            Self::Json(out) => write(out, stream.update()),
            Self::Terminal(screen) => screen.update(stream),
        }
    }

    fn finish(&mut self, stream: &mut Stream) -> io::Result<()> {
        match self {
            Self::Json(out) => write(out, stream.finish()),
            Self::Terminal(screen) => screen.finish(stream),
        }
    }

    /// The answer to a line that is not a valid piece.
    fn refuse(&mut self) -> io::Result<()> {
        let Self::Json(out) = self else { return Ok(()) };
        out.write_all(b"null\n")?;
        out.flush()
    }
}

/// Does the job.
pub(crate) fn run(job: StreamJob, report: &Report) {
    let mut out = match job.answers {
        Answers::Json => Output::Json(io::stdout().lock()),
        Answers::Terminal => {
            Output::Terminal(Box::new(Screen::stdout(job.options.options.policy.clone())))
        }
    };
    let mut stream = Stream::new(job.options);
    let written = match job.pieces {
        Pieces::Bytes => answer_pieces(&mut stream, &mut out, report),
        Pieces::Lines => answer_lines(&mut stream, &mut out, report),
    };
    let written = written.and_then(|()| out.finish(&mut stream));
    if let Err(error) = written {
        report.write_error("<stdout>", &error);
    }
}

/// Writes an answer, and flushes it.
fn write(out: &mut impl Write, update: Update<'_>) -> io::Result<()> {
    let mut line = serde_json::to_vec(&Answer::from(update))?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()
}

fn answer_pieces(stream: &mut Stream, out: &mut Output, report: &Report) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut piece = vec![0; PIECE_LEN];
    loop {
        piece.resize(stream.source().len().max(piece.len()), 0);
        let len = match input.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                report.error(Source::Stdin, reason(&error));
                return Ok(());
            }
        };
        if let Err(error) = stream.push_bytes(&piece[..len]) {
            report.error(Source::Stdin, error);
            return Ok(());
        }
        out.update(stream)?;
    }
}

fn answer_lines(stream: &mut Stream, out: &mut Output, report: &Report) -> io::Result<()> {
    let mut lines = Lines::new(io::stdin().lock(), MAX_SOURCE_LEN);
    for line_number in 1_u64.. {
        let pushed = match lines.next() {
            Ok(Next::End) => break,
            Ok(Next::Line(line)) => parse_line(line).and_then(|piece| {
                stream.push(&piece).map_err(|error| BadLine { column: 1, what: error.to_string() })
            }),
            Ok(Next::TooLong) => Err(BadLine::too_long()),
            Err(error) => {
                report.error(Source::Stdin, reason(&error));
                break;
            }
        };
        match pushed {
            Ok(()) => out.update(stream)?,
            Err(BadLine { column, what }) => {
                report.error(format_args!("{}:{line_number}:{column}", Source::Stdin), what);
                out.refuse()?;
            }
        }
    }
    Ok(())
}
