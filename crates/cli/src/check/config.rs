//! The configuration: `barelink.toml`, or `[tool.barelink]` in `pyproject.toml`.
//!
//! ```toml
//! dialect = "github"
//! with = ["gfm", "natural"]
//! extend-select = ["BL004"]
//! exclude = ["vendor/**"]
//!
//! [[override]]
//! files = ["notes/**"]
//! ignore = ["BL003"]
//! ```
//!
//! An unknown key is an error, which suggests the nearest known one.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use barelink::Options;
use barelink_check::{Peer, RuleSet, Style};
use clap::ValueEnum;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, de};
use toml::Spanned;

use crate::check::globs::{BadGlob, Globs, relative};
use crate::markdown::{DialectName, Switch};
use crate::report::reason;
use crate::visible;

/// The file that is tried first.
const OWN_NAME: &str = "barelink.toml";

/// The file that may have a table `[tool.barelink]`.
const PYTHON_NAME: &str = "pyproject.toml";

/// The minimum similarity of a name that is suggested.
const ALIKE: f64 = 0.9;

/// Words in the parser's messages, and the terms that TOML has for them.
const WORDS: [(&str, &str); 4] = [
    ("expected a sequence", "expected a list"),
    ("expected a map", "expected a table"),
    ("invalid type: sequence", "invalid type: list"),
    ("invalid type: map", "invalid type: table"),
];

/// The settings of a file, or of one of its overrides. `None` leaves a setting unchanged.
#[derive(Debug, Default, Clone)]
pub(crate) struct Layer {
    pub(crate) preset: Option<String>,
    pub(crate) extensions: Vec<Switch>,
    pub(crate) dialect: Option<DialectName>,
    pub(crate) with: Option<Vec<Peer>>,
    pub(crate) select: Option<RuleSet>,
    pub(crate) extend_select: RuleSet,
    pub(crate) ignore: RuleSet,
    pub(crate) style: Option<Style>,
}

/// A configuration file.
#[derive(Debug)]
pub(crate) struct Config {
    /// The folder that globs are relative to.
    folder: PathBuf,
    base: Layer,
    overrides: Vec<(Globs, Layer)>,
    exclude: Globs,
}

/// Why a configuration cannot be used: the file, and what is wrong.
#[derive(Debug)]
pub(crate) struct ConfigError {
    pub(crate) file: PathBuf,
    /// The line, from one, if it is known.
    pub(crate) line: Option<usize>,
    pub(crate) what: String,
}

