//! Rules about links in Markdown: links that mean different things in different places, text that
//! is not linked though a reader sees a link, and links that deceive.
//!
//! ```
//! use barelink_check::{Checker, Rule, Settings};
//! let mut checker = Checker::new(Settings::default());
//! let findings = checker.check("see \"www.a.bc\"")?;
//! assert_eq!(findings[0].rule, Rule::NotLinked);
//! # Ok::<(), barelink::SourceTooLong>(())
//! ```
//!
//! * [`Settings`] say where the document is published, which other programs must agree, and which
//!   rules are on.
//! * [`Checker::check`] returns the [findings](Finding), in the order of the source.
//! * [`Checker::fix`] returns the source with fixes applied. A [safe](Safety::Safe) fix leaves the
//!   page as it was, which is checked by rendering both.
//!
//! The behavior of a dialect is never guessed: the engine reads the document in each of them, and
//! the spans of the links are compared. Nothing here does input or output.

mod bare;
mod broken;
mod changed;
mod checker;
mod comments;
mod deceptive;
mod doubt;
mod finding;
mod fix;
mod front_matter;
mod leaves;
mod mdx;
mod missing_scheme;
mod portable;
mod rule;
mod settings;
mod survey;
mod write;

pub use self::changed::Change;
pub use self::checker::{Checked, Checker};
pub use self::comments::BadComment;
pub use self::finding::{Edit, Finding, Fix, Safety};
pub use self::fix::{Fixed, SafeEdits};
pub use self::rule::{About, Rule, RuleSet, UnknownRule};
pub use self::settings::{Flavor, Peer, Settings, Style, UnknownPeer};

/// The examples of the README, to be tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
