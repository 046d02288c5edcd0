//! Arrays of strings from other libraries, in all of Arrow's layouts.

use std::ffi::{CStr, c_void};
use std::ops::Range;
use std::{ptr, slice};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::{CArray, CSchema, size};

/// An array of strings that another library made. It is read as its type says; of what can be
/// told to be out of bounds, nothing is read.
pub(crate) struct Chunk {
    /// Owns the buffers.
    _owner: CArray,
    strings: Strings,
    /// The keys of the rows, if the strings are a dictionary.
    keys: Option<Keys>,
}

/// The bytes of a row.
pub(crate) enum Row<'c> {
    /// With nothing else.
    Apart(&'c [u8]),
    /// In the buffer with this index.
    Within(usize, Range<usize>),
}

/// Rows that are strings.
struct Strings {
    layout: Layout,
    rows: Place,
}

/// Rows that are indices of strings.
struct Keys {
    width: Width,
    numbers: *const c_void,
    rows: Place,
}

/// The rows in the buffers of an array.
struct Place {
    offset: usize,
    len: usize,
    /// The validity bitmap; null if all rows are valid.
    bits: *const u8,
}

/// The size of a key in bytes. A signed key is never negative.
#[derive(Clone, Copy)]
enum Width {
    One,
    Two,
    Four,
    Eight,
}

/// The layout of strings in the buffers.
enum Layout {
    /// Offsets into the bytes.
    Small {
        offsets: *const i32,
        bytes: *const u8,
    },
    Large {
        offsets: *const i64,
        bytes: *const u8,
    },
    /// Views, the buffers that they refer to, and the lengths of those.
    Views {
        views: *const [u8; 16],
        buffers: *const *const u8,
        lens: *const i64,
        n_buffers: usize,
    },
    /// All rows are null.
    Null,
}

// SAFETY: the interface binds an array to no thread, and nobody writes to its buffers.
unsafe impl Send for Chunk {}
// SAFETY: as above.
unsafe impl Sync for Chunk {}

impl Chunk {
    /// # Safety
    /// The array must be of this type, and neither may be released.
    pub(super) unsafe fn new(array: CArray, schema: &CSchema) -> PyResult<Self> {
        // SAFETY: as the caller promises.
        let in_table = unsafe { child_of(schema) };
        let (mut inner, mut offset, len) = (&array, size(array.offset), size(array.length));
        if in_table.is_some() && array.n_children == 1 {
            // SAFETY: a structure has its bits in the first buffer.
            let rows = Place { offset, len, bits: unsafe { bits(&array) } };
            if (0..len).any(|idx| !rows.has(idx)) {
                return Err(PyTypeError::new_err("column: a row of the table is null"));
            }
            // SAFETY: there is one child.
            inner = unsafe { &**array.children };
            offset += size(inner.offset);
        }
        let schema = in_table.unwrap_or(schema);
        // SAFETY: the child of an array is of the type that is the child of its type, and the
        // dictionary of the type that is the dictionary of that.
        let (strings, keys) = unsafe {
            if let (Some(values), Some(value)) =
                (schema.dictionary.as_ref(), inner.dictionary.as_ref())
            {
                let keys = Keys::new(inner, schema, (offset, len))?;
                (Strings::new(value, values, (size(value.offset), size(value.length)))?, Some(keys))
            } else {
                (Strings::new(inner, schema, (offset, len))?, None)
            }
        };
        Ok(Self { strings, keys, _owner: array })
    }

    fn rows(&self) -> &Place {
        self.keys.as_ref().map_or(&self.strings.rows, |keys| &keys.rows)
    }

    pub(crate) fn len(&self) -> usize {
        self.rows().len
    }

    /// Whether rows may be null.
    pub(crate) fn has_nulls(&self) -> bool {
        self.keys.is_some()
            || !self.strings.rows.bits.is_null()
            || matches!(self.strings.layout, Layout::Null)
    }

    /// The offsets of these rows, one more than there are rows, if rows are contiguous.
    pub(crate) fn offsets(&self, rows: Range<usize>) -> Option<&[i32]> {
        let Layout::Small { offsets, .. } = self.strings.layout else { return None };
        let Place { offset, len, .. } = self.strings.rows;
        if self.keys.is_some() || rows.is_empty() || rows.end > len || !offsets.is_aligned() {
            return None;
        }
        // SAFETY: there is one offset more than there are rows, and they are aligned.
        Some(unsafe { slice::from_raw_parts(offsets.add(offset + rows.start), rows.len() + 1) })
    }

    /// Whether a row is valid, if rows are contiguous.
    #[inline]
    pub(crate) fn has_row(&self, idx: usize) -> bool {
        self.strings.rows.has(idx)
    }

