//! Copying the text between the stops of a scan: mostly a few bytes at a time.
//!
//! A call to `memcpy` costs more than moving a dozen bytes. So a short piece is copied as a whole
//! block, together with the bytes that follow it in the source. The surplus stays outside the
//! length, and is overwritten later: a few vector moves, and no branch on the length.
//!
//! ```text
//! text    a piece and what stands behind it
//! window  ├───────────── 65 bytes ──────────────…
//! piece   └─────┘
//! out     a piece and what stands behind i…
//!                ↑ length
//! ```
#![allow(unsafe_code)]

use alloc::string::String;

use super::BLOCK;

/// Appends `text[start..end]`, or nothing if the range is not a valid slice. Faster if `text`
/// continues past `end`.
///
/// ```
/// let mut out = String::new();
/// barelink_text::find::push_range("some text", 5, 9, &mut out);
/// assert_eq!(out, "text");
/// ```
#[inline]
pub fn push_range(text: &str, start: usize, end: usize, out: &mut String) {
    // With one byte after the piece in the window, a single length check is enough.
    match Piece::<BLOCK, { BLOCK + 1 }>::new(text, start, end) {
        Some(piece) => piece.push(out),
        None => push_other(text, start, end, out),
    }
}

/// Appends a slice that is longer than a block, or near the end of the text.
#[inline(never)]
fn push_other(text: &str, start: usize, end: usize, out: &mut String) {
    out.push_str(text.get(start..end).unwrap_or_default());
}

/// Whole characters, at most `MAX` bytes, at the start of a window of `WINDOW` bytes, which is
/// longer. The constructors ensure this, and `unsafe` code relies on it.
pub(super) struct Piece<'t, const MAX: usize, const WINDOW: usize> {
    window: &'t [u8; WINDOW],
    len: usize,
}

impl<'t, const MAX: usize, const WINDOW: usize> Piece<'t, MAX, WINDOW> {
    const IS_LONGER: () = assert!(WINDOW > MAX);

    /// `text[start..end]`, if that is a valid slice of at most `MAX` bytes, and a whole window of
    /// the text starts there.
    #[inline]
    pub(super) fn new(text: &'t str, start: usize, end: usize) -> Option<Self> {
        let () = Self::IS_LONGER;
        let window = text.as_bytes().get(start..)?.first_chunk::<WINDOW>()?;
        let len = end.wrapping_sub(start);
        let is_slice = len <= MAX && is_char_start(window[0]) && is_char_start(window[len]);
        is_slice.then_some(Self { window, len })
    }

    /// The longest prefix of `text[start..end]` that is whole characters and fits, if a character and
    /// a whole window of the text start there. `end` may be inside a character, which is left out, or
    /// past the end of the text.
    #[inline]
    pub(super) fn first_of(text: &'t str, start: usize, end: usize) -> Option<Self> {
        let () = Self::IS_LONGER;
        let window = text.as_bytes().get(start..)?.first_chunk::<WINDOW>()?;
        let mut len = end.checked_sub(start)?.min(MAX);
        if !is_char_start(window[0]) {
            return None;
        }
        // LINEAR: at most three times, since a character has at most four bytes.
        while !is_char_start(window[len]) {
            len -= 1;
        }
        Some(Self { window, len })
    }

    /// The longest prefix of `text` that fits, copied into a window.
    #[inline]
    pub(super) fn copied(text: &str, window: &'t mut [u8; WINDOW]) -> Self {
        let () = Self::IS_LONGER;
        let mut len = text.len().min(MAX);
        // LINEAR: as above.
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        window[..len].copy_from_slice(&text.as_bytes()[..len]);
        Self { window, len }
    }

    /// The piece and the bytes that follow it.
    #[inline]
    pub(super) fn window(&self) -> &'t [u8; WINDOW] {
        self.window
    }

    /// The length of the piece in bytes, at most `MAX`.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Appends the piece.
    #[inline]
    fn push(&self, out: &mut String) {
        let () = Self::IS_LONGER;
        // SAFETY: whole characters are appended, in one step.
        let out = unsafe { out.as_mut_vec() };
        out.reserve(MAX);
        let end = out.len();
        // SAFETY: the window has more than `MAX` bytes; `out` has room for `MAX` bytes after `end`,
        // which nothing else refers to, and `len` is at most `MAX`.
        unsafe {
            let room = out.as_mut_ptr().add(end);
            core::ptr::copy_nonoverlapping(self.window.as_ptr(), room, MAX);
            out.set_len(end + self.len);
        }
    }
}

/// Whether a byte of a string is the first of a character.
#[inline]
fn is_char_start(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Piece, String, push_range};
    use crate::find::samples;

    #[test]
    fn range_and_slice_agree() {
        let text = &samples::text();
        for (start, end) in samples::ranges(text.len()) {
            let mut out = String::from("é");
            push_range(text, start, end, &mut out);
            assert!(core::str::from_utf8(out.as_bytes()).is_ok());
            let slice = text.get(start..end).unwrap_or_default();
            assert_eq!(out.strip_prefix("é"), Some(slice), "{start}..{end}");
        }
    }

    #[test]
    fn pieces_are_whole_characters() {
        const WINDOW: usize = 2 * BLOCK;
        let text = &samples::text();
        for (start, end) in samples::ranges(text.len()) {
            let slice = text.get(start..end).filter(|slice| slice.len() <= BLOCK);
            let has_window = text.len().checked_sub(start).is_some_and(|len| len >= WINDOW);
            let piece = Piece::<BLOCK, WINDOW>::new(text, start, end);
            let piece = piece.map(|piece| &piece.window()[..piece.len()]);
            assert_eq!(piece, slice.filter(|_| has_window).map(str::as_bytes), "{start}..{end}");
        }
        for start in (0..text.len() - WINDOW).step_by(samples::BYTE_STEP) {
            for end in start..=start + BLOCK + 1 {
                let piece = Piece::<BLOCK, WINDOW>::first_of(text, start, end);
                let len = (start..=end.min(start + BLOCK))
                    .rfind(|&end| text.get(start..end).is_some())
                    .map(|end| end - start);
                assert_eq!(piece.map(|piece| piece.len()), len, "{start}..{end}");
            }
        }
    }
}
