//! The HTML writer: walks the tape, parses each leaf's inlines as it comes to
//! it, and appends straight to one string.
//!
//! Markup is written here and nowhere else. `from_events` writes the same HTML
//! from public events; a property test holds the two together.

pub(crate) mod escape;
mod from_events;
mod inline;

pub use self::from_events::push_events;

use std::io;

use self::escape::{push_escaped, push_escaped_range, push_href, unescape};
use crate::block::tape::{
    BREAKS, Block, HAS_LINES, Kind, LOOSE, SEGMENTED, Segment, Tape, VARIANT,
};
use crate::inline::Inlines;
use crate::inline::join::Joined;
use crate::options::{Policy, RawHtml, Urls};

/// Bytes that [`Writer::write_document`] gathers before it writes.
const CHUNK: usize = 64 * 1024;

/// Heading tags by level minus one.
const HEADINGS: [(&str, &str); 6] = [
    ("<h1>", "</h1>\n"),
    ("<h2>", "</h2>\n"),
    ("<h3>", "</h3>\n"),
    ("<h4>", "</h4>\n"),
    ("<h5>", "</h5>\n"),
    ("<h6>", "</h6>\n"),
];

/// A document being written.
pub(crate) struct Writer<'d> {
    pub(crate) source: &'d str,
    pub(crate) tape: &'d Tape,
    pub(crate) joined: &'d mut Joined,
    pub(crate) inlines: &'d mut Inlines,
    pub(crate) policy: Policy,
    /// For each open list and block quote, whether paragraphs directly in it
    /// go without tags.
    pub(crate) tight: &'d mut Vec<bool>,
    /// Length of the output before the document.
    pub(crate) base: usize,
}

impl Writer<'_> {
    /// Appends the whole document.
    pub(crate) fn push_document(&mut self, out: &mut String) {
        self.tight.clear();
        self.base = out.len();
        for (idx, block) in self.tape.blocks.iter().enumerate() {
            self.push_block(idx, block, out);
        }
    }

    /// Writes the whole document in chunks of about [`CHUNK`] bytes.
    pub(crate) fn write_document(&mut self, to: &mut impl io::Write) -> io::Result<()> {
        self.tight.clear();
        self.base = 0;
        let mut out = String::with_capacity(CHUNK);
        for (idx, block) in self.tape.blocks.iter().enumerate() {
            self.push_block(idx, block, &mut out);
            // Only at the start of a line, so that the next block sees one.
            if out.len() >= CHUNK && out.ends_with('\n') {
                to.write_all(out.as_bytes())?;
                out.clear();
            }
        }
        to.write_all(out.as_bytes())
    }

    #[inline]
    fn start_line(&self, out: &mut String) {
        start_line(self.base, out);
    }

    fn push_block(&mut self, idx: usize, block: &Block, out: &mut String) {
        match block.kind {
            Kind::Paragraph => {
                if self.tight.last() == Some(&true) {
                    self.push_inlines(block, out);
                } else {
                    self.start_line(out);
                    out.push_str("<p>");
                    self.push_inlines(block, out);
                    out.push_str("</p>\n");
                }
            }
            Kind::Heading => {
                let (open, close) = HEADINGS[usize::from(block.aux.clamp(1, 6)) - 1];
                self.start_line(out);
                out.push_str(open);
                self.push_inlines(&self.tape.blocks[idx + 1], out);
                out.push_str(close);
            }
            Kind::CodeBlock => self.push_code_block(idx, out),
            Kind::HtmlBlock => self.push_html_block(block, out),
            Kind::ThematicBreak => {
                self.start_line(out);
                out.push_str("<hr />\n");
            }
            Kind::BlockQuote => {
                self.start_line(out);
                out.push_str("<blockquote>\n");
                self.tight.push(false);
            }
            Kind::List => {
                self.start_line(out);
                push_list_start(block.has(VARIANT).then_some(block.data), out);
                self.tight.push(!block.has(LOOSE));
            }
            Kind::Item => {
                self.start_line(out);
                out.push_str("<li>");
            }
            Kind::Exit => self.push_exit(block, out),
            Kind::Definition | Kind::Info | Kind::Content => {}
        }
    }

    fn push_exit(&mut self, block: &Block, out: &mut String) {
        let enter = &self.tape.blocks[block.data as usize];
        match enter.kind {
            Kind::BlockQuote => {
                self.start_line(out);
                out.push_str("</blockquote>\n");
                self.tight.pop();
            }
            Kind::List => {
                out.push_str(if enter.has(VARIANT) { "</ol>\n" } else { "</ul>\n" });
                self.tight.pop();
            }
            _ => out.push_str("</li>\n"),
        }
    }

    fn push_code_block(&mut self, idx: usize, out: &mut String) {
        let info = self.tape.blocks[idx + 1];
        let content = self.tape.blocks[idx + 2];
        self.start_line(out);
        if info.start == info.end {
            out.push_str("<pre><code>");
        } else {
            push_code_start(&unescape(info.span().slice(self.source)), out);
        }
        if content.has(HAS_LINES) {
            self.push_lines(&content, out, push_escaped_range);
            out.push('\n');
        }
        out.push_str("</code></pre>\n");
    }

    fn push_html_block(&mut self, block: &Block, out: &mut String) {
        self.start_line(out);
        match self.policy.raw_html {
            RawHtml::Pass => self.push_lines(block, out, |text, start, end, out| {
                out.push_str(text.get(start..end).unwrap_or_default());
            }),
            RawHtml::Escape => self.push_lines(block, out, push_escaped_range),
        }
        out.push('\n');
    }

    /// The lines of a leaf that are not inline text.
    fn push_lines(
        &mut self,
        block: &Block,
        out: &mut String,
        push: impl Fn(&str, usize, usize, &mut String),
    ) {
        if block.has(SEGMENTED) && !self.tape.has_nul {
            // Nothing but padding differs from the source: no need to join.
            for (n, segment) in self.tape.segments(block).iter().enumerate() {
                let Segment { start, end, pad } = *segment;
                if n > 0 {
                    out.push('\n');
                }
                for _ in 0..pad {
                    out.push(' ');
                }
                push(self.source, start as usize, end as usize, out);
            }
        } else {
            let text = self.joined.text(self.source, self.tape, block);
            push(text.str, text.start, text.end, out);
        }
    }

    fn push_inlines(&mut self, block: &Block, out: &mut String) {
        let text = self.joined.text(self.source, self.tape, block);
        self.inlines.parse(&text, &self.tape.references, block.has(BREAKS));
        inline::Inline {
            text,
            marks: &self.inlines.marks,
            links: &self.inlines.links,
            source: self.source,
            references: &self.tape.references,
            policy: self.policy,
        }
        .push(out);
    }
}

