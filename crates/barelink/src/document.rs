//! The parser with its memory, and the document that it returns: the block structure, from which
//! HTML, events, links and explanations are made.
//!
//! A document is read through shared references, so several readers can read it at the same time.
//! Each reader needs a `Scratch`; the document keeps one between readings, so that reading a short
//! text allocates nothing.

use std::io;
use std::sync::Arc;

use barelink_text::{LineIndex, Span};

use crate::all_links::AllLinks;
use crate::bare_links::{self, FoundBare};
use crate::converter::{Converter, Wrote, may_fold, reserve};
use crate::crlf::{Deferred, Held};
use crate::event_iter::Events;
use crate::explain::Decisions;
use crate::headings::Headings;
use crate::html::{Action, Renderer, Writer};
use crate::inline::Inlines;
use crate::links::{Link, Links};
use crate::near::NearLinks;
use crate::options::{Autolinks, Options};
use crate::parsed::{Parsed, Shared};
use crate::plain_text;
use crate::source_len::{self, SourceTooLong};

/// Parses many documents with the same options, and reuses its memory.
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
    converter: Converter,
    /// The document, if its blocks are parsed on demand.
    deferred: Option<Box<Deferred>>,
}

impl Parser {
    /// A parser with these options.
    pub fn new(options: Options) -> Self {
        Self { converter: Converter::new(options), deferred: None }
    }

    /// The options of the parser.
    pub fn options(&self) -> &Options {
        &self.converter.parsed.options
    }

    /// Replaces the options, and keeps the memory.
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
        self.converter.parsed.options = options;
        self.deferred = None;
    }

    /// Parses the block structure of `source`.
    ///
    /// # Errors
    /// If the source is longer than [`MAX_SOURCE`](crate::MAX_SOURCE).
    ///
    /// ```
    /// use barelink::{EventKind, Options, Parser, Tag};
    /// let mut parser = Parser::new(Options::commonmark());
    /// let document = parser.parse("# Title\n\ntext")?;
    /// let n_headings = document
    ///     .events()
    ///     .filter(|event| matches!(event.kind, EventKind::Start(Tag::Heading { .. })))
    ///     .count();
    /// assert_eq!(n_headings, 1);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn parse<'p, 's>(&'p mut self, source: &'s str) -> Result<Document<'p, 's>, SourceTooLong> {
        if may_fold(source, self.options()) {
            source_len::check(source)?;
            return Ok(Document { source, held: Held::Deferred(self.defer()) });
        }
        self.converter.read(source)?;
        Ok(Document { source, held: Held::Parsed(Shared::Borrowed(&self.converter.parsed)) })
    }

    /// Prepares a document whose blocks are parsed on demand.
    #[inline(never)]
    fn defer(&mut self) -> &Deferred {
        let options = &self.converter.parsed.options;
        let deferred =
            self.deferred.get_or_insert_with(|| Box::new(Deferred::new(options.clone())));
        deferred.clear();
        deferred
    }

    /// Appends the HTML of `source` to `out`.
    ///
    /// # Errors
    /// If the source is longer than [`MAX_SOURCE`](crate::MAX_SOURCE); `out` is then unchanged.
    pub fn push_html(&mut self, source: &str, out: &mut String) -> Result<(), SourceTooLong> {
        self.converter.push_html(source, out)
    }

    /// Appends the text of `source` to `out`, without markup. See [`Document::push_text`].
    ///
    /// # Errors
    /// If the source is longer than [`MAX_SOURCE`](crate::MAX_SOURCE); `out` is then unchanged.
    pub fn push_text(&mut self, source: &str, out: &mut String) -> Result<(), SourceTooLong> {
        self.converter.push_text(source, out)
    }
}

/// Parses `source` into a document that does not borrow a parser: it can be kept, cloned and
/// returned. For many documents, reusing a [`Parser`] is faster.
///
/// # Errors
/// If the source is longer than [`MAX_SOURCE`](crate::MAX_SOURCE).
///
/// ```
/// use barelink::{Event, Options};
/// fn events(source: &str) -> impl Iterator<Item = Event<'_>> {
///     barelink::parse(source, &Options::gfm()).expect("a message is short").events()
/// }
/// assert_eq!(events("*hi*").count(), 5);
/// ```
pub fn parse<'s>(
    source: &'s str,
    options: &Options,
) -> Result<Document<'static, 's>, SourceTooLong> {
    Ok(Document { source, held: read(source, options)? })
}

