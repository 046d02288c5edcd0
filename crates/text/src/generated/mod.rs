//! The tables, written by `cargo xtask generate`: change the generator in
//! `xtask/src/generate/`, not the files here.

pub(crate) mod cjk;
pub(crate) mod entity;
pub(crate) mod fold;
pub(crate) mod punctuation;
