//! A text that is still being written.

use std::collections::BTreeMap;

use barelink::stream::{Definitions, Incomplete, StreamOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView};

use crate::link::repr;
use crate::options::{self, DEFAULT_PRESET};
use crate::parser::too_long;
use crate::source::text_of;

/// A text that is still being written, as a page that is up to date after every piece.
///
/// >>> import barelink
/// >>> stream = barelink.Stream("github")
/// >>> page = {}
/// >>> for piece in ["# Ti", "tle\n\nSome *te", "xt*."]:
/// ...     stream.push(piece)
/// ...     update = stream.update()
/// ...     for block in update.revised + update.blocks:
/// ...         page[block.id] = page.get(block.id, "")[: block.keep] + block.html
/// >>> "".join(page[id] for id in sorted(page))
/// '<h1>Title</h1>\n<p>Some <em>text</em>.</p>\n'
///
/// The page is the HTML of all blocks in the order of their ids: what ``to_html`` gives for the
/// text so far. With ``optimistic=True``, what is not complete at its end is guessed:
///
/// >>> stream = barelink.Stream("github", optimistic=True)
/// >>> stream.push("Some **bold te")
/// >>> stream.update().blocks[0].html
/// '<p>Some <strong>bold te</strong></p>\n'
///
/// A definition at the end may change blocks before it, which come as ``revised`` then. With
/// ``definitions="settled"``, what is settled never changes, and a link or footnote that is used
/// before it is defined stays text.
#[pyclass(module = "barelink")]
pub(crate) struct Stream {
    inner: barelink::Stream,
    shown: ShownBlocks,
    preset: String,
}

/// The blocks that may still change, by their ids.
type ShownBlocks = BTreeMap<u32, Shown>;

/// The HTML of a block, to count its characters.
#[derive(Default)]
struct Shown {
    html: String,
    n_chars: usize,
}

impl Shown {
    /// Truncates the HTML to `len`. LINEAR: only the removed part is counted.
    fn cut(&mut self, len: usize) {
        self.n_chars -= self.html.get(len..).map_or(0, |gone| gone.chars().count());
        self.html.truncate(len);
    }

    fn push(&mut self, html: &str) {
        self.n_chars += html.chars().count();
        self.html.push_str(html);
    }
}

/// The effect of a definition on text before it.
fn parse_definitions(value: &Bound<'_, PyAny>) -> PyResult<Definitions> {
    match &*text_of(options::string("definitions", value)?)? {
        "revise" => Ok(Definitions::Revise),
        "settled" => Ok(Definitions::Settled),
        other => Err(PyValueError::new_err(format!(
            "definitions: `{other}` is neither `revise` nor `settled`"
        ))),
    }
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(
        signature = (preset=None, *, optimistic=None, definitions=None, **options),
        text_signature = "(preset='gfm', *, optimistic=False, definitions='revise', **options)"
    )]
    fn new(
        preset: Option<&Bound<'_, PyAny>>,
        optimistic: Option<&Bound<'_, PyAny>>,
        definitions: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let preset = options::preset_name(preset)?;
        let mut all = StreamOptions::new(options::parse(preset, options)?);
        let preset = preset.map_or(Ok(DEFAULT_PRESET.into()), text_of)?.into_owned();
        if optimistic.map_or(Ok(false), |value| options::flag("optimistic", value))? {
            all.optimistic = Incomplete::OPTIMISTIC;
        }
        all.definitions = definitions.map_or(Ok(Definitions::default()), parse_definitions)?;
        Ok(Self { inner: barelink::Stream::new(all), shown: BTreeMap::new(), preset })
    }

    /// Takes a piece of the text.
    fn push(&mut self, piece: &Bound<'_, PyAny>) -> PyResult<()> {
        let piece = options::string("piece", piece)?;
        self.inner.push(&text_of(piece)?).map_err(too_long)
    }

    /// Takes a piece of the text in UTF-8, which may end within a character: ``bytes``,
    /// ``bytearray`` or ``memoryview``.
    fn push_bytes(&mut self, piece: &Bound<'_, PyAny>) -> PyResult<()> {
        let wrong_type = |_| options::wrong_type("piece", "bytes", piece);
        if let Ok(bytes) = piece.cast::<PyBytes>() {
            self.inner.push_bytes(bytes.as_bytes()).map_err(too_long)
        } else if let Ok(bytes) = piece.cast::<PyByteArray>() {
            self.inner.push_bytes(&bytes.to_vec()).map_err(too_long)
        } else {
            let bytes =
                piece.cast::<PyMemoryView>().map_err(wrong_type)?.call_method0("tobytes")?;
            self.inner.push_bytes(bytes.cast::<PyBytes>()?.as_bytes()).map_err(too_long)
        }
    }

    /// What changed since the last update.
    fn update(&mut self, py: Python<'_>) -> PyResult<Update> {
        Update::new(py, self.inner.update(), &mut self.shown)
    }

    /// What changed, when there is nothing more to come.
    fn finish(&mut self, py: Python<'_>) -> PyResult<Update> {
        Update::new(py, self.inner.finish(), &mut self.shown)
    }

    /// The text so far.
    #[getter]
    fn source(&self) -> &str {
        self.inner.source()
    }

    fn __repr__(&self) -> String {
        let n_chars = self.inner.source().chars().count();
        format!("<barelink.Stream '{}' of {n_chars} characters>", self.preset)
    }
}

