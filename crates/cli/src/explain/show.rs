//! Writes decisions for people: a verdict, an excerpt of the source with marks, and reasons.
//!
//! ```text
//! notes.md:3:5: linked[gfm]: http://www.a.bc
//!   |
//! 3 | see www.a.bc.
//!   |     ^^^^^^^^- left outside
//!   |
//!   = `.`: Punctuation at the end (...) is not part of the link.
//!          GFM 0.29 §6.9, extended autolink path validation
//! ```
//!
//! The position comes first, in the format of editors. The renderer would count columns in the
//! excerpt, which may be a part of a line.
//!
//! LINEAR: long lines and destinations are shown in part, and so is a long list of links that
//! another dialect has within one link. So the output for a case is limited, and its cost does not
//! depend on the length of its line.

use std::io::{self, Write};
use std::iter;

use annotate_snippets::renderer::Renderer;
use annotate_snippets::{AnnotationKind, Group, Level, Message};
use barelink::autolink::{Rule, Trim};
use barelink::{Dialect, LineCol, Span};

use crate::excerpt::{Mark, marked_line, shortened};
use crate::explain::answers::{Answer, Href, OfLink};
use crate::explain::broken;
use crate::explain::finding::Finding;
use crate::explain::gather::Case;
use crate::explain::{Document, UNSEEN};
use crate::job::ExplainJob;
use crate::output::has_colors;
use crate::visible::{rendered, visible};

/// Wider than any excerpt, which is shortened already.
const WIDTH: usize = 1000;

/// The maximum number of characters of a text that a reason quotes.
const QUOTE_LEN_MAX: usize = 40;

/// The maximum number of another dialect's links within one link that are shown; more are counted.
const WITHIN_MAX: usize = 10;

/// The verdicts in the order of the summary.
const NAMES: [&str; 5] = ["linked", "refused", "elsewhere", "unseen", "broken"];

/// The number of findings with each verdict, in all documents so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    counts: [usize; NAMES.len()],
}

impl Tally {
    /// The total number of findings.
    pub(crate) fn n_findings(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Counts a finding.
    pub(crate) fn add(&mut self, finding: &Finding<'_>) {
        let name = finding.name();
        for (count, _) in self.counts.iter_mut().zip(NAMES).filter(|(_, it)| *it == name) {
            *count += 1;
        }
    }
}

/// The renderer for standard output.
pub(crate) fn renderer() -> Renderer {
    let renderer = if has_colors() { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(WIDTH)
}

/// Writes the findings of a document, up to the limit, and counts all.
pub(crate) fn write<'a>(
    findings: impl Iterator<Item = Finding<'a>>,
    document: &Document<'_>,
    tally: &mut Tally,
    renderer: &Renderer,
    out: &mut impl Write,
) -> io::Result<()> {
    let name = visible(&document.name);
    for finding in findings {
        let n_before = tally.n_findings();
        if n_before < document.job.limit {
            let LineCol { line, column } = document.lines.line_col(finding.start());
            let group = match &finding {
                Finding::Bare(case) => group(case, document, line),
                Finding::Broken(near) => broken::group(near, document, line),
            };
            let space = if n_before > 0 { "\n" } else { "" };
            writeln!(
                out,
                "{space}{name}:{line}:{column}: {}",
                rendered(&renderer.render(&[group]))
            )?;
        }
        tally.add(&finding);
    }
    Ok(())
}

/// Writes the number of findings with each verdict, and how many were not shown.
pub(crate) fn write_summary(
    tally: &Tally,
    job: &ExplainJob,
    out: &mut impl Write,
) -> io::Result<()> {
    let n_findings = tally.n_findings();
    if n_findings > 1 {
        let counts = tally.counts.iter().zip(NAMES).filter(|(count, _)| **count > 0);
        let counts: Vec<String> = counts.map(|(count, name)| format!("{count} {name}")).collect();
        let files = match job.sources.len() {
            0 | 1 => String::new(),
            n_files => format!(" in {n_files} files"),
        };
        writeln!(out, "\n{n_findings} candidates{files}: {}", counts.join(", "))?;
    }
    if n_findings > job.limit {
        writeln!(out, "{} of them are not shown: --limit 0 shows all", n_findings - job.limit)?;
    }
    Ok(())
}

/// The message for a case.
fn group<'a>(case: &Case<'_>, document: &Document<'_>, line: u32) -> Group<'a> {
    let dialect = document.job.options.autolinks.dialect.map_or("none", Dialect::name);
    let (level, title) = match &case.answer {
        Answer::Linked(link) => (Level::NOTE, short_href(&link.href)),
        Answer::Refused { rule, .. } => (Level::ERROR, rule.sentence().to_owned()),
        Answer::Elsewhere(place) => (Level::INFO, place.sentence().to_owned()),
        Answer::Unseen => (Level::INFO, UNSEEN.to_owned()),
    };
    let title = level.with_name(case.answer.name()).primary_title(title).id(dialect);
    title
        .element(marked_line(document.text, document.lines, line, &marks_of(case)))
        .elements(reasons(&case.answer, document.text))
        .elements(differing(case, document.text))
}

/// Messages about the dialects whose decisions differ.
fn differing<'a>(case: &Case<'_>, text: &str) -> Vec<Message<'a>> {
    let message =
        |dialect: Dialect, words: String| Level::HELP.with_name(dialect.name()).message(words);
    let mut messages = Vec::new();
    let mut differing = case.differing().peekable();
    while let Some(&(dialect, _)) = differing.peek() {
        let mut of_dialect = iter::from_fn(|| differing.next_if(|(next, _)| *next == dialect));
        let shown = of_dialect.by_ref().take(WITHIN_MAX);
        messages.extend(shown.map(|(_, answer)| message(dialect, words_of(&answer, text))));
        let n_more = of_dialect.count();
        if n_more > 0 {
            messages.push(message(dialect, format!("and {n_more} more links within this one")));
        }
    }
    messages
}

