//! A text that is still being written: what changes on its page, as JSON.
//!
//! Offsets are converted to UTF-16 units, including the IDs of blocks, which are their start
//! offsets, and the length of the HTML that a block keeps. For the latter, the HTML of unsettled
//! blocks is stored here.

use std::ops::Range;

use barelink::stream::{BlockId, BlockState, Definitions, Incomplete, StreamOptions, Update};
use barelink::{Span, Stream};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::Engine;
use crate::buffer::{Buffers, TOO_LONG, buffered, measure};
use crate::growing::Growing;
use crate::json::{Object, push_array};

/// A stream with its buffers. See [`Engine`] for what its methods return.
#[wasm_bindgen]
pub struct Live {
    stream: Stream,
    source: Growing,
    /// The blocks that may still change.
    shown: Vec<Shown>,
    buffers: Buffers,
}

buffered!(Live);

/// A block as it was last reported.
struct Shown {
    id: BlockId,
    html: String,
    units: Growing,
}

/// A change, with offsets in bytes, except for `keep`.
struct Change {
    id: BlockId,
    kind: &'static str,
    span: Span,
    keep: u32,
    /// The range in [`Told::html`].
    html: Range<usize>,
    state: &'static str,
    pending: Option<&'static str>,
}

#[wasm_bindgen]
impl Engine {
    /// A stream with the options of this engine; none if there is no such way with
    /// `definitions`. What is not complete is shown as it is, or `optimistic`.
    pub fn stream(&self, definitions: &str, completion: &str) -> Option<Live> {
        let mut options = StreamOptions::new(self.options().clone());
        options.definitions = match definitions {
            "revise" => Definitions::Revise,
            "settled" => Definitions::Settled,
            _ => return None,
        };
        if completion == "optimistic" {
            options.optimistic = Incomplete::OPTIMISTIC;
        }
        Some(Live {
            stream: Stream::new(options),
            source: Growing::default(),
            shown: Vec::new(),
            buffers: Buffers::default(),
        })
    }
}

#[wasm_bindgen]
impl Live {
    /// Takes a piece, which is a string.
    pub fn push(&mut self, len: usize) -> f64 {
        self.stream.push(&self.buffers.input.text(len)).map_or(TOO_LONG, |()| 0.0)
    }

    /// Takes a piece, which may end within a character.
    #[wasm_bindgen(js_name = pushBytes)]
    pub fn push_bytes(&mut self, len: usize) -> f64 {
        self.stream.push_bytes(self.buffers.input.bytes(len)).map_or(TOO_LONG, |()| 0.0)
    }

    /// What changed since the last update.
    pub fn update(&mut self) -> f64 {
        let told = Told::new(self.stream.update(), &mut self.shown);
        self.tell(&told)
    }

    /// The same, when there is nothing more to come.
    pub fn finish(&mut self) -> f64 {
        let told = Told::new(self.stream.finish(), &mut self.shown);
        self.tell(&told)
    }

    /// The text so far.
    pub fn source(&mut self) -> f64 {
        let output = &mut self.buffers.output;
        output.clear();
        output.push_str(self.stream.source());
        measure(output)
    }
}

impl Live {
    fn tell(&mut self, told: &Told) -> f64 {
        let Self { stream, source, buffers: Buffers { output, .. }, .. } = self;
        let mut at = |offset: u32| source.at(stream.source(), offset as usize);
        output.clear();
        let mut object = Object::new(output);
        for (name, changes) in [("revised", &told.revised), ("blocks", &told.blocks)] {
            push_array(changes, object.field(name), |change, out| {
                let mut object = Object::new(out);
                let Span { start, end } = change.span;
                let (start, end) = (at(start), at(end));
                let id = if change.id == BlockId::NOTES { u32::MAX } else { at(change.id.get()) };
                object.value("id", id).text("kind", change.kind);
                Object::new(object.field("span")).value("start", start).value("end", end).end();
                object.value("keep", change.keep);
                object.text("html", told.html.get(change.html.clone()).unwrap_or_default());
                object.text("state", change.state);
                object.text_or_null("pending", change.pending).end();
            });
        }
        object.value("isEnd", told.is_end).end();
        measure(output)
    }
}

/// An update that borrows nothing from the stream, whose source is needed to convert offsets.
struct Told {
    revised: Vec<Change>,
    blocks: Vec<Change>,
    html: String,
    is_end: bool,
}

impl Told {
    fn new(update: Update<'_>, shown: &mut Vec<Shown>) -> Self {
        let mut html = String::new();
        let mut change = |block: barelink::stream::Block<'_>| {
            let start = html.len();
            html.push_str(block.html);
            Change {
                id: block.id,
                kind: block.kind.name(),
                span: block.span,
                keep: note(&block, shown),
                html: start..html.len(),
                state: block.state.name(),
                pending: block.pending.map(barelink::stream::Pending::name),
            }
        };
        let revised = update.revised().map(&mut change).collect();
        let blocks = update.blocks().map(&mut change).collect();
        Self { revised, blocks, html, is_end: update.is_end() }
    }
}

/// Stores the current HTML of a block. Returns how many units of the previous HTML are kept.
fn note(block: &barelink::stream::Block<'_>, shown: &mut Vec<Shown>) -> u32 {
    let known = shown.iter().position(|it| it.id == block.id);
    if block.state == BlockState::Settled {
        let known = known.map(|idx| shown.swap_remove(idx));
        return known.map_or(0, |mut it| it.units.at(&it.html, block.keep));
    }
    let idx = known.unwrap_or_else(|| {
        shown.push(Shown { id: block.id, html: String::new(), units: Growing::default() });
        shown.len() - 1
    });
    let it = &mut shown[idx];
    let keep = it.units.at(&it.html, block.keep);
    it.units.cut(block.keep);
    it.html.truncate(block.keep);
    it.html.push_str(block.html);
    keep
}
