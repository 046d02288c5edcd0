//! Comparisons other than HTML: events, the recognizer alone, and the cost of a single bare URL.

use std::fmt::Write as _;

use barelink_autolink::Dialect;

use crate::engines::{BARELINK, Config, entrants, pulldown_options};
use crate::measure::{Plan, Runner, Times, interleave};

/// The number of bare URLs in the document that measures the cost of one.
const N_URLS: usize = 20_000;

/// Events without HTML: Barelink's, which always have spans, and pulldown-cmark's
/// without and with. Whoever takes them looks at the texts and spans.
///
/// # Panics
/// If the source has 4 GiB.
pub fn compare_events(source: &str, config: Config, plan: Plan) -> Vec<Times> {
    let mut runners = Vec::new();
    if let Some(options) = config.options() {
        let mut parser = barelink::Parser::new(options);
        let run = move || {
            let mut len = 0;
            for event in parser.parse(source).expect("a corpus is below 4 GiB").events() {
                len += measure_ours(&event);
            }
            len
        };
        runners.push(Runner { label: BARELINK.to_owned(), run: Box::new(run) });
    }
    let options = pulldown_options(config);
    let events = move || pulldown_cmark::Parser::new_ext(source, options);
    let without_spans = move || {
        let mut len = 0;
        for event in events() {
            len += measure_theirs(&event);
        }
        len
    };
    runners.push(Runner { label: "pulldown-cmark".to_owned(), run: Box::new(without_spans) });
    let with_spans = move || {
        let mut len = 0;
        for (event, span) in events().into_offset_iter() {
            len += measure_theirs(&event) + span.len();
        }
        len
    };
    runners.push(Runner { label: "pulldown-cmark, spans".to_owned(), run: Box::new(with_spans) });
    interleave(runners, plan)
}

/// The length of an event's text, and of its span.
fn measure_ours(event: &barelink::Event<'_>) -> usize {
    use barelink::EventKind::{Code, Html, InlineHtml, Text};
    let span_len = event.span.len() as usize;
    match &event.kind {
        Text(text) | Code(text) | Html(text) | InlineHtml(text) => span_len + text.len(),
        _ => span_len,
    }
}

/// The length of the text of an event of pulldown-cmark.
fn measure_theirs(event: &pulldown_cmark::Event<'_>) -> usize {
    use pulldown_cmark::Event::{Code, Html, InlineHtml, Text};
    match event {
        Text(text) | Code(text) | Html(text) | InlineHtml(text) => text.len(),
        _ => 0,
    }
}

/// The recognizer alone, on the corpus as if it were plain text.
pub fn compare_recognizers(text: &str, plan: Plan) -> Vec<Times> {
    let mut runners: Vec<Runner<'_>> = Dialect::ALL
        .iter()
        .map(|&dialect| Runner {
            label: format!("{BARELINK} {}", dialect.name()),
            run: Box::new(move || barelink_autolink::links(text, dialect).count()),
        })
        .collect();
    let finder = linkify::LinkFinder::new();
    let run = move || finder.links(text).count();
    runners.push(Runner { label: "linkify".to_owned(), run: Box::new(run) });
    interleave(runners, plan)
}

/// The cost of one bare URL in nanoseconds: the time for a document full of them, minus that for
/// the same document with a `+` for every colon.
pub fn measure_bare_url(only: &[String], plan: Plan) -> anyhow::Result<Vec<(String, f64)>> {
    let with_links = document_of_urls();
    let without = with_links.replace("://", "+//");
    let mut runners = Vec::new();
    for source in [&with_links, &without] {
        for mut entrant in entrants(Config::Gfm, only)?.into_iter().filter(|it| !it.does_less) {
            let label = entrant.name.to_owned();
            let run = Box::new(move || entrant.engine.html(source).len());
            runners.push(Runner { label, run });
        }
    }
    let times = interleave(runners, plan);
    let (linked, unlinked) = times.split_at(times.len() / 2);
    let costs = linked.iter().zip(unlinked).map(|(linked, unlinked)| {
        (linked.label.clone(), (linked.best() - unlinked.best()) / N_URLS as f64 * 1e9)
    });
    Ok(costs.collect())
}

/// Lines of the same shape with a URL in the middle of each, none twice.
fn document_of_urls() -> String {
    let mut text = String::new();
    for url_idx in 0..N_URLS {
        let _ = writeln!(
            text,
            "some words before https://host{}.example/path/page{url_idx} and some words after",
            url_idx % 97
        );
        if url_idx % 8 == 7 {
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{N_URLS, document_of_urls};

    #[test]
    fn every_line_has_a_url() {
        assert_eq!(document_of_urls().matches("https://").count(), N_URLS);
    }
}
