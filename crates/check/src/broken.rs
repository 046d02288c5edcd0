//! The rules malformed-link and missing-reference: brackets that are not a link.
//!
//! ```text
//! [text] (url)      a space between            [text](url
//! [text]（url）      full-width parentheses     [text](a b.md)
//! (text)[url]       the wrong way round        [text][label]   nothing defines it
//! [text(url)        a bracket is missing          [text][url]     brackets for parentheses
//! ```
//!
//! The engine finds what looks like a link but is none, and why; see [`NearLink`]. Here it is
//! decided whether a link was intended, so that `f[i] (x)` and `[a-z][0-9]` are left alone, and
//! what to write instead.
//!
//! LINEAR: each near link is checked once. The text of one may contain others, so at most
//! [`TEXT_LEN_MAX`] bytes of a text are read, and none is copied.

use std::borrow::Cow;

use barelink::{Document, Flaw, NearLink, Span};
use memchr::memchr;

use crate::finding::{Edit, Finding, Fix, Safety, add};
use crate::rule::{Rule, RuleSet};
use crate::survey::Surveyor;

/// A longer text was not intended as that of a link.
const TEXT_LEN_MAX: usize = 1000;

/// File extensions that a destination may end with, whatever precedes them.
const EXTENSIONS: [&str; 14] = [
    ".md",
    ".mdx",
    ".markdown",
    ".html",
    ".htm",
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".svg",
    ".pdf",
    ".txt",
    ".rst",
    ".ipynb",
];

/// Adds the findings at the wanted places.
pub(crate) fn check(
    document: &Document<'_, '_>,
    surveyor: &Surveyor,
    rules: RuleSet,
    is_wanted: impl Fn(Span) -> bool,
    findings: &mut Vec<Finding>,
) {
    let source = document.source();
    let is_on = rules.contains_any([Rule::MalformedLink, Rule::MissingReference]);
    if !is_on || memchr(b'[', source.as_bytes()).is_none() {
        return;
    }
    let all = document.near_links().within(surveyor.within());
    for near in all.filter(|near| surveyor.is_near(near.span) && is_wanted(near.span)) {
        let near = Near { source, near };
        let finding = match near.near.flaw {
            Flaw::MissingFootnote => near.missing_note(),
            Flaw::MissingDefinition => near.url_in_brackets().or_else(|| near.missing()),
            _ => near.malformed(),
        };
        add(finding.filter(|finding| rules.contains(finding.rule)), findings);
    }
}

/// Something that looks like a link, and its source.
struct Near<'s> {
    source: &'s str,
    near: NearLink,
}

