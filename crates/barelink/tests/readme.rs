//! What the documents of this repository show: the example is compiled and run here,
//! word for word, links lead to files that are there, and speed is that of the record.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace").to_owned()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The example, between the braces as it stands in the README.
#[expect(clippy::print_stdout, reason = "it is an example")]
fn example() -> Result<String, barelink::SourceTooLong> {
    use barelink::{Options, Parser};

    let html = barelink::to_html("Visit www.commonmark.org/help.", &Options::gfm())?;

    let mut parser = Parser::new(Options::natural()); // keeps its memory from text to text
    let document = parser.parse("見て：https://example.com/docs（日本語）。")?;
    for link in document.links() {
        println!("{} at {:?}", link.destination, link.span); // https://example.com/docs
    }

    Ok(html)
}

#[test]
fn the_example_is_this_one_and_runs() {
    let readme = read("README.md");
    let (_, after) = readme.split_once("```rust\n").expect("the README has an example");
    let (code, _) = after.split_once("```\n").expect("it ends");
    let indent = |line: &str| if line.is_empty() { line.to_owned() } else { format!("    {line}") };
    let lines: Vec<String> = code.lines().map(indent).collect();
    assert!(include_str!("readme.rs").contains(&lines.join("\n")), "another example:\n{code}");
    let link = "<a href=\"http://www.commonmark.org/help\">www.commonmark.org/help</a>";
    assert_eq!(example(), Ok(format!("<p>Visit {link}.</p>\n")));
}

const DOCUMENTS: [&str; 12] = [
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "DIALECTS.md",
    "SECURITY.md",
    "benches/README.md",
    "docs/check.md",
    "docs/comment-box.md",
    "docs/mdbook.md",
    "docs/replacing-linkify.md",
    "fuzz/README.md",
];

#[test]
fn links_lead_to_files() {
    let mut parser = barelink::Parser::new(barelink::Options::github());
    let mut n_checked = 0;
    for path in DOCUMENTS {
        let text = read(path);
        for link in parser.parse(&text).expect("a short text").links() {
            let target = link.destination.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains(':') {
                continue;
            }
            let folder = root().join(path).with_file_name("");
            assert!(folder.join(target).exists(), "{path} links to {target}");
            n_checked += 1;
        }
    }
    assert!(n_checked > 0);
}

/// The folder of the newest record.
fn newest_record() -> String {
    let listed = std::fs::read_dir(root().join("benches/record")).expect("there are records");
    let names = listed.map(|entry| entry.expect("it can be read").file_name());
    names.max().expect("there is one").into_string().expect("a date")
}

#[test]
fn the_newest_record_is_shown() {
    let newest = newest_record();
    let readme = read("README.md");
    assert!(readme.contains(&format!("](benches/record/{newest}/gfm.svg)")), "{newest}");
    assert!(readme.contains(&format!("](benches/record/{newest}/table.md)")), "{newest}");
}

/// The table "Barelink is faster by" of a section of the record: its peers, and for each
/// real corpus how many times.
fn ratios(record: &str, section: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let (_, after) = record.split_once(section).expect("the section is there");
    let (_, after) = after.split_once("| Barelink is faster by").expect("the table is there");
    let mut lines = after.lines();
    let peers = cells(lines.next().expect("a header")).split_off(1);
    let rows = lines.skip(1).take_while(|line| line.starts_with('|')).map(cells);
    let real = rows.filter(|row| !row[0].starts_with("made-"));
    let numbers = real.map(|row| row[1..].iter().map_while(|cell| cell.parse().ok()).collect());
    (peers, numbers.collect())
}

/// From which to which number of times Barelink is faster than a peer.
fn span_of(record: &str, section: &str, peer: &str) -> String {
    let (peers, rows) = ratios(record, section);
    let idx = peers.iter().position(|name| name == peer).expect("the peer is there");
    assert_eq!(rows.len(), 7, "the README says six documents, one of them twice");
    let least = rows.iter().map(|row| row[idx]).fold(f64::MAX, f64::min);
    let most = rows.iter().map(|row| row[idx]).fold(0.0, f64::max);
    format!("{least:.1} to {most:.1}")
}

#[test]
fn speed_is_that_of_the_record() {
    let record = read(&format!("benches/record/{}/table.md", newest_record()));
    let readme = read("README.md");
    let versions = record.lines().find(|line| line.starts_with("barelink ")).expect("versions");
    for peer in ["ferromark", "md4c", "comrak", "cmark-gfm"] {
        let named = versions.split(", ").find(|name| name.starts_with(&format!("{peer} ")));
        let named = named.expect("its version is there");
        let times = span_of(&record, "## HTML, gfm, whole documents", peer);
        let row = format!("\n| {named} | {times} |\n");
        assert!(readme.contains(&row), "the record says {row}");
    }
    let times = span_of(&record, "## HTML, commonmark, whole documents", "pulldown-cmark");
    let words = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = format!("On CommonMark alone, Barelink is {times} times as fast.");
    assert!(words.contains(&sentence), "the record says {times}");
}

#[test]
fn the_version_to_install_is_this_one() {
    let (minor, _) = env!("CARGO_PKG_VERSION").rsplit_once('.').expect("three numbers");
    for path in ["README.md", "crates/barelink/README.md"] {
        assert!(read(path).contains(&format!("\nbarelink = \"{minor}\"\n")), "{path}");
    }
}
