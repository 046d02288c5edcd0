//! What is not Rust: the peers written in C, the system's allocator, counted, and
//! its clock of processor time. All `unsafe` code of the benchmark is here.
#![expect(unsafe_code, reason = "C can be called in no other way")]

pub mod allocator;
pub mod clock;
#[cfg(cmark_gfm)]
pub mod cmark_gfm;
#[cfg(md4c)]
pub mod md4c;
