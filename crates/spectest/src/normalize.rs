//! HTML with the differences that do not matter taken out, so that suites
//! written for another renderer's habits can be compared with ours.
//!
//! Two texts with the same normal form show the same page. What is evened out
//! is what CommonMark's own test tools even out:
//!
//! - `<br>` and `<br />` are one; tag and attribute names are lower case;
//! - attributes stand in the order of their names, values in double quotes;
//! - character references are the characters, but for `&lt;` `&gt;` `&amp;`
//!   `&quot;` (of named ones, those that HTML writers use; others are kept);
//! - outside `<pre>`, a run of white space is one space;
//! - white space around the tags of block elements is gone, and line ends
//!   after `<br>`.
//!
//! Comments, declarations, processing instructions and CDATA stay as they are.

/// Elements that end a line whether or not there is white space around them.
const BLOCK_TAGS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "button",
    "canvas",
    "caption",
    "col",
    "colgroup",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "iframe",
    "li",
    "map",
    "object",
    "ol",
    "output",
    "p",
    "pre",
    "progress",
    "script",
    "section",
    "style",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
    "video",
];

/// The normal form of a piece of HTML.
///
/// ```
/// use barelink_spectest::normalize::normalize;
/// assert_eq!(normalize("<p>a\n<br /></p>\n"), normalize("<p>a <br></p>"));
/// assert_eq!(normalize("<a title='t' href=\"u\">&#39;</a>"), "<a href=\"u\" title=\"t\">'</a>");
/// ```
pub fn normalize(html: &str) -> String {
    let mut writer = Writer { out: String::with_capacity(html.len()), ..Writer::default() };
    let mut rest = html;
    while !rest.is_empty() {
        let (piece, end) = scan_piece(rest);
        match piece {
            Piece::Tag(tag) => writer.push_tag(&tag),
            Piece::Text => writer.push_text(&rest[..end]),
            Piece::Verbatim => {
                writer.out.push_str(&rest[..end]);
                writer.last = Last::Other;
            }
        }
        rest = &rest[end..];
    }
    writer.out
}

/// A piece of HTML.
enum Piece<'a> {
    Tag(Tag<'a>),
    Text,
    /// A comment, a declaration, a processing instruction or CDATA.
    Verbatim,
}

/// An opening or closing tag.
struct Tag<'a> {
    name: String,
    is_closing: bool,
    /// It ends with `/>`.
    is_empty: bool,
    /// Names and values as they stand in the source, without the quotes.
    attributes: Vec<(String, Option<&'a str>)>,
}

/// The piece at the front of a text that is not empty, and where it ends.
fn scan_piece(text: &str) -> (Piece<'_>, usize) {
    for (opener, closer) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<!", ">"), ("<?", ">")] {
        if let Some(inside) = text.strip_prefix(opener) {
            let end = inside.find(closer);
            let end = end.map_or(text.len(), |at| opener.len() + at + closer.len());
            return (Piece::Verbatim, end);
        }
    }
    if let Some((tag, end)) = scan_tag(text) {
        return (Piece::Tag(tag), end);
    }
    // A `<` that opens nothing is text, with what follows it.
    let skipped = usize::from(text.starts_with('<'));
    let end = text[skipped..].find('<').map_or(text.len(), |at| skipped + at);
    (Piece::Text, end)
}

fn scan_tag(text: &str) -> Option<(Tag<'_>, usize)> {
    let inside = text.strip_prefix('<')?;
    let is_closing = inside.starts_with('/');
    let mut rest = inside.strip_prefix('/').unwrap_or(inside);
    let name_end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))?;
    let name = rest[..name_end].to_ascii_lowercase();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    rest = &rest[name_end..];
    let mut tag = Tag { name, is_closing, is_empty: false, attributes: Vec::new() };
    loop {
        rest = rest.trim_ascii_start();
        if let Some(after) = rest.strip_prefix('>') {
            return Some((tag, text.len() - after.len()));
        }
        if let Some(after) = rest.strip_prefix('/') {
            tag.is_empty = after.starts_with('>');
            rest = after;
            continue;
        }
        let (name, after) = scan_attribute_name(rest)?;
        let (value, after) = match after.trim_ascii_start().strip_prefix('=') {
            Some(after) => scan_attribute_value(after.trim_ascii_start())?,
            None => (None, after),
        };
        tag.attributes.push((name.to_ascii_lowercase(), value));
        rest = after;
    }
}

