//! A document as plain text, one line for each block.
//!
//! LINEAR: one pass over the tape, and over the text and the marks of each leaf.

use barelink_text::find::push_range;

use crate::html::Writer;
use crate::inline::plain::{For, push_plain};
use crate::inline::recorder::MarksOnly;
use crate::tape::pieces::{Layout, Lines};
use crate::tape::{Block, Record};

/// Appends the text of a document.
#[inline]
pub(crate) fn push(writer: &mut Writer<'_>, out: &mut String) {
    let base = out.len();
    let records = &writer.tape.records;
    for (idx, record) in records.iter().enumerate() {
        match record.block {
            Block::CodeText(lines) => {
                if lines.layout != Layout::NoLines {
                    writer.push_lines(record, lines, out, push_range);
                    out.push('\n');
                }
                end_line(base, out);
            }
            Block::Row { n_cells, .. } => {
                for cell in records.iter().skip(idx + 1).take(n_cells.into()) {
                    push_leaf(writer, cell, cell.lines(), out);
                    out.push('\t');
                }
                if out.len() > base && out.ends_with('\t') {
                    out.pop();
                }
                end_line(base, out);
            }
            // Written with its row.
            Block::Cell(_) => {}
            block => {
                if let Some(lines) = block.inline_lines() {
                    push_leaf(writer, record, lines, out);
                    end_line(base, out);
                }
            }
        }
    }
}

/// Appends the text of a leaf.
fn push_leaf(writer: &mut Writer<'_>, record: &Record, lines: Lines, out: &mut String) {
    let Writer { source, tape, joined, inlines, context, candidates, .. } = writer;
    let text = joined.text(source, tape, record.span(), lines);
    inlines.parse(&text, context, candidates, &mut MarksOnly);
    push_plain(For::Readers, &text, inlines, out);
}

/// Ends the line, unless it is empty.
fn end_line(base: usize, out: &mut String) {
    if out.len() > base && !out.ends_with('\n') {
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use barelink_spectest::{made, random::Random};

    use crate::event::{EventKind, TagEnd};
    use crate::{Options, Parser, parse, to_text};

    /// The text as its events tell it.
    fn text_of_events(source: &str, options: &Options) -> String {
        let mut out = String::new();
        let end_line = |out: &mut String| super::end_line(0, out);
        for event in parse(source, options).unwrap().events() {
            match event.kind {
                EventKind::Text(text) | EventKind::Code(text) | EventKind::Math { text, .. } => {
                    out.push_str(&text);
                }
                EventKind::FootnoteReference { written, .. } => out.push_str(&written),
                EventKind::SoftBreak => out.push(' '),
                EventKind::HardBreak => out.push('\n'),
                EventKind::End(TagEnd::Cell) => out.push('\t'),
                EventKind::End(TagEnd::Row) => {
                    if out.ends_with('\t') {
                        out.pop();
                    }
                    end_line(&mut out);
                }
                EventKind::End(
                    TagEnd::Paragraph | TagEnd::Term | TagEnd::Heading { .. } | TagEnd::CodeBlock,
                ) => end_line(&mut out),
                _ => {}
            }
        }
        out
    }

    #[test]
    fn it_is_the_text_of_the_events() {
        let mut parsers: Vec<Parser> = Options::PRESETS
            .iter()
            .map(|name| Parser::new(Options::preset(name).expect("a listed preset exists")))
            .collect();
        let mut everything = Options::natural();
        everything.smart_punctuation = true;
        everything.definition_lists = true;
        everything.heading_attributes = true;
        everything.front_matter = true;
        everything.wiki_links = true;
        everything.mark = true;
        everything.superscript = true;
        everything.autolinks.domains = true;
        parsers.push(Parser::new(everything));
        let mut random = Random::new(17);
        for _ in 0..3000 {
            let made = random.document(&made::PIECES);
            for source in [made.replace('\n', "\r\n"), made.replace('a', "\0"), made] {
                for parser in &mut parsers {
                    let options = parser.options().clone();
                    let (mut text, expected) = (String::new(), text_of_events(&source, &options));
                    parser.push_text(&source, &mut text).unwrap();
                    assert_eq!(text, expected, "{source:?} with {options:?}");
                    text.clear();
                    parser.parse(&source).unwrap().push_text(&mut text);
                    assert_eq!(text, expected, "{source:?} with {options:?}");
                }
            }
        }
    }

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
            parse(source, &Options::gfm()).unwrap().push_text(&mut out);
            assert_eq!(out, text.repeat(2), "{source:?}");
        }
    }
}
