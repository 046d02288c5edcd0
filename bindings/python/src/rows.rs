//! The rows of a column that comes in: strings in any of Arrow's layouts, read in place.

use std::borrow::Cow;
use std::ops::Range;

use arrow_array::{
    Array, ArrayRef, BinaryViewArray, LargeStringArray, StringArray, StringViewArray, StructArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use pyo3::PyResult;
use pyo3::exceptions::PyTypeError;

/// Work is cut into parts of about so many bytes.
const PART_LEN: usize = 512 * 1024;

/// A chunk of a column.
pub(crate) struct Rows {
    layout: Layout,
    len: usize,
    nulls: Option<NullBuffer>,
}

enum Layout {
    String(StringArray),
    LargeString(LargeStringArray),
    StringView(BinaryViewArray),
    /// There are only nulls.
    Null,
}

impl Rows {
    /// # Errors
    /// If the array has no strings.
    pub(crate) fn new(array: &ArrayRef) -> PyResult<Self> {
        let any = array.as_any();
        let layout = if let Some(array) = any.downcast_ref::<StringArray>() {
            Layout::String(array.clone())
        } else if let Some(array) = any.downcast_ref::<LargeStringArray>() {
            Layout::LargeString(array.clone())
        } else if let Some(array) = any.downcast_ref::<StringViewArray>() {
            Layout::StringView(array.clone().to_binary_view())
        } else if *array.data_type() == DataType::Null {
            Layout::Null
        } else if let Some(array) = any.downcast_ref::<StructArray>()
            && array.num_columns() == 1
            && array.null_count() == 0
        {
            // A table with one column.
            return Self::new(array.column(0));
        } else {
            return Err(PyTypeError::new_err(format!(
                "column: expected string, large_string or string_view, not {}",
                array.data_type()
            )));
        };
        let len = array.len();
        let nulls = match layout {
            Layout::Null => Some(NullBuffer::new_null(len)),
            _ => array.nulls().cloned(),
        };
        Ok(Self { layout, len, nulls })
    }

    /// Whether each of these rows is there; `None` if all are.
    pub(crate) fn nulls(&self, rows: &Range<usize>) -> Option<NullBuffer> {
        let nulls = self.nulls.as_ref()?.slice(rows.start, rows.len());
        (nulls.null_count() > 0).then_some(nulls)
    }

    /// The text of a row; `None` if it is null. What is not UTF-8 becomes U+FFFD: nobody
    /// has checked what other libraries hand over.
    #[inline]
    pub(crate) fn text(&self, idx: usize) -> Option<Cow<'_, str>> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(idx)) {
            return None;
        }
        let bytes = match &self.layout {
            Layout::String(array) => {
                let offsets = array.value_offsets();
                array.value_data().get(offsets[idx] as usize..offsets[idx + 1] as usize)?
            }
            Layout::LargeString(array) => {
                let offsets = array.value_offsets();
                let at = |idx: usize| usize::try_from(offsets[idx]).unwrap_or(usize::MAX);
                array.value_data().get(at(idx)..at(idx + 1))?
            }
            Layout::StringView(array) => array.value(idx),
            Layout::Null => return None,
        };
        Some(match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes),
        })
    }

    /// How many bytes the rows before `idx` have, or about as many.
    fn bytes_before(&self, idx: usize) -> usize {
        match &self.layout {
            Layout::String(array) => {
                let offsets = array.value_offsets();
                (offsets[idx] - offsets[0]) as usize
            }
            Layout::LargeString(array) => {
                let offsets = array.value_offsets();
                usize::try_from(offsets[idx] - offsets[0]).unwrap_or_default()
            }
            // Rows may share bytes.
            Layout::StringView(array) => idx * (array.total_bytes_len() / self.len.max(1) + 1),
            Layout::Null => 0,
        }
    }

    /// How many bytes these rows have, or about as many.
    pub(crate) fn n_bytes(&self, rows: &Range<usize>) -> usize {
        self.bytes_before(rows.end) - self.bytes_before(rows.start)
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
