//! The routes of the server.

use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, FromRequest as _, Path, State};
use axum::http::header::{HOST, HeaderValue, LOCATION};
use axum::http::{HeaderMap, Request, Response, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::IntoResponse as _;
use axum::routing::{get, post};
use barelink::Options;
use futures_util::future;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::answer::{self, Rights, answer};
use crate::connections::{self, Limits};
use crate::folder::{self, Folder, Found};
use crate::host::Hosts;
use crate::preview::{self, Frame};
use crate::{Error, Images, Settings, api, changes, try_page};

/// The maximum length of a text that is sent to the API, in bytes.
const TEXT_MAX: usize = 64 << 20;

/// How long it may take until that has come.
const TEXT_TIME: Duration = Duration::from_secs(60);

/// The state that all requests share.
pub(crate) struct Site {
    pub(crate) folder: Folder,
    pub(crate) options: Options,
    hosts: Hosts,
    images: Images,
}

type Shared = State<Arc<Site>>;

/// Answers requests until the process is interrupted or terminated. Calls `started` when signals
/// are handled and requests are about to be accepted.
pub(crate) async fn run(
    listener: TcpListener,
    settings: Settings,
    started: impl FnOnce(),
) -> Result<(), Error> {
    let listener = tokio::net::TcpListener::from_std(listener).map_err(Error::Run)?;
    let told_to_end = told_to_end().map_err(Error::Run)?;
    started();
    let serve = connections::serve(listener, router(settings), Limits::default());
    // No graceful shutdown: pages that wait for changes would keep their connections open.
    future::select(pin!(serve), pin!(told_to_end)).await;
    Ok(())
}

/// Returns a future that waits for SIGINT or SIGTERM. Both are handled from this call on.
#[cfg(unix)]
fn told_to_end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        future::select(pin!(interrupt.recv()), pin!(terminate.recv())).await;
    })
}

/// Returns a future that waits for Ctrl-C.
#[cfg(not(unix))]
fn told_to_end() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            future::pending::<()>().await;
        }
    })
}

fn router(settings: Settings) -> Router {
    let site = Arc::new(Site {
        hosts: Hosts::new(settings.address, &settings.names),
        folder: Folder::new(settings.folder),
        options: settings.options,
        images: settings.images,
    });
    Router::new()
        .route("/-/changes", get(watch))
        .route("/-/{name}", get(asset))
        .route("/try", get(async || redirect("/try/")))
        .route("/try/", get(try_index))
        .route("/try/{name}", get(try_file))
        .route("/try/api/{what}/{preset}", post(ask))
        .layer(DefaultBodyLimit::max(TEXT_MAX))
        .fallback(in_folder)
        .layer(middleware::from_fn_with_state(site.clone(), only_ours))
        .with_state(site)
}

/// Refuses requests that were sent to another host, whatever their path.
async fn only_ours(State(site): Shared, request: Request<Body>, next: Next) -> Response<Body> {
    let mut names = request.headers().get_all(HOST).iter();
    let header = names.next().and_then(|name| name.to_str().ok());
    let is_ours = names.next().is_none()
        && header.is_some_and(|name| site.hosts.allow(name))
        // The first line of a request may name the host, too.
        && request.uri().authority().is_none_or(|name| site.hosts.allow(name.as_str()));
    if is_ours {
        return next.run(request).await;
    }
    answer::text(
        StatusCode::MISDIRECTED_REQUEST,
        "This server does not answer to that host name. To let it, start it with \
         --allow-host NAME.\n",
    )
}

/// Answers a request for a file or folder.
async fn in_folder(State(site): Shared, request: Request<Body>) -> Response<Body> {
    if !matches!(request.method().as_str(), "GET" | "HEAD") {
        return answer::text(StatusCode::METHOD_NOT_ALLOWED, "Files can only be read.\n");
    }
    let origin = origin(request.headers());
    let uri = request.uri().clone();
    blocking(move || show(&site, &uri, &origin)).await
}

/// The origin that the request was sent to; its host is already checked.
fn origin(headers: &HeaderMap) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    format!("http://{}", host.unwrap_or("localhost"))
}