/// The marks in the source, with their labels.
fn marks_of(case: &Case<'_>) -> Vec<Mark> {
    let candidate = (AnnotationKind::Primary, case.candidate, None);
    match &case.answer {
        Answer::Linked(link) => {
            let region = link.region();
            let mut marks = vec![(AnnotationKind::Primary, link.span, None)];
            if region.end > link.span.end {
                let outside = Span::new(link.span.end, region.end);
                marks.push((AnnotationKind::Context, outside, Some("left outside")));
            }
            marks
        }
        Answer::Refused { at, .. } if !(case.candidate.start..case.candidate.end).contains(at) => {
            vec![candidate, (AnnotationKind::Context, Span::new(*at, *at), Some("here"))]
        }
        _ => vec![candidate],
    }
}

/// The rules behind a decision that the title does not name.
fn reasons<'a>(answer: &Answer<'_>, text: &str) -> Vec<Message<'a>> {
    match answer {
        Answer::Linked(link) => by_rule(link.trims, text)
            .into_iter()
            .map(|(rule, outside)| Level::NOTE.with_name(outside).message(rule_words(rule)))
            .collect(),
        Answer::Refused { rule, .. } => {
            vec![Level::NOTE.with_name("rule").message(rule.section())]
        }
        Answer::Elsewhere(_) | Answer::Unseen => Vec::new(),
    }
}

/// The whole decision, as lines of text.
fn words_of(answer: &Answer<'_>, text: &str) -> String {
    match answer {
        Answer::Linked(link) => {
            let mut lines = vec![format!("linked: {}", visible(&short_href(&link.href)))];
            lines.extend(
                by_rule(link.trims, text)
                    .into_iter()
                    .map(|(rule, outside)| format!("{outside} left outside: {}", rule_words(rule))),
            );
            lines.join("\n")
        }
        Answer::Refused { rule, .. } => format!("refused: {}", rule_words(*rule)),
        Answer::Elsewhere(place) => format!("elsewhere: {}", place.sentence()),
        Answer::Unseen => format!("unseen: {UNSEEN}"),
    }
}

/// The rules that trimmed a link, each with all that it trimmed, in the order of the source.
fn by_rule(trims: &[OfLink<Trim>], text: &str) -> Vec<(Rule, String)> {
    let mut found: Vec<(Rule, String)> = Vec::new();
    for trim in trims.iter().rev().map(|trim| trim.it) {
        let outside = quote(trim.span.slice(text));
        match found.iter_mut().find(|(rule, _)| *rule == trim.rule) {
            Some((_, before)) => *before = format!("{before} {outside}"),
            None => found.push((trim.rule, outside)),
        }
    }
    found
}

/// A destination, shortened in the middle if it is long.
fn short_href(href: &Href<'_>) -> String {
    shortened(href.prefix, href.rest)
}

fn rule_words(rule: Rule) -> String {
    format!("{}\n{}", rule.sentence(), rule.section())
}

