//! Copying with some bytes replaced, such as `<` by `&lt;`. What is replaced by what is said
//! by a [`Replace`]; nothing in here knows HTML.
//!
//! A block is copied like this. Each step writes more than it has to, a whole block of text or
//! eight bytes of a replacement, and the next one writes over the surplus, shown as dots:
//!
//! ```text
//! block            if a<b & c
//! stops                ^  ^
//! copy a block     if a......................
//! a replacement    if a&lt;....
//! copy a block     if a&lt;b ......................
//! a replacement    if a&lt;b &amp;...
//! copy a block     if a&lt;b &amp; c....................
//! length           └───────────────┘ set once, at the end
//! ```
//!
//! The number of stops is the only thing there is a branch on. Where the next piece goes is
//! counted in a register: if every piece were appended for itself, it would read the length
//! of the string that the one before has just stored, and wait for store forwarding.
#![allow(unsafe_code)]

use alloc::string::String;

use super::copy::Piece;
use super::{BLOCK, Class, Kernel as _};
use crate::set::ByteSet;

/// What is replaced, and by what.
pub(crate) trait Replace {
    /// The bytes that are replaced.
    type Stops: Class;
    /// What replaces them.
    const TABLE: Replacements;
}

/// The length that all replacements are padded to, so that copying one is a single move.
const PADDED: usize = 8;

/// A text of at most [`PADDED`] bytes, perhaps none, for each of some bytes of ASCII.
pub(crate) struct Replacements {
    replaced: ByteSet,
    texts: [[u8; PADDED]; 16],
    lens: [u8; 16],
}

/// A place in the table for a byte: four of its bits.
const fn table_idx(byte: u8) -> usize {
    (byte >> 1) as usize & 15
}

impl Replacements {
    /// A table, made at compile time, which fails if it does not take these bytes.
    pub(crate) const fn new(pairs: &[(u8, &str)]) -> Self {
        let (mut replaced, mut texts, mut lens) = (ByteSet::new(), [[0; PADDED]; 16], [0; 16]);
        let mut is_taken = [false; 16];
        let mut pair_idx = 0;
        while pair_idx < pairs.len() {
            let (byte, text) = pairs[pair_idx];
            let idx = table_idx(byte);
            assert!(byte.is_ascii(), "part of a character");
            assert!(!is_taken[idx], "two bytes with the same place");
            assert!(text.len() <= PADDED, "too long");
            is_taken[idx] = true;
            replaced = replaced.add(byte);
            lens[idx] = text.len() as u8;
            let mut at = 0;
            while at < text.len() {
                texts[idx][at] = text.as_bytes()[at];
                at += 1;
            }
            pair_idx += 1;
        }
        Self { replaced, texts, lens }
    }

    /// Whether every byte of a set has a text.
    const fn has_all(&self, set: &ByteSet) -> bool {
        let mut byte = 0_u8;
        loop {
            if set.contains(byte) && !self.replaced.contains(byte) {
                return false;
            }
            match byte.checked_add(1) {
                Some(next) => byte = next,
                None => return true,
            }
        }
    }
}

/// What is copied at once from long texts, and its window: as much again behind each byte.
type WholeBlock<'t> = Piece<'t, BLOCK, { 2 * BLOCK }>;

/// The same for short texts, most of which are short, and for the end of a text.
type HalfBlock<'t> = Piece<'t, { BLOCK / 2 }, BLOCK>;

/// Appends `text[start..end]` with some bytes replaced, or nothing if that is no slice of it.
/// Quicker where `text` goes on.
#[inline]
pub(crate) fn push_replaced<R: Replace>(text: &str, start: usize, end: usize, out: &mut String) {
    match HalfBlock::new(text, start, end) {
        // SAFETY: it is the mask of the class.
        Some(piece) => unsafe { push_piece::<R, _, _>(&piece, out, R::Stops::mask) },
        None => push_long::<R>(text, start, end, out),
    }
}

/// What is longer than half a block, or near the end of the text.
#[inline(never)]
fn push_long<R: Replace>(text: &str, start: usize, end: usize, out: &mut String) {
    // SAFETY: it is the mask of the class.
    let push = |out| unsafe { push_long_by::<R>(text, start, end, out, R::Stops::mask) };
    widest!(avx2 => avx2.push_replaced::<R>(text, start, end, out), push(out), push(out));
}

/// The same by the mask of what is replaced.
///
/// # Safety
/// `mask` has bits for bytes of `R::Stops` alone: the contract of [`Class`].
#[inline(always)]
#[allow(clippy::inline_always)]
pub(super) unsafe fn push_long_by<R: Replace>(
    text: &str,
    start: usize,
    end: usize,
    out: &mut String,
    mask: impl Fn(&[u8; BLOCK]) -> u64,
) {
    if text.get(start..end).is_none() {
        return;
    }
    let mut at = start;
    while end - at > BLOCK / 2
        && let Some(piece) = WholeBlock::first_of(text, at, end)
    {
        // SAFETY: the caller vouches for the mask.
        unsafe { push_piece::<R, _, _>(&piece, out, &mask) };
        at += piece.len();
    }
    while at < end {
        let mut window;
        let piece = if let Some(piece) = HalfBlock::first_of(text, at, end) {
            piece
        } else {
            window = [0; BLOCK];
            HalfBlock::copied(text.get(at..end).unwrap_or_default(), &mut window)
        };
        // SAFETY: the caller vouches for the mask.
        unsafe { push_piece::<R, _, _>(&piece, out, &mask) };
        at += piece.len();
    }
}

