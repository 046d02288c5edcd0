//! Copying what a scan has stepped over: mostly a few bytes at a time.
//!
//! A call of `memcpy` costs more than moving a dozen bytes. So a short piece is
//! copied as a whole block, with whatever stands behind it in the source, and the
//! surplus is dropped again: a few vector moves, and no branch on the length.
#![allow(unsafe_code)]

use alloc::string::String;
use alloc::vec::Vec;
use core::ptr;

use super::BLOCK;

/// Half a block: what is copied as a whole where that is enough, or where the text has
/// no whole block left.
const CHUNK: usize = BLOCK / 2;

/// Appends `text[start..end]`, or nothing if that is no slice of it. Quicker where
/// `text` goes on.
///
/// ```
/// let mut out = String::new();
/// barelink_text::find::push_range("some text", 5, 9, &mut out);
/// assert_eq!(out, "text");
/// ```
#[inline]
pub fn push_range(text: &str, start: usize, end: usize, out: &mut String) {
    let len = end.wrapping_sub(start);
    // With the byte behind the piece, one look at the length of the text is enough.
    match text.as_bytes().get(start..).and_then(<[u8]>::first_chunk::<{ BLOCK + 1 }>) {
        Some(window) if len <= BLOCK => {
            if is_char_start(window[0])
                && is_char_start(window[len])
                && let Some(block) = window.first_chunk::<BLOCK>()
            {
                // SAFETY: appends what is between two starts of characters in a string.
                push_head(block, len, unsafe { out.as_mut_vec() });
            }
        }
        _ => push_other(text, start, end, out),
    }
}

