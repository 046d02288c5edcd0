//! The tags of blocks, shared by the two HTML writers: from the tape and from events.

use barelink_text::{LineIndex, Span};

use super::action::Change;
use super::escape::push_escaped;
use super::gate::{self, RawDestination};
use super::room::TAGS_LEN;
use crate::event::AlertKind;
use crate::event::Alignment;
use crate::event::{Form, MathStyle};
use crate::links::Link;
use crate::memory::reserve_sparingly;
use crate::options::{Markup, Options};
use crate::policy::{Attribute, LinkAttributes, Policy, RawHtml, SoftBreaks};

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
pub(crate) fn heading(level: u8) -> (&'static str, &'static str) {
    HEADINGS[usize::from(level.clamp(1, 6)) - 1]
}

/// Starts a new line unless at the start of one, or at `base`, the start of the document.
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

/// Writes the start of an item; `task` is whether its task is done, if it is one.
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

/// The end tags of a block quote and of an alert.
pub(super) const QUOTE_END: &str = "</blockquote>\n";
pub(super) const ALERT_END: &str = "</div>\n";

/// Writes the start of a fenced code block; the first word of `info` is its language.
pub(crate) fn push_code_start(info: &str, options: &Options, out: &mut String) {
    match info.split([' ', '\t', '\n']).next() {
        None | Some("") => out.push_str("<pre><code>"),
        Some("math") if options.math => {
            out.push_str("<pre><code class=\"language-math\" data-math-style=\"display\">");
        }
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

/// The tags of math in text.
pub(super) fn math_tags(style: MathStyle) -> (&'static str, &'static str) {
    match style {
        MathStyle::Inline => ("<span data-math-style=\"inline\">", "</span>"),
        MathStyle::Display => ("<span data-math-style=\"display\">", "</span>"),
        MathStyle::Code => ("<code data-math-style=\"inline\">", "</code>"),
    }
}

/// The place of a row in its table. The first row after the header starts the body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RowPlace {
    Header,
    FirstOfBody,
    Body,
}

impl RowPlace {
    pub(super) fn start(self) -> &'static str {
        match self {
            Self::Header => "<thead>\n<tr>\n",
            Self::FirstOfBody => "<tbody>\n<tr>\n",
            Self::Body => "<tr>\n",
        }
    }

    pub(super) fn end(self) -> &'static str {
        if self == Self::Header { "</tr>\n</thead>\n" } else { "</tr>\n" }
    }

    pub(super) fn cell_start(self, alignment: Alignment) -> &'static str {
        match (self, alignment) {
            (Self::Header, Alignment::None) => "<th>",
            (Self::Header, Alignment::Left) => "<th align=\"left\">",
            (Self::Header, Alignment::Center) => "<th align=\"center\">",
            (Self::Header, Alignment::Right) => "<th align=\"right\">",
            (_, Alignment::None) => "<td>",
            (_, Alignment::Left) => "<td align=\"left\">",
            (_, Alignment::Center) => "<td align=\"center\">",
            (_, Alignment::Right) => "<td align=\"right\">",
        }
    }

    pub(super) fn cell_end(self) -> &'static str {
        if self == Self::Header { "</th>\n" } else { "</td>\n" }
    }
}

/// The end of a table that has rows after its header.
pub(super) const BODY_END: &str = "</tbody>\n</table>\n";

/// The number of bytes after the content of the last cell of a table, in a row of the body that
/// lacks cells with these alignments.
pub(super) fn len_after_cell(lacking: &[Alignment]) -> usize {
    let row = RowPlace::Body;
    let of_cell = |alignment: &Alignment| row.cell_start(*alignment).len() + row.cell_end().len();
    let others: usize = lacking.iter().map(of_cell).sum();
    row.cell_end().len() + others + row.end().len() + BODY_END.len()
}

/// Writes the start tag of a link. Returns whether the text of its destination needed no change.
pub(super) fn push_link_start(
    destination: RawDestination<'_>,
    title: &str,
    form: Form,
    options: &Options,
    out: &mut String,
) -> bool {
    let policy = &options.policy;
    out.push_str("<a href=\"");
    let start = out.len();
    let stays = gate::push(destination.of_form(form, options), Attribute::Href, policy, out);
    let end = out.len();
    push_title(title, out);
    push_wiki(form, out);
    if policy.bare.is_none() && policy.external.is_none() {
        out.push_str("\">");
    } else {
        let href = out.get(start..end).unwrap_or_default();
        let LinkAttributes { rel, target_blank } = attributes(form, href, policy);
        out.push('"');
        push_rel(rel.as_deref(), out);
        if target_blank {
            out.push_str(TARGET_BLANK);
        }
        out.push('>');
    }
    stays
}

/// Writes the start tag of a link that a hook has changed.
pub(super) fn push_changed_link_start(
    link: &Link<'_>,
    change: &Change,
    options: &Options,
    out: &mut String,
) {
    let policy = &options.policy;
    let destination = change.destination.as_deref().unwrap_or(&link.destination);
    out.push_str("<a href=\"");
    let start = out.len();
    let destination = RawDestination::new(destination).of_form(link.form, options);
    gate::push(destination, Attribute::Href, policy, out);
    let href = out.get(start..).unwrap_or_default();
    let LinkAttributes { rel, target_blank } = attributes(link.form, href, policy);
    if !change.decides("title") {
        push_title(&link.title, out);
    }
    push_wiki(link.form, out);
    out.push('"');
    let rel = rel.as_deref().filter(|_| !change.decides("rel"));
    push_rel(rel, out);
    if target_blank && !change.decides("target") {
        out.push_str(TARGET_BLANK);
    }
    change.push_attributes(out);
    out.push('>');
}

