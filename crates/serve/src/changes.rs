//! Pages that reload automatically.
//!
//! An open page listens to server-sent events about its path. The state of a path is a hash of the
//! size and time of its file and of the images in it, or of the names in its folder. It is written
//! into the page, and sent whenever it changes, so a page knows that it is out of date even if the
//! change came before it began to listen, or while the server was down.
//!
//! States are polled every [`INTERVAL`], only for pages that are open and visible. That is a few
//! system calls per second, works on every file system, including network and container mounts,
//! has no limit on the number of watched folders, and does not depend on how an editor replaces a
//! file. Notifications of the system guarantee none of that.

use std::convert::Infallible;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse as _;
use axum::response::sse::{Event, KeepAlive, Sse};
use barelink::Parser;
use futures_util::stream;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::answer;
use crate::folder::{self, Found};
use crate::routes::Site;

/// How often a file is polled.
const INTERVAL: Duration = Duration::from_millis(200);

/// The maximum length of a document whose images count for its state, in bytes.
const SOURCE_MAX: u64 = 4 << 20;

/// The maximum number of images of a document that count for its state.
const IMAGES_MAX: usize = 100;

/// The state of a path; 0 if it leads to nothing.
pub(crate) fn state(site: &Site, path: &str) -> u64 {
    let Some(found) = site.folder.find(path) else { return 0 };
    let mut hasher = DefaultHasher::new();
    hash_place(&found.place, &mut hasher);
    if found.metadata.is_dir() {
        for entry in site.folder.entries(&found.place).unwrap_or_default() {
            (entry.is_file, &entry.name).hash(&mut hasher);
            if crate::preview::is_readme(&entry.name) {
                hash_place(&found.place.join(&entry.name), &mut hasher);
            }
        }
    } else if folder::is_markdown(found.name()) && found.metadata.len() <= SOURCE_MAX {
        hash_images(site, &found, &mut hasher);
    }
    hasher.finish().max(1)
}

fn hash_place(place: &Path, hasher: &mut DefaultHasher) {
    if let Ok(metadata) = fs::metadata(place) {
        (metadata.len(), metadata.modified().ok()).hash(hasher);
    }
}

/// Hashes the images of a document that are on the same site: their destinations are paths.
fn hash_images(site: &Site, found: &Found, hasher: &mut DefaultHasher) {
    let Ok(bytes) = found.read() else { return };
    let text = String::from_utf8_lossy(&bytes);
    let mut parser = Parser::new(site.options.clone());
    let Ok(document) = parser.parse(&text) else { return };
    let folder = found.path();
    let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
    for link in document.links().filter(|link| link.image).take(IMAGES_MAX) {
        let path = link.href.split(['?', '#']).next().unwrap_or_default();
        if path.contains(':') || path.starts_with("//") {
            continue;
        }
        let path = join(folder, path);
        if let Some(image) = site.folder.find(&path) {
            hash_place(&image.place, hasher);
        }
    }
}

/// Resolves a path against that of a folder, as a browser does.
fn join(folder: &str, path: &str) -> String {
    let folder = if path.starts_with('/') { "" } else { folder };
    let mut segments: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            _ => segments.push(segment),
        }
    }
    format!("/{}", segments.join("/"))
}

/// Streams the states of a path: the current one, and each later one.
pub(crate) fn stream(site: Arc<Site>, path: String) -> Response<Body> {
    let states = stream::unfold(None, move |last: Option<u64>| {
        let (site, path) = (site.clone(), path.clone());
        async move {
            loop {
                if last.is_some() {
                    sleep(INTERVAL).await;
                }
                let (site, path) = (site.clone(), path.clone());
                let new = spawn_blocking(move || state(&site, &path)).await.ok()?;
                if last != Some(new) {
                    let event = Event::default().event("state").data(new.to_string());
                    return Some((Ok::<_, Infallible>(event), Some(new)));
                }
            }
        }
    });
    let events = Sse::new(states).keep_alive(KeepAlive::default()).into_response();
    let mut response = answer::text(StatusCode::OK, "");
    let content_type = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    *response.body_mut() = events.into_body();
    response
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn images_are_found_from_their_document() {
        for (folder, path, joined) in [
            ("", "a.png", "/a.png"),
            ("/docs", "a.png", "/docs/a.png"),
            ("/docs", "../a.png", "/a.png"),
            ("/docs", "/x/./a.png", "/x/a.png"),
            ("/docs", "../../../a.png", "/a.png"),
        ] {
            assert_eq!(join(folder, path), joined);
        }
    }
}
