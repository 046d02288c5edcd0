//! The parser with its buffers, and the document it gives: block structure,
//! from which HTML or events are made.

use std::io;

use barelink_autolink::Rules;
use barelink_autolink::candidate::Candidates;
use barelink_text::LineIndex;

use crate::block::{self, tape::Tape};
use crate::events::Events;
use crate::explain::Decisions;
use crate::html::{self, Writer};
use crate::inline::join::Joined;
use crate::inline::{Context, Inlines};
use crate::links::{Link, Links};
use crate::options::Options;
use crate::policy::Action;

/// Bytes that reference links may always copy from definitions.
use crate::inline::MIN_EXPANSION;

/// A source longer than offsets of 32 bits can tell: 4 GiB or more.
///
/// This is the only way in which parsing can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceTooLong {
    /// Length of the refused source in bytes.
    pub len: usize,
}

impl std::fmt::Display for SourceTooLong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the source has {} bytes, and {MAX_SOURCE} are the most", self.len)
    }
}

impl std::error::Error for SourceTooLong {}

/// The longest source that is accepted, in bytes.
pub const MAX_SOURCE: usize = u32::MAX as usize - 1;

pub(crate) fn check_len(len: usize) -> Result<(), SourceTooLong> {
    if len > MAX_SOURCE { Err(SourceTooLong { len }) } else { Ok(()) }
}

/// Parses many documents with the same options and the same memory.
///
/// ```
/// use barelink::{Options, Parser};
/// let mut parser = Parser::new(Options::commonmark());
/// let mut html = String::new();
/// for message in ["*hi*", "`there`"] {
///     parser.push_html(message, &mut html)?;
/// }
/// assert_eq!(html, "<p><em>hi</em></p>\n<p><code>there</code></p>\n");
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
#[derive(Debug)]
pub struct Parser {
    options: Options,
    buffers: Buffers,
}

/// What is kept from document to document.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    block: block::Buffers,
    pub(crate) tape: Tape,
    pub(crate) inlines: Inlines,
    pub(crate) joined: Joined,
    html: html::State,
}

impl Parser {
    /// A parser with these options.
    pub fn new(options: Options) -> Self {
        Self { options, buffers: Buffers::default() }
    }

    /// The options it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Takes other options from now on, and keeps its memory.
    ///
    /// ```
    /// use barelink::{Options, Parser};
    /// let mut parser = Parser::new(Options::commonmark());
    /// assert_eq!(parser.parse("www.a.bc")?.links().count(), 0);
    /// parser.set_options(Options::gfm());
    /// assert_eq!(parser.parse("www.a.bc")?.links().count(), 1);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Parses the block structure of `source`.
    ///
    /// # Errors
    /// If the source is longer than [`MAX_SOURCE`].
    ///
    /// ```
    /// use barelink::{EventKind, Options, Parser, Tag};
    /// let mut parser = Parser::new(Options::commonmark());
    /// let mut document = parser.parse("# Title\n\ntext")?;
    /// let n_headings = document
    ///     .events()
    ///     .filter(|event| matches!(event.kind, EventKind::Start(Tag::Heading { .. })))
    ///     .count();
    /// assert_eq!(n_headings, 1);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn parse<'p, 's>(&'p mut self, source: &'s str) -> Result<Document<'p, 's>, SourceTooLong> {
        check_len(source.len())?;
        block::parse(source, &self.options, &mut self.buffers.tape, &mut self.buffers.block);
        Ok(Document { source, options: &self.options, buffers: &mut self.buffers })
    }

    /// Appends the HTML of `source` to `out`.
    ///
    /// # Errors
    /// If the source is longer than [`MAX_SOURCE`]; `out` is then unchanged.
    pub fn push_html(&mut self, source: &str, out: &mut String) -> Result<(), SourceTooLong> {
        self.parse(source)?.push_html(out);
        Ok(())
    }
}

/// A parsed document.
///
/// Block structure is parsed, text is not yet: that happens while HTML or
/// events are made, block by block, so neither needs memory for the whole.
#[derive(Debug)]
pub struct Document<'p, 's> {
    source: &'s str,
    options: &'p Options,
    buffers: &'p mut Buffers,
}

