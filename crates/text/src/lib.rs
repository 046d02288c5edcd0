//! Text primitives under Barelink: spans, byte sets, scan kernels, Unicode
//! classes, case folding, entities and a line index.
//!
//! Nothing in here knows Markdown's structure; the crates above ask these
//! modules about bytes and characters.
//!
//! | module | answers |
//! |---|---|
//! | [`span`] | which bytes of the source |
//! | [`set`] | is this byte one of those |
//! | [`find`] | where is the next of those bytes, 64 at a time |
//! | [`chars`] | whitespace, punctuation, letter; the character before or after |
//! | [`fold`] | the case-folded form of a character |
//! | [`escape`] | text as HTML takes it |
//! | [`entity`] | what `&amp;` or `&#38;` stands for |
//! | [`line_index`] | which line and column |
//!
//! The tables under `generated/` are written by `cargo xtask generate` and
//! compared with their sources by its tests.
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod chars;
pub mod entity;
mod entity_hash;
pub mod escape;
pub mod find;
pub mod fold;
mod generated;
pub mod line_index;
pub mod set;
pub mod span;

pub use line_index::{LineCol, LineIndex};
pub use set::ByteSet;
pub use span::Span;
