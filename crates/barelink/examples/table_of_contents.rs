//! A page with a table of contents: every heading, indented by its level, and a link to it.
//!
//! ```sh
//! cargo run --example table_of_contents -- README.md
//! ```

mod common;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use barelink::{Options, Parser, html};

fn main() -> ExitCode {
    common::run(table_of_contents)
}

/// Writes the contents as a list, and the document behind them.
pub(crate) fn table_of_contents(source: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut options = Options::github();
    options.policy.heading_ids = true;
    let mut parser = Parser::new(options);
    let document = parser.parse(source)?;

    writeln!(out, "<ul>")?;
    for heading in document.headings() {
        let Some(id) = &heading.id else { continue };
        let (level, id, text) = (heading.level, escaped(id), escaped(&heading.text));
        writeln!(out, "<li class=\"level-{level}\"><a href=\"#{id}\">{text}</a></li>")?;
    }
    writeln!(out, "</ul>")?;
    document.write_html(out)?;
    Ok(())
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    html::push_escaped(text, &mut out);
    out
}
