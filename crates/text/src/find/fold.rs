//! Copying lines that end in CRLF as lines that end in a line feed, and listing where they end.
//!
//! A block is put together from three copies of itself, shifted by zero, one and two bytes, which
//! removes the first two carriage returns without a branch, and is stored at once. For every
//! further carriage return, the bytes after it are stored again, one position earlier. The next
//! step overwrites the surplus, shown as dots:
//!
//! ```text
//! block            one␍␊two␍␊three␍␊four
//! returns             ^    ^      ^
//! from itself      one
//! a byte later        ␊two
//! two bytes later         ␊three␍␊four..
//! written          one␊two␊three␍␊four..
//! from behind ␍    one␊two␊three␊four...
//! length           └───────────────────┘ set once, at the end
//! ```
//!
//! How many line ends a block has cannot be predicted. With a branch on it, this copy alone is
//! faster, but writing the HTML of a book takes 8% longer. AVX-512 removes all of them at once.
#![allow(unsafe_code)]

use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;

use super::ahead::Slots;
#[allow(unused_imports, reason = "where there are no vectors, or always AVX2")]
use super::{BLOCK, Kernel as _, LineEnd, Return};

/// A block, and another block after each of its bytes.
pub(super) const WINDOW: usize = 2 * BLOCK;

/// Appends `text[start..end]` without its carriage returns, or nothing if the range is not a valid
/// slice. For each one dropped, the offset in `out` at which it would stand is appended to
/// `returns`. Faster if `text` continues past `end`.
///
/// ```
/// let (mut out, mut returns) = (String::new(), Vec::new());
/// barelink_text::find::push_without_returns("a\r\nb\r\n", 0, 4, &mut out, &mut returns);
/// assert_eq!((&*out, &*returns), ("a\nb", &[1][..]));
/// ```
#[inline]
pub fn push_without_returns(
    text: &str,
    start: usize,
    end: usize,
    out: &mut String,
    returns: &mut Vec<u32>,
) {
    if text.get(start..end).is_some() {
        fold_widest::<AnyEnds>(text, start, end, out, returns);
    }
}

/// Replaces `out` by `text` with each CRLF as a line feed, and lists the line feeds in `slots`, as
/// [`Ahead`](super::Ahead) would. False if there is a NUL, or a line end other than CRLF: then the
/// content of `out` and `slots` is unspecified.
///
/// ```
/// use barelink_text::find::{Ahead, LineEnd, Slots, fold_lines};
/// let (mut out, mut slots) = (String::new(), Slots::default());
/// assert!(fold_lines("a\r\nb\r\n", &mut out, &mut slots));
/// assert_eq!(out, "a\nb\n");
/// assert!(Ahead::<LineEnd>::listed(out.as_bytes(), 2, &mut slots).eq([3]));
/// assert!(!fold_lines("a\nb\r\n", &mut out, &mut slots));
/// ```
pub fn fold_lines(text: &str, out: &mut String, slots: &mut Slots) -> bool {
    out.clear();
    slots.list(|stops| fold_widest::<CrlfAlone>(text, 0, text.len(), out, stops))
}

/// Which line ends a text may have.
pub(super) trait Ends {
    /// Whether every line end must be CRLF, and NUL is excluded.
    const CRLF_ALONE: bool;
}

/// Any line ends.
pub(super) enum AnyEnds {}

/// Only CRLF, and no NUL.
pub(super) enum CrlfAlone {}

impl Ends for AnyEnds {
    const CRLF_ALONE: bool = false;
}

impl Ends for CrlfAlone {
    const CRLF_ALONE: bool = true;
}

#[inline]
fn fold_widest<E: Ends>(
    text: &str,
    start: usize,
    end: usize,
    out: &mut String,
    returns: &mut Vec<u32>,
) -> bool {
    // SAFETY: both are masks of carriage returns, the second by definition.
    unsafe {
        widest!(
            avx2 => avx2.fold::<E>(text, start, end, out, returns),
            fold_by::<E>(text, start, end, out, returns, Return::mask, LineEnd::mask),
            fold_by::<E>(text, start, end, out, returns, Return::mask_scalar, LineEnd::mask_scalar)
        )
    }
}

