//! What the engine says about a document: every link where it is published, and the bare
//! links of everybody else.
//!
//! All of them read the same Markdown; only the dialect of bare links differs. So spans can be
//! compared, and a difference is one of bare links.
//!
//! LINEAR: the engine reads the document once for each dialect.

use std::borrow::Cow;

use barelink::{
    Autolinks, EventKind, Events, Form, Link, Options, Parser, Place, Policy, SourceTooLong, Span,
    Tag, TagEnd, Target, Verdict,
};
use memchr::{memchr_iter, memchr3, memmem};

/// A bare link of a dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bare<'s> {
    pub(crate) span: Span,
    pub(crate) form: Form,
    pub(crate) destination: Cow<'s, str>,
    /// What a reader sees.
    pub(crate) text: Cow<'s, str>,
}

/// Something that has a place in the source.
pub(crate) trait Placed {
    fn span(&self) -> Span;
}

impl Placed for Bare<'_> {
    fn span(&self) -> Span {
        self.span
    }
}

impl Placed for Span {
    fn span(&self) -> Span {
        *self
    }
}

/// The bare links of a document in one dialect, or their places, in order and without overlap.
#[derive(Debug, Clone)]
pub(crate) struct BareLinks<L>(pub(crate) Vec<L>);

impl<L> Default for BareLinks<L> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<L: Placed> BareLinks<L> {
    /// Whether one has exactly this span.
    pub(crate) fn is_at(&self, span: Span) -> bool {
        self.touching(span).iter().any(|link| link.span() == span)
    }

    /// The links that share a byte with this span.
    pub(crate) fn touching(&self, span: Span) -> &[L] {
        let from = self.0.partition_point(|link| link.span().end <= span.start);
        let to = self.0.partition_point(|link| link.span().start < span.end);
        &self.0[from..to.max(from)]
    }
}

/// Reads documents in several dialects.
#[derive(Debug)]
pub(crate) struct Surveyor {
    parser: Parser,
    options: Options,
    /// Blocks that this is neither in nor next to are not looked at.
    within: Span,
}

/// All of a document.
pub(crate) const EVERYWHERE: Span = Span { start: 0, end: u32::MAX };

impl Surveyor {
    pub(crate) fn new(options: &Options) -> Self {
        let mut options = options.clone();
        // Destinations are compared in full, and pages as they would be without a filter.
        options.policy = Policy::TRUSTED;
        Self { parser: Parser::new(options.clone()), options, within: EVERYWHERE }
    }

    /// Looks at the blocks of this place only, from now on.
    pub(crate) fn look_within(&mut self, span: Span) {
        self.within = span;
    }

    /// Where is looked.
    pub(crate) fn within(&self) -> Span {
        self.within
    }

    /// The parser, as the document is read where it is published.
    pub(crate) fn parser(&mut self) -> &mut Parser {
        self.parser.set_options(self.options.clone());
        &mut self.parser
    }

    /// Every link and image.
    pub(crate) fn links<'s>(&mut self, source: &'s str) -> Result<Vec<Link<'s>>, SourceTooLong> {
        let within = self.within;
        let links = self.parser().parse(source)?.links().within(within);
        Ok(kept(links.map(|mut link| {
            // Destinations are compared, which are enough.
            link.href = String::new();
            link
        })))
    }

    /// The bare links of a dialect.
    pub(crate) fn bare<'s>(
        &mut self,
        source: &'s str,
        autolinks: Autolinks,
    ) -> Result<BareLinks<Bare<'s>>, SourceTooLong> {
        self.read_bare(source, autolinks, |events| kept(BareIter { events }))
    }

    /// Where they are.
    pub(crate) fn bare_spans(
        &mut self,
        source: &str,
        autolinks: Autolinks,
    ) -> Result<BareLinks<Span>, SourceTooLong> {
        self.read_bare(source, autolinks, |events| {
            kept(events.filter_map(|event| match event.kind {
                EventKind::Start(Tag::Link(target)) if target.form.is_bare() => Some(event.span),
                _ => None,
            }))
        })
    }

    fn read_bare<'s, L>(
        &mut self,
        source: &'s str,
        autolinks: Autolinks,
        read: impl FnOnce(Events<'_, 's>) -> Vec<L>,
    ) -> Result<BareLinks<L>, SourceTooLong> {
        if autolinks.dialect.is_none() || !may_have_bare_links(source) {
            return Ok(BareLinks::default());
        }
        let mut options = self.options.clone();
        options.autolinks = autolinks;
        self.parser.set_options(options);
        let document = self.parser.parse(source)?;
        Ok(BareLinks(read(document.events().within(self.within))))
    }

    /// Why each candidate is no link in a dialect: where it is, and the sentence. With the
    /// place if it is where nothing is looked for.
    pub(crate) fn refusals(
        &mut self,
        source: &str,
        autolinks: Autolinks,
    ) -> Result<Vec<Refusal>, SourceTooLong> {
        let mut options = self.options.clone();
        options.autolinks = autolinks;
        self.parser.set_options(options);
        let document = self.parser.parse(source)?;
        let refusals = document.explain().within(self.within).filter_map(|decision| {
            let candidate = decision.candidate;
            match decision.verdict {
                Verdict::Refused { rule, .. } => {
                    Some(Refusal { candidate, sentence: rule.sentence(), place: None })
                }
                Verdict::Elsewhere(place) => {
                    let sentence = place.sentence();
                    Some(Refusal { candidate, sentence, place: Some(place) })
                }
                _ => None,
            }
        });
        Ok(kept(refusals))
    }
}

/// Why a candidate is no link.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Refusal {
    pub(crate) candidate: Span,
    pub(crate) sentence: &'static str,
    pub(crate) place: Option<Place>,
}

/// The refusal of a candidate within a span.
pub(crate) fn refusal_within(refusals: &[Refusal], span: Span) -> Option<&Refusal> {
    let from = refusals.partition_point(|refusal| refusal.candidate.start < span.start);
    refusals.get(from).filter(|refusal| refusal.candidate.start < span.end)
}

/// Everything that comes, without what a list that grows has to spare.
fn kept<T>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut kept: Vec<T> = all.collect();
    kept.shrink_to_fit();
    kept
}

/// The bare links among events.
struct BareIter<'p, 's> {
    events: Events<'p, 's>,
}

impl<'s> Iterator for BareIter<'_, 's> {
    type Item = Bare<'s>;

    fn next(&mut self) -> Option<Bare<'s>> {
        let mut open: Option<Bare<'s>> = None;
        for event in &mut self.events {
            match event.kind {
                EventKind::Start(Tag::Link(Target { form, destination, .. })) if form.is_bare() => {
                    let text = Cow::Borrowed("");
                    open = Some(Bare { span: event.span, form, destination, text });
                }
                EventKind::Text(text) => {
                    if let Some(link) = &mut open {
                        link.text += text;
                    }
                }
                EventKind::End(TagEnd::Link) if open.is_some() => return open,
                _ => {}
            }
        }
        None
    }
}

/// Whether there is anything that a bare link begins with, or an escape or entity that could
/// stand for it.
fn may_have_bare_links(source: &str) -> bool {
    let bytes = source.as_bytes();
    let is_www = |dot: usize| {
        let before = dot.checked_sub(3).map(|start| &bytes[start..dot]);
        before.is_some_and(|before| before.eq_ignore_ascii_case(b"www"))
    };
    memchr3(b'@', b'&', b'\\', bytes).is_some()
        || memmem::find(bytes, b"://").is_some()
        || memchr_iter(b'.', bytes).any(is_www)
}
