//! Bare links: where the recognizers of `barelink-autolink` meet Markdown.
//!
//! The dialects differ in when they look for links (their rules are in their own files):
//!
//! | dialect | URL and `www.` | e-mail |
//! |---|---|---|
//! | `gfm`, `github` | while marks are collected, in the source, not after an open bracket | last, in decoded text, between other nodes |
//! | `md4c` | after emphasis, within a line, between resolved marks | as URLs |
//! | `natural` | while marks are collected, in the source; removed again inside a link | after emphasis, as `md4c` |
//!
//! A text without `://`, `www.` and `@` costs one comparison per mark: a single search over the
//! whole document finds the candidates, always ahead of the marks.
//!
//! LINEAR: candidates come in order, each is decided once here, and a region is measured once for
//! all candidates in it.

use std::borrow::Cow;
use std::ops::Range;

use barelink_autolink::engine::{Candidate, Match, Region, natural};
use barelink_autolink::{Dialect, Rules};

use super::mark::{BareIdx, Mark, MarkIdx, MarkKind};
use super::own::Candidates;
use super::recorder::{Question, Recorder};
use super::styles::Closers;
use super::{Context, Inlines};
use crate::event::Form;
use crate::memory::PushSparingly as _;
use crate::syntax::text::Text;

/// The scheme of destinations for `www.` names, and for other names without a scheme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum WwwPrefix {
    /// As the dialect defines: `http://`.
    #[default]
    OfDialect,
    /// `https://`
    Https,
}

/// How the text of a bare link is written in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    /// Exactly as it is displayed.
    Plainly,
    /// Possibly with escapes and entities.
    Escaped,
}

/// The data of a bare link that its mark refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bare {
    pub(crate) kind: barelink_autolink::Kind,
    /// What precedes the text in the destination.
    pub(crate) prefix: &'static str,
    pub(crate) written: Written,
    /// Whether the dialect is `natural`, so that the destination has an international host in
    /// Punycode.
    pub(crate) natural: bool,
}

impl Bare {
    /// The destination of the link with this text, already decoded, in two parts.
    pub(crate) fn destination<'t>(&self, text: &'t str) -> (&'static str, Cow<'t, str>) {
        if self.natural && natural::has_idn_host(text, self.kind) {
            let mut destination = String::with_capacity(self.prefix.len() + text.len() + 8);
            // Writing to a string cannot fail.
            let _ = natural::push_href(text, self.prefix, &mut destination);
            return ("", Cow::Owned(destination));
        }
        (self.prefix, Cow::Borrowed(text))
    }

    pub(crate) fn form(&self) -> Form {
        match self.kind {
            barelink_autolink::Kind::Www | barelink_autolink::Kind::Domain => Form::BareWww,
            barelink_autolink::Kind::Email => Form::BareEmail,
            _ => Form::BareUrl,
        }
    }
}

/// The candidates of a leaf, while its marks are collected.
pub(crate) struct Scan<'c, 't> {
    context: &'c Context<'c>,
    candidates: &'c mut Candidates<'t>,
    rules: Rules,
    /// The start of the next candidate to decide while collecting.
    pub(super) next: usize,
    region: Region,
    closers: Closers,
}

impl<'c, 't> Scan<'c, 't> {
    /// `None` if the text has no candidate.
    pub(super) fn new(
        text: &Text<'_>,
        context: &'c Context<'c>,
        candidates: &'c mut Candidates<'t>,
    ) -> Option<Self> {
        let first = candidates.at_or_after(text.start)?;
        if first.start >= text.end {
            return None;
        }
        let region = Region::new(text.start, text.end);
        let rules = candidates.rules();
        let next = if rules.dialect == Dialect::Md4c { usize::MAX } else { first.start };
        Some(Self { context, candidates, rules, next, region, closers: Closers::default() })
    }
}

