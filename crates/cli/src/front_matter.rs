//! The metadata that a page takes from the front matter of its document: `title` and `lang`.
//!
//! All other keys are ignored. YAML is read as a stream of events, so aliases are never expanded,
//! and front matter longer than [`LEN_MAX`] is not read.

use barelink::{Document, EventKind, FrontMatter};
use saphyr_parser::{Event, Parser};

/// The longest front matter that is read, in bytes.
const LEN_MAX: usize = 64 * 1024;

/// The metadata of a document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) title: Option<String>,
    pub(crate) lang: Option<String>,
}

impl Meta {
    /// Reads the metadata of a document. An error says why it cannot be read.
    pub(crate) fn of(document: &Document<'_, '_>) -> Result<Self, String> {
        match document.events().next().map(|event| event.kind) {
            Some(EventKind::FrontMatter { text, .. }) if text.len() > LEN_MAX => {
                Err(format!("the front matter is longer than {LEN_MAX} bytes and is not read"))
            }
            Some(EventKind::FrontMatter { format: FrontMatter::Yaml, text }) => Self::yaml(&text),
            Some(EventKind::FrontMatter { format: FrontMatter::Toml, text }) => Self::toml(&text),
            _ => Ok(Self::default()),
        }
    }

    fn set(&mut self, key: &str, value: &str) {
        let place = match key {
            "title" => &mut self.title,
            "lang" | "language" => &mut self.lang,
            _ => return,
        };
        if !value.trim().is_empty() {
            *place = Some(value.to_owned());
        }
    }

    fn yaml(text: &str) -> Result<Self, String> {
        let mut meta = Self::default();
        // The nesting depth, and the key in the outermost mapping whose value comes next:
        // `Some(None)` if it is not a scalar.
        let mut depth = 0;
        let mut key: Option<Option<String>> = None;
        for event in Parser::new_from_str(text) {
            let (event, _) =
                event.map_err(|error| format!("the front matter is not valid YAML: {error}"))?;
            let is_start = matches!(event, Event::MappingStart(..) | Event::SequenceStart(..));
            if depth == 0 && matches!(event, Event::SequenceStart(..)) {
                break;
            }
            let is_node = is_start || matches!(event, Event::Scalar(..) | Event::Alias(_));
            if depth == 1 && is_node {
                let value = match event {
                    Event::Scalar(value, ..) => Some(value.into_owned()),
                    _ => None,
                };
                match key.take() {
                    None => key = Some(value),
                    Some(Some(key)) => meta.set(&key, value.as_deref().unwrap_or_default()),
                    Some(None) => {}
                }
            } else if let Event::MappingEnd | Event::SequenceEnd = event {
                depth -= 1;
            }
            depth += usize::from(is_start);
        }
        Ok(meta)
    }

    fn toml(text: &str) -> Result<Self, String> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            format!("the front matter is not valid TOML: {}", error.message())
        })?;
        let mut meta = Self::default();
        for (key, value) in &table {
            if let toml::Value::String(value) = value {
                meta.set(key, value);
            }
        }
        Ok(meta)
    }
}

#[cfg(test)]
mod tests {
    use barelink::{Options, Parser};

    use super::{LEN_MAX, Meta};

    fn meta(title: &str, lang: &str) -> Meta {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Meta { title: some(title), lang: some(lang) }
    }

    #[test]
    fn title_and_language_are_found() {
        for (text, expected) in [
            ("title: Home\nlang: de", meta("Home", "de")),
            ("title: 'It''s: me'\n", meta("It's: me", "")),
            ("a: {title: x}\nb: [title, y]\ntitle: >-\n  two\n  lines", meta("two lines", "")),
            ("a: &a title\n*a : x\nlang: 5", meta("", "5")),
            ("title:\nx: title", meta("", "")),
            ("- title\n- x", meta("", "")),
        ] {
            assert_eq!(Meta::yaml(text), Ok(expected), "{text}");
        }
        let toml = "title = \"Home\"\nlanguage = \"en-GB\"\n[a]\ntitle = \"x\"\n";
        assert_eq!(Meta::toml(toml), Ok(meta("Home", "en-GB")));
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert!(
            Meta::yaml("title: [").unwrap_err().starts_with("the front matter is not valid YAML: ")
        );
        assert!(
            Meta::toml("title = ").unwrap_err().starts_with("the front matter is not valid TOML: ")
        );
    }

    #[test]
    fn front_matter_has_64_kib_at_most() {
        let mut options = Options::github();
        options.front_matter = true;
        for (len, is_read) in [(LEN_MAX, true), (LEN_MAX + 1, false)] {
            let text = format!("title: a\n# {}\n", "x".repeat(len - 12));
            let source = format!("---\n{text}---\n");
            let mut parser = Parser::new(options.clone());
            let found = Meta::of(&parser.parse(&source).unwrap());
            assert_eq!((text.len(), found.is_ok()), (len, is_read));
            assert!(found.is_err() || found == Ok(meta("a", "")));
        }
    }
}