/// Starts a new line unless at the start of one, or of everything.
#[inline]
fn start_line(base: usize, out: &mut String) {
    if out.len() > base && !out.ends_with('\n') {
        out.push('\n');
    }
}

fn push_list_start(start: Option<u32>, out: &mut String) {
    match start {
        None => out.push_str("<ul>\n"),
        Some(1) => out.push_str("<ol>\n"),
        Some(number) => {
            out.push_str("<ol start=\"");
            out.push_str(&number.to_string());
            out.push_str("\">\n");
        }
    }
}

/// The start of a fenced code block; the first word of `info` is its language.
fn push_code_start(info: &str, out: &mut String) {
    match info.split([' ', '\t', '\n']).next() {
        None | Some("") => out.push_str("<pre><code>"),
        Some(language) => {
            out.push_str("<pre><code class=\"");
            if !language.starts_with("language-") {
                out.push_str("language-");
            }
            push_escaped(language, out);
            out.push_str("\">");
        }
    }
}

/// A destination as an attribute's value, emptied if the policy wants it.
fn push_destination(destination: &str, policy: Policy, out: &mut String) {
    let start = out.len();
    push_href(destination, out);
    if policy.urls == Urls::Safe && out.get(start..).is_some_and(escape::is_dangerous) {
        out.truncate(start);
    }
}

fn push_link_start(destination: &str, title: &str, policy: Policy, out: &mut String) {
    out.push_str("<a href=\"");
    push_destination(destination, policy, out);
    push_title(title, out);
    out.push_str("\">");
}

fn push_title(title: &str, out: &mut String) {
    if !title.is_empty() {
        out.push_str("\" title=\"");
        push_escaped(title, out);
    }
}

/// The source of a raw HTML tag inside text.
fn push_raw_html(html: &str, policy: Policy, out: &mut String) {
    match policy.raw_html {
        RawHtml::Pass => out.push_str(html),
        RawHtml::Escape => push_escaped(html, out),
    }
}
