//! Writes findings for people: with excerpts of the source, one per line, or as counts.

use std::fmt::Write as _;
use std::io::{self, Write};

use annotate_snippets::renderer::Renderer;
use annotate_snippets::{AnnotationKind, Level};
use barelink::LineIndex;
use barelink_check::{Rule, Safety};
use serde::Serialize;

use crate::check::Findings;
use crate::check::paint::Paint;
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
pub(crate) fn concise(record: &Record, paint: Paint) -> String {
    let name = visible(&record.file);
    let (line, column, rule) = (record.start.line, record.start.column, record.rule());
    let Paint { place, rule: of_rule, .. } = paint;
    let message = visible(&record.finding.message);
    let mark = match &record.finding.fix {
        Some(fix) if fix.safety == Safety::Safe => " [*]",
        _ => "",
    };
    format!("{place}{name}:{line}:{column}:{place:#} {of_rule}{rule}{of_rule:#} {message}{mark}\n")
}

/// How many findings there are apart from those that are known, and what to do about them.
pub(crate) fn summary(found: &Findings<'_>) -> String {
    let (records, n_files) = (&found.records, found.names.len());
    let known = match found.n_known {
        0 => String::new(),
        n => format!(", apart from {n} in the baseline"),
    };
    if records.is_empty() {
        return format!("No findings in {}{known}.\n", counted(n_files, "file"));
    }
    let mut files: Vec<&str> = records.iter().map(|record| &*record.file).collect();
    files.dedup();
    let n_with = |safety: Safety| {
        let fixable = records.iter().filter(|record| record.is_fixable);
        let fixes = fixable.filter_map(|record| record.finding.fix.as_ref());
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

/// How many findings a rule has.
#[derive(Debug, Serialize)]
pub(crate) struct Count {
    code: &'static str,
    name: &'static str,
    #[serde(rename = "count")]
    n: usize,
}

/// How many findings each rule has, the most first; those without are left out.
pub(crate) fn counts(records: &[Record]) -> Vec<Count> {
    let of_rule = |rule: Rule| records.iter().filter(|record| record.rule() == rule).count();
    let count = |rule: &Rule| Count { code: rule.code(), name: rule.name(), n: of_rule(*rule) };
    let mut counts: Vec<Count> = Rule::ALL.iter().map(count).filter(|it| it.n > 0).collect();
    counts.sort_by_key(|it| (std::cmp::Reverse(it.n), it.code));
    counts
}

/// The same in lines.
pub(crate) fn statistics(records: &[Record], out: &mut impl Write) -> io::Result<()> {
    let counts = counts(records);
    let width = counts.first().map_or(0, |it| it.n.to_string().len());
    for Count { code, name, n } in counts {
        writeln!(out, "{n:>width$}  {code}  {name}")?;
    }
    Ok(())
}
