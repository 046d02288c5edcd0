//! The language server: shows the findings of `barelink check` in an editor.
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
//! The server never blocks on a check. Changes that arrive while a check runs are applied, and the
//! next check is of the last version only.
//!
//! It depends on no crate for the protocol. It uses a dozen messages, all small; `lsp-types`
//! defines some hundreds, and every build of the command would compile them all. `lsp-server` has
//! the framing, but gives up at the first message that is not JSON and aborts at a length beyond
//! the available memory; here both are answered with errors.
//!
//! The settings for a file come from the caller: see [`Configure`].

mod actions;
mod diagnostics;
mod document;
mod hover;
mod interface;
mod position;
mod protocol;
mod server;
mod transport;
mod uri;
mod waiting;
mod worker;

use std::io::{self, BufRead, Write};

pub use self::interface::{Configure, Ending, Problem};

/// Serves a client until the session ends.
///
/// # Errors
/// If `output` cannot be written to, or `input` is not a valid stream of messages.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    configure: impl Configure,
) -> io::Result<Ending> {
    server::serve(input, output, configure)
}
