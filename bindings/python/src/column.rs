//! A column at a time: parts of it go to several threads, each with a parser of its own.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use barelink::autolink::links_with;
use barelink::html::Linkifier;
use barelink::{MAX_SOURCE, Options, Unit, Units};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyInt};

use crate::array::{Array, Field, LINKS, STRINGS};
use crate::build::{Build, Links, Strings};
use crate::ffi::arrow as ffi;
use crate::link;
use crate::linkify::Wanted;
use crate::options;
use crate::pages;
use crate::rows::{Reader, Rows};
use crate::sieve::Signs;

/// The maximum length of an array of strings with 32-bit offsets, in bytes.
const MAX_BYTES: usize = i32::MAX as usize;

/// A column of results. Libraries take it by the Arrow PyCapsule interface, without a copy:
/// ``pyarrow.array(column)``, ``pyarrow.chunked_array(column)``, ``polars.Series(column)``.
#[pyclass(frozen, module = "barelink.arrow")]
pub(crate) struct Column {
    field: &'static Field,
    /// There is at least one.
    arrays: Vec<Arc<Array>>,
}

#[pymethods]
impl Column {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        ffi::export_schema(py, self.field)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // To give another type than the requested one is allowed.
        drop(requested_schema);
        let array = py.detach(|| self.in_one_piece())?;
        Ok((ffi::export_schema(py, self.field)?, ffi::export_array(py, &array)?))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        ffi::export_stream(py, self.field, &self.arrays)
    }

    fn __len__(&self) -> usize {
        self.arrays.iter().map(|array| array.len).sum()
    }

    /// How many arrays it is made of.
    #[getter]
    fn num_chunks(&self) -> usize {
        self.arrays.len()
    }

    fn __repr__(&self) -> String {
        let (len, n_chunks) = (self.__len__(), self.arrays.len());
        format!(
            "<barelink.arrow.Column of {len} rows in {n_chunks} chunks: {}>",
            self.field.type_name()
        )
    }
}

impl Column {
    /// All rows in one array: a copy if there are several.
    fn in_one_piece(&self) -> PyResult<Arc<Array>> {
        if let [array] = &self.arrays[..] {
            return Ok(array.clone());
        }
        let arrays: Vec<&Array> = self.arrays.iter().map(|array| &**array).collect();
        Array::join(&arrays).map(Arc::new).ok_or_else(|| {
            PyValueError::new_err(
                "column: too large for one array; take it in chunks, as \
                 pyarrow.chunked_array(column) does",
            )
        })
    }
}

/// How a column is processed.
#[derive(Clone, Copy)]
struct Run {
    n_threads: usize,
    /// The maximum length of an array, in bytes.
    max_bytes: usize,
}

