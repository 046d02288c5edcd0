//! Scan kernels: which bytes of a 64-byte block belong to a class, as a bit mask.
//!
//! Markdown text is mostly bytes that mean nothing, so every hot loop of the
//! engine is "go to the next byte that does". A call per byte, or even a
//! `memchr` per find, costs more than the find when finds are a dozen bytes
//! apart. So a kernel answers for 64 bytes at once and [`Stops`] walks the set
//! bits, one `trailing_zeros` each.
//!
//! Each class is a type with a scalar definition ([`Class::contains`]) and a
//! vector one (in `x86`, SSE2 only, which every x86-64 has). The scalar one is
//! the specification: a test compares them on every byte in every lane. On
//! other targets the scalar definition is used as it stands.
//!
//! LINEAR: a byte is loaded once for each block that covers it, and
//! [`Stops::seek`] only moves forward.

#[cfg(target_arch = "x86_64")]
mod x86;

/// Bytes in a block.
pub const BLOCK: usize = 64;

/// A set of bytes that a kernel can look for. Byte 0 is in no class: short
/// blocks are padded with it.
pub trait Class {
    /// The definition.
    fn contains(byte: u8) -> bool;

    /// Bit `i` is set when byte `i` of the block is in the class.
    fn mask(block: &[u8; BLOCK]) -> u64;
}

/// The scalar twin of every kernel.
pub fn mask_scalar<C: Class>(block: &[u8; BLOCK]) -> u64 {
    block.iter().rev().fold(0, |mask, &byte| mask << 1 | u64::from(C::contains(byte)))
}

/// Line feed.
#[derive(Clone, Copy, Debug)]
pub enum LineFeed {}

/// Line feed and carriage return.
#[derive(Clone, Copy, Debug)]
pub enum LineEnd {}

/// What HTML text must escape: `<` `>` `&` `"`.
#[derive(Clone, Copy, Debug)]
pub enum Escapable {}

/// Bytes at which inline parsing has to look: `\` `*` `_` `` ` `` `[` `]` `<` and
/// the four of [`Escapable`]; also `^`, which stands between the brackets and
/// the underscore and would cost more to leave out. With `BREAKS` also line
/// feed, with `TILDE` also `~` (and `|`, its neighbour in the bit pattern).
#[derive(Clone, Copy, Debug)]
pub enum Inline<const BREAKS: bool, const TILDE: bool> {}

/// What a link's destination cannot hold as it stands in HTML, and `(` `)`:
/// everything but letters, digits and ``!#$%*+,-./:;=?@_~``.
#[derive(Clone, Copy, Debug)]
pub enum Destination {}

/// What parts the cells of a table: `|`, and `\\`, which may escape one.
#[derive(Clone, Copy, Debug)]
pub enum Pipe {}

/// A class whose kernel is `x86::$kernel`.
macro_rules! class {
    ($class:ty, $kernel:ident, $byte:ident => $contains:expr) => {
        impl Class for $class {
            #[inline]
            fn contains($byte: u8) -> bool {
                $contains
            }

            #[inline]
            fn mask(block: &[u8; BLOCK]) -> u64 {
                #[cfg(target_arch = "x86_64")]
                return x86::$kernel(block);
                #[cfg(not(target_arch = "x86_64"))]
                mask_scalar::<Self>(block)
            }
        }
    };
}

class!(LineFeed, line_feed, byte => byte == b'\n');
class!(LineEnd, line_end, byte => matches!(byte, b'\n' | b'\r'));
class!(Escapable, escapable, byte => matches!(byte, b'<' | b'>' | b'&' | b'"'));
class!(Pipe, pipe, byte => matches!(byte, b'|' | b'\\'));
class!(Destination, destination, byte => match byte {
    // 0 pads, and is in no class; the rest stays as it is.
    0 | b'!' | b'#' | b'$' | b'%' | b'*'..=b'/' | b':' | b';' | b'=' | b'?' | b'@' | b'_' | b'~' => {
        false
    }
    _ => !byte.is_ascii_alphanumeric(),
});

impl<const BREAKS: bool, const TILDE: bool> Class for Inline<BREAKS, TILDE> {
    #[inline]
    fn contains(byte: u8) -> bool {
        match byte {
            b'<' | b'>' | b'&' | b'"' | b'*' | b'['..=b'`' => true,
            b'\n' => BREAKS,
            b'~' | b'|' => TILDE,
            _ => false,
        }
    }

    #[inline]
    fn mask(block: &[u8; BLOCK]) -> u64 {
        #[cfg(target_arch = "x86_64")]
        return x86::inline::<BREAKS, TILDE>(block);
        #[cfg(not(target_arch = "x86_64"))]
        mask_scalar::<Self>(block)
    }
}

