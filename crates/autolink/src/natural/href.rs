//! The destination of a link: its text, with an international host converted to ASCII.
//!
//! RFC 5891 §4.4: a label outside ASCII becomes `xn--` and its Punycode, after
//! lower-casing. ⟦http://例え.jp/例⟧ leads to `http://xn--r8jz45g.jp/例`. The host
//! of an e-mail address stays as written.

use core::fmt::{self, Write};

use crate::punycode::push_label;
use crate::rules::Kind;

/// Writes the destination of a link: `prefix` and the text, with a host outside ASCII in Punycode.
///
/// ```
/// use barelink_autolink::engine::natural::push_href;
///
/// let mut href = String::new();
/// push_href("www.Bücher.example/é", "http://", &mut href).unwrap();
/// assert_eq!(href, "http://www.xn--bcher-kva.example/é");
/// ```
///
/// # Errors
/// Only errors of `out`.
pub fn push_href(text: &str, prefix: &str, out: &mut impl Write) -> fmt::Result {
    let kind = match prefix {
        "" => Kind::Url,
        "mailto:" => Kind::Email,
        _ => Kind::Www,
    };
    out.write_str(prefix)?;
    let Some((before, host, after)) = split_host(text, kind) else {
        return out.write_str(text);
    };
    out.write_str(before)?;
    for (idx, label) in host.split('.').enumerate() {
        if idx > 0 {
            out.write_char('.')?;
        }
        push_label(label, out)?;
    }
    out.write_str(after)
}

/// Whether the link with this text has a host outside ASCII, so that its destination is not simply
/// a prefix and the text.
///
/// ```
/// use barelink_autolink::{Kind, engine::natural::has_idn_host};
///
/// assert!(has_idn_host("http://é.fr/", Kind::Url));
/// assert!(!has_idn_host("http://e.fr/é", Kind::Url));
/// assert!(!has_idn_host("a@é.fr", Kind::Email));
/// ```
pub fn has_idn_host(text: &str, kind: Kind) -> bool {
    split_host(text, kind).is_some()
}

/// Splits the text around a host outside ASCII, if it has one.
fn split_host(text: &str, kind: Kind) -> Option<(&str, &str, &str)> {
    // Nearly all texts are ASCII.
    if matches!(kind, Kind::Email | Kind::Scheme) || text.is_ascii() {
        return None;
    }
    let start = if kind == Kind::Url { text.find("://")? + 3 } else { 0 };
    let (before, rest) = text.split_at(start);
    let end = rest.find(['/', '?', '#', ':', '[']).unwrap_or(rest.len());
    let (host, after) = rest.split_at(end);
    (!host.is_ascii()).then_some((before, host, after))
}
