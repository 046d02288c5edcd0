//! The HTML of one leaf's text: plain stretches copied whole, marks replaced.

use std::borrow::Cow;

use barelink_text::entity::scan_entity;
use barelink_text::escape::push_escaped_line;
use barelink_text::find::push_range;

use super::escape::{push_entity, push_escaped, push_escaped_range};
use super::footnote::Notes;
use super::gate::Destination;
use super::markup::{push_image_start, push_link_start, push_title, soft_break};
use super::raw::push_raw;
use crate::block::tape::Tape;
use crate::event::Form;
use crate::inline::code_span;
use crate::inline::mark::{Kind, Mark};
use crate::inline::{Bare, Link, Target};
use crate::options::Options;
use crate::syntax::join::Text;
use crate::syntax::references::{Reference, Title};
use crate::syntax::unescape::{decode_entities, unescape};

/// A leaf's text with its marks.
#[derive(Clone, Copy)]
pub(super) struct Inline<'a> {
    pub(super) text: Text<'a>,
    pub(super) marks: &'a [Mark],
    pub(super) links: &'a [Link],
    pub(super) bare: &'a [Bare],
    pub(super) source: &'a str,
    pub(super) tape: &'a Tape,
    pub(super) options: &'a Options,
}

impl<'a> Inline<'a> {
    /// Appends the HTML of the text.
    pub(super) fn push(&self, notes: &mut Notes, out: &mut String) {
        let mut from = self.text.start;
        let mut idx = 0;
        while let Some(mark) = self.marks.get(idx) {
            idx += 1;
            if mark.kind == Kind::Unused {
                continue;
            }
            push_range(self.text.str, from, mark.start as usize, out);
            from = mark.end as usize;
            match mark.kind {
                Kind::EmphasisOpen => out.push_str("<em>"),
                Kind::EmphasisClose => out.push_str("</em>"),
                Kind::StrongOpen => out.push_str("<strong>"),
                Kind::StrongClose => out.push_str("</strong>"),
                Kind::Literal => self.push_literal(mark, out),
                Kind::CodeSpan => {
                    out.push_str("<code>");
                    self.push_code(mark, out);
                    out.push_str("</code>");
                }
                Kind::LinkOpen => self.push_link_start(mark, out),
                Kind::LinkClose => out.push_str("</a>"),
                Kind::ImageOpen => {
                    self.push_image(mark, idx, out);
                    let close = self.marks[mark.mate as usize];
                    from = close.end as usize;
                    idx = mark.mate as usize + 1;
                }
                Kind::AngleUrl | Kind::AngleEmail => self.push_angle(mark, out),
                Kind::StrikethroughOpen => out.push_str("<del>"),
                Kind::StrikethroughClose => out.push_str("</del>"),
                Kind::FootnoteReference => {
                    let label = self.tape.footnotes.label(mark.mate).slice(self.source);
                    notes.push_reference(mark.mate, label, self.options, out);
                }
                Kind::RawHtml => push_raw(self.slice(mark), self.options, out),
                Kind::BareLink => self.push_bare(mark, out),
                Kind::TakenBack => push_escaped(&self.bare_text(mark), out),
                Kind::Entity => self.push_entity(mark, out),
                Kind::HardBreak => out.push_str("<br />\n"),
                Kind::SoftBreak => out.push_str(soft_break(self.options)),
                Kind::ImageClose | Kind::Backslash | Kind::End | Kind::Unused => {}
            }
        }
        push_range(self.text.str, from, self.text.end, out);
    }

