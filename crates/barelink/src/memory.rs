//! The growth of vectors that a hostile text may make long.
//!
//! A `Vec` doubles its capacity when it is full, so it may take twice the memory it needs. Vectors
//! that may have an item for every byte of a source grow by an eighth instead, once they are long.
//! Moving long vectors is cheap: the system moves their pages.
//!
//! LINEAR: a vector that grows by an eighth copies each of its items at most nine times.

use std::collections::VecDeque;

/// From this size in bytes on, a vector no longer doubles.
const LONG: usize = 1 << 15;

/// This many bytes are kept for the next text.
const KEPT: usize = 1 << 15;

/// The minimum number of items by which a vector grows.
const MIN_ITEMS: usize = 8;

/// Containers that grow sparingly.
pub(crate) trait PushSparingly<T> {
    /// Appends an item.
    fn push_sparingly(&mut self, item: T);
}

impl<T> PushSparingly<T> for Vec<T> {
    #[inline]
    fn push_sparingly(&mut self, item: T) {
        while self.len() >= self.capacity() {
            grow(self);
        }
        self.push(item);
    }
}

impl<T> PushSparingly<T> for VecDeque<T> {
    fn push_sparingly(&mut self, item: T) {
        if self.len() == self.capacity() {
            self.reserve_exact(n_more(self.len(), size_of::<T>()));
        }
        self.push_back(item);
    }
}

#[cold]
#[inline(never)]
fn grow<T>(items: &mut Vec<T>) {
    items.reserve_exact(n_more(items.len(), size_of::<T>()));
}

/// The number of items of this size by which a full vector with `len` items should grow.
fn n_more(len: usize, size: usize) -> usize {
    if len * size >= LONG { len / 8 } else { len.max(MIN_ITEMS) }
}

/// Reserves capacity for `n_bytes` more, if the text is long.
#[inline]
pub(crate) fn reserve_sparingly(n_bytes: usize, text: &mut String) {
    if text.capacity() - text.len() < n_bytes && text.len() >= LONG {
        grow_text(n_bytes, text);
    }
}

#[cold]
#[inline(never)]
fn grow_text(n_bytes: usize, text: &mut String) {
    text.reserve_exact(n_bytes.max(text.len() / 8));
}

/// Drops all items, and frees memory that only a hostile text needs.
#[inline]
pub(crate) fn give_back<T>(items: &mut Vec<T>) {
    items.clear();
    let n_kept = KEPT / size_of::<T>();
    if items.capacity() > n_kept {
        shrink(n_kept, items);
    }
}

#[cold]
#[inline(never)]
fn shrink<T>(n_kept: usize, items: &mut Vec<T>) {
    items.shrink_to(n_kept);
}

#[cfg(test)]
mod tests {
    use super::{KEPT, LONG, PushSparingly as _, give_back};

    #[test]
    fn a_long_vector_has_little_to_spare() {
        let mut items = Vec::new();
        let mut n_moves = 0;
        for number in 0..1_000_000_u32 {
            let capacity = items.capacity();
            items.push_sparingly(number);
            n_moves += usize::from(items.capacity() != capacity);
            let is_long = items.len() * 4 > 2 * LONG;
            assert!(!is_long || items.capacity() <= items.len() / 8 * 9 + 8);
        }
        assert!(n_moves < 80, "{n_moves}");
        give_back(&mut items);
        assert!((1..=KEPT / 4).contains(&items.capacity()));
    }
}
