//! The [Arrow C data interface] and its streams, by PyCapsules: imports columns of other libraries
//! and exports results, without copies. The interface is designed to be declared like this, as
//! three structures, without a library; the existing ones would be half of the package.
//!
//! [Arrow C data interface]: https://arrow.apache.org/docs/format/CDataInterface.html

mod chunk;

use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::slice;
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

pub(crate) use self::chunk::{Chunk, Row};
use crate::array::{Array, Field, Values};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// Marks a type whose rows may be null.
const NULLABLE: i64 = 2;

/// `ArrowSchema`: a type.
#[repr(C)]
struct CSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut CSchema,
    dictionary: *mut CSchema,
    release: Option<unsafe extern "C" fn(*mut CSchema)>,
    private_data: *mut c_void,
}

/// `ArrowArray`: the buffers of an array.
#[repr(C)]
struct CArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut CArray,
    dictionary: *mut CArray,
    release: Option<unsafe extern "C" fn(*mut CArray)>,
    private_data: *mut c_void,
}

/// `ArrowArrayStream`: a sequence of arrays of one type.
#[repr(C)]
struct CStream {
    get_schema: Option<unsafe extern "C" fn(*mut CStream, *mut CSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut CStream, *mut CArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut CStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut CStream)>,
    private_data: *mut c_void,
}

/// A structure that must be released once.
macro_rules! released_once {
    ($type:ty, $released:expr) => {
        impl $type {
            const RELEASED: Self = $released;
        }

        impl Drop for $type {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: it was not released, and is not used again.
                    unsafe { release(self) };
                }
            }
        }

        // SAFETY: the interface binds none of them to a thread.
        unsafe impl Send for $type {}
    };
}

released_once!(
    CSchema,
    CSchema {
        format: ptr::null(),
        name: ptr::null(),
        metadata: ptr::null(),
        flags: 0,
        n_children: 0,
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: None,
        private_data: ptr::null_mut(),
    }
);
released_once!(
    CArray,
    CArray {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: ptr::null_mut(),
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: None,
        private_data: ptr::null_mut(),
    }
);
released_once!(
    CStream,
    CStream {
        get_schema: None,
        get_next: None,
        get_last_error: None,
        release: None,
        private_data: ptr::null_mut(),
    }
);

fn broken(what: &str) -> PyErr {
    PyValueError::new_err(format!("column: {what}"))
}

/// The chunks of a column exported by any library.
pub(crate) fn import(column: &Bound<'_, PyAny>) -> PyResult<Vec<Chunk>> {
    if column.hasattr("__arrow_c_array__")? {
        return import_array(column).map(|chunk| vec![chunk]);
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

fn import_array(column: &Bound<'_, PyAny>) -> PyResult<Chunk> {
    let capsules = column.call_method0("__arrow_c_array__")?;
    let (schema, array) =
        capsules.cast::<PyTuple>()?.extract::<(Bound<'_, PyCapsule>, Bound<'_, PyCapsule>)>()?;
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<CSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<CArray>();
    // SAFETY: capsules of these names hold these structures, as the PyCapsule interface has it,
    // and outlive the call. The array belongs to the one who takes it.
    unsafe {
        // What is left behind is a released one.
        let array = ptr::replace(array.as_ptr(), CArray::RELEASED);
        Chunk::new(array, schema.as_ref())
    }
}

fn import_stream(column: &Bound<'_, PyAny>) -> PyResult<Vec<Chunk>> {
    let capsule = column.call_method0("__arrow_c_stream__")?;
    let stream = capsule.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?;
    // SAFETY: a capsule of this name holds a stream, which belongs to the one who takes it. What is
    // left behind is a released one.
    let mut stream = unsafe { ptr::replace(stream.cast().as_ptr(), CStream::RELEASED) };
    let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
        return Err(broken("the stream was read already"));
    };
    let mut schema = CSchema::RELEASED;
    // SAFETY: the stream is not released, and the place is there to be written to.
    if unsafe { get_schema(&raw mut stream, &raw mut schema) } != 0 {
        return Err(stream.error());
    }
    // There may be no array to fail.
    // SAFETY: it is not released.
    unsafe { chunk::check(&schema) }?;
    let mut chunks = Vec::new();
    loop {
        let mut array = CArray::RELEASED;
        // SAFETY: as above.
        if unsafe { get_next(&raw mut stream, &raw mut array) } != 0 {
            return Err(stream.error());
        }
        if array.release.is_none() {
            return Ok(chunks);
        }
        // SAFETY: the arrays of a stream are of its type.
        chunks.push(unsafe { Chunk::new(array, &schema) }?);
    }
}

impl CStream {
    /// What went wrong last.
    fn error(&mut self) -> PyErr {
        // SAFETY: the stream is not released. What it returns is null or a string that stays until
        // the next call.
        let message = self.get_last_error.and_then(|get| unsafe {
            let message = get(&raw mut *self);
            (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned())
        });
        broken(&message.unwrap_or_else(|| "the stream failed".to_owned()))
    }
}

/// Converts a size from the interface, which is never negative.
fn size(number: i64) -> usize {
    usize::try_from(number).unwrap_or_default()
}

/// Converts a size to the interface.
fn number(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// A capsule with the type of a column.
pub(crate) fn export_schema<'py>(
    py: Python<'py>,
    field: &'static Field,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, CSchema::new(field), SCHEMA)
}

/// A capsule with one array.
pub(crate) fn export_array<'py>(
    py: Python<'py>,
    array: &Arc<Array>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, CArray::new(array, array), ARRAY)
}

