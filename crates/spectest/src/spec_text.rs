//! The text files that third-party suites are written in: specifications and
//! tests of CommonMark, cmark-gfm and MD4C.
//!
//! They are prose with headings and, among it, examples, as in our own
//! [case files](crate::case_file), but for this:
//!
//! - After ` example` may stand extensions of cmark-gfm to run with, `disabled`,
//!   or MD4C's `[no-normalize]`.
//! - The third section holds options of MD4C's command.
//! - A fence may be indented, and `→` is the only sign.
//!
//! Those of pulldown-cmark are tests in Rust: see [`parse_tests`].
//!
//! Examples are numbered from 1 through the file, disabled ones too.

use crate::case_file::FENCE;
use crate::suite::Example;

/// The examples of a file.
///
/// # Errors
/// A message with the line of an example that has no output or is not closed.
///
/// ```
/// use barelink_spectest::spec_text::parse;
/// let fence = "`".repeat(32);
/// let text = format!("# Links\n\n{fence} example autolink\n→www.a.bc\n.\n<p>\n{fence}\n");
/// let examples = parse(&text)?;
/// assert_eq!(examples[0].section, "Links");
/// assert_eq!(examples[0].markdown, "\twww.a.bc\n");
/// assert_eq!(examples[0].extensions, ["autolink"]);
/// # Ok::<(), String>(())
/// ```
pub fn parse(text: &str) -> Result<Vec<Example>, String> {
    let mut examples = Vec::new();
    let mut section = "";
    let mut lines = text.split_inclusive('\n').enumerate();
    while let Some((line_idx, line)) = lines.next() {
        if let Some(heading) = heading(line) {
            section = heading;
        }
        let info = line.trim().strip_prefix(FENCE).and_then(|info| info.strip_prefix(" example"));
        let Some(info) = info else { continue };
        let complaint = |what| format!("the example in line {} {what}", line_idx + 1);
        let sections = take_sections(lines.by_ref().map(|(_, line)| line));
        let sections = sections.ok_or_else(|| complaint("is not closed"))?;
        let [markdown, html, flags @ ..] = sections.as_slice() else {
            return Err(complaint("has no output"));
        };
        let words = info.split_whitespace();
        let is_extension = |word: &&str| !["disabled", "[no-normalize]"].contains(word);
        examples.push(Example {
            number: examples.len() as u32 + 1,
            section: section.to_owned(),
            markdown: markdown.replace('→', "\t"),
            html: html.replace('→', "\t"),
            flags: flags
                .iter()
                .flat_map(|part| part.split_whitespace())
                .map(String::from)
                .collect(),
            extensions: words.clone().filter(is_extension).map(String::from).collect(),
            disabled: words.clone().any(|word| word == "disabled"),
            no_normalize: words.clone().any(|word| word == "[no-normalize]"),
        });
    }
    Ok(examples)
}

/// The examples of a file of generated tests in Rust, as pulldown-cmark's package has them:
/// functions that name two raw strings `original` and `expected`.
///
/// # Errors
/// A message with the number of an example that has no output.
///
/// ```
/// use barelink_spectest::spec_text::parse_tests;
/// let text = "fn a() { let original = r##\"a\n\"##; let expected = r##\"<p>a</p>\n\"##; }";
/// let examples = parse_tests(text)?;
/// assert_eq!((&*examples[0].markdown, &*examples[0].html), ("a\n", "<p>a</p>\n"));
/// # Ok::<(), String>(())
/// ```
pub fn parse_tests(text: &str) -> Result<Vec<Example>, String> {
    let mut examples = Vec::new();
    for (number, test) in (1..).zip(text.split("let original = r##\"").skip(1)) {
        let parts = test.split_once("\"##;").and_then(|(markdown, rest)| {
            let (_, html) = rest.split_once("let expected = r##\"")?;
            Some((markdown, html.split_once("\"##;")?.0))
        });
        let (markdown, html) = parts.ok_or_else(|| format!("example {number} has no output"))?;
        examples.push(Example {
            number,
            section: "tests".to_owned(),
            markdown: markdown.to_owned(),
            html: html.to_owned(),
            flags: Vec::new(),
            extensions: Vec::new(),
            disabled: false,
            no_normalize: false,
        });
    }
    Ok(examples)
}

/// The sections of an example, from behind its first line to the fence that closes
/// it; `None` without one.
fn take_sections<'t>(lines: impl Iterator<Item = &'t str>) -> Option<Vec<String>> {
    let mut sections = Vec::new();
    let mut section = String::new();
    for line in lines {
        match line.trim() {
            FENCE => {
                sections.push(section);
                return Some(sections);
            }
            "." => sections.push(std::mem::take(&mut section)),
            _ => section.push_str(line),
        }
    }
    None
}

/// The text of a heading, `## Like this`.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    (text.len() < line.len() && text.starts_with(' ')).then(|| text.trim())
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_tests};
    use crate::case_file::FENCE;

    fn file(body: &str) -> String {
        body.replace("FENCE", FENCE)
    }

    #[test]
    fn reads_what_follows_the_fence_and_the_output() {
        let text = file(
            "#no heading\n# One, *two*\nFENCE example disabled\na\n.\nFENCE\n\
             ## [Issue](x)\n FENCE example [no-normalize]\n# b\n\n.\n<p>\n.\n--fx\n--fy --fz\n FENCE\n\
             FENCE example table footnotes\n.\n<p>→</p>\nFENCE\n",
        );
        let examples = parse(&text).expect("well-formed");
        let numbers: Vec<u32> = examples.iter().map(|example| example.number).collect();
        assert_eq!(numbers, [1, 2, 3]);
        assert_eq!(examples[0].section, "One, *two*");
        assert!(examples[0].disabled && !examples[0].no_normalize);
        assert!(examples[0].extensions.is_empty());
        assert_eq!((&*examples[0].markdown, &*examples[0].html), ("a\n", ""));
        assert_eq!(examples[1].section, "[Issue](x)");
        assert_eq!(examples[1].markdown, "# b\n\n");
        assert_eq!(examples[1].flags, ["--fx", "--fy", "--fz"]);
        assert!(examples[1].no_normalize && !examples[1].disabled);
        assert_eq!(examples[2].section, "[Issue](x)");
        assert_eq!(examples[2].extensions, ["table", "footnotes"]);
        assert_eq!((&*examples[2].markdown, &*examples[2].html), ("", "<p>\t</p>\n"));
    }

    #[test]
    fn a_test_without_output_is_refused() {
        let text =
            "let original = r##\"a\"##;\nlet original = r##\"b\"##; let expected = r##\"c\"##;";
        assert_eq!(parse_tests(text), Err("example 1 has no output".to_owned()));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let unclosed = parse(&file("\nFENCE example\na\n.\nb\n"));
        assert_eq!(unclosed, Err("the example in line 2 is not closed".to_owned()));
        let silent = parse(&file("FENCE example\na\nFENCE\n"));
        assert_eq!(silent, Err("the example in line 1 has no output".to_owned()));
    }
}
