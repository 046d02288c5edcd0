//! The settings of a check: where the document is published, which other programs must agree, which
//! rules are on, and how fixes are written.

use std::fmt;
use std::str::FromStr;

use barelink::{Autolinks, Dialect, Options, Policy};

use crate::rule::RuleSet;

/// How documents are checked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The options where the document is published. The policy is ignored.
    pub options: Options,
    /// The programs that must agree about each bare link.
    pub with: Vec<Peer>,
    /// The rules that are on.
    pub rules: RuleSet,
    /// How fixes write links.
    pub style: Style,
    /// The kind of file.
    pub flavor: Flavor,
}

impl Default for Settings {
    /// Published on GitHub, with front matter; the other dialects must agree, and the default rules
    /// are on.
    fn default() -> Self {
        let mut options = Options::github();
        options.front_matter = true;
        options.policy = Policy::TRUSTED;
        Self {
            options,
            with: vec![Peer::Gfm, Peer::Github, Peer::Md4c, Peer::Natural],
            rules: RuleSet::DEFAULT,
            style: Style::Auto,
            flavor: Flavor::Markdown,
        }
    }
}

/// A program that reads the same document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Peer {
    /// GFM as specified.
    Gfm,
    /// GitHub.
    Github,
    /// MD4C.
    Md4c,
    /// A reader.
    Natural,
    /// Any program without bare links.
    Commonmark,
}

impl Peer {
    /// All peers.
    pub const ALL: &'static [Self] =
        &[Self::Gfm, Self::Github, Self::Md4c, Self::Natural, Self::Commonmark];

    /// The name used in options and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gfm => "gfm",
            Self::Github => "github",
            Self::Md4c => "md4c",
            Self::Natural => "natural",
            Self::Commonmark => "commonmark",
        }
    }

    /// Its bare links.
    pub(crate) const fn autolinks(self) -> Autolinks {
        match self {
            Self::Gfm => Autolinks::new(Dialect::Gfm),
            Self::Github => Autolinks::new(Dialect::Github),
            Self::Md4c => Autolinks::new(Dialect::Md4c),
            Self::Natural => Autolinks::new(Dialect::Natural),
            Self::Commonmark => Autolinks::NONE,
        }
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of parsing a name that is not a [`Peer`]'s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownPeer(String);

impl fmt::Display for UnknownPeer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Peer::ALL.iter().map(|peer| peer.name()).collect();
        write!(f, "unknown dialect `{}`: expected one of {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownPeer {}

impl FromStr for Peer {
    type Err = UnknownPeer;

    fn from_str(name: &str) -> Result<Self, UnknownPeer> {
        let found = Self::ALL.iter().copied().find(|peer| peer.name() == name);
        found.ok_or_else(|| UnknownPeer(name.to_owned()))
    }
}

/// How fixes write links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Style {
    /// `<…>`, and `[…](…)` if that is not possible.
    #[default]
    Auto,
    /// `<…>`, or not at all.
    Angle,
    /// `[…](…)`.
    Inline,
}

impl Style {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Auto, Self::Angle, Self::Inline];

    /// The name used in options and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Angle => "angle",
            Self::Inline => "inline",
        }
    }
}

/// The kind of a file, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Flavor {
    /// Markdown.
    #[default]
    Markdown,
    /// Markdown with JSX, where `<` begins a tag.
    Mdx,
}