/// What changed in a :class:`Stream`.
#[pyclass(frozen, get_all, module = "barelink")]
pub(crate) struct Update {
    /// Blocks that had been settled and are now different, in full.
    revised: Vec<Py<Block>>,
    /// Blocks that are new or changed. The last one is open, unless this is the end.
    blocks: Vec<Py<Block>>,
    /// Whether nothing is open.
    is_end: bool,
}

impl Update {
    fn new(
        py: Python<'_>,
        update: barelink::stream::Update<'_>,
        shown: &mut ShownBlocks,
    ) -> PyResult<Self> {
        let mut object = |block| Py::new(py, Block::new(&block, shown));
        let revised = update.revised().map(&mut object).collect::<PyResult<_>>()?;
        let blocks = update.blocks().map(&mut object).collect::<PyResult<_>>()?;
        Ok(Self { revised, blocks, is_end: update.is_end() })
    }
}

#[pymethods]
impl Update {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let blocks = |blocks: &[Py<Block>]| -> PyResult<String> {
            let blocks = blocks.iter().map(|block| block.get().__repr__(py));
            Ok(blocks.collect::<PyResult<Vec<_>>>()?.join(", "))
        };
        let is_end = if self.is_end { "True" } else { "False" };
        let (revised, blocks) = (blocks(&self.revised)?, blocks(&self.blocks)?);
        Ok(format!("Update(revised=[{revised}], blocks=[{blocks}], is_end={is_end})"))
    }
}

/// A top-level block of a page, as it changed.
#[pyclass(frozen, get_all, module = "barelink")]
pub(crate) struct Block {
    /// Which block it is. Blocks follow each other in the order of their ids.
    id: u32,
    /// What it is so far: ``paragraph``, ``heading``, ``code``, ``html``, ``break``,
    /// ``quote``, ``list``, ``table``, ``notes``.
    kind: &'static str,
    /// How many characters of its HTML stay as they are.
    keep: usize,
    /// What follows them. If this is empty and nothing is kept, the block is gone.
    html: String,
    /// ``open``, ``closed`` or ``settled``.
    state: &'static str,
    /// What is not complete in it, if it is open.
    pending: Option<&'static str>,
}

impl Block {
    fn new(block: &barelink::stream::Block<'_>, shown: &mut ShownBlocks) -> Self {
        let id = block.id.get();
        let mut before = shown.remove(&id).unwrap_or_default();
        before.cut(block.keep);
        let keep = before.n_chars;
        if block.state != barelink::stream::BlockState::Settled {
            before.push(block.html);
            shown.insert(id, before);
        }
        Self {
            id,
            kind: block.kind.name(),
            keep,
            html: block.html.to_owned(),
            state: block.state.name(),
            pending: block.pending.map(barelink::stream::Pending::name),
        }
    }
}

#[pymethods]
impl Block {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let html = repr(py, &self.html)?;
        let Self { id, kind, keep, state, .. } = self;
        Ok(format!("Block(id={id}, kind='{kind}', keep={keep}, html={html}, state='{state}')"))
    }
}
