//! The flags of `barelink check` and `barelink fix`.

use std::path::PathBuf;
use std::str::FromStr;

use barelink_check::{Peer, RuleSet, Style};
use clap::{Args, ValueEnum, ValueHint};

use crate::markdown::{ChangeArgs, preset_parser};

/// What both commands take.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// The files and folders to read; `-` is standard input
    ///
    /// A folder stands for the Markdown files below it (.md, .markdown, .mdx and the like),
    /// without hidden files and those that .gitignore names. A file is read once, however often
    /// it is named.
    #[arg(value_name = "PATH", default_value = ".", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// The name of the file that standard input stands for
    ///
    /// Settings for that file count, and messages name it. Standard input is read.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// Where the document is published [default: github]
    #[arg(long, value_name = "NAME", value_parser = preset_parser(), help_heading = "Markdown")]
    pub(crate) preset: Option<String>,

    #[command(flatten)]
    pub(crate) changes: ChangeArgs,

    /// Who else must agree about bare links [default: gfm,github,md4c,natural]
    ///
    /// Names of dialects, with commas: gfm, github, md4c, natural, and commonmark, which has no
    /// bare links.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = spaced::<Peer>,
        help_heading = "Bare links"
    )]
    pub(crate) with: Option<Vec<Peer>>,

    /// Check these rules and no others
    ///
    /// Codes or names, with commas, or ALL. `barelink rule` lists them.
    #[arg(
        long,
        value_name = "RULES",
        value_delimiter = ',',
        value_parser = spaced::<RuleSet>,
        help_heading = "Rules"
    )]
    pub(crate) select: Option<Vec<RuleSet>>,

    /// Check these rules, too
    #[arg(
        long,
        value_name = "RULES",
        value_delimiter = ',',
        value_parser = spaced::<RuleSet>,
        help_heading = "Rules"
    )]
    pub(crate) extend_select: Vec<RuleSet>,

    /// Do not check these rules
    #[arg(
        long,
        value_name = "RULES",
        value_delimiter = ',',
        value_parser = spaced::<RuleSet>,
        help_heading = "Rules"
    )]
    pub(crate) ignore: Vec<RuleSet>,

    /// Take the configuration from this file
    ///
    /// Without it, each file has the nearest barelink.toml, or pyproject.toml with a table
    /// [tool.barelink], in its folder or above, up to the root of the repository.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "isolated",
        value_hint = ValueHint::FilePath,
        help_heading = "Configuration"
    )]
    pub(crate) config: Option<PathBuf>,

    /// Read no configuration
    #[arg(long, help_heading = "Configuration")]
    pub(crate) isolated: bool,

    /// Pass over what the configuration excludes, even if it is named
    ///
    /// For tools that name every file, such as pre-commit.
    #[arg(long, help_heading = "Configuration")]
    pub(crate) force_exclude: bool,

    /// End with 0 even if there are findings
    #[arg(long, help_heading = "Output")]
    pub(crate) exit_zero: bool,
}

/// The flags of `barelink check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// How findings are written
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value = "text",
        help_heading = "Output"
    )]
    pub(crate) format: Format,

    /// Count the findings of each rule instead of listing them
    ///
    /// As text, or in JSON with --format json or jsonl.
    #[arg(long, help_heading = "Output")]
    pub(crate) statistics: bool,

    /// Leave out the findings that this file lists
    ///
    /// So that a project can start with the rules today, and fix what it has later.
    /// --write-baseline writes the file.
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        help_heading = "Output"
    )]
    pub(crate) baseline: Option<PathBuf>,

    /// Write all findings into the file that --baseline names
    ///
    /// What it lists of files that are not checked this time stays. Nothing is written if
    /// something cannot be read.
    #[arg(long, requires = "baseline", help_heading = "Output")]
    pub(crate) write_baseline: bool,
}

/// Reads one of several names, around which there may be spaces.
fn spaced<T: FromStr>(name: &str) -> Result<T, T::Err> {
    name.trim().parse()
}

/// The flags of `barelink fix`.
#[derive(Debug, Args)]
pub(crate) struct FixArgs {
    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// Show what would change, and change nothing
    ///
    /// What would be left is listed on standard error.
    #[arg(long, help_heading = "Fixes")]
    pub(crate) diff: bool,

    /// Fix what changes the page, too
    ///
    /// Without it, the page where the document is published stays as it is.
    #[arg(long = "unsafe", help_heading = "Fixes")]
    pub(crate) all: bool,

    /// Leave alone the findings that this file lists
    ///
    /// They are neither fixed nor listed as left. `barelink check` writes the file.
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        help_heading = "Fixes"
    )]
    pub(crate) baseline: Option<PathBuf>,

    /// How links are written [default: auto]
    #[arg(long, value_name = "STYLE", value_enum, help_heading = "Fixes")]
    pub(crate) style: Option<StyleName>,
}

/// The values of `--format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// With the lines they are about
    Text,
    /// A line each
    Concise,
    /// A JSON array
    Json,
    /// A JSON object each, one per line
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Commands of a GitHub workflow, shown beside the lines
    Github,
    /// A code quality report of GitLab
    Gitlab,
    /// JUnit's XML
    Junit,
}

/// The values of `--style`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StyleName {
    /// <…>, and […](…) where that cannot say it
    Auto,
    /// <…>, or nothing
    Angle,
    /// […](…)
    Inline,
}

impl From<StyleName> for Style {
    fn from(name: StyleName) -> Self {
        match name {
            StyleName::Auto => Self::Auto,
            StyleName::Angle => Self::Angle,
            StyleName::Inline => Self::Inline,
        }
    }
}