/// [`fold`] with the masks of the two classes.
///
/// # Safety
/// `return_mask` has bits for carriage returns alone: the contract of [`Class`](super::Class).
#[inline]
pub(super) unsafe fn fold_by<E: Ends>(
    text: &str,
    start: usize,
    end: usize,
    out: &mut String,
    returns: &mut Vec<u32>,
    return_mask: impl Fn(&[u8; BLOCK]) -> u64,
    line_end_mask: impl Fn(&[u8; BLOCK]) -> u64,
) -> bool {
    // `LineEnd` includes NUL, so it would count as a line feed below.
    if E::CRLF_ALONE && text.get(start..end).is_some_and(|piece| piece.contains('\0')) {
        return false;
    }
    // `open` is 1 if the previous block ended in a carriage return, or else 0. `others` has the
    // line feeds without a carriage return before them, and the reverse.
    let (open, others) = (Cell::new(0), Cell::new(0));
    let push = |window: &[u8; WINDOW], lanes: u64, to: FoldTo| {
        let block = &window.as_chunks().0[0];
        let stops = return_mask(block) & lanes;
        if E::CRLF_ALONE {
            let line_feeds = line_end_mask(block) & !stops;
            others.set(others.get() | line_feeds ^ (stops << 1 | open.get()));
            open.set(stops >> (BLOCK - 1));
        }
        push_block(window, stops, to);
        stops.count_ones()
    };
    // SAFETY: the caller vouches for the mask, and `push` does what it should.
    unsafe { fold::<E>(text, start, end, out, returns, push, || others.get() != 0) }
}

/// Where a block is copied to, and its carriage returns are listed: with room for a block, and for
/// another one after each of its bytes, and for as many offsets as a block has bytes.
#[derive(Clone, Copy)]
pub(super) struct FoldTo {
    room: *mut u8,
    /// The offset of `room` in the copy.
    base: u32,
    list: *mut u32,
}

impl FoldTo {
    /// # Safety
    /// There is that room, as long as this is used.
    unsafe fn new(room: *mut u8, base: u32, list: *mut u32) -> Self {
        Self { room, base, list }
    }

    /// Writes a block.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(super) fn write(self, block: &[u8; BLOCK]) {
        // SAFETY: there is room for a block.
        unsafe { core::ptr::copy_nonoverlapping(block.as_ptr(), self.room, BLOCK) };
    }

    /// Lists the first of `stops`, before which there were `n_before` in the block, and returns
    /// where it would be in the copied block. Without any stop, what is listed has no meaning.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(super) fn list_first(self, stops: u64, n_before: usize) -> u32 {
        let place = stops.trailing_zeros().wrapping_sub(n_before as u32);
        // SAFETY: there is room for as many offsets as a block has bytes.
        unsafe { self.list.add(n_before % BLOCK).write(self.base.wrapping_add(place)) };
        place
    }
}

/// Upper bound of what is left after all whole windows.
const REST: usize = 2 * BLOCK;

/// The number of blocks between two checks that there is nothing but CRLF.
const ASKED: usize = 32;

/// The number of carriage returns that are removed and listed in every block, whether it has that
/// many or not. Without vectors that is slower than a branch for each, so it is 0.
const EAGER: usize = widest!(2, 0);

/// The index of each lane of a block.
const LANES: [i8; BLOCK] = {
    let mut lanes = [0; BLOCK];
    let mut lane = 0;
    while lane < BLOCK {
        lanes[lane] = lane as i8;
        lane += 1;
    }
    lanes
};

/// Replaces the lanes before lane `end` by the bytes of the window from `from` on.
#[inline(always)]
#[allow(clippy::inline_always)]
fn replace_before(end: i8, window: &[u8; WINDOW], from: usize, bytes: &mut [u8; BLOCK]) {
    let Some(others) = window[from..].first_chunk::<BLOCK>() else { return };
    for ((byte, other), lane) in bytes.iter_mut().zip(others).zip(&LANES) {
        // Selects by bits, since the compiler does not vectorize a conditional here. All bits are
        // set, or none.
        let is_before = u8::from(*lane < end).wrapping_neg();
        *byte ^= (*byte ^ other) & is_before;
    }
}

