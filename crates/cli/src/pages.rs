//! Turns links from one converted file to another into links between their pages, for `--out-dir`.
//!
//! ```text
//! in docs/a.md    ../b.md#top     docs/b.md is not an input       as it is
//! in docs/a.md    ../b.md#top     b.md is, and becomes b.html     ../b.html#top
//! ```
//!
//! Paths are compared as text, without access to the file system.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use barelink::{Action, Document, Link, url};

/// The inputs, and the page that each becomes.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    outputs: HashMap<PathBuf, PathBuf>,
    /// The extensions of the inputs. A source that contains none of them has no such link.
    extensions: Vec<String>,
}

impl Pages {
    /// Adds an input and its page.
    pub(crate) fn insert(&mut self, input: &Path, output: &Path) {
        let end = match input.extension().and_then(|extension| extension.to_str()) {
            Some(extension) => format!(".{extension}"),
            None => String::new(),
        };
        if !self.extensions.contains(&end) {
            self.extensions.push(end);
        }
        self.outputs.insert(normal(input), normal(output));
    }

    /// Appends the HTML of the document in `input`, which becomes the page `output`.
    pub(crate) fn push_html(
        &self,
        document: &Document<'_, '_>,
        input: &Path,
        output: &Path,
        out: &mut String,
    ) {
        if !self.extensions.iter().any(|end| document.source().contains(end)) {
            return document.push_html(out);
        }
        let (input, output) = (normal(input), normal(output));
        let hook = |link: &Link<'_>| match self.page(link, &input, &output) {
            Some(page) => Action::rewrite(page),
            None => Action::Keep,
        };
        document.push_html_with(hook, out);
    }

    /// The new destination of a link, if it leads to an input.
    fn page(&self, link: &Link<'_>, input: &Path, output: &Path) -> Option<String> {
        let destination = &*link.href;
        let path_len = destination.find(['?', '#']).unwrap_or(destination.len());
        let (path, rest) = destination.split_at(path_len);
        if path.is_empty() || path.starts_with('/') || url::scheme(path).is_some() {
            return None;
        }
        let target = normal(&input.parent()?.join(decoded(path)?));
        let page = self.outputs.get(&target)?;
        let mut href = relative(page, output.parent()?);
        href.push_str(rest);
        Some(href)
    }
}

/// A path without `.` and `..`, absolute if the current directory is known.
fn normal(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut normal = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            component => normal.push(component),
        }
    }
    normal
}

/// The relative destination of a page, seen from a folder.
fn relative(page: &Path, folder: &Path) -> String {
    let n_shared = page
        .components()
        .zip(folder.components())
        .take_while(|(page, folder)| page == folder)
        .count();
    let mut href = "../".repeat(folder.components().count() - n_shared);
    for (idx, component) in page.components().skip(n_shared).enumerate() {
        if idx > 0 {
            href.push('/');
        }
        // Characters of a path that have another meaning in a destination are escaped.
        for c in component.as_os_str().to_string_lossy().chars() {
            match c {
                '%' => href.push_str("%25"),
                '?' => href.push_str("%3F"),
                '#' => href.push_str("%23"),
                // It would end a scheme in the first segment.
                ':' => href.push_str("%3A"),
                c => href.push(c),
            }
        }
    }
    href
}

/// Percent-decodes the path of a destination.
fn decoded(path: &str) -> Option<PathBuf> {
    if !path.contains('%') {
        return Some(PathBuf::from(path));
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut pieces = path.split('%');
    bytes.extend(pieces.next()?.bytes());
    for piece in pieces {
        let digits = piece.get(..2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend(piece[2..].bytes());
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use barelink::Options;

    #[test]
    fn links_between_inputs_lead_to_pages() {
        let mut pages = Pages::default();
        for (input, output) in [
            ("docs/a.md", "site/docs/a.html"),
            ("b.md", "site/b.html"),
            ("docs/x y#1.md", "site/docs/x y#1.html"),
            ("LICENSE", "site/LICENSE.html"),
        ] {
            pages.insert(Path::new(input), Path::new(output));
        }
        for (destination, expected) in [
            ("../b.md#top", "../b.html#top"),
            ("./a.md?x=1", "a.html?x=1"),
            ("x%20y%231.md", "x%20y%231.html"),
            ("<../LICENSE>", "../LICENSE.html"),
            ("c.md", "c.md"),
            ("#b.md", "#b.md"),
            ("/b.md", "/b.md"),
            ("https://a.bc/../b.md", "https://a.bc/../b.md"),
            ("//a.bc/b.md", "//a.bc/b.md"),
            ("%zz.md", "%zz.md"),
        ] {
            let source = format!("[t]({destination})");
            let document = barelink::parse(&source, &Options::gfm()).unwrap();
            let (input, output) = (Path::new("docs/a.md"), Path::new("site/docs/a.html"));
            let mut html = String::new();
            pages.push_html(&document, input, output, &mut html);
            assert_eq!(html, format!("<p><a href=\"{expected}\">t</a></p>\n"));
        }
    }
}
