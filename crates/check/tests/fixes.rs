//! Fixes: what is written, what stays, and what is better left alone.

use barelink_check::{Checker, Rule, RuleSet, Settings, Style};
use barelink_spectest::made;
use barelink_spectest::random::{Random, seed_or};

fn checker(rules: impl Into<RuleSet>) -> Checker {
    let mut settings = Settings::default();
    settings.rules = rules.into();
    Checker::new(settings)
}

/// The source after the safe fixes of bare links.
fn fixed(source: &str) -> String {
    let mut checker = checker([Rule::BareLink]);
    let once = checker.fix(source).unwrap().map_or(source.to_owned(), |fixed| fixed.text);
    assert_eq!(checker.fix(&once).unwrap(), None, "a second run changed {once:?}");
    once
}

#[test]
fn bare_links_are_written_so_that_everybody_links_them() {
    for (source, expected) in [
        ("see http://a.bc.", "see <http://a.bc>."),
        ("(http://a.bc/x)", "(<http://a.bc/x>)"),
        ("a@b.cd", "<a@b.cd>"),
        ("www.a.bc/_x", r"[www.a.bc/\_x](http://www.a.bc/_x)"),
        ("http://x.yz/?a=1&amp;b=2", r"[http://x.yz/?a=1\&amp;b=2](http://x.yz/?a=1&amp;amp;b=2)"),
        ("http://例え.jp/x", "[http://例え.jp/x](http://例え.jp/x)"),
        ("|a|\n|-|\n|http://a.bc/x|", "|a|\n|-|\n|<http://a.bc/x>|"),
        ("> # http://a.bc", "> # <http://a.bc>"),
        ("**http://a.bc/x**", "**<http://a.bc/x>**"),
    ] {
        assert_eq!(fixed(source), expected);
    }
}

#[test]
fn a_single_fix_keeps_the_brackets_of_natural() {
    let mut settings = Settings::default();
    settings.options = barelink::Options::natural();
    settings.rules = RuleSet::ALL;
    let mut checker = Checker::new(settings);
    // As a link of any other form, it would lead to `/a;%5Ba%5D`.
    let source = "x=https://a.bc/a;[a]: /u";
    let findings = checker.check(source).unwrap();
    let fixes: Vec<_> = findings.iter().filter_map(|finding| finding.fix.as_ref()).collect();
    assert!(!fixes.is_empty());
    for fix in fixes {
        assert_eq!(checker.fitting(source, fix).unwrap(), None, "{fix:?}");
    }
}

#[test]
fn every_byte_outside_the_links_stays() {
    for (source, expected) in [
        ("\u{FEFF}http://a.bc\r\n\r\nx", "\u{FEFF}<http://a.bc>\r\n\r\nx"),
        ("a\r\nhttp://a.bc\rb\0", "a\r\n<http://a.bc>\rb\0"),
        ("http://a.bc  \nb\t ", "<http://a.bc>  \nb\t "),
    ] {
        assert_eq!(fixed(source), expected);
    }
}

#[test]
fn what_would_change_the_page_is_left_alone() {
    // After `>` the `*` would no longer close the emphasis.
    assert_eq!(fixed("*http://a.bc*x http://d.ef"), "*http://a.bc*x <http://d.ef>");
    // It would be an image.
    assert_eq!(fixed("!www.a.bc"), "!www.a.bc");
    // A reader ends it elsewhere.
    assert_eq!(fixed("http://a.bc/x，y"), "http://a.bc/x，y");
    // After `>` the `*` would close the emphasis, in a note that is not on the page yet.
    let note = "[^1]: ***a_*mailto:a@b.cd\\!™\n\nhttp://a.bc";
    assert_eq!(fixed(note), note.replace("http://a.bc", "<http://a.bc>"));
    // The same between notes that are on it, with more to fix on either side.
    let hidden = "[^2]: ***a_*mailto:a@b.cd\\!™";
    let source = format!("http://a.bc [^1]\n\n[^1]: http://a.bc\n\n{hidden}\n\nhttp://a.bc\n");
    assert_eq!(fixed(&source), source.replace("http://a.bc", "<http://a.bc>"));
    assert_eq!(fixed("<a href=\"x\">http://a.bc</a>"), "<a href=\"x\">http://a.bc</a>");
}

