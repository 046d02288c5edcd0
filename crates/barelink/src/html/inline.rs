//! The HTML of one leaf's text: plain text is copied, marks are replaced.

use std::borrow::Cow;
use std::ops::Range;

use barelink_text::entity::scan_entity;
use barelink_text::escape::push_escaped_line;
use barelink_text::find::push_range;

use super::Unsure;
use super::escape::{push_entity, push_escaped, push_escaped_range};
use super::footnote::Notes;
use super::gate::RawDestination;
use super::markup::{
    math_tags, pending_link, push_image_start, push_link_start, push_pending_image_start,
    push_title, soft_break,
};
use super::raw::push_raw;
use crate::event::{Form, MathStyle};
use crate::inline::delimiter::Style;
use crate::inline::emoji::emoji;
use crate::inline::mark::{BareIdx, Mark, MarkIdx, MarkKind};
use crate::inline::{Bare, LinkTarget, ResolvedLink, Written};
use crate::inline::{code_span, smart, wiki};
use crate::options::Options;
use crate::policy::SoftBreaks;
use crate::syntax::references::{Reference, Title};
use crate::syntax::text::Text;
use crate::syntax::unescape::{decode_entities, unescape};
use crate::tape::Tape;

/// A leaf's text with its marks.
#[derive(Clone, Copy)]
pub(super) struct InlineHtml<'a> {
    pub(super) text: Text<'a>,
    pub(super) marks: &'a [Mark],
    pub(super) links: &'a [ResolvedLink],
    pub(super) bare: &'a [Bare],
    pub(super) source: &'a str,
    pub(super) tape: &'a Tape,
    pub(super) options: &'a Options,
    pub(super) unsure: Unsure,
    /// The index of the first mark of the text. (Earlier ones belong to other text.)
    pub(super) first: usize,
}

impl<'a> InlineHtml<'a> {
    /// Appends the HTML of the text, and returns the length of the output at `place`, which is a
    /// neutral place (see `inline::neutral`).
    pub(super) fn push_parted(&self, place: usize, notes: &mut Notes, out: &mut String) -> usize {
        let first = self.marks.partition_point(|mark| (mark.start as usize) < place);
        let before = Text { end: place, ..self.text };
        Self { text: before, marks: &self.marks[..first], ..*self }.push(notes, out);
        let len = out.len();
        Self { text: Text { start: place, ..self.text }, first, ..*self }.push(notes, out);
        len
    }

    /// Appends the HTML of the text.
    pub(super) fn push(&self, notes: &mut Notes, out: &mut String) {
        if self.options.policy.soft_breaks == SoftBreaks::Newline {
            return self.push_marks(push_range, notes, out);
        }
        let line_end = soft_break(self.options);
        let push_text = |text: &str, start, end, out: &mut String| {
            push_lines(text.get(start..end).unwrap_or_default(), line_end, out);
        };
        self.push_marks(push_text, notes, out);
    }

