//! The job `links`: lists all links of the documents, one per line.
//!
//! ```text
//! notes.md:3:5   link  www     http://www.a.bc  www.a.bc
//! notes.md:4:12  link  inline  /c               the text
//! ```
//!
//! A line begins with the position, in the format of editors and `grep -n`. Columns are aligned
//! within groups of lines, so that the first ones are written before the last are found.

use std::io::{self, Write};

use barelink::autolink::Kind;
use barelink::{Document, Form, LineIndex, Options, Parser, Span, Warning, autolink, url};
use clap::builder::styling::{AnsiColor, Style};
use serde::{Serialize, Serializer};
use unicode_width::UnicodeWidthStr as _;

use crate::html::{Yield, fill};
use crate::job::{Choice, Layout, LinksJob, Reading};
use crate::output::{Sink, Target, has_colors};
use crate::report::Report;
use crate::source::{Source, Text};
use crate::visible::{Visible, visible, write_json};
use crate::walk;

/// The maximum width of the column of destinations; a wider one only shifts its own line.
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
        let Some(read) = source.read_mapped(report) else { continue };
        let mut rows = Rows::new(job, &read, sink);
        match job.reading {
            Reading::PlainText => plain_links(&read.text, &job.options, source, &mut rows)?,
            Reading::Markdown => match parser.parse(&read.text) {
                Ok(document) => markdown_links(&document, source, &mut rows)?,
                Err(error) => report.error(source, error),
            },
        }
        rows.finish()?;
    }
    // The target is never a file, which could stay unchanged.
    Ok(Yield::Something)
}

/// The number of rows that are buffered to align them. They are written then, so that the first
/// links appear before the last are found, and memory does not grow with the document.
const WINDOW: usize = 256;

/// Writes the rows of a document.
struct Rows<'a, W> {
    job: &'a LinksJob,
    read: &'a Text,
    styles: [Style; 5],
    out: &'a mut W,
    waiting: Vec<Listed>,
    widths: [usize; 5],
}

impl<'a, W: Write> Rows<'a, W> {
    fn new(job: &'a LinksJob, read: &'a Text, out: &'a mut W) -> Self {
        let styles = if has_colors() { STYLES } else { [Style::new(); 5] };
        Self { job, read, styles, out, waiting: Vec::new(), widths: [0; 5] }
    }

    fn push(&mut self, link: Listed) -> io::Result<()> {
        if !self.job.filter.wants(&link)
            || self.job.choice == Choice::Suspicious && link.warnings.is_empty()
        {
            return Ok(());
        }
        if self.job.layout == Layout::Json {
            write_json(&link, self.out)?;
            return self.out.write_all(b"\n");
        }
        self.waiting.push(link);
        if self.waiting.len() == WINDOW { self.finish() } else { Ok(()) }
    }

    /// Writes the buffered rows.
    fn finish(&mut self) -> io::Result<()> {
        let found = std::mem::take(&mut self.waiting);
        write_words(&found, self.job.choice, &mut self.widths, &self.styles, self.out)
    }
}

/// Conditions for links: a link must match an element of each list that is not empty.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) kinds: Vec<String>,
    pub(crate) forms: Vec<String>,
    /// Hosts; `*.NAME` is every host below it.
    pub(crate) hosts: Vec<String>,
    pub(crate) schemes: Vec<String>,
}

/// The values of `--kind`.
pub(crate) const KINDS: [&str; 4] = ["link", "image", "broken", "unused"];

/// The values of `--form`.
pub(crate) fn forms() -> Vec<&'static str> {
    Form::ALL.iter().map(|form| form.name()).collect()
}

impl Filter {
    fn wants(&self, link: &Listed) -> bool {
        let fits = |list: &[String], value: &str| {
            list.is_empty() || list.iter().any(|wanted| wanted.eq_ignore_ascii_case(value))
        };
        let host = if self.hosts.is_empty() { None } else { url::host(&link.href) };
        let has_host = |wanted: &String| {
            let host = host.as_deref().unwrap_or_default();
            match wanted.strip_prefix("*.") {
                Some(parent) => host
                    .to_ascii_lowercase()
                    .ends_with(&format!(".{}", parent.to_ascii_lowercase())),
                None => !host.is_empty() && wanted.eq_ignore_ascii_case(host),
            }
        };
        fits(&self.kinds, link.kind)
            && fits(&self.forms, link.form)
            && (self.hosts.is_empty() || self.hosts.iter().any(has_host))
            && fits(&self.schemes, url::scheme(&link.href).unwrap_or_default())
    }
}

/// A row of the list.
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
    /// The label of a reference without a definition, or of an unused definition.
    #[serde(skip_serializing_if = "String::is_empty")]
    label: String,
    /// Why it may deceive a reader.
    #[serde(serialize_with = "names")]
    warnings: Vec<Warning>,
}

/// Serializes warnings as their names.
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

fn markdown_links<W: Write>(
    document: &Document<'_, '_>,
    source: &Source,
    rows: &mut Rows<'_, W>,
) -> io::Result<()> {
    let lines = document.line_index();
    for link in document.all_links() {
        let place = lines.line_col(link.span.start);
        rows.push(Listed {
            file: source.raw_name(),
            line: place.line,
            column: place.column,
            span: rows.read.source_span(link.span).into(),
            kind: match link.form {
                Form::Missing => "broken",
                Form::Definition => "unused",
                _ if link.image => "image",
                _ => "link",
            },
            form: link.form.name(),
            warnings: link.warnings(),
            href: link.destination.into_owned(),
            text: link.text.into_owned(),
            title: link.title.into_owned(),
            label: link.label.into_owned(),
        })?;
    }
    Ok(())
}

