//! Examples to trials: each example its own named test, and a failure that
//! shows what went in, what was expected and where the output parts from it.
//!
//! Names are `suite/section/number`, such as `commonmark/Tabs/1`, and
//! `path/section/number` for our own case files.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Arc;

use libtest_mimic::{Completion, Failed, Trial};

use crate::case_file::{self, slug};
use crate::known::Known;
use crate::normalize::normalize;
use crate::suite::{self, Example};
use crate::{Unavailable, workspace_root};

/// How the output is compared with what is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// Byte for byte.
    Exact,
    /// After [`normalize`].
    Normalized,
}

/// A third-party suite and how to run it.
#[derive(Debug, Clone, Copy)]
pub struct Suite {
    /// First part of the tests' names.
    pub name: &'static str,
    /// File in the folder of the suites.
    pub file: &'static str,
    /// How many examples there are; a file with more or fewer fails.
    pub n_examples: usize,
    /// How outputs are compared.
    pub comparison: Comparison,
    /// File in `testdata/known-differences`, where there is one.
    pub known_differences: Option<&'static str>,
    /// File of another edition, which will do where this one is not to be had.
    pub other: Option<&'static str>,
}

/// One trial for each example of a suite, and one for the suite as a whole.
///
/// `render` gives the engine's output for an example.
pub fn suite_trials<F>(suite: &Suite, render: F) -> Vec<Trial>
where
    F: Fn(&Example) -> Result<String, String> + Send + Sync + 'static,
{
    let examples = match suite::load(suite.file) {
        Ok(examples) => examples,
        Err(problem) => return vec![missing_trial(suite.name, suite.other, problem)],
    };
    let path = |file| workspace_root().join("testdata/known-differences").join(file);
    let known =
        suite.known_differences.map_or(Ok(Known::default()), |file| Known::load(&path(file)));
    let known = match known {
        Ok(known) => known,
        Err(message) => return vec![failed_trial(suite.name, message)],
    };
    let complaint = check_suite(suite, &examples, &known);
    let whole = format!("{}/all-{}-examples-are-there", suite.name, suite.n_examples);
    let mut trials = vec![Trial::test(whole, move || complaint.map_err(Failed::from))];
    let render = Arc::new(render);
    for example in examples {
        let name = format!("{}/{}/{}", suite.name, slug(&example.section), example.number);
        let reason = known.reason(example.number).map(String::from);
        let render = Arc::clone(&render);
        let comparison = suite.comparison;
        trials.push(Trial::test(name, move || {
            Ok(judge_example(&example, comparison, reason.as_deref(), render(&example))?)
        }));
    }
    trials
}

/// One trial for each of our own cases below `testdata`, and one more for each
/// folder in which a file that `also` lists, by the start of its cases' names,
/// could lie as well.
///
/// `render` gets the first folder of the case's path and the case.
pub fn case_trials<F>(also: &[(&str, &[&str])], render: F) -> Vec<Trial>
where
    F: Fn(&str, &case_file::Case) -> Result<String, String> + Send + Sync + 'static,
{
    let cases = match case_file::load_folder(&workspace_root().join("testdata")) {
        Ok(cases) => cases,
        Err(message) => return vec![failed_trial("testdata", message)],
    };
    if let Some((file, _)) =
        also.iter().find(|(file, _)| !cases.iter().any(|case| case.is_of(file)))
    {
        return vec![failed_trial("testdata", format!("there are no cases in {file}"))];
    }
    let render = Arc::new(render);
    let trial = |folder: &str, case: &case_file::Case| {
        let (render, case, folder) = (Arc::clone(&render), case.clone(), folder.to_owned());
        let name = case.name.split_once('/').map_or("", |(_, name)| name);
        Trial::test(format!("{folder}/{name}"), move || {
            let output = render(&folder, &case);
            let judged = judge(&case.markdown, &case.html, Comparison::Exact, output);
            Ok(judged.map_err(|message| format!("{}\n{message}", case.place))?)
        })
    };
    let mut trials = Vec::new();
    for case in &cases {
        trials.push(trial(case.name.split('/').next().unwrap_or_default(), case));
        for (_, folders) in also.iter().filter(|(file, _)| case.is_of(file)) {
            trials.extend(folders.iter().map(|folder| trial(folder, case)));
        }
    }
    trials
}

