//! The table of top-level domains, from the list that IANA keeps.
//!
//! The crate `tld` publishes that list, and is published again when it changes.

use anyhow::{Context as _, ensure};

use super::{header, words};

/// The version of `tld`, and the day on which it took the list.
const SOURCE: (&str, &str) = ("2.45.0", "2026-11-01");

/// The text of `top_level.rs`.
pub(super) fn table() -> anyhow::Result<String> {
    let (version, date) = SOURCE;
    let lock = include_str!("../../../Cargo.lock");
    let locked = locked_version(lock, "tld").context("no `tld` in Cargo.lock")?;
    ensure!(locked == version, "`tld` is {locked} now: the day of its list has to be named here");
    let mut domains: Vec<_> = tld::TLD.iter().map(ToString::to_string).collect();
    domains.sort();
    let source = format!("`tld` {version}, the list of IANA of {date}");
    Ok(header("The top-level domains.", &source)
        + &words("In order, in lower case and in Punycode.", "TOP_LEVEL", domains))
}

/// The version of a package in a lock file.
fn locked_version<'l>(lock: &'l str, name: &str) -> Option<&'l str> {
    let head = format!("name = \"{name}\"\nversion = \"");
    lock.split_once(&head)?.1.split_once('"').map(|(version, _)| version)
}

#[cfg(test)]
mod tests {
    use super::locked_version;

    #[test]
    fn versions_are_read() {
        let lock = "[[package]]\nname = \"tldr\"\nversion = \"1.0.0\"\n\n\
                    [[package]]\nname = \"tld\"\nversion = \"2.0.0\"\n";
        assert_eq!(locked_version(lock, "tld"), Some("2.0.0"));
        assert_eq!(locked_version(lock, "psl"), None);
    }
}
