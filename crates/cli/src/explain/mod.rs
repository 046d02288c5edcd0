//! The job `explain`: the decision about every candidate for a bare link, and every text that looks
//! like a Markdown link but is none.
//!
//! The blocks of a document are parsed once. Then, for each dialect, the decisions in the line that
//! `--at` names, or in the whole document, are collected (`answers`); those about candidates that
//! are not links are packed (`unlinked`). `gather` joins the dialects by candidate; `finding`
//! merges that with broken links. `show` writes the findings for people, with excerpts of the
//! source (`broken` those of broken links), and `json` for programs, one at a time.

mod answers;
mod broken;
mod finding;
mod gather;
mod json;
mod show;
mod unlinked;

use std::io;

use barelink::{LineIndex, Span};

use crate::explain::finding::{Finding, merged};
use crate::explain::gather::Gathered;
use crate::explain::show::Tally;
use crate::html::{Yield, fill};
use crate::job::{ExplainJob, Layout};
use crate::output::{Sink, Target};
use crate::report::{self, Report};
use crate::source::{Source, Text};
use crate::walk;

pub(crate) use self::show::renderer;

/// The explanation of a candidate that only another dialect looks for.
const UNSEEN: &str = "This dialect does not look for a link here.";

/// The message if there is nothing to explain.
const NOTHING: &str = "no `://`, `www.` or `@`, and nothing else that looks like a link";

/// The whole document.
const EVERYWHERE: Span = Span::new(0, u32::MAX);

/// A position, as given to `--at`. Both numbers count from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct At {
    line: u32,
    /// In characters; `None` for the whole line.
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

    /// The span of its line. An error says why there is none.
    fn line_span(self, lines: &LineIndex<'_>) -> Result<Span, String> {
        lines.line_span(self.line).ok_or_else(|| {
            format!("there is no line {}: the last one is {}", self.line, lines.n_lines())
        })
    }
}

/// Does the job.
pub(crate) fn run(mut job: ExplainJob, report: &Report) {
    job.sources = walk::sources(job.sources, report);
    if job.at.is_some() && job.sources.len() > 1 {
        let n_files = job.sources.len();
        let what = format_args!("means a place in one file, and here are {n_files}");
        report.error("--at", what);
        return;
    }
    fill(&job.sources, &Target::Stdout, report, |sink| {
        let mut tally = Tally::default();
        for source in &job.sources {
            explain(source, &job, &mut tally, sink, report)?;
        }
        finish(&job, &tally, sink, report)?;
        // The target is never a file, which could stay unchanged.
        Ok(Yield::Something)
    });
}

fn explain(
    source: &Source,
    job: &ExplainJob,
    tally: &mut Tally,
    sink: &mut Sink,
    report: &Report,
) -> io::Result<()> {
    let Some(read) = source.read_mapped(report) else { return Ok(()) };
    let text = &*read.text;
    let parsed = match barelink::parse(text, &job.options) {
        Ok(parsed) => parsed,
        Err(error) => {
            report.error(source, error);
            return Ok(());
        }
    };
    let lines = LineIndex::new(text);
    // No finding extends beyond its block. So only blocks that touch the line can have findings
    // on it, and no other blocks are explained.
    let within = match job.at.map_or(Ok(EVERYWHERE), |at| at.line_span(&lines)) {
        Ok(within) => within,
        Err(what) => {
            report.error(source, what);
            return Ok(());
        }
    };
    let gathered = Gathered::new(&parsed, within);
    let findings = merged(gathered.cases(), parsed.near_links().within(within));
    let findings = match job.at {
        None => Ok(boxed(findings)),
        Some(at) => choose(findings, &lines, at),
    };
    let findings = match findings {
        Ok(findings) => findings,
        Err(what) => {
            report.error(source, what);
            return Ok(());
        }
    };
    let document = Document { name: source.raw_name(), text, read: &read, lines: &lines, job };
    match job.layout {
        Layout::Json => json::write(findings, &document, tally, sink),
        Layout::Words => show::write(findings, &document, tally, &renderer(), sink),
    }
}

