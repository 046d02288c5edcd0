//! The threads that check documents and prepare their fixes while the server answers requests. Each
//! of these two jobs has a thread, so that neither waits for the other.
//!
//! A worker keeps its results, and checks only what changed in the next version of a document. A
//! long document is checked in parts, so that other tasks can run in between, and only until there
//! are more findings than are shown. If a request waits for its fixes, the search has a time limit.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use barelink::SourceTooLong;
use barelink_check::{Checked, Checker, Edit, SafeEdits, Settings};

use crate::actions;
use crate::diagnostics::{self, Shown};
use crate::position::{Lines, Places};
use crate::protocol::Client;
use crate::server::Event;

/// A task for a worker. All but `Take` name the document by its URI.
#[derive(Debug)]
pub(crate) enum Task {
    /// Store a new version of a document, for later tasks.
    Take(Box<Job>),
    /// Check the document, or its next part.
    Check(String),
    /// Make its diagnostics.
    Tell(String),
    /// Prepare its fixes.
    Prepare(String, Pace),
    /// Drop the document: it was closed.
    Forget(String),
}

/// How urgent a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// No request waits for it yet.
    Unasked,
    /// A request waits for it.
    Awaited,
}

/// Set while a worker prepares fixes if a request waits for fixes by now.
pub(crate) type Hurry = Arc<AtomicBool>;

/// The time limit of the search for fixes while a request waits. Trying and sending the fixes that
/// were found takes about as long again.
const SEARCH_MAX: Duration = Duration::from_millis(12);

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

/// The event that a version of a document, or a part of it, is checked.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) uri: String,
    pub(crate) version: i64,
    pub(crate) extent: Extent,
}

/// Whether a document is completely checked, or all its fixes are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Nothing remains to be done.
    All,
    Part,
}

/// The diagnostics of a version of a document.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) uri: String,
    pub(crate) version: i64,
    /// The list of diagnostics as JSON; for a client that does not pull, the whole notification.
    pub(crate) diagnostics: String,
}

/// The safe fixes of a version of a document.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) uri: String,
    pub(crate) version: i64,
    /// The workspace edit as JSON; `None` if there is nothing to fix.
    pub(crate) edit: Option<String>,
    /// Whether these are all.
    pub(crate) extent: Extent,
}

/// The lengths of the first part and of later parts of a check, in bytes. The block phase runs
/// again for each part, and the first may have all findings that are shown.
const FIRST_PART_LEN: usize = 64 << 10;
const PART_LEN: usize = 512 << 10;

/// Starts a worker thread, which ends when the returned sender is dropped. Each task except `Take`
/// and `Forget` produces one event. Tasks are small, so that urgent ones need not wait long.
pub(crate) fn start(events: Sender<Event>, hurry: Hurry) -> Sender<Task> {
    let (sender, tasks) = channel();
    thread::spawn(move || work(&tasks, &events, hurry));
    sender
}

fn work(tasks: &Receiver<Task>, events: &Sender<Event>, hurry: Hurry) {
    let mut worker = Worker { hurry, checker: None, known: HashMap::new() };
    while let Ok(task) = tasks.recv() {
        let event = match task {
            Task::Take(job) => {
                worker.take(*job);
                continue;
            }
            Task::Check(uri) => Event::Checked(worker.check(uri)),
            Task::Tell(uri) => Event::Told(worker.tell(uri)),
            Task::Prepare(uri, pace) => Event::Prepared(worker.prepare(uri, pace)),
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

#[derive(Debug)]
struct Worker {
    hurry: Hurry,
    checker: Option<Checker>,
    /// The documents by URI, each in the last version that was received.
    known: HashMap<String, Known>,
}

/// A document and its results. These may be for an older text, which is then compared with the new
/// one.
#[derive(Debug)]
struct Known {
    job: Job,
    checked: Checked,
    checked_text: Arc<str>,
    /// The edits of all safe fixes, and the text that they are for.
    edits: Option<(Arc<str>, Vec<Edit>)>,
}

impl Known {
    /// Whether no part remains to be checked.
    fn is_complete(&self) -> bool {
        let Checked { findings, end } = &self.checked;
        *end >= self.job.text.len() || findings.len() > diagnostics::SHOWN_MAX
    }

    /// Updates the findings to the newest text, or drops them.
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

    /// The edits of safe fixes that are found until `is_enough` returns true.
    fn safe_edits(
        &mut self,
        checker: &mut Checker,
        is_enough: &(dyn Fn() -> bool + Sync),
    ) -> Result<SafeEdits, SourceTooLong> {
        let text = &self.job.text;
        let before = match self.edits.take() {
            Some((before, edits)) => checker.change(&before, text)?.map(|change| (change, edits)),
            None => None,
        };
        checker.safe_edits_until(text, before, is_enough)
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

    /// Checks a document, or its next part.
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

    /// Makes the diagnostics of a document.
    fn tell(&mut self, uri: String) -> Told {
        let Some(Known { job, checked, .. }) = self.known.get(&uri) else {
            return Told { uri, version: i64::MIN, diagnostics: String::new() };
        };
        let checker = with_settings(&mut self.checker, &job.settings);
        let is_checked = !job.settings.rules.is_empty();
        let comments = is_checked.then(|| checker.bad_comments(&job.text).unwrap_or_default());
        let comments = comments.unwrap_or_default();
        let all = Shown { findings: &checked.findings, comments: &comments };
        let places = Places::new(&job.text, &job.lines, job.client.encoding);
        let diagnostics = if job.client.pulls {
            diagnostics::list(&all, places)
        } else {
            diagnostics::message(&uri, job.version, &all, places)
        };
        Told { version: job.version, diagnostics, uri }
    }

    fn prepare(&mut self, uri: String, pace: Pace) -> Prepared {
        let Some(known) = self.known.get_mut(&uri) else {
            return Prepared { uri, version: i64::MIN, edit: None, extent: Extent::All };
        };
        let (start, hurry) = (Instant::now(), &self.hurry);
        let is_awaited = || pace == Pace::Awaited || hurry.load(Ordering::Relaxed);
        let is_enough = || is_awaited() && start.elapsed() > SEARCH_MAX;
        let checker = with_settings(&mut self.checker, &known.job.settings);
        // A document that is too long has nothing to fix.
        let safe = known.safe_edits(checker, &is_enough).ok();
        let (edits, is_all) = safe.map_or((Vec::new(), true), |safe| (safe.edits, safe.is_all));
        let job = &known.job;
        let edit = (!edits.is_empty()).then(|| {
            let places = Places::new(&job.text, &job.lines, job.client.encoding);
            actions::workspace_edit(&edits, &uri, job.version, job.client, places)
        });
        known.edits = is_all.then(|| (job.text.clone(), edits));
        let extent = if is_all { Extent::All } else { Extent::Part };
        Prepared { version: job.version, edit, extent, uri }
    }
}

/// Returns a checker with these settings: the old one if its settings are equal.
pub(crate) fn with_settings<'c>(
    checker: &'c mut Option<Checker>,
    settings: &Settings,
) -> &'c mut Checker {
    if checker.as_ref().is_some_and(|checker| checker.settings() != settings) {
        *checker = None;
    }
    checker.get_or_insert_with(|| Checker::new(settings.clone()))
}
