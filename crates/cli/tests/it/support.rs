//! A scratch directory to run the command in, and what came out of a run.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A directory that is gone after the test; the command runs in it.
pub(crate) struct Scratch(TempDir);

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, with the folders on the way to it.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Every file below the directory, sorted, with `/` between folders.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let below = path.strip_prefix(self.path()).unwrap();
                    names.push(below.to_str().unwrap().replace('\\', "/"));
                }
            }
        }
        names.sort();
        names
    }

    /// The command, ready to run here.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_barelink"));
        command
            .args(args)
            .current_dir(self.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with_stdin(args, "")
    }

    pub(crate) fn run_with_stdin(&self, args: &[&str], stdin: impl AsRef<[u8]>) -> Ran {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let bytes = stdin.as_ref().to_owned();
        let writer = std::thread::spawn(move || drop(pipe.write_all(&bytes)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// Asserts that nothing went wrong, and gives the standard output.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        self.stdout
    }
}
