//! Numbers that look random and are the same on every machine: SplitMix64.

/// A stream of numbers.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        // The upper half: a 32-bit machine draws the same.
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True with a probability of this many percent.
    pub(super) fn percent(&mut self, n: usize) -> bool {
        self.below(100) < n
    }

    pub(super) fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    /// One of the items, the first ones more often, like words in a language.
    pub(super) fn pick_common<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        let upper = self.between(1, of.len());
        of[self.below(upper)]
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn known_numbers() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn bounds_hold() {
        let mut random = Random::new(1);
        let drawn: Vec<_> = (0..1000).map(|_| random.between(3, 5)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&3), Some(&5)));
    }
}
