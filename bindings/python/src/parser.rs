//! Documents one at a time: a parser for each thread behind the functions of the module, and
//! the class that keeps one of its own.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::sync::{Mutex, TryLockError};

use barelink::{Options, SourceTooLong};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::explain::Decision;
use crate::hook::Hook;
use crate::link::{Link, repr};
use crate::options::{self, DEFAULT_PRESET, Kept, preset_name, string};
use crate::source::{Places, text_of};
use crate::written;

/// For shorter texts, letting other threads run costs more than the work.
const DETACH_LEN: usize = 2048;

/// The maximum size of the output's memory that is kept from text to text.
const KEPT_LEN: usize = 8 << 20;

/// A parser, and memory for its output.
pub(crate) struct Worker {
    parser: barelink::Parser,
    out: String,
    /// The preset, if the options of the parser are exactly those of one.
    preset: Option<&'static str>,
    /// The arguments that the options come from, if they are more than a preset.
    arguments: Option<Kept>,
}

impl Worker {
    fn new(options: Options) -> Self {
        let parser = barelink::Parser::new(options);
        Self { parser, out: String::new(), preset: None, arguments: None }
    }

    /// Takes the options of a call, unless they are the same as for the last one.
    fn set(
        &mut self,
        preset: Option<&Bound<'_, PyString>>,
        arguments: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        if let Some(arguments) = arguments.filter(|it| !it.is_empty()) {
            if !self.arguments.as_ref().is_some_and(|kept| kept.is(preset, arguments)) {
                self.parser.set_options(options::parse(preset, Some(arguments))?);
                self.preset = None;
                self.arguments = Kept::new(preset, arguments);
            }
            return Ok(());
        }
        let name = preset.map_or(Ok(Cow::Borrowed(DEFAULT_PRESET)), text_of)?;
        if self.preset != Some(&*name) {
            self.parser.set_options(options::preset(preset)?);
            self.preset = Options::PRESETS.iter().find(|it| **it == name).copied();
            self.arguments = None;
        }
        Ok(())
    }

    fn html<'py>(
        &mut self,
        text: &Bound<'py, PyString>,
        on_link: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyString>> {
        let source = text_of(text)?;
        let Self { parser, out, .. } = self;
        out.clear();
        match on_link.filter(|hook| !hook.is_none()) {
            None => {
                detached(text.py(), source.len(), || parser.push_html(&source, out))
                    .map_err(too_long)?;
            }
            Some(function) => {
                let mut hook = Hook::new(function, &source)?;
                let document = parser.parse(&source).map_err(too_long)?;
                document.push_html_with(|link| hook.decide(link), out);
                hook.finish()?;
            }
        }
        Ok(self.take(text.py()))
    }

    fn text<'py>(&mut self, text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
        let source = text_of(text)?;
        let Self { parser, out, .. } = self;
        out.clear();
        let push = || parser.push_text(&source, out);
        detached(text.py(), source.len(), push).map_err(too_long)?;
        Ok(self.take(text.py()))
    }

    fn links(&mut self, text: &Bound<'_, PyString>) -> PyResult<Vec<Link>> {
        let source = text_of(text)?;
        let parser = &mut self.parser;
        let read = || {
            let mut places = Places::new(&source);
            let found = |link: barelink::Link<'_>| {
                let place = places.of(link.span);
                Link::new(link, place)
            };
            parser.parse(&source).map(|document| document.links().map(found).collect())
        };
        detached(text.py(), source.len(), read).map_err(too_long)
    }

    fn explain(&mut self, text: &Bound<'_, PyString>) -> PyResult<Vec<Decision>> {
        let source = text_of(text)?;
        let parser = &mut self.parser;
        let read = || {
            let mut places = Places::new(&source);
            let document = parser.parse(&source)?;
            Ok(document.explain().map(|it| Decision::new(&it, &source, &mut places)).collect())
        };
        detached(text.py(), source.len(), read).map_err(too_long)
    }

    /// The output as a string of Python.
    fn take<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyString> {
        let string = written::string(py, &self.out);
        if self.out.capacity() > KEPT_LEN {
            self.out = String::new();
        }
        string
    }
}

