//! What holds when links are put into HTML, whatever it is: but for our tags nothing changes, our
//! links do not nest, and a second run finds nothing more.

use barelink::html::{Action, Linkifier};
use barelink::{Link, Options};

/// How our links begin.
const OPEN: &str = "<a href=\"";
const CLOSE: &str = "</a>";

/// Fails if something of it does not hold.
pub(crate) fn check(html: &str, options: &Options) {
    let mut n_asked = 0;
    let mut same = String::new();
    let take_back = |_: &Link<'_>| {
        n_asked += 1;
        Action::Plain
    };
    Linkifier::new(options).on_link(take_back).push_html(html, &mut same);
    assert_eq!(same, html, "a hook that takes all back");

    let out = linkified(html, options);
    let mut kept = String::new();
    Linkifier::new(options).on_link(|_| Action::Keep).push_html(html, &mut kept);
    assert_eq!(kept, out, "a hook that keeps all of {html:?}");
    assert_eq!(n_links(html, &out), n_asked, "{html:?} became {out:?}");
    assert_eq!(linkified(&out, options), out, "a second run on what {html:?} became");

    let mut text = String::new();
    Linkifier::new(options).push_text(html, &mut text);
    let mut escaped = String::new();
    barelink::html::push_escaped(html, &mut escaped);
    n_links(&escaped, &text);
}

fn linkified(html: &str, options: &Options) -> String {
    let mut out = String::new();
    Linkifier::new(options).push_html(html, &mut out);
    out
}

/// How many links were put in. Fails if anything else differs, or if one is in another.
fn n_links(before: &str, after: &str) -> usize {
    let (mut before_rest, mut after_rest) = (before, after);
    let (mut n_links, mut is_open) = (0, false);
    while let Some(c) = after_rest.chars().next() {
        // Text is linked: before one of our tags there is none of the source.
        let is_ours = after_rest.starts_with(OPEN) && !before_rest.starts_with('<');
        if is_open && after_rest.starts_with(CLOSE) {
            (after_rest, is_open) = (&after_rest[CLOSE.len()..], false);
        } else if is_ours {
            assert!(!is_open, "a link in a link: {before:?} became {after:?}");
            let end = after_rest.find('>').expect("our tags end");
            (after_rest, is_open) = (&after_rest[end + 1..], true);
            n_links += 1;
        } else {
            let rest = before_rest.strip_prefix(c);
            before_rest = rest.unwrap_or_else(|| panic!("{before:?} became {after:?}"));
            after_rest = &after_rest[c.len_utf8()..];
        }
    }
    assert!(before_rest.is_empty() && !is_open, "{before:?} became {after:?}");
    n_links
}
