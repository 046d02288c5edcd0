//! Code spans (CommonMark §6.1).
//!
//! ```text
//! code span = run of n backticks … run of exactly n backticks
//! ```
//!
//! LINEAR: looking for the closing run skips what it passes if it succeeds. The
//! first search that fails has seen every run up to the end and noted the last
//! of each length; from then on a run without a partner is known at once.

use barelink_text::find::{Kernel, Stops};

/// What is known about the backtick runs of a text.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// For each length the offset plus one of its last run, once `complete`.
    last: Vec<u32>,
    complete: bool,
}

/// An opening run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BacktickRun {
    /// Where it ends.
    pub(crate) end: usize,
    /// Where its code span ends, if it has one.
    pub(crate) close: Option<usize>,
}

fn run_end(text: &[u8], mut at: usize) -> usize {
    while text.get(at) == Some(&b'`') {
        at += 1;
    }
    at
}

impl Runs {
    /// Whether a run was found that nothing closes.
    pub(super) fn has_open(&self) -> bool {
        self.complete
    }

    pub(crate) fn clear(&mut self) {
        self.last.clear();
        self.complete = false;
    }

    /// The run of backticks that starts at `at`. `stops` are those at or after it of a
    /// kernel that stops at backticks; they move to the end of the code span, if it is one.
    #[inline]
    pub(crate) fn scan<K: Kernel + Clone>(
        &mut self,
        text: &[u8],
        at: usize,
        stops: &mut Stops<'_, K>,
    ) -> BacktickRun {
        let end = run_end(text, at);
        let len = end - at;
        if self.complete && self.last.get(len).is_none_or(|&last| (last as usize) <= end) {
            return BacktickRun { end, close: None };
        }
        let mut ahead = stops.clone();
        let mut from = end;
        while let Some(start) = ahead.next() {
            if start < from || text[start] != b'`' {
                continue;
            }
            from = run_end(text, start);
            let run_len = from - start;
            if run_len == len {
                ahead.seek(from);
                *stops = ahead;
                return BacktickRun { end, close: Some(from) };
            }
            if !self.complete {
                self.note(run_len, start);
            }
        }
        self.complete = true;
        BacktickRun { end, close: None }
    }

    #[cold]
    fn note(&mut self, run_len: usize, start: usize) {
        if self.last.len() <= run_len {
            self.last.resize(run_len + 1, 0);
        }
        self.last[run_len] = start as u32 + 1;
    }
}

/// The content of a code span without its backticks: one space is taken off
/// either end if both are spaces and there is something else. Line endings are
/// still to be shown as spaces.
pub(crate) fn strip(content: &str) -> &str {
    if is_padded(content.as_bytes()) { &content[1..content.len() - 1] } else { content }
}

/// Whether [`strip`] takes off a space from either end.
#[inline]
pub(crate) fn is_padded(content: &[u8]) -> bool {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\n');
    content.first().is_some_and(is_space)
        && content.last().is_some_and(is_space)
        && !content.iter().all(is_space)
}

#[cfg(test)]
mod tests {
    use super::{Runs, strip};
    use barelink_text::find::{Inline, Stops};

    fn closes(runs: &mut Runs, text: &[u8], at: usize) -> Option<usize> {
        let mut stops = Stops::<Inline<false, false, false>>::new(text, at, text.len());
        runs.scan(text, at, &mut stops).close
    }

    #[test]
    fn runs_close_by_equal_length() {
        let text = b"`a``b` ``c`";
        let mut runs = Runs::default();
        assert_eq!(closes(&mut runs, text, 0), Some(6));
        assert_eq!(closes(&mut runs, text, 7), None);
        assert_eq!(closes(&mut runs, text, 10), None);
    }

    #[test]
    fn a_failed_search_leaves_what_later_ones_need() {
        let text = b"``` `a` ``";
        let mut runs = Runs::default();
        assert_eq!(closes(&mut runs, text, 0), None);
        assert_eq!(closes(&mut runs, text, 4), Some(7));
        assert_eq!(closes(&mut runs, text, 8), None);
    }

    #[test]
    fn one_space_goes_from_either_end() {
        for (content, stripped) in
            [(" a ", "a"), ("  a", "  a"), (" ", " "), ("  ", "  "), ("\n`` ", "``"), ("", "")]
        {
            assert_eq!(strip(content), stripped);
        }
    }
}
