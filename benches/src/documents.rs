//! The documents: corpora read from folders, whole, in sections, or as messages.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// Bytes to which short messages are joined for the corpus of longer ones.
const LONG_MESSAGE: usize = 200;

/// Corpora of plain prose, the real one first.
pub const PROSE: &[&str] = &["progit", "made-prose"];

/// What the name of a corpus ends with whose lines were made to end in CRLF.
const CRLF: &str = "-crlf";

/// A corpus in memory.
#[derive(Debug)]
pub struct Corpus {
    /// The file's name without its ending.
    pub name: String,
    /// Where it was read from.
    pub path: PathBuf,
    text: Text,
}

#[derive(Debug)]
enum Text {
    Document(String),
    Messages(Vec<String>),
}

/// How a corpus is handed to an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The whole document in one call.
    Whole,
    /// A call for each section or message.
    Pieces,
}

impl Mode {
    /// Both, in the order of reports.
    pub const ALL: [Self; 2] = [Self::Whole, Self::Pieces];
}

impl Corpus {
    /// What is handed over, call by call; nothing if the corpus has no such mode.
    pub fn documents(&self, mode: Mode) -> Vec<&str> {
        match (&self.text, mode) {
            (Text::Document(text), Mode::Whole) => vec![text],
            (Text::Document(text), Mode::Pieces) => {
                let sections = split_sections(text);
                if sections.len() > 1 { sections } else { Vec::new() }
            }
            (Text::Messages(_), Mode::Whole) => Vec::new(),
            (Text::Messages(messages), Mode::Pieces) => {
                messages.iter().map(String::as_str).collect()
            }
        }
    }

    /// Whether it is messages, of which only the latency counts.
    pub fn is_messages(&self) -> bool {
        matches!(self.text, Text::Messages(_))
    }
}

/// Reads every `.md` and `.jsonl` of a folder, by name, but for what describes
/// the folder.
pub fn read_folder(folder: &Path) -> anyhow::Result<Vec<Corpus>> {
    let listed = std::fs::read_dir(folder);
    let listed = listed.with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths = listed.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    paths.sort();
    let mut corpora = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if !["md", "jsonl"].contains(&extension.as_str()) || name == "README" {
            continue;
        }
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        if extension == "md" {
            if PROSE.contains(&name.as_str()) {
                let (name, path) = (format!("{name}{CRLF}"), path.clone());
                corpora.push(Corpus { name, path, text: Text::Document(to_crlf(&text)) });
            }
            corpora.push(Corpus { name, path, text: Text::Document(text) });
            continue;
        }
        let messages = parse_messages(&text)
            .with_context(|| format!("{} has a line that is no JSON string", path.display()))?;
        let longer = join_messages(&messages);
        let n_bytes: usize = messages.iter().map(String::len).sum();
        if n_bytes < messages.len() * LONG_MESSAGE * 3 / 4 {
            let name = format!("{name}-{LONG_MESSAGE}");
            corpora.push(Corpus { name, path: path.clone(), text: Text::Messages(longer) });
        }
        corpora.push(Corpus { name, path, text: Text::Messages(messages) });
    }
    Ok(corpora)
}

/// The text with lines that all end in CRLF.
fn to_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// The messages of a `.jsonl` text, a JSON string on each line.
pub fn parse_messages(text: &str) -> anyhow::Result<Vec<String>> {
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// Joins neighbors with a space until each has [`LONG_MESSAGE`] bytes.
fn join_messages(messages: &[String]) -> Vec<String> {
    let mut joined = Vec::new();
    let mut open = String::new();
    for message in messages {
        if !open.is_empty() {
            open.push(' ');
        }
        open.push_str(message);
        if open.len() >= LONG_MESSAGE {
            joined.push(std::mem::take(&mut open));
        }
    }
    joined
}

/// Cuts a document before every heading of the first and second level, but
/// for lines in fenced code that look like one.
fn split_sections(text: &str) -> Vec<&str> {
    let mut sections = Vec::new();
    let (mut start, mut end) = (0, 0);
    let mut is_in_fence = false;
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        is_in_fence ^= is_fence;
        let is_heading = line.starts_with("# ") || line.starts_with("## ");
        if is_heading && !is_in_fence && end > start {
            sections.push(&text[start..end]);
            start = end;
        }
        end += line.len();
    }
    if end > start {
        sections.push(&text[start..end]);
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::{join_messages, split_sections, to_crlf};

    #[test]
    fn every_line_ends_in_crlf() {
        assert_eq!(to_crlf("a\nb\r\n\nc"), "a\r\nb\r\n\r\nc");
    }

    #[test]
    fn sections_begin_with_headings_and_lose_nothing() {
        let text = "a\n# b\n```\n# c\n```\n### d\n## e\nf";
        let sections = split_sections(text);
        assert_eq!(sections, ["a\n", "# b\n```\n# c\n```\n### d\n", "## e\nf"]);
        assert_eq!(sections.concat(), text);
    }

    #[test]
    fn messages_are_joined_to_length() {
        let messages = vec!["x".repeat(90); 7];
        let lengths: Vec<_> = join_messages(&messages).iter().map(String::len).collect();
        assert_eq!(lengths, [272, 272]);
    }
}