/// Parses `source` with a temporary parser, or defers that.
pub(crate) fn read(source: &str, options: &Options) -> Result<Held<'static>, SourceTooLong> {
    if may_fold(source, options) {
        source_len::check(source)?;
        return Ok(Held::OwnDeferred(Arc::new(Deferred::new(options.clone()))));
    }
    let mut converter = Converter::new(options.clone());
    converter.read(source)?;
    Ok(Held::Parsed(Shared::Owned(Arc::new(converter.parsed))))
}

/// A parsed document.
///
/// Its block structure is parsed, or, for a source with CRLF, will be when it is first needed. Text
/// is parsed later, block by block, while HTML or events are made, so neither needs memory for the
/// whole document. Any number of readers can use a document at the same time, even in several
/// threads.
#[derive(Debug, Clone)]
pub struct Document<'p, 's> {
    pub(crate) source: &'s str,
    pub(crate) held: Held<'p>,
}

impl<'p, 's> Document<'p, 's> {
    /// The source that it was parsed from.
    pub fn source(&self) -> &'s str {
        self.source
    }

    /// The options that it was parsed with.
    pub fn options(&self) -> &Options {
        match &self.held {
            Held::Parsed(parsed) => &parsed.options,
            Held::Deferred(deferred) => &deferred.options,
            Held::OwnDeferred(deferred) => &deferred.options,
        }
    }

    /// The parsed blocks, for readers.
    pub(crate) fn parsed(&self) -> Shared<'p> {
        match &self.held {
            Held::Parsed(parsed) => parsed.clone(),
            Held::Deferred(deferred) => Shared::Borrowed(deferred.parsed(self.source)),
            Held::OwnDeferred(deferred) => Shared::Owned(deferred.parsed(self.source).clone()),
        }
    }

    /// The same document with other rules for bare links. These do not affect blocks, so nothing is
    /// parsed again, and nothing is copied if this is the only handle to the document.
    ///
    /// ```
    /// use barelink::{Autolinks, Options, autolink::Dialect};
    /// let document = barelink::parse("(WWW.A.BC)", &Options::gfm())?;
    /// assert_eq!(document.links().count(), 0);
    /// let document = document.with_autolinks(Autolinks::new(Dialect::Natural));
    /// assert_eq!(document.links().count(), 1);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    #[must_use]
    pub fn with_autolinks(self, autolinks: Autolinks) -> Self {
        let source = self.source;
        let mut parsed = match self.held {
            Held::Parsed(Shared::Owned(parsed)) => parsed,
            Held::Parsed(Shared::Borrowed(parsed)) => Arc::new(parsed.clone()),
            Held::Deferred(deferred) => deferred.parsed(source).clone(),
            Held::OwnDeferred(deferred) => {
                let parsed = deferred.parsed(source).clone();
                drop(deferred);
                parsed
            }
        };
        Arc::make_mut(&mut parsed).options.autolinks = autolinks;
        Self { source, held: Held::Parsed(Shared::Owned(parsed)) }
    }

    /// The lines of the source, to convert the offsets of spans to lines and columns.
    ///
    /// ```
    /// use barelink::{LineCol, Options, Parser};
    /// let mut parser = Parser::new(Options::commonmark());
    /// let document = parser.parse("# one\n\n* two")?;
    /// let lines = document.line_index();
    /// let last = document.events().last().unwrap();
    /// assert_eq!(lines.line_col(last.span.start), LineCol { line: 3, column: 1 });
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn line_index(&self) -> LineIndex<'s> {
        LineIndex::new(self.source)
    }

    /// The document as events, in order.
    pub fn events(&self) -> Events<'p, 's> {
        Events::new(self.source, self.parsed())
    }

    /// Every link and image of the document, in the order of their starts.
    ///
    /// ```
    /// use barelink::{Form, Options, Parser};
    /// let mut parser = Parser::new(Options::gfm());
    /// let document = parser.parse("see www.a.bc and [b](/c)")?;
    /// let links: Vec<_> = document.links().map(|link| (link.form, link.destination)).collect();
    /// assert_eq!(links, [(Form::BareWww, "http://www.a.bc".into()), (Form::Inline, "/c".into())]);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn links(&self) -> Links<'p, 's> {
        Links::new(self.events())
    }

    /// Every link of any origin: those of [`Document::links`], those of raw HTML ([`Form::Html`]),
    /// references without a definition ([`Form::Missing`]), and at the end definitions without a
    /// use ([`Form::Definition`]).
    ///
    /// [`Form::Html`]: crate::Form::Html
    /// [`Form::Missing`]: crate::Form::Missing
    /// [`Form::Definition`]: crate::Form::Definition
    ///
    /// ```
    /// use barelink::{Form, Options};
    /// let source = "[a](b) <a href=\"c\">d</a> [e][f]\n\n[g]: h";
    /// let document = barelink::parse(source, &Options::gfm())?;
    /// let forms: Vec<_> = document.all_links().map(|link| link.form).collect();
    /// assert_eq!(forms, [Form::Inline, Form::Html, Form::Missing, Form::Definition]);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn all_links(&self) -> AllLinks<'p, 's> {
        AllLinks::new(self.events(), self.near_links())
    }

    /// Every heading of the document, in order, for a table of contents.
    ///
    /// ```
    /// use barelink::{Options, Parser};
    /// let mut options = Options::commonmark();
    /// options.policy.heading_ids = true;
    /// let mut parser = Parser::new(options);
    /// let document = parser.parse("# One\n## *Two*, too")?;
    /// let contents: Vec<String> = document
    ///     .headings()
    ///     .map(|it| format!("{} {} #{}", it.level, it.text, it.id.unwrap_or_default()))
    ///     .collect();
    /// assert_eq!(contents, ["1 One #one", "2 Two, too #two-too"]);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn headings(&self) -> Headings<'p, 's> {
        Headings::new(self.events())
    }

    /// The decision about every candidate for a bare link, with its reason.
    ///
    /// ```
    /// use barelink::{Options, Parser, Verdict, autolink::Rule};
    /// let mut parser = Parser::new(Options::gfm());
    /// let document = parser.parse("see \"www.a.bc\"")?;
    /// let decision = document.explain().next().unwrap();
    /// assert!(matches!(decision.verdict, Verdict::Refused { rule: Rule::Before, at: 4, .. }));
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn explain(&self) -> Decisions<'p, 's> {
        Decisions::new(self.source, self.parsed())
    }

    /// Everything in the document that looks like a link but is none, with the reason: `[a](b c)`,
    /// `[a] (b)`, `[a][missing]`.
    ///
    /// ```
    /// use barelink::{Flaw, Options};
    /// let document = barelink::parse("[a] (/b), [c][d], [e](/f)", &Options::gfm())?;
    /// let flaws: Vec<_> = document.near_links().map(|near| near.flaw).collect();
    /// assert_eq!(flaws, [Flaw::SpaceBeforeParenthesis, Flaw::MissingDefinition]);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn near_links(&self) -> NearLinks<'p, 's> {
        NearLinks::new(self.source, self.parsed())
    }

    /// Calls `found` with the bare links of the leaves for whose spans `is_wanted` is true. They
    /// are those of [`Document::links`], at less cost.
    #[doc(hidden)]
    pub fn bare_links(
        &self,
        is_wanted: impl FnMut(Span) -> bool,
        found: impl FnMut(FoundBare<'_, 's>),
    ) {
        self.bare_links_among(Span::new(0, u32::MAX), is_wanted, found);
    }

    /// Like [`Document::bare_links`], but may leave out links outside of `words` if that saves
    /// time. `words` must contain whole words.
    #[doc(hidden)]
    pub fn bare_links_among(
        &self,
        words: Span,
        is_wanted: impl FnMut(Span) -> bool,
        found: impl FnMut(FoundBare<'_, 's>),
    ) {
        bare_links::read(self.source, self.parsed(), words, is_wanted, found);
    }

    /// Appends the document's HTML to `out`.
    pub fn push_html(&self, out: &mut String) {
        if let Some(deferred) = self.held.deferred() {
            return deferred.push_html(self.source, out);
        }
        reserve(self.source, out);
        self.write(|writer| writer.push_document(out));
    }

    /// Appends the document's text to `out`, without markup, as a reader sees it: for search
    /// indexes and language models.
    ///
    /// Each paragraph, heading and table row becomes a line, and so does each line of code. Line
    /// endings in a paragraph become spaces, except for hard ones. Cells are separated by tabs. A
    /// link becomes its text, an image its description. Raw HTML, link reference definitions and
    /// front matter are left out.
    ///
    /// ```
    /// use barelink::Options;
    /// let source = "*one*\ntwo [three](/x)\n\n|a|b|\n|-|-|\n|c|d|";
    /// let mut text = String::new();
    /// barelink::parse(source, &Options::gfm())?.push_text(&mut text);
    /// assert_eq!(text, "one two three\na\tb\nc\td\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn push_text(&self, out: &mut String) {
        self.write(|writer| plain_text::push(writer, out));
    }

    /// Appends the document's HTML to `out`, and calls `hook` to decide about each link and image.
    /// A [`Renderer`] has more hooks.
    ///
    /// ```
    /// use barelink::html::Action;
    /// use barelink::{Options, Parser};
    /// let mut parser = Parser::new(Options::gfm());
    /// let document = parser.parse("[a](/b) ![c](/d) www.e.fg")?;
    /// let mut html = String::new();
    /// let hook = |link: &barelink::Link<'_>| {
    ///     if link.image {
    ///         Action::Plain
    ///     } else if link.form.is_bare() {
    ///         Action::Keep
    ///     } else {
    ///         Action::rewrite(format!("/out?to={}", link.destination))
    ///     }
    /// };
    /// document.push_html_with(hook, &mut html);
    /// assert_eq!(
    ///     html,
    ///     "<p><a href=\"/out?to=/b\">a</a> c <a href=\"http://www.e.fg\">www.e.fg</a></p>\n"
    /// );
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn push_html_with(&self, hook: impl FnMut(&Link<'_>) -> Action, out: &mut String) {
        Renderer::new().on_link(hook).push_document(self, out);
    }

    /// Writes the document's HTML, in pieces of about 64 KiB.
    ///
    /// # Errors
    /// If the writer fails.
    ///
    /// ```
    /// use barelink::{Options, Parser};
    /// let mut parser = Parser::new(Options::commonmark());
    /// let mut out = Vec::new();
    /// parser.parse("*hi*").unwrap().write_html(&mut out)?;
    /// assert_eq!(out, b"<p><em>hi</em></p>\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_html(&self, mut out: impl io::Write) -> io::Result<()> {
        let mut n_written = 0;
        if let Some(deferred) = self.held.deferred() {
            match deferred.write_html(self.source, &mut out)? {
                Wrote::All => return Ok(()),
                Wrote::First(n) => n_written = n,
            }
        }
        let write = |html: &str, _: &Inlines| {
            let n_before = n_written.min(html.len());
            n_written -= n_before;
            out.write_all(&html.as_bytes()[n_before..])
        };
        self.write(|writer| writer.write_document(write))
    }

    fn write<T>(&self, write: impl FnOnce(&mut Writer<'_>) -> T) -> T {
        let parsed = self.parsed();
        let Parsed { options, tape, .. } = &*parsed;
        let mut scratch = parsed.take_scratch();
        let written = write(&mut scratch.writer(self.source, options, tape));
        parsed.give_back(scratch);
        written
    }
}

impl Renderer<'_> {
    /// Appends the HTML of a document to `out`, with
    /// [positions](crate::Policy::source_positions) if the policy has them.
    pub fn push_document(&mut self, document: &Document<'_, '_>, out: &mut String) {
        self.push_all(document.source(), document.events(), document.options(), out);
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, Parser};
    use crate::owned_document::OwnedDocument;

    #[test]
    fn documents_go_from_thread_to_thread() {
        fn check<T: Send + Sync>() {}
        check::<Document<'_, '_>>();
        check::<OwnedDocument>();
        check::<Parser>();
    }
}
