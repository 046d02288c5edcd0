//! The rules about bare links: wrong-end, not-linked, not-portable, bare-link and
//! unintended-link.
//!
//! The links where the document is published are compared with those that a reader sees, which are
//! those of the `natural` dialect, and with those of every peer, a program that reads the same
//! document:
//!
//! ```text
//! published      ⟦https://a.bc/x，y⟧
//! natural        ⟦https://a.bc/x⟧        another end: wrong-end
//! md4c                                   no link: not-portable
//! ```
//!
//! LINEAR: links of all dialects come in order and do not overlap.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use barelink::{Autolinks, BareLink, Dialect, Document, Form, Place, Span};

use crate::checker::Checker;
use crate::doubt::Doubts;
use crate::finding::{Edit, Finding, Fix, Safety, add};
use crate::missing_scheme;
use crate::rule::{Rule, RuleSet};
use crate::settings::{Peer, Settings};
use crate::survey::{BareLinks, KeptLink, Placed, Refusal, Surveyor, refusal_within};
use crate::write::{Way, Written, way};

/// The maximum length, on either side of a link, of a name that is turned into code.
const WORD_LEN_MAX: usize = 200;

/// The bare links of all dialects that are compared.
struct Compared<'c, 's> {
    checker: &'c Checker,
    rules: RuleSet,
    source: &'s str,
    /// Its blocks are the same in every dialect.
    document: Option<Document<'static, 's>>,
    /// The bare links of the target.
    links: &'c BareLinks<KeptLink<'s>>,
    doubts: &'c Doubts,
    natural: BareLinks<SeenLink<'s>>,
    peers: Vec<(Peer, BareLinks<Span>)>,
    /// Why a reader sees no link, and why the target has none; computed on demand.
    unseen: Option<Vec<Refusal>>,
    refused: Option<Vec<Refusal>>,
    /// Messages about peers, by what they have: most disagreements are alike.
    messages: Vec<(Vec<Has>, &'static str)>,
    /// The last link that a reader sees where the target has another one, and its fix.
    last_seen: Option<(Span, Option<Arc<Fix>>)>,
}

/// What a peer has where the target has a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Has {
    Same,
    Nothing,
    Other,
}

/// A link that a reader sees.
struct SeenLink<'s> {
    span: Span,
    /// The whole link, unless the target has the same one: there may be very many.
    link: Option<Box<BareLink<'s>>>,
}

impl Placed for SeenLink<'_> {
    fn span(&self) -> Span {
        self.span
    }
}

/// What a reader sees in place of a bare link.
enum Seen {
    /// The same link.
    Alike,
    /// Other links in the same place.
    Otherwise,
    /// No link; with the reason, if it is refused there.
    Not(Option<Refusal>),
}

/// The peers that must agree about each bare link, besides a reader.
pub(crate) fn peers_of(settings: &Settings) -> impl Iterator<Item = Peer> + '_ {
    let own = settings.options.autolinks.dialect;
    let is_other = move |peer: &Peer| *peer != Peer::Natural && peer.autolinks().dialect != own;
    settings.with.iter().copied().filter(is_other)
}

/// How to write a bare link so that all programs link it.
pub(crate) fn rewritten(link: &BareLink<'_>, settings: &Settings) -> Option<Way> {
    let written = Written { text: &link.text, destination: &link.destination };
    way(written, settings.style, settings.flavor)
}

/// The bare links of the target.
#[derive(Clone, Copy)]
pub(crate) struct Bare<'a, 's> {
    pub(crate) links: &'a BareLinks<KeptLink<'s>>,
    /// The regions in which cmark-gfm may have other links.
    pub(crate) doubts: &'a Doubts,
}

