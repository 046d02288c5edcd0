//! The rules text-differs and deceptive-url.
//!
//! LINEAR: the text and the destination of a link are each read a bounded number of times.

use barelink::{Form, Link, Span, Warning, url};

use crate::finding::{Edit, Finding, Fix, Safety, add};
use crate::rule::{Rule, RuleSet};
use crate::survey::KeptLink;

/// Adds the findings of the two rules about a link.
pub(crate) fn check(source: &str, link: &Link<'_>, rules: RuleSet, findings: &mut Vec<Finding>) {
    if !is_plain(&link.text, &link.destination) {
        check_link(source, link, rules, findings);
    }
}

/// Adds their findings about bare links.
pub(crate) fn check_bare<'s>(
    source: &'s str,
    bare: &[KeptLink<'s>],
    rules: RuleSet,
    findings: &mut Vec<Finding>,
) {
    let is_plain_bare = |link: &&KeptLink<'s>| {
        let text = link.plain_text(source);
        text.is_some_and(|text| has_no_signs(text, link.form))
    };
    for link in bare.iter().filter(|link| !is_plain_bare(link)) {
        let link = link.whole(source).into_owned().into_link();
        check(source, &link, rules, findings);
    }
}

fn check_link(source: &str, link: &Link<'_>, rules: RuleSet, findings: &mut Vec<Finding>) {
    for warning in link.warnings() {
        let finding = match &warning {
            Warning::OtherHost { shown, .. } if rules.contains(Rule::TextDiffers) => {
                other_host(link, shown)
            }
            Warning::UserInfo if rules.contains(Rule::DeceptiveUrl) && is_web(link) => {
                user_info(source, link)
            }
            Warning::MixedScripts if rules.contains(Rule::DeceptiveUrl) => {
                let host = link.host().unwrap_or_default().into_owned();
                let message = format!("letters of several scripts are mixed in `{host}`");
                Some(Finding::new(Rule::DeceptiveUrl, link.span, message))
            }
            _ => None,
        };
        add(finding, findings);
    }
    if rules.contains(Rule::DeceptiveUrl) {
        add(invisible(source, link), findings);
    }
}

/// Whether a link displays its destination, without any sign that the rules look for. Most do.
fn is_plain(text: &str, destination: &str) -> bool {
    let is_after = |prefix| destination.strip_prefix(prefix) == Some(text);
    if is_after("mailto:") {
        return has_no_signs(text, Form::BareEmail);
    }
    (text == destination || is_after("http://")) && has_no_signs(text, Form::BareUrl)
}

/// Whether a text has no such sign; it leads where a link of this form does.
fn has_no_signs(text: &str, form: Form) -> bool {
    let is_address = form == Form::BareEmail;
    let mut before = 0;
    text.bytes().all(|byte| {
        // A host in Punycode may mix scripts.
        let is_dashes = byte == b'-' && before == b'-';
        before = byte;
        byte.is_ascii() && (byte != b'@' || is_address) && !is_dashes
    })
}

fn is_web(link: &Link<'_>) -> bool {
    let web = ["http", "https", "ftp"];
    link.scheme().is_some_and(|scheme| web.iter().any(|name| name.eq_ignore_ascii_case(scheme)))
}

fn other_host(link: &Link<'_>, shown: &str) -> Option<Finding> {
    // It is fine to display a path as a URL; only a host deceives.
    let host = link.host()?;
    let message = format!("the text shows `{shown}`, and the link leads to `{host}`");
    Some(Finding::new(Rule::TextDiffers, link.span, message))
}

fn user_info(source: &str, link: &Link<'_>) -> Option<Finding> {
    let host = link.host()?;
    let message = format!("what is before the `@` is a user name: the host is `{host}`");
    let finding = Finding::new(Rule::DeceptiveUrl, link.span, message);
    let authority_start = link.destination.find("//")? + 2;
    let authority = link.destination[authority_start..].split(['/', '?', '#']).next()?;
    let user = &authority[..=authority.rfind('@')?];
    // If it occurs only once in the source, it can be removed.
    let mut found = link.span.slice(source).match_indices(user);
    let fix = match (found.next(), found.next()) {
        (Some((at, _)), None) => {
            let start = link.span.start + at as u32;
            let edit = Edit::new(Span::new(start, start + user.len() as u32), "");
            Some(fix("take the user name out", vec![edit], link.destination.replacen(user, "", 1)))
        }
        _ => None,
    };
    Some(finding.with_fix(fix))
}

/// Finds characters that are invisible, or that change the direction of text.
fn invisible(source: &str, link: &Link<'_>) -> Option<Finding> {
    let found = link.destination.chars().chain(link.text.chars()).find(|c| is_hidden(*c))?;
    // In a text, joiners are legitimate: in letters of some scripts, and in emoji.
    let in_destination = link.destination.contains(is_hidden);
    if !in_destination && !is_direction(found) {
        return None;
    }
    let what = if is_direction(found) { "changes the direction of text" } else { "is invisible" };
    let message = format!("U+{:04X} in it {what}", u32::from(found));
    let written = link.span.slice(source);
    let edits: Vec<Edit> = written
        .match_indices(is_hidden)
        .map(|(at, hidden)| {
            let start = link.span.start + at as u32;
            Edit::new(Span::new(start, start + hidden.len() as u32), "")
        })
        .collect();
    let destination = link.destination.replace(is_hidden, "");
    let is_whole = url::host(&destination).is_some() || url::host(&link.destination).is_none();
    let fix = (!edits.is_empty() && is_whole)
        .then(|| fix("take the invisible characters out", edits, destination));
    Some(Finding::new(Rule::DeceptiveUrl, link.span, message).with_fix(fix))
}

fn is_direction(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

fn is_hidden(c: char) -> bool {
    is_direction(c)
        || matches!(c, '\u{00AD}' | '\u{034F}' | '\u{180E}' | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}')
}

fn fix(title: &'static str, edits: Vec<Edit>, destination: String) -> Fix {
    Fix { safety: Safety::Unsafe, title, edits, has_otherwise: false, links: vec![destination] }
}
