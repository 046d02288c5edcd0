//! The flags that select the flavor of Markdown, shared by all commands that read it, and their
//! conversion to the library's options.

use barelink::{Autolinks, Dialect, Options, Urls};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::help;

/// The default preset.
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
        value_parser = preset_parser(),
        help_heading = "Markdown"
    )]
    pub(crate) preset: String,

    #[command(flatten)]
    pub(crate) changes: ChangeArgs,

    /// Do not link bare URLs
    #[arg(long, help_heading = "Bare links")]
    pub(crate) no_url: bool,

    /// Do not link bare www. names
    #[arg(long, help_heading = "Bare links")]
    pub(crate) no_www: bool,

    /// Do not link bare e-mail addresses
    #[arg(long, help_heading = "Bare links")]
    pub(crate) no_email: bool,

    /// Also link names without a scheme, such as example.com, in the natural dialect
    #[arg(long, help_heading = "Bare links")]
    pub(crate) domains: bool,

    /// Also link bare URLs with this scheme, such as tel or app; may be repeated
    ///
    /// In the natural dialect only. `tel`, `tel:` and `app://` are all understood. The scheme
    /// is then allowed as well, as if --allow-scheme had named it too: otherwise such links
    /// would lead nowhere.
    #[arg(
        long = "scheme",
        value_name = "NAME",
        value_parser = barelink::own_scheme,
        help_heading = "Bare links"
    )]
    pub(crate) schemes: Vec<String>,

    /// Link bare URLs in the md4c dialect, as in md2html
    #[arg(long, help_heading = "Bare links")]
    pub(crate) fpermissive_url_autolinks: bool,

    /// Link bare www. names in the md4c dialect, as in md2html
    #[arg(long, help_heading = "Bare links")]
    pub(crate) fpermissive_www_autolinks: bool,

    /// Link bare e-mail addresses in the md4c dialect, as in md2html
    #[arg(long, help_heading = "Bare links")]
    pub(crate) fpermissive_email_autolinks: bool,

    /// Link all three in the md4c dialect, as in md2html
    #[arg(long, help_heading = "Bare links")]
    pub(crate) fpermissive_autolinks: bool,
}

/// What is changed about a preset.
#[derive(Debug, Args)]
pub(crate) struct ChangeArgs {
    /// Add an extension to the preset, or remove it with `no-NAME`; may be repeated
    #[arg(
        short,
        long = "extension",
        value_name = "NAME",
        value_parser = Switch::parser(),
        help_heading = "Markdown"
    )]
    pub(crate) extensions: Vec<Switch>,

    /// How to recognize bare links, instead of the preset's way
    #[arg(long, value_name = "NAME", value_enum, help_heading = "Bare links")]
    pub(crate) dialect: Option<DialectName>,
}

/// The values of `--dialect`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectName {
    /// GFM's extended autolinks, as its specification is written
    Gfm,
    /// The same, as GitHub's cmark-gfm implements it
    Github,
    /// MD4C's permissive autolinks, as documented
    Md4c,
    /// A link wherever a reader sees one
    Natural,
    /// No bare links
    None,
}

impl DialectName {
    /// The library's settings for bare links.
    pub(crate) fn autolinks(self) -> Autolinks {
        self.dialect().map_or(Autolinks::NONE, Autolinks::new)
    }

    /// The library's dialect.
    fn dialect(self) -> Option<Dialect> {
        match self {
            Self::Gfm => Some(Dialect::Gfm),
            Self::Github => Some(Dialect::Github),
            Self::Md4c => Some(Dialect::Md4c),
            Self::Natural => Some(Dialect::Natural),
            Self::None => None,
        }
    }
}

/// The kind of documents that a command reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Documents {
    /// Files, which may have front matter.
    Files,
    /// Messages, which have no front matter.
    Messages,
}

/// An extension, and whether it is switched on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Switch {
    extension: Extension,
    is_on: bool,
}

