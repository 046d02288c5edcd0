//! Offsets as JavaScript counts them: in UTF-16 units.

/// A unit count is kept for every so many bytes.
const STEP: usize = 1024;

/// Turns offsets in bytes into offsets in UTF-16 units.
///
/// LINEAR: one pass over the text, and at most [`STEP`] bytes for each offset.
pub(crate) struct Utf16<'t> {
    bytes: &'t [u8],
    counts: Vec<u32>,
}

impl<'t> Utf16<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut total = 0;
        let counts = bytes.chunks(STEP).map(|chunk| {
            let before = total;
            total += count(chunk);
            before
        });
        let mut counts: Vec<u32> = counts.collect();
        counts.push(total);
        Self { bytes, counts }
    }

    /// The offset of a byte that a character starts with, or of the end.
    pub(crate) fn at(&self, offset: u32) -> u32 {
        let offset = (offset as usize).min(self.bytes.len());
        let step = offset / STEP;
        if step * STEP == self.bytes.len() {
            return self.counts[self.counts.len() - 1];
        }
        self.counts[step] + count(&self.bytes[step * STEP..offset])
    }
}

/// How many units begin in these bytes: one for each character, two beyond U+FFFF.
fn count(bytes: &[u8]) -> u32 {
    let units = bytes.iter().map(|&byte| u32::from(byte & 0xC0 != 0x80) + u32::from(byte >= 0xF0));
    units.sum()
}

#[cfg(test)]
mod tests {
    use super::{STEP, Utf16};

    #[test]
    fn offsets_are_those_of_javascript() {
        let text = "aé中😀".repeat(STEP);
        for text in
            ["", "a", &"x".repeat(STEP), &"x".repeat(2 * STEP), &text[..], &text[..STEP * 5]]
        {
            let units = Utf16::new(text);
            let mut expected = 0;
            for (offset, c) in text.char_indices() {
                assert_eq!(units.at(offset as u32), expected);
                expected += c.len_utf16() as u32;
            }
            assert_eq!(units.at(text.len() as u32), expected);
        }
    }
}
