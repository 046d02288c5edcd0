//! The bare links of a document, and nothing else of it: for those who compare dialects, and read
//! a document again for each.
//!
//! They are those of [`Document::links`](crate::Document::links), without the events that others
//! would take: no more is made of a leaf than its marks.
//!
//! LINEAR: leaves come in order, and those without a candidate are not parsed.

use std::borrow::Cow;
use std::fmt;

use barelink_text::Span;
use memchr::memchr;

use crate::event::Form;
use crate::event_iter::Parts;
use crate::inline::mark::{BareIdx, Mark, MarkKind};
use crate::inline::own::Candidates;
use crate::inline::recorder::{Among, MarksOnly};
use crate::inline::{Context, Written};
use crate::links::Link;
use crate::parsed::{Parsed, ReadGuard, Scratch, Shared, candidates};

/// A bare link.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BareLink<'s> {
    /// The bytes of the source.
    pub span: Span,
    /// How it is written.
    pub form: Form,
    /// Where it leads, in full.
    pub destination: Cow<'s, str>,
    /// What a reader sees.
    pub text: Cow<'s, str>,
}

impl<'s> BareLink<'s> {
    /// The same among links of all kinds, but without what HTML makes of its destination.
    pub fn into_link(self) -> Link<'s> {
        let Self { span, form, destination, text } = self;
        let (href, title, label) = (String::new(), Cow::Borrowed(""), Cow::Borrowed(""));
        Link { image: false, form, destination, href, title, text, external: false, label, span }
    }
}

/// A bare link that was found, before anything is made of it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct FoundBare<'a, 's> {
    parts: Parts<'a, 's>,
    mark: &'a Mark,
    bare: BareIdx,
    leaf: Span,
}

impl<'s> FoundBare<'_, 's> {
    /// The bytes of the source.
    #[inline]
    pub fn span(&self) -> Span {
        self.parts.text.span(self.mark.start as usize, self.mark.end as usize)
    }

    /// The paragraph, heading or cell that it is in.
    #[inline]
    pub fn leaf(&self) -> Span {
        self.leaf
    }

    /// Whether there is such math in the same leaf. It is given with its dollars.
    pub fn has_math(&self, is_such: impl Fn(&[u8]) -> bool) -> bool {
        let bytes = self.parts.text.bytes();
        let mut math = self.parts.inlines.marks.iter().filter_map(|mark| match mark.kind {
            MarkKind::Math { .. } => bytes.get(mark.start as usize..mark.end as usize),
            _ => None,
        });
        math.any(is_such)
    }

    /// Whether there are backticks in the same leaf that nothing closes.
    pub fn has_open_code(&self) -> bool {
        self.parts.inlines.has_open_code()
    }

    /// Whether it is in what refers to a footnote that is not defined.
    #[inline]
    pub fn is_in_missing_note(&self) -> bool {
        self.parts.inlines.is_as_written(self.mark.start)
    }

    /// How it is written, and what its destination has before its text, if that text is the source
    /// as it is, and all the rest of the destination.
    pub fn as_written(&self) -> Option<(Form, &'static str)> {
        let bare = self.parts.inlines.bare[self.bare.0 as usize];
        if !self.parts.text.is_source() {
            return None;
        }
        let text = self.span().slice(self.parts.source);
        let is_escaped = bare.written == Written::Escaped
            && text.bytes().any(|byte| matches!(byte, b'\\' | b'&' | 0));
        let is_shown = !is_escaped && matches!(bare.destination(text), (_, Cow::Borrowed(_)));
        is_shown.then(|| (bare.form(), bare.prefix))
    }

    /// All of it.
    #[inline]
    pub fn link(&self) -> BareLink<'s> {
        self.parts.bare_link(self.mark, self.bare)
    }
}

impl fmt::Debug for FoundBare<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.link().fmt(f)
    }
}

/// Gives `found` the bare links of the leaves that are wanted, in the order of the tape. Those
/// outside of `words` may be left out; no word is only partly in it.
pub(crate) fn read<'s>(
    source: &'s str,
    parsed: Shared<'_>,
    words: Span,
    mut is_wanted: impl FnMut(Span) -> bool,
    mut found: impl FnMut(FoundBare<'_, 's>),
) {
    let mut candidates = candidates(source, &parsed.options);
    let mut reading = ReadGuard::new(parsed);
    let Some((Parsed { options, tape, .. }, scratch)) = reading.parts() else { return };
    let Scratch { inlines, joined, .. } = scratch;
    let context = Context::new(options, &tape.references, &tape.footnotes);
    for record in &tape.records {
        let Some(lines) = record.block.inline_lines() else { continue };
        let span = record.span();
        if !is_wanted(span) || !may_have_any(source, span, &mut candidates) {
            continue;
        }
        let loaded = joined.load(source, tape, span, lines);
        let text = joined.view(source, loaded);
        let mut recorder = Among::new(MarksOnly, text.within(words));
        inlines.parse(&text, &context, &mut candidates, &mut recorder);
        let parts = Parts { source, text, inlines, tape };
        for mark in &inlines.marks {
            if let MarkKind::BareLink { bare } = mark.kind {
                found(FoundBare { parts, mark, bare, leaf: span });
            }
        }
    }
}

/// Whether a leaf has a sign that candidates are found by, or may hide it in a character
/// reference.
fn may_have_any(source: &str, leaf: Span, candidates: &mut Option<Candidates<'_>>) -> bool {
    candidates.as_mut().is_some_and(|candidates| {
        candidates.has_any(leaf) || memchr(b'&', leaf.slice(source).as_bytes()).is_some()
    })
}
