//! A copy of a source whose lines all end in CRLF, with line feeds instead.
//!
//! Spans are offsets of the source, but the text of a leaf has no carriage returns. Removing them
//! from the whole source in one pass is faster than doing it for each leaf, and the same pass finds
//! the line ends for the block phase.
//!
//! ```text
//! source     a␍␊bc␍␊d      carriage returns at 1 and 5
//! text       a␊bc␊d        their places in it: 1 and 4
//! ```
//!
//! LINEAR: one pass. A reader goes through the leaves in order, so lines are looked for from the
//! last ones on, in steps that double.

use std::ops::Range;

use barelink_text::Span;
use barelink_text::find::{Slots, fold_lines};

/// The minimum length of a source to copy: for shorter ones, that costs as much as it saves.
const MIN_FOLDED: usize = 1024;

/// The number of carriage returns that are compared with an offset at once.
const CLOSE: usize = 8;

/// How often that is done before all others are searched.
const N_CLOSE: usize = 4;

/// Whether the source is long enough to copy it, and its first line ends in CRLF.
#[inline]
pub(crate) fn may_have_crlf(source: &str) -> bool {
    let Some(head) = source.as_bytes().first_chunk::<MIN_FOLDED>() else { return false };
    let first = memchr::memchr(b'\n', head);
    first.is_some_and(|at| head[..at].ends_with(b"\r"))
}

/// The copy. Empty if there is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Folded {
    text: String,
    /// Where each carriage return is in the source.
    returns: Vec<u32>,
}

impl Folded {
    /// Forgets the copy, but keeps its memory.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.returns.clear();
    }

    /// Copies `source`, and lists its carriage returns in `line_ends`. False if it is short, or if
    /// a line may end otherwise: then there is no copy. [`Folded::take_list`] has to follow.
    pub(crate) fn fold(&mut self, source: &str, line_ends: &mut Slots) -> bool {
        self.clear();
        let is_folded = may_have_crlf(source) && fold_lines(source, &mut self.text, line_ends);
        if is_folded {
            line_ends.add_numbers();
        } else {
            self.text.clear();
        }
        is_folded
    }

    /// Takes the list of the carriage returns, once nobody else needs it, if there is a copy.
    pub(crate) fn take_list(&mut self, line_ends: &mut Slots) {
        if !self.text.is_empty() {
            line_ends.swap_list(&mut self.returns);
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Where carriage returns are in the source, for some of them.
    #[inline]
    pub(super) fn returns(&self, numbers: Range<u32>) -> &[u32] {
        self.returns.get(numbers.start as usize..numbers.end as usize).unwrap_or_default()
    }

    /// The numbers of the carriage returns in a span of the source. They are searched for from
    /// number `from` on, which is a guess.
    pub(super) fn numbers_in(&self, span: Span, from: u32) -> Range<u32> {
        let first = self.n_before(span.start, from);
        first..self.n_before(span.end, first)
    }

    /// The number of carriage returns before an offset of the source. `from` is a guess.
    fn n_before(&self, at: u32, from: u32) -> u32 {
        let mut n_before = from.min(self.returns.len() as u32);
        let (guessed, rest) = self.returns.split_at(n_before as usize);
        if guessed.last().is_some_and(|&last| last >= at) {
            return guessed.partition_point(|&it| it < at) as u32;
        }
        // Most are close. They are counted some at a time, without a branch for each: it would be
        // predicted wrongly once for most leaves.
        for close in rest.as_chunks::<CLOSE>().0.iter().take(N_CLOSE) {
            let n_close = close.iter().map(|&it| u32::from(it < at)).sum::<u32>();
            n_before += n_close;
            if n_close < CLOSE as u32 {
                return n_before;
            }
        }
        n_before + self.returns[n_before as usize..].partition_point(|&it| it < at) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{Folded, Slots, Span};

    #[test]
    fn carriage_returns_are_numbered_from_any_guess() {
        let source = "a\r\nbcd\r\n\r\n\r\n漢字\r\n".repeat(120);
        let (mut folded, mut slots) = (Folded::default(), Slots::default());
        assert!(folded.fold(&source, &mut slots));
        assert_eq!(folded.text(), source.replace('\r', ""));
        let in_source: Vec<u32> = source.match_indices('\r').map(|(at, _)| at as u32).collect();
        assert!(folded.returns.is_empty());
        folded.take_list(&mut slots);
        assert_eq!(folded.returns, in_source);
        let n_returns = in_source.len() as u32;
        for at in 0..=source.len() as u32 {
            let expected = in_source.iter().filter(|place| **place < at).count() as u32;
            for from in [0, 1, expected.saturating_sub(1), expected, expected + 1, n_returns, 9999]
            {
                assert_eq!(folded.n_before(at, from), expected, "{at} from {from}");
            }
        }
        assert_eq!(folded.numbers_in(Span::new(2, 8), 1), 1..2);
    }

    #[test]
    fn other_line_ends_leave_no_copy() {
        let (mut folded, mut slots) = (Folded::default(), Slots::default());
        let lines = "one line\r\n".repeat(200);
        for odd in ["a\nb", "a\rb", "a\0b", "\r"] {
            assert!(!folded.fold(&format!("{lines}{odd}"), &mut slots), "{odd:?}");
            assert!(folded.is_empty());
            assert_eq!(folded.text(), "");
        }
        assert!(!folded.fold("short\r\n", &mut slots));
    }
}
