//! Decides which files are read, and with which settings: the configuration of each, overridden by
//! the command line.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use barelink::Options;
use barelink_check::{Flavor, RuleSet, Settings};

use crate::check::args::RulesArgs;
use crate::check::config::{Config, ConfigError, Layer};
use crate::report::Report;
use crate::source::Source;
use crate::visible;
use crate::walk::{self, Way};

/// A document to check.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) source: Source,
    /// Its name in messages.
    pub(crate) name: String,
    pub(crate) settings: Settings,
}

/// The documents of a command line.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    pub(crate) list: Vec<Input>,
    /// What was found in folders and could not be read, with the reason.
    pub(crate) unread: Vec<(String, String)>,
    /// The configuration excludes the file that standard input stands for.
    pub(crate) is_stdin_excluded: bool,
}

/// Finds the documents. A configuration that cannot be used is an error; files that cannot be
/// read are reported when they are.
pub(crate) fn inputs(
    args: &RulesArgs,
    own: &Layer,
    report: &Report,
) -> Result<Inputs, ConfigError> {
    let which = match &args.config {
        _ if args.isolated => Which::None,
        Some(path) => Which::File(path),
        None => Which::Nearest,
    };
    let mut configs = Configs::new(which)?;
    let is_stdin = |path: &PathBuf| path == Path::new("-");
    if args.stdin_filename.is_some() || args.paths.iter().any(is_stdin) {
        let path = args.stdin_filename.as_deref();
        let config = match path {
            Some(path) => configs.of(path)?,
            None => configs.of(Path::new("stdin.md"))?,
        };
        let is_left_out = |path: &Path| {
            args.force_exclude && config.as_ref().is_some_and(|it| it.excludes(&absolute(path)))
        };
        if path.is_some_and(is_left_out) {
            return Ok(Inputs { is_stdin_excluded: true, ..Inputs::default() });
        }
        let settings = settings(config.as_deref(), own, path.unwrap_or(Path::new("stdin.md")));
        let name = path.map_or_else(|| "<stdin>".to_owned(), visible::raw_path);
        let list = vec![Input { source: Source::Stdin, name, settings }];
        return Ok(Inputs { list, ..Inputs::default() });
    }
    let mut inputs = Inputs::default();
    let walked = walk::files(&args.paths, report);
    let unread = walked.unread.into_iter();
    inputs.unread = unread.map(|it| (visible::raw_path(&it.path), it.what)).collect();
    for found in walked.files {
        let config = configs.of(&found.path)?;
        let may_exclude = found.way != Way::Named || args.force_exclude;
        if may_exclude && config.as_ref().is_some_and(|it| it.excludes(&absolute(&found.path))) {
            continue;
        }
        let settings = settings(config.as_deref(), own, &found.path);
        let name = visible::raw_path(&found.path);
        inputs.list.push(Input { source: Source::File(found.path), name, settings });
    }
    Ok(inputs)
}

/// The layer of settings from the command line.
pub(crate) fn own_layer(args: &RulesArgs) -> Layer {
    let union = |sets: &[RuleSet]| sets.iter().copied().fold(RuleSet::NONE, RuleSet::union);
    Layer {
        preset: args.preset.clone(),
        extensions: args.changes.extensions.clone(),
        dialect: args.changes.dialect,
        with: args.with.clone(),
        select: args.select.as_deref().map(union),
        extend_select: union(&args.extend_select),
        ignore: union(&args.ignore),
        style: None,
    }
}

/// The settings for a file.
pub(crate) fn settings(config: Option<&Config>, own: &Layer, file: &Path) -> Settings {
    let mut settings = Settings::default();
    let file = absolute(file);
    let of_file = config.into_iter().flat_map(|config| config.layers(&file));
    let layers: Vec<&Layer> = of_file.chain([own]).collect();
    let preset = layers.iter().rev().find_map(|layer| layer.preset.as_deref());
    if let Some(options) = preset.and_then(Options::preset) {
        settings.options = options;
        settings.options.front_matter = true;
    }
    for layer in layers {
        for switch in &layer.extensions {
            switch.apply(&mut settings.options);
        }
        if let Some(dialect) = layer.dialect {
            settings.options.autolinks = dialect.autolinks();
        }
        if let Some(with) = &layer.with {
            settings.with.clear();
            for peer in with {
                if !settings.with.contains(peer) {
                    settings.with.push(*peer);
                }
            }
        }
        settings.style = layer.style.unwrap_or(settings.style);
        let rules = layer.select.unwrap_or(settings.rules);
        settings.rules = rules.union(layer.extend_select).without(layer.ignore);
    }
    let is_mdx = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mdx"));
    settings.flavor = if is_mdx { Flavor::Mdx } else { Flavor::Markdown };
    settings
}

/// A path from the root, without `.` and `..`, whatever is there.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            _ => plain.push(component),
        }
    }
    plain
}

/// Which configuration to use.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Which<'a> {
    /// None.
    None,
    /// This file for all.
    File(&'a Path),
    /// The nearest to each file.
    Nearest,
}

/// Like [`Which`], with a given configuration already read.
enum Choice {
    /// None.
    Isolated,
    /// The configuration that the command line names.
    Given(Arc<Config>),
    /// The nearest to each file.
    Nearest,
}

/// The configurations of folders, each read once.
pub(crate) struct Configs {
    choice: Choice,
    known: HashMap<PathBuf, Option<Arc<Config>>>,
}

impl Configs {
    pub(crate) fn new(which: Which<'_>) -> Result<Self, ConfigError> {
        let choice = match which {
            Which::None => Choice::Isolated,
            Which::Nearest => Choice::Nearest,
            Which::File(path) => {
                let config = Config::read(&absolute(path))?;
                let what = || "has no table [tool.barelink]".to_owned();
                let missing = || ConfigError { file: path.to_owned(), line: None, what: what() };
                Choice::Given(Arc::new(config.ok_or_else(missing)?))
            }
        };
        Ok(Self { choice, known: HashMap::new() })
    }

    /// The configuration for a file.
    pub(crate) fn of(&mut self, file: &Path) -> Result<Option<Arc<Config>>, ConfigError> {
        match &self.choice {
            Choice::Isolated => return Ok(None),
            Choice::Given(config) => return Ok(Some(Arc::clone(config))),
            Choice::Nearest => {}
        }
        let file = absolute(file);
        let Some(folder) = file.parent() else { return Ok(None) };
        let mut asked = Vec::new();
        let mut found = None;
        for folder in folder.ancestors() {
            if let Some(known) = self.known.get(folder) {
                found.clone_from(known);
                break;
            }
            asked.push(folder.to_owned());
            found = Config::of_folder(folder)?.map(Arc::new);
            // Folders above the root of the repository are not searched.
            if found.is_some() || folder.join(".git").exists() {
                break;
            }
        }
        self.known.extend(asked.into_iter().map(|folder| (folder, found.clone())));
        Ok(found)
    }
}
