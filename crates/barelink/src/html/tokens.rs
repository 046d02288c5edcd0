//! A tokenizer that cuts HTML into text and markup, as a browser would (WHATWG HTML, section
//! 13.2.5, "Tokenization"), for [`Linkifier`](super::Linkifier).
//!
//! ```text
//! tag         = "<" "/"? letter … ">"      a ">" in a quoted value is part of the value
//! comment     = "<!--" … ("-->" | "--!>")
//! declaration = ("<!" | "<?" | "</") … ">"
//! text        = anything else, including a "<" that starts none of these
//! ```
//!
//! Text is marked as closed where links are not allowed: in an `<a>`, in code, and in elements
//! whose content is not HTML. An end tag inside a table, a cell and the like closes nothing outside
//! of it (section 13.2.4.2, "has an element in scope"): `<code><table></code>a` still is code.
//! Elements that a browser would close implicitly stay open here, so that in broken HTML too much
//! rather than too little is left alone.
//!
//! LINEAR: nothing is read twice; a construct that does not end extends to the end.

use std::ops::Range;

use memchr::{memchr, memchr2, memmem};

/// Elements whose content extends to their own end tag, and has no tags.
const RAW: [&[u8]; 9] = [
    b"script",
    b"style",
    b"textarea",
    b"title",
    b"xmp",
    b"iframe",
    b"noembed",
    b"noframes",
    b"noscript",
];

/// Elements that limit the effect of end tags inside them: of HTML, and those of SVG and MathML
/// that contain HTML. A browser treats some of them so only in a table or a picture. Doing that
/// everywhere leaves too much alone, not too little.
const SCOPES: [&[u8]; 17] = [
    b"table",
    b"td",
    b"th",
    b"caption",
    b"template",
    b"object",
    b"applet",
    b"marquee",
    b"select",
    b"foreignobject",
    b"desc",
    b"annotation-xml",
    b"mi",
    b"mo",
    b"mn",
    b"ms",
    b"mtext",
];

/// The scopes that another of these, or the end of the table, closes.
const CELLS: [&[u8]; 3] = [b"td", b"th", b"caption"];

/// A piece of HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HtmlPiece {
    /// Text in which links are allowed.
    Open,
    /// Text that is left alone.
    Closed,
    /// The start or end tag of an `<a>`.
    Anchor,
    /// Other tags, comments and the like.
    Markup,
}

/// The pieces of HTML, in order, without gaps.
#[derive(Debug)]
pub(crate) struct Tokens<'h> {
    html: &'h [u8],
    at: usize,
    open: OpenAround,
    scopes: Vec<Scope<'h>>,
    /// The name of the element whose raw content comes next, if any.
    raw: Option<&'h [u8]>,
}

/// The open elements around a place in which links are not allowed.
#[derive(Debug, Clone, Copy, Default)]
struct OpenAround {
    in_anchor: bool,
    n_code: usize,
    n_pre: usize,
}

/// An open element that limits the effect of end tags.
#[derive(Debug)]
struct Scope<'h> {
    name: &'h [u8],
    /// The state around it.
    around: OpenAround,
}

impl<'h> Tokens<'h> {
    pub(crate) fn new(html: &'h str) -> Self {
        let html = html.as_bytes();
        Self { html, at: 0, open: OpenAround::default(), scopes: Vec::new(), raw: None }
    }

    /// Reads the tag at `at`, whose name starts at `name_start`, up to its end.
    fn read_tag(&mut self, at: usize, name_start: usize) -> HtmlPiece {
        let html = self.html;
        let is_end_tag = name_start > at + 1;
        let name_len = html[name_start..].iter().take_while(|&&byte| !ends_name(byte)).count();
        let name = &html[name_start..name_start + name_len];
        let around = self.scopes.last().map(|scope| scope.around).unwrap_or_default();
        let opened = |n_open: usize, n_around: usize| {
            if is_end_tag { n_open.saturating_sub(1).max(n_around) } else { n_open + 1 }
        };
        let OpenAround { in_anchor, n_code, n_pre } = &mut self.open;
        let is_anchor = name.eq_ignore_ascii_case(b"a");
        if is_anchor {
            *in_anchor = !is_end_tag || around.in_anchor;
        } else if name.eq_ignore_ascii_case(b"code") {
            *n_code = opened(*n_code, around.n_code);
        } else if name.eq_ignore_ascii_case(b"pre") {
            *n_pre = opened(*n_pre, around.n_pre);
        } else if !is_end_tag && is_raw(name) {
            self.raw = Some(name);
        } else if is_one_of(&SCOPES, name) {
            if is_end_tag {
                self.close_scope(name);
            } else {
                self.open_scope(name);
            }
        }
        self.at = scan_attributes(html, name_start + name_len);
        if is_anchor { HtmlPiece::Anchor } else { HtmlPiece::Markup }
    }

