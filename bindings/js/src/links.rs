//! Links as JSON: those of a document, and the bare ones of plain text.

use barelink::autolink::{Rules, links_with};
use barelink::{Document, Link, Options, Unit, Units};

use crate::json::{Object, push_array};

/// Appends every link and image of a document.
pub(crate) fn push_links(document: &Document<'_, '_>, out: &mut String) {
    let mut units = Units::new(document.source(), Unit::Utf16);
    push_array(document.links(), out, |link, out| push_link(&link, &mut units, out));
}

/// Appends a link or image.
pub(crate) fn push_link(link: &Link<'_>, units: &mut Units<'_>, out: &mut String) {
    Object::new(out)
        .value("image", link.image)
        .text("form", link.form.name())
        .text("destination", &link.destination)
        .text("href", &link.href)
        .text("title", &link.title)
        .text("text", &link.text)
        .value("external", link.external)
        .span("span", link.span, units)
        .end();
}

/// Appends the bare links of plain text.
pub(crate) fn push_bare(text: &str, options: &Options, out: &mut String) {
    let mut units = Units::new(text, Unit::Utf16);
    let rules = options.autolinks.rules();
    let schemes: Vec<&str> = options.schemes.iter().map(String::as_str).collect();
    let found = rules.into_iter().flat_map(|rules: Rules| links_with(text, rules, &schemes));
    push_array(found, out, |link, out| {
        Object::new(out)
            .text("kind", link.kind.name())
            .text("href", &link.href().to_string())
            .text("text", link.text)
            .span("span", link.span, &mut units)
            .end();
    });
}
