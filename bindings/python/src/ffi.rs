//! The Arrow C data interface, by PyCapsules: columns of other libraries come in and ours go
//! out, and neither is copied. All `unsafe` of the package is here.
#![allow(unsafe_code)]

use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, StringArray, make_array};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, FieldRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

fn broken(error: ArrowError) -> PyErr {
    PyValueError::new_err(format!("column: {error}"))
}

/// The chunks of a column that any library exports.
pub(crate) fn import(column: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if column.hasattr("__arrow_c_array__")? {
        return import_array(column).map(|array| vec![array]);
    }
    if column.hasattr("__arrow_c_stream__")? {
        return import_stream(column);
    }
    let name = column.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "column: expected a column of Arrow, Polars, pandas 3 or another library with the Arrow \
         PyCapsule interface, not {name}"
    )))
}

fn import_array(column: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let capsules = column.call_method0("__arrow_c_array__")?;
    let (schema, array) =
        capsules.cast::<PyTuple>()?.extract::<(Bound<'_, PyCapsule>, Bound<'_, PyCapsule>)>()?;
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold structures of the C data interface, as the PyCapsule
    // interface has it. The array is moved out, which leaves a released one behind, and the
    // schema outlives the call, since its capsule does.
    let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
    data.map(make_array).map_err(broken)
}

fn import_stream(column: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let capsule = column.call_method0("__arrow_c_stream__")?;
    let stream = capsule.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?;
    // SAFETY: a capsule of this name holds a stream of the C stream interface. It is moved out,
    // which leaves a released one behind.
    let reader = unsafe { ArrayStreamReader::from_raw(stream.cast().as_ptr()) };
    reader.map_err(broken)?.collect::<Result<_, _>>().map_err(broken)
}

/// A capsule with the type of a column.
pub(crate) fn export_schema<'py>(
    py: Python<'py>,
    field: &FieldRef,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field.as_ref()).map_err(broken)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// A capsule with one array.
pub(crate) fn export_array<'py>(
    py: Python<'py>,
    array: &ArrayRef,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)
}

/// A capsule with the arrays of a column, one after the other.
pub(crate) fn export_stream<'py>(
    py: Python<'py>,
    field: &FieldRef,
    arrays: &[ArrayRef],
) -> PyResult<Bound<'py, PyCapsule>> {
    let exported = Box::new(Exported { field: field.clone(), arrays: arrays.to_vec().into() });
    // SAFETY: the callbacks are those of the C stream interface: they expect an `Exported` as
    // private data, and `release` drops it once.
    let stream = unsafe {
        FFI_ArrowArrayStream::new_unchecked(
            Some(get_schema),
            Some(get_next),
            Some(get_last_error),
            Some(release),
            Box::into_raw(exported).cast(),
        )
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// What a stream of ours has yet to give.
struct Exported {
    field: FieldRef,
    arrays: VecDeque<ArrayRef>,
}

/// What C calls "input/output error".
const EIO: c_int = 5;

/// The private data of a stream.
///
/// # Safety
/// The stream must be one of ours that is not released, and nobody else may use it meanwhile.
unsafe fn exported<'a>(stream: *mut FFI_ArrowArrayStream) -> &'a mut Exported {
    // SAFETY: such a stream has an `Exported` as its private data.
    unsafe { &mut *(*stream).private_data().cast::<Exported>() }
}

unsafe extern "C" fn get_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    // SAFETY: callers of the C stream interface pass a stream that is not released.
    let exported = unsafe { exported(stream) };
    match FFI_ArrowSchema::try_from(exported.field.as_ref()) {
        Ok(schema) => {
            // SAFETY: they pass a place to write to, with nothing in it that needs a drop.
            unsafe { ptr::write(out, schema) };
            0
        }
        Err(_) => EIO,
    }
}

unsafe extern "C" fn get_next(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowArray,
) -> c_int {
    // SAFETY: as in `get_schema`.
    let exported = unsafe { exported(stream) };
    // A released array ends the stream.
    let next = exported.arrays.pop_front();
    let array = next.map_or_else(FFI_ArrowArray::empty, |it| FFI_ArrowArray::new(&it.to_data()));
    // SAFETY: as in `get_schema`.
    unsafe { ptr::write(out, array) };
    0
}

unsafe extern "C" fn get_last_error(_: *mut FFI_ArrowArrayStream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: a stream is released once, and its private data was made by `Box::into_raw`.
    unsafe {
        drop(Box::from_raw((*stream).private_data().cast::<Exported>()));
        (*stream).set_private_data(ptr::null_mut::<c_void>());
        (*stream).set_release(None);
    }
}

/// An array of strings, of which row `idx` is `values[offsets[idx]..offsets[idx + 1]]`.
///
/// Every offset must have been the length of `values` at some time while it grew.
pub(crate) fn strings(offsets: Vec<i32>, values: String, nulls: Option<NullBuffer>) -> StringArray {
    debug_assert!(offsets.iter().all(|&at| values.is_char_boundary(at as usize)));
    let offsets = OffsetBuffer::new(offsets.into());
    // SAFETY: offsets ascend, which was checked; the last is at most the length of `values`; all
    // lie on character boundaries, since a `String` ends with one whenever it is looked at.
    unsafe { StringArray::new_unchecked(offsets, Buffer::from(values.into_bytes()), nulls) }
}