    /// The bytes of a row; `None` if it is null.
    #[inline]
    pub(crate) fn row(&self, idx: usize) -> Option<Row<'_>> {
        let idx = match &self.keys {
            Some(keys) => keys.key(idx).filter(|&key| key < self.strings.rows.len)?,
            None => idx,
        };
        if !self.strings.rows.has(idx) {
            return None;
        }
        match self.strings.layout {
            Layout::Small { .. } | Layout::Large { .. } => {
                Some(Row::Within(0, self.strings.offset_of(idx)..self.strings.offset_of(idx + 1)))
            }
            Layout::Views { .. } => self.strings.view(idx),
            Layout::Null => None,
        }
    }

    /// The bytes of a buffer with rows.
    pub(crate) fn buffer(&self, idx: usize) -> &[u8] {
        let (buffer, len) = match self.strings.layout {
            Layout::Small { bytes, .. } | Layout::Large { bytes, .. } => {
                (bytes, self.strings.offset_of(self.strings.rows.len))
            }
            Layout::Views { buffers, lens, n_buffers, .. } if idx < n_buffers => {
                // SAFETY: there are so many buffers, and as many lengths.
                unsafe { (*buffers.add(idx), size(lens.add(idx).read_unaligned())) }
            }
            Layout::Views { .. } | Layout::Null => (ptr::null(), 0),
        };
        // SAFETY: the bytes go as far as the last offset, and buffers have so many bytes.
        if len == 0 { &[] } else { unsafe { slice::from_raw_parts(buffer, len) } }
    }

    /// The length of the rows before `idx` in bytes, if rows are contiguous.
    pub(crate) fn bytes_before(&self, idx: usize) -> Option<usize> {
        let in_order = matches!(self.strings.layout, Layout::Small { .. } | Layout::Large { .. });
        (in_order && self.keys.is_none())
            .then(|| self.strings.offset_of(idx).saturating_sub(self.strings.offset_of(0)))
    }
}

impl Place {
    #[inline]
    fn has(&self, idx: usize) -> bool {
        assert!(idx < self.len, "row {idx} of {}", self.len);
        let at = self.offset + idx;
        // SAFETY: there is one bit for each row, if there are any.
        self.bits.is_null() || unsafe { *self.bits.add(at / 8) } >> (at % 8) & 1 == 1
    }
}

impl Keys {
    /// # Safety
    /// The array must be of this type, and neither may be released.
    unsafe fn new(
        array: &CArray,
        schema: &CSchema,
        (offset, len): (usize, usize),
    ) -> PyResult<Self> {
        // SAFETY: as the caller promises.
        let format = unsafe { format(schema) };
        let width = match format {
            "c" | "C" => Width::One,
            "s" | "S" => Width::Two,
            "i" | "I" => Width::Four,
            "l" | "L" => Width::Eight,
            _ => return Err(not_strings(&format!("dictionary with {} keys", type_name(format)))),
        };
        // SAFETY: integers have their bits in the first buffer, and the second is for them.
        let (bits, numbers) = unsafe { (bits(array), buffer(array, 1).cast()) };
        Ok(Self { width, numbers, rows: Place { offset, len, bits } })
    }

    /// The key of a row, if that is valid.
    #[inline]
    fn key(&self, idx: usize) -> Option<usize> {
        if !self.rows.has(idx) {
            return None;
        }
        let at = self.rows.offset + idx;
        // SAFETY: there is a key for each row, of this width.
        unsafe {
            match self.width {
                Width::One => Some((*self.numbers.cast::<u8>().add(at)).into()),
                Width::Two => Some(self.numbers.cast::<u16>().add(at).read_unaligned().into()),
                Width::Four => self.numbers.cast::<u32>().add(at).read_unaligned().try_into().ok(),
                Width::Eight => self.numbers.cast::<u64>().add(at).read_unaligned().try_into().ok(),
            }
        }
    }
}

impl Strings {
    /// # Safety
    /// The array must be of this type, and neither may be released.
    unsafe fn new(
        array: &CArray,
        schema: &CSchema,
        (offset, len): (usize, usize),
    ) -> PyResult<Self> {
        // SAFETY: as the caller promises.
        let layout = unsafe { Layout::of(array, schema)? };
        let bits = match layout {
            Layout::Null => ptr::null(),
            // SAFETY: strings have their bits in the first buffer.
            _ => unsafe { bits(array) },
        };
        Ok(Self { layout, rows: Place { offset, len, bits } })
    }

    /// The start of the row in the bytes; for the index after the last row, the end.
    #[inline]
    fn offset_of(&self, idx: usize) -> usize {
        let Place { offset, len, .. } = self.rows;
        assert!(idx <= len, "row {idx} of {len}");
        if len == 0 {
            // Then there need not be any offsets.
            return 0;
        }
        let at = offset + idx;
        match self.layout {
            // SAFETY: there is one offset more than there are rows.
            Layout::Small { offsets, .. } => {
                size(unsafe { offsets.add(at).read_unaligned() }.into())
            }
            // SAFETY: as above.
            Layout::Large { offsets, .. } => size(unsafe { offsets.add(at).read_unaligned() }),
            Layout::Views { .. } | Layout::Null => 0,
        }
    }