/// Defines the two tables, which have most of their keys in common.
macro_rules! tables {
    ($($name:ident { $($(#[$default:meta])? $field:ident: $type:ty),* })*) => {
        $(
            #[derive(Debug, Deserialize)]
            #[serde(rename_all = "kebab-case", deny_unknown_fields, expecting = "a table")]
            struct $name {
                preset: Option<Named<Preset>>,
                #[serde(default)]
                extensions: Vec<Named<Switch>>,
                dialect: Option<Named<DialectName>>,
                with: Option<Vec<Named<Peer>>>,
                select: Option<Vec<Named<RuleSet>>>,
                #[serde(default)]
                extend_select: Vec<Named<RuleSet>>,
                #[serde(default)]
                ignore: Vec<Named<RuleSet>>,
                style: Option<Named<Style>>,
                $($(#[$default])? $field: $type),*
            }

            impl $name {
                fn layer(&mut self) -> Layer {
                    let rules = |names: &[Named<RuleSet>]| {
                        names.iter().fold(RuleSet::NONE, |set, name| set.union(name.0))
                    };
                    Layer {
                        preset: self.preset.take().map(|preset| preset.0.0),
                        extensions: self.extensions.drain(..).map(|switch| switch.0).collect(),
                        dialect: self.dialect.take().map(|dialect| dialect.0),
                        with: self.with.take().map(|with| with.into_iter().map(|it| it.0).collect()),
                        select: self.select.as_deref().map(rules),
                        extend_select: rules(&self.extend_select),
                        ignore: rules(&self.ignore),
                        style: self.style.take().map(|style| style.0),
                    }
                }
            }
        )*
    };
}

tables! {
    File {
        #[serde(rename = "$schema")]
        _schema: Option<IgnoredAny>,
        #[serde(default)]
        exclude: Vec<Spanned<String>>,
        #[serde(default)]
        r#override: Vec<Override>
    }
    Override { files: Vec<Spanned<String>> }
}

/// The parts of `pyproject.toml` that are read.
#[derive(Deserialize)]
#[serde(expecting = "a table")]
struct Python {
    tool: Option<Tools>,
}

#[derive(Deserialize)]
#[serde(expecting = "a table")]
struct Tools {
    barelink: Option<File>,
}

/// A value that is written by its name.
#[derive(Debug)]
struct Named<T>(T);

#[derive(Debug)]
struct Preset(String);

/// A type whose values have names in the configuration.
trait FromName: Sized {
    fn from_name(name: &str) -> Result<Self, String>;
}

impl<'de, T: FromName> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        T::from_name(&name).map(Named).map_err(de::Error::custom)
    }
}

impl FromName for Preset {
    fn from_name(name: &str) -> Result<Self, String> {
        Options::from_str(name).map(|_| Self(name.to_owned())).map_err(|error| error.to_string())
    }
}

impl FromName for Peer {
    fn from_name(name: &str) -> Result<Self, String> {
        name.parse::<Self>().map_err(|error| error.to_string())
    }
}

impl FromName for RuleSet {
    fn from_name(name: &str) -> Result<Self, String> {
        name.parse::<Self>().map_err(|error| error.to_string())
    }
}

impl FromName for Switch {
    fn from_name(name: &str) -> Result<Self, String> {
        Self::from_name(name).ok_or_else(|| unknown("extension", name, Self::names()))
    }
}

impl FromName for DialectName {
    fn from_name(name: &str) -> Result<Self, String> {
        let names = Self::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let names = names.map(|value| value.get_name().to_owned());
        <Self as ValueEnum>::from_str(name, false).map_err(|_| unknown("dialect", name, names))
    }
}

impl FromName for Style {
    fn from_name(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|style| style.name() == name);
        let names = Self::ALL.iter().map(|style| style.name().to_owned());
        found.copied().ok_or_else(|| unknown("style", name, names))
    }
}

fn unknown(what: &str, name: &str, known: impl Iterator<Item = String>) -> String {
    let known: Vec<String> = known.collect();
    let meant = nearest(name, known.iter().map(String::as_str));
    let meant = meant.map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
    format!("unknown {what} `{name}`: expected one of {}{meant}", known.join(", "))
}

impl Config {
    /// Reads a configuration; `None` for a `pyproject.toml` without a table for this tool.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, ConfigError> {
        let failed = |what: String| ConfigError { file: path.to_owned(), line: None, what };
        let text = fs::read_to_string(path).map_err(|error| failed(reason(&error)))?;
        let is_python = path.file_name().is_some_and(|name| name == PYTHON_NAME);
        let file = if is_python {
            toml::from_str::<Python>(&text).map(|python| python.tool.and_then(|it| it.barelink))
        } else {
            toml::from_str::<File>(&text).map(Some)
        };
        let file = file.map_err(|error| {
            let line = line_of(&error, &text);
            ConfigError { line, ..failed(explained(&error, &text)) }
        })?;
        let Some(mut file) = file else { return Ok(None) };
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let globs = |globs: &[Spanned<String>]| {
            Globs::new(globs, &folder).map_err(|BadGlob { at, what }| {
                let line = line_at(at, &text);
                ConfigError { line: Some(line), ..failed(format!("line {line}: {what}")) }
            })
        };
        let overrides = std::mem::take(&mut file.r#override).into_iter().map(|mut table| {
            let layer = table.layer();
            globs(&table.files).map(|globs| (globs, layer))
        });
        let overrides = overrides.collect::<Result<_, ConfigError>>()?;
        let base = file.layer();
        let exclude = globs(&file.exclude)?;
        Ok(Some(Self { folder, base, overrides, exclude }))
    }

    /// The configuration in a folder itself.
    pub(crate) fn of_folder(folder: &Path) -> Result<Option<Self>, ConfigError> {
        for name in [OWN_NAME, PYTHON_NAME] {
            let path = folder.join(name);
            if path.is_file()
                && let Some(config) = Self::read(&path)?
            {
                return Ok(Some(config));
            }
        }
        Ok(None)
    }

    /// The layers that apply to a file; later ones take precedence.
    pub(crate) fn layers(&self, file: &Path) -> impl Iterator<Item = &Layer> {
        let path = relative(&self.folder, file);
        let overrides = self.overrides.iter().filter(move |(globs, _)| globs.is_match(&path));
        [&self.base].into_iter().chain(overrides.map(|(_, layer)| layer))
    }

    pub(crate) fn excludes(&self, file: &Path) -> bool {
        self.exclude.is_match(&relative(&self.folder, file))
    }
}

fn line_at(offset: usize, text: &str) -> usize {
    text[..offset].matches('\n').count() + 1
}

fn line_of(error: &toml::de::Error, text: &str) -> Option<usize> {
    error.span().map(|span| line_at(span.start, text))
}

/// The name that is most like another, and enough to be meant.
fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let known = known.map(|known| (strsim::jaro_winkler(name, known), known));
    let alike = known.filter(|(alike, _)| *alike >= ALIKE);
    alike.max_by(|one, two| one.0.total_cmp(&two.0)).map(|(_, known)| known)
}

