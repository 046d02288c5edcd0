//! The rules about bare links: wrong-end, not-linked, not-portable, bare-link and
//! unintended-link.
//!
//! The links where the document is published are compared with those that a reader sees, which
//! are those of the `natural` dialect, and with those of every peer:
//!
//! ```text
//! published      ⟦https://a.bc/x，y⟧
//! natural        ⟦https://a.bc/x⟧        another end: wrong-end
//! md4c                                   no link: not-portable
//! ```
//!
//! LINEAR: links of all dialects come in order and do not overlap.

use barelink::{Autolinks, Dialect, Form, Link, Place, SourceTooLong, Span};

use crate::checker::Checker;
use crate::finding::{Edit, Finding, Fix, Safety};
use crate::missing_scheme;
use crate::rule::{Rule, RuleSet};
use crate::settings::Peer;
use crate::survey::{Bare, BareLinks, Refusal, refusal_within};
use crate::write::{Written, ways};

/// The longest name, on either side of a link in it, that is made code.
const WORD_LEN_MAX: usize = 200;

/// The bare links of everybody.
struct Compared<'c, 's> {
    checker: &'c mut Checker,
    rules: RuleSet,
    source: &'s str,
    natural: BareLinks<Bare<'s>>,
    peers: Vec<(Peer, BareLinks<Span>)>,
    /// Why a reader sees no link, and why the target has none; asked for when needed.
    unseen: Option<Vec<Refusal>>,
    refused: Option<Vec<Refusal>>,
}

/// What a reader makes of a bare link.
enum Seen {
    /// The same link.
    Alike,
    /// Other links in the same place.
    Otherwise,
    /// No link; in that place, if nothing is looked for there.
    Not(Option<Refusal>),
}

