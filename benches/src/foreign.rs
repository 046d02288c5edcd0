//! What is not Rust: the peers written in C, and the system's allocator,
//! counted. All `unsafe` code of the benchmark is here.
#![expect(unsafe_code, reason = "C can be called in no other way")]

pub mod allocator;
#[cfg(cmark_gfm)]
pub mod cmark_gfm;
#[cfg(md4c)]
pub mod md4c;
