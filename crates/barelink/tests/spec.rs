//! The conformance suites and our own cases, each example its own test:
//!
//! ```text
//! cargo test -p barelink --test spec -- commonmark/Tabs/1
//! ```
//!
//! A suite runs with the preset its row names and everything let through. A
//! case of `testdata` runs as `barelink html` would run it: with the preset its
//! folder is named after, safe, and with the flags it gives.

use std::process::ExitCode;

use barelink::{Options, Policy};
use barelink_spectest::case_file::Case;
use barelink_spectest::runner::{self, Comparison, Suite};
use libtest_mimic::Arguments;

/// The third-party suites. A new preset adds its rows here.
const SUITES: &[Suite] = &[
    Suite {
        name: "commonmark",
        file: "commonmark-0.31.2.json",
        n_examples: 652,
        preset: "commonmark",
        comparison: Comparison::Exact,
        known_differences: None,
    },
    Suite {
        name: "cmark-regression",
        file: "cmark-regression.json",
        n_examples: 26,
        preset: "commonmark",
        comparison: Comparison::Exact,
        known_differences: None,
    },
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = runner::case_trials(render_case);
    for suite in SUITES {
        let preset = suite.preset;
        trials.append(&mut runner::suite_trials(suite, move |example| {
            let mut options = preset_options(preset)?;
            options.policy = Policy::TRUSTED;
            render(&example.markdown, options)
        }));
    }
    runner::push_name_check(&mut trials);
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn render_case(folder: &str, case: &Case) -> Result<String, String> {
    render(&case.markdown, case_options(folder, &case.flags)?)
}

fn render(markdown: &str, options: Options) -> Result<String, String> {
    barelink::to_html(markdown, &options).map_err(|error| error.to_string())
}

/// The options that the command's flags stand for.
fn case_options(folder: &str, flags: &[String]) -> Result<Options, String> {
    let mut flags = flags.iter().map(String::as_str);
    let mut options = preset_options(folder)?;
    while let Some(flag) = flags.next() {
        match flag {
            "--unsafe" => options.policy = Policy::TRUSTED,
            "--preset" => {
                let name = flags.next().ok_or("`--preset` without a name")?;
                let policy = options.policy;
                options = preset_options(name)?;
                options.policy = policy;
            }
            _ => return Err(format!("unknown flag `{flag}`")),
        }
    }
    Ok(options)
}

fn preset_options(name: &str) -> Result<Options, String> {
    Options::preset(name).ok_or_else(|| format!("no preset is named `{name}`"))
}