/// Appends the slice without carriage returns. `push` copies the first block of a window, as
/// [`push_block`] does, and is called for one window after the other, with the lanes that count: all
/// of a block, and at the end the first ones. It returns the number of carriage returns.
/// `has_others` tells whether the windows so far had a NUL, or a line feed or carriage return
/// without the other. Returns false, and appends nothing to `out`, if there is anything that `E`
/// does not allow.
///
/// # Safety
/// `push` leaves out carriage returns alone, returns their number, and has written that many offsets
/// and the rest of the block.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(super) unsafe fn fold<E: Ends>(
    text: &str,
    start: usize,
    end: usize,
    out: &mut String,
    returns: &mut Vec<u32>,
    push: impl Fn(&[u8; WINDOW], u64, FoldTo) -> u32,
    has_others: impl Fn() -> bool,
) -> bool {
    let Some(piece) = text.get(start..end) else { return false };
    if E::CRLF_ALONE && (piece.starts_with('\n') || piece.ends_with('\r')) {
        return false;
    }
    // SAFETY: a slice of a string without its carriage returns is whole characters. The length is
    // set in one step.
    let out = unsafe { out.as_mut_vec() };
    out.reserve(piece.len() + BLOCK);
    let (room, mut to) = (out.as_mut_ptr(), out.len());
    let (blocks, _) = text.as_bytes()[start..].as_chunks::<BLOCK>();
    let n_whole = (piece.len() / BLOCK).min(blocks.len().saturating_sub(1));
    let mut n_read = 0;
    while n_read < n_whole {
        let n_next = n_whole.min(n_read + ASKED);
        // The vector is not touched in the inner loop, so that its parts can stay in registers.
        returns.reserve(ASKED * BLOCK);
        let (list, mut n_returns) = (returns.as_mut_ptr(), returns.len());
        for two in blocks.get(n_read..=n_next).unwrap_or_default().windows(2) {
            let Some(window) = two.as_flattened().first_chunk() else { continue };
            // SAFETY: `to` has advanced by at most the number of bytes read, and a block of the
            // piece is left: so there is room for it and for another one, which makes a block from
            // each of its bytes on. Each of the `ASKED` windows adds at most a block of offsets, for
            // which `returns` has room.
            let fold_to = unsafe { FoldTo::new(room.add(to), to as u32, list.add(n_returns)) };
            let n_stops = push(window, u64::MAX, fold_to) as usize;
            n_returns += n_stops;
            to += BLOCK - n_stops;
        }
        // SAFETY: the first `n_returns` entries are initialized, and within the capacity.
        unsafe { returns.set_len(n_returns) };
        if E::CRLF_ALONE && has_others() {
            return false;
        }
        n_read = n_next;
    }
    let rest = &piece.as_bytes()[n_whole * BLOCK..];
    let mut padded = [b' '; REST + BLOCK];
    padded[..rest.len()].copy_from_slice(rest);
    returns.reserve(REST);
    let (list, mut n_returns) = (returns.as_mut_ptr(), returns.len());
    for at in (0..rest.len()).step_by(BLOCK) {
        let Some(window) = padded[at..].first_chunk() else { break };
        let len = (rest.len() - at).min(BLOCK);
        // SAFETY: as above, with `len` bytes of the piece that are left.
        let fold_to = unsafe { FoldTo::new(room.add(to), to as u32, list.add(n_returns)) };
        let n_stops = push(window, u64::MAX >> (BLOCK - len), fold_to) as usize;
        n_returns += n_stops;
        to += len - n_stops;
    }
    // SAFETY: as above.
    unsafe { returns.set_len(n_returns) };
    if E::CRLF_ALONE && has_others() {
        return false;
    }
    // SAFETY: all bytes before `to` have been written, within the room reserved above.
    unsafe { out.set_len(to) };
    true
}

