//! What the engine says about a document: every link where it is published, and the bare
//! links of everybody else.
//!
//! All of them read the same Markdown; only the dialect of bare links differs. So spans can be
//! compared, and a difference is one of bare links.
//!
//! LINEAR: the engine reads the document once for each dialect.

use barelink::{
    Autolinks, Event, EventKind, Form, Link, Options, Parser, Place, Policy, SourceTooLong, Span,
    Tag, TagEnd, Target, Verdict,
};
use memchr::{memchr_iter, memchr3, memmem};

/// A bare link of a dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bare {
    pub(crate) span: Span,
    pub(crate) form: Form,
    pub(crate) destination: String,
    /// What a reader sees.
    pub(crate) text: String,
}

/// The bare links of a document in one dialect, in order and without overlap.
#[derive(Debug, Clone, Default)]
pub(crate) struct BareLinks(pub(crate) Vec<Bare>);

impl BareLinks {
    /// The link with exactly this span.
    pub(crate) fn at(&self, span: Span) -> Option<&Bare> {
        self.touching(span).iter().find(|link| link.span == span)
    }

    /// The links that share a byte with this span.
    pub(crate) fn touching(&self, span: Span) -> &[Bare] {
        let from = self.0.partition_point(|link| link.span.end <= span.start);
        let to = self.0.partition_point(|link| link.span.start < span.end);
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
        Ok(self.parser().parse(source)?.links().within(within).collect())
    }

    /// The bare links of a dialect.
    pub(crate) fn bare(
        &mut self,
        source: &str,
        autolinks: Autolinks,
    ) -> Result<BareLinks, SourceTooLong> {
        if autolinks.dialect.is_none() || !may_have_bare_links(source) {
            return Ok(BareLinks::default());
        }
        let mut options = self.options.clone();
        options.autolinks = autolinks;
        self.parser.set_options(options);
        let document = self.parser.parse(source)?;
        Ok(BareLinks(bare_links(document.events().within(self.within))))
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
        Ok(refusals.collect())
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

fn bare_links<'s>(events: impl Iterator<Item = Event<'s>>) -> Vec<Bare> {
    let mut links = Vec::new();
    let mut open: Option<Bare> = None;
    for event in events {
        match event.kind {
            EventKind::Start(Tag::Link(Target { form, destination, .. })) if form.is_bare() => {
                let (destination, text) = (destination.into_owned(), String::new());
                open = Some(Bare { span: event.span, form, destination, text });
            }
            EventKind::Text(text) => {
                if let Some(link) = &mut open {
                    link.text.push_str(&text);
                }
            }
            EventKind::End(TagEnd::Link) => links.extend(open.take()),
            _ => {}
        }
    }
    links
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
