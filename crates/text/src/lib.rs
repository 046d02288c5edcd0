//! Text primitives of Barelink. The public API is [`Span`], a range of bytes of a source,
//! [`LineIndex`] with [`LineCol`], lines and columns, and [`Units`], offsets in characters or in
//! UTF-16 units.
//!
//! The rest is for the crates of Barelink alone. It is hidden from these pages, is not part of the
//! API, and changes without notice:
//!
//! | module | answers |
//! |---|---|
//! | `set` | whether a byte is in a set |
//! | `find` | where the next byte of a class is, 64 at a time |
//! | `chars` | whitespace, punctuation, letter; the character before or after |
//! | `fold` | the case-folded form of a character |
//! | `escape` | text escaped for HTML |
//! | `entity` | what `&amp;` or `&#38;` stands for |
//! | `words` | whether a word is in a list, and its value |
//!
//! Nothing in here knows Markdown's structure; the crates above query these modules about bytes and
//! characters. The tables under `generated/` are written by `cargo xtask generate` and compared
//! with their sources by its tests.
//!
//! The feature `std`, on by default, lets `find` pick wider instructions at run time. Without it
//! the crate is `no_std`; it needs an allocator.
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

#[doc(hidden)]
pub use line_index::GrowingLines;
pub use line_index::{LineCol, LineIndex};
#[doc(hidden)]
pub use set::ByteSet;
pub use span::Span;
pub use units::{Unit, Units};
