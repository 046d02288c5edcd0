//! What to look for: the dialect, and the kinds of links.

use core::fmt;
use core::str::FromStr;

/// A complete set of rules for what is a bare link, and where it ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// GitHub Flavored Markdown's extended autolinks, as the specification is written.
    #[default]
    Gfm,
    /// The extended autolinks of GFM as GitHub's cmark-gfm implements them, quirks included.
    Github,
    /// MD4C's permissive autolinks, as documented.
    Md4c,
    /// A link wherever a reader sees one.
    Natural,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: &'static [Self] = &[Self::Gfm, Self::Github, Self::Md4c, Self::Natural];

    /// The name used in options and documentation.
    ///
    /// ```
    /// assert_eq!(barelink_autolink::Dialect::Md4c.name(), "md4c");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gfm => "gfm",
            Self::Github => "github",
            Self::Md4c => "md4c",
            Self::Natural => "natural",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// ```
/// use barelink_autolink::Dialect;
/// assert_eq!("natural".parse(), Ok(Dialect::Natural));
/// assert!("commonmark".parse::<Dialect>().is_err());
/// ```
impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        Self::ALL.iter().copied().find(|dialect| dialect.name() == name).ok_or(UnknownDialect)
    }
}

/// The error of parsing a name that is not a dialect's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct UnknownDialect;

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a dialect is one of gfm, github, md4c, natural")
    }
}

impl core::error::Error for UnknownDialect {}

/// What a bare link begins with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// A scheme and `://`.
    Url,
    /// `www.`, without a scheme.
    Www,
    /// An e-mail address.
    Email,
    /// A name without a scheme, such as `example.com`: see [`Rules::domains`].
    Domain,
    /// One of the caller's own schemes and a colon: see [`links_with`](crate::links_with).
    Scheme,
}

impl Kind {
    /// The name used in options and documentation.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Www => "www",
            Self::Email => "email",
            Self::Domain => "domain",
            Self::Scheme => "scheme",
        }
    }
}

/// A dialect, with a switch for each kind of link.
///
/// ```
/// use barelink_autolink::{Dialect, Rules, links};
///
/// let mut rules = Rules::new(Dialect::Gfm);
/// rules.email = false;
/// assert_eq!(links("a@b.cd www.x.org", rules).count(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools)] // One for each kind.
pub struct Rules {
    /// The dialect that decides candidates.
    pub dialect: Dialect,
    /// Whether to look for URLs with a scheme.
    pub url: bool,
    /// Whether to look for `www.` names.
    pub www: bool,
    /// Whether to look for e-mail addresses.
    pub email: bool,
    /// Whether to look for names without a scheme that end in a top-level domain. Off by default;
    /// only [`Dialect::Natural`] supports it.
    ///
    /// ```
    /// use barelink_autolink::{Dialect, Rules, links};
    ///
    /// let mut rules = Rules::new(Dialect::Natural);
    /// let text = "github.com/foo has README.md";
    /// assert_eq!(links(text, rules).count(), 0);
    /// rules.domains = true;
    /// let found: Vec<_> = links(text, rules).map(|link| link.text).collect();
    /// assert_eq!(found, ["github.com/foo"]);
    /// ```
    pub domains: bool,
}

impl Rules {
    /// All kinds of links that this dialect recognizes by `://`, `www.` or `@`; `domains` is off.
    pub const fn new(dialect: Dialect) -> Self {
        Self { dialect, url: true, www: true, email: true, domains: false }
    }

    /// No kind of link: switch on the ones you want.
    pub const fn none(dialect: Dialect) -> Self {
        Self { dialect, url: false, www: false, email: false, domains: false }
    }

    /// These rules restricted to one kind of link, which stays off if it is off here.
    #[must_use]
    pub const fn only(self, kind: Kind) -> Self {
        let mut only = Self::none(self.dialect);
        match kind {
            Kind::Url | Kind::Scheme => only.url = self.url,
            Kind::Www => only.www = self.www,
            Kind::Email => only.email = self.email,
            Kind::Domain => only.domains = self.domains,
        }
        only
    }

    /// Whether these rules look for links of this kind.
    #[inline]
    pub const fn wants(&self, kind: Kind) -> bool {
        match kind {
            Kind::Url => self.url,
            Kind::Scheme => self.url && matches!(self.dialect, Dialect::Natural),
            Kind::Www => self.www,
            Kind::Email => self.email,
            Kind::Domain => self.domains && matches!(self.dialect, Dialect::Natural),
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::new(Dialect::default())
    }
}

impl From<Dialect> for Rules {
    fn from(dialect: Dialect) -> Self {
        Self::new(dialect)
    }
}
