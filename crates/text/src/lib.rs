//! Text primitives under Barelink. Programs want these of them: [`Span`], which bytes of a
//! source, [`LineIndex`] with [`LineCol`], which line and column, and [`Units`], which
//! character, or which unit of UTF-16.
//!
//! The rest is for the crates of Barelink alone. It is hidden from these pages, no
//! part of the API, and changes without notice:
//!
//! | module | answers |
//! |---|---|
//! | `set` | is this byte one of those |
//! | `find` | where is the next of those bytes, 64 at a time |
//! | `chars` | whitespace, punctuation, letter; the character before or after |
//! | `fold` | the case-folded form of a character |
//! | `escape` | text as HTML takes it |
//! | `entity` | what `&amp;` or `&#38;` stands for |
//! | `words` | is this word in a list, and what belongs to it |
//!
//! Nothing in here knows Markdown's structure; the crates above ask these
//! modules about bytes and characters. The tables under `generated/` are written
//! by `cargo xtask generate` and compared with their sources by its tests.
//!
//! The feature `std`, on by default, lets `find` pick wider instructions at run time.
//! Without it the crate is `no_std`; it allocates.
#![no_std]

/// The examples of the README, to be tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[doc(hidden)]
pub mod chars;
#[doc(hidden)]
pub mod entity;
#[doc(hidden)]
pub mod escape;
#[doc(hidden)]
pub mod find;
#[doc(hidden)]
pub mod fold;
mod generated;
mod line_index;
#[doc(hidden)]
pub mod set;
mod span;
mod units;
#[doc(hidden)]
pub mod words;

pub use line_index::{LineCol, LineIndex};
#[doc(hidden)]
pub use set::ByteSet;
pub use span::Span;
pub use units::{Unit, Units};