    /// The bytes of the row, if it is a view.
    #[inline]
    fn view(&self, idx: usize) -> Option<Row<'_>> {
        let Place { offset, len, .. } = self.rows;
        assert!(idx < len, "row {idx} of {len}");
        let Layout::Views { views, n_buffers, .. } = self.layout else { return None };
        // SAFETY: there is one view for each row.
        let view = unsafe { &*views.add(offset + idx) };
        let number = |at: usize| view[at..].first_chunk().map_or(-1, |it| i32::from_ne_bytes(*it));
        let len = usize::try_from(number(0)).ok()?;
        if let Some(inline) = view[4..].get(..len) {
            return Some(Row::Apart(inline));
        }
        let buffer = usize::try_from(number(8)).ok().filter(|&it| it < n_buffers)?;
        let start = usize::try_from(number(12)).ok()?;
        Some(Row::Within(buffer, start..start.checked_add(len)?))
    }
}

impl Layout {
    /// # Safety
    /// The array must be of this type, and neither may be released.
    unsafe fn of(array: &CArray, schema: &CSchema) -> PyResult<Self> {
        let n_buffers = size(array.n_buffers);
        // SAFETY: as the caller promises.
        let buffer = |idx: usize| unsafe { buffer(array, idx) };
        // SAFETY: as the caller promises.
        match unsafe { format(schema) } {
            "u" => Ok(Self::Small { offsets: buffer(1).cast(), bytes: buffer(2) }),
            "U" => Ok(Self::Large { offsets: buffer(1).cast(), bytes: buffer(2) }),
            "vu" => Ok(Self::Views {
                views: buffer(1).cast(),
                // SAFETY: those of the views come after the first two, and their lengths last.
                buffers: unsafe { array.buffers.cast::<*const u8>().add(2.min(n_buffers)) },
                lens: buffer(n_buffers.saturating_sub(1)).cast(),
                n_buffers: n_buffers.saturating_sub(3),
            }),
            "n" => Ok(Self::Null),
            other => Err(not_strings(type_name(other))),
        }
    }
}

/// Fails unless columns of this type can be read.
///
/// # Safety
/// It must not be released.
pub(super) unsafe fn check(schema: &CSchema) -> PyResult<()> {
    // SAFETY: as the caller promises, so the dictionary is not released either.
    unsafe {
        let schema = child_of(schema).unwrap_or(schema);
        match (schema.dictionary.as_ref(), format(schema)) {
            (None, "u" | "U" | "vu" | "n") => Ok(()),
            (None, other) => Err(not_strings(type_name(other))),
            (Some(values), _) => check(values),
        }
    }
}

/// The type of the one column that a table of this type has.
///
/// # Safety
/// It must not be released.
unsafe fn child_of(schema: &CSchema) -> Option<&CSchema> {
    // SAFETY: there are as many children as it says.
    unsafe { (format(schema) == "+s" && schema.n_children == 1).then(|| &**schema.children) }
}

/// The format string of a type.
///
/// # Safety
/// It must not be released.
unsafe fn format(schema: &CSchema) -> &str {
    // SAFETY: a format is a string.
    unsafe { CStr::from_ptr(schema.format) }.to_str().unwrap_or("another type")
}

/// Where the bits of the rows are that are there; null if all are.
///
/// # Safety
/// The first buffer of the array must be for them.
unsafe fn bits(array: &CArray) -> *const u8 {
    // SAFETY: as the caller promises.
    if array.null_count == 0 { ptr::null() } else { unsafe { buffer(array, 0) } }
}

/// A buffer; null if there is none of that number.
///
/// # Safety
/// The array must not be released.
unsafe fn buffer(array: &CArray, idx: usize) -> *const u8 {
    if idx >= size(array.n_buffers) {
        return ptr::null();
    }
    // SAFETY: there are so many buffers.
    unsafe { *array.buffers.add(idx) }.cast()
}

fn not_strings(found: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "column: expected string, large_string or string_view, or a dictionary of them, not {found}"
    ))
}

/// Arrow's name for the type with this format string.
fn type_name(format: &str) -> &str {
    match format {
        "b" => "bool",
        "c" => "int8",
        "C" => "uint8",
        "s" => "int16",
        "S" => "uint16",
        "i" => "int32",
        "I" => "uint32",
        "l" => "int64",
        "L" => "uint64",
        "e" => "float16",
        "f" => "float32",
        "g" => "float64",
        "z" => "binary",
        "Z" => "large_binary",
        "vz" => "binary_view",
        "tdD" => "date32",
        "tdm" => "date64",
        "+s" => "struct, or a table of more or fewer columns than one",
        "+r" => "run_end_encoded",
        "+l" | "+L" | "+vl" | "+vL" => "list",
        "+m" => "map",
        _ if format.starts_with("ts") => "timestamp",
        _ if format.starts_with("tt") => "time",
        _ if format.starts_with("tD") => "duration",
        _ if format.starts_with("d:") => "decimal",
        _ if format.starts_with("w:") => "fixed_size_binary",
        _ if format.starts_with("+w") => "fixed_size_list",
        other => other,
    }
}
