//! Scan kernels: which bytes of a 64-byte block belong to a class, as a bit mask.
//!
//! Markdown text is mostly bytes that mean nothing, so every hot loop of the
//! engine is "go to the next byte that does". A call per byte, or even a
//! `memchr` per find, costs more than the find when finds are a dozen bytes
//! apart. So a kernel answers for 64 bytes at once and [`Stops`] walks the set
//! bits, one `trailing_zeros` each. Where every stop is wanted, [`Ahead`] lists those of
//! many blocks first.
//!
//! Each kernel is a type with a scalar definition ([`Kernel::mask_scalar`]) and
//! a vector one (in `x86`, with SSE2, which every x86-64 has; in `avx2` where the
//! processor has that and it pays). The scalar one is the specification: a test
//! compares them on every byte in every lane. On other targets the scalar
//! definition is used as it stands. What lies between stops is copied in `copy`.
//!
//! LINEAR: a byte is loaded a constant number of times for each block that
//! covers it, and [`Stops::seek`] only moves forward.

mod ahead;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx2;
mod copy;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::set::ByteSet;

pub use self::ahead::{Ahead, Slots};
pub use self::copy::{push_entity, push_escaped, push_escaped_line, push_range};

/// Bytes in a block.
pub const BLOCK: usize = 64;

/// Something to look for in blocks.
pub trait Kernel: Sized {
    /// Bit `i` is set when the kernel stops at byte `i` of the block.
    fn mask(block: &[u8; BLOCK]) -> u64;

    /// The same, a byte at a time: the definition.
    fn mask_scalar(block: &[u8; BLOCK]) -> u64;

    /// Goes over whole blocks from `base` on that have no stop, but not over the one that
    /// reaches `end`. Returns where it got to, and the mask there: nothing if that is no
    /// whole block.
    #[inline]
    fn advance(text: &[u8], base: usize, end: usize) -> (usize, u64) {
        advance(text, base, end, Self::mask)
    }

    /// Writes out the stops of whole blocks from `from` on, as far as there is room, and
    /// returns where it stopped.
    #[doc(hidden)]
    #[inline]
    fn gather(text: &[u8], from: usize, slots: &mut Slots) -> usize {
        ahead::gather(text, from, slots, Self::mask)
    }
}

/// A kernel that stops at the bytes of a set.
pub trait Class: Kernel {
    /// The set.
    const SET: ByteSet;
}

fn class_mask<C: Class>(block: &[u8; BLOCK]) -> u64 {
    block.iter().rev().fold(0, |mask, &byte| mask << 1 | u64::from(C::SET.contains(byte)))
}

/// Line feed and carriage return; and NUL, which Markdown shows as another
/// character, so that nobody has to look for it in another pass.
#[derive(Clone, Copy, Debug)]
pub enum LineEnd {}

/// Bytes at which inline parsing has to look: `\` `*` `_` `` ` `` `[` `]` and what
/// HTML must escape, `<` `>` `&` `"`; also `^`, which stands between the brackets and
/// the underscore and would cost more to leave out. With `BREAKS` also line
/// feed, with `TILDE` also `~` (and `|`, its neighbor in the bit pattern).
#[derive(Clone, Copy, Debug)]
pub enum Inline<const BREAKS: bool, const TILDE: bool> {}

/// What a link's destination cannot hold as it stands in HTML, and `(` `)`:
/// everything but letters, digits and ``!#$%*+,-./:;=?@_~``.
#[derive(Clone, Copy, Debug)]
pub enum Destination {}

/// What parts the cells of a table: `|`, and `\\`, which may escape one.
#[derive(Clone, Copy, Debug)]
pub enum Pipe {}

/// Where a bare link may announce itself: both bytes of `:/`, `//` and `ww` (in any
/// case) where the pair begins at an even place of the block, and `@` anywhere.
///
/// Of the three bytes of `://` and `www`, two are such a pair wherever they start,
/// so that looking at even places is enough, and no block has to know the next.
/// What is found is a hint, to be looked at: a few control characters count as `:`
/// and `/`, and which places are even is not the same in every block.
#[derive(Clone, Copy, Debug)]
pub enum Trigger {}

/// What [`Trigger`] takes for equal: letters in both cases, and more.
const TRIGGER_CASE: u8 = 0x20;

impl Kernel for Trigger {
    #[inline]
    fn mask(block: &[u8; BLOCK]) -> u64 {
        #[cfg(target_arch = "x86_64")]
        return x86::trigger(block);
        #[cfg(not(target_arch = "x86_64"))]
        Self::mask_scalar(block)
    }

