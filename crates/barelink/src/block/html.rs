//! HTML blocks (CommonMark §4.6): seven start conditions, each with its end condition.
//!
//! | kind | starts with | ends at |
//! |---|---|---|
//! | 1 | `<pre` `<script` `<style` `<textarea` | a line with one of their end tags |
//! | 2–5 | `<!--` `<?` `<!` + letter `<![CDATA[` | a line with `-->` `?>` `>` `]]>` |
//! | 6 | the tag of a block element | a blank line |
//! | 7 | any other complete tag alone on its line, not in a paragraph | a blank line |
//!
//! LINEAR: a line is searched once for its block's end.

use super::heading::is_blank;
use super::line::{Indent, Line};
use super::{OpenLeaf, Phase};
use crate::syntax::tag::scan_tag;
use crate::tape::pieces::Lines;
use crate::tape::{Block, Record};

/// How an HTML block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HtmlEnd {
    /// At an end tag of any element in [`RAW_TAGS`].
    RawTag,
    /// At a line with `-->`.
    Comment,
    /// At a line with `]]>`.
    Cdata,
    /// At a line with `?>`.
    Instruction,
    /// At a line with `>`.
    Declaration,
    /// At a blank line.
    Blank,
}

/// Elements of kind 1, whose content is not markup.
const RAW_TAGS: [&str; 4] = ["pre", "script", "style", "textarea"];

/// Elements of kind 6, sorted.
const BLOCK_TAGS: [&str; 62] = [
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

/// Longer than any name in these lists.
const MAX_NAME: usize = 16;

/// The tag name at the start of `text`, in lower case.
fn tag_name<'n>(text: &[u8], name: &'n mut [u8; MAX_NAME]) -> &'n str {
    let len = text.iter().take(MAX_NAME).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    name[..len].copy_from_slice(&text[..len]);
    name[..len].make_ascii_lowercase();
    core::str::from_utf8(&name[..len]).unwrap_or("")
}

/// The end condition of the HTML block that `text`, a line from its `<` on, starts while a leaf is
/// `open`.
#[inline]
fn scan_start(text: &[u8], open: &OpenLeaf) -> Option<HtmlEnd> {
    let end = match text.get(1)? {
        b'!' => match text.get(2..)? {
            [b'-', b'-', ..] => HtmlEnd::Comment,
            [b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] => HtmlEnd::Cdata,
            [letter, ..] if letter.is_ascii_alphabetic() => HtmlEnd::Declaration,
            _ => return None,
        },
        b'?' => HtmlEnd::Instruction,
        _ => return scan_tag_start(text, open),
    };
    Some(end)
}

fn scan_tag_start(text: &[u8], open: &OpenLeaf) -> Option<HtmlEnd> {
    let closing = text[1] == b'/';
    let name_at = if closing { 2 } else { 1 };
    let mut name = [0; MAX_NAME];
    let name = tag_name(text.get(name_at..)?, &mut name);
    let after = text.get(name_at + name.len()..).unwrap_or_default();
    let name_ends = matches!(after, [] | [b' ' | b'\t' | b'>', ..]);
    if !closing && name_ends && RAW_TAGS.contains(&name) {
        return Some(HtmlEnd::RawTag);
    }
    if (name_ends || after.starts_with(b"/>")) && BLOCK_TAGS.binary_search(&name).is_ok() {
        return Some(HtmlEnd::Blank);
    }
    if *open == OpenLeaf::Paragraph {
        return None;
    }
    // Usually more text follows the tag, and its attributes need not be read.
    let last = text.iter().rposition(|byte| !matches!(byte, b' ' | b'\t'))?;
    let is_alone = text[last] == b'>' && scan_tag(text, 0) == Some(last + 1);
    is_alone.then_some(HtmlEnd::Blank)
}

/// Whether the line meets the end condition `end`.
fn is_last(line: &[u8], end: HtmlEnd) -> bool {
    let mut closers = memchr::memchr_iter(b'>', line);
    match end {
        HtmlEnd::Blank => false,
        HtmlEnd::Declaration => closers.next().is_some(),
        HtmlEnd::Instruction => closers.any(|at| line[..at].ends_with(b"?")),
        // The `-->` of most comments ends its line, so that nothing has to be searched.
        HtmlEnd::Comment => line.ends_with(b"-->") || closers.any(|at| line[..at].ends_with(b"--")),
        HtmlEnd::Cdata => closers.any(|at| line[..at].ends_with(b"]]")),
        HtmlEnd::RawTag => memchr::memchr_iter(b'<', line).any(|at| {
            let Some([b'/', rest @ ..]) = line.get(at + 1..) else { return false };
            let mut name = [0; MAX_NAME];
            let name = tag_name(rest, &mut name);
            RAW_TAGS.contains(&name) && rest.get(name.len()) == Some(&b'>')
        }),
    }
}

/// An HTML block outside of containers, in a source that is still being written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HtmlBlock {
    /// It may continue with another line; its text ends here so far.
    Open(usize),
    /// The line that ends it is not complete yet; the line ends here so far.
    LastLine(usize),
    /// Its last line is complete and ends here.
    Over(usize),
}

impl HtmlBlock {
    /// The end of its text.
    pub(crate) fn text_end(self) -> usize {
        match self {
            Self::Open(end) | Self::LastLine(end) | Self::Over(end) => end,
        }
    }
}

/// The HTML block that starts with the line at `start`, not after a paragraph. All lines end with
/// line feeds. `None` if there is none, or if its last line cannot be determined yet.
pub(crate) fn scan_block(source: &[u8], start: usize) -> Option<HtmlBlock> {
    let line_end = |start: usize| {
        memchr::memchr(b'\n', &source[start..]).map_or(source.len(), |len| start + len)
    };
    let mut line = start..line_end(start);
    let end = scan_start(&source[line.clone()], &OpenLeaf::None)?;
    loop {
        let is_complete = line.end < source.len();
        if is_last(&source[line.clone()], end) {
            let over = if is_complete { HtmlBlock::Over } else { HtmlBlock::LastLine };
            return Some(over(line.end));
        }
        let next = line.end + 1;
        if next >= source.len() {
            return Some(HtmlBlock::Open(line.end));
        }
        let before = line.end;
        line = next..line_end(next);
        if end == HtmlEnd::Blank && source[line.clone()].iter().all(|byte| is_blank(*byte)) {
            return (line.end < source.len()).then_some(HtmlBlock::Over(before));
        }
    }
}

impl Phase<'_, '_> {
    pub(super) fn open_html(&mut self, line: &Line<'_>, indent: Indent, matched: usize) -> bool {
        let text = &self.source.as_bytes()[indent.at..line.end];
        let Some(end) = scan_start(text, &self.state.leaf) else { return false };
        self.close_containers(matched);
        self.push_leaf(Record::new(Block::Html(Lines::default()), line.at, line.end));
        self.tape.add_line(self.state.text_idx, self.source.as_bytes(), line.rest());
        self.state.leaf = if is_last(text, end) { OpenLeaf::None } else { OpenLeaf::Html(end) };
        true
    }

    /// True if the line belongs to the open HTML block.
    pub(super) fn html_line(&mut self, line: &mut Line<'_>, end: HtmlEnd) -> bool {
        let blank = line.indent().at >= line.end;
        if blank && end == HtmlEnd::Blank {
            return false;
        }
        self.tape.add_line(self.state.text_idx, self.source.as_bytes(), line.rest());
        self.state.content_end = line.end;
        self.state.after_blank = blank;
        if is_last(&self.source.as_bytes()[line.at..line.end], end) {
            self.state.leaf = OpenLeaf::None;
        }
        true
    }
}
