//! What holds for bare links in every plain text: they stand in order and in
//! the text, verdicts and links agree, and in a paragraph that Markdown makes
//! nothing else of, the engine finds the same.

use barelink::autolink::{Kind, Outcome, Rules, links, verdicts};
use barelink::{Autolinks, Dialect, Form, Options, Parser, Policy, Span};

/// A link: its kind, place and destination.
type Found = (Kind, Span, String);

/// Fails if something of it does not hold.
pub(crate) fn check(text: &str, rules: Rules) {
    let found: Vec<Found> =
        links(text, rules).map(|link| (link.kind, link.span, link.href().to_string())).collect();
    let mut done = 0;
    for link in links(text, rules) {
        let Span { start, end } = link.span;
        assert!(rules.wants(link.kind), "{link:?} in {text:?}");
        assert!(done <= start && start < end, "{link:?} goes back in {text:?}");
        assert_eq!(text.get(link.span.range()), Some(link.text), "in {text:?}");
        done = end;
    }
    check_verdicts(text, rules, &found);
    if is_plain(text) && knows_as_much(text, rules) {
        assert_eq!(found, find_in_document(text, rules), "alone and in a document: {text:?}");
    }
}

fn check_verdicts(text: &str, rules: Rules, found: &[Found]) {
    let mut linked = Vec::new();
    let mut last = 0;
    for verdict in verdicts(text, rules) {
        assert!(verdict.candidate.start >= last, "{verdict:?} goes back in {text:?}");
        last = verdict.candidate.end;
        match verdict.outcome {
            Outcome::Linked { span, trims, .. } => {
                assert!(trims.iter().all(|trim| trim.span.start >= span.end), "in {text:?}");
                linked.push((verdict.kind, span));
            }
            Outcome::Refused { at, .. } => assert!(at as usize <= text.len(), "in {text:?}"),
        }
    }
    let found: Vec<(Kind, Span)> = found.iter().map(|(kind, span, _)| (*kind, *span)).collect();
    assert_eq!(linked, found, "verdicts and links differ on {text:?}");
}

/// Whether Markdown makes nothing of a text but one paragraph that says the same.
fn is_plain(text: &str) -> bool {
    let mut escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    escaped = escaped.replace('"', "&quot;");
    let mut options = Options::commonmark();
    options.policy = Policy::TRUSTED;
    let html = barelink::to_html(text, &options).expect("the text is short");
    html == format!("<p>{escaped}</p>\n")
}

/// Whether text alone tells a dialect what a document would.
///
/// DIALECT(natural): a document also tells which delimiters wait to be closed.
fn knows_as_much(text: &str, rules: Rules) -> bool {
    rules.dialect != Dialect::Natural || !text.contains(['*', '_', '~'])
}

fn find_in_document(text: &str, rules: Rules) -> Vec<Found> {
    let mut options = Options::commonmark();
    options.autolinks = Autolinks::new(rules.dialect);
    options.autolinks.url = rules.url;
    options.autolinks.www = rules.www;
    options.autolinks.email = rules.email;
    let mut parser = Parser::new(options);
    let document = parser.parse(text).expect("the text is short");
    document
        .links()
        .filter_map(|link| {
            let kind = match link.form {
                Form::BareUrl => Kind::Url,
                Form::BareWww => Kind::Www,
                Form::BareEmail => Kind::Email,
                _ => return None,
            };
            Some((kind, link.span, link.destination.into_owned()))
        })
        .collect()
}
