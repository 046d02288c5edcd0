//! Links as Python objects.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::source::Place;

/// A link or an image of a document.
#[pyclass(frozen, eq, module = "barelink")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    link: barelink::Link<'static>,
    place: Place,
}

impl Link {
    pub(crate) fn new(link: barelink::Link<'_>, place: Place) -> Self {
        Self { link: link.into_owned(), place }
    }
}

#[pymethods]
impl Link {
    /// The destination as it is written in HTML: percent-encoded, empty if it is not allowed.
    #[getter]
    fn href(&self) -> &str {
        &self.link.href
    }

    /// Where it leads, in full, not percent-encoded, even if it is not allowed.
    #[getter]
    fn destination(&self) -> &str {
        &self.link.destination
    }

    /// Its text, or the description of an image, without markup.
    #[getter]
    fn text(&self) -> &str {
        &self.link.text
    }

    /// Its title; empty if there is none.
    #[getter]
    fn title(&self) -> &str {
        &self.link.title
    }

    /// ``"link"`` or ``"image"``.
    #[getter]
    pub(crate) fn kind(&self) -> &'static str {
        kind(&self.link)
    }

    /// How it is written: ``inline``, ``full``, ``collapsed``, ``shortcut``, ``angle``,
    /// or for bare links ``url``, ``www``, ``email``.
    #[getter]
    fn form(&self) -> &'static str {
        self.link.form.name()
    }

    /// The host that it leads to, if it names one.
    #[getter]
    fn host(&self) -> Option<String> {
        self.link.host().map(Into::into)
    }

    /// Whether it leads to another site. See the option ``own_hosts``.
    #[getter]
    fn external(&self) -> bool {
        self.link.external
    }

    /// Where it starts in the text, in characters.
    #[getter]
    fn start(&self) -> u32 {
        self.place.start
    }

    /// Where it ends in the text, in characters.
    #[getter]
    fn end(&self) -> u32 {
        self.place.end
    }

    /// The line it starts on, from one.
    #[getter]
    fn line(&self) -> u32 {
        self.place.line
    }

    /// The column it starts at, in characters, from one.
    #[getter]
    fn column(&self) -> u32 {
        self.place.column
    }

    /// Why a reader could be deceived: ``user-info``, ``other-host``, ``bidi-control``,
    /// ``mixed-scripts``, ``numeric-host``. Most often nothing.
    #[getter]
    fn warnings(&self) -> Vec<&'static str> {
        self.link.warnings().iter().map(barelink::Warning::name).collect()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.link.href, &self.link.text, self.place).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (href, text) = (repr(py, &self.link.href)?, repr(py, &self.link.text)?);
        let (kind, form, Place { start, end, .. }) = (self.kind(), self.form(), self.place);
        Ok(format!(
            "Link(href={href}, text={text}, kind='{kind}', form='{form}', start={start}, end={end})"
        ))
    }
}

/// A bare link in plain text.
#[pyclass(frozen, eq, hash, module = "barelink")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct BareLink {
    /// Where it leads, in full.
    #[pyo3(get)]
    pub(crate) href: String,
    /// Its text.
    #[pyo3(get)]
    pub(crate) text: String,
    /// What it begins with: ``url``, ``www``, ``email``, ``domain``, ``scheme``.
    #[pyo3(get)]
    pub(crate) kind: &'static str,
    /// Where it starts in the text, in characters.
    #[pyo3(get)]
    pub(crate) start: u32,
    /// Where it ends in the text, in characters.
    #[pyo3(get)]
    pub(crate) end: u32,
}

#[pymethods]
impl BareLink {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (href, text) = (repr(py, &self.href)?, repr(py, &self.text)?);
        let Self { kind, start, end, .. } = self;
        Ok(format!("BareLink(href={href}, text={text}, kind='{kind}', start={start}, end={end})"))
    }
}

/// What a link is called in columns and objects.
pub(crate) fn kind(link: &barelink::Link<'_>) -> &'static str {
    if link.image { "image" } else { "link" }
}

/// A string as Python writes it.
pub(crate) fn repr(py: Python<'_>, text: &str) -> PyResult<String> {
    PyString::new(py, text).repr()?.extract()
}