/// Writes the first block of a window without the carriage returns at `stops`, and lists them.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(super) fn push_block(window: &[u8; WINDOW], mut stops: u64, to: FoldTo) {
    // `places` has the position of each of the first stops once those before it are removed. What
    // follows the last of them is read from `EAGER` bytes further on, what precedes it from one
    // byte less, and so on.
    let mut places = [0; EAGER];
    for (n_before, place) in places.iter_mut().enumerate() {
        *place = to.list_first(stops, n_before);
        stops &= stops.wrapping_sub(1);
    }
    let Some(&(mut bytes)) = window[EAGER..].first_chunk() else { return };
    for (n_before, place) in places.iter().enumerate().rev() {
        replace_before(*place as i8, window, n_before, &mut bytes);
    }
    to.write(&bytes);
    let mut n_before = EAGER;
    while stops != 0 {
        let (stop, place) = (stops.trailing_zeros(), to.list_first(stops, n_before));
        // SAFETY: the byte after a stop is at most a block into the window, which has another block
        // from there on. The place is no further than the stop, and there is room for a block after
        // each byte of the first.
        unsafe {
            let from = window.as_ptr().add(stop as usize + 1);
            core::ptr::copy_nonoverlapping(from, to.room.add(place as usize), BLOCK);
        }
        stops &= stops - 1;
        n_before += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{
        AnyEnds, BLOCK, CrlfAlone, LineEnd, Return, Slots, String, Vec, fold_by, fold_lines,
        push_without_returns,
    };
    use crate::find::{Ahead, Kernel as _, samples};

    fn folded_scalar(text: &str) -> (String, Vec<u32>) {
        let (mut out, mut returns) = (String::from("é"), Vec::new());
        for c in text.chars() {
            if c == '\r' { returns.push(out.len() as u32) } else { out.push(c) }
        }
        (out, returns)
    }

    #[test]
    fn blocks_and_characters_agree() {
        let with_returns = samples::text().replace('\n', "\r\n").replace('"', "\r");
        for text in [samples::text(), with_returns] {
            for (start, end) in samples::ranges(text.len()) {
                let slow = folded_scalar(text.get(start..end).unwrap_or_default());
                let (mut out, mut returns) = (String::from("é"), Vec::new());
                push_without_returns(&text, start, end, &mut out, &mut returns);
                assert!(core::str::from_utf8(out.as_bytes()).is_ok());
                assert_eq!((out, returns), slow, "{start}..{end}");
                let (mut out, mut returns) = (String::from("é"), Vec::new());
                let (cr, line_end) = (Return::mask_scalar, LineEnd::mask_scalar);
                let (to, list) = (&mut out, &mut returns);
                // SAFETY: the mask is the definition of the class.
                unsafe { fold_by::<AnyEnds>(&text, start, end, to, list, cr, line_end) };
                assert_eq!((out, returns), slow, "{start}..{end}, byte by byte");
            }
        }
    }

    #[test]
    fn nothing_but_returns() {
        for len in [1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let (mut out, mut returns) = (String::new(), Vec::new());
            push_without_returns(&"\r".repeat(len), 0, len, &mut out, &mut returns);
            assert_eq!((&*out, returns), ("", [0].repeat(len)));
        }
    }

    /// What [`fold_lines`] should do.
    fn lines_scalar(text: &str) -> Option<String> {
        let folded = text.replace("\r\n", "\n");
        let n_lines = folded.matches('\n').count();
        let is_alone = text.len() - folded.len() == n_lines && !folded.contains(['\r', '\0']);
        is_alone.then_some(folded)
    }

    #[test]
    fn lines_are_folded_and_listed_wherever_a_block_ends() {
        let (mut out, mut slots) = (String::from("old"), Slots::default());
        let text = samples::text().replace(['\n', '>'], "\r\n");
        for len in (0..text.len()).step_by(if cfg!(miri) { 131 } else { 3 }) {
            let Some(head) = text.get(..len) else { continue };
            for odd in ["", "\r\n", "\n", "\r", "\0", "\r\r\n", "\n\r\n"] {
                for tail in ["", "a", &text] {
                    let text = [head, odd, tail].concat();
                    let expected = lines_scalar(&text);
                    let is_folded = fold_lines(&text, &mut out, &mut slots);
                    assert_eq!(is_folded.then(|| out.clone()), expected, "{text:?}");
                    let mut slow = (String::new(), Vec::new());
                    let (cr, line_end) = (Return::mask_scalar, LineEnd::mask_scalar);
                    let (to, returns) = (&mut slow.0, &mut slow.1);
                    let end = text.len();
                    // SAFETY: the mask is the definition of the class.
                    let is_slow =
                        unsafe { fold_by::<CrlfAlone>(&text, 0, end, to, returns, cr, line_end) };
                    assert_eq!(is_slow.then_some(slow.0), expected, "{text:?} byte by byte");
                    if is_folded {
                        for start in [0, out.len() / 2, out.len()] {
                            let listed =
                                Ahead::<LineEnd>::listed(out.as_bytes(), start, &mut slots);
                            let listed: Vec<_> = listed.collect();
                            let found = out.bytes().enumerate().skip(start);
                            let found =
                                found.filter_map(|(at, byte)| (byte == b'\n').then_some(at));
                            assert!(found.eq(listed), "{text:?} from {start}");
                        }
                    }
                }
            }
        }
    }
}
