//! A function of Python's that decides about links.

use barelink::Change;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::link::{Link, Reduced};
use crate::options::wrong_type;
use crate::source::{Places, text_of};

/// What a hook may answer, besides ``None``, ``False``, a new destination or attributes.
#[pyclass(frozen, eq, eq_int, hash, module = "barelink")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    /// Write the link as it is; so does ``None``.
    #[pyo3(name = "KEEP")]
    Keep,
    /// Write only its text, or the description of an image; so does ``False``.
    #[pyo3(name = "PLAIN")]
    Plain,
    /// Leave it out.
    #[pyo3(name = "DROP")]
    Drop,
}

#[pymethods]
impl Action {
    /// For pickle and copies: ``getattr(Action, name)``.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<Reduced<'py, (Bound<'py, PyAny>, &'static str)>> {
        let name = match slf.get() {
            Self::Keep => "KEEP",
            Self::Plain => "PLAIN",
            Self::Drop => "DROP",
        };
        let getattr = slf.py().import("builtins")?.getattr("getattr")?;
        Ok((getattr, (slf.as_any().get_type().into_any(), name)))
    }
}

/// Calls a function for each link, and keeps the first exception.
pub(crate) struct Hook<'a, 'py> {
    function: &'a Bound<'py, PyAny>,
    places: Places<'a>,
    error: Option<PyErr>,
}

impl<'a, 'py> Hook<'a, 'py> {
    pub(crate) fn new(function: &'a Bound<'py, PyAny>, source: &'a str) -> PyResult<Self> {
        if !function.is_callable() {
            return Err(wrong_type("on_link", "a function", function));
        }
        Ok(Self { function, places: Places::new(source), error: None })
    }

    pub(crate) fn decide(&mut self, link: &barelink::Link<'_>) -> barelink::Action {
        if self.error.is_some() {
            return barelink::Action::Keep;
        }
        let place = self.places.of(link.span);
        let answer = self.function.call1((Link::new(link.clone(), place),));
        answer.and_then(|answer| action(&answer)).unwrap_or_else(|error| {
            self.error = Some(error);
            barelink::Action::Keep
        })
    }

    /// What it has to say when all links are decided.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.error.map_or(Ok(()), Err)
    }
}

fn action(answer: &Bound<'_, PyAny>) -> PyResult<barelink::Action> {
    if answer.is_none() {
        return Ok(barelink::Action::Keep);
    }
    if let Ok(flag) = answer.cast::<PyBool>() {
        return Ok(if flag.is_true() { barelink::Action::Keep } else { barelink::Action::Plain });
    }
    if let Ok(action) = answer.cast::<Action>() {
        return Ok(match action.get() {
            Action::Keep => barelink::Action::Keep,
            Action::Plain => barelink::Action::Plain,
            Action::Drop => barelink::Action::Drop,
        });
    }
    if let Ok(destination) = answer.cast::<PyString>() {
        return Ok(barelink::Action::rewrite(text_of(destination)?.into_owned()));
    }
    if let Ok(attributes) = answer.cast::<PyDict>() {
        return change(attributes).map(barelink::Action::Change);
    }
    let expected = "None, True, False, an Action, a string or a dict of attributes";
    Err(wrong_type("on_link: the answer", expected, answer))
}

/// Attributes, of which ``None`` takes one away.
fn change(attributes: &Bound<'_, PyDict>) -> PyResult<Change> {
    let mut change = Change::new();
    for (name, value) in attributes {
        let Ok(name) = name.cast::<PyString>() else {
            return Err(PyTypeError::new_err("on_link: names of attributes are strings"));
        };
        let name = text_of(name)?.into_owned();
        if value.is_none() {
            change = change.without(name);
        } else if let Ok(value) = value.cast::<PyString>() {
            check_name(&name)?;
            change = change.attribute(name, text_of(value)?.into_owned());
        } else {
            return Err(wrong_type(&format!("on_link: {name}"), "a string or None", &value));
        }
    }
    Ok(change)
}

/// Fails if an attribute of this name would not be written.
fn check_name(name: &str) -> PyResult<()> {
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte));
    if is_name {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "on_link: `{name}`: the name of an attribute is a letter, and letters, digits, '-', '_', \
         '.' or ':'"
    )))
}
