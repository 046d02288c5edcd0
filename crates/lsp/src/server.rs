//! The server itself: messages in, answers out.
//!
//! Whatever has come is read before anything is answered, so a request that was cancelled
//! meanwhile costs nothing, and a check is started for the last of many changes only.
//!
//! No request waits for a check: one for actions has the blocks of its place checked, and one to
//! fix all takes what was found, if that is of this version.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use barelink_check::{Checker, Flavor, Settings};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::document::Document;
use crate::position::Places;
use crate::protocol::{
    self, Client, CodeActionParams, DidChange, DidOpen, HoverParams, OfDocument, code,
};
use crate::transport::{self, Received};
use crate::worker::{self, Checked, Job};
use crate::{Configure, Ending, Problem, actions, diagnostics, hover, uri};

/// Something that happens.
#[derive(Debug)]
pub(crate) enum Event {
    Received(Received),
    Checked(Checked),
    /// The client is gone, or what it sends is no stream of messages.
    Gone(io::Result<()>),
}

/// How far a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    New,
    Running,
    ShutDown,
}

/// A request that is not answered yet.
#[derive(Debug)]
struct Request {
    id: Value,
    method: String,
    params: Value,
}

struct Server<W, C> {
    output: W,
    configure: C,
    client: Client,
    phase: Phase,
    documents: HashMap<String, Document>,
    jobs: Sender<Job>,
    is_checking: bool,
    /// Documents to be checked, in the order they changed.
    unchecked: VecDeque<String>,
    /// For fixes; the worker has its own.
    checker: Option<Checker>,
    /// What was told about configurations.
    problems: HashMap<String, Problem>,
}

/// What became of a message.
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
    let jobs = worker::start(sender.clone());
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
        // Nobody may be left to be told.
        drop(sender.send(Event::Gone(gone)));
    });
    let server = Server {
        output,
        configure,
        client: Client::default(),
        phase: Phase::New,
        documents: HashMap::new(),
        jobs,
        is_checking: false,
        unchecked: VecDeque::new(),
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
                self.start_check();
                let Ok(event) = events.recv() else { return Ok(Ending::Abrupt) };
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
                Some(Event::Checked(checked)) => self.checked(checked)?,
                Some(Event::Gone(gone)) => return gone.map(|()| Ending::Abrupt),
                None => {}
            }
        }
    }

    fn send(&mut self, message: &str) -> io::Result<()> {
        transport::write(&mut self.output, message)
    }

    fn fail(&mut self, id: &Value, code: i32, message: &str) -> io::Result<()> {
        self.send(&protocol::error(id, code, message))
    }

    /// Puts an event into the queue; a cancellation takes a request out of it.
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
        if queue.iter().position(is_it).and_then(|idx| queue.remove(idx)).is_some() {
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
            // An answer to a request of ours.
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
                let result = protocol::capabilities(self.client.encoding);
                self.send(&protocol::answer(id, &result))
            }
            (Phase::New, _) => self.fail(id, code::NOT_INITIALIZED, "`initialize` comes first"),
            (_, "initialize") => self.fail(id, code::INVALID_REQUEST, "it is initialized already"),
            (Phase::ShutDown, _) => self.fail(id, code::INVALID_REQUEST, "it is shut down"),
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                self.send(&protocol::answer(id, &Value::Null))
            }
            (Phase::Running, "textDocument/hover") => self.hover(request),
            (Phase::Running, "textDocument/codeAction") => self.code_action(request),
            (Phase::Running, method) => {
                let message = format!("`{method}` is not known");
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
        // Notifications have no answer, so one that cannot be read is passed over.
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
        self.unchecked.retain(|it| it != uri);
        self.send(&diagnostics::none(uri))
    }

    /// Reads all configurations again, and checks what has others now.
    fn configure_all(&mut self) -> io::Result<()> {
        self.configure.forget();
        let uris: Vec<String> = self.documents.keys().cloned().collect();
        let told = std::mem::take(&mut self.problems);
        for uri in uris {
            self.configure_one_after(&uri, &told)?;
        }
        let known: HashSet<&String> = self.problems.keys().collect();
        let mended: Vec<String> = told.keys().filter(|uri| !known.contains(uri)).cloned().collect();
        mended.iter().try_for_each(|uri| self.send(&diagnostics::none(uri)))
    }

    fn configure_one(&mut self, uri: &str) -> io::Result<()> {
        let told = self.problems.clone();
        self.configure_one_after(uri, &told)
    }

    /// Takes the settings for a document. A problem is told if it was not told before.
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
        let is_known = document.settings == settings && document.findings.is_some();
        document.settings = settings;
        if !is_known {
            document.findings = None;
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

    /// Remembers that a document is to be checked.
    fn plan(&mut self, uri: String) {
        if !self.unchecked.contains(&uri) {
            self.unchecked.push_back(uri);
        }
    }

    /// Gives the worker the next document, unless it has one.
    fn start_check(&mut self) {
        while !self.is_checking
            && let Some(uri) = self.unchecked.pop_front()
        {
            let Some(document) = self.documents.get(&uri) else { continue };
            // What is not checked has no findings.
            let settings = document.settings.clone().unwrap_or_else(|| {
                let mut settings = Settings::default();
                settings.rules = barelink_check::RuleSet::NONE;
                settings
            });
            let job = Job {
                uri,
                version: document.version,
                text: document.text.clone(),
                lines: document.lines.clone(),
                settings,
                encoding: self.client.encoding,
            };
            self.is_checking = self.jobs.send(job).is_ok();
        }
    }

    fn checked(&mut self, checked: Checked) -> io::Result<()> {
        self.is_checking = false;
        let Checked { uri, version, findings, message } = checked;
        let Some(document) = self.documents.get_mut(&uri) else { return Ok(()) };
        // It changed meanwhile, or its settings did; then it is planned again.
        if document.version != version || self.unchecked.contains(&uri) {
            return Ok(());
        }
        document.findings = Some(findings);
        self.send(&message)
    }

    fn hover(&mut self, request: &Request) -> io::Result<()> {
        let Some(params) = read::<HoverParams>(request.params.clone()) else {
            return self.fail(&request.id, code::INVALID_PARAMS, "a position is wanted");
        };
        let hover = self.documents.get(&params.text_document.uri).and_then(|document| {
            let settings = document.settings.clone().unwrap_or_default();
            let encoding = self.client.encoding;
            let offset = document.lines.offset(&document.text, params.position, encoding);
            let found = hover::at(&document.text, offset as u32, &settings.options).ok()??;
            let range = Places::new(&document.text, &document.lines, encoding).range(found.span);
            Some((found.markdown, range))
        });
        let kind = if self.client.has_markdown { "markdown" } else { "plaintext" };
        let result = hover.map_or(Value::Null, |(value, range)| {
            json!({ "contents": { "kind": kind, "value": value }, "range": range })
        });
        self.send(&protocol::answer(&request.id, &result))
    }

    fn code_action(&mut self, request: &Request) -> io::Result<()> {
        let Some(params) = read::<CodeActionParams>(request.params.clone()) else {
            return self.fail(&request.id, code::INVALID_PARAMS, "a range is wanted");
        };
        let Some(document) = self.documents.get(&params.text_document.uri) else {
            return self.send(&protocol::answer(&request.id, &json!([])));
        };
        // What is not checked has no findings.
        let actions = document.settings.as_ref().map_or_else(Vec::new, |settings| {
            let checker = worker::with_settings(&mut self.checker, settings);
            actions::list(&params, document, checker, self.client)
        });
        self.send(&protocol::answer(&request.id, &Value::Array(actions)))
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}
