//! Bare links in text that is not Markdown: plain text, and existing HTML.
//!
//! In HTML, each text between two tags is searched by itself, except that text continues across the
//! tags of `<a>`. Text inside an `<a>` is not linked, but it precedes the text after it:
//! `<a>b</a>www.c.de` has no link, as `bwww.c.de` has none. So a second run reads the same text as
//! the first, and finds nothing more. Tags of other elements split words, as `**` does in Markdown.
//! Character references are decoded: `http://a.bc/?b&amp;c` leads to `http://a.bc/?b&c`.
//!
//! LINEAR: the HTML is cut into pieces in one pass, and each piece of text is read once more by the
//! recognizer.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use barelink_autolink::{Dialect, Kind, Rules, links_with};
use barelink_text::Span;
use barelink_text::entity::scan_entity;

use super::action::{Action, Change};
use super::escape::push_escaped;
use super::gate::{self, RawDestination};
use super::markup::{push_changed_link_start, push_link_start};
use super::tokens::{HtmlPiece, Tokens};
use crate::inline::{Bare, Written};
use crate::links::Link;
use crate::memory::PushSparingly as _;
use crate::options::Options;
use crate::policy::Attribute;

/// Turns the bare links of plain text or of HTML into anchors.
///
/// The [dialect](Options::autolinks) and the [policy](Options::policy) decide what is a link and
/// how it is written; the other options are for Markdown.
///
/// ```
/// use barelink::Options;
/// use barelink::html::{Action, Linkifier};
///
/// let mut options = Options::gfm();
/// options.policy.bare.rel = Some("nofollow".into());
/// let mut linkifier = Linkifier::new(&options).on_link(|link| match link.host().as_deref() {
///     Some("spam.example") => Action::Plain,
///     _ => Action::Keep,
/// });
/// let mut html = String::new();
/// linkifier.push_html("<p>www.a.bc, <code>www.b.cd</code> http://spam.example", &mut html);
/// assert_eq!(
///     html,
///     "<p><a href=\"http://www.a.bc\" rel=\"nofollow\">www.a.bc</a>, \
///      <code>www.b.cd</code> http://spam.example"
/// );
/// ```
#[must_use]
pub struct Linkifier<'h> {
    options: &'h Options,
    rules: Option<Rules>,
    hook: Option<Hook<'h>>,
}

type Hook<'h> = Box<dyn FnMut(&Link<'_>) -> Action + 'h>;

/// How text is written.
#[derive(Clone, Copy)]
enum Writing {
    /// It is plain text, and is escaped.
    Escape,
    /// It is HTML, and is copied.
    Copy,
}

impl Writing {
    fn push(self, text: &str, out: &mut String) {
        match self {
            Self::Escape => push_escaped(text, out),
            Self::Copy => out.push_str(text),
        }
    }
}

impl<'h> Linkifier<'h> {
    /// A linkifier without a hook.
    pub fn new(options: &'h Options) -> Self {
        Self { options, rules: options.autolinks.rules(), hook: None }
    }

