//! The text of a leaf without its markup, as ids of headings are made from it: code and
//! links are their text, line endings are spaces; images, raw HTML and references to
//! footnotes are left out.
//!
//! LINEAR: one pass over text and marks.

use barelink_text::entity::scan_entity;

use super::Inlines;
use super::Written;
use super::code_span;
use super::mark::MarkKind;
use super::wiki;
use crate::syntax::text::Text;
use crate::syntax::unescape::{decode_entities, unescape};

/// The plain text of a leaf whose marks were found last.
pub(crate) fn plain_text(text: &Text<'_>, inlines: &Inlines) -> String {
    let mut out = String::with_capacity(text.end - text.start);
    let mut from = text.start;
    let mut idx = 0;
    while let Some(mark) = inlines.marks.get(idx) {
        idx += 1;
        if mark.kind == MarkKind::Unused {
            continue;
        }
        let (start, end) = (mark.start as usize, mark.end as usize);
        push_lines(text.slice(from, start), &mut out);
        from = end;
        match mark.kind {
            // The byte that is escaped.
            MarkKind::Literal => push_lines(text.slice(end - 1, end), &mut out),
            MarkKind::Entity => {
                if let Some((_, decoded)) = scan_entity(text.bytes(), start) {
                    out.push_str(decoded.as_str(&mut [0; 4]));
                }
            }
            MarkKind::CodeSpan { n_backticks } => {
                let run = n_backticks as usize;
                push_lines(code_span::strip(text.slice(start + run, end - run)), &mut out);
            }
            MarkKind::Math { style } => {
                let fence = style.fence_len();
                push_lines(code_span::strip(text.slice(start + fence, end - fence)), &mut out);
            }
            MarkKind::WikiLink { pipe } => {
                let (_, shown) = wiki::parts(text, start..end, pipe);
                out.push_str(&unescape(text.slice(shown.start, shown.end)));
            }
            MarkKind::AngleUrl | MarkKind::AngleEmail => {
                out.push_str(&decode_entities(text.slice(start + 1, end - 1)));
            }
            MarkKind::BareLink { bare } | MarkKind::TakenBack { bare } => {
                let shown = text.slice(start, end);
                match inlines.bare[bare.0 as usize].written {
                    Written::Escaped => out.push_str(&unescape(shown)),
                    Written::Plainly => out.push_str(shown),
                }
            }
            // GitHub's ids have the name, and an id depends on no typography.
            MarkKind::Emoji { .. }
            | MarkKind::Quote { .. }
            | MarkKind::LoneQuote { .. }
            | MarkKind::Dashes
            | MarkKind::Ellipsis => out.push_str(text.slice(start, end)),
            MarkKind::SoftBreak | MarkKind::HardBreak => out.push(' '),
            MarkKind::ImageOpen { close } => {
                idx = close.get() + 1;
                from = inlines.marks[close.get()].end as usize;
            }
            // Left out, but what some of them hold comes by itself.
            MarkKind::RawHtml
            | MarkKind::FootnoteReference { .. }
            | MarkKind::Open { .. }
            | MarkKind::Close { .. }
            | MarkKind::LinkOpen { .. }
            | MarkKind::LinkClose { .. }
            | MarkKind::ImageClose { .. }
            | MarkKind::Backslash
            | MarkKind::End
            | MarkKind::Unused => {}
        }
    }
    out
}

/// Text with its line endings as spaces.
fn push_lines(text: &str, out: &mut String) {
    out.extend(text.chars().map(|c| if c == '\n' { ' ' } else { c }));
}