/// Whether the byte, of a string, is the first of a character.
#[inline]
fn is_char_start(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// What is longer than a block, or near the end of the text.
#[inline(never)]
fn push_other(text: &str, start: usize, end: usize, out: &mut String) {
    let Some(piece) = text.get(start..end) else { return };
    match text.as_bytes().get(start..).and_then(<[u8]>::first_chunk::<CHUNK>) {
        // SAFETY: appends `piece`, which is whole characters.
        Some(chunk) if piece.len() <= CHUNK => {
            push_head(chunk, piece.len(), unsafe { out.as_mut_vec() });
        }
        _ => out.push_str(piece),
    }
}

/// Appends `text[start..end]` with `<` `>` `&` `"` as entities, or nothing if that is
/// no slice of it. Quicker where `text` goes on.
///
/// ```
/// let mut out = String::new();
/// barelink_text::find::push_escaped("if a < b { f(\"&\") }", 3, 8, &mut out);
/// assert_eq!(out, "a &lt; b");
/// ```
pub fn push_escaped(text: &str, start: usize, end: usize, out: &mut String) {
    push_replaced::<false>(text, start, end, out);
}

/// The same, with line feeds as spaces: the text of a code span.
///
/// ```
/// let mut out = String::new();
/// barelink_text::find::push_escaped_line("a <\nb", 0, 5, &mut out);
/// assert_eq!(out, "a &lt; b");
/// ```
pub fn push_escaped_line(text: &str, start: usize, end: usize, out: &mut String) {
    push_replaced::<true>(text, start, end, out);
}

/// Appends `text[start..end]` with entities, and with `LINES` also spaces for line feeds.
#[inline]
fn push_replaced<const LINES: bool>(text: &str, start: usize, end: usize, out: &mut String) {
    let len = end.wrapping_sub(start);
    match text.as_bytes().get(start..).and_then(<[u8]>::first_chunk) {
        Some(window) if (1..=BLOCK).contains(&len) => {
            if is_char_start(window[0]) && is_char_start(window[len]) {
                // SAFETY: appends what is between two starts of characters in a string, cut
                // at bytes of ASCII, and ASCII between.
                push_short::<LINES>(window, len, unsafe { out.as_mut_vec() });
            }
        }
        _ => push_long::<LINES>(text, start, end, out),
    }
}

/// Appends the first `len` bytes, or those of a block, with what is to be replaced
/// replaced. Returns how many it has used.
#[inline]
fn push_short<const LINES: bool>(window: &[u8; 2 * BLOCK], len: usize, out: &mut Vec<u8>) -> usize {
    if len <= CHUNK {
        push_block::<CHUNK, LINES>(window, len, out)
    } else {
        push_block::<BLOCK, LINES>(window, len.min(BLOCK), out)
    }
}

/// What is longer than a block, or near the end of the text.
#[inline(never)]
fn push_long<const LINES: bool>(text: &str, start: usize, end: usize, out: &mut String) {
    if text.get(start..end).is_none() {
        return;
    }
    let text = text.as_bytes();
    // SAFETY: appends a slice of a string, cut at bytes of ASCII, and ASCII between:
    // whatever happens, what is there are whole characters.
    let out = unsafe { out.as_mut_vec() };
    let mut from = start;
    while from < end {
        let len = end - from;
        let rest = text.get(from..).unwrap_or_default();
        from += match rest.first_chunk() {
            Some(window) => push_short::<LINES>(window, len, out),
            None => push_last::<LINES>(rest, len, out),
        };
    }
}

/// Appends the first `len` bytes, at most `N`, with what is to be replaced replaced.
/// Returns `len`.
///
/// All is written to memory that is there already, each piece as a whole block of which
/// the surplus is written over by the next: nothing but the number of replaced bytes
/// makes a branch, and no piece waits for another.
#[inline]
fn push_block<const N: usize, const LINES: bool>(
    window: &[u8; 2 * BLOCK],
    len: usize,
    out: &mut Vec<u8>,
) -> usize {
    const { assert!(N <= BLOCK) }
    let Some(block) = window.first_chunk::<N>() else { return len };
    let mut stops = escapable::<N, LINES>(block) & (u64::MAX >> (BLOCK - len.clamp(1, N)));
    out.reserve(N * MAX_ENTITY + N);
    let room = out.as_mut_ptr();
    let mut to = out.len();
    let mut at = 0;
    while stops != 0 {
        let stop = stops.trailing_zeros() as usize;
        stops &= stops - 1;
        let idx = entity_idx(block[stop % N]);
        // SAFETY: `at` is 0 or just behind a stop of the block, so at most `N`, and the
        // window has `N` bytes more from there on. A byte becomes `MAX_ENTITY` at most, so
        // the piece starts within `N * MAX_ENTITY` bytes of the room made above, and `N`
        // are left for it. The entity starts within `(N - 1) * MAX_ENTITY`, which leaves
        // more than it is padded to.
        unsafe {
            ptr::copy_nonoverlapping(window.as_ptr().add(at), room.add(to), N);
            to += stop - at;
            ptr::copy_nonoverlapping(ENTITIES[idx].as_ptr(), room.add(to), PADDED_ENTITY);
        }
        to += usize::from(ENTITY_LENS[idx]);
        at = stop + 1;
    }
    // SAFETY: as before; and what `to` has been moved over was written.
    unsafe {
        ptr::copy_nonoverlapping(window.as_ptr().add(at), room.add(to), N);
        out.set_len(to + (len - at));
    }
    len
}

/// Appends the first `len` bytes, or as many as a chunk has, up to the first to be
/// replaced and what replaces it. Returns how many it has used.
#[inline]
fn push_last<const LINES: bool>(rest: &[u8], len: usize, out: &mut Vec<u8>) -> usize {
    let chunk = &rest.first_chunk().copied().unwrap_or_else(|| pad(rest));
    let len = CHUNK.min(len);
    let stop = escapable::<CHUNK, LINES>(chunk).trailing_zeros() as usize;
    push_head(chunk, len.min(stop), out);
    if stop >= len {
        return len;
    }
    push_entity_bytes(chunk[stop], out);
    stop + 1
}

/// The end of a text as a chunk.
#[inline(never)]
fn pad(rest: &[u8]) -> [u8; CHUNK] {
    let mut padded = [0; CHUNK];
    for (to, from) in padded.iter_mut().zip(rest) {
        *to = *from;
    }
    padded
}

/// Which bytes of a block or chunk are replaced.
#[inline]
fn escapable<const N: usize, const LINES: bool>(block: &[u8; N]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    return super::x86::escapable::<N, LINES>(block);
    #[cfg(not(target_arch = "x86_64"))]
    escapable_scalar::<N, LINES>(block)
}

/// The same, a byte at a time: the definition.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn escapable_scalar<const N: usize, const LINES: bool>(block: &[u8; N]) -> u64 {
    block.iter().rev().fold(0, |mask, &byte| {
        let is_replaced = matches!(byte, b'<' | b'>' | b'&' | b'"') || LINES && byte == b'\n';
        mask << 1 | u64::from(is_replaced)
    })
}

/// Appends the entity for `<` `>` `&` or `"`.
///
/// ```
/// let mut out = String::new();
/// barelink_text::find::push_entity(b'<', &mut out);
/// assert_eq!(out, "&lt;");
/// ```
#[inline]
pub fn push_entity(byte: u8, out: &mut String) {
    // SAFETY: appends nothing but ASCII.
    push_entity_bytes(byte, unsafe { out.as_mut_vec() });
}

