//! Short-lived Python processes, for what is written in Python already: inputs
//! that are Python expressions.
//!
//! A program gets everything on its standard input and answers on its standard
//! output. It is expected to read all before it writes, so that neither side
//! waits for the other.

use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::Unavailable;

/// A process ends itself after this many seconds: a wrong output can make a
/// backtracking match take forever.
const SECONDS: &str = "120";

/// What every program begins with.
const PRELUDE: &str = r#"
import signal, sys
if hasattr(signal, "alarm"): signal.alarm(int(sys.argv[1]))
"#;

/// A Python interpreter.
#[derive(Debug, Clone)]
pub struct Python {
    path: PathBuf,
}

impl Python {
    /// The one that `python3` starts.
    pub fn system() -> Self {
        Self { path: PathBuf::from("python3") }
    }

    /// Runs a program, in which `sys` is imported, on pieces of input.
    ///
    /// # Errors
    /// [`Unavailable::Missing`] without the interpreter, [`Unavailable::Broken`]
    /// when the program fails, takes too long or answers what is not UTF-8.
    pub fn run(&self, program: &str, input: &[&[u8]]) -> Result<String, Unavailable> {
        let shown = self.path.display();
        let broken = |what: &str| Unavailable::Broken(format!("{shown}: {what}"));
        let mut child = Command::new(&self.path)
            .args(["-c", &format!("{PRELUDE}{program}"), SECONDS])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| match error.kind() {
                ErrorKind::NotFound => Unavailable::Missing(format!("there is no {shown}")),
                _ => broken(&error.to_string()),
            })?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that died early says so on standard error: that is the better message.
            let _ = input.iter().try_for_each(|piece| stdin.write_all(piece));
        }
        let output = child.wait_with_output().map_err(|error| broken(&error.to_string()))?;
        if !output.status.success() {
            let complaint = String::from_utf8_lossy(&output.stderr);
            return Err(broken(&format!("{}\n{complaint}", output.status)));
        }
        String::from_utf8(output.stdout).map_err(|error| broken(&error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::Python;
    use crate::Unavailable;

    #[test]
    fn an_interpreter_that_is_not_there_is_missing() {
        let python = Python { path: PathBuf::from("no-such-python") };
        let answer = python.run("", &[]);
        assert!(matches!(answer, Err(Unavailable::Missing(_))), "{answer:?}");
    }

    #[test]
    fn a_program_that_fails_is_broken() {
        let answer = Python::system().run("sys.exit('no luck')", &[b"unread"]);
        let is_right = match &answer {
            Err(Unavailable::Broken(message)) => message.contains("no luck"),
            Err(problem) => problem.is_skip(),
            Ok(_) => false,
        };
        assert!(is_right, "{answer:?}");
    }
}
