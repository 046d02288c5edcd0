//! What the policy promises, by example: destinations, attributes, ids, and one view of a
//! link for everybody who asks.

use std::borrow::Cow;

use barelink::html::{self, ElementKind, Renderer};
use barelink::{
    Action, Change, Event, EventKind, Link, Options, OwnedDocument, Policy, RawHtml, Tag, Urls,
};

/// The HTML of a source: from the document, from its events, and through a hook that keeps
/// everything.
fn three_ways(source: &str, options: &Options) -> [String; 3] {
    let document = barelink::parse(source, options).unwrap();
    let mut ways = [String::new(), String::new(), String::new()];
    document.push_html(&mut ways[0]);
    html::push_events(document.events(), options, &mut ways[1]);
    document.push_html_with(|_| Action::Keep, &mut ways[2]);
    ways
}

fn hrefs(html: &str) -> Vec<&str> {
    let values = html.split("href=\"").skip(1);
    values.map(|rest| rest.split('"').next().unwrap_or_default()).collect()
}

#[test]
fn a_list_of_schemes_is_for_every_form_of_link() {
    let mut options = Options::github();
    options.policy.urls = Urls::schemes(["https"]);
    let source = "http://a.bc ftp://a.bc a@b.cd mailto:a@b.cd xmpp:a@b.cd www.a.bc <a@b.cd> \
                  <http://a.bc> [a](http://b) [r]\n\n[r]: mailto:x";
    for html in three_ways(source, &options) {
        assert_eq!(hrefs(&html), [""; 10], "{html}");
    }
    for html in three_ways("https://a.bc [a](b) [c](//d) <HTTPS:x>", &options) {
        assert_eq!(hrefs(&html), ["https://a.bc", "b", "//d", "HTTPS:x"], "{html}");
    }
}

#[test]
fn the_default_lets_known_schemes_through_and_no_others() {
    let options = Options::commonmark();
    for (source, href) in [
        ("[a](tel:+1)", "tel:+1"),
        ("<irc://a/b>", "irc://a/b"),
        ("<made-up:x>", ""),
        ("[a](blob:x)", ""),
        ("[a](data:image/png,x)", ""),
        ("[a](&#106;avascript:x)", ""),
        ("[a](java\\script:x)", "java%5Cscript:x"),
        ("[a](&#1;javascript:x)", "%01javascript:x"),
    ] {
        for html in three_ways(source, &options) {
            assert_eq!(hrefs(&html), [href], "{source}");
        }
    }
}

/// The events of a source with another destination in every link.
fn with_destination(source: &str, destination: &'static str, options: &Options) -> String {
    let document = barelink::parse(source, options).unwrap();
    let events = document.events().map(|mut event| {
        if let EventKind::Start(Tag::Link(target)) = &mut event.kind {
            target.destination = Cow::Borrowed(destination);
        }
        event
    });
    let mut html = String::new();
    html::push_events(events, options, &mut html);
    html
}

#[test]
fn a_changed_destination_goes_through_the_gate_as_it_is() {
    let mut options = Options::gfm();
    options.policy.https = true;
    for (destination, href) in
        [("/x", "/x"), ("/out?to=1", "/out?to=1"), ("javascript:alert(1)", ""), ("", "")]
    {
        let html = with_destination("www.a.bc", destination, &options);
        assert_eq!(html, format!("<p><a href=\"{href}\">www.a.bc</a></p>\n"));
    }
}

/// What the hook is told.
fn told(source: &str, options: &Options) -> Vec<Link<'static>> {
    let document = barelink::parse(source, options).unwrap();
    let mut told = Vec::new();
    let hook = |link: &Link<'_>| {
        told.push(link.clone().into_owned());
        Action::Keep
    };
    document.push_html_with(hook, &mut String::new());
    told
}

#[test]
fn hook_and_links_tell_the_same() {
    let mut options = Options::natural();
    options.policy.https = true;
    let source = "[a ![b](c) <i>d</i>\n`e`](f) www.g.hi http://例え.jp";
    let links: Vec<_> = barelink::parse(source, &options).unwrap().links().collect();
    assert_eq!(links, told(source, &options));
    let texts: Vec<&str> = links.iter().map(|link| &*link.text).collect();
    assert_eq!(texts, ["a b d e", "b", "www.g.hi", "http://例え.jp"]);
    assert_eq!(links[2].destination, "https://www.g.hi");
    let [html, ..] = three_ways(source, &options);
    assert_eq!(hrefs(&html), ["f", "https://www.g.hi", "http://xn--r8jz45g.jp"]);
    assert_eq!(links[3].href, "http://xn--r8jz45g.jp");
}