fn scan_attribute_name(text: &str) -> Option<(&str, &str)> {
    let is_end = |c: char| c.is_ascii_whitespace() || matches!(c, '=' | '/' | '>');
    // A name may begin with `=`, so that every step takes at least one character.
    let first_len = text.chars().next()?.len_utf8();
    let end = text[first_len..].find(is_end).map_or(text.len(), |at| first_len + at);
    Some(text.split_at(end))
}

fn scan_attribute_value(text: &str) -> Option<(Option<&str>, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    if let Some(quote) = quote {
        let (value, after) = text[1..].split_once(quote)?;
        return Some((Some(value), after));
    }
    let end = text.find(|c: char| c.is_ascii_whitespace() || c == '>')?;
    Some((Some(&text[..end]), &text[end..]))
}

/// The kind of the last output, as far as it affects the next text.
#[derive(Default, PartialEq, Eq)]
enum Last {
    /// The tag of a block element that opens it; also the start of the text.
    #[default]
    BlockOpened,
    /// The tag of a block element that closes it or stands alone.
    BlockClosed,
    LineBreak,
    Other,
}

#[derive(Default)]
struct Writer {
    out: String,
    last: Last,
    in_pre: bool,
}

impl Writer {
    fn push_tag(&mut self, tag: &Tag<'_>) {
        let is_block = BLOCK_TAGS.contains(&tag.name.as_str());
        let is_pre = tag.name == "pre";
        if is_block && !(is_pre && tag.is_closing) {
            self.out.truncate(self.out.trim_end().len());
        }
        if is_pre {
            self.in_pre = !tag.is_closing;
        }
        self.out.push_str(if tag.is_closing { "</" } else { "<" });
        self.out.push_str(&tag.name);
        let mut attributes = tag.attributes.clone();
        attributes.sort();
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(&name);
            if let Some(value) = value {
                self.out.push_str("=\"");
                self.push_decoded(value);
                self.out.push('"');
            }
        }
        self.out.push('>');
        self.last = match tag.name.as_str() {
            "br" => Last::LineBreak,
            _ if is_block && (tag.is_closing || tag.is_empty) => Last::BlockClosed,
            _ if is_block => Last::BlockOpened,
            _ => Last::Other,
        };
    }

    fn push_text(&mut self, text: &str) {
        let mut text = text;
        if self.last == Last::LineBreak {
            text = text.trim_start_matches('\n');
        }
        if self.in_pre {
            self.push_decoded(text);
            self.last = Last::Other;
            return;
        }
        let is_after_block = matches!(self.last, Last::BlockOpened | Last::BlockClosed);
        let mut is_first = true;
        for word in text.split_ascii_whitespace() {
            let is_apart = !is_first || text.starts_with(|c: char| c.is_ascii_whitespace());
            if is_apart && !(is_first && is_after_block) {
                self.out.push(' ');
            }
            self.push_decoded(word);
            is_first = false;
        }
        let ends_apart = text.ends_with(|c: char| c.is_ascii_whitespace());
        if ends_apart && !(is_first && is_after_block) && self.last != Last::BlockClosed {
            self.out.push(' ');
        }
        self.last = Last::Other;
    }

    /// Appends text with its character references resolved, escaped again
    /// where a character would be markup.
    fn push_decoded(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let (c, len) = scan_reference(rest).unwrap_or((c, c.len_utf8()));
            match c {
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                // An `&` of a reference that stays one is markup, any other is not.
                '&' if len == 1 && scan_name(rest).is_some() => self.out.push('&'),
                '&' => self.out.push_str("&amp;"),
                c => self.out.push(c),
            }
            rest = &rest[len..];
        }
    }
}

/// The character of the reference at the front of a text, and its length.
fn scan_reference(text: &str) -> Option<(char, usize)> {
    let name = scan_name(text)?;
    let number = |digits, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{A0}',
        _ => match name.strip_prefix('#')?.strip_prefix(['x', 'X']) {
            Some(digits) => number(digits, 16)?,
            None => number(&name[1..], 10)?,
        },
    };
    Some((c, name.len() + 2))
}

