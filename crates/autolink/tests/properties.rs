//! What holds for every text.

use barelink_autolink::{Dialect, Kind, Outcome, Rules, links, verdicts};
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};
use proptest::sample::select;

/// Pieces that bare links are made of, and what spoils them.
const PIECES: &[&str] = &[
    "http://", "https://", "ftp://", "HTTP://", "://", "www.", "@", "mailto:", "xmpp:", "a",
    "b.cd", "x1", ".", ".", "-", "_", "+", "/", "?", "#", "=", "&amp;", "&x", ";", ":", ",", "!",
    "*", "~", "(", ")", "[", "]", "{", "}", "<", ">", "'", "\"", "\\", "|", " ", "\n", "\n\n",
    "\t", "\r\n", "\u{B}", "é", "中", "。", "\u{3000}", "\u{A0}", "😀", "\u{301}", "\0",
];

fn text() -> impl Strategy<Value = String> {
    let piece = proptest::strategy::Union::new([
        select(PIECES).prop_map(str::to_owned).boxed(),
        any::<char>().prop_map(String::from).boxed(),
    ]);
    let pieces = proptest::collection::vec(select(PIECES).prop_map(str::to_owned), 0..40);
    let mixed = proptest::collection::vec(piece, 0..40);
    proptest::strategy::Union::new([pieces.boxed(), mixed.boxed()])
        .prop_map(|pieces| pieces.concat())
}

fn rules() -> impl Strategy<Value = Rules> {
    (select(Dialect::ALL), any::<[bool; 3]>()).prop_map(|(dialect, [url, www, email])| {
        let mut rules = Rules::none(dialect);
        (rules.url, rules.www, rules.email) = (url, www, email);
        rules
    })
}

proptest! {
    #[test]
    fn links_are_in_order_and_in_the_text(text in text(), rules in rules()) {
        let mut done = 0;
        for link in links(&text, rules) {
            prop_assert!(rules.wants(link.kind));
            prop_assert!(done <= link.span.start && link.span.start < link.span.end);
            prop_assert_eq!(text.get(link.span.range()), Some(link.text));
            prop_assert!(!link.text.contains(['\n', ' ']));
            match link.kind {
                Kind::Url => prop_assert!(link.text.contains("://")),
                Kind::Www => prop_assert!(link.text.starts_with("www")),
                _ => prop_assert!(link.text.contains('@')),
            }
            done = link.span.end;
        }
    }

    #[test]
    fn verdicts_link_what_links_do(text in text(), rules in rules()) {
        let linked: Vec<_> = verdicts(&text, rules)
            .filter_map(|verdict| match verdict.outcome {
                Outcome::Linked { span, .. } => Some((verdict.kind, span)),
                Outcome::Refused { .. } => None,
            })
            .collect();
        let found: Vec<_> = links(&text, rules).map(|link| (link.kind, link.span)).collect();
        prop_assert_eq!(linked, found);
    }

    #[test]
    fn verdicts_cover_every_candidate(text in text(), dialect in select(Dialect::ALL)) {
        let mut expected: Vec<_> = ["://", "www.", "@"]
            .iter()
            .flat_map(|marker| text.match_indices(marker).map(|(start, _)| start as u32))
            .collect();
        expected.sort_unstable();
        let mut linked = 0..0;
        for verdict in verdicts(&text, dialect) {
            expected.retain(|start| !(linked.start..linked.end).contains(start));
            prop_assert_eq!(expected.remove(0), verdict.candidate.start);
            match verdict.outcome {
                Outcome::Linked { span, trims, .. } => {
                    linked = span.start..span.end;
                    // What was trimmed lies right behind the link, without a gap.
                    let mut trimmed: Vec<_> = trims.iter().map(|trim| trim.span).collect();
                    trimmed.reverse();
                    let mut end = span.end;
                    for trim in trimmed {
                        prop_assert_eq!(trim.start, end);
                        prop_assert!(trim.end > trim.start);
                        end = trim.end;
                    }
                    prop_assert!(text.is_char_boundary(end as usize));
                }
                Outcome::Refused { at, .. } => prop_assert!(at as usize <= text.len()),
            }
        }
        expected.retain(|start| !(linked.start..linked.end).contains(start));
        prop_assert!(expected.is_empty(), "no verdict at {:?}", expected);
    }

    /// A paragraph is an island: what stands in another one changes nothing.
    #[test]
    fn paragraphs_are_alone(one in text(), two in text(), dialect in select(Dialect::ALL)) {
        let texts = |text: &str| -> Vec<String> {
            links(text, dialect).map(|link| link.text.to_owned()).collect()
        };
        let both = format!("{one}\n\n{two}");
        prop_assert_eq!(texts(&both), [texts(&one), texts(&two)].concat());
    }
}
