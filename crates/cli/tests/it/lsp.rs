//! `barelink lsp` as an editor meets it: a client of our own, over standard input and output.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::Scratch;

/// Nothing is waited for longer than this, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// An editor.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// What came before it was asked for.
    pub(crate) seen: Vec<Value>,
    last_id: i64,
}

impl Client {
    pub(crate) fn start(folder: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_barelink"))
            .arg("lsp")
            .args(args)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut header = String::new();
            while stdout.read_line(&mut header).is_ok_and(|len| len > 0) {
                let len = header.trim().strip_prefix("Content-Length: ").expect("a header");
                let mut body = vec![0; len.parse::<usize>().unwrap() + 2];
                stdout.read_exact(&mut body).unwrap();
                let message = serde_json::from_slice(&body[2..]).unwrap();
                if sender.send(message).is_err() {
                    break;
                }
                header.clear();
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, messages, seen: Vec::new(), last_id: 0 }
    }

    /// A client that is ready, with these capabilities.
    pub(crate) fn ready(folder: &Path, capabilities: &Value) -> Self {
        let mut client = Self::start(folder, &[]);
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities });
        client.request("initialize", &params);
        client.notify("initialized", &json!({}));
        client
    }

    fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).and_then(|()| stdin.flush()).unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request, and returns its id.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> i64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Sends a request, and returns the whole answer.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.ask(method, params);
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    pub(crate) fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(idx) = self.seen.iter().position(&is_it) {
            return self.seen.remove(idx);
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("a message");
            if is_it(&message) {
                return message;
            }
            self.seen.push(message);
        }
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        let item = json!({ "uri": uri, "languageId": "markdown", "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": item }));
    }

    pub(crate) fn change(&mut self, uri: &str, version: i64, changes: &Value) {
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", &params);
    }

    /// The diagnostics of a version.
    pub(crate) fn diagnostics(&mut self, uri: &str, version: Option<i64>) -> Vec<Value> {
        let version = version.map_or(Value::Null, Value::from);
        let message = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        });
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    pub(crate) fn actions(&mut self, uri: &str, range: &Value, only: &Value) -> Vec<Value> {
        let mut context = json!({ "diagnostics": [] });
        if !only.is_null() {
            context["only"] = only.clone();
        }
        let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
        let answer = self.request("textDocument/codeAction", &params);
        answer["result"].as_array().unwrap().clone()
    }

    /// Ends it in order, and returns its exit code.
    pub(crate) fn end(mut self) -> Option<i32> {
        assert_eq!(self.request("shutdown", &Value::Null)["result"], Value::Null);
        self.notify("exit", &Value::Null);
        self.child.wait().unwrap().code()
    }
}

pub(crate) fn place(line: u32, character: u32) -> Value {
    json!({ "line": line, "character": character })
}

pub(crate) fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    json!({ "start": place(start.0, start.1), "end": place(end.0, end.1) })
}

/// Codes and ranges of diagnostics.
pub(crate) fn brief(diagnostics: &[Value]) -> Vec<(String, Value)> {
    let brief = |it: &Value| (it["code"].as_str().unwrap().to_owned(), it["range"].clone());
    diagnostics.iter().map(brief).collect()
}

/// The offset of a position in units of UTF-16.
fn offset(text: &str, place: &Value) -> usize {
    let line = place["line"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut n_units = place["character"].as_u64().unwrap() as usize;
    let rest = &text[start..];
    let mut len = 0;
    for c in rest.chars() {
        if n_units == 0 {
            break;
        }
        n_units -= c.len_utf16();
        len += c.len_utf8();
    }
    start + len
}

/// A text after the edits of an action.
pub(crate) fn applied(text: &str, action: &Value) -> String {
    let edit = &action["edit"];
    let edits = match edit["documentChanges"].as_array() {
        Some(changes) => changes[0]["edits"].as_array().unwrap(),
        None => edit["changes"].as_object().unwrap().values().next().unwrap().as_array().unwrap(),
    };
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
        let span = offset(&text, start)..offset(&text, end);
        text.replace_range(span, edit["newText"].as_str().unwrap());
    }
    text
}

pub(crate) const URI: &str = "untitled:One.md";

