//! Every link of a document: also those of raw HTML, broken references, unused definitions.

use barelink::Options;

/// The links, as `form destination "text" [label] place`.
fn all(source: &str) -> Vec<String> {
    let document = barelink::parse(source, &Options::gfm()).unwrap();
    let shown = document.all_links().map(|link| {
        let image = if link.image { "!" } else { "" };
        let place = link.span.slice(source);
        let (form, to, text, label) = (link.form, link.destination, link.text, link.label);
        format!("{image}{form} {to} {text:?} [{label}] {place}")
    });
    shown.collect()
}

fn check(source: &str, expected: &[&str]) {
    assert_eq!(all(source), expected, "{source:?}");
}

#[test]
fn raw_html_in_text() {
    check(
        "a <a class=x HREF='/b?c&amp;d'>e</a>",
        &["html /b?c&d \"\" [] <a class=x HREF='/b?c&amp;d'>"],
    );
    check(
        "[<img src=a.png alt=\"b\">](/c)",
        &[
            "inline /c \"\" [] [<img src=a.png alt=\"b\">](/c)",
            "!html a.png \"b\" [] <img src=a.png alt=\"b\">",
        ],
    );
    check("<abbr href=x> <a name=y> </a> <a> `<a href=z>` <!-- <a href=z> -->", &[]);
}

#[test]
fn raw_html_in_blocks() {
    check(
        "<div>\n<a\n  href=\"/b\">x</a> <img alt='' src=/c>\n</div>",
        &["html /b \"\" [] <a\n  href=\"/b\">", "!html /c \"\" [] <img alt='' src=/c>"],
    );
    check("> <div>\n> <a href=/b>\n", &["html /b \"\" [] <a href=/b>"]);
    check("<script>\n'<a href=x>'\n</script>\n\n<!--\n<a href=x>\n-->\n", &[]);
}

#[test]
fn references_and_definitions() {
    check(
        "[a][b] [c] ![d][e] [f](g)\n\n[c]: /h\n[i]: /j 'k'\n[C]: /l",
        &[
            "missing  \"a\" [b] [a][b]",
            "shortcut /h \"c\" [] [c]",
            "!missing  \"d\" [e] ![d][e]",
            "inline g \"f\" [] [f](g)",
            "definition /j \"\" [i] [i]: /j 'k'",
            "definition /l \"\" [c] [C]: /l",
        ],
    );
}

/// Wherever lines end, and whatever stands before them.
#[test]
fn a_broken_reference_is_on_one_line() {
    for source in ["[*a*\nb][c\nd]", "> [*a*\n> b][c\n> d]", "- [*a*\r\n  b][c\r\n  d]"] {
        let document = barelink::parse(source, &Options::gfm()).unwrap();
        let links: Vec<_> = document.all_links().map(|link| (link.text, link.label)).collect();
        assert_eq!(links, [("*a* b".into(), "c d".into())], "{source:?}");
    }
    check("\0[\0a\0][\0]", &["missing  \"\u{FFFD}a\u{FFFD}\" [\u{FFFD}] [\0a\0][\0]"]);
    check("x\n[][a] [b][]", &["missing  \"\" [a] [][a]", "missing  \"b\" [b] [b][]"]);
}

#[test]
fn what_markdown_links_is_the_same() {
    let source = "[a](b) www.c.de <ff:g>\n\n- ![h][i]\n\n[i]: j\n";
    let document = barelink::parse(source, &Options::gfm()).unwrap();
    let links: Vec<_> = document.links().collect();
    let all: Vec<_> = document.all_links().collect();
    assert_eq!(links, all);
    assert_eq!(links.len(), 4);
}
