//! What a rule found, and how it can be put right.

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
    /// The bytes of the source that it is about.
    pub span: Span,
    /// What is wrong, in one sentence.
    pub message: Cow<'static, str>,
    /// What else there is to know, a sentence each: why, or what others do.
    pub notes: Vec<Cow<'static, str>>,
    /// How to put it right, if that is known. Two findings about a link may have the same fix.
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
    /// Whether the same can be written in another way, if this does not fit where it is.
    pub(crate) has_otherwise: bool,
    /// Where the links lead that the edits make, in order, if the fix is unsafe. After a safe one
    /// they lead where they led.
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

/// What a rule found, without what is said about it: for those who fix a document and show
/// nothing.
#[derive(Debug)]
pub(crate) struct Fixable {
    pub(crate) rule: Rule,
    pub(crate) span: Span,
    /// How it is written instead, if it is fixed safely.
    pub(crate) way: Option<Way>,
}

/// Something that a rule found.
pub(crate) trait Found {
    fn rule(&self) -> Rule;
    fn span(&self) -> Span;
}

impl Found for Finding {
    fn rule(&self) -> Rule {
        self.rule
    }

    fn span(&self) -> Span {
        self.span
    }
}

impl Found for Fixable {
    fn rule(&self) -> Rule {
        self.rule
    }

    fn span(&self) -> Span {
        self.span
    }
}

/// Whether a fix changes the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Safety {
    /// The page where the document is published stays as it is.
    Safe,
    /// The page changes, to what was probably meant.
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

/// A piece of the source, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty to insert.
    pub span: Span,
    /// What to write there.
    pub text: String,
}

impl Edit {
    /// Writes `text` over a span.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }
}

/// Adds what was found, if anything was. A list that doubled when it is full could have twice the memory that it needs.
///
/// LINEAR: one that grows by an eighth copies each finding nine times at the most.
pub(crate) fn add(finding: impl Into<Option<Finding>>, findings: &mut Vec<Finding>) {
    /// So many are the least that there is room for.
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
        // Most have one, and there may be as many findings as links.
        self.notes.reserve_exact(1);
        self.notes.push(note.into());
        self
    }

    pub(crate) fn with_fix(mut self, fix: Option<impl Into<Arc<Fix>>>) -> Self {
        self.fix = fix.map(Into::into);
        self
    }
}