/// Blocks that cmark-gfm reads otherwise.
const OTHER_BLOCKS: &[&str] = &[
    // A tag that a paragraph goes on with lazily is HTML to it.
    ">x\n<r>\nhttp://a.bc",
    "> > x\n> <r>\n> http://a.bc",
    "- x http://a.bc\n</b>\n  http://a.bc",
    "1. a\n\n   x\r\n  <br/> \r\n   http://a.bc",
    "[^a]:z\r<b>\rhttp://a.bc\r\r[^a]",
    ">x\n<r>\n>\nhttp://a.bc",
    "* x\n<r>\n- http://a.bc\n# http://a.bc",
    ">+ h\n>  <r>\n>http://a.bc",
    ">[x]:\n<a>\nhttp://b.cd",
    ">[x]:\"\n</a>\nhttp://b.cd",
    ">[b]:\n\\\n<r>\nhttp://b.cd",
    ">[a]:\r\n\"\r\n<a>\r\nm\r\nhttp://b.cd",
    "[^2]:x\n<r>\n\n    http://e.fg",
    "[^2]:x\r\n<r>\r\n\r\n    http://e.fg",
    ">[!TIP]\n<r>\nhttp://a.bc",
    ">>t\n<r>\n>>|-\nhttp://b.cd",
    ">[!NOTE]\nd\n<b>\nhttp://a.bc",
    "> > [!NOTE]\r\n> d\r\n> <b>\r\n> http://a.bc",
    // A line of spaces ends a note.
    "[^2]:\n \n    http://a.bc",
    ">[^2]:\n>\n>     http://c.de",
    // A parenthesis need not be closed in a definition.
    "[b]:(http://e.fg\n[b]",
    // A title may have something behind it.
    "[b]\n1. [b]:C\n'http://x.yz' /",
    "> [b]: /c\n> (http://x.yz) d\n\n[b]",
    // It takes a backslash away in a paragraph before a table.
    "http://c.de/\\|y\nx\n-|",
    ">http://c.de/\\|y\nx||\n>-|-",
    // And a definition before one is text to it.
    "[a]:*=\ra@b.e*a\rn\n:-",
    // It looks for a task at the start of a line, and so sees no table here.
    ">- [x] |t\n>   -|\n>   http://n.op|",
    "* * [ ] ||http://s.tu|d\r\n    -|-|-",
    // And so such a box alone is a paragraph, and no definition is behind it.
    ">* [x] \n[\n>http://a",
    ">- [x] [a]:[\nhttp://a",
    // The first line of an alert is one, too.
    ">[!TIP]\n[b]:[\nhttp://c/[]",
    ">[!TIP]\r\n[b]:[\r\nhttp://c.de",
    // An item with a definition alone ends with a blank line, and a lazy line may be one.
    "- [a]:b\n\n\n    http://a",
    ">[a]:a\n [a]:[\nhttp://a",
    // Form feeds are white space to it.
    "[a]:a@b.cd\u{c}",
    "<b>\u{c}\n>www.a.bc",
    "<b>\u{c}\n=\nwww.a.bc",
    "1. \\\n<b>\n\u{c}\n>HTTP://a",
    "2) b\n<a>\n\u{c}\n# HTTP://a",
    "\u{c}www.b.cd\n:-",
    // A quotation mark ends a title even behind a backslash.
    "[a]\n\n[a]:u \"a@b.e\\\"",
    // An item that begins with nothing goes on behind a line of spaces.
    "1.\n   \n   <div\n<?\n\nhttp://a",
    "* -\n\t\r\t  <f>\r\thttp://a",
    // A tag ends the first line of an alert.
    "> [!TIP] a\n<b>\nhttp://c.de",
    "> [!TIP]\n> a\n<b>\nhttp://c.de",
    "> [!TIP]\r\na\r\n<b>\r\nhttp://c.de",
];