/// What stands between `&` and `;` at the front of a text, when it can be the
/// name or the number of a reference.
fn scan_name(text: &str) -> Option<&str> {
    /// `&CounterClockwiseContourIntegral;` is the longest.
    const NAME_MAX: usize = 31;
    let inside = text.strip_prefix('&')?;
    let end = inside.bytes().take(NAME_MAX + 1).position(|byte| byte == b';')?;
    let name = &inside[..end];
    let word = name.strip_prefix('#').unwrap_or(name);
    let is_name = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::normalize;

    fn assert_same(a: &str, b: &str) {
        assert_eq!(normalize(a), normalize(b), "{a:?} against {b:?}");
    }

    fn assert_differ(a: &str, b: &str) {
        assert_ne!(normalize(a), normalize(b), "{a:?} against {b:?}");
    }

    #[test]
    fn empty_elements_and_letter_case() {
        assert_same("<hr />", "<HR>");
        assert_same("<p>a<br />\nb</p>", "<p>a<br>b</p>");
        assert_same("<img src=\"u\"/>", "<img src='u' />");
        assert_differ("<p>A</p>", "<p>a</p>");
    }

    #[test]
    fn attributes() {
        assert_same("<a title=\"t\" href=\"u\">", "<a HREF=u\n title='t'>");
        assert_same("<input checked disabled>", "<input disabled checked />");
        assert_same("<a href=\"a&amp;b\">", "<a href='a&#38;b'>");
        assert_same("<i a=\"'\">", "<i a=\"&#x27;\">");
        assert_differ("<i a=\"&quot;\">", "<i a=''>");
        assert_differ("<i a>", "<i a=''>");
        assert_eq!(normalize("<a href='<>'>"), "<a href=\"&lt;&gt;\">");
    }

    #[test]
    fn references() {
        assert_same("<p>&#39;&quot;&#x41;&nbsp;</p>", "<p>'\"A\u{A0}</p>");
        assert_same("a > b", "a &gt; b");
        assert_eq!(
            normalize("&copy; &amp;copy; & &#xD800; &;"),
            "&copy; &amp;copy; &amp; &#xD800; &amp;;"
        );
        assert_differ("&lt;b>", "<b>");
        assert_differ("&amp;lt;", "&lt;");
    }

    #[test]
    fn white_space_between_blocks_is_nothing() {
        assert_same(
            "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>\n",
            "<ul><li>a<ul><li>b</li></ul></li></ul>",
        );
        assert_same("<p> a\n b </p>\n\n<p>c</p>", "<p>a b</p><p>c</p>");
        assert_same("<table><tr>\n<td>a</td> <td>b</td>", "<table><tr><td>a</td><td>b</td>");
        assert_same("\n  <p>a</p>", "<p>a</p>");
    }

    #[test]
    fn white_space_between_words_stays() {
        assert_same("<p>a  <em>b</em>\nc</p>", "<p>a <em>b</em> c</p>");
        assert_differ("<p>a <em>b</em></p>", "<p>a<em>b</em></p>");
        assert_differ("<p><em>a</em> <em>b</em></p>", "<p><em>a</em><em>b</em></p>");
        assert_differ("<p>a\u{A0}b</p>", "<p>a b</p>");
    }

    #[test]
    fn inside_pre_everything_stays() {
        assert_differ("<pre><code>a\n  b\n</code></pre>", "<pre><code>a\nb\n</code></pre>");
        assert_differ("<pre>a\n\n</pre>", "<pre>a\n</pre>");
        assert_same("<pre>a\n</pre>\n<p>b</p>", "<pre>a\n</pre><p>b</p>");
    }

    #[test]
    fn markup_that_is_no_tag_stays() {
        for html in ["<!-- a  <b> -->", "<![CDATA[ a  > ]]>", "<!DOCTYPE  html>", "<?php  a ?>"] {
            assert_eq!(normalize(html), html);
        }
        assert_eq!(normalize("a < b"), "a &lt; b");
        assert_eq!(normalize("<"), "&lt;");
        assert_eq!(normalize("<é>"), "&lt;é&gt;");
        assert_eq!(normalize("<!-- open"), "<!-- open");
        assert_eq!(normalize("<a href='x"), "&lt;a href='x");
    }
}
