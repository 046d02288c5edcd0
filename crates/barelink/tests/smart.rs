//! Smart punctuation changes what is shown and nothing else: links, ids and places stay.

use barelink::{Dialect, Document, EventKind, Options, Parser};
use barelink_spectest::{made, random::Random};

/// Every dialect, and names without a scheme, which may have hyphens in them.
fn configurations() -> Vec<Options> {
    let mut all: Vec<_> = Options::PRESETS.iter().filter_map(|it| Options::preset(it)).collect();
    let mut named = Options::natural();
    named.autolinks.domains = true;
    named.schemes = vec!["x-y".to_owned()];
    all.push(named);
    for options in &mut all {
        options.mark = true;
        options.policy.heading_ids = true;
    }
    all
}

/// The links of a document, the ids of its headings, and what looks like a link.
fn kept(document: &Document<'_, '_>) -> Vec<String> {
    let links = document.links();
    let mut all: Vec<_> = links
        .map(|link| format!("{:?} {:?} {} {}", link.form, link.span, link.destination, link.title))
        .collect();
    all.extend(document.headings().map(|heading| format!("{:?}", heading.id)));
    all.extend(document.near_links().map(|near| format!("{near:?}")));
    all.extend(document.explain().map(|candidate| format!("{candidate:?}")));
    all
}

fn check(source: &str, plain: &Options) {
    let mut smart = plain.clone();
    smart.smart_punctuation = true;
    let (mut plain, mut smart) = (Parser::new(plain.clone()), Parser::new(smart));
    let (plain, smart) = (plain.parse(source).unwrap(), smart.parse(source).unwrap());
    assert_eq!(kept(&plain), kept(&smart), "{source:?}");
    // Line ends, code and the like stay, and text that is the same has its place.
    for event in smart.events() {
        let EventKind::Text(text) = &event.kind else { continue };
        let written = event.span.slice(source);
        let is_shown = |c: char| "‘’“”–—…".contains(c);
        if !text.is_empty() && text.chars().all(is_shown) && !written.chars().any(is_shown) {
            let is_written = |byte: u8| b"'\"-.".contains(&byte) || byte == b'&';
            assert!(written.bytes().next().is_some_and(is_written), "{written:?} of {source:?}");
        }
    }
}

#[test]
fn links_ids_and_places_stay() {
    let all = configurations();
    for source in [
        "xn--a.com a--b.de www.c--d.ef 'www.a.bc' (\"www.a.bc\") www.a.bc... --www.a.bc",
        "a--b@c.de o'f@g.hi ...a@b.cd a@b.cd... ----a@b.cd---- a@b--c.de \"a\"@b.cd 'a@b.cd'",
        "x-y:z x--y:z 'x-y:z' --x-y:z http://a.bc/--' 'http://a.bc/' http://a.bc--",
        "# a -- 'b' ...\n\n## \"a\" --- b....\n\n[a'--'](b \"c--d\") [e--f]\n\n[e--f]: g--h",
        "[a] (b--c) [\"a](b\"c) [a](b 'c) http://a.bc/\"--\"",
    ] {
        for options in &all {
            check(source, options);
        }
    }
    let mut random = Random::new(19);
    for idx in 0..4000 {
        check(&random.document(&made::PIECES), &all[idx % all.len()]);
    }
    let signs =
        ["'", "\"", "--", "...", "-", ".", "a", "b.cd", "@", "www.", "://", "http", " ", "("];
    for idx in 0..6000 {
        check(&random.soup(&signs), &all[idx % all.len()]);
    }
}

#[test]
fn every_sign_has_its_place() {
    let mut options = Options::gfm();
    options.smart_punctuation = true;
    let mut parser = Parser::new(options);
    let source = "\"a\" -- 'b'...\n\n> c'd\n> -----e";
    let document = parser.parse(source).unwrap();
    let signs = document.events().filter_map(|event| match event.kind {
        EventKind::Text(text) if !text.is_ascii() => Some((text.into_owned(), event.span)),
        _ => None,
    });
    let signs: Vec<_> =
        signs.map(|(text, span)| format!("{text} {}", span.slice(source))).collect();
    assert_eq!(signs, ["“ \"", "” \"", "– --", "‘ '", "’ '", "… ...", "’ '", "—– -----"]);
}

#[test]
fn outputs_show_it() {
    let mut options = Options::natural();
    options.smart_punctuation = true;
    options.autolinks.dialect = Some(Dialect::Natural);
    let mut parser = Parser::new(options);
    let document = parser.parse("# \"A\" -- b\n\n['c'](d) ![e...](f)").unwrap();
    assert_eq!(document.headings().next().unwrap().text, "“A” – b");
    assert_eq!(document.links().next().unwrap().text, "‘c’");
    let mut html = String::new();
    document.push_html(&mut html);
    assert!(html.contains("alt=\"e…\""), "{html}");
}
