//! The rules, each on inputs that it is about and on some that it is not.

use barelink_check::{Checker, Edit, Finding, Fix, Flavor, Rule, RuleSet, Safety, Settings};
use barelink_spectest::made;
use barelink_spectest::random::{self, Random};

fn settings(rules: RuleSet) -> Settings {
    let mut settings = Settings::default();
    settings.rules = rules;
    settings
}

/// The findings of all rules, as code and text.
fn found(source: &str) -> Vec<(&'static str, &str)> {
    let findings = Checker::new(settings(RuleSet::DEFAULT)).check(source).unwrap();
    findings.iter().map(|it| (it.rule.code(), it.span.slice(source))).collect()
}

#[test]
fn the_examples_of_the_rules_are_true() {
    for &rule in Rule::ALL {
        let about = rule.about();
        let mut settings = settings([rule].into());
        if rule == Rule::AngleInMdx {
            settings.flavor = Flavor::Mdx;
        }
        assert_eq!(RuleSet::DEFAULT.contains(rule), about.on, "{rule}");
        let mut checker = Checker::new(settings);
        let findings = checker.check(about.example).unwrap();
        assert!(!findings.is_empty(), "{rule} finds nothing in its example");
        let safeties: Vec<Option<Safety>> =
            findings.iter().map(|it| it.fix.as_ref().map(|fix| fix.safety)).collect();
        assert!(safeties.iter().all(|safety| *safety == about.fix), "{rule}: {safeties:?}");
        let fixed = checker.fix_all(about.example).unwrap().map(|fixed| fixed.text);
        assert_eq!(fixed.as_deref(), about.fixed, "{rule}");
        if about.fix == Some(Safety::Unsafe) {
            assert_eq!(checker.fix(about.example).unwrap(), None, "{rule}");
        }
    }
}

