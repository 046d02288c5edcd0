//! Memory is bounded: no output takes more than so many times the source at its peak.
//!
//! | source | at the most |
//! |---|---|
//! | ordinary text, such as our own documents | 4 times the source for every output, with the page |
//! | hostile text, every family | 34 times for `explain` and what is read one by one, 33 for HTML, 38 with a hook for links, 51 for all links, 60 for streams, 56 for findings, 64 with hooks for every element |
//!
//! These are bounds at [`LEN`] bytes. Lists grow by an eighth, so at another length a family may take
//! an eighth more: from 15 kB on, the most that we know are 32 times for `explain` and events, 39 for
//! HTML, 50 for all links, 75 with hooks, 53 for findings, 92 for streams. A short source may take
//! more, since lists that are short double.
//!
//! Hostile text is not held to four times the source, since a leaf and a list are read to their end
//! before they are written. A delimiter of one byte has a mark of 16 bytes and waits for its pair with
//! 12. Two bytes nest a list and an item, which have a record of 16 bytes each, and in a stream
//! another, to take back what the last line did. A link of six bytes may have two findings and a fix,
//! which are some 270 bytes. A hook for tables gets the HTML of one, which may be 48 times the source,
//! and what it writes does not count. A stream keeps the text of a footnote besides the section that
//! it stands in.
//!
//! The source itself does not count, nor what a document of one line takes. Of hostile text, the
//! text that was asked for does not count, but what it has to spare does: a reference to a footnote
//! has four bytes and makes some 280 of the page.
//!
//! A counting allocator tells (`fuzz/counted/src/memory.rs`). Every run takes all families, and prints
//! the most of each output.

use std::fs;

use barelink_spectest::workspace_root;

use super::matrix::families;
use super::{Family, counting};

/// Bytes of each source, at least.
const LEN: usize = 20_000;

/// So many sources are read in one go.
const N_AT_ONCE: usize = 16;

/// Something of most kinds, and short.
const ONE_LINE: &str = "a www.a.bc [a](b) *c*\n";

const PRESETS: [&str; 2] = ["github", "natural"];

/// Ordinary text, and how many times the source every output may take of it, with the text or page
/// that was asked for.
const ORDINARY: [&str; 4] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
const ORDINARY_BOUND: f64 = 4.0;

/// Each output, and how many times the source it may take: a tenth more than the most that a family
/// took.
const BOUNDS: &[(&str, f64, Makes)] = &[
    ("html", 32.0, Makes::Text),
    ("html-all", 33.0, Makes::Text),
    ("written", 30.0, Makes::Page),
    ("events", 34.0, Makes::Parts),
    ("from-events", 30.0, Makes::Text),
    ("links", 31.0, Makes::Parts),
    ("all-links", 51.0, Makes::Parts),
    ("explain", 34.0, Makes::Parts),
    ("near", 37.0, Makes::Parts),
    ("headings", 34.0, Makes::Parts),
    ("bridge", 34.0, Makes::Parts),
    ("hook", 38.0, Makes::Text),
    ("hooks", 64.0, Makes::Text),
    ("plain", 0.1, Makes::Parts),
    ("verdicts", 0.1, Makes::Parts),
    ("linkify", 15.0, Makes::Text),
    ("linkify-text", 5.5, Makes::Text),
    ("text", 34.0, Makes::Text),
    ("stream", 60.0, Makes::Page),
    ("check", 56.0, Makes::Parts),
];

/// What an output makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Makes {
    /// One text, which does not count.
    Text,
    /// The page in parts: as much as that takes does not count.
    Page,
    /// One part after the other, or findings, which do.
    Parts,
}

/// What an output took of a source.
struct Peak {
    /// How many times the source, with the text that was asked for and without.
    times_with_text: f64,
    times: f64,
    bound: f64,
    output: &'static str,
    preset: &'static str,
    name: String,
}

impl Peak {
    fn line(&self) -> String {
        let Self { times, output, preset, name, .. } = self;
        format!("{times:.1} {output} {preset} {name}\n")
    }
}

#[test]
fn memory_is_bounded() {
    let families = families();
    let mut peaks = Vec::new();
    for families in families.chunks(N_AT_ONCE) {
        let named = |family: &Family| (family.name.clone(), source(family));
        peaks.extend(measure("memory-all", families.iter().map(named).collect()));
    }
    let mut worst = String::new();
    for (output, ..) in BOUNDS {
        let of_output = peaks.iter().filter(|peak| peak.output == *output);
        let most = of_output.max_by(|one, two| one.times.total_cmp(&two.times));
        worst.extend(most.map(Peak::line));
    }
    eprintln!("memory of {} families, at the most:\n{worst}", families.len());
    let over: String =
        peaks.iter().filter(|peak| peak.times > peak.bound).map(Peak::line).collect();
    assert!(over.is_empty(), "more memory than it may take:\n{over}");
}

#[test]
fn memory_of_ordinary_text_is_small() {
    let read = |name: &&str| fs::read_to_string(workspace_root().join(name));
    let source: Result<String, _> = ORDINARY.iter().map(read).collect();
    let source = source.expect("our documents are there");
    let peaks = measure("memory-ordinary", vec![("our documents".to_owned(), source)]);
    for peak in peaks {
        let times = peak.times_with_text;
        assert!(times <= ORDINARY_BOUND, "{times:.1} with its text: {}", peak.line());
    }
}

/// What each output takes of each source, which have names.
#[allow(clippy::cast_precision_loss)] // A ratio is judged by two digits.
fn measure(name: &str, named: Vec<(String, String)>) -> Vec<Peak> {
    let (mut names, mut sources) = (vec![String::new()], vec![ONE_LINE.to_owned()]);
    for (name, source) in named {
        names.push(name);
        sources.push(source);
    }
    let outputs: Vec<_> = BOUNDS.iter().map(|(output, ..)| *output).collect();
    let taken = match counting::memory_of_all(name, &outputs, &PRESETS, &sources) {
        Ok(taken) => taken,
        Err(problem) => panic!("{problem}"),
    };
    let n_each = PRESETS.len() * BOUNDS.len();
    let mut peaks = Vec::new();
    for (idx, took) in taken.iter().enumerate().skip(n_each) {
        let (output, bound, kind) = BOUNDS[idx % BOUNDS.len()];
        let preset = PRESETS[idx / BOUNDS.len() % PRESETS.len()];
        let result = match kind {
            Makes::Text => took.len,
            // HTML comes first.
            Makes::Page => taken[idx - idx % BOUNDS.len()].len,
            Makes::Parts => 0,
        };
        // The line was the first.
        let n_taken = took.peak.saturating_sub(taken[idx % n_each].peak);
        let n_bytes = sources[idx / n_each].len() as f64;
        peaks.push(Peak {
            times_with_text: n_taken as f64 / n_bytes,
            times: n_taken.saturating_sub(result) as f64 / n_bytes,
            bound,
            output,
            preset,
            name: names[idx / n_each].clone(),
        });
    }
    peaks
}

fn source(family: &Family) -> String {
    let mut n = 16;
    loop {
        let source = (family.make)(n);
        if source.len() >= LEN {
            return source;
        }
        // By its length so far, and a little more.
        n = (n * LEN / source.len().max(1)).max(n + n / 8) + 1;
    }
}
