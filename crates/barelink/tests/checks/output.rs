//! What holds for the HTML of every document: it is no longer than the source
//! warrants, a hook that keeps everything changes nothing and is told what `links` tells,
//! and where the policy is safe, a browser and a strict reader find nothing but what the
//! writer gives.

use super::{destinations, tree, well_formed};

use barelink::html::Action;
use barelink::{Link, Options, Parser, RawHtml, Urls};

/// The most that a byte becomes: `>` is a quote with its position, begun and ended.
const OUTPUT_PER_INPUT_MAX: usize = 100;

/// Bytes that a short source may become on top: cells of short rows are filled up.
const OUTPUT_SPARE: usize = 4 << 20;

/// Fails if something of it does not hold.
pub(crate) fn check(source: &str, options: &Options) {
    let mut parser = Parser::new(options.clone());
    let document = parser.parse(source).expect("the source is short");
    let mut html = String::new();
    document.push_html(&mut html);
    let len_max = source.len() * OUTPUT_PER_INPUT_MAX + OUTPUT_SPARE;
    assert!(html.len() <= len_max, "{} bytes out of {source:?}", html.len());
    assert!(!html.contains('\0'), "NUL out of {source:?}");

    let mut kept = String::new();
    let mut told = Vec::new();
    let keep = |link: &Link<'_>| {
        told.push(link.clone().into_owned());
        Action::Keep
    };
    document.push_html_with(keep, &mut kept);
    assert_eq!(html, kept, "a hook that keeps everything changes {source:?}");
    // What is in the description of an image is not shown, and the hook is not asked.
    let mut links = document.links();
    for link in &told {
        assert!(links.any(|it| it == *link), "{link:?} is told otherwise in {source:?}");
    }
    let mut rewritten = String::new();
    let rewrite = |_: &Link<'_>| Action::rewrite("javascript:\"<");
    document.push_html_with(rewrite, &mut rewritten);
    let mut dropped = String::new();
    document.push_html_with(|_| Action::Drop, &mut dropped);
    let mut plain = String::new();
    document.push_html_with(|_| Action::Plain, &mut plain);

    if options.policy.raw_html == RawHtml::Pass {
        return;
    }
    destinations::check(&html, options);
    for html in [&rewritten, &dropped, &plain] {
        destinations::check_destinations(html, options);
    }
    if options.policy.urls == Urls::Any {
        return;
    }
    for html in [&html, &rewritten, &dropped, &plain] {
        let problem = well_formed::check(html).and_then(|()| tree::check(html));
        assert_eq!(problem, Ok(()), "out of {source:?}: {html:?}");
    }
}