#[test]
fn each_input_has_its_finding() {
    for (source, expected) in [
        ("https://h.bc/a，然后", ("BL001", "https://h.bc/a，然后")),
        ("**https://h.bc/1**(x)", ("BL001", "https://h.bc/1**(x)")),
        ("\"www.a.bc\"", ("BL002", "www.a.bc")),
        ("http://localhost/x", ("BL003", "http://localhost/x")),
        ("[t](www.x.com)", ("BL006", "[t](www.x.com)")),
        ("see https//x.com/y.", ("BL006", "https//x.com/y")),
        ("<www.x.com>", ("BL006", "<www.x.com>")),
        ("a <github.com/a/b> c", ("BL006", "<github.com/a/b>")),
        ("<example.com>", ("BL006", "<example.com>")),
        ("[t](me@a.bc)", ("BL006", "[t](me@a.bc)")),
        ("[t](mailto://a@b.cd)", ("BL006", "[t](mailto://a@b.cd)")),
        ("[t](http:a.bc)", ("BL006", "[t](http:a.bc)")),
        ("[t](https:///a.bc)", ("BL006", "[t](https:///a.bc)")),
        ("[x](https://https://a.bc)", ("BL006", "[x](https://https://a.bc)")),
        ("see ttps://a.bc.", ("BL006", "ttps://a.bc")),
        ("(htp://a.bc)", ("BL006", "htp://a.bc")),
        ("[a]\n\n[a]: https//x.com", ("BL006", "[a]: https//x.com")),
        ("git@h.com:x", ("BL007", "git@h.com")),
        ("[https://a.bc](https://d.ef)", ("BL008", "[https://a.bc](https://d.ef)")),
        ("[t] (https://u.vw/x)", ("BL005", "[t] (https://u.vw/x)")),
        ("看[t]（https://u.vw/x）。", ("BL005", "[t]（https://u.vw/x）")),
        ("(t)[https://u.vw/x]", ("BL005", "(t)[https://u.vw/x]")),
        ("[t(https://u.vw/x) a", ("BL005", "[t(https://u.vw/x)")),
        ("[t](my file.md) a", ("BL005", "[t](my file.md)")),
        ("[t](https://u.vw/x and", ("BL005", "[t](https://u.vw/x")),
        ("![`t`] (a.png)", ("BL005", "![`t`] (a.png)")),
        ("[t] （https://u.vw/x）", ("BL005", "[t] （https://u.vw/x）")),
        ("[t](https://u.vw/x_(y)", ("BL005", "[t](https://u.vw/x_(y)")),
        ("[t](<a b.md) c", ("BL005", "[t](<a b.md)")),
        ("[t](a.md \"b)", ("BL005", "[t](a.md \"b)")),
        ("[a [b](c.md) d](e.md)", ("BL005", "[a [b](c.md) d](e.md)")),
        ("a note[^gone] here", ("BL011", "[^gone]")),
        ("[text][gone] x", ("BL011", "[text][gone]")),
        ("[text][a\nb c]", ("BL011", "[text][a\nb c]")),
        ("[text][] x", ("BL011", "[text][]")),
        ("[a](https://p\u{0430}ypal.com)", ("BL009", "[a](https://p\u{0430}ypal.com)")),
        ("[t][https://u.vw/x] a", ("BL005", "[t][https://u.vw/x]")),
        ("[t][www.u.vw]", ("BL005", "[t][www.u.vw]")),
        ("a[t][https://u.vw]", ("BL005", "[t][https://u.vw]")),
        ("![t][https://u.vw/x.png]", ("BL005", "![t][https://u.vw/x.png]")),
        ("see [x][y z]", ("BL011", "[x][y z]")),
        ("*so[^gone]*", ("BL011", "[^gone]")),
        ("又[^gone]。", ("BL011", "[^gone]")),
        ("[paypal.com/login](https://d.ef)", ("BL008", "[paypal.com/login](https://d.ef)")),
        ("[me@a.bc](mailto:you@a.bc)", ("BL008", "[me@a.bc](mailto:you@a.bc)")),
        ("[a](https://b\u{200C}c.de)", ("BL009", "[a](https://b\u{200C}c.de)")),
        ("[a](https://b.cd/x\u{200D}y)", ("BL009", "[a](https://b.cd/x\u{200D}y)")),
        ("[a](https://می\u{200C}ا.cd/x)", ("BL009", "[a](https://می\u{200C}ا.cd/x)")),
        ("[a](https://b.cd/\u{200B}x)", ("BL009", "[a](https://b.cd/\u{200B}x)")),
    ] {
        let found = found(source);
        let n_found = found.iter().filter(|it| **it == expected).count();
        assert_eq!(n_found, 1, "{source}: {found:?}");
    }
    // md4c wants two letters in the last part, too.
    let found = found("openssl pkg@1.1.1l-fips here");
    assert!(found.contains(&("BL007", "pkg@1.1.1l-fips")), "{found:?}");
}

#[test]
fn what_means_the_same_everywhere_is_left_alone() {
    for source in [
        "see https://example.com/docs and www.example.com.",
        "me@example.com",
        "---\nlink: http://localhost/x\n---\ntext",
        "`http://localhost/x`",
        "[a](b.md) [c](docs.rs/x)",
        "[![x](y.png)](https://a.bc)",
        "[https://a.bc](https://www.a.bc/x)",
        "<https://a.bc>",
        "[https://例え.jp/](https://例え.jp/) [https://münchen.de](https://münchen.de/)",
        "[http://xn--mnchen-3ya.de](http://münchen.de)",
        "[a](https://b.cd/می\u{200C}خواهم) [a](https://b.cd/👨\u{200D}👩)",
        "[a](https://b.cd/क्\u{200D}ष)",
        "[paypal.com](https://d.ef) [Socket.IO](https://d.ef) [a/b.js](https://d.ef)",
        "[docs.rs/x](https://docs.rs/x) [github.com/a](https://www.github.com/a)",
        "[münchen.de/x](https://xn--mnchen-3ya.de/x) [xn--mnchen-3ya.de/x](https://münchen.de/x)",
        "[me@a.bc](mailto:Me@a.bc?subject=x) [me@a.bc](https://d.ef)",
        "a\\<a.com> `<a.com>` Map<java.io> <System.Net> <a.b> x<y.z/a> ![i](icon@2x.png)",
        "regex [^abc]+ or x[^ab]* and ([^abc]) \\d[^ab]?",
        "[^gone] is no note here",
        "- [x][y z]",
        "[a]: https://b.cd\n\n[a]",
        "f[i] (x) and a[0][1], [a-z][0-9]+, [x] (see https://a.bc)",
        "- [x] (https://a.bc/x)",
        "[text](see the file) [text] (optional) [^a-z] [^,]",
        "[text][a] [a] (https://a.bc)\n\n[a]: /b",
        "\\[text][gone] `[t] (https://a.bc)`",
        "text[^1][^2]\n\n[^1]: a\n[^2]: b",
    ] {
        assert_eq!(found(source), [], "{source}");
    }
}

