//! Queries the engine about a document: every link where it is published, and the bare links of all
//! peers.
//!
//! All of them read the same Markdown; only the dialect of bare links differs. So spans can be
//! compared, and any difference is one of bare links.
//!
//! LINEAR: the engine reads the document once for each dialect.

use std::borrow::Cow;
use std::cell::Cell;

use barelink::{
    BareLink, Decision, Document, Form, FoundBare, Link, Options, Parser, Place, Policy,
    SourceTooLong, Span, Verdict,
};
use memchr::{memchr_iter, memchr3, memmem};

use crate::doubt::Doubts;

/// Something that has a place in the source.
pub(crate) trait Placed {
    fn span(&self) -> Span;
}

/// A bare link, without what follows from its span and form: there may be one for every few bytes.
#[derive(Debug)]
pub(crate) struct KeptLink<'s> {
    pub(crate) span: Span,
    pub(crate) form: Form,
    /// The whole link, unless its text is the source, and its destination follows from that and the
    /// form.
    whole: Option<Box<BareLink<'s>>>,
}

impl<'s> KeptLink<'s> {
    fn new(found: &FoundBare<'_, 's>, source: &str) -> Self {
        if let Some((form, before)) = found.as_written()
            && before == prefix(form)
        {
            return Self { span: found.span(), form, whole: None };
        }
        let link = found.link();
        let BareLink { span, form, ref destination, ref text } = link;
        let is_plain =
            destination.strip_prefix(prefix(form)) == Some(text) && text == span.slice(source);
        Self { span, form, whole: (!is_plain).then(|| Box::new(link)) }
    }

    /// Its text, if its destination follows from it.
    pub(crate) fn plain_text(&self, source: &'s str) -> Option<&'s str> {
        self.whole.is_none().then(|| self.span.slice(source))
    }

    /// The whole link.
    pub(crate) fn whole(&self, source: &'s str) -> Cow<'_, BareLink<'s>> {
        if let Some(link) = &self.whole {
            return Cow::Borrowed(link);
        }
        let text = self.span.slice(source);
        let destination = match prefix(self.form) {
            "" => Cow::Borrowed(text),
            prefix => Cow::Owned([prefix, text].concat()),
        };
        let text = Cow::Borrowed(text);
        Cow::Owned(BareLink { span: self.span, form: self.form, destination, text })
    }
}

/// The usual prefix of a bare link's destination.
fn prefix(form: Form) -> &'static str {
    match form {
        Form::BareWww => "http://",
        Form::BareEmail => "mailto:",
        _ => "",
    }
}

impl Placed for KeptLink<'_> {
    fn span(&self) -> Span {
        self.span
    }
}

impl Placed for Span {
    fn span(&self) -> Span {
        *self
    }
}

/// The bare links of a document in one dialect, or only their spans, in order and without overlap.
#[derive(Debug)]
pub(crate) struct BareLinks<L> {
    pub(crate) links: Vec<L>,
    /// The position of the last search: the next one is usually after it.
    last: Cell<usize>,
}

impl<L> Default for BareLinks<L> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<L> From<Vec<L>> for BareLinks<L> {
    fn from(links: Vec<L>) -> Self {
        Self { links, last: Cell::new(0) }
    }
}

impl<L: Placed> BareLinks<L> {
    /// Their spans.
    pub(crate) fn spans(&self) -> impl Iterator<Item = Span> + '_ {
        self.links.iter().map(Placed::span)
    }

    /// Whether one has exactly this span.
    pub(crate) fn is_at(&self, span: Span) -> bool {
        // Usually it is the next one.
        let last = self.last.get();
        let next = self.links.get(last..).unwrap_or_default().iter().take(2);
        if let Some(n_passed) = next.map(Placed::span).position(|it| it == span) {
            self.last.set(last + n_passed);
            return true;
        }
        self.touching(span).iter().any(|link| link.span() == span)
    }

    /// The links that overlap this span.
    pub(crate) fn touching(&self, span: Span) -> &[L] {
        let from = self.first_behind(span.start);
        let rest = &self.links[from..];
        // LINEAR: the spans in queries do not overlap either.
        let len = rest.iter().take_while(|link| link.span().start < span.end).count();
        &rest[..len]
    }

    /// The index of the first link that ends after an offset.
    fn first_behind(&self, offset: u32) -> usize {
        /// This many are checked one by one, before a binary search.
        const NEAR: usize = 4;
        let is_passed = |link: &L| link.span().end <= offset;
        let (before, rest) = self.links.split_at(self.last.get().min(self.links.len()));
        let first = if before.last().is_some_and(|link| !is_passed(link)) {
            before.partition_point(is_passed)
        } else {
            let n_near = rest.iter().take(NEAR).take_while(|link| is_passed(link)).count();
            let n_far = if n_near < NEAR { 0 } else { rest[NEAR..].partition_point(is_passed) };
            before.len() + n_near + n_far
        };
        self.last.set(first);
        first
    }
}

/// Reads documents in several dialects.
#[derive(Debug)]
pub(crate) struct Surveyor {
    parser: Parser,
    options: Options,
    /// Blocks that this span neither overlaps nor touches are skipped.
    within: Span,
}

/// The whole document.
pub(crate) const EVERYWHERE: Span = Span { start: 0, end: u32::MAX };