/// A capsule with a stream of the arrays of a column.
pub(crate) fn export_stream<'py>(
    py: Python<'py>,
    field: &'static Field,
    arrays: &[Arc<Array>],
) -> PyResult<Bound<'py, PyCapsule>> {
    let exported = Box::new(Exported { field, arrays: arrays.to_vec().into() });
    let stream = CStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(exported).cast(),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// Children in the form of the interface: pointers, each to a separate value.
fn boxed<T>(children: impl Iterator<Item = T>) -> Vec<*mut T> {
    children.map(|child| Box::into_raw(Box::new(child))).collect()
}

/// # Safety
/// They must come from [`boxed`], and nobody may use them again.
unsafe fn drop_boxed<T>(children: Vec<*mut T>) {
    for child in children {
        // SAFETY: as the caller promises. A child that somebody took is a released one.
        drop(unsafe { Box::from_raw(child) });
    }
}

impl CSchema {
    fn new(field: &'static Field) -> Self {
        let children = Box::new(boxed(field.children.iter().map(Self::new)));
        let n_children = number(children.len());
        let private_data = Box::into_raw(children);
        Self {
            format: field.format.as_ptr(),
            name: field.name.as_ptr(),
            metadata: ptr::null(),
            flags: NULLABLE,
            n_children,
            // SAFETY: it was made in the line before the last.
            children: unsafe { (*private_data).as_mut_ptr() },
            dictionary: ptr::null_mut(),
            release: Some(release_schema),
            private_data: private_data.cast(),
        }
    }
}

unsafe extern "C" fn release_schema(schema: *mut CSchema) {
    // SAFETY: a schema is released once, and this is the private data of ours.
    unsafe {
        drop_boxed(*Box::from_raw((*schema).private_data.cast::<Vec<*mut CSchema>>()));
        (*schema).release = None;
    }
}

/// The private data of an exported array, which lives until that is released.
struct Owned {
    /// Has all the buffers.
    _root: Arc<Array>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut CArray>,
}

impl CArray {
    /// Exports the array, or one of its descendants. `root` owns the buffers.
    fn new(array: &Array, root: &Arc<Array>) -> Self {
        let bits = array.bits.as_ref().map_or(ptr::null(), |bits| bits.bytes.as_ptr().cast());
        let (buffers, children): (Vec<*const c_void>, &[Array]) = match &array.values {
            Values::Strings { offsets, bytes } => {
                (vec![bits, offsets.as_ptr().cast(), bytes.as_ptr().cast()], &[])
            }
            Values::Integers(integers) => (vec![bits, integers.as_ptr().cast()], &[]),
            Values::Structs(fields) => (vec![bits], fields),
            Values::Lists { offsets, items } => {
                (vec![bits, offsets.as_ptr().cast()], slice::from_ref(&**items))
            }
        };
        let children = boxed(children.iter().map(|child| Self::new(child, root)));
        let mut owned = Box::new(Owned { _root: root.clone(), buffers, children });
        Self {
            length: number(array.len),
            null_count: array.bits.as_ref().map_or(0, |bits| number(bits.n_nulls)),
            offset: 0,
            n_buffers: number(owned.buffers.len()),
            n_children: number(owned.children.len()),
            buffers: owned.buffers.as_mut_ptr(),
            children: owned.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(owned).cast(),
        }
    }
}

unsafe extern "C" fn release_array(array: *mut CArray) {
    // SAFETY: an array is released once, and this is the private data of ours.
    unsafe {
        let owned = Box::from_raw((*array).private_data.cast::<Owned>());
        drop_boxed(owned.children);
        (*array).release = None;
    }
}

/// The arrays that an exported stream has not returned yet.
struct Exported {
    field: &'static Field,
    arrays: VecDeque<Arc<Array>>,
}

/// The private data of a stream.
///
/// # Safety
/// The stream must be one of ours that is not released, and nobody else may use it meanwhile.
unsafe fn exported<'a>(stream: *mut CStream) -> &'a mut Exported {
    // SAFETY: such a stream has an `Exported` as its private data.
    unsafe { &mut *(*stream).private_data.cast::<Exported>() }
}

unsafe extern "C" fn get_schema(stream: *mut CStream, out: *mut CSchema) -> c_int {
    // SAFETY: callers pass a stream that is not released, and a place to write to, with nothing in
    // it that needs a drop.
    unsafe { ptr::write(out, CSchema::new(exported(stream).field)) };
    0
}

unsafe extern "C" fn get_next(stream: *mut CStream, out: *mut CArray) -> c_int {
    // SAFETY: as in `get_schema`.
    let next = unsafe { exported(stream) }.arrays.pop_front();
    // A released array ends the stream.
    let array = next.map_or(CArray::RELEASED, |array| CArray::new(&array, &array));
    // SAFETY: as in `get_schema`.
    unsafe { ptr::write(out, array) };
    0
}

unsafe extern "C" fn get_last_error(_: *mut CStream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn release_stream(stream: *mut CStream) {
    // SAFETY: a stream is released once, and this is the private data of ours.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Exported>()));
        (*stream).release = None;
    }
}
