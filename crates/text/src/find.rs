//! Scan kernels: which bytes of a 64-byte block belong to a class, as a bit mask.
//!
//! Markdown text consists mostly of bytes without special meaning, so every hot loop of the engine
//! is "go to the next byte that has one". A call per byte, or even a `memchr` per hit, is expensive
//! when hits are a dozen bytes apart. So a kernel classifies 64 bytes at once and [`Stops`] walks
//! the set bits, one `trailing_zeros` each. Where every stop is wanted, [`Ahead`] lists those of
//! many blocks first. The text between stops is copied by `copy`, `replace` and `fold`.
//!
//! ```text
//! callers       Stops, stops_back     Ahead          push_replaced, fold_lines
//!               stops.rs              ahead.rs       replace.rs, fold.rs
//!                  │ load                │ gather        │ mask
//! interface     Kernel: Trigger, and each Class, such as LineEnd        class.rs
//!                  │ `widest!` picks the widest available
//! backends         ├─ AVX-512   64 lanes, if the processor has it       avx512.rs (fold_lines only)
//!                  ├─ AVX2      32 lanes, if the processor has it       avx2.rs
//!                  ├─ vector    16 lanes, the same algorithms over      vector.rs
//!                  │            SSE2, NEON, or simd128                  sse2.rs, neon.rs, simd128.rs
//!                  └─ scalar    a table, byte by byte: the definition   Kernel::mask_scalar
//! ```
//!
//! The scalar definition ([`Kernel::mask_scalar`]) is the specification: tests compare all others
//! with it, for every byte in every lane. It also runs on targets whose vector unit is not
//! supported here, or that have none. For tests, `--cfg barelink_scalar` selects it everywhere,
//! `--cfg barelink_no_avx512` leaves AVX-512 out, and `--cfg barelink_no_avx2` both.
//!
//! LINEAR: a byte is loaded a constant number of times for each block that
//! covers it, and [`Stops::seek`] only moves forward.

/// Picks the widest implementation that the target has: AVX2, vectors of sixteen lanes, or scalar.
/// This is the scalar fallback. `vector` and `avx2`, where they are compiled, redefine the macro
/// with one more choice each, and the last definition in scope applies.
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

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    feature = "std",
    not(any(barelink_scalar, barelink_no_avx2)),
))]
mod avx512;

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

/// A class of bytes, or another pattern, to search blocks for.
pub trait Kernel: Sized {
    /// Bit `i` is set when the kernel stops at byte `i` of the block.
    fn mask(block: &[u8; BLOCK]) -> u64;

    /// Computes the same mask as [`mask`](Self::mask), a byte at a time. This is the definition.
    fn mask_scalar(block: &[u8; BLOCK]) -> u64;

    /// Finds the first block from `base` on that has a stop, or else the block that reaches `end`,
    /// where `base < end`. Returns where it starts, and its stops before `end`. Parameters and
    /// results are plain values, so that a loop over [`Stops`] keeps them in registers.
    #[inline(never)]
    fn load(text: &[u8], base: usize, end: usize) -> (usize, u64) {
        load(text, base, end, Self::mask)
    }

    /// A lower bound of the first stop, not necessarily a close one; `None` if there is no stop.
    #[inline]
    fn leap(text: &[u8]) -> Option<usize> {
        Stops::<Self>::new(text, 0, text.len()).next()
    }

    /// Writes the stops of whole blocks from `from` on into `slots`, as long as there is room.
    /// Returns the offset it has reached.
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

/// [`Kernel::load`] with a given mask function, inlined.
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
    // If the block ends at `end`, no bit is dropped.
    let dropped = u64::MAX.checked_shl(end.saturating_sub(base) as u32).unwrap_or(0);
    (base, bits & !dropped)
}

/// [`load`], kept out of line.
#[inline(never)]
fn load_apart(
    text: &[u8],
    base: usize,
    end: usize,
    mask: impl Fn(&[u8; BLOCK]) -> u64,
) -> (usize, u64) {
    load(text, base, end, mask)
}

/// The mask of the rest of a text, which is shorter than a block.
#[inline(always)]
#[allow(clippy::inline_always)]
fn mask_at_end(text: &[u8], rest: &[u8], mask: impl Fn(&[u8; BLOCK]) -> u64) -> u64 {
    if rest.is_empty() {
        return 0;
    }
    let padded;
    // The last block of the text covers the rest.
    let (block, n_before) = if let Some(block) = text.last_chunk() {
        (block, BLOCK - rest.len())
    } else {
        padded = pad(rest);
        (&padded, 0)
    };
    mask(block) >> n_before
}

/// Copies less than a block of bytes and pads it with zeros.
#[inline(never)]
fn pad(rest: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    // Two overlapping copies of a constant length need no call of `memcpy`.
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

/// Copies the first and the last `N` bytes of `rest` if they cover it. False if `rest` is shorter
/// than `N`, and nothing is copied.
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