impl<'s> Near<'s> {
    fn text(&self) -> &'s str {
        self.near.text.slice(self.source)
    }

    fn target(&self) -> &'s str {
        self.near.target.slice(self.source)
    }

    fn finding(&self, rule: Rule, message: impl Into<Cow<'static, str>>) -> Finding {
        Finding::new(rule, self.near.span, message)
    }

    /// Whether the text could be that of a link, rather than an index, a task or a note.
    fn has_text(&self) -> bool {
        let text = self.text();
        if text.len() > TEXT_LEN_MAX {
            return false;
        }
        let before = &self.source.as_bytes()[..self.near.span.start as usize];
        let is_after_word = before
            .last()
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b']' | b')'));
        let is_box = matches!(text, "x" | "X") && self.may_be_box();
        !text.trim().is_empty() && !is_box && !text.starts_with('^') && !is_after_word
    }

    /// Whether it may be the box of a task, judging by what precedes it. An address in parentheses
    /// may follow such a box, or its description.
    fn may_be_box(&self) -> bool {
        let before = line_before(self.source, self.near.span).trim_end();
        let is_marker = before.is_empty() || before.ends_with(['-', '*', '+', '.', ')', '>', '|']);
        is_marker || self.near.flaw != Flaw::MissingDefinition
    }

    /// `[^label]`. Regular expressions contain this, too, so the surroundings have to be those of a
    /// note.
    fn missing_note(&self) -> Option<Finding> {
        let label = self.target();
        let in_label = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
        let line = line_before(self.source, self.near.span);
        let is_behind_text = line.trim_end().ends_with(|c: char| {
            c.is_alphanumeric() || !c.is_ascii() || ".,;:!?)]}\"'*_~>`".contains(c)
        });
        let is_repeated = match &self.source.as_bytes()[self.near.span.end as usize..] {
            [b'+' | b'?' | b'{', ..] => true,
            // Or emphasis ends there.
            [b'*', after @ ..] => !after.starts_with(b"*") && !line.contains('*'),
            _ => false,
        };
        let is_meant = label.chars().all(in_label)
            && has_word(label)
            && !is_class(label)
            && is_behind_text
            && !is_repeated;
        let message = || format!("nothing defines the footnote `[^{label}]`");
        is_meant.then(|| self.finding(Rule::MissingReference, message()))
    }

    /// `[text][url]`, where parentheses were meant.
    fn url_in_brackets(&self) -> Option<Finding> {
        let url = self.target();
        let is_it = self.near.text != self.near.target
            && is_url(url)
            && !url.contains(|c: char| c.is_whitespace() || "()<>\\".contains(c));
        let text = self.text();
        // No index is an address, so a word may come before it.
        if !is_it || text.trim().is_empty() || text.len() > TEXT_LEN_MAX || text.starts_with('^') {
            return None;
        }
        let has_scheme = url.contains(':');
        let destination = if has_scheme { url.to_owned() } else { format!("https://{url}") };
        let span = Span::new(self.near.text.end + 1, self.near.span.end);
        let title = "write parentheses around the address";
        let fix = fix(title, span, format!("({destination})"), &destination);
        let message = "no link: the address is in brackets instead of parentheses";
        Some(self.finding(Rule::MalformedLink, message).with_fix(Some(fix)))
    }

    /// `[text][label]` and `[label][]`.
    fn missing(&self) -> Option<Finding> {
        let (text, label) = (self.text(), self.target());
        let is_collapsed = self.near.text == self.near.target;
        let follows = self.source.as_bytes().get(self.near.span.end as usize);
        let is_code = follows.is_some_and(|byte| b"[*+?{(".contains(byte))
            || is_class(text)
            || is_class(label)
            || text.len() <= 2 && (is_collapsed || label.len() <= 2)
            || label.starts_with('^');
        let is_meant = self.has_text() && !is_code && has_word(text) && has_word(label);
        let message = || {
            let words: Vec<&str> = label.split_whitespace().collect();
            format!("nothing defines `[{}]`", words.join(" "))
        };
        is_meant.then(|| self.finding(Rule::MissingReference, message()))
    }

    /// Checks everything else.
    fn malformed(&self) -> Option<Finding> {
        let is_meant = self.near.looks_like_url && self.has_text();
        // Words in parentheses after brackets are common.
        let is_words =
            || self.target().contains(' ') && !is_url(self.target()) && !is_path(self.target());
        if !is_meant || is_words() {
            return None;
        }
        let (message, fix) = match self.near.flaw {
            Flaw::SpaceInDestination => {
                ("there is a space in the address", self.in_angle_brackets())
            }
            Flaw::Unclosed => ("the parenthesis is not closed", self.closed()),
            Flaw::UnmatchedParentheses => {
                ("the parentheses in the address do not match", self.closed_twice())
            }
            Flaw::UnclosedAngle => ("the angle bracket is not closed", self.closed_angle()),
            Flaw::BehindAngle => ("something stands behind the angle bracket", None),
            Flaw::UnclosedTitle => ("the title is not closed", None),
            Flaw::BehindTitle => ("something stands behind the title", None),
            Flaw::ControlCharacter => ("there is a control character in the address", None),
            Flaw::SpaceBeforeParenthesis => {
                ("there is a space before the parenthesis", Some(self.together()))
            }
            Flaw::FullWidthParenthesis => ("the parentheses are full-width", Some(self.narrowed())),
            Flaw::Reversed => ("brackets and parentheses are the wrong way round", self.swapped()),
            Flaw::UnclosedText => ("the bracket is not closed", Some(self.closed_bracket())),
            Flaw::LinkInText => ("there is a link in the text, and links do not nest", None),
            _ => return None,
        };
        Some(self.finding(Rule::MalformedLink, format!("no link: {message}")).with_fix(fix))
    }

    /// Whether exactly a closing parenthesis follows the target.
    fn is_closed(&self) -> bool {
        Span::new(self.near.target.end, self.near.span.end).slice(self.source) == ")"
    }

    fn in_angle_brackets(&self) -> Option<Fix> {
        let target = self.target();
        // What follows the address of a page may be intended as a title.
        let is_whole = !is_url(target) || has_extension(target);
        let fits = is_whole && !target.contains(['"', '\'', '<', '>', '\\', '\n', '\r']);
        let title = "put the address in angle brackets";
        fits.then(|| fix(title, self.near.target, format!("<{target}>"), target))
    }

    fn closed(&self) -> Option<Fix> {
        let url = self.target().trim_end_matches(['.', ',', ';', ':', '!', '?']);
        let fits = is_url(url) && !url.contains(['(', '[', '<', '\\']);
        let start = self.near.target.start;
        let span = Span::new(start, start + url.len() as u32);
        fits.then(|| fix("close the parenthesis", span, format!("{url})"), url))
    }

    /// `[text](a_(b)`: the last parenthesis belongs to the address.
    fn closed_twice(&self) -> Option<Fix> {
        let target = self.target();
        let n_open = target.matches('(').count();
        let fits = self.is_closed()
            && n_open == target.matches(')').count() + 1
            && !target.contains(['\\', '<', ' ', '\n']);
        let span = Span::new(self.near.target.start, self.near.span.end);
        let (text, destination) = (format!("{target}))"), format!("{target})"));
        fits.then(|| fix("close the parenthesis", span, text, &destination))
    }

    fn closed_angle(&self) -> Option<Fix> {
        let target = self.target();
        let fits = self.is_closed() && !target.contains(['<', '>', '\\', '"', '\'']);
        let title = "close the angle bracket";
        fits.then(|| fix(title, self.near.target, format!("{target}>"), target))
    }

    /// Removes what separates the text from the destination.
    fn together(&self) -> Fix {
        let span = Span::new(self.near.text.end + 1, self.near.span.end);
        let text = span.slice(self.source).trim_start().to_owned();
        fix("bring text and address together", span, text, self.target())
    }

    fn narrowed(&self) -> Fix {
        let span = Span::new(self.near.text.end + 1, self.near.span.end);
        let target = self.target();
        let title = "write the parentheses of ASCII";
        fix(title, span, format!("({target})"), target)
    }

    fn swapped(&self) -> Option<Fix> {
        let NearLink { span, text, target, .. } = self.near;
        let edits = vec![
            Edit::new(Span::new(span.start, text.start), "["),
            Edit::new(Span::new(text.end, target.start), "]("),
            Edit::new(Span::new(target.end, span.end), ")"),
        ];
        let fits = !self.text().contains(['\n', '\r']);
        let title = "swap brackets and parentheses";
        fits.then(|| Fix { edits, ..fix(title, span, String::new(), self.target()) })
    }

    fn closed_bracket(&self) -> Fix {
        let span = Span::new(self.near.text.end, self.near.target.end);
        let text = format!("]{}", span.slice(self.source));
        fix("close the bracket", span, text, self.target())
    }
}