fn show(site: &Site, uri: &Uri, origin: &str) -> Response<Body> {
    let assets = format!("{origin}/-/");
    let images = match site.images {
        Images::Local => "",
        Images::Anywhere => " http: https:",
    };
    let rights = Rights::Page { assets: &assets, images, more_scripts: "" };
    let page = |status, page: String| answer(status, "text/html; charset=utf-8", rights, page);
    let wrong = |status: StatusCode, what: &str| {
        page(status, preview::error(&Frame::of_path(site, uri.path()), status.as_str(), what))
    };

    let Some(found) = site.folder.find(uri.path()) else {
        return wrong(StatusCode::NOT_FOUND, "There is no such file in this folder.");
    };
    if found.metadata.is_dir() {
        if !found.ends_with_slash {
            return redirect(&(found.path() + "/"));
        }
        return match preview::folder(site, &found) {
            Ok(text) => page(StatusCode::OK, text),
            Err(error) => wrong(StatusCode::FORBIDDEN, &format!("Cannot be listed: {error}.")),
        };
    }
    let state = changes::state(site, uri.path());
    match found.read() {
        Ok(bytes) if folder::is_markdown(found.name()) && uri.query() != Some("raw") => {
            page(StatusCode::OK, preview::document(site, &found, &bytes, state))
        }
        Ok(bytes) => file(&found, bytes),
        Err(error) => wrong(StatusCode::FORBIDDEN, &format!("Cannot be read: {error}.")),
    }
}

fn file(found: &Found, bytes: Vec<u8>) -> Response<Body> {
    let content_type = answer::type_of(found.name(), &bytes);
    answer(StatusCode::OK, content_type, Rights::Nothing, bytes)
}

fn redirect(path: &str) -> Response<Body> {
    let mut response = answer::text(StatusCode::PERMANENT_REDIRECT, String::new());
    // It is encoded, so it has no character that is invalid in a header.
    if let Ok(path) = HeaderValue::from_str(path) {
        response.headers_mut().insert(LOCATION, path);
    }
    response
}

/// Answers a request for an asset of the server's pages.
async fn asset(Path(name): Path<String>) -> Response<Body> {
    match name.as_str() {
        "preview.css" => asset_answer("text/css", preview::STYLE),
        "reload.js" => asset_answer("text/javascript", preview::SCRIPT),
        _ => answer::text(StatusCode::NOT_FOUND, "There is no such file.\n"),
    }
}

fn asset_answer(content_type: &str, text: &'static str) -> Response<Body> {
    answer(StatusCode::OK, &format!("{content_type}; charset=utf-8"), Rights::Script, text)
}

async fn try_index(headers: HeaderMap) -> Response<Body> {
    let assets = format!("{}/try/", origin(&headers));
    let rights = Rights::Page { assets: &assets, images: "", more_scripts: "" };
    answer(StatusCode::OK, "text/html; charset=utf-8", rights, try_page::INDEX)
}

async fn try_file(Path(name): Path<String>) -> Response<Body> {
    match try_page::file(&name) {
        Some((content_type, text)) => asset_answer(content_type, text),
        None => answer::text(StatusCode::NOT_FOUND, "There is no such file.\n"),
    }
}

/// Answers a request for the states of a path.
async fn watch(State(site): Shared, uri: Uri) -> Response<Body> {
    let path = uri.query().and_then(|query| query.strip_prefix("path="));
    match path.and_then(folder::percent_decode) {
        Some(path) => changes::stream(site, path),
        None => answer::text(StatusCode::BAD_REQUEST, "Ask with ?path= and a path.\n"),
    }
}

/// Answers a request to the API.
async fn ask(
    Path((what, preset)): Path<(String, String)>,
    request: Request<Body>,
) -> Response<Body> {
    // The request changes nothing, but other sites need not send it.
    let from = request.headers().get("sec-fetch-site").map(HeaderValue::as_bytes);
    if !matches!(from, None | Some(b"same-origin")) {
        return answer::text(StatusCode::FORBIDDEN, "Only for the page at /try/.\n");
    }
    let text = match timeout(TEXT_TIME, String::from_request(request, &())).await {
        Ok(Ok(text)) => text,
        Ok(Err(rejection)) => return rejection.into_response(),
        Err(_) => return answer::text(StatusCode::REQUEST_TIMEOUT, "The text did not come.\n"),
    };
    blocking(move || match api::answer(&what, &preset, &text) {
        Ok(json) => answer(StatusCode::OK, "application/json", Rights::Nothing, json),
        Err(error) => answer::text(error.status(), format!("{error}\n")),
    })
    .await
}

/// Runs blocking work on another thread.
async fn blocking(work: impl FnOnce() -> Response<Body> + Send + 'static) -> Response<Body> {
    spawn_blocking(work).await.unwrap_or_else(|_| {
        answer::text(StatusCode::INTERNAL_SERVER_ERROR, "The request was given up.\n")
    })
}