/// Quotes a piece of the source for a sentence.
fn quote(text: &str) -> String {
    let ellipsis = if text.chars().nth(QUOTE_LEN_MAX).is_some() { "…" } else { "" };
    let text: String = text.chars().take(QUOTE_LEN_MAX).collect();
    format!("`{}{ellipsis}`", visible(&text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::EVERYWHERE;
    use crate::explain::finding::merged;
    use crate::explain::gather::Gathered;
    use crate::job::Layout;
    use crate::source::{Source, Text};
    use barelink::{LineIndex, Options};

    /// What is shown of a text, without trailing spaces.
    fn shown(text: &str) -> Vec<String> {
        shown_up_to(usize::MAX, text)
    }

    fn shown_up_to(limit: usize, text: &str) -> Vec<String> {
        let options = Options::gfm();
        let parsed = barelink::parse(text, &options).unwrap();
        let gathered = Gathered::new(&parsed, EVERYWHERE);
        let findings = merged(gathered.cases(), parsed.near_links());
        let (options, sources) = (options.clone(), vec![Source::Stdin]);
        let job = ExplainJob { options, sources, at: None, layout: Layout::Words, limit };
        let (name, lines) = ("a.md".to_owned(), LineIndex::new(text));
        let read = Text::new(text.as_bytes().to_vec());
        let document = Document { name, text, read: &read, lines: &lines, job: &job };
        let (mut tally, mut out) = (Tally::default(), Vec::new());
        let renderer = Renderer::plain().term_width(WIDTH);
        write(findings, &document, &mut tally, &renderer, &mut out).unwrap();
        write_summary(&tally, &job, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        out.lines().map(|line| line.trim_end().to_owned()).collect()
    }

    #[test]
    fn underlines_are_where_the_link_is_seen() {
        // A tab is four columns, an ideograph two.
        let lines = shown("a\t漢字 http://a.bc/漢.");
        assert_eq!(lines[0], "a.md:1:6: linked[gfm]: http://a.bc/漢");
        assert_eq!(lines[2], "1 | a    漢字 http://a.bc/漢.");
        assert_eq!(lines[3], "  |           ^^^^^^^^^^^^^^- left outside");
    }

    #[test]
    fn a_long_line_is_shown_in_part_and_its_column_is_true() {
        let lines = shown(&format!("{}www.a.bc/{} z", "word ".repeat(100), "x".repeat(200)));
        assert!(
            lines[0].starts_with("a.md:1:501: linked[gfm]: http://www.a.bc/xxx"),
            "{}",
            lines[0]
        );
        assert!(lines.iter().all(|line| line.chars().count() < 140), "{lines:?}");
        let start = lines[2].chars().position(|c| c == '/').unwrap();
        assert_eq!(lines[3].chars().nth(start), Some('^'));
    }

    #[test]
    fn a_rule_that_left_two_things_outside_is_told_once() {
        let lines = shown("www.a.bc.)!");
        let rules: Vec<&String> = lines.iter().filter(|line| line.starts_with("  = ")).collect();
        assert_eq!(rules.len(), 2, "{lines:?}");
        assert!(rules[0].starts_with("  = `.` `!`: Punctuation"), "{rules:?}");
        assert!(rules[1].starts_with("  = `)`: A `)` at the end"), "{rules:?}");
    }

    #[test]
    fn many_links_in_one_of_ours_are_counted() {
        // A comma before another link is not part of the first, in the natural dialect.
        let links = (0..15).map(|n| format!("http://a{n}.bc")).collect::<Vec<_>>().join(",");
        let lines = shown(&links);
        let natural = lines.iter().filter(|line| line.starts_with("  = natural: linked: ")).count();
        assert_eq!(natural, WITHIN_MAX, "{lines:#?}");
        assert!(lines[0].starts_with("a.md:1:1: linked[gfm]: http://a0.bc,"), "{}", lines[0]);
        let last = lines.last().unwrap();
        assert_eq!(last, "  = natural: and 5 more links within this one", "{lines:#?}");
    }

    #[test]
    fn past_the_limit_cases_are_counted() {
        let lines = shown_up_to(2, "www.a.bc x@ `y@` z@");
        assert_eq!(lines.iter().filter(|line| line.starts_with("a.md:1:")).count(), 2);
        let [.., summary, last] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!(summary, "4 candidates: 1 linked, 2 refused, 1 elsewhere");
        assert_eq!(last, "2 of them are not shown: --limit 0 shows all");
    }

    #[test]
    fn nothing_reaches_the_terminal_that_it_would_obey() {
        let lines = shown("see http://a.bc/\u{1b}[31m\u{7} and x\u{1b}@b.c");
        assert!(!lines.concat().contains(['\u{1b}', '\u{7}']), "{lines:?}");
    }

    #[test]
    fn a_rule_broken_at_the_end_of_the_line_is_marked_there() {
        let lines = shown("http://a\nb");
        assert_eq!(lines[2], "1 | http://a");
        assert_eq!(lines[3], "  |     ^^^ - here");
    }

    #[test]
    fn a_broken_link_is_shown_with_the_byte_that_breaks_it() {
        let lines = shown("see [the guide](my guide.md)");
        assert_eq!(
            lines,
            [
                "a.md:1:5: broken[space-in-destination]: A space ends the destination, and what \
                 follows is no title in quotes.",
                "  |",
                "1 | see [the guide](my guide.md)",
                "  |     ^^^^^^^^^^^^^^-^^^^^^^^^",
                "  |                   |",
                "  |                   here",
                "  |",
                "  = help: Write %20 for the space, or put <> around it all.",
            ]
        );
    }

    #[test]
    fn a_link_that_breaks_on_a_line_below_is_shown_with_that_line() {
        let lines = shown("> [the\n> guide](my guide.md)");
        let marked = ["1 | > [the", "  |   ^^^^", "  |", " :::", "2 | > guide](my guide.md)"];
        assert_eq!(lines[2..7], marked);
        assert_eq!(lines[7], "  |            - here");
    }
}
