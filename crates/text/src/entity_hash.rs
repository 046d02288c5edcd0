//! The hash that places the names of character references in their table.
//!
//! A perfect hash: of the names in the table no two share a slot, so a lookup
//! looks at one entry only. A name's hash picks a bucket, the bucket's seed
//! moves the hash, and the moved hash picks the slot. `cargo xtask generate`
//! includes this very file to choose the seeds, so the table and its readers
//! cannot drift apart.

/// A 32-bit hash of `name` (FNV-1a, enough for a few short names).
#[inline]
pub(crate) const fn hash(name: &[u8]) -> u32 {
    let mut hash = 0x811C_9DC5_u32;
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// The bucket, of `n_buckets`, a hash falls into.
#[inline]
pub(crate) const fn bucket(hash: u32, n_buckets: usize) -> usize {
    scale(hash.wrapping_mul(0x9E37_79B9), n_buckets)
}

/// The slot, of `n_slots`, a hash lands on under its bucket's `seed`.
#[inline]
pub(crate) const fn slot(hash: u32, seed: u16, n_slots: usize) -> usize {
    let moved = (hash ^ (seed as u32).wrapping_mul(0x85EB_CA6B)).wrapping_mul(0xC2B2_AE35);
    scale(moved ^ moved >> 15, n_slots)
}

/// Scales all 32-bit values evenly down to `0..n`, without a division.
#[inline]
const fn scale(value: u32, n: usize) -> usize {
    ((value as u64 * n as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::{bucket, hash, slot};

    #[test]
    fn known_hashes() {
        assert_eq!(hash(b""), 0x811C_9DC5);
        assert_eq!(hash(b"a"), 0xE40C_292C);
        assert_eq!(hash(b"foobar"), 0xBF9C_F968);
    }

    #[test]
    fn stays_in_range() {
        for value in [0, 1, 0x7FFF_FFFF, u32::MAX] {
            for seed in [0, 1, u16::MAX] {
                assert!(bucket(value, 7) < 7);
                assert!(slot(value, seed, 2125) < 2125);
            }
        }
    }
}
