//! Every rule has an input that meets it.

use barelink_autolink::engine::{Candidate, Reasons, Region, decide};
use barelink_autolink::{Dialect, Kind, Outcome, Rule, Rules, links, verdicts};

use Dialect::{Gfm, Github, Md4c, Natural};

/// A rule, a dialect, an input, and the bytes the rule points to: the one where
/// a candidate failed, or those that were trimmed.
const SAMPLES: &[(Rule, Dialect, &str, std::ops::Range<u32>)] = &[
    (Rule::Before, Gfm, "x \"http://a.bc", 2..2),
    (Rule::Before, Gfm, "中a@b.cd", 0..0),
    (Rule::Before, Github, ":www.a.bc", 0..0),
    (Rule::Scheme, Gfm, "ssh://a.bc", 3..3),
    (Rule::Scheme, Github, "xhttp://a.bc", 5..5),
    (Rule::DomainMissing, Gfm, "http:// a.bc", 7..7),
    (Rule::DomainPeriod, Gfm, "http://localhost/x", 16..16),
    (Rule::DomainPeriod, Gfm, "www.a/b", 5..5),
    (Rule::DomainPeriod, Github, "www.", 3..3),
    (Rule::DomainUnderscore, Gfm, "http://a.b_c/x", 10..10),
    (Rule::DomainUnderscore, Github, "www.a_b.c/", 5..5),
    (Rule::OpenBracket, Gfm, "[a] [b [c] http://a.bc", 4..4),
    (Rule::OpenBracket, Github, "![ www.a.bc", 1..1),
    (Rule::HostStart, Github, "http://-a.bc", 7..7),
    (Rule::HostStart, Github, "http://。a.bc", 7..7),
    (Rule::LocalPart, Gfm, "é@b.cd", 2..2),
    (Rule::LocalPart, Github, "@b.cd", 0..0),
    (Rule::EmailDomain, Gfm, "a@. b", 2..2),
    (Rule::EmailDomain, Github, "a@é.cd", 2..2),
    (Rule::EmailPeriod, Gfm, "a@b", 3..3),
    (Rule::EmailPeriod, Github, "a@b..cd", 3..3),
    (Rule::EmailLast, Gfm, "a@b.c-", 5..5),
    (Rule::EmailLast, Gfm, "a@b.c_.", 5..5),
    (Rule::EmailLastLetter, Github, "a@b.c1", 5..5),
    (Rule::SecondAt, Github, "a@b@c", 3..3),
    (Rule::TrailingPunctuation, Gfm, "www.a.bc/x?!.,:*_~", 10..18),
    (Rule::TrailingParenthesis, Gfm, "(www.a.bc/(x)))", 13..15),
    (Rule::TrailingEntity, Gfm, "www.a.bc/&amp;&x1;", 9..18),
    (Rule::TrailingQuote, Github, "http://a.bc\"'", 11..13),
    (Rule::TrailingSemicolon, Github, "http://a.bc/1;", 13..14),
    (Rule::EmailTrailingPeriod, Gfm, "a@b.cd..", 6..8),
    (Rule::PermissiveBefore, Md4c, "*a@b.cd", 0..0),
    (Rule::PermissiveAfter, Md4c, "http://a.bc:80", 11..11),
    (Rule::PermissiveScheme, Md4c, "HTTP://a.bc", 4..4),
    (Rule::PermissiveComponents, Md4c, "http://localhost", 16..16),
    (Rule::PermissiveComponents, Md4c, "www.-a.bc", 4..4),
    (Rule::PermissiveLastComponent, Md4c, "http://a.b", 9..9),
    (Rule::PermissiveParentheses, Md4c, "http://a.bc?x=(y(z)", 14..14),
    (Rule::PermissiveUser, Md4c, "john_@example.com", 5..5),
    (Rule::NaturalBefore, Natural, "éwww.a.bc", 0..0),
    (Rule::NaturalBefore, Natural, "//www.a.bc", 1..1),
    (Rule::NaturalScheme, Natural, "hxxps://a.bc", 5..5),
    (Rule::NaturalScheme, Natural, "1http://a.bc", 5..5),
    (Rule::NaturalEscape, Natural, "http\\://a.bc", 4..4),
    (Rule::NaturalEscape, Natural, "a\\@b.cd", 1..1),
    (Rule::NaturalHostMissing, Natural, "http:// a.bc", 7..7),
    (Rule::NaturalLabel, Natural, "http://a..bc", 9..9),
    (Rule::NaturalLabel, Natural, "http://a.-b.cd", 9..9),
    (Rule::NaturalUnderscore, Natural, "https://abc_def.com", 11..11),
    (Rule::NaturalPeriod, Natural, "www.foo/x", 7..7),
    (Rule::NaturalPeriod, Natural, "https://开头的", 17..17),
    (Rule::NaturalNumber, Natural, "http://1.2.3/x", 11..11),
    (Rule::NaturalLastLabel, Natural, "www.naver.c", 10..10),
    (Rule::NaturalIpv6, Natural, "http://[x]/", 7..7),
    (Rule::NaturalUser, Natural, "http://a:b@c.de/", 10..10),
    (Rule::NaturalLocalPart, Natural, "a..b@c.de", 2..2),
    (Rule::NaturalPart, Natural, "x/a@b.cd", 1..1),
    (Rule::NaturalWords, Natural, "使用@b.cd", 0..0),
    (Rule::NaturalWords, Natural, "Видео@Mail.Ru", 0..0),
    (Rule::NaturalSecondAt, Natural, "a@b.cd@e.fg", 6..6),
    (Rule::NaturalMailHost, Natural, "a@b", 3..3),
    (Rule::NaturalMailHost, Natural, "a@b.c-", 5..5),
    (Rule::NaturalVersion, Natural, "react@0.12.0-rc1x", 6..6),
    (Rule::NaturalVersion, Natural, "a@b.c1", 4..4),
    (Rule::NaturalCode, Natural, "d@N.jc", 0..0),
    (Rule::NaturalRemote, Natural, "git@a.bc:d/e", 8..8),
    (Rule::NaturalEmphasis, Natural, "**http://a.bc/x**y", 15..17),
    (Rule::NaturalEmphasis, Natural, "http://a.bc/x**y**", 13..15),
    (Rule::NaturalMarkdown, Natural, "http://a.bc/x[^1]", 13..15),
    (Rule::NaturalMarkdown, Natural, "http://a.bc/x[y](z)", 13..14),
    (Rule::NaturalFullWidth, Natural, "http://a.bc/x，y", 13..16),
    (Rule::NaturalGlued, Natural, "http://a.bc英文", 11..14),
    (Rule::NaturalGlued, Natural, "http://a.bc/x에서", 13..16),
    (Rule::NaturalGlued, Natural, "http://a.bc/x@小明", 13..17),
    (Rule::NaturalParticle, Natural, "http://a.bc/東京を", 18..21),
    (Rule::NaturalSymbol, Natural, "http://a.bc/x…y", 13..16),
    (Rule::NaturalNext, Natural, "http://a.bc/x,http://d.ef", 13..14),
    (Rule::NaturalBracket, Natural, "[http://a.bc/x]0", 14..15),
    (Rule::NaturalQuote, Natural, "“http://a.bc/x”y", 16..19),
    (Rule::NaturalEnding, Natural, "http://a.bc/x's y", 13..14),
    (Rule::NaturalEnding, Natural, "http://a.bc/x’da", 13..16),
    (Rule::NaturalDash, Natural, "http://a.bc/x—y", 13..16),
    (Rule::NaturalEntity, Natural, "http://a.bc/x&gt;y", 13..17),
    (Rule::NaturalEntity, Natural, "http://a.bc/x&hl;", 13..17),
    (Rule::NaturalPunctuation, Natural, "http://a.bc/x.:!", 13..16),
    (Rule::NaturalPunctuation, Natural, "a@b.cd.", 6..7),
];

