//! Changes a document's events before they are written: relative links and
//! images get a base, so that the HTML can be shown on another site.
//!
//! ```sh
//! echo '[a](b.html) ![c](/d.png) www.e.fg' | cargo run --example rewrite_links
//! ```

mod common;

use std::borrow::Cow;
use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use barelink::{Event, EventKind, Options, Parser, Tag, html};

/// The site, and the folder that relative links start from.
const SITE: &str = "https://example.org";
const FOLDER: &str = "/docs/";

fn main() -> ExitCode {
    common::run(rewrite_links)
}

/// Writes the HTML of `source` with absolute links.
pub(crate) fn rewrite_links(source: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let options = Options::github();
    let mut parser = Parser::new(options.clone());
    let document = parser.parse(source)?;
    let mut html = String::new();
    html::push_events(document.events().map(with_base), &options, &mut html);
    out.write_all(html.as_bytes())?;
    Ok(())
}

fn with_base(mut event: Event<'_>) -> Event<'_> {
    if let EventKind::Start(Tag::Link(target) | Tag::Image(target)) = &mut event.kind
        && let Some(absolute) = absolute(&target.destination)
    {
        target.destination = Cow::Owned(absolute);
    }
    event
}

/// The destination with what it lacks, or `None` if it lacks nothing.
fn absolute(destination: &str) -> Option<String> {
    let has_scheme = destination.split(['/', '?', '#']).next().is_some_and(|it| it.contains(':'));
    if has_scheme || destination.starts_with("//") || destination.starts_with('#') {
        None
    } else if destination.starts_with('/') {
        Some(format!("{SITE}{destination}"))
    } else {
        Some(format!("{SITE}{FOLDER}{destination}"))
    }
}