    fn open_scope(&mut self, name: &'h [u8]) {
        match self.scopes.last_mut() {
            Some(last) if is_one_of(&CELLS, last.name) && is_one_of(&CELLS, name) => {
                last.name = name;
            }
            _ => self.scopes.push(Scope { name, around: self.open }),
        }
    }

    /// What is open inside the scope stays open: a browser, too, reopens code that the end of a
    /// table has closed.
    fn close_scope(&mut self, name: &[u8]) {
        let is = |scope: &Scope<'_>| scope.name.eq_ignore_ascii_case(name);
        match &self.scopes[..] {
            [.., last] if is(last) => self.scopes.truncate(self.scopes.len() - 1),
            // The end of a table also closes its last cell.
            [.., table, cell]
                if is(table)
                    && is_one_of(&CELLS, cell.name)
                    && name.eq_ignore_ascii_case(b"table") =>
            {
                self.scopes.truncate(self.scopes.len() - 2);
            }
            _ => {}
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = (HtmlPiece, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        if start == self.html.len() {
            return None;
        }
        if let Some(name) = self.raw.take() {
            self.at = find_raw_end(self.html, start, name);
            if self.at > start {
                return Some((HtmlPiece::Closed, start..self.at));
            }
        }
        match scan_markup(self.html, start) {
            Some(MarkupStart::Tag(name_start)) => {
                let piece = self.read_tag(start, name_start);
                return Some((piece, start..self.at));
            }
            Some(MarkupStart::Other(end)) => self.at = end,
            None => {
                self.at = find_markup(self.html, start);
                let OpenAround { in_anchor, n_code, n_pre } = self.open;
                let is_closed = in_anchor || n_code > 0 || n_pre > 0;
                let piece = if is_closed { HtmlPiece::Closed } else { HtmlPiece::Open };
                return Some((piece, start..self.at));
            }
        }
        Some((HtmlPiece::Markup, start..self.at))
    }
}

/// What a `<` starts.
enum MarkupStart {
    /// A tag, and the start of its name.
    Tag(usize),
    /// Other markup, and its end.
    Other(usize),
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C)
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}

fn is_one_of(names: &[&[u8]], name: &[u8]) -> bool {
    names.iter().any(|it| name.eq_ignore_ascii_case(it))
}

fn is_raw(name: &[u8]) -> bool {
    is_one_of(&RAW, name) || name.eq_ignore_ascii_case(b"plaintext")
}

/// The markup that starts at `at`, if any.
fn scan_markup(html: &[u8], at: usize) -> Option<MarkupStart> {
    let rest = html.get(at..)?;
    let to_bracket = |from: usize| {
        let len = rest.get(from..).and_then(|rest| memchr(b'>', rest));
        Some(MarkupStart::Other(len.map_or(html.len(), |len| at + from + len + 1)))
    };
    match rest {
        [b'<', letter, ..] if letter.is_ascii_alphabetic() => Some(MarkupStart::Tag(at + 1)),
        [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => Some(MarkupStart::Tag(at + 2)),
        [b'<', b'!', b'-', b'-', ..] => Some(MarkupStart::Other(scan_comment(html, at + 4))),
        [b'<', b'!' | b'?', ..] | [b'<', b'/', _, ..] => to_bracket(2),
        _ => None,
    }
}

/// The end of the text that starts at `from`.
fn find_markup(html: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(len) = html.get(at..).and_then(|rest| memchr(b'<', rest)) {
        at += len;
        if scan_markup_start(html, at) {
            return at;
        }
        at += 1;
    }
    html.len()
}

/// Whether the `<` at `at` starts markup.
fn scan_markup_start(html: &[u8], at: usize) -> bool {
    match html.get(at + 1..) {
        Some([b'/', _, ..]) => true,
        Some([byte, ..]) => byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'?'),
        _ => false,
    }
}

/// The end of the comment whose content starts at `start`.
fn scan_comment(html: &[u8], start: usize) -> usize {
    match html.get(start..) {
        Some([b'>', ..]) => return start + 1,
        Some([b'-', b'>', ..]) => return start + 2,
        _ => {}
    }
    let mut at = start;
    while let Some(len) = html.get(at..).and_then(|rest| memmem::find(rest, b"--")) {
        at += len;
        match &html[at + 2..] {
            [b'>', ..] => return at + 3,
            [b'!', b'>', ..] => return at + 4,
            _ => at += 1,
        }
    }
    html.len()
}

/// The value of an attribute of a tag, as written. If it is repeated, the first one counts.
pub(crate) fn attribute<'t>(tag: &'t str, wanted: &str) -> Option<&'t str> {
    let html = tag.as_bytes();
    let skip = |from: usize, is_skipped: fn(u8) -> bool| {
        let rest = html.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|&&byte| is_skipped(byte)).count()
    };
    let mut at = skip(1, |byte| !ends_name(byte));
    loop {
        at = skip(at, |byte| is_space(byte) || byte == b'/');
        if matches!(html.get(at), None | Some(b'>')) {
            return None;
        }
        let name = at;
        at = skip(at + 1, |byte| !ends_name(byte) && byte != b'=');
        let is_wanted =
            html.get(name..at).is_some_and(|it| it.eq_ignore_ascii_case(wanted.as_bytes()));
        let equals = skip(at, is_space);
        if html.get(equals) != Some(&b'=') {
            if is_wanted {
                return Some("");
            }
            continue;
        }
        at = skip(equals + 1, is_space);
        let (start, end) = match html.get(at) {
            Some(&quote @ (b'"' | b'\'')) => {
                let len = memchr(quote, html.get(at + 1..)?)?;
                (at + 1, at + 1 + len)
            }
            _ => (at, skip(at, |byte| !is_space(byte) && byte != b'>')),
        };
        if is_wanted {
            return tag.get(start..end);
        }
        at = end + usize::from(start > equals + 1 && matches!(html.get(end), Some(b'"' | b'\'')));
    }
}

