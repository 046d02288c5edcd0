//! The text of a document that is in no link, no code and no HTML, leaf by leaf, for the rules
//! that look for what is none of these: malformed-link, missing-reference, missing-scheme.
//!
//! A leaf is given as its own bytes, with a [`Plain::OPAQUE`] byte for each that is not text:
//!
//! ```text
//! see [`a`] (\[b) http://c.de
//! see [···] (··b) http://c.de        a bare link is text
//! ```
//!
//! LINEAR: the events of a document are gone through once.

use barelink::{EventKind, Parser, SourceTooLong, Span, Tag, TagEnd};
use memchr::memchr;

use crate::finding::Finding;
use crate::rule::{Rule, RuleSet};
use crate::{malformed, missing_scheme};

/// The text of a leaf.
#[derive(Debug)]
pub(crate) struct Plain<'s> {
    pub(crate) source: &'s str,
    /// Where the leaf starts in the source.
    pub(crate) start: usize,
    /// A byte for each byte of the leaf.
    pub(crate) bytes: Vec<u8>,
}

impl Plain<'_> {
    /// Stands for a byte that is no text.
    pub(crate) const OPAQUE: u8 = 1;

    /// The span of a range of bytes.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        Span::new((self.start + start) as u32, (self.start + end) as u32)
    }

    /// A range of bytes, as written.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &str {
        self.span(start, end).slice(self.source)
    }

    /// Adds a piece of text, unless it is written in another way than it is read.
    fn add(&mut self, span: Span, text: &str) {
        let at = (span.start as usize).saturating_sub(self.start);
        if span.slice(self.source) != text {
            return;
        }
        let Some(place) = self.bytes.get_mut(at..at + text.len()) else { return };
        place.copy_from_slice(text.as_bytes());
        // A backslash that is no text escapes what comes after it.
        if let Some(before) = at.checked_sub(1)
            && self.bytes[before] == Self::OPAQUE
            && self.source.as_bytes()[self.start + before] == b'\\'
        {
            self.bytes[at] = Self::OPAQUE;
        }
    }
}

/// Adds what the rules about text find.
pub(crate) fn check(
    source: &str,
    parser: &mut Parser,
    rules: RuleSet,
    findings: &mut Vec<Finding>,
) -> Result<(), SourceTooLong> {
    let wants_scheme = rules.contains(Rule::MissingScheme);
    let wants_brackets = rules.contains_any([Rule::MalformedLink, Rule::MissingReference])
        && memchr(b'[', source.as_bytes()).is_some();
    let has_broken = wants_scheme && missing_scheme::has_broken(source);
    let has_definitions = wants_scheme && memchr::memmem::find(source.as_bytes(), b"]:").is_some();
    if !wants_brackets && !has_broken && !has_definitions {
        return Ok(());
    }
    let mut open: Option<Plain<'_>> = None;
    // Links, images and code that are open, bare links apart.
    let mut n_closed_off = 0_u32;
    let mut is_bare = false;
    for event in parser.parse(source)?.events() {
        match &event.kind {
            EventKind::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::Cell) => {
                let leaf = event.span.slice(source);
                open = (wants_brackets && memchr(b'[', leaf.as_bytes()).is_some()).then(|| Plain {
                    source,
                    start: event.span.start as usize,
                    bytes: vec![Plain::OPAQUE; leaf.len()],
                });
            }
            EventKind::End(TagEnd::Paragraph | TagEnd::Heading { .. } | TagEnd::Cell) => {
                if let Some(leaf) = open.take() {
                    malformed::check(&leaf, rules, findings);
                }
            }
            EventKind::Start(Tag::Link(target)) if target.form.is_bare() => is_bare = true,
            EventKind::End(TagEnd::Link) if is_bare => is_bare = false,
            EventKind::Start(Tag::Link(_) | Tag::Image(_) | Tag::CodeBlock { .. }) => {
                n_closed_off += 1;
            }
            EventKind::End(TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock) => n_closed_off -= 1,
            EventKind::Text(text) if n_closed_off == 0 => {
                if let Some(leaf) = &mut open {
                    leaf.add(event.span, text);
                }
                if has_broken && !is_bare {
                    missing_scheme::check_piece(source, event.span, findings);
                }
            }
            EventKind::SoftBreak | EventKind::HardBreak if n_closed_off == 0 => {
                let end = (event.span.end as usize).max(event.span.start as usize + 1);
                if let Some(leaf) = &mut open
                    && let Some(byte) = leaf.bytes.get_mut(end - 1 - leaf.start)
                {
                    *byte = b'\n';
                }
            }
            EventKind::Definition(definition) if wants_scheme => {
                missing_scheme::check_definition(source, event.span, definition, findings);
            }
            _ => {}
        }
    }
    Ok(())
}
