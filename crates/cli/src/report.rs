//! Messages on standard error, and the exit code.
//!
//! Every message is one line, `barelink: NAME: what happened`, and is shown immediately. Threads
//! share one [`Report`].

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

/// With fewer files than this, no progress bar is shown.
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

/// The system's message for a failed call, without number and path.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split(" (os error ").next().unwrap_or_default() {
        // What the standard library says of bytes that are not UTF-8.
        "stream did not contain valid UTF-8" => "is not valid UTF-8".to_owned(),
        reason => reason.to_owned(),
    }
}

/// Prints the help or error of the parser of the command line, and exits. An error may quote
/// arguments, such as names of files, which must be made visible.
pub(crate) fn usage(error: &clap::Error) -> ! {
    let arguments = || env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    if !error.use_stderr() || arguments().all(|argument| visible(&argument) == argument) {
        error.exit();
    }
    // Parse the arguments again in their visible form, for the same error about them.
    if let Err(shown) =
        Cli::try_parse_from(arguments().map(|argument| visible(&argument).into_owned()))
    {
        shown.exit();
    }
    // As a string, the error has no colors.
    let text: String = error.to_string().lines().map(|line| visible(line) + "\n").collect();
    drop(anstream::stderr().write_all(text.as_bytes()));
    process::exit(error.exit_code());
}

/// Prints a hint, if standard error is a terminal.
pub(crate) fn hint(what: &str) {
    if io::stderr().is_terminal() {
        drop(writeln!(anstream::stderr(), "barelink: {}", Visible(what)));
    }
}

/// Reports the targets that are incomplete when a signal ends the run.
#[cfg(unix)]
pub(crate) fn interrupted<'a>(targets: impl Iterator<Item = &'a PathBuf>) {
    let mut lines: String = targets
        .map(|target| line(ERROR, &visible::path(target), &"not written: interrupted"))
        .collect();
    if lines.is_empty() {
        lines = format!("{ERROR}barelink:{ERROR:#} interrupted\n");
    }
    // The last line of the terminal may have a progress bar or `^C`.
    let start = if io::stderr().is_terminal() { "\n" } else { "" };
    drop(write!(anstream::stderr(), "{start}{lines}"));
}

/// Formats a message. Both `name` and `what` may quote untrusted text.
fn line(style: Style, name: &dyn Display, what: &dyn Display) -> String {
    format!("{style}barelink:{style:#} {NAME}{}:{NAME:#} {}\n", Visible(name), Visible(what))
}

/// Writes messages, and keeps track of failures for the exit code.
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

    /// Reports an error: something requested was not done.
    pub(crate) fn error(&self, name: impl Display, what: impl Display) {
        self.failed.store(true, Ordering::Relaxed);
        self.tell(ERROR, &name, &what);
    }

    /// Prints information that is not part of the output.
    pub(crate) fn note(&self, what: impl Display) {
        self.write(&format!("barelink: {}\n", Visible(what)));
    }

    /// Records that there are findings, for the exit code.
    pub(crate) fn found(&self) {
        self.found.store(true, Ordering::Relaxed);
    }

    /// Whether something was not done that was asked for.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Writes a line of a list that is not the output. The line must be safe to display already.
    pub(crate) fn list(&self, line: &str) {
        self.write(line);
    }

    /// Prints a warning: something was done, but not as the user might expect.
    pub(crate) fn warning(&self, name: impl Display, what: impl Display) {
        self.tell(WARNING, &name, &format_args!("warning: {what}"));
    }

    /// Reports that a target cannot be written to. A closed pipe is not an error.
    pub(crate) fn write_error(&self, target: impl Display, error: &io::Error) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.error(target, reason(error));
        }
    }

    /// Starts a progress bar if there is a terminal and there are enough files.
    pub(crate) fn start_progress(&mut self, n_files: usize) {
        if n_files < MIN_FILES_FOR_BAR || !io::stderr().is_terminal() {
            return;
        }
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files {eta:>4}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        self.bar = Some(ProgressBar::new(n_files as u64).with_style(style));
    }

    /// Advances the progress bar by one file.
    pub(crate) fn advance(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// Removes the progress bar.
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
        // One write per line, so that those of threads are not mixed. An error of writing to
        // standard error cannot be reported.
        let write = || drop(anstream::stderr().lock().write_all(line.as_bytes()));
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}
