//! The rule missing-scheme: a destination that is a host or an address without a scheme, a scheme
//! with a slip, and `<www.a.bc>`.
//!
//! ```text
//! [t](www.a.bc)  [t](me@a.bc)     a file beside the page
//! https//a.bc  htp://a.bc         no link
//! <www.a.bc>  <github.com/a>      no link
//! ```
//!
//! LINEAR: each destination and each text is read a bounded number of times.

mod slips;

use barelink::autolink::{self, Kind, Rules};
use barelink::{Definition, Dialect, Document, EventKind, Form, Link, Span, Tag, TagEnd};
use memchr::{memchr_iter, memmem};

use self::slips::{broken_scheme, has_broken, missing};
use crate::finding::{Edit, Finding, Fix, Safety, add};
use crate::rule::Rule;
use crate::survey::Surveyor;

/// The part of a URL that is read first; its end is certain only if this margin follows it.
const FIRST_LOOK: usize = 256;
const MARGIN: usize = 64;

/// Adds the findings in definitions and text.
pub(crate) fn check(document: &Document<'_, '_>, surveyor: &Surveyor, findings: &mut Vec<Finding>) {
    let source = document.source();
    let has_broken = has_broken(surveyor.words(source).slice(source));
    let has_angles = has_angles(surveyor.words(source).slice(source));
    let has_definitions = memmem::find(source.as_bytes(), b"]:").is_some();
    if !has_broken && !has_angles && !has_definitions {
        return;
    }
    // The number of open links, images and code blocks: their content is not text.
    let mut n_closed_off = 0_u32;
    for event in document.events().within(surveyor.within()) {
        match &event.kind {
            EventKind::Start(Tag::Link(_) | Tag::Image(_) | Tag::CodeBlock { .. }) => {
                n_closed_off += 1;
            }
            EventKind::End(TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock) => n_closed_off -= 1,
            EventKind::Text(_) if n_closed_off == 0 => {
                if has_broken {
                    check_piece(source, event.span, findings);
                }
                if has_angles {
                    check_angles(source, event.span, findings);
                }
            }
            EventKind::Definition(definition) => {
                check_definition(source, event.span, definition, findings);
            }
            _ => {}
        }
    }
}

/// Adds a finding for a link whose destination lacks its scheme.
pub(crate) fn check_link(source: &str, link: &Link<'_>, findings: &mut Vec<Finding>) {
    if link.form == Form::Inline
        && let Some(found) = missing(&link.destination)
    {
        add(destination(source, link.span, "](", &link.destination, found), findings);
    }
}

/// Adds a finding for a definition whose destination lacks its scheme.
fn check_definition(
    source: &str,
    span: Span,
    definition: &Definition<'_>,
    findings: &mut Vec<Finding>,
) {
    if let Some(found) = missing(&definition.destination) {
        add(destination(source, span, "]:", &definition.destination, found), findings);
    }
}

/// Adds findings for URLs with a broken scheme in a piece of text.
fn check_piece(source: &str, span: Span, findings: &mut Vec<Finding>) {
    let piece = span.slice(source);
    let mut before_end = 0;
    for (at, _) in piece.match_indices(['h', 'H', 't', 'T']) {
        let before = source[..span.start as usize + at].chars().next_back();
        let is_start = before.is_none_or(|c| !c.is_alphanumeric() && !"/.-+:_=".contains(c));
        if at < before_end || !is_start {
            continue;
        }
        let Some((broken, meant)) = broken_scheme(&piece[at..]) else { continue };
        let Some(url) = whole_url(meant, &piece[at + broken.len()..]) else { continue };
        let len = broken.len() + url.len() - meant.len();
        before_end = at + len;
        let start = span.start + at as u32;
        let span = Span::new(start, start + len as u32);
        let message = format!("no link: `{broken}` should be `{meant}`");
        let edits = vec![Edit::new(span, format!("<{url}>"))];
        let finding = Finding::new(Rule::MissingScheme, span, message);
        add(finding.with_fix(Some(fix(edits, url))), findings);
    }
}

