//! Our own cases: `testdata/**/*.txt`, in the fenced form that CommonMark's
//! specification uses for its examples.
//!
//! A file is prose with headings and, among it, examples:
//!
//! ```text
//! ## Tight and loose
//!
//! Why this is so, in a sentence.
//!
//! (32 backticks) example
//! - the Markdown
//! .
//! <ul>the HTML</ul>
//! .
//! --unsafe
//! (32 backticks)
//! ```
//!
//! The second section is the expected output, byte for byte. A third one is
//! optional and holds flags of the `barelink` command, separated by white space.
//! Every line of the first two ends with a line feed. What a text file cannot
//! show or cannot keep is written with a sign, in both sections:
//!
//! | sign | stands for |
//! |---|---|
//! | `→` | a tab |
//! | `␠` | a space, for the end of a line |
//! | `␍` | a carriage return |
//! | `␀` | the character NUL |
//! | `␄` | nothing, and the line feed after it does not count |
//! | `‹FEFF›` | the character with this hexadecimal number |
//!
//! So `a␍` is a line that ends with CR LF, `a␍b` are two lines with a lone CR
//! between them, and `a␄` as the last line has no line end at all.

use std::path::{Path, PathBuf};

/// The run of backticks that opens and closes an example.
pub(crate) const FENCE: &str = "````````````````````````````````";

/// One example of a case file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Path below the folder without its extension, section and number:
    /// `commonmark/lists/Tight-and-loose/3`.
    pub name: String,
    /// Where it begins, for a message: path below the folder, and line from 1.
    pub place: String,
    /// The input.
    pub markdown: String,
    /// The expected output.
    pub html: String,
    /// Flags of the command.
    pub flags: Vec<String>,
}

impl Case {
    /// Whether it comes from this file, given as path without extension.
    pub fn is_of(&self, file: &str) -> bool {
        self.name.strip_prefix(file).is_some_and(|rest| rest.starts_with('/'))
    }
}

/// The cases of every `.txt` file below `folder`, in the order of their paths.
///
/// `known-differences` is left out: it holds lists, not cases.
///
/// # Errors
/// A message naming file and line of the first thing that is wrong; a file
/// without any example counts as wrong.
pub fn load_folder(folder: &Path) -> Result<Vec<Case>, String> {
    let mut paths = Vec::new();
    push_text_files(folder, &mut paths)?;
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let relative = path.strip_prefix(folder).unwrap_or(&path);
        cases.append(&mut parse(&text, &relative.to_string_lossy().replace('\\', "/"))?);
    }
    Ok(cases)
}

fn push_text_files(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let problem = |error| format!("cannot list {}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(problem)? {
        let path = entry.map_err(problem)?.path();
        if path.is_dir() {
            if !path.ends_with("known-differences") {
                push_text_files(&path, paths)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "txt") {
            paths.push(path);
        }
    }
    Ok(())
}

/// The cases of one file. `path` is only for names and messages.
///
/// # Errors
/// As [`load_folder`].
pub fn parse(text: &str, path: &str) -> Result<Vec<Case>, String> {
    let stem = path.strip_suffix(".txt").unwrap_or(path);
    let mut section = String::new();
    let mut cases = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((line_idx, line)) = lines.next() {
        if line.starts_with('#') {
            section = format!("/{}", slug(line));
        }
        let Some(info) = line.strip_prefix(FENCE) else { continue };
        let number = cases.len() + 1;
        let place = format!("{path}:{}", line_idx + 1);
        let at_place = |message| format!("{place}: {message}");
        if info.trim() != "example" {
            return Err(at_place("a fence that opens no example".into()));
        }
        let [markdown, html, flags] =
            split_sections(lines.by_ref().map(|(_, line)| line)).map_err(at_place)?;
        let markdown = unescape(&markdown).map_err(at_place)?;
        let html = unescape(&html).map_err(at_place)?;
        let flags = flags.split_whitespace().map(String::from).collect();
        let name = format!("{stem}{section}/{number}");
        cases.push(Case { name, place, markdown, html, flags });
    }
    if cases.is_empty() {
        return Err(format!("{path}: no example in it"));
    }
    Ok(cases)
}

/// The two or three sections of an example, up to its closing fence.
fn split_sections<'a>(lines: impl Iterator<Item = &'a str>) -> Result<[String; 3], String> {
    let mut sections = [const { String::new() }; 3];
    let mut n_sections = 1;
    for line in lines {
        if line == FENCE {
            return match n_sections {
                1 => Err("an example without output".into()),
                _ => Ok(sections),
            };
        }
        if line == "." {
            n_sections += 1;
            if n_sections > sections.len() {
                return Err("an example with more than three sections".into());
            }
        } else {
            let section = &mut sections[n_sections - 1];
            section.push_str(line);
            section.push('\n');
        }
    }
    Err("an example that is not closed".into())
}

