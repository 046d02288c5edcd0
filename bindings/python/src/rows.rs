//! The rows of a column that comes in: strings in any of Arrow's layouts, read in place.

use std::borrow::Cow;
use std::ops::Range;

use crate::array::Bits;
use crate::ffi::arrow::{Chunk, Row};
use crate::sieve::{Search, Signs};

/// Work is cut into parts of about so many bytes.
const PART_LEN: usize = 512 * 1024;

/// Rows are looked through together up to so many bytes.
const RUN_LEN: usize = 64 * 1024;

/// How many bytes may lie between two rows of a run.
const MAX_GAP: usize = 64;

/// A chunk of a column.
pub(crate) struct Rows<'c> {
    chunk: &'c Chunk,
    len: usize,
    /// How many bytes a row has on average, if they do not lie one after the other.
    row_len: usize,
}

impl<'c> Rows<'c> {
    pub(crate) fn new(chunk: &'c Chunk) -> Self {
        let len = chunk.len();
        let row_len = if chunk.bytes_before(0).is_some() {
            0
        } else {
            let lens = (0..len).filter_map(|idx| chunk.row(idx)).map(|row| match row {
                Row::Apart(bytes) => bytes.len(),
                Row::Within(_, range) => range.len(),
            });
            lens.sum::<usize>() / len.max(1) + 1
        };
        Self { chunk, len, row_len }
    }

    /// Which of these rows are there, but for the lost ones, which are in order; `None` if all are.
    pub(crate) fn bits(&self, rows: Range<usize>, lost: &[usize]) -> Option<Bits> {
        if !self.chunk.has_nulls() && lost.is_empty() {
            return None;
        }
        let mut lost = lost.iter().peekable();
        let is_there =
            |idx| lost.next_if(|it| **it == idx).is_none() && self.chunk.row(idx).is_some();
        let bits: Bits = rows.map(is_there).collect();
        (bits.n_nulls > 0).then_some(bits)
    }

    /// How many bytes the rows before `idx` have, or about as many.
    fn bytes_before(&self, idx: usize) -> usize {
        // Rows may share bytes.
        self.chunk.bytes_before(idx).unwrap_or(idx * self.row_len)
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

/// Reads rows from the first to the last. Most of them lie one after the other, so they are looked
/// through as one text, a run: whether it is UTF-8, and where signs of links are.
pub(crate) struct Reader<'r> {
    rows: &'r Rows<'r>,
    end: usize,
    /// What rows without links lack; they are not read then.
    signs: Option<Signs>,
    run: Option<Run<'r>>,
}

/// A text that rows lie in one after the other.
struct Run<'r> {
    buffer: usize,
    /// Where it is in the buffer.
    start: usize,
    bytes: &'r [u8],
    /// The same, if it is UTF-8 and all rows are read.
    text: Option<&'r str>,
    search: Option<Search<'r>>,
    /// Where the last row was that was read.
    at: usize,
}

impl<'r> Reader<'r> {
    pub(crate) fn new(rows: &'r Rows<'r>, part: &Range<usize>, signs: Option<Signs>) -> Self {
        Self { rows, end: part.end, signs, run: None }
    }

    /// The text of a row; `None` if it is null, or has no sign of a link. What is not UTF-8
    /// becomes U+FFFD: nobody has checked what other libraries hand over.
    #[inline]
    pub(crate) fn text(&mut self, idx: usize) -> Option<Cow<'r, str>> {
        let (buffer, range) = match self.rows.chunk.row(idx)? {
            Row::Within(buffer, range) => (buffer, range),
            Row::Apart(bytes) => {
                let has_signs = |signs| Search::new(bytes, signs).has_sign(&(0..bytes.len()));
                return self.signs.is_none_or(has_signs).then(|| text_of(bytes));
            }
        };
        if !self.run.as_ref().is_some_and(|run| run.has(buffer, &range)) {
            self.run = self.run_from(idx, buffer, range.clone());
        }
        let run = self.run.as_mut()?;
        run.at = range.start;
        let range = range.start - run.start..range.end - run.start;
        if run.search.as_mut().is_some_and(|search| !search.has_sign(&range)) {
            return None;
        }
        // A row may begin or end within a character.
        match run.text.and_then(|text| text.get(range.clone())) {
            Some(text) => Some(Cow::Borrowed(text)),
            None => run.bytes.get(range).map(text_of),
        }
    }

    /// The text that this row begins, and those after it lie in. `None` if the row is not in the
    /// buffer.
    ///
    /// LINEAR: the bytes of a run are those of its rows, and few between each two. A row of no run
    /// before it begins one, and the last row of a run is looked at a second time.
    #[inline(never)]
    fn run_from(&self, idx: usize, buffer: usize, mut all: Range<usize>) -> Option<Run<'r>> {
        let chunk: &'r Chunk = self.rows.chunk;
        let whole = chunk.buffer(buffer);
        for next in idx + 1..self.end {
            match self.rows.chunk.row(next) {
                None | Some(Row::Apart(_)) => {}
                Some(Row::Within(next_buffer, range)) => {
                    let gap = range.start.checked_sub(all.end);
                    let is_next = next_buffer == buffer && gap.is_some_and(|len| len <= MAX_GAP);
                    let max_end = whole.len().min(all.start.saturating_add(RUN_LEN));
                    if !is_next || range.end > max_end {
                        break;
                    }
                    all.end = range.end.max(all.end);
                }
            }
        }
        let (start, bytes) = (all.start, whole.get(all)?);
        let text = if self.signs.is_none() { std::str::from_utf8(bytes).ok() } else { None };
        let search = self.signs.map(|signs| Search::new(bytes, signs));
        Some(Run { buffer, start, bytes, text, search, at: start })
    }
}

impl Run<'_> {
    /// Whether a row is in it, and not before one that was read.
    #[inline]
    fn has(&self, buffer: usize, range: &Range<usize>) -> bool {
        buffer == self.buffer
            && range.start >= self.at
            && range.end <= self.start + self.bytes.len()
    }
}

fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}
