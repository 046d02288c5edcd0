//! The job `explain`: every place where a bare link could be, and what was decided
//! about it.
//!
//! `gather` asks the library, once for each dialect, and brings the answers together;
//! `show` writes them for people, with an `excerpt` of the source, and `json` for
//! programs.

mod excerpt;
mod gather;
mod json;
mod show;

use std::io;

use barelink::LineIndex;

use crate::explain::gather::Case;
use crate::html::{Yield, fill};
use crate::job::{ExplainJob, Layout};
use crate::output::{Sink, Target};
use crate::report::{self, Report};

/// What there is to say about a place where only another dialect looks for a link.
const UNSEEN: &str = "This dialect does not look for a link here.";

/// A place that is asked about, as `--at` has it. Both count from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct At {
    line: u32,
    /// In characters; without it the whole line is meant.
    column: Option<u32>,
}

impl At {
    /// Reads `LINE:COL` or `LINE`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let number = |digits: &str| match digits.parse::<u32>() {
            Ok(0) => Err("lines and columns count from 1".to_owned()),
            Ok(number) => Ok(number),
            Err(_) => Err("expected LINE:COL, such as 12:40".to_owned()),
        };
        match text.split_once(':') {
            Some((line, column)) => Ok(Self { line: number(line)?, column: Some(number(column)?) }),
            None => Ok(Self { line: number(text)?, column: None }),
        }
    }
}

/// Does the job.
pub(crate) fn run(job: &ExplainJob, report: &Report) {
    let sources = std::slice::from_ref(&job.source);
    fill(sources, &Target::Stdout, report, |sink| explain(job, sink, report));
}

fn explain(job: &ExplainJob, sink: &mut Sink, report: &Report) -> io::Result<Yield> {
    let Some(text) = job.source.read(report) else { return Ok(Yield::Nothing) };
    let mut cases = match gather::cases(&text, &job.options) {
        Ok(cases) => cases,
        Err(error) => {
            report.error(&job.source, error);
            return Ok(Yield::Nothing);
        }
    };
    let lines = LineIndex::new(&text);
    if let Some(at) = job.at
        && let Err(what) = choose(&mut cases, &lines, at)
    {
        report.error(&job.source, what);
        return Ok(Yield::Something);
    }
    let document = Document { name: job.source.to_string(), text: &text, lines, job };
    match job.layout {
        Layout::Json => json::write(&cases, &document, sink)?,
        Layout::Words => {
            if cases.is_empty() {
                report::hint("there is no `://`, `www.` or `@` to explain");
            }
            show::write(&cases, &document, &show::renderer(), sink)?;
        }
    }
    Ok(Yield::Something)
}

/// What is explained.
struct Document<'a> {
    name: String,
    text: &'a str,
    lines: LineIndex<'a>,
    job: &'a ExplainJob,
}

/// Leaves the cases that were asked for, or tells why there is none.
fn choose(cases: &mut Vec<Case>, lines: &LineIndex<'_>, at: At) -> Result<(), String> {
    let At { line, column } = at;
    let Some(span) = lines.line_span(line) else {
        return Err(format!("there is no line {line}: the last one is {}", lines.n_lines()));
    };
    cases.retain(|case| (span.start..=span.end).contains(&case.region().start));
    if cases.is_empty() {
        return Err(format!("line {line} has no `://`, `www.` or `@`"));
    }
    if let Some(column) = column {
        let offset = lines.offset(line, column).unwrap_or(span.end);
        // Of two at the same distance the first one is taken.
        let nearest = cases.iter().min_by_key(|case| case.distance(offset)).cloned();
        cases.clear();
        cases.extend(nearest);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use barelink::Options;

    #[test]
    fn places_are_read() {
        assert_eq!(At::parse("12:40"), Ok(At { line: 12, column: Some(40) }));
        assert_eq!(At::parse("12"), Ok(At { line: 12, column: None }));
        for wrong in ["", ":", "1:", ":1", "a", "1:2:3", "0:1", "1:0", "-1:2", "99999999999:1"] {
            assert!(At::parse(wrong).is_err(), "{wrong}");
        }
    }

    /// The candidates chosen at a place, as offsets.
    fn chosen(text: &str, at: &str) -> Result<Vec<u32>, String> {
        let mut cases = gather::cases(text, &Options::gfm()).unwrap();
        choose(&mut cases, &LineIndex::new(text), At::parse(at).unwrap())?;
        Ok(cases.iter().map(|case| case.candidate.start).collect())
    }

    #[test]
    fn the_nearest_candidate_of_the_line_is_chosen() {
        //          0123456789012345678901234567890
        let text = "é www.a.bc/long. then x@y.z\n\nssh://h";
        assert_eq!(chosen(text, "1:1"), Ok(vec![3]));
        assert_eq!(chosen(text, "1:14"), Ok(vec![3]), "in the link");
        assert_eq!(chosen(text, "1:16"), Ok(vec![3]), "in what was left outside");
        assert_eq!(chosen(text, "1:21"), Ok(vec![24]));
        assert_eq!(chosen(text, "1:999"), Ok(vec![24]));
        assert_eq!(chosen(text, "1"), Ok(vec![3, 24]));
        assert_eq!(chosen(text, "3:7"), Ok(vec![33]));
        assert_eq!(chosen(text, "2:1"), Err("line 2 has no `://`, `www.` or `@`".to_owned()));
        assert_eq!(chosen(text, "4:1"), Err("there is no line 4: the last one is 3".to_owned()));
    }
}
