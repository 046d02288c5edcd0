//! Labels and their matching (CommonMark §4.7): after Unicode case folding, with runs of white
//! space as one space.
//!
//! LINEAR: the hash table is open-addressed, at most half full, with a random hash key for each
//! parser, so that nobody can craft collisions.

use std::hash::BuildHasher;
use std::ops::Range;

use barelink_text::{Span, fold};
use foldhash::fast::RandomState;

/// A set of labels, numbered in the order of insertion.
#[derive(Debug, Clone, Default)]
pub(crate) struct Labels {
    /// The normalized labels, concatenated.
    arena: String,
    entries: Vec<LabelEntry>,
    /// Its length is a power of two.
    table: Vec<Slot>,
    hasher: RandomState,
}

#[derive(Debug, Clone, Copy)]
struct LabelEntry {
    /// The range in the arena.
    span: Span,
    /// Stored, so that it need not be computed again when the table grows.
    hash: u32,
}

/// An entry of the hash table.
#[derive(Debug, Default, Clone, Copy)]
struct Slot {
    /// The label's hash, so that few labels are compared in vain.
    hash: u32,
    /// The label's number plus one; 0 if the slot is free.
    number: u32,
}

/// Equal if they have the same labels with the same numbers, whatever the hash keys.
impl PartialEq for Labels {
    fn eq(&self, other: &Self) -> bool {
        let spans =
            |labels: &Self| labels.entries.iter().map(|label| label.span).collect::<Vec<_>>();
        self.arena == other.arena && spans(self) == spans(other)
    }
}