/// Appends a piece with some bytes replaced, by the mask of those: see the picture above.
///
/// # Safety
/// `mask` has bits for bytes of `R::Stops` alone.
#[inline(always)]
#[allow(clippy::inline_always)]
unsafe fn push_piece<R: Replace, const MAX: usize, const WINDOW: usize>(
    piece: &Piece<'_, MAX, WINDOW>,
    out: &mut String,
    mask: impl Fn(&[u8; BLOCK]) -> u64,
) {
    let table = const { &R::TABLE };
    const { assert!(R::TABLE.has_all(&R::Stops::SET), "a stop without a replacement") }
    const { assert!(0 < MAX && MAX <= BLOCK && 2 * MAX <= WINDOW && BLOCK <= WINDOW) }
    let window = piece.window();
    // What is beyond `MAX` is known when this is compiled, and not looked at.
    let mask = mask(&window.as_chunks().0[0]) & u64::MAX >> (BLOCK - MAX);
    let mut stops = mask & u64::MAX.checked_shr((BLOCK - piece.len()) as u32).unwrap_or(0);
    // SAFETY: what is appended, in one step, is whole characters: a piece is that. A stop is a
    // byte of ASCII, since the table takes no other and has a text for every byte of the class: so
    // what is left on both sides is whole characters too, and so is a replacement.
    let out = unsafe { out.as_mut_vec() };
    out.reserve(MAX * PADDED + MAX);
    let room = out.as_mut_ptr();
    let (mut at, mut to) = (0, out.len());
    while stops != 0 {
        let stop = stops.trailing_zeros() as usize;
        stops &= stops - 1;
        let idx = table_idx(window[stop]);
        // SAFETY: `at` is 0 or just behind a stop of the piece, so at most `MAX`, and the
        // window has `MAX` bytes more from there on. A byte becomes `PADDED` at most, so what
        // is written starts within `MAX * PADDED` bytes of the room made above, a replacement
        // one byte's worth before that, and `MAX` bytes are left behind it.
        unsafe {
            core::ptr::copy_nonoverlapping(window.as_ptr().add(at), room.add(to), MAX);
            to += stop - at;
            core::ptr::copy_nonoverlapping(table.texts[idx].as_ptr(), room.add(to), PADDED);
        }
        to += usize::from(table.lens[idx]);
        at = stop + 1;
    }
    // SAFETY: as before; and what `to` has been moved over was written. The last stop is in
    // the piece, so `at` is not behind its end.
    unsafe {
        core::ptr::copy_nonoverlapping(window.as_ptr().add(at), room.add(to), MAX);
        out.set_len(to + (piece.len() - at));
    }
}

/// Appends what replaces a byte, if it is one that is replaced.
#[inline]
pub(crate) fn push_replacement<R: Replace>(byte: u8, out: &mut String) {
    let table = const { &R::TABLE };
    let idx = table_idx(byte);
    debug_assert!(table.replaced.contains(byte), "{byte} is not replaced");
    // SAFETY: a text of the table is appended, in one step, or nothing.
    let out = unsafe { out.as_mut_vec() };
    out.reserve(PADDED);
    let end = out.len();
    // SAFETY: behind `end` there is room for `PADDED` bytes, which belongs to `out` alone, and
    // no text is longer.
    unsafe {
        let room = out.as_mut_ptr().add(end);
        core::ptr::copy_nonoverlapping(table.texts[idx].as_ptr(), room, PADDED);
        out.set_len(end + usize::from(table.lens[idx]));
    }
}

#[cfg(test)]
mod tests {
    use super::{Replace, Replacements, String, push_replaced, push_replacement};
    use crate::find::{Escapable, samples};

    enum Sample {}

    impl Replace for Sample {
        type Stops = Escapable<true, false>;
        const TABLE: Replacements = Replacements::new(&[
            (b'<', "é"),
            (b'>', "12345678"),
            (b'&', "1"),
            (b'"', "漢漢"),
            (b'\n', "&"),
        ]);
    }

    fn replaced_scalar(text: &str) -> String {
        let mut out = String::new();
        for c in text.chars() {
            match c {
                '<' => out.push('é'),
                '>' => out.push_str("12345678"),
                '&' => out.push('1'),
                '"' => out.push_str("漢漢"),
                '\n' => out.push('&'),
                _ => out.push(c),
            }
        }
        out
    }

    #[test]
    fn blocks_and_characters_agree() {
        let text = &samples::text();
        for (start, end) in samples::ranges(text.len()) {
            let mut out = String::from("é");
            push_replaced::<Sample>(text, start, end, &mut out);
            assert!(core::str::from_utf8(out.as_bytes()).is_ok());
            let slow = replaced_scalar(text.get(start..end).unwrap_or_default());
            assert_eq!(out.strip_prefix("é"), Some(&*slow), "{start}..{end}");
        }
    }

    #[test]
    fn every_byte_has_its_own_text() {
        let mut out = String::new();
        for byte in *b"<>&\"\n" {
            push_replacement::<Sample>(byte, &mut out);
        }
        assert_eq!(out, replaced_scalar("<>&\"\n"));
    }

    #[test]
    fn tables_have_what_they_are_made_of() {
        assert!(Sample::TABLE.has_all(&crate::ByteSet::of(b"<>&\"\n")));
        assert!(!Sample::TABLE.has_all(&crate::ByteSet::of(b"<>&\"\n=")));
    }
}
