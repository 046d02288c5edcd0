//! Writes a link so that every program reads the same: in angle brackets, or inline.
//!
//! ```text
//! <https://a.bc/x>                  the text is the destination, letter by letter
//! [www.a.bc](http://www.a.bc)       it is not, or other programs would change it
//! ```
//!
//! LINEAR: the text and the destination are each read a bounded number of times.

use barelink::url;
use memchr::memchr_iter;

use crate::settings::{Flavor, Style};

/// A link to be written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written<'a> {
    /// The displayed text.
    pub(crate) text: &'a str,
    /// The destination, not percent-encoded.
    pub(crate) destination: &'a str,
}

/// A way to write a link.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) text: String,
    /// Whether there is another way, if this one does not fit; see [`otherwise`].
    pub(crate) has_otherwise: bool,
}

/// The best way to write a link, if there is one. In MDX there is none for a link with a brace,
/// which begins an expression there, or with `<`. There is none for an IPv6 host: cmark
/// percent-encodes its brackets in every link that is marked up, which then leads nowhere. And
/// there is none with `\|`: in a paragraph right before a table, cmark-gfm takes that for `|`.
pub(crate) fn way(link: Written<'_>, style: Style, flavor: Flavor) -> Option<Way> {
    let signs = Signs::of(link.destination);
    let is_ipv6 = signs.may_change_host
        && url::host(link.destination).is_some_and(|host| host.starts_with('['));
    let is_code = |text: &str| flavor == Flavor::Mdx && text.contains(['{', '}', '<']);
    if is_code(link.text) || is_code(link.destination) {
        return None;
    }
    if is_ipv6 || signs.is_special && link.destination.contains("\\|") {
        return None;
    }
    let angle = if flavor == Flavor::Markdown { angle(link, signs) } else { None };
    let in_angles = |has_otherwise| angle.map(|text| Way { text, has_otherwise });
    let inline = || Way { text: inline(link), has_otherwise: false };
    match style {
        Style::Auto => Some(in_angles(true).unwrap_or_else(inline)),
        Style::Angle => in_angles(false),
        Style::Inline => Some(inline()),
    }
}

/// The other way to write a link that is in angle brackets.
pub(crate) fn otherwise(angle: &str) -> String {
    let text = angle.trim_start_matches('<').trim_end_matches('>');
    if url::scheme(text).is_some() {
        return inline(Written { text, destination: text });
    }
    inline(Written { text, destination: &format!("mailto:{text}") })
}

/// Properties of a destination, by its bytes. Most have none of them.
#[derive(Debug, Clone, Copy, Default)]
struct Signs {
    /// A host that is not ASCII, or in brackets, or percent-encoded.
    may_change_host: bool,
    /// Something that programs read differently between angle brackets.
    is_special: bool,
    has_ampersand: bool,
}

impl Signs {
    fn of(destination: &str) -> Self {
        let mut signs = Self::default();
        for byte in destination.bytes() {
            signs.may_change_host |= matches!(byte, b'[' | b'%' | 0x80..);
            signs.is_special |= matches!(byte, 0..=b' ' | 0x7F | b'<' | b'>' | b'\\' | b'|' | b'`');
            signs.has_ampersand |= byte == b'&';
        }
        signs
    }
}

/// The link in angle brackets, if all programs read that alike. Some decode entities there, or
/// remove a backslash, or write an international host in Punycode.
fn angle(link: Written<'_>, signs: Signs) -> Option<String> {
    let Written { text, destination } = link;
    if signs.is_special || signs.has_ampersand && has_entity(destination) {
        return None;
    }
    let is_same = if destination == text {
        url::scheme(text).is_some_and(|scheme| (2..=32).contains(&scheme.len()))
            && (!signs.may_change_host || has_ascii_host(text))
    } else {
        destination.strip_prefix("mailto:") == Some(text) && is_address(text)
    };
    is_same.then(|| ["<", text, ">"].concat())
}

fn has_ascii_host(destination: &str) -> bool {
    url::host(destination).is_none_or(|host| host.is_ascii())
}

/// The inline link.
fn inline(link: Written<'_>) -> String {
    let Written { text, destination } = link;
    let mut out = String::with_capacity(text.len() + destination.len() + 4);
    out.push('[');
    push_text(text, &mut out);
    out.push_str("](");
    // An international host stays readable. Programs that would write it in Punycode do so with the
    // bare link, too; percent-encoded, it would be left alone, and be another.
    push_destination(destination, &mut out);
    out.push(')');
    out
}