fn plain_links<W: Write>(
    text: &str,
    options: &Options,
    source: &Source,
    rows: &mut Rows<'_, W>,
) -> io::Result<()> {
    let Some(rules) = options.autolinks.rules() else { return Ok(()) };
    let lines = LineIndex::new(text);
    // A link may begin right after the byte order mark of a file.
    let shown = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let n_before = (text.len() - shown.len()) as u32;
    let schemes: Vec<&str> = options.schemes.iter().map(String::as_str).collect();
    for link in autolink::links_with(shown, rules, &schemes) {
        let span = Span::new(link.span.start + n_before, link.span.end + n_before);
        let place = lines.line_col(span.start);
        rows.push(Listed {
            file: source.raw_name(),
            line: place.line,
            column: place.column,
            span: rows.read.source_span(span).into(),
            kind: "link",
            // As in Markdown.
            form: match link.kind {
                Kind::Scheme => Form::BareUrl.name(),
                Kind::Domain => Form::BareWww.name(),
                kind => kind.name(),
            },
            href: link.href().to_string(),
            text: link.text.to_owned(),
            title: String::new(),
            label: String::new(),
            warnings: Vec::new(),
        })?;
    }
    Ok(())
}

fn write_words(
    found: &[Listed],
    choice: Choice,
    widths: &mut [usize; 5],
    styles: &[Style; 5],
    out: &mut impl Write,
) -> io::Result<()> {
    let rows: Vec<[String; 5]> = found.iter().map(cells).collect();
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    widths[3] = widths[3].min(HREF_WIDTH_MAX);
    for (row, link) in rows.iter().zip(found) {
        write_row(row, widths, styles, out)?;
        if choice == Choice::Suspicious {
            for warning in &link.warnings {
                writeln!(out, "  {}: {}", warning.name(), Visible(warning))?;
            }
        }
    }
    Ok(())
}

/// The columns of a link, free of what a terminal would take for a command.
fn cells(link: &Listed) -> [String; 5] {
    let text = if link.text == link.href { "" } else { &link.text };
    // What has no destination has a label.
    let label = format!("[{}]", link.label);
    let (href, text) = match link.kind {
        "broken" => (&label, text),
        "unused" => (&link.href, &*label),
        _ => (&link.href, text),
    };
    [
        visible(&format!("{}:{}:{}", link.file, link.line, link.column)).into_owned(),
        link.kind.to_owned(),
        link.form.to_owned(),
        visible(href).into_owned(),
        visible(text).into_owned(),
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

    fn job(filter: Filter) -> LinksJob {
        LinksJob {
            options: Options::gfm(),
            sources: Vec::new(),
            reading: Reading::Markdown,
            choice: Choice::All,
            layout: Layout::Words,
            filter,
        }
    }

    fn filtered(source: &str, filter: Filter) -> String {
        let (job, mut out) = (job(filter), Vec::new());
        let document = barelink::parse(source, &job.options).unwrap();
        let read = Text::new(source.as_bytes().to_vec());
        let mut rows = Rows::new(&job, &read, &mut out);
        rows.styles = [Style::new(); 5];
        markdown_links(&document, &Source::File("a.md".into()), &mut rows).unwrap();
        rows.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    fn words(source: &str) -> String {
        filtered(source, Filter::default())
    }

    #[test]
    fn filters_take_what_fits_all_of_them() {
        let source = "[a](https://x.org/1) ![b](http://y.x.org) [c](/d) <a href=/e> [f][g] m@x.org";
        let list = |set: fn(&mut Filter)| {
            let mut filter = Filter::default();
            set(&mut filter);
            filtered(source, filter).lines().count()
        };
        assert_eq!(list(|_| ()), 6);
        assert_eq!(list(|filter| filter.kinds = vec!["image".into(), "broken".into()]), 2);
        assert_eq!(list(|filter| filter.forms = vec!["html".into()]), 1);
        assert_eq!(list(|filter| filter.hosts = vec!["X.org".into()]), 1);
        assert_eq!(list(|filter| filter.hosts = vec!["x.org".into(), "*.x.org".into()]), 2);
        assert_eq!(list(|filter| filter.schemes = vec!["http".into(), "mailto".into()]), 2);
        let both = |filter: &mut Filter| {
            filter.schemes = vec!["http".into()];
            filter.kinds = vec!["link".into()];
        };
        assert_eq!(list(both), 0);
    }

    #[test]
    fn rows_do_not_wait_for_the_last() {
        let (job, mut out) = (job(Filter::default()), Vec::new());
        let document = barelink::parse("www.a.bc ", &job.options).unwrap();
        let read = Text::new(Vec::new());
        let mut rows = Rows::new(&job, &read, &mut out);
        for _ in 0..=WINDOW {
            markdown_links(&document, &Source::File("a.md".into()), &mut rows).unwrap();
        }
        assert_eq!(rows.waiting.len(), 1);
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
