//! `scan`: any bytes: the vector kernels against their scalar twins, and the
//! searches built on them against loops over bytes.
//!
//! The first byte says how many bytes after it tell how far is skipped.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&n_skips, rest)) = input.split_first() else { return };
    let (skips, bytes) = rest.split_at(rest.len().min(usize::from(n_skips % 8)));
    fuzz::check_scan(bytes, skips);
});
