//! Whether a source looks as if all its lines end in CRLF. Then its HTML is written from a copy
//! with line feeds: see `Parser::push_folded`.

use crate::options::Options;

/// Sources from this length on are looked at for CRLF: for shorter ones, that costs what it
/// saves.
const MIN_FOLDED: usize = 1024;

/// Whether `Parser::push_folded` may be worth it: the first line ends in CRLF, and nobody
/// wants to know positions.
#[inline]
pub(crate) fn may_fold(source: &str, options: &Options) -> bool {
    let Some(head) = source.as_bytes().first_chunk::<MIN_FOLDED>() else { return false };
    let first = memchr::memchr(b'\n', head);
    first.is_some_and(|at| head[..at].ends_with(b"\r")) && !options.policy.source_positions
}
