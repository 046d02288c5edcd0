//! Responses, and the headers that all of them have.
//!
//! A page may load the server's own assets and images of the folder, and nothing else. Files of the
//! folder are never run, whatever they are: a browser may neither guess a type nor give them the
//! rights of a page.

use axum::body::Body;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{Response, StatusCode};

/// What a browser may do with a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rights<'a> {
    /// A page: run scripts below `assets`, send requests to this server, show images.
    Page {
        /// The base address of the server's scripts and styles.
        assets: &'a str,
        /// More sources of images, with a space before each.
        images: &'a str,
        /// More sources for `script-src`, with a space before each.
        more_scripts: &'a str,
    },
    /// A script of the server, which may send requests to it.
    Script,
    /// Anything else: nothing.
    Nothing,
}

/// Headers that all responses have.
const ALWAYS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Makes a response with all headers.
pub(crate) fn answer(
    status: StatusCode,
    content_type: &str,
    rights: Rights<'_>,
    body: impl Into<Body>,
) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = rights.policy();
    let texts = [(header::CONTENT_TYPE, content_type), (header::CONTENT_SECURITY_POLICY, &policy)];
    for (name, value) in texts {
        // Neither contains a character that is invalid in a header.
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    }
    response
}

/// Makes a response in plain text, such as an error message.
pub(crate) fn text(status: StatusCode, text: impl Into<Body>) -> Response<Body> {
    answer(status, "text/plain; charset=utf-8", Rights::Nothing, text)
}

impl Rights<'_> {
    /// The Content-Security-Policy.
    fn policy(self) -> String {
        match self {
            Self::Page { assets, images, more_scripts } => format!(
                "default-src 'none'; script-src {assets}{more_scripts}; style-src {assets}; \
                 worker-src {assets}; connect-src 'self'; img-src 'self' data:{images}; \
                 media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            ),
            Self::Script => "default-src 'none'; script-src 'self'; connect-src 'self'; \
                             base-uri 'none'; frame-ancestors 'none'"
                .to_owned(),
            Self::Nothing => "default-src 'none'; img-src data:; style-src 'unsafe-inline'; \
                              sandbox; frame-ancestors 'none'"
                .to_owned(),
        }
    }
}

/// The media type of a file of the folder, by its name. Files that a browser would run or render
/// as a page are plain text.
pub(crate) fn type_of(name: &str, bytes: &[u8]) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "avif" => "image/avif",
        "bmp" => "image/bmp",
        "gif" => "image/gif",
        "ico" => "image/x-icon",
        "jpeg" | "jpg" => "image/jpeg",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "webp" => "image/webp",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "wav" => "audio/wav",
        "mov" => "video/quicktime",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "pdf" => "application/pdf",
        _ if std::str::from_utf8(bytes).is_ok() => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