/// Text that it reads otherwise.
const OTHER_TEXT: &[&str] = &[
    // It takes what refers to a note that is not defined as it is written.
    "[^a@b.cd]",
    "[^1]: x [^a@b.cd] [^c@d.ef `x`]",
    // And cuts one that runs over lines.
    "http://a.bc [^\n[]b &copy; ]",
    "[^a\r\na@b.cd]",
    // It looks for what is done in all of a line.
    "- [ ] http://中.bc/[x]",
    // It misses code behind backticks that nothing closes.
    "`` `t` `http://t.uv`http://a.bc",
    // It knows no math.
    "$http://a.bc$http://d.ef",
    "a $[$ http://d.ef",
    "$*a$ b@c.de*",
    "$a`$ http://d.ef `",
    "$(_a$ b@c.de_",
    "_a@b.cd$a_$",
    // It keeps runs from each other that may pair, once there is a bracket.
    "**|*http://a x*h*",
    "**]*http://a****",
    "*.**http://a** /**",
    // Symbols are no punctuation to it.
    "€~http://a~",
    "*a@b.cd*€",
    // An escaped bracket opens nothing in a note over lines.
    "[^\\[\na@b.cd]",
    // A parenthesis need not be closed in a link either, nor in the definition of one.
    "[](a@b.d( )",
    "[](ftp://c<( )",
    "[](b@c.d( \"\")",
    "[[b]http://a.bc](/u)\n\n[b]:(",
    // It links a text that has a link in it, if that is in angle brackets, and one with a note.
    "[a@b.d<a@d>]()",
    "[a@b.cd [^1]]()\n\n[^1]: x",
];

#[test]
fn what_cmark_gfm_reads_otherwise_is_left_alone() {
    for source in OTHER_BLOCKS.iter().chain(OTHER_TEXT) {
        assert_eq!(fixed(source), *source);
    }
}

#[test]
fn what_is_near_to_it_is_fixed() {
    for (source, expected) in [
        ("[a](b(c)) http://c.de", "[a](b(c)) <http://c.de>"),
        ("[b]: /c(d)\n\nhttp://c.de", "[b]: /c(d)\n\n<http://c.de>"),
        ("[a] <c@d.ef> a@b.cd", "[a] <c@d.ef> <a@b.cd>"),
        ("<!A> http://c.de", "<!A> http://c.de"),
        ("a <!B> http://c.de", "a <!B> <http://c.de>"),
        ("[a]: /b\na@b.e\nc", "[a]: /b\n<a@b.e>\nc"),
        ("- x\n  <br>\n  http://a.bc", "- x\n  <br>\n  <http://a.bc>"),
        (">x\n> <r>\n> http://a.bc", ">x\n> <r>\n> <http://a.bc>"),
        (">x\n<r>y\nhttp://a.bc", ">x\n<r>y\n<http://a.bc>"),
        (">x\n<r>\n \nhttp://a.bc", ">x\n<r>\n \n<http://a.bc>"),
        ("- x\r\n<r>\r\n\r\nhttp://a.bc", "- x\r\n<r>\r\n\r\n<http://a.bc>"),
        ("[^2]: a\n\n    http://a.bc", "[^2]: a\n\n    <http://a.bc>"),
        ("it`s `a` http://x.yz", "it`s `a` <http://x.yz>"),
        ("a\n'http://x.yz' b", "a\n'<http://x.yz>' b"),
        ("[b]: http://e.fg and more", "[b]: <http://e.fg> and more"),
        (
            "[a]: /b\r\n\r\n>x\r\n> <r>\r\n> http://a.bc",
            "[a]: /b\r\n\r\n>x\r\n> <r>\r\n> <http://a.bc>",
        ),
        ("x\n<r>\nhttp://a.bc", "x\n<r>\n<http://a.bc>"),
        ("[a@b.cd] [^a] c@d.ef", "[<a@b.cd>] [^a] <c@d.ef>"),
        ("> [!NOTE]\n> d\n> <b>\n> http://a.bc", "> [!NOTE]\n> d\n> <b>\n> <http://a.bc>"),
        ("http://a.bc [^a]\n[c] [^d", "<http://a.bc> [^a]\n[c] [^d"),
        ("- [ ] http://a.bc/x", "- [ ] <http://a.bc/x>"),
        ("$5 http://a.bc $6", "$5 <http://a.bc> $6"),
        ("$x$\n\nhttp://a.bc", "$x$\n\n<http://a.bc>"),
        ("a $x$ http://d.ef", "a $x$ <http://d.ef>"),
        ("$$\\sum_{i=1}^n x_i$$ www.d.ef", "$$\\sum_{i=1}^n x_i$$ [www.d.ef](http://www.d.ef)"),
        ("|a|\n|-|\n|http://c.de/\\|y|", "|a|\n|-|\n|[http://c.de/\\|y](http://c.de/\\|y)|"),
        ("- [x] a|b\n  -|-\n  http://n.op|", "- [x] a|b\n  -|-\n  <http://n.op>|"),
        ("> - [x] a\nhttp://n.op", "> - [x] a\n<http://n.op>"),
        ("- [x] \n\nhttp://n.op", "- [x] \n\n<http://n.op>"),
        ("> [!TIP]\n> http://n.op", "> [!TIP]\n> <http://n.op>"),
        ("[a]: /b\n\n- http://n.op", "[a]: /b\n\n- <http://n.op>"),
        ("**a** *b* http://n.op *c*", "**a** *b* <http://n.op> *c*"),
        ("**你好。** http://n.op", "**你好。** <http://n.op>"),
        (" 1) [ ] |a|\n    |-|\n    |http://n.op|", " 1) [ ] |a|\n    |-|\n    |<http://n.op>|"),
    ] {
        assert_eq!(fixed(source), expected);
    }
}

