//! Finds the rows that could have links. Contiguous rows are searched as one text, and a row
//! without a sign of a link costs almost nothing. A sign that extends from one row into the next
//! can only give a false positive.

use std::ops::Range;

use barelink::Options;
use barelink::autolink::Rules;
use barelink::autolink::engine::Candidates;
use memchr::memchr3;

/// The signs of links.
#[derive(Clone, Copy)]
pub(crate) enum Signs {
    /// A link needs a square or angle bracket, unless it is bare. Then it has the sign of a
    /// candidate, possibly hidden in a character reference.
    Markdown(Option<Rules>),
    /// All links are bare.
    Text(Rules),
}

impl Signs {
    /// The signs for Markdown. With further schemes, which have other signs, there are none.
    pub(crate) fn of_markdown(options: &Options) -> Option<Self> {
        options.schemes.is_empty().then(|| Self::Markdown(options.autolinks.rules()))
    }

    /// The signs for bare links in plain text.
    pub(crate) fn of_text(rules: Rules, schemes: &[String]) -> Option<Self> {
        schemes.is_empty().then_some(Self::Text(rules))
    }

    /// The first bracket or ampersand at `from` or later, if they count.
    fn find_bracket(self, bytes: &[u8], from: usize) -> usize {
        let found = match self {
            Self::Markdown(_) => memchr3(b'[', b'<', b'&', bytes.get(from..).unwrap_or_default()),
            Self::Text(_) => None,
        };
        found.map_or(usize::MAX, |len| from + len)
    }
}

/// A search that only moves forward.
pub(crate) struct Search<'r> {
    bytes: &'r [u8],
    signs: Signs,
    candidates: Option<Candidates<'r>>,
    /// The next bracket or ampersand.
    bracket: Option<usize>,
}

impl<'r> Search<'r> {
    pub(crate) fn new(bytes: &'r [u8], signs: Signs) -> Self {
        let rules = match signs {
            Signs::Markdown(rules) => rules,
            Signs::Text(rules) => Some(rules),
        };
        let candidates = rules.map(|rules| Candidates::new(bytes, rules));
        Self { bytes, signs, candidates, bracket: None }
    }

    /// Whether a sign starts within these bytes.
    #[inline]
    pub(crate) fn has_sign(&mut self, range: &Range<usize>) -> bool {
        let candidates = self.candidates.as_mut();
        let candidate = candidates.and_then(|it| it.at_or_after(range.start));
        if candidate.is_some_and(|candidate| candidate.start < range.end) {
            return true;
        }
        let bracket = match self.bracket {
            Some(bracket) if bracket >= range.start => bracket,
            _ => *self.bracket.insert(self.signs.find_bracket(self.bytes, range.start)),
        };
        bracket < range.end
    }
}