/// The URL that a reader sees at the start of `rest`, if `scheme` precedes it.
///
/// LINEAR: a word may have many broken schemes. So at first only the length of an ordinary URL is
/// read, and more only if the URL is that long; and the URL is not searched for others.
fn whole_url(scheme: &str, rest: &str) -> Option<String> {
    let mut rules = Rules::none(Dialect::Natural);
    rules.url = true;
    let mut len = FIRST_LOOK;
    loop {
        let is_end = |at: &usize| rest.is_char_boundary(*at);
        let part = &rest[..(0..=len.min(rest.len())).rev().find(is_end).unwrap_or_default()];
        let word = part.split(char::is_whitespace).next().unwrap_or_default();
        let is_whole = word.len() < part.len() || part.len() == rest.len();
        let text = [scheme, word].concat();
        let link = autolink::links(&text, rules).next()?;
        let is_it = link.kind == Kind::Url && link.span.start == 0;
        if !is_it || !barelink::url::host(link.text)?.contains('.') {
            return None;
        }
        if is_whole || link.text.len() + MARGIN < text.len() {
            return Some(link.text.to_owned());
        }
        len *= 4;
    }
}

/// A finding about a destination, which is in `span` after `mark`.
fn destination(
    source: &str,
    span: Span,
    mark: &str,
    destination: &str,
    (len, meant): (usize, &'static str),
) -> Finding {
    let message = if len == 0 {
        format!("`{destination}` has no scheme, so it leads to a file of that name")
    } else {
        format!("`{}` should be `{meant}`", &destination[..len])
    };
    let written = span.slice(source);
    let at = written.rmatch_indices(mark).find_map(|(at, mark)| {
        let after = &written[at + mark.len()..];
        let rest = after.trim_start();
        let rest = rest.strip_prefix('<').unwrap_or(rest);
        rest.starts_with(destination).then(|| written.len() - rest.len())
    });
    let edits = at.map(|at| {
        let start = span.start + at as u32;
        vec![Edit::new(Span::new(start, start + len as u32), meant)]
    });
    let target = format!("{meant}{}", &destination[len..]);
    Finding::new(Rule::MissingScheme, span, message).with_fix(edits.map(|edits| fix(edits, target)))
}

/// Whether there is something like `<a.bc/d>` anywhere.
fn has_angles(text: &str) -> bool {
    memchr_iter(b'<', text.as_bytes()).any(|at| in_angles(&text[at + 1..]).is_some())
}

/// What looks like a name in angle brackets, given the text after the `<`.
///
/// LINEAR: no more is read than a name may have.
fn in_angles(rest: &str) -> Option<&str> {
    if !rest.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"<>:@=\"'".contains(byte);
    let len = rest.bytes().take(FIRST_LOOK).position(|byte| ends(&byte))?;
    let name = &rest[..len];
    (rest[len..].starts_with('>') && name.contains('.')).then_some(name)
}

/// Adds the names in angle brackets in a piece of text: those with a path, and those of hosts that
/// no file has. A `www.` name is a link to `natural`, so `bare` finds it.
fn check_angles(source: &str, span: Span, findings: &mut Vec<Finding>) {
    let piece = span.slice(source);
    let mut rules = Rules::none(Dialect::Natural);
    rules.domains = true;
    for at in memchr_iter(b'<', piece.as_bytes()) {
        let Some(name) = in_angles(&piece[at + 1..]) else { continue };
        let start = span.start + at as u32;
        let is_escaped = source[..start as usize].ends_with('\\');
        let is_www = name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
        let is_host = || {
            let found = autolink::links(name, rules).next();
            (name.contains('/') || slips::has_host_end(name))
                && found.is_some_and(|link| link.kind == Kind::Domain && link.text == name)
        };
        if !is_escaped && !is_www && is_host() {
            add(angle(Span::new(start, start + name.len() as u32 + 2), name), findings);
        }
    }
}

/// The finding about `<www.a.bc>`.
pub(crate) fn angle(span: Span, name: &str) -> Finding {
    let url = format!("https://{name}");
    let message = format!("no link: `<{name}>` needs a scheme");
    let edits = vec![Edit::new(span, format!("<{url}>"))];
    Finding::new(Rule::MissingScheme, span, message).with_fix(Some(fix(edits, url)))
}

fn fix(edits: Vec<Edit>, destination: String) -> Fix {
    let links = vec![destination];
    Fix { safety: Safety::Unsafe, title: "add the scheme", edits, has_otherwise: false, links }
}
