//! Lists every link and image of a document: where it stands, how it is written,
//! where it points, what it says.
//!
//! ```sh
//! cargo run --example list_links -- README.md
//! echo 'see www.a.bc or <b@c.de>' | cargo run --example list_links
//! ```

mod common;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use barelink::{Form, Options, Parser};

fn main() -> ExitCode {
    common::run(list_links)
}

/// Writes a line for each link: `line:column`, form, destination, text, with
/// tabs between them.
pub(crate) fn list_links(source: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut parser = Parser::new(Options::natural());
    let document = parser.parse(source)?;
    let lines = document.line_index();
    for link in document.links() {
        let at = lines.line_col(link.span.start);
        let form = if link.image { "image" } else { name(link.form) };
        let (destination, text) = (&link.destination, &link.text);
        writeln!(out, "{}:{}\t{form}\t{destination}\t{text}", at.line, at.column)?;
    }
    Ok(())
}

fn name(form: Form) -> &'static str {
    match form {
        Form::Inline => "inline",
        Form::Full | Form::Collapsed | Form::Shortcut => "reference",
        Form::Angle => "angle",
        Form::BareUrl | Form::BareWww | Form::BareEmail => "bare",
        _ => "other",
    }
}
