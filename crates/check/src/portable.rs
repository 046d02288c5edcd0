//! The bare links that have a safe fix, without other findings: for fixing a document without
//! displaying anything.
//!
//! One dialect that disagrees about a link is enough to fix it. So the remaining dialects are not
//! consulted about it, and a leaf is not read again once all its links are decided.
//!
//! LINEAR: the engine reads the document at most once for each dialect.

use barelink::{Autolinks, Dialect, Document};

use crate::bare::{peers_of, rewritten};
use crate::checker::Checker;
use crate::comments;
use crate::finding::Fixable;
use crate::rule::{Rule, RuleSet};
use crate::settings::Peer;
use crate::survey::{KeptLink, bare_spans_at};

/// Adds the bare links of a document that have a safe fix. Returns the document, with the bare
/// links of another dialect.
pub(crate) fn check<'s>(
    checker: &Checker,
    rules: RuleSet,
    document: Document<'static, 's>,
    found: &mut Vec<Fixable>,
) -> Document<'static, 's> {
    let (settings, surveyor) = (checker.settings(), checker.surveyor());
    let (mut links, doubts) = surveyor.bare(&document);
    links.links.retain(|link| surveyor.is_near(link.span) && !doubts.cover(link.span));
    let mut document = document.with_autolinks(Autolinks::new(Dialect::Natural));
    // If a reader sees another link, or none, nothing is fixed.
    let words = surveyor.words(document.source());
    let natural = bare_spans_at(&document, words, links.spans());
    links.links.retain(|link| natural.is_at(link.span));
    // There may be some ten thousand, and unused capacity costs nothing.
    found.reserve(links.links.len());
    let source = document.source();
    let mut add = |rule: Rule, link: &KeptLink<'s>| {
        let way = rewritten(&link.whole(source), settings);
        found.push(Fixable { rule, span: link.span, way });
    };
    if rules.contains(Rule::BareLink) {
        for link in &links.links {
            add(Rule::BareLink, link);
        }
        // A comment may switch off only one of the rules; otherwise one is enough.
        if !comments::may_disable(document.source()) {
            return document;
        }
    }
    if !rules.contains(Rule::NotPortable) {
        return document;
    }
    let mut peers: Vec<Peer> = peers_of(settings).collect();
    // Most disagreements are with MD4C.
    peers.sort_by_key(|peer| *peer != Peer::Md4c);
    for peer in peers {
        document = document.with_autolinks(peer.autolinks());
        let theirs = bare_spans_at(&document, words, links.spans());
        links.links.retain(|link| {
            let is_agreed = theirs.is_at(link.span);
            if !is_agreed {
                add(Rule::NotPortable, link);
            }
            is_agreed
        });
    }
    document
}

#[cfg(test)]
mod tests {
    use barelink::Options;
    use barelink_spectest::made;
    use barelink_spectest::random::{Random, seed_or};

    use crate::finding::Fixable;
    use crate::{Checker, Finding, Flavor, Rule, RuleSet, Safety, Settings};

    /// The places that have a way to write them, and the text of that way.
    fn fixable(found: &[Fixable]) -> Vec<(u32, &str)> {
        let ways =
            found.iter().filter_map(|it| Some((it.span.start, it.way.as_ref()?.text.as_str())));
        let mut ways: Vec<_> = ways.collect();
        ways.dedup();
        ways
    }

    /// The places that have a safe fix, and its replacement.
    fn safe(findings: &[Finding]) -> Vec<(u32, &str)> {
        let fixes = findings.iter().filter_map(|finding| finding.fix.as_deref());
        let fixes = fixes.filter(|fix| fix.safety == Safety::Safe);
        let mut edits: Vec<_> =
            fixes.map(|fix| (fix.edits[0].span.start, fix.edits[0].text.as_str())).collect();
        edits.dedup();
        edits
    }

    #[test]
    fn what_is_fixed_is_what_a_check_would_fix() {
        let mut random = Random::new(seed_or(4).unwrap());
        let mut n_fixes = 0;
        for (preset, rules) in [
            ("github", RuleSet::ALL),
            ("github", RuleSet::DEFAULT),
            ("gfm", [Rule::BareLink].into()),
            ("natural", RuleSet::DEFAULT),
            ("md4c", RuleSet::ALL),
        ] {
            for idx in 0..300 {
                let options = Options::preset(preset).unwrap();
                let flavor = if idx % 5 == 0 { Flavor::Mdx } else { Flavor::Markdown };
                let settings = Settings { options, rules, flavor, ..Settings::default() };
                let mut checker = Checker::new(settings);
                let mut source = random.document(&made::PIECES) + &random.document(&made::PIECES);
                if idx % 3 == 0 {
                    source = format!("<!-- barelink-disable BL004 -->\n\n{source}");
                }
                let document = checker.surveyor().read(&source).unwrap();
                let (found, _) = checker.check_fixable(document).unwrap();
                let all = checker.check(&source).unwrap();
                assert_eq!(fixable(&found), safe(&all), "{preset}: {source:?}");
                n_fixes += found.len();
            }
        }
        assert!(n_fixes > 100, "only {n_fixes}");
    }
}
