//! Copying with some bytes replaced, such as `<` by `&lt;`. A [`Replace`] says which bytes, and by
//! what; nothing in here knows HTML.
//!
//! A block is copied as shown below. Each step stores more than it needs, a whole block of text or
//! eight bytes of a replacement, and the next one overwrites the surplus, shown as dots:
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
//! The only branch is on the number of stops. The write position is kept in a register: if each
//! piece were appended by itself, it would load the string's length just after the previous piece
//! stored it, and wait for store forwarding.
#![allow(unsafe_code)]

use alloc::string::String;

use super::copy::Piece;
use super::{BLOCK, Class, Kernel as _};
use crate::set::ByteSet;

/// The bytes to replace, and what replaces them.
pub(crate) trait Replace {
    /// The bytes that are replaced.
    type Stops: Class;
    /// What replaces them.
    const TABLE: Replacements;
}

/// All replacements are padded to this length, so that copying one is a single move.
const PADDED: usize = 8;

/// A replacement of at most [`PADDED`] bytes, possibly empty, for each of some ASCII bytes.
pub(crate) struct Replacements {
    replaced: ByteSet,
    texts: [[u8; PADDED]; 16],
    lens: [u8; 16],
}

/// The slot of a byte in the table: four of its bits.
const fn table_idx(byte: u8) -> usize {
    (byte >> 1) as usize & 15
}

impl Replacements {
    /// Builds a table at compile time; panics if two bytes share a slot, one is not ASCII, or a
    /// text is too long.
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

    /// Whether every byte of a set has a replacement.
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

/// What is copied at once from long texts; its window has another block after each byte.
type WholeBlock<'t> = Piece<'t, BLOCK, { 2 * BLOCK }>;

/// What is copied at once from short texts, and at the end of a long one.
type HalfBlock<'t> = Piece<'t, { BLOCK / 2 }, BLOCK>;

/// Appends `text[start..end]` with some bytes replaced, or nothing if the range is not a valid
/// slice. Faster if `text` continues past `end`.
#[inline]
pub(crate) fn push_replaced<R: Replace>(text: &str, start: usize, end: usize, out: &mut String) {
    match HalfBlock::new(text, start, end) {
        // SAFETY: it is the mask of the class.
        Some(piece) => unsafe { push_piece::<R, _, _>(&piece, out, R::Stops::mask) },
        None => push_long::<R>(text, start, end, out),
    }
}

/// Appends a slice that is longer than half a block, or near the end of the text.
#[inline(never)]
fn push_long<R: Replace>(text: &str, start: usize, end: usize, out: &mut String) {
    // SAFETY: it is the mask of the class.
    let push = |out| unsafe { push_long_by::<R>(text, start, end, out, R::Stops::mask) };
    widest!(avx2 => avx2.push_replaced::<R>(text, start, end, out), push(out), push(out));
}

/// [`push_long`] with a given mask of the bytes to replace.
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

/// Appends a piece with some bytes replaced, given their mask: see the picture above.
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
    // `MAX` is known at compile time, so bits beyond it are never computed.
    let mask = mask(&window.as_chunks().0[0]) & u64::MAX >> (BLOCK - MAX);
    let mut stops = mask & u64::MAX.checked_shr((BLOCK - piece.len()) as u32).unwrap_or(0);
    // SAFETY: only whole characters are appended, in one step: the piece is whole characters, each
    // stop is a byte of ASCII, since the table takes no other and has every byte of the class, so
    // the parts on both sides of it are whole too, and so is a replacement.
    let out = unsafe { out.as_mut_vec() };
    out.reserve(MAX * PADDED + MAX);
    let room = out.as_mut_ptr();
    let (mut at, mut to) = (0, out.len());
    while stops != 0 {
        let stop = stops.trailing_zeros() as usize;
        stops &= stops - 1;
        let idx = table_idx(window[stop]);
        // SAFETY: `at` is 0 or just after a stop of the piece, so at most `MAX`, and the window has
        // `MAX` more bytes from there on. A byte becomes at most `PADDED` bytes, so each write
        // starts within `MAX * PADDED` bytes of the room reserved above, that of a replacement at
        // least `PADDED` before its end, and `MAX` more bytes follow.
        unsafe {
            core::ptr::copy_nonoverlapping(window.as_ptr().add(at), room.add(to), MAX);
            to += stop - at;
            core::ptr::copy_nonoverlapping(table.texts[idx].as_ptr(), room.add(to), PADDED);
        }
        to += usize::from(table.lens[idx]);
        at = stop + 1;
    }
    // SAFETY: as above; and all bytes before `to` have been written. The last stop is within the
    // piece, so `at` is not past its end.
    unsafe {
        core::ptr::copy_nonoverlapping(window.as_ptr().add(at), room.add(to), MAX);
        out.set_len(to + (piece.len() - at));
    }
}

