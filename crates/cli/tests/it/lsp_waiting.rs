//! Requests to `barelink lsp` that are answered when a document is checked, or its fixes are
//! prepared.

use serde_json::{Value, json};

use crate::lsp::{Client, URI, applied, brief, range};
use crate::support::Scratch;

/// A document too long for the server to fix it at once, with this many links.
fn long(n_links: usize) -> String {
    let filler = "nothing to see here\n\n".repeat(4000);
    filler + &"see http://localhost/x.\n\n".repeat(n_links)
}

#[test]
fn what_takes_long_is_answered_when_it_is_known() {
    let scratch = Scratch::new();
    let mut client = Client::ready(scratch.path(), &json!({}));
    let text = long(2000);
    client.open(URI, &text);
    let whole = range((0, 0), (0, 0));
    let fix_all = json!(["source.fixAll"]);
    let all = client.actions(URI, &whole, &fix_all);
    let fixed = text.replace("http://localhost/x", "<http://localhost/x>");
    assert!(applied(&text, &all[0]) == fixed);
    // What is found is told all the same: a thousand, and that there are others.
    assert_eq!(client.diagnostics(URI, Some(1)).len(), 1001);
    // A small change: what was known of the rest still counts.
    let new = "and http://localhost/y\n\n";
    client.change(URI, 2, &json!([{ "range": range((2, 0), (2, 0)), "text": new }]));
    let all = client.actions(URI, &whole, &fix_all);
    let at = text.match_indices('\n').nth(1).unwrap().0 + 1;
    let changed = format!("{}{new}{}", &text[..at], &text[at..]);
    let mended = changed.replace("http://localhost/x", "<http://localhost/x>");
    let mended = mended.replace("http://localhost/y", "<http://localhost/y>");
    assert!(applied(&changed, &all[0]) == mended);
    // Nothing is left to fix, and the answer says so.
    client.change(URI, 3, &json!([{ "text": mended }]));
    assert_eq!(client.actions(URI, &whole, &fix_all), [Value::Null; 0]);
    // A request that waits can be cancelled, and one about a closed document is answered.
    client.change(URI, 4, &json!([{ "text": text }]));
    let context = json!({ "diagnostics": [], "only": fix_all });
    let params = json!({ "textDocument": { "uri": URI }, "range": whole, "context": context });
    let first = client.ask("textDocument/codeAction", &params);
    let second = client.ask("textDocument/codeAction", &params);
    client.notify("$/cancelRequest", &json!({ "id": first }));
    client.notify("textDocument/didClose", &json!({ "textDocument": { "uri": URI } }));
    let answer = client.wait(|message| message["id"] == first);
    assert!(answer["error"]["code"] == -32800 || answer["result"].is_array(), "{answer}");
    assert!(client.wait(|message| message["id"] == second)["result"].is_array());
    assert_eq!(client.end(), Some(0));
}

