//! `cargo xtask corpora`: documents to measure on, made from a fixed seed.
//!
//! Real text cannot be redistributed, so the benchmark also has its own: each corpus imitates one
//! kind of document, is the same on every machine, and can have any size. The words mean nothing;
//! only lengths, marks and their density matter.
//!
//! | file | what it imitates |
//! |---|---|
//! | `made-prose.md` | a book: wrapped paragraphs, few marks |
//! | … | [`CORPORA`] has one sentence for each |
//!
//! They are written once, to `corpora` in the target folder, and again when the generator or the
//! requested size changes.

mod blocks;
mod random;
mod text;
mod words;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use self::random::Random;

/// The default size of a corpus, in bytes.
const DEFAULT_SIZE: usize = 1_000_000;

/// The hash of all corpora, each at [`SAMPLE_SIZE`], which identifies the state of the generator. A
/// test compares it with the actual hash.
const FINGERPRINT: u64 = 0x9412_0921_8cc2_3cae;

/// Bytes of a corpus in [`FINGERPRINT`].
#[cfg(test)]
const SAMPLE_SIZE: usize = 1 << 16;

/// A kind of document.
pub(crate) struct Corpus {
    pub(crate) name: &'static str,
    /// `md`, or `jsonl` with a message as a JSON string on each line.
    pub(crate) extension: &'static str,
    pub(crate) imitates: &'static str,
    push: fn(&mut Random, &mut String),
}

/// All corpora. `push` appends one section; a corpus has as many sections as its size requires.
pub(crate) const CORPORA: &[Corpus] = &[
    Corpus {
        name: "prose",
        extension: "md",
        imitates: "a novel or a manual: wrapped paragraphs with a mark now and then",
        push: blocks::push_prose,
    },
    Corpus {
        name: "link-lists",
        extension: "md",
        imitates: "an \"awesome\" list: a bullet, an inline link and half a sentence a line",
        push: blocks::push_link_list,
    },
    Corpus {
        name: "bare-links",
        extension: "md",
        imitates: "release notes and mails: URLs, www. names and addresses that nobody marked up",
        push: blocks::push_bare_links,
    },
    Corpus {
        name: "tables",
        extension: "md",
        imitates: "an API reference: pipe tables with code, links and alignment",
        push: blocks::push_table,
    },
    Corpus {
        name: "nested-lists",
        extension: "md",
        imitates: "meeting notes: bullets, numbers and tasks up to six levels deep, tight and loose",
        push: blocks::push_nested_list,
    },
    Corpus {
        name: "cjk",
        extension: "md",
        imitates: "Chinese documentation: three-byte characters, fullwidth punctuation, code in between",
        push: blocks::push_cjk,
    },
    Corpus {
        name: "code",
        extension: "md",
        imitates: "a tutorial: fenced and indented code, full of what HTML must escape",
        push: blocks::push_code,
    },
    Corpus {
        name: "references",
        extension: "md",
        imitates: "a changelog: reference links everywhere, and a definition for every few of them",
        push: blocks::push_references,
    },
    Corpus {
        name: "chat",
        extension: "jsonl",
        imitates: "chat: messages of about 200 bytes, some with a link, code or a quotation",
        push: blocks::push_message,
    },
];

impl Corpus {
    /// The corpus of at least `size` bytes.
    pub(crate) fn make(&self, size: usize) -> String {
        // Each has its own random stream, so that one can change without the others.
        let mut random = Random::new(hash(self.name.as_bytes()));
        let mut out = String::with_capacity(size + size / 8);
        while out.len() < size {
            (self.push)(&mut random, &mut out);
        }
        out
    }

    fn file_name(&self) -> String {
        format!("made-{}.{}", self.name, self.extension)
    }
}

/// Write the documents that the benchmark always has
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Bytes of each, in millions
    #[arg(long, value_name = "MB", default_value_t = 1)]
    megabytes: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let folder = write(args.megabytes * 1_000_000)?;
    let mut listing = format!("{}\n", folder.display());
    for corpus in CORPORA {
        let _ = writeln!(listing, "  {:<22} {}", corpus.file_name(), corpus.imitates);
    }
    print(&listing);
    Ok(())
}

/// The folder with all corpora, which are written if they are missing or of another generator.
/// Their size is the one last requested.
pub(crate) fn ensure() -> anyhow::Result<PathBuf> {
    let folder = folder();
    let stamped = std::fs::read_to_string(folder.join("stamp")).unwrap_or_default();
    if stamped.starts_with(&format!("{FINGERPRINT:016x} ")) {
        return Ok(folder);
    }
    write(DEFAULT_SIZE)
}

fn write(size: usize) -> anyhow::Result<PathBuf> {
    let folder = folder();
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    for corpus in CORPORA {
        let path = folder.join(corpus.file_name());
        std::fs::write(&path, corpus.make(size))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    // Written last, so that an interrupted run is repeated.
    std::fs::write(folder.join("stamp"), format!("{FINGERPRINT:016x} {size}\n"))?;
    Ok(folder)
}

fn folder() -> PathBuf {
    target_folder().join("corpora")
}

/// The target folder of this workspace.
pub(crate) fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The root of this workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace")
}

