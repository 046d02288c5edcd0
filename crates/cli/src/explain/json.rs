//! Decisions for programs: a JSON object for each candidate, one a line.
//!
//! Spans and `at` count bytes of the source from zero, lines and columns (in characters)
//! from one. Fields that a verdict has no use for are left out.

use std::io::{self, Write};

use barelink::{Dialect, Span};
use serde::Serialize;

use crate::explain::gather::{Answer, Case};
use crate::explain::{Document, UNSEEN};
use crate::links::Bytes;

/// Writes the cases.
pub(crate) fn write(
    cases: &[Case],
    document: &Document<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    for case in cases {
        serde_json::to_writer(&mut *out, &entry(case, document))?;
        out.write_all(b"\n")?;
    }
    Ok(())
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
    others: Vec<Other<'a>>,
}

/// A piece of the source.
#[derive(Serialize)]
struct Piece<'a> {
    text: &'a str,
    span: Bytes,
}

/// How another dialect decides.
#[derive(Serialize)]
struct Other<'a> {
    dialect: &'static str,
    /// Whether it makes another link, or one where there is none, or none.
    differs: bool,
    #[serde(flatten)]
    verdict: Verdict<'a>,
}

#[derive(Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
enum Verdict<'a> {
    Linked { href: &'a str, text: &'a str, span: Bytes, trims: Vec<Trim<'a>> },
    Refused { rule: String, sentence: &'static str, section: &'static str, at: u32 },
    Elsewhere { place: String, sentence: &'static str },
    Unseen { sentence: &'static str },
}

/// What was left outside at the end of a link.
#[derive(Serialize)]
struct Trim<'a> {
    text: &'a str,
    span: Bytes,
    rule: String,
    sentence: &'static str,
    section: &'static str,
}

fn entry<'a>(case: &'a Case, document: &'a Document<'_>) -> Entry<'a> {
    let place = document.lines.line_col(case.start());
    let others = case.others.iter().map(|(dialect, answer)| Other {
        dialect: dialect.name(),
        differs: case.answer.differs(answer),
        verdict: verdict(answer, document.text),
    });
    Entry {
        file: &document.name,
        line: place.line,
        column: place.column,
        candidate: piece(case.candidate, document.text),
        kind: case.kind.name(),
        dialect: document.job.options.autolinks.dialect.map_or("none", Dialect::name),
        verdict: verdict(&case.answer, document.text),
        others: others.collect(),
    }
}

fn verdict<'a>(answer: &'a Answer, text: &'a str) -> Verdict<'a> {
    match answer {
        Answer::Linked { span, href, trims } => {
            let trims = trims.iter().map(|trim| Trim {
                text: trim.span.slice(text),
                span: trim.span.into(),
                rule: name_of(trim.rule),
                sentence: trim.rule.sentence(),
                section: trim.rule.section(),
            });
            let Piece { text, span } = piece(*span, text);
            Verdict::Linked { href, text, span, trims: trims.collect() }
        }
        Answer::Refused { rule, at } => Verdict::Refused {
            rule: name_of(rule),
            sentence: rule.sentence(),
            section: rule.section(),
            at: *at,
        },
        Answer::Elsewhere(place) => {
            Verdict::Elsewhere { place: name_of(place), sentence: place.sentence() }
        }
        Answer::Unseen => Verdict::Unseen { sentence: UNSEEN },
    }
}

fn piece(span: Span, text: &str) -> Piece<'_> {
    Piece { text: span.slice(text), span: span.into() }
}

/// The library's name for a rule or a place, in the usual form of JSON's: `OpenBracket`
/// is `open-bracket`.
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
