//! Inputs that once made some engine slow: the output is right, no larger than
//! the input warrants, and there before anyone gives up waiting.
//!
//! Each runs with the extensions and flags it was made for, those about bare
//! links, which are ours, in every dialect. Outputs that differ from what another engine's test
//! expects are listed in `testdata/known-differences/pathological.txt`.
//!
//! The time allowed is generous: it tells linear from quadratic on inputs of
//! this size, in an unoptimized build on a busy machine, and nothing finer.
//! The suites' inputs run in threads with the usual small stack, so deep
//! nesting shows there too.

mod names;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use barelink::{Autolinks, Dialect, Markup, Options, Policy};
use barelink_spectest::case_file::slug;
use barelink_spectest::known::Known;
use barelink_spectest::pathological::{Case, Pathological, is_match};
use barelink_spectest::runner::{skip_or_fail, unavailable_trial};
use barelink_spectest::{Unavailable, suite, workspace_root};
use libtest_mimic::{Arguments, Completion, Failed, Trial};

/// The suites' inputs, and how many there are.
const FILE: (&str, usize) = ("pathological.json", 105);

/// Those of an older cmark-gfm, which all are in [`FILE`] too. They do where that is
/// not to be had.
const OLDER: (&str, usize) = ("cmark-gfm-0.29.0-pathological.json", 18);

/// How the suites name what is among ours by now.
const OURS: &str = "autolink";

/// Numbers of cases in [`FILE`], and why the pattern does not match.
const KNOWN_DIFFERENCES: &str = "testdata/known-differences/pathological.txt";

/// `<blockquote>` and its end for each `>` and a space is the most that a case
/// gets out of its bytes.
const OUTPUT_PER_INPUT_MAX: usize = 20;

/// What a small input may cost on top.
const OUTPUT_SPARE: usize = 200 * 1024;

const TIME_MAX: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = match Pathological::ours() {
        Ok(ours) => case_trials(ours, &Known::default()),
        Err(problem) => vec![unavailable_trial("pathological/ours", problem)],
    };
    trials.append(&mut suite_trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The inputs of the suites, but for what is ours.
fn suite_trials() -> Vec<Trial> {
    let ((name, n_cases), known) = match suite::find(FILE.0) {
        None if suite::find(OLDER.0).is_some() => (OLDER, Ok(Known::default())),
        _ => (FILE, Known::load(&workspace_root().join(KNOWN_DIFFERENCES))),
    };
    let file = match Pathological::load(name) {
        Ok(file) => file,
        Err(problem) => return vec![unavailable_trial("pathological/suites", problem)],
    };
    let complaint = check_file(name, &file, n_cases, &known);
    let mut trials = case_trials(file, &known.unwrap_or_default());
    trials.retain(|trial| !trial.name().starts_with(&format!("pathological/{OURS}/")));
    trials.push(Trial::test("pathological/all-cases-are-there", || Ok(complaint?)));
    trials
}

fn case_trials(file: Pathological, known: &Known) -> Vec<Trial> {
    let mut trials = Vec::new();
    let file = Arc::new(file);
    for (case_idx, case) in file.cases.iter().enumerate() {
        let number = case_idx + 1;
        let name = format!("pathological/{}/{}/{number}", slug(&case.suite), slug(&case.name));
        let reason = known.reason(number as u32).map(String::from);
        let file = Arc::clone(&file);
        trials.push(Trial::ignorable_test(name, move || {
            let case = &file.cases[case_idx];
            let input = match file.make_input(case) {
                Ok(input) => input,
                Err(problem) => return skip_or_fail(&problem),
            };
            let output = run_case(case, &input)?;
            match (&case.regex, reason) {
                (Some(pattern), reason) => check_pattern(pattern, &output, reason.as_deref()),
                (None, None) => Ok(Completion::Completed),
                (None, Some(_)) => Err("a known difference without a pattern".into()),
            }
        }));
    }
    trials
}

/// What is wrong with the file or the list as a whole.
fn check_file(
    name: &str,
    file: &Pathological,
    n_cases: usize,
    known: &Result<Known, String>,
) -> Result<(), String> {
    let n_found = file.cases.len();
    if n_found != n_cases {
        return Err(format!("{name} has {n_found} cases, not {n_cases}"));
    }
    let mut numbers = known.as_ref().map_err(String::clone)?.numbers();
    match numbers.find(|&number| number as usize > n_cases) {
        Some(number) => Err(format!("the known difference {number} is no case of {name}")),
        None => Ok(()),
    }
}

/// Runs a case with the options it was made for, and gives the output.
fn run_case(case: &Case, input: &str) -> Result<String, Failed> {
    let mut options = Options::commonmark();
    options.policy = Policy::TRUSTED;
    if case.suite == OURS {
        let mut output = String::new();
        for &dialect in Dialect::ALL {
            options.autolinks = Autolinks::new(dialect);
            output = render(input, &options)
                .map_err(|message| format!("{}: {message}", dialect.name()))?;
        }
        return Ok(output);
    }
    for name in &case.extensions {
        names::add_extension(&mut options, name)?;
    }
    for flag in &case.flags {
        names::add_flag(&mut options, flag)?;
    }
    if case.suite == "md4c" {
        options.markup = Markup::Md4c;
        // MD4C writes a nested list on the line of the item that holds it.
        return Ok(render(input, &options)?.replace("\n<ul>", "<ul>"));
    }
    Ok(render(input, &options)?)
}

/// The output, if it is there in time and not too long.
fn render(input: &str, options: &Options) -> Result<String, String> {
    let start = Instant::now();
    let output = barelink::to_html(input, options).map_err(|error| error.to_string())?;
    let time = start.elapsed();
    if time > TIME_MAX {
        return Err(format!("{} bytes took {time:?}", input.len()));
    }
    let output_max = input.len() * OUTPUT_PER_INPUT_MAX + OUTPUT_SPARE;
    if output.len() > output_max {
        return Err(format!("{} bytes gave {} bytes", input.len(), output.len()));
    }
    Ok(output)
}

fn check_pattern(
    pattern: &str,
    output: &str,
    known_reason: Option<&str>,
) -> Result<Completion, Failed> {
    match (is_match(pattern, output), known_reason) {
        (Ok(true), None) | (Ok(false), Some(_)) => Ok(Completion::Completed),
        (Ok(true), Some(reason)) => {
            Err(format!("matches, but is listed as a known difference: {reason}").into())
        }
        (Ok(false), None) => Err(mismatch(pattern, output).into()),
        (Err(problem @ Unavailable::Missing(_)), _) => skip_or_fail(&problem),
        (Err(problem), _) => Err(problem.to_string().into()),
    }
}

/// The pattern and both ends of an output that may be megabytes long.
fn mismatch(pattern: &str, output: &str) -> String {
    const SHOWN: usize = 300;
    let shown_start: String = output.chars().take(SHOWN).collect();
    let mut shown_end: Vec<char> = output.chars().rev().take(SHOWN).collect();
    shown_end.reverse();
    let shown_end = String::from_iter(shown_end);
    format!("no match of\n  {pattern:?}\nin\n  {shown_start:?}\n  …\n  {shown_end:?}")
}