/// [`FINGERPRINT`] as text, for records that depend on the inputs.
pub(crate) fn fingerprint() -> String {
    format!("{FINGERPRINT:016x}")
}

#[expect(clippy::print_stdout, reason = "a listing is what was asked for")]
fn print(text: &str) {
    print!("{text}");
}

/// FNV-1a: good enough to distinguish texts, and the same everywhere.
fn hash(bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    bytes.iter().fold(start, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::{CORPORA, FINGERPRINT, SAMPLE_SIZE, hash};

    fn sample(name: &str) -> String {
        let corpus = CORPORA.iter().find(|corpus| corpus.name == name).expect("a corpus");
        corpus.make(SAMPLE_SIZE)
    }

    fn n_of(text: &str, needle: &str) -> usize {
        text.matches(needle).count()
    }

    fn n_lines(text: &str, is_counted: impl Fn(&str) -> bool) -> usize {
        text.lines().filter(|line| is_counted(line)).count()
    }

    #[test]
    fn the_same_everywhere() {
        let all: String = CORPORA.iter().map(|corpus| corpus.make(SAMPLE_SIZE)).collect();
        let found = hash(all.as_bytes());
        assert_eq!(found, FINGERPRINT, "if meant, set FINGERPRINT to {found:#x}");
    }

    #[test]
    fn a_longer_one_begins_like_a_shorter_one() {
        for corpus in CORPORA {
            let short = corpus.make(SAMPLE_SIZE / 4);
            let long = corpus.make(SAMPLE_SIZE / 2);
            assert!(long.starts_with(&short), "{}", corpus.name);
            assert!((SAMPLE_SIZE / 2..SAMPLE_SIZE).contains(&long.len()), "{}", corpus.name);
        }
    }

    #[test]
    fn documents_have_sections() {
        for corpus in CORPORA.iter().filter(|corpus| corpus.extension == "md") {
            let text = corpus.make(SAMPLE_SIZE);
            assert!(n_of(&text, "\n## ") > 5, "{}", corpus.name);
        }
    }

    #[test]
    fn prose_has_few_marks() {
        let prose = sample("prose");
        let n_marks = prose.bytes().filter(|byte| b"*_`[]<>&".contains(byte)).count();
        assert!((20..prose.len() / 100).contains(&n_marks), "{n_marks}");
        assert!(prose.lines().all(|line| line.len() <= 90));
        assert_eq!(n_of(&prose, "://"), 0);
    }

    #[test]
    fn links_are_inline_or_bare() {
        let lists = sample("link-lists");
        assert!(n_of(&lists, "](https://") > lists.len() / 200);
        assert_eq!(n_of(&lists, "](https://"), n_of(&lists, "://"));
        let bare = sample("bare-links");
        assert!(n_of(&bare, "://") > bare.len() / 250);
        assert!(n_of(&bare, " www.") > 20);
        assert!(n_of(&bare, "@") > 20);
        assert_eq!(n_of(&bare, "]("), 0);
    }

    #[test]
    fn tables_are_tables() {
        let text = sample("tables");
        assert!(n_lines(&text, |line| line.starts_with("| ")) > 500);
        assert!(n_lines(&text, |line| line.starts_with("|:--") || line.starts_with("|---")) > 20);
    }

    #[test]
    fn lists_are_deep() {
        let text = sample("nested-lists");
        let depths = text.lines().map(|line| line.len() - line.trim_start().len());
        assert!(depths.max() >= Some(10));
        assert!(n_of(&text, "- [x] ") > 20);
        assert!(n_lines(&text, |line| line.trim_start().starts_with("1. ")) > 10);
    }

    #[test]
    fn cjk_is_mostly_of_three_bytes() {
        let text = sample("cjk");
        assert!(text.chars().count() * 2 < text.len());
        assert!(n_of(&text, "。") > 200);
    }

    #[test]
    fn code_needs_escapes() {
        let text = sample("code");
        assert!(n_lines(&text, |line| line.starts_with("```")) > 60);
        assert!(n_lines(&text, |line| line.starts_with("    ")) > 300);
        assert!(text.bytes().filter(|byte| b"<>&\"".contains(byte)).count() > text.len() / 100);
    }

    #[test]
    fn references_have_definitions() {
        let corpus = CORPORA.iter().find(|corpus| corpus.name == "references").expect("a corpus");
        let text = corpus.make(1_000_000);
        let n_definitions = n_lines(&text, |line| line.starts_with('[') && line.contains("]: "));
        assert!(n_definitions > 4000, "{n_definitions}");
        assert!(n_of(&text, "][") > n_definitions);
        let mut labels: Vec<_> = text
            .lines()
            .filter(|line| line.starts_with('['))
            .filter_map(|line| line.split_once("]: "))
            .map(|(label, _)| label)
            .collect();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!(labels.len(), n_definitions, "each label is defined once");
    }

    #[test]
    fn messages_are_json_strings_of_a_comments_length() {
        let text = sample("chat");
        assert!(text.lines().all(|line| line.starts_with('"') && line.ends_with('"')));
        let mean = text.len() / n_lines(&text, |_| true);
        assert!((150..250).contains(&mean), "{mean}");
        assert!(n_lines(&text, |line| line.contains("://")) * 100 / n_lines(&text, |_| true) > 10);
    }
}
