//! The scheme and the host of a destination.
//!
//! Both are read as browsers read them in an attribute, from a destination that is percent-encoded
//! or will be. Nothing is resolved: a relative destination has neither.
//!
//! LINEAR: each function reads the destination once.

use std::borrow::Cow;

use barelink_text::ByteSet;
use memchr::{memchr3, memrchr};

/// The bytes of a scheme after its first letter.
static SCHEME: ByteSet =
    ByteSet::of(b"+-.").add_range(b'0', b'9').add_range(b'A', b'Z').add_range(b'a', b'z');

/// Schemes whose destinations have a host, however many slashes precede it.
const SPECIAL: [&str; 5] = ["http", "https", "ftp", "ws", "wss"];

/// The scheme of a destination, as written.
///
/// ```
/// use barelink::url;
/// assert_eq!(url::scheme("Mailto:a@b.cd"), Some("Mailto"));
/// assert_eq!(url::scheme("/a:b"), None);
/// assert_eq!(url::scheme("1:2"), None);
/// ```
pub fn scheme(destination: &str) -> Option<&str> {
    let bytes = destination.as_bytes();
    if !bytes.first()?.is_ascii_alphabetic() {
        return None;
    }
    let len = bytes.iter().position(|&byte| !SCHEME.contains(byte))?;
    (bytes[len] == b':').then(|| &destination[..len])
}

/// The host of a destination, ready to be compared: in lower case, without user, port and trailing
/// dot, and with percent-encoding decoded.
///
/// `//host/path` has a host; a relative path and `mailto:` have none. Internationalized names are
/// returned as written, and browsers accept several spellings of the same name. So allow the hosts
/// you know: a list of hosts to refuse can be evaded.
///
/// ```
/// use barelink::url;
/// assert_eq!(url::host("https://me@WWW.Example.org.:8080/x").as_deref(), Some("www.example.org"));
/// assert_eq!(url::host("//example.org/x").as_deref(), Some("example.org"));
/// assert_eq!(url::host("http://[::1]:80/").as_deref(), Some("[::1]"));
/// assert_eq!(url::host("/x"), None);
/// assert_eq!(url::host("mailto:a@b.cd"), None);
/// ```
pub fn host(destination: &str) -> Option<Cow<'_, str>> {
    let rest = match scheme(destination) {
        None => destination.strip_prefix("//")?.trim_start_matches('/'),
        Some(scheme) => {
            let rest = &destination[scheme.len() + 1..];
            if SPECIAL.iter().any(|special| special.eq_ignore_ascii_case(scheme)) {
                rest.trim_start_matches('/')
            } else {
                rest.strip_prefix("//")?
            }
        }
    };
    let bytes = rest.as_bytes();
    let authority = &bytes[..memchr3(b'/', b'?', b'#', bytes).unwrap_or(bytes.len())];
    let start = memrchr(b'@', authority).map_or(0, |at| at + 1);
    let host = rest.get(start..authority.len()).unwrap_or_default();
    let host = match memrchr(b':', host.as_bytes()) {
        // In brackets, a colon is part of an IPv6 address.
        Some(colon) if !host[colon..].contains(']') => &host[..colon],
        _ => host,
    };
    let host = decoded(host);
    let host = match host.strip_suffix('.') {
        Some(stripped) => Cow::Owned(stripped.to_owned()),
        None => host,
    };
    (!host.is_empty()).then_some(host)
}

/// Decodes percent-encoding in a host, and converts it to lower case.
fn decoded(host: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte != b'%' && !byte.is_ascii_uppercase() && byte.is_ascii();
    if host.bytes().all(is_plain) {
        return Cow::Borrowed(host);
    }
    let mut bytes = Vec::with_capacity(host.len());
    let mut rest = host.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.first_chunk().and_then(|&[high, low]| hex(high).zip(hex(low)));
        if first == b'%'
            && let Some((high, low)) = digits
        {
            bytes.push(high << 4 | low);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    // Each character separately: in a name, unlike in a word, a final sigma is not special.
    Cow::Owned(String::from_utf8_lossy(&bytes).chars().flat_map(char::to_lowercase).collect())
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::{host, scheme};

    #[test]
    fn schemes_are_those_of_browsers() {
        for (destination, expected) in [
            ("http://a", Some("http")),
            ("a+b-c.d1:x", Some("a+b-c.d1")),
            ("javascript:x", Some("javascript")),
            ("", None),
            (":a", None),
            ("a", None),
            ("a%20b:c", None),
            ("é:c", None),
            ("a/b:c", None),
            ("?a:b", None),
            ("#a:b", None),
            (" javascript:x", None),
        ] {
            assert_eq!(scheme(destination), expected, "{destination}");
        }
    }

    #[test]
    fn hosts_are_those_of_browsers() {
        for (destination, expected) in [
            ("http://A.bc", Some("a.bc")),
            ("http:a.bc/x", Some("a.bc")),
            ("https:///a.bc", Some("a.bc")),
            ("///a.bc", Some("a.bc")),
            ("http://a.bc\\@d.ef", Some("d.ef")),
            ("http://u:p@a.bc:80?x@y", Some("a.bc")),
            ("http://a%2Ebc.%64e/", Some("a.bc.de")),
            ("http://a.bc%", Some("a.bc%")),
            ("http://%FF", Some("\u{FFFD}")),
            ("ssh://git@a.bc/x", Some("a.bc")),
            ("http://[2001:DB8::1]", Some("[2001:db8::1]")),
            ("http://É.fr", Some("é.fr")),
            ("http://ΟΔΟΣ.gr", Some("οδοσ.gr")),
            ("http://./", None),
            ("http://", None),
            ("file:///etc", None),
            ("tel:1", None),
            ("xmpp:a@b.cd", None),
            ("#x", None),
            ("", None),
        ] {
            assert_eq!(host(destination).as_deref(), expected, "{destination}");
        }
    }
}
