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
use clap::ValueEnum as _;
use globset::{Glob, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Deserializer, de};

use crate::markdown::{DialectName, Switch};
use crate::report::reason;
use crate::visible;

/// The file that is tried first.
const OWN_NAME: &str = "barelink.toml";

/// The file that may have a table `[tool.barelink]`.
const PYTHON_NAME: &str = "pyproject.toml";

/// The minimum similarity of a name that is suggested.
const ALIKE: f64 = 0.9;

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
    overrides: Vec<(GlobSet, Layer)>,
    exclude: GlobSet,
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
            #[serde(rename_all = "kebab-case", deny_unknown_fields)]
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
        #[serde(default)]
        exclude: Vec<Named<Glob>>,
        #[serde(default)]
        r#override: Vec<Override>
    }
    Override { files: Vec<Named<Glob>> }
}

/// The parts of `pyproject.toml` that are read.
#[derive(Deserialize)]
struct Python {
    tool: Option<Tools>,
}

#[derive(Deserialize)]
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

impl FromName for Glob {
    fn from_name(name: &str) -> Result<Self, String> {
        Self::new(name).map_err(|error| error.to_string())
    }
}

impl FromName for Switch {
    fn from_name(name: &str) -> Result<Self, String> {
        Self::from_name(name).ok_or_else(|| format!("unknown extension `{name}`"))
    }
}

impl FromName for DialectName {
    fn from_name(name: &str) -> Result<Self, String> {
        <Self as clap::ValueEnum>::from_str(name, false).map_err(|_| {
            unknown(
                "dialect",
                name,
                Self::value_variants()
                    .iter()
                    .filter_map(clap::ValueEnum::to_possible_value)
                    .map(|value| value.get_name().to_owned()),
            )
        })
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
    format!("unknown {what} `{name}`: expected one of {}", known.join(", "))
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
        let overrides = std::mem::take(&mut file.r#override).into_iter().map(|mut table| {
            let layer = table.layer();
            globs(table.files).map(|globs| (globs, layer))
        });
        let overrides = overrides.collect::<Result<_, String>>().map_err(failed)?;
        let base = file.layer();
        let exclude = globs(file.exclude).map_err(failed)?;
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
        let below = self.below(file);
        let overrides = self.overrides.iter().filter(move |(globs, _)| globs.is_match(&below));
        [&self.base].into_iter().chain(overrides.map(|(_, layer)| layer))
    }

    pub(crate) fn excludes(&self, file: &Path) -> bool {
        let below = self.below(file);
        // An excluded folder excludes all that is in it.
        below.ancestors().any(|path| self.exclude.is_match(path))
    }

    fn below(&self, file: &Path) -> PathBuf {
        file.strip_prefix(&self.folder).unwrap_or(file).to_owned()
    }
}

fn globs(globs: Vec<Named<Glob>>) -> Result<GlobSet, String> {
    let mut builder = GlobSetBuilder::new();
    for Named(glob) in globs {
        builder.add(glob);
    }
    builder.build().map_err(|error| error.to_string())
}

fn line_of(error: &toml::de::Error, text: &str) -> Option<usize> {
    error.span().map(|span| text[..span.start].matches('\n').count() + 1)
}

/// The message of an error, with its line and a suggested name.
fn explained(error: &toml::de::Error, text: &str) -> String {
    let place = line_of(error, text).map_or_else(String::new, |line| format!("line {line}: "));
    let message = error.message().trim_end();
    // "unknown field `a`, expected one of `b`, `c`"
    let mut names = message.split('`').skip(1).step_by(2);
    let nearest = names.next().filter(|_| message.starts_with("unknown field")).and_then(|name| {
        let known = names.map(|known| (strsim::jaro_winkler(name, known), known));
        known.filter(|(alike, _)| *alike >= ALIKE).max_by(|one, two| one.0.total_cmp(&two.0))
    });
    match nearest {
        Some((_, known)) => format!("{place}{message}; did you mean `{known}`?"),
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
        assert!(error("exclude = [\"a{\"]").contains("line 1"));
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
        expected.retain(|key| key != "override" && key != "exclude");
        expected.push("files".to_owned());
        expected.sort();
        assert_eq!(keys(&schema["properties"]["override"]["items"]["properties"]), expected);
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
