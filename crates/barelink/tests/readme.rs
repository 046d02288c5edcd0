//! What the documents of this repository show: the example is compiled and run here,
//! word for word, and links lead to files that are there.

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

#[test]
fn links_lead_to_files() {
    let mut parser = barelink::Parser::new(barelink::Options::github());
    let mut n_checked = 0;
    for path in
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "DIALECTS.md", "benches/README.md"]
    {
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

#[test]
fn the_newest_record_is_shown() {
    let listed = std::fs::read_dir(root().join("benches/record")).expect("there are records");
    let names = listed.map(|entry| entry.expect("it can be read").file_name());
    let newest = names.max().expect("there is one").into_string().expect("a date");
    let readme = read("README.md");
    assert!(readme.contains(&format!("](benches/record/{newest}/gfm.svg)")), "{newest}");
}