    fn slice(&self, mark: &Mark) -> &'a str {
        self.text.slice(mark.start as usize, mark.end as usize)
    }

    #[inline]
    fn push_literal(&self, mark: &Mark, out: &mut String) {
        push_entity(self.text.bytes()[mark.end as usize - 1], out);
    }

    fn push_entity(&self, mark: &Mark, out: &mut String) {
        if let Some((_, decoded)) = scan_entity(self.text.bytes(), mark.start as usize) {
            push_escaped(decoded.as_str(&mut [0; 4]), out);
        }
    }

    fn push_code(&self, mark: &Mark, out: &mut String) {
        let run = mark.mate as usize;
        let (start, end) = (mark.start as usize + run, mark.end as usize - run);
        let padding = usize::from(code_span::is_padded(&self.text.bytes()[start..end]));
        let (start, end) = (start + padding, end - padding);
        // SPEC: 6.1: line endings are shown as spaces.
        push_escaped_line(self.text.str, start, end, out);
    }

    fn angle_text(&self, mark: &Mark) -> Cow<'a, str> {
        decode_entities(self.text.slice(mark.start as usize + 1, mark.end as usize - 1))
    }

    fn push_angle(&self, mark: &Mark, out: &mut String) {
        let text = self.angle_text(mark);
        let prefix = if mark.kind == Kind::AngleEmail { "mailto:" } else { "" };
        let destination = Destination::with_prefix(prefix, &text);
        push_link_start(destination, "", Form::Angle, self.options, out);
        push_escaped(&text, out);
        out.push_str("</a>");
    }

    fn push_bare(&self, mark: &Mark, out: &mut String) {
        let bare = &self.bare[mark.mate as usize];
        if bare.decoded {
            let text = self.bare_text(mark);
            let (prefix, rest) = bare.destination(&text);
            let destination = Destination::with_prefix(prefix, &rest);
            push_link_start(destination, "", bare.form(), self.options, out);
            push_escaped(&text, out);
        } else {
            let (start, end, text) = (mark.start as usize, mark.end as usize, self.text.str);
            let destination = Destination::verbatim(bare.prefix).of_range(text, start, end);
            // What needs no encoding needs no escaping either.
            if push_link_start(destination, "", bare.form(), self.options, out) {
                push_range(text, start, end, out);
            } else {
                push_escaped_range(text, start, end, out);
            }
        }
        out.push_str("</a>");
    }

    fn bare_text(&self, mark: &Mark) -> Cow<'a, str> {
        let text = self.slice(mark);
        if self.bare[mark.mate as usize].decoded { unescape(text) } else { Cow::Borrowed(text) }
    }

    fn push_link_start(&self, open: &Mark, out: &mut String) {
        let close = &self.marks[open.mate as usize];
        let link = &self.links[close.mate as usize];
        if let Target::Inline { destination, verbatim: true, title: None } = link.target {
            let destination = self.text.slice(destination.start, destination.end);
            push_link_start(Destination::verbatim(destination), "", link.form, self.options, out);
            return;
        }
        if let Target::Reference(idx) = link.target
            && let reference = self.tape.references.get(idx)
            && reference.verbatim
        {
            let destination = Destination::verbatim(reference.destination.slice(self.source));
            let title = unescape(self.title(reference));
            push_link_start(destination, &title, link.form, self.options, out);
            return;
        }
        let (destination, title) = self.target(open);
        push_link_start(Destination::new(&destination), &title, link.form, self.options, out);
    }

    /// Destination and title for the mark that opens a link or image.
    fn target(&self, open: &Mark) -> (Cow<'a, str>, Cow<'a, str>) {
        let close = &self.marks[open.mate as usize];
        match self.links[close.mate as usize].target {
            Target::Inline { destination, title, .. } => {
                let destination = self.text.slice(destination.start, destination.end);
                let title = title.map_or("", |title| self.text.slice(title.start, title.end));
                (unescape(destination), unescape(title))
            }
            Target::Reference(idx) => {
                let reference = self.tape.references.get(idx);
                let destination = reference.destination.slice(self.source);
                (unescape(destination), unescape(self.title(reference)))
            }
        }
    }

    /// The title of a definition, as written.
    fn title(&self, reference: &Reference) -> &'a str {
        match reference.title {
            Title::Source(span) => span.slice(self.source),
            Title::Arena(span) => self.tape.references.arena(span),
        }
    }

    /// An image; `idx` is the first mark of its description.
    fn push_image(&self, open: &Mark, idx: usize, out: &mut String) {
        let (destination, title) = self.target(open);
        push_image_start(&destination, self.options, out);
        self.push_alt(open, idx, out);
        push_title(&title, out);
        out.push_str("\" />");
    }

    /// SPEC: 6.4: the description as plain text.
    fn push_alt(&self, open: &Mark, idx: usize, out: &mut String) {
        let mut from = open.end as usize;
        for mark in &self.marks[idx..=open.mate as usize] {
            if mark.kind == Kind::Unused {
                continue;
            }
            push_alt_text(self.text.slice(from, mark.start as usize), out);
            from = mark.end as usize;
            match mark.kind {
                Kind::Literal => self.push_literal(mark, out),
                Kind::CodeSpan => self.push_code(mark, out),
                Kind::Entity => self.push_entity(mark, out),
                Kind::RawHtml | Kind::FootnoteReference => push_escaped(self.slice(mark), out),
                Kind::AngleUrl | Kind::AngleEmail => push_escaped(&self.angle_text(mark), out),
                Kind::BareLink | Kind::TakenBack => push_escaped(&self.bare_text(mark), out),
                Kind::HardBreak | Kind::SoftBreak => out.push(' '),
                _ => {}
            }
        }
    }
}

/// Text without anything to escape, its line endings as spaces.
fn push_alt_text(text: &str, out: &mut String) {
    let mut lines = text.split('\n');
    out.push_str(lines.next().unwrap_or_default());
    for line in lines {
        out.push(' ');
        out.push_str(line);
    }
}
