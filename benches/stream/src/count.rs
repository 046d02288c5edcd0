//! Instructions of a stream, in times of one parse.
//!
//! Callgrind counts what happens in [`counted`] only, so that reading the file does not count.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

use barelink::{EventKind, Options, Parser, Stream, Tag};

use crate::{PIECES, ends};

/// The argument that marks a process that is counted.
pub(crate) const CHILD: &str = "--child";

/// The work that is counted.
#[derive(Clone, Copy)]
enum Task {
    /// One parse.
    Whole,
    /// Pieces of this many bytes, and an update after each.
    Updates(usize),
    /// Pieces of this many bytes, and one update at the end.
    Pushes(usize),
}

impl Task {
    /// As an argument of the process.
    fn name(self) -> String {
        match self {
            Self::Whole => "whole".to_owned(),
            Self::Updates(bytes) => format!("updates-{bytes}"),
            Self::Pushes(bytes) => format!("pushes-{bytes}"),
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        let (kind, bytes) = name.split_once('-').unwrap_or((name, "0"));
        let bytes = bytes.parse().ok()?;
        match kind {
            "whole" => Some(Self::Whole),
            "updates" => Some(Self::Updates(bytes)),
            "pushes" => Some(Self::Pushes(bytes)),
            _ => None,
        }
    }
}

/// Prints how many instructions streams take of this text.
pub(crate) fn print_all(text: &str) {
    println!("Instructions for {} bytes, in times of one parse:\n", text.len());
    println!("| text | 20 bytes | 50 bytes | 200 bytes | 20 bytes without updates |");
    println!("|---|---|---|---|---|");
    for (name, text) in [("as it is", text.to_owned()), ("paragraphs on one line", one_line(text))] {
        let path = std::env::temp_dir().join(format!("barelink-stream-{}.md", std::process::id()));
        std::fs::write(&path, text).expect("the text can be written");
        let whole = count(Task::Whole, &path);
        let times = |task| format!("{:.2}", count(task, &path) as f64 / whole as f64);
        let mut row = PIECES.map(|bytes| times(Task::Updates(bytes))).to_vec();
        row.push(times(Task::Pushes(PIECES[0])));
        println!("| {name} | {} |", row.join(" | "));
        // A file that is left over does no harm.
        let _ = std::fs::remove_file(path);
    }
}

/// The text with every paragraph on one line.
fn one_line(text: &str) -> String {
    let mut parser = Parser::new(Options::gfm());
    let document = parser.parse(text).expect("the text is short");
    let mut out = String::new();
    let mut at = 0;
    for event in document.events() {
        if let EventKind::Start(Tag::Paragraph) = event.kind {
            let (start, end) = (event.span.start as usize, event.span.end as usize);
            out.push_str(&text[at..start]);
            let is_marker = |it: char| it == '>' || it.is_whitespace();
            let lines = text[start..end].lines().map(|line| line.trim_start_matches(is_marker));
            out.push_str(&lines.map(str::trim_end).collect::<Vec<_>>().join(" "));
            at = end;
        }
    }
    out.push_str(&text[at..]);
    out
}

/// The instructions that a process of its own takes.
fn count(task: Task, path: &Path) -> u64 {
    let program = std::env::current_exe().expect("this program has a path");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(["--collect-atstart=no", "--toggle-collect=*count::counted*"])
        .arg(program)
        .args([CHILD, &task.name()])
        .arg(path)
        .output()
        .expect("valgrind is installed");
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : "));
    let count = collected.and_then(|(_, count)| count.trim().parse().ok());
    count.unwrap_or_else(|| panic!("callgrind counted nothing:\n{said}"))
}

/// The process that is counted.
pub(crate) fn child(mut arguments: impl Iterator<Item = String>) -> ExitCode {
    let task = arguments.next().as_deref().and_then(Task::from_name);
    let (Some(task), Some(path)) = (task, arguments.next()) else { return ExitCode::FAILURE };
    let text = std::fs::read_to_string(path).expect("the text can be read");
    black_box(counted(task, &text));
    ExitCode::SUCCESS
}

#[inline(never)]
fn counted(task: Task, text: &str) -> usize {
    let (bytes, is_shown) = match task {
        Task::Whole => {
            let html = barelink::to_html(text, &Options::gfm());
            return html.expect("the text is short").len();
        }
        Task::Updates(bytes) => (bytes, true),
        Task::Pushes(bytes) => (bytes, false),
    };
    let mut stream = Stream::new(Options::gfm());
    let (mut start, mut n_changes) = (0, 0);
    for end in ends(text, bytes) {
        stream.push(&text[start..end]).expect("the text is short");
        start = end;
        if is_shown {
            n_changes += stream.update().splices().count();
        }
    }
    n_changes + stream.finish().splices().count()
}
