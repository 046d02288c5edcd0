//! Findings as diagnostics, and problems with configurations.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::LazyLock;

use barelink_check::{Finding, Rule};
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::Problem;
use crate::position::Places;
use crate::protocol::{
    CodeDescription, Diagnostic, Position, Range, notification, push_written, written,
};

const ERROR: u8 = 1;
const WARNING: u8 = 2;

/// The name that the client shows.
const SOURCE: &str = "barelink";

/// A finding as the client shows it.
pub(crate) fn of_finding<'f>(finding: &'f Finding, places: &mut Places<'_>) -> Diagnostic<'f> {
    let mut message = Cow::Borrowed(&*finding.message);
    for note in &finding.notes {
        let message = message.to_mut();
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
fn page(rule: Rule) -> &'static str {
    static PAGES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let page = "https://docs.rs/barelink-check/latest/barelink_check/enum.Rule.html#variant.";
        Rule::ALL.iter().map(|rule| format!("{page}{rule:?}")).collect()
    });
    &PAGES[rule as usize]
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

/// The list of all that was found in a document.
pub(crate) fn list(findings: &[Finding], places: Places<'_>) -> String {
    let mut list = String::new();
    push_list(findings, places, &mut list);
    list
}

fn push_list(findings: &[Finding], places: Places<'_>, out: &mut String) {
    /// What most findings take.
    const LEN: usize = 400;
    out.reserve(findings.len() * LEN);
    push_written(&EachFinding { findings, places: RefCell::new(places) }, out);
}

/// The message with all that was found in a version of a document.
pub(crate) fn message(uri: &str, version: i64, findings: &[Finding], places: Places<'_>) -> String {
    let uri = written(&uri);
    let mut message = format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\
         \"params\":{{\"uri\":{uri},\"version\":{version},\"diagnostics\":"
    );
    push_list(findings, places, &mut message);
    message.push_str("}}");
    message
}

/// The report for a client that asks, up to such a list; a brace follows that.
pub(crate) fn report_start(result_id: u64) -> String {
    format!("{{\"kind\":\"full\",\"resultId\":\"{result_id}\",\"items\":")
}

/// The report that nothing is to be shown of a document that is not open.
pub(crate) const EMPTY_REPORT: &str = "{\"kind\":\"full\",\"items\":[]}";

/// The report that it is as it was.
pub(crate) fn unchanged_report(result_id: u64) -> String {
    format!("{{\"kind\":\"unchanged\",\"resultId\":\"{result_id}\"}}")
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
        message: Cow::Borrowed(&problem.what),
    };
    let params = json!({ "uri": uri, "diagnostics": [diagnostic] });
    notification("textDocument/publishDiagnostics", &params)
}
