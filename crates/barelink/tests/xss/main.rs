//! Hostile input through the safe default: whatever is put in, what comes out
//! has no script, no event handler, no dangerous destination and no unclosed
//! tag, in any preset.
//!
//! The output is read by html5ever, as a browser reads it, and checked on the
//! tree (`tree`); and by a strict reader of our own (`well_formed`), since a
//! browser's puts up with anything.

mod tree;
mod vectors;
mod well_formed;

use std::collections::HashSet;

use barelink::{Options, Policy, SoftBreaks};
use proptest::prelude::{ProptestConfig, Strategy, any, prop, proptest};

/// Every preset as it is, and with everything on that adds to the output.
fn configurations() -> Vec<(&'static str, Options)> {
    let mut all = Vec::new();
    for &name in Options::PRESETS {
        let plain = Options::preset(name).expect("a listed preset exists");
        assert_eq!(plain.policy, Policy::SAFE, "{name} is not safe");
        let mut rich = plain.clone();
        (rich.footnotes, rich.alerts) = (true, true);
        rich.policy.bare.rel = Some("nofollow ugc".into());
        rich.policy.external.target_blank = true;
        rich.policy.https = true;
        rich.policy.heading_ids = true;
        rich.policy.source_positions = true;
        rich.policy.soft_breaks = SoftBreaks::Hard;
        all.extend([(name, plain), (name, rich)]);
    }
    all
}

fn problem(html: &str) -> Option<String> {
    well_formed::check(html).and_then(|()| tree::check(html)).err()
}

/// What is wrong with the HTML of `source`, in each configuration.
fn problems(source: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut seen = HashSet::new();
    for (name, options) in configurations() {
        let html = barelink::to_html(source, &options).expect("the source is short");
        if !seen.insert(html.clone()) {
            continue;
        }
        let found = problem(&html);
        if let Some(problem) = found {
            problems.push(format!("{name}: {problem}\n  {source:?}\n  {html:?}"));
        }
    }
    problems
}

fn check(sources: impl IntoIterator<Item = String>) {
    let problems: Vec<String> = sources.into_iter().flat_map(|source| problems(&source)).collect();
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

/// Everything of `pieces` in every one of `places`.
fn combinations<'v>(
    places: &'v [&str],
    pieces: &'v [&str],
) -> impl Iterator<Item = String> + use<'v> {
    places.iter().flat_map(|place| pieces.iter().map(|piece| place.replace('@', piece)))
}

#[test]
fn destinations_run_nothing() {
    check(combinations(vectors::URL_PLACES, vectors::URLS));
}

#[test]
fn markup_stays_text() {
    check(combinations(vectors::MARKUP_PLACES, vectors::MARKUP));
}

#[test]
fn attributes_keep_what_is_in_them() {
    check(combinations(vectors::BREAKOUT_PLACES, vectors::BREAKOUTS));
}

#[test]
fn structure_holds() {
    check(vectors::DOCUMENTS.iter().map(|&document| document.to_owned()));
}

#[test]
fn deep_and_long_input_stays_balanced() {
    // html5ever takes quadratic time for deep trees.
    const N: usize = 100;
    let pieces = [
        "> ",
        "- ",
        "1. ",
        "> - ",
        "*",
        "**a ",
        "*a **b ",
        "~~a ",
        "[",
        "![",
        "[a](",
        "![a](/b \"",
        "<b ",
        "<script>",
        "<!--",
        "`",
        "&lt;",
        "[^1]",
        "|",
        "http://a.bc/(",
        "www.a.bc\"",
        "\\\"",
    ];
    check(pieces.iter().map(|piece| piece.repeat(N)));
    check(pieces.iter().map(|piece| format!("{}<script>\n\n[^1]: x", piece.repeat(N))));
}

/// The innermost link counts: one in angle brackets, or the reference to a
/// footnote, is no part of the text of another.
#[test]
fn links_do_not_nest() {
    let sources = [
        "[a <http://b.cd> e](/f)",
        "[a <b@c.de>](/f)",
        "[![a](/b) <http://c.de>](/d)",
        "[a[^1]](/b)\n\n[^1]: c",
        "[[^1]][a]\n\n[a]: /b\n\n[^1]: x",
        "![[a <http://b.cd>](/c)](/d)",
    ];
    check(sources.iter().map(|source| (*source).to_owned()));
    let html = barelink::to_html(sources[0], &Options::github()).expect("the source is short");
    assert_eq!(html, "<p>[a <a href=\"http://b.cd\">http://b.cd</a> e](/f)</p>\n");
}

#[test]
fn the_checks_see_what_is_wrong() {
    for html in [
        "<script>a</script>",
        "<p>a",
        "<p>a</p></p>",
        "<em>a<strong>b</em>c</strong>",
        "<p onclick=\"a\">b</p>",
        "<img src=\"a\" onerror=\"b\" />",
        "<a href=\"javascript:a\">b</a>",
        "<a href=\" \u{1}java\tscript:a\">b</a>",
        "<a href=\"JAVASCRIPT&#x3a;a\">b</a>",
        "<a href=\"data:image/png+xml,a\">b</a>",
        "<a href=\"a\">b <a href=\"c\">d</a></a>",
        "<a href=\"a\" href=\"b\">c</a>",
        "<svg></svg>",
        "<!-- a -->",
        "<input type=\"text\" />",
        "<code class=\"a\">b</code>",
        "<p>a < b</p>",
        "<p>&lt</p>",
        "<p><p>a</p></p>",
        "<table><tbody><tr><td>a</td></tr></tbody>b</table>",
    ] {
        assert!(problem(html).is_some(), "{html}");
    }
    for html in [
        "<p>a <em>b</em><br />\n&lt;&amp;&quot;</p>\n",
        "<a href=\"data:image/png;base64,a\" title=\"b\">c</a>",
        "<ul>\n<li><input type=\"checkbox\" checked=\"\" disabled=\"\" /> a</li>\n</ul>\n",
        "<a href=\"%01javascript:a\">b</a>",
    ] {
        assert_eq!(problem(html), None, "{html}");
    }
    assert!(tree::check("<a href=\"java&#10;script:a\">b</a>").is_err());
    assert!(tree::check("<p><em>a</p>").is_err());
}

fn soup() -> impl Strategy<Value = String> {
    let small = prop::sample::select(vec![
        "a",
        " ",
        "\n",
        "\n\n",
        "\n> ",
        "\n- ",
        "\n    ",
        "*",
        "**",
        "~~",
        "`",
        "[",
        "]",
        "](",
        ")",
        "![",
        "<",
        ">",
        "\"",
        "'",
        "\\",
        "&",
        ";",
        ":",
        "/",
        "|",
        "\n|-|-|\n",
        "[^1]",
        "\n[^1]: ",
        "\n[a]: ",
        "[a]",
        "# ",
        "```",
        "http://",
        "www.",
        "@a.bc",
        "<a ",
        "</",
        "<!--",
        "-->",
        "[a ",
        "](/b)",
        "<http://a.bc>",
        "<a@b.cd>",
    ]);
    let large = prop::sample::select([vectors::URLS, vectors::MARKUP, vectors::BREAKOUTS].concat());
    let piece = (any::<bool>(), small, large)
        .prop_map(|(is_small, small, large)| if is_small { small } else { large });
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soups_of_pieces_are_harmless(source in soup()) {
        check([source]);
    }

    #[test]
    fn any_text_is_harmless(source in any::<String>()) {
        check([source]);
    }
}
