//! Comments from strangers: safe to put into a page, links that search engines do not follow,
//! no link to a site that is known for spam, images that load when they are seen, ids that
//! are unique on the page, line endings as they were typed.
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

use barelink::{Action, Change, Link, Options, Parser, SoftBreaks, Urls};

/// Whoever is linked from here is not linked.
const SPAM: [&str; 2] = ["spam.example", "casino.example"];

fn main() -> ExitCode {
    common::run(comment_box)
}

/// What a comment may do. Raw HTML is shown as text: that is the default.
fn options(number: usize) -> Options {
    let mut options = Options::natural();
    options.policy.urls = Urls::schemes(["http", "https", "mailto"]);
    options.policy.external.rel = Some("nofollow ugc".into());
    options.policy.own_hosts = vec!["forum.example".to_owned()];
    options.policy.heading_ids = true;
    options.policy.id_prefix = format!("comment-{number}-").into();
    options.policy.soft_breaks = SoftBreaks::Hard;
    options
}

/// What becomes of a link or an image.
fn decide(link: &Link<'_>) -> Action {
    if link.host().is_some_and(|host| SPAM.contains(&&*host)) {
        Action::Plain
    } else if link.image {
        Change::new().attribute("loading", "lazy").into()
    } else {
        Action::Keep
    }
}

/// Writes each comment as an `<article>`.
pub(crate) fn comment_box(source: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    for (idx, comment) in source.split("\n---\n").enumerate() {
        let mut parser = Parser::new(options(idx + 1));
        let mut html = String::new();
        parser.parse(comment)?.push_html_with(decide, &mut html);
        writeln!(out, "<article>\n{html}</article>")?;
    }
    Ok(())
}
