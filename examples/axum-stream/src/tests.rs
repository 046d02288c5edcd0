//! The page is served with its policy, and what `/answer` sends leads to the whole answer.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use barelink::Options;
use serde_json::Value;
use tower::ServiceExt as _;

use super::{TEXT, app};

async fn get(path: &str) -> (HeaderMap, String) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let response = app(Duration::ZERO).oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let headers = response.headers().clone();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (headers, String::from_utf8(body.to_vec()).unwrap())
}

/// The updates in a body of server-sent events.
fn updates(body: &str) -> Vec<Value> {
    let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}

/// Applies an update as the contract says.
fn apply(update: &Value, page: &mut BTreeMap<u64, String>) {
    let changes = [&update["revised"], &update["blocks"]];
    for change in changes.into_iter().flat_map(|list| list.as_array().unwrap()) {
        let keep = change["keep"].as_u64().unwrap_or_default();
        let html = page.entry(change["id"].as_u64().unwrap()).or_default();
        html.truncate(usize::try_from(keep).unwrap());
        html.push_str(change["html"].as_str().unwrap());
    }
}

#[tokio::test]
async fn the_updates_lead_to_the_whole_answer() {
    let (headers, body) = get("/answer").await;
    assert_eq!(headers["content-type"], "text/event-stream");
    let updates = updates(&body);
    let mut page = BTreeMap::new();
    for update in &updates {
        apply(update, &mut page);
    }
    let html: String = page.into_values().collect();
    assert_eq!(html, barelink::to_html(TEXT, &Options::github()).unwrap());
    let (last, others) = updates.split_last().unwrap();
    assert_eq!(last["end"], true);
    assert!(others.iter().all(|update| update["end"] == false));
    assert!(others.len() > 10, "{} updates", others.len());
}

#[tokio::test]
async fn an_answer_ends_when_its_reader_goes() {
    let (events, receiver) = tokio::sync::mpsc::channel(1);
    drop(receiver);
    let pieces = super::model(Duration::ZERO);
    tokio::time::timeout(Duration::from_secs(60), super::write(pieces, events)).await.unwrap();
}

#[tokio::test]
async fn every_file_has_the_policy() {
    for path in ["/", "/page.js", "/live.js", "/style.css"] {
        let (headers, body) = get(path).await;
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        assert!(!body.is_empty(), "{path}");
    }
    let (_, page) = get("/").await;
    assert!(!page.contains("<script>") && !page.contains("style="), "{page}");
}

#[test]
fn the_documentation_shows_what_is_here() {
    let guide = include_str!("../../../docs/streaming.md");
    let script = include_str!("../page/page.js");
    let shown = guide.split("```js\n").nth(1).unwrap().split("```\n").next().unwrap();
    assert!(script.contains(shown), "{shown}");
}
