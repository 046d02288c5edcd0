//! What fuzzing found, what it starts from, and inputs of the kind that it finds: every
//! file below `testdata/fuzz` and `fuzz/seeds` holds all the properties, in many choices
//! of options.
//!
//! A file is a document as it stands, in any bytes; what is not UTF-8 is
//! replaced, as the command does.

#[path = "checks/changed.rs"]
mod changed;
#[path = "checks/crlf.rs"]
mod crlf;
#[path = "checks/destinations.rs"]
mod destinations;
#[path = "checks/events.rs"]
mod events;
#[path = "checks/explained.rs"]
mod explained;
#[path = "checks/hooked.rs"]
mod hooked;
#[path = "checks/linkified.rs"]
mod linkified;
#[path = "checks/options.rs"]
mod options;
#[path = "checks/output.rs"]
mod output;
#[path = "checks/plain.rs"]
mod plain;
#[path = "checks/reused.rs"]
mod reused;
#[path = "checks/scan.rs"]
mod scan;
#[path = "checks/schemed.rs"]
mod schemed;
#[path = "xss/tree.rs"]
mod tree;
#[path = "xss/well_formed.rs"]
mod well_formed;

use std::fs;
use std::path::{Path, PathBuf};

use barelink::autolink::Rules;
use barelink::{Dialect, Options};
use barelink_spectest::random::Random;
use barelink_spectest::workspace_root;

/// Fewer files than there were are a mistake in how they are found.
const FILES_MIN: usize = 30;

/// Choices of options that each file is tried with, beside the presets.
const N_CHOICES: usize = 40;

/// The bits that matter, see `options`.
const CHOICE_BITS: u32 = 32;

/// The presets with what is safe and what is not, and others: the same in every
/// run, so that a file that passes goes on passing.
fn choices() -> Vec<Options> {
    let presets = 0..Options::PRESETS.len() as u32;
    let safe = presets.clone();
    let trusted = presets.clone().map(|preset| preset | 15 << 16);
    let rich = presets.map(|preset| preset | 1 << 7 | 1 << 8 | 0x1FF << 20);
    let bits: Vec<u32> = (0..1 << 16).collect();
    let mut random = Random::new(6);
    let others = (0..N_CHOICES).map(|_| {
        let (high, low) = (*random.pick(&bits), *random.pick(&bits));
        (high << 16 | low) & (u32::MAX >> (32 - CHOICE_BITS))
    });
    safe.chain(trusted).chain(rich).chain(others).map(options::options_of).collect()
}

/// The files of a folder and of those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// The same however lines end, and whatever the parser read before.
fn check_layouts(source: &str, choices: &[Options]) {
    let line_feeds = source.replace("\r\n", "\n").replace('\r', "\n");
    for options in choices {
        let mut options = options.clone();
        options.policy.source_positions = false;
        crlf::check_html(&line_feeds, &options);
    }
    let again = choices.iter().map(|options| (source.to_owned(), options.clone()));
    reused::check(&again.collect::<Vec<_>>());
}

#[test]
fn findings_stay_fixed() {
    let found = files(&workspace_root().join("testdata/fuzz"));
    assert!(found.len() >= FILES_MIN, "only {} files", found.len());
    let seeds = files(&workspace_root().join("fuzz/seeds"));
    let choices = choices();
    for path in found.into_iter().chain(seeds) {
        let bytes = fs::read(&path).expect("a file of the repository");
        let source = String::from_utf8_lossy(&bytes);
        for (seed, options) in (0..).zip(&choices) {
            events::check(&source, options);
            explained::check(&source, options);
            output::check(&source, options);
            changed::check(&source, options, seed);
            hooked::check(&source, options, seed as u32);
            linkified::check(&source, options);
        }
        check_layouts(&source, &choices);
        for &dialect in Dialect::ALL {
            plain::check(&source, Rules::new(dialect));
            (0..6).for_each(|choice| schemed::check(&source, Rules::new(dialect), choice | 0x100));
        }
        scan::check(&bytes, &[0, 0, 1, 0, 9, 130]);
    }
}

#[test]
fn choices_differ() {
    let mut seen: Vec<Options> = Vec::new();
    for options in choices() {
        assert!(!seen.contains(&options), "{options:?} is there twice");
        seen.push(options);
    }
    assert_eq!(seen[0], Options::commonmark());
    assert_eq!(seen[4], Options::natural());
}
