//! The conformance suites and our own cases, each example its own test:
//!
//! ```text
//! cargo test -p barelink --test spec -- commonmark/Tabs/1
//! ```
//!
//! A suite runs with the options of its row, the extensions and flags that an
//! example names, and everything let through. A case of `testdata` runs as
//! `barelink html` would run it: with the preset its folder is named after,
//! safe, and with the flags it gives.

mod names;

use std::process::ExitCode;

use barelink::{Autolinks, Dialect, Markup, Options, Policy};
use barelink_spectest::case_file::Case;
use barelink_spectest::runner::{self, Comparison, Suite};
use barelink_spectest::suite::Example;
use libtest_mimic::Arguments;

/// A suite and the options that its examples add to.
struct Row {
    suite: Suite,
    base: fn() -> Options,
}

/// A suite compared byte for byte.
const fn exact(
    name: &'static str,
    file: &'static str,
    n_examples: usize,
    base: fn() -> Options,
) -> Row {
    let comparison = Comparison::Exact;
    let suite = Suite { name, file, n_examples, comparison, known_differences: None, other: None };
    Row { suite, base }
}

/// A suite of MD4C, compared after normalizing: markup that only looks
/// different is no difference there.
const fn md4c(name: &'static str, file: &'static str, n_examples: usize) -> Row {
    let comparison = Comparison::Normalized;
    let suite = Suite { name, file, n_examples, comparison, known_differences: None, other: None };
    Row { suite, base: md4c_base }
}

/// A suite of pulldown-cmark, compared in the same way.
const fn pulldown(
    name: &'static str,
    file: &'static str,
    n_examples: usize,
    base: fn() -> Options,
) -> Row {
    let comparison = Comparison::Normalized;
    let suite = Suite { name, file, n_examples, comparison, known_differences: None, other: None };
    Row { suite, base }
}

impl Row {
    /// With a list of known differences.
    const fn but_for(mut self, known_differences: &'static str) -> Self {
        self.suite.known_differences = Some(known_differences);
        self
    }

    /// With another edition, which has a row of its own.
    const fn or(mut self, file: &'static str) -> Self {
        self.suite.other = Some(file);
        self
    }
}

/// The third-party suites. A new one adds its row here, and its source in
/// `xtask/src/suites.rs`.
const ROWS: &[Row] = &[
    exact("commonmark", "commonmark-0.31.2.json", 652, Options::commonmark),
    exact("cmark-regression", "cmark-regression.json", 26, Options::commonmark),
    exact("gfm-spec", "gfm-0.29-spec.json", 672, Options::commonmark)
        .but_for("gfm-0.29-spec.txt")
        .or("cmark-gfm-0.29.0-spec.json"),
    exact("cmark-gfm-extensions", "cmark-gfm-extensions.json", 30, Options::github)
        .but_for("cmark-gfm-extensions.txt")
        .or("cmark-gfm-0.29.0-extensions.json"),
    exact("cmark-gfm-regression", "cmark-gfm-regression.json", 26, Options::commonmark)
        .or("cmark-gfm-0.29.0-regression.json"),
    exact("gfm.0-spec", "cmark-gfm-0.29.0-spec.json", 673, Options::commonmark)
        .but_for("cmark-gfm-0.29.0-spec.txt")
        .or("gfm-0.29-spec.json"),
    exact("gfm.0-extensions", "cmark-gfm-0.29.0-extensions.json", 26, Options::github)
        .but_for("cmark-gfm-0.29.0-extensions.txt")
        .or("cmark-gfm-extensions.json"),
    exact("gfm.0-regression", "cmark-gfm-0.29.0-regression.json", 19, Options::commonmark)
        .but_for("cmark-gfm-0.29.0-regression.txt")
        .or("cmark-gfm-regression.json"),
    md4c("md4c-permissive-autolinks", "md4c-spec-permissive-autolinks.json", 15),
    md4c("md4c-tables", "md4c-spec-tables.json", 12).but_for("md4c-spec-tables.txt"),
    md4c("md4c-strikethrough", "md4c-spec-strikethrough.json", 5),
    md4c("md4c-tasklists", "md4c-spec-tasklists.json", 5),
    md4c("md4c-footnotes", "md4c-spec-footnotes.json", 26).but_for("md4c-spec-footnotes.txt"),
    md4c("md4c-admonitions", "md4c-spec-admonitions.json", 5),
    md4c("md4c-regressions", "md4c-regressions.json", 80).but_for("md4c-regressions.txt"),
    md4c("md4c-coverage", "md4c-coverage.json", 19),
    pulldown("pulldown-definition-lists", "pulldown-cmark-definition-lists.json", 31, || {
        with_tables(|options| options.definition_lists = true)
    }),
    pulldown("pulldown-heading-attributes", "pulldown-cmark-heading-attributes.json", 42, || {
        with_tables(|options| {
            options.heading_attributes = true;
            options.strikethrough = true;
        })
    }),
    pulldown("pulldown-smart-punctuation", "pulldown-cmark-smart-punctuation.json", 16, || {
        with_tables(|options| options.smart_punctuation = true)
    }),
];

