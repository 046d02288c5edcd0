//! The job `links`: every link of the documents, a line each.
//!
//! ```text
//! notes.md:3:5   link  www     http://www.a.bc  www.a.bc
//! notes.md:4:12  link  inline  /c               the text
//! ```
//!
//! A line begins with the place, as editors and `grep -n` have it. Columns are aligned
//! within a document, so that the first document is out before the last is read.

use std::io::{self, Write};

use annotate_snippets::normalize_untrusted_str as printable;
use barelink::{LineIndex, Options, Parser, Span, Warning, autolink};
use clap::builder::styling::{AnsiColor, Style};
use serde::{Serialize, Serializer};
use unicode_width::UnicodeWidthStr as _;

use crate::html::{Yield, fill};
use crate::job::{Choice, Layout, LinksJob, Reading};
use crate::output::{Sink, Target, has_colors};
use crate::report::Report;
use crate::source::Source;
use crate::walk;

/// A destination that is wider than this does not move the texts of all others.
const HREF_WIDTH_MAX: usize = 48;

/// The styles of the columns.
const STYLES: [Style; 5] = [
    Style::new().bold(),
    Style::new(),
    AnsiColor::Yellow.on_default(),
    AnsiColor::Cyan.on_default(),
    Style::new(),
];

/// Does the job.
pub(crate) fn run(mut job: LinksJob, report: &Report) {
    job.sources = walk::sources(job.sources, report);
    fill(&job.sources, &Target::Stdout, report, |sink| list(&job, sink, report));
}

fn list(job: &LinksJob, sink: &mut Sink, report: &Report) -> io::Result<Yield> {
    let mut parser = Parser::new(job.options.clone());
    for source in &job.sources {
        let Some(text) = source.read(report) else { continue };
        let found = match job.reading {
            Reading::PlainText => plain_links(&text, &job.options, source),
            Reading::Markdown => match markdown_links(&text, &mut parser, source) {
                Ok(found) => found,
                Err(error) => {
                    report.error(source, error);
                    continue;
                }
            },
        };
        let found = match job.choice {
            Choice::All => found,
            Choice::Suspicious => {
                found.into_iter().filter(|link| !link.warnings.is_empty()).collect()
            }
        };
        match job.layout {
            Layout::Json => write_json(&found, sink)?,
            Layout::Words => {
                let styles = if has_colors() { STYLES } else { [Style::new(); 5] };
                write_words(&found, job.choice, &styles, sink)?;
            }
        }
    }
    // There is no file here that could be left as it was.
    Ok(Yield::Something)
}

/// A link, as it is listed.
#[derive(Debug, Serialize)]
struct Listed {
    file: String,
    line: u32,
    column: u32,
    span: Bytes,
    kind: &'static str,
    form: &'static str,
    href: String,
    text: String,
    title: String,
    /// Why a reader could be deceived by it.
    #[serde(serialize_with = "names")]
    warnings: Vec<Warning>,
}

/// Warnings by their names.
fn names<S: Serializer>(warnings: &[Warning], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(warnings.iter().map(Warning::name))
}

/// A span of the source, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Bytes {
    start: u32,
    end: u32,
}

impl From<Span> for Bytes {
    fn from(span: Span) -> Self {
        Self { start: span.start, end: span.end }
    }
}

fn markdown_links(
    text: &str,
    parser: &mut Parser,
    source: &Source,
) -> Result<Vec<Listed>, barelink::SourceTooLong> {
    let document = parser.parse(text)?;
    let lines = document.line_index();
    let found = document.links().map(|link| {
        let place = lines.line_col(link.span.start);
        Listed {
            file: source.to_string(),
            line: place.line,
            column: place.column,
            span: link.span.into(),
            kind: if link.image { "image" } else { "link" },
            form: link.form.name(),
            warnings: link.warnings(),
            href: link.destination.into_owned(),
            text: link.text.into_owned(),
            title: link.title.into_owned(),
        }
    });
    Ok(found.collect())
}

