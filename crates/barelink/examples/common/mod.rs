//! What the examples share: a source from a file or from standard input, output
//! to standard output, and errors that say what went wrong where.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What an example does: reads a source, writes something.
pub(crate) type Program = fn(&str, &mut dyn Write) -> Result<(), Box<dyn Error>>;

/// Runs `program` on the file that the first argument names, or on standard
/// input if there is none.
pub(crate) fn run(program: Program) -> ExitCode {
    let path = std::env::args_os().nth(1).map(PathBuf::from);
    match try_run(path.as_deref(), program, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to be told where even this fails.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The same, with the path and the output given.
pub(crate) fn try_run(
    path: Option<&Path>,
    program: Program,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let source = match path {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?,
        None => io::read_to_string(io::stdin())
            .map_err(|error| format!("cannot read standard input: {error}"))?,
    };
    let mut out = BufWriter::new(out);
    program(&source, &mut out)?;
    out.flush().map_err(|error| format!("cannot write: {error}").into())
}
