//! The functions that are called for message after message, without what PyO3 does for functions
//! with any keywords: it has Python make a tuple of the arguments for each call, which takes a
//! sixth of the time of a short message. Called with a text alone, they get to work at once. Any
//! other call goes to the function of that name that PyO3 has made, which lends them its
//! documentation, too.

use std::ffi::CString;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::{ffi, linkify, parser};

/// A function of the module.
pub(crate) trait Quick {
    const NAME: &'static str;

    /// Does the work for a call with only a text.
    fn quick<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>>;

    /// The function that takes all arguments.
    fn whole() -> &'static PyOnceLock<Py<PyAny>>;
}

macro_rules! quick {
    ($type:ident, $name:literal, $function:path) => {
        struct $type;

        impl Quick for $type {
            const NAME: &'static str = $name;

            #[inline]
            fn quick<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
                $function(text)
            }

            fn whole() -> &'static PyOnceLock<Py<PyAny>> {
                static WHOLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
                &WHOLE
            }
        }
    };
}

quick!(Html, "to_html", parser::quick_html);
quick!(Text, "to_text", parser::quick_text);
quick!(Links, "links", parser::quick_links);
quick!(FindLinks, "find_links", linkify::quick_find_links);

/// Replaces the other functions with the quick ones.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    replace::<Html>(module)?;
    replace::<Text>(module)?;
    replace::<Links>(module)?;
    replace::<FindLinks>(module)
}

fn replace<Q: Quick>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let whole = module.getattr(Q::NAME)?;
    let signature: String = whole.getattr("__text_signature__")?.extract()?;
    let doc: String = whole.getattr("__doc__")?.extract()?;
    // Arguments that Python unpacks again.
    let doc = CString::new(format!("{}{signature}\n--\n\n{doc}", Q::NAME))?;
    let function = ffi::function::<Q>(module, CString::new(Q::NAME)?, doc)?;
    Q::whole().get_or_init(module.py(), || whole.unbind());
    module.setattr(Q::NAME, function)
}

/// Calls the function that takes all arguments. The last values are those of the names.
#[cold]
pub(crate) fn call_whole<'py, Q: Quick>(
    py: Python<'py>,
    mut values: Vec<Bound<'py, PyAny>>,
    names: Option<&Bound<'py, PyTuple>>,
) -> PyResult<Bound<'py, PyAny>> {
    let n_names = names.map_or(0, PyTupleMethods::len);
    let named = values.split_off(values.len().saturating_sub(n_names));
    let keywords = PyDict::new(py);
    for (name, value) in names.into_iter().flatten().zip(named) {
        keywords.set_item(name, value)?;
    }
    let whole = Q::whole().get(py).ok_or_else(|| PyRuntimeError::new_err("not imported"))?;
    whole.bind(py).call(PyTuple::new(py, values)?, Some(&keywords))
}
