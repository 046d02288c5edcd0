//! Lists the stops of many blocks ahead of time, for callers that need every stop.
//!
//! [`Stops`](super::Stops) loads a block when the previous one is used up; if stops are about a
//! block apart, most of the time goes into loading. Here the masks of many blocks are expanded into
//! a list first, without a branch on their content.

use alloc::vec::Vec;

use super::stops::mask_at;
use super::{BLOCK, Kernel};

/// Capacity of the list; the last [`BLOCK`] slots are room for one block more.
const SLOTS: usize = 256 + BLOCK;

/// The number of bytes scanned in one go: they stay in the cache.
const WINDOW: usize = 256 * BLOCK;

/// The number of slots written for every block, however many stops it has. This takes up to 2% more
/// instructions, which `cargo xtask guard` counts, but avoids mispredicted branches, which it does
/// not count: most blocks of text have fewer line ends than this, but not always the same number.
const EAGER: usize = 4;

/// A reusable list of stops.
#[derive(Debug, Default)]
pub struct Slots {
    /// [`SLOTS`] entries after the first use.
    stops: Vec<u32>,
    n_stops: usize,
}

impl Slots {
    /// Lets `list` fill the list with the stops of a whole text, and returns its result.
    pub(super) fn list(&mut self, list: impl FnOnce(&mut Vec<u32>) -> bool) -> bool {
        self.stops.clear();
        let is_listed = list(&mut self.stops);
        self.n_stops = self.stops.len();
        is_listed
    }

    /// Adds its number to each stop: 0 to the first, 1 to the second. If they are the line feeds of
    /// a text with LF, they become the carriage returns of the same text with CRLF.
    pub fn add_numbers(&mut self) {
        for (number, stop) in self.stops[..self.n_stops].iter_mut().enumerate() {
            *stop += number as u32;
        }
    }

    /// Exchanges the list for another, whose content does not matter.
    pub fn swap_list(&mut self, other: &mut Vec<u32>) {
        self.stops.truncate(self.n_stops);
        core::mem::swap(&mut self.stops, other);
        self.n_stops = 0;
    }

    /// Adds the stops of the last block, which starts at `base`. For most short texts it is the
    /// only block and has no stop. False if there is no room.
    fn add_last(&mut self, base: u32, mask: u64) -> bool {
        let Some(room) = self.stops.get_mut(self.n_stops..self.n_stops + BLOCK) else {
            return false;
        };
        self.n_stops += write_stops(base, mask, room);
        true
    }
}

/// Writes as many stops of a mask into `slots` as fit. Returns the number written.
#[inline(always)]
#[allow(clippy::inline_always)]
fn write_stops(base: u32, mut mask: u64, slots: &mut [u32]) -> usize {
    let mut n_stops = 0;
    for slot in slots {
        if mask == 0 {
            break;
        }
        *slot = base + mask.trailing_zeros();
        mask &= mask - 1;
        n_stops += 1;
    }
    n_stops
}

/// Writes out the stops of whole blocks from `from` on. Returns the offset it has reached: a window
/// further, or where the slots or the blocks ran out.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(super) fn gather(
    text: &[u8],
    from: usize,
    slots: &mut Slots,
    mask: impl Fn(&[u8; BLOCK]) -> u64,
) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let (blocks, _) = rest.get(..WINDOW).unwrap_or(rest).as_chunks::<BLOCK>();
    // A length that is known at compile time removes the bounds checks from the loop.
    let Some(stops) = slots.stops.first_chunk_mut::<SLOTS>() else { return from };
    let mut n_stops = slots.n_stops;
    let mut base = 0;
    for block in blocks {
        if n_stops > SLOTS - BLOCK {
            break;
        }
        let mut mask = mask(block);
        let (eager, others) = stops[n_stops..n_stops + BLOCK].split_at_mut(EAGER);
        n_stops += mask.count_ones() as usize;
        for slot in eager {
            *slot = base + mask.trailing_zeros();
            mask &= mask.wrapping_sub(1);
        }
        write_stops(base, mask, others);
        base += BLOCK as u32;
    }
    slots.n_stops = n_stops;
    from + base as usize
}

/// The error of [`Ahead::find_last`]: the text is too long to be scanned in one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

/// The offsets at which a kernel stops, in order.
///
/// ```
/// use barelink_text::find::{Ahead, LineEnd, Slots};
/// let mut slots = Slots::default();
/// assert!(Ahead::<LineEnd>::new(b"a\nb\nc", 0, &mut slots).eq([1, 3]));
/// ```
#[derive(Debug)]
pub struct Ahead<'t, 's, K> {
    text: &'t [u8],
    slots: &'s mut Slots,
    /// The index of the next slot.
    idx: usize,
    /// The offset in the text that the slots are relative to.
    from: usize,
    /// The end of the part that has been scanned.
    to: usize,
    kernel: core::marker::PhantomData<K>,
}

