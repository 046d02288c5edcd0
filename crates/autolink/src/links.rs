//! The iterators over plain text: its links, these with the text between them, and the
//! verdicts on all its candidates.

use core::fmt;

use barelink_text::Span;

use crate::natural::{has_idn_host, push_href};
use crate::plain::Plain;
use crate::region::Match;
use crate::rules::{Kind, Rules};
use crate::verdict::{Reasons, Verdict};

/// The bare links of plain text, in order, found as the iterator is advanced.
///
/// The text is read as paragraphs with blank lines between them. Offsets are
/// `u32`: text beyond 4 GiB is ignored.
///
/// ```
/// use barelink_autolink::{Dialect, links};
///
/// let link = links("see www.a.bc!", Dialect::Gfm).next().unwrap();
/// assert_eq!(link.text, "www.a.bc");
/// assert_eq!(link.span.start, 4);
/// assert_eq!(link.href().to_string(), "http://www.a.bc");
/// ```
#[inline]
pub fn links(text: &str, rules: impl Into<Rules>) -> Links<'_> {
    let text = addressable(text);
    Links { text, plain: Plain::new(text.as_bytes(), rules.into()) }
}

/// The same, and URLs with one of these schemes, given in lower case and without the
/// colon. Only the natural dialect looks for them.
///
/// It makes no difference whether `//` follows a scheme. What follows ends as a path does.
/// `*` stands for every scheme with `//` behind it, but for those that run code or hold data:
/// `javascript`, `vbscript` and `data`.
///
/// ```
/// use barelink_autolink::{Dialect, links_with};
///
/// let text = "Call tel:+1-555-0100, or open app://settings.";
/// let found: Vec<_> = links_with(text, Dialect::Natural, &["tel", "app"])
///     .map(|link| link.text)
///     .collect();
/// assert_eq!(found, ["tel:+1-555-0100", "app://settings"]);
/// assert_eq!(links_with(text, Dialect::Gfm, &["tel", "app"]).count(), 0);
///
/// let found = links_with("tel:1 is no git+ssh://a.bc/x", Dialect::Natural, &["*"]);
/// assert!(found.map(|link| link.text).eq(["git+ssh://a.bc/x"]));
/// ```
pub fn links_with<'t>(text: &'t str, rules: impl Into<Rules>, schemes: &'t [&'t str]) -> Links<'t> {
    let text = addressable(text);
    Links { text, plain: Plain::with_schemes(text.as_bytes(), rules.into(), schemes) }
}

/// The whole text, as links and what is between them. Put together again, the segments are
/// the text. None is empty.
///
/// ```
/// use barelink_autolink::{Dialect, Segment, spans};
///
/// let mut html = String::new();
/// for segment in spans("see www.a.bc!", Dialect::Natural) {
///     match segment {
///         Segment::Text(text) => html.push_str(text), // to be escaped, if it is anybody's
///         Segment::Link(link) => {
///             html.push_str(&format!("<a href=\"{}\">{}</a>", link.href(), link.text));
///         }
///     }
/// }
/// assert_eq!(html, "see <a href=\"http://www.a.bc\">www.a.bc</a>!");
/// ```
pub fn spans(text: &str, rules: impl Into<Rules>) -> Spans<'_> {
    Spans::new(text, links(text, rules))
}

/// The same, with URLs of these schemes: see [`links_with`].
///
/// ```
/// use barelink_autolink::{Dialect, spans_with};
///
/// let segments = spans_with("call tel:1, now", Dialect::Natural, &["tel"]);
/// assert!(segments.map(|segment| segment.as_str()).eq(["call ", "tel:1", ", now"]));
/// ```
pub fn spans_with<'t>(text: &'t str, rules: impl Into<Rules>, schemes: &'t [&'t str]) -> Spans<'t> {
    Spans::new(text, links_with(text, rules, schemes))
}

/// The verdict on every candidate in plain text, in order: each `://`, `www.`
/// and `@` that is not inside a link.
///
/// ```
/// use barelink_autolink::{Dialect, Outcome, Rule, verdicts};
///
/// let rules: Vec<_> = verdicts("http://a www.b ssh://c", Dialect::Gfm)
///     .map(|verdict| match verdict.outcome {
///         Outcome::Linked { .. } => None,
///         Outcome::Refused { rule, .. } => Some(rule),
///     })
///     .collect();
/// assert_eq!(rules, [Rule::DomainPeriod, Rule::DomainPeriod, Rule::Scheme].map(Some));
/// ```
pub fn verdicts(text: &str, rules: impl Into<Rules>) -> Verdicts<'_> {
    Verdicts { plain: Plain::new(addressable(text).as_bytes(), rules.into()) }
}

/// As much of the text as offsets can point into.
#[inline]
fn addressable(text: &str) -> &str {
    if u32::try_from(text.len()).is_ok() { text } else { cut(text) }
}

