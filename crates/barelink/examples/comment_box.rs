//! Comments of strangers: safe to put into a page, links that search engines do
//! not follow, no images, line endings as they were typed.
//!
//! ```sh
//! echo 'Nice! <script>alert(1)</script> www.a.bc' | cargo run --example comment_box
//! ```
//!
//! Lines of three hyphens stand between comments.

mod common;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use barelink::{Action, Options, Parser, SoftBreaks, Urls};

fn main() -> ExitCode {
    common::run(comment_box)
}

/// What a comment may do. Raw HTML is shown as text: that is the default.
fn options() -> Options {
    let mut options = Options::natural();
    options.footnotes = false;
    options.policy.urls = Urls::Schemes(&["http", "https", "mailto"]);
    options.policy.bare.rel = Some("nofollow ugc");
    options.policy.external.rel = Some("nofollow ugc");
    options.policy.soft_breaks = SoftBreaks::Hard;
    options
}

/// Writes each comment as an `<article>`.
pub(crate) fn comment_box(source: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // One parser for all of them: it keeps its memory.
    let mut parser = Parser::new(options());
    let mut html = String::new();
    for comment in source.split("\n---\n") {
        html.clear();
        let mut document = parser.parse(comment)?;
        // An image would tell its server who reads the comment.
        let hook = |link: &barelink::Link<'_>| {
            if link.image { Action::Plain } else { Action::Keep }
        };
        document.push_html_with(hook, &mut html);
        writeln!(out, "<article>\n{html}</article>")?;
    }
    Ok(())
}
