//! Copying what a scan has stepped over: mostly a few bytes at a time.
//!
//! A call of `memcpy` costs more than moving a dozen bytes. So a short piece is
//! copied as a whole chunk, with whatever stands behind it in the source, and the
//! surplus is dropped again: two vector moves, and no branch on the length.
#![allow(unsafe_code)]

use alloc::string::String;
use alloc::vec::Vec;

use super::{Escapable, Stops};

/// Pieces up to this length are copied without a call.
const CHUNK: usize = 32;

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
    if text.get(start..end).is_none() {
        return;
    }
    let text = text.as_bytes();
    // SAFETY: appends a slice of a string, cut at bytes of ASCII, and entities between:
    // whatever happens, what is there are whole characters.
    let out = unsafe { out.as_mut_vec() };
    let mut from = start;
    for at in Stops::<Escapable>::new(text, start, end) {
        push_bytes(text, from, at, out);
        push_entity_bytes(text[at], out);
        from = at + 1;
    }
    push_bytes(text, from, end, out);
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

/// The entities, padded, each where [`entity_idx`] says.
const ENTITIES: [[u8; 8]; 16] = {
    let mut entities = [[0; 8]; 16];
    entities[entity_idx(b'<')] = *b"&lt;\0\0\0\0";
    entities[entity_idx(b'>')] = *b"&gt;\0\0\0\0";
    entities[entity_idx(b'&')] = *b"&amp;\0\0\0";
    entities[entity_idx(b'"')] = *b"&quot;\0\0";
    entities
};

/// How long they are.
const ENTITY_LENS: [u8; 16] = {
    let mut lens = [0; 16];
    lens[entity_idx(b'<')] = 4;
    lens[entity_idx(b'>')] = 4;
    lens[entity_idx(b'&')] = 5;
    lens[entity_idx(b'"')] = 6;
    lens
};

/// A place of its own for each of `<` `>` `&` `"`.
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
    use super::{String, push_entity, push_escaped, push_range};

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
            "aé漢🙂 <b> & \"c\" 0123456789 0123<56789 01234567>>&&\"\"<<9 é漢🙂&é 0123456789";
        for start in 0..=text.len() + 1 {
            for end in 0..=text.len() + 1 {
                let mut out = String::from("é");
                push_range(text, start, end, &mut out);
                push_escaped(text, start, end, &mut out);
                assert!(core::str::from_utf8(out.as_bytes()).is_ok());
                let range = range_scalar(text, start, end);
                let rest = out.strip_prefix("é").and_then(|rest| rest.strip_prefix(&*range));
                assert_eq!(rest, Some(&*escaped_scalar(text, start, end)), "{start}..{end}");
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
