//! The language server: what `barelink check` finds, in an editor.
//!
//! ```text
//! stdin ─ transport (a thread) ─▶ server ─▶ stdout
//!                                  │  ▲
//!                        documents │  │ findings
//!                                  ▼  │
//!                             workers (a thread each): one checks the newest version of a
//!                             document, the other prepares its fixes
//! ```
//!
//! The server answers at once from what it knows: it never waits for a check. Changes that come
//! while a check runs are applied, and the next check is of the last version alone.
//!
//! It depends on no crate for the protocol. Of the messages there are a dozen, and they are small;
//! `lsp-types` describes some hundreds, and every build of the command would compile them all.
//! `lsp-server` has its framing, but gives up at the first message that is not JSON and aborts
//! at a length that no memory has; here both are answered.
//!
//! Which settings count for a file is not decided here: see [`Configure`].

mod actions;
mod diagnostics;
mod document;
mod hover;
mod position;
mod protocol;
mod server;
mod transport;
mod uri;
mod waiting;
mod worker;

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use barelink_check::Settings;

/// How the server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// As the protocol wants it: `shutdown`, then `exit`.
    Orderly,
    /// `exit` without `shutdown`, or the client is gone.
    Abrupt,
}

/// What is wrong with a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// The line, from one, if it is known.
    pub line: Option<u32>,
    /// What is wrong, in one sentence.
    pub what: String,
}

/// Knows the settings for files.
pub trait Configure {
    /// The settings for a file, or for a document that is none yet; `None` if it is not to be
    /// checked.
    ///
    /// # Errors
    /// If a configuration cannot be used.
    fn settings(&mut self, file: Option<&Path>) -> Result<Option<Settings>, Problem>;

    /// Forgets what was read: files have changed.
    fn forget(&mut self);
}

/// Serves a client until it is done.
///
/// # Errors
/// If `output` cannot be written to, or `input` is no stream of messages.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    configure: impl Configure,
) -> io::Result<Ending> {
    server::serve(input, output, configure)
}
