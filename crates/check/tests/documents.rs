//! Fixes on whole documents: the page of cmark-gfm stays as it was, byte for byte, and a second
//! run changes nothing. Every bare link of the page is found.
//!
//! Documents are made of pieces of every construct, at random, or are files.
//!
//! | variable | what |
//! |---|---|
//! | `BARELINK_SEED` | makes other documents |
//! | `BARELINK_DOCUMENTS` | how many documents are made |
//! | `BARELINK_MARKDOWN` | the folder whose Markdown files are fixed, for this repository |

#[path = "checks/fixed.rs"]
mod fixed;

use std::path::{Path, PathBuf};

use barelink::Options;
use barelink_check::{Checker, Rule, RuleSet, Settings};
use barelink_spectest::oracle::{Engine, Oracle};
use barelink_spectest::random::{self, Random};
use barelink_spectest::{made, workspace_root};

/// How many documents are made if nobody says.
const N_DOCUMENTS: usize = 2_000;

/// The seed of a run that asks for none.
const SEED: u64 = 1;

fn checker(rules: RuleSet) -> Checker {
    let mut settings = Settings::default();
    // cmark-gfm knows none of them.
    settings.options.front_matter = false;
    settings.options.alerts = false;
    settings.options.emoji = false;
    settings.options.math = false;
    settings.rules = rules;
    Checker::new(settings)
}

/// The counts of a run.
#[derive(Debug, Default)]
struct Counts {
    documents: usize,
    bare: usize,
    fixed: usize,
    /// Documents whose page was compared with cmark-gfm's.
    compared: usize,
}

/// Fixes documents and compares the pages.
fn fix_all(documents: impl Iterator<Item = (String, String)>) -> Counts {
    let mut oracle = match Oracle::start(Engine::CMARK_GFM) {
        Ok(oracle) => Some(oracle),
        Err(problem) => {
            assert!(std::env::var_os("CI").is_none(), "{problem:?}");
            None
        }
    };
    let mut safe = checker([Rule::NotPortable, Rule::BareLink].into());
    let mut all = checker(RuleSet::ALL);
    let mut counts = Counts::default();
    for (name, source) in documents {
        counts.documents += 1;
        let findings = safe.check(&source).unwrap();
        counts.bare += findings.iter().filter(|it| it.rule == Rule::BareLink).count();
        if let Some(fixed) = safe.fix(&source).unwrap() {
            counts.fixed += fixed.n_fixed;
            let again = safe.fix(&fixed.text).unwrap();
            assert_eq!(again, None, "{name}: a second run changes something");
            let html = |text: &str| {
                let mut options = safe.settings().options.clone();
                options.policy = barelink::Policy::TRUSTED;
                barelink::to_html(text, &options).unwrap()
            };
            let page = html(&source);
            assert!(page == html(&fixed.text), "{name}: the page changed");
            // Where cmark-gfm reads another document, `known-differences` says why.
            if let Some(oracle) = &mut oracle
                && oracle.render(&source).unwrap() == page
            {
                counts.compared += 1;
                let after = oracle.render(&fixed.text).unwrap();
                assert!(page == after, "{name}: the page of cmark-gfm changed\n{}", fixed.text);
            }
        }
        // What changes the page comes to an end, too.
        if let Some(fixed) = all.fix_all(&source).unwrap() {
            let again = all.fix_all(&fixed.text).unwrap();
            assert_eq!(again, None, "{name}: a second run with --unsafe changes something");
        }
    }
    counts
}

#[test]
fn made() {
    let n_documents = std::env::var("BARELINK_DOCUMENTS")
        .map_or(N_DOCUMENTS, |text| text.parse().expect("BARELINK_DOCUMENTS is a number"));
    let mut random = Random::new(random::seed_or(SEED).unwrap());
    let documents = (0..n_documents).map(|_| random.document(&made::PIECES));
    let counts = fix_all(documents.map(|source| (format!("{source:?}"), source)));
    assert!(counts.fixed > 0, "{counts:?}");
}

#[test]
fn what_fuzzing_found_stays_fixed() {
    let files = markdown_files(&workspace_root().join("testdata/fuzz"));
    assert!(files.len() >= 30, "only {} files", files.len());
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let source = String::from_utf8_lossy(&bytes);
        for (preset, choice) in Options::PRESETS.iter().zip(0..) {
            fixed::check(&source, &Options::preset(preset).unwrap(), choice | (choice & 1) << 8);
        }
    }
}

#[test]
fn files() {
    let folder = std::env::var_os("BARELINK_MARKDOWN").map_or_else(workspace_root, PathBuf::from);
    let files = markdown_files(&folder);
    assert!(!files.is_empty(), "there is no Markdown in {}", folder.display());
    let documents = files.iter().filter_map(|path| {
        let source = std::fs::read_to_string(path).ok()?;
        // cmark-gfm's binding stops at NUL.
        (!source.contains('\0')).then(|| (path.display().to_string(), source))
    });
    let counts = fix_all(documents);
    assert!(counts.documents > 0, "{counts:?}");
}

/// The Markdown files under a folder, but for those that were built or installed there.
fn markdown_files(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_path_buf()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            let is_markdown = path.extension().is_some_and(|end| end == "md" || end == "markdown");
            if kind.is_dir() && entry.file_name() != "target" {
                folders.push(path);
            } else if kind.is_file() && is_markdown {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
