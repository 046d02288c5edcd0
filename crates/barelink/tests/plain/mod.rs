//! Which sources are plain text to Markdown.

use barelink::Options;

/// Whether Markdown makes nothing of a text but one paragraph that says the same.
pub(crate) fn is_plain(source: &str) -> bool {
    let escaped = source
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;");
    let html = barelink::to_html(source, &Options::commonmark()).expect("the source is short");
    html == format!("<p>{escaped}</p>\n")
}
