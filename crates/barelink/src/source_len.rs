//! The maximum length of a source: offsets are 32 bits, in the source and in every text that is
//! made from a part of it.
//!
//! Such a text may be longer than the part that it was made from:
//!
//! ```text
//! NUL                              becomes U+FFFD, three bytes         tape/join.rs
//! a tab that an item cuts in two   leaves up to three spaces, one      tape/join.rs
//!                                  or two of them more than it had
//! &nGt; and &nLt;                  are decoded to six bytes            inline/text_node.rs
//! ```
//!
//! So the growth of all such texts is counted, if a source is long enough for that to matter, and
//! what would get too long is rejected. All other replacements make text shorter.

/// The source is too long for 32-bit offsets: 4 GiB or more.
///
/// This is the only way that parsing can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceTooLong {
    /// The length of the rejected source in bytes, or if only the text made from it would be too
    /// long, the length of that text: NUL becomes U+FFFD, which has three bytes.
    pub len: usize,
}

impl std::fmt::Display for SourceTooLong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the source has {} bytes, over the limit of {MAX_SOURCE}", self.len)
    }
}

impl std::error::Error for SourceTooLong {}

/// The maximum length of a source, in bytes. With NUL characters, a source must be shorter by two
/// bytes for each.
pub const MAX_SOURCE: usize = u32::MAX as usize - 1;

/// The greatest factor by which a text can be longer than what it was made from: that of NUL.
const MAX_FACTOR: usize = '\u{FFFD}'.len_utf8();

/// The length of the longest character in bytes.
const MAX_CHAR: usize = 4;

/// Up to this length, nothing that is made from a source can get too long.
pub(crate) const UNCOUNTED: usize = MAX_SOURCE / MAX_FACTOR;

/// Checks a whole source.
#[inline]
pub(crate) fn check(source: &str) -> Result<(), SourceTooLong> {
    if source.len() <= UNCOUNTED {
        return Ok(());
    }
    Growth::default().check(source, b"", MAX_SOURCE)
}

/// The state for checking a source that comes in pieces.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    /// How much of the source was counted, and how many bytes it adds.
    n_counted: usize,
    n_added: usize,
}

impl Growth {
    /// Checks a source with the next piece, which may not be UTF-8, and `n_cut` bytes of a
    /// character between them.
    #[inline]
    pub(crate) fn check_piece(
        &mut self,
        source: &str,
        n_cut: usize,
        piece: &[u8],
    ) -> Result<(), SourceTooLong> {
        // Invalid bytes become U+FFFD, so this holds for them, too.
        if source.len() + n_cut + piece.len() <= UNCOUNTED / MAX_FACTOR {
            return Ok(());
        }
        // The incomplete character has at most four bytes, and so has the U+FFFD that may replace
        // it.
        self.check(source, piece, MAX_SOURCE - if n_cut > 0 { MAX_CHAR } else { 0 })
    }

    /// LINEAR: the source is counted only once.
    #[cold]
    #[inline(never)]
    fn check(&mut self, source: &str, piece: &[u8], limit: usize) -> Result<(), SourceTooLong> {
        let piece_len = lossy_len(piece);
        let len = source.len() + piece_len;
        if len > limit {
            return Err(SourceTooLong { len });
        }
        self.n_added += n_added(source.as_bytes().get(self.n_counted..).unwrap_or_default());
        self.n_counted = source.len();
        let len = len + self.n_added + n_added(piece);
        if len > limit { Err(SourceTooLong { len }) } else { Ok(()) }
    }
}

/// The length of bytes once they are converted to UTF-8.
fn lossy_len(bytes: &[u8]) -> usize {
    let of_chunk = |chunk: std::str::Utf8Chunk<'_>| {
        let n_replaced = usize::from(!chunk.invalid().is_empty());
        chunk.valid().len() + n_replaced * '\u{FFFD}'.len_utf8()
    };
    bytes.utf8_chunks().map(of_chunk).sum()
}

/// An upper bound of how much longer the texts made from `bytes` may be than these.
pub(crate) fn n_added(bytes: &[u8]) -> usize {
    const OF_NUL: usize = '\u{FFFD}'.len_utf8() - 1;
    // A longer indentation leaves at most three spaces.
    const OF_TAB: usize = 2;
    let is_at_line_start = |at: usize| {
        let before = bytes[..at].last_chunk::<2>();
        before.is_none_or(|before| before.iter().any(|byte| matches!(byte, b'\n' | b'\r')))
    };
    let is_long_entity = |at: usize| bytes.get(at + 1) == Some(&b'n');
    let stops = memchr::memchr3_iter(0, b'\t', b'&', bytes);
    stops
        .map(|at| match bytes[at] {
            0 => OF_NUL,
            b'\t' if is_at_line_start(at) => OF_TAB,
            b'&' if is_long_entity(at) => 1,
            _ => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use barelink_text::entity;

    #[test]
    fn sources_up_to_the_limit_are_accepted() {
        let check = |source: &str, limit| Growth::default().check(source, b"", limit);
        for (source, len) in [
            ("abc", 3),
            ("a\0b", 5),
            ("\0\0\0", 9),
            ("\ta\n\tb", 9),
            ("ab\tc", 4),
            (" \ta", 5),
            ("&nGt;&amp;", 11),
        ] {
            assert_eq!(check(source, len), Ok(()), "{source:?}");
            assert_eq!(check(source, len - 1), Err(SourceTooLong { len }), "{source:?}");
        }
        assert_eq!(check("", 0), Ok(()));
    }

    #[test]
    fn a_source_in_pieces_is_as_long_as_the_whole() {
        let pieces = ["a\0", "&nGt;", "\0c"];
        let whole = pieces.concat();
        let len = whole.len() + n_added(whole.as_bytes());
        for limit in [len - 1, len] {
            let (mut growth, mut source) = (Growth::default(), String::new());
            let mut results = Vec::new();
            for piece in pieces {
                results.push(growth.check(&source, piece.as_bytes(), limit).is_ok());
                source.push_str(piece);
            }
            assert_eq!(results, [true, true, limit == len]);
        }
        // Each byte that is no UTF-8 becomes three.
        let mut growth = Growth::default();
        assert_eq!(growth.check("a", b"\xFF\xFFb", 8), Ok(()));
        assert_eq!(growth.check("a", b"\xFF\xFFb", 7), Err(SourceTooLong { len: 8 }));
    }

    #[test]
    fn only_counted_entities_get_longer() {
        // None is longer than two characters of three bytes, so a name that is shorter than what
        // it stands for has three letters at most.
        let letters = || (b'A'..=b'Z').chain(b'a'..=b'z').chain(b'0'..=b'9');
        let mut names = vec![Vec::new()];
        let mut n_long = 0;
        for len in 0..3 {
            let longest: Vec<Vec<u8>> =
                names.iter().filter(|name| name.len() == len).cloned().collect();
            names.extend(
                longest.iter().flat_map(|name| letters().map(|byte| [name, &[byte][..]].concat())),
            );
        }
        for name in &names {
            let Some(text) = entity::find_named(name) else { continue };
            let written = [b"&", &name[..], b";"].concat();
            let grown = text.len().saturating_sub(written.len());
            assert!(grown <= n_added(&written), "{name:?}");
            n_long += grown;
        }
        assert_eq!(n_long, 2, "&nGt; and &nLt;");
    }
}