#[test]
fn a_link_says_what_the_policy_makes_of_it() {
    let mut options = Options::commonmark();
    options.policy.own_hosts = vec!["own.bc".to_owned()];
    let source = "[a](/é?b&c) [d](javascript:e) [f](//own.bc) [g](http://other.bc)";
    let links = told(source, &options);
    let views: Vec<_> = links.iter().map(|it| (it.href.as_str(), it.external)).collect();
    let expected =
        [("/%C3%A9?b&c", false), ("", false), ("//own.bc", false), ("http://other.bc", true)];
    assert_eq!(views, expected);
    assert_eq!(links[1].destination, "javascript:e");
    assert_eq!(links[1].scheme(), Some("javascript"));
}

#[test]
fn what_is_not_shown_has_its_own_text_alone() {
    let source = "![a ![b ![c](d) e](f) g](h)";
    let document = barelink::parse(source, &Options::commonmark()).unwrap();
    let texts: Vec<_> = document.links().map(|link| link.text.into_owned()).collect();
    assert_eq!(texts, ["a b c e g", "b  e", "c"]);
    assert_eq!(told(source, &Options::commonmark()).len(), 1);
}

#[test]
fn a_rewritten_link_keeps_what_the_policy_adds() {
    let mut options = Options::gfm();
    options.policy.bare.rel = Some("nofollow".into());
    options.policy.external.target_blank = true;
    let document = barelink::parse("www.a.bc [t](http://d.ef)", &options).unwrap();
    let mut html = String::new();
    document.push_html_with(|_| Action::rewrite("https://x.yz"), &mut html);
    assert_eq!(
        html,
        "<p><a href=\"https://x.yz\" rel=\"nofollow\" target=\"_blank\">www.a.bc</a> \
         <a href=\"https://x.yz\" target=\"_blank\">t</a></p>\n"
    );
    html.clear();
    let change = |_: &Link<'_>| Change::new().destination("/x").rel("me").without("target").into();
    document.push_html_with(change, &mut html);
    assert!(html.starts_with("<p><a href=\"/x\" rel=\"me\">www.a.bc</a>"), "{html}");
}

#[test]
fn no_attribute_is_there_twice() {
    let document = barelink::parse("![a *b*](c \"d\") ![e](f)", &Options::gfm()).unwrap();
    let mut html = String::new();
    let change =
        |_: &Link<'_>| Change::new().attribute("Alt", "x\"").attribute("title", "y").into();
    document.push_html_with(change, &mut html);
    let image = |src: &str| format!("<img src=\"{src}\" Alt=\"x&quot;\" title=\"y\" />");
    assert_eq!(html, format!("<p>{} {}</p>\n", image("c"), image("f")));
    html.clear();
    document.push_html_with(|_| Change::new().without("alt").into(), &mut html);
    assert_eq!(html, "<p><img src=\"c\" title=\"d\" /> <img src=\"f\" /></p>\n");
}

#[test]
fn mail_is_no_other_site() {
    let mut options = Options::gfm();
    options.policy.external.target_blank = true;
    for html in three_ways("a@b.cd <a@b.cd> [a](mailto:a@b.cd) [b](tel:1) www.c.de", &options) {
        assert_eq!(html.matches("_blank").count(), 1, "{html}");
    }
}

#[test]
fn ids_are_there_once() {
    let mut options = Options::github();
    options.policy.heading_ids = true;
    for source in [
        "# fn-1\n\na[^1]\n\n[^1]: b",
        "a[^1]\n\n# fnref-1\n\n[^1]: b",
        "[^1] [^1] [^1-2]\n\n[^1]: a\n\n[^1-2]: b",
        "[^1-2] [^1] [^1] [^1]\n\n[^1]: a\n\n[^1-2]: b",
        "[^é] [^%C3%A9]\n\n[^é]: a\n\n[^%C3%A9]: b",
    ] {
        for html in three_ways(source, &options) {
            let mut ids: Vec<&str> =
                html.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
            let n_ids = ids.len();
            assert!(n_ids >= 3, "{html}");
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), n_ids, "{html}");
            // Every way back leads somewhere.
            for href in hrefs(&html) {
                assert!(ids.contains(&href.trim_start_matches('#')), "{href} in {html}");
            }
        }
    }
}

