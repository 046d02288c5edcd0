//! The rules text-differs and deceptive-url.
//!
//! ```text
//! [https://a.bc](https://d.ef)      a text that shows one host and leads to another; so does
//! [a.com/b](https://d.ef)           a name with a path, and
//! [me@a.bc](mailto:you@a.bc)        an address
//! [a.com](https://d.ef)             a name alone may be that of a program
//! ```
//!
//! LINEAR: the text and the destination of a link are each read a bounded number of times.

mod joiners;

use std::borrow::Cow;

use barelink::autolink::{self, Kind, Rules};
use barelink::{Dialect, Form, Link, Span, Warning, is_same_host, url};

use self::joiners::hidden;
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
    if rules.contains(Rule::TextDiffers) && !link.form.is_bare() {
        add(other_name(link), findings);
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

/// Whether a text that is shown as a link of this form has no such sign.
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

/// A text that is nothing but a name with a path, or an address, and leads to another.
fn other_name(link: &Link<'_>) -> Option<Finding> {
    let text = link.text.trim();
    // Most texts are words.
    if link.image || !text.contains(['/', '@']) || text.contains(char::is_whitespace) {
        return None;
    }
    let mut rules = Rules::none(Dialect::Natural);
    (rules.email, rules.domains) = (true, true);
    let shown = autolink::links(text, rules).next().filter(|it| it.text == text)?;
    let (shown, leads, is_same) = match shown.kind {
        Kind::Email => {
            let address = link.destination.strip_prefix("mailto:")?.split('?').next()?;
            let is_same = address.contains('%') || address.eq_ignore_ascii_case(text);
            (text.to_owned(), Cow::Borrowed(address), is_same)
        }
        Kind::Domain => {
            let (shown, leads) = (text.split_once('/')?.0.to_lowercase(), link.host()?);
            let is_same = is_same_host(&shown, &leads);
            (shown, leads, is_same)
        }
        _ => return None,
    };
    let message = || format!("the text shows `{shown}`, and the link leads to `{leads}`");
    (!is_same).then(|| Finding::new(Rule::TextDiffers, link.span, message()))
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
    if link.destination.is_ascii() && link.text.is_ascii() {
        return None;
    }
    let in_destination = hidden(&link.destination, &link.destination).next();
    // In text, joiners are legitimate: between letters of some scripts, and in emoji.
    let (_, found) =
        in_destination.or_else(|| link.text.char_indices().find(|(_, c)| is_direction(*c)))?;
    let what = if is_direction(found) { "changes the direction of text" } else { "is invisible" };
    let message = format!("U+{:04X} in it {what}", u32::from(found));
    let written = link.span.slice(source);
    let edit = |(at, c): (usize, char)| {
        let start = link.span.start + at as u32;
        Edit::new(Span::new(start, start + c.len_utf8() as u32), "")
    };
    let edits: Vec<Edit> = hidden(written, &link.destination).map(edit).collect();
    let mut destination = String::with_capacity(link.destination.len());
    let mut end = 0;
    for (at, c) in hidden(&link.destination, &link.destination) {
        destination.push_str(&link.destination[end..at]);
        end = at + c.len_utf8();
    }
    destination.push_str(&link.destination[end..]);
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