    /// Calls `hook` for each link, in order, to decide about it. [`Link::span`] refers to the text
    /// or HTML.
    pub fn on_link(mut self, hook: impl FnMut(&Link<'_>) -> Action + 'h) -> Self {
        self.hook = Some(Box::new(hook));
        self
    }

    /// Appends plain text as HTML to `out`: escaped, with its bare links as anchors. Line endings
    /// are kept.
    pub fn push_text(&mut self, text: &str, out: &mut String) {
        out.reserve(text.len() + text.len() / 4);
        let run = TextRun {
            raw: text,
            start: 0,
            text: Cow::Borrowed(text),
            references: Vec::new(),
            open: vec![Span::new(0, offset(text.len()))],
        };
        self.push_run(&run, Writing::Escape, out);
    }

    /// Appends HTML to `out`, with bare links in its text as anchors.
    ///
    /// Everything else is copied byte for byte: tags, attributes, comments, the content of `<a>`,
    /// `<code>` and `<pre>`, and elements whose content is not HTML, such as `<script>`, `<style>`
    /// and `<textarea>`. A second run changes nothing. This does not sanitize HTML: what was
    /// dangerous still is.
    pub fn push_html(&mut self, html: &str, out: &mut String) {
        out.reserve(html.len() + html.len() / 4);
        let mut pieces = Vec::new();
        let mut start = 0;
        for (piece, range) in Tokens::new(html) {
            if piece == HtmlPiece::Markup {
                self.push_pieces(html, start, &pieces, out);
                pieces.clear();
                start = range.end;
                out.push_str(html.get(range).unwrap_or_default());
            } else {
                pieces.push_sparingly((piece, range.end));
            }
        }
        self.push_pieces(html, start, &pieces, out);
    }

    /// Appends the pieces from `start` on: text, and the tags of `<a>` between.
    fn push_pieces(&mut self, html: &str, start: usize, pieces: &[PieceEnd], out: &mut String) {
        let Some((_, end)) = pieces.last() else { return };
        let range = start..*end;
        if pieces.iter().any(|(piece, _)| *piece == HtmlPiece::Open) {
            self.push_run(&TextRun::of_html(html, range, pieces), Writing::Copy, out);
        } else {
            out.push_str(html.get(range).unwrap_or_default());
        }
    }

    fn push_run(&mut self, run: &TextRun<'_>, writing: Writing, out: &mut String) {
        let Some(rules) = self.rules else { return writing.push(run.raw, out) };
        let mut place = RawPlaces { run, n_passed: 0 };
        let mut from = 0;
        let schemes: Vec<&str> = self.options.schemes.iter().map(String::as_str).collect();
        let mut parts = run.open.iter().peekable();
        for link in links_with(&run.text, rules, &schemes) {
            while parts.next_if(|part| part.end <= link.span.start).is_some() {}
            let Some(part) = parts.peek() else { break };
            if link.span.start < part.start {
                continue;
            }
            let text_start = link.span.start;
            let link = if link.span.end > part.end {
                // LINEAR: a part is read again once, for the link that extends past its end.
                let rest = Span::new(text_start, part.end).slice(&run.text);
                match links_with(rest, rules, &schemes).next() {
                    Some(shorter) if shorter.span.start == 0 => shorter,
                    _ => continue,
                }
            } else {
                link
            };
            let start = place.start(text_start as usize).max(from);
            let end = place.end(text_start as usize + link.text.len()).max(start);
            writing.push(run.raw.get(from..start).unwrap_or_default(), out);
            let found = FoundLink {
                kind: link.kind,
                prefix: link.href_prefix(),
                text: link.text,
                raw: run.raw.get(start..end).unwrap_or_default(),
                span: Span::new(offset(run.start + start), offset(run.start + end)),
            };
            self.push_link(&found, writing, out);
            from = end;
        }
        writing.push(run.raw.get(from..).unwrap_or_default(), out);
    }

    fn push_link(&mut self, found: &FoundLink<'_>, writing: Writing, out: &mut String) {
        let options = self.options;
        let prefix = match found.kind {
            Kind::Www | Kind::Domain if options.policy.https => "https://",
            _ => found.prefix,
        };
        let natural = options.autolinks.dialect == Some(Dialect::Natural);
        let bare = Bare { kind: found.kind, prefix, written: Written::Plainly, natural };
        let (prefix, rest) = bare.destination(found.text);
        let form = bare.form();
        match &mut self.hook {
            None => {
                push_link_start(RawDestination::with_prefix(prefix, &rest), "", form, options, out);
            }
            Some(hook) => {
                let destination = [prefix, &rest].concat();
                let href = gate::href(&destination, Attribute::Href, form, options);
                let external = options.policy.is_external(&href);
                let link = Link {
                    image: false,
                    form,
                    destination: Cow::Owned(destination),
                    href,
                    title: Cow::Borrowed(""),
                    text: Cow::Borrowed(found.text),
                    external,
                    label: Cow::Borrowed(""),
                    span: found.span,
                };
                let change = match hook(&link) {
                    Action::Drop => return,
                    Action::Plain => return writing.push(found.raw, out),
                    Action::Keep => Change::new(),
                    Action::Change(change) => change,
                };
                push_changed_link_start(&link, &change, options, out);
            }
        }
        writing.push(found.raw, out);
        out.push_str("</a>");
    }
}

impl fmt::Debug for Linkifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Linkifier")
            .field("options", self.options)
            .field("on_link", &self.hook.is_some())
            .finish_non_exhaustive()
    }
}

