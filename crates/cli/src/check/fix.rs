//! The job `fix`: fixes what can be fixed of the findings in documents.
//!
//! Files are replaced, standard input goes to standard output, and with `--diff` nothing changes.
//! What is left is listed: of files on standard output, and otherwise, where that has a text or a
//! difference, on standard error.

use std::io::{self, IsTerminal as _, Write as _};

use barelink_check::{Fixed, Safety};

use crate::check::args::FixArgs;
use crate::check::baseline::{Baseline, Known};
use crate::check::files::{self, Input};
use crate::check::paint::Paint;
use crate::check::{Outcome, Worker, diff, inputs, on_all, records, show, warn_of_comments};
use crate::output::{Links, Target, is_file_of_its_own, write_file};
use crate::report::{Report, reason};
use crate::source::Source;
use crate::visible;

/// Does the job `fix`.
pub(crate) fn run(args: &FixArgs, report: &mut Report) {
    let mut own = files::own_layer(&args.rules);
    own.style = args.style.map(Into::into);
    let Some(inputs) = inputs(&own, &args.rules, report) else { return };
    if inputs.is_stdin_excluded {
        return echo(args, report);
    }
    let inputs = inputs.list;
    let baseline = match args.baseline.as_deref().map(|path| (path, Baseline::read(path))) {
        None => None,
        Some((path, Ok(baseline))) => Some((path, baseline)),
        Some((path, Err(what))) => return report.error(visible::path(path), what),
    };
    let outcomes = on_all(&inputs, report, |worker, input, report| {
        let known = baseline.as_ref().map(|(path, known)| known.of_file(&input.name, path));
        fix_one(worker, input, (args, known.as_ref()), report)
    });
    let n_left: usize = outcomes.iter().map(|outcome| outcome.records.len()).sum();
    let n_fixed: usize = outcomes.iter().map(|outcome| outcome.n_fixed).sum();
    let is_stdin = matches!(inputs[..], [Input { source: Source::Stdin, .. }]);
    let left = |paint: Paint| {
        let records = outcomes.iter().flat_map(|outcome| &outcome.records);
        records.map(move |record| show::concise(record, paint))
    };
    let written = Target::Stdout.open().and_then(|mut sink| {
        outcomes.iter().try_for_each(|outcome| sink.write_all(outcome.text.as_bytes()))?;
        if !is_stdin && !args.diff {
            left(Paint::of_stdout()).try_for_each(|line| sink.write_all(line.as_bytes()))?;
        }
        sink.finish()
    });
    if let Err(error) = written {
        report.write_error(Target::Stdout, &error);
    }
    if is_stdin || args.diff {
        left(Paint::COLORED).for_each(|line| report.list(&line));
    }
    if !is_stdin {
        summarize(args, &outcomes, report);
    }
    if (n_left > 0 || args.diff && n_fixed > 0) && !args.rules.exit_zero {
        report.found();
    }
}

/// Says how much was fixed, if anything was read.
fn summarize(args: &FixArgs, outcomes: &[Outcome], report: &Report) {
    let n_files = outcomes.iter().filter(|outcome| outcome.n_fixed > 0).count();
    let n_fixed: usize = outcomes.iter().map(|outcome| outcome.n_fixed).sum();
    let n_left: usize = outcomes.iter().map(|outcome| outcome.records.len()).sum();
    let (fixed, files) = (show::counted(n_fixed, "finding"), show::counted(n_files, "file"));
    let would = if args.diff { "would be " } else { "" };
    let left = show::counted(n_left, "finding");
    match (n_fixed, n_left) {
        // What could not be read may have something to fix.
        (0, 0) if report.has_failed() => {}
        (0, _) if report.has_failed() => report.note(format_args!("{left} left")),
        (0, 0) => report.note("nothing to fix"),
        (0, _) => report.note(format_args!("nothing to fix, {left} left")),
        _ => report.note(format_args!("{fixed} {would}fixed in {files}, {left} left")),
    }
}

/// Writes standard input unchanged: an editor replaces its text by the output.
fn echo(args: &FixArgs, report: &Report) {
    if args.diff {
        return;
    }
    let written = Target::Stdout.open().and_then(|mut sink| {
        io::copy(&mut io::stdin().lock(), &mut sink)?;
        sink.finish()
    });
    if let Err(error) = written {
        report.write_error(Target::Stdout, &error);
    }
}

fn fix_one(
    worker: &mut Worker,
    input: &Input,
    (args, known): (&FixArgs, Option<&Known>),
    report: &Report,
) -> Outcome {
    if let Source::File(path) = &input.source
        && !is_file_of_its_own(path)
    {
        let what = "is not a regular file; to fix standard input, name `-`";
        return Outcome::failed(input, &what, report);
    }
    let text = match input.source.read_exactly() {
        Ok(text) => text,
        Err(error) => return Outcome::failed(input, &error, report),
    };
    let checker = worker.checker(&input.settings);
    let fixed = match known {
        Some(known) => {
            let safety = if args.all { Safety::Unsafe } else { Safety::Safe };
            let leave_out = &mut |text: &str, found: &mut Vec<_>| known.leave_out(text, found);
            checker.fix_chosen(&text, safety, leave_out)
        }
        None if args.all => checker.fix_all(&text),
        None => checker.fix(&text),
    };
    let fixed = match fixed {
        Ok(fixed) => fixed,
        Err(error) => return Outcome::failed(input, &error, report),
    };
    warn_of_comments(checker, input, &text, report);
    let mut outcome = Outcome::default();
    let new = fixed.as_ref().map_or(text.as_str(), |fixed| fixed.text.as_str());
    let mut left = checker.check(new).unwrap_or_default();
    if let Some(known) = known {
        known.leave_out(new, &mut left);
    }
    outcome.records = records(input, new, left);
    let is_stdin = matches!(input.source, Source::Stdin);
    match &fixed {
        Some(Fixed { text: new, n_fixed, .. }) => {
            outcome.n_fixed = *n_fixed;
            if args.diff {
                outcome.text = shown(&diff::unified(&input.name, &text, new));
            } else if is_stdin {
                outcome.text.clone_from(new);
            } else if let Source::File(path) = &input.source
                && let Err(error) = write_file(path, Links::Follow, new.as_bytes())
            {
                report.error(&input.name, reason(&error));
                outcome.n_fixed = 0;
            }
        }
        None if is_stdin && !args.diff => outcome.text = text,
        None => {}
    }
    outcome
}

/// The diff, made visible if people read it: at a terminal, or in color. Programs that apply it need
/// it unchanged.
fn shown(diff: &str) -> String {
    let paint = Paint::of_stdout();
    if paint == Paint::PLAIN && !io::stdout().is_terminal() {
        return diff.to_owned();
    }
    diff.lines().map(|line| paint.of_diff(&visible::visible(line)) + "\n").collect()
}
