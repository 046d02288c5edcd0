//! Finds bare links in plain text: URLs, `www.` names and e-mail addresses without any markup, in
//! four exactly defined dialects.
//!
//! ```
//! use barelink_autolink::{Dialect, Kind, links};
//!
//! let text = "mail a@b.cd, see www.x.org/y. Or \"http://x.org\"";
//! let found: Vec<_> = links(text, Dialect::Gfm).map(|link| (link.kind, link.text)).collect();
//! assert_eq!(found, [(Kind::Email, "a@b.cd"), (Kind::Www, "www.x.org/y")]);
//! ```
//!
//! [`spans`] yields the text between the links, too. Every candidate (`://`, `www.` or `@`) gets a
//! verdict, and every verdict a reason:
//!
//! ```
//! use barelink_autolink::{Dialect, Outcome, Rule, verdicts};
//!
//! let verdict = verdicts("see \"http://x.org\"", Dialect::Gfm).next().unwrap();
//! assert!(matches!(verdict.outcome, Outcome::Refused { rule: Rule::Before, at: 4, .. }));
//! println!("{} ({})", Rule::Before.sentence(), Rule::Before.section());
//! ```
//!
//! | dialect | what it links |
//! |---|---|
//! | [`Gfm`](Dialect::Gfm) | GitHub Flavored Markdown's extended autolinks, as written |
//! | [`Github`](Dialect::Github) | the same extension as cmark-gfm runs it |
//! | [`Md4c`](Dialect::Md4c) | MD4C's permissive autolinks, as written |
//! | [`Natural`](Dialect::Natural) | links where a reader sees one |
//!
//! Nothing here allocates, and time is linear in the length of the text; comments tagged `LINEAR:`
//! say why.
//!
//! The feature `std`, on by default, lets the search pick wider instructions at run
//! time. Without it the crate is `no_std`.
#![no_std]

/// The examples of the README, to be tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod balance;
mod candidate;
mod decide;
#[doc(hidden)]
pub mod engine;
mod generated;
mod gfm;
mod github;
mod host;
mod links;
mod md4c;
mod natural;
mod plain;
mod punycode;
mod region;
mod rules;
mod scheme;
mod trim;
mod verdict;

pub use barelink_text::Span;
pub use links::{
    Href, Link, Links, Segment, Spans, Verdicts, links, links_with, spans, spans_with, verdicts,
};
pub use rules::{Dialect, Kind, Rules, UnknownDialect};
pub use verdict::{Outcome, Rule, Trim, Trims, Verdict};
