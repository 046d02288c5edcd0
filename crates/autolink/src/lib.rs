//! Bare links in plain text: URLs, `www.` names and e-mail addresses that
//! nobody marked up, under four exactly defined dialects.
//!
//! ```
//! use barelink_autolink::{Dialect, Kind, links};
//!
//! let text = "mail a@b.cd, see www.x.org/y. Or \"http://x.org\"";
//! let found: Vec<_> = links(text, Dialect::Gfm).map(|link| (link.kind, link.text)).collect();
//! assert_eq!(found, [(Kind::Email, "a@b.cd"), (Kind::Www, "www.x.org/y")]);
//! ```
//!
//! Every candidate (`://`, `www.` or `@`) gets a verdict, and every verdict a
//! reason:
//!
//! ```
//! use barelink_autolink::{Dialect, Outcome, Rule, verdicts};
//!
//! let verdict = verdicts("see \"http://x.org\"", Dialect::Gfm).next().unwrap();
//! assert_eq!(verdict.outcome, Outcome::Refused { rule: Rule::Before, at: 4 });
//! println!("{} ({})", Rule::Before.sentence(), Rule::Before.section());
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`gfm`] | GitHub Flavored Markdown's extended autolinks, as written |
//! | [`github`] | the same extension as cmark-gfm runs it |
//! | [`md4c`] | MD4C's permissive autolinks, as written |
//! | [`natural`] | links where a reader sees one |
//! | [`candidate`] | where a bare link could be, found many bytes at a time |
//! | [`verdict`] | rules, reasons and how a recogniser reports them |
//!
//! [`links`] and [`verdicts`] read plain text. A Markdown engine calls the
//! dialects' `match_url`, `match_www` and `match_email` itself, one candidate
//! at a time, and says in a [`Context`] what the recogniser may see.
//!
//! Nothing here allocates, and time is linear in the text: the places that
//! make it so are tagged `LINEAR:`.
#![no_std]

/// The examples of the README, to be tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod balance;
pub mod candidate;
mod context;
mod decide;
mod generated;
pub mod gfm;
pub mod github;
mod host;
#[cfg(test)]
mod linear;
mod links;
pub mod md4c;
pub mod natural;
mod plain;
mod punycode;
mod rules;
mod scheme;
mod trim;
pub mod verdict;

pub use context::{Context, Edge, Match, OpenEmphasis};
pub use links::{Href, Link, Links, Verdicts, links, links_with, verdicts};
pub use rules::{Dialect, Kind, Rules};
pub use verdict::{Outcome, Report, Rule, Trim, Trims, Verdict};
