//! All unsafe code: functions that Python calls directly, and columns of other libraries
//! (`ffi/arrow.rs`).
#![allow(unsafe_code)]

pub(crate) mod arrow;

use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use pyo3::{Borrowed, ffi};

use crate::quick::{Quick, call_whole};

/// A function that gets its arguments by Python's vectorcall convention.
pub(crate) fn function<'py, Q: Quick>(
    module: &Bound<'py, PyModule>,
    name: CString,
    doc: CString,
) -> PyResult<Bound<'py, PyAny>> {
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: name.into_raw(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: called::<Q> },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc.into_raw(),
    }));
    let module_name = module.name()?;
    // SAFETY: the definition and its strings are never freed, the flags are those of the
    // function's type, and Python keeps the module and its name as long as it needs them.
    unsafe {
        let function = ffi::PyCFunction_NewEx(definition, module.as_ptr(), module_name.as_ptr());
        Bound::from_owned_ptr_or_err(module.py(), function)
    }
}

/// A string of a text that is ASCII.
pub(crate) fn ascii<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyString> {
    // SAFETY: there are so many bytes, which Python copies. All bytes are Latin-1, so it fails only
    // without memory, and what it returns otherwise is a string of its own.
    unsafe {
        let len = text.len().cast_signed();
        let string = ffi::PyUnicode_DecodeLatin1(text.as_ptr().cast(), len, ptr::null());
        Bound::from_owned_ptr(py, string).cast_into_unchecked()
    }
}

/// What Python calls: `arguments` has `n_positional` values and then one for each of the names.
unsafe extern "C" fn called<Q: Quick>(
    _: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    n_positional: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: a thread that calls a function of Python's is attached to the interpreter.
    let py = unsafe { Python::assume_attached() };
    let work = || {
        if n_positional == 1 && names.is_null() {
            // SAFETY: there is one argument, and the caller keeps it until the function returns.
            let argument = unsafe { Borrowed::from_ptr(py, *arguments) };
            if let Ok(text) = argument.cast::<PyString>() {
                return Q::quick(&text);
            }
        }
        // SAFETY: the names are a tuple or null.
        let names = unsafe { Bound::from_borrowed_ptr_or_opt(py, names) };
        let names = names.map(Bound::cast_into::<PyTuple>).transpose()?;
        let n_values = n_positional as usize + names.as_ref().map_or(0, PyTupleMethods::len);
        let value = |idx: usize| {
            // SAFETY: there are so many values.
            unsafe { Bound::from_borrowed_ptr(py, *arguments.add(idx)) }
        };
        call_whole::<Q>(py, (0..n_values).map(value).collect(), names.as_ref())
    };
    // A panic must not get into Python's own code.
    let result = catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(PanicException::new_err("barelink panicked")));
    match result {
        Ok(value) => value.into_ptr(),
        Err(error) => {
            error.restore(py);
            ptr::null_mut()
        }
    }
}