impl Run {
    fn new(threads: Option<&Bound<'_, PyAny>>, max_bytes: Option<usize>) -> PyResult<Self> {
        let n_threads = match threads {
            None => thread::available_parallelism().map_or(1, Into::into),
            Some(number) if !number.is_instance_of::<PyInt>() => {
                return Err(options::wrong_type("threads", "a number", number));
            }
            // At most one thread per part is started, so any number is valid.
            Some(number) if number.gt(0)? => number.extract().unwrap_or(usize::MAX),
            Some(number) => {
                let message = format!("threads: expected 1 or more, not {number}");
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(Self { n_threads, max_bytes: max_bytes.unwrap_or(MAX_BYTES).min(MAX_BYTES) })
    }
}

/// Calls the worker for every row, with a worker for each thread. If there are signs to look for,
/// rows without any are skipped.
fn run<B, W>(
    column: &Bound<'_, PyAny>,
    how: Run,
    (field, signs): (&'static Field, Option<Signs>),
    worker: impl Fn() -> W + Sync,
) -> PyResult<Column>
where
    B: Build + Default,
    W: FnMut(&str, &mut B) -> Option<()>,
{
    let builder = || -> Builder<'_> {
        let mut worker = worker();
        Box::new(move |rows, part| build_part((rows, part), signs, how.max_bytes, &mut worker))
    };
    let mut arrays = run_parts(column, how.n_threads, &builder)?;
    if arrays.is_empty() {
        arrays.push(Arc::new(B::default().finish(None)));
    }
    Ok(Column { field, arrays })
}

/// Makes arrays from a part of the rows.
type Builder<'b> = Box<dyn FnMut(&Rows<'_>, Range<usize>) -> Vec<Array> + 'b>;

/// Processes all rows, with a builder for each thread. It is not generic, to keep the code small.
fn run_parts<'b>(
    column: &Bound<'_, PyAny>,
    n_threads: usize,
    builder: &(dyn Fn() -> Builder<'b> + Sync),
) -> PyResult<Vec<Arc<Array>>> {
    pages::keep();
    let chunks = ffi::import(column)?;
    let chunks: Vec<Rows<'_>> = chunks.iter().map(Rows::new).collect();
    let parts: Vec<(&Rows<'_>, Range<usize>)> = chunks
        .iter()
        .flat_map(|rows| rows.parts(n_threads).into_iter().map(move |part| (rows, part)))
        .collect();
    Ok(column.py().detach(|| {
        let done: Vec<Mutex<Vec<Array>>> = parts.iter().map(|_| Mutex::default()).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut build = builder();
            while let idx = next.fetch_add(1, Ordering::Relaxed)
                && let Some((rows, part)) = parts.get(idx)
            {
                let arrays = build(rows, part.clone());
                *done[idx].lock().unwrap_or_else(PoisonError::into_inner) = arrays;
            }
        };
        thread::scope(|scope| {
            for _ in 1..n_threads.min(parts.len()) {
                scope.spawn(work);
            }
            work();
        });
        let arrays = done.into_iter().flat_map(|part| part.into_inner().unwrap_or_default());
        arrays.map(Arc::new).collect()
    }))
}

/// The arrays of a part of the rows: one, unless that would get too large. Workers are called
/// dynamically to keep the code small: a call is cheap compared to a row.
fn build_part<B: Build + Default>(
    (rows, part): (&Rows<'_>, Range<usize>),
    signs: Option<Signs>,
    max_bytes: usize,
    worker: &mut dyn FnMut(&str, &mut B) -> Option<()>,
) -> Vec<Array> {
    let mut arrays = Vec::new();
    let mut built = B::default();
    built.reserve(part.len(), rows.n_bytes(&part));
    let mut start = part.start;
    let mut lost = Vec::new();
    let mut reader = Reader::new(rows, &part, signs);
    for idx in part.clone() {
        if let Some(text) = reader.text(idx) {
            let mark = built.mark();
            let mut is_done = worker(&text, &mut built).is_some() && built.n_bytes() <= max_bytes;
            if !is_done {
                // Try the row again at the start of a new array.
                built.reset(mark);
                if built.n_rows() > 0 {
                    let full = std::mem::take(&mut built);
                    arrays.push(full.finish(rows.bits(start..idx, &lost)));
                    lost.clear();
                    start = idx;
                }
                let mark = built.mark();
                is_done = worker(&text, &mut built).is_some() && built.n_bytes() <= max_bytes;
                if !is_done {
                    built.reset(mark);
                    lost.push(idx);
                }
            }
        }
        built.end_row();
    }
    if built.n_rows() > 0 || arrays.is_empty() {
        arrays.push(built.finish(rows.bits(start..part.end, &lost)));
    }
    arrays
}

/// What the functions of `barelink.arrow` call. `limits` are the number of threads and the most
/// bytes of an array.
#[pyfunction]
pub(crate) fn run_column(
    what: &str,
    column: &Bound<'_, PyAny>,
    preset: Option<&Bound<'_, PyAny>>,
    limits: (Option<Bound<'_, PyAny>>, Option<usize>),
    options: &Bound<'_, PyDict>,
) -> PyResult<Column> {
    let how = Run::new(limits.0.as_ref(), limits.1)?;
    if what == "find_links" {
        return find_links(column, how, &Wanted::parse(preset, Some(options))?);
    }
    let options = options::parse(options::preset_name(preset)?, Some(options))?;
    match what {
        "to_html" => run(column, how, (&STRINGS, None), || {
            let mut parser = barelink::Parser::new(options.clone());
            move |text: &str, built: &mut Strings| parser.push_html(text, &mut built.values).ok()
        }),
        "to_text" => run(column, how, (&STRINGS, None), || {
            let mut parser = barelink::Parser::new(options.clone());
            move |text: &str, built: &mut Strings| parser.push_text(text, &mut built.values).ok()
        }),
        "linkify" => run(column, how, (&STRINGS, None), || {
            let mut linkifier = Linkifier::new(&options);
            move |text: &str, built: &mut Strings| {
                linkifier.push_text(text, &mut built.values);
                Some(())
            }
        }),
        "linkify_html" => run(column, how, (&STRINGS, None), || {
            let mut linkifier = Linkifier::new(&options);
            move |text: &str, built: &mut Strings| {
                linkifier.push_html(text, &mut built.values);
                Some(())
            }
        }),
        "links" => links(column, how, &options),
        _ => Err(PyValueError::new_err(format!("there is nothing to do by the name of {what}"))),
    }
}

fn links(column: &Bound<'_, PyAny>, how: Run, options: &Options) -> PyResult<Column> {
    run(column, how, (&LINKS, Signs::of_markdown(options)), || {
        let mut parser = barelink::Parser::new(options.clone());
        move |text: &str, built: &mut Links| {
            let mut units = Units::new(text, Unit::Char);
            for link in parser.parse(text).ok()?.links() {
                let place = (units.at(link.span.start), units.at(link.span.end));
                let push_href = |out: &mut String| out.push_str(&link.href);
                built.push(push_href, &link.text, link::kind(&link), place);
            }
            Some(())
        }
    })
}

fn find_links(column: &Bound<'_, PyAny>, how: Run, wanted: &Wanted) -> PyResult<Column> {
    let schemes = wanted.schemes();
    let signs = Signs::of_text(wanted.rules, &wanted.schemes);
    run(column, how, (&LINKS, signs), || {
        |text: &str, built: &mut Links| {
            if text.len() > MAX_SOURCE {
                return None;
            }
            let mut units = Units::new(text, Unit::Char);
            for link in links_with(text, wanted.rules, &schemes) {
                let place = (units.at(link.span.start), units.at(link.span.end));
                let push_href = |out: &mut String| {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "{}", link.href());
                };
                built.push(push_href, link.text, link.kind.name(), place);
            }
            Some(())
        }
    })
}
