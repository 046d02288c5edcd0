//! Whole documents beside cmark-gfm: what `tests/documents.rs` compares, on what the
//! fuzzer comes up with.

use std::cell::RefCell;

use barelink::{Options, Policy};
use barelink_spectest::comparison::{Comparison, Outcome};
use barelink_spectest::difference;
use barelink_spectest::oracle::Engine;

thread_local! {
    static COMPARISON: RefCell<Comparison> = RefCell::new(start());
}

fn start() -> Comparison {
    let mut options = Options::github();
    options.alerts = false;
    options.emoji = false;
    options.math = false;
    options.policy = Policy::TRUSTED;
    let classes = difference::load("cmark-gfm-documents.toml").expect("the file is there");
    Comparison::start(Engine::CMARK_GFM, classes, move |source| {
        barelink::to_html(source, &options).expect("the source is short")
    })
    .expect("cmark-gfm is installed")
}

/// Fails if `github` and cmark-gfm disagree about a document in a way that no class of
/// known differences explains.
pub fn check_documents(source: &str) {
    // cmark-gfm's binding stops at the first NUL.
    if source.contains('\0') {
        return;
    }
    COMPARISON.with_borrow_mut(|comparison| {
        if comparison.judge(source).expect("cmark-gfm answers") == Outcome::Unknown {
            let short = comparison.minimize(source);
            let [theirs, ours] = comparison.outputs(&short).expect("cmark-gfm answers");
            assert_eq!(ours, theirs, "we, and cmark-gfm, on {short:?}");
        }
    });
}
