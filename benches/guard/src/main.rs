//! One step of Barelink, for callgrind to count.
//!
//! `guard html|document|events|links PRESET FILE` runs the step once to warm up, and once
//! in [`counted_step`], which `cargo xtask guard` tells callgrind to count. Each
//! line of a `.jsonl` file is a document.

use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;

use barelink::{Options, Parser};
use barelink_autolink::Dialect;

/// The status that says that there is no such preset.
const NO_SUCH_PRESET: u8 = 3;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, preset, path] = arguments.as_slice() else {
        eprintln!("guard html|document|events|links PRESET FILE");
        return ExitCode::FAILURE;
    };
    let Some(options) = Options::preset(preset) else {
        return ExitCode::from(NO_SUCH_PRESET);
    };
    let text = std::fs::read_to_string(path).expect("the input can be read");
    let documents: Vec<String> = if Path::new(path).extension().is_some_and(|it| it == "jsonl") {
        text.lines().map(|line| serde_json::from_str(line).expect("a JSON string")).collect()
    } else {
        vec![text]
    };
    let mut step = Step { parser: Parser::new(options), out: String::new() };
    let run: fn(&mut Step, &str) -> usize = match what.as_str() {
        "html" => Step::html,
        "document" => Step::document,
        "events" => Step::events,
        _ => |_, source| barelink_autolink::links(source, Dialect::Gfm).count(),
    };
    let warm = documents.iter().map(|document| run(&mut step, document)).sum::<usize>();
    let counted = counted_step(&mut step, run, &documents);
    assert!(warm > 0 && warm == counted, "{warm}, then {counted}");
    ExitCode::SUCCESS
}

struct Step {
    parser: Parser,
    out: String,
}

impl Step {
    fn html(&mut self, source: &str) -> usize {
        self.out.clear();
        self.parser.push_html(source, &mut self.out).expect("inputs are small");
        self.out.len()
    }

    /// HTML by way of a document, as the command writes it.
    fn document(&mut self, source: &str) -> usize {
        self.out.clear();
        self.parser.parse(source).expect("inputs are small").push_html(&mut self.out);
        self.out.len()
    }

    fn events(&mut self, source: &str) -> usize {
        self.parser.parse(source).expect("inputs are small").events().count()
    }
}

#[inline(never)]
fn counted_step(step: &mut Step, run: fn(&mut Step, &str) -> usize, documents: &[String]) -> usize {
    black_box(documents).iter().map(|document| black_box(run(step, document))).sum()
}
