//! The messages of the protocol that are used. See the
//! [specification](https://microsoft.github.io/language-server-protocol/), version 3.17.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Error codes.
pub(crate) mod code {
    pub(crate) const PARSE_ERROR: i32 = -32700;
    pub(crate) const INVALID_REQUEST: i32 = -32600;
    pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
    pub(crate) const INVALID_PARAMS: i32 = -32602;
    pub(crate) const NOT_INITIALIZED: i32 = -32002;
    pub(crate) const REQUEST_CANCELLED: i32 = -32800;
}

/// A line and a column, from zero. The [`Encoding`] is the unit of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) character: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Range {
    pub(crate) start: Position,
    pub(crate) end: Position,
}

/// The unit of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    Utf8,
    #[default]
    Utf16,
}

impl Encoding {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
        }
    }
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Diagnostic<'f> {
    pub(crate) range: Range,
    pub(crate) severity: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code_description: Option<CodeDescription>,
    pub(crate) source: &'static str,
    pub(crate) message: Cow<'f, str>,
}

/// The address of a code's documentation.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct CodeDescription {
    pub(crate) href: &'static str,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DidOpen {
    pub(crate) text_document: TextDocumentItem,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextDocumentItem {
    pub(crate) uri: String,
    #[serde(default)]
    pub(crate) language_id: String,
    pub(crate) version: i64,
    pub(crate) text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DidChange {
    pub(crate) text_document: VersionedDocument,
    pub(crate) content_changes: Vec<Change>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct VersionedDocument {
    pub(crate) uri: String,
    pub(crate) version: Option<i64>,
}

/// A change of a document: of a range, or of the whole text.
#[derive(Debug, Deserialize)]
pub(crate) struct Change {
    pub(crate) range: Option<Range>,
    pub(crate) text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfDocument {
    pub(crate) text_document: Document,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Document {
    pub(crate) uri: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HoverParams {
    pub(crate) text_document: Document,
    pub(crate) position: Position,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodeActionParams {
    pub(crate) text_document: Document,
    pub(crate) range: Range,
    #[serde(default)]
    pub(crate) context: CodeActionContext,
}

/// A request for diagnostics.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiagnosticParams {
    pub(crate) text_document: Document,
    pub(crate) previous_result_id: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct CodeActionContext {
    pub(crate) only: Option<Vec<String>>,
}

/// The capabilities of the client that are used.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools)] // The protocol has one for each.
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
    /// Edits may name the version of the document that they apply to.
    pub(crate) has_document_changes: bool,
    /// Hovers may be Markdown.
    pub(crate) has_markdown: bool,
    /// The server may register file watchers.
    pub(crate) can_watch: bool,
    /// It requests the edit of an action when the user chooses the action.
    pub(crate) can_resolve: bool,
    /// It pulls diagnostics, so none are pushed.
    pub(crate) pulls: bool,
    /// The server may request that it pulls them again.
    pub(crate) can_refresh: bool,
}

impl Client {
    /// Reads the parameters of `initialize`.
    pub(crate) fn read(params: &Value) -> Self {
        let capabilities = &params["capabilities"];
        let has = |path: &str| capabilities.pointer(path) == Some(&Value::Bool(true));
        let lists = |path: &str, name: &str| {
            let list = capabilities.pointer(path).and_then(Value::as_array);
            list.is_some_and(|list| list.iter().any(|it| it == name))
        };
        let is_utf8 = lists("/general/positionEncodings", "utf-8");
        Self {
            encoding: if is_utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            has_document_changes: has("/workspace/workspaceEdit/documentChanges"),
            has_markdown: lists("/textDocument/hover/contentFormat", "markdown"),
            can_watch: has("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            can_resolve: has("/textDocument/codeAction/dataSupport")
                && lists("/textDocument/codeAction/resolveSupport/properties", "edit"),
            pulls: capabilities.pointer("/textDocument/diagnostic").is_some_and(Value::is_object),
            can_refresh: has("/workspace/diagnostics/refreshSupport"),
        }
    }
}

/// The answer to `initialize`.
pub(crate) fn capabilities(client: Client) -> Value {
    let actions = json!({
        "codeActionKinds": ["quickfix", FIX_ALL],
        "resolveProvider": client.can_resolve,
    });
    let mut capabilities = json!({
        "positionEncoding": client.encoding.name(),
        "textDocumentSync": { "openClose": true, "change": 2, "save": {} },
        "hoverProvider": true,
        "codeActionProvider": actions,
    });
    if client.pulls {
        capabilities["diagnosticProvider"] = json!({
            "identifier": "barelink",
            "interFileDependencies": false,
            "workspaceDiagnostics": false,
        });
    }
    let version = env!("CARGO_PKG_VERSION");
    json!({
        "capabilities": capabilities,
        "serverInfo": { "name": "barelink", "version": version },
    })
}

/// The kind of the action that applies every safe fix.
pub(crate) const FIX_ALL: &str = "source.fixAll.barelink";

/// The request to watch configurations.
pub(crate) fn watch_request() -> String {
    let watchers = json!([{ "globPattern": "**/{barelink,pyproject}.toml" }]);
    let registration = json!({
        "id": "barelink-configuration",
        "method": "workspace/didChangeWatchedFiles",
        "registerOptions": { "watchers": watchers },
    });
    json!({
        "jsonrpc": "2.0",
        "id": "barelink-watch",
        "method": "client/registerCapability",
        "params": { "registrations": [registration] },
    })
    .to_string()
}

/// The request to pull all diagnostics again.
pub(crate) fn refresh_request() -> String {
    let (id, method) = ("barelink-refresh", "workspace/diagnostic/refresh");
    json!({ "jsonrpc": "2.0", "id": id, "method": method }).to_string()
}

/// Serializes directly to text: a tree of values would need ten times as much memory.
pub(crate) fn written(value: &impl Serialize) -> String {
    let mut text = String::new();
    push_written(value, &mut text);
    text
}

pub(crate) fn push_written(value: &impl Serialize, out: &mut String) {
    let mut bytes = std::mem::take(out).into_bytes();
    // Serializing these types cannot fail, and JSON is UTF-8.
    drop(serde_json::to_writer(&mut bytes, value));
    *out = String::from_utf8(bytes).unwrap_or_default();
}

/// Writes an edit: there may be some ten thousand, and this takes a quarter of the time of Serde.
pub(crate) fn push_edit(range: Range, new_text: &str, out: &mut String) {
    let Range { start, end } = range;
    for (before, number) in [
        ("{\"range\":{\"start\":{\"line\":", start.line),
        (",\"character\":", start.character),
        ("},\"end\":{\"line\":", end.line),
        (",\"character\":", end.character),
    ] {
        out.push_str(before);
        push_number(number, out);
    }
    out.push_str("}},\"newText\":");
    let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if new_text.bytes().all(is_plain) {
        out.push('"');
        out.push_str(new_text);
        out.push('"');
    } else {
        push_written(&new_text, out);
    }
    out.push('}');
}

fn push_number(number: u32, out: &mut String) {
    let mut digits = [0; 10];
    let mut rest = number;
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend(digits[start..].iter().map(|digit| char::from(*digit)));
}

pub(crate) fn notification(method: &str, params: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Notification<'a, P> {
        jsonrpc: &'static str,
        method: &'a str,
        params: &'a P,
    }
    written(&Notification { jsonrpc: "2.0", method, params })
}

/// A response up to its result, which is followed by [`ANSWER_END`].
pub(crate) fn answer_start(id: &Value) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":")
}

pub(crate) const ANSWER_END: &str = "}";

pub(crate) fn error(id: &Value, code: i32, message: &str) -> String {
    let error = json!({ "code": code, "message": message });
    json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
}

#[cfg(test)]
mod tests {
    use super::{Position, Range, push_edit};
    use serde_json::{Value, json};

    #[test]
    fn edits_are_json() {
        for (number, text) in [(0, ""), (9, "<http://a.bc>"), (u32::MAX, "\"\\\n\u{1}中😀")] {
            let start = Position { line: number, character: 10 };
            let end = Position { line: 100, character: number };
            let mut out = String::new();
            push_edit(Range { start, end }, text, &mut out);
            let edit: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(edit, json!({ "range": { "start": start, "end": end }, "newText": text }));
        }
    }
}
