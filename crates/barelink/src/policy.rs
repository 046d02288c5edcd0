//! What the renderer lets through, and what it adds: raw HTML, destinations, attributes of links,
//! ids, positions.

use std::borrow::Cow;

use crate::url;

/// How a document is written as HTML. See
/// [`Options::policy`](crate::Options::policy).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools)] // One for each thing that is added.
pub struct Policy {
    /// What to do with raw HTML, in blocks and inline.
    ///
    /// ```
    /// let html = barelink::to_html("<b>bold?</b>", &barelink::Options::commonmark())?;
    /// assert_eq!(html, "<p>&lt;b&gt;bold?&lt;/b&gt;</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub raw_html: RawHtml,
    /// Which destinations of links and images are written. All others are written as empty.
    ///
    /// ```
    /// # use barelink::{Options, Urls, to_html};
    /// let mut options = Options::commonmark();
    /// assert_eq!(to_html("[x](javascript:a)", &options)?, "<p><a href=\"\">x</a></p>\n");
    /// options.policy.urls = Urls::schemes(["https", "mailto"]);
    /// assert_eq!(to_html("[x](http://a)", &options)?, "<p><a href=\"\">x</a></p>\n");
    /// assert_eq!(to_html("[x](/a)", &options)?, "<p><a href=\"/a\">x</a></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub urls: Urls,
    /// Attributes of bare links, including e-mail addresses.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::gfm();
    /// options.policy.bare.rel = Some("nofollow ugc".into());
    /// let html = to_html("www.a.bc", &options)?;
    /// assert_eq!(html, "<p><a href=\"http://www.a.bc\" rel=\"nofollow ugc\">www.a.bc</a></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub bare: LinkAttributes,
    /// Attributes of links to other sites: links whose destination has a host that is not one of
    /// [your own](Policy::own_hosts). A `mailto:` link has none. For bare links, [`Policy::bare`]
    /// takes precedence.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.policy.external.target_blank = true;
    /// let html = to_html("[a](https://a.bc) [b](/b)", &options)?;
    /// assert_eq!(
    ///     html,
    ///     "<p><a href=\"https://a.bc\" target=\"_blank\">a</a> <a href=\"/b\">b</a></p>\n"
    /// );
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub external: LinkAttributes,
    /// Hosts that do not count as other sites: a name, or `*.` and a name for all hosts below it.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.policy.external.rel = Some("nofollow".into());
    /// options.policy.own_hosts = vec!["a.bc".to_owned(), "*.a.bc".to_owned()];
    /// let html = to_html("[x](https://www.a.bc/x)", &options)?;
    /// assert_eq!(html, "<p><a href=\"https://www.a.bc/x\">x</a></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub own_hosts: Vec<String>,
    /// Whether bare `www.` names are linked with `https` instead of `http`.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::gfm();
    /// options.policy.https = true;
    /// assert_eq!(
    ///     to_html("www.a.bc", &options)?,
    ///     "<p><a href=\"https://www.a.bc\">www.a.bc</a></p>\n"
    /// );
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub https: bool,
    /// Whether headings get ids made from their text, as on GitHub.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.policy.heading_ids = true;
    /// let html = to_html("# So, *what*?\n# So what", &options)?;
    /// assert_eq!(
    ///     html,
    ///     "<h1 id=\"so-what\">So, <em>what</em>?</h1>\n<h1 id=\"so-what-1\">So what</h1>\n"
    /// );
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub heading_ids: bool,
    /// The prefix of every id, of headings and of footnotes. With a different prefix for each
    /// document, ids are unique on a page that has several of them. Links to `#x` within a document
    /// get the prefix, too, so that they lead to their heading. Characters of the prefix other than
    /// ASCII letters and digits, `-`, `_`, `.` and `:` become `-`.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.policy.heading_ids = true;
    /// options.policy.id_prefix = "comment-7-".into();
    /// let html = to_html("# Why\n[up](#why)", &options)?;
    /// assert_eq!(
    ///     html,
    ///     "<h1 id=\"comment-7-why\">Why</h1>\n<p><a href=\"#comment-7-why\">up</a></p>\n"
    /// );
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub id_prefix: Cow<'static, str>,
    /// Whether blocks have an attribute `data-sourcepos`: the line and byte column of their first
    /// and last byte. [`push_events`](crate::html::push_events) does not write it, because events
    /// may have been moved.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.policy.source_positions = true;
    /// assert_eq!(to_html("one\ntwo", &options)?, "<p data-sourcepos=\"1:1-2:3\">one\ntwo</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub source_positions: bool,
    /// What a line ending in a paragraph becomes.
    ///
    /// ```
    /// # use barelink::{Options, SoftBreaks, to_html};
    /// let mut options = Options::commonmark();
    /// options.policy.soft_breaks = SoftBreaks::Hard;
    /// assert_eq!(to_html("one\ntwo", &options)?, "<p>one<br />\ntwo</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub soft_breaks: SoftBreaks,
}

