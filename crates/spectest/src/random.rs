//! Random inputs that can be had again: a fresh seed for each run, printed by
//! whoever finds something, and a variable to repeat it.

use std::hash::{BuildHasher as _, RandomState};

/// Repeats a run: the seed that it printed.
pub const SEED_VARIABLE: &str = "BARELINK_SEED";

/// The seed of this run: the one asked for, or a fresh one.
///
/// # Errors
/// When what is asked for is not a number.
pub fn seed() -> Result<u64, String> {
    // The keys of the standard library's hash maps are random.
    seed_or(RandomState::new().hash_one(0))
}

/// The seed that is asked for, or this one.
///
/// # Errors
/// When what is asked for is not a number.
pub fn seed_or(default: u64) -> Result<u64, String> {
    match std::env::var(SEED_VARIABLE) {
        Ok(text) if !text.is_empty() => {
            text.parse().map_err(|error| format!("{SEED_VARIABLE}={text}: {error}"))
        }
        _ => Ok(default),
    }
}

/// What a failure says about its seed.
pub fn repeat_hint(seed: u64) -> String {
    format!("{SEED_VARIABLE}={seed} repeats this run")
}

/// SplitMix64, after Steele, Lea and Flood: small, and good enough to pick
/// pieces with.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of this seed.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`, or 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    /// One of these.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[(self.next() % from.len() as u64) as usize]
    }

    /// A few pieces, one after the other: mostly short, since short is easier
    /// to hit right with and easier to read.
    ///
    /// ```
    /// use barelink_spectest::random::Random;
    /// let soup = Random::new(1).soup(&["a", "bc"]);
    /// assert_eq!(soup, Random::new(1).soup(&["a", "bc"]));
    /// assert!(!soup.is_empty() && soup.len() <= 32);
    /// ```
    pub fn soup(&mut self, pieces: &[&str]) -> String {
        let n_max = *self.pick(&[4_u64, 8, 16]);
        let n_pieces = self.next() % n_max + 1;
        (0..n_pieces).map(|_| *self.pick(pieces)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Random, repeat_hint, seed};

    #[test]
    fn a_seed_is_its_sequence() {
        let soups = |seed| {
            let mut random = Random::new(seed);
            (0..50).map(|_| random.soup(&["a", "b", "c"])).collect::<Vec<_>>()
        };
        assert_eq!(soups(7), soups(7));
        assert_ne!(soups(7), soups(8));
        // Every piece and several lengths occur.
        let all = soups(7);
        assert!(["a", "b", "c"].iter().all(|piece| all.iter().any(|soup| soup.contains(piece))));
        assert!(all.iter().any(|soup| soup.len() == 1) && all.iter().any(|soup| soup.len() > 8));
    }

    #[test]
    fn a_hint_names_the_seed() {
        let seed = seed().expect("no seed, or a good one");
        assert!(repeat_hint(seed).contains(&seed.to_string()));
    }
}
