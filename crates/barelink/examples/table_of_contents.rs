//! A table of contents from a document's events: the headings, numbered, each
//! with the line it stands on.
//!
//! ```sh
//! cargo run --example table_of_contents -- README.md
//! ```

mod common;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use barelink::{EventKind, Options, Parser, Tag, TagEnd};

fn main() -> ExitCode {
    common::run(table_of_contents)
}

/// Writes a line for each heading, indented by its level.
pub(crate) fn table_of_contents(source: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut parser = Parser::new(Options::github());
    let mut document = parser.parse(source)?;
    let lines = document.line_index();
    // How many headings of each level there were since the last of a higher one.
    let mut counts: Vec<usize> = Vec::new();
    let mut title: Option<String> = None;
    for event in document.events() {
        match event.kind {
            EventKind::Start(Tag::Heading { level }) => {
                counts.resize(usize::from(level), 0);
                if let Some(count) = counts.last_mut() {
                    *count += 1;
                }
                title = Some(String::new());
            }
            // The words of a heading, whatever markup is around them.
            EventKind::Text(text) | EventKind::Code(text) => {
                if let Some(title) = &mut title {
                    title.push_str(&text);
                }
            }
            EventKind::SoftBreak | EventKind::HardBreak => {
                if let Some(title) = &mut title {
                    title.push(' ');
                }
            }
            EventKind::End(TagEnd::Heading { level }) => {
                let indent = "  ".repeat(usize::from(level) - 1);
                let number = counts.iter().map(usize::to_string).collect::<Vec<_>>().join(".");
                let line = lines.line_col(event.span.start).line;
                writeln!(
                    out,
                    "{indent}{number} {} (line {line})",
                    title.take().unwrap_or_default()
                )?;
            }
            _ => {}
        }
    }
    Ok(())
}
