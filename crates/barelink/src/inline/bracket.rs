//! Links and images (CommonMark §6.3 and §6.4), resolved at each `]`.
//!
//! ```text
//! inline    [text](destination "title")
//! full      [text][label]      collapsed  [label][]      shortcut  [label]
//! ```
//!
//! Openers are kept on a stack. A `]` pops the last of them, whether or not the two make a link. A
//! link deactivates all openers of links before it, since links do not contain links.
//!
//! LINEAR: deactivating sets one number, without walking the stack. A label is looked up only if it
//! has no bracket in it and at most `MAX_LABEL` bytes. What definitions add to the output up to any
//! offset is limited by the length of the source up to there, but at least [`MIN_EXPANSION`]: later
//! source does not change the result.

use barelink_text::Span;

use super::mark::{LinkIdx, MarkIdx, MarkKind};
use super::open::OpenRuns;
use super::{Context, Inlines, is_natural};
use crate::event::Form;
use crate::memory::PushSparingly as _;
use crate::options::Reading;
use crate::syntax::destination::{Delimited, LinkTail, MAX_LABEL, scan_tail};
use crate::syntax::references::{References, Title};
use crate::syntax::text::Text;

/// The number of bytes that definitions may add to the output in any document.
pub(crate) const MIN_EXPANSION: usize = 100_000;

/// An open `[` or `![`.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenBracket {
    pub(super) mark_idx: u32,
    /// The number of delimiters collected before it.
    n_delimiters: u32,
    /// The open runs among them. In `natural` only.
    open: OpenRuns,
}

const _: () = assert!(size_of::<OpenBracket>() == 12);

/// A bracket that is being closed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opener {
    bracket: OpenBracket,
    /// The offset just after the `[`.
    text_start: usize,
    image: bool,
}

impl Opener {
    fn mark(&self) -> MarkIdx {
        MarkIdx(self.bracket.mark_idx)
    }
}

/// The target of a link or image.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResolvedLink {
    /// The mark that opens it.
    pub(crate) open: MarkIdx,
    pub(crate) form: Form,
    pub(crate) target: LinkTarget,
}

/// Destination and title of a link or image.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LinkTarget {
    /// In the leaf's text; `verbatim` if the destination can be written as it is.
    Inline { destination: Span, verbatim: bool, title: Option<Span> },
    /// By a definition.
    Reference(u32),
}

const _: () = assert!(size_of::<ResolvedLink>() == 32);

/// The destination and title that follow the `]` at `at`, if any, and the end of the link.
#[inline]
pub(super) fn find_inline(
    text: &Text<'_>,
    opener: &Opener,
    at: usize,
) -> Option<(ResolvedLink, usize)> {
    if text.bytes().get(at + 1) != Some(&b'(') {
        return None;
    }
    let LinkTail { destination, verbatim, title, after } = scan_tail(text, at + 1)?;
    let (destination, title) = (destination.span(), title.map(Delimited::span));
    let target = LinkTarget::Inline { destination, verbatim, title };
    Some((ResolvedLink { open: opener.mark(), form: Form::Inline, target }, after))
}

impl Inlines {
    pub(super) fn open_bracket(&mut self, text: &Text<'_>, at: usize, context: &Context<'_>) {
        let bytes = text.bytes();
        // `![^1]` is an exclamation mark and a footnote.
        let caret = context.options.footnotes && bytes.get(at + 1) == Some(&b'^');
        let image = at > text.start
            && !caret
            && bytes[at - 1] == b'!'
            && self.marks.last().is_none_or(|mark| {
                let end = mark.end as usize;
                end < at - 1 || end == at - 1 && mark.kind != MarkKind::Backslash
            });
        if is_natural(context) {
            self.count_open();
        }
        self.brackets.push_sparingly(OpenBracket {
            mark_idx: self.marks.len() as u32,
            n_delimiters: self.delimiters.len() as u32,
            open: self.open,
        });
        self.last_bracket = at as u32 + 1;
        self.push(MarkKind::Unused, at - usize::from(image), at + 1);
    }

    /// Takes the last open bracket, if it may become something.
    #[inline]
    pub(super) fn pop_bracket(&mut self) -> Option<Opener> {
        let bracket = self.brackets.pop()?;
        let mark = self.marks[bracket.mark_idx as usize];
        let image = mark.end - mark.start > 1;
        let active = image || self.brackets.len() >= self.n_inactive;
        self.n_inactive = self.n_inactive.min(self.brackets.len());
        active.then_some(Opener { bracket, text_start: mark.end as usize, image })
    }

    /// Makes a link or image of the bracket that closes at `at`. Returns `end`, its end.
    pub(super) fn push_link(
        &mut self,
        opener: &Opener,
        at: usize,
        link: ResolvedLink,
        end: usize,
    ) -> usize {
        self.resolve_emphasis(opener.bracket.n_delimiters as usize);
        self.reopen(&opener.bracket);
        self.unlink_bare(opener.mark());
        let close = MarkIdx(self.marks.len() as u32);
        let link_idx = LinkIdx(self.links.len() as u32);
        let (open_kind, close_kind) = if opener.image {
            (MarkKind::ImageOpen { close }, MarkKind::ImageClose { link: link_idx })
        } else {
            self.deactivate_links();
            (MarkKind::LinkOpen { close }, MarkKind::LinkClose { link: link_idx })
        };
        self.marks[opener.mark().get()].kind = open_kind;
        self.push(close_kind, at, end);
        self.links.push_sparingly(link);
        end
    }