/// The fix that replaces a span by `text`, and makes a link to `destination`.
fn fix(title: &'static str, span: Span, text: String, destination: &str) -> Fix {
    let links = vec![destination.to_owned()];
    let edits = vec![Edit::new(span, text)];
    Fix { safety: Safety::Unsafe, title, edits, has_otherwise: false, links }
}

/// Whether the text looks like the inside of a character class, such as `a-z`.
fn is_class(text: &str) -> bool {
    let mut chars = text.chars();
    chars.nth(1) == Some('-') && chars.nth(1).is_none_or(|c| !c.is_alphabetic())
}

/// The text before a place on its line, or the end of that text if it is long.
fn line_before(source: &str, span: Span) -> &str {
    /// LINEAR: no more is read.
    const LEN_MAX: usize = 100;
    let end = span.start as usize;
    let is_start = |at: &usize| source.is_char_boundary(*at);
    let start = (end.saturating_sub(LEN_MAX)..=end).find(is_start).unwrap_or(end);
    let before = &source[start..end];
    before.rsplit(['\n', '\r']).next().unwrap_or_default()
}

fn has_word(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

fn is_url(text: &str) -> bool {
    let starts_with =
        |start: &str| text.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start));
    ["http://", "https://", "ftp://", "mailto:", "www."]
        .iter()
        .any(|start| starts_with(start) && text.len() > start.len())
}

/// Whether the text can only be the path of a file.
fn is_path(text: &str) -> bool {
    ["./", "../"].iter().any(|start| text.starts_with(start)) || has_extension(text)
}

/// Whether it ends as the name of a file does.
pub(crate) fn is_file(name: &str) -> bool {
    let end = name.rsplit('.').next().unwrap_or_default();
    let others = ["webp", "avif", "ico", "bmp", "json", "css", "js", "zip", "mp4", "yml", "yaml"];
    let of_text = EXTENSIONS.iter().map(|known| &known[1..]);
    of_text.chain(others).any(|known| known.eq_ignore_ascii_case(end))
}

fn has_extension(text: &str) -> bool {
    let path = text.split(['#', '?']).next().unwrap_or_default();
    EXTENSIONS.iter().any(|end| path.len() > end.len() && path.ends_with(end))
}
