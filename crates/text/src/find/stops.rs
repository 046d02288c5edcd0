//! An iterator over the stops of a kernel: forward, with skipping, and backward.
//!
//! ```text
//! text    .........(....).....(.........…      a block is 64 bytes
//! mask             ^    ^     ^                one bit for each
//! bits                  ^     ^                those not returned yet
//!         ├──────── block ────────┤            the next one is read when no bit is left
//!         base
//! ```

use core::marker::PhantomData;

use super::{BLOCK, Kernel, mask_at_end};

/// The offsets in a range of text at which a kernel stops, in order.
///
/// ```
/// use barelink_text::find::{Pipe, Stops};
/// let text = b"a | b || c";
/// let mut stops = Stops::<Pipe>::new(text, 0, text.len());
/// assert_eq!(stops.next(), Some(2));
/// stops.seek(7);
/// assert_eq!(stops.next(), Some(7));
/// assert_eq!(stops.next(), None);
/// ```
#[derive(Debug, Clone)]
pub struct Stops<'t, K> {
    /// May extend past `end`: a block that crosses `end` is read whole, and the bits past it are
    /// dropped.
    text: &'t [u8],
    end: usize,
    /// The offset of bit 0 of `bits`. Before the first read it is a block before the start, wrapping
    /// around at zero. Nothing is read until a stop is requested, so that a search that is abandoned,
    /// or skips ahead, reads nothing in vain.
    base: usize,
    /// The stops of the current block that have not been returned yet.
    bits: u64,
    kernel: PhantomData<K>,
}

impl<'t, K: Kernel> Stops<'t, K> {
    /// Searches `text[start..end]`. `text` should continue past `end` if it can: whole blocks are
    /// faster to read.
    #[inline]
    pub fn new(text: &'t [u8], start: usize, end: usize) -> Self {
        let (end, base) = (end.min(text.len()), start.wrapping_sub(BLOCK));
        Self { text, end, base, bits: 0, kernel: PhantomData }
    }

    /// Searches `text` from `start` to its end. If that is at most a block, it is read at once.
    #[inline]
    pub fn at_end(text: &'t [u8], start: usize) -> Self {
        let mut stops = Self::new(text, start, text.len());
        let n_bytes = text.len().saturating_sub(start);
        if (1..=BLOCK).contains(&n_bytes)
            && let Some(block) = text.last_chunk()
        {
            (stops.base, stops.bits) = (start, K::mask(block) >> (BLOCK - n_bytes));
        }
        stops
    }

    /// Skips every stop before `to`. It never goes back: a `to` at or before the last stop changes
    /// nothing.
    #[inline]
    pub fn seek(&mut self, to: usize) {
        let skip = to.wrapping_sub(self.base);
        if to >= self.base.wrapping_add(BLOCK) {
            self.base = to.wrapping_sub(BLOCK);
            self.bits = 0;
        } else if skip < BLOCK {
            self.bits &= u64::MAX << skip;
        }
    }

    /// Whether no stop is left. Consumes nothing.
    #[inline]
    pub fn is_done(&mut self) -> bool {
        while self.bits == 0 {
            let next = self.base.wrapping_add(BLOCK);
            if next >= self.end {
                return true;
            }
            (self.base, self.bits) = K::load(self.text, next, self.end);
        }
        false
    }
}

impl<K: Kernel> Iterator for Stops<'_, K> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.is_done() {
            return None;
        }
        let at = self.base.wrapping_add(self.bits.trailing_zeros() as usize);
        self.bits &= self.bits - 1;
        Some(at)
    }
}

