//! The iterators over plain text: its links, its links with the text between them, and the verdicts
//! on all its candidates.

use core::fmt;

use barelink_text::Span;

use crate::natural::{has_idn_host, push_href};
use crate::plain::Plain;
use crate::region::Match;
use crate::rules::{Kind, Rules};
use crate::verdict::{Reasons, Verdict};

/// Returns an iterator over the bare links of plain text, in order. They are found lazily.
///
/// Blank lines separate the paragraphs of the text. Offsets are `u32`: text beyond 4 GiB is
/// ignored.
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

/// Like [`links`], but also finds URLs with one of `schemes`, which are given in lower case and
/// without the colon. Only the natural dialect looks for them.
///
/// A scheme may be followed by `//` or not. The rest of the URL ends as a path does. `*` stands for
/// every scheme followed by `//`, except those that run code or hold data: `javascript`, `vbscript`
/// and `data`.
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

/// Splits the whole text into links and the text between them. The segments concatenate to the
/// text, and none is empty.
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

/// Like [`spans`], but also finds URLs with one of `schemes`: see [`links_with`].
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

/// Returns an iterator over the verdicts on all candidates in plain text, in order: each `://`,
/// `www.` and `@` that is not inside a link.
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

/// The part of the text that `u32` offsets can address.
#[inline]
fn addressable(text: &str) -> &str {
    if u32::try_from(text.len()).is_ok() { text } else { cut(text) }
}

/// Cuts a text that is too long.
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
    /// What the link begins with.
    pub kind: Kind,
    /// The span of the link in the text.
    pub span: Span,
    /// The text of the link, as written.
    pub text: &'t str,
    prefix: &'static str,
    /// Whether the destination has the host in Punycode.
    is_idn: bool,
}

impl<'t> Link<'t> {
    /// What precedes the text in the destination: nothing, `http://` or `mailto:`.
    pub const fn href_prefix(&self) -> &'static str {
        self.prefix
    }

    /// The destination, not percent-encoded yet. Builds no string: write it with `Display`.
    pub const fn href(&self) -> Href<'t> {
        Href { prefix: self.prefix, text: self.text, is_idn: self.is_idn }
    }
}

/// A link's destination. In `natural`, an international host is written in Punycode; otherwise it
/// is the prefix and the text.
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
    /// The pieces of the destination, in order: the prefix, and the text with any international
    /// host as written.
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
    /// Text outside of links.
    Text(&'t str),
    /// A bare link.
    Link(Link<'t>),
}

impl<'t> Segment<'t> {
    /// The text of the segment, as written.
    pub const fn as_str(&self) -> &'t str {
        match self {
            Self::Text(text) => text,
            Self::Link(link) => link.text,
        }
    }

    /// The link, if the segment is one.
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
    /// The whole text: beyond the reach of offsets, all is text.
    text: &'t str,
    /// The end of the segments returned so far.
    given: usize,
    links: Links<'t>,
    /// The link that follows the text returned last.
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
