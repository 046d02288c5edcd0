//! A scratch directory to run the command in, and what came out of a run.

use std::fs;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Nothing is waited for longer than this, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

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
        let writer = thread::spawn(move || drop(pipe.write_all(&bytes)));
        let ran = finish(child);
        writer.join().unwrap();
        ran
    }
}

#[cfg(target_os = "linux")]
impl Scratch {
    /// Runs the command with a terminal as its standard output.
    pub(crate) fn run_at_terminal(&self, args: &[&str]) -> Ran {
        use rustix::fs::{Mode, OFlags, open};
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let screen = openpt(flags).unwrap();
        grantpt(&screen).unwrap();
        unlockpt(&screen).unwrap();
        let name = ptsname(&screen, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let terminal = open(name, flags, Mode::empty()).unwrap();
        let reader = thread::spawn(move || {
            let (mut screen, mut bytes) = (fs::File::from(screen), Vec::new());
            // When nothing has the terminal open any more, reading fails.
            drop(screen.read_to_end(&mut bytes));
            String::from_utf8(bytes).unwrap()
        });
        let mut command = self.command(args);
        // A terminal that is known to have colors.
        command.env("TERM", "xterm").env_remove("NO_COLOR").stdout(terminal);
        let child = command.spawn().unwrap();
        // It has the terminal open, too.
        drop(command);
        let ran = finish(child);
        Ran { stdout: reader.join().unwrap(), ..ran }
    }
}

/// Waits for the end of a run, though not for ever.
#[track_caller]
pub(crate) fn finish(mut child: Child) -> Ran {
    // Pipes are emptied aside: the command waits if they are full.
    let stdout = child.stdout.take().map(read_aside);
    let stderr = child.stderr.take().map(read_aside);
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the command has not ended");
        }
        thread::sleep(Duration::from_millis(2));
    };
    let text = |reader: Option<JoinHandle<String>>| reader.map(|it| it.join().unwrap());
    Ran {
        code: status.code(),
        stdout: text(stdout).unwrap_or_default(),
        stderr: text(stderr).unwrap_or_default(),
    }
}

fn read_aside(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).unwrap();
        text
    })
}

/// Waits for something to become true.
#[cfg(unix)]
#[track_caller]
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "waited for {what}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// A document of half a megabyte, and its HTML.
#[cfg(unix)]
pub(crate) fn long_document() -> (String, String) {
    const N: usize = 20_000;
    let paragraph = "a line of a long paragraph";
    (format!("{paragraph}\n\n").repeat(N), format!("<p>{paragraph}</p>\n").repeat(N))
}

impl Ran {
    /// Asserts that nothing went wrong, and gives the standard output.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        self.stdout
    }
}