impl<'t, 's, K: Kernel> Ahead<'t, 's, K> {
    /// Searches `text` from `start` on.
    pub fn new(text: &'t [u8], start: usize, slots: &'s mut Slots) -> Self {
        slots.n_stops = 0;
        if slots.stops.len() < SLOTS {
            slots.stops.resize(SLOTS, 0);
        }
        let kernel = core::marker::PhantomData;
        Self { text, slots, idx: 0, from: start, to: start, kernel }
    }

    /// Iterates over the stops of all of `text`, which are already in `slots`, from `start` on.
    pub fn listed(text: &'t [u8], start: usize, slots: &'s mut Slots) -> Self {
        let before = |&stop: &u32| (stop as usize) < start;
        let idx = slots.stops[..slots.n_stops].partition_point(before);
        let kernel = core::marker::PhantomData;
        Self { text, slots, idx, from: 0, to: text.len(), kernel }
    }

    /// Scans for more stops. False if there are none.
    #[inline(never)]
    fn fill(&mut self) -> bool {
        self.idx = 0;
        self.slots.n_stops = 0;
        while self.slots.n_stops == 0 && self.to < self.text.len() {
            self.from = self.to;
            if self.text.len() - self.from >= BLOCK {
                self.to = K::gather(self.text, self.from, self.slots);
            }
            let n_bytes = self.text.len() - self.to;
            if n_bytes < BLOCK {
                let mask = mask_at::<K>(self.text, self.to) & !(u64::MAX << n_bytes);
                if self.slots.add_last((self.to - self.from) as u32, mask) {
                    self.to = self.text.len();
                }
            }
        }
        self.slots.n_stops > 0
    }
}

impl<K: Kernel> Ahead<'_, '_, K> {
    /// The last stop; it is not consumed. `Err` if the text is so long that the last stop is not
    /// known yet.
    ///
    /// ```
    /// use barelink_text::find::{Ahead, LineEnd, Slots};
    /// let mut slots = Slots::default();
    /// let mut ends = Ahead::<LineEnd>::new(b"a\nb\nc", 0, &mut slots);
    /// assert_eq!(ends.find_last(), Ok(Some(3)));
    /// assert_eq!(ends.next(), Some(1));
    /// ```
    pub fn find_last(&mut self) -> Result<Option<usize>, TooLong> {
        if self.to < self.text.len() {
            self.fill();
        }
        if self.to < self.text.len() {
            return Err(TooLong);
        }
        let last = self.slots.stops[..self.slots.n_stops].last();
        Ok(last.map(|stop| self.from + *stop as usize))
    }

    /// Skips the next stop.
    #[inline]
    pub fn skip_one(&mut self) {
        if self.idx < self.slots.n_stops {
            self.idx += 1;
        } else {
            self.next();
        }
    }
}

impl<K: Kernel> Iterator for Ahead<'_, '_, K> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.idx >= self.slots.n_stops && (self.to >= self.text.len() || !self.fill()) {
            return None;
        }
        let stop = *self.slots.stops.get(self.idx)?;
        self.idx += 1;
        Some(self.from + stop as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::{Ahead, SLOTS, Slots, WINDOW};
    use crate::find::{BLOCK, Class, LineEnd, Pipe};
    use alloc::vec::Vec;

    /// Compares with a loop over the bytes.
    fn agree<C: Class>(text: &[u8], slots: &mut Slots) {
        for start in [0, 1, BLOCK - 1, BLOCK, text.len(), text.len() + 1] {
            let slow = (start..text.len()).filter(|&at| C::SET.contains(text[at]));
            assert!(Ahead::<C>::new(text, start, slots).eq(slow), "{} from {start}", text.len());
        }
    }

    #[test]
    fn stops_are_those_of_a_byte_loop() {
        let short = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, SLOTS];
        let long = [WINDOW - 1, WINDOW, WINDOW + 1, 3 * WINDOW + 7];
        let mut slots = Slots::default();
        for len in short.into_iter().chain(long).filter(|len| !cfg!(miri) || short.contains(len)) {
            // Every byte, in every lane; then none, many, and nothing but stops.
            let bytes: Vec<u8> = (0..len).map(|at| (at * 89 % 256) as u8).collect();
            agree::<LineEnd>(&bytes, &mut slots);
            agree::<Pipe>(&bytes, &mut slots);
            for text in [b"abcdefghijk", b"a\rb\n|\n\0d|ef", b"\n\n\n\n\n\n\n\n\n\n\n"] {
                let text: Vec<u8> = text.iter().copied().cycle().take(len).collect();
                agree::<LineEnd>(&text, &mut slots);
                agree::<Pipe>(&text, &mut slots);
            }
        }
    }
}
