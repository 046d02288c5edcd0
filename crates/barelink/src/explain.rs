//! Why a bare link is a link, or is not: for every `://`, `www.` and `@` of a document, the
//! decision, and the rule and the byte that it is based on.
//!
//! The reasons are those of the recognizer itself, recorded while the document's text is parsed as
//! usual. Candidates that it never saw are where nothing is linked: in code, in HTML, in other
//! links. A name without a scheme is explained if an option would make it a link.
//!
//! LINEAR: blocks come in order, and so do the candidates in each. Decisions are returned as they
//! are found, so that a long leaf needs no memory for them.

mod leaf;
mod names;

use barelink_autolink::{Kind, Rule, Rules, Trim};
use barelink_text::Span;

use crate::inline::Context;
use crate::inline::decided::Decided;
use crate::inline::own::{Candidates, Own};
use crate::inline::recorder::{Among, Recorder as _};
use crate::parsed::{Parsed, ReadGuard, Scratch, Shared, candidates};
use crate::tape::pieces::Lines;
use crate::tape::{Block, Record, is_apart};

use self::leaf::{ExplainedLeaf, LeafWalk};

/// The decision about a candidate for a bare link.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The kind of link it would be.
    pub kind: Kind,
    /// The span in the source of the `://`, `www.` or `@`, or of the first period of a name without
    /// a scheme.
    pub candidate: Span,
    /// Linked or not, and why.
    pub verdict: Verdict,
}

/// Linked or not, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The candidate is part of a link.
    #[non_exhaustive]
    Linked {
        /// The link's text in the source.
        span: Span,
        /// What precedes the text in the destination.
        prefix: &'static str,
        /// The text left outside at its end, outermost first.
        trims: Vec<Trim>,
    },
    /// A rule of the dialect refuses the candidate.
    #[non_exhaustive]
    Refused {
        /// The rule.
        rule: Rule,
        /// The offset in the source of the byte that breaks the rule.
        at: u32,
    },
    /// The candidate is where bare links are not looked for.
    Elsewhere(Place),
}

/// Where bare links are not looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// In a code span.
    CodeSpan,
    /// In math.
    Math,
    /// In a code block.
    CodeBlock,
    /// In a raw HTML tag or comment.
    RawHtml,
    /// In an HTML block.
    HtmlBlock,
    /// Between a raw `<a>` and `</a>`.
    RawAnchor,
    /// In a link in angle brackets.
    Angle,
    /// In a wiki link.
    WikiLink,
    /// In the text of a link.
    LinkText,
    /// In the description of an image.
    ImageDescription,
    /// In the destination or title of a link or image.
    Destination,
    /// In a link reference definition.
    Definition,
    /// In front matter.
    FrontMatter,
    /// In another construct, such as a footnote reference.
    Construct,
    /// Anywhere: links of this kind are switched off.
    SwitchedOff,
}

impl Place {
    /// The reason in one sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::CodeSpan => "It is in a code span, and code has no links.",
            Self::Math => "It is in math, and math has no links.",
            Self::CodeBlock => "It is in a code block, and code has no links.",
            Self::RawHtml => "It is in a raw HTML tag, which is left as it is.",
            Self::HtmlBlock => "It is in an HTML block, which is left as it is.",
            Self::RawAnchor => "It is between a raw <a> and </a>, and links do not nest.",
            Self::Angle => "It is in a link in angle brackets, which is a link already.",
            Self::WikiLink => "It is in a wiki link, which is a link already.",
            Self::LinkText => "It is in the text of a link, and links do not nest.",
            Self::ImageDescription => "It is in the description of an image, which is plain text.",
            Self::Destination => "It is in the destination or title of a link.",
            Self::Definition => "It is in a link reference definition, which is not shown.",
            Self::FrontMatter => "It is in front matter, which is not shown.",
            Self::Construct => "It is in another construct, which is not text.",
            Self::SwitchedOff => "Links of this kind are switched off.",
        }
    }
}

/// The decisions about a document's candidates. See
/// [`Document::explain`](crate::Document::explain).
#[derive(Debug)]
pub struct Decisions<'p, 's> {
    source: &'s str,
    reading: ReadGuard<'p>,
    block_idx: usize,
    candidates: Option<Candidates<'s>>,
    /// All candidates of the source, whatever the options.
    all: Candidates<'s>,
    current: Current,
    within: Span,
    /// Decisions outside of these spans may be left out.
    words: Span,
    near: Span,
}

/// The part that is being explained.
#[derive(Debug)]
enum Current {
    /// Nothing: the next block follows.
    Nothing,
    /// The rest of a block in which bare links are not looked for.
    Block(Span, Place),
    Leaf(LeafWalk),
}

impl Iterator for Decisions<'_, '_> {
    type Item = Decision;

    fn next(&mut self) -> Option<Decision> {
        loop {
            let found = match &mut self.current {
                Current::Nothing => {
                    self.current = self.next_block()?;
                    continue;
                }
                Current::Block(rest, place) => elsewhere(&mut self.all, rest, *place),
                Current::Leaf(walk) => {
                    let (Parsed { options, tape, .. }, scratch) = self.reading.parts()?;
                    let Scratch { inlines, joined, .. } = scratch;
                    let text = joined.view(self.source, &tape.folded, walk.loaded);
                    let (marks, schemes) = (&inlines.marks, self.all.schemes());
                    walk.next(&ExplainedLeaf { text: &text, marks, options, schemes })
                }
            };
            if found.is_some() {
                return found;
            }
            self.current = Current::Nothing;
        }
    }
}

