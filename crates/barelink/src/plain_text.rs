//! A document as plain text, one line for each block of it.
//!
//! LINEAR: one pass over the events.

use crate::event::{Event, EventKind, TagEnd};

/// Appends the text of a document.
pub(crate) fn push<'s>(events: impl Iterator<Item = Event<'s>>, out: &mut String) {
    let base = out.len();
    for event in events {
        match event.kind {
            EventKind::Text(text) | EventKind::Code(text) | EventKind::Math { text, .. } => {
                out.push_str(&text);
            }
            EventKind::FootnoteReference { written, .. } => out.push_str(&written),
            EventKind::SoftBreak => out.push(' '),
            EventKind::HardBreak => out.push('\n'),
            EventKind::End(TagEnd::Cell) => out.push('\t'),
            EventKind::End(TagEnd::Row) => {
                if out.len() > base && out.ends_with('\t') {
                    out.pop();
                }
                end_line(base, out);
            }
            EventKind::End(
                TagEnd::Paragraph | TagEnd::Term | TagEnd::Heading { .. } | TagEnd::CodeBlock,
            ) => {
                end_line(base, out);
            }
            _ => {}
        }
    }
}

/// Ends the line, unless nothing is on it.
fn end_line(base: usize, out: &mut String) {
    if out.len() > base && !out.ends_with('\n') {
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, to_text};

    #[test]
    fn a_block_is_a_line() {
        for (source, text) in [
            ("", ""),
            ("a\nb  \nc", "a b\nc\n"),
            ("# *a* `b`\n***\n> c\n> d", "a b\nc d\n"),
            ("- a\n- b\n\n  c", "a\nb\nc\n"),
            ("```x\na\n\nb\n```\n\n    c\n", "a\n\nb\nc\n"),
            ("|a|b|\n|-|-|\n|c|\n||d|", "a\tb\nc\n\td\n"),
            ("![a *b*](c) [d](e) <http://f.gh> www.i.jk", "a b d http://f.gh www.i.jk\n"),
            ("a<b>c</b>\n\n<div>\nd\n</div>", "ac\n"),
            ("[a]: /b\n\n&amp; \\* &#65;", "& * A\n"),
            ("<!-- -->\n\n```\n```", ""),
        ] {
            let mut out = to_text(source, &Options::gfm()).unwrap();
            assert_eq!(out, text, "{source:?}");
            // It makes no difference what is there already.
            crate::parse(source, &Options::gfm()).unwrap().push_text(&mut out);
            assert_eq!(out, text.repeat(2), "{source:?}");
        }
    }
}
