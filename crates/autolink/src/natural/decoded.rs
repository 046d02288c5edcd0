//! Hosts with escapes or entities in them, as Markdown reads them.
//!
//! Principle 6. `http://a.b&#99;/x` leads to `a.bc`, not to `a.b`, and `http://my\_host.a.bc` to
//! `my_host.a.bc`. Such hosts are rare, so they are decoded only if the scan of a host in the
//! source stops at a `&` or a backslash.
//!
//! LINEAR: at most the maximum length of a host is decoded, and nothing if the host is longer than
//! that before its first escape or entity; a `/` or an `@` ends it, so that the text read contains
//! no other URL or address.

use barelink_text::chars::next_char;
use barelink_text::entity::scan_entity;

use super::host::is_glued;
use super::script::{is_name, is_picture};

/// The maximum length of a host, with a port and some slack. The domain name system allows 253
/// bytes.
pub(super) const MAX_LEN: usize = 320;

/// A decoded piece of the source.
pub(super) struct DecodedPiece {
    bytes: [u8; MAX_LEN],
    /// The source offset of each byte, and of the end of the piece.
    offsets: [u32; MAX_LEN + 1],
    len: usize,
}

/// Whether an escape or entity follows where a host stopped: at `at`, or after a period there.
pub(super) fn stops_host(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(b'&' | b'\\') => is_written_otherwise(text, at),
        Some(b'.') => is_written_otherwise(text, at + 1),
        _ => false,
    }
}

/// Whether there is an escape or entity at `at`.
fn is_written_otherwise(text: &[u8], at: usize) -> bool {
    match text.get(at..) {
        Some([b'&', ..]) => scan_entity(text, at).is_some(),
        Some([b'\\', next, ..]) => next.is_ascii_punctuation(),
        _ => false,
    }
}

/// How far to decode.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// A host, and the character after it.
    Host,
    /// Also a possible user name and password, up to an `@` and one character more.
    User,
}

impl DecodedPiece {
    /// Decodes the source from `start` on, as far as `reach` says.
    pub(super) fn new(text: &[u8], start: usize, reach: Reach) -> Self {
        let mut piece = Self { bytes: [0; MAX_LEN], offsets: [0; MAX_LEN + 1], len: 0 };
        let mut at = start;
        let mut is_behind_user = false;
        // The start of the current label.
        let mut label = 0;
        while let Some(&byte) = text.get(at) {
            let mut buf = [0; 4];
            let decoded = scan_entity(text, at).filter(|_| byte == b'&');
            let (c, end) = match decoded {
                Some((end, ref decoded)) => (decoded.as_str(&mut buf).as_bytes(), end),
                None if byte == b'\\' && is_written_otherwise(text, at) => {
                    (&text[at + 1..at + 2], at + 2)
                }
                None => {
                    let len = next_char(text, at).map_or(1, char::len_utf8);
                    let end = (at + len).min(text.len());
                    (&text[at..end], end)
                }
            };
            if !piece.push(c, at) {
                break;
            }
            at = end;
            let is_wanted = match c {
                [b'@'] => reach == Reach::User && !is_behind_user,
                [c] if c.is_ascii_alphanumeric() || b"-_.".contains(c) => true,
                [c] => reach == Reach::User && b"~%+:!$=".contains(c),
                _ => next_char(c, 0).is_some_and(|c| {
                    // Glued words end a label in ASCII, as they do in `host`.
                    let is_glued = piece.bytes[label].is_ascii() && is_glued(c);
                    (is_name(c) || is_picture(c)) && !is_glued
                }),
            };
            if c == b"." {
                label = piece.len;
            }
            if !is_wanted || is_behind_user {
                break;
            }
            is_behind_user = c == b"@";
        }
        piece.offsets[piece.len] = at as u32;
        piece
    }

    /// Appends a character from offset `at` of the source; `false` if there is no room.
    fn push(&mut self, c: &[u8], at: usize) -> bool {
        let end = self.len + c.len();
        let Some(room) = self.bytes.get_mut(self.len..end) else { return false };
        room.copy_from_slice(c);
        self.offsets[self.len..end].fill(at as u32);
        self.len = end;
        true
    }

    /// The decoded text.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The source offset of an offset in the decoded text.
    pub(super) fn source_offset(&self, at: usize) -> usize {
        self.offsets[at.min(self.len)] as usize
    }
}

/// Whether a path, query or fragment starts at `at` with an entity.
pub(super) fn starts_tail(text: &[u8], at: usize) -> bool {
    let decoded = if text.get(at) == Some(&b'&') { scan_entity(text, at) } else { None };
    decoded.is_some_and(|(_, decoded)| matches!(decoded.as_str(&mut [0; 4]), "/" | "?" | "#"))
}
