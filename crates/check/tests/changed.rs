//! Checks of what changed, and its fixes: they give what a check of all gives.

use barelink_check::{Checker, RuleSet, Settings};
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
fn edited(random: &mut Random, source: &str) -> String {
    let start = place(random, source);
    let mut end = (start + random.below(24) as usize).min(source.len());
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    let new = random.document(&made::PIECES);
    let len = place(random, &new).min(new.len());
    let new = if random.below(3) == 0 { "" } else { &new[..len] };
    let end = if random.below(3) == 0 { start } else { end.max(start) };
    format!("{}{new}{}", &source[..start], &source[end..])
}

#[test]
fn a_change_has_the_findings_and_fixes_of_the_whole() {
    let mut random = Random::new(random::seed_or(9).unwrap());
    let mut checker = checker();
    let mut n_changes = 0;
    for _ in 0..400 {
        let mut source = document(&mut random);
        let mut findings = checker.check(&source).unwrap();
        let mut edits = checker.safe_edits(&source, &findings).unwrap().unwrap_or_default();
        for _ in 0..4 {
            let after = edited(&mut random, &source);
            let expected = checker.check(&after).unwrap();
            if let Some(change) = checker.change(&source, &after).unwrap() {
                n_changes += 1;
                let found = checker.check_changed(&after, change, findings).unwrap();
                assert_eq!(found, expected, "{source:?} → {after:?}");
                let fixed = checker.safe_edits_changed(&after, &expected, change, edits).unwrap();
                let all = checker.safe_edits(&after, &expected).unwrap();
                assert_eq!(fixed, all, "{source:?} → {after:?}");
            }
            edits = checker.safe_edits(&after, &expected).unwrap().unwrap_or_default();
            (source, findings) = (after, expected);
        }
    }
    assert!(n_changes > 100, "only {n_changes} changes were near");
}

#[test]
fn what_counts_for_other_blocks_is_no_near_change() {
    let mut checker = checker();
    for (before, after) in [
        ("[a]: b\n\n[a] c", "[a]: d\n\n[a] c"),
        ("a\n\n[b]", "[b]: c\n\n[b]"),
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
    let block = "http://localhost/x and *more*\n\n";
    let before = block.repeat(200);
    let after = block.repeat(100) + "new\n" + &block.repeat(100);
    let change = checker.change(&before, &after).unwrap().expect("it is near");
    let findings = checker.check(&before).unwrap();
    let changed = checker.check_changed(&after, change, findings).unwrap();
    assert_eq!(changed, checker.check(&after).unwrap());
    let shown = format!("{change:?}");
    let (start, end) = (block.len() * 99, block.len() * 102 + 4);
    assert!(shown.contains(&format!("start: {start}")), "{shown}");
    assert!(shown.contains(&format!("end: {end}")), "{shown}");
}
