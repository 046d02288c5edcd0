//! The tags of blocks, shared by the two ways to HTML: from the tape and from
//! events.

use barelink_autolink::Dialect;
use barelink_text::{LineIndex, Span};

use super::escape::{Brackets, is_dangerous, push_escaped, push_href, push_href_range};
use crate::block::alert::AlertKind;
use crate::block::table::Alignment;
use crate::event::{Form, Target};
use crate::options::{Markup, Options};
use crate::policy::{LinkAttributes, Policy, SoftBreaks, Urls};

/// Heading tags by level minus one.
const HEADINGS: [(&str, &str); 6] = [
    ("<h1>", "</h1>\n"),
    ("<h2>", "</h2>\n"),
    ("<h3>", "</h3>\n"),
    ("<h4>", "</h4>\n"),
    ("<h5>", "</h5>\n"),
    ("<h6>", "</h6>\n"),
];

/// The tags of a heading.
pub(super) fn heading(level: u8) -> (&'static str, &'static str) {
    HEADINGS[usize::from(level.clamp(1, 6)) - 1]
}

/// Starts a new line unless at the start of one, or at `base`, where the
/// document starts.
#[inline]
pub(super) fn start_line(base: usize, out: &mut String) {
    if out.len() > base && !out.ends_with('\n') {
        out.push('\n');
    }
}

pub(super) fn push_list_start(start: Option<u32>, out: &mut String) {
    match start {
        None => out.push_str("<ul>\n"),
        Some(1) => out.push_str("<ol>\n"),
        Some(number) => {
            out.push_str("<ol start=\"");
            out.push_str(&number.to_string());
            out.push_str("\">\n");
        }
    }
}

/// The start of an item; `task` tells whether its task is done, if it is one.
pub(super) fn push_item_start(task: Option<bool>, markup: Markup, out: &mut String) {
    out.push_str(match (task, markup) {
        (None, _) => "<li>",
        (Some(false), Markup::Github) => "<li><input type=\"checkbox\" disabled=\"\" /> ",
        (Some(true), Markup::Github) => {
            "<li><input type=\"checkbox\" checked=\"\" disabled=\"\" /> "
        }
        (Some(false), Markup::Md4c) => {
            "<li class=\"task-list-item\"><input type=\"checkbox\" \
             class=\"task-list-item-checkbox\" disabled>"
        }
        (Some(true), Markup::Md4c) => {
            "<li class=\"task-list-item\"><input type=\"checkbox\" \
             class=\"task-list-item-checkbox\" disabled checked>"
        }
    });
}

pub(super) fn push_quote_start(alert: Option<AlertKind>, markup: Markup, out: &mut String) {
    let Some(kind) = alert else { return out.push_str("<blockquote>\n") };
    let (class, title_class, title) = match markup {
        Markup::Github => ("markdown-alert markdown-alert-", "markdown-alert-title", kind.title()),
        Markup::Md4c => ("admonition-", "admonition-title", kind.name()),
    };
    for part in [
        "<div class=\"",
        class,
        kind.name(),
        "\">\n<p class=\"",
        title_class,
        "\">",
        title,
        "</p>\n",
    ] {
        out.push_str(part);
    }
}

pub(super) fn quote_end(alert: bool) -> &'static str {
    if alert { "</div>\n" } else { "</blockquote>\n" }
}

/// The start of a fenced code block; the first word of `info` is its language.
pub(super) fn push_code_start(info: &str, out: &mut String) {
    match info.split([' ', '\t', '\n']).next() {
        None | Some("") => out.push_str("<pre><code>"),
        Some(language) => {
            out.push_str("<pre><code class=\"");
            if !language.starts_with("language-") {
                out.push_str("language-");
            }
            push_escaped(language, out);
            out.push_str("\">");
        }
    }
}

/// The start of a row. The first after the header starts the body.
pub(super) fn push_row_start(header: bool, first_of_body: bool, out: &mut String) {
    out.push_str(match (header, first_of_body) {
        (true, _) => "<thead>\n<tr>\n",
        (false, true) => "<tbody>\n<tr>\n",
        (false, false) => "<tr>\n",
    });
}

pub(super) fn row_end(header: bool) -> &'static str {
    if header { "</tr>\n</thead>\n" } else { "</tr>\n" }
}

pub(super) fn cell_start(header: bool, alignment: Alignment) -> &'static str {
    match (header, alignment) {
        (true, Alignment::None) => "<th>",
        (true, Alignment::Left) => "<th align=\"left\">",
        (true, Alignment::Center) => "<th align=\"center\">",
        (true, Alignment::Right) => "<th align=\"right\">",
        (false, Alignment::None) => "<td>",
        (false, Alignment::Left) => "<td align=\"left\">",
        (false, Alignment::Center) => "<td align=\"center\">",
        (false, Alignment::Right) => "<td align=\"right\">",
    }
}

pub(super) fn cell_end(header: bool) -> &'static str {
    if header { "</th>\n" } else { "</td>\n" }
}

/// A destination as an attribute's value, emptied if the policy wants it.
pub(super) fn push_destination(destination: &str, options: &Options, out: &mut String) {
    let start = out.len();
    push_href(destination, out);
    if !is_allowed(out.get(start..).unwrap_or_default(), options) {
        out.truncate(start);
    }
}