/// What names without a scheme meet, where they are looked for.
const DOMAIN_SAMPLES: &[(Rule, Dialect, &str, std::ops::Range<u32>)] = &[
    (Rule::NaturalDomainBefore, Natural, "/a.com", 0..0),
    (Rule::NaturalTopLevel, Natural, "node.js", 5..5),
    (Rule::NaturalTopLevel, Natural, "ASP.NET", 4..4),
    (Rule::NaturalFile, Natural, "main.rs", 5..5),
    (Rule::NaturalUser, Natural, "a.com@b", 5..5),
    (Rule::NaturalPunctuation, Natural, "a.com/x.", 7..8),
];

/// What the first candidate of the text met: a refusal, or trims.
fn met(text: &str, dialect: impl Into<Rules>) -> Vec<(Rule, std::ops::Range<u32>)> {
    let verdict = verdicts(text, dialect).next().expect("a candidate");
    match verdict.outcome {
        Outcome::Refused { rule, at, .. } => vec![(rule, at..at)],
        Outcome::Linked { trims, .. } => {
            trims.iter().map(|trim| (trim.rule, trim.span.start..trim.span.end)).collect()
        }
    }
}

#[test]
fn samples_meet_their_rules() {
    for (rule, dialect, text, place) in SAMPLES {
        assert_eq!(met(text, *dialect), [(*rule, place.clone())], "{text:?} in {dialect:?}");
    }
}

#[test]
fn domain_samples_meet_their_rules() {
    for (rule, dialect, text, place) in DOMAIN_SAMPLES {
        let mut rules = Rules::new(*dialect);
        rules.domains = true;
        assert_eq!(met(text, rules), [(*rule, place.clone())], "{text:?}");
        let link = Rule::NaturalPunctuation == *rule;
        assert_eq!(links(text, rules).count(), usize::from(link), "{text:?}");
    }
}

#[test]
fn other_dialects_refuse_names() {
    let mut region = Region::new(0, 5);
    let mut reasons = Reasons::default();
    let candidate = Candidate { kind: Kind::Domain, start: 1 };
    assert_eq!(decide(Gfm, candidate, b"a.com", &mut region, &mut reasons), None);
    let outcome = reasons.outcome(None);
    assert!(matches!(outcome, Outcome::Refused { rule: Rule::DomainsOff, at: 1, .. }));
}

#[test]
fn every_rule_has_a_sample() {
    let mut samples = SAMPLES.iter().chain(DOMAIN_SAMPLES);
    for rule in Rule::ALL.iter().filter(|rule| **rule != Rule::DomainsOff) {
        assert!(samples.clone().any(|sample| sample.0 == *rule), "{rule:?} has no sample");
    }
    assert!(samples.all(|sample| sample.0 != Rule::DomainsOff));
}

#[test]
fn trims_come_from_the_outside_in() {
    let found = met("(http://a.bc/x.)&amp;'\"!", Github);
    assert_eq!(
        found,
        [
            (Rule::TrailingPunctuation, 23..24),
            (Rule::TrailingQuote, 21..23),
            (Rule::TrailingEntity, 16..21),
            // There is no room for a fifth: the last one covers it.
            (Rule::TrailingParenthesis, 14..16),
        ]
    );
}

#[test]
fn candidates_in_a_link_are_not_reported() {
    let kinds: Vec<_> = verdicts("http://www.a.bc/b@c.de a@b_www.c.d_e", Gfm)
        .map(|verdict| verdict.candidate.start)
        .collect();
    assert_eq!(kinds, [4, 24]);
}
