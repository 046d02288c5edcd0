//! Findings as diagnostics, and problems with configurations.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::LazyLock;

use barelink_check::{BadComment, Finding, Rule};
use serde::ser::{Serialize, SerializeSeq as _, Serializer};
use serde_json::json;

use crate::interface::Problem;
use crate::position::Places;
use crate::protocol::{
    CodeDescription, Diagnostic, Position, Range, notification, push_written, written,
};

const ERROR: u8 = 1;
const WARNING: u8 = 2;
const INFORMATION: u8 = 3;

/// The maximum number of findings shown for a document: that of VS Code.
pub(crate) const SHOWN_MAX: usize = 1000;

/// The message at the first finding that is not shown.
const NOT_ALL: &str =
    "There is more from here on. An editor is shown 1000 findings; `barelink check` shows all.";

/// The name that the client shows.
const SOURCE: &str = "barelink";

/// The diagnostic for a finding.
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

/// The address of a rule's documentation.
fn page(rule: Rule) -> &'static str {
    static PAGES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let page = "https://docs.rs/barelink-check/latest/barelink_check/enum.Rule.html#variant.";
        Rule::ALL.iter().map(|rule| format!("{page}{rule:?}")).collect()
    });
    &PAGES[rule as usize]
}

/// The diagnostic in place of a finding and all later ones.
fn not_all<'f>(finding: &Finding, places: &mut Places<'_>) -> Diagnostic<'f> {
    Diagnostic {
        range: places.range(finding.span),
        severity: INFORMATION,
        code: None,
        code_description: None,
        source: SOURCE,
        message: Cow::Borrowed(NOT_ALL),
    }
}

/// The diagnostic for a comment that has no effect.
fn of_comment<'c>(comment: &'c BadComment, places: &mut Places<'_>) -> Diagnostic<'c> {
    Diagnostic {
        range: places.range(comment.span),
        severity: WARNING,
        code: None,
        code_description: None,
        source: SOURCE,
        message: Cow::Borrowed(&comment.message),
    }
}

/// All that may be shown for a document.
pub(crate) struct Shown<'a> {
    pub(crate) findings: &'a [Finding],
    pub(crate) comments: &'a [BadComment],
}

/// Serializes diagnostics, each of which is made when it is written.
struct EachFinding<'a> {
    comments: &'a [BadComment],
    shown: &'a [Finding],
    /// The first finding that is not shown.
    next: Option<&'a Finding>,
    /// `Serialize` has only a shared reference.
    places: RefCell<Places<'a>>,
}

impl Serialize for EachFinding<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut places = self.places.borrow_mut();
        let mut list = serializer.serialize_seq(None)?;
        for comment in self.comments {
            list.serialize_element(&of_comment(comment, &mut places))?;
        }
        for finding in self.shown {
            list.serialize_element(&of_finding(finding, &mut places))?;
        }
        if let Some(finding) = self.next {
            list.serialize_element(&not_all(finding, &mut places))?;
        }
        list.end()
    }
}

/// The list of diagnostics of a document, as JSON.
pub(crate) fn list(all: &Shown<'_>, places: Places<'_>) -> String {
    let mut list = String::new();
    push_list(all, places, &mut list);
    list
}

fn push_list(all: &Shown<'_>, places: Places<'_>, out: &mut String) {
    /// The length of most diagnostics.
    const LEN: usize = 400;
    let Shown { findings, comments } = all;
    let comments = &comments[..comments.len().min(SHOWN_MAX)];
    let shown = &findings[..findings.len().min(SHOWN_MAX)];
    out.reserve((comments.len() + shown.len()) * LEN);
    let next = findings.get(shown.len());
    push_written(&EachFinding { comments, shown, next, places: RefCell::new(places) }, out);
}

/// The notification with the diagnostics of a version of a document.
pub(crate) fn message(uri: &str, version: i64, all: &Shown<'_>, places: Places<'_>) -> String {
    let uri = written(&uri);
    let mut message = format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\
         \"params\":{{\"uri\":{uri},\"version\":{version},\"diagnostics\":"
    );
    push_list(all, places, &mut message);
    message.push_str("}}");
    message
}

/// The list in such a message.
pub(crate) fn list_in(message: &str) -> &str {
    // Quotes in a URI are escaped, so nothing there is taken for it.
    let list = message.split_once("\"diagnostics\":").and_then(|(_, it)| it.strip_suffix("}}"));
    list.unwrap_or("[]")
}

/// The report for a client that pulls, up to the list of diagnostics; a brace follows the list.
pub(crate) fn report_start(result_id: u64) -> String {
    format!("{{\"kind\":\"full\",\"resultId\":\"{result_id}\",\"items\":")
}

/// The empty report, for a document that is not open.
pub(crate) const EMPTY_REPORT: &str = "{\"kind\":\"full\",\"items\":[]}";

/// The report that the diagnostics have not changed.
pub(crate) fn unchanged_report(result_id: u64) -> String {
    format!("{{\"kind\":\"unchanged\",\"resultId\":\"{result_id}\"}}")
}

/// The notification that removes the diagnostics of a document.
pub(crate) fn none(uri: &str) -> String {
    let params = json!({ "uri": uri, "diagnostics": [] });
    notification("textDocument/publishDiagnostics", &params)
}

/// The notification that shows a problem in its file.
pub(crate) fn of_problem(uri: &str, problem: &Problem) -> String {
    let line = problem.line.map_or(0, |line| line.saturating_sub(1));
    let start = Position { line, character: 0 };
    // The whole line, whatever its length.
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
