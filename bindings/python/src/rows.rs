//! The rows of an imported column: strings in any of Arrow's layouts, read in place.

use std::borrow::Cow;
use std::ops::Range;

use simdutf8::basic::from_utf8;

use crate::array::Bits;
use crate::ffi::arrow::{Chunk, Row};
use crate::sieve::{Search, Signs};

/// The approximate length of a part of the work, in bytes.
const PART_LEN: usize = 512 * 1024;

/// The maximum length of a run of rows that are scanned together, in bytes.
const RUN_LEN: usize = 64 * 1024;

/// The maximum number of rows in a run.
const RUN_ROWS: usize = 8 * 1024;

/// The maximum number of bytes between two rows of a run.
const MAX_GAP: usize = 64;

/// A chunk of a column.
pub(crate) struct Rows<'c> {
    chunk: &'c Chunk,
    len: usize,
    /// The approximate average length of a row, if rows are not contiguous; else 0.
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

    /// The validity bits of these rows, of which `lost` are not valid; `None` if all are valid.
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

    /// The length of the rows before `idx` in bytes, at least approximately.
    fn bytes_before(&self, idx: usize) -> usize {
        // Rows may share bytes.
        self.chunk.bytes_before(idx).unwrap_or(idx * self.row_len)
    }

    /// The length of these rows in bytes, at least approximately.
    pub(crate) fn n_bytes(&self, rows: &Range<usize>) -> usize {
        self.bytes_before(rows.end).saturating_sub(self.bytes_before(rows.start))
    }

    /// Splits the rows into parts of about the same size, at least one, for a number of threads.
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

    /// The first row from `from` on that is preceded by at least `n_bytes` bytes.
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

/// Reads rows in order. Most are contiguous in memory, so they are scanned as one text, a run:
/// whether it is UTF-8, and where it has signs of links.
pub(crate) struct Reader<'r> {
    rows: &'r Rows<'r>,
    end: usize,
    /// The signs of links. Rows without any are not read.
    signs: Option<Signs>,
    run: Run<'r>,
    places: Places<'r>,
}

/// A text of contiguous rows.
#[derive(Default)]
struct Run<'r> {
    /// The first row, and the number of rows.
    first: usize,
    n_rows: usize,
    bytes: &'r [u8],
    /// `bytes` as text, if it is valid UTF-8 and all rows are read.
    text: Option<&'r str>,
    search: Option<Search<'r>>,
}

/// The positions of the rows of a run.
enum Places<'r> {
    /// Between consecutive offsets. The first is the start of the run.
    Offsets(&'r [i32]),
    Listed(Vec<Place>),
}

/// The position of a row.
#[derive(Clone, Copy)]
enum Place {
    Null,
    /// Outside of the run.
    Apart,
    /// At these offsets in the run.
    Within(u32, u32),
}

impl<'r> Reader<'r> {
    pub(crate) fn new(rows: &'r Rows<'r>, part: &Range<usize>, signs: Option<Signs>) -> Self {
        let (run, places) = (Run::default(), Places::Offsets(&[]));
        Self { rows, end: part.end, signs, run, places }
    }

