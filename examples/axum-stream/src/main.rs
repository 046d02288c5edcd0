//! An answer over server-sent events, as `docs/streaming.md` describes it.
//!
//! ```text
//! model ─ pieces of Markdown ─▶ answer ─ one event for each update ─▶ page/page.js
//! ```
//!
//! A stored text stands for the model, and comes at the pace of one.

use std::convert::Infallible;
use std::env;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use barelink::stream::{Incomplete, StreamOptions, Update};
use barelink::{Options, Stream};
use serde_json::json;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio_stream::wrappers::ReceiverStream;

/// What the model says.
const TEXT: &str = include_str!("../answer.md");

/// How many characters it says at once, in turns.
const PIECES: [usize; 4] = [3, 7, 1, 5];

/// How many pieces or events may wait for whoever takes them.
const WAITING: usize = 16;

/// Nothing but what comes from here runs, and nothing is sent elsewhere. Images of an answer
/// would tell other hosts who reads it, so there are none.
const SECURITY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Begins to write, and gives the pieces as they come.
fn model(pace: Duration) -> Receiver<String> {
    let (pieces, receiver) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        let mut chars = TEXT.chars();
        for len in PIECES.into_iter().cycle() {
            let piece: String = chars.by_ref().take(len).collect();
            // The other side may have gone.
            if piece.is_empty() || pieces.send(piece).await.is_err() {
                break;
            }
            tokio::time::sleep(pace).await;
        }
    });
    receiver
}

/// An update as clients get it: the line that `barelink stream` would print.
fn event(update: Update<'_>) -> Event {
    let blocks = update.blocks().map(|block| {
        let state = block.state.name();
        json!({ "id": block.id.get(), "keep": block.keep, "html": block.html, "state": state })
    });
    let revised = update.revised().map(|block| json!({ "id": block.id.get(), "html": block.html }));
    let blocks: Vec<_> = blocks.collect();
    let revised: Vec<_> = revised.collect();
    let data = json!({ "blocks": blocks, "revised": revised, "end": update.is_end() });
    Event::default().data(data.to_string())
}

/// Sends what changes on the page, until the model has finished or the reader has gone.
async fn write(mut pieces: Receiver<String>, events: Sender<Result<Event, Infallible>>) {
    let mut options = StreamOptions::new(Options::github());
    options.optimistic = Incomplete::OPTIMISTIC;
    let mut stream = Stream::new(options);
    while let Some(piece) = pieces.recv().await {
        let mut pushed = stream.push(&piece);
        // What has come in the meantime is shown together.
        while let Ok(piece) = pieces.try_recv() {
            pushed = pushed.and_then(|()| stream.push(&piece));
        }
        if pushed.is_err() {
            break; // Four gigabytes are enough.
        }
        let update = stream.update();
        if !update.is_empty() && events.send(Ok(event(update))).await.is_err() {
            return;
        }
    }
    let end = event(stream.finish());
    // If nobody is there to hear of the end, that is fine.
    let _ = events.send(Ok(end)).await;
}

async fn answer(State(pace): State<Duration>) -> impl IntoResponse {
    let (events, receiver) = mpsc::channel(WAITING);
    tokio::spawn(write(model(pace), events));
    // Comments now and then, so that nobody between us and the reader takes silence for the end.
    Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default())
}

/// A file of the page.
fn file(
    content_type: &'static str,
    text: &'static str,
) -> ([(HeaderName, &'static str); 3], &'static str) {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_SECURITY_POLICY, SECURITY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, text)
}

fn app(pace: Duration) -> Router {
    const HTML: &str = "text/html; charset=utf-8";
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    const STYLE: &str = "text/css; charset=utf-8";
    Router::new()
        .route("/", get(async || file(HTML, include_str!("../page/index.html"))))
        .route("/page.js", get(async || file(SCRIPT, include_str!("../page/page.js"))))
        .route("/style.css", get(async || file(STYLE, include_str!("../page/style.css"))))
        // A part of the npm package that needs nothing else of it.
        .route("/live.js", get(async || file(SCRIPT, include_str!("../page/live.js"))))
        .route("/answer", get(answer))
        .with_state(pace)
}

/// Listens at the address that is given, or at port 3000 of this machine.
#[tokio::main]
async fn main() -> std::io::Result<()> {
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:3000".to_owned());
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, app(Duration::from_millis(15))).await
}

#[cfg(test)]
mod tests;