/// Appends the first `len` bytes of a block or chunk, or all of it.
#[inline]
fn push_head<const N: usize>(block: &[u8; N], len: usize, out: &mut Vec<u8>) {
    out.reserve(N);
    let end = out.len();
    // SAFETY: there is room for `N` bytes behind `end`, which belongs to `out` alone, and
    // as many are written.
    unsafe {
        ptr::copy_nonoverlapping(block.as_ptr(), out.as_mut_ptr().add(end), N);
        out.set_len(end + len.min(N));
    }
}

/// The length of the longest entity, `&quot;`.
const MAX_ENTITY: usize = 6;

/// The length that all are padded to.
const PADDED_ENTITY: usize = 8;

/// The entities, and the space for a line feed, padded, each where [`entity_idx`] says.
const ENTITIES: [[u8; PADDED_ENTITY]; 16] = {
    let mut entities = [[0; PADDED_ENTITY]; 16];
    entities[entity_idx(b'\n')] = *b" \0\0\0\0\0\0\0";
    entities[entity_idx(b'<')] = *b"&lt;\0\0\0\0";
    entities[entity_idx(b'>')] = *b"&gt;\0\0\0\0";
    entities[entity_idx(b'&')] = *b"&amp;\0\0\0";
    entities[entity_idx(b'"')] = *b"&quot;\0\0";
    entities
};

/// How long they are.
const ENTITY_LENS: [u8; 16] = {
    let mut lens = [0; 16];
    lens[entity_idx(b'\n')] = 1;
    lens[entity_idx(b'<')] = 4;
    lens[entity_idx(b'>')] = 4;
    lens[entity_idx(b'&')] = 5;
    lens[entity_idx(b'"')] = 6;
    lens
};

/// A place of its own for each of `<` `>` `&` `"` and line feed.
const fn entity_idx(byte: u8) -> usize {
    (byte >> 1) as usize & 15
}

#[inline]
fn push_entity_bytes(byte: u8, out: &mut Vec<u8>) {
    let idx = entity_idx(byte);
    push_head(&ENTITIES[idx], usize::from(ENTITY_LENS[idx]), out);
}

#[cfg(test)]
mod tests {
    use super::{
        BLOCK, String, escapable, escapable_scalar, push_entity, push_escaped, push_escaped_line,
        push_range,
    };

    /// The scalar twins.
    fn range_scalar(text: &str, start: usize, end: usize) -> String {
        text.get(start..end).unwrap_or_default().into()
    }

    fn escaped_scalar(text: &str, start: usize, end: usize) -> String {
        let mut out = String::new();
        for c in text.get(start..end).unwrap_or_default().chars() {
            match c {
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '&' => out.push_str("&amp;"),
                '"' => out.push_str("&quot;"),
                _ => out.push(c),
            }
        }
        out
    }

    #[test]
    fn vector_and_scalar_agree() {
        let text =
            "aé漢🙂 <b> & \"c\" 0123\n56789 0123<56789 01234567>>&&\"\"<<9 é漢\n&é 0123456789";
        let text = &[text, &"\"".repeat(70), text, text].concat();
        for start in 0..=text.len() + 1 {
            for end in 0..=text.len() + 1 {
                let mut out = String::from("é");
                push_range(text, start, end, &mut out);
                push_escaped(text, start, end, &mut out);
                push_escaped_line(text, start, end, &mut out);
                assert!(core::str::from_utf8(out.as_bytes()).is_ok());
                let range = range_scalar(text, start, end);
                let rest = out.strip_prefix("é").and_then(|rest| rest.strip_prefix(&*range));
                let escaped = escaped_scalar(text, start, end);
                let line = escaped.replace('\n', " ");
                assert_eq!(rest, Some(&*(escaped + &line)), "{start}..{end}");
            }
        }
    }

    #[test]
    fn kernel_and_scalar_agree() {
        for byte in 0..=255 {
            for lane in 0..BLOCK {
                let mut block = [b'a'; BLOCK];
                block[lane] = byte;
                assert_eq!(escapable::<_, false>(&block), escapable_scalar::<_, false>(&block));
                assert_eq!(escapable::<_, true>(&block), escapable_scalar::<_, true>(&block));
            }
        }
    }

    #[test]
    fn every_entity_is_its_own() {
        let mut out = String::new();
        for byte in *b"<>&\"" {
            push_entity(byte, &mut out);
        }
        assert_eq!(out, "&lt;&gt;&amp;&quot;");
    }
}
