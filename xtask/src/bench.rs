//! `cargo xtask bench`: Barelink and its peers side by side.
//!
//! A program in a separate workspace, `benches/`, does the measuring, so that nothing else has to
//! build the peers. This command builds it, makes the corpora, passes the path of the real ones,
//! and forwards every option: `cargo xtask bench --help` is that program's help.

pub(crate) mod guard;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::corpora;

/// Measure Barelink and its peers on the same documents
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    /// What the benchmark is asked for; `--help` lists it
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<OsString>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let made = corpora::ensure()?;
    let folder = build("barelink-bench")?;
    let mut command = Command::new(folder.join("compare"));
    command.arg("--made").arg(made);
    command.arg("--record").arg(corpora::root().join("benches/record"));
    if let Some(real) = find_real_corpora() {
        command.arg("--real").arg(real);
    }
    if wants_command(&args.options) {
        command.arg("--command").arg(build_command()?);
    }
    succeed(command.args(&args.options))
}

/// Whether the command is measured: it is unless only other things are selected.
fn wants_command(options: &[OsString]) -> bool {
    let options: Vec<_> = options.iter().map(|option| option.to_string_lossy()).collect();
    let is_measure = |option: &str| option == "--measure" || option.starts_with("--measure=");
    !options.iter().any(|option| is_measure(option) || option == "--help")
        || options.iter().any(|option| option == "command" || option == "--measure=command")
}

/// The folder of real text: the value of `BARELINK_CORPORA`, or one beside the repository.
fn find_real_corpora() -> Option<PathBuf> {
    let named = std::env::var_os("BARELINK_CORPORA").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| corpora::root().join("../shared/corpora"));
    folder.is_dir().then_some(folder)
}

/// Builds the command as it is installed, and returns its path.
fn build_command() -> anyhow::Result<PathBuf> {
    let mut command = cargo_build("barelink-cli", &corpora::root().join("Cargo.toml"));
    succeed(command.arg("--target-dir").arg(corpora::target_folder()))?;
    Ok(corpora::target_folder().join("release/barelink"))
}

/// Builds a package of `benches/`, and returns the folder with its programs.
fn build(package: &str) -> anyhow::Result<PathBuf> {
    let manifest = corpora::root().join("benches/Cargo.toml");
    let target = corpora::target_folder().join("benches");
    succeed(cargo_build(package, &manifest).arg("--target-dir").arg(&target))?;
    Ok(target.join("release"))
}

fn cargo_build(package: &str, manifest: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--release", "--quiet", "--package", package]);
    command.arg("--manifest-path").arg(manifest);
    command
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let program = Path::new(command.get_program()).to_owned();
    let status = command.status().with_context(|| format!("cannot start {}", program.display()))?;
    if !status.success() {
        bail!("{} failed: {status}", program.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::wants_command;

    #[test]
    fn the_command_is_built_when_it_is_measured() {
        for (options, expected) in [
            ("", true),
            ("--quick --only book", true),
            ("--measure whole", false),
            ("--measure=whole", false),
            ("--measure whole --measure command", true),
            ("--measure=command", true),
            ("--help", false),
        ] {
            let options: Vec<_> = options.split_whitespace().map(Into::into).collect();
            assert_eq!(wants_command(&options), expected, "{options:?}");
        }
    }
}