impl Inlines {
    /// Decides the candidates in `stretch`. Returns the end of a link that extends past it.
    #[cold]
    pub(super) fn link_before(
        &mut self,
        text: &Text<'_>,
        scan: &mut Scan<'_, '_>,
        stretch: Range<usize>,
        recorder: &mut impl Recorder,
    ) -> Option<usize> {
        // `gfm` takes the end of the text from the region alone, and is faster if the string
        // continues after it.
        let bytes = match scan.rules.dialect {
            Dialect::Gfm => text.str.as_bytes(),
            _ => text.bytes(),
        };
        let Range { start: mut floor, end: at } = stretch;
        loop {
            let Some(candidate) = scan.candidates.at_or_after(floor) else {
                scan.next = usize::MAX;
                return None;
            };
            scan.next = candidate.start;
            if candidate.start >= at {
                return None;
            }
            // A stream may split a long word in the middle of a `://` or `www.`.
            if candidate.end() > text.end {
                scan.next = usize::MAX;
                return None;
            }
            floor = candidate.end();
            if candidate.kind == barelink_autolink::Kind::Email {
                self.has_email = true;
                continue;
            }
            if recorder.can_leave_out(bytes, candidate) {
                continue;
            }
            if scan.rules.dialect == Dialect::Natural {
                if self.in_anchor {
                    continue;
                }
                self.set_region(text, scan);
            } else {
                scan.region.open_bracket = self.pending_bracket();
            }
            let dialect = scan.rules.dialect;
            let question = Question { dialect, bytes, candidate, www: self.www, is_late: false };
            let Some(found) = recorder.decide(&question, &mut scan.region) else { continue };
            self.push_bare(candidate, found, dialect);
            floor = floor.max(found.end);
            if found.end > at {
                scan.next = scan.candidates.at_or_after(found.end).map_or(usize::MAX, |c| c.start);
                return Some(found.end);
            }
        }
    }

    /// Sets the region for the next candidate of `natural`.
    #[inline(never)]
    fn set_region(&mut self, text: &Text<'_>, scan: &mut Scan<'_, '_>) {
        scan.region.start = self.last_but_smart().map_or(text.start, |mark| {
            // Unresolved delimiters are text until they are paired.
            if mark.kind.is_unused() { text.start } else { mark.end as usize }
        });
        let open = self.count_open();
        scan.region.open_emphasis = open.emphasis();
        scan.region.end = scan.closers.style_end(text, scan.next, open, scan.context);
    }

    fn push_bare(&mut self, candidate: Candidate, found: Match, dialect: Dialect) {
        let written = if dialect == Dialect::Natural { Written::Escaped } else { Written::Plainly };
        self.drop_smart(found.start);
        let mark = self.new_bare(candidate, found, dialect, written);
        self.bare_marks.push_sparingly(self.marks.len() as u32);
        self.marks.push_sparingly(mark);
    }

    pub(super) fn new_bare(
        &mut self,
        candidate: Candidate,
        found: Match,
        dialect: Dialect,
        written: Written,
    ) -> Mark {
        let bare = BareIdx(self.bare.len() as u32);
        let natural = dialect == Dialect::Natural;
        let prefix = prefix(candidate, found, self.www);
        self.bare.push_sparingly(Bare { kind: candidate.kind, prefix, written, natural });
        Mark::new(MarkKind::BareLink { bare }, found.start, found.end)
    }

    /// The start of the outermost open bracket, whether or not it may still become a link.
    fn pending_bracket(&self) -> Option<u32> {
        let bracket = self.brackets.first()?;
        Some(self.marks[bracket.mark_idx as usize].start)
    }

    /// Turns the bare links after this mark back into text: they are in the text of a link, or the
    /// description of an image.
    pub(super) fn unlink_bare(&mut self, opener: MarkIdx) {
        // LINEAR: each is turned back once.
        while let Some(bare_idx) = self.bare_marks.pop_if(|bare_idx| *bare_idx > opener.0) {
            let kind = &mut self.marks[bare_idx as usize].kind;
            if let MarkKind::BareLink { bare } = *kind {
                *kind = MarkKind::TakenBack { bare };
            }
        }
    }
}

/// What precedes the text in the destination of a link.
pub(super) fn prefix(candidate: Candidate, found: Match, www: WwwPrefix) -> &'static str {
    match candidate.kind {
        barelink_autolink::Kind::Www | barelink_autolink::Kind::Domain => match www {
            WwwPrefix::Https => "https://",
            WwwPrefix::OfDialect => found.prefix,
        },
        _ => found.prefix,
    }
}

/// Whether an `<a>` element is open after this raw HTML; `None` if it is another tag.
pub(crate) fn anchor_after(tag: &[u8]) -> Option<bool> {
    let (is_closing, name) = match tag {
        [b'<', b'/', name @ ..] => (true, name),
        [b'<', name @ ..] => (false, name),
        _ => return None,
    };
    match name {
        [b'a' | b'A', b' ' | b'\t' | b'\n' | b'>' | b'/', ..] => Some(!is_closing),
        _ => None,
    }
}
