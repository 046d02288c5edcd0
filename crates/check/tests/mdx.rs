//! MDX: code in it is neither reported nor changed, whatever is fixed around it.

use barelink_check::{Checker, Flavor, RuleSet, Settings};
use barelink_spectest::random::{Random, seed_or};

/// Code that stands as a block of its own.
const BLOCKS: [&str; 14] = [
    "import X from \"https://esm.sh/x\"",
    "import X from 'https://esm.sh/x'\nimport y from 'http://localhost/y'",
    "export const a = {\n  b: \"http://localhost/}\",\n\n  c: ['www.d.ef'],\n}",
    "export const f = (x) => (\n\n  <a href=\"http://localhost/\">it's {x}</a>\n\n)",
    "export const t = `\n\nhttp://localhost/${'`'}\n\n`",
    "export const r = /[/{\"]/ // { http://localhost/x\n/* { \n\n http://localhost/x */",
    "{/* http://localhost/x\n\nwww.a.bc */}",
    "{\n  [1].map(x =>\n\n  <b c=\"http://localhost/}\">don't http://localhost/x</b>)\n}",
    "<A href=\"http://localhost/x\" b={{c: \"http://localhost/}\"}} />",
    "<A\n  b={c > d}\n\n  href='http://localhost/x'\n>",
    "</A>",
    "> {\"http://localhost/x\n> www.a.bc\"}",
    "- {`http://localhost/x`}",
    "# {\"http://localhost/x\"}",
];

/// Code in a line.
const INLINES: [&str; 8] = [
    "{\"http://localhost/x\"}",
    "{`http://localhost/${\"www.a.bc\"}`}",
    "{/* http://localhost/x } */}",
    "{a < b && c['http://localhost/x']}",
    "<A href=\"http://localhost/x\" b={\"www.a.bc\"}>",
    "<A b={c => <d>http://localhost/x {\"}\"}</d>} />",
    "{\n\"http://localhost/x\"\n}",
    "<svg:rect href='http://localhost/x' />",
];

/// Markdown, with what rules find.
const TEXTS: [&str; 18] = [
    "see http://localhost/x now",
    "\"www.a.bc\" and <https://d.ef>",
    "[t] (https://u.vw/x)",
    "[t](www.u.vw) [https://u.vw](https://x.yz)",
    "pkg@1.1.1l-fips here",
    "https://h.bc/a，然后",
    "`{` http://localhost/x `}`",
    "\\{http://localhost/x\\}",
    "a < b, http://localhost/x",
    "[t][gone] and [^gone]",
    "*http://a.bc*x",
    "`` ` {http://localhost/x} ``",
    "http://localhost/\\{x\\}",
    "see https//x.yz/y.",
    "- a\n- http://localhost/x",
    "```\nhttp://localhost/{x\n```",
    "~~~\nimport x from 'http://localhost/x'\n~~~",
    "---",
];

fn checker() -> Checker {
    let mut settings = Settings::default();
    settings.rules = RuleSet::ALL;
    settings.flavor = Flavor::Mdx;
    Checker::new(settings)
}

/// A document, and the places of its code.
fn document(random: &mut Random) -> (String, Vec<&'static str>) {
    let mut pick = |pieces: &[&'static str]| pieces[random.below(pieces.len() as u64) as usize];
    let (mut source, mut code) = (String::new(), Vec::new());
    if pick(&["", "a"]).is_empty() {
        source += pick(&["---\nt: http://localhost/x\n---\n", "+++\na = 1\n+++\n"]);
    }
    for _ in 0..6 {
        match pick(&["block", "line", "text"]) {
            "block" => {
                let block = pick(&BLOCKS);
                source += block;
                code.push(block);
            }
            "line" => {
                let inline = pick(&INLINES);
                source += &[pick(&TEXTS[..14]), " ", inline, " ", pick(&TEXTS[..14])].concat();
                code.push(inline);
            }
            _ => source += pick(&TEXTS),
        }
        source += "\n\n";
    }
    (source, code)
}

/// Whether all of these are in a text, one after the other.
fn has_all(text: &str, code: &[&str]) -> bool {
    let mut rest = text;
    code.iter().all(|piece| match rest.split_once(piece) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[test]
fn no_fix_changes_code() {
    let mut random = Random::new(seed_or(12).unwrap());
    let mut checker = checker();
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for _ in 0..600 {
        let (source, code) = document(&mut random);
        if let Some(fixed) = checker.fix(&source).unwrap() {
            assert!(has_all(&fixed.text, &code), "{source}\n→\n{}", fixed.text);
            assert_eq!(checker.fix(&fixed.text).unwrap(), None, "{source}");
            n_safe += 1;
        }
        if let Some(fixed) = checker.fix_all(&source).unwrap() {
            assert!(has_all(&fixed.text, &code), "{source}\n→\n{}", fixed.text);
            n_unsafe += 1;
        }
    }
    assert!(n_safe > 300 && n_unsafe > 300, "{n_safe} and {n_unsafe} were fixed");
}

#[test]
fn no_finding_is_in_code() {
    let mut checker = checker();
    for block in BLOCKS.iter().chain(&INLINES) {
        assert_eq!(checker.check(block).unwrap(), [], "{block}");
        let source = format!("---\na: b\n---\n{block}\n\nsee http://localhost/x\n");
        let findings = checker.check(&source).unwrap();
        let at = source.find("see http").unwrap() as u32;
        assert!(!findings.is_empty(), "{source}");
        assert!(findings.iter().all(|it| it.span.start > at), "{findings:?}");
    }
    // What is never closed may go on.
    for source in [
        "a {b http://localhost/x\nwww.a.bc",
        "<a b=\"http://localhost/x\nhttp://localhost/y",
        "export const a = {\n\nhttp://localhost/x\n\nhttp://localhost/y",
        "{a}http://localhost/x",
        "http://localhost/{a}",
    ] {
        assert_eq!(checker.check(source).unwrap(), [], "{source}");
    }
}

#[test]
fn what_is_written_is_no_code() {
    let mut checker = checker();
    for (source, expected) in [
        ("---\nt: 1\n---\nimport X from \"https://esm.sh/x\"\n", None),
        ("<b>http://localhost/x</b> a", Some("<b>[http://localhost/x](http://localhost/x)</b> a")),
        ("http://localhost/\\{x\\}", None),
        ("see <https://a.bc>", Some("see [https://a.bc](https://a.bc)")),
    ] {
        let fixed = checker.fix(source).unwrap().map(|fixed| fixed.text);
        assert_eq!(fixed.as_deref(), expected, "{source}");
    }
}