/// The positions of a class in a stretch of text, in order.
///
/// ```
/// use barelink_text::find::{Escapable, Stops};
/// let text = b"a < b && c";
/// let mut stops = Stops::<Escapable>::new(text, 0, text.len());
/// assert_eq!(stops.next(), Some(2));
/// stops.seek(7);
/// assert_eq!(stops.next(), Some(7));
/// assert_eq!(stops.next(), None);
/// ```
#[derive(Debug, Clone)]
pub struct Stops<'t, C> {
    /// May reach beyond `end`: a block that crosses it is read whole, and the
    /// bits past it are dropped.
    text: &'t [u8],
    end: usize,
    /// Where bit 0 of `bits` stands.
    base: usize,
    bits: u64,
    class: core::marker::PhantomData<C>,
}

impl<'t, C: Class> Stops<'t, C> {
    /// Looks in `text[start..end]`. `text` may be longer, and should be where
    /// it can: whole blocks are quicker to read.
    #[inline]
    pub fn new(text: &'t [u8], start: usize, end: usize) -> Self {
        let end = end.min(text.len());
        let mut stops = Self { text, end, base: start, bits: 0, class: core::marker::PhantomData };
        stops.load(start);
        stops
    }

    /// Skips every position before `to`. Going back is not possible: a `to`
    /// at or before the last stop changes nothing.
    #[inline]
    pub fn seek(&mut self, to: usize) {
        let Some(skip) = to.checked_sub(self.base) else { return };
        if skip < BLOCK {
            self.bits &= u64::MAX << skip;
        } else {
            self.load(to);
        }
    }

    /// Whether there is no stop left. Skips nothing.
    #[inline]
    pub fn is_done(&mut self) -> bool {
        while self.bits == 0 {
            let base = self.base + BLOCK;
            if base >= self.end {
                return true;
            }
            self.load(base);
        }
        false
    }

    #[inline]
    fn load(&mut self, base: usize) {
        self.base = base;
        self.bits = match self.text.get(base..).and_then(<[u8]>::first_chunk) {
            Some(block) => C::mask(block),
            None => self.load_short(base),
        };
        if self.end < base + BLOCK {
            // A shift by 64 cannot happen: the branch has `end - base` below 64.
            self.bits &= !(u64::MAX << self.end.saturating_sub(base));
        }
    }

    /// The last bytes of the text, padded.
    #[cold]
    fn load_short(&self, base: usize) -> u64 {
        let mut block = [0; BLOCK];
        let rest = self.text.get(base..).unwrap_or_default();
        if let Some(head) = block.get_mut(..rest.len()) {
            head.copy_from_slice(rest);
        }
        C::mask(&block)
    }
}

impl<C: Class> Iterator for Stops<'_, C> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.is_done() {
            return None;
        }
        let at = self.base + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        BLOCK, Class, Destination, Escapable, Inline, LineEnd, LineFeed, Pipe, Stops, mask_scalar,
    };
    extern crate alloc;
    use alloc::vec::Vec;

    fn agree<C: Class>() {
        for byte in 0..=255 {
            for lane in 0..BLOCK {
                for fill in [0, b'a', b'[', 255] {
                    let mut block = [fill; BLOCK];
                    block[lane] = byte;
                    assert_eq!(C::mask(&block), mask_scalar::<C>(&block), "{byte} in {lane}");
                }
            }
        }
        assert!(!C::contains(0), "padding is in no class");
    }

    #[test]
    fn vector_and_scalar_agree() {
        agree::<LineFeed>();
        agree::<LineEnd>();
        agree::<Escapable>();
        agree::<Destination>();
        agree::<Pipe>();
        agree::<Inline<false, false>>();
        agree::<Inline<false, true>>();
        agree::<Inline<true, false>>();
        agree::<Inline<true, true>>();
    }

    #[test]
    fn stops_are_those_of_a_byte_loop() {
        let text: Vec<u8> = (0..500u32).map(|i| b"a<b\n\"c&>x"[(i * i % 9) as usize]).collect();
        for start in 0..130 {
            for end in [start, start + 1, start + 63, start + 64, start + 65, 400, 500] {
                let stops: Vec<_> = Stops::<Escapable>::new(&text, start, end).collect();
                let plain: Vec<_> =
                    (start..end).filter(|&at| Escapable::contains(text[at])).collect();
                assert_eq!(stops, plain, "{start}..{end}");
            }
        }
    }

    #[test]
    fn seek_only_moves_forward() {
        let text = [b'<'; 300];
        let mut stops = Stops::<Escapable>::new(&text, 0, 300);
        for (to, at) in [(5, 5), (3, 6), (63, 63), (64, 64), (200, 200), (10, 201), (299, 299)] {
            stops.seek(to);
            assert_eq!(stops.next(), Some(at));
        }
        stops.seek(1000);
        assert_eq!(stops.next(), None);
    }
}