/// Appends the replacement of `byte`, which must have one.
#[inline]
pub(crate) fn push_replacement<R: Replace>(byte: u8, out: &mut String) {
    let table = const { &R::TABLE };
    let idx = table_idx(byte);
    debug_assert!(table.replaced.contains(byte), "{byte} is not replaced");
    // SAFETY: a whole text of the table, or nothing, is appended in one step.
    let out = unsafe { out.as_mut_vec() };
    out.reserve(PADDED);
    let end = out.len();
    // SAFETY: after `end` there is room for `PADDED` bytes, which nothing else refers to, and no
    // text is longer.
    unsafe {
        let room = out.as_mut_ptr().add(end);
        core::ptr::copy_nonoverlapping(table.texts[idx].as_ptr(), room, PADDED);
        out.set_len(end + usize::from(table.lens[idx]));
    }
}

#[cfg(test)]
mod tests {
    use super::{
        BLOCK, Class as _, Replace, Replacements, String, push_replaced, push_replacement,
    };
    use crate::find::{Escapable, samples};

    /// Has the same parameters as its class, so that every class used for copying is tried.
    enum Sample<const BREAKS: bool, const RETURNS: bool> {}

    impl<const BREAKS: bool, const RETURNS: bool> Replace for Sample<BREAKS, RETURNS> {
        type Stops = Escapable<BREAKS, RETURNS>;
        const TABLE: Replacements = Replacements::new(&[
            (b'<', "é"),
            (b'>', "12345678"),
            (b'&', "1"),
            (b'"', "漢漢"),
            (b'\n', "&"),
            (b'\r', ""),
        ]);
    }

    fn replaced_scalar<R: Replace>(text: &str) -> String {
        let mut out = String::new();
        for c in text.chars() {
            let is_stop = u8::try_from(c).is_ok_and(|byte| R::Stops::SET.contains(byte));
            match c {
                _ if !is_stop => out.push(c),
                '<' => out.push('é'),
                '>' => out.push_str("12345678"),
                '&' => out.push('1'),
                '"' => out.push_str("漢漢"),
                '\n' => out.push('&'),
                _ => {}
            }
        }
        out
    }

    fn agree<R: Replace>(text: &str, start: usize, end: usize) {
        let mut out = String::from("é");
        push_replaced::<R>(text, start, end, &mut out);
        assert!(core::str::from_utf8(out.as_bytes()).is_ok());
        let slow = replaced_scalar::<R>(text.get(start..end).unwrap_or_default());
        assert_eq!(out.strip_prefix("é"), Some(&*slow), "{start}..{end}");
    }

    fn all_agree(text: &str, start: usize, end: usize) {
        agree::<Sample<false, false>>(text, start, end);
        agree::<Sample<true, false>>(text, start, end);
        agree::<Sample<false, true>>(text, start, end);
    }

    #[test]
    fn blocks_and_characters_agree() {
        let text = &samples::text().replace("67>>", "67>\r>\r\n\r\r");
        for (start, end) in samples::ranges(text.len()) {
            all_agree(text, start, end);
        }
    }

    #[test]
    fn every_byte_is_replaced_or_copied_wherever_it_is() {
        for byte in (0..0x80_u8).step_by(samples::BYTE_STEP) {
            for lane in (0..BLOCK).step_by(samples::LANE_STEP) {
                let mut text = "a".repeat(3 * BLOCK);
                text.insert(BLOCK + lane, char::from(byte));
                all_agree(&text, 0, text.len());
            }
        }
    }

    #[test]
    fn every_byte_has_its_own_text() {
        let mut out = String::new();
        for byte in *b"<>&\"\n\r" {
            push_replacement::<Sample<true, true>>(byte, &mut out);
        }
        assert_eq!(out, replaced_scalar::<Sample<true, true>>("<>&\"\n\r"));
    }

    #[test]
    fn tables_have_what_they_are_made_of() {
        let table = Sample::<true, true>::TABLE;
        assert!(table.has_all(&crate::ByteSet::of(b"<>&\"\n\r")));
        assert!(!table.has_all(&crate::ByteSet::of(b"<>&\"\n\r=")));
    }
}
