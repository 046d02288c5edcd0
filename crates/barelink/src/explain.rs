//! Why a bare link is a link, or is not: for every `://`, `www.` and `@` of a
//! document, what was decided about it, and the rule and the byte that decided.
//!
//! The reasons are those that the recognizer gave when it decided, taken down
//! while the document's text is parsed as always. Candidates that it was never
//! asked about lie where nothing is linked: in code, in HTML, in other links. A name
//! without a scheme is told of if an option would make it a link.

mod names;

use std::collections::VecDeque;

use barelink_autolink::candidate::Candidates;
use barelink_autolink::{Dialect, Kind, Outcome, Rule, Rules, Trim};
use barelink_text::Span;

use crate::block::tape::{self, BREAKS, Block};
use crate::document::{Parsed, Reading, Scratch, Shared, candidates};
use crate::inline::autolink::anchor_after;
use crate::inline::join::Text;
use crate::inline::mark::{self, Mark};
use crate::inline::{Context, Decided};
use crate::options::Options;

/// What became of a candidate for a bare link.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The kind of link it would be.
    pub kind: Kind,
    /// The `://`, `www.` or `@` itself, or the first period of a name without a scheme, in
    /// the source.
    pub candidate: Span,
    /// Linked or not, and why.
    pub verdict: Verdict,
}

/// Linked or not, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It is a link.
    Linked {
        /// The link's text in the source.
        span: Span,
        /// What the destination has before the text.
        prefix: &'static str,
        /// What was left outside at its end, the outermost first.
        trims: Vec<Trim>,
    },
    /// A rule of the dialect refuses it.
    Refused {
        /// The rule.
        rule: Rule,
        /// The byte of the source where it is broken.
        at: u32,
    },
    /// It is where bare links are not looked for.
    Elsewhere(Place),
}

/// Where bare links are not looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// In a code span.
    CodeSpan,
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
    /// In another construct, such as a reference to a footnote.
    Construct,
    /// Anywhere: links of this kind are switched off.
    SwitchedOff,
}

impl Place {
    /// The reason in one sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::CodeSpan => "It is in a code span, and code has no links.",
            Self::CodeBlock => "It is in a code block, and code has no links.",
            Self::RawHtml => "It is in a raw HTML tag, which is left as it is.",
            Self::HtmlBlock => "It is in an HTML block, which is left as it is.",
            Self::RawAnchor => "It is between a raw <a> and </a>, and links do not nest.",
            Self::Angle => "It is in a link in angle brackets, which is a link already.",
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
    reading: Reading<'p>,
    block_idx: usize,
    candidates: Candidates<'s>,
    /// All candidates of the source, whatever is switched on.
    all: Candidates<'s>,
    found: VecDeque<Decision>,
}

impl Iterator for Decisions<'_, '_> {
    type Item = Decision;

    fn next(&mut self) -> Option<Decision> {
        while self.found.is_empty() {
            let block = *self.reading.parsed.tape.blocks.get(self.block_idx)?;
            self.block_idx += 1;
            match block.kind {
                tape::Kind::Paragraph | tape::Kind::Cell | tape::Kind::Content => {
                    let of_code = block.kind == tape::Kind::Content && self.is_code();
                    if of_code {
                        self.explain_block(block.span(), Place::CodeBlock);
                    } else {
                        self.explain_leaf(&block);
                    }
                }
                tape::Kind::Info => self.explain_block(block.span(), Place::CodeBlock),
                tape::Kind::HtmlBlock => self.explain_block(block.span(), Place::HtmlBlock),
                tape::Kind::FrontMatter => self.explain_block(block.span(), Place::FrontMatter),
                tape::Kind::Definition => self.explain_block(block.span(), Place::Definition),
                _ => {}
            }
        }
        self.found.pop_front()
    }
}

impl<'p, 's> Decisions<'p, 's> {
    pub(crate) fn new(source: &'s str, parsed: Shared<'p>) -> Self {
        let every_kind = Rules::new(parsed.options.autolinks.dialect.unwrap_or_default());
        let candidates = candidates(source, &parsed.options);
        Self {
            source,
            reading: Reading::new(source, parsed),
            block_idx: 0,
            candidates,
            all: Candidates::new(source.as_bytes(), every_kind),
            found: VecDeque::new(),
        }
    }

    /// Whether the record before the last one is that of a code block.
    fn is_code(&self) -> bool {
        let before =
            self.block_idx.checked_sub(2).and_then(|idx| self.reading.parsed.tape.blocks.get(idx));
        before.is_some_and(|block| block.kind == tape::Kind::Info)
    }

    /// A block in which nothing is looked for.
    fn explain_block(&mut self, span: Span, place: Place) {
        let mut at = span.start as usize;
        while let Some(candidate) = self.all.at_or_after(at)
            && candidate.start < span.end as usize
        {
            at = candidate.end();
            let verdict = Verdict::Elsewhere(place);
            self.found.push_back(Decision {
                kind: candidate.kind,
                candidate: candidate.span(),
                verdict,
            });
        }
    }

    fn explain_leaf(&mut self, block: &Block) {
        let Some((Parsed { options, tape, .. }, scratch)) = self.reading.parts() else { return };
        let Scratch { inlines, joined, .. } = scratch;
        let text = joined.text(self.source, tape, block);
        let context = Context::new(options, tape);
        inlines.decided = Some(Vec::new());
        inlines.parse(&text, &context, block.has(BREAKS), &mut self.candidates);
        let mut decided = inlines.decided.take().unwrap_or_default();
        if !options.autolinks.rules().is_some_and(|rules| rules.wants(Kind::Domain)) {
            decided.extend(names::unwanted(&text));
        }
        decided.retain(names::is_worth_telling);
        decided.sort_by_key(|entry| entry.candidate.start);
        let leaf = Leaf { text: &text, marks: &inlines.marks, options };
        leaf.explain(&decided, &mut self.found);
    }
}