#[test]
fn markup_of_the_program_is_written_as_it_is() {
    let options = Options::commonmark();
    let document = barelink::parse("a\n\n<b>", &options).unwrap();
    let markup = Event::markup("<hr class=\"mine\">\n", barelink::Span::new(0, 0));
    let events = document.events().chain([markup]);
    let mut html = String::new();
    html::push_events(events, &options, &mut html);
    assert_eq!(html, "<p>a</p>\n&lt;b&gt;\n<hr class=\"mine\">\n");
}

#[test]
fn a_hook_writes_one_kind_of_element() {
    let options = Options::gfm();
    let source = "> ```rust x\n> a <b>\n> ```\n\n[l *m* ![n](o)](p)";
    let document = barelink::parse(source, &options).unwrap();
    let mut html = String::new();
    let mut seen = Vec::new();
    Renderer::new()
        .on(ElementKind::CodeBlock, |code, out| {
            assert_eq!(code.content, "a &lt;b&gt;\n");
            assert_eq!(
                code.html,
                "<pre><code class=\"language-rust\">a &lt;b&gt;\n</code></pre>\n"
            );
            out.push_str(&code.text.to_uppercase());
        })
        .on(ElementKind::Image, |image, out| out.push_str(image.text))
        .on(ElementKind::Link, |link, out| {
            seen.push((link.text.to_owned(), link.content.to_owned()));
            out.push_str(link.html);
        })
        .push_document(&document, &mut html);
    assert_eq!(
        html,
        "<blockquote>\nA <B>\n</blockquote>\n<p><a href=\"p\">l <em>m</em> n</a></p>\n"
    );
    assert_eq!(seen, [("l m n".to_owned(), "l <em>m</em> n".to_owned())]);
}

#[test]
fn two_can_read_one_document() {
    let document = OwnedDocument::parse("*a* www.b.cd", &Options::gfm()).unwrap();
    let mut events = document.get().events();
    let first = events.next();
    let links: Vec<_> = std::thread::scope(|scope| {
        let thread = scope.spawn(|| document.get().links().map(Link::into_owned).collect());
        thread.join().unwrap()
    });
    assert_eq!(links.len(), 1);
    let again: Vec<_> = first.into_iter().chain(events).map(Event::into_owned).collect();
    assert!(again.iter().eq(document.get().events().collect::<Vec<_>>().iter()));
}

#[test]
fn front_matter_is_told_and_not_shown() {
    let mut options = Options::gfm();
    options.front_matter = true;
    let source = "\u{FEFF}---\nlink: www.a.bc\n---\nwww.d.ef";
    let document = barelink::parse(source, &options).unwrap();
    let EventKind::FrontMatter { text, .. } = document.events().next().unwrap().kind else {
        panic!("front matter comes first");
    };
    assert_eq!(text, "link: www.a.bc\n");
    assert_eq!(document.links().count(), 1);
    assert_eq!(document.explain().count(), 2);
    for html in three_ways(source, &options) {
        assert_eq!(html, "<p><a href=\"http://www.d.ef\">www.d.ef</a></p>\n");
    }
}

#[test]
#[cfg(feature = "serde")]
fn options_come_from_configuration() {
    let json = r#"{
        "tables": false,
        "autolinks": { "dialect": "natural", "email": false },
        "policy": {
            "raw_html": "drop",
            "urls": { "schemes": ["https"] },
            "external": { "rel": "nofollow" },
            "id_prefix": "x-"
        }
    }"#;
    let options: Options = serde_json::from_str(json).unwrap();
    assert!(!options.tables && options.strikethrough, "what is not said is the default's");
    assert_eq!(options.autolinks.dialect, Some(barelink::Dialect::Natural));
    assert_eq!(options.policy.raw_html, RawHtml::Drop);
    assert_eq!(options.policy.urls, Urls::schemes(["https"]));
    assert_eq!(options.policy.external.rel.as_deref(), Some("nofollow"));
    let again = serde_json::to_string(&options).unwrap();
    assert_eq!(serde_json::from_str::<Options>(&again).unwrap(), options);
    for wrong in [r#"{"tabels": true}"#, r#"{"autolinks": {"dialect": "x"}}"#] {
        assert!(serde_json::from_str::<Options>(wrong).is_err(), "{wrong}");
    }
    assert_eq!(serde_json::from_str::<Options>("{}").unwrap(), Options::default());
}

#[test]
fn the_default_policy_is_the_safe_one() {
    assert_eq!(Policy::default(), Policy::SAFE);
    assert_eq!(RawHtml::default(), Policy::SAFE.raw_html);
    assert_eq!(Urls::default(), Policy::SAFE.urls);
}
