//! What holds when links are put into text and HTML: nothing else changes, a browser finds the
//! links and none in a link or in code, a second run finds nothing more, and plain text is the same
//! as a paragraph of Markdown.

use barelink::html::{Action, Linkifier};
use barelink::{Link, Options, Policy};
use proptest::prelude::{ProptestConfig, Strategy, any, prop, proptest};
use scraper::{ElementRef, Html, Node};

/// Pieces of HTML and of links. Tables and the like are left out, where a browser ignores the
/// end of an element around them.
const PIECES: &[&str] = &[
    "a",
    " ",
    "\n",
    "\"",
    "'",
    "=",
    "<",
    ">",
    "/",
    "-",
    "&",
    "&amp;",
    "&lt;",
    "&#64;",
    "&fjlig;",
    "<b>",
    "</b>",
    "<p>",
    "</p>",
    "<a>",
    "<a href=\"http://x.yz\">",
    "</a>",
    "<a title='>",
    "<A b=>",
    "</A >",
    "<code>",
    "</code>",
    "<pre>",
    "</pre>",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<textarea>",
    "</textarea>",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!",
    "<?",
    "</",
    "<img src=\"",
    "\">",
    "é",
    "www.a.bc",
    "http://a.bc/x",
    "http://a.bc/?x&amp;y",
    "a@b.cd",
    "www.例え.jp",
];

/// Pieces of links, that these are glued together and cut.
const GLUE: &[&str] = &[
    "a",
    "b",
    ".a",
    ".cd",
    " ",
    "\n\n",
    "@",
    "+",
    "-",
    "/",
    ":",
    ",",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "“",
    "”",
    "。",
    "的",
    "*",
    "_",
    "&amp;",
    "&fjlig;",
    "&period;",
    "<a>",
    "</a>",
    "<a name=x></a>",
    "<b>",
    "www.",
    "www.a.bc",
    "http://",
    "https://a.bc",
    "a@b.cd",
    "mailto:",
    "tel:",
    "app://",
];

/// No text of ours, so that our links can be told apart.
const MARK: &str = "of-ours";

fn marked(mut options: Options) -> Options {
    options.policy.bare.rel = Some(MARK.into());
    options
}

fn linkified(html: &str, options: &Options) -> String {
    let mut out = String::new();
    Linkifier::new(options).push_html(html, &mut out);
    out
}

fn all_text(html: &Html) -> String {
    html.tree.nodes().filter_map(|node| node.value().as_text().map(|text| &**text)).collect()
}

fn check(html: &str, options: &Options) {
    let mut texts = Vec::new();
    let mut same = String::new();
    let hook = |link: &Link<'_>| {
        texts.push(link.text.to_string());
        Action::Plain
    };
    Linkifier::new(options).on_link(hook).push_html(html, &mut same);
    assert_eq!(same, html, "a hook that takes all back");
    let out = linkified(html, options);
    let mut kept = String::new();
    Linkifier::new(options).on_link(|_| Action::Keep).push_html(html, &mut kept);
    assert_eq!(kept, out, "a hook that keeps all");
    assert_eq!(linkified(&out, options), out, "a second run on what {html:?} became");
    let (before, after) = (Html::parse_fragment(html), Html::parse_fragment(&out));
    assert_eq!(all_text(&before), all_text(&after), "{html:?} became {out:?}");
    let mut found = Vec::new();
    for node in after.tree.nodes() {
        let Some(link) = ElementRef::wrap(node) else { continue };
        if link.value().attr("rel") != Some(MARK) {
            continue;
        }
        for ancestor in link.ancestors() {
            if let Node::Element(element) = ancestor.value() {
                let name = element.name();
                assert!(!["a", "code", "pre"].contains(&name), "in {name}: {out:?}");
            }
        }
        found.push(link.text().collect::<String>());
    }
    assert_eq!(found, texts, "{html:?} became {out:?}");
}

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn html_is_left_alone_but_for_links(html in soup()) {
        for preset in Options::PRESETS {
            check(&html, &marked(Options::preset(preset).expect("a preset")));
        }
    }

    #[test]
    fn a_second_run_finds_nothing_more(
        pieces in prop::collection::vec(prop::sample::select(GLUE), 0..20),
    ) {
        let html = pieces.concat();
        for preset in Options::PRESETS {
            let mut options = Options::preset(preset).expect("a preset");
            let out = linkified(&html, &options);
            assert_eq!(linkified(&out, &options), out, "{html:?} in {preset}");
            options.autolinks.domains = true;
            options.schemes = vec!["tel".into(), "app".into()];
            let out = linkified(&html, &options);
            assert_eq!(linkified(&out, &options), out, "{html:?} in {preset}, with domains");
        }
    }

    #[test]
    fn any_html_is_left_alone_but_for_links(html in any::<String>()) {
        check(&html, &marked(Options::natural()));
    }

    #[test]
    fn text_becomes_text(text in any::<String>(), piece in prop::sample::select(PIECES)) {
        let text = [&text, " ", piece, " ", &text].concat();
        let out = barelink::linkify(&text, &Options::natural());
        // A browser reads NUL and CR in ways of its own.
        if !text.contains(['\0', '\r']) {
            assert_eq!(all_text(&Html::parse_fragment(&out)), text);
        }
    }
}

#[test]
fn text_and_html_agree_where_nothing_is_escaped() {
    let text = "see www.a.bc, http://x.yz/a(b) or a@b.cd; (www.d.ef) ftp://x.yz";
    for preset in Options::PRESETS {
        let mut options = Options::preset(preset).expect("a preset");
        options.policy = Policy::TRUSTED;
        let out = barelink::linkify(text, &options);
        assert_eq!(out, linkified(text, &options));
        let html = barelink::to_html(text, &options).expect("short");
        assert_eq!(format!("<p>{out}</p>\n"), html, "{preset}");
    }
}