/// A link that was found.
struct FoundLink<'t> {
    kind: Kind,
    prefix: &'static str,
    text: &'t str,
    /// Its text as written.
    raw: &'t str,
    span: Span,
}

/// A piece of HTML and its end, where the next piece starts.
type PieceEnd = (HtmlPiece, usize);

/// Converts an offset to `u32`.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Text that the recognizer reads at once.
struct TextRun<'t> {
    raw: &'t str,
    /// Its offset in the whole text or HTML.
    start: usize,
    /// The text without tags, and with character references decoded.
    text: Cow<'t, str>,
    references: Vec<Gap>,
    /// The parts of the text in which links are allowed.
    open: Vec<Span>,
}

/// The range in the text of a character reference or an omitted tag, and its end as written.
struct Gap {
    start: usize,
    end: usize,
    raw_end: usize,
}

impl<'t> TextRun<'t> {
    fn of_html(html: &'t str, range: Range<usize>, pieces: &[PieceEnd]) -> Self {
        let start = range.start;
        let raw = html.get(range).unwrap_or_default();
        let mut text = String::new();
        let mut references = Vec::new();
        let mut open = Vec::new();
        // Everything before this offset has been copied.
        let mut from = 0;
        let mut next_start = 0;
        for (piece, end) in pieces {
            let piece_end = end - start;
            let piece_start = std::mem::replace(&mut next_start, piece_end);
            let text_start = text.len() + (piece_start - from);
            if *piece == HtmlPiece::Anchor {
                text.push_str(raw.get(from..piece_start).unwrap_or_default());
                let (start, end) = (text_start, text_start);
                references.push_sparingly(Gap { start, end, raw_end: piece_end });
                from = piece_end;
                continue;
            }
            let bytes = &raw.as_bytes()[..piece_end];
            for at in memchr::memchr_iter(b'&', &bytes[piece_start..]) {
                let raw_start = piece_start + at;
                if let Some((raw_end, decoded)) = scan_entity(bytes, raw_start) {
                    text.push_str(raw.get(from..raw_start).unwrap_or_default());
                    let start = text.len();
                    text.push_str(decoded.as_str(&mut [0; 4]));
                    references.push_sparingly(Gap { start, end: text.len(), raw_end });
                    from = raw_end;
                }
            }
            if *piece == HtmlPiece::Open {
                let text_end = text.len() + (piece_end - from);
                open.push(Span::new(offset(text_start), offset(text_end)));
            }
        }
        if references.is_empty() {
            return Self { raw, start, text: Cow::Borrowed(raw), references, open };
        }
        text.push_str(raw.get(from..).unwrap_or_default());
        Self { raw, start, text: Cow::Owned(text), references, open }
    }
}

/// Maps offsets in a run's text, in ascending order, to offsets as written. An offset between the
/// two characters of one reference maps to the end of the reference.
struct RawPlaces<'r, 't> {
    run: &'r TextRun<'t>,
    /// The number of gaps before the last offset.
    n_passed: usize,
}

impl RawPlaces<'_, '_> {
    /// The written offset of text that starts at `at`: after tags at that place.
    fn start(&mut self, at: usize) -> usize {
        self.pass(at, |reference| reference.end <= at || reference.start < at)
    }

    /// The written offset of text that ends at `at`: before tags at that place.
    fn end(&mut self, at: usize) -> usize {
        self.pass(at, |reference| reference.start < at)
    }

