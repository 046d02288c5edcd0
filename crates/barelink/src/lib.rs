//! Barelink turns Markdown into HTML, and tells where every piece of it came
//! from.
//!
//! ```
//! use barelink::Options;
//! let html = barelink::to_html("Hello, *world*", &Options::commonmark())?;
//! assert_eq!(html, "<p>Hello, <em>world</em></p>\n");
//! # Ok::<(), barelink::SourceTooLong>(())
//! ```
//!
//! * [`to_html`] for one document, [`Parser`] for many: it keeps its memory.
//! * [`Options`] says what is recognised; start from a preset.
//! * [`Document::events`] gives the document as [`Event`]s with spans, to be
//!   filtered, changed, and written by [`html::push_events`] or by you.
//! * Output is safe by default: raw HTML is shown as text, destinations that
//!   run code are emptied. [`Policy::TRUSTED`] lets both through.
//!
//! Parsing never panics and takes time linear in the source. It fails only on
//! a source of 4 GiB or more.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod block;
mod document;
mod event;
mod events;
mod explain;
mod headings;
pub mod html;
mod inline;
mod links;
mod names;
mod options;
mod policy;
#[cfg(feature = "pulldown-cmark")]
pub mod pulldown;
pub mod url;

pub use barelink_autolink as autolink;
pub use barelink_autolink::Dialect;
pub use barelink_text::{LineCol, LineIndex, Span};

pub use self::block::alert::AlertKind;
pub use self::block::table::Alignment;
pub use self::document::{Document, MAX_SOURCE, OwnedDocument, Parser, SourceTooLong, parse};
pub use self::event::{Definition, Event, EventKind, Form, FrontMatter, Tag, TagEnd, Target};
pub use self::events::Events;
pub use self::explain::{Decision, Decisions, Place, Verdict};
pub use self::headings::{Heading, Headings};
pub use self::html::{Action, Change};
pub use self::links::{Link, Links};
pub use self::names::UnknownName;
pub use self::options::{Autolinks, Markup, Options};
pub use self::policy::{Attribute, LinkAttributes, Policy, RawHtml, SoftBreaks, Urls};

/// The HTML of `source`.
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