#[test]
fn a_malformed_link_is_told_once() {
    assert_eq!(found("[t(https://u.vw/x) a"), [("BL005", "[t(https://u.vw/x)")]);
    assert_eq!(found("[t]（https://u.vw/x）a"), [("BL005", "[t]（https://u.vw/x）")]);
    assert_eq!(found("[t][https://u.vw/x]"), [("BL005", "[t][https://u.vw/x]")]);
    // The bracket is closed, but GitHub links nothing in brackets.
    assert_eq!(found("[see this(https://a.bc/x)]"), [("BL002", "https://a.bc/x")]);
}

#[test]
fn a_link_that_deceives_is_told_once() {
    assert_eq!(found("http://user@evil.com/"), [("BL009", "http://user@evil.com/")]);
    // What comes behind the end that a reader sees is no part of the host.
    for (source, link) in [
        ("见 https://github.com。", "https://github.com。"),
        ("见https://github.com，然后", "https://github.com，然后"),
        ("www.a.bc。然后", "www.a.bc。然后"),
        ("https://github.com、https://x.org", "https://github.com、https://x.org"),
    ] {
        assert_eq!(found(source), [("BL001", link)]);
    }
    // Who does not want to hear of that hears of the other.
    let rules = RuleSet::ALL.without([Rule::DeceptiveUrl, Rule::BareLink].into());
    let findings = Checker::new(settings(rules)).check("http://user@evil.com/").unwrap();
    assert_eq!(findings[0].rule, Rule::UnintendedLink);
}

#[test]
fn comments_switch_rules_off() {
    for source in [
        "<!-- barelink-disable-file BL003 -->\n\nhttp://localhost/x",
        "<!-- barelink-disable -->\n\nhttp://localhost/x",
        "<!-- barelink-disable not-portable, BL001 -- for the test -->\n\nhttp://localhost/x",
        "text <!-- barelink-disable-next-line BL003 -->\nhttp://localhost/x",
        "http://localhost/x <!-- barelink-disable-line -->",
        "<!-- markdownlint-disable MD034 -->\n\nhttp://localhost/x",
        "<!-- markdownlint-disable -->\n<!-- markdownlint-capture -->\n\
         <!-- markdownlint-enable -->\n<!-- markdownlint-restore -->\n\nhttp://localhost/x",
        "http://localhost/x\n\n<!-- barelink-disable-file -->",
        "<!--\nbarelink-disable\nBL003\n-->\n\nhttp://localhost/x",
        "> <!-- barelink-disable\n> BL001,\n> BL003 -->\n\nhttp://localhost/x",
        "- <!--\n  barelink-disable -->\n\nhttp://localhost/x",
    ] {
        assert_eq!(found(source), [], "{source}");
        assert_eq!(found(&source.replace('\n', "\r\n")), [], "{source} with CRLF");
    }
    for source in [
        "<!-- barelink-disable BL001 -->\n\nhttp://localhost/x",
        "<!-- barelink-disable -->\n\na\n\n<!-- barelink-enable -->\n\nhttp://localhost/x",
        "<!-- barelink-disable-next-line -->\n\nhttp://localhost/x",
        "<!-- markdownlint-disable MD001 -->\n\nhttp://localhost/x",
        "<!-- markdownlint-capture -->\n<!-- markdownlint-disable -->\n\na\n\n\
         <!-- markdownlint-restore -->\n\nhttp://localhost/x",
        "`<!-- barelink-disable -->` http://localhost/x",
    ] {
        assert_eq!(found(source).len(), 1, "{source}");
    }
}

