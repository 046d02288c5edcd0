//! The rules malformed-link and missing-reference: brackets that are no link.
//!
//! ```text
//! [text] (url)      a space between            [text](url
//! [text]（url）      full-width parentheses     [text](a b.md)
//! (text)[url]       the wrong way round        [text][label]   nothing defines it
//! [text(url)        a bracket is missing
//! ```
//!
//! What stands for an address must look like one, so that `f[i] (x)` is left alone.
//!
//! LINEAR: brackets are paired in one pass. What follows a pair is read to the end of the line
//! or the next bracket, so no byte is read for more than two pairs.

use crate::finding::{Edit, Finding, Fix, Safety};
use crate::rule::{Rule, RuleSet};
use crate::text::Plain;

/// More of an address or a text than this is not read.
const LEN_MAX: usize = 2000;

/// Ends of addresses that are files.
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

/// Adds what the rules find in a leaf.
pub(crate) fn check(leaf: &Plain<'_>, rules: RuleSet, findings: &mut Vec<Finding>) {
    let mut scan = Scan { leaf, rules, findings, brackets: Vec::new(), unpaired: Vec::new() };
    let mut parentheses: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < leaf.bytes.len() {
        match leaf.bytes[at] {
            b'[' => scan.brackets.push(at),
            b'(' => {
                parentheses.push(at);
                scan.note_unpaired(at);
            }
            b']' => {
                if let Some(open) = scan.brackets.pop()
                    && let Some(end) = scan.pair(open, at)
                {
                    at = end;
                    continue;
                }
            }
            b')' => {
                if let Some(open) = parentheses.pop()
                    && let Some(end) = scan.swapped(open, at)
                {
                    at = end;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    scan.tell_unpaired();
}

/// The brackets of a leaf, as far as they are read.
struct Scan<'a, 's> {
    leaf: &'a Plain<'s>,
    rules: RuleSet,
    findings: &'a mut Vec<Finding>,
    /// Where the open ones are.
    brackets: Vec<usize>,
    /// An open bracket, and the parentheses around an address after it.
    unpaired: Vec<(usize, usize, usize)>,
}

impl Scan<'_, '_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.leaf.bytes.get(at).copied()
    }

    /// Whether a text in brackets could be that of a link.
    fn is_text(&self, open: usize, close: usize) -> bool {
        let text = self.leaf.slice(open + 1, close);
        let before = open.checked_sub(1).and_then(|at| self.byte(at));
        let after_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b']' | b')');
        close - open <= LEN_MAX
            && !text.trim().is_empty()
            && !matches!(text, "x" | "X")
            && !text.starts_with('^')
            && !before.is_some_and(after_word)
    }

    /// What follows a pair of brackets; where to go on, if that is part of a finding.
    fn pair(&mut self, open: usize, close: usize) -> Option<usize> {
        if !self.is_text(open, close) {
            return None;
        }
        let after = close + 1;
        match self.byte(after)? {
            b'[' => self.reference(open, close),
            b'(' => self.parentheses(open, after),
            _ => self.apart(open, close),
        }
    }

    /// `[text][label]`.
    fn reference(&mut self, open: usize, close: usize) -> Option<usize> {
        let start = close + 2;
        let end = self.end_of(start, b"]", b"[")?;
        let (text, label) = (self.leaf.slice(open + 1, close), self.leaf.slice(start, end));
        let is_class = |text: &str| {
            let mut chars = text.chars();
            chars.nth(1) == Some('-') && chars.nth(1).is_none_or(|c| !c.is_alphabetic())
        };
        let follows = self.byte(end + 1);
        let is_code = follows.is_some_and(|byte| b"[*+?{(".contains(&byte))
            || is_class(text)
            || is_class(label)
            || text.len() <= 2 && label.len() <= 2
            || label.starts_with('^');
        let has_word = |text: &str| text.contains(char::is_alphanumeric);
        if is_code || !has_word(text) || !(has_word(label) || label.is_empty()) {
            return None;
        }
        if self.rules.contains(Rule::MissingReference) {
            let label = if label.is_empty() { text } else { label };
            let message = format!("nothing defines `[{label}]`");
            let span = self.leaf.span(open, end + 1);
            self.findings.push(Finding::new(Rule::MissingReference, span, message));
        }
        Some(end + 1)
    }

    /// `[text](…` that is no link: a space in the address, or no end.
    fn parentheses(&mut self, open: usize, paren: usize) -> Option<usize> {
        let start = paren + 1;
        let Some(end) = self.end_of(start, b")", b"[") else {
            return self.unclosed(open, start);
        };
        let address = self.leaf.slice(start, end);
        let trimmed = address.trim();
        let is_spaced = trimmed.contains(' ') && !trimmed.contains(['"', '\'', '<', '>', '\n']);
        if !is_spaced || !(is_url(trimmed) || is_path(trimmed)) {
            return None;
        }
        // What comes after the address of a page may be meant as a title.
        let is_whole = !is_url(trimmed) || has_extension(trimmed);
        let edits =
            is_whole.then(|| vec![Edit::new(self.leaf.span(start, end), format!("<{trimmed}>"))]);
        let fix = edits.map(|edits| fix("put the address in angle brackets", edits, trimmed));
        Some(self.tell(open, end + 1, "no link: there is a space in the address", fix))
    }

    fn unclosed(&mut self, open: usize, start: usize) -> Option<usize> {
        let line = self.line(start);
        let len = line.find(char::is_whitespace).unwrap_or(line.len());
        let url = line[..len].trim_end_matches(['.', ',', ';', ':', '!', '?']);
        let is_whole = !self.leaf.bytes[start..start + url.len()].contains(&Plain::OPAQUE);
        if !is_url(url) || !is_whole || url.contains(['(', '[', '<', '\\']) {
            return None;
        }
        let end = start + url.len();
        let edits = vec![Edit::new(self.leaf.span(start, end), format!("{url})"))];
        let fix = fix("close the parenthesis", edits, url);
        Some(self.tell(open, end, "no link: the parenthesis is not closed", Some(fix)))
    }

    /// `[text] (url)` and `[text]（url）`.
    fn apart(&mut self, open: usize, close: usize) -> Option<usize> {
        let after = &self.leaf.bytes[close + 1..];
        let n_spaces = after.iter().take(4).take_while(|byte| **byte == b' ').count();
        let rest = &after[n_spaces..];
        let (open_len, full_width) = match rest {
            [b'(', ..] => (1, false),
            [0xEF, 0xBC, 0x88, ..] => (3, true),
            _ => return None,
        };
        let start = close + 1 + n_spaces + open_len;
        let end = if full_width {
            let line = self.line(start);
            let len = line.find(['）', ')', '['])?;
            start + len
        } else {
            self.end_of(start, b")", b"[")?
        };
        let address = self.leaf.slice(start, end);
        if address.contains(char::is_whitespace) || !(is_url(address) || is_path(address)) {
            return None;
        }
        let close_len = self.leaf.slice(end, self.leaf.bytes.len()).chars().next()?.len_utf8();
        let reach = self.leaf.span(close + 1, end + close_len);
        let edits = vec![Edit::new(reach, format!("({address})"))];
        let message = if full_width {
            "no link: the parentheses are full-width"
        } else {
            "no link: there is a space before the parenthesis"
        };
        let fix = fix("bring text and address together", edits, address);
        Some(self.tell(open, end + close_len, message, Some(fix)))
    }

    /// `(text)[url]`.
    fn swapped(&mut self, open: usize, close: usize) -> Option<usize> {
        if self.byte(close + 1)? != b'[' || close - open > LEN_MAX {
            return None;
        }
        let start = close + 2;
        let end = self.end_of(start, b"]", b"[")?;
        let (text, address) = (self.leaf.slice(open + 1, close), self.leaf.slice(start, end));
        let is_address = is_url(address) || has_extension(address);
        let before = open.checked_sub(1).and_then(|at| self.byte(at));
        if !is_address
            || address.contains(char::is_whitespace)
            || text.trim().is_empty()
            || text.contains('\n')
            || before == Some(b']')
            || matches!(self.byte(end + 1), Some(b'(' | b'['))
        {
            return None;
        }
        let edits = vec![Edit::new(self.leaf.span(open, end + 1), format!("[{text}]({address})"))];
        let fix = fix("swap brackets and parentheses", edits, address);
        let message = "no link: brackets and parentheses are the wrong way round";
        Some(self.tell(open, end + 1, message, Some(fix)))
    }

    /// `[text(url)`, if the bracket is not closed later.
    fn note_unpaired(&mut self, paren: usize) {
        let Some(&open) = self.brackets.last() else { return };
        if paren == open + 1 || !self.is_text(open, paren) || !is_url(self.line(paren + 1)) {
            return;
        }
        if let Some(end) = self.end_of(paren + 1, b")", b"[")
            && !self.leaf.slice(open, end).contains(char::is_control)
            && !self.leaf.slice(paren, end).contains(' ')
        {
            self.unpaired.push((open, paren, end));
        }
    }

    fn tell_unpaired(&mut self) {
        for (open, paren, end) in std::mem::take(&mut self.unpaired) {
            // Those that are still open are in order.
            if self.brackets.binary_search(&open).is_ok() {
                let address = self.leaf.slice(paren + 1, end);
                let written = self.leaf.slice(paren, end);
                let edits = vec![Edit::new(self.leaf.span(paren, end), format!("]{written}"))];
                let fix = fix("close the bracket", edits, address);
                self.tell(open, end + 1, "no link: the bracket is not closed", Some(fix));
            }
        }
    }

    fn tell(&mut self, open: usize, end: usize, message: &str, fix: Option<Fix>) -> usize {
        if self.rules.contains(Rule::MalformedLink) {
            let span = self.leaf.span(open, end);
            self.findings.push(Finding::new(Rule::MalformedLink, span, message).with_fix(fix));
        }
        end
    }

    /// The rest of the line.
    fn line(&self, start: usize) -> &str {
        let rest = &self.leaf.bytes[start.min(self.leaf.bytes.len())..];
        let rest = &rest[..rest.len().min(LEN_MAX)];
        let len = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let mut end = self.leaf.start + start + len;
        while !self.leaf.source.is_char_boundary(end) {
            end -= 1;
        }
        &self.leaf.source[self.leaf.start + start..end]
    }

    /// Where one of `ends` is, before the end of the line, what is no text, and one of `stops`.
    fn end_of(&self, start: usize, ends: &[u8], stops: &[u8]) -> Option<usize> {
        let rest = self.leaf.bytes.get(start..)?;
        let mut n_open = 0_u32;
        for (len, byte) in rest.iter().enumerate().take(LEN_MAX) {
            match *byte {
                b'(' if ends == b")" => n_open += 1,
                b')' if ends == b")" && n_open > 0 => n_open -= 1,
                byte if ends.contains(&byte) => return Some(start + len),
                b'\n' | Plain::OPAQUE => return None,
                byte if stops.contains(&byte) => return None,
                _ => {}
            }
        }
        None
    }
}

fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start))
}

fn is_url(text: &str) -> bool {
    ["http://", "https://", "ftp://", "mailto:", "www."]
        .iter()
        .any(|start| starts_with(text, start) && text.len() > start.len())
}

/// Whether it can only be the path of a file, or a heading.
fn is_path(text: &str) -> bool {
    let is_heading = || {
        text.strip_prefix('#').is_some_and(|rest| rest.starts_with(char::is_alphabetic))
            && !text.contains(' ')
    };
    ["./", "../"].iter().any(|start| text.starts_with(start)) || has_extension(text) || is_heading()
}

fn has_extension(text: &str) -> bool {
    let path = text.split(['#', '?']).next().unwrap_or_default();
    EXTENSIONS.iter().any(|end| path.len() > end.len() && path.ends_with(end))
}

fn fix(title: &'static str, edits: Vec<Edit>, destination: &str) -> Fix {
    let links = vec![destination.to_owned()];
    Fix { safety: Safety::Unsafe, title, edits, otherwise: None, links }
}
