//! Fresh random inputs against cmark-gfm itself: under `github` we write what it
//! writes, byte for byte.
//!
//! Every run has a seed of its own, which a failure prints; `BARELINK_SEED`
//! repeats it. cmark-gfm follows CommonMark 0.29 and has bugs of its own, so the
//! pieces keep away from what we do otherwise on purpose, and nothing has to be
//! excused afterwards. Its answers that are not about links, and are not ours:
//!
//! | what | so |
//! |---|---|
//! | a symbol is no punctuation beside `*` and `_` | no emoji where those are |
//! | `*a**b**c**`: the rule of three stays in force for later runs | runs of one length |
//! | `~` is not there when emphasis looks around | no emphasis where tildes are |
//! | nested `<strong>` is written once | without those tags |
//! | two runs of backticks may hide a code span behind them | runs of one |
//! | `<!x` is no declaration | no letter after `!` |
//! | vertical tabs are white space | none beside brackets and `<` |
//! | `](( )` and `[x]:(` are links | no lone `(` and `:` beside brackets |
//! | a tag on a line of its own ends a paragraph lazily continued | none at the start |
//! | `\` at the end of such a line, or a code span over it, keeps indentation | no indentation, no `\` there |
//! | after one row of dashes that fits no header, a paragraph becomes no table | each fits |
//! | `- [ ] a [x]` is done, `- [ ]` alone is a task, `> - [ ] a` is none | no such tasks |
//! | `[<http://a.bc>](z)` is an anchor in an anchor | no `<` beside brackets |
//! | `[[a](b)[c]](d)` is one too | no bracket for a link around a link |
//! | `[[^1]](z)` is one too, and `![[^1]](z)` refers to the note | no `]` where notes are |

use std::fmt::Write as _;
use std::process::ExitCode;

use barelink::{Autolinks, Dialect, Options, Policy};
use barelink_spectest::oracle::{Engine, Oracle};
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
        name: "plain-text",
        pieces: &[LINKS, TEXT, PARENTHESES, SIGNS],
        extensions: &["autolink"],
        n_inputs: 4000,
    },
    Comparison {
        name: "emphasis",
        pieces: &[LINKS, TEXT, HALVES, EMPHASIS],
        extensions: &["autolink"],
        n_inputs: 4000,
    },
    Comparison {
        name: "strong-emphasis",
        pieces: &[LINKS, TEXT, WHOLES, STRONG],
        extensions: &["autolink"],
        n_inputs: 2000,
    },
    Comparison {
        name: "blocks",
        pieces: &[LINKS, TEXT, PARENTHESES, ANGLES, BLOCKS],
        extensions: &["autolink"],
        n_inputs: 4000,
    },
    Comparison {
        name: "extensions",
        pieces: &[LINKS, TEXT, BRACKETS, EXTENSIONS],
        extensions: &["table", "strikethrough", "autolink", "tagfilter", "tasklist", "footnotes"],
        n_inputs: 4000,
    },
];

/// What bare links are made of.
#[rustfmt::skip]
const LINKS: &[&str] = &[
    "http://", "https://", "ftp://", "HTTP://", "www.", "WWW.", "@", "mailto:", "xmpp:",
    "http://a.bc", "www.a.bc", "a@b.cd", "a_b.cd", ".", "a-", "+", "/", "?", "?q=", ";", "&amp;",
    "&#64;", "&copy;", "a", "b", "cd", "1",
];

/// What stands around them.
#[rustfmt::skip]
const TEXT: &[&str] = &[
    " ", " ", "\nz", "\nhttp://", "\nwww.", "z", "é", "中", "。", "，", ")", "(y)", "'", "\"", "! ",
    "!)", ",", "|", "#", "{", "}", "\u{A0}", "\u{3000}", ">",
];

const PARENTHESES: &[&str] = &["(", "(", "\n("];

const SIGNS: &[&str] = &[":", "://", "\u{B}", "😀", "€", "→", "z`", "\\@", "\\:"];

const ANGLES: &[&str] = &["z<", "z<http://a.bc>"];

/// Halves of inlines.
#[rustfmt::skip]
const HALVES: &[&str] = &[
    "[", "[", "]", "![", "](http://a.bc)", "z`", "\\@", "\\/", "\\a", "a<b>", "a</b>", "a<a>", "a</a>",
];

/// Inlines, and halves that never find the other.
#[rustfmt::skip]
const WHOLES: &[&str] = &[
    "[", "![", "[y]", "[y](z)", "![y](z)", "z`", "\\@", "\\/", "\\a", "a<b>", "a</b>", "a<a>", "a</a>",
];

const EMPHASIS: &[&str] = &["*a", "*,", "*)", "_a", "_.", "_)"];

const STRONG: &[&str] = &["**a", "**,", "**)"];

const BRACKETS: &[&str] = &["[", "[y](z)", "\\@", "a<b>", "a<a>", "a</a>"];

#[rustfmt::skip]
const BLOCKS: &[&str] = &[
    "\n", "\n\n", "\n> ", "\n- ", "\n1. ", "\n\n    a", "\n```\n", "\n# ", "\n---\n", "\n===\n",
    "z  \n",
];

#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "~~", "~~", "|", "\n|", "|\n", "\n\na|b\n-|-\n", "\n\n|a|b|\n|-|:-:|\n", "\\|", "\n\n",
    "\n> ", "\n- ", "\n\n- [ ] a", "\n\n- [x] a", "[^1]", "[^1]", "\n\n[^1]: a", "a<title>",
    "a<script>",
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
    let mut oracle = match Oracle::start(Engine::CmarkGfm(comparison.extensions)) {
        Ok(oracle) => oracle,
        Err(problem) => return skip_or_fail(&problem),
    };
    let options = options(comparison);
    let mut wrong = Vec::new();
    for input in &inputs {
        let expected = oracle.render(input)?;
        let actual = barelink::to_html(input, &options)?;
        if without_strong(&actual) != without_strong(&expected) {
            wrong.push((input, expected, actual));
        }
    }
    if wrong.is_empty() {
        return Ok(Completion::Completed);
    }
    wrong.sort_by_key(|(input, ..)| (input.len(), *input));
    wrong.dedup_by_key(|(input, ..)| *input);
    let mut message = format!("{} differ; {}\n", wrong.len(), random::repeat_hint(seed));
    for (input, expected, actual) in wrong.iter().take(N_SHOWN) {
        let _ = write!(message, "{input:?}\n  cmark-gfm {expected:?}\n  we        {actual:?}\n");
    }
    Err(message.into())
}

/// cmark-gfm writes `<strong>` inside of `<strong>` once.
fn without_strong(html: &str) -> String {
    html.replace("<strong>", "").replace("</strong>", "")
}

/// Our side: the same extensions, with bare links as cmark-gfm has them.
fn options(comparison: &Comparison) -> Options {
    let mut options =
        if comparison.extensions.len() > 1 { Options::github() } else { Options::commonmark() };
    options.alerts = false;
    options.emoji = false;
    options.math = false;
    options.autolinks = Autolinks::new(Dialect::Github);
    options.policy = Policy::TRUSTED;
    options
}