/// The end of the tag whose name ends at `at`.
fn scan_attributes(html: &[u8], mut at: usize) -> usize {
    let skip = |from: usize, is_skipped: fn(u8) -> bool| {
        let rest = html.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|&&byte| is_skipped(byte)).count()
    };
    loop {
        at = skip(at, |byte| is_space(byte) || byte == b'/');
        match html.get(at) {
            None => return html.len(),
            Some(b'>') => return at + 1,
            // The first byte of a name may even be a `=`.
            Some(_) => at = skip(at + 1, |byte| !ends_name(byte) && byte != b'='),
        }
        let equals = skip(at, is_space);
        if html.get(equals) != Some(&b'=') {
            continue;
        }
        at = skip(equals + 1, is_space);
        at = match html.get(at) {
            Some(&quote @ (b'"' | b'\'')) => match memchr(quote, &html[at + 1..]) {
                Some(len) => at + 1 + len + 1,
                None => return html.len(),
            },
            Some(b'>') => return at + 1,
            _ => skip(at, |byte| !is_space(byte) && byte != b'>'),
        };
    }
}

/// Whether the tag `<name` or `</name` is at the start of `rest`.
fn is_tag(rest: &[u8], start: &[u8], name: &[u8]) -> bool {
    rest.strip_prefix(start).and_then(|rest| rest.split_at_checked(name.len())).is_some_and(
        |(head, after)| {
            head.eq_ignore_ascii_case(name) && after.first().is_some_and(|&byte| ends_name(byte))
        },
    )
}

/// The start of the end tag of the element whose content starts at `start`.
fn find_raw_end(html: &[u8], start: usize, name: &[u8]) -> usize {
    if name.eq_ignore_ascii_case(b"plaintext") {
        return html.len();
    }
    if name.eq_ignore_ascii_case(b"script") {
        return find_script_end(html, start);
    }
    let mut at = start;
    while let Some(len) = html.get(at..).and_then(|rest| memchr(b'<', rest)) {
        at += len;
        if is_tag(&html[at..], b"</", name) {
            return at;
        }
        at += 1;
    }
    html.len()
}

