//! The HTML as a browser reads it: html5ever's tree holds nothing but listed
//! elements with listed attributes, and no destination that runs code.

use scraper::{ElementRef, Html, Node};

/// The elements that the writer gives, and the attributes each may have.
const ELEMENTS: &[(&str, &[&str])] = &[
    (
        "a",
        &[
            "href",
            "title",
            "id",
            "class",
            "rel",
            "target",
            "data-footnote-ref",
            "data-footnote-backref",
            "data-footnote-backref-idx",
            "aria-label",
            "data-wikilink",
        ],
    ),
    ("blockquote", &[]),
    ("br", &[]),
    ("code", &["class", "data-math-style"]),
    ("dd", &[]),
    ("del", &[]),
    ("div", &["class"]),
    ("dl", &[]),
    ("dt", &[]),
    ("em", &[]),
    ("h1", &["id", "class"]),
    ("h2", &["id", "class"]),
    ("h3", &["id", "class"]),
    ("h4", &["id", "class"]),
    ("h5", &["id", "class"]),
    ("h6", &["id", "class"]),
    ("hr", &[]),
    ("img", &["src", "alt", "title"]),
    ("input", &["type", "checked", "disabled", "class"]),
    ("li", &["id", "class"]),
    ("mark", &[]),
    ("ol", &["start"]),
    ("p", &["class"]),
    ("pre", &[]),
    ("section", &["class", "data-footnotes"]),
    ("span", &["data-math-style"]),
    ("strong", &[]),
    ("sub", &[]),
    ("sup", &["class"]),
    ("table", &[]),
    ("tbody", &[]),
    ("td", &["align"]),
    ("th", &["align"]),
    ("thead", &[]),
    ("tr", &[]),
    ("ul", &[]),
];

/// An attribute that every block may have.
const POSITION: &str = "data-sourcepos";

/// Classes that do not come from an info string begin with one of these.
const CLASSES: &[&str] = &["footnote", "markdown-alert", "admonition", "task-list-item"];

/// Media types of `data:` that hold nothing that runs.
const IMAGES: &[&str] = &["image/png", "image/gif", "image/jpeg", "image/webp"];

/// What is wrong with `html`, if something is.
pub(crate) fn check(html: &str) -> Result<(), String> {
    let parsed = Html::parse_fragment(html);
    if let Some(error) = parsed.errors.first() {
        return Err(format!("html5ever: {error}"));
    }
    for node in parsed.root_element().descendants().skip(1) {
        match node.value() {
            Node::Text(_) => {}
            Node::Element(_) => check_element(ElementRef::wrap(node).ok_or("no element")?)?,
            other => return Err(format!("{other:?}")),
        }
    }
    // What is written out again and read again is the same.
    let again = parsed.root_element().inner_html();
    if Html::parse_fragment(&again).root_element().inner_html() != again {
        return Err(format!("reads differently when written again: {again}"));
    }
    Ok(())
}

fn check_element(element: ElementRef<'_>) -> Result<(), String> {
    let name = element.value().name();
    let listed = ELEMENTS.iter().find(|(listed, _)| *listed == name);
    let Some((_, attributes)) = listed else { return Err(format!("<{name}>")) };
    if name == "a" && element.ancestors().filter_map(ElementRef::wrap).any(|outer| is(outer, "a")) {
        return Err("a link in a link".to_owned());
    }
    for (attribute, value) in element.value().attrs() {
        if attribute != POSITION && !attributes.contains(&attribute) {
            return Err(format!("<{name} {attribute}>"));
        }
        if !is_harmless(name, attribute, value) {
            return Err(format!("<{name} {attribute}={value:?}>"));
        }
    }
    if name == "input" && element.value().attr("type") != Some("checkbox") {
        return Err("an input that is no checkbox".to_owned());
    }
    Ok(())
}

fn is(element: ElementRef<'_>, name: &str) -> bool {
    element.value().name() == name
}

fn is_harmless(element: &str, attribute: &str, value: &str) -> bool {
    match attribute {
        "href" | "src" => !runs_code(value),
        // A heading's own, with the option.
        "class" if element.starts_with('h') => true,
        "class" if element == "code" => value.starts_with("language-"),
        "class" => CLASSES.iter().any(|class| value.starts_with(class)),
        // A heading's is its text; the others must not be taken for anything else.
        "id" if element.starts_with('h') => !value.contains([' ', '\t', '\n']),
        // Some tests put a prefix before it.
        "id" => value.contains("fn-") || value.contains("fnref-"),
        "align" => matches!(value, "left" | "center" | "right"),
        "start" => value.bytes().all(|byte| byte.is_ascii_digit()),
        "target" => value == "_blank",
        _ => true,
    }
}

/// Whether a browser that follows this destination runs code or reads a file.
///
/// It leaves out control characters and spaces around a URL and tabs and line
/// endings in it, and takes letters of a scheme in either case.
pub(crate) fn runs_code(url: &str) -> bool {
    let url = url.trim_matches(|c| c <= ' ').replace(['\t', '\n', '\r'], "");
    let Some((scheme, rest)) = url.split_once(':') else { return false };
    match scheme.to_ascii_lowercase().as_str() {
        "javascript" | "vbscript" | "file" => true,
        "data" => {
            let media_type = rest.split([';', ',']).next().unwrap_or_default();
            !IMAGES.iter().any(|image| media_type.eq_ignore_ascii_case(image))
        }
        _ => false,
    }
}
