//! Offsets of a text that grows, in UTF-16 units.
//!
//! LINEAR: how many units come before each block of bytes is counted once, unless the text
//! changes before it. So an offset takes counting within one block.

/// How many bytes lie between two known counts.
const BLOCK_LEN: usize = 512;

/// What is known about a text, which itself is passed to each call.
#[derive(Default)]
pub(crate) struct Growing {
    /// How many units come before each block but the first, as far as anybody asked.
    before: Vec<u32>,
}

impl Growing {
    /// The offset in units of `offset`, which is in bytes.
    pub(crate) fn at(&mut self, text: &str, offset: usize) -> u32 {
        let offset = offset.min(text.len());
        let block = offset / BLOCK_LEN;
        while self.before.len() < block {
            let start = self.before.len() * BLOCK_LEN;
            let n_before = self.before.last().copied().unwrap_or_default();
            self.before.push(n_before + count(text, start, start + BLOCK_LEN));
        }
        let n_before = block.checked_sub(1).and_then(|idx| self.before.get(idx).copied());
        n_before.unwrap_or_default() + count(text, block * BLOCK_LEN, offset)
    }

    /// Of the text, only the first `len` bytes stay as they are.
    pub(crate) fn cut(&mut self, len: usize) {
        self.before.truncate(len / BLOCK_LEN);
    }
}

/// How many units start within these bytes. Four bytes of UTF-8 are two units.
fn count(text: &str, start: usize, end: usize) -> u32 {
    let bytes = text.as_bytes().get(start..end).unwrap_or_default();
    bytes.iter().map(|&byte| u32::from(byte & 0xC0 != 0x80) + u32::from(byte >= 0xF0)).sum()
}
