//! What holds for checking and fixing any document: findings stand in order and in it, a safe fix
//! leaves the page as it was, byte for byte, and a second run changes nothing.

use barelink::{Options, Policy};
use barelink_check::{Checker, Finding, Flavor, RuleSet, Safety, Settings, Style};

/// Fails if something of it does not hold. `choice` says how fixes are written.
pub(crate) fn check(source: &str, options: &Options, choice: u32) {
    let mut settings = Settings::default();
    settings.options = options.clone();
    settings.options.policy = Policy::TRUSTED;
    settings.rules = RuleSet::ALL;
    settings.style = Style::ALL[choice as usize % Style::ALL.len()];
    if choice & 0x100 != 0 {
        settings.flavor = Flavor::Mdx;
    }
    let options = settings.options.clone();
    let html = |text: &str| barelink::to_html(text, &options).expect("the source is short");
    let mut checker = Checker::new(settings);
    let findings = checker.check(source).expect("the source is short");
    check_findings(source, &findings);
    if let Some(fixed) = checker.fix(source).expect("the source is short") {
        assert_eq!(html(source), html(&fixed.text), "the page of {source:?}: {:?}", fixed.text);
        let again = checker.fix(&fixed.text).expect("the source is short");
        assert_eq!(again, None, "a second run on what {source:?} became");
    }
    for finding in &findings {
        let Some(fix) = finding.fix.as_ref().filter(|fix| fix.safety == Safety::Safe) else {
            continue;
        };
        if let Some(edits) = checker.fitting(source, fix).expect("the source is short") {
            let mut text = source.to_owned();
            for edit in edits.iter().rev() {
                text.replace_range(edit.span.range(), &edit.text);
            }
            assert_eq!(html(source), html(&text), "one fix of {source:?}: {text:?}");
        }
    }
    // What changes the page must not panic, and comes to an end.
    let _ = checker.fix_all(source).expect("the source is short");
}

fn check_findings(source: &str, findings: &[Finding]) {
    let mut last = 0;
    for finding in findings {
        assert!(finding.span.start >= last, "{finding:?} goes back in {source:?}");
        last = finding.span.start;
        assert!(source.get(finding.span.range()).is_some(), "{finding:?} in {source:?}");
        let mut end = 0;
        for edit in finding.fix.iter().flat_map(|fix| &fix.edits) {
            assert!(source.get(edit.span.range()).is_some(), "{finding:?} in {source:?}");
            assert!(edit.span.start >= end, "{finding:?} overlaps in {source:?}");
            end = edit.span.end;
        }
    }
}
