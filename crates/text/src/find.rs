//! Scan kernels: which bytes of a 64-byte block belong to a class, as a bit mask.
//!
//! Markdown text is mostly bytes that mean nothing, so every hot loop of the
//! engine is "go to the next byte that does". A call per byte, or even a
//! `memchr` per find, costs more than the find when finds are a dozen bytes
//! apart. So a kernel answers for 64 bytes at once and [`Stops`] walks the set
//! bits, one `trailing_zeros` each. Where every stop is wanted, [`Ahead`] lists those of
//! many blocks first. What lies between stops is copied in `copy`, `replace` and `fold`.
//!
//! ```text
//! who asks      Stops, stops_back     Ahead          push_replaced, fold_lines
//!               stops.rs              ahead.rs       replace.rs, fold.rs
//!                  │ load                │ gather        │ mask
//! what          Kernel: Trigger, and each Class, such as LineEnd        class.rs
//!                  │ `widest!` takes the first that there is
//! how              ├─ AVX2      32 lanes, if the processor has it       avx2.rs
//!                  ├─ vector    16 lanes, the same algorithms over      vector.rs
//!                  │            SSE2, NEON, or simd128                  sse2.rs, neon.rs, simd128.rs
//!                  └─ scalar    a table, byte by byte: the definition   Kernel::mask_scalar
//! ```
//!
//! The scalar definition ([`Kernel::mask_scalar`]) is the specification: tests compare all
//! others with it, for every byte in every lane. It is also what runs on targets without a
//! vector unit that we know. `--cfg barelink_scalar` compiles it everywhere, and
//! `--cfg barelink_no_avx2` leaves AVX2 out, for tests alone.
//!
//! LINEAR: a byte is loaded a constant number of times for each block that
//! covers it, and [`Stops::seek`] only moves forward.

/// The first of three ways to find a class that the target has: with AVX2, by vectors of
/// sixteen lanes, byte by byte. The modules after it, where they are compiled, define it
/// again, each for one way more, and the last definition counts.
#[allow(unused_macros)]
macro_rules! widest {
    ($avx2:ident => $wide:expr, $vector:expr, $scalar:expr) => {
        $scalar
    };
    ($vector:expr, $scalar:expr) => {
        $scalar
    };
}

#[cfg(all(
    any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
        all(target_arch = "wasm32", target_feature = "simd128"),
    ),
    not(barelink_scalar),
))]
#[macro_use]
mod vector;

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    feature = "std",
    not(any(barelink_scalar, barelink_no_avx2)),
))]
#[macro_use]
mod avx2;

mod ahead;
mod class;
mod copy;
mod fold;
mod replace;
#[cfg(test)]
mod samples;
mod stops;

use crate::set::ByteSet;

pub use self::ahead::{Ahead, Slots, TooLong};
pub use self::class::{
    Bracket, Colon, Destination, Enclosure, Escapable, Inline, Label, LineEnd, PathMark, Pipe,
    Return, RichInline, Square, Trigger, Unplain, WordEnd,
};
pub use self::copy::push_range;
pub use self::fold::{fold_lines, push_without_returns};
pub(crate) use self::replace::{Replace, Replacements, push_replaced, push_replacement};
pub use self::stops::{Stops, stops_back};

/// Bytes in a block.
pub const BLOCK: usize = 64;

/// Something to look for in blocks.
pub trait Kernel: Sized {
    /// Bit `i` is set when the kernel stops at byte `i` of the block.
    fn mask(block: &[u8; BLOCK]) -> u64;

    /// The same, a byte at a time: the definition.
    fn mask_scalar(block: &[u8; BLOCK]) -> u64;

    /// The first block from `base` on that has a stop, or the one that reaches `end`, which is
    /// behind `base`: where it starts, and its stops before `end`. Takes and returns values,
    /// so that a loop over [`Stops`] keeps them in registers.
    #[inline(never)]
    fn load(text: &[u8], base: usize, end: usize) -> (usize, u64) {
        load(text, base, end, Self::mask)
    }

    /// A place in a text before which there is no stop; nothing if there is none at all. It need
    /// not be near the first stop.
    #[inline]
    fn leap(text: &[u8]) -> Option<usize> {
        Stops::<Self>::new(text, 0, text.len()).next()
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
///
/// # Safety
/// No mask of the kernel, however it is computed, has a bit for a byte outside of the set. Text is
/// cut at stops: one inside a character would make a string that is not UTF-8.
#[allow(unsafe_code)]
pub unsafe trait Class: Kernel {
    /// The set.
    const SET: ByteSet;
}

/// [`Kernel::load`] with a mask.
#[inline(always)]
#[allow(clippy::inline_always)]
fn load(
    text: &[u8],
    mut base: usize,
    end: usize,
    mask: impl Fn(&[u8; BLOCK]) -> u64,
) -> (usize, u64) {
    let bits = loop {
        let Some(block) = text.get(base..).and_then(<[u8]>::first_chunk) else {
            break mask_at_end(text, text.get(base..).unwrap_or_default(), &mask);
        };
        let bits = mask(block);
        if base + BLOCK >= end {
            break bits;
        }
        if bits != 0 {
            return (base, bits);
        }
        base += BLOCK;
    };
    // Where the block ends with `end`, it has no bits to drop.
    let dropped = u64::MAX.checked_shl(end.saturating_sub(base) as u32).unwrap_or(0);
    (base, bits & !dropped)
}

/// The same as a call.
#[inline(never)]
fn load_apart(
    text: &[u8],
    base: usize,
    end: usize,
    mask: impl Fn(&[u8; BLOCK]) -> u64,
) -> (usize, u64) {
    load(text, base, end, mask)
}

/// The mask of what is left of a text, which is less than a block.
#[inline(always)]
#[allow(clippy::inline_always)]
fn mask_at_end(text: &[u8], rest: &[u8], mask: impl Fn(&[u8; BLOCK]) -> u64) -> u64 {
    if rest.is_empty() {
        return 0;
    }
    let padded;
    // The block that ends with the text covers what is left of it.
    let (block, n_before) = if let Some(block) = text.last_chunk() {
        (block, BLOCK - rest.len())
    } else {
        padded = pad(rest);
        (&padded, 0)
    };
    mask(block) >> n_before
}

/// Less than a block, with zeros behind it.
#[inline(never)]
fn pad(rest: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    // Two pieces of a known length that overlap are copied without a call.
    if !(copy_ends::<32>(rest, &mut block)
        || copy_ends::<16>(rest, &mut block)
        || copy_ends::<8>(rest, &mut block)
        || copy_ends::<4>(rest, &mut block))
    {
        for (to, from) in block.iter_mut().zip(rest) {
            *to = *from;
        }
    }
    block
}

/// Copies the first and the last `N` bytes of `rest`, unless it has less than `N`, or more than
/// those.
#[inline]
fn copy_ends<const N: usize>(rest: &[u8], block: &mut [u8; BLOCK]) -> bool {
    let (Some(first), Some(last)) = (rest.first_chunk::<N>(), rest.last_chunk::<N>()) else {
        return false;
    };
    if let Some(head) = block.first_chunk_mut::<N>() {
        *head = *first;
    }
    if let Some(tail) = block.get_mut(rest.len() - N..).and_then(<[u8]>::first_chunk_mut::<N>) {
        *tail = *last;
    }
    true
}
