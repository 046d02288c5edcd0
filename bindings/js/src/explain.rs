//! Decisions about bare links as JSON, in the form that `barelink explain --json` has.

use std::fmt::Debug;

use barelink::autolink::{Rule, Trim};
use barelink::{Decision, Document, Link, Span, Unit, Units, Verdict};

use crate::json::{Object, push_array};

/// The source, and its offsets as JavaScript counts them.
struct Places<'t> {
    text: &'t str,
    units: Units<'t>,
}

impl<'t> Places<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, units: Units::new(text, Unit::Utf16) }
    }

    fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or_default()
    }
}

/// Appends the decisions about all candidates of a document.
///
/// LINEAR: links are in order, and so are the decisions about them.
pub(crate) fn push_decisions(document: &Document<'_, '_>, out: &mut String) {
    let mut places = Places::new(document.source());
    let mut links = document.links().filter(|link| link.form.is_bare()).peekable();
    push_array(document.explain(), out, |decision, out| {
        if let Verdict::Linked { span, .. } = decision.verdict {
            while links.next_if(|link| link.span.start < span.start).is_some() {}
        }
        push_decision(&decision, links.peek(), &mut places, out);
    });
}

fn push_decision(
    decision: &Decision,
    link: Option<&Link<'_>>,
    places: &mut Places<'_>,
    out: &mut String,
) {
    let mut object = Object::new(out);
    object.text("kind", decision.kind.name()).span(
        "candidate",
        decision.candidate,
        &mut places.units,
    );
    match &decision.verdict {
        Verdict::Linked { span, prefix, trims, .. } => {
            let text = places.slice(*span);
            object.text("verdict", "linked");
            match link.filter(|link| link.span == *span) {
                Some(link) => object.text("href", &link.destination),
                None => object.text("href", &[prefix, text].concat()),
            };
            object.text("text", text).span("span", *span, &mut places.units);
            push_array(trims, object.field("trims"), |trim, out| push_trim(trim, places, out));
        }
        Verdict::Refused { rule, at, .. } => {
            push_rule(*rule, object.text("verdict", "refused"));
            object.value("at", places.units.at(*at));
        }
        Verdict::Elsewhere(place) => {
            object.text("verdict", "elsewhere").text("place", &name_of(place));
            object.text("sentence", place.sentence());
        }
        // There is none yet.
        _ => {}
    }
    object.end();
}

fn push_trim(trim: &Trim, places: &mut Places<'_>, out: &mut String) {
    let mut object = Object::new(out);
    object.text("text", places.slice(trim.span)).span("span", trim.span, &mut places.units);
    push_rule(trim.rule, &mut object);
    object.end();
}

fn push_rule(rule: Rule, object: &mut Object<'_>) {
    object.text("rule", &name_of(rule));
    object.text("sentence", rule.sentence()).text("section", rule.section());
}

/// The library's name for a rule or a place, as the command writes it: `OpenBracket` is
/// `open-bracket`.
fn name_of(variant: impl Debug) -> String {
    let mut name = String::new();
    for c in format!("{variant:?}").chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}