/// Runs work that does not need Python, while other threads of Python run.
pub(crate) fn detached<T: Send>(py: Python<'_>, len: usize, work: impl FnOnce() -> T + Send) -> T {
    if len < DETACH_LEN { work() } else { py.detach(work) }
}

pub(crate) fn too_long(error: SourceTooLong) -> PyErr {
    PyValueError::new_err(error.to_string())
}

thread_local! {
    static WORKER: RefCell<Worker> = RefCell::new(Worker::new(Options::default()));
}

/// Runs a closure with this thread's worker, or with a new one if that is busy: a hook may call the
/// function that called it.
fn with_worker<T>(
    preset: Option<&Bound<'_, PyString>>,
    arguments: Option<&Bound<'_, PyDict>>,
    work: impl FnOnce(&mut Worker) -> PyResult<T>,
) -> PyResult<T> {
    WORKER.with(|worker| match worker.try_borrow_mut() {
        Ok(mut worker) => {
            worker.set(preset, arguments)?;
            work(&mut worker)
        }
        Err(_) => work(&mut Worker::new(options::parse(preset, arguments)?)),
    })
}

/// What [`to_html`] does with a text alone.
pub(crate) fn quick_html<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    with_worker(None, None, |worker| worker.html(text, None)).map(Bound::into_any)
}

/// What [`to_text`] does with a text alone.
pub(crate) fn quick_text<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    with_worker(None, None, |worker| worker.text(text)).map(Bound::into_any)
}

/// What [`links`] does with a text alone.
pub(crate) fn quick_links<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    with_worker(None, None, |worker| worker.links(text))?.into_pyobject(text.py())
}

/// The HTML of a Markdown text.
///
/// >>> import barelink
/// >>> barelink.to_html("Visit www.commonmark.org/help.")
/// '<p>Visit <a href="http://www.commonmark.org/help">www.commonmark.org/help</a>.</p>\n'
///
/// The preset is one of ``commonmark``, ``gfm``, ``github``, ``md4c`` and ``natural``; options
/// change it:
///
/// >>> barelink.to_html("<b>*hi*</b>", "commonmark", unsafe=True)
/// '<p><b><em>hi</em></b></p>\n'
///
/// Output is safe by default: raw HTML is shown as text, and a destination needs a known scheme.
///
/// ``on_link`` is called with each :class:`Link`. It returns ``None`` to keep it, ``False`` to show
/// only its text, a string for another destination, a dict of attributes (``None`` takes one away),
/// or an :class:`Action`:
///
/// >>> def hook(link):
/// ...     return False if link.host == "spam.example" else {"rel": "nofollow"}
/// >>> barelink.to_html("http://spam.example www.a.bc", on_link=hook)
/// '<p>http://spam.example <a href="http://www.a.bc" rel="nofollow">www.a.bc</a></p>\n'
///
/// Lone surrogates and NUL become U+FFFD.
#[pyfunction]
#[pyo3(
    signature = (text, preset=None, *, on_link=None, **options),
    text_signature = "(text, preset='gfm', *, on_link=None, **options)"
)]
pub(crate) fn to_html<'py>(
    text: &Bound<'py, PyAny>,
    preset: Option<&Bound<'py, PyAny>>,
    on_link: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyString>> {
    let text = string("text", text)?;
    with_worker(preset_name(preset)?, options, |worker| worker.html(text, on_link))
}

/// A Markdown text without its markup: one line for each paragraph, heading and row.
///
/// >>> import barelink
/// >>> barelink.to_text("# A *title*\n\n- [one](/x)\n- two")
/// 'A title\none\ntwo\n'
#[pyfunction]
#[pyo3(
    signature = (text, preset=None, **options),
    text_signature = "(text, preset='gfm', **options)"
)]
pub(crate) fn to_text<'py>(
    text: &Bound<'py, PyAny>,
    preset: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyString>> {
    let text = string("text", text)?;
    with_worker(preset_name(preset)?, options, |worker| worker.text(text))
}

