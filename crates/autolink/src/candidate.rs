//! Where a bare link could be: at a `://`, a `www.` or an `@`.
//!
//! Nearly all text is free of them, so the search has to cost next to nothing:
//! blocks of 64 bytes are asked, in a loop that compilers turn into a few dozen
//! vector instructions, whether any of the three can start in them, and only
//! a block that answers yes is looked at byte by byte.
//!
//! LINEAR: the search only moves forward, and a block is asked once more at
//! most for each candidate in it.

use barelink_text::Span;

use crate::rules::{Dialect, Kind, Rules};

/// How many bytes are asked at once.
const BLOCK: usize = 64;

/// The same, close behind a candidate, where another is likely.
const SHORT: usize = 16;

/// How many bytes beyond its own a block looks at.
const REACH: usize = 1;

/// A place where a bare link could be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The kind of link it would be.
    pub kind: Kind,
    /// Where its `://`, `www.` or `@` starts.
    pub start: usize,
}

impl Candidate {
    /// Just after the `://`, `www.` or `@`.
    #[inline]
    pub const fn end(self) -> usize {
        self.start
            + match self.kind {
                Kind::Url => 3,
                Kind::Www => 4,
                Kind::Email => 1,
            }
    }

    /// The `://`, `www.` or `@`.
    #[inline]
    pub const fn span(self) -> Span {
        Span::new(self.start as u32, self.end() as u32)
    }
}

/// The candidates of a text, found when asked for.
///
/// ```
/// use barelink_autolink::{Dialect, Kind, Rules, candidate::Candidates};
///
/// let text = b"see www.a.bc or mail a@b.cd";
/// let mut candidates = Candidates::new(text, Rules::new(Dialect::Gfm));
/// assert_eq!(candidates.at_or_after(0).unwrap().start, 4);
/// assert_eq!(candidates.at_or_after(3).unwrap().start, 4);
/// assert_eq!(candidates.at_or_after(5).unwrap().kind, Kind::Email);
/// assert_eq!(candidates.at_or_after(23), None);
/// ```
#[derive(Clone, Debug)]
pub struct Candidates<'t> {
    text: &'t [u8],
    rules: Rules,
    /// The first candidate that was not yet passed, or `None` at the end.
    next: Option<Candidate>,
    /// Everything before this has been searched.
    searched: usize,
}

impl<'t> Candidates<'t> {
    /// The candidates of the kinds that `rules` wants.
    pub const fn new(text: &'t [u8], rules: Rules) -> Self {
        Self { text, rules, next: None, searched: 0 }
    }

    /// The first candidate that starts at `at` or later. Asking for an earlier
    /// place than last time does not go back.
    #[inline]
    pub fn at_or_after(&mut self, at: usize) -> Option<Candidate> {
        if let Some(next) = self.next
            && next.start >= at
        {
            return Some(next);
        }
        self.search(at.max(self.searched).min(self.text.len()))
    }

    /// Looks for a candidate from `from` on.
    fn search(&mut self, from: usize) -> Option<Candidate> {
        let mut at = from;
        self.next = loop {
            let candidate = match self.rules.dialect {
                Dialect::Natural => find_candidate::<true>(self.text, at),
                Dialect::Gfm | Dialect::Github | Dialect::Md4c => {
                    find_candidate::<false>(self.text, at)
                }
            };
            let Some(candidate) = candidate else { break None };
            if self.rules.wants(candidate.kind) {
                break Some(candidate);
            }
            at = candidate.end();
        };
        self.searched = self.next.map_or(self.text.len(), Candidate::end);
        self.next
    }
}

/// The first candidate of any kind that starts at `from` or later. With
/// `CASELESS`, `WWW.` is one too.
fn find_candidate<const CASELESS: bool>(text: &[u8], from: usize) -> Option<Candidate> {
    let mut at = from;
    while let Some(block) = text.get(at..).and_then(<[u8]>::first_chunk) {
        // A `://` that the block before had only the colon of starts in that.
        if is_any::<CASELESS, SHORT, { SHORT + REACH }>(block)
            && let Some(candidate) =
                find_in::<CASELESS>(text, at.saturating_sub(1).max(from), at + SHORT)
        {
            return Some(candidate);
        }
        at += SHORT;
        loop {
            let Some(block) = text.get(at..).and_then(<[u8]>::first_chunk) else {
                if is_clean_at_end::<CASELESS, BLOCK, { BLOCK + REACH }>(text) {
                    return None;
                }
                break;
            };
            if is_any::<CASELESS, BLOCK, { BLOCK + REACH }>(block) {
                break;
            }
            at += BLOCK;
        }
    }
    if is_clean_at_end::<CASELESS, SHORT, { SHORT + REACH }>(text) {
        return None;
    }
    find_in::<CASELESS>(text, at.saturating_sub(1).max(from), text.len())
}

