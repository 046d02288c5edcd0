//! What holds for every destination that comes out, whatever went in: a browser that reads
//! the HTML finds only schemes that the policy allows. Also every id only once, with the
//! prefix before it.

use std::collections::HashSet;

use barelink::{Options, Urls};
use scraper::{Html, Node};

/// Media types of `data:` that the safe default lets through as images.
const IMAGES: &[&str] = &["image/png", "image/gif", "image/jpeg", "image/webp"];

/// Fails if something of it does not hold.
pub(crate) fn check(html: &str, options: &Options) {
    check_destinations(html, options);
    let mut seen = HashSet::new();
    for id in attributes(html, &["id"]) {
        let prefix = options.policy.id_prefix.replace(['"', 'é'], "-");
        assert!(id.1.starts_with(&prefix), "{id:?}: {html:?}");
        assert!(seen.insert(id.clone()), "two of {id:?}: {html:?}");
    }
}

/// Fails if a destination passes that the policy does not allow.
pub(crate) fn check_destinations(html: &str, options: &Options) {
    let urls = &options.policy.urls;
    for (attribute, value) in attributes(html, &["href", "src"]) {
        let is_allowed = is_allowed(&value, &attribute, urls);
        assert!(is_allowed, "{attribute}={value:?} passes {urls:?}: {html:?}");
    }
}

/// Every attribute of these names, with its value.
fn attributes(html: &str, names: &[&str]) -> Vec<(String, String)> {
    let parsed = Html::parse_fragment(html);
    let elements = parsed.root_element().descendants().filter_map(|node| match node.value() {
        Node::Element(element) => Some(element),
        _ => None,
    });
    elements
        .flat_map(|element| element.attrs())
        .filter(|(name, _)| names.contains(name))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn is_allowed(value: &str, attribute: &str, urls: &Urls) -> bool {
    let Some((scheme, rest)) = scheme(value) else { return true };
    match urls {
        Urls::Any => true,
        Urls::Schemes(schemes) => schemes.iter().any(|it| it.eq_ignore_ascii_case(&scheme)),
        _ => {
            let media_type = rest.split([';', ',']).next().unwrap_or_default();
            let is_image = attribute == "src"
                && scheme == "data"
                && IMAGES.iter().any(|image| image.eq_ignore_ascii_case(media_type));
            Urls::SAFE_SCHEMES.contains(&scheme.as_str()) || is_image
        }
    }
}

/// The scheme that a browser sees, in lower case, and what follows it: control characters and
/// spaces around a URL do not count, nor do tabs and line endings anywhere in it.
fn scheme(value: &str) -> Option<(String, String)> {
    let url = value.trim_matches(|c| c <= ' ').replace(['\t', '\n', '\r'], "");
    let (scheme, rest) = url.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    is_scheme.then(|| (scheme.to_ascii_lowercase(), rest.to_owned()))
}
