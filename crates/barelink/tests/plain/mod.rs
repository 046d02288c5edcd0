//! Which sources are plain text to Markdown.

use barelink::{Options, Policy};

/// Whether Markdown makes nothing of a text but one paragraph that says the same.
pub(crate) fn is_plain(source: &str) -> bool {
    let mut options = Options::commonmark();
    // Raw HTML that is shown as text would look plain.
    options.policy = Policy::TRUSTED;
    let escaped = source
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;");
    let html = barelink::to_html(source, &options).expect("the source is short");
    html == format!("<p>{escaped}</p>\n")
}
