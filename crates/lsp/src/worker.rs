//! The thread that checks documents and prepares their fixes, so that the server can answer
//! meanwhile.
//!
//! It keeps what it found, and of the next version of a document checks what has changed.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use barelink::SourceTooLong;
use barelink_check::{Checker, Edit, Finding, Settings};

use crate::position::{Lines, Places};
use crate::protocol::Client;
use crate::server::Event;
use crate::{actions, diagnostics};

/// Something to be done.
#[derive(Debug)]
pub(crate) enum Task {
    Check(Box<Job>),
    /// Tell what was found in the document that was checked last under this name.
    Tell(String),
    /// Prepare its fixes.
    Prepare(String),
    /// Nobody will ask for this document any more.
    Forget(String),
}

/// A version of a document, to be checked.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) uri: String,
    pub(crate) version: i64,
    pub(crate) text: Arc<str>,
    pub(crate) lines: Arc<Lines>,
    pub(crate) settings: Settings,
    pub(crate) client: Client,
}

/// A version of a document that is checked.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) uri: String,
    pub(crate) version: i64,
}

/// What was found in it.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) uri: String,
    pub(crate) version: i64,
    /// The list of diagnostics as it is written, or for a client that does not ask for it, the
    /// whole message with it.
    pub(crate) diagnostics: String,
}

/// All safe fixes of a version of a document.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) uri: String,
    pub(crate) version: i64,
    /// The edit, ready to be written; `None` if there is nothing to fix.
    pub(crate) edit: Option<String>,
}

/// Starts the thread. It ends with the sender that is returned. Each task but the last kind is
/// followed by its event. What was found in a long document takes long to be written, so this
/// is a task of its own: what somebody waits for can come first.
pub(crate) fn start(events: Sender<Event>) -> Sender<Task> {
    let (sender, tasks) = channel();
    thread::spawn(move || work(&tasks, &events));
    sender
}

fn work(tasks: &Receiver<Task>, events: &Sender<Event>) {
    let mut worker = Worker::default();
    while let Ok(task) = tasks.recv() {
        let event = match task {
            Task::Check(job) => Event::Checked(worker.check(*job)),
            Task::Tell(uri) => Event::Told(worker.tell(uri)),
            Task::Prepare(uri) => Event::Prepared(worker.prepare(uri)),
            Task::Forget(uri) => {
                worker.known.remove(&uri);
                continue;
            }
        };
        if events.send(event).is_err() {
            break;
        }
    }
}

#[derive(Debug, Default)]
struct Worker {
    checker: Option<Checker>,
    /// The documents, as they were checked last.
    known: HashMap<String, Known>,
}

#[derive(Debug)]
struct Known {
    job: Job,
    findings: Vec<Finding>,
    /// The edits of all safe fixes, and the text that they are for.
    edits: Option<(Arc<str>, Vec<Edit>)>,
}

impl Worker {
    /// Finds what is in a document.
    fn check(&mut self, job: Job) -> Done {
        let checker = with_settings(&mut self.checker, &job.settings);
        let known = self.known.remove(&job.uri);
        let known = known.filter(|known| known.job.settings == job.settings);
        let (findings, edits) = match known {
            Some(known) => (check_again(checker, &known.job, known.findings, &job), known.edits),
            None => (checker.check(&job.text), None),
        };
        // A document that is too long has no findings.
        let findings = findings.unwrap_or_default();
        let done = Done { uri: job.uri.clone(), version: job.version };
        self.known.insert(job.uri.clone(), Known { job, findings, edits });
        done
    }

    /// Tells what was found.
    fn tell(&self, uri: String) -> Told {
        let Some(Known { job, findings, .. }) = self.known.get(&uri) else {
            return Told { uri, version: i64::MIN, diagnostics: String::new() };
        };
        let places = Places::new(&job.text, &job.lines, job.client.encoding);
        let diagnostics = if job.client.pulls {
            diagnostics::list(findings, places)
        } else {
            diagnostics::message(&uri, job.version, findings, places)
        };
        Told { version: job.version, diagnostics, uri }
    }

    fn prepare(&mut self, uri: String) -> Prepared {
        let Some(Known { job, findings, edits: before }) = self.known.get_mut(&uri) else {
            return Prepared { uri, version: i64::MIN, edit: None };
        };
        let checker = with_settings(&mut self.checker, &job.settings);
        let found = safe_edits(checker, job, findings, before.take()).unwrap_or_default();
        let edit = found.as_ref().map(|edits| {
            let places = Places::new(&job.text, &job.lines, job.client.encoding);
            actions::workspace_edit(edits, &uri, job.version, job.client, places)
        });
        *before = Some((job.text.clone(), found.unwrap_or_default()));
        Prepared { version: job.version, edit, uri }
    }
}

/// Checks what is new.
fn check_again(
    checker: &mut Checker,
    before: &Job,
    findings: Vec<Finding>,
    job: &Job,
) -> Result<Vec<Finding>, SourceTooLong> {
    match checker.change(&before.text, &job.text)? {
        Some(change) => checker.check_changed(&job.text, change, findings),
        None => checker.check(&job.text),
    }
}

/// The edits of all safe fixes, by those of an earlier text.
fn safe_edits(
    checker: &mut Checker,
    job: &Job,
    findings: &[Finding],
    before: Option<(Arc<str>, Vec<Edit>)>,
) -> Result<Option<Vec<Edit>>, SourceTooLong> {
    if let Some((text, edits)) = before
        && let Some(change) = checker.change(&text, &job.text)?
    {
        return checker.safe_edits_changed(&job.text, findings, change, edits);
    }
    checker.safe_edits(&job.text, findings)
}

/// A checker with these settings, the old one if it has them.
pub(crate) fn with_settings<'c>(
    checker: &'c mut Option<Checker>,
    settings: &Settings,
) -> &'c mut Checker {
    if checker.as_ref().is_some_and(|checker| checker.settings() != settings) {
        *checker = None;
    }
    checker.get_or_insert_with(|| Checker::new(settings.clone()))
}
