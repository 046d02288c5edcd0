//! A program built on pulldown-cmark that gets bare links by changing the lines
//! that parse. All the rest, here a filter and the HTML writer, stays.
//!
//! ```sh
//! echo 'see www.a.bc' | cargo run --features pulldown-cmark --example pulldown_bridge
//! ```

mod common;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use barelink::{Options, Parser, pulldown};
use pulldown_cmark::{CowStr, Event, Tag, html};

fn main() -> ExitCode {
    common::run(pulldown_bridge)
}

/// Writes the HTML of `source`, made by pulldown-cmark. It passes raw HTML, so
/// this is for sources that you trust.
pub(crate) fn pulldown_bridge(source: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // These lines were `let events = pulldown_cmark::Parser::new(source);`.
    let mut parser = Parser::new(Options::github());
    let document = parser.parse(source)?;
    let events = pulldown::events(&document);

    html::write_html_io(out, events.map(with_https))?;
    Ok(())
}

/// A filter that knows nothing of Barelink: links go by `https`.
fn with_https(mut event: Event<'_>) -> Event<'_> {
    if let Event::Start(Tag::Link { dest_url, .. }) = &mut event
        && let Some(rest) = dest_url.strip_prefix("http://")
    {
        *dest_url = CowStr::from(format!("https://{rest}"));
    }
    event
}
