//! The jobs `check` and `fix`: report findings in files, and fix them.
//!
//! `files` decides which documents are read and with which settings (`config`). They are checked on
//! all processors, and the findings become records. `show` writes these for people, and `formats`,
//! `sarif` and `junit` for programs.

pub(crate) mod args;
mod baseline;
pub(crate) mod config;
mod diff;
pub(crate) mod files;
mod fix;
mod formats;
mod globs;
mod junit;
mod paint;
mod record;
mod sarif;
mod show;

use std::io::{self, Write as _};
use std::path::Path;

use annotate_snippets::renderer::Renderer;
use barelink::{LineCol, LineIndex};
use barelink_check::{Checker, Finding, Settings};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::check::args::{CheckArgs, Format};
use crate::check::baseline::Baseline;
use crate::check::files::{Input, Inputs};
pub(crate) use crate::check::fix::run as run_fix;
use crate::check::paint::Paint;
use crate::check::record::Record;
use crate::explain::renderer;
use crate::output::{Sink, Target};
use crate::report::{Report, reason};
use crate::visible;

/// The result for a document.
#[derive(Default)]
struct Outcome {
    /// Why it could not be read; then nothing is known of it.
    error: Option<String>,
    records: Vec<Record>,
    /// The findings with their lines, if that is the format.
    shown: Vec<String>,
    n_fixed: usize,
    /// The diff, or the new text of standard input.
    text: String,
}

impl Outcome {
    /// The outcome of a document that cannot be read, which is reported.
    fn failed(input: &Input, what: &impl ToString, report: &Report) -> Self {
        let what = what.to_string();
        report.error(&input.name, &what);
        Self { error: Some(what), ..Self::default() }
    }
}

/// Everything that a run of `check` has found.
#[derive(Default)]
struct Findings<'a> {
    /// The files that were read.
    names: Vec<&'a str>,
    /// What could not be, with the reason.
    failures: Vec<(&'a str, &'a str)>,
    records: Vec<Record>,
    /// The records with their lines, if they are shown so.
    shown: Vec<String>,
    /// How many more a baseline has.
    n_known: usize,
}

/// The checker of a thread, reused while the settings stay the same.
#[derive(Default)]
struct Worker(Option<Checker>);

impl Worker {
    fn checker(&mut self, settings: &Settings) -> &mut Checker {
        if self.0.as_ref().is_some_and(|checker| checker.settings() != settings) {
            self.0 = None;
        }
        self.0.get_or_insert_with(|| Checker::new(settings.clone()))
    }
}

/// Does the job `check`.
pub(crate) fn run(args: &CheckArgs, report: &mut Report) {
    let Some(inputs) = inputs(&files::own_layer(&args.rules), &args.rules, report) else { return };
    let shows_lines = args.format == Format::Text && !args.statistics && !args.write_baseline;
    let renderer = shows_lines.then(renderer);
    let mut outcomes = on_all(&inputs.list, report, |worker, input, report| {
        check_one(worker, input, renderer.as_ref(), report)
    });
    let mut found = Findings::default();
    for outcome in &mut outcomes {
        found.records.append(&mut outcome.records);
        found.shown.append(&mut outcome.shown);
    }
    let unread = inputs.unread.iter().map(|(name, what)| (name.as_str(), what.as_str()));
    found.failures.extend(unread);
    for (input, outcome) in inputs.list.iter().zip(&outcomes) {
        match &outcome.error {
            Some(what) => found.failures.push((&input.name, what)),
            None => found.names.push(&input.name),
        }
    }
    if let Some(path) = &args.baseline {
        if args.write_baseline {
            return write_baseline(&found, path, report);
        }
        match Baseline::read(path) {
            Ok(baseline) => leave_out(baseline, path, &mut found),
            Err(what) => return report.error(visible::path(path), what),
        }
    }
    let written = Target::Stdout.open().and_then(|mut sink| {
        write(args, &found, &mut sink)?;
        sink.finish()
    });
    if let Err(error) = written {
        report.write_error(Target::Stdout, &error);
    }
    if !found.records.is_empty() && !args.rules.exit_zero {
        report.found();
    }
}

/// Writes all findings into a baseline. What it has of files that were not read stays.
fn write_baseline(found: &Findings<'_>, path: &Path, report: &Report) {
    let name = visible::path(path);
    if report.has_failed() {
        return report.error(name, "is not written, since something could not be read");
    }
    let before = match Baseline::read_if_there(path) {
        Ok(before) => before,
        Err(what) => return report.error(name, format_args!("{what}; it is left as it is")),
    };
    let baseline = Baseline::of(&found.records, path).with_others_of(before, &found.names, path);
    match baseline.write(path) {
        Ok(()) => report.note(format_args!(
            "{} written to {name}",
            show::counted(found.records.len(), "finding"),
        )),
        Err(error) => report.error(name, reason(&error)),
    }
}

/// Leaves out what a baseline has.
fn leave_out(baseline: Baseline, path: &Path, found: &mut Findings<'_>) {
    let before = found.records.clone();
    baseline.remove_known(path, &mut found.records);
    found.n_known = before.len() - found.records.len();
    if !found.shown.is_empty() {
        found.shown = kept(&before, &found.records, std::mem::take(&mut found.shown));
    }
}

