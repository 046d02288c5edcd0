//! The changes collected for an update, and the blocks that they change.

use std::ops::Range;

use barelink_text::Span;

use super::update::{BlockId, BlockKind, BlockState, Pending};
use crate::memory::reserve_sparingly;

/// The content of an update.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) revised: Vec<BlockChange>,
    pub(super) blocks: Vec<BlockChange>,
    /// The HTML that the changes write, concatenated.
    pub(super) html: String,
    /// The complete HTML of the section with the footnotes: it may be very long, so this is the
    /// only copy.
    pub(super) notes: String,
    pub(super) is_end: bool,
    /// The end of the source that is not shown, and the text that is added instead.
    pub(super) held: Span,
    pub(super) added: String,
}

impl Changes {
    pub(super) fn clear(&mut self) {
        self.revised.clear();
        self.blocks.clear();
        self.html.clear();
        self.held = Span::default();
        self.added.clear();
    }

    /// The string that a change of this block refers to.
    pub(super) fn text_of(&self, block: BlockId) -> &str {
        if block == BlockId::NOTES { &self.notes } else { &self.html }
    }

    /// Appends a piece of HTML, and returns its range.
    pub(super) fn push_html(&mut self, html: &str) -> Range<usize> {
        let start = self.html.len();
        reserve_sparingly(html.len(), &mut self.html);
        self.html.push_str(html);
        start..self.html.len()
    }
}

/// A change of one block.
#[derive(Debug, Clone)]
pub(super) struct BlockChange {
    pub(super) id: BlockId,
    pub(super) kind: BlockKind,
    pub(super) span: Span,
    pub(super) keep: usize,
    /// A range of [`Changes::html`], or of [`Changes::notes`].
    pub(super) html: Range<usize>,
    pub(super) state: BlockState,
    pub(super) pending: Option<Pending>,
    /// The offset of the block on the page, after all earlier changes.
    pub(super) at: usize,
    pub(super) len_before: usize,
}

/// A block of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) id: BlockId,
    pub(super) kind: BlockKind,
    /// The end of its source.
    pub(super) end: u32,
    /// The range of its records on the tape.
    pub(super) first: u32,
    pub(super) after: u32,
    /// The length of its HTML.
    pub(super) len: usize,
    pub(super) state: BlockState,
    pub(super) pending: Option<Pending>,
}

impl Shown {
    pub(super) fn span(&self) -> Span {
        Span::new(self.id.get(), self.end)
    }

    pub(super) fn records(&self) -> Range<usize> {
        self.first as usize..self.after as usize
    }

    /// The section with the footnotes.
    pub(super) fn notes(len: usize) -> Self {
        Self {
            id: BlockId::NOTES,
            kind: BlockKind::Notes,
            end: u32::MAX,
            first: 0,
            after: 0,
            len,
            state: BlockState::Open,
            pending: None,
        }
    }

    /// The change that removes the block.
    pub(super) fn gone(&self, at: usize) -> BlockChange {
        BlockChange {
            id: self.id,
            kind: self.kind,
            span: self.span(),
            keep: 0,
            html: 0..0,
            state: BlockState::Settled,
            pending: None,
            at,
            len_before: self.len,
        }
    }
}

/// Prefix sums of a sequence of lengths: a Fenwick tree.
///
/// LINEAR: a sum, a change and a new length take logarithmic time.
#[derive(Debug, Default)]
pub(super) struct Lengths {
    /// Node `i` is the sum of the last `lowbit(i + 1)` lengths up to index `i`.
    sums: Vec<usize>,
    total: usize,
}

impl Lengths {
    pub(super) fn clear(&mut self) {
        self.sums.clear();
        self.total = 0;
    }

    pub(super) fn total(&self) -> usize {
        self.total
    }

    pub(super) fn push(&mut self, len: usize) {
        let number = self.sums.len() + 1;
        let lowest = number & number.wrapping_neg();
        let mut sum = len;
        let mut step = 1;
        while step < lowest {
            sum += self.sums[number - step - 1];
            step *= 2;
        }
        self.sums.push(sum);
        self.total += len;
    }

    /// The sum of the first `n` lengths.
    pub(super) fn before(&self, n: usize) -> usize {
        let mut number = n;
        let mut sum = 0;
        while number > 0 {
            sum += self.sums[number - 1];
            number &= number - 1;
        }
        sum
    }

    pub(super) fn set(&mut self, idx: usize, before: usize, len: usize) {
        let mut number = idx + 1;
        while let Some(sum) = self.sums.get_mut(number - 1) {
            *sum = *sum + len - before;
            number += number & number.wrapping_neg();
        }
        self.total = self.total + len - before;
    }
}

/// The length of the common prefix of two strings, at a character boundary.
pub(super) fn common_prefix(before: &str, after: &str) -> usize {
    const WORD: usize = size_of::<u64>();
    let (old, new) = (before.as_bytes(), after.as_bytes());
    let ((old_words, _), (new_words, _)) = (old.as_chunks::<WORD>(), new.as_chunks::<WORD>());
    let mut len = 0;
    for (old, new) in old_words.iter().zip(new_words) {
        let other = u64::from_le_bytes(*old) ^ u64::from_le_bytes(*new);
        if other != 0 {
            len += other.trailing_zeros() as usize / 8;
            return boundary(before, after, len);
        }
        len += WORD;
    }
    len += old[len..].iter().zip(&new[len..]).take_while(|(old, new)| old == new).count();
    boundary(before, after, len)
}

/// The last character boundary in both strings up to `len`, where their common prefix ends.
fn boundary(before: &str, after: &str, mut len: usize) -> usize {
    while !(before.is_char_boundary(len) && after.is_char_boundary(len)) {
        len -= 1;
    }
    len
}

#[cfg(test)]
mod tests {
    use super::{Lengths, common_prefix};

    #[test]
    fn sums_follow_changes() {
        let mut lengths = Lengths::default();
        let mut plain = Vec::new();
        for n in 0..70 {
            lengths.push(n);
            plain.push(n);
            let idx = n * 7 % plain.len();
            lengths.set(idx, plain[idx], n + 3);
            plain[idx] = n + 3;
            for end in 0..=plain.len() {
                assert_eq!(lengths.before(end), plain[..end].iter().sum::<usize>());
            }
            assert_eq!(lengths.total(), plain.iter().sum::<usize>());
        }
    }

    #[test]
    fn a_prefix_ends_on_a_boundary() {
        for (before, after, len) in
            [("", "a", 0), ("ab", "ac", 1), ("é", "è", 0), ("aé", "aéb", 3), ("é", "é", 2)]
        {
            assert_eq!(common_prefix(before, after), len);
        }
        let long = "0123456789".repeat(10);
        assert_eq!(common_prefix(&long, &format!("{long}x")), 100);
        assert_eq!(common_prefix(&format!("{long}é"), &format!("{long}è")), 100);
    }
}