/// [`find_raw_end`] for a script, in which a comment may contain another one: the end tag of that
/// does not end the outer script.
fn find_script_end(html: &[u8], start: usize) -> usize {
    let (mut in_comment, mut in_inner) = (false, false);
    let mut at = start;
    while let Some(len) = html.get(at..).and_then(|rest| memchr2(b'<', b'-', rest)) {
        at += len;
        let rest = &html[at..];
        if rest.starts_with(b"<!--") {
            in_comment = true;
            // These dashes may already end the comment.
            at += 1;
        } else if rest.starts_with(b"-->") {
            (in_comment, in_inner) = (false, false);
        } else if is_tag(rest, b"</", b"script") {
            if !in_inner {
                return at;
            }
            in_inner = false;
        } else if in_comment && is_tag(rest, b"<", b"script") {
            in_inner = true;
        }
        at += 1;
    }
    html.len()
}

#[cfg(test)]
mod tests {
    use super::{HtmlPiece, Tokens};

    /// The text of HTML, with what is closed in brackets.
    fn text(html: &str) -> String {
        let mut out = String::new();
        let mut at = 0;
        for (piece, range) in Tokens::new(html) {
            assert!(range.start == at && range.end > at, "{html:?}: {range:?}");
            at = range.end;
            match piece {
                HtmlPiece::Open => out.push_str(&html[range]),
                HtmlPiece::Closed => out.push_str(&["[", &html[range], "]"].concat()),
                HtmlPiece::Anchor | HtmlPiece::Markup => out.push('|'),
            }
        }
        assert_eq!(at, html.len());
        out
    }

    #[test]
    fn end_tags_reach_only_so_far() {
        for (html, expected) in [
            ("<code><table></code>a</table>b</code>c", "|||[a]|[b]|c"),
            ("<code><table><td></code>a</table></code>b", "||||[a]||b"),
            ("<table><td><code>a<td></code>b</table>c", "|||[a]||b|c"),
            ("<table><tr><td><code>a</code>b<th>c</table>d", "||||[a]|b|c|d"),
            ("<table><code></table>a</code>b", "|||[a]|b"),
            ("<a><object></a>b</object></A>c", "|||[b]||c"),
            ("<pre><select></pre>a</SELECT></pre>b", "|||[a]||b"),
            ("<code><svg><foreignObject></code>a", "||||[a]"),
            ("<code><table><template></table></code>a", "|||||[a]"),
            ("<code><td></th></code>a</td></code>b", "||||[a]||b"),
            ("</table><table></td></table>a", "||||a"),
        ] {
            assert_eq!(text(html), expected, "{html:?}");
        }
    }

    #[test]
    fn pieces_are_those_of_browsers() {
        for (html, expected) in [
            ("a<b>c</b>d", "a|c|d"),
            ("1 < 2 <3 <", "1 < 2 <3 <"),
            ("a</", "a</"),
            ("</>a</ b>c", "|a|c"),
            ("<a href=\">\">b</a>c", "|[b]|c"),
            ("<a href='>' b=\"'>\">c", "|[c]"),
            ("<b a\">c", "|c"),
            ("<b =\">\">c", "|\">c"),
            ("<b a=>c", "|c"),
            ("<b a=\"c>", "|"),
            ("<b", "|"),
            ("<b/c=d/>e", "|e"),
            ("<!-->a<!--->b<!---->c<!-- > -- -->d", "|a|b|c|d"),
            ("<!--a--!>b<!--c", "|b|"),
            ("<!DOCTYPE html \">\">a<?b c?>d", "|\">a|d"),
            ("<![CDATA[a]]>b", "|b"),
            ("<CODE>a<code>b</code>c</code>d", "|[a]|[b]|[c]|d"),
            ("</code>a<pre>b<b>c</b></pre>d", "|a|[b]|[c]||d"),
            ("<abbr>a<apre>b", "|a|b"),
            ("<a\n>b</A\t>c", "|[b]|c"),
            ("<style>a<b></styles></Style >c", "|[a<b></styles>]|c"),
            ("<textarea></textarea>a", "||a"),
            ("<plaintext>a</plaintext>b", "|[a</plaintext>b]"),
            ("<script>a<!--<script>b</script>c--></script>d", "|[a<!--<script>b</script>c-->]|d"),
            ("<script><!--a</script>b", "|[<!--a]|b"),
            ("<script><!--><script>a</script>b", "|[<!--><script>a]|b"),
            ("<script>a</script", "|[a</script]"),
        ] {
            assert_eq!(text(html), expected, "{html:?}");
        }
    }
}