    fn mask_scalar(block: &[u8; BLOCK]) -> u64 {
        let (pairs, _) = block.as_chunks::<2>();
        pairs.iter().rev().fold(0, |mask, pair| {
            let bits = match pair.map(|byte| byte | TRIGGER_CASE) {
                [b':' | b'/', b'/'] | [b'w', b'w'] => 0b11,
                _ => u64::from(pair[0] == b'@') | u64::from(pair[1] == b'@') << 1,
            };
            mask << 2 | bits
        })
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    #[inline]
    fn advance(text: &[u8], mut base: usize, end: usize) -> (usize, u64) {
        loop {
            let bits = text.get(base..).and_then(<[u8]>::first_chunk).map_or(0, Self::mask);
            if bits != 0 || base + BLOCK >= end {
                return (base, bits);
            }
            base = avx2::leap_to_trigger(text, base + BLOCK);
        }
    }
}

/// What opens and ends a bracket: `[`, `]`, and line feed, where a blank line may be.
#[derive(Clone, Copy, Debug)]
pub enum Bracket {}

/// `[` and `]` alone.
#[derive(Clone, Copy, Debug)]
pub enum Square {}

/// What a sentence opens and closes: `(`, `)`, `"`, and line feed, as [`Bracket`].
#[derive(Clone, Copy, Debug)]
pub enum Enclosure {}

/// What no label of a domain holds: everything but letters, digits and `-` of ASCII.
#[derive(Clone, Copy, Debug)]
pub enum Label {}

/// What ends a word, or a bare link: control characters, space and `<`.
#[derive(Clone, Copy, Debug)]
pub enum WordEnd {}

/// The mask of a class with AVX2 where there is that, or else by `narrow`.
#[cfg(target_arch = "x86_64")]
#[inline]
fn wide<C: Class>(block: &[u8; BLOCK], narrow: impl Fn(&[u8; BLOCK]) -> u64) -> u64 {
    #[cfg(feature = "std")]
    if let Some(mask) = avx2::class::<C>(block) {
        return mask;
    }
    narrow(block)
}

/// A class whose kernel is `x86::$kernel`, with what else its kernel does otherwise. With
/// `#[wide]` it is `avx2::class` where the processor has that.
macro_rules! class {
    (#[wide] $class:ty, $kernel:expr, $byte:ident => $contains:expr) => {
        class!($class, |block| wide::<$class>(block, $kernel), $byte => $contains, {
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            #[inline]
            fn advance(text: &[u8], base: usize, end: usize) -> (usize, u64) {
                avx2::advance_class::<Self>(text, base, end)
                    .unwrap_or_else(|| advance(text, base, end, $kernel))
            }
        });
    };
    (
        $class:ty, $kernel:expr, $byte:ident => $contains:expr
        $(, [$(const $flag:ident),+])? $(, { $($other:tt)+ })?
    ) => {
        impl $(<$(const $flag: bool),+>)? Kernel for $class {
            #[inline]
            fn mask(block: &[u8; BLOCK]) -> u64 {
                #[cfg(target_arch = "x86_64")]
                return $kernel(block);
                #[cfg(not(target_arch = "x86_64"))]
                class_mask::<Self>(block)
            }

            fn mask_scalar(block: &[u8; BLOCK]) -> u64 {
                class_mask::<Self>(block)
            }

            $($($other)+)?
        }

        impl $(<$(const $flag: bool),+>)? Class for $class {
            const SET: ByteSet = {
                let mut set = ByteSet::new();
                let mut $byte = 0_u8;
                loop {
                    if $contains {
                        set = set.add($byte);
                    }
                    match $byte.checked_add(1) {
                        Some(next) => $byte = next,
                        None => break set,
                    }
                }
            };
        }
    };
}

class!(LineEnd, x86::line_end, byte => matches!(byte, b'\n' | b'\r' | 0), {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    #[inline]
    fn gather(text: &[u8], from: usize, slots: &mut Slots) -> usize {
        avx2::gather_line_ends(text, from, slots)
            .unwrap_or_else(|| ahead::gather(text, from, slots, Self::mask))
    }
});
class!(Pipe, x86::pipe, byte => matches!(byte, b'|' | b'\\'));
class!(Bracket, x86::bracket, byte => matches!(byte, b'[' | b']' | b'\n'));
class!(#[wide] Square, x86::square, byte => matches!(byte, b'[' | b']'));
class!(#[wide] Enclosure, x86::enclosure, byte => matches!(byte, b'(' | b')' | b'"' | b'\n'));
class!(#[wide] Label, x86::label, byte => !byte.is_ascii_alphanumeric() && byte != b'-');
class!(#[wide] WordEnd, x86::word_end, byte => byte <= b' ' || byte == b'<');
class!(#[wide] Destination, x86::destination, byte => match byte {
    // Where destinations are written, NUL has become another character.
    0 | b'!' | b'#' | b'$' | b'%' | b'*'..=b'/' | b':' | b';' | b'=' | b'?' | b'@' | b'_' | b'~' => {
        false
    }
    _ => !byte.is_ascii_alphanumeric(),
});

class!(
    Inline<BREAKS, TILDE>,
    x86::inline::<BREAKS, TILDE>,
    byte => match byte {
        b'<' | b'>' | b'&' | b'"' | b'*' | b'['..=b'`' => true,
        b'\n' => BREAKS,
        b'~' | b'|' => TILDE,
        _ => false,
    },
    [const BREAKS, const TILDE],
    {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        #[inline]
        fn advance(text: &[u8], base: usize, end: usize) -> (usize, u64) {
            avx2::advance_inline::<BREAKS, TILDE>(text, base, end)
                .unwrap_or_else(|| advance(text, base, end, x86::inline_sse2::<BREAKS, TILDE>))
        }
    }
);

/// The places in a stretch of text where a kernel stops, in order.
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
    /// May reach beyond `end`: a block that crosses it is read whole, and the
    /// bits past it are dropped.
    text: &'t [u8],
    end: usize,
    /// Where bit 0 of `bits` stands, modulo 2^64: when nothing was read yet, a block
    /// before the start. Nothing is read before it is asked for, so that a search that
    /// is given up, or that skips, has not gone too far.
    base: usize,
    bits: u64,
    kernel: core::marker::PhantomData<K>,
}

impl<'t, K: Kernel> Stops<'t, K> {
    /// Looks in `text[start..end]`. `text` may be longer, and should be where
    /// it can: whole blocks are quicker to read.
    #[inline]
    pub fn new(text: &'t [u8], start: usize, end: usize) -> Self {
        let (end, base) = (end.min(text.len()), start.wrapping_sub(BLOCK));
        Self { text, end, base, bits: 0, kernel: core::marker::PhantomData }
    }

    /// Skips every position before `to`. Going back is not possible: a `to`
    /// at or before the last stop changes nothing.
    #[inline]
    pub fn seek(&mut self, to: usize) {
        let skip = to.wrapping_sub(self.base).cast_signed();
        if skip >= BLOCK.cast_signed() {
            self.base = to.wrapping_sub(BLOCK);
            self.bits = 0;
        } else if skip > 0 {
            self.bits &= u64::MAX << skip;
        }
    }

    /// Whether there is no stop left. Skips nothing.
    #[inline]
    pub fn is_done(&mut self) -> bool {
        while self.bits == 0 {
            let next = self.base.wrapping_add(BLOCK);
            if next >= self.end {
                return true;
            }
            (self.base, self.bits) = load::<K>(self.text, next, self.end);
        }
        false
    }
}

/// The next block with a stop in `text[base..end]`, or the last one, and its mask. Takes
/// and returns values, so that a loop over [`Stops`] keeps them in registers.
#[inline(never)]
fn load<K: Kernel>(text: &[u8], base: usize, end: usize) -> (usize, u64) {
    let (mut base, mut bits) = (base, 0);
    if base + BLOCK <= text.len() {
        (base, bits) = K::advance(text, base, end);
    }
    if end < base + BLOCK {
        if text.len() < base + BLOCK {
            bits = mask_at_end::<K>(text, base);
        }
        // A shift by 64 cannot happen: the branch has `end - base` below 64.
        bits &= !(u64::MAX << end.saturating_sub(base));
    }
    (base, bits)
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

/// The same from the end: the stops of `text[start..end]`, last first.
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

/// [`Kernel::advance`] with a mask.
#[inline(always)]
#[allow(clippy::inline_always)]
fn advance(
    text: &[u8],
    mut base: usize,
    end: usize,
    mask: impl Fn(&[u8; BLOCK]) -> u64,
) -> (usize, u64) {
    while let Some(block) = text.get(base..).and_then(<[u8]>::first_chunk) {
        let bits = mask(block);
        if bits != 0 || base + BLOCK >= end {
            return (base, bits);
        }
        base += BLOCK;
    }
    (base, 0)
}

/// The mask of the block at `base`; what it says beyond the text means nothing.
#[inline]
fn mask_at<K: Kernel>(text: &[u8], base: usize) -> u64 {
    match text.get(base..).and_then(<[u8]>::first_chunk) {
        Some(block) => K::mask(block),
        None => mask_at_end::<K>(text, base),
    }
}

/// The mask of what is less than a block.
#[inline(never)]
fn mask_at_end<K: Kernel>(text: &[u8], base: usize) -> u64 {
    let rest = text.get(base..).unwrap_or_default();
    if rest.is_empty() {
        return 0;
    }
    if let Some(block) = text.last_chunk::<BLOCK>() {
        // The block that ends with the text covers what is left of it.
        return K::mask(block) >> (BLOCK - rest.len());
    }
    let mut block = [0; BLOCK];
    if !(copy_ends::<32>(rest, &mut block)
        || copy_ends::<16>(rest, &mut block)
        || copy_ends::<8>(rest, &mut block))
    {
        for (to, from) in block.iter_mut().zip(rest) {
            *to = *from;
        }
    }
    K::mask(&block)
}

/// Copies `rest`, if it has `N` bytes to `2 * N`, as two pieces of `N` bytes that may
/// overlap: that takes no loop.
#[inline]
fn copy_ends<const N: usize>(rest: &[u8], block: &mut [u8; BLOCK]) -> bool {
    let (Some(first), Some(last)) = (rest.first_chunk::<N>(), rest.last_chunk::<N>()) else {
        return false;
    };
    block[..N].copy_from_slice(first);
    block[rest.len() - N..rest.len()].copy_from_slice(last);
    true
}

#[cfg(test)]
mod tests {
    use super::{
        BLOCK, Bracket, Class, Destination, Enclosure, Inline, Kernel, Label, LineEnd, Pipe,
        Square, Stops, Trigger, WordEnd, stops_back,
    };
    extern crate alloc;
    use alloc::vec::Vec;

    fn agree<K: Kernel>() {
        agree_with::<K>(K::mask);
    }

    fn agree_with<K: Kernel>(mask: impl Fn(&[u8; BLOCK]) -> u64) {
        for byte in 0..=255 {
            for lane in 0..BLOCK {
                for fill in [0, b'a', b'[', b'/', b'w', b'W', 255] {
                    let mut block = [fill; BLOCK];
                    block[lane] = byte;
                    assert_eq!(mask(&block), K::mask_scalar(&block), "{byte} in {lane}");
                }
            }
        }
    }

    #[test]
    fn vector_and_scalar_agree() {
        agree::<LineEnd>();
        agree::<Destination>();
        agree::<Pipe>();
        agree::<Bracket>();
        agree::<Square>();
        agree::<Enclosure>();
        agree::<Label>();
        agree::<WordEnd>();
        agree::<Inline<false, false>>();
        agree::<Inline<false, true>>();
        agree::<Inline<true, false>>();
        agree::<Inline<true, true>>();
        agree::<Trigger>();
    }

    /// What is used on processors without AVX2.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn narrow_and_scalar_agree() {
        use super::x86;
        agree_with::<Square>(x86::square);
        agree_with::<Enclosure>(x86::enclosure);
        agree_with::<Label>(x86::label);
        agree_with::<WordEnd>(x86::word_end);
        agree_with::<Destination>(x86::destination);
        agree_with::<Inline<false, false>>(x86::inline_sse2::<false, false>);
        agree_with::<Inline<false, true>>(x86::inline_sse2::<false, true>);
        agree_with::<Inline<true, false>>(x86::inline_sse2::<true, false>);
        agree_with::<Inline<true, true>>(x86::inline_sse2::<true, true>);
    }

    #[test]
    fn triggers_are_found_wherever_they_are() {
        for len in [0, 1, 63, 64, 65, 191, 192, 193, 320] {
            for at in 0..len {
                for marker in [&b"@"[..], b"www", b"wWW", b"://", b"aaa"] {
                    let mut text = alloc::vec![b'a'; len];
                    text.splice(at..at, marker.iter().copied());
                    let is_found = Stops::<Trigger>::new(&text, at % 2, text.len())
                        .any(|stop| (at..at + marker.len()).contains(&stop));
                    assert_eq!(is_found, marker != b"aaa", "{marker:?} at {at} of {len}");
                }
            }
        }
    }

    #[test]
    fn stops_are_those_of_a_byte_loop() {
        let text: Vec<u8> = (0..500u32).map(|i| b"a(b\n\"c))x"[(i * i % 9) as usize]).collect();
        for start in 0..130 {
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
}