    /// Writes the marks, and calls `push_text` for the text between them.
    #[inline]
    fn push_marks(
        &self,
        push_text: impl Fn(&str, usize, usize, &mut String),
        notes: &mut Notes,
        out: &mut String,
    ) {
        let mut from = self.text.start;
        let mut idx = self.first;
        while let Some(mark) = self.marks.get(idx) {
            idx += 1;
            if mark.kind.is_unused() {
                continue;
            }
            push_text(self.text.str, from, mark.start as usize, out);
            from = mark.end as usize;
            match mark.kind {
                MarkKind::Open { style, .. } => push_style_start(style, out),
                MarkKind::Close { style, .. } => push_style_end(style, out),
                MarkKind::Literal => self.push_literal(mark, out),
                MarkKind::CodeSpan { n_backticks } => {
                    out.push_str("<code>");
                    self.push_code(mark, n_backticks, out);
                    out.push_str("</code>");
                }
                MarkKind::Math { style } => {
                    let (start, end) = math_tags(style);
                    out.push_str(start);
                    self.push_math(mark, style, out);
                    out.push_str(end);
                }
                MarkKind::LinkOpen { close } => self.push_link_start(close, out),
                MarkKind::LinkClose { .. } => out.push_str("</a>"),
                MarkKind::ImageOpen { close } => {
                    self.push_image(from, idx..close.get() + 1, out);
                    from = self.marks[close.get()].end as usize;
                    idx = close.get() + 1;
                }
                MarkKind::AngleUrl | MarkKind::AngleEmail => self.push_angle(mark, out),
                MarkKind::WikiLink { pipe } => self.push_wiki_link(mark, pipe, out),
                MarkKind::FootnoteReference { number } => {
                    let label = self.tape.footnotes.label(number).slice(self.source);
                    notes.push_reference(number, label, self.options, out);
                }
                MarkKind::RawHtml => push_raw(self.slice(mark), self.options, out),
                MarkKind::BareLink { bare } => self.push_bare(mark, bare, out),
                MarkKind::TakenBack { bare } => push_escaped(&self.bare_text(mark, bare), out),
                MarkKind::Entity => self.push_entity(mark, out),
                MarkKind::Emoji { at } => out.push_str(emoji(at)),
                MarkKind::Quote { shown, .. } | MarkKind::LoneQuote { shown, .. } => {
                    out.push_str(shown.as_str());
                }
                MarkKind::Dashes | MarkKind::Ellipsis => push_smart(mark, out),
                MarkKind::HardBreak => out.push_str("<br />\n"),
                MarkKind::SoftBreak => out.push_str(soft_break(self.options)),
                MarkKind::End => return,
                MarkKind::ImageClose { .. } | MarkKind::Backslash | MarkKind::Unused => {}
            }
        }
        // After a split, the marks before it have no end mark.
        push_text(self.text.str, from, self.text.end, out);
    }

    /// Whether a mark ends after an offset of the source.
    #[inline]
    fn ends_behind(&self, mark: &Mark, offset: u32) -> bool {
        offset != u32::MAX && self.text.span(mark.start as usize, mark.end as usize).end > offset
    }

