//! Whole documents against other engines: `github` writes what cmark-gfm writes, and
//! `commonmark` what commonmark.js writes, but for classes of differences that
//! `testdata/known-differences` names, each with its reason.
//!
//! Documents are made of pieces of every construct, at random, or are files. The same ones
//! are made in every run, so that what passed goes on passing; another seed, and more of
//! them, look further. A difference of no class fails, and is shown on a document as short
//! as one can be made that has it.
//!
//! | variable | what |
//! |---|---|
//! | `BARELINK_SEED` | makes other documents |
//! | `BARELINK_DOCUMENTS` | how many documents are made for each engine |
//! | `BARELINK_MARKDOWN` | the folder whose Markdown files are compared, for this repository |
//!
//! Alerts are off: GitHub makes them of cmark-gfm's output.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use barelink::{Options, Policy};
use barelink_spectest::comparison::{Comparison, Outcome};
use barelink_spectest::oracle::Engine;
use barelink_spectest::random::{self, Random};
use barelink_spectest::runner::skip_or_fail;
use barelink_spectest::{Unavailable, difference, made, workspace_root};
use libtest_mimic::{Arguments, Completion, Failed, Trial};

/// A preset and the engine that it has to agree with.
#[derive(Debug, Clone, Copy)]
struct Row {
    name: &'static str,
    engine: Engine,
    options: fn() -> Options,
    /// In `testdata/known-differences`.
    known_differences: &'static str,
    n_documents: usize,
}

const ROWS: &[Row] = &[
    Row {
        name: "cmark-gfm",
        engine: Engine::CMARK_GFM,
        options: Options::github,
        known_differences: "cmark-gfm-documents.toml",
        n_documents: 10_000,
    },
    Row {
        name: "commonmark-js",
        engine: Engine::CommonmarkJs,
        options: Options::commonmark,
        known_differences: "commonmark-js-documents.toml",
        n_documents: 5_000,
    },
];

/// The seed of a run that asks for none.
const SEED: u64 = 1;

/// A failure shows this many of the shortest documents.
const N_SHOWN: usize = 10;

/// Documents that are made shorter, at most: it takes time.
const N_MINIMIZED: usize = 50;

/// Files longer than this are left out, so that one of them can be made shorter.
const MAX_FILE: u64 = 200_000;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for &row in ROWS {
        let mut add = |what: &str, run: fn(Row) -> Result<(), Problem>| {
            let name = format!("{}/{what}", row.name);
            trials.push(Trial::ignorable_test(name, move || conclude(run(row))));
        };
        add("classes", compare_examples);
        add("made", compare_made);
        add("files", compare_files);
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Why a trial did not pass.
enum Problem {
    Unavailable(Unavailable),
    Difference(String),
}

impl From<Unavailable> for Problem {
    fn from(problem: Unavailable) -> Self {
        Self::Unavailable(problem)
    }
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Self::Difference(message)
    }
}

fn conclude(result: Result<(), Problem>) -> Result<Completion, Failed> {
    match result {
        Ok(()) => Ok(Completion::Completed),
        Err(Problem::Unavailable(problem)) => skip_or_fail(&problem),
        Err(Problem::Difference(message)) => Err(message.into()),
    }
}

impl Row {
    fn start(&self) -> Result<Comparison, Problem> {
        let classes = difference::load(self.known_differences)?;
        let mut options = (self.options)();
        options.alerts = false;
        options.emoji = false;
        options.math = false;
        options.policy = Policy::TRUSTED;
        let render = move |source: &str| barelink::to_html(source, &options).unwrap_or_default();
        Ok(Comparison::start(self.engine, classes, render)?)
    }
}

/// Each class has examples that differ, and that it alone explains.
fn compare_examples(row: Row) -> Result<(), Problem> {
    let mut comparison = row.start()?;
    let examples: Vec<(String, String)> = comparison
        .classes()
        .iter()
        .flat_map(|class| {
            class.examples.iter().map(|example| (class.name.clone(), example.clone()))
        })
        .collect();
    let mut message = String::new();
    for (name, example) in examples {
        match comparison.judge(&example)? {
            Outcome::Known(names) if names == [name.as_str()] => {}
            outcome => _ = writeln!(message, "{name}: {example:?} is {outcome:?}"),
        }
    }
    if message.is_empty() { Ok(()) } else { Err(message.into()) }
}

fn compare_made(row: Row) -> Result<(), Problem> {
    let n_documents = match std::env::var("BARELINK_DOCUMENTS") {
        Ok(text) => text.parse().map_err(|error| format!("BARELINK_DOCUMENTS={text}: {error}"))?,
        Err(_) => row.n_documents,
    };
    let seed = random::seed_or(SEED)?;
    let mut random = Random::new(seed);
    let documents = (0..n_documents).map(|_| random.document(&made::PIECES));
    compare(row, documents, &random::repeat_hint(seed))
}

fn compare_files(row: Row) -> Result<(), Problem> {
    let folder = std::env::var_os("BARELINK_MARKDOWN").map_or_else(workspace_root, PathBuf::from);
    let files =
        markdown_files(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    if files.is_empty() {
        return Err(format!("there is no Markdown in {}", folder.display()).into());
    }
    // Files that are not UTF-8 are somebody else's; cmark-gfm's binding stops at NUL.
    let documents = files.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    compare(row, documents.filter(|source| !source.contains('\0')), "")
}

/// The Markdown files under a folder, but for those that were built or installed there.
fn markdown_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut folders = vec![folder.to_path_buf()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let is_markdown = path.extension().is_some_and(|end| end == "md" || end == "markdown");
            if kind.is_dir() && entry.file_name() != "target" {
                folders.push(path);
            } else if kind.is_file() && is_markdown && entry.metadata()?.len() <= MAX_FILE {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Compares all of these, and fails with the shortest that differ.
fn compare(row: Row, documents: impl Iterator<Item = String>, hint: &str) -> Result<(), Problem> {
    let mut comparison = row.start()?;
    let mut wrong = Vec::new();
    let mut n_wrong = 0;
    for source in documents {
        if comparison.judge(&source)? == Outcome::Unknown {
            n_wrong += 1;
            if wrong.len() < N_MINIMIZED {
                wrong.push(comparison.minimize(&source));
            }
        }
    }
    if n_wrong == 0 {
        return Ok(());
    }
    wrong.sort_by_key(|source| (source.len(), source.clone()));
    wrong.dedup();
    let mut message = format!("{n_wrong} differ and are of no class; {hint}\n");
    for source in wrong.iter().take(N_SHOWN) {
        let [theirs, ours] = comparison.outputs(source)?;
        let _ = write!(message, "{source:?}\n  {} {theirs:?}\n  we {ours:?}\n", row.name);
    }
    Err(message.into())
}
