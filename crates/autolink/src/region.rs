//! What a recognizer may see of the text around a candidate, and what it returns.

use barelink_text::chars::prev_char;

use crate::host::HostRun;
use crate::{github, natural};

/// What is just outside the visible region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// Nothing that could spoil a link: the start or end of the line or the
    /// paragraph; for `md4c` also a resolved emphasis opener before the
    /// region, or a resolved closer after it.
    Open,
    /// This character; the dialect's rules apply to it as to any other.
    Char(char),
}

/// For each emphasis character, the length of the innermost opener that is not closed yet; 0 if
/// there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenEmphasis {
    /// `*`
    pub star: u8,
    /// `_`
    pub underscore: u8,
    /// `~`
    pub tilde: u8,
}

/// The region of a text that one link may be in, and its surroundings.
///
/// How to fill it:
///
/// | dialect | kind | `start..end` | `before`, `after` |
/// |---|---|---|---|
/// | `gfm`, `github` | URL, www | the paragraph's inline text | `Open` |
/// | `gfm`, `github` | e-mail | one text node: decoded text between other nodes and links | the character next to it in the source |
/// | `md4c` | all | the part of one line between resolved marks | `Open` at the ends of the line and next to a resolved opener before or a resolved closer after the region, else the character |
/// | `natural` | URL, www | the paragraph's inline text | `Open` |
/// | `natural` | e-mail | as `md4c` | as `md4c` |
///
/// A `Region` also stores what earlier candidates of the same text have shown, which keeps time
/// linear: use one for all candidates of a region, in text order, advancing `start` as links are
/// found, [`Region::further`] for the next region, and a new one for another text.
#[derive(Clone, Debug)]
pub struct Region {
    /// Start of the region.
    pub start: usize,
    /// End of the region.
    pub end: usize,
    /// What precedes the region.
    pub before: Edge,
    /// What follows the region. Used by `md4c`, and by `natural` for addresses.
    pub after: Edge,
    /// The offset of an unclosed `[` or `![` before the candidate, if any. Used only by the GFM
    /// dialects, and not for e-mails.
    pub open_bracket: Option<u32>,
    /// The emphasis that is open before the candidate. Used only by `natural`.
    pub open_emphasis: OpenEmphasis,
    /// State of `gfm`: the last host that was scanned.
    pub(crate) host: HostRun,
    /// State of `github`.
    pub(crate) github: github::Memory,
    /// State of `natural`.
    pub(crate) natural: natural::Memory,
}

impl Region {
    /// A region that is a whole line or paragraph.
    pub const fn new(start: usize, end: usize) -> Self {
        Self {
            start,
            end,
            before: Edge::Open,
            after: Edge::Open,
            open_bracket: None,
            open_emphasis: OpenEmphasis { star: 0, underscore: 0, tilde: 0 },
            host: HostRun::NONE,
            github: github::Memory::NONE,
            natural: natural::Memory::new(start),
        }
    }

    /// A later region of the same paragraph: what the sentence has open carries over.
    #[must_use]
    pub const fn further(&self, start: usize, end: usize) -> Self {
        let mut region = Self::new(start, end);
        region.natural = self.natural;
        region
    }

    /// Whether the host in the last link that `natural` found is known to be ASCII.
    #[inline]
    pub(crate) fn has_ascii_host(&self, link: Match) -> bool {
        self.natural.has_ascii_host(link)
    }

    /// What precedes `at`, an offset in the region.
    #[inline]
    pub(crate) fn edge_before(&self, text: &[u8], at: usize) -> Edge {
        if at <= self.start {
            return self.before;
        }
        prev_char(text, at).map_or(Edge::Open, Edge::Char)
    }

    /// The offset that a refusal for the character before `at` refers to: its first byte if it is
    /// in the region, or else `at`.
    #[inline]
    pub(crate) fn offset_before(&self, at: usize, edge: Edge) -> usize {
        match edge {
            Edge::Char(c) if at > self.start => at.saturating_sub(c.len_utf8()),
            _ => at,
        }
    }
}

/// A link that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// The start of its text.
    pub start: usize,
    /// The end of its text.
    pub end: usize,
    /// What precedes the text in the destination: `""`, `"http://"` or `"mailto:"`.
    pub prefix: &'static str,
}
