//! Third-party conformance suites: where they are, and what an example holds.
//!
//! They are data under their own licences, so they are read and never copied
//! in: from the folder that `BARELINK_SUITES` names, else from `shared/suites`
//! beside the checkout. Each file is one JSON list of [`Example`]s.

use std::path::PathBuf;

use serde::Deserialize;

use crate::{Unavailable, workspace_root};

/// Names the folder of the suites, where it is not the usual one.
pub const SUITES_VARIABLE: &str = "BARELINK_SUITES";

/// One example of a suite.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
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
    /// To be compared byte for byte even where the suite is normalised.
    #[serde(default)]
    pub no_normalize: bool,
}

/// The folder of the suites, whether or not it is there.
pub fn folder() -> PathBuf {
    match std::env::var_os(SUITES_VARIABLE) {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => workspace_root().join("../shared/suites"),
    }
}

/// The text of one file of the suites.
///
/// # Errors
/// [`Unavailable::Missing`] when there is no folder of suites,
/// [`Unavailable::Broken`] when there is one and the file cannot be read.
pub fn read(file: &str) -> Result<String, Unavailable> {
    let folder = folder();
    if !folder.exists() {
        let hint = format!("{SUITES_VARIABLE} names the folder");
        return Err(Unavailable::Missing(format!("no suites at {} ({hint})", folder.display())));
    }
    let path = folder.join(file);
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

fn parse(json: &str) -> Result<Vec<Example>, serde_json::Error> {
    serde_json::from_str(json)
}

#[cfg(test)]
mod tests {
    use super::{folder, load, parse};
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
    fn a_file_that_is_not_there_is_broken_where_the_others_are() {
        let result = load("no-such-suite.json");
        let is_right = match &result {
            Err(Unavailable::Broken(_)) => folder().exists(),
            Err(Unavailable::Missing(_)) => !folder().exists(),
            Ok(_) => false,
        };
        assert!(is_right, "{result:?}");
    }
}
