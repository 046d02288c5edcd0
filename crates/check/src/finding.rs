//! The finding of a rule, and its fix.

use std::borrow::Cow;
use std::sync::Arc;

use barelink::Span;

use crate::rule::Rule;
use crate::write::{self, Way};

/// Something that a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The span of the source that it refers to.
    pub span: Span,
    /// What is wrong, in one sentence.
    pub message: Cow<'static, str>,
    /// Further information, one sentence each: the reason, or what other programs do.
    pub notes: Vec<Cow<'static, str>>,
    /// The fix, if there is one. Two findings about a link may share it.
    pub fix: Option<Arc<Fix>>,
}

// There may be two for every few bytes of a source.
const _: () = assert!(size_of::<Finding>() <= 72);

/// A change of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// Whether the page stays as it is.
    pub safety: Safety,
    /// What it does, in a few words.
    pub title: &'static str,
    /// The edits, in the order of the source, without overlap.
    pub edits: Vec<Edit>,
    /// Whether there is another way to write the same, if this does not fit its place.
    pub(crate) has_otherwise: bool,
    /// The destinations of the links that the edits make, in order, if the fix is unsafe. A safe
    /// one does not change them.
    pub(crate) links: Vec<String>,
}

impl Fix {
    /// The safe fix that writes a link in another way.
    pub(crate) fn rewrite(span: Span, way: Way) -> Self {
        Self {
            safety: Safety::Safe,
            title: "write it so that everybody links it",
            edits: vec![Edit::new(span, way.text)],
            has_otherwise: way.has_otherwise,
            links: Vec::new(),
        }
    }

    /// The edits that write the same in another way.
    pub(crate) fn otherwise(&self) -> Option<Vec<Edit>> {
        let edit = self.edits.first().filter(|_| self.has_otherwise)?;
        Some(vec![Edit::new(edit.span, write::otherwise(&edit.text))])
    }
}

/// A finding without its message: for fixing a document without displaying anything.
#[derive(Debug)]
pub(crate) struct Fixable {
    pub(crate) rule: Rule,
    pub(crate) span: Span,
    /// How to write it instead, if it has a safe fix.
    pub(crate) way: Option<Way>,
}

/// Something that a rule found.
pub(crate) trait Found {
    fn rule(&self) -> Rule;
    fn span(&self) -> Span;
    /// Takes the fix away if it would change such a place.
    fn drop_fix_at(&mut self, is_kept: impl Fn(Span) -> bool);
}

impl Found for Finding {
    fn rule(&self) -> Rule {
        self.rule
    }

    fn span(&self) -> Span {
        self.span
    }

    fn drop_fix_at(&mut self, is_kept: impl Fn(Span) -> bool) {
        self.fix.take_if(|fix| fix.edits.iter().any(|edit| is_kept(edit.span)));
    }
}

impl Found for Fixable {
    fn rule(&self) -> Rule {
        self.rule
    }

    fn span(&self) -> Span {
        self.span
    }

    fn drop_fix_at(&mut self, is_kept: impl Fn(Span) -> bool) {
        self.way.take_if(|_| is_kept(self.span));
    }
}

/// Whether a fix changes the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Safety {
    /// The page where the document is published stays as it is.
    Safe,
    /// The page changes, to what was probably intended.
    Unsafe,
}

impl Safety {
    /// The name used in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// A range of the source, and its replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The range to replace; empty to insert.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

impl Edit {
    /// An edit that replaces a span by `text`.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }
}

/// Adds a finding, if there is one. A list that doubles its capacity when it is full could take
/// twice the memory it needs.
///
/// LINEAR: a list that grows by an eighth copies each finding at most nine times.
pub(crate) fn add(finding: impl Into<Option<Finding>>, findings: &mut Vec<Finding>) {
    /// The minimum number of findings by which the list grows.
    const MIN: usize = 16;
    let Some(finding) = finding.into() else { return };
    if findings.len() == findings.capacity() {
        findings.reserve_exact(MIN.max(findings.len() / 8));
    }
    findings.push(finding);
}

impl Finding {
    /// A finding without notes and fix.
    pub(crate) fn new(rule: Rule, span: Span, message: impl Into<Cow<'static, str>>) -> Self {
        Self { rule, span, message: message.into(), notes: Vec::new(), fix: None }
    }

    pub(crate) fn note(mut self, note: impl Into<Cow<'static, str>>) -> Self {
        // Most have one note, and there may be as many findings as links.
        self.notes.reserve_exact(1);
        self.notes.push(note.into());
        self
    }

    pub(crate) fn with_fix(mut self, fix: Option<impl Into<Arc<Fix>>>) -> Self {
        self.fix = fix.map(Into::into);
        self
    }
}
