//! What is wrong with a scheme, and whether there is one at all.
//!
//! LINEAR: only the start of a text is read.

use barelink::Dialect;
use barelink::autolink::{self, Kind, Rules};
use memchr::memchr_iter;

use crate::broken;

/// Schemes with a slip, and what was meant.
const BROKEN: [(&str, &str); 16] = [
    ("https//", "https://"),
    ("http//", "http://"),
    ("https;//", "https://"),
    ("http;//", "http://"),
    ("https:/", "https://"),
    ("http:/", "http://"),
    ("ttps://", "https://"),
    ("ttp://", "http://"),
    ("htps://", "https://"),
    ("htp://", "http://"),
    ("hhttps://", "https://"),
    ("hhttp://", "http://"),
    ("htttps://", "https://"),
    ("htttp://", "http://"),
    ("httpss://", "https://"),
    ("hhtps://", "https://"),
];

/// The same in a destination only. In text, they may be anything else.
const BROKEN_DESTINATION: [(&str, &str); 9] = [
    ("https://https://", "https://"),
    ("https://http://", "http://"),
    ("http://https://", "https://"),
    ("http://http://", "http://"),
    ("https:///", "https://"),
    ("http:///", "http://"),
    ("mailto://", "mailto:"),
    ("https:", "https://"),
    ("http:", "http://"),
];

/// Ends of hosts with which no file name ends.
const TOP_LEVEL: [&str; 3] = [".com", ".org", ".net"];

/// Whether a name ends like that of a host, and like that of no file.
pub(super) fn has_host_end(name: &str) -> bool {
    TOP_LEVEL.iter().any(|end| name.ends_with(end) && name.len() > end.len())
}

/// A destination that starts with a host, an address or a broken scheme: how much of it to replace,
/// and with what.
pub(super) fn missing(destination: &str) -> Option<(usize, &'static str)> {
    let broken = broken_scheme(destination).or_else(|| broken_destination(destination));
    if let Some((broken, meant)) = broken {
        return Some((broken.len(), meant));
    }
    let name = destination.split(['/', '?', '#', ':']).next()?;
    if is_address(name) && !destination[name.len()..].starts_with(['/', ':']) {
        return Some((0, "mailto:"));
    }
    let is_www = name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
    let in_host =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-') || !byte.is_ascii();
    let is_host = (is_www || has_host_end(name)) && name.bytes().all(in_host);
    (is_host && !name.starts_with('.')).then_some((0, "https://"))
}

/// Whether it is an e-mail address and not a file, which may be called `icon@2x.png`.
fn is_address(name: &str) -> bool {
    let mut rules = Rules::none(Dialect::Natural);
    rules.email = true;
    name.contains('@')
        && !broken::is_file(name)
        && autolink::links(name, rules)
            .next()
            .is_some_and(|link| link.kind == Kind::Email && link.text == name)
}

/// The broken scheme that a text starts with, and what was meant.
pub(super) fn broken_scheme(text: &str) -> Option<(&'static str, &'static str)> {
    starts_with_one(text, &BROKEN)
}

/// Like [`broken_scheme`], for a destination. A host has to follow.
fn broken_destination(destination: &str) -> Option<(&'static str, &'static str)> {
    let found = starts_with_one(destination, &BROKEN_DESTINATION)?;
    let rest = destination[found.0.len()..].split(['/', '?', '#']).next()?;
    rest.contains('.').then_some(found)
}

fn starts_with_one(
    text: &str,
    broken: &[(&'static str, &'static str)],
) -> Option<(&'static str, &'static str)> {
    let starts = |broken: &str| {
        text.get(..broken.len()).is_some_and(|start| start.eq_ignore_ascii_case(broken))
    };
    let &(broken, meant) = broken.iter().find(|(broken, _)| starts(broken))?;
    let rest = &text[broken.len()..];
    // The broken scheme may be all there is.
    rest.starts_with(|c: char| c.is_alphanumeric()).then_some((broken, meant))
}

/// Whether there is a broken scheme anywhere. LINEAR: each slash is visited once.
pub(super) fn has_broken(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has = |start: &[u8]| {
        BROKEN.iter().any(|(broken, _)| {
            let at = start.len().checked_sub(broken.len());
            at.is_some_and(|at| start[at..].eq_ignore_ascii_case(broken.as_bytes()))
        })
    };
    memchr_iter(b'/', bytes).any(|at| {
        let start = &bytes[..=at];
        // Most slashes are those of a path, or of a scheme that is whole.
        let may_end = match start {
            [.., b':', b'/', b'/'] => !has_whole_scheme(start),
            [.., b':' | b'/', b'/'] => true,
            _ => false,
        };
        may_end && bytes.get(at + 1) != Some(&b'/') && has(start)
    })
}

/// Whether `http://` or `https://` stands at the end, and no letter before it.
fn has_whole_scheme(text: &[u8]) -> bool {
    [&b"https://"[..], b"http://"].iter().any(|scheme| {
        let before = text.strip_suffix(*scheme);
        before.is_some_and(|before| !before.last().is_some_and(u8::is_ascii_alphanumeric))
    })
}

#[cfg(test)]
mod tests {
    use super::{has_broken, missing};

    #[test]
    fn destinations_lack_what_they_should_have() {
        for (destination, expected) in [
            ("www.a.bc/x", Some((0, "https://"))),
            ("a.com", Some((0, "https://"))),
            ("me@a.bc", Some((0, "mailto:"))),
            ("me@a.bc?subject=b", Some((0, "mailto:"))),
            ("mailto://a@b.cd", Some((9, "mailto:"))),
            ("http:a.bc", Some((5, "http://"))),
            ("HTTPS:///a.bc", Some((9, "https://"))),
            ("https://https://a.bc", Some((16, "https://"))),
            ("https://http://a.bc", Some((15, "http://"))),
            ("ttps://a.bc", Some((7, "https://"))),
            ("mailto:me@a.bc", None),
            ("icon@2x.png", None),
            ("@scope/pkg", None),
            ("me@a.bc/x", None),
            ("docs.rs", None),
            ("http:x", None),
            ("file:///a.bc", None),
            ("https://a.bc/https://d.ef", None),
        ] {
            assert_eq!(missing(destination), expected, "{destination}");
        }
    }

    #[test]
    fn most_schemes_are_whole() {
        assert!(!has_broken("https://a.bc (http://g.hi) a/b // c ftp://j.kl"));
        for text in ["ttps://a", "xhttp//a", "see htp://a", "http:/a", "hhttps://a"] {
            assert!(has_broken(text), "{text}");
        }
    }
}
