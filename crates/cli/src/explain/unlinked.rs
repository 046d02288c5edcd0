//! A packed list of the candidates of one dialect that are not links.
//!
//! There may be one at each byte of a document, and four dialects decide about each. There are few
//! distinct reasons, so each is stored once. A candidate is stored as the index of its reason, the
//! distance from the last candidate, and the distance to where the rule fails: three bytes in most
//! cases. The list can only be read from the start.

use std::slice;

use barelink::autolink::{Kind, Rule};
use barelink::{Place, Span};

/// Candidates and why they are not links, in the order of the source.
#[derive(Debug, Default)]
pub(crate) struct Unlinked {
    bytes: Vec<u8>,
    reasons: Vec<Reason>,
    last_start: u32,
}

/// The data that many candidates share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reason {
    kind: Kind,
    candidate_len: u32,
    why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    Refused(Rule),
    Elsewhere(Place),
}

/// A candidate that is not a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
    pub(crate) verdict: Verdict,
}

/// Why a candidate is not a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A rule refuses it.
    Refused { rule: Rule, at: u32 },
    /// It is in a place where bare links are not searched for.
    Elsewhere(Place),
}

impl Unlinked {
    pub(crate) fn push(&mut self, candidate: Candidate) {
        let Candidate { kind, span, verdict } = candidate;
        let why = match verdict {
            Verdict::Refused { rule, .. } => Why::Refused(rule),
            Verdict::Elsewhere(place) => Why::Elsewhere(place),
        };
        let number = self.number(Reason { kind, candidate_len: span.len(), why });
        self.push_number(number);
        self.push_difference(self.last_start, span.start);
        if let Verdict::Refused { at, .. } = verdict {
            self.push_difference(span.start, at);
        }
        self.last_start = span.start;
    }

    /// Frees unused capacity.
    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
    }

    pub(crate) fn iter(&self) -> Iter<'_> {
        Iter { bytes: self.bytes.iter(), reasons: &self.reasons, last_start: 0 }
    }

    /// The index of a reason, which is added if it is new.
    ///
    /// LINEAR: the number of reasons is limited by those of kinds, rules and places.
    fn number(&mut self, reason: Reason) -> u32 {
        let known = self.reasons.iter().position(|known| *known == reason);
        let number = known.unwrap_or_else(|| {
            self.reasons.push(reason);
            self.reasons.len() - 1
        });
        number as u32
    }

    /// Appends a number in LEB128: seven bits per byte, the lowest first.
    fn push_number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Appends a difference in zigzag encoding, which is short for small differences of both signs.
    fn push_difference(&mut self, from: u32, to: u32) {
        let difference = to.wrapping_sub(from).cast_signed();
        self.push_number((difference << 1 ^ difference >> 31).cast_unsigned());
    }
}

/// Reads the candidates.
#[derive(Debug, Clone)]
pub(crate) struct Iter<'a> {
    bytes: slice::Iter<'a, u8>,
    reasons: &'a [Reason],
    last_start: u32,
}

impl Iterator for Iter<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        let number = self.read_number()?;
        let Reason { kind, candidate_len, why } = *self.reasons.get(number as usize)?;
        let start = self.read_difference(self.last_start)?;
        self.last_start = start;
        let verdict = match why {
            Why::Refused(rule) => Verdict::Refused { rule, at: self.read_difference(start)? },
            Why::Elsewhere(place) => Verdict::Elsewhere(place),
        };
        Some(Candidate { kind, span: Span::new(start, start + candidate_len), verdict })
    }
}

impl Iter<'_> {
    fn read_number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let byte = *self.bytes.next()?;
            number |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Some(number)
    }

    fn read_difference(&mut self, from: u32) -> Option<u32> {
        let number = self.read_number()?.cast_signed();
        let difference = (number.cast_unsigned() >> 1).cast_signed() ^ -(number & 1);
        Some(from.wrapping_add_signed(difference))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let mut candidates = Vec::new();
        let mut start: u32 = 0;
        for step in [0, 1, 63, 64, 127, 128, 1 << 14, 1 << 20, 1 << 27, 1 << 31] {
            start += step;
            for at in [start, start + 1, start.saturating_sub(1), 0, u32::MAX] {
                let verdict = Verdict::Refused { rule: Rule::Before, at };
                candidates.push(Candidate {
                    kind: Kind::Email,
                    span: Span::new(start, start + 1),
                    verdict,
                });
            }
            let verdict = Verdict::Elsewhere(Place::CodeSpan);
            candidates.push(Candidate {
                kind: Kind::Www,
                span: Span::new(start, start + 4),
                verdict,
            });
        }
        let mut unlinked = Unlinked::default();
        for candidate in &candidates {
            unlinked.push(*candidate);
        }
        assert_eq!(unlinked.iter().collect::<Vec<_>>(), candidates);
    }

    #[test]
    fn a_row_of_candidates_takes_three_bytes_for_each() {
        let mut unlinked = Unlinked::default();
        for start in 0..1000 {
            let verdict = Verdict::Refused { rule: Rule::LocalPart, at: start };
            let span = Span::new(start, start + 1);
            unlinked.push(Candidate { kind: Kind::Email, span, verdict });
        }
        assert_eq!(unlinked.bytes.len(), 3000);
    }
}
