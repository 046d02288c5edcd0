//! Bare URLs with schemes of one's own: found wherever others are, explained, and let through
//! by the policy alone.

use barelink::html::Linkifier;
use barelink::{Form, Options, Place, Urls, Verdict, to_html};

fn options() -> Options {
    let mut options = Options::natural();
    options.schemes = vec!["tel".into(), "magnet".into(), "app".into()];
    options
}

/// The bare links of a source.
fn links(source: &str, options: &Options) -> Vec<String> {
    let document = barelink::parse(source, options).unwrap();
    document
        .links()
        .filter(|link| link.form.is_bare())
        .map(|link| link.destination.into())
        .collect()
}

#[test]
fn found_in_markdown() {
    for (source, expected) in [
        ("call tel:+1-555-0100.", &["tel:+1-555-0100"][..]),
        ("(magnet:?xt=urn:btih:abc&dn=x)", &["magnet:?xt=urn:btih:abc&dn=x"]),
        ("**app://settings/a_b**, APP:x", &["app://settings/a_b", "APP:x"]),
        // Lines that are joined before they are read.
        ("> - see app://x\n>   and tel:1\n", &["app://x", "tel:1"]),
        ("|a|\n|-|\n|app://x|\n", &["app://x"]),
        ("打开app://设置，或者http://a.bc", &["app://设置", "http://a.bc"]),
        ("app: x, myapp://x, tel:, apps://x", &[]),
        ("`app://x` <b title=\"app://x\"> [app://x](y) <app://x>", &[]),
    ] {
        assert_eq!(links(source, &options()), expected, "{source:?}");
    }
}

#[test]
fn nowhere_else() {
    let mut gfm = options();
    gfm.autolinks = Options::gfm().autolinks;
    assert!(links("tel:1 app://x", &gfm).is_empty());
    let mut no_urls = options();
    no_urls.autolinks.url = false;
    assert!(links("tel:1 app://x", &no_urls).is_empty());
    assert!(links("tel:1 app://x", &Options::natural()).is_empty());
}

#[test]
fn the_policy_has_the_last_word() {
    let mut options = options();
    let source = "app://x tel:1";
    let safe = to_html(source, &options).unwrap();
    assert_eq!(safe, "<p><a href=\"\">app://x</a> <a href=\"tel:1\">tel:1</a></p>\n");
    options.policy.urls = Urls::Safe.and_schemes(["app"]);
    let allowed = to_html(source, &options).unwrap();
    assert_eq!(allowed, "<p><a href=\"app://x\">app://x</a> <a href=\"tel:1\">tel:1</a></p>\n");
    options.policy.urls = Urls::schemes(["https"]).and_schemes(["app"]);
    let listed = to_html(source, &options).unwrap();
    assert_eq!(listed, "<p><a href=\"app://x\">app://x</a> <a href=\"\">tel:1</a></p>\n");
}

#[test]
fn all_outputs_agree() {
    let mut options = options();
    options.policy.urls = Urls::Any;
    let source = "see app://x\n\n> magnet:?a";
    let document = barelink::parse(source, &options).unwrap();
    let mut from_events = String::new();
    barelink::html::push_events(document.events(), &options, &mut from_events);
    assert_eq!(from_events, to_html(source, &options).unwrap());
    assert_eq!(document.links().next().unwrap().form, Form::BareUrl);
    let mut linkified = String::new();
    Linkifier::new(&options).push_text("app://x", &mut linkified);
    assert_eq!(linkified, "<a href=\"app://x\">app://x</a>");
}

#[test]
fn explained() {
    let source = "app://x, `tel:1`, tel:, > app:y";
    let document = barelink::parse(source, &options()).unwrap();
    let verdicts: Vec<_> = document.explain().map(|decision| decision.verdict).collect();
    assert!(matches!(verdicts[0], Verdict::Linked { span, .. } if span.slice(source) == "app://x"));
    assert_eq!(verdicts[1], Verdict::Elsewhere(Place::CodeSpan));
    assert!(matches!(verdicts[2], Verdict::Refused { .. }));
    assert!(matches!(verdicts[3], Verdict::Linked { .. }));
    assert_eq!(verdicts.len(), 4);
}

#[cfg(feature = "serde")]
#[test]
fn in_configuration_files() {
    let json = r#"{"autolinks":{"dialect":"natural"},"schemes":["app"],"policy":{"urls":{"safe-and":["app"]}}}"#;
    let options: Options = serde_json::from_str(json).unwrap();
    assert_eq!(to_html("app:x", &options).unwrap(), "<p><a href=\"app:x\">app:x</a></p>\n");
}