#[test]
fn a_session_begins_and_ends_as_the_protocol_wants() {
    let scratch = Scratch::new();
    let mut client = Client::start(scratch.path(), &["--stdio"]);
    let code = |answer: &Value| answer["error"]["code"].as_i64();
    assert_eq!(code(&client.request("textDocument/hover", &json!({}))), Some(-32002));
    client.notify("textDocument/didOpen", &json!({ "x": 1 }));
    let encodings = json!({ "general": { "positionEncodings": ["utf-32", "utf-8"] } });
    let answer = client.request("initialize", &json!({ "capabilities": encodings }));
    let capabilities = &answer["result"]["capabilities"];
    assert_eq!(capabilities["positionEncoding"], "utf-8");
    assert_eq!(capabilities["textDocumentSync"]["change"], 2);
    assert_eq!(answer["result"]["serverInfo"]["name"], "barelink");
    assert_eq!(code(&client.request("initialize", &json!({}))), Some(-32600));
    assert_eq!(code(&client.request("textDocument/rename", &json!({}))), Some(-32601));
    assert_eq!(code(&client.request("textDocument/hover", &json!([1]))), Some(-32602));
    client.notify("$/setTrace", &json!({ "value": "off" }));
    // What is malformed is answered, and the next message counts.
    client.write(b"Content-Length: 3\r\n\r\n{[}");
    assert_eq!(code(&client.wait(|it| it["id"].is_null())), Some(-32700));
    for message in [json!([]), json!(1), json!({ "jsonrpc": "2.0" })] {
        client.send(&message);
        assert_eq!(code(&client.wait(|it| it["id"].is_null())), Some(-32600), "{message}");
    }
    client.notify("textDocument/didChange", &json!({ "textDocument": 5 }));
    // Positions are bytes now.
    client.open(URI, "é http://localhost/x");
    let found = client.diagnostics(URI, Some(1));
    assert_eq!(brief(&found), [("BL003".to_owned(), range((0, 3), (0, 21)))]);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_session_that_ends_otherwise_has_another_exit_code() {
    let scratch = Scratch::new();
    let mut client = Client::ready(scratch.path(), &json!({}));
    client.notify("exit", &Value::Null);
    assert_eq!(client.child.wait().unwrap().code(), Some(1));
    let mut client = Client::ready(scratch.path(), &json!({}));
    drop(client.stdin.take());
    assert_eq!(client.child.wait().unwrap().code(), Some(1));
    let mut client = Client::ready(scratch.path(), &json!({}));
    client.write(b"Content-Length: 99999999999999999999\r\n\r\n{}");
    assert_eq!(client.child.wait().unwrap().code(), Some(2));
    let mut client = Client::ready(scratch.path(), &json!({}));
    assert_eq!(client.request("shutdown", &Value::Null)["result"], Value::Null);
    assert_eq!(client.request("shutdown", &Value::Null)["error"]["code"], -32600);
}

#[test]
fn findings_are_shown_while_a_document_is_typed() {
    let scratch = Scratch::new();
    let mut client = Client::ready(scratch.path(), &json!({}));
    client.open(URI, "中😀 http://localhost/x\r\nfine\r\n");
    let found = client.diagnostics(URI, Some(1));
    assert_eq!(brief(&found), [("BL003".to_owned(), range((0, 4), (0, 22)))]);
    assert_eq!((&found[0]["source"], &found[0]["severity"]), (&"barelink".into(), &2.into()));
    assert_eq!(found[0]["message"], "linked by github, not by gfm and md4c");
    let href = found[0]["codeDescription"]["href"].as_str().unwrap();
    assert!(href.ends_with("enum.Rule.html#variant.NotPortable"), "{href}");
    // Two changes in one message: the second is of the text after the first.
    let changes = json!([
        { "range": range((0, 0), (0, 4)), "text": "" },
        { "range": range((1, 4), (1, 4)), "text": " 😀[t] (https://u.vw/x)" },
    ]);
    client.change(URI, 2, &changes);
    let expected = [
        ("BL003".to_owned(), range((0, 0), (0, 18))),
        ("BL005".to_owned(), range((1, 7), (1, 27))),
    ];
    assert_eq!(brief(&client.diagnostics(URI, Some(2))), expected);
    // A whole new text; then the document is closed, and nothing is shown any more.
    client.change(URI, 3, &json!([{ "text": "nothing" }]));
    assert_eq!(client.diagnostics(URI, Some(3)), [Value::Null; 0]);
    client.notify("textDocument/didClose", &json!({ "textDocument": { "uri": URI } }));
    assert_eq!(client.diagnostics(URI, None), [Value::Null; 0]);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn many_small_edits_give_what_the_whole_text_gives() {
    const PIECES: [&str; 9] =
        ["\r\n", "\n\n", "中", "😀", " ", "http://localhost/x", "[t] (a.md)", "\"www.a.bc\"", "x"];
    let scratch = Scratch::new();
    let mut client = Client::ready(scratch.path(), &json!({}));
    let mut text = String::new();
    client.open(URI, &text);
    // A generator of numbers that are random enough.
    let mut state = 12345_u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % n
    };
    let position = |text: &str, at: usize| {
        let line = text[..at].matches('\n').count();
        let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
        json!({ "line": line, "character": text[start..at].encode_utf16().count() })
    };
    for version in 2..400 {
        let mut start = below(text.len() + 1);
        while !text.is_char_boundary(start) || text[..start].ends_with('\r') {
            start -= 1;
        }
        // Every other edit removes something, too.
        let mut end = start + if below(2) == 0 { below(12) } else { 0 };
        end = end.min(text.len());
        while !text.is_char_boundary(end) || text[..end].ends_with('\r') {
            end -= 1;
        }
        let end = end.max(start);
        let new = PIECES[below(PIECES.len())];
        let range = json!({ "start": position(&text, start), "end": position(&text, end) });
        text.replace_range(start..end, new);
        client.change(URI, version, &json!([{ "range": range, "text": new }]));
        if version % 50 == 0 {
            let edited = client.diagnostics(URI, Some(version));
            let other = format!("untitled:{version}.md");
            client.open(&other, &text);
            assert_eq!(edited, client.diagnostics(&other, Some(1)), "{text:?}");
        }
    }
    assert!(text.contains("localhost"));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn the_nearest_configuration_counts_and_is_read_again() {
    let scratch = Scratch::new();
    let document = scratch.write("docs/a b.md", "");
    let uri = format!("file://{}", document.display()).replace(' ', "%20");
    scratch.write("barelink.toml", "ignore = ['BL003']\nexclude = ['old']\n");
    let can_watch = json!({ "dynamicRegistration": true });
    let capabilities = json!({ "workspace": { "didChangeWatchedFiles": can_watch } });
    let mut client = Client::ready(scratch.path(), &capabilities);
    let register = client.wait(|it| it["method"] == "client/registerCapability");
    let watched = &register["params"]["registrations"][0]["registerOptions"]["watchers"][0];
    assert_eq!(watched["globPattern"], "**/{barelink,pyproject}.toml");
    client.send(&json!({ "jsonrpc": "2.0", "id": register["id"], "result": null }));

    client.open(&uri, "http://localhost/x \"www.a.bc\"");
    let codes = |found: &[Value]| -> Vec<String> {
        brief(found).into_iter().map(|(code, _)| code).collect()
    };
    assert_eq!(codes(&client.diagnostics(&uri, Some(1))), ["BL002"]);
    // It changes.
    scratch.write("barelink.toml", "select = ['BL003']\n");
    client.notify("workspace/didChangeWatchedFiles", &json!({ "changes": [] }));
    assert_eq!(codes(&client.diagnostics(&uri, Some(1))), ["BL003"]);
    // It has a mistake, which is told where it is, and once.
    let config = scratch.write("barelink.toml", "dialect = 'gfm'\nselekt = ['BL003']\n");
    let config_uri = format!("file://{}", config.display());
    client.notify("workspace/didChangeWatchedFiles", &json!({ "changes": [] }));
    assert_eq!(codes(&client.diagnostics(&uri, Some(1))), [""; 0]);
    client.notify("workspace/didChangeWatchedFiles", &json!({ "changes": [] }));
    client.request("nothing", &json!({}));
    let message = client.wait(|it| it["method"] == "window/showMessage");
    let text = message["params"]["message"].as_str().unwrap();
    assert!(text.contains("barelink.toml: line 2: unknown field `selekt`"), "{text}");
    assert!(!client.seen.iter().any(|it| it["method"] == "window/showMessage"));
    let shown = client.diagnostics(&config_uri, None);
    assert_eq!(
        (&shown[0]["severity"], &shown[0]["range"]["start"]["line"]),
        (&1.into(), &1.into())
    );
    // It is mended; saving any document is reason enough to look.
    scratch.write("barelink.toml", "extend-select = ['BL004']\n");
    client.notify("textDocument/didSave", &json!({ "textDocument": { "uri": uri } }));
    assert_eq!(client.diagnostics(&config_uri, None), [Value::Null; 0]);
    let expected = ["BL003", "BL004", "BL002"];
    assert_eq!(codes(&client.diagnostics(&uri, Some(1))), expected);
    // MDX by the name of the file.
    let mdx = format!("file://{}", scratch.write("x.mdx", "").display());
    client.open(&mdx, "<https://a.bc>");
    assert_eq!(codes(&client.diagnostics(&mdx, Some(1))), ["BL010"]);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn fixes_do_what_the_command_does() {
    let scratch = Scratch::new();
    let document_changes = json!({ "workspaceEdit": { "documentChanges": true } });
    let mut client = Client::ready(scratch.path(), &json!({ "workspace": document_changes }));
    let text =
        "中😀 http://localhost/x and\r\n`x` http://localhost/y\r\n\r\n😀 [t] (https://u.vw/x)\r\n";
    client.open(URI, text);
    let found = client.diagnostics(URI, Some(1));
    assert_eq!(found.len(), 3);
    // All safe fixes at once.
    let whole = range((0, 0), (99, 0));
    let all = client.actions(URI, &whole, &json!(["source.fixAll"]));
    assert_eq!(all.len(), 1);
    assert_eq!(all[0]["kind"], "source.fixAll.barelink");
    let document = &all[0]["edit"]["documentChanges"][0]["textDocument"];
    assert_eq!((&document["uri"], &document["version"]), (&URI.into(), &1.into()));
    scratch.write("a.md", text);
    scratch.run(&["fix", "--isolated", "--exit-zero", "a.md"]);
    assert_eq!(applied(text, &all[0]), scratch.read("a.md"));
    // Each alone, one after the other, gives what all give.
    let mut fixed = text.to_owned();
    for (n_left, version) in [(3, 2), (2, 3), (1, 4)] {
        let actions = client.actions(URI, &whole, &json!(["quickfix"]));
        let fixes: Vec<&Value> = actions
            .iter()
            .filter(|it| !it["title"].as_str().unwrap().contains("Disable"))
            .collect();
        assert_eq!(fixes.len(), n_left);
        let title = fixes[0]["title"].as_str().unwrap();
        let is_safe = n_left > 1;
        assert!(title.contains(if is_safe { "(BL003, safe: " } else { "(BL005, unsafe: " }));
        assert_eq!(fixes[0]["isPreferred"], is_safe);
        assert_eq!(fixes[0]["diagnostics"].as_array().unwrap().len(), 1);
        fixed = applied(&fixed, fixes[0]);
        client.change(URI, version, &json!([{ "text": fixed }]));
    }
    scratch.write("b.md", text);
    scratch.run(&["fix", "--isolated", "--unsafe", "--exit-zero", "b.md"]);
    assert_eq!(fixed, scratch.read("b.md"));
    assert_eq!(client.diagnostics(URI, Some(4)), [Value::Null; 0]);
    assert_eq!(client.actions(URI, &whole, &Value::Null), [Value::Null; 0]);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_comment_switches_a_rule_off() {
    let scratch = Scratch::new();
    let mut client = Client::ready(scratch.path(), &json!({}));
    for (idx, text) in ["a\n\nhttp://localhost/x\n", "* 😀 http://localhost/x\n"].iter().enumerate()
    {
        let uri = format!("untitled:{idx}");
        client.open(&uri, text);
        let found = client.diagnostics(&uri, Some(1));
        let actions = client.actions(&uri, &found[0]["range"], &json!(["quickfix"]));
        let disable = actions.iter().find(|it| it["title"].as_str().unwrap().contains("Disable"));
        let silent = applied(text, disable.unwrap());
        client.change(&uri, 2, &json!([{ "text": silent }]));
        assert_eq!(client.diagnostics(&uri, Some(2)), [Value::Null; 0], "{silent:?}");
    }
    // One that switches nothing off is shown, beside what it was to switch off.
    client.open(URI, "😀 <!-- barelink-disable-line BL03 --> http://localhost/x\n");
    let found = client.diagnostics(URI, Some(1));
    assert_eq!((found.len(), &found[0]["range"]), (2, &range((0, 30), (0, 34))));
    assert_eq!((&found[0]["severity"], &found[0]["code"]), (&2.into(), &Value::Null));
    assert!(found[0]["message"].as_str().unwrap().ends_with("did you mean `BL003`?"));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn places_are_explained() {
    let scratch = Scratch::new();
    let formats = json!({ "hover": { "contentFormat": ["markdown", "plaintext"] } });
    let mut client = Client::ready(scratch.path(), &json!({ "textDocument": formats }));
    client.open(URI, "a\r\n😀 \"www.a.bc\" b\r\n");
    let mut hover = |line, character| {
        let params = json!({ "textDocument": { "uri": URI }, "position": place(line, character) });
        client.request("textDocument/hover", &params)["result"].clone()
    };
    let found = hover(1, 6);
    assert_eq!(found["contents"]["kind"], "markdown");
    let text = found["contents"]["value"].as_str().unwrap();
    assert!(text.starts_with("**No link** in `github`"), "{text}");
    assert!(text.contains("\n* `natural`: a link to `http://www.a.bc`"), "{text}");
    assert_eq!(found["range"], range((1, 3), (1, 13)));
    assert_eq!(hover(0, 0), Value::Null);
    assert_eq!(hover(99, 99), Value::Null);
    assert_eq!(client.end(), Some(0));
    // Who does not say that it shows Markdown gets none.
    let mut client = Client::ready(scratch.path(), &json!({}));
    client.open(URI, "\"www.a.bc\"\n");
    let params = json!({ "textDocument": { "uri": URI }, "position": place(0, 3) });
    let found = client.request("textDocument/hover", &params);
    let contents = &found["result"]["contents"];
    assert_eq!(contents["kind"], "plaintext");
    let text = contents["value"].as_str().unwrap();
    assert!(text.starts_with("No link in github: ") && !text.contains(['`', '\\']), "{text}");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_request_can_be_cancelled() {
    let scratch = Scratch::new();
    let pulls = json!({ "textDocument": { "diagnostic": {} } });
    let mut client = Client::ready(scratch.path(), &pulls);
    // While such a text is read, what follows comes, and its check takes longer than that.
    client.open(URI, &"nothing to see here\n\n".repeat(200_000));
    let params = json!({ "textDocument": { "uri": URI } });
    let id = client.ask("textDocument/diagnostic", &params);
    client.notify("$/cancelRequest", &json!({ "id": id }));
    client.notify("$/cancelRequest", &json!({ "id": 999 }));
    let answer = client.wait(|message| message["id"] == id);
    assert_eq!(answer["error"]["code"], -32800);
    let answer = client.request("textDocument/diagnostic", &params);
    assert_eq!(answer["result"]["items"], json!([]));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn of_very_many_findings_the_first_are_shown() {
    let scratch = Scratch::new();
    let mut client = Client::ready(scratch.path(), &json!({}));
    let line = "http://localhost/x\n\n";
    client.open(URI, &line.repeat(20_000));
    let shown = client.diagnostics(URI, Some(1));
    assert_eq!(shown.len(), 1001);
    assert!(shown[..1000].iter().all(|it| it["code"] == "BL003" && it["severity"] == 2));
    assert_eq!(shown[999]["range"], range((1998, 0), (1998, 18)));
    // Where the others start, and how to see them.
    let last = &shown[1000];
    assert_eq!((&last["severity"], &last["code"]), (&3.into(), &Value::Null));
    assert_eq!(last["range"], range((2000, 0), (2000, 18)));
    assert!(last["message"].as_str().unwrap().contains("`barelink check` shows all"), "{last}");
    // What is not shown can be fixed where it is.
    let place = range((30_000, 5), (30_000, 5));
    assert_eq!(client.actions(URI, &place, &json!(["quickfix"])).len(), 2);
    // After changes, the first of what there is then.
    let remove = |n_lines: u32| json!([{ "range": range((0, 0), (2 * n_lines, 0)), "text": "" }]);
    client.change(URI, 2, &remove(1));
    assert_eq!(client.diagnostics(URI, Some(2)), shown);
    client.change(URI, 3, &remove(19_000 - 1));
    assert_eq!(client.diagnostics(URI, Some(3)), shown[..1000]);
    client.change(URI, 4, &json!([{ "range": range((0, 0), (0, 0)), "text": line }]));
    assert_eq!(client.diagnostics(URI, Some(4)), shown);
    assert_eq!(client.end(), Some(0));
}
