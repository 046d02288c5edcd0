//! Findings as diagnostics, and problems with configurations.

use std::cell::RefCell;

use barelink_check::{Finding, Rule};
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::Problem;
use crate::position::Places;
use crate::protocol::{CodeDescription, Diagnostic, Position, Range, notification};
use crate::worker::Job;

const ERROR: u8 = 1;
const WARNING: u8 = 2;

/// The name that the client shows.
const SOURCE: &str = "barelink";

/// A finding as the client shows it.
pub(crate) fn of_finding(finding: &Finding, places: &mut Places<'_>) -> Diagnostic {
    let mut message = finding.message.clone();
    for note in &finding.notes {
        message.push('\n');
        message.push_str(note);
    }
    Diagnostic {
        range: places.range(finding.span),
        severity: WARNING,
        code: Some(finding.rule.code()),
        code_description: Some(CodeDescription { href: page(finding.rule) }),
        source: SOURCE,
        message,
    }
}

/// Where a rule is described.
fn page(rule: Rule) -> String {
    format!("https://docs.rs/barelink-check/latest/barelink_check/enum.Rule.html#variant.{rule:?}")
}

/// What is said of a version of a document.
#[derive(Serialize)]
struct Published<'a> {
    uri: &'a str,
    version: i64,
    diagnostics: EachFinding<'a>,
}

/// Diagnostics that are made one by one, as they are written.
struct EachFinding<'a> {
    findings: &'a [Finding],
    /// What writes has no other way to change it.
    places: RefCell<Places<'a>>,
}

impl Serialize for EachFinding<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut places = self.places.borrow_mut();
        serializer.collect_seq(self.findings.iter().map(|it| of_finding(it, &mut places)))
    }
}

/// The message with all that was found in a version of a document.
pub(crate) fn message(job: &Job, findings: &[Finding]) -> String {
    let places = RefCell::new(Places::new(&job.text, &job.lines, job.encoding));
    let diagnostics = EachFinding { findings, places };
    let params = Published { uri: &job.uri, version: job.version, diagnostics };
    notification("textDocument/publishDiagnostics", &params)
}

/// The message that nothing is to be shown of a document.
pub(crate) fn none(uri: &str) -> String {
    let params = json!({ "uri": uri, "diagnostics": [] });
    notification("textDocument/publishDiagnostics", &params)
}

/// The message that shows a problem where it is.
pub(crate) fn of_problem(uri: &str, problem: &Problem) -> String {
    let line = problem.line.map_or(0, |line| line.saturating_sub(1));
    let start = Position { line, character: 0 };
    // To the end of the line, however long it is.
    let range = Range { start, end: Position { line: line + 1, character: 0 } };
    let diagnostic = Diagnostic {
        range,
        severity: ERROR,
        code: None,
        code_description: None,
        source: SOURCE,
        message: problem.what.clone(),
    };
    let params = json!({ "uri": uri, "diagnostics": [diagnostic] });
    notification("textDocument/publishDiagnostics", &params)
}