/// What to do with raw HTML in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum RawHtml {
    /// It is escaped, and displayed as text.
    #[default]
    Escape,
    /// It is left out.
    Drop,
    /// It is copied to the output unchanged, except for the tag filter (see
    /// [`Options::tag_filter`](crate::Options::tag_filter)). Only for sources
    /// you trust.
    Pass,
}

/// Which destinations of links and images are written. All others are written as empty.
///
/// A destination without a scheme, such as `/x`, `#x` or `//host/x`, is always written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Urls {
    /// Destinations with one of the [`Urls::SAFE_SCHEMES`]; for images, also `data:` URLs of PNG,
    /// GIF, JPEG and WebP images.
    #[default]
    Safe,
    /// Those of [`Urls::Safe`], and those with one of these schemes. See [`Urls::and_schemes`].
    SafeAnd(Vec<String>),
    /// Those with one of these schemes, ignoring case. See [`Urls::schemes`].
    Schemes(Vec<String>),
    /// All destinations. Only for sources you trust.
    Any,
}

impl Urls {
    /// The schemes of [`Urls::Safe`]: the web, mail, phone and chat.
    pub const SAFE_SCHEMES: &'static [&'static str] = &[
        "http", "https", "ftp", "ftps", "mailto", "tel", "sms", "xmpp", "irc", "ircs", "matrix",
        "sip", "sips",
    ];

    /// Allows destinations with one of these schemes.
    pub fn schemes<S: Into<String>>(schemes: impl IntoIterator<Item = S>) -> Self {
        Self::Schemes(schemes.into_iter().map(Into::into).collect())
    }

    /// Allows these destinations, and those with one of these schemes.
    ///
    /// ```
    /// use barelink::{Attribute, Policy, Urls, html};
    /// let mut policy = Policy::SAFE;
    /// policy.urls = Urls::Safe.and_schemes(["magnet"]);
    /// let mut out = String::new();
    /// html::push_href("magnet:?xt=a", Attribute::Href, &policy, &mut out);
    /// assert_eq!(out, "magnet:?xt=a");
    /// ```
    #[must_use]
    pub fn and_schemes<S: Into<String>>(self, schemes: impl IntoIterator<Item = S>) -> Self {
        let further = schemes.into_iter().map(Into::into);
        match self {
            Self::Safe => Self::SafeAnd(further.collect()),
            Self::SafeAnd(schemes) => Self::SafeAnd(schemes.into_iter().chain(further).collect()),
            Self::Schemes(schemes) => Self::Schemes(schemes.into_iter().chain(further).collect()),
            Self::Any => Self::Any,
        }
    }

    /// Whether `href`, percent-encoded as in HTML, may be written.
    #[inline]
    pub(crate) fn allow(&self, href: &str, attribute: Attribute) -> bool {
        match self {
            Self::Safe => {
                href.starts_with("http://")
                    || href.starts_with("https://")
                    || is_safe(href, attribute)
            }
            Self::SafeAnd(schemes) => is_safe(href, attribute) || is_among(href, schemes),
            Self::Schemes(schemes) => is_among(href, schemes),
            Self::Any => true,
        }
    }
}

/// Whether the destination has one of these schemes, or none.
fn is_among(href: &str, schemes: &[String]) -> bool {
    url::scheme(href).is_none_or(|scheme| schemes.iter().any(|it| it.eq_ignore_ascii_case(scheme)))
}

/// The attribute that a destination is written into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Attribute {
    /// The `href` of a link.
    Href,
    /// The `src` of an image.
    Src,
}

fn is_safe(href: &str, attribute: Attribute) -> bool {
    url::scheme(href).is_none_or(|scheme| {
        Urls::SAFE_SCHEMES.iter().any(|it| it.eq_ignore_ascii_case(scheme))
            || attribute == Attribute::Src && is_image_data(href)
    })
}

/// Whether a destination is a common image as a `data:` URL.
fn is_image_data(href: &str) -> bool {
    const STARTS: [&str; 4] =
        ["data:image/png", "data:image/gif", "data:image/jpeg", "data:image/webp"];
    STARTS.iter().any(|start| {
        let Some((head, after)) = href.as_bytes().split_at_checked(start.len()) else {
            return false;
        };
        // The type must end here: `image/png+xml` would be a document.
        head.eq_ignore_ascii_case(start.as_bytes()) && matches!(after, [] | [b';' | b',', ..])
    })
}

/// What a line ending in a paragraph becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum SoftBreaks {
    /// A line ending.
    #[default]
    Newline,
    /// A space.
    Space,
    /// `<br />` and a line ending.
    Hard,
}