    fn slice(&self, mark: &Mark) -> &'a str {
        self.text.slice(mark.start as usize, mark.end as usize)
    }

    #[inline]
    fn push_literal(&self, mark: &Mark, out: &mut String) {
        push_entity(self.text.bytes()[mark.end as usize - 1], out);
    }

    fn push_entity(&self, mark: &Mark, out: &mut String) {
        if let Some((_, decoded)) = scan_entity(self.text.bytes(), mark.start as usize) {
            push_escaped(decoded.as_str(&mut [0; 4]), out);
        }
    }

    fn push_code(&self, mark: &Mark, n_backticks: u32, out: &mut String) {
        let run = n_backticks as usize;
        let (start, end) = (mark.start as usize + run, mark.end as usize - run);
        let padding = usize::from(code_span::is_padded(&self.text.bytes()[start..end]));
        let (start, end) = (start + padding, end - padding);
        // SPEC: 6.1: line endings become spaces.
        push_escaped_line(self.text.str, start, end, out);
    }

    /// Writes the content of math: display math as it is, other math like code.
    fn push_math(&self, mark: &Mark, style: MathStyle, out: &mut String) {
        let fence = style.fence_len();
        if style == MathStyle::Display {
            let (start, end) = (mark.start as usize + fence, mark.end as usize - fence);
            push_escaped_range(self.text.str, start, end, out);
        } else {
            self.push_code(mark, fence as u32, out);
        }
    }

    fn angle_text(&self, mark: &Mark) -> Cow<'a, str> {
        decode_entities(self.text.slice(mark.start as usize + 1, mark.end as usize - 1))
    }

    fn push_angle(&self, mark: &Mark, out: &mut String) {
        let text = self.angle_text(mark);
        let prefix = if mark.kind == MarkKind::AngleEmail { "mailto:" } else { "" };
        let destination = RawDestination::with_prefix(prefix, &text);
        push_link_start(destination, "", Form::Angle, self.options, out);
        push_escaped(&text, out);
        out.push_str("</a>");
    }

    /// The target and the text of a wiki link.
    fn wiki_parts(&self, mark: &Mark, pipe: Option<wiki::Pipe>) -> (Cow<'a, str>, Cow<'a, str>) {
        let (start, end) = (mark.start as usize, mark.end as usize);
        let (target, shown) = wiki::parts(&self.text, start..end, pipe);
        let slice = |part: Range<usize>| unescape(self.text.slice(part.start, part.end));
        (slice(target), slice(shown))
    }

    fn push_wiki_link(&self, mark: &Mark, pipe: Option<wiki::Pipe>, out: &mut String) {
        let (target, shown) = self.wiki_parts(mark, pipe);
        if self.ends_behind(mark, self.unsure.links) {
            out.push_str(pending_link(Form::Wiki));
        } else {
            push_link_start(RawDestination::new(&target), "", Form::Wiki, self.options, out);
        }
        push_escaped(&shown, out);
        out.push_str("</a>");
    }

    fn push_bare(&self, mark: &Mark, bare_idx: BareIdx, out: &mut String) {
        let bare = &self.bare[bare_idx.0 as usize];
        if self.ends_behind(mark, self.unsure.bare) {
            out.push_str(pending_link(bare.form()));
            push_escaped(&self.bare_text(mark, bare_idx), out);
        } else if bare.written == Written::Escaped {
            let text = self.bare_text(mark, bare_idx);
            let (prefix, rest) = bare.destination(&text);
            let destination = RawDestination::with_prefix(prefix, &rest);
            push_link_start(destination, "", bare.form(), self.options, out);
            push_escaped(&text, out);
        } else {
            let (start, end, text) = (mark.start as usize, mark.end as usize, self.text.str);
            let destination = RawDestination::verbatim(bare.prefix).of_range(text, start, end);
            // Text that needs no encoding needs no escaping either.
            if push_link_start(destination, "", bare.form(), self.options, out) {
                push_range(text, start, end, out);
            } else {
                push_escaped_range(text, start, end, out);
            }
        }
        out.push_str("</a>");
    }

    fn bare_text(&self, mark: &Mark, bare: BareIdx) -> Cow<'a, str> {
        let text = self.slice(mark);
        match self.bare[bare.0 as usize].written {
            Written::Escaped => unescape(text),
            Written::Plainly => Cow::Borrowed(text),
        }
    }

    /// The link or image with this closing mark.
    fn link(&self, close: MarkIdx) -> Option<&'a ResolvedLink> {
        match self.marks[close.get()].kind {
            MarkKind::LinkClose { link } | MarkKind::ImageClose { link } => {
                self.links.get(link.0 as usize)
            }
            _ => None,
        }
    }

    /// Writes the start tag of the link with this closing mark.
    fn push_link_start(&self, close: MarkIdx, out: &mut String) {
        let Some(link) = self.link(close) else { return };
        if self.ends_behind(&self.marks[close.get()], self.unsure.links) {
            return out.push_str(pending_link(link.form));
        }
        if let LinkTarget::Inline { destination, verbatim: true, title: None } = link.target {
            let destination = destination.slice(self.text.str);
            push_link_start(
                RawDestination::verbatim(destination),
                "",
                link.form,
                self.options,
                out,
            );
            return;
        }
        if let LinkTarget::Reference(idx) = link.target
            && let reference = self.tape.references.get(idx)
            && reference.verbatim
        {
            let destination = RawDestination::verbatim(reference.destination.slice(self.source));
            let title = unescape(self.title(reference));
            push_link_start(destination, &title, link.form, self.options, out);
            return;
        }
        let (destination, title) = self.target(link);
        push_link_start(RawDestination::new(&destination), &title, link.form, self.options, out);
    }

    /// The destination and title of a link or image.
    fn target(&self, link: &ResolvedLink) -> (Cow<'a, str>, Cow<'a, str>) {
        match link.target {
            LinkTarget::Inline { destination, title, .. } => {
                let destination = destination.slice(self.text.str);
                let title = title.map_or("", |title| title.slice(self.text.str));
                (unescape(destination), unescape(title))
            }
            LinkTarget::Reference(idx) => {
                let reference = self.tape.references.get(idx);
                let destination = reference.destination.slice(self.source);
                (unescape(destination), unescape(self.title(reference)))
            }
        }
    }

    /// The title of a definition, as written.
    fn title(&self, reference: &Reference) -> &'a str {
        match reference.title {
            Title::Source(span) => span.slice(self.source),
            Title::Arena(span) => self.tape.references.arena(span),
        }
    }

    /// Writes an image. `marks` are those of its description and the closing one; `from` is the
    /// start of the description.
    fn push_image(&self, from: usize, marks: Range<usize>, out: &mut String) {
        let Some(link) = self.link(MarkIdx(marks.end as u32 - 1)) else { return };
        let (destination, title) = self.target(link);
        if self.ends_behind(&self.marks[marks.end - 1], self.unsure.links) {
            push_pending_image_start(out);
        } else {
            push_image_start(&destination, self.options, out);
        }
        self.push_alt(from, &self.marks[marks], out);
        push_title(&title, out);
        out.push_str("\" />");
    }

    /// SPEC: 6.4: writes the description as plain text.
    fn push_alt(&self, mut from: usize, marks: &[Mark], out: &mut String) {
        for mark in marks {
            if mark.kind.is_unused() {
                continue;
            }
            push_lines(self.text.slice(from, mark.start as usize), " ", out);
            from = mark.end as usize;
            match mark.kind {
                MarkKind::Literal => self.push_literal(mark, out),
                MarkKind::CodeSpan { n_backticks } => self.push_code(mark, n_backticks, out),
                MarkKind::Emoji { at } => out.push_str(emoji(at)),
                MarkKind::Quote { .. }
                | MarkKind::LoneQuote { .. }
                | MarkKind::Dashes
                | MarkKind::Ellipsis => push_smart(mark, out),
                MarkKind::Math { style } => self.push_math(mark, style, out),
                MarkKind::Entity => self.push_entity(mark, out),
                MarkKind::RawHtml | MarkKind::FootnoteReference { .. } => {
                    push_escaped(self.slice(mark), out);
                }
                MarkKind::AngleUrl | MarkKind::AngleEmail => {
                    push_escaped(&self.angle_text(mark), out);
                }
                MarkKind::WikiLink { pipe } => push_escaped(&self.wiki_parts(mark, pipe).1, out),
                MarkKind::BareLink { bare } | MarkKind::TakenBack { bare } => {
                    push_escaped(&self.bare_text(mark, bare), out);
                }
                MarkKind::HardBreak | MarkKind::SoftBreak => out.push(' '),
                // Their content is written.
                MarkKind::Open { .. }
                | MarkKind::Close { .. }
                | MarkKind::LinkOpen { .. }
                | MarkKind::LinkClose { .. }
                | MarkKind::ImageOpen { .. }
                | MarkKind::ImageClose { .. }
                | MarkKind::Backslash
                | MarkKind::End
                | MarkKind::Unused => {}
            }
        }
    }
}

