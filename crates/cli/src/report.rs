//! What the user is told on standard error, and the exit code that follows from it.
//!
//! Every message is one line, `barelink: NAME: what happened`, and is shown at once.
//! Threads share one [`Report`].

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
#[cfg(unix)]
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::ColorChoice;
use clap::Parser as _;
use clap::builder::styling::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::{Cli, Color};
use crate::visible::{self, Visible, visible};

/// Fewer files than this are done before a progress bar could be read.
const MIN_FILES_FOR_BAR: usize = 16;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NAME: Style = Style::new().bold();

/// Sets whether the messages have colors, for the whole run.
pub(crate) fn use_color(color: Color) {
    let choice = match color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// The reason of a failed system call in its own words, without number and path.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error ").next().unwrap_or_default().to_owned()
}

/// Ends the run with what the command line's parser has to say: the help that was asked for, or
/// an error. An error repeats arguments, and among those may be names of files.
pub(crate) fn usage(error: &clap::Error) -> ! {
    let arguments = || env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    if !error.use_stderr() || arguments().all(|argument| visible(&argument) == argument) {
        error.exit();
    }
    // The same of the same arguments, as they are shown.
    if let Err(shown) =
        Cli::try_parse_from(arguments().map(|argument| visible(&argument).into_owned()))
    {
        shown.exit();
    }
    // As a string it has no colors.
    let text: String = error.to_string().lines().map(|line| visible(line) + "\n").collect();
    drop(anstream::stderr().write_all(text.as_bytes()));
    process::exit(error.exit_code());
}

/// Helps someone who sits at the terminal; nobody else sees it.
pub(crate) fn hint(what: &str) {
    if io::stderr().is_terminal() {
        drop(writeln!(anstream::stderr(), "barelink: {}", Visible(what)));
    }
}

/// The last words of a run that a signal ends: the targets that it did not complete.
#[cfg(unix)]
pub(crate) fn interrupted<'a>(targets: impl Iterator<Item = &'a PathBuf>) {
    let mut lines: String = targets
        .map(|target| line(ERROR, &visible::path(target), &"not written: interrupted"))
        .collect();
    if lines.is_empty() {
        lines = format!("{ERROR}barelink:{ERROR:#} interrupted\n");
    }
    // What stands in the last line of a terminal, a bar or `^C`, stays there.
    let start = if io::stderr().is_terminal() { "\n" } else { "" };
    drop(write!(anstream::stderr(), "{start}{lines}"));
}

/// A message about something. Both may quote what strangers wrote.
fn line(style: Style, name: &dyn Display, what: &dyn Display) -> String {
    format!("{style}barelink:{style:#} {NAME}{}:{NAME:#} {}\n", Visible(name), Visible(what))
}

/// Tells what goes wrong and remembers that it did.
#[derive(Debug)]
pub(crate) struct Report {
    failed: AtomicBool,
    found: AtomicBool,
    bar: Option<ProgressBar>,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self { failed: AtomicBool::new(false), found: AtomicBool::new(false), bar: None }
    }

    /// Something asked for was not done.
    pub(crate) fn error(&self, name: impl Display, what: impl Display) {
        self.failed.store(true, Ordering::Relaxed);
        self.tell(ERROR, &name, &what);
    }

    /// Something worth knowing that is not the output.
    pub(crate) fn note(&self, what: impl Display) {
        self.write(&format!("barelink: {}\n", Visible(what)));
    }

    /// There are findings, which are no error but for the exit code.
    pub(crate) fn found(&self) {
        self.found.store(true, Ordering::Relaxed);
    }

    /// Something was done, but not as one might expect.
    pub(crate) fn warning(&self, name: impl Display, what: impl Display) {
        self.tell(WARNING, &name, &format_args!("warning: {what}"));
    }

    /// The end of a target that cannot be written to. A reader who has seen enough and
    /// closed the pipe is no error.
    pub(crate) fn write_error(&self, target: impl Display, error: &io::Error) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.error(target, reason(error));
        }
    }

    /// Shows a bar from now on, if there is a terminal and enough to wait for.
    pub(crate) fn start_progress(&mut self, n_files: usize) {
        if n_files < MIN_FILES_FOR_BAR || !io::stderr().is_terminal() {
            return;
        }
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files {eta:>4}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        self.bar = Some(ProgressBar::new(n_files as u64).with_style(style));
    }

    /// One more file is behind us.
    pub(crate) fn advance(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// Takes the bar away.
    pub(crate) fn end_progress(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        let (failed, found) = (&self.failed, &self.found);
        ExitCode::from(match (failed.load(Ordering::Relaxed), found.load(Ordering::Relaxed)) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        })
    }

    fn tell(&self, style: Style, name: &dyn Display, what: &dyn Display) {
        self.write(&line(style, name, what));
    }

    fn write(&self, line: &str) {
        // One write for one line, so that threads do not mix theirs; and nobody is left
        // to be told that standard error cannot be written to.
        let write = || drop(anstream::stderr().lock().write_all(line.as_bytes()));
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}
