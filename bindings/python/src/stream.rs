//! A text that is still being written.

use std::collections::BTreeMap;

use barelink::stream::{Incomplete, StreamOptions};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::link::repr;
use crate::options;
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
#[pyclass(module = "barelink")]
pub(crate) struct Stream {
    stream: barelink::Stream,
    shown: ShownBlocks,
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
    /// Cuts the HTML off at `len`. LINEAR: only what goes is counted.
    fn cut(&mut self, len: usize) {
        self.n_chars -= self.html.get(len..).map_or(0, |gone| gone.chars().count());
        self.html.truncate(len);
    }

    fn push(&mut self, html: &str) {
        self.n_chars += html.chars().count();
        self.html.push_str(html);
    }
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(
        signature = (preset=None, *, optimistic=None, **options),
        text_signature = "(preset='gfm', *, optimistic=False, **options)"
    )]
    fn new(
        preset: Option<&Bound<'_, PyString>>,
        optimistic: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut all = StreamOptions::new(options::parse(preset, options)?);
        if optimistic.map_or(Ok(false), |value| options::flag("optimistic", value))? {
            all.optimistic = Incomplete::OPTIMISTIC;
        }
        Ok(Self { stream: barelink::Stream::new(all), shown: BTreeMap::new() })
    }

    /// Takes a piece of the text.
    fn push(&mut self, piece: &Bound<'_, PyString>) -> PyResult<()> {
        self.stream.push(&text_of(piece)?).map_err(too_long)
    }

    /// Takes a piece of the text in UTF-8, which may end within a character.
    fn push_bytes(&mut self, piece: &[u8]) -> PyResult<()> {
        self.stream.push_bytes(piece).map_err(too_long)
    }

    /// What changed since the last update.
    fn update(&mut self, py: Python<'_>) -> PyResult<Update> {
        Update::new(py, self.stream.update(), &mut self.shown)
    }

    /// What changed, when there is nothing more to come.
    fn finish(&mut self, py: Python<'_>) -> PyResult<Update> {
        Update::new(py, self.stream.finish(), &mut self.shown)
    }

    /// The text so far.
    #[getter]
    fn source(&self) -> &str {
        self.stream.source()
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
