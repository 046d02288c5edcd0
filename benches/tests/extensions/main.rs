//! Extensions against the peers that define them: on documents made of pieces, and on the suites
//! that come with the peers' sources, where those are at hand.
//!
//! A difference of no class in `testdata/known-differences` fails, and is shown on a document as
//! short as one can be made that has it. A class is a claim, too: its examples must differ, and no
//! longer when they are written anew.
//!
//! | variable | what |
//! |---|---|
//! | `BARELINK_SEED` | makes other documents |
//! | `BARELINK_DOCUMENTS` | how many documents are made of each extension |

use std::fmt::Write as _;

use barelink::{Options, Policy};
use barelink_spectest::comparison::{Comparison, Outcome};
use barelink_spectest::difference;
use barelink_spectest::random::{self, Random};

use self::extension::{EXTENSIONS, Extension};

mod extension;
mod suites;

/// How many documents are made of each extension.
const N_DOCUMENTS: usize = 20_000;

/// Documents that are made shorter, at most: it takes time.
const N_MINIMIZED: usize = 10;

fn ours(source: &str, change: fn(&mut Options)) -> String {
    let mut options = Options::commonmark();
    options.policy = Policy::TRUSTED;
    change(&mut options);
    barelink::to_html(source, &options).expect("the source is short")
}

/// What HTML says, whatever the peers make of entities and of the ends of lines.
fn canonical(html: &str) -> String {
    html.replace("&quot;", "\"").replace("<br>", "<br />")
}

/// The last line ends, also where the document was made shorter: peers differ if it does not, with
/// or without their extensions.
fn whole(source: &str) -> String {
    format!("{}\n", source.trim_end_matches('\n'))
}

impl Extension {
    fn comparison(&self) -> Comparison {
        let classes = self.known.map_or_else(Vec::new, |file| match difference::load(file) {
            Ok(classes) => classes,
            Err(problem) => panic!("{problem}"),
        });
        let (theirs, change) = (self.theirs, self.ours);
        Comparison::with(
            move |source| canonical(&theirs(&whole(source))),
            classes,
            move |source| canonical(&ours(&whole(source), change)),
        )
    }

    /// What is wrong with the documents of this seed.
    fn compare(&self, seed: u64, n_documents: usize) -> String {
        let mut comparison = self.comparison();
        let mut random = Random::new(seed);
        let pieces = [self.around, self.pieces, self.pieces].concat();
        let (mut n_wrong, mut wrong) = (0, Vec::new());
        for _ in 0..n_documents {
            let source = format!("{}{}\n", self.before, random.soup(&pieces));
            if comparison.judge(&source).expect("a function answers") == Outcome::Unknown {
                n_wrong += 1;
                if n_wrong <= N_MINIMIZED {
                    wrong.push(comparison.minimize(&source));
                }
            }
        }
        wrong.sort_by_key(|source| (source.len(), source.clone()));
        wrong.dedup();
        let mut message = String::new();
        for source in wrong {
            let [theirs, ours] = comparison.outputs(&source).expect("a function answers");
            let _ = writeln!(message, "{source:?}\n  theirs {theirs:?}\n  ours   {ours:?}");
        }
        if n_wrong > 0 {
            message = format!("{}: {n_wrong} differ and are of no class\n{message}", self.name);
        }
        message
    }
}

#[test]
fn made_documents_are_as_the_peer_has_them() {
    let seed = random::seed_or(1).expect("a number");
    let n_documents = std::env::var("BARELINK_DOCUMENTS");
    let n_documents = n_documents.map_or(N_DOCUMENTS, |text| text.parse().expect("a number"));
    let wrong: String = EXTENSIONS.iter().map(|it| it.compare(seed, n_documents)).collect();
    assert!(wrong.is_empty(), "{wrong}{}", random::repeat_hint(seed));
}

#[test]
fn classes_explain_their_examples() {
    let mut message = String::new();
    for extension in EXTENSIONS {
        let mut comparison = extension.comparison();
        let classes = comparison.classes().iter();
        let examples: Vec<_> = classes
            .flat_map(|class| class.examples.iter().map(|it| (class.name.clone(), it.clone())))
            .collect();
        for (name, example) in examples {
            match comparison.judge(&example).expect("a function answers") {
                Outcome::Known(names) if names == [name.as_str()] => {}
                outcome => {
                    let _ =
                        writeln!(message, "{}, {name}: {example:?} is {outcome:?}", extension.name);
                }
            }
        }
    }
    assert!(message.is_empty(), "{message}");
}
