//! The job `stream`: reads a document from standard input while it is being written, and outputs
//! for each piece what changes on its page.
//!
//! ```text
//! in    some *te           out   {"blocks":[{"id":0,"keep":0,"html":"<p>some *te</p>\n",…}],"revised":[]}
//! in    xt*                out   {"blocks":[{"id":0,"keep":8,"html":"<em>text</em></p>\n",…}],"revised":[]}
//! end                      out   {"blocks":[{"id":0,"keep":30,"html":"",…}],"revised":[],"end":true}
//! ```
//!
//! Every answer is a line of its own and flushed at once. In a terminal, the document is drawn as
//! often as that is worth its cost, and soon after the input pauses. Another thread reads the
//! input.

use std::io::{self, Read as _, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use barelink::Stream;
use barelink::stream::{Block, StreamOptions, Update};
use serde::Serialize;

use crate::jsonl::{BadLine, Lines, Next, parse_line};
use crate::report::{Report, reason};
use crate::source::{MAX_SOURCE_LEN, Source};
use crate::terminal::Screen;
use crate::visible;

/// The length of the first piece that is read, in bytes. Later ones are as long as all before them:
/// what cannot be shown in parts is read again once each time a long file doubles.
const PIECE_LEN: usize = 64 * 1024;

/// The maximum number of pieces that wait to be shown.
const MAX_WAITING: usize = 64;

/// A terminal shows what has come after this time, even if more comes.
const PAUSE: Duration = Duration::from_millis(40);

/// After drawing, the screen is left alone for this many times as long as drawing took.
const REST: u32 = 4;

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

/// A piece as it was read.
enum Piece {
    Bytes(Vec<u8>),
    /// A line with its number.
    Line(u64, Result<String, BadLine>),
    /// Why nothing more can be read.
    Failed(io::Error),
}

/// What became of a piece.
enum Pushed {
    Taken,
    Refused,
    /// It was the last one.
    Ended,
}

/// Does the job.
pub(crate) fn run(job: StreamJob, report: &Report) {
    let policy = job.options.options.policy.clone();
    let mut stream = Stream::new(job.options);
    let written = match job.answers {
        Answers::Json => answer(job.pieces, &mut stream, report),
        Answers::Terminal => {
            let (sender, pieces) = mpsc::sync_channel(MAX_WAITING);
            let reader = move || {
                read(job.pieces, |piece| {
                    Ok(match sender.send(piece) {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(_) => ControlFlow::Break(()),
                    })
                })
            };
            let reader = thread::Builder::new().spawn(reader);
            reader.and_then(|_| show(&pieces, &mut stream, Screen::stdout(policy), report))
        }
    };
    if let Err(error) = written {
        report.write_error("<stdout>", &error);
    }
}

/// Answers every piece.
fn answer(pieces: Pieces, stream: &mut Stream, report: &Report) -> io::Result<()> {
    let (mut out, mut line) = (io::stdout().lock(), Vec::new());
    read(pieces, |piece| {
        match push(stream, piece, report) {
            Pushed::Taken => write(&mut out, stream.update(), &mut line)?,
            Pushed::Refused => {
                out.write_all(b"null\n")?;
                out.flush()?;
            }
            Pushed::Ended => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    })?;
    write(&mut out, stream.finish(), &mut line)
}

/// Shows the document on a screen.
fn show(
    pieces: &Receiver<Piece>,
    stream: &mut Stream,
    mut screen: Screen<impl Write>,
    report: &Report,
) -> io::Result<()> {
    let mut next = Instant::now();
    loop {
        let piece = if screen.is_behind(stream) {
            pieces.recv_timeout(next.saturating_duration_since(Instant::now()))
        } else {
            pieces.recv().map_err(|_| RecvTimeoutError::Disconnected)
        };
        match piece {
            Ok(piece) => {
                if let Pushed::Ended = push(stream, piece, report) {
                    break;
                }
                if !screen.is_due(stream) && Instant::now() < next {
                    continue;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        let start = Instant::now();
        screen.update(stream)?;
        next = Instant::now() + PAUSE.max(REST * start.elapsed());
    }
    screen.finish(stream)
}

/// Writes an answer, at once. It is made in `line`.
fn write(out: &mut impl Write, update: Update<'_>, line: &mut Vec<u8>) -> io::Result<()> {
    visible::write_json_line(&Answer::from(update), line, out)?;
    out.flush()
}

/// Adds a piece to the document.
fn push(stream: &mut Stream, piece: Piece, report: &Report) -> Pushed {
    match piece {
        Piece::Bytes(bytes) => match stream.push_bytes(&bytes) {
            Ok(()) => Pushed::Taken,
            Err(error) => {
                report.error(Source::Stdin, error);
                Pushed::Ended
            }
        },
        Piece::Line(number, text) => {
            let pushed = text.and_then(|text| {
                stream.push(&text).map_err(|error| BadLine { column: 1, what: error.to_string() })
            });
            match pushed {
                Ok(()) => Pushed::Taken,
                Err(BadLine { column, what }) => {
                    report.error(format_args!("{}:{number}:{column}", Source::Stdin), what);
                    Pushed::Refused
                }
            }
        }
        Piece::Failed(error) => {
            report.error(Source::Stdin, reason(&error));
            Pushed::Ended
        }
    }
}

/// Reads standard input until its end, or until `take` breaks.
fn read(pieces: Pieces, take: impl FnMut(Piece) -> io::Result<ControlFlow<()>>) -> io::Result<()> {
    match pieces {
        Pieces::Bytes => read_bytes(take),
        Pieces::Lines => read_lines(take),
    }
}

fn read_bytes(mut take: impl FnMut(Piece) -> io::Result<ControlFlow<()>>) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut buffer = vec![0; PIECE_LEN];
    let mut n_read = 0;
    loop {
        buffer.resize(buffer.len().max(n_read), 0);
        let piece = match input.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(len) => {
                n_read += len;
                Piece::Bytes(buffer[..len].to_vec())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Piece::Failed(error),
        };
        if take(piece)?.is_break() {
            return Ok(());
        }
    }
}

fn read_lines(mut take: impl FnMut(Piece) -> io::Result<ControlFlow<()>>) -> io::Result<()> {
    let mut lines = Lines::new(io::stdin().lock(), MAX_SOURCE_LEN);
    for number in 1_u64.. {
        let piece = match lines.next() {
            Ok(Next::End) => break,
            Ok(Next::Line(line)) => Piece::Line(number, parse_line(line)),
            Ok(Next::TooLong) => Piece::Line(number, Err(BadLine::too_long())),
            Err(error) => Piece::Failed(error),
        };
        if take(piece)?.is_break() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::terminal::tests::{screen, stream};

    /// What a terminal was sent.
    #[derive(Clone, Default)]
    struct Sent(Arc<Mutex<Vec<u8>>>);

    impl Write for Sent {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_screen_is_up_to_date_when_the_input_pauses() {
        let (sender, pieces) = mpsc::channel();
        let sent = Sent::default();
        let out = sent.clone();
        let shower = thread::spawn(move || {
            let mut stream = stream();
            let screen = screen(out, &stream);
            show(&pieces, &mut stream, screen, &Report::new())
        });
        let send = |text: &str| sender.send(Piece::Bytes(text.as_bytes().to_vec())).unwrap();
        send(&"plain words ".repeat(1000));
        // This is far less than an eighth, and nothing comes after it.
        send("and the last ");
        let start = Instant::now();
        while !String::from_utf8_lossy(&sent.0.lock().unwrap()).contains("the last") {
            assert!(start.elapsed() < Duration::from_secs(60));
            thread::sleep(Duration::from_millis(1));
        }
        drop(sender);
        shower.join().unwrap().unwrap();
    }
}
