//! Inputs that once made some engine slow: the output is right, no larger than
//! the input warrants, and there before anyone gives up waiting.
//!
//! The time allowed is generous: it tells linear from quadratic on inputs of
//! this size, in an unoptimised build on a busy machine, and nothing finer.
//! The suites' inputs run in threads with the usual small stack, so deep
//! nesting shows there too.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use barelink::{Options, Policy};
use barelink_spectest::Unavailable;
use barelink_spectest::case_file::slug;
use barelink_spectest::pathological::{Case, FILE, Pathological, is_match};
use barelink_spectest::runner::{skip_or_fail, unavailable_trial};
use libtest_mimic::{Arguments, Completion, Failed, Trial};

/// A file with fewer cases than it had is not the file.
const N_CASES_MIN: usize = 100;

/// `<blockquote>` and its end for each `>` and a space is the most that a case
/// gets out of its bytes.
const OUTPUT_PER_INPUT_MAX: usize = 20;

/// What a small input may cost on top.
const OUTPUT_SPARE: usize = 200 * 1024;

const TIME_MAX: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = match Pathological::load() {
        Ok(file) => case_trials(file),
        Err(problem) => vec![unavailable_trial("pathological", problem)],
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn case_trials(file: Pathological) -> Vec<Trial> {
    let n_cases = file.cases.len();
    let mut trials = vec![Trial::test("pathological/all-cases-are-there", move || {
        if n_cases < N_CASES_MIN {
            return Err(format!("{FILE} has only {n_cases} cases").into());
        }
        Ok(())
    })];
    let file = Arc::new(file);
    for case_idx in 0..n_cases {
        let file = Arc::clone(&file);
        let case = &file.cases[case_idx];
        let name =
            format!("pathological/{}/{}/{}", slug(&case.suite), slug(&case.name), case_idx + 1);
        trials.push(Trial::ignorable_test(name, move || {
            let case = &file.cases[case_idx];
            match file.make_input(case) {
                Ok(input) => run_case(case, &input),
                Err(problem) => skip_or_fail(&problem),
            }
        }));
    }
    trials
}

/// The preset that a case's pattern was written for, among those there are.
///
/// The others' inputs are as good a test of time and size, so they run with
/// plain CommonMark until their preset is there, and only the pattern waits.
fn matching_options(case: &Case) -> Option<Options> {
    let is_plain = case.flags.is_empty() && case.extensions.is_empty();
    is_plain.then(Options::commonmark)
}

fn run_case(case: &Case, input: &str) -> Result<Completion, Failed> {
    let matching = matching_options(case);
    let mut options = matching.unwrap_or(Options::commonmark());
    options.policy = Policy::TRUSTED;
    let start = Instant::now();
    let output = barelink::to_html(input, &options)?;
    let time = start.elapsed();
    if time > TIME_MAX {
        return Err(format!("{} bytes took {time:?}", input.len()).into());
    }
    let output_max = input.len() * OUTPUT_PER_INPUT_MAX + OUTPUT_SPARE;
    if output.len() > output_max {
        return Err(format!("{} bytes gave {} bytes", input.len(), output.len()).into());
    }
    match &case.regex {
        Some(pattern) if matching.is_some() => check_pattern(case, pattern, output),
        _ => Ok(Completion::Completed),
    }
}

fn check_pattern(case: &Case, pattern: &str, output: String) -> Result<Completion, Failed> {
    // MD4C writes a nested list on the line of the item that holds it.
    let output = if case.suite == "md4c" { output.replace("\n<ul>", "<ul>") } else { output };
    match is_match(pattern, &output) {
        Ok(true) => Ok(Completion::Completed),
        Ok(false) => Err(mismatch(pattern, &output).into()),
        Err(problem @ Unavailable::Missing(_)) => skip_or_fail(&problem),
        Err(problem) => Err(problem.to_string().into()),
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
