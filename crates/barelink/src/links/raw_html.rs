//! The links of raw HTML: `<a href>` and `<img src>`, in inline tags or in a block.
//!
//! LINEAR: each block is read once, when it is complete, and one is kept at a time.

use std::borrow::Cow;

use barelink_text::Span;

use super::WaitingLink;
use crate::event::{EventKind, Form, Tag, TagEnd, Target};
use crate::html::tokens::{HtmlPiece, Tokens, attribute};
use crate::syntax::unescape::decode_entities;

/// The lines of an HTML block, with their places in the source.
#[derive(Debug, Default)]
pub(super) struct HtmlLines {
    text: String,
    /// The start of each range, in `text` and in the source.
    pieces: Vec<(usize, u32)>,
}

impl HtmlLines {
    /// Reads an event, and adds the links of raw HTML that it completes.
    pub(super) fn read<'s>(
        &mut self,
        kind: &EventKind<'s>,
        span: Span,
        mut add: impl FnMut(WaitingLink<'s>),
    ) {
        match kind {
            EventKind::InlineHtml(tag) => {
                link_of(tag, span).into_iter().for_each(add);
            }
            EventKind::Start(Tag::HtmlBlock) => {
                self.text.clear();
                self.pieces.clear();
            }
            EventKind::Html(lines) => {
                self.pieces.push((self.text.len(), span.start));
                self.text.push_str(lines);
            }
            EventKind::End(TagEnd::HtmlBlock) => {
                for (piece, range) in Tokens::new(&self.text) {
                    if matches!(piece, HtmlPiece::Anchor | HtmlPiece::Markup) {
                        // A tag ends in the line of its last byte.
                        let (start, last) = (range.start, range.end.max(1) - 1);
                        let at = Span::new(self.offset(start), self.offset(last) + 1);
                        let tag = self.text.get(range).unwrap_or_default();
                        link_of(tag, at).into_iter().for_each(&mut add);
                    }
                }
            }
            _ => {}
        }
    }

    /// Maps an offset of the text to the source.
    fn offset(&self, at: usize) -> u32 {
        let after = self.pieces.partition_point(|piece| piece.0 <= at);
        let (start, source) = self.pieces.get(after.saturating_sub(1)).copied().unwrap_or_default();
        source + (at - start.min(at)) as u32
    }
}

/// The link of a tag, if it has one.
fn link_of<'s>(tag: &str, span: Span) -> Option<WaitingLink<'s>> {
    let (image, name) = if is_tag(tag, "a") {
        (false, "href")
    } else if is_tag(tag, "img") {
        (true, "src")
    } else {
        return None;
    };
    let value = |name: &str| Some(decode_entities(attribute(tag, name)?).into_owned());
    let destination = Cow::Owned(value(name)?.trim_ascii().to_owned());
    let title = Cow::Owned(value("title").unwrap_or_default());
    let alt = if image { value("alt") } else { None };
    let text = Cow::Owned(alt.unwrap_or_default());
    Some(WaitingLink { image, target: Target { destination, title, form: Form::Html }, text, span })
}

fn is_tag(tag: &str, name: &str) -> bool {
    let rest = tag.get(1..).and_then(|rest| rest.split_at_checked(name.len()));
    rest.is_some_and(|(head, after)| {
        head.eq_ignore_ascii_case(name)
            && after.starts_with(|c: char| c.is_ascii_whitespace() || c == '/')
    })
}