/// The attributes that the policy sets on a link with this destination.
#[cold]
fn attributes(form: Form, href: &str, policy: &Policy) -> LinkAttributes {
    let Policy { bare, external, .. } = policy;
    let bare = if form.is_bare() { bare } else { &LinkAttributes::NONE };
    let external = if policy.is_external(href) { external } else { &LinkAttributes::NONE };
    LinkAttributes {
        rel: bare.rel.as_ref().or(external.rel.as_ref()).cloned(),
        target_blank: bare.target_blank || external.target_blank,
    }
}

const TARGET_BLANK: &str = " target=\"_blank\"";

fn push_rel(rel: Option<&str>, out: &mut String) {
    if let Some(rel) = rel {
        out.push_str(" rel=\"");
        push_escaped(rel, out);
        out.push('"');
    }
}

/// Writes the attribute of wiki links, after the value of another attribute whose closing quote is
/// pending.
fn push_wiki(form: Form, out: &mut String) {
    if form == Form::Wiki {
        out.push_str("\" data-wikilink=\"true");
    }
}

/// Separates the destination of an image from its description.
pub(super) const ALT_START: &str = "\" alt=\"";

/// Writes the start of an image, up to the value of `alt`.
pub(super) fn push_image_start(destination: &str, options: &Options, out: &mut String) {
    out.push_str("<img src=\"");
    gate::push(RawDestination::new(destination), Attribute::Src, &options.policy, out);
    out.push_str(ALT_START);
}

/// The start tag of a link whose destination is not complete.
pub(super) fn pending_link(form: Form) -> &'static str {
    if form.is_bare() { "<a data-pending=\"url\">" } else { "<a data-pending=\"link\">" }
}

/// Writes the start of an image whose destination is not complete, up to the value of `alt`.
pub(super) fn push_pending_image_start(out: &mut String) {
    out.push_str("<img data-pending=\"image\" alt=\"");
}

/// Writes the start tag of a heading, without its `>`.
pub(super) fn push_heading_start(level: u8, id: Option<&str>, out: &mut String) {
    out.push_str(heading(level).0.trim_end_matches('>'));
    if let Some(id) = id {
        push_attribute("id", id, out);
    }
}

/// Writes the classes and other attributes of a heading. Other attributes could be anything, so
/// they are written only if raw HTML is passed.
pub(super) fn push_heading_attributes<'a>(
    mut classes: impl Iterator<Item = &'a str>,
    others: impl Iterator<Item = (&'a str, Option<&'a str>)>,
    options: &Options,
    out: &mut String,
) {
    if let Some(first) = classes.next() {
        out.push_str(" class=\"");
        push_escaped(first, out);
        for class in classes {
            out.push(' ');
            push_escaped(class, out);
        }
        out.push('"');
    }
    if options.policy.raw_html != RawHtml::Pass {
        return;
    }
    let is_taken = |name: &str| ["id", "class"].iter().any(|it| name.eq_ignore_ascii_case(it));
    let is_name = |name: &str| {
        let is_wrong = |c: char| {
            c.is_whitespace() || c.is_control() || matches!(c, '"' | '\'' | '<' | '>' | '/' | '=')
        };
        !name.is_empty() && !name.contains(is_wrong) && !is_taken(name)
    };
    for (name, value) in others.filter(|(name, _)| is_name(name)) {
        push_attribute(name, value.unwrap_or_default(), out);
    }
}

fn push_attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    push_escaped(name, out);
    out.push_str("=\"");
    push_escaped(value, out);
    out.push('"');
}

/// What a line ending in a paragraph becomes.
pub(super) fn soft_break(options: &Options) -> &'static str {
    match options.policy.soft_breaks {
        SoftBreaks::Newline => "\n",
        SoftBreaks::Space => " ",
        SoftBreaks::Hard => "<br />\n",
    }
}

/// Inserts `data-sourcepos` into the tag at `start`.
#[cold]
pub(super) fn insert_position(lines: &LineIndex<'_>, span: Span, start: usize, out: &mut String) {
    let Some(len) = out.get(start..).and_then(|tag| tag.find([' ', '>'])) else { return };
    let (first, last) = (span.start, span.end.saturating_sub(1).max(span.start));
    let last_line = lines.line_col(last).line;
    // A block that ends with an empty line ends at the first byte of the line ending before it.
    let last = lines.line_span(last_line).map_or(last, |line| last.min(line.end));
    let position = format!(
        " data-sourcepos=\"{}:{}-{}:{}\"",
        lines.line_col(first).line,
        lines.byte_column(first),
        last_line,
        lines.byte_column(last),
    );
    reserve_sparingly(TAGS_LEN, out);
    out.insert_str(start + len, &position);
}

/// Writes a title, after the value of another attribute whose closing quote is pending.
pub(super) fn push_title(title: &str, out: &mut String) {
    if !title.is_empty() {
        out.push_str("\" title=\"");
        push_escaped(title, out);
    }
}
