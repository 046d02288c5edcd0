//! Test support for Barelink: suites and case files in, one named test for
//! each example out.
//!
//! | module | what |
//! |---|---|
//! | [`suite`] | third-party suites, read from outside the repository |
//! | [`spec_text`] | the text files that they are written in |
//! | [`case_file`] | our own cases, `testdata/**/*.txt` |
//! | [`known`] | lists of examples on which we differ, each with its reason |
//! | [`normalize`] | HTML with the differences that do not matter taken out |
//! | [`pathological`] | inputs that once made some engine slow |
//! | [`link_cases`] | inputs by the thousand, with the links to be found in them |
//! | [`random`] | random inputs that can be had again |
//! | [`made`] | documents made of pieces of every construct |
//! | [`comparison`] | whole documents against another engine |
//! | [`difference`] | classes of documents that another engine reads otherwise |
//! | [`canonical`](mod@canonical) | the HTML of two engines in one form |
//! | [`oracle`] | cmark-gfm and commonmark.js themselves, to compare with |
//! | [`minimize`](mod@minimize) | shorter inputs that still show a problem |
//! | [`python`] | short-lived Python processes |
//! | [`runner`] | examples to `libtest_mimic` trials, and readable failures |
//!
//! The crate does not know the engine: whoever runs the tests hands it in as a
//! closure.

pub mod canonical;
pub mod case_file;
pub mod comparison;
mod containers;
pub mod difference;
pub mod known;
pub mod link_cases;
pub mod made;
pub mod minimize;
pub mod normalize;
pub mod oracle;
pub mod pathological;
pub mod python;
pub mod random;
pub mod runner;
pub mod spec_text;
pub mod suite;

use std::path::{Path, PathBuf};

/// The root of the workspace, known since this crate was compiled.
pub fn workspace_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// Why something outside the repository could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unavailable {
    /// It is not installed here. A skipped test, or a failed one where `CI` is set.
    Missing(String),
    /// It is here and wrong. Always a failed test.
    Broken(String),
}

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Missing(message) | Self::Broken(message)) = self;
        f.write_str(message)
    }
}

impl std::error::Error for Unavailable {}

impl Unavailable {
    /// Whether a test that hits this may pass as skipped.
    ///
    /// `CI` set to anything but nothing turns a skip into a failure, so that a
    /// machine that is meant to run everything cannot quietly run nothing.
    pub fn is_skip(&self) -> bool {
        let is_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        matches!(self, Self::Missing(_)) && !is_ci
    }
}

#[cfg(test)]
mod tests {
    use super::{Unavailable, workspace_root};

    #[test]
    fn root_holds_the_workspace_manifest() {
        let manifest = std::fs::read_to_string(workspace_root().join("Cargo.toml"));
        assert!(manifest.is_ok_and(|text| text.contains("[workspace]")));
    }

    #[test]
    fn broken_is_never_a_skip() {
        assert!(!Unavailable::Broken("half a file".into()).is_skip());
    }
}