impl Switch {
    /// Reads a name, or `no-` and a name.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        let on = Extension::value_variants().iter().filter_map(Extension::to_possible_value);
        let off = Extension::value_variants().iter().map(|extension| {
            let aliases = extension.names().map(|name| format!("no-{name}"));
            let name = aliases.clone().next().unwrap_or_default();
            PossibleValue::new(name).aliases(aliases.skip(1)).hide(true)
        });
        PossibleValuesParser::new(on.chain(off))
            .try_map(|name| Self::from_name(&name).ok_or("there is no such extension"))
    }

    /// The switch of this name; `None` if there is none.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let (name, is_on) = match name.strip_prefix("no-") {
            Some(name) => (name, false),
            None => (name, true),
        };
        Extension::from_str(name, false).ok().map(|extension| Self { extension, is_on })
    }

    /// The usual names of what can be switched on.
    pub(crate) fn names() -> impl Iterator<Item = String> {
        Extension::value_variants().iter().filter_map(|it| it.names().next())
    }

    /// Switches the extension on or off.
    pub(crate) fn apply(self, options: &mut Options) {
        let Self { extension, is_on } = self;
        match extension {
            Extension::Table => options.tables = is_on,
            Extension::Strikethrough => options.strikethrough = is_on,
            Extension::SingleTilde => options.single_tilde = is_on,
            Extension::Mark => options.mark = is_on,
            Extension::Superscript => options.superscript = is_on,
            Extension::Subscript => options.subscript = is_on,
            Extension::Autolink if is_on => options.autolinks = Autolinks::new(Dialect::Gfm),
            Extension::Autolink => options.autolinks = Autolinks::NONE,
            Extension::Tagfilter => options.tag_filter = is_on,
            Extension::Tasklist => options.task_lists = is_on,
            Extension::Footnotes => options.footnotes = is_on,
            Extension::Alerts => options.alerts = is_on,
            Extension::HeadingAttributes => options.heading_attributes = is_on,
            Extension::Emoji => options.emoji = is_on,
            Extension::DefinitionLists => options.definition_lists = is_on,
            Extension::SmartPunctuation => options.smart_punctuation = is_on,
            Extension::Math => options.math = is_on,
            Extension::WikiLinks => options.wiki_links = is_on,
            Extension::FrontMatter => options.front_matter = is_on,
        }
    }
}

/// The values of `--extension`: cmark-gfm's names, and more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Extension {
    /// Tables
    #[value(alias = "tables")]
    Table,
    /// ~~struck~~ text
    Strikethrough,
    /// Bare links, in the gfm dialect
    #[value(alias = "autolinks")]
    Autolink,
    /// Escape tags such as <script> where raw HTML passes
    #[value(alias = "tag-filter")]
    Tagfilter,
    /// - [ ] tasks
    #[value(aliases = ["tasklists", "task-list", "task-lists"])]
    Tasklist,
    /// Footnotes
    #[value(alias = "footnote")]
    Footnotes,
    /// > [!NOTE] alerts
    #[value(alias = "alert")]
    Alerts,
    /// Terms, and `:` before what they mean
    #[value(alias = "definition-list")]
    DefinitionLists,
    /// # Title {#id .class}
    #[value(alias = "heading-attrs")]
    HeadingAttributes,
    /// :tada:
    #[value(alias = "shortcodes")]
    Emoji,
    /// YAML or TOML at the start, which is not shown; on for files
    FrontMatter,
    /// $math$, $$math$$ and ```math
    Math,
    /// [[target]] and [[target|text]]
    #[value(aliases = ["wiki-link", "wikilinks"])]
    WikiLinks,
    /// One tilde strikes through like two; on unless switched off
    SingleTilde,
    /// ==marked== text
    #[value(alias = "highlight")]
    Mark,
    /// 2^10^
    Superscript,
    /// H~2~O; two tildes still strike through
    Subscript,
    /// “Quotes”, – dashes and ellipses … from "quotes", -- and ...
    #[value(alias = "smart")]
    SmartPunctuation,
}

