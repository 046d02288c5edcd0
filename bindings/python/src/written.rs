//! Creates strings of Python.

use std::hint::black_box;

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::ffi;

/// Where allocators start to ask the system for memory of its own, and where they always do.
const LARGE: std::ops::Range<usize> = 128 << 10..32 << 20;

/// A text as a string of Python.
///
/// ASCII is read by Python as Latin-1, which takes half of the steps that UTF-8 takes.
///
/// Of text that is not ASCII, Python takes four bytes of memory for each byte and gives back what
/// is too much. The C library of Linux takes what it was last given back for the size that is
/// usual, so it finds the next such string unusually large and fetches fresh pages from the system
/// for it, every time, which costs more than to make the string. To give back once what is asked
/// for ends that.
pub(crate) fn string<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyString> {
    if is_ascii(text) {
        return ffi::ascii(py, text);
    }
    let len = 4 * text.len() + 4096;
    if LARGE.contains(&len) {
        drop(black_box(Vec::<u8>::with_capacity(len)));
    }
    PyString::new(py, text)
}

/// Whether a text is ASCII. For messages, this takes half of the steps of the standard library's.
#[inline]
fn is_ascii(text: &str) -> bool {
    let (chunks, rest) = text.as_bytes().as_chunks::<32>();
    chunks.iter().all(is_chunk_ascii) && rest.is_ascii()
}

/// There is no branch for each byte.
#[inline]
fn is_chunk_ascii(chunk: &[u8; 32]) -> bool {
    let (words, _) = chunk.as_chunks::<8>();
    let all = words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word));
    all & 0x8080_8080_8080_8080 == 0
}
