//! Writes findings for people: with excerpts of the source, one per line, or as counts.

use std::fmt::Write as _;
use std::io::{self, Write};

use annotate_snippets::renderer::Renderer;
use annotate_snippets::{AnnotationKind, Level};
use barelink::LineIndex;
use barelink_check::{Rule, Safety};

use crate::check::record::Record;
use crate::excerpt::marked_line;
use crate::visible::{rendered, visible};

/// A finding with an excerpt of the source.
pub(crate) fn excerpt(
    record: &Record,
    source: &str,
    lines: &LineIndex<'_>,
    renderer: &Renderer,
) -> String {
    let line = record.start.line;
    let mark = (AnnotationKind::Primary, record.finding.span, None);
    let title = Level::WARNING
        .with_name(record.rule().code())
        .primary_title(record.finding.message.clone())
        .id(record.rule().name());
    let notes =
        record.finding.notes.iter().map(|note| Level::NOTE.message(visible(note).into_owned()));
    let mut group = title.element(marked_line(source, lines, line, &[mark])).elements(notes);
    if let Some(fix) = &record.finding.fix {
        let name = match fix.safety {
            Safety::Safe => "fix",
            Safety::Unsafe => "unsafe fix",
        };
        group = group.element(Level::HELP.with_name(name).message(fix.title));
    }
    let name = visible(&record.file);
    let column = record.start.column;
    format!("{name}:{line}:{column}: {}\n\n", rendered(&renderer.render(&[group])))
}

/// A finding in one line.
pub(crate) fn concise(record: &Record) -> String {
    let name = visible(&record.file);
    let (line, column, rule) = (record.start.line, record.start.column, record.rule());
    let message = visible(&record.finding.message);
    let mark = match &record.finding.fix {
        Some(fix) if fix.safety == Safety::Safe => " [*]",
        _ => "",
    };
    format!("{name}:{line}:{column}: {rule} {message}{mark}\n")
}

/// A summary: the numbers of new and known findings, and how to fix them.
pub(crate) fn summary(records: &[Record], n_files: usize, n_known: usize) -> String {
    let known = match n_known {
        0 => String::new(),
        n => format!(", beside {n} of the baseline"),
    };
    if records.is_empty() {
        return format!("No findings in {}{known}.\n", counted(n_files, "file"));
    }
    let mut files: Vec<&str> = records.iter().map(|record| &*record.file).collect();
    files.dedup();
    let n_with = |safety: Safety| {
        let fixes = records.iter().filter_map(|record| record.finding.fix.as_ref());
        fixes.filter(|fix| fix.safety == safety).count()
    };
    let mut text = format!(
        "{} in {} of {}{known}.\n",
        counted(records.len(), "finding"),
        files.len(),
        counted(n_files, "file")
    );
    let (n_safe, n_unsafe) = (n_with(Safety::Safe), n_with(Safety::Unsafe));
    if n_safe > 0 {
        let _ = writeln!(text, "`barelink fix` fixes {n_safe} without changing the page.");
    }
    if n_unsafe > 0 {
        let more = if n_safe > 0 { " more" } else { "" };
        let _ = writeln!(text, "`barelink fix --unsafe` fixes {n_unsafe}{more}.");
    }
    text
}

/// Formats a number with its noun.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// Writes the number of findings of each rule, the greatest first.
pub(crate) fn statistics(records: &[Record], out: &mut impl Write) -> io::Result<()> {
    let count = |rule: Rule| records.iter().filter(|record| record.rule() == rule).count();
    let mut counts: Vec<(usize, Rule)> =
        Rule::ALL.iter().map(|rule| (count(*rule), *rule)).filter(|(n, _)| *n > 0).collect();
    counts.sort_by_key(|(n, rule)| (std::cmp::Reverse(*n), *rule));
    let width = counts.first().map_or(0, |(n, _)| n.to_string().len());
    for (n, rule) in counts {
        writeln!(out, "{n:>width$}  {rule}  {}", rule.name())?;
    }
    Ok(())
}
