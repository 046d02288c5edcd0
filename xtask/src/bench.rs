//! `cargo xtask bench`: Barelink and its peers side by side.
//!
//! The measuring is done by a program in a workspace of its own, `benches/`,
//! so that nothing else has to build the peers. This builds it, makes the
//! corpora, says where the real ones are, and hands every option on: `cargo
//! xtask bench --help` is that program's help.

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
    succeed(command.args(&args.options))
}

/// The real text: where `BARELINK_CORPORA` says, or beside the repository.
fn find_real_corpora() -> Option<PathBuf> {
    let named = std::env::var_os("BARELINK_CORPORA").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| corpora::root().join("../shared/corpora"));
    folder.is_dir().then_some(folder)
}

/// Builds a package of `benches/` and gives the folder with its programs.
fn build(package: &str) -> anyhow::Result<PathBuf> {
    let manifest = corpora::root().join("benches/Cargo.toml");
    let target = corpora::target_folder().join("benches");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--release", "--quiet", "--package", package]);
    command.arg("--manifest-path").arg(manifest).arg("--target-dir").arg(&target);
    succeed(&mut command)?;
    Ok(target.join("release"))
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let program = Path::new(command.get_program()).to_owned();
    let status = command.status().with_context(|| format!("cannot start {}", program.display()))?;
    if !status.success() {
        bail!("{} failed: {status}", program.display());
    }
    Ok(())
}