    /// The text of a row; `None` if it is null, or has no sign of a link. Invalid UTF-8 from other
    /// libraries becomes U+FFFD.
    #[inline]
    pub(crate) fn text(&mut self, idx: usize) -> Option<Cow<'r, str>> {
        if idx.wrapping_sub(self.run.first) >= self.run.n_rows {
            self.next_run(idx);
        }
        let (start, end) = match self.place(idx) {
            Place::Within(start, end) => (start as usize, end as usize),
            Place::Null => return None,
            Place::Apart => return self.text_apart(idx),
        };
        let run = &mut self.run;
        if run.search.as_mut().is_some_and(|search| !search.has_sign(&(start..end))) {
            return None;
        }
        // A row may begin or end within a character.
        match run.text.and_then(|text| text.get(start..end)) {
            Some(text) => Some(Cow::Borrowed(text)),
            None => run.bytes.get(start..end).map(text_of),
        }
    }

    /// The position of a row of the run.
    #[inline]
    fn place(&self, idx: usize) -> Place {
        let n = idx - self.run.first;
        match &self.places {
            Places::Listed(places) => places.get(n).copied().unwrap_or(Place::Null),
            Places::Offsets(offsets) => {
                let from = offsets.first().copied().unwrap_or_default();
                match offsets.get(n..) {
                    Some([start, end, ..]) if self.rows.chunk.has_row(idx) => Place::Within(
                        start.wrapping_sub(from).cast_unsigned(),
                        end.wrapping_sub(from).cast_unsigned(),
                    ),
                    _ => Place::Null,
                }
            }
        }
    }

    /// The text of a row outside of the run.
    fn text_apart(&self, idx: usize) -> Option<Cow<'r, str>> {
        let chunk: &'r Chunk = self.rows.chunk;
        let bytes = match chunk.row(idx)? {
            Row::Apart(bytes) => bytes,
            Row::Within(buffer, range) => chunk.buffer(buffer).get(range)?,
        };
        let has_signs = |signs| Search::new(bytes, signs).has_sign(&(0..bytes.len()));
        self.signs.is_none_or(has_signs).then(|| text_of(bytes))
    }

    /// Scans the contiguous rows from this one on.
    ///
    /// LINEAR: a run has the bytes of its rows, and few between them. A row that does not fit
    /// begins the next run; nothing else is scanned twice.
    #[inline(never)]
    fn next_run(&mut self, idx: usize) {
        let chunk: &'r Chunk = self.rows.chunk;
        let bytes = if let Some(offsets) = chunk.offsets(idx..self.end) {
            let (offsets, all) = cut_run(offsets);
            self.run.n_rows = offsets.len() - 1;
            self.places = Places::Offsets(offsets);
            chunk.buffer(0).get(all)
        } else {
            let (places, found) = list_run(chunk, idx..self.end);
            self.run.n_rows = places.len();
            self.places = Places::Listed(places);
            found.and_then(|(buffer, all)| chunk.buffer(buffer).get(all))
        };
        let bytes = bytes.unwrap_or_default();
        self.run.first = idx;
        self.run.bytes = bytes;
        self.run.text = if self.signs.is_none() { from_utf8(bytes).ok() } else { None };
        self.run.search = self.signs.map(|signs| Search::new(bytes, signs));
    }
}

/// The offsets of a run, at least two, and its range in the bytes.
fn cut_run(offsets: &[i32]) -> (&[i32], Range<usize>) {
    let place = |offset: i32| usize::try_from(offset).unwrap_or_default();
    let start = offsets.first().copied().map_or(0, place);
    let max_end = start.saturating_add(RUN_LEN);
    let n_fit = offsets.partition_point(|&offset| place(offset) <= max_end);
    // A row that is too long is a separate run.
    let offsets = &offsets[..n_fit.clamp(2, offsets.len())];
    (offsets, start..offsets.last().copied().map_or(0, place))
}

/// The positions of the rows of a run, at least one, and its buffer with its range there.
fn list_run(chunk: &Chunk, rows: Range<usize>) -> (Vec<Place>, Option<(usize, Range<usize>)>) {
    let mut places = Vec::new();
    let mut found: Option<(usize, Range<usize>)> = None;
    for row in rows.take(RUN_ROWS).map(|idx| chunk.row(idx)) {
        let (buffer, range) = match row {
            None => {
                places.push(Place::Null);
                continue;
            }
            Some(Row::Apart(_)) => {
                places.push(Place::Apart);
                continue;
            }
            Some(Row::Within(buffer, range)) => (buffer, range),
        };
        let (of, all) = found.get_or_insert((buffer, range.start..range.start));
        let gap = range.start.checked_sub(all.end);
        let is_next = *of == buffer && gap.is_some_and(|gap| gap <= MAX_GAP);
        let max_end = chunk.buffer(buffer).len().min(all.start.saturating_add(RUN_LEN));
        if !is_next || range.end < range.start || range.end > max_end {
            break;
        }
        let place = |at: usize| (at - all.start) as u32;
        places.push(Place::Within(place(range.start), place(range.end)));
        all.end = range.end;
    }
    // A row that is too long for a run, or not within its buffer, is outside of any.
    if places.is_empty() {
        places.push(Place::Apart);
    }
    (places, found)
}

fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}