/// Adds what the rules find.
pub(crate) fn check(
    checker: &mut Checker,
    rules: RuleSet,
    source: &str,
    links: &[Link<'_>],
    findings: &mut Vec<Finding>,
) -> Result<(), SourceTooLong> {
    const OURS: [Rule; 6] = [
        Rule::WrongEnd,
        Rule::NotLinked,
        Rule::NotPortable,
        Rule::BareLink,
        Rule::MissingScheme,
        Rule::UnintendedLink,
    ];
    let settings = checker.settings();
    if !rules.contains_any(OURS) {
        return Ok(());
    }
    let own = settings.options.autolinks.dialect;
    let peers: Vec<Peer> = if rules.contains(Rule::NotPortable) {
        let others = settings.with.iter().copied();
        others.filter(|peer| peer.autolinks().dialect != own).collect()
    } else {
        Vec::new()
    };
    let natural = checker.surveyor().bare(source, Autolinks::new(Dialect::Natural))?;
    let bare: Vec<&Link<'_>> = links.iter().filter(|link| link.form.is_bare()).collect();
    let mut read = Vec::new();
    for peer in peers.into_iter().filter(|peer| *peer != Peer::Natural) {
        read.push((peer, checker.surveyor().bare_spans(source, peer.autolinks())?));
    }
    if bare.is_empty() && natural.0.is_empty() && read.iter().all(|(_, links)| links.0.is_empty()) {
        return Ok(());
    }
    let mut compared =
        Compared { checker, rules, source, natural, peers: read, unseen: None, refused: None };
    for link in &bare {
        compared.check_link(link, findings)?;
    }
    compared.check_missing(&bare, findings)
}

impl Compared<'_, '_> {
    /// The rules about a link of the target.
    fn check_link(
        &mut self,
        link: &Link<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), SourceTooLong> {
        let seen = self.seen(link.span)?;
        let rules = self.rules;
        let n_before = findings.len();
        match &seen {
            Seen::Otherwise if rules.contains(Rule::WrongEnd) => {
                findings.push(self.wrong_end(link));
            }
            Seen::Not(Some(refusal)) if refusal.place.is_some() => {}
            Seen::Not(refusal) if rules.contains(Rule::UnintendedLink) => {
                findings.push(self.unintended(link, refusal.as_ref()));
            }
            _ => {}
        }
        // What is wrong everywhere need not be the same everywhere.
        let is_told = findings.len() > n_before;
        let is_asked = rules.contains(Rule::NotPortable)
            && !is_told
            && !matches!(&seen, Seen::Not(Some(refusal)) if refusal.place.is_some());
        let disagreement = is_asked.then(|| self.disagreement(link.span)).flatten();
        let is_bare = rules.contains(Rule::BareLink);
        // Most links are fine, and the fix of one is some work.
        if disagreement.is_none() && !is_bare {
            return Ok(());
        }
        let (fix, left) = match &seen {
            Seen::Alike => (self.rewrite(link), None),
            Seen::Otherwise => (None, Some("It is not fixed, since a reader ends it elsewhere.")),
            Seen::Not(Some(Refusal { place: Some(Place::RawAnchor), .. })) => {
                (None, Some("It is not fixed, since it stands between a raw <a> and </a>."))
            }
            Seen::Not(_) => (None, Some("It is not fixed, since a reader sees no link.")),
        };
        if let Some(message) = disagreement {
            let finding = Finding::new(Rule::NotPortable, link.span, message);
            findings.push(with_reason(finding, left).with_fix(fix.clone()));
        }
        if is_bare {
            let finding = Finding::new(Rule::BareLink, link.span, "CommonMark alone makes no link");
            findings.push(with_reason(finding, left).with_fix(fix));
        }
        Ok(())
    }

    fn seen(&mut self, span: Span) -> Result<Seen, SourceTooLong> {
        let there = self.natural.touching(span);
        if there.iter().any(|link| link.span == span) {
            return Ok(Seen::Alike);
        }
        if !there.is_empty() {
            return Ok(Seen::Otherwise);
        }
        let natural = Autolinks::new(Dialect::Natural);
        let refusals = match self.unseen.take() {
            Some(refusals) => refusals,
            None => self.checker.surveyor().refusals(self.source, natural)?,
        };
        let refusal = refusal_within(&refusals, span).copied();
        self.unseen = Some(refusals);
        Ok(Seen::Not(refusal))
    }

    fn wrong_end(&self, link: &Link<'_>) -> Finding {
        let there = self.natural.touching(link.span);
        let message = match there {
            [one] if one.span.end > link.span.end => {
                "the link stops short of where a reader ends it"
            }
            [one] if one.span.end == link.span.end => {
                "the link starts where a reader does not start it"
            }
            [_] => "the link runs past where a reader ends it",
            _ => "the link runs into what a reader takes for another link",
        };
        let mut finding = Finding::new(Rule::WrongEnd, link.span, message);
        for seen in there.iter().take(3) {
            finding = finding.note(format!("A reader sees {}.", seen.destination));
        }
        finding.with_fix(self.link_all(there))
    }

    /// The fix that makes a link of each of these.
    fn link_all(&self, links: &[Bare<'_>]) -> Option<Fix> {
        let settings = self.checker.settings();
        let write = |link: &Bare<'_>| {
            let written = Written { text: &link.text, destination: &link.destination };
            ways(written, settings.style, settings.flavor).into_iter().next()
        };
        let texts: Option<Vec<String>> = links.iter().map(write).collect();
        let edits = links.iter().zip(texts?).map(|(link, text)| Edit::new(link.span, text));
        Some(Fix {
            safety: Safety::Unsafe,
            title: "link what a reader sees",
            edits: edits.collect(),
            otherwise: None,
            links: links.iter().map(|link| link.destination.clone().into_owned()).collect(),
        })
    }

    fn unintended(&self, link: &Link<'_>, refusal: Option<&Refusal>) -> Finding {
        let is_mail = link.destination.starts_with("mailto:");
        let what = if is_mail { "this becomes a mail link" } else { "this becomes a link" };
        let message = format!("{what}, though a reader sees none");
        let mut finding = Finding::new(Rule::UnintendedLink, link.span, message);
        if let Some(refusal) = refusal {
            finding = finding.note(refusal.sentence);
        }
        finding.with_fix(is_mail.then(|| as_code(self.source, link.span)).flatten())
    }

    /// The safe fix of a bare link: another form of the same link.
    fn rewrite(&self, link: &Link<'_>) -> Option<Fix> {
        let settings = self.checker.settings();
        let written = Written { text: &link.text, destination: &link.destination };
        let mut ways = ways(written, settings.style, settings.flavor)
            .into_iter()
            .map(|text| vec![Edit::new(link.span, text)]);
        Some(Fix {
            safety: Safety::Safe,
            title: "write it so that everybody links it",
            edits: ways.next()?,
            otherwise: ways.next(),
            links: vec![link.destination.clone().into_owned()],
        })
    }

    /// Who does not agree that there is a link, and exactly there.
    fn disagreement(&self, span: Span) -> Option<String> {
        let own = self.own_name();
        let of = |has_other: bool| -> Vec<&str> {
            let differ = self.peers.iter().filter(|(_, links)| !links.is_at(span));
            let differ = differ.filter(|(_, links)| links.touching(span).is_empty() != has_other);
            differ.map(|(peer, _)| peer.name()).collect()
        };
        let (none, other) = (of(false), of(true));
        match (&none[..], &other[..]) {
            ([], []) => None,
            (none, []) => Some(format!("linked by {own}, not by {}", listed(none))),
            ([], other) => Some(format!("linked otherwise by {own} than by {}", listed(other))),
            (none, other) => Some(format!(
                "linked by {own}, not by {}, and otherwise by {}",
                listed(none),
                listed(other)
            )),
        }
    }

    fn own_name(&self) -> &'static str {
        let dialect = self.checker.settings().options.autolinks.dialect;
        dialect.map_or("commonmark", Dialect::name)
    }

    /// The rules about what the target does not link.
    fn check_missing(
        &mut self,
        bare: &[&Link<'_>],
        findings: &mut Vec<Finding>,
    ) -> Result<(), SourceTooLong> {
        let is_free = |span: Span| {
            let from = bare.partition_point(|link| link.span.end <= span.start);
            bare.get(from).is_none_or(|link| link.span.start >= span.end)
        };
        let rules = self.rules;
        if rules.contains_any([Rule::NotLinked, Rule::MissingScheme]) {
            let natural = std::mem::take(&mut self.natural);
            for link in natural.0.iter().filter(|link| is_free(link.span)) {
                if let Some(span) = in_angles(self.source, link) {
                    if rules.contains(Rule::MissingScheme) {
                        findings.push(missing_scheme::angle(span, link));
                    }
                } else if rules.contains(Rule::NotLinked) {
                    findings.push(self.not_linked(link)?);
                }
            }
            self.natural = natural;
        }
        if self.rules.contains(Rule::NotPortable) {
            self.check_foreign(is_free, findings);
        }
        Ok(())
    }

    fn not_linked(&mut self, link: &Bare<'_>) -> Result<Finding, SourceTooLong> {
        let message = "there is no link here, though a reader sees one";
        let mut finding = Finding::new(Rule::NotLinked, link.span, message);
        if let Some(refusal) = self.refused(link.span)? {
            finding = finding.note(refusal.sentence);
        }
        let fix = self.link_all(std::slice::from_ref(link));
        Ok(finding.with_fix(fix))
    }

    /// What a peer links, and neither the target nor a reader.
    fn check_foreign(&self, is_free: impl Fn(Span) -> bool, findings: &mut Vec<Finding>) {
        for (idx, (peer, links)) in self.peers.iter().enumerate() {
            for &span in &links.0 {
                let told = |(_, before): &(Peer, BareLinks<Span>)| before.is_at(span);
                if is_free(span)
                    && self.natural.touching(span).is_empty()
                    && !self.peers[..idx].iter().any(told)
                {
                    let message = format!("linked by {peer}, not by {}", self.own_name());
                    findings.push(Finding::new(Rule::NotPortable, span, message));
                }
            }
        }
    }

    /// Why the target does not link a candidate within a span.
    fn refused(&mut self, span: Span) -> Result<Option<Refusal>, SourceTooLong> {
        if self.refused.is_none() {
            let autolinks = self.checker.settings().options.autolinks;
            self.refused = Some(self.checker.surveyor().refusals(self.source, autolinks)?);
        }
        let refusals = self.refused.as_deref().unwrap_or_default();
        Ok(refusal_within(refusals, span).copied())
    }
}

fn with_reason(finding: Finding, reason: Option<&str>) -> Finding {
    match reason {
        Some(reason) => finding.note(reason),
        None => finding,
    }
}

/// Names, as a sentence lists them.
fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}

