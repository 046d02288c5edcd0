//! What a recognizer may see of the text around a candidate, and what it
//! answers.

use barelink_text::chars::prev_char;

use crate::host::HostRun;
use crate::{github, natural};

/// What stands just outside the visible region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// Nothing that could spoil a link: the start or end of the line or the
    /// paragraph; for `md4c` also a resolved emphasis opener before the
    /// region, or a resolved closer after it.
    Open,
    /// This character, which the dialect's rules judge like any other.
    Char(char),
}

/// For each character that emphasis is written with, the length of the
/// innermost opener that is still to be closed; 0 if there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenEmphasis {
    /// `*`
    pub star: u8,
    /// `_`
    pub underscore: u8,
    /// `~`
    pub tilde: u8,
}

/// The region of a text in which one link may lie, and its surroundings.
///
/// What to put into it:
///
/// | dialect | kind | `start..end` | `before`, `after` |
/// |---|---|---|---|
/// | `gfm`, `github` | URL, www | the paragraph's inline text | `Open` |
/// | `gfm`, `github` | e-mail | one text node: decoded text between other nodes and links | the character that stands there in the source |
/// | `md4c` | all | the part of one line between resolved marks | `Open` at the line's ends and where a resolved opener precedes or a resolved closer follows, else the character |
/// | `natural` | URL, www | the paragraph's inline text | `Open` |
/// | `natural` | e-mail | as `md4c` | as `md4c` |
///
/// A `Region` also remembers what earlier candidates of the same text have
/// taught, which keeps time linear: use one for all candidates of a region, in
/// text order, moving `start` up as links are found, [`Region::further`] for the
/// next region, and a new one for another text.
#[derive(Clone, Debug)]
pub struct Region {
    /// Where the region starts.
    pub start: usize,
    /// Where the region ends.
    pub end: usize,
    /// What stands before the region.
    pub before: Edge,
    /// What stands after the region. `md4c` asks, and `natural` for addresses.
    pub after: Edge,
    /// Where an unclosed `[` or `![` stands before the candidate, if one does.
    /// Only the GFM dialects mind, and not for e-mails.
    pub open_bracket: Option<u32>,
    /// The emphasis that is open before the candidate. Only `natural` minds.
    pub open_emphasis: OpenEmphasis,
    /// What `gfm` remembers: the last host that was looked at.
    pub(crate) host: HostRun,
    /// What `github` remembers.
    pub(crate) github: github::Memory,
    /// What `natural` remembers.
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

    /// A region further on in the same paragraph: what the sentence has open stays so.
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

    /// What stands before `at`, a place in the region.
    #[inline]
    pub(crate) fn edge_before(&self, text: &[u8], at: usize) -> Edge {
        if at <= self.start {
            return self.before;
        }
        prev_char(text, at).map_or(Edge::Open, Edge::Char)
    }

    /// The byte that a refusal for what stands before `at` points to: the
    /// first of that character if it is in the region.
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
    /// Where its text starts.
    pub start: usize,
    /// Where its text ends.
    pub end: usize,
    /// What the destination has before the text: `""`, `"http://"` or
    /// `"mailto:"`.
    pub prefix: &'static str,
}
