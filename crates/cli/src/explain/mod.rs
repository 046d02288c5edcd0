//! The job `explain`: every place where a bare link could be, and what was decided
//! about it.
//!
//! The library is asked once for each dialect, and its `answers` are kept, those that are
//! no links packed (`unlinked`). `gather` brings the dialects together, candidate by
//! candidate; `show` writes these cases for people, with an excerpt of the source, and
//! `json` for programs, as they come.

mod answers;
mod gather;
mod json;
mod show;
mod unlinked;

use std::io;

use barelink::LineIndex;

use crate::explain::gather::{Case, Gathered};
use crate::html::{Yield, fill};
use crate::job::{ExplainJob, Layout};
use crate::output::{Sink, Target};
use crate::report::{self, Report};
use crate::walk;

pub(crate) use self::show::renderer;

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
pub(crate) fn run(mut job: ExplainJob, report: &Report) {
    let sources = walk::sources(vec![job.source], report);
    let Some(last_idx) = sources.len().checked_sub(1) else { return };
    for (idx, source) in sources.into_iter().enumerate() {
        job.source = source;
        let sources = std::slice::from_ref(&job.source);
        fill(sources, &Target::Stdout, report, |sink| {
            let done = explain(&job, sink, report)?;
            if idx < last_idx && job.layout == Layout::Words {
                io::Write::write_all(sink, b"\n")?;
            }
            Ok(done)
        });
    }
}

fn explain(job: &ExplainJob, sink: &mut Sink, report: &Report) -> io::Result<Yield> {
    let Some(text) = job.source.read(report) else { return Ok(Yield::Nothing) };
    let gathered = match Gathered::new(&text, &job.options) {
        Ok(gathered) => gathered,
        Err(error) => {
            report.error(&job.source, error);
            return Ok(Yield::Nothing);
        }
    };
    let lines = LineIndex::new(&text);
    let cases = match job.at {
        None => Ok(boxed(gathered.cases())),
        Some(at) => choose(gathered.cases(), &lines, at),
    };
    let cases = match cases {
        Ok(cases) => cases,
        Err(what) => {
            report.error(&job.source, what);
            return Ok(Yield::Something);
        }
    };
    let document = Document { name: job.source.to_string(), text: &text, lines: &lines, job };
    match job.layout {
        Layout::Json => {
            let n_cases = json::write(cases, &document, sink)?;
            if n_cases > job.limit {
                let n_more = n_cases - job.limit;
                let what = format_args!("{n_more} candidates of {n_cases} are not written");
                report.warning(&job.source, what);
            }
        }
        Layout::Words => {
            if show::write(cases, &document, &renderer(), sink)? == 0 {
                report::hint("there is no `://`, `www.` or `@` to explain");
            }
        }
    }
    Ok(Yield::Something)
}

/// What is explained.
struct Document<'a> {
    name: String,
    text: &'a str,
    lines: &'a LineIndex<'a>,
    job: &'a ExplainJob,
}

/// Cases as they come.
type Stream<'a> = Box<dyn Iterator<Item = Case<'a>> + 'a>;

fn boxed<'a>(cases: impl Iterator<Item = Case<'a>> + 'a) -> Stream<'a> {
    Box::new(cases)
}

/// The cases that were asked for, or why there is none.
///
/// LINEAR: the cases are gone through once, and one of them is kept at most.
fn choose<'a>(
    cases: impl Iterator<Item = Case<'a>> + 'a,
    lines: &LineIndex<'_>,
    at: At,
) -> Result<Stream<'a>, String> {
    let At { line, column } = at;
    let Some(span) = lines.line_span(line) else {
        return Err(format!("there is no line {line}: the last one is {}", lines.n_lines()));
    };
    let on_line = move |case: &Case<'_>| (span.start..=span.end).contains(&case.region().start);
    let mut cases = cases.filter(on_line).peekable();
    if cases.peek().is_none() {
        return Err(format!("line {line} has no `://`, `www.` or `@`"));
    }
    let Some(column) = column else { return Ok(boxed(cases)) };
    let offset = lines.offset(line, column).unwrap_or(span.end);
    // Of two at the same distance the first one is taken.
    let nearest = cases.min_by_key(|case| case.distance(offset));
    Ok(boxed(nearest.into_iter()))
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
        let gathered = Gathered::new(text, &Options::gfm()).unwrap();
        let lines = LineIndex::new(text);
        let cases = choose(gathered.cases(), &lines, At::parse(at).unwrap())?;
        Ok(cases.map(|case| case.candidate.start).collect())
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