/// The span of `<www.a.bc>`, with the brackets, if the link is in such.
fn in_angles(source: &str, link: &Bare<'_>) -> Option<Span> {
    let Span { start, end } = link.span;
    let is_it = link.form == Form::BareWww
        && source[..start as usize].ends_with('<')
        && source[end as usize..].starts_with('>');
    is_it.then(|| Span::new(start - 1, end + 1))
}

/// The fix that makes code of a word with an `@` in it.
fn as_code(source: &str, span: Span) -> Option<Fix> {
    let in_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"._-+/:@~".contains(byte);
    // LINEAR: no name is longer than this; a link in a longer one is left alone.
    let before = source[..span.start as usize].bytes().rev().take(WORD_LEN_MAX);
    let n_before = before.take_while(|byte| in_word(&byte)).count();
    let after = source.as_bytes()[span.end as usize..].iter().take(WORD_LEN_MAX);
    let n_after = after.take_while(in_word).count();
    if n_before == WORD_LEN_MAX || n_after == WORD_LEN_MAX {
        return None;
    }
    let (start, end) = (span.start as usize - n_before, span.end as usize + n_after);
    let rest = source[span.end as usize..end].trim_end_matches(['.', ':', '/', '~', '-', '_']);
    let end = span.end as usize + rest.len();
    let word = source.get(start..end)?;
    let edit = Edit::new(Span::new(start as u32, end as u32), format!("`{word}`"));
    Some(Fix {
        safety: Safety::Unsafe,
        title: "make it code",
        edits: vec![edit],
        otherwise: None,
        links: Vec::new(),
    })
}
