//! The server itself: reads messages, and answers requests.
//!
//! All messages that have arrived are read before the next is handled, so a request that was
//! cancelled meanwhile costs nothing, and a check starts only for the last of many changes.
//!
//! No request waits for another: for actions, only the blocks of the range are checked, and work on
//! all of a long document is left to a worker; see `waiting`.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use barelink_check::{Checker, Flavor, Settings};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::document::{Document, Fixes, Known, Report};
use crate::interface::{Configure, Ending, Problem};
use crate::position::Places;
use crate::protocol::{
    self, Client, CodeActionParams, DidChange, DidOpen, HoverParams, OfDocument, code,
};
use crate::transport::{self, Received};
use crate::waiting::{Awaited, Waiting};
use crate::worker::{self, Done, Extent, Hurry, Job, Pace, Prepared, Task, Told};
use crate::{actions, diagnostics, hover, uri};

/// How long the server waits for further messages after a change.
const PATIENCE: Duration = Duration::from_millis(2);

/// How long the server must be idle before it prepares fixes that no request waits for. While the
/// user types, the processors are needed for other things.
const REST: Duration = Duration::from_millis(100);

/// An event that the server reacts to.
#[derive(Debug)]
pub(crate) enum Event {
    Received(Received),
    Checked(Done),
    Told(Told),
    Prepared(Prepared),
    /// The client closed the stream, or the stream cannot be read.
    Gone(io::Result<()>),
}

/// The state of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    New,
    Running,
    ShutDown,
}

/// A request that is not answered yet.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) id: Value,
    method: String,
    pub(crate) params: Value,
}

pub(crate) struct Server<W, C> {
    pub(crate) output: W,
    configure: C,
    client: Client,
    phase: Phase,
    pub(crate) documents: HashMap<String, Document>,
    /// The worker that checks.
    checking: Worker,
    /// The worker that prepares fixes, which may take longer.
    fixing: Worker,
    /// Documents whose changes have not been sent to the workers.
    untaken: VecDeque<String>,
    /// Documents to be checked, in the order they changed.
    unchecked: VecDeque<String>,
    /// Documents that are checked, but whose diagnostics have not been made.
    untold: VecDeque<String>,
    /// Documents whose fixes are to be prepared.
    unprepared: VecDeque<String>,
    /// Requests that wait for a worker.
    pub(crate) waiting: Vec<Waiting>,
    n_reports: u64,
    /// For actions; the workers have their own.
    checker: Option<Checker>,
    /// The known problems of configurations, by URI.
    problems: HashMap<String, Problem>,
}

/// A worker, as the server knows it.
struct Worker {
    tasks: Sender<Task>,
    hurry: Hurry,
    /// Whether it has a task.
    is_busy: bool,
}

impl Worker {
    fn start(events: Sender<Event>) -> Self {
        let hurry = Hurry::default();
        Self { tasks: worker::start(events, Arc::clone(&hurry)), hurry, is_busy: false }
    }

    /// Sends a task that produces no event. A worker that has ended is ignored.
    fn tell(&self, task: Task) {
        drop(self.tasks.send(task));
    }

    fn give(&mut self, task: Option<Task>) {
        self.hurry.store(false, Ordering::Relaxed);
        self.is_busy = task.is_some_and(|task| self.tasks.send(task).is_ok());
    }
}

/// What to do after a message.
enum Step {
    On,
    Exit(Ending),
}

