//! Renders a file as GitHub shows it, straight to a writer.
//!
//! ```sh
//! cargo run --example render -- README.md > readme.html
//! ```
//!
//! Output is safe: raw HTML is shown as text, destinations that run code are
//! emptied. For a source that you trust, see the line that is commented out.

mod common;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use barelink::{Options, Parser};

fn main() -> ExitCode {
    common::run(render)
}

/// Writes the HTML of `source`, in pieces, without the whole of it in memory.
pub(crate) fn render(source: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let options = Options::github();
    // options.policy = barelink::Policy::TRUSTED;
    let mut parser = Parser::new(options);
    parser.parse(source)?.write_html(out)?;
    Ok(())
}
