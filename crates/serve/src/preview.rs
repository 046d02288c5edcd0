//! The pages of documents and folders.

use std::fmt::Write as _;
use std::io;

use barelink::html::push_escaped;
use barelink::{Options, Parser};

use crate::changes;
use crate::folder::{Found, is_markdown, push_encoded};
use crate::routes::Site;

pub(crate) const STYLE: &str = include_str!("../assets/preview.css");
pub(crate) const SCRIPT: &str = include_str!("../assets/reload.js");

/// The parts of a page around its content.
pub(crate) struct Frame {
    title: String,
    /// The names from the root, which is first, to this page.
    trail: Vec<String>,
    /// The path of the source, if there is one.
    raw: Option<String>,
    state: u64,
}

impl Frame {
    fn new(site: &Site, segments: &[String], state: u64) -> Self {
        let mut trail = vec![site.folder.name()];
        trail.extend_from_slice(segments);
        let title = trail.last().cloned().unwrap_or_default();
        Self { title, trail, raw: None, state }
    }

    /// The frame for a path that leads to nothing, or cannot be shown. If that changes, the page
    /// reloads.
    pub(crate) fn of_path(site: &Site, path: &str) -> Self {
        Self::new(site, &[], changes::state(site, path))
    }

    /// Makes the page with this content, which is HTML.
    fn page(&self, content: &str) -> String {
        let mut out = String::with_capacity(content.len() + 2048);
        out.push_str(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>",
        );
        push_escaped(&self.title, &mut out);
        let _ = write!(
            out,
            "</title>\n<link rel=\"icon\" href=\"data:,\">\n\
             <link rel=\"stylesheet\" href=\"/-/preview.css\">\n\
             <script type=\"module\" src=\"/-/reload.js\"></script>\n\
             </head>\n<body data-state=\"{}\">\n<header>\n<nav aria-label=\"Folders\">",
            self.state
        );
        self.push_trail(&mut out);
        out.push_str("</nav>\n<span class=\"tools\">");
        if let Some(raw) = &self.raw {
            let _ = write!(out, "<a href=\"{raw}?raw\">Source</a> ");
        }
        out.push_str("<a href=\"/try/\">Try links</a></span>\n</header>\n<main>\n");
        out.push_str(content);
        out.push_str("</main>\n<p id=\"status\" role=\"status\"></p>\n</body>\n</html>\n");
        out
    }

    fn push_trail(&self, out: &mut String) {
        let mut path = "/".to_owned();
        for (idx, name) in self.trail.iter().enumerate() {
            if idx > 0 {
                push_encoded(name, &mut path);
                path.push('/');
                out.push_str(" / ");
            }
            if idx + 1 < self.trail.len() || idx == 0 {
                let _ = write!(out, "<a href=\"{path}\">");
                push_escaped(name, out);
                out.push_str("</a>");
            } else {
                out.push_str("<strong>");
                push_escaped(name, out);
                out.push_str("</strong>");
            }
        }
    }
}

/// The page of a document.
pub(crate) fn document(site: &Site, found: &Found, bytes: &[u8], state: u64) -> String {
    let mut frame = Frame::new(site, &found.segments, state);
    frame.raw = Some(found.path());
    let mut content = String::new();
    let title = push_document(&site.options, bytes, &mut content);
    if let Some(title) = title {
        frame.title = title;
    }
    frame.page(&content)
}

/// Appends the HTML of a document. Returns the text of its first heading.
fn push_document(options: &Options, bytes: &[u8], out: &mut String) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = std::str::from_utf8(bytes) {
        let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count();
        let _ = writeln!(
            out,
            "<p class=\"notice\">This file is not UTF-8. Its first wrong byte is in line {line}; \
             wrong bytes are shown as \u{FFFD}.</p>"
        );
    }
    out.push_str("<article>\n");
    let mut parser = Parser::new(options.clone());
    // No file that is read exceeds the maximum length of a source.
    let document = parser.parse(&text).ok()?;
    document.push_html(out);
    out.push_str("</article>\n");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = document.headings().map(|heading| words(&heading.text));
    title.into_iter().find(|title| !title.is_empty())
}

/// The page of a folder: its entries, and its README.
pub(crate) fn folder(site: &Site, found: &Found) -> io::Result<String> {
    let path = found.path() + "/";
    let frame = Frame::new(site, &found.segments, changes::state(site, &path));
    let entries = site.folder.entries(&found.place)?;
    let mut content = String::from("<h1 class=\"sr-only\">Files</h1>\n<ul class=\"index\">\n");
    if !found.segments.is_empty() {
        content.push_str("<li class=\"folder\"><a href=\"../\">..</a></li>\n");
    }
    for entry in &entries {
        let kind = match entry.is_file {
            false => "folder",
            true if is_markdown(&entry.name) => "page",
            true => "file",
        };
        let _ = write!(content, "<li class=\"{kind}\"><a href=\"");
        push_encoded(&entry.name, &mut content);
        content.push_str(if entry.is_file { "\">" } else { "/\">" });
        push_escaped(&entry.name, &mut content);
        content.push_str("</a></li>\n");
    }
    content.push_str("</ul>\n");
    if entries.is_empty() {
        content.push_str("<p class=\"notice\">There is nothing to show in this folder.</p>\n");
    }
    let readme = entries.iter().find(|entry| entry.is_file && is_readme(&entry.name));
    if let Some(entry) = readme {
        let mut readme = path;
        push_encoded(&entry.name, &mut readme);
        if let Some(bytes) = site.folder.find(&readme).and_then(|found| found.read().ok()) {
            push_document(&site.options, &bytes, &mut content);
        }
    }
    Ok(frame.page(&content))
}

/// Whether a file may be shown below the entries of its folder.
pub(crate) fn is_readme(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or("", |(stem, _)| stem);
    is_markdown(name) && (stem.eq_ignore_ascii_case("readme") || stem.eq_ignore_ascii_case("index"))
}

/// The page of an error.
pub(crate) fn error(frame: &Frame, status: &str, what: &str) -> String {
    let mut content = format!("<h1>{status}</h1>\n<p>");
    push_escaped(what, &mut content);
    content.push_str("</p>\n<p><a href=\"/\">All files</a></p>\n");
    frame.page(&content)
}