/// The message of an error, with its line and a suggested name.
fn explained(error: &toml::de::Error, text: &str) -> String {
    let place = line_of(error, text).map_or_else(String::new, |line| format!("line {line}: "));
    let mut message = error.message().trim_end().to_owned();
    for (theirs, ours) in WORDS {
        message = message.replace(theirs, ours);
    }
    // "unknown field `a`, expected one of `b`, `c`"
    let mut names = message.split('`').skip(1).step_by(2);
    let name = names.next().filter(|_| message.starts_with("unknown field"));
    match name.and_then(|name| nearest(name, names)) {
        Some(known) => format!("{place}{message}; did you mean `{known}`?"),
        None => format!("{place}{message}"),
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", visible::path(&self.file), self.what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Extension;
    use barelink_check::Rule;

    fn error(text: &str) -> String {
        explained(&toml::from_str::<File>(text).unwrap_err(), text)
    }

    #[test]
    fn what_is_not_known_is_told_with_what_is() {
        let message = error("select = [\"BL001\"]\nignor = [\"BL002\"]");
        assert!(message.starts_with("line 2: unknown field `ignor`"), "{message}");
        assert!(message.ends_with("did you mean `ignore`?"), "{message}");
        let message = error("[[override]]\nfiles = [\"a\"]\nselekt = []");
        assert!(message.ends_with("did you mean `select`?"), "{message}");
        assert!(error("select = [\"BL999\"]").contains("unknown rule `BL999`"));
        assert!(error("select = [\"malformed\"]").contains("did you mean `malformed-link`?"));
        assert!(error("dialect = \"x\"").contains("expected one of gfm, github"));
        assert!(error("dialect = \"gihtub\"").ends_with("did you mean `github`?"));
        let message = error("extensions = [\"tabel\"]");
        assert!(message.contains("expected one of table, strikethrough"), "{message}");
        assert!(message.ends_with("; did you mean `table`?"), "{message}");
        assert!(error("preset = \"x\"").contains("expected one of commonmark, gfm"));
        assert!(error("style = \"x\"").contains("expected one of auto, angle, inline"));
        for (text, expected) in [
            ("select = \"ALL\"", "invalid type: string \"ALL\", expected a list"),
            ("exclude = 1", "invalid type: integer `1`, expected a list"),
            ("select = [[]]", "invalid type: list, expected a string"),
            ("override = [1]", "invalid type: integer `1`, expected a table"),
            ("style = {}", "invalid type: table, expected a string"),
        ] {
            assert_eq!(error(text), format!("line 1: {expected}"));
        }
        let message = toml::from_str::<Python>("tool = { barelink = 1 }").err().unwrap();
        assert_eq!(message.message(), "invalid type: integer `1`, expected a table");
        for other in ["xyzzy", "rules", "include", "disable"] {
            assert!(!error(&format!("{other} = 1")).contains("did you mean"), "{other}");
        }
        // An override without files would never apply.
        assert_eq!(error("\n[[override]]\nselect = []"), "line 2: missing field `files`");
    }

    #[test]
    fn every_key_is_read_and_in_the_schema() {
        let text = "preset = 'gfm'\nextensions = ['alerts', 'no-table']\ndialect = 'md4c'\n\
                    with = ['commonmark']\nselect = ['ALL']\nextend-select = ['BL004']\n\
                    ignore = ['not-linked']\nstyle = 'inline'\nexclude = ['a/**']\n\
                    \"$schema\" = 'barelink.schema.json'\n\
                    [[override]]\nfiles = ['*.mdx']\nselect = []\n";
        let mut file: File = toml::from_str(text).unwrap();
        let layer = file.layer();
        assert_eq!(layer.with, Some(vec![Peer::Commonmark]));
        assert_eq!(layer.select, Some(RuleSet::ALL));
        assert_eq!(layer.style, Some(Style::Inline));

        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/barelink.schema.json");
        let schema: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let table: toml::Table = toml::from_str(text).unwrap();
        let keys = |properties: &serde_json::Value| {
            let mut keys: Vec<String> = properties.as_object().unwrap().keys().cloned().collect();
            keys.sort();
            keys
        };
        let mut expected: Vec<String> = table.keys().cloned().collect();
        expected.sort();
        assert_eq!(keys(&schema["properties"]), expected);
        expected.retain(|key| !["override", "exclude", "$schema"].contains(&key.as_str()));
        expected.push("files".to_owned());
        expected.sort();
        assert_eq!(keys(&schema["properties"]["override"]["items"]["properties"]), expected);
    }

    #[test]
    fn the_schema_has_every_name() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/barelink.schema.json");
        let schema: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let listed = |of: &str| schema["definitions"][of]["items"]["enum"].clone();
        let rules = Rule::ALL.iter().map(|rule| rule.code());
        let rules = ["ALL"].into_iter().chain(rules).chain(Rule::ALL.iter().map(|it| it.name()));
        assert_eq!(listed("rules"), rules.collect::<serde_json::Value>());
        let on = Extension::value_variants().iter().flat_map(|it| it.names());
        let off = on.clone().map(|name| format!("no-{name}"));
        assert_eq!(listed("extensions"), on.chain(off).collect::<serde_json::Value>());
    }

    #[test]
    fn a_glob_that_is_wrong_is_told_with_its_line() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [
            (OWN_NAME, "style = 'auto'\nexclude = [\n  'a',\n  '../b',\n]\n"),
            (OWN_NAME, "exclude = ['a']\n\n[[override]]\nfiles = ['']\n"),
            (PYTHON_NAME, "\n\n[tool.barelink]\nexclude = ['!a.md']\n"),
        ] {
            let path = dir.path().join(name);
            fs::write(&path, text).unwrap();
            let error = Config::read(&path).unwrap_err();
            assert!(error.line == Some(4) && error.what.starts_with("line 4: `"), "{error}");
        }
    }

    #[test]
    fn the_last_word_is_that_of_the_last_override() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(OWN_NAME);
        let text = "ignore = ['BL001']\nexclude = ['old']\n[[override]]\nfiles = ['*.mdx']\n\
                    ignore = ['BL002']\n[[override]]\nfiles = ['a/**']\nignore = ['BL003']\n";
        fs::write(&path, text).unwrap();
        let config = Config::read(&path).unwrap().unwrap();
        let n_layers = |file: &str| config.layers(&dir.path().join(file)).count();
        assert_eq!(["x.md", "x.mdx", "a/b.md", "a/b.mdx"].map(n_layers), [1, 2, 2, 2 + 1]);
        assert!(config.excludes(&dir.path().join("old/x.md")));
        assert!(!config.excludes(&dir.path().join("new/x.md")));
    }
}
