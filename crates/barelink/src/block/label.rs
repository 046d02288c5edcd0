//! Labels and how they match (CommonMark §4.7): after Unicode case folding,
//! with runs of white space as one space.
//!
//! LINEAR: the table is open-addressed, at most half full, with a hash that is
//! keyed anew for each parser, so that collisions cannot be prepared.

use std::hash::BuildHasher;

use barelink_text::{Span, fold};
use foldhash::fast::RandomState;

/// A set of labels, numbered in the order they came.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    /// The labels, normalised, one after the other.
    arena: String,
    spans: Vec<Span>,
    /// Numbers plus one; 0 is free. Its length is a power of two.
    table: Vec<u32>,
    hasher: RandomState,
}

impl Labels {
    pub(crate) fn clear(&mut self) {
        if !self.spans.is_empty() {
            self.arena.clear();
            self.spans.clear();
            self.table.clear();
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// A label, normalised.
    pub(crate) fn get(&self, number: u32) -> &str {
        self.spans[number as usize].slice(&self.arena)
    }

    /// The number of a label, which is normalised into `scratch`.
    pub(crate) fn find(&self, label: &str, scratch: &mut String) -> Option<u32> {
        if self.spans.is_empty() {
            return None;
        }
        let slot = if let Some(plain) = Plain::new(label.as_bytes()) {
            self.slot(plain.bytes())
        } else {
            scratch.clear();
            push_normalized(label, scratch);
            self.slot(scratch.as_bytes())
        };
        self.table[slot].checked_sub(1)
    }

    /// The number of a label, which is added if it is not there yet.
    pub(crate) fn insert(&mut self, label: &str) -> u32 {
        if self.table.len() < 2 * (self.spans.len() + 1) {
            self.grow();
        }
        let start = self.arena.len();
        push_normalized(label, &mut self.arena);
        let slot = self.slot(&self.arena.as_bytes()[start..]);
        if let Some(number) = self.table[slot].checked_sub(1) {
            self.arena.truncate(start);
            return number;
        }
        self.spans.push(Span::new(start as u32, self.arena.len() as u32));
        self.table[slot] = self.spans.len() as u32;
        self.spans.len() as u32 - 1
    }

    /// The slot where `label`, normalised, is, or where it would go.
    fn slot(&self, label: &[u8]) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = self.hasher.hash_one(label) as usize & mask;
        while let Some(number) = self.table[slot].checked_sub(1) {
            if self.get(number).as_bytes() == label {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let len = (self.table.len() * 2).max(16);
        self.table.clear();
        self.table.resize(len, 0);
        for number in 0..self.spans.len() as u32 {
            let slot = self.slot(self.get(number).as_bytes());
            self.table[slot] = number + 1;
        }
    }
}

fn push_normalized(label: &str, out: &mut String) {
    let mut gap = false;
    let start = out.len();
    if Plain::new(label.as_bytes()).is_some() {
        out.push_str(label);
        return out[start..].make_ascii_lowercase();
    }
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

/// A label like most: short, of ASCII, with no white space but single spaces within. It
/// is normalised in place, all bytes at once.
struct Plain {
    block: [u8; MAX_PLAIN],
    len: usize,
}

/// The longest label that is normalised in place.
const MAX_PLAIN: usize = 32;

impl Plain {
    #[inline]
    fn new(label: &[u8]) -> Option<Self> {
        let (first, last) = (label.first()?, label.last()?);
        // What stands behind the label shall be as plain as any.
        let mut block = [b'a'; MAX_PLAIN];
        block.get_mut(..label.len())?.copy_from_slice(label);
        // Numbers in place of truth values: these loops are to become vectors.
        let is_other =
            block.iter().fold(0, |any, byte| any | u8::from(!matches!(byte, b' '..=b'~')));
        let is_gap = block
            .windows(2)
            .fold(0, |any, pair| any | (u8::from(pair[0] == b' ') & u8::from(pair[1] == b' ')));
        if is_other | is_gap != 0 || *first == b' ' || *last == b' ' {
            return None;
        }
        block.make_ascii_lowercase();
        Some(Self { block, len: label.len() })
    }

    fn bytes(&self) -> &[u8] {
        &self.block[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::Labels;

    #[test]
    fn labels_match_by_folding_and_white_space() {
        let mut labels = Labels::default();
        let mut scratch = String::new();
        assert_eq!(labels.find("a", &mut scratch), None);
        assert_eq!(labels.insert(" Foo\n  BAR "), 0);
        assert_eq!(labels.insert("ẞ"), 1);
        assert_eq!(labels.insert("foo bar"), 0);
        assert_eq!(labels.find("fOO bar", &mut scratch), Some(0));
        assert_eq!(labels.find("SS", &mut scratch), Some(1));
        assert_eq!(labels.find("foobar", &mut scratch), None);
        assert_eq!(labels.get(0), "foo bar");
        assert_eq!(labels.find("foo bar ", &mut scratch), Some(0));
        assert_eq!(labels.find("foo  bar", &mut scratch), Some(0));
        assert_eq!(labels.find("", &mut scratch), None);
    }

    #[test]
    fn many_labels_stay_apart() {
        let mut labels = Labels::default();
        for n in 0..1000 {
            assert_eq!(labels.insert(&n.to_string()), n);
        }
        let mut scratch = String::new();
        for n in 0..1000 {
            assert_eq!(labels.find(&n.to_string(), &mut scratch), Some(n));
        }
        labels.clear();
        assert_eq!(labels.len(), 0);
    }
}