#[test]
fn front_matter_that_dots_close_is_left_alone() {
    for source in ["---\na: http://localhost/x\n...\n", "---\n# b\na: 'www.a.bc'\n...\n\nc\n"] {
        let mut checker = checker(RuleSet::ALL);
        assert_eq!(checker.check(source).unwrap(), [], "{source}");
        assert_eq!(checker.fix_all(source).unwrap(), None, "{source}");
        let fixed = checker.fix(&format!("{source}http://localhost/x\n")).unwrap().unwrap();
        assert_eq!(fixed.text, format!("{source}<http://localhost/x>\n"));
    }
}

#[test]
fn styles_are_kept_to() {
    for (style, expected) in [
        (Style::Angle, "<http://a.bc> www.d.ef"),
        (Style::Inline, "[http://a.bc](http://a.bc) [www.d.ef](http://www.d.ef)"),
        (Style::Auto, "<http://a.bc> [www.d.ef](http://www.d.ef)"),
    ] {
        let mut settings = Settings::default();
        settings.rules = [Rule::BareLink].into();
        settings.style = style;
        let fixed = Checker::new(settings).fix("http://a.bc www.d.ef").unwrap().unwrap();
        assert_eq!(fixed.text, expected);
    }
}

#[test]
fn unsafe_fixes_do_what_was_meant() {
    for (source, expected) in [
        ("**https://h.bc/1**(x)", "**<https://h.bc/1>**(x)"),
        ("看[t]（https://u.vw/x）。", "看[t](https://u.vw/x)。"),
        ("(t)[https://u.vw/x]", "[t](https://u.vw/x)"),
        ("[t(https://u.vw/x) a", "[t](https://u.vw/x) a"),
        ("[t](my file.md) a", "[t](<my file.md>) a"),
        ("[t](https://u.vw/x and", "[t](https://u.vw/x) and"),
        ("[t](https://u.vw/x_(y) a", "[t](https://u.vw/x_(y)) a"),
        ("[t](<a b.md) c", "[t](<a b.md>) c"),
        ("![t] (a.png 'b') c", "![t](a.png 'b') c"),
        ("[t](a.md） c", "[t](a.md) c"),
        ("[t][https://u.vw/x] a", "[t](https://u.vw/x) a"),
        ("[t][www.u.vw]", "[t](https://www.u.vw)"),
        ("[a](https://b.cd/می\u{200C}خو\u{200B}اهم)", "[a](https://b.cd/می\u{200C}خواهم)"),
        ("[t]: www.x.com 'a'\n\n[t]", "[t]: https://www.x.com 'a'\n\n[t]"),
        ("see https//x.com/y.", "see <https://x.com/y>."),
        ("<www.x.com>", "<https://www.x.com>"),
        ("a <github.com/a/b> c", "a <https://github.com/a/b> c"),
        ("[t](me@a.bc)", "[t](mailto:me@a.bc)"),
        ("[t](mailto://a@b.cd)", "[t](mailto:a@b.cd)"),
        ("[t](http:a.bc/x)", "[t](http://a.bc/x)"),
        ("[t](https:///a.bc)", "[t](https://a.bc)"),
        ("[x](https://https://a.bc)", "[x](https://a.bc)"),
        ("ttps://a.bc and htp://d.ef.", "<https://a.bc> and <http://d.ef>."),
        ("use pkg@1.1.1l-fips, then", "use `pkg@1.1.1l-fips`, then"),
        ("[a](https://b.cd/\u{200B}x)", "[a](https://b.cd/x)"),
        ("http://a.bc/x，http://localhost/y", "<http://a.bc/x>，<http://localhost/y>"),
    ] {
        let mut checker = checker(RuleSet::DEFAULT);
        let fixed = checker.fix_all(source).unwrap().expect(source);
        assert_eq!(fixed.text, expected);
        assert_eq!(checker.fix_all(&fixed.text).unwrap(), None, "{}", fixed.text);
    }
}

