//! The thread that checks documents, so that the server can answer meanwhile.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use barelink_check::{Checker, Finding, Settings};

use crate::diagnostics;
use crate::position::Lines;
use crate::protocol::Encoding;
use crate::server::Event;

/// A version of a document, to be checked.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) uri: String,
    pub(crate) version: i64,
    pub(crate) text: Arc<str>,
    pub(crate) lines: Arc<Lines>,
    pub(crate) settings: Settings,
    pub(crate) encoding: Encoding,
}

/// What was found in it.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) uri: String,
    pub(crate) version: i64,
    pub(crate) findings: Arc<[Finding]>,
    /// The message that tells the client, ready to be written.
    pub(crate) message: String,
}

/// Starts the thread. It ends with the sender that is returned.
pub(crate) fn start(events: Sender<Event>) -> Sender<Job> {
    let (sender, jobs) = channel();
    thread::spawn(move || work(&jobs, &events));
    sender
}

fn work(jobs: &Receiver<Job>, events: &Sender<Event>) {
    let mut checker: Option<Checker> = None;
    while let Ok(job) = jobs.recv() {
        let checker = with_settings(&mut checker, &job.settings);
        // A document that is too long has no findings.
        let findings = checker.check(&job.text).unwrap_or_default();
        let message = diagnostics::message(&job, &findings);
        let Job { uri, version, .. } = job;
        let checked = Checked { uri, version, findings: findings.into(), message };
        if events.send(Event::Checked(checked)).is_err() {
            break;
        }
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
