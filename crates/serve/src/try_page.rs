//! The page that compares dialects, at `/try/`.
//!
//! Its files are in `page/`, in the same form as on a static host. There, the engine runs as
//! WebAssembly; here, the page sends requests to `api`, because building this command must not
//! require a compiler for WebAssembly. Only the file `engine.js` differs.

/// The page itself.
pub(crate) const INDEX: &str = include_str!("../page/index.html");

/// A file of the page: its type and its content.
pub(crate) fn file(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "style.css" => ("text/css", include_str!("../page/style.css")),
        "ask.js" => ("text/javascript", include_str!("../page/ask.js")),
        "main.js" => ("text/javascript", include_str!("../page/main.js")),
        "view.js" => ("text/javascript", include_str!("../page/view.js")),
        "why.js" => ("text/javascript", include_str!("../page/why.js")),
        "live.js" => ("text/javascript", include_str!("../page/live.js")),
        "inert.js" => ("text/javascript", include_str!("../page/inert.js")),
        "examples.js" => ("text/javascript", include_str!("../page/examples.js")),
        "worker.js" => ("text/javascript", include_str!("../page/worker.js")),
        "compare.js" => ("text/javascript", include_str!("../page/compare.js")),
        "share.js" => ("text/javascript", include_str!("../page/share.js")),
        "engine.js" => ("text/javascript", include_str!("../page/engine-local.js")),
        _ => return None,
    })
}
