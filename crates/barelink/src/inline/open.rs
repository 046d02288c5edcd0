//! The delimiter runs that are open before a bare link in `natural`: those that a later run could
//! close.
//!
//! Runs pair only when their text is complete, but a link has to be decided before that. So they
//! are simulated up to the link: a closer takes the nearest opener of its kind and drops what was
//! opened after that, as in [`emphasis`](super::emphasis). Runs inside the brackets of a link, an
//! image or a footnote reference pair only with each other: each bracket stores what was open
//! before it, to be restored.
//!
//! LINEAR: each run is counted once, and only [`N_RUNS`] are kept.

use barelink_autolink::engine::OpenEmphasis;

use super::Inlines;
use super::delimiter::{Delimiter, Pairing};
use super::emphasis::Flanking;

/// A stack of open runs, the innermost in the lowest bits: at most [`N_RUNS`]. Outer ones are
/// dropped.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenRuns(u32);

/// The capacity of the stack, and the number of bits of an entry.
const N_RUNS: u32 = 6;
const N_BITS: u32 = 5;

/// An entry has the delimiter above the length, which is never 0. Greater lengths are stored as the
/// maximum.
const LEN_BITS: u32 = 2;
const MAX_LEN: u32 = (1 << LEN_BITS) - 1;

const _: () = assert!(Delimiter::ALL.len() <= 1 << (N_BITS - LEN_BITS));

/// The properties of a run that are counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) delimiter: Delimiter,
    pub(super) len: u32,
    pub(super) pairing: Pairing,
    pub(super) flanking: Flanking,
}

impl OpenRuns {
    /// Counts a run: it closes what it can, and opens with the rest of its length.
    pub(super) fn count(&mut self, run: Run) {
        let Flanking { can_open, can_close } = run.flanking;
        let mut len = run.len;
        while can_close
            && len > 0
            && let Some((outer, opener_len)) = self.nearest(run.delimiter)
        {
            let n_used = match run.pairing {
                Pairing::Inside(_) => opener_len.min(len).min(2),
                Pairing::Whole(_) => opener_len.max(len),
                // Quotes do not end links.
                Pairing::Quotes => return,
            };
            *self = outer;
            self.push(run.delimiter, opener_len.saturating_sub(n_used));
            len = len.saturating_sub(n_used);
        }
        if can_open && run.delimiter.is_markup() {
            self.push(run.delimiter, len.min(MAX_LEN));
        }
    }

    /// The innermost run of a delimiter: the stack below it, and its length.
    fn nearest(self, delimiter: Delimiter) -> Option<(Self, u32)> {
        let mut runs = self.0;
        while runs != 0 {
            let run = runs & ((1 << N_BITS) - 1);
            runs >>= N_BITS;
            if run >> LEN_BITS == delimiter as u32 {
                return Some((Self(runs), run & MAX_LEN));
            }
        }
        None
    }

    fn push(&mut self, delimiter: Delimiter, len: u32) {
        if len > 0 {
            let runs = self.0 << N_BITS | (delimiter as u32) << LEN_BITS | len;
            self.0 = runs & ((1 << (N_BITS * N_RUNS)) - 1);
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a run of this delimiter is open that the recognizer is not told about.
    pub(super) fn has_untold(self, delimiter: Delimiter) -> bool {
        told(&mut OpenEmphasis::default(), delimiter).is_none() && self.nearest(delimiter).is_some()
    }

    /// The open runs in the form that the recognizer needs.
    pub(super) fn emphasis(self) -> OpenEmphasis {
        let mut open = OpenEmphasis::default();
        for delimiter in Delimiter::ALL {
            if let Some(len) = told(&mut open, delimiter) {
                *len = self.nearest(delimiter).map_or(0, |(_, len)| len as u8);
            }
        }
        open
    }
}

/// The length that the recognizer is told of the runs of a delimiter; `None` if it is not told:
/// then [`styles`](super::styles) finds the end of a link.
fn told(open: &mut OpenEmphasis, delimiter: Delimiter) -> Option<&mut u8> {
    match delimiter {
        Delimiter::Star => Some(&mut open.star),
        Delimiter::Underscore => Some(&mut open.underscore),
        Delimiter::Tilde => Some(&mut open.tilde),
        Delimiter::Equals | Delimiter::Caret | Delimiter::SingleQuote | Delimiter::DoubleQuote => {
            None
        }
    }
}

impl Inlines {
    /// The runs that are open after everything collected so far.
    pub(super) fn count_open(&mut self) -> OpenRuns {
        for run in self.delimiters.iter().skip(self.n_counted as usize) {
            self.open.count(run.counted());
        }
        self.n_counted = self.delimiters.len() as u32;
        self.open
    }
}

#[cfg(test)]
mod tests {
    use super::{Flanking, OpenRuns, Run};
    use crate::inline::delimiter::Delimiter;
    use crate::options::Options;

    /// What is open after these runs: `<` opens, `>` closes, `-` may do both.
    fn lens(runs: &str) -> Vec<(u8, u32)> {
        let mut options = Options::natural();
        (options.mark, options.superscript) = (true, true);
        let mut open = OpenRuns::default();
        for run in runs.split(' ') {
            let (flank, run) = run.split_at(1);
            let flanking = Flanking { can_open: flank != ">", can_close: flank != "<" };
            let delimiter = Delimiter::of(run.as_bytes()[0]).expect("it is one");
            let pairing = delimiter.pairing(run.len(), &options).expect("it pairs");
            open.count(Run { delimiter, len: run.len() as u32, pairing, flanking });
        }
        let all = Delimiter::ALL.into_iter();
        let open = all.filter_map(|it| Some((it.byte(), open.nearest(it)?.1)));
        open.collect()
    }

    #[test]
    fn a_closer_takes_the_nearest_and_drops_what_is_inside() {
        assert_eq!(lens("<*"), [(b'*', 1)]);
        assert_eq!(lens("<* >*"), []);
        assert_eq!(lens("<** <* >*"), [(b'*', 2)]);
        assert_eq!(lens("<*** >*"), [(b'*', 2)]);
        assert_eq!(lens("<*** >**"), [(b'*', 1)]);
        assert_eq!(lens("<_ <* >_"), []);
        assert_eq!(lens("<_ <* >* <^"), [(b'_', 1), (b'^', 1)]);
        assert_eq!(lens("<~~ <== >~~"), []);
        assert_eq!(lens("<* -*"), []);
        assert_eq!(lens(">* -*"), [(b'*', 1)]);
        assert_eq!(lens("<************ >_"), [(b'*', 3)]);
    }

    #[test]
    fn the_outer_ones_are_forgotten() {
        assert_eq!(lens("<^ <* <_ <* <_ <*"), [(b'*', 1), (b'_', 1), (b'^', 1)]);
        assert_eq!(lens("<^ <* <_ <* <_ <* <_"), [(b'*', 1), (b'_', 1)]);
    }
}
