//! Code spans (CommonMark §6.1).
//!
//! ```text
//! code span = run of n backticks … run of exactly n backticks
//! ```
//!
//! LINEAR: a search that finds the closing run skips what is between. The first search that fails
//! has visited every run up to the end and recorded the last one of each length; from then on a run
//! without a match is known at once.

use barelink_text::find::{Kernel, Stops};

/// What is known about the backtick runs of a text.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// For each length, the offset of its last run plus one, once `complete`.
    last: Vec<u32>,
    complete: bool,
}

/// An opening run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BacktickRun {
    /// The end of the run.
    pub(crate) end: usize,
    /// The end of its code span, if it has one.
    pub(crate) close: Option<usize>,
}

fn run_end(text: &[u8], mut at: usize) -> usize {
    while text.get(at) == Some(&b'`') {
        at += 1;
    }
    at
}

impl Runs {
    /// Whether some run is not closed.
    pub(super) fn has_open(&self) -> bool {
        self.complete
    }

    pub(crate) fn clear(&mut self) {
        self.last.clear();
        self.complete = false;
    }

    /// Scans the run of backticks that starts at `at`. `stops` are the following stops of a kernel
    /// that stops at backticks; they advance to the end of the code span, if there is one.
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

/// The content of a code span between its backticks: one space is stripped from both ends if both
/// have one and there is something else. Line endings remain, to be displayed as spaces.
pub(crate) fn strip(content: &str) -> &str {
    if is_padded(content.as_bytes()) { &content[1..content.len() - 1] } else { content }
}

/// Whether [`strip`] removes a space from both ends.
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
