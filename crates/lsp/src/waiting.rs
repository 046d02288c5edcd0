//! Requests that wait for a worker: for diagnostics until a document is checked, or for the edit
//! that fixes all of a long document until it is prepared.
//!
//! They block no other request. If the document changes meanwhile, the answer is about the new
//! version, which the client has by then.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::Value;

use crate::document::{Document, Report};
use crate::interface::Configure;
use crate::protocol::{self, DiagnosticParams, code};
use crate::server::{Request, Server, read};
use crate::{actions, diagnostics, transport};

/// A request that has not been answered.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) id: Value,
    pub(crate) uri: String,
    pub(crate) what: Awaited,
}

impl Waiting {
    /// Whether the answer needs the fixes of the document.
    pub(crate) fn is_about_fixes(&self) -> bool {
        !matches!(self.what, Awaited::Diagnostics { .. })
    }
}

/// What a request waits for.
#[derive(Debug)]
pub(crate) enum Awaited {
    /// These actions, and the action that fixes all.
    Actions(Vec<String>),
    /// The edit of this action.
    Edit(Value),
    /// Diagnostics, unless the client already has them (`known` is their ID).
    Diagnostics { known: Option<String> },
}

impl Awaited {
    /// The result as JSON, in pieces; `None` if it is not known yet. For a document that is not
    /// open, it is empty.
    fn result<'d>(&'d self, document: Option<&'d Document>) -> Option<Vec<Cow<'d, str>>> {
        let known = document.map(|document| &document.known);
        let edit = match known {
            Some(known) => known.fixes.as_ref().map(|fixes| fixes.edit.as_deref()),
            None => Some(None),
        };
        let mut pieces: Vec<Cow<'d, str>> = Vec::new();
        match self {
            Self::Actions(list) => {
                let fix_all = edit?.map(|edit| actions::fix_all(edit).map(Cow::Borrowed));
                let list = list.iter().map(|action| vec![Cow::Borrowed(action.as_str())]);
                pieces.push("[".into());
                for (idx, action) in list.chain(fix_all.map(Vec::from)).enumerate() {
                    pieces.extend((idx > 0).then_some(Cow::Borrowed(",")));
                    pieces.extend(action);
                }
                pieces.push("]".into());
            }
            Self::Edit(action) => {
                let edit = edit?.unwrap_or("{}");
                let action = action.to_string();
                // An action is an object with members.
                pieces.push(format!("{},\"edit\":", action.strip_suffix('}')?).into());
                pieces.extend([edit.into(), "}".into()]);
            }
            Self::Diagnostics { known: theirs } => {
                let Some(known) = known else {
                    return Some(vec![diagnostics::EMPTY_REPORT.into()]);
                };
                let Report { id, diagnostics } = known.report.as_ref()?;
                let is_theirs = theirs.as_ref().is_some_and(|theirs| *theirs == id.to_string());
                if is_theirs {
                    pieces.push(diagnostics::unchanged_report(*id).into());
                } else {
                    pieces.push(diagnostics::report_start(*id).into());
                    pieces.extend([diagnostics.into(), "}".into()]);
                }
            }
        }
        Some(pieces)
    }
}

impl<W: Write, C: Configure> Server<W, C> {
    /// Answers a request, or queues it if the result is not known yet.
    pub(crate) fn answer_or_wait(&mut self, waiting: Waiting) -> io::Result<()> {
        let Some(result) = waiting.what.result(self.documents.get(&waiting.uri)) else {
            self.waiting.push(waiting);
            return Ok(());
        };
        let start = protocol::answer_start(&waiting.id);
        let result = result.iter().map(|piece| &**piece);
        let pieces = [start.as_str()].into_iter().chain(result).chain([protocol::ANSWER_END]);
        transport::write(&mut self.output, &pieces.collect::<Vec<_>>())
    }

    /// Answers all requests about a document whose results are known by now.
    pub(crate) fn answer_waiting(&mut self, uri: &str) -> io::Result<()> {
        let (about, others) =
            std::mem::take(&mut self.waiting).into_iter().partition(|it| it.uri == uri);
        self.waiting = others;
        let about: Vec<Waiting> = about;
        about.into_iter().try_for_each(|waiting| self.answer_or_wait(waiting))
    }

    /// Whether a request waits for the fixes of a document.
    pub(crate) fn awaits_fixes(&self, uri: &str) -> bool {
        self.waiting.iter().any(|it| it.uri == uri && it.is_about_fixes())
    }

    /// Drops a waiting request. Returns whether there was one.
    pub(crate) fn stop_waiting(&mut self, id: &Value) -> bool {
        let n_before = self.waiting.len();
        self.waiting.retain(|waiting| waiting.id != *id);
        self.waiting.len() < n_before
    }

    /// Answers a request for the edit of an action.
    pub(crate) fn resolve(&mut self, request: &Request) -> io::Result<()> {
        let mut action = request.params.clone();
        let Some(uri) = action["data"]["uri"].as_str().map(str::to_owned) else {
            return self.fail(
                &request.id,
                code::INVALID_PARAMS,
                "expected an action of this server",
            );
        };
        if let Some(action) = action.as_object_mut() {
            action.remove("edit");
        }
        let id = request.id.clone();
        self.answer_or_wait(Waiting { id, uri, what: Awaited::Edit(action) })
    }

    /// Answers a request for the diagnostics of a document.
    pub(crate) fn diagnostic(&mut self, request: &Request) -> io::Result<()> {
        let Some(params) = read::<DiagnosticParams>(request.params.clone()) else {
            return self.fail(&request.id, code::INVALID_PARAMS, "expected a document");
        };
        let (id, uri) = (request.id.clone(), params.text_document.uri);
        let what = Awaited::Diagnostics { known: params.previous_result_id };
        self.answer_or_wait(Waiting { id, uri, what })
    }
}