#[test]
fn fixes_that_do_not_fit_keep_no_others_from_being_made() {
    let bad = "*http://a.bc*x ".repeat(3000);
    assert!(fixed(&format!("{bad}http://d.ef")) == format!("{bad}<http://d.ef>"));
    let mixed = "*http://a.bc*x http://d.ef, !www.a.bc\n".repeat(500);
    assert!(fixed(&mixed) == mixed.replace("http://d.ef", "<http://d.ef>"));
}

#[test]
fn a_long_leaf_that_cannot_be_settled_keeps_no_other_from_being_fixed() {
    let source = "a@b.cd~xmpp:".repeat(3000) + "<a&amp;\n\nhttp://d.ef";
    let mut checker = checker(RuleSet::ALL);
    let fixed = checker.fix_all(&source).unwrap().unwrap();
    assert!(fixed.text.ends_with("<http://d.ef>"));
    assert!(checker.fix_all(&fixed.text).unwrap().is_none());
}

#[test]
fn what_is_said_to_be_fixable_is_fixed() {
    let mut checker = checker(RuleSet::DEFAULT);
    for (source, expected) in [
        ("https://user@a.bc/x，y", 1),
        ("[t] (https://u.vw/x) http://localhost/x \"www.a.bc\"", 3),
        ("[t][gone]", 0),
    ] {
        let findings = checker.check(source).unwrap();
        let n_fixable = checker.are_fixable(source, &findings).unwrap();
        let n_fixable = n_fixable.iter().filter(|is_fixable| **is_fixable).count();
        assert_eq!(n_fixable, expected, "{source}: {findings:?}");
    }
    let mut random = Random::new(seed_or(13).unwrap());
    let (mut n_promised, mut n_fixed) = (0, 0);
    for _ in 0..1000 {
        let source = random.document(&made::PIECES);
        let findings = checker.check(&source).unwrap();
        let are_fixable = checker.are_fixable(&source, &findings).unwrap();
        let n_fixable = are_fixable.iter().filter(|is_fixable| **is_fixable).count();
        let fixed = checker.fix_all(&source).unwrap().map_or(0, |fixed| fixed.n_fixed);
        assert!(n_fixable <= fixed, "{source:?}: {n_fixable} of {fixed}");
        n_promised += n_fixable;
        n_fixed += fixed;
    }
    assert!(n_promised > 100 && n_promised * 10 > n_fixed * 9, "{n_promised} of {n_fixed}");
}