impl Extension {
    /// All its names, the primary one first.
    pub(crate) fn names(self) -> impl Iterator<Item = String> + Clone {
        let value = self.to_possible_value().unwrap_or_default();
        let names: Vec<String> = value.get_name_and_aliases().map(str::to_owned).collect();
        names.into_iter()
    }
}

impl MarkdownArgs {
    /// Converts the flags to options; `None` if there is no such preset.
    pub(crate) fn options(&self, documents: Documents) -> Option<Options> {
        let mut options = Options::preset(&self.preset)?;
        options.front_matter = documents == Documents::Files;
        for switch in &self.changes.extensions {
            switch.apply(&mut options);
        }
        self.apply_links(&mut options.autolinks);
        options.schemes.clone_from(&self.schemes);
        self.allow_schemes(&mut options.policy.urls);
        Some(options)
    }

    /// Allows links with the user's own schemes.
    pub(crate) fn allow_schemes(&self, urls: &mut Urls) {
        if !self.schemes.is_empty() {
            *urls = std::mem::take(urls).and_schemes(self.schemes.iter().cloned());
        }
    }

    /// Applies the flags for bare links.
    fn apply_links(&self, links: &mut Autolinks) {
        if let Some(name) = self.changes.dialect {
            *links = name.autolinks();
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
        links.domains |= self.domains;
    }
}

/// The parser for names of presets, with a help text for each.
pub(crate) fn preset_parser() -> PossibleValuesParser {
    let value = |name: &&'static str| PossibleValue::new(*name).help(help::preset(name));
    PossibleValuesParser::new(Options::PRESETS.iter().map(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use barelink::Reading;
    use clap::Parser;

    #[derive(Parser)]
    struct Probe {
        #[command(flatten)]
        markdown: MarkdownArgs,
    }

    fn options(flags: &str) -> Options {
        let words = ["probe"].into_iter().chain(flags.split_whitespace());
        Probe::try_parse_from(words).unwrap().markdown.options(Documents::Messages).unwrap()
    }

    /// The dialect that flags amount to, with the kinds that are on.
    fn links(flags: &str) -> String {
        let Some(rules) = options(flags).autolinks.rules() else { return "none".to_owned() };
        let kinds = [(rules.url, " url"), (rules.www, " www"), (rules.email, " email")];
        let on = kinds.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name);
        rules.dialect.name().to_owned() + &on.collect::<String>()
    }

    #[test]
    fn the_default_preset_exists() {
        assert_eq!(Options::preset(DEFAULT_PRESET), Some(Options::gfm()));
        assert_eq!(options(""), Options::gfm());
    }

    #[test]
    fn a_preset_brings_its_dialect() {
        assert_eq!(links(""), "gfm url www email");
        assert_eq!(links("--preset commonmark"), "none");
        for name in ["gfm", "github", "md4c", "natural"] {
            let expected = format!("{name} url www email");
            assert_eq!(links(&format!("--preset {name}")), expected);
            assert_eq!(links(&format!("--preset commonmark --dialect {name}")), expected);
            assert_eq!(links(&format!("--preset github --dialect {name}")), expected);
            assert_eq!(links(&format!("--preset {name} --dialect none")), "none");
        }
    }

    #[test]
    fn a_dialect_changes_links_and_nothing_else() {
        for name in Options::PRESETS {
            let mut changed = options(&format!("--preset {name} --dialect md4c"));
            let preset = Options::preset(name).unwrap();
            assert_eq!(changed.autolinks, Autolinks::new(Dialect::Md4c));
            changed.autolinks = preset.autolinks;
            assert_eq!(changed, preset);
        }
    }

    #[test]
    fn each_kind_can_be_left_alone() {
        assert_eq!(links("--no-url"), "gfm www email");
        assert_eq!(links("--no-www"), "gfm url email");
        assert_eq!(links("--no-email"), "gfm url www");
        assert_eq!(links("--no-url --no-email --dialect github"), "github www");
        assert_eq!(links("--no-url --no-www --no-email"), "none");
        assert_eq!(links("--preset commonmark --no-url"), "none");
    }

    #[test]
    fn names_are_linked_when_asked_for() {
        assert!(!options("--preset natural").autolinks.domains);
        assert!(options("--preset natural --domains").autolinks.domains);
        assert!(options("--domains --dialect natural").autolinks.domains);
    }

    #[test]
    fn schemes_are_taken_as_people_write_them() {
        let options = options("--preset natural --scheme tel: --scheme App:// --scheme magnet");
        assert_eq!(options.schemes, ["tel", "app", "magnet"]);
        assert_eq!(options.policy.urls, Urls::Safe.and_schemes(["tel", "app", "magnet"]));
    }

    #[test]
    fn permissive_flags_turn_their_kind_on() {
        for (name, kinds) in
            [("url-", " url"), ("www-", " www"), ("email-", " email"), ("", " url www email")]
        {
            let flag = format!("--fpermissive-{name}autolinks");
            // Over what has no bare links, or those of another dialect, that kind alone.
            for before in ["--preset commonmark", "--preset gfm", "", "--dialect none"] {
                assert_eq!(links(&format!("{before} {flag}")), format!("md4c{kinds}"), "{before}");
            }
            // Over what has all of them already, nothing is turned off.
            for before in ["--preset md4c", "--dialect md4c"] {
                assert_eq!(links(&format!("{before} {flag}")), "md4c url www email", "{before}");
            }
        }
        assert_eq!(
            links("--preset commonmark --fpermissive-url-autolinks --fpermissive-www-autolinks"),
            "md4c url www"
        );
        assert_eq!(links("--fpermissive-autolinks --no-www"), "md4c url email");
        assert_eq!(links("--fpermissive-url-autolinks --no-url"), "none");
    }

    #[test]
    fn the_extension_autolink_is_the_gfm_dialect() {
        for name in Options::PRESETS {
            assert_eq!(links(&format!("--preset {name} -e autolink")), "gfm url www email");
        }
        assert_eq!(links("--preset commonmark -e autolink --no-email"), "gfm url www");
        assert_eq!(links("-e autolink --dialect github"), "github url www email");
        let mut expected = Options::commonmark();
        expected.autolinks = Autolinks::new(Dialect::Gfm);
        assert_eq!(options("--preset commonmark -e autolink"), expected);
    }

    #[test]
    fn extensions_are_switched_off_by_their_names() {
        let without = |flags: &str| options(&format!("--preset github {flags}"));
        assert!(!without("-e no-tables").tables && !without("-e no-table").tables);
        assert!(without("-e no-tables -e table").tables);
        assert_eq!(without("-e no-autolink").autolinks, Autolinks::NONE);
        let flags = "-e no-footnotes -e no-alerts -e no-emoji -e no-math --dialect gfm";
        let mut gfm = Options::gfm();
        gfm.reading = Reading::CmarkGfm;
        assert_eq!(without(flags), gfm);
        assert!(Probe::try_parse_from(["probe", "-e", "no-such"]).is_err());
    }

    #[test]
    fn files_may_have_front_matter() {
        let of = |words: &[&str]| {
            let probe = Probe::try_parse_from([&["probe"], words].concat()).unwrap();
            [Documents::Files, Documents::Messages]
                .map(|documents| probe.markdown.options(documents).unwrap().front_matter)
        };
        assert_eq!(of(&[]), [true, false]);
        assert_eq!(of(&["-e", "front-matter"]), [true, true]);
        assert_eq!(of(&["-e", "no-front-matter"]), [false, false]);
    }

    #[test]
    fn extensions_add_up_to_a_preset() {
        let flags = "--preset commonmark -e table -e strikethrough -e tasklist -e tagfilter";
        assert_eq!(options(&format!("{flags} -e autolink")), Options::gfm());
        let github = format!("{flags} -e footnotes -e alerts -e math -e emoji --dialect github");
        let mut expected = Options::github();
        expected.reading = Reading::Specification;
        assert_eq!(options(&github), expected);
    }
}
