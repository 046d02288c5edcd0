//! Connections: how many there may be at once, and how long each may wait for a request.
//!
//! A connection that sends nothing, or half of a request, is closed, and so is one that was kept
//! for another request. A page that waits for changes has sent its request, and may wait. If there
//! are as many connections as there may be, the next one waits until another ends.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::sleep;

/// How long to wait if the system has no more files to open.
const RETRY: Duration = Duration::from_millis(100);

/// What is allowed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// How long the head of a request may take, from the connection or the last answer on.
    pub(crate) head: Duration,
    /// How many connections there may be.
    pub(crate) n_open: usize,
}

impl Default for Limits {
    /// macOS opens 256 files, and a browser 6 connections.
    fn default() -> Self {
        Self { head: Duration::from_secs(10), n_open: 200 }
    }
}

/// Answers all connections, forever.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: Limits) {
    let places = Arc::new(Semaphore::new(limits.n_open));
    // The semaphore is never closed.
    while let Ok(place) = places.clone().acquire_owned().await {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                if !is_of_connection(&error) {
                    sleep(RETRY).await;
                }
                continue;
            }
        };
        let router = router.clone();
        drop(tokio::spawn(async move {
            answer(stream, router, limits).await;
            drop(place);
        }));
    }
}

/// Whether an error is about a connection that ended before it began, and not about the next one.
fn is_of_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn answer(stream: TcpStream, router: Router, limits: Limits) {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head);
    let service = TowerToHyperService::new(router);
    // The other side knows of any error here.
    drop(builder.serve_connection(TokioIo::new(stream), service).await);
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{SocketAddr, TcpListener, TcpStream};
    use std::thread;
    use std::time::{Duration, Instant};

    use axum::Router;
    use axum::routing::get;
    use tokio::time::sleep;

    use super::{Limits, serve};

    /// Longer than any answer takes, however busy the machine is.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// A server, for as long as the tests run.
    fn start(limits: Limits) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                let slow = get(async move || {
                    sleep(limits.head * 2).await;
                    "slow"
                });
                let router = Router::new().route("/", get(async || "here")).route("/slow", slow);
                serve(listener, router, limits).await;
            });
        });
        address
    }

    fn connect(address: SocketAddr, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// What is received until the server closes the connection.
    fn rest(mut stream: TcpStream) -> String {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn who_does_not_ask_is_hung_up_on() {
        let address = start(Limits { head: Duration::from_millis(500), n_open: 10 });
        for request in ["", "GET / HTTP/1.1\r\nHost: a", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"] {
            let whole = rest(connect(address, request));
            assert_eq!(whole.contains("here"), request.ends_with("\r\n\r\n"), "{whole}");
        }
        // An answer may take longer.
        let request = "GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        assert!(rest(connect(address, request)).ends_with("slow"));
    }

    #[test]
    fn more_than_there_may_be_wait_for_their_turn() {
        let head = Duration::from_secs(1);
        let address = start(Limits { head, n_open: 2 });
        let start = Instant::now();
        let idle: Vec<_> = (0..2).map(|_| connect(address, "")).collect();
        let request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        assert!(rest(connect(address, request)).ends_with("here"));
        assert!(start.elapsed() >= head, "{:?}", start.elapsed());
        drop(idle);
    }
}