/// Replaces signs with the characters that they stand for.
fn unescape(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['→', '␠', '␍', '␀', '␄', '‹']) {
        out.push_str(&rest[..start]);
        let mut chars = rest[start..].chars();
        match chars.next() {
            Some('→') => out.push('\t'),
            Some('␠') => out.push(' '),
            Some('␍') => out.push('\r'),
            Some('␀') => out.push('\0'),
            Some('␄') if chars.as_str().starts_with('\n') => _ = chars.next(),
            Some('‹') => {
                let (digits, after) =
                    chars.as_str().split_once('›').ok_or("a `‹` without its `›`")?;
                let number = u32::from_str_radix(digits, 16).ok();
                let c = number.and_then(char::from_u32);
                out.push(c.ok_or_else(|| format!("`‹{digits}›` is no character"))?);
                chars = after.chars();
            }
            _ => return Err("a `␄` that does not end its line".into()),
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    Ok(out)
}

/// A heading as part of a test's name: no white space and no punctuation, so
/// that it can be typed without quotes.
///
/// ```
/// use barelink_spectest::case_file::slug;
/// assert_eq!(slug("## Tight, and loose"), "Tight-and-loose");
/// assert_eq!(slug("[Issue 2](https://example.com/2)"), "Issue-2");
/// ```
pub fn slug(heading: &str) -> String {
    // Of a heading that is a link, the text.
    let text = heading.split("](").next().unwrap_or(heading);
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::{FENCE, parse, slug, unescape};

    fn file(body: &str) -> String {
        body.replace("FENCE", FENCE)
    }

    #[test]
    fn reads_two_and_three_sections() {
        let text = file(
            "# Title\n\nFENCE example\n→a\n.\n<p>\nFENCE\n\n## A b\n\
             FENCE example\nx\n\ny\n.\n.\n--unsafe --preset\ncommonmark\nFENCE\n",
        );
        let cases = parse(&text, "dir/tabs.txt").expect("well-formed");
        assert_eq!(cases.len(), 2);
        assert_eq!(cases[0].name, "dir/tabs/Title/1");
        assert_eq!(cases[0].place, "dir/tabs.txt:3");
        assert_eq!(cases[0].markdown, "\ta\n");
        assert_eq!(cases[0].html, "<p>\n");
        assert!(cases[0].flags.is_empty());
        assert_eq!(cases[1].name, "dir/tabs/A-b/2");
        assert_eq!(cases[1].markdown, "x\n\ny\n");
        assert_eq!(cases[1].html, "");
        assert_eq!(cases[1].flags, ["--unsafe", "--preset", "commonmark"]);
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let broken = [
            ("FENCE example\na\n.\nb\n", "not closed"),
            ("\nFENCE example\na\nFENCE\n", "t.txt:2: an example without output"),
            ("FENCE exmaple\na\n.\nb\nFENCE\n", "opens no example"),
            ("FENCE example\n.\n.\n.\nFENCE\n", "more than three"),
            ("FENCE example\na␄b\n.\nFENCE\n", "does not end its line"),
            ("FENCE example\n‹D800›\n.\nFENCE\n", "is no character"),
            ("only prose\n", "no example in it"),
        ];
        for (body, expected) in broken {
            let message = parse(&file(body), "t.txt").expect_err(body);
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn signs_stand_for_what_cannot_be_shown() {
        let text = "‹feff›a␍\nb␍c␠␠\n␀→d␄\n";
        assert_eq!(unescape(text).as_deref(), Ok("\u{FEFF}a\r\nb\rc  \n\0\td"));
    }

    #[test]
    fn slugs_keep_letters_of_every_script() {
        assert_eq!(slug("# Über `md_x__()`"), "Über-md_x__");
    }
}