/// A trial for a suite that could not be loaded. Where another edition is to be
/// had it is skipped, `CI` or not.
fn missing_trial(name: &str, other: Option<&str>, problem: Unavailable) -> Trial {
    match (problem, other.filter(|file| suite::find(file).is_some())) {
        (Unavailable::Missing(message), Some(other)) => {
            let message = format!("skipped: {message}; {other} is run instead");
            Trial::ignorable_test(name, || Ok(Completion::ignored_with(message)))
        }
        (problem, _) => unavailable_trial(name, problem),
    }
}

/// A trial for something that could not be loaded: skipped where that may be,
/// else failed.
pub fn unavailable_trial(name: &str, problem: Unavailable) -> Trial {
    Trial::ignorable_test(name, move || skip_or_fail(&problem))
}

/// The end of a trial that met something it could not use.
///
/// # Errors
/// The failure, when it is not a skip.
pub fn skip_or_fail(problem: &Unavailable) -> Result<Completion, Failed> {
    if problem.is_skip() {
        Ok(Completion::ignored_with(format!("skipped: {problem}")))
    } else {
        Err(problem.to_string().into())
    }
}

fn failed_trial(name: &str, message: String) -> Trial {
    Trial::test(name, move || Err(message.into()))
}

/// Errors in a suite as a whole.
fn check_suite(suite: &Suite, examples: &[Example], known: &Known) -> Result<(), String> {
    let (n_found, n_expected) = (examples.len(), suite.n_examples);
    if n_found != n_expected {
        return Err(format!("{} has {n_found} examples, not {n_expected}", suite.file));
    }
    let mut numbers = HashSet::new();
    if let Some(twice) = examples.iter().find(|example| !numbers.insert(example.number)) {
        return Err(format!("{} has example {} twice", suite.file, twice.number));
    }
    match known.numbers().find(|number| !numbers.contains(number)) {
        Some(number) => Err(format!("the known difference {number} is no example of the suite")),
        None => Ok(()),
    }
}

/// Judges one example, known differences and switched-off examples included.
fn judge_example(
    example: &Example,
    comparison: Comparison,
    known_reason: Option<&str>,
    output: Result<String, String>,
) -> Result<(), String> {
    let comparison = if example.no_normalize { Comparison::Exact } else { comparison };
    let has_answer = output.is_ok();
    let judged = judge(&example.markdown, &example.html, comparison, output);
    match (judged, known_reason) {
        (Ok(()), Some(reason)) => {
            Err(format!("passes, but is listed as a known difference: {reason}"))
        }
        // Examples of these two kinds only need an answer, whatever it is.
        (Err(_), Some(_)) if has_answer => Ok(()),
        (Err(_), None) if has_answer && example.disabled => Ok(()),
        (judged, _) => judged,
    }
}

/// Compares, and describes a difference.
fn judge(
    markdown: &str,
    expected: &str,
    comparison: Comparison,
    output: Result<String, String>,
) -> Result<(), String> {
    let actual = output?;
    let (expected, actual) = match comparison {
        Comparison::Exact => (expected.to_string(), actual),
        Comparison::Normalized => (normalize(expected), normalize(&actual)),
    };
    if expected == actual {
        return Ok(());
    }
    let mut message = String::from("input:\n");
    push_lines(&mut message, "  ", markdown.split_inclusive('\n'));
    message.push_str("output (- expected, + actual):\n");
    push_difference(&mut message, &expected, &actual);
    Err(message)
}

/// The lines both texts begin and end with once, and what is between them twice.
fn push_difference(message: &mut String, expected: &str, actual: &str) {
    let expected: Vec<&str> = expected.split_inclusive('\n').collect();
    let actual: Vec<&str> = actual.split_inclusive('\n').collect();
    let n_before = expected.iter().zip(&actual).take_while(|(a, b)| a == b).count();
    let (before, actual) = actual.split_at(n_before);
    let expected = &expected[n_before..];
    let from_end = expected.iter().rev().zip(actual.iter().rev());
    let n_after = from_end.take_while(|(a, b)| a == b).count();
    let (expected, after) = expected.split_at(expected.len() - n_after);
    push_lines(message, "  ", before.iter().copied());
    push_lines(message, "- ", expected.iter().copied());
    push_lines(message, "+ ", actual[..actual.len() - n_after].iter().copied());
    push_lines(message, "  ", after.iter().copied());
}

fn push_lines<'a>(message: &mut String, mark: &str, lines: impl Iterator<Item = &'a str>) {
    for line in lines {
        message.push_str(mark);
        push_visible(message, line);
        message.push('\n');
    }
}