/// Adds the findings about the bare links of a document, which are given.
pub(crate) fn check<'s>(
    checker: &Checker,
    rules: RuleSet,
    document: Document<'static, 's>,
    Bare { links: bare, doubts }: Bare<'_, 's>,
    findings: &mut Vec<Finding>,
) {
    let (settings, source) = (checker.settings(), document.source());
    let surveyor = checker.surveyor();
    let mut document = document.with_autolinks(Autolinks::new(Dialect::Natural));
    let natural = seen_links(surveyor, &document, &bare.links);
    let mut peers = Vec::new();
    for peer in peers_of(settings).filter(|_| rules.contains(Rule::NotPortable)) {
        document = document.with_autolinks(peer.autolinks());
        peers.push((peer, surveyor.bare_spans(&document)));
    }
    let (document, messages) = (Some(document), Vec::new());
    let (unseen, refused) = (None, None);
    let mut compared = Compared {
        checker,
        rules,
        source,
        document,
        links: bare,
        doubts,
        natural,
        peers,
        unseen,
        refused,
        messages,
        last_seen: None,
    };
    for link in bare.links.iter().filter(|link| surveyor.is_near(link.span)) {
        compared.check_link(link, findings);
    }
    compared.check_missing(findings);
}

/// The links that a reader sees; those that are also in `bare` are stored without their data.
fn seen_links<'s>(
    surveyor: &Surveyor,
    document: &Document<'_, 's>,
    bare: &[KeptLink<'s>],
) -> BareLinks<SeenLink<'s>> {
    let mut rest = bare.iter().peekable();
    surveyor.read_bare(document, |found| {
        let span = found.span();
        while rest.next_if(|link| link.span.start < span.start).is_some() {}
        let is_same = rest.peek().is_some_and(|link| link.span == span);
        SeenLink { span, link: (!is_same).then(|| Box::new(found.link())) }
    })
}