/// Whether the policy lets a destination through, as it is written.
fn is_allowed(href: &str, options: &Options) -> bool {
    match options.policy.urls {
        Urls::Safe => !is_dangerous(href),
        Urls::Schemes(schemes) => match scheme(href) {
            Some(scheme) => schemes.iter().any(|allowed| allowed.eq_ignore_ascii_case(scheme)),
            None => true,
        },
        Urls::Any => true,
    }
}

/// The scheme of a destination.
fn scheme(href: &str) -> Option<&str> {
    let end = href.find([':', '/', '?', '#'])?;
    (href.as_bytes()[end] == b':').then(|| &href[..end])
}

/// Whether a destination is on another site, as far as it tells.
fn is_external(href: &str) -> bool {
    href.starts_with("//")
        || scheme(href).is_some_and(|scheme| {
            ["http", "https", "ftp"].iter().any(|other| other.eq_ignore_ascii_case(scheme))
        })
}

/// The start of a link to a destination that needs no encoding.
pub(super) fn push_verbatim_link_start(
    destination: &str,
    title: &str,
    options: &Options,
    out: &mut String,
) {
    let destination = if is_allowed(destination, options) { destination } else { "" };
    out.push_str("<a href=\"");
    out.push_str(destination);
    push_title(title, out);
    let Policy { external, .. } = options.policy;
    if external == LinkAttributes::NONE || !is_external(destination) {
        out.push_str("\">");
    } else {
        out.push('"');
        push_attributes(external, out);
        out.push('>');
    }
}

/// The start of a link.
pub(super) fn push_link_start(destination: &str, title: &str, options: &Options, out: &mut String) {
    out.push_str("<a href=\"");
    let start = out.len();
    push_destination(destination, options, out);
    push_title(title, out);
    out.push('"');
    let Policy { external, .. } = options.policy;
    if external != LinkAttributes::NONE && out.get(start..).is_some_and(is_external) {
        push_attributes(external, out);
    }
    out.push('>');
}

/// A bare link's destination: a prefix, and a part of some text.
#[derive(Clone, Copy)]
pub(super) struct BareHref<'a> {
    pub(super) prefix: &'a str,
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<'a> BareHref<'a> {
    pub(super) fn new(prefix: &'a str, text: &'a str) -> Self {
        Self { prefix, text, start: 0, end: text.len() }
    }
}

/// The start of a bare link. It has no title and is never dangerous. Whether the
/// destination could stay as it is.
pub(super) fn push_bare_start(
    href: BareHref<'_>,
    form: Form,
    options: &Options,
    out: &mut String,
) -> bool {
    let policy = &options.policy;
    out.push_str("<a href=\"");
    let start = out.len();
    out.push_str(href.prefix);
    let brackets = match options.autolinks.dialect {
        Some(Dialect::Natural) => Brackets::Keep,
        _ => Brackets::Encode,
    };
    let is_verbatim = push_href_range(href.text, href.start, href.end, brackets, out);
    if policy.https && form == Form::BareWww {
        out.insert(start + "http".len(), 's');
    }
    out.push('"');
    let attributes = match policy.bare {
        LinkAttributes::NONE if form != Form::BareEmail => policy.external,
        bare => bare,
    };
    push_attributes(attributes, out);
    out.push('>');
    is_verbatim
}

fn push_attributes(attributes: LinkAttributes, out: &mut String) {
    if let Some(rel) = attributes.rel {
        out.push_str(" rel=\"");
        push_escaped(rel, out);
        out.push('"');
    }
    if attributes.target_blank {
        out.push_str(" target=\"_blank\"");
    }
}

/// The start of a link from its event.
pub(super) fn push_target_start(link: &Target<'_>, options: &Options, out: &mut String) {
    if link.form.is_bare() {
        push_bare_start(BareHref::new("", &link.destination), link.form, options, out);
    } else {
        push_link_start(&link.destination, &link.title, options, out);
    }
}

/// A line ending in a paragraph.
pub(super) fn soft_break(options: &Options) -> &'static str {
    match options.policy.soft_breaks {
        SoftBreaks::Newline => "\n",
        SoftBreaks::Space => " ",
        SoftBreaks::Hard => "<br />\n",
    }
}

/// Puts `data-sourcepos` into the tag at `start`.
#[cold]
pub(super) fn insert_position(lines: &LineIndex<'_>, span: Span, start: usize, out: &mut String) {
    let Some(len) = out.get(start..).and_then(|tag| tag.find([' ', '>'])) else { return };
    let (first, last) = (span.start, span.end.saturating_sub(1).max(span.start));
    let position = format!(
        " data-sourcepos=\"{}:{}-{}:{}\"",
        lines.line_col(first).line,
        lines.byte_column(first),
        lines.line_col(last).line,
        lines.byte_column(last),
    );
    out.insert_str(start + len, &position);
}

/// A title, between the quotes of the attribute before it.
pub(super) fn push_title(title: &str, out: &mut String) {
    if !title.is_empty() {
        out.push_str("\" title=\"");
        push_escaped(title, out);
    }
}
