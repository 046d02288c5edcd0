//! The `barelink` command: converts Markdown to HTML, from files, pipes or JSON lines, and lists,
//! explains, checks and fixes links.
//!
//! A run has three steps, each in its own place:
//!
//! 1. `cli` parses the command line, and does nothing else;
//! 2. `job` converts it to a job, and refuses invalid combinations (exit code 2);
//! 3. the job runs (`html`, `out_dir`, `jsonl`, `links`, `explain`, `check`, `mdbook`, `serve`,
//!    `lsp`, `stream`, `generate`). An error in one file is reported through `report` and does not
//!    stop the others (exit code 2; findings of `check` are 1). An interrupt does, see `interrupt`
//!    (exit code 128 + signal).

mod below;
mod check;
mod cli;
mod excerpt;
mod explain;
mod front_matter;
mod generate;
mod help;
mod html;
mod interrupt;
mod job;
mod jsonl;
mod links;
#[cfg(feature = "lsp")]
mod lsp;
mod markdown;
mod mdbook;
mod out_dir;
mod output;
mod page;
mod pages;
mod render;
mod report;
mod rules;
#[cfg(feature = "serve")]
mod serve;
mod source;
mod stream;
mod terminal;
mod visible;
mod walk;

use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::{Cli, MdbookQuestion};
use crate::job::Job;
use crate::report::Report;

fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| report::usage(&help::with_tip(error)));
    report::use_color(cli.color);
    let job = Job::from_cli(cli).unwrap_or_else(|error| report::usage(&error));

    let mut report = Report::new();
    match job {
        Job::Html(job) => html::run(job, &mut report),
        #[cfg(feature = "serve")]
        Job::Serve(settings) => serve::run(*settings, &report),
        #[cfg(feature = "lsp")]
        Job::Lsp(args) => return lsp::run(&args, &report),
        Job::Stream(job) => stream::run(job, &report),
        Job::Check(args) => check::run(&args, &mut report),
        Job::Fix(args) => check::run_fix(&args, &mut report),
        Job::Rule(rule) => rules::run(rule, &report),
        Job::Mdbook(None) => mdbook::run(&report),
        // All renderers are supported, which exit code 0 says.
        Job::Mdbook(Some(MdbookQuestion::Supports { .. })) => {}
        Job::Links(job) => links::run(job, &report),
        Job::Explain(job) => explain::run(job, &report),
        Job::Completions(shell) => generate::completions(shell, &report),
        Job::Man(command) => generate::man(*command, &report),
    }
    report.exit_code()
}
