//! Copying what a scan has stepped over: mostly a few bytes at a time.
//!
//! A call of `memcpy` costs more than moving a dozen bytes. So a short piece is
//! copied as a whole chunk, with whatever stands behind it in the source, and the
//! surplus is dropped again: two vector moves, and no branch on the length.
#![allow(unsafe_code)]

use alloc::string::String;
use alloc::vec::Vec;

/// Pieces up to this length are copied without a call.
pub(super) const CHUNK: usize = 32;

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
    if text.get(start..end).is_some() {
        // SAFETY: appends a slice of `text`, which is whole characters.
        push_bytes(text.as_bytes(), start, end, unsafe { out.as_mut_vec() });
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
    if text.get(start..end).is_none() {
        return;
    }
    let text = text.as_bytes();
    // SAFETY: appends a slice of a string, cut at bytes of ASCII, and ASCII between:
    // whatever happens, what is there are whole characters.
    let out = unsafe { out.as_mut_vec() };
    let mut from = start;
    // Copied as it is looked at, a chunk at a time, and anew after each replaced byte.
    while from < end {
        let rest = text.get(from..).unwrap_or_default();
        let padded;
        let chunk = match rest.first_chunk() {
            Some(chunk) => chunk,
            None => {
                padded = pad(rest);
                &padded
            }
        };
        let len = CHUNK.min(end - from);
        let stop = escapable::<LINES>(chunk).trailing_zeros() as usize;
        push_head(chunk, len.min(stop), out);
        if stop < len {
            push_entity_bytes(chunk[stop], out);
            from += stop + 1;
        } else {
            from += len;
        }
    }
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

/// Which bytes of a chunk are replaced.
#[inline]
fn escapable<const LINES: bool>(chunk: &[u8; CHUNK]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return super::x86::escapable::<LINES>(chunk);
    #[cfg(not(target_arch = "x86_64"))]
    escapable_scalar::<LINES>(chunk)
}

/// The same, a byte at a time: the definition.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn escapable_scalar<const LINES: bool>(chunk: &[u8; CHUNK]) -> u32 {
    chunk.iter().rev().fold(0, |mask, &byte| {
        let is_replaced = matches!(byte, b'<' | b'>' | b'&' | b'"') || LINES && byte == b'\n';
        mask << 1 | u32::from(is_replaced)
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

/// Appends `text[start..end]`, and nothing else whatever happens.
#[inline]
fn push_bytes(text: &[u8], start: usize, end: usize, out: &mut Vec<u8>) {
    let rest = text.get(start..).unwrap_or_default();
    let len = end.saturating_sub(start);
    match rest.first_chunk::<CHUNK>() {
        Some(chunk) if len <= CHUNK => push_head(chunk, len, out),
        _ => out.extend_from_slice(rest.get(..len).unwrap_or_default()),
    }
}

/// Appends the first `len` bytes of a chunk.
#[inline]
fn push_head<const N: usize>(chunk: &[u8; N], len: usize, out: &mut Vec<u8>) {
    let len = out.len() + len;
    // Making room may panic, but before anything is written.
    out.extend_from_slice(chunk);
    out.truncate(len);
}

/// The entities, and the space for a line feed, padded, each where [`entity_idx`] says.
const ENTITIES: [[u8; 8]; 16] = {
    let mut entities = [[0; 8]; 16];
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
        CHUNK, String, escapable, escapable_scalar, push_entity, push_escaped, push_escaped_line,
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
            for lane in 0..CHUNK {
                let mut chunk = [b'a'; CHUNK];
                chunk[lane] = byte;
                assert_eq!(escapable::<false>(&chunk), escapable_scalar::<false>(&chunk));
                assert_eq!(escapable::<true>(&chunk), escapable_scalar::<true>(&chunk));
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