/// The shown findings of the records in `after`, a subsequence of `before`.
fn kept(before: &[Record], after: &[Record], shown: Vec<String>) -> Vec<String> {
    let mut after = after.iter().peekable();
    let pairs = before.iter().zip(shown);
    let mut is_left = |record: &Record| {
        let is_it = |left: &&Record| left.file == record.file && left.finding == record.finding;
        after.next_if(is_it).is_some()
    };
    pairs.filter(|(record, _)| is_left(record)).map(|(_, text)| text).collect()
}

fn write(args: &CheckArgs, found: &Findings<'_>, sink: &mut Sink) -> io::Result<()> {
    let records = &found.records;
    // If nothing could be read, that has been reported.
    let is_any_read = found.failures.is_empty() || !found.names.is_empty();
    let summary = || if is_any_read { show::summary(found) } else { String::new() };
    if args.statistics {
        return match args.format {
            Format::Json => formats::json(&show::counts(records), sink),
            Format::Jsonl => formats::jsonl(&show::counts(records), sink),
            _ if records.is_empty() => sink.write_all(summary().as_bytes()),
            _ => show::statistics(records, sink),
        };
    }
    let json = || records.iter().map(Record::json).collect::<Vec<_>>();
    match args.format {
        Format::Text => {
            found.shown.iter().try_for_each(|text| sink.write_all(text.as_bytes()))?;
            sink.write_all(summary().as_bytes())
        }
        Format::Concise => {
            let paint = Paint::of_stdout();
            let lines = records.iter().map(|record| show::concise(record, paint));
            lines.into_iter().try_for_each(|line| sink.write_all(line.as_bytes()))
        }
        Format::Json => formats::json(&json(), sink),
        Format::Jsonl => formats::jsonl(&json(), sink),
        Format::Sarif => sarif::write(found, sink),
        Format::Github => formats::github(records, sink),
        Format::Gitlab => formats::gitlab(records, sink),
        Format::Junit => junit::write(found, sink),
    }
}

fn inputs(own: &config::Layer, args: &args::RulesArgs, report: &Report) -> Option<Inputs> {
    match files::inputs(args, own, report) {
        Ok(inputs) => Some(inputs),
        Err(error) => {
            report.error(visible::path(&error.file), error.what);
            None
        }
    }
}

/// Processes all documents in parallel.
fn on_all(
    inputs: &[Input],
    report: &mut Report,
    work: impl Fn(&mut Worker, &Input, &Report) -> Outcome + Sync,
) -> Vec<Outcome> {
    report.start_progress(inputs.len());
    let shared: &Report = report;
    let outcomes = if let [input] = inputs {
        vec![work(&mut Worker::default(), input, shared)]
    } else {
        inputs
            .par_iter()
            .map_init(Worker::default, |worker, input| {
                let outcome = work(worker, input, shared);
                shared.advance();
                outcome
            })
            .collect()
    };
    report.end_progress();
    outcomes
}

/// Checks a document. If there is a renderer, it shows the findings with their lines.
fn check_one(
    worker: &mut Worker,
    input: &Input,
    renderer: Option<&Renderer>,
    report: &Report,
) -> Outcome {
    let read = match input.source.read_text(report) {
        Ok(read) => read,
        Err(error) => return Outcome::failed(input, &error, report),
    };
    let text = read.text.as_str();
    let checker = worker.checker(&input.settings);
    let findings = match checker.check(text) {
        Ok(findings) => findings,
        Err(error) => return Outcome::failed(input, &error, report),
    };
    warn_of_comments(checker, input, text, report);
    let mut outcome = Outcome::default();
    if findings.is_empty() {
        return outcome;
    }
    // With excerpts comes a summary, which says how many findings can be fixed.
    let are_fixable = renderer.map(|_| checker.are_fixable(text, &findings));
    outcome.records = records(input, text, findings);
    if let Some(Ok(are_fixable)) = are_fixable {
        let pairs = outcome.records.iter_mut().zip(are_fixable);
        pairs.for_each(|(record, is_fixable)| record.is_fixable = is_fixable);
    }
    if !read.is_exact() {
        for record in &mut outcome.records {
            record.span = read.source_span(record.span);
            // `fix` does not write a file in which it would lose something.
            record.finding.fix = None;
        }
    }
    if let Some(renderer) = renderer {
        let lines = LineIndex::new(text);
        let excerpt = |record: &Record| show::excerpt(record, text, &lines, renderer);
        outcome.shown = outcome.records.iter().map(excerpt).collect();
    }
    outcome
}

/// Findings in the text of a document, with their places.
fn records(input: &Input, text: &str, findings: Vec<Finding>) -> Vec<Record> {
    let lines = LineIndex::new(text);
    let name = input.name.as_str().into();
    findings.into_iter().map(|it| Record::new(&name, text, &lines, it)).collect()
}

/// Warns about comments that name an unknown rule. They are not findings.
fn warn_of_comments(checker: &Checker, input: &Input, text: &str, report: &Report) {
    let bad = checker.bad_comments(text).unwrap_or_default();
    if bad.is_empty() {
        return;
    }
    let lines = LineIndex::new(text);
    for comment in bad {
        let LineCol { line, column } = lines.line_col(comment.span.start);
        report.warning(format_args!("{}:{line}:{column}", input.name), comment.message);
    }
}