    /// Drops the count of delimiters after this bracket: what was open before it is open again.
    fn reopen(&mut self, bracket: &OpenBracket) {
        if self.n_counted > bracket.n_delimiters {
            self.open = bracket.open;
            self.n_counted = bracket.n_delimiters;
        }
    }

    /// SPEC: 6.3: links do not contain links, and the innermost one counts. An autolink in angle
    /// brackets and a footnote reference count as links, too.
    pub(super) fn deactivate_links(&mut self) {
        self.n_inactive = self.brackets.len();
    }

    /// The definition that the bracket that closes at `at` refers to, by `label` or by itself, and
    /// the end of the link.
    pub(super) fn find_reference(
        &mut self,
        text: &Text<'_>,
        opener: &Opener,
        at: usize,
        label: Option<Delimited>,
        references: &References,
    ) -> Option<(ResolvedLink, usize)> {
        if references.is_empty() && self.missed.is_none() {
            return None;
        }
        let own = Delimited { start: opener.text_start, end: at, after: at + 1 };
        let has_inner = self.last_bracket as usize != opener.text_start;
        let own_is_label = !has_inner && own.end - own.start <= MAX_LABEL;
        let (form, label, end) = match label {
            Some(label) => (Form::Full, label, label.after),
            None if !own_is_label => return None,
            None if text.bytes()[at + 1..].starts_with(b"[]") => (Form::Collapsed, own, at + 3),
            None => (Form::Shortcut, own, at + 1),
        };
        let label = label.start..label.end;
        let Some(idx) = references.find(text.str, label.clone(), &mut self.label) else {
            if let Some(missed) = &mut self.missed {
                missed.references.note(text.str, label);
            }
            return None;
        };
        self.spend(references, idx, text.source_offset(at))?;
        let target = LinkTarget::Reference(idx);
        Some((ResolvedLink { open: opener.mark(), form, target }, end))
    }

    /// Resolves `[^label]` as a footnote reference, if it is not a link. If the footnote is not
    /// defined, it is text, without emphasis.
    pub(super) fn collect_footnote(
        &mut self,
        text: &Text<'_>,
        opener: &Opener,
        at: usize,
        context: &Context<'_>,
    ) -> Option<usize> {
        let start = opener.text_start;
        let is_caret = text.bytes().get(start) == Some(&b'^');
        if !context.options.footnotes || !is_caret || start + 1 == at {
            return None;
        }
        self.delimiters.truncate(opener.bracket.n_delimiters as usize);
        self.reopen(&opener.bracket);
        if at - start > MAX_LABEL {
            return None;
        }
        let found = context.footnotes.labels.find(text.str, start + 1..at, &mut self.label);
        let Some(number) = found else {
            if let Some(missed) = &mut self.missed {
                missed.notes.note(text.str, start + 1..at);
            }
            if context.options.reading == Reading::CmarkGfm {
                self.keep_as_written(text, opener, at);
            }
            return None;
        };
        self.deactivate_links();
        self.drop_marks_in(opener);
        self.marks.truncate(opener.mark().get());
        self.push(MarkKind::FootnoteReference { number }, start - 1, at + 1);
        Some(at + 1)
    }

    /// DIALECT(github): a reference to an undefined footnote contains no markup. (What cmark-gfm
    /// does if it spans lines is not worth copying.)
    ///
    /// LINEAR: a label has at most `MAX_LABEL` bytes; those of a nested one are read again.
    fn keep_as_written(&mut self, text: &Text<'_>, opener: &Opener, at: usize) {
        let label = &text.bytes()[opener.text_start..at];
        if label.contains(&b'\n') {
            return;
        }
        self.drop_marks_in(opener);
        self.as_written.push_sparingly((opener.text_start as u32, at as u32));
        // A code span, for example, may contain an address.
        self.has_email |= label.contains(&b'@');
        for (idx, byte) in label.iter().enumerate() {
            if matches!(byte, b'<' | b'>' | b'&' | b'"') {
                let start = opener.text_start + idx;
                self.push(MarkKind::Literal, start, start + 1);
            }
        }
    }

    /// Drops the marks after a bracket, and the links and images among them, which were the last to
    /// be closed.
    fn drop_marks_in(&mut self, opener: &Opener) {
        self.unlink_bare(opener.mark());
        self.marks.truncate(opener.mark().get() + 1);
        while self.links.pop_if(|link| link.open > opener.mark()).is_some() {}
        let start = opener.text_start as u32;
        while self.as_written.pop_if(|(inner, _)| *inner > start).is_some() {}
    }

    /// Counts the cost of using definition `idx` at `offset` of the source; `None` if the limit is
    /// reached.
    fn spend(&mut self, references: &References, idx: u32, offset: u32) -> Option<()> {
        let reference = references.get(idx);
        let (Title::Source(title) | Title::Arena(title)) = reference.title;
        let cost = (reference.destination.len() + title.len()) as usize;
        let n_expanded = self.n_expanded + cost;
        if n_expanded > MIN_EXPANSION.max(offset as usize) {
            self.at_limit = true;
            if let Some(missed) = &mut self.missed {
                missed.is_refused = true;
            }
            return None;
        }
        self.n_expanded = n_expanded;
        Some(())
    }
}
