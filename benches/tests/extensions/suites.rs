//! The suites that come with comrak's sources, as cargo keeps them: read, and never copied.

use std::path::{Path, PathBuf};

use barelink::Options;

use super::extension::like_comrak;
use super::{canonical, ours};

/// A suite, and the examples of it that we answer otherwise, by number.
struct Suite {
    file: &'static str,
    ours: fn(&mut Options),
    known: &'static [usize],
}

const SUITES: &[Suite] = &[
    Suite { file: "math_dollars.md", ours: math, known: &[] },
    // The sixth is about `$$` where only `` $` `` is on.
    Suite { file: "math_code.md", ours: math, known: &[6] },
    Suite { file: "wikilinks_title_after_pipe.md", ours: wiki_links, known: &[] },
];

fn math(options: &mut Options) {
    like_comrak(options);
    options.math = true;
}

fn wiki_links(options: &mut Options) {
    like_comrak(options);
    options.wiki_links = true;
}

/// Where cargo keeps the sources of the comrak that the lock file names.
fn comrak_sources() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))?;
    let registries = std::fs::read_dir(home.join("registry/src")).ok()?;
    let packages = registries.flatten().filter_map(|it| std::fs::read_dir(it.path()).ok());
    let mut packages = packages.flat_map(Iterator::flatten);
    let is_comrak = |path: &Path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("comrak-0.59."))
    };
    packages.find_map(|it| is_comrak(&it.path()).then(|| it.path()))
}

/// The examples of a file: Markdown and HTML.
fn examples(text: &str) -> Vec<(String, String)> {
    let fence = "`".repeat(32);
    let mut examples = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once(&format!("{fence} example")) {
        let Some((flags, after)) = after.split_once('\n') else { break };
        let Some((example, after)) = after.split_once(&fence) else { break };
        rest = after;
        if flags.contains("disabled") {
            continue;
        }
        // An empty side has no line of its own.
        let whole = format!("\n{example}");
        if let Some((markdown, html)) = whole.split_once("\n.\n") {
            examples.push((format!("{}\n", markdown.trim_start_matches('\n')), html.to_owned()));
        }
    }
    examples
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that was skipped says so")]
fn suites_of_comrak_pass() {
    let Some(folder) = comrak_sources() else {
        assert!(std::env::var_os("CI").is_none(), "comrak's sources are not where cargo puts them");
        return eprintln!("skipped: comrak's sources are not where cargo puts them");
    };
    for suite in SUITES {
        let text = std::fs::read_to_string(folder.join("src/tests/fixtures").join(suite.file));
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", suite.file));
        let examples = examples(&text);
        assert!(examples.len() > 5, "{} has {} examples", suite.file, examples.len());
        for (idx, (markdown, html)) in examples.iter().enumerate() {
            let is_same = canonical(&ours(markdown, suite.ours)) == canonical(html);
            let is_known = suite.known.contains(&(idx + 1));
            assert!(
                is_same != is_known,
                "example {} of {}: {markdown:?} is {:?}, and theirs {html:?}",
                idx + 1,
                suite.file,
                ours(markdown, suite.ours),
            );
        }
    }
}
