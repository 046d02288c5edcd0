//! Warnings about deceptive links, for programs that display other people's links: the link does
//! not lead where a reader would expect.
//!
//! Nothing is changed or refused: a warning is for the reader, or for a program that decides.
//! Requires the feature `warnings`, for its tables of scripts (UTS #39).
//!
//! LINEAR: text and destination are each read a bounded number of times.

use std::borrow::Cow;
use std::fmt;

use barelink_autolink::engine::natural::push_href;
use barelink_autolink::{Dialect, Kind, links};
use unicode_security::{MixedScript as _, RestrictionLevel, RestrictionLevelDetection as _};

use crate::links::Link;
use crate::url;

/// Why a link may be deceptive. See [`Link::warnings`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// A user name precedes the host, and looks like one: `https://bank.example@evil.example`.
    UserInfo,
    /// The text shows a different host than that of the destination.
    #[non_exhaustive]
    OtherHost {
        /// The host in the text.
        shown: String,
    },
    /// The text or destination has characters that change the direction of displayed text.
    BidiControl,
    /// The host mixes letters of scripts that are not used together.
    MixedScripts,
    /// The host is a number: an IP address, in any notation.
    NumericHost,
}

impl Warning {
    /// The name used in options and documents.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::UserInfo => "user-info",
            Self::OtherHost { .. } => "other-host",
            Self::BidiControl => "bidi-control",
            Self::MixedScripts => "mixed-scripts",
            Self::NumericHost => "numeric-host",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UserInfo => f.write_str("a user name stands before the host"),
            Self::OtherHost { shown } => write!(f, "the text shows another host: {shown}"),
            Self::BidiControl => {
                f.write_str("it holds characters that change the direction of text")
            }
            Self::MixedScripts => f.write_str("the host mixes letters of several scripts"),
            Self::NumericHost => f.write_str("the host is a number"),
        }
    }
}

impl Link<'_> {
    /// Reasons why the link could deceive a reader; empty if there are none.
    ///
    /// ```
    /// use barelink::{Options, Warning};
    /// let source = "[https://bank.example](https://evil.example)";
    /// let document = barelink::parse(source, &Options::gfm())?;
    /// let link = document.links().next().unwrap();
    /// let warnings = link.warnings();
    /// let [Warning::OtherHost { shown, .. }] = &warnings[..] else { panic!("{warnings:?}") };
    /// assert_eq!(shown, "bank.example");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let host = self.host();
        if host.is_some() && has_user_info(&self.destination) {
            warnings.push(Warning::UserInfo);
        }
        // The text of bare links is the destination.
        if !self.image && !self.form.is_bare() {
            warnings.extend(self.other_host(host.as_deref()));
        }
        if [&self.text, &self.destination].iter().any(|text| text.contains(is_bidi_control)) {
            warnings.push(Warning::BidiControl);
        }
        let is_mixed = match self.seen_host().filter(|_| self.form.is_bare()) {
            Some(seen) => mixes_scripts(&seen),
            None => host.as_deref().is_some_and(mixes_scripts),
        };
        if is_mixed {
            warnings.push(Warning::MixedScripts);
        }
        if host.as_deref().is_some_and(is_numeric) {
            warnings.push(Warning::NumericHost);
        }
        warnings
    }

    /// The host that a reader sees in the text of a bare link. It may end before the link does, and
    /// be encoded in the destination.
    fn seen_host(&self) -> Option<String> {
        let seen = links(&self.text, Dialect::Natural).next();
        let seen = seen.filter(|link| link.span.start == 0 && link.kind != Kind::Email)?;
        shown_host(seen.text)
    }

    /// The first host in the text that differs from that of the destination.
    fn other_host(&self, host: Option<&str>) -> Option<Warning> {
        let shown = links(&self.text, Dialect::Natural).filter(|link| link.kind != Kind::Email);
        let mut hosts = shown.filter_map(|link| shown_host(link.text));
        let is_other = |shown: &String| host.is_none_or(|host| !is_same_host(shown, host));
        hosts.find(is_other).map(|shown| Warning::OtherHost { shown })
    }
}

/// The host of a text with a scheme, or without.
fn shown_host(text: &str) -> Option<String> {
    match url::scheme(text).filter(|scheme| text[scheme.len()..].starts_with("://")) {
        Some(_) => url::host(text).map(Cow::into_owned),
        None => url::host(&["//", text].concat()).map(Cow::into_owned),
    }
}

/// Whether two hosts are the same but for `www.`, in whatever way they are written.
#[doc(hidden)]
pub fn is_same_host(one: &str, other: &str) -> bool {
    let bare = |host: &str| {
        let host = ascii_host(host);
        host.strip_prefix("www.").map(str::to_owned).unwrap_or(host)
    };
    one == other || bare(one) == bare(other)
}

