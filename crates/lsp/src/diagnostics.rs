//! Findings as diagnostics, and problems with configurations.

use barelink_check::{Finding, Rule};
use serde_json::json;

use crate::Problem;
use crate::position::Places;
use crate::protocol::{Diagnostic, Position, Range, notification};
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
        code_description: Some(json!({ "href": page(finding.rule) })),
        source: SOURCE,
        message,
    }
}

/// Where a rule is described.
fn page(rule: Rule) -> String {
    format!("https://docs.rs/barelink-check/latest/barelink_check/enum.Rule.html#variant.{rule:?}")
}

/// The message with all that was found in a version of a document.
pub(crate) fn message(job: &Job, findings: &[Finding]) -> String {
    let mut places = Places::new(&job.text, &job.lines, job.encoding);
    let diagnostics: Vec<Diagnostic> =
        findings.iter().map(|finding| of_finding(finding, &mut places)).collect();
    let params = json!({ "uri": job.uri, "version": job.version, "diagnostics": diagnostics });
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