impl<'s> Compared<'_, 's> {
    /// Checks a link of the target.
    fn check_link(&mut self, link: &KeptLink<'s>, findings: &mut Vec<Finding>) {
        let seen = self.seen(link.span);
        let rules = self.rules;
        let n_before = findings.len();
        match &seen {
            Seen::Otherwise if rules.contains(Rule::WrongEnd) => {
                add(self.wrong_end(link), findings);
            }
            Seen::Not(Some(refusal)) if refusal.place.is_some() => {}
            Seen::Not(refusal) if rules.contains(Rule::UnintendedLink) => {
                add(self.unintended(link, refusal.as_ref()), findings);
            }
            _ => {}
        }
        // A link with a wrong end is not also reported as not portable.
        let is_told = findings.len() > n_before;
        let is_asked = rules.contains(Rule::NotPortable)
            && !is_told
            && !matches!(&seen, Seen::Not(Some(refusal)) if refusal.place.is_some());
        let disagreement = is_asked.then(|| self.disagreement(link.span)).flatten();
        let is_bare = rules.contains(Rule::BareLink);
        // Most links are fine, and making a fix takes some work.
        if disagreement.is_none() && !is_bare {
            return;
        }
        let (mut fix, left) = match &seen {
            Seen::Alike if self.doubts.cover(link.span) => {
                (None, Some("It is not fixed, since cmark-gfm reads this paragraph differently."))
            }
            Seen::Alike => {
                let way = rewritten(&link.whole(self.source), self.checker.settings());
                (way.map(|way| Arc::new(Fix::rewrite(link.span, way))), None)
            }
            Seen::Otherwise => (None, Some("It is not fixed, since a reader ends it elsewhere.")),
            Seen::Not(Some(Refusal { place: Some(Place::RawAnchor), .. })) => {
                (None, Some("It is not fixed, since it stands between a raw <a> and </a>."))
            }
            Seen::Not(_) => (None, Some("It is not fixed, since a reader sees no link.")),
        };
        if let Some(message) = disagreement {
            let finding = Finding::new(Rule::NotPortable, link.span, message);
            let fix = if is_bare { fix.clone() } else { fix.take() };
            add(with_reason(finding, left).with_fix(fix), findings);
        }
        if is_bare {
            let finding = Finding::new(Rule::BareLink, link.span, "CommonMark alone makes no link");
            add(with_reason(finding, left).with_fix(fix), findings);
        }
    }

    fn seen(&mut self, span: Span) -> Seen {
        if self.natural.is_at(span) {
            return Seen::Alike;
        }
        if !self.natural.touching(span).is_empty() {
            return Seen::Otherwise;
        }
        let refusals = match self.unseen.take() {
            Some(refusals) => refusals,
            None => self.refusals(Autolinks::new(Dialect::Natural)),
        };
        let refusal = refusal_within(&refusals, span).copied();
        self.unseen = Some(refusals);
        Seen::Not(refusal)
    }

    /// The refusals of candidates in a dialect.
    fn refusals(&mut self, autolinks: Autolinks) -> Vec<Refusal> {
        let Some(document) = self.document.take() else { return Vec::new() };
        let document = document.with_autolinks(autolinks);
        let refusals = self.checker.surveyor().refusals(&document);
        self.document = Some(document);
        refusals
    }

    fn wrong_end(&mut self, link: &KeptLink<'_>) -> Finding {
        // None of them is the same link, so the whole data of each is stored.
        let there = self.natural.touching(link.span).iter().filter_map(|it| it.link.as_deref());
        let there: Vec<&BareLink<'_>> = there.collect();
        let message = match there[..] {
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
        let [one] = there[..] else {
            for seen in there.iter().take(3) {
                finding = finding.note(format!("A reader sees {}.", seen.destination));
            }
            return finding.with_fix(self.link_all(&there).map(Arc::new));
        };
        // LINEAR: the target may have many links within one that a reader sees, whose fix is made
        // once.
        finding = if self.is_after_another(link.span, one.span) {
            finding.note("A reader sees one link here and in the finding before.")
        } else {
            finding.note(format!("A reader sees {}.", one.destination))
        };
        if self.last_seen.as_ref().is_none_or(|(span, _)| *span != one.span) {
            let fix = self.link_all(&there).map(Arc::new);
            self.last_seen = Some((one.span, fix));
        }
        let fix = self.last_seen.as_ref().and_then(|(_, fix)| fix.clone());
        finding.with_fix(fix)
    }

    /// Whether a link of the target comes after another one that is only within the link `seen`,
    /// which a reader sees.
    fn is_after_another(&self, link: Span, seen: Span) -> bool {
        let all = self.links.touching(seen).iter();
        // The first link may also be within another one that a reader sees; at most one can.
        let mut before = all.take_while(|it| it.span.start < link.start).take(2);
        before.any(|it| self.natural.touching(it.span).len() == 1)
    }

    /// The fix that makes each of these a link.
    fn link_all(&self, links: &[&BareLink<'_>]) -> Option<Fix> {
        let settings = self.checker.settings();
        let write = |link: &&BareLink<'_>| rewritten(link, settings).map(|way| way.text);
        let texts: Option<Vec<String>> = links.iter().map(write).collect();
        let edits = links.iter().zip(texts?).map(|(link, text)| Edit::new(link.span, text));
        Some(Fix {
            safety: Safety::Unsafe,
            title: "link what a reader sees",
            edits: edits.collect(),
            has_otherwise: false,
            links: links.iter().map(|link| link.destination.clone().into_owned()).collect(),
        })
    }

    fn unintended(&self, link: &KeptLink<'s>, refusal: Option<&Refusal>) -> Finding {
        let is_mail = link.whole(self.source).destination.starts_with("mailto:");
        let message = if is_mail {
            "this becomes a mail link, though a reader sees none"
        } else {
            "this becomes a link, though a reader sees none"
        };
        let mut finding = Finding::new(Rule::UnintendedLink, link.span, message);
        if let Some(refusal) = refusal {
            finding = finding.note(refusal.sentence);
        }
        finding.with_fix(is_mail.then(|| as_code(self.source, link.span)).flatten())
    }

    /// The message about the peers that do not have this link with exactly this span, if there are
    /// any.
    fn disagreement(&mut self, span: Span) -> Option<&'static str> {
        let has = |links: &BareLinks<Span>| match links.touching(span) {
            [] => Has::Nothing,
            there if there.contains(&span) => Has::Same,
            _ => Has::Other,
        };
        if self.peers.iter().all(|(_, links)| links.is_at(span)) {
            return None;
        }
        let all: Vec<Has> = self.peers.iter().map(|(_, links)| has(links)).collect();
        if let Some((_, message)) = self.messages.iter().find(|(known, _)| *known == all) {
            return Some(message);
        }
        let of = |what: Has| -> Vec<&str> {
            let peers = self.peers.iter().zip(&all).filter(|(_, has)| **has == what);
            peers.map(|((peer, _), _)| peer.name()).collect()
        };
        let own = self.own_name();
        let message = match (&of(Has::Nothing)[..], &of(Has::Other)[..]) {
            (none, []) => format!("linked by {own}, not by {}", listed(none)),
            ([], other) => format!("linked differently by {own} than by {}", listed(other)),
            (none, other) => format!(
                "linked by {own}, not by {}, and differently by {}",
                listed(none),
                listed(other)
            ),
        };
        let message = shared(message);
        self.messages.push((all, message));
        Some(message)
    }

    fn own_name(&self) -> &'static str {
        let dialect = self.checker.settings().options.autolinks.dialect;
        dialect.map_or("commonmark", Dialect::name)
    }

    /// Checks what the target does not link.
    fn check_missing(&mut self, findings: &mut Vec<Finding>) {
        let (surveyor, own) = (self.checker.surveyor(), self.links);
        // Most of what others link, the target links, too.
        let is_free = |span: Span| {
            !own.is_at(span) && own.touching(span).is_empty() && surveyor.is_near(span)
        };
        let rules = self.rules;
        if rules.contains_any([Rule::NotLinked, Rule::MissingScheme]) {
            let natural = std::mem::replace(&mut self.natural, Vec::new().into());
            let others = natural.links.iter().filter_map(|it| it.link.as_deref());
            for link in others.filter(|it| is_free(it.span)) {
                if let Some(span) = in_angles(self.source, link) {
                    if rules.contains(Rule::MissingScheme) {
                        add(missing_scheme::angle(span, &link.text), findings);
                    }
                } else if rules.contains(Rule::NotLinked) {
                    add(self.not_linked(link), findings);
                }
            }
            self.natural = natural;
        }
        if self.rules.contains(Rule::NotPortable) {
            self.check_foreign(is_free, findings);
        }
    }

    fn not_linked(&mut self, link: &BareLink<'_>) -> Finding {
        let message = "there is no link here, though a reader sees one";
        let mut finding = Finding::new(Rule::NotLinked, link.span, message);
        if let Some(refusal) = self.refused(link.span) {
            finding = finding.note(refusal.sentence);
        }
        let fix = self.link_all(&[link]);
        finding.with_fix(fix)
    }

    /// Adds links that a peer has, but neither the target nor a reader.
    fn check_foreign(&self, is_free: impl Fn(Span) -> bool, findings: &mut Vec<Finding>) {
        for (idx, (peer, links)) in self.peers.iter().enumerate() {
            for &span in &links.links {
                let told = |(_, before): &(Peer, BareLinks<Span>)| before.is_at(span);
                if is_free(span)
                    && self.natural.touching(span).is_empty()
                    && !self.peers[..idx].iter().any(told)
                {
                    let message = shared(format!("linked by {peer}, not by {}", self.own_name()));
                    add(Finding::new(Rule::NotPortable, span, message), findings);
                }
            }
        }
    }

    /// Why the target does not link a candidate within a span.
    fn refused(&mut self, span: Span) -> Option<Refusal> {
        if self.refused.is_none() {
            self.refused = Some(self.refusals(self.checker.settings().options.autolinks));
        }
        refusal_within(self.refused.as_deref()?, span).copied()
    }
}

fn with_reason(finding: Finding, reason: Option<&'static str>) -> Finding {
    match reason {
        Some(reason) => finding.note(reason),
        None => finding,
    }
}

/// Interns a message about dialects. There are at most some hundred of them, so they are kept for
/// good, and findings for nearly every word of a document need no memory for them.
fn shared(message: String) -> &'static str {
    static MESSAGES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut messages = MESSAGES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = messages.get(&*message) {
        return known;
    }
    let message: &'static str = message.leak();
    messages.insert(message);
    message
}

/// Joins names as in a sentence.
fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}

/// The span of `<www.a.bc>` with its brackets, if the link is inside such.
fn in_angles(source: &str, link: &BareLink<'_>) -> Option<Span> {
    let Span { start, end } = link.span;
    let is_it = link.form == Form::BareWww
        && source[..start as usize].ends_with('<')
        && source[end as usize..].starts_with('>');
    is_it.then(|| Span::new(start - 1, end + 1))
}

/// The fix that turns a word with an `@` into code.
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
        has_otherwise: false,
        links: Vec::new(),
    })
}