/// A host as the domain name system knows it.
fn ascii_host(host: &str) -> String {
    let mut ascii = String::with_capacity(host.len());
    // It cannot fail.
    let _ = push_href(&host.replace(is_full_stop, "."), "http://", &mut ascii);
    ascii.split_off("http://".len())
}

/// What browsers take for the dot between two labels.
fn is_full_stop(c: char) -> bool {
    matches!(c, '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

fn has_user_info(destination: &str) -> bool {
    let rest = destination.split_once(':').map_or(destination, |(_, rest)| rest);
    let authority = rest.trim_start_matches('/').split(['/', '?', '#']).next();
    authority.is_some_and(|authority| authority.contains('@'))
}

fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Whether a label of the host mixes scripts beyond the level "highly restrictive" of UTS #39:
/// Latin with Japanese is allowed, Latin with Cyrillic is not.
fn mixes_scripts(host: &str) -> bool {
    let labels = host.split(|c| c == '.' || is_full_stop(c));
    labels.filter(|label| !label.is_ascii()).any(|label| {
        !label.is_single_script()
            && label.detect_restriction_level() > RestrictionLevel::HighlyRestrictive
    })
}

/// Whether browsers take the host for an IP address: in brackets, or with a last label that is a
/// number.
fn is_numeric(host: &str) -> bool {
    if host.starts_with('[') {
        return true;
    }
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_hex = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit())
        || last.strip_prefix("0x").is_some_and(is_hex)
}

#[cfg(test)]
mod tests {
    use super::Warning;
    use crate::options::Options;

    /// The names of the warnings about the first link of a text.
    fn warnings(source: &str) -> Vec<&'static str> {
        let document = crate::document::parse(source, &Options::natural()).unwrap();
        let link = document.links().next().unwrap_or_else(|| panic!("no link in {source}"));
        link.warnings().iter().map(Warning::name).collect()
    }

    #[test]
    fn what_deceives_is_warned_about() {
        for (source, expected) in [
            ("[x](https://bank.example@evil.example/)", &["user-info"][..]),
            ("[x](//u:p@evil.example)", &["user-info"]),
            ("[https://a.bc](https://d.ef)", &["other-host"]),
            ("[see www.a.bc now](https://d.ef)", &["other-host"]),
            ("[https://a.bc](/x)", &["other-host"]),
            ("[x\u{202E}](/y)", &["bidi-control"]),
            ("[x](https://a.bc/\u{2066}y)", &["bidi-control"]),
            ("[x](https://p\u{0430}ypal.com)", &["mixed-scripts"]),
            ("http://p\u{0430}ypal.com", &["mixed-scripts"]),
            ("http://p\u{0430}ypal.com。", &["mixed-scripts"]),
            ("[https://münchen.de](https://munchen.de)", &["other-host"]),
            ("http://192.168.0.1/", &["numeric-host"]),
            ("[x](http://2130706433/)", &["numeric-host"]),
            ("[x](http://0x7f.1/)", &["numeric-host"]),
            ("[x](http://0x7f000001/)", &["numeric-host"]),
            ("http://[::1]/", &["numeric-host"]),
            ("[http://a.bc](http://u@1.2.3.4)", &["user-info", "other-host", "numeric-host"]),
        ] {
            assert_eq!(warnings(source), expected, "{source}");
        }
    }

    #[test]
    fn honest_links_are_left_alone() {
        for source in [
            "https://a.bc/x@y",
            "[https://a.bc](https://www.a.bc/x)",
            "[www.A.bc](http://a.bc.)",
            "[a@b.cd](https://d.ef)",
            "[https://例え.jp](http://xn--r8jz45g.jp)",
            "http://例え.jp",
            "[https://例え.jp/](https://例え.jp/)",
            "[https://例え.jp/](https://%E4%BE%8B%E3%81%88.JP/)",
            "[https://MÜNCHEN.de](https://www.münchen.de./)",
            "[http://xn--mnchen-3ya.de](http://münchen.de)",
            "[www.münchen.de](http://xn--mnchen-3ya.de)",
            "[x](https://github.com。)",
            "https://github.com。",
            "[x](http://日本語テスト.jp)",
            "[x](http://bücher.de)",
            "[x](http://яндекс.рф)",
            "[x](mailto:a@b.cd)",
            "[x](/y@z)",
            "[x](http://😀.to)",
            "[x](http://1.example)",
        ] {
            assert_eq!(warnings(source), <[&str; 0]>::default(), "{source}");
        }
    }
}
