//! The case files of bare links, `testdata/autolink/cases/*.json`: inputs by
//! the thousand, with the links that a dialect finds in them.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::workspace_root;

/// A plain paragraph and its links, in `gfm.json` and `md4c.json`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct LinksCase {
    /// What goes in.
    pub markdown: String,
    /// What is found, in order.
    pub links: Vec<Found>,
}

/// One link.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Found {
    /// Its text, as written.
    pub text: String,
    /// Its destination, before percent-encoding.
    pub href: String,
}

/// An input and the HTML that cmark-gfm prints for it, in `github.json`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct HtmlCase {
    /// What goes in.
    pub markdown: String,
    /// What comes out.
    pub html: String,
}

/// A complaint that somebody made, in `natural.json`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Complaint {
    /// Its name.
    pub id: String,
    /// What goes in.
    pub input: String,
    /// The destinations of all links of the output, in order.
    pub expected_hrefs: Vec<String>,
}

/// The cases of one file.
///
/// # Errors
/// A message naming the file, when it cannot be read or is not of this form.
pub fn load<T: DeserializeOwned>(file: &str) -> Result<Vec<T>, String> {
    #[derive(Deserialize)]
    struct File<T> {
        cases: Vec<T>,
    }
    let path = workspace_root().join("testdata/autolink/cases").join(file);
    let problem = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| problem(&error))?;
    let parsed = serde_json::from_str::<File<T>>(&text).map_err(|error| problem(&error))?;
    Ok(parsed.cases)
}

#[cfg(test)]
mod tests {
    use super::{Complaint, HtmlCase, LinksCase, load};

    #[test]
    fn each_file_has_its_form() {
        for file in ["gfm.json", "md4c.json"] {
            assert_eq!(load::<LinksCase>(file).map(|cases| cases.len()), Ok(3000), "{file}");
        }
        assert_eq!(load::<HtmlCase>("github.json").map(|cases| cases.len()), Ok(3000));
        assert_eq!(load::<Complaint>("natural.json").map(|cases| cases.len()), Ok(60));
        assert!(load::<HtmlCase>("gfm.json").is_err_and(|message| message.contains("gfm.json")));
    }
}
