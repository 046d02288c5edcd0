//! Barelink's chores, run as `cargo xtask <command>`.
//!
//! There is one module for each command; this file only dispatches.

mod bench;
mod corpora;
mod generate;
mod suites;
mod tidy;

use clap::{Parser, Subcommand};

/// Chores around Barelink's sources.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bench(bench::Args),
    Corpora(corpora::Args),
    Generate(generate::Args),
    Guard(bench::guard::Args),
    Suites(suites::Args),
    /// Check the rules of the house that the compiler does not
    Tidy,
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Bench(args) => bench::run(&args),
        Command::Corpora(args) => corpora::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Guard(args) => bench::guard::run(&args),
        Command::Suites(args) => suites::run(&args),
        Command::Tidy => {
            let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
            tidy::run(root.as_ref()).map_err(|problems| anyhow::anyhow!(problems.join("\n")))
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