/// The links and images of a Markdown text, in order.
///
/// >>> import barelink
/// >>> for link in barelink.links("see www.a.bc and [the *docs*](/docs)"):
/// ...     print(link.form, link.href, link.text, link.start, link.end)
/// www http://www.a.bc www.a.bc 4 12
/// inline /docs the docs 17 36
#[pyfunction]
#[pyo3(
    signature = (text, preset=None, **options),
    text_signature = "(text, preset='gfm', **options)"
)]
pub(crate) fn links(
    text: &Bound<'_, PyAny>,
    preset: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Link>> {
    let text = string("text", text)?;
    with_worker(preset_name(preset)?, options, |worker| worker.links(text))
}

/// The decisions about bare links; `explain.rs` has the function.
pub(crate) fn explain(
    text: &Bound<'_, PyAny>,
    preset: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Decision>> {
    let text = string("text", text)?;
    with_worker(preset_name(preset)?, options, |worker| worker.explain(text))
}

/// Reads many texts with the same options and the same memory.
///
/// >>> import barelink
/// >>> parser = barelink.Parser("github", heading_ids=True)
/// >>> parser.to_html("# Hi")
/// '<h1 id="hi">Hi</h1>\n'
///
/// It may be used from several threads at the same time.
#[pyclass(frozen, module = "barelink")]
pub(crate) struct Parser {
    worker: Mutex<Worker>,
    options: Options,
    /// What it was made of.
    preset: String,
    arguments: Py<PyDict>,
}

impl Parser {
    /// Runs a closure with the worker, or with a new one if that is busy. Waiting could deadlock: a
    /// hook may call the parser that called it.
    fn with<T>(&self, work: impl FnOnce(&mut Worker) -> PyResult<T>) -> PyResult<T> {
        match self.worker.try_lock() {
            Ok(mut worker) => work(&mut worker),
            Err(TryLockError::Poisoned(worker)) => work(&mut worker.into_inner()),
            Err(TryLockError::WouldBlock) => work(&mut Worker::new(self.options.clone())),
        }
    }
}

#[pymethods]
impl Parser {
    #[new]
    #[pyo3(
        signature = (preset=None, **options),
        text_signature = "(preset='gfm', **options)"
    )]
    fn new(
        py: Python<'_>,
        preset: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let name = preset_name(preset)?;
        let arguments = options.map_or_else(|| Ok(PyDict::new(py)), options::copy)?;
        let options = options::parse(name, Some(&arguments))?;
        let preset = name.map_or(Ok(DEFAULT_PRESET.into()), text_of)?.into_owned();
        let worker = Mutex::new(Worker::new(options.clone()));
        Ok(Self { worker, options, preset, arguments: arguments.unbind() })
    }

    /// The HTML of a text. See :func:`barelink.to_html`.
    #[pyo3(signature = (text, *, on_link=None))]
    fn to_html<'py>(
        &self,
        text: &Bound<'py, PyAny>,
        on_link: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyString>> {
        let text = string("text", text)?;
        self.with(|worker| worker.html(text, on_link))
    }

    /// A text without markup. See :func:`barelink.to_text`.
    fn to_text<'py>(&self, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
        let text = string("text", text)?;
        self.with(|worker| worker.text(text))
    }

    /// The links and images of a text. See :func:`barelink.links`.
    fn links(&self, text: &Bound<'_, PyAny>) -> PyResult<Vec<Link>> {
        let text = string("text", text)?;
        self.with(|worker| worker.links(text))
    }

    /// Why bare links are links or are not. See :func:`barelink.explain`.
    fn explain(&self, text: &Bound<'_, PyAny>) -> PyResult<Vec<Decision>> {
        let text = string("text", text)?;
        self.with(|worker| worker.explain(text))
    }

    /// For pickle and copies: what to make the same parser of.
    fn __getnewargs_ex__(&self, py: Python<'_>) -> ((String,), Py<PyDict>) {
        ((self.preset.clone(),), self.arguments.clone_ref(py))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut shown = repr(py, &self.preset)?;
        for (name, value) in self.arguments.bind(py) {
            write!(shown, ", {name}={}", value.repr()?).map_err(|_| PyMemoryError::new_err(()))?;
        }
        Ok(format!("Parser({shown})"))
    }
}