#[test]
fn comments_that_mean_nothing_are_told_of() {
    for (source, expected) in [
        ("<!-- barelink-disable BL03 -->", Some(("BL03", "did you mean `BL003`?"))),
        ("a <!-- barelink-disable-line\nBL001, worng-end -->", Some(("worng-end", "`wrong-end`?"))),
        ("> <!--\r\n> barelink-disable\r\n> BL03 -->", Some(("BL03", "did you mean `BL003`?"))),
        ("<!-- barelink-disable why not -->", Some(("why", "a reason goes after `--`"))),
        ("<!-- barelink-disabel -->", Some(("barelink-disabel", "mean `barelink-disable`?"))),
        ("<!-- barelink-disable: BL001 -->", Some(("barelink-disable:", "`barelink-disable`?"))),
        ("<!-- barelink: disable BL003 -->", Some(("barelink: disable", "`barelink-disable`?"))),
        ("<!-- barelink disable -->", Some(("barelink disable", "mean `barelink-disable`?"))),
        ("<!-- Barelink-disable -->", Some(("Barelink-disable", "mean `barelink-disable`?"))),
        ("<!--BARELINK-DISABLE BL003-->", Some(("BARELINK-DISABLE", "`barelink-disable`?"))),
        ("<!-- barelnk-disable -->", Some(("barelnk-disable", "mean `barelink-disable`?"))),
        ("<!-- barelink_disable_line -->", Some(("barelink_disable_line", "-disable-line`?"))),
        ("<!-- barelink-disable -->\n\n<!-- barelink disable", None),
        ("<!-- eslint-disable --> <!-- stylelint-disable --> <!-- textlint-disable -->", None),
        ("<!-- Barelink disables what it must -->\n\n<!-- baseline -->", None),
        ("<!-- barelink-xyz -->", Some(("barelink-xyz", "unknown comment `barelink-xyz`"))),
        ("<!-- barelink-enable ALL -- all of them -->", None),
        ("<!-- barelink-disable bl001,not-linked -->", None),
        ("<!-- markdownlint-disable MD999 -->", None),
        ("<!-- we use barelink-check here -->", None),
        ("`<!-- barelink-disable BL03 -->`\n\n    <!-- barelink-disable BL03 -->", None),
    ] {
        let checker = Checker::new(settings(RuleSet::ALL));
        let bad = checker.bad_comments(source).unwrap();
        let bad: Vec<_> = bad.iter().map(|it| (it.span.slice(source), &it.message)).collect();
        match (&bad[..], expected) {
            ([], None) => {}
            ([(word, message)], Some((expected, end))) => {
                assert_eq!(*word, expected, "{source}");
                assert!(message.ends_with(end), "{message}");
            }
            _ => panic!("{source}: {bad:?}"),
        }
    }
    let mut settings = settings(RuleSet::ALL);
    settings.flavor = Flavor::Mdx;
    let checker = Checker::new(settings);
    let source = "{/* barelink-disable BL03 */}\n\n<!-- barelink-disable-line BL003 -->\n\n\
                  ```\n{/* barelink-disable BL03 */}\n```\n";
    let bad = checker.bad_comments(source).unwrap();
    let bad: Vec<_> = bad.iter().map(|it| (it.span.slice(source), &*it.message)).collect();
    let [("BL03", _), ("barelink-disable-line", message)] = bad[..] else { panic!("{bad:?}") };
    assert_eq!(message, "MDX has no HTML comments: write `{/* barelink-disable-line */}`");
}

#[test]
fn statements_of_mdx_are_code() {
    let mut settings = settings(RuleSet::ALL);
    settings.flavor = Flavor::Mdx;
    let mut checker = Checker::new(settings);
    assert_eq!(checker.check("import x from 'http://localhost/x'\n\nhi").unwrap(), []);
    let source = "{/* barelink-disable-next-line */}\nhttp://localhost/x";
    assert_eq!(checker.check(source).unwrap(), []);
    assert!(!checker.check("see http://localhost/x").unwrap().is_empty());
}

#[test]
fn a_place_has_the_findings_of_its_blocks() {
    let mut random = Random::new(random::seed_or(3).unwrap());
    let mut checker = Checker::new(settings(RuleSet::ALL));
    // The target has two links in one that a reader sees.
    let two = "mailto:a@b.cd-mailto:a@b.cd".to_owned();
    let made = (0..400).map(|_| random.document(&made::PIECES));
    for source in std::iter::once(two).chain(made) {
        let all = checker.check(&source).unwrap();
        for finding in &all {
            let there = checker.check_within(&source, finding.span).unwrap();
            assert!(there.contains(finding), "{source:?}: {finding:?}");
            assert!(there.iter().all(|it| all.contains(it)), "{source:?}: {there:?}");
        }
    }
}

