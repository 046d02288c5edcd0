//! A finding with its file, lines and columns, for output.

use std::borrow::Cow;
use std::sync::Arc;

use barelink::{LineIndex, Span};
use barelink_check::{Edit, Finding, Fix, Rule};
use serde::Serialize;

use crate::links::Bytes;

/// The maximum length of a text that identifies a finding, in characters.
const TEXT_LEN_MAX: usize = 200;

/// A finding in a file.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    /// Shared by all records of a file, which may have a finding for each word.
    pub(crate) file: Arc<str>,
    pub(crate) start: Place,
    pub(crate) end: Place,
    /// Offsets in the bytes of the file. The span of the finding has offsets in its text, where
    /// bytes that are not UTF-8 have been replaced.
    pub(crate) span: Span,
    pub(crate) finding: Finding,
    /// The text of the finding, or the start of it.
    pub(crate) text: String,
    /// Whether its fix would be made on request.
    pub(crate) is_fixable: bool,
}

/// The text by which a finding is recognized again: what it is about, or the start of that.
pub(crate) fn text_of(finding: &Finding, source: &str) -> String {
    finding.span.slice(source).chars().take(TEXT_LEN_MAX).collect()
}

/// Both count from one, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Record {
    pub(crate) fn new(
        file: &Arc<str>,
        source: &str,
        lines: &LineIndex<'_>,
        finding: Finding,
    ) -> Self {
        let place = |offset: u32| {
            let it = lines.line_col(offset);
            Place { line: it.line, column: it.column }
        };
        let Span { start, end } = finding.span;
        let text = text_of(&finding, source);
        let (file, span) = (Arc::clone(file), finding.span);
        let (start, end) = (place(start), place(end));
        Self { file, start, end, span, finding, text, is_fixable: false }
    }

    pub(crate) fn rule(&self) -> Rule {
        self.finding.rule
    }

    /// The file, with `/` as separator.
    pub(crate) fn path(&self) -> String {
        self.file.replace('\\', "/")
    }

    /// For programs.
    pub(crate) fn json(&self) -> Json<'_> {
        let Finding { rule, message, notes, fix, .. } = &self.finding;
        Json {
            file: &self.file,
            line: self.start.line,
            column: self.start.column,
            end_line: self.end.line,
            end_column: self.end.column,
            span: self.span.into(),
            code: rule.code(),
            name: rule.name(),
            message,
            notes,
            fix: fix.as_deref().map(JsonFix::from),
        }
    }
}

/// A record in JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Json<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    span: Bytes,
    code: &'static str,
    name: &'static str,
    message: &'a str,
    notes: &'a [Cow<'static, str>],
    fix: Option<JsonFix<'a>>,
}

#[derive(Debug, Serialize)]
struct JsonFix<'a> {
    safety: &'static str,
    title: &'static str,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Debug, Serialize)]
struct JsonEdit<'a> {
    span: Bytes,
    text: &'a str,
}

impl<'a> From<&'a Fix> for JsonFix<'a> {
    fn from(fix: &'a Fix) -> Self {
        let edit = |edit: &'a Edit| JsonEdit { span: edit.span.into(), text: &edit.text };
        Self {
            safety: fix.safety.name(),
            title: fix.title,
            edits: fix.edits.iter().map(edit).collect(),
        }
    }
}