/// Reports the number of findings, and how many were omitted.
fn finish(job: &ExplainJob, tally: &Tally, sink: &mut Sink, report: &Report) -> io::Result<()> {
    let n_findings = tally.n_findings();
    match job.layout {
        Layout::Words => {
            if n_findings == 0 {
                report::hint(&format!("there is {NOTHING}"));
            }
            show::write_summary(tally, job, sink)
        }
        Layout::Json => {
            if n_findings > job.limit {
                let n_more = n_findings - job.limit;
                let what = format_args!("{n_more} candidates of {n_findings} are not written");
                match &job.sources[..] {
                    [source] => report.warning(source, what),
                    sources => report.warning(format_args!("{} files", sources.len()), what),
                }
            }
            Ok(())
        }
    }
}

/// The document that is explained.
struct Document<'a> {
    name: String,
    text: &'a str,
    /// For programs, which want spans of the file.
    read: &'a Text,
    lines: &'a LineIndex<'a>,
    job: &'a ExplainJob,
}

/// An iterator over findings.
type Stream<'a> = Box<dyn Iterator<Item = Finding<'a>> + 'a>;

fn boxed<'a>(findings: impl Iterator<Item = Finding<'a>> + 'a) -> Stream<'a> {
    Box::new(findings)
}

/// Selects the findings for a position: all of its line; or those that contain it, or else the
/// nearest on its line. An error says why there are none.
///
/// LINEAR: the findings are read once. Only those that contain the position, among which bare links
/// do not overlap, and the nearest are kept.
fn choose<'a>(
    findings: impl Iterator<Item = Finding<'a>> + 'a,
    lines: &LineIndex<'_>,
    at: At,
) -> Result<Stream<'a>, String> {
    let At { line, column } = at;
    let span = at.line_span(lines)?;
    let mut findings = findings.filter(move |finding| finding.is_on(span)).peekable();
    if findings.peek().is_none() {
        return Err(format!("line {line} has {NOTHING}"));
    }
    let Some(column) = column else { return Ok(boxed(findings)) };
    let offset = lines.offset(line, column).unwrap_or(span.end);
    let mut chosen: Vec<Finding<'a>> = Vec::new();
    for finding in findings {
        let distance = finding.distance(offset);
        match chosen.first().map(|first| first.distance(offset)) {
            // Of two at the same distance, the first is selected.
            Some(least) if distance > least || distance == least && distance > 0 => {}
            Some(least) if distance == least => chosen.push(finding),
            _ => chosen = vec![finding],
        }
    }
    Ok(boxed(chosen.into_iter()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::answers::Answer;
    use barelink::Options;

    #[test]
    fn places_are_read() {
        assert_eq!(At::parse("12:40"), Ok(At { line: 12, column: Some(40) }));
        assert_eq!(At::parse("12"), Ok(At { line: 12, column: None }));
        for wrong in ["", ":", "1:", ":1", "a", "1:2:3", "0:1", "1:0", "-1:2", "99999999999:1"] {
            assert!(At::parse(wrong).is_err(), "{wrong}");
        }
    }

    /// What is chosen at a place, as offsets.
    fn chosen(text: &str, at: &str) -> Result<Vec<u32>, String> {
        let parsed = barelink::parse(text, &Options::gfm()).unwrap();
        let lines = LineIndex::new(text);
        let at = At::parse(at).unwrap();
        let within = at.line_span(&lines)?;
        let gathered = Gathered::new(&parsed, within);
        let findings = merged(gathered.cases(), parsed.near_links().within(within));
        let findings = choose(findings, &lines, at)?;
        Ok(findings.map(|finding| finding.start()).collect())
    }

    #[test]
    fn the_nearest_candidate_of_the_line_is_chosen() {
        //          0123456789012345678901234567890
        let text = "é www.a.bc/long. then x@y.z\n\nssh://h";
        assert_eq!(chosen(text, "1:1"), Ok(vec![3]));
        assert_eq!(chosen(text, "1:14"), Ok(vec![3]), "in the link");
        assert_eq!(chosen(text, "1:16"), Ok(vec![3]), "in what was left outside");
        assert_eq!(chosen(text, "1:21"), Ok(vec![23]));
        assert_eq!(chosen(text, "1:999"), Ok(vec![23]));
        assert_eq!(chosen(text, "1"), Ok(vec![3, 23]));
        assert_eq!(chosen(text, "3:7"), Ok(vec![33]));
        assert_eq!(chosen(text, "2:1"), Err(format!("line 2 has {NOTHING}")));
        assert_eq!(chosen(text, "4:1"), Err("there is no line 4: the last one is 3".to_owned()));
    }

    #[test]
    fn all_that_a_place_is_in_is_chosen() {
        //          0         1         2         3
        //          0123456789012345678901234567890123456789
        let text = "[a](http://b.cd/e f) [g\nh](i j) www.k.lm";
        assert_eq!(chosen(text, "1:2"), Ok(vec![0]));
        assert_eq!(chosen(text, "1:8"), Ok(vec![0, 4]), "the broken link and the bare one in it");
        assert_eq!(chosen(text, "1"), Ok(vec![0, 4, 21]));
        assert_eq!(chosen(text, "2:1"), Ok(vec![21]), "begun on the line above");
        assert_eq!(chosen(text, "2:99"), Ok(vec![32]));
    }

    /// Every kind of block, with candidates of every kind: links whose destination is more than
    /// their text, links of one dialect in those of another, broken links, references.
    const BLOCKS: &str = "\
---
home: http://a.bc
---
# www.a.bc/x. and [a](b c)
[m]: /url 'www.t.le
x@y.zz'
A heading of two lines: a&#64;b.cd,
[c] (http://d.ef) and www.ö.de
===
> * x@y.zz (\"http://a.bc\") [d
>   e](f g) WWW.A.BC ftp://x.yz/(a@b.cd)
>
>   ```http://i.nf
>   http://c.de
>   ```
> * [ ] [www.l.mn][m] [www.o.pq][missing] `www.r.st`
>
> | www.a.bc | [a](b c) |
> |---|---|
> | http://a.bc\\|d | a&amp;b@c.de | 
<div>www.h.tm
a@b.cd
</div>

    www.c.de x@
[^1]: a note, www.n.ot\\_e [x][]
http://a\n<http://b.cd> ![www.e.fg](/h) ssh://i
***
www.u.vw";

    /// The findings on `line`, if only the blocks at `asked` are explained.
    fn said(parsed: &barelink::Document<'_, '_>, line: Span, asked: Span) -> Vec<String> {
        let gathered = Gathered::new(parsed, asked);
        let findings = merged(gathered.cases(), parsed.near_links().within(asked));
        let said = findings.filter(|finding| finding.is_on(line)).map(|finding| match &finding {
            Finding::Bare(case) => {
                let answers = std::iter::once(case.answer).chain(case.others().map(|(_, it)| it));
                let said = answers.map(|answer| match answer {
                    // Without the index of the link, which depends on `asked`.
                    Answer::Linked(it) => format!("{:?} {} {:?}", it.span, it.href, it.region()),
                    answer => format!("{answer:?}"),
                });
                let said: Vec<String> = said.collect();
                format!("{:?} {:?} {said:?}", case.kind, case.candidate)
            }
            Finding::Broken(near) => format!("{near:?}"),
        });
        said.collect()
    }

    #[test]
    fn a_line_is_explained_as_in_the_whole_document() {
        for preset in Options::PRESETS {
            let mut options = Options::preset(preset).unwrap();
            options.front_matter = true;
            for (domains, text) in
                [(false, BLOCKS.to_owned()), (true, BLOCKS.replace('\n', "\r\n"))]
            {
                options.autolinks.domains = domains;
                let parsed = barelink::parse(&text, &options).unwrap();
                let lines = LineIndex::new(&text);
                let mut n_said = 0;
                for number in 1..=lines.n_lines() {
                    let line = lines.line_span(number).unwrap();
                    let ours = said(&parsed, line, line);
                    assert_eq!(ours, said(&parsed, line, EVERYWHERE), "{preset}, line {number}");
                    n_said += ours.len();
                }
                assert!(n_said > 30, "{preset}: {n_said}");
            }
        }
    }
}