#[test]
fn a_fix_fits_alone_where_it_fits_among_all() {
    let mut random = Random::new(random::seed_or(5).unwrap());
    let mut checker = Checker::new(settings([Rule::BareLink].into()));
    for _ in 0..400 {
        let source = random.document(&made::PIECES);
        let findings = checker.check(&source).unwrap();
        let fixes: Vec<Fix> = findings.iter().filter_map(|it| it.fix.as_deref().cloned()).collect();
        let fitting = fixes.iter().filter_map(|fix| checker.fitting(&source, fix).unwrap());
        let edits: Vec<Edit> = fitting.flatten().collect();
        for edit in &edits {
            let mut text = source.clone();
            text.replace_range(edit.span.range(), &edit.text);
            let options = &checker.settings().options;
            let html = |text: &str| barelink::to_html(text, options).unwrap();
            assert_eq!(html(&source), html(&text), "{source:?}");
        }
        let all = checker.safe_edits(&source).unwrap().unwrap_or_default();
        assert!(edits.len() >= all.len(), "{source:?}");
    }
}

#[test]
fn each_of_several_fixes_fits_as_it_does_alone() {
    let mut random = Random::new(random::seed_or(9).unwrap());
    let mut checker = Checker::new(settings(RuleSet::ALL));
    let mut n_some = 0;
    for _ in 0..400 {
        let blocks = [(); 4].map(|()| random.document(&made::PIECES));
        let source = blocks.join(if random.below(2) == 0 { " " } else { "\n\n" });
        let findings = checker.check(&source).unwrap();
        let fixes: Vec<&Fix> = findings.iter().filter_map(|it| it.fix.as_deref()).collect();
        let alone: Vec<Option<Vec<Edit>>> =
            fixes.iter().map(|fix| checker.fitting(&source, fix).unwrap()).collect();
        assert_eq!(checker.fitting_each(&source, &fixes, usize::MAX).unwrap(), alone, "{source:?}");
        // With less reading, some may be missing, and none is offered that does not fit.
        let some = checker.fitting_each(&source, &fixes, 0).unwrap();
        for (some, alone) in some.iter().zip(&alone).filter(|(some, _)| some.is_some()) {
            assert_eq!(some, alone, "{source:?}");
            n_some += 1;
        }
    }
    assert!(n_some > 100, "only {n_some}");
}

#[test]
fn a_fix_of_a_long_paragraph_fits_as_that_of_a_short_one() {
    let mut random = Random::new(random::seed_or(11).unwrap());
    let mut checker = Checker::new(settings(RuleSet::ALL));
    let long = "Words that mean nothing, ".repeat(3000);
    let (mut n_fits, mut n_fits_not) = (0, 0);
    for _ in 0..200 {
        // In one paragraph, so that what is open counts for all that follows.
        let pieces = [(); 3].map(|()| random.document(&made::PIECES));
        let short = format!("a {} *http://a.bc*x", pieces.concat()).replace(['\n', '|', '^'], " ");
        let long = format!("{short} {long}");
        let [findings, others] = [&short, &long].map(|source| checker.check(source).unwrap());
        let fixes = |findings: &[Finding]| -> Vec<Fix> {
            findings.iter().filter_map(|it| it.fix.as_deref().cloned()).collect()
        };
        let (fixes, others) = (fixes(&findings), fixes(&others));
        if fixes != others {
            continue;
        }
        let fixes: Vec<&Fix> = fixes.iter().collect();
        let expected = checker.fitting_each(&short, &fixes, usize::MAX).unwrap();
        let found = checker.fitting_each(&long, &fixes, usize::MAX).unwrap();
        assert_eq!(found, expected, "{short:?}");
        n_fits += found.iter().filter(|it| it.is_some()).count();
        n_fits_not += found.iter().filter(|it| it.is_none()).count();
    }
    assert!(n_fits > 30 && n_fits_not > 0, "{n_fits} fit, {n_fits_not} do not");
}