impl<'p, 's> Decisions<'p, 's> {
    pub(crate) fn new(source: &'s str, parsed: Shared<'p>) -> Self {
        let every_kind = Rules::new(parsed.options.autolinks.dialect.unwrap_or_default());
        let candidates = candidates(source, &parsed.options);
        let schemes = Own::of(&parsed.options);
        Self {
            source,
            reading: ReadGuard::new(parsed),
            block_idx: 0,
            candidates,
            all: Candidates::with_schemes(source.as_bytes(), every_kind, schemes),
            current: Current::Nothing,
            within: Span::new(0, u32::MAX),
            words: Span::new(0, u32::MAX),
            near: Span::new(0, u32::MAX),
        }
    }

    /// May leave out decisions outside of a span if that saves time. The span must contain whole
    /// words.
    #[doc(hidden)]
    #[must_use]
    pub fn among(mut self, words: Span) -> Self {
        self.words = words;
        self
    }

    /// Like [`Decisions::among`], for a span that may cut a very long word in two. E-mail addresses
    /// and names without a scheme that extend into the span from outside are missed then, and in
    /// `md4c`, so is every such link.
    #[doc(hidden)]
    #[must_use]
    pub fn near(mut self, span: Span) -> Self {
        self.near = span;
        self
    }

    /// Restricts the decisions to blocks that this span overlaps or touches. The text of other
    /// blocks is not even parsed, so that a place in a long document is explained quickly.
    ///
    /// The decisions are the same as without this, with one exception: the references of a document
    /// may expand only up to a limit, and those in blocks that are left out do not count. So in a
    /// document that exceeds the limit, `[text][label]` may be taken for a link here, and its
    /// content for link text.
    ///
    /// ```
    /// use barelink::{Options, Span};
    /// let document = barelink::parse("www.a.bc\n\nwww.d.ef\n\nwww.g.hi", &Options::gfm())?;
    /// assert_eq!(document.explain().within(Span::new(12, 12)).count(), 1);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    #[must_use]
    pub fn within(mut self, span: Span) -> Self {
        self.within = span;
        self
    }

    /// The next block, ready to be explained; `None` at the end.
    fn next_block(&mut self) -> Option<Current> {
        // Candidates are searched forward only, and the first one at or after an offset does not
        // depend on earlier queries: leaving out blocks does not change later results.
        let mut records = self.reading.parsed.tape.records.get(self.block_idx..)?.iter();
        let n_before = records.as_slice().len();
        // An exit has no text, nor always a span.
        let is_near = |record: &&Record| {
            !matches!(record.block, Block::Exit { .. }) && !is_apart(record.span(), self.within)
        };
        let record = *records.find(is_near)?;
        self.block_idx += n_before - records.as_slice().len();
        if let Some(lines) = record.block.inline_lines() {
            return self.parse_leaf(&record, lines).map(Current::Leaf);
        }
        let place = match record.block {
            Block::Info | Block::CodeText(_) => Place::CodeBlock,
            Block::Html(_) => Place::HtmlBlock,
            Block::Definition { .. } => Place::Definition,
            Block::FrontMatter(_) => Place::FrontMatter,
            Block::HeadingAttributes => Place::Construct,
            Block::Quote { .. }
            | Block::List { .. }
            | Block::Item { .. }
            | Block::DefinitionList { .. }
            | Block::Details
            | Block::FootnoteDefinition { .. }
            | Block::Table { .. }
            | Block::Exit { .. }
            | Block::Row { .. }
            | Block::Heading { .. }
            | Block::Code { .. }
            | Block::ThematicBreak
            // Handled above.
            | Block::Paragraph(_)
            | Block::Term(_)
            | Block::HeadingText(_)
            | Block::Cell(_) => return Some(Current::Nothing),
        };
        Some(Current::Block(record.span(), place))
    }

    fn parse_leaf(&mut self, record: &Record, lines: Lines) -> Option<LeafWalk> {
        let (Parsed { options, tape, .. }, scratch) = self.reading.parts()?;
        let Scratch { inlines, joined, .. } = scratch;
        let loaded = joined.load(self.source, tape, record.span(), lines);
        let text = joined.view(self.source, &tape.folded, loaded);
        let context = Context::new(options, &tape.references, &tape.footnotes);
        let near = text.within(self.near);
        let mut among = Among::new(Decided::default(), text.within(self.words)).near(near);
        let words = among.wanted();
        inlines.parse(&text, &context, &mut self.candidates, &mut among);
        let mut decided = among.recorder;
        if !options.autolinks.rules().is_some_and(|rules| rules.wants(Kind::Domain)) {
            names::push_unwanted(&text, words.clone(), &mut decided);
        }
        decided.retain(names::is_worth_telling);
        decided.sort();
        // A link may extend into the words that are explained.
        let first = decided.get(0).map_or(usize::MAX, |entry| entry.candidate().start);
        let start = text.start.max(words.start).min(first);
        Some(LeafWalk::new(loaded, start, decided))
    }
}

/// The next candidate of a block in which bare links are not looked for.
fn elsewhere(all: &mut Candidates<'_>, rest: &mut Span, place: Place) -> Option<Decision> {
    let candidate = all.at_or_after(rest.start as usize)?;
    if candidate.start >= rest.end as usize {
        return None;
    }
    rest.start = candidate.end() as u32;
    let verdict = Verdict::Elsewhere(place);
    Some(Decision { kind: candidate.kind, candidate: candidate.span(), verdict })
}
