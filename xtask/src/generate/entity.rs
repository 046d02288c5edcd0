//! The table of named character references, as a sorted list of words.
//!
//! The names come from `web_atoms`, the part of html5ever that holds HTML's
//! own list. Names without a semicolon, which only HTML knows, are left out.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use web_atoms::NAMED_ENTITIES;

use super::{header, words};

/// How many names of HTML5 end in a semicolon.
const N_NAMES: usize = 2125;

/// The text of `entity.rs`.
pub(super) fn table() -> anyhow::Result<String> {
    let entities = entities()?;
    ensure!(
        entities.len() == N_NAMES,
        "web_atoms has {} names with a semicolon, not {N_NAMES}",
        entities.len()
    );
    let longest = entities.keys().map(|name| name.len()).max().unwrap_or_default();
    ensure!(!entities.values().any(|value| value.contains(' ')), "a space parts entries");
    let entries = entities.iter().map(|(name, value)| format!("{name};{}", escape(value)));
    Ok([
        header("Named character references.", "`web_atoms`"),
        format!(
            "\n/// The length of the longest name.\n\
             pub(crate) const MAX_NAME_LEN: usize = {longest};\n"
        ),
        words("What each name stands for.", "ENTITIES", entries),
    ]
    .concat())
}

/// Every name that ends in a semicolon, without it, and its text.
fn entities() -> anyhow::Result<BTreeMap<&'static str, String>> {
    let mut entities = BTreeMap::new();
    for (key, &(first, second)) in NAMED_ENTITIES.entries() {
        let Some(name) = key.strip_suffix(';') else { continue };
        // A zero stands for "no second character".
        let value: Option<String> =
            [first, second].into_iter().filter(|&code| code != 0).map(char::from_u32).collect();
        let value = value.with_context(|| format!("&{key} is not a character"))?;
        entities.insert(name, value);
    }
    Ok(entities)
}

/// A value escaped to ASCII for a string literal, since many of the characters are invisible or
/// combining.
fn escape(value: &str) -> String {
    value.chars().map(|c| c.escape_default().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use barelink_text::entity::{Decoded, find_named, scan_entity};

    use super::{N_NAMES, entities};

    #[test]
    fn every_name_resolves() {
        let entities = entities().unwrap();
        assert_eq!(entities.len(), N_NAMES);
        for (name, value) in entities {
            assert_eq!(find_named(name.as_bytes()), Some(value.as_str()), "{name}");
            let source = format!("&{name};");
            let (end, decoded) = scan_entity(source.as_bytes(), 0).unwrap();
            assert_eq!(end, source.len());
            assert!(matches!(decoded, Decoded::Named(text) if text == value), "{name}");
        }
    }

    #[test]
    fn no_beginning_of_a_name_resolves_unless_it_is_one() {
        let entities = entities().unwrap();
        for name in entities.keys() {
            for end in 0..name.len() {
                let start = &name[..end];
                let expected = entities.get(start).map(String::as_str);
                assert_eq!(find_named(start.as_bytes()), expected, "{start}");
            }
        }
    }
}
