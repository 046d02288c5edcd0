//! Checks of what changed, and its fixes: they give what a check of all gives.

use barelink_check::{Checked, Checker, RuleSet, Settings};
use barelink_spectest::made;
use barelink_spectest::random::{self, Random};

fn checker() -> Checker {
    let mut settings = Settings::default();
    settings.rules = RuleSet::ALL;
    Checker::new(settings)
}

/// A document of several made ones, most of them apart from the next.
fn document(random: &mut Random) -> String {
    let mut source = String::new();
    for _ in 0..=random.below(6) {
        source += &random.document(&made::PIECES);
        if random.below(4) > 0 {
            source += "\n\n";
        }
    }
    source
}

/// A place between two characters.
fn place(random: &mut Random, source: &str) -> usize {
    let mut at = random.below(source.len() as u64 + 1) as usize;
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The source with something taken out or put in, or both.
fn edited(random: &mut Random, source: &str, new: &str) -> String {
    let start = place(random, source);
    let mut end = (start + random.below(24) as usize).min(source.len());
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    let len = place(random, new).min(20);
    let len = (0..=len).rev().find(|at| new.is_char_boundary(*at)).unwrap_or_default();
    let new = if random.below(3) == 0 { "" } else { &new[..len] };
    let end = if random.below(3) == 0 { start } else { end.max(start) };
    format!("{}{new}{}", &source[..start], &source[end..])
}

/// Lists, tables and quotes, line by line, with links in most lines.
fn lines(random: &mut Random) -> String {
    const MARKS: [&str; 16] = [
        "* ",
        "* ",
        "- ",
        "1. ",
        "2. ",
        "  * ",
        "    ",
        "> ",
        "|",
        "|a|b|\n|-|-|\n|",
        "",
        "\n",
        "# ",
        "```\n",
        "* * ",
        "   1) ",
    ];
    const TEXTS: [&str; 8] = [
        "http://localhost/x",
        "a|http://localhost/y|",
        "\"www.a.bc\"",
        "[t] (https://u.vw/x)",
        "*http://a.bc*x",
        "a",
        "[ ] a@b.cd",
        "`b",
    ];
    let mut source = String::new();
    for _ in 0..random.below(24) {
        source += MARKS[random.below(MARKS.len() as u64) as usize];
        source += TEXTS[random.below(TEXTS.len() as u64) as usize];
        source += if random.below(6) == 0 { "\n\n" } else { "\n" };
    }
    source
}

/// Changes documents again and again, and compares what is found with what a check of all finds.
/// How many changes were near.
fn compare(random: &mut Random, make: impl Fn(&mut Random) -> String) -> usize {
    let mut checker = checker();
    let mut n_changes = 0;
    for _ in 0..400 {
        let mut source = make(random);
        let mut findings = checker.check(&source).unwrap();
        let mut edits = checker.safe_edits(&source).unwrap().unwrap_or_default();
        for _ in 0..4 {
            let new = make(random);
            let after = edited(random, &source, &new);
            let expected = checker.check(&after).unwrap();
            let all = checker.safe_edits(&after).unwrap();
            if let Some(change) = checker.change(&source, &after).unwrap() {
                n_changes += 1;
                let known = Checked { findings, end: source.len() };
                let found = checker.check_changed(&after, change, known).unwrap();
                let whole = Checked { findings: expected.clone(), end: after.len() };
                assert_eq!(found, whole, "{source:?} → {after:?}");
                let fixed = checker.safe_edits_changed(&after, change, edits).unwrap();
                assert_eq!(fixed, all, "{source:?} → {after:?}");
            }
            edits = all.unwrap_or_default();
            (source, findings) = (after, expected);
        }
    }
    n_changes
}

#[test]
fn a_change_has_the_findings_and_fixes_of_the_whole() {
    let mut random = Random::new(random::seed_or(9).unwrap());
    let n_changes = compare(&mut random, document);
    assert!(n_changes > 100, "only {n_changes} changes were near");
}

#[test]
fn a_change_reaches_as_far_as_cmark_gfm_reads_on() {
    let source = |first: &str| format!("{first}\n\n> - a\n# b\n- http://localhost/1\n\n# c\n");
    let mut checker = checker();
    // A box that is not first in its line is a paragraph to cmark-gfm, and what it shows goes on.
    for (first, other) in [("a", "> - [ ]"), ("a", "a\u{c}\n>"), ("<b>\u{c}\n>", "a")] {
        for (before, after) in [(source(first), source(other)), (source(other), source(first))] {
            let findings = checker.check(&before).unwrap();
            let expected = checker.check(&after).unwrap();
            let known = Checked { findings, end: before.len() };
            if let Some(change) = checker.change(&before, &after).unwrap() {
                let found = checker.check_changed(&after, change, known).unwrap();
                assert_eq!(found.findings, expected, "{before:?} → {after:?}");
            }
        }
    }
}

#[test]
fn a_change_in_a_list_or_table_does_too() {
    let mut random = Random::new(random::seed_or(9).unwrap());
    let n_changes = compare(&mut random, lines);
    assert!(n_changes > 1000, "only {n_changes} changes were near");
}

#[test]
fn parts_have_the_findings_of_the_whole() {
    let mut random = Random::new(random::seed_or(9).unwrap());
    let mut checker = checker();
    for idx in 0..400 {
        let source = if idx % 2 == 0 { lines(&mut random) } else { document(&mut random) };
        let mut checked = Checked::default();
        while checked.end < source.len() {
            let start = checked.end;
            let len = random.below(60) as usize;
            checker.check_more(&source, len, &mut checked).unwrap();
            assert!(checked.end > start, "{source:?} at {start}");
            let after = edited(&mut random, &source, "a\n\nhttp://localhost/x\n\n");
            let Some(change) = checker.change(&source, &after).unwrap() else { continue };
            // What is known of a part changes like what is known of all.
            let mut changed = checker.check_changed(&after, change, checked.clone()).unwrap();
            while changed.end < after.len() {
                checker.check_more(&after, 100, &mut changed).unwrap();
            }
            assert_eq!(changed.findings, checker.check(&after).unwrap(), "{source:?} → {after:?}");
        }
        assert_eq!(checked.findings, checker.check(&source).unwrap(), "{source:?}");
    }
}

#[test]
fn a_long_paragraph_in_parts_has_the_findings_of_the_whole() {
    let mut random = Random::new(random::seed_or(9).unwrap());
    let mut checker = checker();
    let (mut n_findings, mut n_parts) = (0, 0);
    for _ in 0..20 {
        let mut source = "a ".to_owned();
        while source.len() < 20_000 {
            let piece =
                if random.below(2) == 0 { lines(&mut random) } else { document(&mut random) };
            source += &piece.replace('\n', " ");
            source.push(if random.below(3) == 0 { '\n' } else { ' ' });
        }
        source += &"and so on ".repeat(8000);
        let expected = checker.check(&source).unwrap();
        let mut checked = Checked::default();
        while checked.end < source.len() {
            let len = random.below(20_000) as usize;
            checker.check_more(&source, len, &mut checked).unwrap();
            n_parts += 1;
        }
        assert!(checked.findings == expected, "{source:?}");
        n_findings += expected.len();
    }
    assert!(n_findings > 1000 && n_parts > 30, "{n_findings} findings in {n_parts} parts");
}

#[test]
fn what_counts_for_other_blocks_is_no_near_change() {
    let mut checker = checker();
    for (before, after) in [
        ("[a]: b\n\n[a] c", "[a]: d\n\n[a] c"),
        ("a\n\n[b]", "[b]: c\n\n[b]"),
        ("---\na: http://localhost/x\n\n", "---\na: http://localhost/x\n\n..."),
        ("a[^1]\n\n[^1]: b", "a\n\n[^1]: b"),
        ("a\n\nhttp://localhost/x", "<!-- barelink-disable -->\n\nhttp://localhost/x"),
        ("<!-- markdownlint-disable -->\n\nhttp://localhost/x", "\n\nhttp://localhost/x"),
    ] {
        assert_eq!(checker.change(before, after).unwrap(), None, "{before:?} → {after:?}");
    }
}

#[test]
fn a_change_takes_a_few_blocks() {
    let mut checker = checker();
    let rows = "|a|b|\n|-|-|\n";
    for (first, block, new) in [
        ("", "http://localhost/x and *more*\n\n", "new\n"),
        ("", "* http://localhost/x\n", "* new\n"),
        ("", "1. a\n\n   * http://localhost/x\n", "1. new\n"),
        (rows, "|http://localhost/x|a|\n", "|new|\n"),
    ] {
        let before = format!("{first}{}", block.repeat(200));
        let after = format!("{first}{}{new}{}", block.repeat(100), block.repeat(100));
        let change = checker.change(&before, &after).unwrap().expect("it is near");
        let known = Checked { findings: checker.check(&before).unwrap(), end: before.len() };
        let changed = checker.check_changed(&after, change, known).unwrap();
        assert_eq!(changed.findings, checker.check(&after).unwrap());
        let shown = format!("{change:?}");
        let start = first.len() + block.len() * 99;
        let is_near = (0..3)
            .any(|n_back| shown.contains(&format!("start: {}", start - n_back * block.len())));
        assert!(is_near, "{shown}");
        let end = start + block.len() * 3 + new.len();
        assert!(shown.contains(&format!("end: {end}")), "{shown}, not {end}");
    }
}