/// The same for a text of which they cannot point into all.
#[cold]
fn cut(text: &str) -> &str {
    let mut end = text.len().min(u32::MAX as usize);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A bare link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link<'t> {
    /// What it begins with.
    pub kind: Kind,
    /// Where it is.
    pub span: Span,
    /// Its text, as written.
    pub text: &'t str,
    prefix: &'static str,
    /// Whether the host is written otherwise in the destination.
    is_idn: bool,
}

impl<'t> Link<'t> {
    /// What the destination has before the text: nothing, `http://` or
    /// `mailto:`.
    pub const fn href_prefix(&self) -> &'static str {
        self.prefix
    }

    /// The destination, not yet percent-encoded, without building a string.
    pub const fn href(&self) -> Href<'t> {
        Href { prefix: self.prefix, text: self.text, is_idn: self.is_idn }
    }
}

/// A link's destination. In `natural`, an international host is written in
/// Punycode; everything else is the two pieces it is made of.
///
/// ```
/// use barelink_autolink::{Dialect, links};
///
/// let href = links("a@b.cd", Dialect::Gfm).next().unwrap().href();
/// assert_eq!(href.to_string(), "mailto:a@b.cd");
/// assert!(href.pieces().into_iter().eq(["mailto:", "a@b.cd"]));
///
/// let href = links("http://例え.jp", Dialect::Natural).next().unwrap().href();
/// assert_eq!(href.to_string(), "http://xn--r8jz45g.jp");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Href<'t> {
    prefix: &'static str,
    text: &'t str,
    is_idn: bool,
}

impl<'t> Href<'t> {
    /// The pieces, to be written one after the other: the prefix and the text,
    /// with an international host as written.
    pub const fn pieces(&self) -> [&'t str; 2] {
        [self.prefix, self.text]
    }
}

impl fmt::Display for Href<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_idn {
            return push_href(self.text, self.prefix, f);
        }
        f.write_str(self.prefix)?;
        f.write_str(self.text)
    }
}

/// The iterator that [`links`] returns.
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing until they are advanced"]
pub struct Links<'t> {
    text: &'t str,
    plain: Plain<'t>,
}

impl<'t> Iterator for Links<'t> {
    type Item = Link<'t>;

    #[inline]
    fn next(&mut self) -> Option<Link<'t>> {
        let (kind, found) = self.plain.next_link()?;
        let span = span_of(found);
        let text = span.slice(self.text);
        let is_idn = self.plain.can_be_idn(found) && has_idn_host(text, kind);
        Some(Link { kind, span, text, prefix: found.prefix, is_idn })
    }
}

impl core::iter::FusedIterator for Links<'_> {}

/// A piece of plain text: see [`spans`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Segment<'t> {
    /// Text that is in no link.
    Text(&'t str),
    /// A bare link.
    Link(Link<'t>),
}

impl<'t> Segment<'t> {
    /// Its text, as written.
    pub const fn as_str(&self) -> &'t str {
        match self {
            Self::Text(text) => text,
            Self::Link(link) => link.text,
        }
    }

    /// The link, if it is one.
    pub const fn link(&self) -> Option<&Link<'t>> {
        match self {
            Self::Text(_) => None,
            Self::Link(link) => Some(link),
        }
    }
}

/// The iterator that [`spans`] returns.
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing until they are advanced"]
pub struct Spans<'t> {
    /// All of it: what offsets cannot point into is text.
    text: &'t str,
    /// What is before this has been given.
    given: usize,
    links: Links<'t>,
    /// The link behind the text that was given last.
    waiting: Option<Link<'t>>,
}

impl<'t> Spans<'t> {
    fn new(text: &'t str, links: Links<'t>) -> Self {
        Self { text, given: 0, links, waiting: None }
    }
}

impl<'t> Iterator for Spans<'t> {
    type Item = Segment<'t>;

    fn next(&mut self) -> Option<Segment<'t>> {
        let link = self.waiting.take().or_else(|| self.links.next());
        let end = link.map_or(self.text.len(), |link| link.span.start as usize);
        let text = &self.text[self.given..end];
        if !text.is_empty() {
            self.given = end;
            self.waiting = link;
            return Some(Segment::Text(text));
        }
        let link = link?;
        self.given = link.span.end as usize;
        Some(Segment::Link(link))
    }
}

impl core::iter::FusedIterator for Spans<'_> {}

/// The iterator that [`verdicts`] returns.
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing until they are advanced"]
pub struct Verdicts<'t> {
    plain: Plain<'t>,
}

impl Iterator for Verdicts<'_> {
    type Item = Verdict;

    fn next(&mut self) -> Option<Verdict> {
        let mut reasons = Reasons::default();
        let (candidate, found) = self.plain.decide_next(&mut reasons)?;
        let outcome = reasons.outcome(found.map(span_of));
        Some(Verdict { kind: candidate.kind, candidate: candidate.span(), outcome })
    }
}

impl core::iter::FusedIterator for Verdicts<'_> {}

fn span_of(found: Match) -> Span {
    Span::new(found.start as u32, found.end as u32)
}
