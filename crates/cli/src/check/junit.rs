//! Writes findings as JUnit's XML: a suite for each file, a failed case for each finding.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::check::Findings;
use crate::check::record::Record;
use crate::visible::picture;

/// Writes the suites; a file without findings is one case that passed, and one that could not be
/// read is an error.
pub(crate) fn write(found: &Findings<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut suites = String::new();
    let mut n_cases = found.failures.len();
    let mut rest = found.records.as_slice();
    for (file, what) in &found.failures {
        push_error(file, what, &mut suites);
    }
    for file in &found.names {
        let n_own = rest.iter().take_while(|record| *record.file == **file).count();
        let (own, others) = rest.split_at(n_own);
        rest = others;
        n_cases += own.len().max(1);
        push_suite(file, own, &mut suites);
    }
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    let (n_failed, n_errors) = (found.records.len(), found.failures.len());
    let counts = format!(r#"tests="{n_cases}" failures="{n_failed}" errors="{n_errors}""#);
    writeln!(out, r#"<testsuites name="barelink" {counts}>"#)?;
    out.write_all(suites.as_bytes())?;
    writeln!(out, "</testsuites>")
}

/// Adds what could not be read.
fn push_error(file: &str, what: &str, out: &mut String) {
    let (name, what) = (escaped(file), escaped(what));
    let _ = write!(
        out,
        r#"  <testsuite name="{name}" tests="1" failures="0" errors="1">
    <testcase name="{name}" classname="barelink">
      <error type="unreadable" message="{what}">{name}: {what}</error>
    </testcase>
  </testsuite>
"#
    );
}

fn push_suite(file: &str, records: &[Record], out: &mut String) {
    let (name, n_failed) = (escaped(file), records.len());
    let n_cases = n_failed.max(1);
    let _ = writeln!(
        out,
        r#"  <testsuite name="{name}" tests="{n_cases}" failures="{n_failed}" errors="0">"#
    );
    if records.is_empty() {
        let _ = writeln!(out, r#"    <testcase name="{name}" classname="barelink" />"#);
    }
    for record in records {
        let (line, column) = (record.start.line, record.start.column);
        let rule = record.rule();
        let message = escaped(&record.finding.message);
        let _ = writeln!(out, r#"    <testcase name="{rule} {line}:{column}" classname="{name}">"#);
        let _ = writeln!(
            out,
            r#"      <failure type="{}" message="{message}">{name}:{line}:{column}: {message}</failure>"#,
            rule.name()
        );
        out.push_str("    </testcase>\n");
    }
    out.push_str("  </testsuite>\n");
}

/// Escapes text for XML, and drops characters that XML does not allow.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\r' | '\t' => out.push(' '),
            '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => out.push('\u{FFFD}'),
            c if picture(c).is_some() => {
                let _ = write!(out, "&#x{:X};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