/// Case files that other presets than that of their folder answer alike.
const ALSO: &[(&str, &[&str])] = &[
    ("gfm/extended-autolinks", &["github", "natural"]),
    ("gfm/extended-autolinks-zh", &["github", "natural"]),
];

fn md4c_base() -> Options {
    let mut options = Options::commonmark();
    options.markup = Markup::Md4c;
    options
}

/// CommonMark with tables and something else.
fn with_tables(add: fn(&mut Options)) -> Options {
    let mut options = Options::commonmark();
    options.tables = true;
    add(&mut options);
    options
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = runner::case_trials(ALSO, render_case);
    for row in ROWS {
        trials.append(&mut runner::suite_trials(&row.suite, |example| {
            render(&example.markdown, &suite_options((row.base)(), example)?)
        }));
    }
    runner::push_name_check(&mut trials);
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn render_case(folder: &str, case: &Case) -> Result<String, String> {
    render(&case.markdown, &case_options(folder, &case.flags)?)
}

fn render(markdown: &str, options: &Options) -> Result<String, String> {
    barelink::to_html(markdown, options).map_err(|error| error.to_string())
}

/// The options of an example, everything let through.
fn suite_options(base: Options, example: &Example) -> Result<Options, String> {
    let mut options = base;
    options.policy = Policy::TRUSTED;
    // A preset that has bare links already has them in the dialect to be tested.
    let links = options.autolinks;
    for name in &example.extensions {
        names::add_extension(&mut options, name)?;
    }
    if links.dialect.is_some() {
        options.autolinks = links;
    }
    for flag in &example.flags {
        names::add_flag(&mut options, flag)?;
    }
    Ok(options)
}

/// The options that the command's flags stand for.
fn case_options(folder: &str, flags: &[String]) -> Result<Options, String> {
    let mut flags = flags.iter().map(String::as_str);
    let mut options = preset_options(folder)?;
    while let Some(flag) = flags.next() {
        let mut value = || flags.next().ok_or_else(|| format!("`{flag}` without a name"));
        match flag {
            "--unsafe" => options.policy = Policy::TRUSTED,
            "--preset" => {
                let policy = options.policy;
                options = preset_options(value()?)?;
                options.policy = policy;
            }
            "-e" => names::add_extension(&mut options, value()?)?,
            "--dialect" => options.autolinks = dialect_links(value()?)?,
            "--no-url" => options.autolinks.url = false,
            "--no-www" => options.autolinks.www = false,
            "--no-email" => options.autolinks.email = false,
            flag if flag.starts_with("--fpermissive-") => names::add_flag(&mut options, flag)?,
            _ => return Err(format!("unknown flag `{flag}`")),
        }
    }
    Ok(options)
}

fn preset_options(name: &str) -> Result<Options, String> {
    Options::preset(name).ok_or_else(|| format!("no preset is named `{name}`"))
}

fn dialect_links(name: &str) -> Result<Autolinks, String> {
    if name == "none" {
        return Ok(Autolinks::NONE);
    }
    let dialect = Dialect::ALL.iter().copied().find(|dialect| dialect.name() == name);
    dialect.map(Autolinks::new).ok_or_else(|| format!("no dialect is named `{name}`"))
}
