//! The table of named character references, laid out as a perfect hash.
//!
//! The names come from `web_atoms`, the part of html5ever that holds HTML's
//! own list. Names without a semicolon, which only HTML knows, are left out.
//!
//! Seeds are chosen bucket by bucket, the fullest first: the smallest seed
//! that sends all of a bucket's names to slots still free. With some four
//! names to a bucket that takes a few thousand tries for the last ones.

#[path = "../../../crates/text/src/entity_hash.rs"]
mod entity_hash;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use web_atoms::NAMED_ENTITIES;

use super::{header, static_array};

/// How many names of HTML5 end in a semicolon.
const N_NAMES: usize = 2125;

/// How many buckets share the names.
const N_BUCKETS: usize = 512;

/// How far a line of the string of entries may go before it is broken.
const MAX_LINE: usize = 96;

/// The text of `entity.rs`.
pub(super) fn table() -> anyhow::Result<String> {
    let entities = entities()?;
    ensure!(
        entities.len() == N_NAMES,
        "web_atoms has {} names with a semicolon, not {N_NAMES}",
        entities.len()
    );
    let names: Vec<&str> = entities.keys().copied().collect();
    let (seeds, slots) = place(&names)?;

    let mut end = 0;
    let mut ends = Vec::new();
    let mut entries = Vec::new();
    for name in slots {
        let value = entities[name].as_str();
        end += name.len() + ";".len() + value.len();
        ends.push(u16::try_from(end).context("the entries are too long for `u16`")?.to_string());
        entries.push(format!("{name};{}", escape(value)));
    }
    let seeds: Vec<_> = seeds.iter().map(ToString::to_string).collect();
    let longest = names.iter().map(|name| name.len()).max().unwrap_or_default();
    let what = "Named character references: a perfect hash from names to characters.";
    Ok([
        header(what, "`web_atoms`"),
        format!(
            "\n/// The length of the longest name.\n\
             pub(crate) const MAX_NAME_LEN: usize = {longest};\n"
        ),
        static_array("What moves the hashes of each bucket.", "SEEDS", "u16", &seeds),
        static_array("Where the entry of each slot ends.", "ENDS", "u16", &ends),
        format!(
            "\n/// The entries, `name;value`, one slot after the other.\n#[rustfmt::skip]\n\
             pub(crate) static ENTRIES: &str = \"\\\n{}\";\n",
            break_lines(&entries)
        ),
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

/// Chooses the buckets' seeds; gives them and the name in each slot.
fn place<'a>(names: &[&'a str]) -> anyhow::Result<(Vec<u16>, Vec<&'a str>)> {
    let mut buckets: Vec<(usize, Vec<&str>)> = (0..N_BUCKETS).map(|idx| (idx, vec![])).collect();
    for name in names {
        let hash = entity_hash::hash(name.as_bytes());
        buckets[entity_hash::bucket(hash, N_BUCKETS)].1.push(name);
    }
    buckets.sort_by_key(|(idx, names)| (Reverse(names.len()), *idx));

    let mut seeds = vec![0; N_BUCKETS];
    let mut slots: Vec<Option<&str>> = vec![None; names.len()];
    for (idx, names) in buckets {
        let (seed, places) = (0..=u16::MAX)
            .find_map(|seed| Some((seed, free_places(&names, seed, &slots)?)))
            .with_context(|| format!("no seed places {names:?}; change the number of buckets"))?;
        seeds[idx] = seed;
        for (place, name) in places.into_iter().zip(names) {
            slots[place] = Some(name);
        }
    }
    Ok((seeds, slots.into_iter().flatten().collect()))
}

/// Where `seed` sends the names, if those slots are free and all different.
fn free_places(names: &[&str], seed: u16, slots: &[Option<&str>]) -> Option<Vec<usize>> {
    let mut places = Vec::with_capacity(names.len());
    for name in names {
        let place = entity_hash::slot(entity_hash::hash(name.as_bytes()), seed, slots.len());
        if slots[place].is_some() || places.contains(&place) {
            return None;
        }
        places.push(place);
    }
    Some(places)
}

/// A value as it stands in a string literal: in ASCII, since many of the
/// characters would not show, or not alone.
fn escape(value: &str) -> String {
    value.chars().map(|c| c.escape_default().to_string()).collect()
}

/// Fills lines with entries, ending each with a backslash: Rust then leaves
/// out the break and the spaces after it.
fn break_lines(entries: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for entry in entries {
        if width + entry.len() > MAX_LINE {
            text.push_str("\\\n");
            width = 0;
        }
        text.push_str(entry);
        width += entry.len();
    }
    text
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
