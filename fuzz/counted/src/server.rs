//! The language server with one document, asked one question. Only what the server itself does
//! is counted, not what its other threads do.

use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use barelink::Options;
use barelink_check::{RuleSet, Settings};
use barelink_lsp::{Configure, Problem};
use serde_json::{Value, json};

use crate::output::Output;

const URI: &str = "file:///a.md";

/// What the answer to the question has, and the message with what was found.
const AWAITED: [&str; 2] = ["\"id\":7", "textDocument/publishDiagnostics"];

/// Asks about the document, and gives the length of the answer.
pub(crate) fn answer(output: Output, options: Options, source: &str) -> usize {
    let n_lines = source.split('\n').count();
    let at = |line: usize| json!({ "line": line, "character": 1 });
    let (method, params) = if output == Output::Hover {
        let document = json!({ "uri": URI });
        let params = json!({ "textDocument": document, "position": at(n_lines / 2) });
        ("textDocument/hover", params)
    } else {
        let range = json!({ "start": at(0), "end": at(n_lines) });
        let context = json!({ "diagnostics": [] });
        let document = json!({ "uri": URI });
        let params = json!({ "textDocument": document, "range": range, "context": context });
        ("textDocument/codeAction", params)
    };
    let item = json!({ "uri": URI, "languageId": "markdown", "version": 1, "text": source });
    let mut messages = Vec::new();
    push(&mut messages, &json!({ "id": 1, "method": "initialize", "params": {} }));
    let open = json!({ "method": "textDocument/didOpen", "params": { "textDocument": item } });
    push(&mut messages, &open);
    push(&mut messages, &json!({ "id": 7, "method": method, "params": params }));
    let (sender, answered) = channel();
    let input = Input { messages, n_read: 0, answered: Some(answered) };
    let mut output = Answers { answered: sender, n_awaited: AWAITED.len(), len: 0 };
    let mut settings = Settings::default();
    settings.options = options;
    settings.rules = RuleSet::ALL;
    // A vector and a channel take everything.
    let _ = barelink_lsp::serve(BufReader::new(input), &mut output, Known(settings));
    output.len
}

fn push(messages: &mut Vec<u8>, message: &Value) {
    let message = message.to_string();
    let _ = write!(messages, "Content-Length: {}\r\n\r\n{message}", message.len());
}

/// Messages, and once the question is answered, the last one.
struct Input {
    messages: Vec<u8>,
    n_read: usize,
    answered: Option<Receiver<()>>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.n_read == self.messages.len() {
            let Some(answered) = self.answered.take() else { return Ok(0) };
            let _ = answered.recv();
            push(&mut self.messages, &json!({ "method": "exit" }));
        }
        let n_read = (&self.messages[self.n_read..]).read(buffer)?;
        self.n_read += n_read;
        Ok(n_read)
    }
}

/// Waits for the answer, and for the check: nothing of one task is left to the next.
struct Answers {
    answered: Sender<()>,
    n_awaited: usize,
    len: usize,
}

impl Write for Answers {
    fn write(&mut self, message: &[u8]) -> io::Result<usize> {
        let ends =
            [&message[..message.len().min(80)], &message[message.len().saturating_sub(80)..]];
        let has = |what: &str| ends.iter().any(|end| String::from_utf8_lossy(end).contains(what));
        if AWAITED.iter().any(|what| has(what)) {
            self.len += message.len();
            self.n_awaited = self.n_awaited.saturating_sub(1);
            if self.n_awaited == 0 {
                let _ = self.answered.send(());
            }
        }
        Ok(message.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The same settings for every file.
struct Known(Settings);

impl Configure for Known {
    fn settings(&mut self, _: Option<&Path>) -> Result<Option<Settings>, Problem> {
        Ok(Some(self.0.clone()))
    }

    fn forget(&mut self) {}
}
