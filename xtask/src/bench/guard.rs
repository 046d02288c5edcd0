//! `cargo xtask guard`: detects steps that have become more expensive.
//!
//! A small program with Barelink and no peer runs under callgrind, once for each step (a kind of
//! document, a preset, HTML or events), and the step's number of instructions is compared with
//! `benches/guard.toml`. Counts do not depend on the load of the machine. More than
//! [`TOLERANCE_PERCENT`] above the record fails; `--update` writes a new record.
//!
//! Counts depend on the compiler, and on the processor that callgrind simulates: one model with
//! AVX2, and one without. The record names both; if they differ, nothing is compared and a line
//! says so. With `CI` set, a different compiler fails, so that the guard is not disabled unnoticed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::corpora::{self, CORPORA};

/// The tolerated excess of a step over the record.
const TOLERANCE_PERCENT: u64 = 5;

/// Bytes of each input: enough for an average, and fast to run.
const INPUT_SIZE: usize = 1 << 15;

/// The condition that a machine cannot help.
const PROCESSOR: &str = "processor";

/// What the name of a corpus ends with if its lines are to end in CRLF.
const CRLF: &str = "-crlf";

/// A step to count: a corpus, the kind of output, and a preset.
const STEPS: &[(&str, &str, &str)] = &[
    ("prose", "html", "commonmark"),
    ("prose", "events", "commonmark"),
    ("prose-crlf", "html", "commonmark"),
    ("code-crlf", "html", "commonmark"),
    ("prose-crlf", "events", "commonmark"),
    ("code", "events", "commonmark"),
    ("code-crlf", "events", "commonmark"),
    ("prose-crlf", "document", "commonmark"),
    ("link-lists", "html", "commonmark"),
    ("nested-lists", "html", "commonmark"),
    ("cjk", "html", "commonmark"),
    ("code", "html", "commonmark"),
    ("references", "html", "commonmark"),
    ("chat", "html", "commonmark"),
    ("prose", "html", "gfm"),
    ("bare-links", "html", "gfm"),
    ("tables", "html", "gfm"),
    ("bare-links", "links", "gfm"),
    ("prose", "stream-20", "gfm"),
    ("prose", "stream-200", "gfm"),
    ("nested-lists", "stream-50", "gfm"),
    ("tables", "stream-50", "gfm"),
];

/// Count instructions and hold them against the record
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write the counts as the new record
    #[arg(long)]
    update: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if !has_valgrind() {
        if std::env::var_os("CI").is_some() {
            bail!("valgrind is not installed");
        }
        say("guard: skipped, valgrind is not installed (apt-get install valgrind)");
        return Ok(());
    }
    let path = corpora::root().join("benches/guard.toml");
    let conditions = conditions()?;
    let recorded = if args.update {
        Record::default()
    } else {
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        Record::parse(&text)
    };
    if !args.update {
        let differences = recorded.differences(&conditions);
        // Which processor the machine has is nobody's fault; the others are in our hands.
        let ours = differences.iter().find(|(name, _)| *name != PROCESSOR);
        if let (Some((_, difference)), true) = (ours, std::env::var_os("CI").is_some()) {
            bail!(
                "nothing was compared: {difference}; use what the record was made with, \
                 or make a new one by `cargo xtask guard --update`"
            );
        }
        if let Some((_, difference)) = differences.first() {
            say(&format!("guard: not compared, {difference}"));
            return Ok(());
        }
    }
    let counts = count()?;
    if args.update {
        let record = Record { conditions, counts };
        std::fs::write(&path, record.to_toml())?;
        say(&format!("guard: {} steps recorded", record.counts.len()));
        return Ok(());
    }
    let (report, is_dearer) = compare(&recorded.counts, &counts);
    say(&report);
    if is_dearer {
        bail!("the guard does not hold; if it is meant, `cargo xtask guard --update`");
    }
    Ok(())
}

/// The recorded counts and what they depend on.
#[derive(Default)]
struct Record {
    conditions: BTreeMap<String, String>,
    counts: BTreeMap<String, u64>,
}

impl Record {
    /// Reads lines of `name = value`; numbers are counts, texts are conditions.
    fn parse(text: &str) -> Self {
        let mut record = Self::default();
        for (name, value) in text.lines().filter_map(|line| line.split_once(" = ")) {
            let name = name.trim_matches('"').to_owned();
            if let Ok(count) = value.replace('_', "").parse() {
                record.counts.insert(name, count);
            } else {
                record.conditions.insert(name, value.trim_matches('"').to_owned());
            }
        }
        record
    }

    fn to_toml(&self) -> String {
        let mut text = String::from(
            "# Instructions for each step, written by `cargo xtask guard --update`.\n\n\
             [conditions]\n",
        );
        for (name, value) in &self.conditions {
            let _ = writeln!(text, "{name} = \"{value}\"");
        }
        text.push_str("\n[instructions]\n");
        for (name, count) in &self.counts {
            let _ = writeln!(text, "{name} = {count}");
        }
        text
    }

    /// The conditions that are others now: their names, and what to say about each.
    fn differences<'a>(&self, now: &'a BTreeMap<String, String>) -> Vec<(&'a str, String)> {
        let difference = |(name, value): (&'a String, &String)| {
            let recorded = self.conditions.get(name).map_or("nothing", String::as_str);
            let said = || format!("the record was made with {name} {recorded}, this is {value}");
            (recorded != value).then(|| (name.as_str(), said()))
        };
        now.iter().filter_map(difference).collect()
    }
}

