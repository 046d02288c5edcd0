//! Which rows could have links. Rows that lie one after the other are searched as one text, and a row without a sign of a link costs next to nothing. A sign that
//! reaches from one row into the next gives a row for nothing, never one too few.

use std::ops::Range;

use barelink::Options;
use barelink::autolink::Rules;
use barelink::autolink::engine::Candidates;
use memchr::memchr3;

/// What rows with links have.
#[derive(Clone, Copy)]
pub(crate) enum Signs {
    /// A link takes a bracket of either kind, unless it is bare. Then it has a sign that
    /// candidates are found by, or hides it in a character reference.
    Markdown(Option<Rules>),
    /// All links are bare.
    Text(Rules),
}

impl Signs {
    /// Those of Markdown. Further schemes have signs of their own, so there is no telling.
    pub(crate) fn of_markdown(options: &Options) -> Option<Self> {
        options.schemes.is_empty().then(|| Self::Markdown(options.autolinks.rules()))
    }

    /// Those of bare links in plain text.
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

/// A search that only goes forward.
pub(crate) struct Search<'r> {
    bytes: &'r [u8],
    signs: Signs,
    candidates: Option<Candidates<'r>>,
    /// The first bracket or ampersand that was not yet passed.
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
