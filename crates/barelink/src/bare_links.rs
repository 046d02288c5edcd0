//! Only the bare links of a document, for programs that compare dialects and so read a document
//! once for each of them.
//!
//! They are the bare links of [`Document::links`](crate::Document::links), but no events are made:
//! each leaf is parsed into marks, and no further.
//!
//! LINEAR: leaves are visited in order, and those without a candidate are not parsed.

use std::borrow::Cow;
use std::fmt;

use barelink_text::Span;
use memchr::memchr;

use crate::event::Form;
use crate::event_iter::{Parts, Shift};
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
    /// Its span in the source.
    pub span: Span,
    /// How it is written.
    pub form: Form,
    /// The full destination.
    pub destination: Cow<'s, str>,
    /// The text that a reader sees.
    pub text: Cow<'s, str>,
}

impl<'s> BareLink<'s> {
    /// Converts it to a link of any form, without `href`, the destination in HTML.
    pub fn into_link(self) -> Link<'s> {
        let Self { span, form, destination, text } = self;
        let (href, title, label) = (String::new(), Cow::Borrowed(""), Cow::Borrowed(""));
        Link { image: false, form, destination, href, title, text, external: false, label, span }
    }
}

/// A bare link that was found; its data is computed on demand.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct FoundBare<'a, 's> {
    parts: Parts<'a, 's>,
    mark: &'a Mark,
    bare: BareIdx,
    leaf: Span,
}

impl<'s> FoundBare<'_, 's> {
    /// Its span in the source.
    #[inline]
    pub fn span(&self) -> Span {
        self.parts.text.span(self.mark.start as usize, self.mark.end as usize)
    }

    /// The span of the paragraph, heading or cell that contains it.
    #[inline]
    pub fn leaf(&self) -> Span {
        self.leaf
    }

    /// Whether the same leaf has math that satisfies `is_such`, which gets it with its dollar
    /// signs.
    pub fn has_math(&self, is_such: impl Fn(&[u8]) -> bool) -> bool {
        let bytes = self.parts.text.bytes();
        let mut math = self.parts.inlines.marks.iter().filter_map(|mark| match mark.kind {
            MarkKind::Math { .. } => bytes.get(mark.start as usize..mark.end as usize),
            _ => None,
        });
        math.any(is_such)
    }

    /// Whether the same leaf has backticks that are not closed.
    pub fn has_open_code(&self) -> bool {
        self.parts.inlines.has_open_code()
    }

    /// Whether it is inside a reference to an undefined footnote.
    #[inline]
    pub fn is_in_missing_note(&self) -> bool {
        self.parts.inlines.is_as_written(self.mark.start)
    }

    /// Its form and the prefix of its destination, if its text is written exactly as it is
    /// displayed, and the destination is the prefix and the text.
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

    /// The link with all of its data.
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

/// Calls `found` with the bare links of the wanted leaves, in the order of the tape. Links outside
/// of `words`, which contains whole words, may be left out.
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
        let text = joined.view(source, &tape.folded, loaded);
        let mut recorder = Among::new(MarksOnly, text.within(words));
        inlines.parse(&text, &context, &mut candidates, &mut recorder);
        let shift = &Shift::new(&text);
        let parts = Parts { source, text, inlines, tape, shift };
        for mark in &inlines.marks {
            if let MarkKind::BareLink { bare } = mark.kind {
                found(FoundBare { parts, mark, bare, leaf: span });
            }
        }
    }
}

/// Whether a leaf has a candidate, or may have one with a character reference.
fn may_have_any(source: &str, leaf: Span, candidates: &mut Option<Candidates<'_>>) -> bool {
    candidates.as_mut().is_some_and(|candidates| {
        candidates.has_any(leaf) || memchr(b'&', leaf.slice(source).as_bytes()).is_some()
    })
}
