//! What looks like a link and is none: each flaw, with its place, and what is none.

use barelink::{Flaw, Options};

/// The near links of a source, as `flaw text → target @ the rest from the broken byte on`.
fn near(source: &str, options: &Options) -> Vec<String> {
    let document = barelink::parse(source, options).unwrap();
    let shown = document.near_links().map(|near| {
        let (text, target) = (near.text.slice(source), near.target.slice(source));
        let at = source[near.at as usize..].chars().next();
        let at = at.map(String::from).unwrap_or_default();
        let whole = near.span.slice(source);
        format!("{} {text:?} {target:?} {at:?} {whole:?}", near.flaw)
    });
    shown.collect()
}

fn check(source: &str, expected: &[&str]) {
    assert_eq!(near(source, &Options::github()), expected, "{source:?}");
}

#[test]
fn every_flaw_is_found_where_it_is() {
    check("[a](b c)", &[r#"space-in-destination "a" "b c" " " "[a](b c)""#]);
    check("x [a](b", &[r#"unclosed "a" "b" "(" "[a](b""#]);
    check("[a](b c", &[r#"unclosed "a" "b" "(" "[a](b""#]);
    check("[a](b(c)", &[r#"unmatched-parentheses "a" "b(c" "(" "[a](b(c)""#]);
    check("[a](b(c d)", &[r#"unmatched-parentheses "a" "b(c d" "(" "[a](b(c d)""#]);
    check("[a](b(c) d", &[r#"unmatched-parentheses "a" "b(c" "(" "[a](b(c)""#]);
    check("[a](b(c) d)", &[r#"space-in-destination "a" "b(c) d" " " "[a](b(c) d)""#]);
    check("[a](<b)", &[r#"unclosed-angle "a" "b" "<" "[a](<b)""#]);
    check("[a](<b>c)", &[r#"behind-angle "a" "b" "c" "[a](<b>c)""#]);
    check("[a](b \"c)", &[r#"unclosed-title "a" "b" "\"" "[a](b \"c)""#]);
    check("[a](b \"c\" d)", &[r#"behind-title "a" "b" "d" "[a](b \"c\" d)""#]);
    check("[a](b\u{1}c)", &[r#"control-character "a" "b" "\u{1}" "[a](b\u{1}c)""#]);
    check("[a] (b)", &[r#"space-before-parenthesis "a" "b" " " "[a] (b)""#]);
    check("[a]（b）", &[r#"full-width-parenthesis "a" "b" "（" "[a]（b）""#]);
    check("[a] （b）", &[r#"full-width-parenthesis "a" "b" "（" "[a] （b）""#]);
    check("[a](b）c", &[r#"full-width-parenthesis "a" "b" "）" "[a](b）""#]);
    check("(a)[b.md]", &[r#"reversed "a" "b.md" "(" "(a)[b.md]""#]);
    check("[a(http://b.cd)", &[r#"unclosed-text "a" "http://b.cd" "(" "[a(http://b.cd)""#]);
    check("[a [b](c)](d)", &[r#"link-in-text "a [b](c)" "d" "]" "[a [b](c)](d)""#]);
    check("[a][b]", &[r#"missing-definition "a" "b" "b" "[a][b]""#]);
    check("[a][]", &[r#"missing-definition "a" "a" "a" "[a][]""#]);
    check("[^a]", &[r#"missing-footnote "^a" "a" "^" "[^a]""#]);
    check("b[^a] c", &[r#"missing-footnote "^a" "a" "^" "[^a]""#]);
    check("![a] (b.png)", &[r#"space-before-parenthesis "a" "b.png" " " "![a] (b.png)""#]);
}

#[test]
fn places_are_those_of_the_source() {
    check(
        "> * [a\n>   b](c d)\n",
        &[r#"space-in-destination "a\n>   b" "c d" " " "[a\n>   b](c d)""#],
    );
    check("|a|\n|-|\n|[x] (y.md)|", &[r#"space-before-parenthesis "x" "y.md" " " "[x] (y.md)""#]);
    check("# [x][y]", &[r#"missing-definition "x" "y" "y" "[x][y]""#]);
    check(
        "[a](b c) [d](e f)\n\n[g][h]",
        &[
            r#"space-in-destination "a" "b c" " " "[a](b c)""#,
            r#"space-in-destination "d" "e f" " " "[d](e f)""#,
            r#"missing-definition "g" "h" "h" "[g][h]""#,
        ],
    );
    // The outer one starts first, though it is known last.
    check(
        "[a(x.md) [b](c d)",
        &[
            r#"unclosed-text "a" "x.md" "(" "[a(x.md)""#,
            r#"space-in-destination "b" "c d" " " "[b](c d)""#,
        ],
    );
}

#[test]
fn what_is_a_link_or_no_text_is_not_told() {
    for source in [
        "[a](b) [c](<d e>) [f](g \"h\") ![i](j)",
        "[a][b] [b][] [b]\n\n[b]: /c",
        "`[a](b c)` <b title=\"[a](b c)\">\n\n    [a](b c)\n\n```\n[a][b]\n```\n\n<div>[a](b c)</div>",
        "\\[a](b c) [a\\](b c) [a]\\(b c)",
        "[a] and [b], f(x)[0], (x) [y]",
        "[x][y](z) [a](b)[c]",
        "[^1]\n\n[^1]: note",
        "a[](b)",
        "- [ ] (b.md)\n- [x] c",
        "[text]\n(not.md)",
        "[a [b](c) d]",
        "[a [b][c] [d](e f) g](h) ![[i][j]](k)",
        "[a] ([b](c))",
    ] {
        check(source, &[]);
    }
}

#[test]
fn a_target_looks_like_one_or_does_not() {
    let looks = |target: &str| {
        let source = format!("[a] ({target})");
        let document = barelink::parse(&source, &Options::gfm()).unwrap();
        document.near_links().next().unwrap().looks_like_url
    };
    for target in
        ["http://a.bc", "a.md", "/b", "../c", "#d", "www.e.fg", "h.com/x?y.z", "a/b.html#c"]
    {
        assert!(looks(target), "{target}");
    }
    for target in ["optional", "and/or", "1.2", "e.g.", "x", "4.5.6", "a,b"] {
        assert!(!looks(target), "{target}");
    }
}

#[test]
fn every_flaw_has_words_of_its_own() {
    let mut names: Vec<&str> = Flaw::ALL.iter().map(|flaw| flaw.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Flaw::ALL.len());
    for flaw in Flaw::ALL {
        assert!(flaw.sentence().ends_with('.') && flaw.help().ends_with('.'), "{flaw}");
    }
}
