//! Strings for Python.
//!
//! Python decodes UTF-8 fast up to the first character that is not ASCII, and slowly from there.
//! Where much is left from there, characters are decoded here, 16 at a time where they are ASCII,
//! and Python only copies them.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::ffi;

/// How many bytes are looked at together.
const BLOCK_LEN: usize = 16;

/// Texts up to this length are decoded here; characters take four times the memory.
const MAX_LEN: usize = 8 << 20;

/// Makes strings, and keeps the memory that takes.
#[derive(Default)]
pub(crate) struct Written {
    chars: Vec<char>,
}

impl Written {
    /// A text as a string of Python.
    pub(crate) fn string<'py>(
        &mut self,
        py: Python<'py>,
        text: &str,
    ) -> PyResult<Bound<'py, PyString>> {
        let ascii_len = ascii_len(text.as_bytes());
        let is_mostly_ascii = ascii_len >= text.len() / 2;
        if is_mostly_ascii || text.len() > MAX_LEN || !ffi::HAS_WIDE_CHARS {
            return Ok(PyString::new(py, text));
        }
        decode(text, &mut self.chars);
        ffi::string_of_chars(py, &self.chars)
    }
}

/// How many bytes there are before the first that is not ASCII, in whole blocks.
fn ascii_len(bytes: &[u8]) -> usize {
    let (blocks, tail) = bytes.as_chunks::<BLOCK_LEN>();
    match blocks.iter().position(|block| !block.is_ascii()) {
        Some(n_blocks) => n_blocks * BLOCK_LEN,
        None if tail.is_ascii() => bytes.len(),
        None => bytes.len() - tail.len(),
    }
}

/// The characters of a text, in place of what was there.
fn decode(text: &str, chars: &mut Vec<char>) {
    chars.clear();
    chars.reserve(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (blocks, _) = rest.as_bytes().as_chunks::<BLOCK_LEN>();
        let n_blocks = blocks.iter().position(|it| !it.is_ascii()).unwrap_or(blocks.len());
        for block in &blocks[..n_blocks] {
            chars.extend(block.map(char::from));
        }
        rest = &rest[n_blocks * BLOCK_LEN..];
        // A block that is not all ASCII, and what the last character has beyond it.
        let mut after = rest.chars();
        let block_end = rest.len().saturating_sub(BLOCK_LEN);
        while after.as_str().len() > block_end
            && let Some(char) = after.next()
        {
            chars.push(char);
        }
        rest = after.as_str();
    }
}