/// Appends text so that nothing in it is markup.
fn push_text(text: &str, out: &mut String) {
    let mut before = ' ';
    for (start, c) in text.char_indices() {
        let rest = &text[start + c.len_utf8()..];
        let is_markup = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '~' | '|' | '\'' | '"' => true,
            // As with quotes, some programs make typographic characters of them.
            '-' | '.' => before == c,
            // Within a word it does not open emphasis.
            '_' => !(before.is_alphanumeric() && rest.starts_with(char::is_alphanumeric)),
            '&' => is_entity(&text[start..]),
            _ => false,
        };
        if is_markup {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
}

/// Appends a destination so that it is read unchanged. An ampersand is written as an entity:
/// cmark-gfm decodes entities before it removes backslashes.
fn push_destination(destination: &str, out: &mut String) {
    let balanced = is_balanced(destination);
    for (start, c) in destination.char_indices() {
        let is_markup = match c {
            '\\' | '|' | '<' | '>' => true,
            '(' | ')' => !balanced,
            _ => false,
        };
        if is_markup {
            out.push('\\');
        }
        out.push(c);
        if c == '&' && is_entity(&destination[start..]) {
            out.push_str("amp;");
        }
    }
}

fn is_balanced(destination: &str) -> bool {
    let mut n_open = 0_u32;
    for byte in destination.bytes() {
        match byte {
            b'(' => n_open += 1,
            b')' if n_open == 0 => return false,
            b')' => n_open -= 1,
            _ => {}
        }
        // CommonMark does not define the maximum depth; many programs allow only a few levels.
        if n_open > 3 {
            return false;
        }
    }
    n_open == 0
}

fn has_entity(text: &str) -> bool {
    memchr_iter(b'&', text.as_bytes()).any(|start| is_entity(&text[start..]))
}

/// Whether a text that starts with `&` may start with an entity or a numeric reference.
fn is_entity(text: &str) -> bool {
    let name = text[1..].bytes().take(40);
    let len = name.take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    len > 0 && text.as_bytes().get(1 + len) == Some(&b';')
}

/// Whether CommonMark accepts it as an e-mail address in angle brackets.
fn is_address(text: &str) -> bool {
    let Some((local, host)) = text.split_once('@') else { return false };
    let in_local =
        |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    !local.is_empty() && local.bytes().all(in_local) && host.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::{Way, Written, otherwise, way};
    use crate::settings::{Flavor, Style};

    fn auto(text: &str, destination: &str) -> String {
        way(Written { text, destination }, Style::Auto, Flavor::Markdown).unwrap().text
    }

    #[test]
    fn angle_where_it_says_the_same() {
        for (text, destination, expected) in [
            ("https://a.bc/x_y*z", "https://a.bc/x_y*z", "<https://a.bc/x_y*z>"),
            ("a@b.cd", "mailto:a@b.cd", "<a@b.cd>"),
            ("mailto:a@b.cd", "mailto:a@b.cd", "<mailto:a@b.cd>"),
            ("http://a.bc/漢", "http://a.bc/漢", "<http://a.bc/漢>"),
            ("www.a.bc", "http://www.a.bc", "[www.a.bc](http://www.a.bc)"),
            ("a@b_c.de", "mailto:a@b_c.de", "[a@b_c.de](mailto:a@b_c.de)"),
            ("http://x.y/?a&amp;b", "http://x.y/?a&b", r"[http://x.y/?a\&amp;b](http://x.y/?a&b)"),
            ("http://漢.jp", "http://漢.jp", "[http://漢.jp](http://漢.jp)"),
        ] {
            assert_eq!(auto(text, destination), expected);
        }
    }

    #[test]
    fn an_address_of_ipv6_stays_bare() {
        let link = Written { text: "http://[::1]/", destination: "http://[::1]/" };
        assert_eq!(way(link, Style::Auto, Flavor::Markdown), None);
        let link = Written { text: "x", destination: "http://%5B::1%5D/" };
        assert_eq!(way(link, Style::Auto, Flavor::Markdown), None);
    }

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(auto("www.a.bc/_x_y_", "d"), r"[www.a.bc/\_x_y\_](d)");
        assert_eq!(auto("www.a.bc/*[x]", "d"), r"[www.a.bc/\*\[x\]](d)");
        assert_eq!(auto("www.a.bc/it's--x...", "d"), r"[www.a.bc/it\'s-\-x.\.\.](d)");
        assert_eq!(auto("x", r"a(b\c"), r"[x](a\(b\\c)");
        assert_eq!(auto("x", "a(b)c"), "[x](a(b)c)");
    }

    #[test]
    fn styles_and_flavors_choose() {
        let link = Written { text: "www.a.bc", destination: "http://www.a.bc" };
        assert_eq!(way(link, Style::Angle, Flavor::Markdown), None);
        let link = Written { text: "http://a.bc", destination: "http://a.bc" };
        let written =
            |text: &str, has_otherwise| Some(Way { text: text.to_owned(), has_otherwise });
        let inline = "[http://a.bc](http://a.bc)";
        assert_eq!(way(link, Style::Inline, Flavor::Markdown), written(inline, false));
        assert_eq!(way(link, Style::Auto, Flavor::Mdx), written(inline, false));
        assert_eq!(way(link, Style::Angle, Flavor::Markdown), written("<http://a.bc>", false));
        assert_eq!(way(link, Style::Auto, Flavor::Markdown), written("<http://a.bc>", true));
        assert_eq!(otherwise("<http://a.bc>"), inline);
        assert_eq!(otherwise("<a@b.cd>"), "[a@b.cd](mailto:a@b.cd)");
    }
}
