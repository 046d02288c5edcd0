//! Extensions against the peers that define them: on documents made of pieces, and on the suites
//! that come with the peers' sources, where those are at hand.
//!
//! `BARELINK_SEED` repeats a run.

use barelink::{Options, Policy, Reading};
use barelink_spectest::random::{self, Random};

mod suites;

/// How many documents are made of each extension.
const N_DOCUMENTS: usize = 20_000;

/// What surrounds the pieces of an extension.
const COMMON: &[&str] = &[
    "a", "b", "c d", "1", " ", " ", " ", ".", ",", "(", ")", "-", "*", "**", "_", "*a*", "**b**",
    "`c`", "\\", "&amp;", "é", "中", "\n", "\n\n",
];

/// An extension, and a peer that has it.
struct Extension {
    name: &'static str,
    pieces: &'static [&'static str],
    ours: fn(&mut Options),
    theirs: fn(&str) -> String,
    /// Documents that are not compared, each kind with its reason.
    known: &'static [Known],
}

/// Where the two differ.
struct Known {
    reason: &'static str,
    is: fn(&str) -> bool,
}

fn ours(source: &str, change: fn(&mut Options)) -> String {
    let mut options = Options::commonmark();
    options.policy = Policy::TRUSTED;
    // comrak comes from cmark-gfm, and looks through delimiters as that does.
    options.reading = Reading::CmarkGfm;
    change(&mut options);
    barelink::to_html(source, &options).expect("the source is short")
}

fn comrak(source: &str, change: fn(&mut comrak::Options<'_>)) -> String {
    let mut options = comrak::Options::default();
    options.render.r#unsafe = true;
    change(&mut options);
    comrak::markdown_to_html(source, &options)
}

/// comrak gives up on all delimiters of a text at the first two runs of tildes that could pair
/// and are not equally long; cmark-gfm, and we, at these two.
const UNEQUAL_TILDES: Known = Known {
    reason: "comrak stops pairing at tildes of unequal length",
    is: |source| runs(source, b'~').any(|len| len != runs(source, b'~').next().unwrap_or(len)),
};

/// The lengths of the runs of a byte.
fn runs(source: &str, byte: u8) -> impl Iterator<Item = usize> {
    source.as_bytes().chunk_by(|a, b| a == b).filter(move |run| run[0] == byte).map(<[u8]>::len)
}

const EXTENSIONS: &[Extension] = &[
    Extension {
        name: "mark",
        pieces: &["==", "==", "==a==", "==a", "b==", "=", "===", "\\="],
        ours: |options| options.mark = true,
        theirs: |source| comrak(source, |options| options.extension.highlight = true),
        known: &[],
    },
    Extension {
        name: "superscript",
        pieces: &["^", "^", "^^", "^a^", "a^2^", "^(b)^", "\\^"],
        ours: |options| options.superscript = true,
        theirs: |source| comrak(source, |options| options.extension.superscript = true),
        known: &[],
    },
    Extension {
        name: "subscript",
        pieces: &["~", "~", "~a~", "a~2~", "~(b)~", "\\~", "~~", "~~c~~"],
        ours: |options| {
            options.subscript = true;
            options.strikethrough = true;
        },
        theirs: |source| {
            comrak(source, |options| {
                options.extension.subscript = true;
                options.extension.strikethrough = true;
            })
        },
        known: &[UNEQUAL_TILDES],
    },
    Extension {
        name: "math",
        pieces: &[
            "$", "$", "$$", "$a$", "$a", "b$", "$$c$$", "$5", "$`", "`$", "$`d`$", "\\$", "$$$",
            "<e>", "[f](g)",
        ],
        ours: |options| options.math = true,
        theirs: |source| {
            comrak(source, |options| {
                options.extension.math_dollars = true;
                options.extension.math_code = true;
            })
        },
        known: &[],
    },
    Extension {
        name: "wiki links",
        pieces: &[
            "[[",
            "]]",
            "[[a]]",
            "[[a b|c]]",
            "|",
            "[[d e",
            "f]]",
            "[g](h)",
            "[",
            "]",
            "\\[",
            "\\]",
            "\\|",
            "[[http://i.jk|l]]",
        ],
        ours: |options| options.wiki_links = true,
        theirs: |source| {
            comrak(source, |options| options.extension.wikilinks_title_after_pipe = true)
        },
        known: &[
            Known {
                reason: "a target is not empty here",
                is: |source| {
                    source
                        .split("[[")
                        .skip(1)
                        .any(|rest| rest.trim_start_matches([' ', '[']).starts_with(['|', ']']))
                },
            },
            Known {
                reason: "comrak puts links into links where it has given up a wiki link",
                is: |source| source.contains("[g](h)") && source.contains("\\["),
            },
            Known {
                reason: "a wiki link is on one line here",
                is: |source| {
                    let mut parts = source.split("[[").skip(1);
                    parts.any(|rest| rest.split("]]").next().is_some_and(|it| it.contains('\n')))
                },
            },
        ],
    },
];

/// What HTML says, whatever the peers make of entities and of the ends of lines.
fn canonical(html: &str) -> String {
    html.replace("&quot;", "\"").replace("<br>", "<br />")
}

#[test]
fn made_documents_are_as_the_peer_has_them() {
    let seed = random::seed_or(1).expect("a number");
    for extension in EXTENSIONS {
        let mut random = Random::new(seed);
        let pieces = [COMMON, extension.pieces, extension.pieces].concat();
        let mut n_compared = 0;
        for _ in 0..N_DOCUMENTS {
            // A paragraph: blocks are not what is compared.
            let source = format!("x{}\n", random.soup(&pieces));
            if extension.known.iter().any(|known| (known.is)(&source)) {
                continue;
            }
            n_compared += 1;
            let ours = canonical(&ours(&source, extension.ours));
            let theirs = canonical(&(extension.theirs)(&source));
            let hint = random::repeat_hint(seed);
            assert_eq!(ours, theirs, "{} differs in {source:?}; {hint}", extension.name);
        }
        let reasons: Vec<_> = extension.known.iter().map(|known| known.reason).collect();
        assert!(n_compared > N_DOCUMENTS / 4, "{}: {n_compared}, {reasons:?}", extension.name);
    }
}
