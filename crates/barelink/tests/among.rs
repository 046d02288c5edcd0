//! A reader that wants the bare links of some words only is told of them what a reader of all is
//! told. Marks of others it may not even have (`Among` in `inline/recorder.rs`), so what these hide
//! must not matter.

#[path = "checks/options.rs"]
#[allow(dead_code)]
mod options;

use barelink::autolink::Kind;
use barelink::{Decision, Dialect, Document, Options, Span};
use barelink_spectest::made::{self, Pieces};
use barelink_spectest::random::Random;
use barelink_spectest::suite;

/// Bare links, and what can stand in one, around it and between two.
const LINKED: Pieces = Pieces {
    starts: &["", "", "", "> ", "- ", "# ", "|", ": ", "    ", "  "],
    inlines: &[
        "a",
        "b c",
        " ",
        " ",
        " ",
        " ",
        "  ",
        "é",
        "中文",
        "。",
        ".",
        ",",
        ":",
        "http://a.bc/d",
        "https://a.bc",
        "http://",
        "www.a.bc",
        "www.a.bc/*",
        "www.a.bc/_b_",
        "www.",
        "a@b.cd",
        "a_b@c.de",
        "a@",
        "@",
        "*a@b.cd*",
        "mailto:a@b.cd",
        "a.bc",
        "ex.com/x",
        "x://y",
        "HTTP://A.BC",
        "*",
        "**",
        "*a*",
        "_",
        "__",
        "~",
        "~~",
        "==",
        "^",
        "`",
        "``",
        "[",
        "]",
        "](b)",
        "![",
        "[a]",
        "[^1]",
        "<",
        ">",
        "<a>",
        "</a>",
        "<b>",
        "<http://a.bc>",
        "<!--",
        "-->",
        "&amp;",
        "&#64;",
        "&",
        "\\",
        "\\_",
        "\\@",
        "(",
        ")",
        "\"",
        "'",
        "$",
        "$a$",
        "[[",
        "]]",
        ":tada:",
        "{",
        "}",
    ],
    lines: &[
        "",
        "",
        "",
        "a  ",
        "a\\",
        "[a]: /u",
        "[^1]: www.a.bc",
        "---",
        "|-|",
        "```",
        "<div>",
        "*www.a.bc* a@b.cd",
        "see http://a.bc/(d) now",
        "> www.a.bc",
    ],
};

fn option_sets() -> Vec<Options> {
    let mut all: Vec<_> =
        Options::PRESETS.iter().filter_map(|name| Options::preset(name)).collect();
    let mut domains = Options::natural();
    domains.autolinks.domains = true;
    domains.schemes = vec!["x".to_owned()];
    all.extend([domains, options::everything()]);
    all.retain(|options| options.autolinks.dialect.is_some());
    assert!(all.len() > 4);
    all
}

/// The spans between any two places where no word is parted. Of many, some.
fn spans_of_words(source: &str, random: &mut Random) -> Vec<Span> {
    let is_space = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    let bytes = source.as_bytes();
    let is_place = |at: &usize| {
        *at == 0 || *at == bytes.len() || is_space(bytes[*at - 1]) || is_space(bytes[*at])
    };
    let mut places: Vec<_> = (0..=bytes.len()).filter(is_place).collect();
    while places.len() > 7 {
        places.remove(random.below(places.len() as u64) as usize);
    }
    let starts = places.iter().enumerate();
    let spans = starts.flat_map(|(idx, start)| {
        places[idx..].iter().map(|end| Span::new(*start as u32, *end as u32))
    });
    spans.collect()
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The bare links of `words` that are told to who asks for those of `asked`.
fn bare_links(document: &Document<'_, '_>, asked: Span, words: Span) -> Vec<String> {
    let mut found = Vec::new();
    document.bare_links_among(
        asked,
        |_| true,
        |bare| {
            if holds(words, bare.span()) {
                found.push(format!("{:?} {:?} {:?}", bare.link(), bare.leaf(), bare.as_written()));
            }
        },
    );
    found
}

fn check(source: &str, options: &Options, random: &mut Random) -> usize {
    let document = barelink::parse(source, options).expect("short");
    let whole = Span::new(0, u32::MAX);
    let decisions: Vec<_> = document.explain().collect();
    let mut n_told = 0;
    for words in spans_of_words(source, random) {
        let links = bare_links(&document, words, words);
        assert_eq!(
            links,
            bare_links(&document, whole, words),
            "{words:?} of {source:?}, {options:?}"
        );
        let is_there = |it: &Decision| holds(words, it.candidate);
        let told: Vec<_> = document.explain().among(words).filter(is_there).collect();
        let expected: Vec<_> = decisions.iter().filter(|it| is_there(it)).cloned().collect();
        assert_eq!(told, expected, "{words:?} of {source:?}, {options:?}");
        n_told += told.len();
        check_part(source, &document, words, &expected, random);
    }
    n_told
}

/// The same of a part of the words, which may part one, but for addresses and names without a
/// scheme, and in `md4c` for all links: those that reach into it from elsewhere are not known.
fn check_part(
    source: &str,
    document: &Document<'_, '_>,
    words: Span,
    decisions: &[Decision],
    random: &mut Random,
) {
    let mut place = || words.start + random.below(u64::from(words.end - words.start) + 1) as u32;
    let (one, other) = (place(), place());
    let near = Span::new(one.min(other), one.max(other));
    let is_md4c = document.options().autolinks.dialect == Some(Dialect::Md4c);
    if is_md4c || source.get(near.range()).is_none() {
        return;
    }
    let is_url = |kind: Kind| !matches!(kind, Kind::Email | Kind::Domain);
    let is_there = |it: &Decision| is_url(it.kind) && holds(near, it.candidate);
    let told: Vec<_> = document.explain().among(words).near(near).filter(is_there).collect();
    let expected: Vec<_> = decisions.iter().filter(|it| is_there(it)).cloned().collect();
    assert_eq!(told, expected, "{near:?} in {words:?} of {source:?}, {:?}", document.options());
}

fn examples() -> Vec<String> {
    let mut all = Vec::new();
    for files in [
        &["commonmark-0.31.2.json"][..],
        &["cmark-regression.json"],
        &["gfm-0.29-spec.json", "cmark-gfm-0.29.0-spec.json"],
        &["cmark-gfm-extensions.json", "cmark-gfm-0.29.0-extensions.json"],
        &["md4c-spec-permissive-autolinks.json"],
    ] {
        match suite::load_any(files) {
            Ok(examples) => all.extend(examples.into_iter().map(|example| example.markdown)),
            Err(missing) => assert!(missing.is_skip(), "{missing}"),
        }
    }
    all
}

#[test]
fn suites_are_told_in_parts_as_in_whole() {
    let mut random = Random::new(1);
    for source in examples() {
        for options in option_sets() {
            check(&source, &options, &mut random);
        }
    }
}

#[test]
fn made_documents_are_told_in_parts_as_in_whole() {
    let mut random = Random::new(2);
    let mut n_told = 0;
    for n in 0..600 {
        let pieces = if n % 4 == 0 { made::PIECES } else { LINKED };
        let source = random.document(&pieces);
        for options in option_sets() {
            n_told += check(&source, &options, &mut random);
        }
    }
    assert!(n_told > 20_000, "{n_told}");
}