/// Whether no candidate can start in the last block of the text. What is left
/// of a text is less than a block, but the block that ends with it covers it.
#[inline]
fn is_clean_at_end<const CASELESS: bool, const N: usize, const M: usize>(text: &[u8]) -> bool {
    // The last byte has no neighbour, but an `@` needs none.
    text.last_chunk().is_some_and(|block| !is_any::<CASELESS, N, M>(block))
        && text.last() != Some(&b'@')
}

/// Whether a candidate may have its `@`, `//` or `ww` among the first `N` bytes
/// of the block.
#[inline]
fn is_any<const CASELESS: bool, const N: usize, const M: usize>(block: &[u8; M]) -> bool {
    // Numbers in place of truth values: nothing here may become a branch.
    let mut any = 0;
    for at in 0..N {
        let byte = block[at];
        let is_pair = u8::from(byte == block[at + 1]);
        any |= u8::from(byte == b'@');
        any |= if CASELESS {
            let is_ww = u8::from(byte | 0x20 == b'w') & u8::from(block[at + 1] | 0x20 == b'w');
            (is_pair & u8::from(byte == b'/')) | is_ww
        } else {
            is_pair & (u8::from(byte == b'/') | u8::from(byte == b'w'))
        };
    }
    any != 0
}

/// The first candidate that starts in `text[start..end]`.
#[inline]
fn find_in<const CASELESS: bool>(text: &[u8], start: usize, end: usize) -> Option<Candidate> {
    text[start..end].iter().enumerate().find_map(|(offset, &byte)| {
        let start = start + offset;
        let kind = match byte {
            b'@' => Kind::Email,
            b':' if text[start..].starts_with(b"://") => Kind::Url,
            b'w' if text[start..].starts_with(b"www.") => Kind::Www,
            b'w' | b'W' if CASELESS && starts_with_www(&text[start..]) => Kind::Www,
            _ => return None,
        };
        Some(Candidate { kind, start })
    })
}

/// Whether `text` starts with `www.` in any case.
fn starts_with_www(text: &[u8]) -> bool {
    text.first_chunk().is_some_and(|start: &[u8; 4]| start.eq_ignore_ascii_case(b"www."))
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::{Candidate, Candidates, find_in};
    use crate::rules::{Dialect, Rules};

    fn starts(text: &[u8]) -> Vec<usize> {
        starts_in(text, Dialect::Gfm)
    }

    fn starts_in(text: &[u8], dialect: Dialect) -> Vec<usize> {
        let mut candidates = Candidates::new(text, Rules::new(dialect));
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(candidate) = candidates.at_or_after(at) {
            found.push(candidate.start);
            at = candidate.start + 1;
        }
        found
    }

    #[test]
    fn found_wherever_a_block_ends() {
        for marker in ["://", "www.", "@", "w", ":/", "//", "WWW.", "wWw."] {
            for len in 0..200 {
                for start in 0..len {
                    let mut text = std::vec![b'a'; len];
                    text.splice(start..start, marker.bytes());
                    let expected = |found: Option<Candidate>| -> Vec<_> {
                        found.map(|c| c.start).into_iter().collect()
                    };
                    let exact = expected(find_in::<false>(&text, 0, text.len()));
                    assert_eq!(starts(&text), exact, "{marker} at {start} of {len}");
                    let caseless = expected(find_in::<true>(&text, 0, text.len()));
                    assert_eq!(starts_in(&text, Dialect::Natural), caseless);
                }
            }
        }
    }

    #[test]
    fn all_of_a_crowd() {
        assert_eq!(starts(&b"a@".repeat(100)), (0..100).map(|n| 2 * n + 1).collect::<Vec<_>>());
        assert_eq!(starts(&b"://".repeat(50)), (0..50).map(|n| 3 * n).collect::<Vec<_>>());
        assert_eq!(starts(&b"www.".repeat(50)), (0..50).map(|n| 4 * n).collect::<Vec<_>>());
    }

    #[test]
    fn beyond_the_end_is_nothing() {
        let mut candidates = Candidates::new(b"a@", Rules::new(Dialect::Gfm));
        assert_eq!(candidates.at_or_after(usize::MAX), None);
        assert_eq!(candidates.at_or_after(0), None);
    }
}
