//! The periods and underscores of a domain.
//!
//! GFM 0.29 §6.9, valid domain: at least one period, no underscore in the last two segments.
//! `a_b.c.d` is valid, `a.b_c.d` is not. Segments are the parts between periods, so `a_b.c.` has an
//! empty last one and is valid.
//!
//! LINEAR: the record also answers for every later start in the same run of domain characters, so
//! `www._www._www._…` reads its single host once.

/// A run of domain characters up to the end of the domain, and the offsets in it that decide. A
/// missing one is `usize::MAX`, which is not an offset of any text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostRun {
    start: usize,
    end: usize,
    last_period: usize,
    previous_period: usize,
    last_underscore: usize,
}

/// There is no such offset.
const NOWHERE: usize = usize::MAX;

impl HostRun {
    /// No host: it covers no start.
    pub(crate) const NONE: Self = Self::new(NOWHERE);

    /// An empty run at `start`.
    pub(crate) const fn new(start: usize) -> Self {
        Self {
            start,
            end: start,
            last_period: NOWHERE,
            previous_period: NOWHERE,
            last_underscore: NOWHERE,
        }
    }

    /// Records the period at `at`.
    #[inline]
    pub(crate) const fn add_period(&mut self, at: usize) {
        self.previous_period = self.last_period;
        self.last_period = at;
    }

    /// Records the underscore at `at`.
    #[inline]
    pub(crate) const fn add_underscore(&mut self, at: usize) {
        self.last_underscore = at;
    }

    /// Sets the end of the run.
    #[inline]
    pub(crate) const fn close(&mut self, end: usize) {
        self.end = end;
    }

    /// The end of the run.
    #[inline]
    pub(crate) const fn end(&self) -> usize {
        self.end
    }

    /// Whether the run covers `at`, so that it also describes the domain that starts there.
    #[inline]
    pub(crate) const fn covers(&self, at: usize) -> bool {
        self.start <= at && at < self.end
    }

    /// Whether the domain from `start` has a period.
    #[inline]
    pub(crate) const fn has_period(&self, start: usize) -> bool {
        self.last_period != NOWHERE && self.last_period >= start
    }

    /// An underscore in the last two segments of the domain from `start`.
    #[inline]
    pub(crate) const fn find_underscore(&self, start: usize) -> Option<usize> {
        let underscore = self.last_underscore;
        let is_before = underscore == NOWHERE || underscore < start;
        let is_earlier = self.previous_period != NOWHERE && underscore < self.previous_period;
        if is_before || is_earlier { None } else { Some(underscore) }
    }
}

#[cfg(test)]
mod tests {
    use super::HostRun;

    fn host(text: &str) -> HostRun {
        let mut host = HostRun::new(0);
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                b'.' => host.add_period(at),
                b'_' => host.add_underscore(at),
                _ => {}
            }
        }
        host.close(text.len());
        host
    }

    #[test]
    fn underscores_count_in_the_last_two_segments() {
        assert_eq!(host("a_b.c").find_underscore(0), Some(1));
        assert_eq!(host("a.b_c").find_underscore(0), Some(3));
        assert_eq!(host("a_b.c.d").find_underscore(0), None);
        assert_eq!(host("a_b.c.").find_underscore(0), None);
        assert_eq!(host("a_b").find_underscore(0), Some(1));
        assert_eq!(host("a.b").find_underscore(0), None);
    }

    #[test]
    fn one_record_answers_for_every_suffix() {
        let text = "a_.b.c__d.e_.f.";
        for start in 0..text.len() {
            let suffix = host(&text[start..]);
            let whole = host(text);
            assert!(whole.covers(start));
            assert_eq!(whole.has_period(start), suffix.has_period(0), "{start}");
            assert_eq!(
                whole.find_underscore(start),
                suffix.find_underscore(0).map(|at| at + start),
                "{start}"
            );
        }
        assert!(!HostRun::NONE.covers(0));
    }
}