/// Appends a line with what cannot be seen made visible, in the signs of our
/// case files.
fn push_visible(message: &mut String, line: &str) {
    let (content, line_end) = match line.strip_suffix('\n') {
        Some(content) => (content, ""),
        None => (line, "␄"),
    };
    let text = content.trim_end_matches(' ');
    for c in text.chars() {
        match c {
            '\t' => message.push('→'),
            '\r' => message.push('␍'),
            '\0' => message.push('␀'),
            // Writing to a string cannot fail.
            c if is_invisible(c) => _ = write!(message, "‹{:X}›", u32::from(c)),
            c => message.push(c),
        }
    }
    message.extend(std::iter::repeat_n('␠', content.len() - text.len()));
    message.push_str(line_end);
}

fn is_invisible(c: char) -> bool {
    c.is_control()
        || (c != ' ' && c.is_whitespace())
        || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

/// Fails when two trials have the same name: one of them could not be run alone.
pub fn push_name_check(trials: &mut Vec<Trial>) {
    let mut names = HashSet::new();
    let twice = trials.iter().map(Trial::name).find(|name| !names.insert(*name));
    if let Some(name) = twice {
        let message = format!("two tests are named {name}");
        trials.push(failed_trial("names", message));
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Suite, check_suite, judge, judge_example};
    use crate::known::Known;
    use crate::suite::Example;

    fn example() -> Example {
        Example {
            number: 1,
            section: "Lists".into(),
            markdown: "- a\n".into(),
            html: "<ul>\n<li>a</li>\n</ul>\n".into(),
            flags: vec![],
            extensions: vec![],
            disabled: false,
            no_normalize: false,
        }
    }

    const WRONG: &str = "<p>a</p>";

    #[test]
    fn message_shows_input_and_difference() {
        let actual = "<p>a</p>\n<p>\tb </p>\n<p>d </p>".to_string();
        let message =
            judge("a\0\r\nb", "<p>a</p>\n<p>c</p>\n<p>d</p>\n", Comparison::Exact, Ok(actual));
        let expected = "input:\n  a␀␍\n  b␄\noutput (- expected, + actual):\n  <p>a</p>\n\
                        - <p>c</p>\n- <p>d</p>\n+ <p>→b </p>\n+ <p>d </p>␄\n";
        assert_eq!(message, Err(expected.to_string()));
    }

    #[test]
    fn comparisons() {
        let example = example();
        let tight = || Ok("<ul><li>a</li></ul>".to_string());
        assert!(judge_example(&example, Comparison::Normalized, None, tight()).is_ok());
        assert!(judge_example(&example, Comparison::Exact, None, tight()).is_err());
        let strict = Example { no_normalize: true, ..example };
        assert!(judge_example(&strict, Comparison::Normalized, None, tight()).is_err());
    }

    #[test]
    fn a_known_difference_has_to_differ() {
        let example = example();
        let right = Ok(example.html.clone());
        assert!(
            judge_example(&example, Comparison::Exact, Some("because"), Ok(WRONG.into())).is_ok()
        );
        let message = judge_example(&example, Comparison::Exact, Some("because"), right);
        assert!(message.is_err_and(|message| message.contains("because")));
    }

    #[test]
    fn no_answer_is_never_excused() {
        let example = Example { disabled: true, ..example() };
        let failure = || Err("refused".to_string());
        assert!(judge_example(&example, Comparison::Exact, None, Ok(WRONG.into())).is_ok());
        assert!(judge_example(&example, Comparison::Exact, None, failure()).is_err());
        assert!(judge_example(&example, Comparison::Exact, Some("because"), failure()).is_err());
    }

    #[test]
    fn a_suite_has_the_examples_it_should() {
        let suite = Suite {
            name: "s",
            file: "s.json",
            n_examples: 1,
            comparison: Comparison::Exact,
            known_differences: None,
            other: None,
        };
        let none = Known::default();
        let known = Known::parse("2: because").expect("well-formed");
        assert!(check_suite(&suite, &[example()], &none).is_ok());
        assert!(check_suite(&suite, &[], &none).is_err());
        assert!(check_suite(&suite, &[example()], &known).is_err());
        let two = Suite { n_examples: 2, ..suite };
        assert!(check_suite(&two, &[example(), example()], &none).is_err());
    }
}
