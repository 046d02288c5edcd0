//! What the caller of the server gives and gets: the settings for files, and how a session ended.

use std::path::{Path, PathBuf};

use barelink_check::Settings;

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// As the protocol requires: `shutdown`, then `exit`.
    Orderly,
    /// `exit` without `shutdown`, or the client closed the stream.
    Abrupt,
}

/// An error in a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// The line, from one, if it is known.
    pub line: Option<u32>,
    /// What is wrong, in one sentence.
    pub what: String,
}

/// Provides the settings for files.
pub trait Configure {
    /// Returns the settings for a file, or for a document without a file; `None` if it is not to be
    /// checked.
    ///
    /// # Errors
    /// If a configuration cannot be used.
    fn settings(&mut self, file: Option<&Path>) -> Result<Option<Settings>, Problem>;

    /// Discards all configurations read so far, since files have changed.
    fn forget(&mut self);
}
