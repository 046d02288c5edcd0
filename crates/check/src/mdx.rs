//! The rule angle-in-mdx, and the parts of an MDX file that are not Markdown, which no other rule
//! checks.

mod code;
mod script;

use barelink::{Form, Link, Span};

use crate::finding::{Edit, Finding, Fix, Fixable, Safety, add};
use crate::rule::Rule;
use crate::settings::{Flavor, Style};
use crate::write::{Way, Written, way};

pub(crate) use self::code::spans;

/// Adds a finding for a link in angle brackets.
pub(crate) fn check(link: &Link<'_>, findings: &mut Vec<Finding>) {
    if link.form != Form::Angle {
        return;
    }
    let fix = inline(link).map(|Way { text, .. }| Fix {
        safety: Safety::Safe,
        title: "write an inline link",
        edits: vec![Edit::new(link.span, text)],
        has_otherwise: false,
        links: Vec::new(),
    });
    let message = "MDX reads `<` as the start of a tag, and this is no link";
    add(Finding::new(Rule::AngleInMdx, link.span, message).with_fix(fix), findings);
}

/// Adds all of them, without messages.
pub(crate) fn check_fixable<'s>(links: impl Iterator<Item = Link<'s>>, found: &mut Vec<Fixable>) {
    let links = links.filter(|link| link.form == Form::Angle);
    let fixable = |link: Link<'_>| {
        let way = inline(&link);
        Fixable { rule: Rule::AngleInMdx, span: link.span, way }
    };
    found.extend(links.map(fixable));
}

/// The form of a link in MDX.
fn inline(link: &Link<'_>) -> Option<Way> {
    let written = Written { text: &link.text, destination: &link.destination };
    way(written, Style::Inline, Flavor::Mdx)
}

/// Whether a place is in code of MDX, or next to an expression, so that it is only a part of what a
/// reader sees. The spans are those of [`spans`].
pub(crate) fn is_in_code(source: &str, spans: &[Span], place: Span) -> bool {
    let next = spans.partition_point(|it| it.end < place.start);
    spans[next..].iter().take_while(|it| it.start <= place.end).any(|it| {
        let is_expression = source.as_bytes()[it.start as usize] == b'{';
        is_expression || it.start < place.end && place.start < it.end
    })
}
