//! Offsets in the units of other languages: characters (code points), as Python counts them, and
//! UTF-16 units, as JavaScript and Java do.
//!
//! `"é😀!"` has the `!` at byte 6, at character 2 and at UTF-16 unit 3.
//!
//! LINEAR: the number of units before each block of 512 bytes is counted once, as far as offsets
//! are queried. So a query counts within one block, in whatever order the offsets come.

use alloc::vec::Vec;

/// The distance in bytes between two stored counts.
const BLOCK_LEN: usize = 512;

/// The unit of an offset other than the byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unit {
    /// Characters, which are Unicode code points.
    Char,
    /// UTF-16 code units: a character beyond U+FFFF counts twice.
    Utf16,
}

/// Converts byte offsets to another unit. Cheapest if offsets come in ascending order.
///
/// ```
/// use barelink_text::{Unit, Units};
///
/// let mut units = Units::new("é😀!", Unit::Utf16);
/// assert_eq!(units.at(2), 1);
/// assert_eq!(units.at(6), 3);
/// let mut units = Units::new("é😀!", Unit::Char);
/// assert_eq!((units.at(6), units.at(2), units.at(100)), (2, 1, 3));
/// ```
#[derive(Clone, Debug)]
pub struct Units<'t> {
    text: &'t [u8],
    unit: Unit,
    /// The number of units before each block but the first, as far as counted.
    before: Vec<u32>,
    /// The last query: an offset and its units.
    last: (usize, u32),
}

impl<'t> Units<'t> {
    /// Converts offsets into `text`. Nothing is read until the first query.
    pub const fn new(text: &'t str, unit: Unit) -> Self {
        Self { text: text.as_bytes(), unit, before: Vec::new(), last: (0, 0) }
    }

    /// Converts `offset` from bytes: the number of units that start before it. An offset past the
    /// end of the text counts as the end.
    pub fn at(&mut self, offset: u32) -> u32 {
        let offset = (offset as usize).min(self.text.len());
        let block = offset / BLOCK_LEN;
        while self.before.len() < block {
            let start = self.before.len() * BLOCK_LEN;
            let n_before = self.before.last().copied().unwrap_or_default();
            let n_in_block = self.count(start, start + BLOCK_LEN);
            self.before.push(n_before.saturating_add(n_in_block));
        }
        let known = block.checked_sub(1).and_then(|idx| self.before.get(idx));
        let block_start = (block * BLOCK_LEN, known.copied().unwrap_or_default());
        let is_nearer = (block_start.0..=offset).contains(&self.last.0);
        let (from, n_before) = if is_nearer { self.last } else { block_start };
        self.last = (offset, n_before.saturating_add(self.count(from, offset)));
        self.last.1
    }

    /// The number of units that start within `text[start..end]`.
    fn count(&self, start: usize, end: usize) -> u32 {
        let bytes = self.text.get(start..end).unwrap_or_default();
        let is_start = |byte: u8| u32::from(byte & 0xC0 != 0x80);
        match self.unit {
            Unit::Char => bytes.iter().map(|&byte| is_start(byte)).sum(),
            // A character of four bytes in UTF-8 is two units in UTF-16.
            Unit::Utf16 => bytes.iter().map(|&byte| is_start(byte) + u32::from(byte >= 0xF0)).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_LEN, Unit, Units};

    #[test]
    fn agrees_with_counting() {
        for piece in ["", "a", "é", "€", "😀", "aé€😀\n"] {
            for n_pieces in [1, BLOCK_LEN / 4, BLOCK_LEN / 3, BLOCK_LEN] {
                let text = piece.repeat(n_pieces);
                let mut chars = Units::new(&text, Unit::Char);
                let mut utf16 = Units::new(&text, Unit::Utf16);
                let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
                let (mut n_chars, mut n_utf16) = (0, 0);
                for at in ends {
                    assert_eq!(chars.at(at as u32), n_chars, "{piece} at {at}");
                    assert_eq!(utf16.at(at as u32), n_utf16, "{piece} at {at}");
                    n_chars += 1;
                    n_utf16 += text[at..].chars().next().map_or(0, char::len_utf16) as u32;
                }
            }
        }
    }

    #[test]
    fn any_order_will_do() {
        let text = "aé€😀".repeat(BLOCK_LEN);
        let mut units = Units::new(&text, Unit::Char);
        for step in [7, 11, 13] {
            for n_pieces in (0..BLOCK_LEN as u32).step_by(step).rev() {
                assert_eq!(units.at(n_pieces * 10), n_pieces * 4);
            }
        }
        assert_eq!(units.at(u32::MAX), BLOCK_LEN as u32 * 4);
        assert_eq!(units.at(0), 0);
    }
}
