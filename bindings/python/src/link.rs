//! Links as Python objects.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::source::Place;

/// What pickle makes an object of: a function, and what to call it with.
pub(crate) type Reduced<'py, T> = (Bound<'py, PyAny>, T);

/// The parts of a bare link: its two texts, its kind and its place.
type BareParts = (String, String, &'static str, u32, u32);

/// The parts of a link: its four texts, its form, its flags, its bytes and its place.
type Parts = (Texts, String, (bool, bool), (u32, u32), (u32, u32, u32, u32));
type Texts = (String, String, String, String);

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

    /// How it is written: ``inline``, ``full``, ``collapsed``, ``shortcut``, ``angle``, ``wiki``,
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

    /// For pickle and copies.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Parts>> {
        let barelink::Link { href, destination, text, title, .. } = &self.link;
        let texts = (href.clone(), destination.to_string(), text.to_string(), title.to_string());
        let Place { start, end, line, column } = self.place;
        let flags = (self.link.image, self.link.external);
        let bytes = (self.link.span.start, self.link.span.end);
        let parts = (texts, self.form().to_owned(), flags, bytes, (start, end, line, column));
        Ok((restore(py, "_link")?, parts))
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
    /// For pickle and copies.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, BareParts>> {
        let Self { href, text, kind, start, end } = self;
        Ok((restore(py, "_bare_link")?, (href.clone(), text.clone(), *kind, *start, *end)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (href, text) = (repr(py, &self.href)?, repr(py, &self.text)?);
        let Self { kind, start, end, .. } = self;
        Ok(format!("BareLink(href={href}, text={text}, kind='{kind}', start={start}, end={end})"))
    }
}

/// The function of the module that makes an object of its parts.
fn restore<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("barelink._barelink")?.getattr(name)
}

/// A link of its parts.
#[pyfunction(name = "_link")]
pub(crate) fn restore_link(
    texts: Texts,
    form: &str,
    flags: (bool, bool),
    bytes: (u32, u32),
    place: (u32, u32, u32, u32),
) -> PyResult<Link> {
    let wrong = |error: String| PyValueError::new_err(error);
    // The library makes links only of documents.
    let document = barelink::parse("[a](b)", &barelink::Options::default());
    let mut link = document
        .map_err(|error| wrong(error.to_string()))?
        .links()
        .next()
        .ok_or_else(|| wrong("there is no link".to_owned()))?
        .into_owned();
    link.form = form.parse().map_err(|error: barelink::UnknownName| wrong(error.to_string()))?;
    link.href = texts.0;
    link.destination = texts.1.into();
    link.text = texts.2.into();
    link.title = texts.3.into();
    (link.image, link.external) = flags;
    link.span = barelink::Span::new(bytes.0, bytes.1);
    let (start, end, line, column) = place;
    Ok(Link { link, place: Place { start, end, line, column } })
}

/// A bare link of its parts.
#[pyfunction(name = "_bare_link")]
pub(crate) fn restore_bare_link(
    href: String,
    text: String,
    kind: &str,
    start: u32,
    end: u32,
) -> PyResult<BareLink> {
    let kinds = ["url", "www", "email", "domain", "scheme"];
    let kind = kinds.into_iter().find(|it| *it == kind);
    let kind = kind.ok_or_else(|| PyValueError::new_err("there is no such kind of link"))?;
    Ok(BareLink { href, text, kind, start, end })
}

/// What a link is called in columns and objects.
pub(crate) fn kind(link: &barelink::Link<'_>) -> &'static str {
    if link.image { "image" } else { "link" }
}

/// A string as Python writes it.
pub(crate) fn repr(py: Python<'_>, text: &str) -> PyResult<String> {
    PyString::new(py, text).repr()?.extract()
}