#[test]
fn what_there_is_no_time_for_is_fixed_the_next_time() {
    let scratch = Scratch::new();
    let mut client = Client::ready(scratch.path(), &json!({}));
    let mut text = "* http://localhost/x\n".repeat(20_000);
    let fixed = text.replace("http://localhost/x", "<http://localhost/x>");
    client.open(URI, &text);
    // How many times it takes, depends on the machine.
    for version in 2.. {
        let all = client.actions(URI, &range((0, 0), (0, 0)), &json!(["source.fixAll"]));
        let Some(action) = all.first() else { break };
        let after = applied(&text, action);
        assert!(after != text && version < 100);
        client.change(URI, version, &json!([{ "text": after }]));
        text = after;
    }
    assert!(text == fixed);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn an_edit_can_be_asked_for_when_it_is_wanted() {
    let scratch = Scratch::new();
    let lazy = json!({ "dataSupport": true, "resolveSupport": { "properties": ["edit"] } });
    let capabilities = json!({ "textDocument": { "codeAction": lazy } });
    let mut client = Client::start(scratch.path(), &[]);
    let answer = client.request("initialize", &json!({ "capabilities": capabilities }));
    let provider = &answer["result"]["capabilities"]["codeActionProvider"];
    assert_eq!(provider["resolveProvider"], true);
    client.notify("initialized", &json!({}));
    let text = long(2000);
    client.open(URI, &text);
    // It may be known by now.
    let all = client.actions(URI, &range((0, 0), (0, 0)), &json!(["source.fixAll.barelink"]));
    assert_eq!((all.len(), &all[0]["kind"]), (1, &"source.fixAll.barelink".into()));
    let mut action = all[0].clone();
    action["data"] = json!({ "uri": URI });
    let resolved = client.request("codeAction/resolve", &action);
    let fixed = text.replace("http://localhost/x", "<http://localhost/x>");
    assert!(applied(&text, &resolved["result"]) == fixed);
    assert_eq!(resolved["result"]["title"], all[0]["title"]);
    // Of a document that is not open, and for an action that is not ours.
    let unknown = json!({ "title": "x", "data": { "uri": "untitled:2" } });
    let answer = client.request("codeAction/resolve", &unknown);
    assert_eq!(answer["result"]["edit"], json!({}));
    let answer = client.request("codeAction/resolve", &json!({ "title": "x" }));
    assert_eq!(answer["error"]["code"], -32602);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn diagnostics_can_be_asked_for() {
    let scratch = Scratch::new();
    let document = scratch.write("a.md", "");
    let uri = format!("file://{}", document.display());
    let capabilities = json!({
        "textDocument": { "diagnostic": { "dynamicRegistration": false } },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    let mut client = Client::start(scratch.path(), &[]);
    let answer = client.request("initialize", &json!({ "capabilities": capabilities }));
    let provider = &answer["result"]["capabilities"]["diagnosticProvider"];
    let expected = json!({
        "identifier": "barelink", "interFileDependencies": false, "workspaceDiagnostics": false,
    });
    assert_eq!(*provider, expected);
    client.notify("initialized", &json!({}));
    let ask = |client: &mut Client, uri: &str, known: &Value| {
        let mut params = json!({ "textDocument": { "uri": uri } });
        if !known.is_null() {
            params["previousResultId"] = known.clone();
        }
        client.request("textDocument/diagnostic", &params)["result"].clone()
    };
    client.open(&uri, "中😀 http://localhost/x\n\nfine\n");
    let first = ask(&mut client, &uri, &Value::Null);
    assert_eq!(first["kind"], "full");
    let expected = [("BL003".to_owned(), range((0, 4), (0, 22)))];
    assert_eq!(brief(first["items"].as_array().unwrap()), expected);
    // The same again, by its name.
    let again = ask(&mut client, &uri, &first["resultId"]);
    assert_eq!(again, json!({ "kind": "unchanged", "resultId": first["resultId"] }));
    // After a change, whatever the client knows.
    let change = json!([{ "range": range((2, 0), (2, 4)), "text": "[t] (https://u.vw/x)" }]);
    client.change(&uri, 2, &change);
    let second = ask(&mut client, &uri, &first["resultId"]);
    let codes = |report: &Value| -> Vec<String> {
        brief(report["items"].as_array().unwrap()).into_iter().map(|(code, _)| code).collect()
    };
    assert_eq!(
        (&second["kind"], codes(&second)),
        (&"full".into(), vec!["BL003".into(), "BL005".into()])
    );
    // A long document is answered when it is checked, and other answers do not wait for it.
    client.open(URI, &long(2000));
    let report = ask(&mut client, URI, &Value::Null);
    // A thousand, and one that tells of the others.
    assert_eq!(report["items"].as_array().unwrap().len(), 1001);
    // Another configuration: the client is told to ask again.
    scratch.write("barelink.toml", "ignore = ['BL003']\n");
    client.notify("workspace/didChangeWatchedFiles", &json!({ "changes": [] }));
    let refresh = client.wait(|it| it["method"] == "workspace/diagnostic/refresh");
    client.send(&json!({ "jsonrpc": "2.0", "id": refresh["id"], "result": null }));
    let third = ask(&mut client, &uri, &second["resultId"]);
    assert_eq!(codes(&third), ["BL005"]);
    // What is not open has none, and nothing was sent unasked.
    client.notify("textDocument/didClose", &json!({ "textDocument": { "uri": uri } }));
    assert_eq!(ask(&mut client, &uri, &Value::Null), json!({ "kind": "full", "items": [] }));
    let answer = client.request("textDocument/diagnostic", &json!({}));
    assert_eq!(answer["error"]["code"], -32602);
    assert!(!client.seen.iter().any(|it| it["method"] == "textDocument/publishDiagnostics"));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn who_asks_for_diagnostics_gets_them_also_without_having_said_so() {
    let scratch = Scratch::new();
    let mut client = Client::ready(scratch.path(), &json!({}));
    let params = json!({ "textDocument": { "uri": "file:///a%22diagnostics%22:[.md" } });
    let uri = params["textDocument"]["uri"].as_str().unwrap();
    for text in ["http://localhost/x \"www.a.bc\"\n", "nothing\n"] {
        client.open(uri, text);
        let asked = client.request("textDocument/diagnostic", &params);
        assert_eq!(asked["result"]["kind"], "full", "{asked}");
        let items = asked["result"]["items"].as_array().unwrap();
        // They are also sent, as to everybody who does not say it.
        assert_eq!(*items, client.diagnostics(uri, Some(1)));
        assert_eq!(items.is_empty(), text == "nothing\n");
        let id = &asked["result"]["resultId"];
        let again = json!({ "textDocument": { "uri": uri }, "previousResultId": id });
        let again = client.request("textDocument/diagnostic", &again);
        assert_eq!(again["result"]["kind"], "unchanged");
        client.notify("textDocument/didClose", &params);
        assert_eq!(client.diagnostics(uri, None), [Value::Null; 0]);
    }
    assert_eq!(client.end(), Some(0));
}
