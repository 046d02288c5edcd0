//! Third-party conformance suites: where they are, and what an example holds.
//!
//! They are data under their own licenses, so they are read and never copied
//! in. A file is looked for in these folders, one after the other:
//!
//! 1. the one that `BARELINK_SUITES` names;
//! 2. `target/suites`, where `cargo xtask suites` puts what it fetches;
//! 3. `shared/suites` beside the checkout.
//!
//! Each file is one JSON list of [`Example`]s.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Unavailable, workspace_root};

/// Names a folder of suites that comes before the others.
pub const SUITES_VARIABLE: &str = "BARELINK_SUITES";

/// One example of a suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// Its number in the suite, from 1.
    pub number: u32,
    /// The heading it stands under.
    pub section: String,
    /// What goes in.
    pub markdown: String,
    /// What is expected out.
    pub html: String,
    /// Options of MD4C's command, in MD4C's suites.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Extensions of cmark-gfm, where the example names some.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Switched off where it comes from.
    #[serde(default)]
    pub disabled: bool,
    /// To be compared byte for byte even where the suite is normalized.
    #[serde(default)]
    pub no_normalize: bool,
}

/// Where `cargo xtask suites` puts what it fetches.
pub fn fetched_folder() -> PathBuf {
    workspace_root().join("target/suites")
}

/// The folders of suites, whether or not they are there, the first one first.
fn folders() -> Vec<PathBuf> {
    let named = std::env::var_os(SUITES_VARIABLE).filter(|folder| !folder.is_empty());
    let usual = [fetched_folder(), workspace_root().join("../shared/suites")];
    named.map(PathBuf::from).into_iter().chain(usual).collect()
}

/// The path of one file of the suites, in the first folder that has it.
pub fn find(file: &str) -> Option<PathBuf> {
    folders().into_iter().map(|folder| folder.join(file)).find(|path| path.exists())
}

/// The text of one file of the suites.
///
/// # Errors
/// [`Unavailable::Missing`] when no folder has it, [`Unavailable::Broken`] when
/// one has it and it cannot be read.
pub fn read(file: &str) -> Result<String, Unavailable> {
    let path = find(file).ok_or_else(|| {
        let hint = "`cargo xtask suites` fetches suites, and says where the others are";
        Unavailable::Missing(format!("there is no {file} ({hint})"))
    })?;
    std::fs::read_to_string(&path)
        .map_err(|error| Unavailable::Broken(format!("cannot read {}: {error}", path.display())))
}

/// The examples of one file of the suites.
///
/// # Errors
/// As [`read`], and [`Unavailable::Broken`] when it is not a list of examples.
pub fn load(file: &str) -> Result<Vec<Example>, Unavailable> {
    parse(&read(file)?).map_err(|error| Unavailable::Broken(format!("{file}: {error}")))
}

/// The examples of the first of these files that is there.
///
/// # Errors
/// As [`load`]: what is wrong with that file, or that the first is missing.
pub fn load_any(files: &[&str]) -> Result<Vec<Example>, Unavailable> {
    let found = files.iter().find(|file| find(file).is_some());
    let nothing = || Unavailable::Broken("no suite is named".into());
    load(found.or(files.first()).ok_or_else(nothing)?)
}

fn parse(json: &str) -> Result<Vec<Example>, serde_json::Error> {
    serde_json::from_str(json)
}

#[cfg(test)]
mod tests {
    use super::{load, load_any, parse};
    use crate::Unavailable;

    #[test]
    fn reads_examples_with_and_without_the_rare_fields() {
        let json = r#"[
            {"number": 1, "section": "S", "markdown": "a\n", "html": "<p>a</p>\n",
             "flags": ["--x"], "extensions": ["table"], "no_normalize": true, "fence_indent": 0},
            {"number": 2, "section": "S", "markdown": "", "html": ""}
        ]"#;
        let examples = parse(json).expect("well-formed");
        assert_eq!(examples.len(), 2);
        assert_eq!(examples[0].flags, ["--x"]);
        assert_eq!(examples[0].extensions, ["table"]);
        assert!(examples[0].no_normalize && !examples[0].disabled);
        assert!(examples[1].flags.is_empty());
    }

    #[test]
    fn half_an_example_is_refused() {
        assert!(parse(r#"[{"number": 1}]"#).is_err());
    }

    #[test]
    fn a_file_that_is_nowhere_is_missing() {
        for result in [load("no-such-suite.json"), load_any(&["no-such-suite.json", "nor-this"])] {
            let is_right = match &result {
                Err(Unavailable::Missing(message)) => message.contains("no-such-suite.json"),
                _ => false,
            };
            assert!(is_right, "{result:?}");
        }
    }
}
