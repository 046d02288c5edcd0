//! The threads that check documents and prepare their fixes, so that the server can answer
//! meanwhile: one does the one, another the other, so that neither waits.
//!
//! A worker keeps what it found, and of the next version of a document checks what has changed. A long
//! document is checked in parts, so that something else can come in between, and no further than
//! what is found is shown.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use barelink::SourceTooLong;
use barelink_check::{Checked, Checker, Edit, Settings};

use crate::actions;
use crate::diagnostics;
use crate::position::{Lines, Places};
use crate::protocol::Client;
use crate::server::Event;

/// Something to be done.
#[derive(Debug)]
pub(crate) enum Task {
    /// This is what the document with this name has become; what follows is about it.
    Take(Box<Job>),
    /// Check it, or go on with that.
    Check(String),
    /// Tell what was found in it.
    Tell(String),
    /// Prepare its fixes.
    Prepare(String),
    /// Nobody will ask for it any more.
    Forget(String),
}

/// A version of a document, to be checked.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) uri: String,
    pub(crate) version: i64,
    pub(crate) text: Arc<str>,
    pub(crate) lines: Arc<Lines>,
    pub(crate) settings: Settings,
    pub(crate) client: Client,
}

/// A version of a document that is checked, or a part of it.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) uri: String,
    pub(crate) version: i64,
    pub(crate) extent: Extent,
}

/// How far a document is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// As far as it will be.
    All,
    Part,
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

/// How much of a document is checked at a time, at first and later. Its blocks are found again for
/// each part, and the first may have all that is shown.
const FIRST_PART_LEN: usize = 64 << 10;
const PART_LEN: usize = 512 << 10;

/// Starts a thread. It ends with the sender that is returned. Each task but the first and the
/// last kind is followed by its event. They are small, so that what somebody waits for can come
/// first.
pub(crate) fn start(events: Sender<Event>) -> Sender<Task> {
    let (sender, tasks) = channel();
    thread::spawn(move || work(&tasks, &events));
    sender
}

fn work(tasks: &Receiver<Task>, events: &Sender<Event>) {
    let mut worker = Worker::default();
    while let Ok(task) = tasks.recv() {
        let event = match task {
            Task::Take(job) => {
                worker.take(*job);
                continue;
            }
            Task::Check(uri) => Event::Checked(worker.check(uri)),
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
    /// The documents, as they were told last.
    known: HashMap<String, Known>,
}

/// A document, and what is known of it. That may be of an older text, from which it is found out
/// what changed.
#[derive(Debug)]
struct Known {
    job: Job,
    checked: Checked,
    checked_text: Arc<str>,
    /// The edits of all safe fixes, and the text that they are for.
    edits: Option<(Arc<str>, Vec<Edit>)>,
}

impl Known {
    /// Whether no more is to be found than is known.
    fn is_complete(&self) -> bool {
        let Checked { findings, end } = &self.checked;
        *end >= self.job.text.len() || findings.len() > diagnostics::SHOWN_MAX
    }

    /// Makes what was found that of the newest text, or forgets it.
    fn catch_up(&mut self, checker: &mut Checker) -> Result<(), SourceTooLong> {
        let text = &self.job.text;
        let before = std::mem::replace(&mut self.checked_text, text.clone());
        if Arc::ptr_eq(&before, text) {
            return Ok(());
        }
        let checked = std::mem::take(&mut self.checked);
        if let Some(change) = checker.change(&before, text)? {
            self.checked = checker.check_changed(text, change, checked)?;
        }
        Ok(())
    }

    /// Checks the next part, if there is one.
    fn check(&mut self, checker: &mut Checker) -> Result<(), SourceTooLong> {
        self.catch_up(checker)?;
        if self.is_complete() {
            return Ok(());
        }
        let len = if self.checked.end == 0 { FIRST_PART_LEN } else { PART_LEN };
        checker.check_more(&self.job.text, len, &mut self.checked)
    }

    /// The edits of all safe fixes.
    fn safe_edits(&mut self, checker: &mut Checker) -> Result<Option<Vec<Edit>>, SourceTooLong> {
        let text = &self.job.text;
        match self.edits.take() {
            Some((before, edits)) => match checker.change(&before, text)? {
                Some(change) => checker.safe_edits_changed(text, change, edits),
                None => checker.safe_edits(text),
            },
            None => checker.safe_edits(text),
        }
    }
}

impl Worker {
    /// Takes a new version of a document.
    fn take(&mut self, job: Job) {
        let uri = job.uri.clone();
        let is_same = |known: &Known| known.job.settings == job.settings;
        let known = self.known.remove(&uri).filter(is_same);
        let (checked, checked_text, edits) = match known {
            Some(Known { checked, checked_text, edits, .. }) => (checked, checked_text, edits),
            None => (Checked::default(), job.text.clone(), None),
        };
        self.known.insert(uri, Known { job, checked, checked_text, edits });
    }

    /// Finds what is in a document, or in the next part of it.
    fn check(&mut self, uri: String) -> Done {
        let Some(known) = self.known.get_mut(&uri) else {
            return Done { uri, version: i64::MIN, extent: Extent::All };
        };
        let checker = with_settings(&mut self.checker, &known.job.settings);
        if known.check(checker).is_err() {
            // A document that is too long has no findings.
            known.checked = Checked { findings: Vec::new(), end: known.job.text.len() };
        }
        let extent = if known.is_complete() { Extent::All } else { Extent::Part };
        Done { uri, version: known.job.version, extent }
    }

    /// Tells what was found.
    fn tell(&self, uri: String) -> Told {
        let Some(Known { job, checked, .. }) = self.known.get(&uri) else {
            return Told { uri, version: i64::MIN, diagnostics: String::new() };
        };
        let places = Places::new(&job.text, &job.lines, job.client.encoding);
        let diagnostics = if job.client.pulls {
            diagnostics::list(&checked.findings, places)
        } else {
            diagnostics::message(&uri, job.version, &checked.findings, places)
        };
        Told { version: job.version, diagnostics, uri }
    }

    fn prepare(&mut self, uri: String) -> Prepared {
        let Some(known) = self.known.get_mut(&uri) else {
            return Prepared { uri, version: i64::MIN, edit: None };
        };
        let checker = with_settings(&mut self.checker, &known.job.settings);
        let found = known.safe_edits(checker).unwrap_or_default();
        let job = &known.job;
        let edit = found.as_ref().map(|edits| {
            let places = Places::new(&job.text, &job.lines, job.client.encoding);
            actions::workspace_edit(edits, &uri, job.version, job.client, places)
        });
        known.edits = Some((job.text.clone(), found.unwrap_or_default()));
        Prepared { version: job.version, edit, uri }
    }
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
