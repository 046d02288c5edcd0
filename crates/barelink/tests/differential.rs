//! Fresh random inputs against cmark-gfm itself: under `github` we write what it
//! writes, byte for byte.
//!
//! Every run has a seed of its own, which a failure prints; `BARELINK_SEED`
//! repeats it. cmark-gfm follows CommonMark 0.29 and we follow 0.31.2, so the
//! pieces keep away from what changed in between, and nothing has to be excused
//! afterwards:
//!
//! | changed since 0.29 | so there is |
//! |---|---|
//! | symbols are punctuation beside `*` and `_` | no emoji where those are |
//! | `<!x>` is a declaration in lower case too | no `<!` |
//! | unbalanced parentheses in a destination | no `]:` |
//! | nested `<strong>` (cmark-gfm's own) | no `**` next to `**` |

use std::process::ExitCode;

use barelink::{Autolinks, Dialect, Options, Policy};
use barelink_spectest::cmark_gfm;
use barelink_spectest::random::{self, Random};
use barelink_spectest::runner::skip_or_fail;
use libtest_mimic::{Arguments, Completion, Failed, Trial};

/// One comparison: what goes in, and how both sides are set up.
struct Comparison {
    name: &'static str,
    pieces: &'static [&'static [&'static str]],
    extensions: &'static [&'static str],
    n_inputs: usize,
}

/// A failure shows this many of the shortest inputs.
const N_SHOWN: usize = 10;

const COMPARISONS: &[Comparison] = &[
    Comparison {
        name: "links-and-inlines",
        pieces: &[LINKS, TEXT, INLINES],
        extensions: &["autolink"],
        n_inputs: 4000,
    },
    Comparison {
        name: "links-and-symbols",
        pieces: &[LINKS, TEXT, SYMBOLS],
        extensions: &["autolink"],
        n_inputs: 2000,
    },
    Comparison {
        name: "links-and-blocks",
        pieces: &[LINKS, TEXT, BLOCKS],
        extensions: &["autolink"],
        n_inputs: 2000,
    },
    Comparison {
        name: "links-and-extensions",
        pieces: &[LINKS, TEXT, INLINES, EXTENSIONS],
        extensions: &["table", "strikethrough", "autolink", "tagfilter", "tasklist", "footnotes"],
        n_inputs: 4000,
    },
];

/// What bare links are made of.
#[rustfmt::skip]
const LINKS: &[&str] = &[
    "http://", "https://", "ftp://", "HTTP://", "://", "www.", "WWW.", "@", "mailto:", "xmpp:",
    "http://a.bc", "www.a.bc", "a@b.cd", ".", "-", "+", "/", "?", ":", ";", "&amp;", "&#64;",
    "&copy;", "a", "b", "cd", "1", "\\",
];

/// What stands around them.
#[rustfmt::skip]
const TEXT: &[&str] = &[
    " ", " ", "\n", "x", "é", "中", "。", "，", "(", ")", "'", "\"", "!", ",", "|", "#", "{", "}",
    "\u{A0}", "\u{3000}", "\u{B}", ">",
];

/// Inlines, and their halves.
#[rustfmt::skip]
const INLINES: &[&str] = &[
    "*", "**", "_", "_x_", "~", "`", "[", "]", "](", "![", "<", "\\*", "[x]", "(y)", "<b>", "</b>",
    "<a>", "</a>",
];

const SYMBOLS: &[&str] = &["😀", "€", "→", "`", "[", "]", "](", "![", "<", "\\*", "(y)"];

const BLOCKS: &[&str] =
    &["\n\n", "\n> ", "\n- ", "\n1. ", "\n    ", "\n```\n", "\n# ", "\n---\n", "\n===\n", "  \n"];

#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "~~", "~~", "|", "\n|", "|\n", "\n-|-\n", "\n|-|:-:|\n", "\\|", "\n\n", "- [ ] ", "- [x] ", "\n- ",
    "[^1]", "[^1]", "\n\n[^1]: ", "<title>", "<script>",
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trial = |comparison: &'static Comparison| {
        let name = format!("cmark-gfm/{}", comparison.name);
        Trial::ignorable_test(name, move || compare(comparison))
    };
    let trials = COMPARISONS.iter().map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn compare(comparison: &Comparison) -> Result<Completion, Failed> {
    let seed = random::seed()?;
    let mut random = Random::new(seed);
    let pieces = comparison.pieces.concat();
    let inputs: Vec<String> = (0..comparison.n_inputs).map(|_| random.soup(&pieces)).collect();
    let expected = match cmark_gfm::render(comparison.extensions, &inputs) {
        Ok(expected) => expected,
        Err(problem) => return skip_or_fail(&problem),
    };
    let options = options(comparison);
    let mut wrong = Vec::new();
    for (input, expected) in inputs.iter().zip(&expected) {
        let actual = barelink::to_html(input, &options)?;
        if actual != *expected {
            wrong.push((input, expected, actual));
        }
    }
    if wrong.is_empty() {
        return Ok(Completion::Completed);
    }
    wrong.sort_by_key(|(input, ..)| input.len());
    let (n_wrong, n_inputs) = (wrong.len(), comparison.n_inputs);
    let hint = random::repeat_hint(seed);
    let mut message = format!("{n_wrong} of {n_inputs} differ; {hint}\n");
    for (input, expected, actual) in wrong.iter().take(N_SHOWN) {
        message += &format!("{input:?}\n  cmark-gfm {expected:?}\n  we        {actual:?}\n");
    }
    Err(message.into())
}

/// Our side: the same extensions, with bare links as cmark-gfm has them.
fn options(comparison: &Comparison) -> Options {
    let mut options =
        if comparison.extensions.len() > 1 { Options::github() } else { Options::commonmark() };
    options.alerts = false;
    options.autolinks = Autolinks::new(Dialect::Github);
    options.policy = Policy::TRUSTED;
    options
}