/// A leaf whose marks are known.
struct Leaf<'a> {
    text: &'a Text<'a>,
    marks: &'a [Mark],
    options: &'a Options,
}

impl Leaf<'_> {
    /// Appends a decision for every candidate of the text, and for those that
    /// only decoding shows.
    fn explain(&self, decided: &[Decided], found: &mut VecDeque<Decision>) {
        let dialect = self.options.autolinks.dialect.unwrap_or_default();
        let mut all = Candidates::new(self.text.bytes(), Rules::new(dialect));
        let mut decided = decided.iter().peekable();
        let mut places = Places { leaf: self, idx: 0, inside: None, in_anchor: false };
        let mut at = self.text.start;
        loop {
            let candidate = all.at_or_after(at);
            let start = candidate.map_or(usize::MAX, |candidate| candidate.start);
            let entry = decided.next_if(|entry| entry.candidate.start <= start);
            let Some(candidate) = entry.map(|entry| entry.candidate).or(candidate) else { return };
            at = at.max(candidate.end());
            let place = places.of(candidate.start);
            let is_unwanted = entry.is_some_and(|entry| {
                matches!(entry.outcome, Outcome::Refused { rule: Rule::DomainsOff, .. })
            });
            if is_unwanted && place.is_some() {
                continue;
            }
            let verdict = match (place, entry) {
                (Some(Place::Construct), None) if places.in_bare_link() => continue,
                // What was linked here was taken back.
                (Some(Place::Construct), _) if !places.in_bare_link() => {
                    Verdict::Elsewhere(Place::Construct)
                }
                (Some(place @ (Place::LinkText | Place::ImageDescription)), _) => {
                    Verdict::Elsewhere(place)
                }
                (_, Some(entry)) => self.verdict(entry),
                (Some(place), None) => Verdict::Elsewhere(place),
                (None, None) => Verdict::Elsewhere(Place::SwitchedOff),
            };
            found.push_back(Decision {
                kind: candidate.kind,
                candidate: self.span(candidate.span()),
                verdict,
            });
        }
    }

    fn span(&self, span: Span) -> Span {
        self.text.span(span.start as usize, span.end as usize)
    }

    fn verdict(&self, entry: &Decided) -> Verdict {
        match entry.outcome {
            Outcome::Linked { span, trims } => Verdict::Linked {
                span: self.span(span),
                prefix: entry.prefix,
                trims: trims
                    .iter()
                    .map(|trim| Trim { rule: trim.rule, span: self.span(trim.span) })
                    .collect(),
            },
            Outcome::Refused { rule, at } => {
                Verdict::Refused { rule, at: self.text.source_offset(at as usize) }
            }
        }
    }
}

/// Walks the marks and tells in which construct an offset is.
struct Places<'l, 'a> {
    leaf: &'l Leaf<'a>,
    idx: usize,
    /// The place between an opening and a closing mark, and where it ends.
    inside: Option<(Place, u32)>,
    in_anchor: bool,
}

impl Places<'_, '_> {
    /// Where `at` is; offsets must not decrease.
    fn of(&mut self, at: usize) -> Option<Place> {
        while let Some(mark) = self.leaf.marks.get(self.idx)
            && (mark.start as usize) <= at
        {
            if (mark.end as usize) > at
                && let Some(place) = place_of(mark)
            {
                // The mark that ends a place is no longer in it.
                let inside = self.inside.filter(|(_, end)| at < *end as usize);
                return inside.map(|(place, _)| place).or(Some(place));
            }
            if (mark.end as usize) > at {
                break;
            }
            self.pass(mark);
            self.idx += 1;
        }
        match self.inside {
            Some((place, end)) if at < end as usize => Some(place),
            _ if self.in_anchor => Some(Place::RawAnchor),
            _ => None,
        }
    }

    /// Whether the mark that `of` found is a bare link.
    fn in_bare_link(&self) -> bool {
        let mark = self.leaf.marks.get(self.idx);
        mark.is_some_and(|mark| mark.kind == mark::Kind::BareLink)
    }

    fn pass(&mut self, mark: &Mark) {
        let place = match mark.kind {
            mark::Kind::LinkOpen => Place::LinkText,
            mark::Kind::ImageOpen => Place::ImageDescription,
            mark::Kind::RawHtml => {
                let tag = &self.leaf.text.bytes()[mark.start as usize..mark.end as usize];
                let natural = self.leaf.options.autolinks.dialect == Some(Dialect::Natural);
                self.in_anchor = natural && anchor_after(tag, self.in_anchor);
                return;
            }
            _ => {
                if self.inside.is_some_and(|(_, end)| mark.start >= end) {
                    self.inside = None;
                }
                return;
            }
        };
        let end = self.leaf.marks[mark.mate as usize].start;
        if self.inside.is_none_or(|(_, outer)| mark.start >= outer) {
            self.inside = Some((place, end));
        }
    }
}

/// The place that a mark makes of what it covers.
fn place_of(mark: &Mark) -> Option<Place> {
    match mark.kind {
        mark::Kind::CodeSpan => Some(Place::CodeSpan),
        mark::Kind::RawHtml => Some(Place::RawHtml),
        mark::Kind::AngleUrl | mark::Kind::AngleEmail => Some(Place::Angle),
        mark::Kind::LinkClose | mark::Kind::ImageClose => Some(Place::Destination),
        mark::Kind::BareLink | mark::Kind::FootnoteReference => Some(Place::Construct),
        _ => None,
    }
}
