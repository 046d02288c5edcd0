//! The answers that the page at `/try/` gets.

use serde_json::{Value, json};

use crate::support::Served;

fn ask(served: &Served, what: &str, text: &str) -> Value {
    let answer = served.post(&format!("/try/api/{what}"), "", text);
    assert_eq!(answer.status, 200, "{what}: {}", answer.text());
    assert_eq!(answer.header("content-type"), "application/json");
    serde_json::from_slice(&answer.body).unwrap()
}

#[test]
fn answers_are_those_of_the_engine_with_offsets_of_javascript() {
    let served = Served::new();
    let text = "😀 www.a.bc. [é](/x \"t\") `a@b.cd`";
    let html = barelink::to_html(text, &barelink::Options::gfm()).unwrap();
    assert_eq!(ask(&served, "html/gfm", text), json!(html));
    assert_eq!(
        ask(&served, "links/gfm", text),
        json!([
            { "image": false, "form": "www", "href": "http://www.a.bc", "title": "", "text": "www.a.bc",
              "span": { "start": 3, "end": 11 } },
            { "image": false, "form": "inline", "href": "/x", "title": "t", "text": "é",
              "span": { "start": 13, "end": 24 } },
        ])
    );
    assert_eq!(
        ask(&served, "explain/gfm", text),
        json!([
            { "kind": "www", "candidate": { "start": 3, "end": 7 }, "verdict": "linked",
              "span": { "start": 3, "end": 11 }, "href": "http://www.a.bc",
              "trims": [{ "span": { "start": 11, "end": 12 },
                "sentence": "Punctuation at the end (`?`, `!`, `.`, `,`, `:`, `*`, `_`, `~`) \
                             is not part of the link.",
                "section": "GFM 0.29 §6.9, extended autolink path validation" }] },
            { "kind": "email", "candidate": { "start": 27, "end": 28 }, "verdict": "elsewhere",
              "sentence": "It is in a code span, and code has no links." },
        ])
    );
    let events = ask(&served, "events/gfm", "*é* x");
    let events = events.as_array().unwrap();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["start", "start", "text", "end", "text", "end"]);
    assert_eq!(events[3]["tag"], "emphasis");
    assert_eq!(
        events[1],
        json!({ "event": "start", "tag": "emphasis", "span": { "start": 0, "end": 3 } })
    );
}

#[test]
fn what_cannot_be_answered_is_said() {
    let served = Served::new();
    for path in ["html/nothing", "nothing/gfm", "html/GFM", "html/%2e%2e"] {
        assert_eq!(served.post(&format!("/try/api/{path}"), "", "x").status, 404, "{path}");
    }
    assert_eq!(served.get("/try/api/html/gfm").status, 405);
    // Another site may not even ask.
    for (from, status) in
        [("cross-site", 403), ("same-site", 403), ("none", 403), ("same-origin", 200)]
    {
        let headers = format!("Sec-Fetch-Site: {from}\r\n");
        assert_eq!(served.post("/try/api/html/gfm", &headers, "x").status, status, "{from}");
    }
    let not_text = "POST /try/api/html/gfm HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                    Content-Length: 1\r\n\r\n";
    let mut request = not_text.as_bytes().to_vec();
    request.push(0xff);
    assert_eq!(served.send(request).status, 400);
}
