//! The text of a leaf without its markup, as readers see it, or as ids of headings are made
//! from it: code and links are their text, raw HTML is left out.
//!
//! | | for readers | for ids |
//! |---|---|---|
//! | an image | its description | nothing |
//! | a reference to a footnote | as it is written | nothing |
//! | emoji, smart punctuation | what is shown | as it is written |
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

/// Whom the text is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum For {
    Readers,
    /// GitHub's ids have the names of emoji, and an id depends on no typography.
    Ids,
}

/// The plain text of a leaf whose marks were found last, for its id.
pub(crate) fn plain_text(text: &Text<'_>, inlines: &Inlines) -> String {
    let mut out = String::with_capacity(text.end - text.start);
    push_plain(For::Ids, text, inlines, &mut out);
    out
}

/// Appends the plain text of a leaf whose marks were found last.
pub(crate) fn push_plain(whom: For, text: &Text<'_>, inlines: &Inlines, out: &mut String) {
    // Most messages are one line, and to search each of its parts would take longer than to copy it.
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

/// The marks, and by `push_text` what stands between them and in code.
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
            // Left out, but what some of them hold comes by itself.
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

/// Where the code is between two runs of so many backticks or dollar signs.
fn code_between(text: &Text<'_>, mark: &Mark, run: usize) -> (usize, usize) {
    let (start, end) = (mark.start as usize + run, mark.end as usize - run);
    let padding = usize::from(code_span::is_padded(&text.bytes()[start..end]));
    (start + padding, end - padding)
}

/// Text with its line endings as spaces.
fn push_lines(text: &Text<'_>, mut start: usize, end: usize, out: &mut String) {
    let bytes = &text.bytes()[..end];
    while let Some(len) = memchr::memchr(b'\n', bytes.get(start..).unwrap_or_default()) {
        push_range(text.str, start, start + len, out);
        out.push(' ');
        start += len + 1;
    }
    push_range(text.str, start, end, out);
}
