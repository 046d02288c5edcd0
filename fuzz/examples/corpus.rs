//! Makes the seeds of a corpus for each target from the repository's own cases:
//!
//! ```sh
//! cargo run --manifest-path fuzz/Cargo.toml --example corpus
//! ```
//!
//! They go to `fuzz/corpus/<target>`, named after their content, and are not
//! checked in. Besides the examples of `testdata`, whole files of it are seeds,
//! and the few of `fuzz/seeds`.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use barelink_spectest::workspace_root;

/// Longer documents are left out: mutating them finds little.
const LEN_MAX: usize = 2000;

/// Numbers of options: presets as they are, trusted, and with all that adds output.
const BITS: [u32; 8] = [0, 1, 2, 3, 4, 2 | 15 << 16, 4 | 0x1FF << 20, 3 | 1 << 7 | 1 << 8 | 1 << 25];

fn main() -> io::Result<()> {
    let root = workspace_root();
    let mut seeds = Vec::new();
    for folder in ["testdata", "fuzz/seeds"] {
        for path in files(&root.join(folder))? {
            let bytes = fs::read(&path)?;
            match std::str::from_utf8(&bytes) {
                Ok(text) if path.extension().is_some_and(|extension| extension == "txt") => {
                    seeds.extend(examples(text));
                }
                Ok(text) if path.extension().is_some_and(|extension| extension == "json") => {
                    seeds.extend(inputs(text));
                }
                Ok(text) if path.extension().is_some_and(|extension| extension == "toml") => {
                    seeds.extend(text.lines().filter(|line| line.contains('|')).map(Vec::from));
                }
                _ => seeds.push(bytes),
            }
        }
    }
    seeds.retain(|seed| seed.len() <= LEN_MAX);
    seeds.sort();
    seeds.dedup();
    let corpus = root.join("fuzz/corpus");
    for (idx, seed) in seeds.iter().enumerate() {
        let bits = BITS[idx % BITS.len()].to_le_bytes();
        for target in ["html", "events", "autolink"] {
            write(&corpus.join(target), &[&bits, &seed[..]].concat())?;
        }
        write(&corpus.join("scan"), &[&[3, 0, 0, 9], &seed[..]].concat())?;
        write(&corpus.join("github"), seed)?;
        write(&corpus.join("structured"), &[&bits, &seed[..]].concat())?;
    }
    Ok(())
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}

/// The Markdown of the examples in a case file. Its signs for what cannot be seen
/// stay as they are, but for tabs.
fn examples(text: &str) -> Vec<Vec<u8>> {
    let fence = "`".repeat(32);
    let parts = text.split(&format!("{fence} example\n")).skip(1);
    parts
        .filter_map(|part| part.split("\n.\n").next())
        .map(|markdown| markdown.replace('→', "\t").into_bytes())
        .collect()
}

/// The inputs of a file of link cases.
fn inputs(text: &str) -> Vec<Vec<u8>> {
    let cases: Vec<serde_json::Value> = serde_json::from_str(text).unwrap_or_default();
    let input = |case: &serde_json::Value| {
        let text = case.get("markdown").or_else(|| case.get("input"))?.as_str()?;
        Some(text.as_bytes().to_vec())
    };
    // Thousands of them are alike.
    cases.iter().step_by(20).filter_map(input).collect()
}

fn write(folder: &Path, seed: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut hasher = DefaultHasher::new();
    seed.hash(&mut hasher);
    fs::write(folder.join(format!("{:016x}", hasher.finish())), seed)
}
