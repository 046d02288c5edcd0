//! A document that is still being written: the cost of showing it after every piece, as a multiple
//! of one parse.
//!
//! `stream FILE [BYTES]` takes the first bytes of a file, 40,000 if nothing else is said, and prints
//! a table. Each engine is compared with what it needs itself for the whole text in one go.
//!
//! `stream --pieces FILE [BYTES]` prints how long single pieces take Barelink, in microseconds: half
//! of them take no longer than the first figure, 99 of 100 no longer than the second.
//!
//! `stream --instructions FILE [BYTES]` counts instructions under callgrind, each in a process of
//! its own: of the text as it is, and with every paragraph on one line.

mod count;

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use barelink::{Options, Stream};
use mdstream::MdStream;
use pulldown_cmark::{Options as Extensions, Parser};

/// The length of a piece, in bytes.
const PIECES: [usize; 3] = [20, 50, 200];

/// The default length of the text, in bytes.
const LEN: usize = 40_000;

/// Each figure is the best of so many rounds at least, and of so long.
const MIN_ROUNDS: usize = 5;
const MIN_TIME: Duration = Duration::from_millis(200);

/// How an engine shows a text.
struct Engine {
    name: &'static str,
    whole: fn(&str) -> String,
    /// The page after the last piece.
    streamed: fn(&str, usize) -> String,
}

const ENGINES: [Engine; 4] = [
    Engine { name: "Barelink", whole: barelink_whole, streamed: barelink_streamed },
    Engine { name: "Barelink, whole again", whole: barelink_whole, streamed: barelink_again },
    Engine { name: "mdstream, pulldown-cmark", whole: pulldown, streamed: mdstream_streamed },
    Engine { name: "pulldown-cmark, whole again", whole: pulldown, streamed: pulldown_again },
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let print = match arguments.next_if(|argument| argument.starts_with("--")).as_deref() {
        Some("--pieces") => print_pieces,
        Some("--instructions") => count::print_all,
        Some(count::CHILD) => return count::child(arguments),
        Some(_) => return usage(),
        None => print_engines,
    };
    let Some(path) = arguments.next() else {
        return usage();
    };
    let len = arguments.next().and_then(|len| len.parse().ok()).unwrap_or(LEN);
    let text = std::fs::read_to_string(path).expect("the text can be read");
    print(&text[..boundary(&text, len)]);
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("stream [--pieces|--instructions] FILE [BYTES]");
    ExitCode::FAILURE
}

/// How long single pieces take: a push and an update.
fn print_pieces(text: &str) {
    println!("{} bytes, microseconds for a push and an update:\n", text.len());
    println!("| pieces | half | 99% | 99.9% | longest |");
    println!("|---|---|---|---|---|");
    for piece in PIECES {
        let mut times = piece_times(text, piece);
        times.sort_unstable();
        let share = |per_mille: usize| times[(times.len() * per_mille / 1000).min(times.len() - 1)];
        let [half, most, nearly_all, all] = [500, 990, 999, 1000].map(share).map(micros);
        println!("| {piece} bytes | {half:.2} | {most:.2} | {nearly_all:.2} | {all:.1} |");
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The time of each piece, in the last of several rounds: nothing is left out.
fn piece_times(text: &str, piece: usize) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..MIN_ROUNDS {
        times.clear();
        let mut stream = Stream::new(Options::gfm());
        let mut start = 0;
        for end in ends(text, piece) {
            let clock = Instant::now();
            stream.push(&text[start..end]).expect("the text is short");
            black_box(stream.update().splices().count());
            times.push(clock.elapsed());
            start = end;
        }
    }
    times
}

fn print_engines(text: &str) {
    println!("{} bytes, in times of one parse by the same engine:\n", text.len());
    println!("| engine | 20 bytes | 50 bytes | 200 bytes | the end is that of one parse |");
    println!("|---|---|---|---|---|");
    for Engine { name, whole, streamed } in ENGINES {
        let once = best(|| whole(text));
        let mut row = format!("| {name} |");
        for piece in PIECES {
            // Writing to a string cannot fail.
            let _ = write!(row, " {:.1} |", best(|| streamed(text, piece)) / once);
        }
        let is_same = whole(text) == streamed(text, PIECES[0]);
        println!("{row} {} |", if is_same { "yes" } else { "no" });
    }
}

/// The shortest of many rounds, in seconds. (Other load makes some of them longer, and the CPU time
/// of a thread is told in steps that are too long for one.)
fn best(run: impl Fn() -> String) -> f64 {
    let start = Instant::now();
    let mut best = f64::INFINITY;
    let mut n_rounds = 0;
    while n_rounds < MIN_ROUNDS || start.elapsed() < MIN_TIME {
        let round = Instant::now();
        black_box(run());
        best = best.min(round.elapsed().as_secs_f64());
        n_rounds += 1;
    }
    best
}

fn boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// The ends of pieces, moved on to whole characters.
fn ends(text: &str, piece: usize) -> impl Iterator<Item = usize> {
    let mut end = 0;
    std::iter::from_fn(move || {
        let start = end;
        end = boundary(text, start + piece);
        (start < text.len()).then_some(end)
    })
}

fn barelink_whole(text: &str) -> String {
    barelink::to_html(text, &Options::gfm()).expect("the text is short")
}

fn barelink_streamed(text: &str, piece: usize) -> String {
    let mut stream = Stream::new(Options::gfm());
    let mut page = String::new();
    let mut start = 0;
    for end in ends(text, piece) {
        stream.push(&text[start..end]).expect("the text is short");
        start = end;
        for splice in stream.update().splices() {
            page.replace_range(splice.start..splice.end, splice.html);
        }
    }
    for splice in stream.finish().splices() {
        page.replace_range(splice.start..splice.end, splice.html);
    }
    page
}

fn barelink_again(text: &str, piece: usize) -> String {
    let mut page = String::new();
    ends(text, piece).for_each(|end| page = black_box(barelink_whole(&text[..end])));
    page
}

fn pulldown(text: &str) -> String {
    let mut html = String::new();
    push_pulldown(text, &mut html);
    html
}

fn push_pulldown(text: &str, html: &mut String) {
    let extensions =
        Extensions::ENABLE_TABLES | Extensions::ENABLE_STRIKETHROUGH | Extensions::ENABLE_TASKLISTS;
    pulldown_cmark::html::push_html(html, Parser::new_ext(text, extensions));
}

/// Blocks that are committed are rendered once, the pending one after every piece.
fn mdstream_streamed(text: &str, piece: usize) -> String {
    let mut stream = MdStream::new(mdstream::Options::default());
    let (mut page, mut pending) = (String::new(), String::new());
    let mut start = 0;
    for end in ends(text, piece) {
        let update = stream.append(&text[start..end]);
        start = end;
        if update.reset {
            page.clear();
        }
        update.committed.iter().for_each(|block| push_pulldown(&block.raw, &mut page));
        pending.clear();
        if let Some(block) = &update.pending {
            push_pulldown(block.display_or_raw(), &mut pending);
        }
        black_box(&pending);
    }
    let update = stream.finalize();
    update.committed.iter().for_each(|block| push_pulldown(&block.raw, &mut page));
    page
}

fn pulldown_again(text: &str, piece: usize) -> String {
    let mut page = String::new();
    ends(text, piece).for_each(|end| page = black_box(pulldown(&text[..end])));
    page
}
