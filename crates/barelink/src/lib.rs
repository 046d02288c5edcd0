//! Barelink turns Markdown into HTML, and knows which part of the source every piece comes from.
//!
//! ```
//! use barelink::Options;
//! let html = barelink::to_html("Hello, *world*", &Options::commonmark())?;
//! assert_eq!(html, "<p>Hello, <em>world</em></p>\n");
//! # Ok::<(), barelink::SourceTooLong>(())
//! ```
//!
//! * [`to_html`] converts one document. [`Parser`] converts many and reuses its memory.
//! * [`Options`] choose what is recognized. Start from a preset.
//! * [`Document::events`] yields the document as [`Event`]s with spans. Filter or change them, and
//!   write them with [`html::push_events`] or in your own way.
//! * [`Document::links`] and [`Document::headings`] list links and headings, and
//!   [`Document::explain`] tells why something is a link or is not.
//! * [`to_text`] returns plain text, and [`linkify`] makes links in text that is not Markdown.
//! * [`html::Renderer`] takes hooks, for links and for elements.
//! * [`Stream`] keeps a page up to date while its text is still being written.
//! * Output is safe by default: raw HTML is displayed as text, and a destination needs an [allowed
//!   scheme](Urls). [`Policy::TRUSTED`] lets everything through.
//!
//! Parsing never panics and takes time linear in the source. It fails only on
//! a source of 4 GiB or more.
//!
//! | feature | what it adds | by default |
//! |---|---|---|
//! | `emoji` | the names of emoji, some 40 kB, for [`Options::emoji`] | on |
//! | `pulldown-cmark` | the module `pulldown`: events as those of pulldown-cmark | off |
//! | `serde` | options and policies from configuration files | off |
//! | `warnings` | `Link::warnings`: links that deceive | off |
#![cfg_attr(docsrs, feature(doc_cfg))]

mod all_links;
mod bare_links;
mod block;
mod block_places;
mod converter;
mod crlf;
mod document;
mod event;
mod event_iter;
mod explain;
mod headings;
pub mod html;
mod inline;
mod links;
mod memory;
mod names;
mod near;
mod one_line;
mod options;
mod own_scheme;
mod owned_document;
mod parsed;
mod plain_text;
mod policy;
#[cfg(feature = "pulldown-cmark")]
pub mod pulldown;
mod source_len;
pub mod stream;
mod syntax;
mod tape;
pub mod url;
#[cfg(feature = "warnings")]
mod warnings;

pub use barelink_autolink as autolink;
pub use barelink_autolink::Dialect;
pub use barelink_text::{LineCol, LineIndex, Span, Unit, Units};

pub use self::all_links::AllLinks;
#[doc(hidden)]
pub use self::bare_links::{BareLink, FoundBare};
#[doc(hidden)]
pub use self::block_places::BlockStart;
pub use self::document::{Document, Parser, parse};
pub use self::event::{
    AlertKind, Alignment, Definition, Event, EventKind, Form, FrontMatter, HeadingAttributes,
    MathStyle, Tag, TagEnd, Target,
};
pub use self::event_iter::Events;
pub use self::explain::{Decision, Decisions, Place, Verdict};
pub use self::headings::{Heading, Headings};
pub use self::html::{Action, Change};
pub use self::links::{Link, Links};
pub use self::names::UnknownName;
pub use self::near::{Flaw, NearLink, NearLinks};
pub use self::options::{Autolinks, Markup, Options, Reading};
pub use self::own_scheme::{WrongScheme, own_scheme};
pub use self::owned_document::OwnedDocument;
pub use self::policy::{Attribute, LinkAttributes, Policy, RawHtml, SoftBreaks, Urls};
pub use self::source_len::{MAX_SOURCE, SourceTooLong};
pub use self::stream::Stream;
#[cfg(feature = "warnings")]
#[cfg_attr(docsrs, doc(cfg(feature = "warnings")))]
pub use self::warnings::Warning;
#[cfg(feature = "warnings")]
#[doc(hidden)]
pub use self::warnings::is_same_host;

/// Converts `source` to HTML.
///
/// # Errors
/// If the source is longer than [`MAX_SOURCE`].
///
/// ```
/// let html = barelink::to_html("# Title", &barelink::Options::commonmark())?;
/// assert_eq!(html, "<h1>Title</h1>\n");
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
pub fn to_html(source: &str, options: &Options) -> Result<String, SourceTooLong> {
    let mut out = String::new();
    Parser::new(options.clone()).push_html(source, &mut out)?;
    Ok(out)
}

/// Converts `source` to plain text, without markup. See [`Document::push_text`].
///
/// # Errors
/// If the source is longer than [`MAX_SOURCE`].
///
/// ```
/// let text = barelink::to_text("# A *title*\n\n- [one](/x)\n- two", &barelink::Options::gfm())?;
/// assert_eq!(text, "A title\none\ntwo\n");
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
pub fn to_text(source: &str, options: &Options) -> Result<String, SourceTooLong> {
    let mut out = String::new();
    Parser::new(options.clone()).push_text(source, &mut out)?;
    Ok(out)
}

/// Converts plain text to HTML, with its bare links as anchors. [`html::Linkifier`] does the same
/// for HTML, and takes a hook.
///
/// ```
/// let html = barelink::linkify("1 < 2, see www.a.bc.", &barelink::Options::gfm());
/// assert_eq!(html, "1 &lt; 2, see <a href=\"http://www.a.bc\">www.a.bc</a>.");
/// ```
pub fn linkify(text: &str, options: &Options) -> String {
    let mut out = String::new();
    html::Linkifier::new(options).push_text(text, &mut out);
    out
}

/// The examples of the README, to be tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
