//! Front matter: metadata before the text of a document, for the program that displays it.
//!
//! ```text
//! front matter = marker key-line *line marker
//! marker       = a line of "---" (YAML) or "+++" (TOML), the same at both ends
//! key-line     = `key: value` or, in TOML, `key = value` or `[table]`; comments may come before
//! ```
//!
//! Only at the very start of the source. A document may also begin with a thematic break and have
//! another one later: so the first line has to look like front matter, or else everything stays
//! text.
//!
//! LINEAR: the source is searched once for the second marker.

use std::borrow::Cow;

use crate::event::FrontMatter;
use crate::tape::{Block, Record};

/// The record of the front matter that starts at `start`, and the start of the line after it.
pub(crate) fn scan(source: &str, start: usize) -> Option<(Record, usize)> {
    let mut lines = PlacedLines { source, at: start };
    let format = match trim_end(lines.next()?.1) {
        "---" => FrontMatter::Yaml,
        "+++" => FrontMatter::Toml,
        _ => return None,
    };
    let (_, key) = lines.by_ref().find(|(_, line)| !line.starts_with('#'))?;
    if !sets_key(key, format) {
        return None;
    }
    let (last, _) = lines.find(|(_, line)| trim_end(line) == marker(format))?;
    Some((record(format, start, last), lines.at))
}

/// The search for front matter in a source that is still being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Search {
    /// It has ended: there is none, or it was found.
    Over,
    /// The first line may not be complete.
    First,
    /// The first line is a marker of this format; the next line to check starts at `at`.
    Key { format: FrontMatter, at: usize },
    /// The closing marker is still to come.
    Last { format: FrontMatter, at: usize },
}

impl Search {
    /// Continues with the lines that are complete by now. Returns the record of the front matter
    /// that starts at `start`, and the start of the line after it.
    ///
    /// LINEAR: each line is checked once, when it is complete.
    pub(crate) fn go_on(&mut self, source: &str, start: usize) -> Option<(Record, usize)> {
        let at = match *self {
            Self::Over => return None,
            Self::First => start,
            Self::Key { at, .. } | Self::Last { at, .. } => at,
        };
        // Most documents have none, as their first byte shows.
        if *self == Self::First && !may_be_marker(&source.as_bytes()[start..]) {
            *self = Self::Over;
            return None;
        }
        let complete =
            memchr::memrchr(b'\n', &source.as_bytes()[at..]).map_or(at, |end| at + end + 1);
        let mut lines = PlacedLines { source: &source[..complete], at };
        while let Some((line_start, line)) = lines.next() {
            let at = lines.at;
            *self = match *self {
                Self::First => match trim_end(line) {
                    "---" => Self::Key { format: FrontMatter::Yaml, at },
                    "+++" => Self::Key { format: FrontMatter::Toml, at },
                    _ => Self::Over,
                },
                Self::Key { format, .. } if line.starts_with('#') => Self::Key { format, at },
                Self::Key { format, .. } if sets_key(line, format) => Self::Last { format, at },
                Self::Last { format, .. } if trim_end(line) == marker(format) => {
                    *self = Self::Over;
                    return Some((record(format, start, line_start), at));
                }
                Self::Last { format, .. } => Self::Last { format, at },
                _ => Self::Over,
            };
            if *self == Self::Over {
                break;
            }
        }
        None
    }
}

/// Whether a source that is still growing may start with a marker.
fn may_be_marker(source: &[u8]) -> bool {
    let first = &source[..source.len().min(3)];
    b"---".starts_with(first) || b"+++".starts_with(first)
}

/// Makes the record of front matter whose last line starts at `last`.
fn record(format: FrontMatter, start: usize, last: usize) -> Record {
    Record::new(Block::FrontMatter(format), start, last + marker(format).len())
}

/// The text of front matter without its markers.
pub(crate) fn text(format: FrontMatter, whole: &str) -> Cow<'_, str> {
    let text = whole.split_once('\n').map_or("", |(_, rest)| rest);
    Cow::Borrowed(text.strip_suffix(marker(format)).unwrap_or(text))
}

fn marker(format: FrontMatter) -> &'static str {
    match format {
        FrontMatter::Yaml => "---",
        FrontMatter::Toml => "+++",
    }
}

fn sets_key(line: &str, format: FrontMatter) -> bool {
    let first = line.bytes().next().unwrap_or(b' ');
    match format {
        FrontMatter::Yaml => {
            let is_name = first.is_ascii_alphanumeric() || b"_\"'".contains(&first) || first > 127;
            let is_key =
                |(at, _)| line[at + 1..].starts_with([' ', '\t', '\r']) || line.len() == at + 1;
            is_name && line.match_indices(':').any(is_key)
        }
        FrontMatter::Toml => first == b'[' || !first.is_ascii_whitespace() && line.contains('='),
    }
}

fn trim_end(line: &str) -> &str {
    line.trim_end_matches([' ', '\t', '\r'])
}

/// The lines of a source, with the offsets where they start.
struct PlacedLines<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> Iterator for PlacedLines<'s> {
    type Item = (usize, &'s str);

    fn next(&mut self) -> Option<(usize, &'s str)> {
        let start = self.at;
        let rest = self.source.get(start..).filter(|rest| !rest.is_empty())?;
        let len = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        self.at = (start + len + 1).min(self.source.len());
        Some((start, &rest[..len]))
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, scan, text};

    /// The lines of front matter, and what comes after it.
    fn split(source: &str) -> Option<(&str, &str)> {
        let (record, end) = scan(source, 0)?;
        let Block::FrontMatter(format) = record.block else { return None };
        match text(format, record.span().slice(source)) {
            std::borrow::Cow::Borrowed(text) => Some((text, &source[end..])),
            std::borrow::Cow::Owned(_) => None,
        }
    }

    #[test]
    fn front_matter_is_told_from_text() {
        for (source, expected) in [
            ("---\ntitle: a\n---\n# b", Some(("title: a\n", "# b"))),
            ("---  \r\ntitle:\r\n  - a\r\n---\r\nb", Some(("title:\r\n  - a\r\n", "b"))),
            ("---\n# note\n\"a b\": c\n\n---", Some(("# note\n\"a b\": c\n\n", ""))),
            ("+++\na = 1\n+++\n", Some(("a = 1\n", ""))),
            ("+++\n[a]\n+++\nx", Some(("[a]\n", "x"))),
            ("---\n---\n", None),
            ("---\nFoo\n---\nBar\n---", None),
            ("---\n\ntext: a\n\n---\n", None),
            ("---\nhttp://a.bc\n---\n", None),
            ("---\ntitle: a\n", None),
            ("---\ntitle: a\n+++\n", None),
            ("+++\ntext\n+++", None),
            (" ---\ntitle: a\n---", None),
            ("", None),
            ("---", None),
            ("---\n#", None),
        ] {
            assert_eq!(split(source), expected, "{source:?}");
        }
    }
}
