//! Offsets in a growing text, in UTF-16 code units.
//!
//! LINEAR: the units before each block of bytes are counted once, unless the text before it
//! changes. So converting an offset counts units only within one block.

/// The number of bytes between two known counts.
const BLOCK_LEN: usize = 512;

/// The known counts for a text, which is passed to each call.
#[derive(Default)]
pub(crate) struct Growing {
    /// The number of units before each block but the first, as far as it was needed.
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

    /// Drops the counts after the first `len` bytes, since the rest of the text changes.
    pub(crate) fn cut(&mut self, len: usize) {
        self.before.truncate(len / BLOCK_LEN);
    }
}

/// Counts the units that start within these bytes. Four bytes of UTF-8 are two units.
fn count(text: &str, start: usize, end: usize) -> u32 {
    let bytes = text.as_bytes().get(start..end).unwrap_or_default();
    bytes.iter().map(|&byte| u32::from(byte & 0xC0 != 0x80) + u32::from(byte >= 0xF0)).sum()
}