/// The stops of `text[start..end]` in reverse order, last first.
///
/// ```
/// use barelink_text::find::{Bracket, stops_back};
/// assert!(stops_back::<Bracket>(b"a [b] c", 1, 7).eq([4, 2]));
/// ```
#[inline]
pub fn stops_back<K: Kernel>(
    text: &[u8],
    start: usize,
    end: usize,
) -> impl Iterator<Item = usize> + '_ {
    let mut base = end.min(text.len());
    let mut bits: u64 = 0;
    core::iter::from_fn(move || {
        while bits == 0 {
            let end = base;
            base = end.saturating_sub(BLOCK).max(start);
            let n_bytes = end.checked_sub(base).filter(|&n_bytes| n_bytes > 0)?;
            bits = mask_at::<K>(text, base) & (u64::MAX >> (BLOCK - n_bytes));
        }
        let last = bits.ilog2();
        bits ^= 1 << last;
        Some(base + last as usize)
    })
}

/// The mask of the block at `base`; its bits beyond the end of the text mean nothing.
#[inline]
pub(super) fn mask_at<K: Kernel>(text: &[u8], base: usize) -> u64 {
    let rest = text.get(base..).unwrap_or_default();
    match rest.first_chunk() {
        Some(block) => K::mask(block),
        None => mask_at_end(text, rest, K::mask),
    }
}

#[cfg(test)]
mod tests {
    use super::{Stops, stops_back};
    use crate::find::{Class as _, Enclosure, samples};
    use alloc::vec::Vec;

    #[test]
    fn stops_are_those_of_a_byte_loop() {
        let text: Vec<u8> = (0..500u32).map(|i| b"a(b\n\"c))x"[(i * i % 9) as usize]).collect();
        for start in (0..130).step_by(samples::BYTE_STEP) {
            for end in [start, start + 1, start + 63, start + 64, start + 65, 400, 500] {
                let stops: Vec<_> = Stops::<Enclosure>::new(&text, start, end).collect();
                let plain: Vec<_> =
                    (start..end).filter(|&at| Enclosure::SET.contains(text[at])).collect();
                assert_eq!(stops, plain, "{start}..{end}");
                let mut back: Vec<_> = stops_back::<Enclosure>(&text, start, end).collect();
                back.reverse();
                assert_eq!(back, plain, "{start}..{end} from the end");
            }
        }
    }

    #[test]
    fn the_end_is_read_at_once() {
        let text: Vec<u8> = (0..200u32).map(|i| b"a(b\n\"c))x"[(i * i % 9) as usize]).collect();
        for len in [0, 1, 63, 64, 65, 200] {
            for start in 0..=len {
                let stops = Stops::<Enclosure>::at_end(&text[..len], start);
                assert!(stops.eq(Stops::<Enclosure>::new(&text, start, len)), "{start}..{len}");
                let mut stops = Stops::<Enclosure>::at_end(&text[..len], start);
                stops.seek(start + 5);
                assert!(stops.eq(Stops::<Enclosure>::new(&text, start + 5, len)));
            }
        }
    }

    #[test]
    fn seek_only_moves_forward() {
        let text = [b'('; 300];
        let mut stops = Stops::<Enclosure>::new(&text, 0, 300);
        for (to, at) in [(5, 5), (3, 6), (63, 63), (64, 64), (200, 200), (10, 201), (299, 299)] {
            stops.seek(to);
            assert_eq!(stops.next(), Some(at));
        }
        stops.seek(1000);
        assert_eq!(stops.next(), None);
    }

    #[test]
    fn seek_goes_as_far_as_there_are_numbers() {
        let far = isize::MAX.cast_unsigned();
        for to in [301, far - 64, far - 63, far, far + 1, usize::MAX - 64, usize::MAX] {
            let mut stops = Stops::<Enclosure>::new(&[b'('; 300], 0, 300);
            stops.seek(to);
            assert_eq!(stops.next(), None, "{to} at once");
            let mut stops = Stops::<Enclosure>::new(&[b'('; 300], 0, 300);
            assert_eq!(stops.next(), Some(0));
            stops.seek(to);
            stops.seek(5);
            assert_eq!(stops.next(), None, "{to}, later");
            assert_eq!(Stops::<Enclosure>::new(&[b'('; 300], to, usize::MAX).next(), None);
        }
    }
}
