//! The rows of a column that comes in: strings in any of Arrow's layouts, read in place.

use std::borrow::Cow;
use std::ops::Range;

use crate::array::Bits;
use crate::ffi::arrow::Chunk;

/// Work is cut into parts of about so many bytes.
const PART_LEN: usize = 512 * 1024;

/// A chunk of a column.
pub(crate) struct Rows<'c> {
    chunk: &'c Chunk,
    len: usize,
    /// What all rows are slices of, if there is such a text.
    all: Option<&'c [u8]>,
    /// How many bytes a row has on average, if there is none.
    row_len: usize,
}

impl<'c> Rows<'c> {
    pub(crate) fn new(chunk: &'c Chunk) -> Self {
        let (len, all) = (chunk.len(), chunk.text());
        let row_len = if all.is_some() {
            0
        } else {
            let lens = (0..len).map(|idx| chunk.view(idx).map_or(0, <[u8]>::len));
            lens.sum::<usize>() / len.max(1) + 1
        };
        Self { chunk, len, all, row_len }
    }

    /// Which of these rows are there, but for the lost ones, which are in order; `None` if all are.
    pub(crate) fn bits(&self, rows: Range<usize>, lost: &[usize]) -> Option<Bits> {
        if !self.chunk.has_nulls() && lost.is_empty() {
            return None;
        }
        let mut lost = lost.iter().peekable();
        let is_there = |idx| lost.next_if(|it| **it == idx).is_none() && !self.chunk.is_null(idx);
        let bits: Bits = rows.map(is_there).collect();
        (bits.n_nulls > 0).then_some(bits)
    }

    /// The text of a row; `None` if it is null. What is not UTF-8 becomes U+FFFD: nobody
    /// has checked what other libraries hand over.
    #[inline]
    pub(crate) fn text(&self, idx: usize) -> Option<Cow<'c, str>> {
        let bytes = self.bytes(idx)?;
        Some(match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes),
        })
    }

    /// The bytes of a row; `None` if it is null.
    #[inline]
    pub(crate) fn bytes(&self, idx: usize) -> Option<&'c [u8]> {
        if self.chunk.is_null(idx) {
            return None;
        }
        match self.all {
            Some(all) => Some(all.get(self.range(idx)).unwrap_or_default()),
            None => self.chunk.view(idx),
        }
    }

    /// Where the bytes of a row are in the text that all rows lie in.
    #[inline]
    pub(crate) fn range(&self, idx: usize) -> Range<usize> {
        self.chunk.offset_of(idx)..self.chunk.offset_of(idx + 1)
    }

    /// The text that these rows lie in, one after the other, up to the end of the last.
    pub(crate) fn in_one_text(&self, rows: &Range<usize>) -> Option<&'c [u8]> {
        self.all?.get(..self.chunk.offset_of(rows.end))
    }

    /// How many bytes the rows before `idx` have, or about as many.
    fn bytes_before(&self, idx: usize) -> usize {
        match self.all {
            Some(_) => self.chunk.offset_of(idx).saturating_sub(self.chunk.offset_of(0)),
            // Rows may share bytes.
            None => idx * self.row_len,
        }
    }

    /// How many bytes these rows have, or about as many.
    pub(crate) fn n_bytes(&self, rows: &Range<usize>) -> usize {
        self.bytes_before(rows.end).saturating_sub(self.bytes_before(rows.start))
    }

    /// The rows in parts of about the same size, for so many threads. There is at least one.
    pub(crate) fn parts(&self, n_threads: usize) -> Vec<Range<usize>> {
        let n_parts = match n_threads {
            1 => 1,
            _ => self.bytes_before(self.len).div_ceil(PART_LEN).max(1),
        };
        let part_len = self.bytes_before(self.len) / n_parts;
        let mut parts = Vec::with_capacity(n_parts);
        let mut start = 0;
        for part in 1..n_parts {
            let end = self.find_row(part * part_len, start);
            parts.push(start..end);
            start = end;
        }
        parts.push(start..self.len);
        parts
    }

    /// The first row from `from` on that so many bytes come before.
    fn find_row(&self, n_bytes: usize, from: usize) -> usize {
        let (mut low, mut high) = (from, self.len);
        while low < high {
            let middle = low.midpoint(high);
            if self.bytes_before(middle) < n_bytes {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}
