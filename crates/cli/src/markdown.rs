//! The flags that say which Markdown is read, shared by every command that
//! reads it, and the library's options they amount to.

use barelink::{Autolinks, Dialect, Options};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};

use crate::help;

/// The preset of a command line that names none.
pub(crate) const DEFAULT_PRESET: &str = "gfm";

/// Which Markdown to read.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // They are flags.
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

    /// How bare links are recognized, whatever the preset says
    #[arg(long, value_name = "NAME", value_enum, help_heading = "Bare links")]
    pub(crate) dialect: Option<DialectName>,

    /// Leave bare URLs alone
    #[arg(long, help_heading = "Bare links")]
    pub(crate) no_url: bool,

    /// Leave bare www. names alone
    #[arg(long, help_heading = "Bare links")]
    pub(crate) no_www: bool,

    /// Leave bare e-mail addresses alone
    #[arg(long, help_heading = "Bare links")]
    pub(crate) no_email: bool,

    /// Turn on bare URLs in the md4c dialect, as for md2html
    #[arg(long, help_heading = "Bare links")]
    pub(crate) fpermissive_url_autolinks: bool,

    /// Turn on bare www. names in the md4c dialect, as for md2html
    #[arg(long, help_heading = "Bare links")]
    pub(crate) fpermissive_www_autolinks: bool,

    /// Turn on bare e-mail addresses in the md4c dialect, as for md2html
    #[arg(long, help_heading = "Bare links")]
    pub(crate) fpermissive_email_autolinks: bool,

    /// Turn on all three in the md4c dialect, as for md2html
    #[arg(long, help_heading = "Bare links")]
    pub(crate) fpermissive_autolinks: bool,
}

/// The values of `--dialect`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectName {
    /// GFM's extended autolinks as its specification is written
    Gfm,
    /// The same as GitHub's cmark-gfm runs it
    Github,
    /// MD4C's permissive autolinks as they are documented
    Md4c,
    /// Links where a reader sees one
    Natural,
    /// No bare links
    None,
}

impl DialectName {
    /// The library's name for it.
    pub(crate) fn dialect(self) -> Option<Dialect> {
        match self {
            Self::Gfm => Some(Dialect::Gfm),
            Self::Github => Some(Dialect::Github),
            Self::Md4c => Some(Dialect::Md4c),
            Self::Natural => Some(Dialect::Natural),
            Self::None => None,
        }
    }
}

/// The values of `--extension`: cmark-gfm's names, and `alerts`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Extension {
    /// Tables
    Table,
    /// ~~struck~~ text
    Strikethrough,
    /// Bare links, in the gfm dialect
    Autolink,
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
                Extension::Autolink => options.autolinks = Autolinks::new(Dialect::Gfm),
                Extension::Tagfilter => options.tag_filter = true,
                Extension::Tasklist => options.task_lists = true,
                Extension::Footnotes => options.footnotes = true,
                Extension::Alerts => options.alerts = true,
            }
        }
        self.apply_links(&mut options.autolinks);
        Some(options)
    }

    /// What the flags say about bare links.
    fn apply_links(&self, links: &mut Autolinks) {
        if let Some(name) = self.dialect {
            *links = name.dialect().map_or(Autolinks::NONE, Autolinks::new);
        }
        let all = self.fpermissive_autolinks;
        let permissive = [
            all || self.fpermissive_url_autolinks,
            all || self.fpermissive_www_autolinks,
            all || self.fpermissive_email_autolinks,
        ];
        if permissive.contains(&true) {
            let others = links.dialect == Some(Dialect::Md4c);
            let [url, www, email] = permissive;
            *links = Autolinks::new(Dialect::Md4c);
            (links.url, links.www, links.email) = (others || url, others || www, others || email);
        }
        links.url &= !self.no_url;
        links.www &= !self.no_www;
        links.email &= !self.no_email;
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