impl Labels {
    pub(crate) fn clear(&mut self) {
        if !self.entries.is_empty() {
            self.arena.clear();
            self.entries.clear();
            self.table.clear();
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Removes all labels but the first `n`.
    pub(crate) fn truncate(&mut self, n: usize) {
        while self.entries.len() > n
            && let Some(LabelEntry { span, hash }) = self.entries.pop()
        {
            // Labels that were displaced by this one came later, and are gone.
            let number = self.entries.len() as u32 + 1;
            let mask = self.table.len() - 1;
            let mut slot = hash as usize & mask;
            while self.table[slot].number != number {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = Slot::default();
            self.arena.truncate(span.start as usize);
        }
    }

    /// A label, normalized.
    pub(crate) fn get(&self, number: u32) -> &str {
        self.entries[number as usize].span.slice(&self.arena)
    }

    /// The number of the label `text[label]`, which is normalized into `scratch`.
    pub(crate) fn find(
        &self,
        text: &str,
        label: Range<usize>,
        scratch: &mut String,
    ) -> Option<u32> {
        if self.entries.is_empty() {
            return None;
        }
        let slot = if let Some(plain) = Plain::new(text.as_bytes(), &label) {
            self.slot(plain.hash(&self.hasher), plain.bytes())
        } else {
            scratch.clear();
            push_normalized(text.get(label).unwrap_or_default(), scratch);
            self.slot(self.hash(scratch), scratch.as_bytes())
        };
        self.table[slot].number.checked_sub(1)
    }

    /// The number of the label `text[label]`, which is added if it is new.
    pub(crate) fn insert(&mut self, text: &str, label: Range<usize>) -> u32 {
        if self.table.len() < 2 * (self.entries.len() + 1) {
            self.grow();
        }
        let start = self.arena.len();
        let plain = Plain::new(text.as_bytes(), &label);
        let label = text.get(label).unwrap_or_default();
        let hash = if let Some(plain) = plain {
            self.arena.push_str(label);
            self.arena[start..].make_ascii_lowercase();
            plain.hash(&self.hasher)
        } else {
            push_normalized(label, &mut self.arena);
            self.hash(&self.arena[start..])
        };
        let slot = self.slot(hash, &self.arena.as_bytes()[start..]);
        if let Some(number) = self.table[slot].number.checked_sub(1) {
            self.arena.truncate(start);
            return number;
        }
        let span = Span::new(start as u32, self.arena.len() as u32);
        self.entries.push(LabelEntry { span, hash });
        self.table[slot] = Slot { hash, number: self.entries.len() as u32 };
        self.entries.len() as u32 - 1
    }

    /// The hash of a normalized label.
    fn hash(&self, label: &str) -> u32 {
        match Plain::new(label.as_bytes(), &(0..label.len())) {
            Some(plain) => plain.hash(&self.hasher),
            None => self.hasher.hash_one(label) as u32,
        }
    }

    /// The slot of the normalized label `label`, or the slot where it would go.
    #[inline]
    fn slot(&self, hash: u32, label: &[u8]) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        while let Slot { hash: other, number } = self.table[slot]
            && number > 0
            && (other != hash || self.get(number - 1).as_bytes() != label)
        {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let len = (self.table.len() * 2).max(16);
        self.table.clear();
        self.table.resize(len, Slot::default());
        for (number, &LabelEntry { hash, .. }) in (1..).zip(&self.entries) {
            let mut slot = hash as usize & (len - 1);
            while self.table[slot].number > 0 {
                slot = (slot + 1) & (len - 1);
            }
            self.table[slot] = Slot { hash, number };
        }
    }
}

fn push_normalized(label: &str, out: &mut String) {
    let mut gap = false;
    let start = out.len();
    for c in label.chars() {
        if matches!(c, ' ' | '\t' | '\n' | '\r') {
            gap = out.len() > start;
            continue;
        }
        if gap {
            out.push(' ');
            gap = false;
        }
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else {
            out.extend(fold::fold(c));
        }
    }
}

/// A typical label: short, ASCII, with no white space but single spaces inside. It is normalized in
/// place, eight bytes at a time, by SWAR (SIMD within a register): a sum leaves its result for each
/// byte in that byte's highest bit.
///
/// ```text
/// word           F  o  o     B  a  r  .      of the label "Foo Bar."
/// at_least(' ')  80 80 80 80 80 80 80 80     printable, all of them
/// space          .. .. .. 80 .. .. .. ..     none is doubled
/// upper          80 .. .. .. 80 .. .. ..     from A to Z
/// upper >> 2     20 .. .. .. 20 .. .. ..     what makes a small letter of it
/// normalized     f  o  o     b  a  r  .
/// ```
struct Plain {
    /// Padded with zeros after the label.
    block: [[u8; WORD]; MAX_PLAIN / WORD],
    len: usize,
}

/// The maximum length of a label that is normalized in place.
const MAX_PLAIN: usize = 32;

const WORD: usize = size_of::<u64>();

/// The highest bit of each byte, where the sums below leave their results. If a byte is ASCII,
/// adding less than 0x80 carries nothing into the next one.
const HIGH: u64 = u64::from_ne_bytes([0x80; WORD]);

/// Sets the high bit of each byte that is `least` or more. All bytes must be ASCII.
#[inline]
fn at_least(word: u64, least: u8) -> u64 {
    (word + u64::from_ne_bytes([0x80 - least; WORD])) & HIGH
}

/// The end of a text as a word, padded with zeros.
#[cold]
fn pad(rest: &[u8]) -> [u8; WORD] {
    let mut padded = [0; WORD];
    padded.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    padded
}

impl Plain {
    #[inline]
    fn new(text: &[u8], label: &Range<usize>) -> Option<Self> {
        let len = label.len();
        if len == 0 || len > MAX_PLAIN || text[label.end - 1] == b' ' {
            return None;
        }
        let mut block = [[0; WORD]; MAX_PLAIN / WORD];
        // Whether there was a space before the word.
        let mut after_space = HIGH >> (8 * (WORD - 1));
        let mut from = label.start;
        for normalized in &mut block {
            let rest = text.get(from..)?;
            // The first byte of the text is the lowest of the word.
            let bytes = rest.first_chunk().copied().unwrap_or_else(|| pad(rest));
            let n_missing = (from + WORD).saturating_sub(label.end);
            let kept = u64::MAX >> (8 * n_missing);
            let word = u64::from_le_bytes(bytes) & kept;
            // The sums are meaningful only if all bytes are ASCII.
            let ascii = word & !HIGH;
            let printable = at_least(ascii, b' ') & !at_least(ascii, 0x7F) & !word;
            let space = printable & !at_least(ascii, b'!');
            let is_doubled = space & (space << 8 | after_space) != 0;
            if printable != kept & HIGH || is_doubled {
                return None;
            }
            after_space = space >> (8 * (WORD - 1));
            let upper = at_least(ascii, b'A') & !at_least(ascii, b'Z' + 1);
            *normalized = (ascii | upper >> 2).to_le_bytes();
            from += WORD;
            if from >= label.end {
                break;
            }
        }
        Some(Self { block, len })
    }

    #[inline]
    fn hash(&self, hasher: &RandomState) -> u32 {
        let [a, b, c, d] = self.block.map(u64::from_ne_bytes).map(u128::from);
        hasher.hash_one((a | b << 64, c | d << 64)) as u32
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        &self.block.as_flattened()[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::Labels;

    fn insert(labels: &mut Labels, label: &str) -> u32 {
        labels.insert(label, 0..label.len())
    }

    /// What is found is the same wherever the label stands.
    fn find(labels: &Labels, label: &str) -> Option<u32> {
        let mut scratch = String::new();
        let found = labels.find(label, 0..label.len(), &mut scratch);
        let text = format!("[{label}] and more text behind it than a label has");
        assert_eq!(labels.find(&text, 1..1 + label.len(), &mut scratch), found, "{label:?}");
        found
    }

    #[test]
    fn labels_match_by_folding_and_white_space() {
        let mut labels = Labels::default();
        assert_eq!(find(&labels, "a"), None);
        assert_eq!(insert(&mut labels, " Foo\n  BAR "), 0);
        assert_eq!(insert(&mut labels, "ẞ"), 1);
        assert_eq!(insert(&mut labels, "foo bar"), 0);
        assert_eq!(find(&labels, "fOO bar"), Some(0));
        assert_eq!(find(&labels, "SS"), Some(1));
        assert_eq!(find(&labels, "foobar"), None);
        assert_eq!(labels.get(0), "foo bar");
        for label in ["foo bar ", " foo bar", "foo  bar", "foo\tbar", "Foo \nBar"] {
            assert_eq!(find(&labels, label), Some(0), "{label:?}");
        }
        for label in ["", "foo", "foo bar\0", "foo\0bar", "foo bar\x7F", "foo_bar"] {
            assert_eq!(find(&labels, label), None, "{label:?}");
        }
    }

    #[test]
    fn labels_match_whatever_their_length() {
        let mut labels = Labels::default();
        for len in 1..100 {
            let label: String = (0..len).map(|n| char::from(b'@' + n % 27)).collect();
            let number = insert(&mut labels, &label);
            assert_eq!(number, u32::from(len) - 1);
            assert_eq!(labels.get(number), label.to_ascii_lowercase());
            assert_eq!(find(&labels, &label.to_ascii_lowercase()), Some(number));
            // Two spaces at each place, and one at each end.
            for at in 0..label.len() {
                let (head, tail) = label.split_at(at);
                let spaced = format!("{head} {tail}");
                let number = (at == 0).then_some(number);
                assert_eq!(find(&labels, &spaced), number, "{spaced:?}");
                assert_eq!(find(&labels, &spaced.replace(' ', "  ")), number, "{spaced:?}");
            }
        }
    }

    #[test]
    fn every_byte_is_what_it_is() {
        let mut labels = Labels::default();
        for byte in b'!'..=b'~' {
            let label = format!("a{}b", char::from(byte));
            let number = insert(&mut labels, &label);
            assert_eq!(labels.get(number), label.to_ascii_lowercase());
            assert_eq!(find(&labels, &label), Some(number));
        }
        let n_printable = u32::from(b'~' - b' ');
        assert_eq!(labels.len() as u32, n_printable - 26);
    }

    #[test]
    fn many_labels_stay_apart() {
        let mut labels = Labels::default();
        for n in 0..1000 {
            assert_eq!(insert(&mut labels, &n.to_string()), n);
        }
        for n in 0..1000 {
            assert_eq!(find(&labels, &n.to_string()), Some(n));
        }
        labels.clear();
        assert_eq!(labels.len(), 0);
    }
}