impl<'s> Document<'_, 's> {
    /// The source it was parsed from.
    pub fn source(&self) -> &'s str {
        self.source
    }

    /// The lines of the source: turns a span's offsets into line and column.
    ///
    /// ```
    /// use barelink::{LineCol, Options, Parser};
    /// let mut parser = Parser::new(Options::commonmark());
    /// let mut document = parser.parse("# one\n\n* two")?;
    /// let lines = document.line_index();
    /// let last = document.events().last().unwrap();
    /// assert_eq!(lines.line_col(last.span.start), LineCol { line: 3, column: 1 });
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn line_index(&self) -> LineIndex<'s> {
        LineIndex::new(self.source)
    }

    /// The document as events, in order. Can be called again.
    pub fn events(&mut self) -> Events<'_, 's> {
        self.reset_budget();
        Events::new(self.source, *self.options, self.buffers)
    }

    /// Every link and image of the document, in the order they start.
    ///
    /// ```
    /// use barelink::{Form, Options, Parser};
    /// let mut parser = Parser::new(Options::gfm());
    /// let mut document = parser.parse("see www.a.bc and [b](/c)")?;
    /// let links: Vec<_> = document.links().map(|link| (link.form, link.destination)).collect();
    /// assert_eq!(links, [(Form::BareWww, "http://www.a.bc".into()), (Form::Inline, "/c".into())]);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn links(&mut self) -> Links<'_, 's> {
        Links::new(self.events())
    }

    /// What was decided about every candidate for a bare link, and why.
    ///
    /// ```
    /// use barelink::{Options, Parser, Verdict, autolink::Rule};
    /// let mut parser = Parser::new(Options::gfm());
    /// let mut document = parser.parse("see \"www.a.bc\"")?;
    /// let decision = document.explain().next().unwrap();
    /// assert_eq!(decision.verdict, Verdict::Refused { rule: Rule::Before, at: 4 });
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn explain(&mut self) -> Decisions<'_, 's> {
        self.reset_budget();
        Decisions::new(self.source, *self.options, self.buffers)
    }

    /// Appends the document's HTML to `out`.
    pub fn push_html(&mut self, out: &mut String) {
        out.reserve(self.source.len() + self.source.len() / 4);
        self.writer().push_document(out);
    }

    /// The same, but `hook` decides about each link and image.
    ///
    /// ```
    /// use barelink::{Action, Options, Parser};
    /// let mut parser = Parser::new(Options::gfm());
    /// let mut document = parser.parse("[a](/b) ![c](/d) www.e.fg")?;
    /// let mut html = String::new();
    /// let hook = |link: &barelink::Link<'_>| {
    ///     if link.image {
    ///         Action::Plain
    ///     } else if link.form.is_bare() {
    ///         Action::Keep
    ///     } else {
    ///         Action::Rewrite(format!("/out?to={}", link.destination))
    ///     }
    /// };
    /// document.push_html_with(hook, &mut html);
    /// assert_eq!(
    ///     html,
    ///     "<p><a href=\"/out?to=/b\">a</a> c <a href=\"http://www.e.fg\">www.e.fg</a></p>\n"
    /// );
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn push_html_with(&mut self, mut hook: impl FnMut(&Link<'_>) -> Action, out: &mut String) {
        let mut writer = self.writer();
        writer.hook = Some(&mut hook);
        writer.push_document(out);
    }

    /// Writes the document's HTML, in pieces of some 64 KiB.
    ///
    /// # Errors
    /// What the writer gives.
    ///
    /// ```
    /// use barelink::{Options, Parser};
    /// let mut parser = Parser::new(Options::commonmark());
    /// let mut out = Vec::new();
    /// parser.parse("*hi*").unwrap().write_html(&mut out)?;
    /// assert_eq!(out, b"<p><em>hi</em></p>\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_html(&mut self, mut out: impl io::Write) -> io::Result<()> {
        self.writer().write_document(&mut out)
    }

    fn reset_budget(&mut self) {
        self.buffers.inlines.expansion_budget = self.source.len().max(MIN_EXPANSION);
    }

    fn writer(&mut self) -> Writer<'_> {
        self.reset_budget();
        let Buffers { tape, inlines, joined, html: state, .. } = &mut *self.buffers;
        Writer {
            source: self.source,
            options: self.options,
            tape,
            joined,
            inlines,
            context: Context::new(self.options, tape),
            state,
            candidates: candidates(self.source, self.options),
            lines: self.options.policy.source_positions.then(|| LineIndex::new(self.source)),
            hook: None,
        }
    }
}

/// Where `source` could have bare links, if anybody asks.
pub(crate) fn candidates<'s>(source: &'s str, options: &Options) -> Candidates<'s> {
    match options.autolinks.rules() {
        Some(rules) => Candidates::new(source.as_bytes(), rules),
        // Nobody will ask.
        None => Candidates::new(b"", Rules::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_SOURCE, SourceTooLong, check_len};

    #[test]
    fn sources_up_to_the_limit_are_accepted() {
        assert_eq!(check_len(MAX_SOURCE), Ok(()));
        assert_eq!(check_len(MAX_SOURCE + 1), Err(SourceTooLong { len: MAX_SOURCE + 1 }));
    }
}