/// Attributes for links of some kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct LinkAttributes {
    /// The value of `rel`.
    pub rel: Option<Cow<'static, str>>,
    /// Whether the link opens in a new window: `target="_blank"`.
    pub target_blank: bool,
}

impl LinkAttributes {
    /// No attributes.
    pub const NONE: Self = Self { rel: None, target_blank: false };

    /// Whether there are no attributes.
    pub(crate) fn is_none(&self) -> bool {
        self.rel.is_none() && !self.target_blank
    }
}

impl Policy {
    /// Raw HTML is escaped, only destinations with known schemes are written, and nothing is added.
    pub const SAFE: Self = Self::new(RawHtml::Escape, Urls::Safe);

    /// Everything passes, and nothing is added. Only for sources you trust.
    pub const TRUSTED: Self = Self::new(RawHtml::Pass, Urls::Any);

    const fn new(raw_html: RawHtml, urls: Urls) -> Self {
        Self {
            raw_html,
            urls,
            bare: LinkAttributes::NONE,
            external: LinkAttributes::NONE,
            own_hosts: Vec::new(),
            https: false,
            heading_ids: false,
            id_prefix: Cow::Borrowed(""),
            source_positions: false,
            soft_breaks: SoftBreaks::Newline,
        }
    }

    /// Appends the prefix of ids; characters that an id and a link to it would encode differently
    /// are replaced.
    pub(crate) fn push_id_prefix(&self, out: &mut String) {
        let is_kept = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
        out.extend(self.id_prefix.chars().map(|c| if is_kept(c) { c } else { '-' }));
    }

    /// Whether a destination leads to another site: to a host that is not one of
    /// [`Policy::own_hosts`].
    ///
    /// ```
    /// use barelink::Policy;
    /// let mut policy = Policy::SAFE;
    /// assert!(policy.is_external("https://a.bc/x"));
    /// assert!(!policy.is_external("/x"));
    /// policy.own_hosts = vec!["a.bc".to_owned()];
    /// assert!(!policy.is_external("//A.bc/x"));
    /// ```
    pub fn is_external(&self, destination: &str) -> bool {
        url::host(destination)
            .is_some_and(|host| !self.own_hosts.iter().any(|own| is_own(&host, own)))
    }
}

/// Whether `own`, a name or `*.` and a name, matches `host`, which is in lower case.
fn is_own(host: &str, own: &str) -> bool {
    match own.strip_prefix("*.") {
        None => host.eq_ignore_ascii_case(own),
        Some(parent) => host
            .len()
            .checked_sub(parent.len() + 1)
            .filter(|&dot| dot > 0 && host.as_bytes()[dot] == b'.')
            .and_then(|dot| host.get(dot + 1..))
            .is_some_and(|below| below.eq_ignore_ascii_case(parent)),
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::SAFE
    }
}

#[cfg(test)]
mod tests {
    use super::{Attribute, Urls, is_own};

    #[test]
    fn only_listed_schemes_are_safe() {
        for href in [
            "javascript:a",
            "JavaScript:",
            "vbscript:x",
            "FILE:///x",
            "data:text/html,x",
            "data:image/png+xml,x",
            "data:image/gifx,y",
            "data:",
            "blob:x",
            "made-up:x",
        ] {
            assert!(!Urls::Safe.allow(href, Attribute::Src), "{href}");
        }
        for href in ["/javascript:", "http://x", "HTTPS:x", "", "%20javascript:", "tel:+1", "//x"] {
            assert!(Urls::Safe.allow(href, Attribute::Href), "{href}");
        }
        let image = "data:image/PNG;base64,x";
        assert!(
            Urls::Safe.allow(image, Attribute::Src) && !Urls::Safe.allow(image, Attribute::Href)
        );
    }

    #[test]
    fn a_list_of_schemes_replaces_the_safe_ones() {
        let urls = Urls::schemes(["HTTPS", "data"]);
        assert!(
            urls.allow("https:x", Attribute::Href)
                && urls.allow("data:text/html,", Attribute::Href)
        );
        assert!(
            !urls.allow("http://x", Attribute::Href) && !urls.allow("mailto:x", Attribute::Href)
        );
        assert!(urls.allow("x", Attribute::Href));
    }

    #[test]
    fn own_hosts_are_names_or_all_below_one() {
        for (host, own, expected) in [
            ("a.bc", "A.bc", true),
            ("www.a.bc", "a.bc", false),
            ("www.a.bc", "*.a.bc", true),
            ("a.bc", "*.a.bc", false),
            ("xa.bc", "*.a.bc", false),
            (".a.bc", "*.a.bc", false),
            ("é.a.bc", "*.a.bc", true),
            ("aé.bc", "*.©.bc", false),
        ] {
            assert_eq!(is_own(host, own), expected, "{host} {own}");
        }
    }
}