fn conditions() -> anyhow::Result<BTreeMap<String, String>> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let printed = Command::new(rustc).arg("--version").output().context("cannot start rustc")?;
    let version = String::from_utf8_lossy(&printed.stdout);
    let version = version.split_whitespace().nth(1).unwrap_or("unknown");
    Ok([
        ("rustc", version.to_owned()),
        (PROCESSOR, processor()),
        ("inputs", corpora::fingerprint()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into())
}

/// The architecture, and the features that callgrind reports to programs.
fn processor() -> String {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return "x86_64 with avx2".to_owned();
    }
    std::env::consts::ARCH.to_owned()
}

fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok()
}

/// The numbers of instructions of all steps that this version of Barelink supports.
fn count() -> anyhow::Result<BTreeMap<String, u64>> {
    let programs = super::build("barelink-guard")?;
    let folder = corpora::target_folder().join("guard");
    std::fs::create_dir_all(&folder)?;
    let mut counts = BTreeMap::new();
    for &(name, what, preset) in STEPS {
        let input = write_input(&folder, name)?;
        let is_stream = what.starts_with("stream");
        let program = programs.join(if is_stream { "guard-stream" } else { "guard" });
        if let Some(count) = count_step(&program, &input, what, preset)? {
            counts.insert(format!("{what}-{preset}-{name}"), count);
        }
    }
    Ok(counts)
}

fn write_input(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let made_from = name.strip_suffix(CRLF).unwrap_or(name);
    let corpus = CORPORA.iter().find(|corpus| corpus.name == made_from);
    let corpus = corpus.with_context(|| format!("no corpus {name}"))?;
    let path = folder.join(format!("{name}.{}", corpus.extension));
    let mut text = corpus.make(INPUT_SIZE);
    if name != made_from {
        text = text.replace('\n', "\r\n");
    }
    std::fs::write(&path, text)?;
    Ok(path)
}

/// `None` if there is no such preset yet, which the program reports by its exit status.
fn count_step(
    program: &Path,
    input: &Path,
    what: &str,
    preset: &str,
) -> anyhow::Result<Option<u64>> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(["--collect-atstart=no", "--toggle-collect=*counted_step*"])
        .arg(program)
        .args([what, preset])
        .arg(input)
        .output()
        .context("cannot start valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(NO_SUCH_PRESET) {
        return Ok(None);
    }
    let count = said
        .lines()
        .find_map(|line| line.split_once("Collected : "))
        .and_then(|(_, count)| count.trim().parse().ok())
        .filter(|&count: &u64| count > 0);
    if !output.status.success() || count.is_none() {
        bail!("{what} {preset} {}: nothing counted\n{said}", input.display());
    }
    Ok(count)
}

/// The exit status of the counted program if it has no such preset.
const NO_SUCH_PRESET: i32 = 3;

/// A line for each step, and whether one costs too much or has no record.
fn compare(recorded: &BTreeMap<String, u64>, counts: &BTreeMap<String, u64>) -> (String, bool) {
    let mut report = String::new();
    let mut is_dearer = false;
    for (name, &count) in counts {
        let Some(&before) = recorded.get(name) else {
            is_dearer = true;
            let _ = writeln!(report, "guard: {name:<32} {count:>10}  not recorded");
            continue;
        };
        let is_over = count * 100 > before * (100 + TOLERANCE_PERCENT);
        is_dearer |= is_over;
        let change = percent_over(before, count);
        let note = if is_over {
            "  TOO MUCH"
        } else if count * 100 < before * (100 - TOLERANCE_PERCENT) {
            "  worth recording"
        } else {
            ""
        };
        let _ = writeln!(report, "guard: {name:<32} {count:>10} {change:>+7.1}%{note}");
    }
    for name in recorded.keys().filter(|name| !counts.contains_key(*name)) {
        is_dearer = true;
        let _ = writeln!(report, "guard: {name:<32} recorded, and counted no more");
    }
    (report.trim_end().to_owned(), is_dearer)
}

/// The increase from `before` to `count`, in percent.
fn percent_over(before: u64, count: u64) -> f64 {
    // Counts of small inputs fit in 32 bits, or the tenth of a percent is moot.
    let exact = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    (exact(count) / exact(before) - 1.0) * 100.0
}

#[expect(clippy::print_stdout, reason = "a report is what was asked for")]
fn say(line: &str) {
    println!("{line}");
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Record, compare};

    fn counts(count: u64) -> BTreeMap<String, u64> {
        [("html-gfm-prose".to_owned(), count)].into()
    }

    #[test]
    fn five_percent_pass_and_more_does_not() {
        assert!(!compare(&counts(1000), &counts(1050)).1);
        assert!(compare(&counts(1000), &counts(1051)).1);
        assert!(!compare(&counts(1000), &counts(10)).1);
    }

    #[test]
    fn steps_come_and_go_on_purpose() {
        assert!(compare(&BTreeMap::new(), &counts(1)).1);
        assert!(compare(&counts(1), &BTreeMap::new()).1);
    }

    #[test]
    fn a_record_can_be_read_again() {
        let conditions = BTreeMap::from([("rustc".to_owned(), "1.2.3".to_owned())]);
        let record = Record { conditions: conditions.clone(), counts: counts(12) };
        let again = Record::parse(&record.to_toml());
        assert_eq!(again.counts, record.counts);
        assert!(again.differences(&conditions).is_empty());
        let others = ["processor", "rustc"].map(|name| (name.to_owned(), "1.2.4".to_owned()));
        // Each is told, so that another processor does not hide another compiler.
        let others = BTreeMap::from(others);
        let names: Vec<_> = again.differences(&others).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["processor", "rustc"]);
    }
}
