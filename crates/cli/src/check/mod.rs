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
mod formats;
mod junit;
mod record;
mod sarif;
mod show;

use std::io::{self, IsTerminal as _, Write as _};

use annotate_snippets::renderer::Renderer;
use barelink::{LineCol, LineIndex, SourceTooLong};
use barelink_check::{Checker, Fixed, Settings};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::check::args::{CheckArgs, FixArgs, Format};
use crate::check::baseline::Baseline;
use crate::check::files::Input;
use crate::check::record::Record;
use crate::explain::renderer;
use crate::output::{Links, Sink, Target, write_file};
use crate::report::Report;
use crate::source::Source;
use crate::visible;

/// The result for a document.
#[derive(Default)]
struct Outcome {
    /// Whether it could be read; if not, an error was reported.
    is_read: bool,
    records: Vec<Record>,
    /// The findings with their lines, if that is the format.
    shown: Vec<String>,
    n_fixed: usize,
    /// The diff, or the new text of standard input.
    text: String,
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
    let outcomes = on_all(&inputs, report, |worker, input, report| {
        check_one(worker, input, renderer.as_ref(), report)
    });
    let mut names = Vec::new();
    let mut records = Vec::new();
    let mut shown = Vec::new();
    for (input, outcome) in inputs.iter().zip(outcomes) {
        if outcome.is_read {
            names.push(input.name.as_str());
        }
        records.extend(outcome.records);
        shown.extend(outcome.shown);
    }
    let mut n_known = 0;
    if let Some(path) = &args.baseline {
        if args.write_baseline {
            match Baseline::of(&records, path).write(path) {
                Ok(()) => report.note(format_args!(
                    "{} written to {}",
                    show::counted(records.len(), "finding"),
                    visible::path(path)
                )),
                Err(error) => report.error(visible::path(path), crate::report::reason(&error)),
            }
            return;
        }
        match Baseline::read(path) {
            Ok(baseline) => {
                let before = records.clone();
                baseline.remove_known(path, &mut records);
                n_known = before.len() - records.len();
                if !shown.is_empty() {
                    shown = kept(&before, &records, shown);
                }
            }
            Err(what) => return report.error(visible::path(path), what),
        }
    }
    let is_any_read = inputs.is_empty() || !names.is_empty();
    let written = Target::Stdout.open().and_then(|mut sink| {
        write(args, &names, &records, &shown, &mut sink)?;
        if shows_lines && is_any_read {
            sink.write_all(show::summary(&records, names.len(), n_known).as_bytes())?;
        }
        sink.finish()
    });
    if let Err(error) = written {
        report.write_error(Target::Stdout, &error);
    }
    if !records.is_empty() && !args.rules.exit_zero {
        report.found();
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

fn write(
    args: &CheckArgs,
    names: &[&str],
    records: &[Record],
    shown: &[String],
    sink: &mut Sink,
) -> io::Result<()> {
    if args.statistics {
        return show::statistics(records, sink);
    }
    match args.format {
        Format::Text => shown.iter().try_for_each(|text| sink.write_all(text.as_bytes())),
        Format::Concise => {
            records.iter().try_for_each(|record| sink.write_all(show::concise(record).as_bytes()))
        }
        Format::Json => formats::json(records, sink),
        Format::Jsonl => formats::jsonl(records, sink),
        Format::Sarif => sarif::write(records, sink),
        Format::Github => formats::github(records, sink),
        Format::Gitlab => formats::gitlab(records, sink),
        Format::Junit => junit::write(records, names, sink),
    }
}

/// Does the job `fix`.
pub(crate) fn run_fix(args: &FixArgs, report: &mut Report) {
    let mut own = files::own_layer(&args.rules);
    own.style = args.style.map(Into::into);
    let Some(inputs) = inputs(&own, &args.rules, report) else { return };
    let outcomes =
        on_all(&inputs, report, |worker, input, report| fix_one(worker, input, args, report));
    let n_files = outcomes.iter().filter(|outcome| outcome.n_fixed > 0).count();
    let n_fixed: usize = outcomes.iter().map(|outcome| outcome.n_fixed).sum();
    let n_left: usize = outcomes.iter().map(|outcome| outcome.records.len()).sum();
    let is_any_read = inputs.is_empty() || outcomes.iter().any(|outcome| outcome.is_read);
    let is_stdin = matches!(inputs[..], [Input { source: Source::Stdin, .. }]);
    let written = Target::Stdout.open().and_then(|mut sink| {
        for outcome in &outcomes {
            sink.write_all(outcome.text.as_bytes())?;
            if !is_stdin && !args.diff {
                for record in &outcome.records {
                    sink.write_all(show::concise(record).as_bytes())?;
                }
            }
        }
        sink.finish()
    });
    if let Err(error) = written {
        report.write_error(Target::Stdout, &error);
    }
    if !is_stdin && is_any_read {
        let (fixed, files) = (show::counted(n_fixed, "finding"), show::counted(n_files, "file"));
        let would = if args.diff { "would be " } else { "" };
        let left = show::counted(n_left, "finding");
        match (n_fixed, n_left) {
            (0, 0) => report.note(format_args!("nothing to fix")),
            (0, _) => report.note(format_args!("nothing to fix, {left} left")),
            _ => report.note(format_args!("{fixed} {would}fixed in {files}, {left} left")),
        }
    }
    if (n_left > 0 || args.diff && n_fixed > 0) && !args.rules.exit_zero {
        report.found();
    }
}

fn inputs(own: &config::Layer, args: &args::RulesArgs, report: &Report) -> Option<Vec<Input>> {
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
    let Some(text) = input.source.read(report) else { return Outcome::default() };
    let checker = worker.checker(&input.settings);
    let findings = match checker.check(&text) {
        Ok(findings) => findings,
        Err(error) => return too_long(input, error, report),
    };
    warn_of_comments(checker, input, &text, report);
    let mut outcome = Outcome { is_read: true, ..Outcome::default() };
    if findings.is_empty() {
        return outcome;
    }
    let lines = LineIndex::new(&text);
    let name = input.name.as_str().into();
    let records = findings.into_iter().map(|it| Record::new(&name, &text, &lines, it));
    outcome.records = records.collect();
    if let Some(renderer) = renderer {
        let excerpt = |record: &Record| show::excerpt(record, &text, &lines, renderer);
        outcome.shown = outcome.records.iter().map(excerpt).collect();
    }
    outcome
}

/// Warns of comments that name unknown rules or commands. They are not findings.
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

fn too_long(input: &Input, error: SourceTooLong, report: &Report) -> Outcome {
    report.error(&input.name, error);
    Outcome::default()
}

fn fix_one(worker: &mut Worker, input: &Input, args: &FixArgs, report: &Report) -> Outcome {
    let Some(text) = input.source.read_exactly(report) else { return Outcome::default() };
    let checker = worker.checker(&input.settings);
    let fixed = if args.all { checker.fix_all(&text) } else { checker.fix(&text) };
    let fixed = match fixed {
        Ok(fixed) => fixed,
        Err(error) => return too_long(input, error, report),
    };
    warn_of_comments(checker, input, &text, report);
    let mut outcome = Outcome { is_read: true, ..Outcome::default() };
    let new = fixed.as_ref().map_or(text.as_str(), |fixed| fixed.text.as_str());
    match checker.check(new) {
        Ok(findings) if !findings.is_empty() => {
            let lines = LineIndex::new(new);
            let name = input.name.as_str().into();
            let records = findings.into_iter().map(|it| Record::new(&name, new, &lines, it));
            outcome.records = records.collect();
        }
        _ => {}
    }
    let is_stdin = matches!(input.source, Source::Stdin);
    match &fixed {
        Some(Fixed { text: new, n_fixed, .. }) => {
            outcome.n_fixed = *n_fixed;
            if args.diff {
                let diff = diff::unified(&input.name, &text, new);
                // Programs that apply the diff need it unchanged.
                outcome.text = if io::stdout().is_terminal() {
                    diff.lines().map(|line| visible::visible(line) + "\n").collect()
                } else {
                    diff
                };
            } else if is_stdin {
                outcome.text.clone_from(new);
            } else if let Source::File(path) = &input.source
                && let Err(error) = write_file(path, Links::Follow, new.as_bytes())
            {
                report.error(&input.name, crate::report::reason(&error));
                outcome.n_fixed = 0;
            }
        }
        None if is_stdin && !args.diff => outcome.text = text,
        None => {}
    }
    outcome
}
