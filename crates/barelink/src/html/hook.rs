//! Links and images that a caller decides about before they are written.

use std::borrow::Cow;

use super::escape::decode_entities;
use super::footnote::Notes;
use super::inline::Inline;
use super::markup::{push_destination, push_target_start, push_title};
use crate::event::{Form, Target};
use crate::inline::mark::{Kind, Mark};
use crate::links::Link;
use crate::policy::{Action, Hook};

impl<'a> Inline<'a> {
    /// Writes the link or image that `open` starts as the hook wants it; `idx`
    /// is the mark after. Returns the mark that ends it.
    pub(super) fn push_hooked(
        &self,
        open: &Mark,
        idx: usize,
        notes: &mut Notes,
        hook: &mut Hook<'_>,
        out: &mut String,
    ) -> usize {
        let has_content = matches!(open.kind, Kind::LinkOpen | Kind::ImageOpen);
        let end = if has_content { open.mate as usize } else { idx - 1 };
        let mut link = self.link(open, idx, end);
        match hook(&link) {
            Action::Drop => return end,
            Action::Plain if link.image => super::escape::push_escaped(&link.text, out),
            Action::Plain => self.push_content(open, idx, end, notes, hook, out),
            action => {
                if let Action::Rewrite(destination) = action {
                    link.destination = Cow::Owned(destination);
                    // Attributes and `https` go by the new destination.
                    link.form = if link.form.is_bare() { Form::Angle } else { link.form };
                }
                if link.image {
                    out.push_str("<img src=\"");
                    push_destination(&link.destination, self.options, out);
                    out.push_str("\" alt=\"");
                    super::escape::push_escaped(&link.text, out);
                    push_title(&link.title, out);
                    out.push_str("\" />");
                } else {
                    let Link { form, destination, title, .. } = link;
                    push_target_start(&Target { destination, title, form }, self.options, out);
                    self.push_content(open, idx, end, notes, hook, out);
                    out.push_str("</a>");
                }
            }
        }
        end
    }

    /// What the hook is told.
    fn link(&self, open: &Mark, idx: usize, end: usize) -> Link<'a> {
        let close = &self.marks[end];
        let span = self.text.span(open.start as usize, close.end as usize);
        let (form, destination, title, text) = match open.kind {
            Kind::LinkOpen | Kind::ImageOpen => {
                let (destination, title) = self.target(open);
                let mut text = String::new();
                self.push_alt(open, idx, &mut text);
                let text = Cow::Owned(decode_entities(&text).into_owned());
                (self.links[close.mate as usize].form, destination, title, text)
            }
            Kind::BareLink => {
                let bare = &self.bare[open.mate as usize];
                let text = self.bare_text(open);
                let (prefix, rest) = bare.destination(&text);
                let destination = Cow::Owned(format!("{prefix}{rest}"));
                (bare.form(), destination, Cow::Borrowed(""), text)
            }
            _ => {
                let text = self.angle_text(open);
                let destination = match open.kind {
                    Kind::AngleEmail => Cow::Owned(format!("mailto:{text}")),
                    _ => text.clone(),
                };
                (Form::Angle, destination, Cow::Borrowed(""), text)
            }
        };
        let image = open.kind == Kind::ImageOpen;
        Link { image, form, destination, title, text, span }
    }

    /// The text of a link, with what is in it.
    fn push_content(
        &self,
        open: &Mark,
        idx: usize,
        end: usize,
        notes: &mut Notes,
        hook: &mut Hook<'_>,
        out: &mut String,
    ) {
        match open.kind {
            Kind::LinkOpen => {
                let content = (open.end as usize, self.marks[end].start as usize);
                self.push_marks(content, idx..end, notes, Some(&mut **hook), out);
            }
            Kind::BareLink => super::escape::push_escaped(&self.bare_text(open), out),
            _ => super::escape::push_escaped(&self.angle_text(open), out),
        }
    }
}
