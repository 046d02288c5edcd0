//! What an engine tells the recognizer in a `Region`.

use barelink_autolink::Rule;
use barelink_autolink::engine::{Edge, Match, Region, Report, Silent, gfm, github, md4c};

/// Keeps the last rule.
#[derive(Default)]
struct Last(Option<Rule>);

impl Report for Last {
    fn refused(&mut self, rule: Rule, _: usize) {
        self.0 = Some(rule);
    }

    fn trimmed(&mut self, _: Rule, _: usize, _: usize) {}
}

fn slice(text: &str, found: Option<Match>) -> Option<&str> {
    found.map(|link| &text[link.start..link.end])
}

/// The region of the text without its first and last `n` bytes.
fn inner(text: &str, n: usize) -> Region {
    Region::new(n, text.len() - n)
}

#[test]
fn md4c_minds_resolved_marks_alone() {
    let text = "**a@b.cd**";
    let find = |region: &mut Region| {
        slice(text, md4c::match_email(text.as_bytes(), 3, region, &mut Silent))
    };
    assert_eq!(find(&mut inner(text, 2)), Some("a@b.cd"));

    let mut literal_before = inner(text, 2);
    literal_before.before = Edge::Char('*');
    assert_eq!(find(&mut literal_before), None);

    let mut literal_after = inner(text, 2);
    literal_after.after = Edge::Char('*');
    assert_eq!(find(&mut literal_after), None);
}

#[test]
fn md4c_ends_at_a_resolved_mark() {
    let text = "*http://a.bc/x*y";
    let mut region = Region::new(1, 14);
    let found = md4c::match_url(text.as_bytes(), 5, &mut region, &mut Silent);
    assert_eq!(slice(text, found), Some("http://a.bc/x"));
}

#[test]
fn an_open_bracket_blocks_all_but_addresses() {
    let text = "http://a.bc www.a.bc a@b.cd";
    let mut region = Region::new(0, text.len());
    region.open_bracket = Some(0);
    let mut last = Last::default();
    let bytes = text.as_bytes();
    assert_eq!(gfm::match_url(bytes, 4, &mut region, &mut last), None);
    assert_eq!(last.0, Some(Rule::OpenBracket));
    assert_eq!(github::match_www(bytes, 12, &mut region, &mut last), None);
    assert_eq!(last.0, Some(Rule::OpenBracket));
    assert!(gfm::match_email(bytes, 22, &mut region, &mut last).is_some());
    assert!(md4c::match_url(bytes, 4, &mut region, &mut last).is_some());
}

#[test]
fn gfm_judges_what_stands_before_a_text_node() {
    // The node of `` `x`a@b.cd `` and of `*x*a@b.cd` is the same, its edge is not.
    let text = b"a@b.cd";
    for (edge, is_link) in [
        (Edge::Open, true),
        (Edge::Char('*'), true),
        (Edge::Char('\n'), true),
        (Edge::Char('`'), false),
        (Edge::Char('中'), false),
    ] {
        let mut region = Region::new(0, text.len());
        region.before = edge;
        let found = gfm::match_email(text, 1, &mut region, &mut Silent);
        assert_eq!(found.is_some(), is_link, "{edge:?}");
        // In `github` nothing before an address matters.
        assert!(github::match_email(text, 1, &mut region.clone(), &mut Silent).is_some());
    }
}

#[test]
fn an_address_stays_in_its_node() {
    let text = "xx@b.cd.ef";
    let mut region = Region::new(1, 7);
    let found = github::match_email(text.as_bytes(), 2, &mut region, &mut Silent);
    assert_eq!(slice(text, found), Some("x@b.cd"));
}

#[test]
fn github_hands_on_from_at_to_at() {
    let text = "mailto:a@b.c@d";
    let mut region = Region::new(0, text.len());
    let mut last = Last::default();
    assert_eq!(github::match_email(text.as_bytes(), 8, &mut region, &mut last), None);
    assert_eq!(last.0, Some(Rule::SecondAt));
    let found = github::match_email(text.as_bytes(), 12, &mut region, &mut last);
    // The period before the second `@` counts, and so does the scheme.
    assert_eq!(slice(text, found), Some("b.c@d"));
    assert_eq!(found.map(|link| link.prefix), Some(""));
}