    fn pass(&mut self, at: usize, is_passed: impl Fn(&Gap) -> bool) -> usize {
        let references = &self.run.references;
        while references.get(self.n_passed).is_some_and(&is_passed) {
            self.n_passed += 1;
        }
        match self.n_passed.checked_sub(1).and_then(|idx| references.get(idx)) {
            Some(reference) => reference.raw_end + at.saturating_sub(reference.end),
            None => at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, Linkifier};
    use crate::options::Options;
    use crate::policy::Urls;

    fn html(html: &str, options: &Options) -> String {
        let mut out = String::new();
        Linkifier::new(options).push_html(html, &mut out);
        out
    }

    #[test]
    fn references_count_as_what_they_stand_for() {
        for (source, expected) in [
            (
                "&lpar;http://a.bc/?b&amp;c&lt;",
                "&lpar;<a href=\"http://a.bc/?b&amp;c\">http://a.bc/?b&amp;c</a>&lt;",
            ),
            ("a&#64;b.cd&quot;", "<a href=\"mailto:a@b.cd\">a&#64;b.cd</a>&quot;"),
            (
                "&copy; www&period;a.bc/&eacute; &amp",
                "&copy; <a href=\"http://www.a.bc/%C3%A9\">www&period;a.bc/&eacute;</a> &amp",
            ),
            (
                "http://a.bc/&fjlig;&fjlig; www.a.bc&comma;",
                "<a href=\"http://a.bc/fjfj\">http://a.bc/&fjlig;&fjlig;</a> \
                 <a href=\"http://www.a.bc\">www.a.bc</a>&comma;",
            ),
        ] {
            assert_eq!(html(source, &Options::gfm()), expected);
        }
    }

    #[test]
    fn text_goes_on_behind_anchors() {
        for (source, expected) in [
            ("<a href=x>b</a>www.a.bc", "<a href=x>b</a>www.a.bc"),
            (
                "<a href=x>b</a> &lt;www.a.bc",
                "<a href=x>b</a> &lt;<a href=\"http://www.a.bc\">www.a.bc</a>",
            ),
            (
                "<a href=x>b</a>(www.a.bc)<A name=c></A>",
                "<a href=x>b</a>(<a href=\"http://www.a.bc\">www.a.bc</a>)<A name=c></A>",
            ),
            // No link is put around tags.
            (
                "http://a.bc/&amp;d<a href=x>[1]</a>/www.d.ef",
                "<a href=\"http://a.bc/&amp;d\">http://a.bc/&amp;d</a><a href=x>[1]</a>/www.d.ef",
            ),
            ("www.a<a name=x></a>.bc a@b<a>.cd</a>", "www.a<a name=x></a>.bc a@b<a>.cd</a>"),
            // What continues the text of an existing link is not linked.
            ("<a href=x>http://a.bc</a>/www.d.ef", "<a href=x>http://a.bc</a>/www.d.ef"),
            // Other tags part words.
            ("b<b>www.a.bc</b>", "b<b><a href=\"http://www.a.bc\">www.a.bc</a></b>"),
            (
                "<a href=x><b>c</b></a>www.a.bc",
                "<a href=x><b>c</b></a><a href=\"http://www.a.bc\">www.a.bc</a>",
            ),
        ] {
            assert_eq!(html(source, &Options::natural()), expected);
            assert_eq!(html(expected, &Options::natural()), expected);
        }
    }

    #[test]
    fn policies_hold() {
        let mut options = Options::natural();
        options.policy.https = true;
        options.policy.urls = Urls::schemes(["https"]);
        options.policy.bare.rel = Some("ugc".into());
        assert_eq!(
            html("www.例え.jp http://a.bc", &options),
            "<a href=\"https://www.xn--r8jz45g.jp\" rel=\"ugc\">www.例え.jp</a> \
             <a href=\"\" rel=\"ugc\">http://a.bc</a>"
        );
        assert_eq!(html("www.a.bc", &Options::commonmark()), "www.a.bc");
    }

    #[test]
    fn hooks_decide() {
        let options = Options::gfm();
        let source = "é <b>a@b.cd</b> www.a.bc/&lt;x www.b.cd www.c.de www.d.ef/\"";
        let mut seen = Vec::new();
        let mut out = String::new();
        let hook = |link: &crate::Link<'_>| {
            seen.push((link.text.to_string(), link.span.slice(source).to_owned()));
            match link.host().as_deref() {
                Some("www.a.bc") => Action::Plain,
                Some("www.b.cd") => Action::Drop,
                Some("www.c.de") => Action::rewrite("javascript:x"),
                Some(_) => Action::rewrite("/out?to=d"),
                None => Action::Keep,
            }
        };
        Linkifier::new(&options).on_link(hook).push_html(source, &mut out);
        assert_eq!(
            out,
            "é <b><a href=\"mailto:a@b.cd\">a@b.cd</a></b> www.a.bc/&lt;x  \
             <a href=\"\">www.c.de</a> <a href=\"/out?to=d\">www.d.ef/&quot;</a>"
                .replace("&quot;</a>", "\"</a>")
        );
        assert_eq!(seen[1], ("www.a.bc/".to_owned(), "www.a.bc/".to_owned()));
        assert!(seen.iter().all(|(text, written)| text == written), "{seen:?}");
    }
}
