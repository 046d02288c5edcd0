//! The gate: the only place that writes an `href` or `src` that leads out of a document. It is
//! encoded here, and left empty unless the policy allows it.
//!
//! The policy sees exactly what is written, so no escape, entity or encoding can hide a scheme.
//!
//! LINEAR: a destination is encoded once, and its scheme read once.

use std::borrow::Cow;

use barelink_autolink::Dialect;

use super::escape::{Brackets, push_href_range};
use crate::event::Form;
use crate::options::Options;
use crate::policy::{Attribute, Policy};
use crate::syntax::unescape::decode_entities;

/// A destination before it is encoded: `prefix`, which needs no encoding, and `text[start..end]`,
/// which is read faster if `text` continues past `end`.
#[derive(Clone, Copy)]
pub(super) struct RawDestination<'a> {
    prefix: &'a str,
    text: &'a str,
    start: usize,
    end: usize,
    brackets: Brackets,
}

impl<'a> RawDestination<'a> {
    /// A destination that has to be encoded.
    pub(super) fn new(destination: &'a str) -> Self {
        Self::with_prefix("", destination)
    }

    /// A destination that needs no encoding.
    pub(super) fn verbatim(destination: &'a str) -> Self {
        Self::with_prefix(destination, "")
    }

    /// A destination whose first part needs no encoding.
    pub(super) fn with_prefix(prefix: &'a str, text: &'a str) -> Self {
        Self { prefix, text, start: 0, end: text.len(), brackets: Brackets::Encode }
    }

    /// Replaces its text by a part of another one.
    pub(super) fn of_range(self, text: &'a str, start: usize, end: usize) -> Self {
        Self { text, start, end, ..self }
    }

    /// Sets the encoding for links of this form: `natural` allows hosts in brackets.
    pub(super) fn of_form(mut self, form: Form, options: &Options) -> Self {
        if form.is_bare() && options.autolinks.dialect == Some(Dialect::Natural) {
            self.brackets = Brackets::Keep;
        }
        self
    }
}

/// Appends the attribute's value. Returns whether the text of the destination needed no change.
#[allow(clippy::inline_always)] // The path of every leaf: see ARCHITECTURE.md.
#[inline(always)]
pub(super) fn push(
    destination: RawDestination<'_>,
    attribute: Attribute,
    policy: &Policy,
    out: &mut String,
) -> bool {
    let RawDestination { prefix, text, start, end, brackets } = destination;
    let base = out.len();
    out.push_str(prefix);
    let stays = start == end || push_href_range(text, start, end, brackets, out);
    let href = out.get(base..).unwrap_or_default();
    if !policy.urls.allow(href, attribute) {
        out.truncate(base);
    } else if !policy.id_prefix.is_empty() {
        insert_prefix(base, attribute, policy, out);
    }
    stays
}

/// Inserts the prefix of ids into a link to a heading or footnote of the document.
#[cold]
fn insert_prefix(base: usize, attribute: Attribute, policy: &Policy, out: &mut String) {
    let is_id = |href: &str| href.len() > 1 && href.starts_with('#');
    if attribute == Attribute::Href && out.get(base..).is_some_and(is_id) {
        let mut prefix = String::new();
        policy.push_id_prefix(&mut prefix);
        out.insert_str(base + 1, &prefix);
    }
}

/// Appends a destination as the value of an `href` or `src`, for your own markup: percent-encoded
/// and escaped, or nothing if the policy does not allow it.
///
/// ```
/// use barelink::{Attribute, Policy, html};
/// let mut out = String::from("<a href=\"");
/// html::push_href("/a b?c&d", Attribute::Href, &Policy::SAFE, &mut out);
/// assert_eq!(out, "<a href=\"/a%20b?c&amp;d");
/// out.clear();
/// html::push_href("javascript:alert(1)", Attribute::Href, &Policy::SAFE, &mut out);
/// assert_eq!(out, "");
/// ```
pub fn push_href(destination: &str, attribute: Attribute, policy: &Policy, out: &mut String) {
    push(RawDestination::new(destination), attribute, policy, out);
}

/// The value that a browser reads from the attribute of a link of this form.
pub(crate) fn href(
    destination: &str,
    attribute: Attribute,
    form: Form,
    options: &Options,
) -> String {
    let mut escaped = String::with_capacity(destination.len());
    let destination = RawDestination::new(destination).of_form(form, options);
    push(destination, attribute, &options.policy, &mut escaped);
    if let Cow::Owned(decoded) = decode_entities(&escaped) {
        return decoded;
    }
    escaped
}
