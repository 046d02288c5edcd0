//! The flags that say which Markdown is read, shared by every command that
//! reads it, and the library's options they amount to.

use barelink::Options;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};

use crate::help;

/// The preset of a command line that names none.
pub(crate) const DEFAULT_PRESET: &str = "gfm";

/// Which Markdown to read.
#[derive(Debug, Args)]
pub(crate) struct MarkdownArgs {
    /// The flavor of Markdown to read
    #[arg(
        long,
        value_name = "NAME",
        default_value = DEFAULT_PRESET,
        value_parser = PossibleValuesParser::new(preset_values()),
        help_heading = "Markdown"
    )]
    pub(crate) preset: String,

    /// Add an extension to the preset; may be given several times
    #[arg(short, long = "extension", value_name = "NAME", value_enum, help_heading = "Markdown")]
    pub(crate) extensions: Vec<Extension>,
}

/// The values of `--extension`: cmark-gfm's names, and `alerts`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Extension {
    /// Tables
    Table,
    /// ~~struck~~ text
    Strikethrough,
    /// Escape tags such as <script> where raw HTML passes
    Tagfilter,
    /// - [ ] tasks
    Tasklist,
    /// [^1] footnotes
    Footnotes,
    /// > [!NOTE] alerts
    Alerts,
}

impl MarkdownArgs {
    /// The options that the flags amount to; `None` if there is no such preset.
    pub(crate) fn options(&self) -> Option<Options> {
        let mut options = Options::preset(&self.preset)?;
        for extension in &self.extensions {
            match extension {
                Extension::Table => options.tables = true,
                Extension::Strikethrough => options.strikethrough = true,
                Extension::Tagfilter => options.tag_filter = true,
                Extension::Tasklist => options.task_lists = true,
                Extension::Footnotes => options.footnotes = true,
                Extension::Alerts => options.alerts = true,
            }
        }
        Some(options)
    }
}

/// The presets of the library, each with its sentence.
fn preset_values() -> Vec<PossibleValue> {
    Options::PRESETS.iter().map(|name| PossibleValue::new(*name).help(help::preset(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_preset_exists() {
        assert!(Options::preset(DEFAULT_PRESET).is_some());
    }
}
