//! Writes decisions for programs: a JSON object for each finding, one per line.
//!
//! Spans and `at` are offsets in bytes from zero; lines and columns (in characters) count from one.
//! Fields that do not apply to a verdict are omitted.
//!
//! LINEAR: a link of another dialect may cover many candidates, so it is written in full for the
//! first of them, and as a span for the others. Links of one dialect do not overlap, so their full
//! texts are not longer than the source. Of nested broken links, the outermost is written in full,
//! and the others as spans.

use std::collections::HashMap;
use std::io::{self, Write};

use barelink::{Dialect, NearLink, Span};
use serde::{Serialize, Serializer};

use crate::explain::answers::{Answer, Href, Link};
use crate::explain::finding::Finding;
use crate::explain::gather::Case;
use crate::explain::show::Tally;
use crate::explain::{Document, UNSEEN};
use crate::links::Bytes;
use crate::visible::write_json;

/// Writes the findings of a document, up to the limit, and counts all.
pub(crate) fn write<'a>(
    findings: impl Iterator<Item = Finding<'a>>,
    document: &Document<'_>,
    tally: &mut Tally,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut written = Written::default();
    for finding in findings {
        if tally.n_findings() < document.job.limit {
            match &finding {
                Finding::Bare(case) => {
                    write_json(&entry(case, document, &written), out)?;
                    for (dialect, answer) in case.others() {
                        if let Some(link) = answer.link() {
                            written.insert(dialect, link);
                        }
                    }
                }
                Finding::Broken(near) => {
                    write_json(&broken(near, document, &mut written), out)?;
                }
            }
            out.write_all(b"\n")?;
        }
        tally.add(&finding);
    }
    Ok(())
}

/// The links that were written in full.
#[derive(Default)]
struct Written {
    /// For each other dialect, whether each of its links was, by index.
    links: HashMap<Dialect, Vec<bool>>,
    /// The end of the last broken link.
    broken_end: u32,
}

impl Written {
    fn insert(&mut self, dialect: Dialect, link: &Link<'_>) {
        let links = self.links.entry(dialect).or_default();
        if links.len() <= link.idx {
            links.resize(link.idx + 1, false);
        }
        links[link.idx] = true;
    }

    fn contains(&self, dialect: Dialect, link: &Link<'_>) -> bool {
        self.links.get(&dialect).and_then(|links| links.get(link.idx)) == Some(&true)
    }
}

#[derive(Serialize)]
struct Entry<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    candidate: Piece<'a>,
    kind: &'static str,
    dialect: &'static str,
    #[serde(flatten)]
    verdict: Verdict<'a>,
    others: Others<'a>,
}

/// A piece of the source.
#[derive(Serialize)]
struct Piece<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    span: Bytes,
}

/// Text that looks like a Markdown link but is none.
#[derive(Serialize)]
struct Broken<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    candidate: Piece<'a>,
    kind: &'static str,
    verdict: &'static str,
    flaw: &'static str,
    sentence: &'static str,
    help: &'static str,
    at: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
}

/// Serializes the decisions of all other dialects, one at a time.
struct Others<'a> {
    case: &'a Case<'a>,
    document: &'a Document<'a>,
    written: &'a Written,
}

impl Serialize for Others<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.case.others().map(|(dialect, answer)| Other {
            dialect: dialect.name(),
            differs: self.case.answer.differs(&answer),
            verdict: match answer {
                Answer::Linked(link) if self.written.contains(dialect, &link) => Verdict::Linked {
                    href: None,
                    text: None,
                    span: self.document.bytes(link.span),
                    trims: None,
                },
                _ => verdict(answer, self.document),
            },
        }))
    }
}

/// The decision of another dialect.
#[derive(Serialize)]
struct Other<'a> {
    dialect: &'static str,
    /// Whether it makes a visible difference.
    differs: bool,
    #[serde(flatten)]
    verdict: Verdict<'a>,
}

#[derive(Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
enum Verdict<'a> {
    Linked {
        #[serde(skip_serializing_if = "Option::is_none")]
        href: Option<Href<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<&'a str>,
        span: Bytes,
        #[serde(skip_serializing_if = "Option::is_none")]
        trims: Option<Vec<Trim<'a>>>,
    },
    Refused {
        rule: String,
        sentence: &'static str,
        section: &'static str,
        at: u32,
    },
    Elsewhere {
        place: String,
        sentence: &'static str,
    },
    Unseen {
        sentence: &'static str,
    },
}

/// A part that was trimmed from a link.
#[derive(Serialize)]
struct Trim<'a> {
    text: &'a str,
    span: Bytes,
    rule: String,
    sentence: &'static str,
    section: &'static str,
}

impl Serialize for Href<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn entry<'a>(case: &'a Case<'a>, document: &'a Document<'a>, written: &'a Written) -> Entry<'a> {
    let place = document.lines.line_col(case.start());
    Entry {
        file: &document.name,
        line: place.line,
        column: place.column,
        candidate: piece(case.candidate, document),
        kind: case.kind.name(),
        dialect: document.job.options.autolinks.dialect.map_or("none", Dialect::name),
        verdict: verdict(case.answer, document),
        others: Others { case, document, written },
    }
}

fn broken<'a>(near: &NearLink, document: &'a Document<'a>, written: &mut Written) -> Broken<'a> {
    let place = document.lines.line_col(near.span.start);
    let is_whole = near.span.start >= written.broken_end;
    written.broken_end = written.broken_end.max(near.span.end);
    let slice = |span: Span| is_whole.then(|| span.slice(document.text));
    Broken {
        file: &document.name,
        line: place.line,
        column: place.column,
        candidate: Piece { text: slice(near.span), span: document.bytes(near.span) },
        kind: if near.image { "image" } else { "link" },
        verdict: "broken",
        flaw: near.flaw.name(),
        sentence: near.flaw.sentence(),
        help: near.flaw.help(),
        at: document.read.source_offset(near.at),
        text: slice(near.text),
        target: slice(near.target),
    }
}

fn verdict<'a>(answer: Answer<'a>, document: &Document<'a>) -> Verdict<'a> {
    match answer {
        Answer::Linked(link) => {
            let trims = link.trims.iter().map(|trim| trim.it).map(|trim| Trim {
                text: trim.span.slice(document.text),
                span: document.bytes(trim.span),
                rule: name_of(trim.rule),
                sentence: trim.rule.sentence(),
                section: trim.rule.section(),
            });
            Verdict::Linked {
                href: Some(link.href),
                text: Some(link.span.slice(document.text)),
                span: document.bytes(link.span),
                trims: Some(trims.collect()),
            }
        }
        Answer::Refused { rule, at } => Verdict::Refused {
            rule: name_of(rule),
            sentence: rule.sentence(),
            section: rule.section(),
            at: document.read.source_offset(at),
        },
        Answer::Elsewhere(place) => {
            Verdict::Elsewhere { place: name_of(place), sentence: place.sentence() }
        }
        Answer::Unseen => Verdict::Unseen { sentence: UNSEEN },
    }
}

fn piece<'a>(span: Span, document: &Document<'a>) -> Piece<'a> {
    Piece { text: Some(span.slice(document.text)), span: document.bytes(span) }
}

impl Document<'_> {
    /// A span of the file.
    fn bytes(&self, span: Span) -> Bytes {
        self.read.source_span(span).into()
    }
}

/// The library's name for a rule or a place, in kebab case: `OpenBracket` becomes
/// `open-bracket`.
fn name_of(variant: impl std::fmt::Debug) -> String {
    let mut name = String::new();
    for c in format!("{variant:?}").chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}
