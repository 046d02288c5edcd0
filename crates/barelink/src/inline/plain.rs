//! The text of a leaf without its markup, as readers see it, or for the ids of headings: code and
//! links become their text, raw HTML is left out.
//!
//! | | for readers | for ids |
//! |---|---|---|
//! | an image | its description | nothing |
//! | a footnote reference | as written | nothing |
//! | emoji, smart punctuation | as displayed | as written |
//! | a hard line break | a line feed | a space |
//!
//! LINEAR: one pass over text and marks.

use barelink_text::entity::scan_entity;
use barelink_text::find::push_range;

use super::Inlines;
use super::Written;
use super::code_span;
use super::emoji::emoji;
use super::mark::{Mark, MarkKind};
use super::smart;
use super::wiki;
use crate::event::MathStyle;
use crate::syntax::text::Text;
use crate::syntax::unescape::{decode_entities, unescape};

/// What the text is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum For {
    Readers,
    /// GitHub's ids have the names of emoji, and do not depend on typography.
    Ids,
}

/// The plain text of a leaf for its id. The marks are those of the leaf.
pub(crate) fn plain_text(text: &Text<'_>, inlines: &Inlines) -> String {
    let mut out = String::with_capacity(text.end - text.start);
    push_plain(For::Ids, text, inlines, &mut out);
    out
}

/// Appends the plain text of a leaf. The marks are those of the leaf.
pub(crate) fn push_plain(whom: For, text: &Text<'_>, inlines: &Inlines, out: &mut String) {
    // Most messages are one line, and copying it takes less time than searching each part of it.
    if memchr::memchr(b'\n', &text.bytes()[text.start..text.end]).is_none() {
        push_marks(
            whom,
            text,
            inlines,
            |start, end, out| push_range(text.str, start, end, out),
            out,
        );
    } else {
        push_marks(whom, text, inlines, |start, end, out| push_lines(text, start, end, out), out);
    }
}

/// Appends the text of the marks, and calls `push_text` for the text between them and in code.
#[inline]
fn push_marks(
    whom: For,
    text: &Text<'_>,
    inlines: &Inlines,
    push_text: impl Fn(usize, usize, &mut String),
    out: &mut String,
) {
    let mut from = text.start;
    let mut idx = 0;
    while let Some(mark) = inlines.marks.get(idx) {
        idx += 1;
        if mark.kind == MarkKind::Unused {
            continue;
        }
        let (start, end) = (mark.start as usize, mark.end as usize);
        push_text(from, start, out);
        from = end;
        match mark.kind {
            // The byte that is escaped is text.
            MarkKind::Literal => from -= 1,
            MarkKind::Entity => {
                if let Some((_, decoded)) = scan_entity(text.bytes(), start) {
                    out.push_str(decoded.as_str(&mut [0; 4]));
                }
            }
            MarkKind::CodeSpan { n_backticks } => {
                let (start, end) = code_between(text, mark, n_backticks as usize);
                push_text(start, end, out);
            }
            MarkKind::Math { style: MathStyle::Display } if whom == For::Readers => {
                let fence = MathStyle::Display.fence_len();
                push_range(text.str, start + fence, end - fence, out);
            }
            MarkKind::Math { style } => {
                let (start, end) = code_between(text, mark, style.fence_len());
                push_text(start, end, out);
            }
            MarkKind::WikiLink { pipe } => {
                let (_, shown) = wiki::parts(text, start..end, pipe);
                out.push_str(&unescape(text.slice(shown.start, shown.end)));
            }
            MarkKind::AngleUrl | MarkKind::AngleEmail => {
                out.push_str(&decode_entities(text.slice(start + 1, end - 1)));
            }
            MarkKind::BareLink { bare } | MarkKind::TakenBack { bare } => {
                match inlines.bare[bare.0 as usize].written {
                    Written::Escaped => out.push_str(&unescape(text.slice(start, end))),
                    Written::Plainly => push_range(text.str, start, end, out),
                }
            }
            MarkKind::HardBreak if whom == For::Readers => out.push('\n'),
            MarkKind::SoftBreak | MarkKind::HardBreak => out.push(' '),
            MarkKind::ImageOpen { close } if whom == For::Ids => {
                idx = close.get() + 1;
                from = inlines.marks[close.get()].end as usize;
            }
            MarkKind::FootnoteReference { .. } if whom == For::Ids => {}
            MarkKind::FootnoteReference { .. } => push_range(text.str, start, end, out),
            MarkKind::Emoji { at } if whom == For::Readers => out.push_str(emoji(at)),
            MarkKind::Emoji { .. }
            | MarkKind::Quote { .. }
            | MarkKind::LoneQuote { .. }
            | MarkKind::Dashes
            | MarkKind::Ellipsis => match smart::shown(mark) {
                Some(shown) if whom == For::Readers => out.push_str(&shown),
                _ => push_range(text.str, start, end, out),
            },
            // Left out; the text that some of them enclose is appended separately.
            MarkKind::RawHtml
            | MarkKind::Open { .. }
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

/// The range of the code between two runs of `run` backticks or dollar signs.
fn code_between(text: &Text<'_>, mark: &Mark, run: usize) -> (usize, usize) {
    let (start, end) = (mark.start as usize + run, mark.end as usize - run);
    let padding = usize::from(code_span::is_padded(&text.bytes()[start..end]));
    (start + padding, end - padding)
}

/// Appends text with line endings as spaces.
fn push_lines(text: &Text<'_>, mut start: usize, end: usize, out: &mut String) {
    let bytes = &text.bytes()[..end];
    while let Some(len) = memchr::memchr(b'\n', bytes.get(start..).unwrap_or_default()) {
        push_range(text.str, start, start + len, out);
        out.push(' ');
        start += len + 1;
    }
    push_range(text.str, start, end, out);
}