impl Surveyor {
    pub(crate) fn new(options: &Options) -> Self {
        let mut options = options.clone();
        // Destinations are compared in full, and pages without filtering.
        options.policy = Policy::TRUSTED;
        Self { parser: Parser::new(options.clone()), options, within: EVERYWHERE }
    }

    /// Restricts the following reads to blocks at this span.
    pub(crate) fn look_within(&mut self, span: Span) {
        self.within = span;
    }

    /// The span that reads are restricted to.
    pub(crate) fn within(&self) -> Span {
        self.within
    }

    /// Whether a span overlaps or touches that span.
    pub(crate) fn is_near(&self, span: Span) -> bool {
        touch(span, self.within)
    }

    /// The parser with the options where the document is published.
    pub(crate) fn parser(&mut self) -> &mut Parser {
        &mut self.parser
    }

    /// The document; its blocks are the same in every dialect.
    pub(crate) fn read<'s>(&self, source: &'s str) -> Result<Document<'static, 's>, SourceTooLong> {
        barelink::parse(source, &self.options)
    }

    /// Every link and image that is not bare.
    pub(crate) fn marked<'s>(&self, document: &Document<'_, 's>) -> impl Iterator<Item = Link<'s>> {
        let links = document.links().marked_within(self.within);
        links.filter(|link| !link.form.is_bare() && self.is_near(link.span))
    }

    /// The bare links, and the regions that cmark-gfm reads differently.
    pub(crate) fn bare<'s>(
        &self,
        document: &Document<'_, 's>,
    ) -> (BareLinks<KeptLink<'s>>, Doubts) {
        let mut doubts = Doubts::new(document);
        let links = self.read_bare(document, |found| {
            doubts.look(document.source(), &found);
            KeptLink::new(&found, document.source())
        });
        (links, doubts)
    }

    /// The spans of the bare links.
    pub(crate) fn bare_spans(&self, document: &Document<'_, '_>) -> BareLinks<Span> {
        self.read_bare(document, |found| found.span())
    }

    /// The bare links, each converted by `read`.
    pub(crate) fn read_bare<'s, L>(
        &self,
        document: &Document<'_, 's>,
        mut read: impl FnMut(FoundBare<'_, 's>) -> L,
    ) -> BareLinks<L> {
        let words = self.words(document.source());
        let is_there = |found: &FoundBare<'_, 's>| touch(found.span(), words);
        read_bare(
            document,
            words,
            |leaf| self.is_near(leaf),
            |found| is_there(&found).then(|| read(found)),
        )
    }

    /// The total length of the leaves at a place.
    pub(crate) fn len_of_leaves(&self, source: &str, place: Span) -> Result<usize, SourceTooLong> {
        let mut len = 0;
        let add = |leaf: Span| {
            len += if touch(leaf, place) { leaf.len() as usize } else { 0 };
            // No link is read.
            false
        };
        self.read(source)?.bare_links(add, |_| {});
        Ok(len)
    }

    /// The restricted span, extended to a space, tab or line ending on either side. No bare link of
    /// any dialect contains one, so links that overlap the span are entirely in here. (A form feed
    /// may be part of one, in `github`.)
    pub(crate) fn words(&self, source: &str) -> Span {
        let bytes = source.as_bytes();
        let [start, end] =
            [self.within.start, self.within.end].map(|at| bytes.len().min(at as usize));
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let first = bytes[..start].iter().rposition(is_space).map_or(0, |at| at + 1);
        let last = bytes[end..].iter().position(is_space).map_or(bytes.len(), |len| end + len);
        Span::new(first as u32, last as u32)
    }

    /// Why each candidate is not a link: its span, the sentence, and the place, if bare links are
    /// not looked for there.
    pub(crate) fn refusals(&self, document: &Document<'_, '_>) -> Vec<Refusal> {
        let words = self.words(document.source());
        let decisions = document.explain().within(self.within).among(words);
        let is_there = |decision: &Decision| decision.candidate.start <= words.end;
        let refusals = decisions.take_while(is_there).filter_map(|decision| {
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
        kept(refusals)
    }
}

/// The spans of the bare links in leaves that contain one of these places, which are in order.
/// Links outside of `words` may be missing.
pub(crate) fn bare_spans_at(
    document: &Document<'_, '_>,
    words: Span,
    places: impl Iterator<Item = Span>,
) -> BareLinks<Span> {
    let mut places = places.peekable();
    let has_one = |leaf: Span| {
        while places.next_if(|place| place.start < leaf.start).is_some() {}
        places.peek().is_some_and(|place| place.start < leaf.end)
    };
    read_bare(document, words, has_one, |found| Some(found.span()))
}

fn read_bare<'s, L>(
    document: &Document<'_, 's>,
    words: Span,
    is_wanted: impl FnMut(Span) -> bool,
    mut read: impl FnMut(FoundBare<'_, 's>) -> Option<L>,
) -> BareLinks<L> {
    let mut links = Vec::new();
    if may_have_bare_links(document.source()) {
        document.bare_links_among(words, is_wanted, |found| links.extend(read(found)));
    }
    links.shrink_to_fit();
    links.into()
}

/// Whether two spans overlap or touch.
fn touch(one: Span, two: Span) -> bool {
    one.start <= two.end && two.start <= one.end
}

/// Why a candidate is not a link.
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

/// Collects an iterator without spare capacity.
fn kept<T>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut kept: Vec<T> = all.collect();
    kept.shrink_to_fit();
    kept
}

/// Whether the source has anything that a bare link begins with, or an escape or entity that could
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