fn plain_links(text: &str, options: &Options, source: &Source) -> Vec<Listed> {
    let Some(rules) = options.autolinks.rules() else { return Vec::new() };
    let lines = LineIndex::new(text);
    // A link may begin right behind the byte order mark of a file.
    let shown = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let n_before = (text.len() - shown.len()) as u32;
    let schemes: Vec<&str> = options.schemes.iter().map(String::as_str).collect();
    let found = autolink::links_with(shown, rules, &schemes).map(|link| {
        let span = Span::new(link.span.start + n_before, link.span.end + n_before);
        let place = lines.line_col(span.start);
        Listed {
            file: source.to_string(),
            line: place.line,
            column: place.column,
            span: span.into(),
            kind: "link",
            form: link.kind.name(),
            href: link.href().to_string(),
            text: link.text.to_owned(),
            title: String::new(),
            warnings: Vec::new(),
        }
    });
    found.collect()
}

fn write_json(found: &[Listed], out: &mut impl Write) -> io::Result<()> {
    for link in found {
        serde_json::to_writer(&mut *out, link)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn write_words(
    found: &[Listed],
    choice: Choice,
    styles: &[Style; 5],
    out: &mut impl Write,
) -> io::Result<()> {
    let rows: Vec<[String; 5]> = found.iter().map(cells).collect();
    let mut widths = [0; 5];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    widths[3] = widths[3].min(HREF_WIDTH_MAX);
    for (row, link) in rows.iter().zip(found) {
        write_row(row, &widths, styles, out)?;
        if choice == Choice::Suspicious {
            for warning in &link.warnings {
                writeln!(out, "  {}: {}", warning.name(), printable(&warning.to_string()))?;
            }
        }
    }
    Ok(())
}

/// The columns of a link, free of what a terminal would take for a command.
fn cells(link: &Listed) -> [String; 5] {
    let text = if link.text == link.href { "" } else { &link.text };
    [
        printable(&format!("{}:{}:{}", link.file, link.line, link.column)),
        link.kind.to_owned(),
        link.form.to_owned(),
        printable(&link.href),
        printable(text),
    ]
}

fn write_row(
    row: &[String; 5],
    widths: &[usize; 5],
    styles: &[Style; 5],
    out: &mut impl Write,
) -> io::Result<()> {
    let n_cells = row.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
    for (idx, cell) in row[..n_cells].iter().enumerate() {
        let style = styles[idx];
        write!(out, "{style}{cell}{style:#}")?;
        if idx + 1 < n_cells {
            // Past the widest cell that counts, two spaces still tell columns apart.
            let n_spaces = widths[idx].saturating_sub(cell.width()) + 2;
            write!(out, "{:n_spaces$}", "")?;
        }
    }
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> String {
        let mut parser = Parser::new(Options::gfm());
        let found = markdown_links(source, &mut parser, &Source::File("a.md".into())).unwrap();
        let mut out = Vec::new();
        write_words(&found, Choice::All, &[Style::new(); 5], &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_are_aligned_by_what_is_seen() {
        assert_eq!(
            words("[漢字](/漢) and\n[x](/y \"t\") http://a.bc"),
            "a.md:1:1   link  inline  /漢          漢字\n\
             a.md:2:1   link  inline  /y           x\n\
             a.md:2:13  link  url     http://a.bc\n"
        );
    }

    #[test]
    fn one_long_destination_does_not_move_the_others() {
        let long = format!("http://a.bc/{}", "x".repeat(100));
        let words = words(&format!("[a]({long}) [b](/c)"));
        let lines: Vec<&str> = words.lines().collect();
        assert!(lines[0].ends_with("x  a"));
        assert!(lines[1].len() < 90, "{}", lines[1]);
    }

    #[test]
    fn nothing_reaches_the_terminal_that_it_would_obey() {
        let words = words("[a\u{1b}[31mb](/c\u{7}d)");
        assert!(!words.contains(['\u{1b}', '\u{7}']), "{words:?}");
    }
}