/// Writes the start tag of a style. (Each string is a constant, so that it is copied without a
/// call.)
#[inline]
fn push_style_start(style: Style, out: &mut String) {
    match style {
        Style::Emphasis => out.push_str("<em>"),
        Style::Strong => out.push_str("<strong>"),
        Style::Strikethrough => out.push_str("<del>"),
        Style::Mark => out.push_str("<mark>"),
        Style::Superscript => out.push_str("<sup>"),
        Style::Subscript => out.push_str("<sub>"),
    }
}

#[inline]
fn push_style_end(style: Style, out: &mut String) {
    match style {
        Style::Emphasis => out.push_str("</em>"),
        Style::Strong => out.push_str("</strong>"),
        Style::Strikethrough => out.push_str("</del>"),
        Style::Mark => out.push_str("</mark>"),
        Style::Superscript => out.push_str("</sup>"),
        Style::Subscript => out.push_str("</sub>"),
    }
}

/// Writes smart punctuation.
fn push_smart(mark: &Mark, out: &mut String) {
    out.push_str(&smart::shown(mark).unwrap_or_default());
}

/// Writes text without anything to escape, with `line_end` for its line endings.
fn push_lines(text: &str, line_end: &str, out: &mut String) {
    let mut lines = text.split('\n');
    out.push_str(lines.next().unwrap_or_default());
    for line in lines {
        out.push_str(line_end);
        out.push_str(line);
    }
}
