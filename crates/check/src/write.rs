//! How a link is written so that every program reads the same: in angle brackets, or inline.
//!
//! ```text
//! <https://a.bc/x>                  what it shows is where it leads, letter by letter
//! [www.a.bc](http://www.a.bc)       it is not, or other programs would change it
//! ```
//!
//! LINEAR: text and destination are each read a fixed number of times.

use barelink::{Attribute, Policy, html, url};

use crate::settings::{Flavor, Style};

/// A link to be written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written<'a> {
    /// What a reader sees.
    pub(crate) text: &'a str,
    /// Where it leads, not percent-encoded.
    pub(crate) destination: &'a str,
}

/// The ways to write a link, the best first. None for an address of IPv6: what is marked up as a
/// link gets its brackets percent-encoded, by cmark's rule, and leads nowhere.
pub(crate) fn ways(link: Written<'_>, style: Style, flavor: Flavor) -> Vec<String> {
    if url::host(link.destination).is_some_and(|host| host.starts_with('[')) {
        return Vec::new();
    }
    let angle = (flavor == Flavor::Markdown).then(|| angle(link)).flatten();
    match style {
        Style::Auto => angle.into_iter().chain([inline(link)]).collect(),
        Style::Angle => angle.into_iter().collect(),
        Style::Inline => vec![inline(link)],
    }
}

/// The link in angle brackets, if all programs read that alike.
fn angle(link: Written<'_>) -> Option<String> {
    let Written { text, destination } = link;
    // Some programs decode entities there, or take a backslash away, or write an international
    // host in Punycode.
    let is_plain = |byte: u8| {
        byte > b' ' && byte != 0x7F && !matches!(byte, b'<' | b'>' | b'\\' | b'|' | b'`')
    };
    if !text.bytes().all(is_plain) || has_entity(text) {
        return None;
    }
    let is_same = if destination == text {
        url::scheme(text).is_some_and(|scheme| (2..=32).contains(&scheme.len()))
            && url::host(text).is_none_or(|host| host.is_ascii())
    } else {
        destination.strip_prefix("mailto:") == Some(text) && is_address(text)
    };
    is_same.then(|| format!("<{text}>"))
}

/// The inline link.
fn inline(link: Written<'_>) -> String {
    let Written { text, destination } = link;
    let mut out = String::with_capacity(text.len() + destination.len() + 4);
    out.push('[');
    push_text(text, &mut out);
    out.push_str("](");
    if url::host(destination).is_none_or(|host| host.is_ascii()) {
        push_destination(destination, &mut out);
    } else {
        // Encoded already, the host is left alone by programs that would write it in Punycode.
        let mut encoded = String::new();
        html::push_href(destination, Attribute::Href, &Policy::TRUSTED, &mut encoded);
        push_destination(&encoded.replace("&amp;", "&").replace("&#x27;", "'"), &mut out);
    }
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
            // As of quotes, some programs make typographic ones of them.
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

/// Appends a destination so that it is read as it is. An ampersand is written as an entity:
/// cmark-gfm decodes entities before it takes backslashes away.
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
        // CommonMark leaves the depth to the program; few allow many.
        if n_open > 3 {
            return false;
        }
    }
    n_open == 0
}

fn has_entity(text: &str) -> bool {
    text.match_indices('&').any(|(start, _)| is_entity(&text[start..]))
}

/// Whether a text that starts with `&` may start with an entity or a numeric reference.
fn is_entity(text: &str) -> bool {
    let name = text[1..].bytes().take(40);
    let len = name.take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    len > 0 && text.as_bytes().get(1 + len) == Some(&b';')
}

/// Whether CommonMark takes it for an e-mail address in angle brackets.
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
    use super::{Written, ways};
    use crate::settings::{Flavor, Style};

    fn auto(text: &str, destination: &str) -> String {
        ways(Written { text, destination }, Style::Auto, Flavor::Markdown).swap_remove(0)
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
            ("http://漢.jp", "http://漢.jp", "[http://漢.jp](http://%E6%BC%A2.jp)"),
        ] {
            assert_eq!(auto(text, destination), expected);
        }
    }

    #[test]
    fn an_address_of_ipv6_stays_bare() {
        let link = Written { text: "http://[::1]/", destination: "http://[::1]/" };
        assert!(ways(link, Style::Auto, Flavor::Markdown).is_empty());
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
        assert!(ways(link, Style::Angle, Flavor::Markdown).is_empty());
        let link = Written { text: "http://a.bc", destination: "http://a.bc" };
        assert_eq!(ways(link, Style::Inline, Flavor::Markdown), ["[http://a.bc](http://a.bc)"]);
        assert_eq!(ways(link, Style::Auto, Flavor::Mdx), ["[http://a.bc](http://a.bc)"]);
        assert_eq!(ways(link, Style::Auto, Flavor::Markdown).len(), 2);
    }
}