pub(crate) fn serve(
    mut input: impl BufRead + Send + 'static,
    output: impl Write,
    configure: impl Configure,
) -> io::Result<Ending> {
    let (sender, events) = channel();
    let [checking, fixing] = [(); 2].map(|()| Worker::start(sender.clone()));
    thread::spawn(move || {
        let gone = loop {
            match transport::read(&mut input) {
                Ok(Some(received)) => {
                    if sender.send(Event::Received(received)).is_err() {
                        return;
                    }
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        // The server may have ended.
        drop(sender.send(Event::Gone(gone)));
    });
    let server = Server {
        output,
        configure,
        client: Client::default(),
        phase: Phase::New,
        documents: HashMap::new(),
        checking,
        fixing,
        untaken: VecDeque::new(),
        unchecked: VecDeque::new(),
        untold: VecDeque::new(),
        unprepared: VecDeque::new(),
        waiting: Vec::new(),
        n_reports: 0,
        checker: None,
        problems: HashMap::new(),
    };
    server.run(&events)
}

impl<W: Write, C: Configure> Server<W, C> {
    fn run(mut self, events: &Receiver<Event>) -> io::Result<Ending> {
        let mut queue: VecDeque<Event> = VecDeque::new();
        loop {
            if queue.is_empty() {
                let Some(event) = self.next_event(events) else { return Ok(Ending::Abrupt) };
                self.receive(event, &mut queue)?;
            }
            while let Ok(event) = events.try_recv() {
                self.receive(event, &mut queue)?;
            }
            match queue.pop_front() {
                Some(Event::Received(received)) => {
                    if let Step::Exit(ending) = self.handle(received)? {
                        return Ok(ending);
                    }
                }
                Some(Event::Checked(done)) => self.checked(done),
                Some(Event::Told(told)) => self.told(told)?,
                Some(Event::Prepared(prepared)) => self.prepared(prepared)?,
                Some(Event::Gone(gone)) => return gone.map(|()| Ending::Abrupt),
                None => {}
            }
        }
    }

    /// Gives the workers tasks, and waits for the next event.
    fn next_event(&mut self, events: &Receiver<Event>) -> Option<Event> {
        // Messages that are sent together arrive together: requests should be known before the
        // workers start on another task.
        if !self.untaken.is_empty() && self.waiting.is_empty() {
            match events.recv_timeout(PATIENCE) {
                Err(RecvTimeoutError::Timeout) => {}
                event => return event.ok(),
            }
        }
        self.start_tasks();
        if !self.unprepared.is_empty() && !self.checking.is_busy && !self.fixing.is_busy {
            match events.recv_timeout(REST) {
                Err(RecvTimeoutError::Timeout) => {}
                event => return event.ok(),
            }
            let next = self.unprepared.pop_front();
            self.fixing.give(next.map(|uri| Task::Prepare(uri, Pace::Unasked)));
        }
        events.recv().ok()
    }

    pub(crate) fn send(&mut self, message: &str) -> io::Result<()> {
        transport::write(&mut self.output, &[message])
    }

    fn answer(&mut self, id: &Value, result: &str) -> io::Result<()> {
        let start = protocol::answer_start(id);
        transport::write(&mut self.output, &[&start, result, protocol::ANSWER_END])
    }

    pub(crate) fn fail(&mut self, id: &Value, code: i32, message: &str) -> io::Result<()> {
        self.send(&protocol::error(id, code, message))
    }

    /// Queues an event. A cancellation removes its request from the queue.
    fn receive(&mut self, event: Event, queue: &mut VecDeque<Event>) -> io::Result<()> {
        let Event::Received(Received::Message(message)) = &event else {
            queue.push_back(event);
            return Ok(());
        };
        if message["method"] != "$/cancelRequest" {
            queue.push_back(event);
            return Ok(());
        }
        let id = &message["params"]["id"];
        let is_it = |event: &Event| match event {
            Event::Received(Received::Message(message)) => {
                message.get("id") == Some(id) && message.get("method").is_some()
            }
            _ => false,
        };
        let is_queued = queue.iter().position(is_it).and_then(|idx| queue.remove(idx)).is_some();
        if is_queued || self.stop_waiting(id) {
            return self.fail(id, code::REQUEST_CANCELLED, "the request was cancelled");
        }
        Ok(())
    }

    fn handle(&mut self, received: Received) -> io::Result<Step> {
        let mut message = match received {
            Received::Message(message) => message,
            Received::Malformed(what) => {
                self.fail(&Value::Null, code::PARSE_ERROR, &what)?;
                return Ok(Step::On);
            }
        };
        let id = message.get("id").filter(|id| id.is_string() || id.is_number()).cloned();
        let method = message["method"].as_str().map(str::to_owned);
        let params = message.get_mut("params").map(Value::take).unwrap_or_default();
        match (id, method) {
            (Some(id), Some(method)) => self.request(&Request { id, method, params })?,
            (None, Some(method)) => return self.notification(&method, params),
            // A response to a request of the server.
            (Some(_), None)
                if message.get("result").is_some() || message.get("error").is_some() => {}
            (id, None) => {
                let id = id.unwrap_or_default();
                self.fail(&id, code::INVALID_REQUEST, "this is neither a request nor an answer")?;
            }
        }
        Ok(Step::On)
    }

    fn request(&mut self, request: &Request) -> io::Result<()> {
        let id = &request.id;
        match (self.phase, request.method.as_str()) {
            (Phase::New, "initialize") => {
                self.client = Client::read(&request.params);
                self.phase = Phase::Running;
                let result = protocol::capabilities(self.client);
                self.answer(id, &result.to_string())
            }
            (Phase::New, _) => self.fail(id, code::NOT_INITIALIZED, "`initialize` comes first"),
            (_, "initialize") => {
                self.fail(id, code::INVALID_REQUEST, "the server is already initialized")
            }
            (Phase::ShutDown, _) => self.fail(id, code::INVALID_REQUEST, "the server is shut down"),
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                self.answer(id, "null")
            }
            (Phase::Running, "textDocument/hover") => self.hover(request),
            (Phase::Running, "textDocument/codeAction") => self.code_action(request),
            (Phase::Running, "codeAction/resolve") => self.resolve(request),
            (Phase::Running, "textDocument/diagnostic") => self.diagnostic(request),
            (Phase::Running, method) => {
                let message = format!("unknown method `{method}`");
                self.fail(id, code::METHOD_NOT_FOUND, &message)
            }
        }
    }

    fn notification(&mut self, method: &str, params: Value) -> io::Result<Step> {
        if method == "exit" {
            let is_orderly = self.phase == Phase::ShutDown;
            return Ok(Step::Exit(if is_orderly { Ending::Orderly } else { Ending::Abrupt }));
        }
        if self.phase != Phase::Running {
            return Ok(Step::On);
        }
        // Notifications have no response, so a malformed one is ignored.
        match method {
            "initialized" if self.client.can_watch => self.send(&protocol::watch_request())?,
            "textDocument/didOpen" => {
                if let Some(params) = read(params) {
                    self.open(params)?;
                }
            }
            "textDocument/didChange" => {
                if let Some(params) = read(params) {
                    self.change(params);
                }
            }
            "textDocument/didClose" => {
                if let Some(params) = read::<OfDocument>(params) {
                    self.close(&params.text_document.uri)?;
                }
            }
            "textDocument/didSave"
            | "workspace/didChangeWatchedFiles"
            | "workspace/didChangeConfiguration" => self.configure_all()?,
            _ => {}
        }
        Ok(Step::On)
    }

    fn open(&mut self, params: DidOpen) -> io::Result<()> {
        let item = params.text_document;
        let mut document = Document::new(item.version, item.text);
        document.is_mdx = item.language_id == "mdx";
        self.documents.insert(item.uri.clone(), document);
        self.configure_one(&item.uri)
    }

    fn change(&mut self, params: DidChange) {
        let uri = params.text_document.uri;
        let Some(document) = self.documents.get_mut(&uri) else { return };
        let version = params.text_document.version.unwrap_or(document.version + 1);
        document.apply(version, params.content_changes, self.client.encoding);
        self.plan(uri);
    }

    fn close(&mut self, uri: &str) -> io::Result<()> {
        self.documents.remove(uri);
        for list in [&mut self.untaken, &mut self.unchecked, &mut self.untold, &mut self.unprepared]
        {
            list.retain(|it| it != uri);
        }
        for worker in [&self.checking, &self.fixing] {
            worker.tell(Task::Forget(uri.to_owned()));
        }
        self.answer_waiting(uri)?;
        if self.client.pulls { Ok(()) } else { self.send(&diagnostics::none(uri)) }
    }

    /// Reads all configurations again, and plans a check of documents whose settings changed.
    fn configure_all(&mut self) -> io::Result<()> {
        self.configure.forget();
        let uris: Vec<String> = self.documents.keys().cloned().collect();
        let told = std::mem::take(&mut self.problems);
        for uri in uris {
            self.configure_one_after(&uri, &told)?;
        }
        if self.client.can_refresh && !self.untaken.is_empty() {
            self.send(&protocol::refresh_request())?;
        }
        let known: HashSet<&String> = self.problems.keys().collect();
        let mended: Vec<String> = told.keys().filter(|uri| !known.contains(uri)).cloned().collect();
        mended.iter().try_for_each(|uri| self.send(&diagnostics::none(uri)))
    }

    fn configure_one(&mut self, uri: &str) -> io::Result<()> {
        let told = self.problems.clone();
        self.configure_one_after(uri, &told)
    }

    /// Reads the settings for a document. A problem is reported unless it was before.
    fn configure_one_after(
        &mut self,
        uri: &str,
        told: &HashMap<String, Problem>,
    ) -> io::Result<()> {
        let path = uri::to_path(uri);
        let settings = match self.configure.settings(path.as_deref()) {
            Ok(settings) => settings,
            Err(problem) => {
                self.tell(&problem, told)?;
                None
            }
        };
        let Some(document) = self.documents.get_mut(uri) else { return Ok(()) };
        let settings = settings.map(|mut settings| {
            if document.is_mdx {
                settings.flavor = Flavor::Mdx;
            }
            settings
        });
        let is_known = document.settings == settings && document.known.report.is_some();
        document.settings = settings;
        if !is_known {
            document.known = Known::default();
            self.plan(uri.to_owned());
        }
        Ok(())
    }

    fn tell(&mut self, problem: &Problem, told: &HashMap<String, Problem>) -> io::Result<()> {
        let uri = uri::of_path(&problem.file);
        let is_new = told.get(&uri) != Some(problem) && self.problems.get(&uri) != Some(problem);
        self.problems.insert(uri.clone(), problem.clone());
        if !is_new {
            return Ok(());
        }
        let message = format!("{}: {}", problem.file.display(), problem.what);
        let params = json!({ "type": 1, "message": message });
        self.send(&protocol::notification("window/showMessage", &params))?;
        self.send(&diagnostics::of_problem(&uri, problem))
    }

    /// Schedules a document to be checked.
    fn plan(&mut self, uri: String) {
        push_once(&mut self.untaken, uri);
    }

    /// Sends changes to the workers, and gives each idle worker its next task.
    fn start_tasks(&mut self) {
        while let Some(uri) = self.untaken.pop_front() {
            let Some(document) = self.documents.get(&uri) else { continue };
            // What is not checked has no findings.
            let settings = document.settings.clone().unwrap_or_else(|| {
                let mut settings = Settings::default();
                settings.rules = barelink_check::RuleSet::NONE;
                settings
            });
            let job = Job {
                uri: uri.clone(),
                version: document.version,
                text: document.text.clone(),
                lines: document.lines.clone(),
                settings,
                client: self.client,
            };
            self.checking.tell(Task::Take(Box::new(job.clone())));
            self.fixing.tell(Task::Take(Box::new(job)));
            self.untold.retain(|it| *it != uri);
            push_once(&mut self.unprepared, uri.clone());
            push_once(&mut self.unchecked, uri);
        }
        if !self.fixing.is_busy {
            let awaited = self.unprepared.iter().position(|uri| self.awaits_fixes(uri));
            let next = awaited.and_then(|idx| self.unprepared.remove(idx));
            self.fixing.give(next.map(|uri| Task::Prepare(uri, Pace::Awaited)));
        } else if self.waiting.iter().any(Waiting::is_about_fixes) {
            self.fixing.hurry.store(true, Ordering::Relaxed);
        }
        if !self.checking.is_busy && !self.is_fixing_first() {
            let next = self.unchecked.pop_front().map(Task::Check);
            self.checking.give(next.or_else(|| self.untold.pop_front().map(Task::Tell)));
        }
    }

    /// Whether all waiting requests are for fixes. No check starts then, so that the processors
    /// are used for the fixes.
    fn is_fixing_first(&self) -> bool {
        let is_awaited = !self.waiting.is_empty() && self.fixing.is_busy;
        is_awaited && self.waiting.iter().all(Waiting::is_about_fixes)
    }

    /// The document that a worker's result is about, unless its text or settings have changed
    /// since; it is scheduled again then.
    fn told_of(&mut self, uri: &str, version: i64) -> Option<&mut Document> {
        let is_planned = self.untaken.iter().any(|it| it == uri);
        let document = self.documents.get_mut(uri).filter(|it| it.version == version);
        document.filter(|_| !is_planned)
    }

    fn checked(&mut self, done: Done) {
        let Done { uri, version, extent } = done;
        self.checking.is_busy = false;
        if self.told_of(&uri, version).is_some() {
            match extent {
                Extent::All => push_once(&mut self.untold, uri),
                Extent::Part => push_once(&mut self.unchecked, uri),
            }
        }
    }

    fn told(&mut self, told: Told) -> io::Result<()> {
        let Told { uri, version, diagnostics } = told;
        self.checking.is_busy = false;
        let (pulls, id) = (self.client.pulls, self.n_reports);
        let Some(document) = self.told_of(&uri, version) else { return Ok(()) };
        // A client may ask though it did not say so.
        let (list, message) = if pulls {
            (diagnostics, None)
        } else {
            (diagnostics::list_in(&diagnostics).to_owned(), Some(diagnostics))
        };
        document.known.report = Some(Report { id, diagnostics: list });
        self.n_reports += 1;
        message.iter().try_for_each(|message| self.send(message))?;
        self.answer_waiting(&uri)
    }

    fn prepared(&mut self, prepared: Prepared) -> io::Result<()> {
        let Prepared { uri, version, edit, extent } = prepared;
        self.fixing.is_busy = false;
        let Some(document) = self.told_of(&uri, version) else { return Ok(()) };
        document.known.fixes = Some(Fixes { edit });
        self.answer_waiting(&uri)?;
        if extent == Extent::Part {
            // The waiting request got the fixes found in time. The rest is prepared later.
            if let Some(document) = self.documents.get_mut(&uri) {
                document.known.fixes = None;
            }
            push_once(&mut self.unprepared, uri);
        }
        Ok(())
    }

    fn hover(&mut self, request: &Request) -> io::Result<()> {
        let Some(params) = read::<HoverParams>(request.params.clone()) else {
            return self.fail(&request.id, code::INVALID_PARAMS, "expected a position");
        };
        let hover = self.documents.get(&params.text_document.uri).and_then(|document| {
            let settings = document.settings.clone().unwrap_or_default();
            let encoding = self.client.encoding;
            let offset = document.lines.offset(&document.text, params.position, encoding);
            let found = hover::at(&document.text, offset as u32, &settings.options).ok()??;
            let range = Places::new(&document.text, &document.lines, encoding).range(found.span);
            Some((found.markdown, range))
        });
        let result = hover.map_or(Value::Null, |(markdown, range)| {
            let (kind, value) = if self.client.has_markdown {
                ("markdown", markdown)
            } else {
                ("plaintext", hover::plain(&markdown))
            };
            json!({ "contents": { "kind": kind, "value": value }, "range": range })
        });
        self.answer(&request.id, &result.to_string())
    }

    fn code_action(&mut self, request: &Request) -> io::Result<()> {
        let Some(params) = read::<CodeActionParams>(request.params.clone()) else {
            return self.fail(&request.id, code::INVALID_PARAMS, "expected a range");
        };
        let Some(document) = self.documents.get(&params.text_document.uri) else {
            return self.answer(&request.id, "[]");
        };
        // What is not checked has no findings.
        let Some(settings) = &document.settings else {
            return self.answer(&request.id, "[]");
        };
        let checker = worker::with_settings(&mut self.checker, settings);
        let actions = actions::list(&params, document, checker, self.client);
        if actions.wants_fix_all {
            let (id, uri) = (request.id.clone(), params.text_document.uri);
            return self.answer_or_wait(Waiting { id, uri, what: Awaited::Actions(actions.list) });
        }
        self.answer(&request.id, &format!("[{}]", actions.list.join(",")))
    }
}

fn push_once(list: &mut VecDeque<String>, uri: String) {
    if !list.contains(&uri) {
        list.push_back(uri);
    }
}

pub(crate) fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}
