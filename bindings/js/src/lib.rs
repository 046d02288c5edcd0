//! The engine as JavaScript sees it: one class that keeps a parser, a buffer that the text
//! is written into, and what was made of it.
//!
//! Text goes in and out through memory that both sides see, and not as arguments: copying
//! strings is most of the cost, and each platform has its own fast way. The rest of the
//! package, in `lib/`, does that, and gives users functions with ordinary arguments.
//!
//! ```text
//! lib/api.js ─ text ─▶ Engine::input ─▶ html, links, … ─▶ Engine::output ─ string, JSON ─▶ lib/api.js
//! ```

mod buffer;
mod events;
mod explain;
mod growing;
mod hook;
mod json;
mod links;
mod options;
mod stream;

use barelink::html::Linkifier;
use barelink::{Document, Options, Parser, SourceTooLong};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::buffer::{Buffers, TOO_LONG, buffered, measure};
use crate::hook::Hook;

/// A parser with its options and its memory.
#[wasm_bindgen]
pub struct Engine {
    parser: Parser,
    buffers: Buffers,
}

buffered!(Engine);

#[wasm_bindgen]
impl Engine {
    /// An engine with the default options.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)] // JavaScript has no such thing.
    pub fn new() -> Self {
        Self { parser: Parser::new(Options::default()), buffers: Buffers::default() }
    }

    /// Makes HTML of the first `len` bytes of the input. As with all others, the result is
    /// the output's length times two, and one more if all of it is ASCII. It is negative if
    /// the text is too long.
    pub fn html(&mut self, len: usize) -> f64 {
        let Self { parser, buffers: Buffers { input, output, .. } } = self;
        output.clear();
        match parser.push_html(&input.text(len), output) {
            Ok(()) => measure(output),
            Err(SourceTooLong { .. }) => TOO_LONG,
        }
    }

    /// The same, with a function that decides about links.
    ///
    /// # Errors
    /// What the function throws.
    #[wasm_bindgen(js_name = htmlWith)]
    pub fn html_with(&mut self, len: usize, hook: &Hook) -> Result<f64, JsValue> {
        let Self { parser, buffers: Buffers { input, output, .. } } = self;
        output.clear();
        let text = input.text(len);
        let Ok(document) = parser.parse(&text) else { return Ok(TOO_LONG) };
        hook::push_html(&document, hook, output)?;
        Ok(measure(output))
    }

    /// Every link and image of the text, as JSON.
    pub fn links(&mut self, len: usize) -> f64 {
        self.read(len, links::push_links)
    }

    /// What was decided about every candidate for a bare link, as JSON.
    pub fn explain(&mut self, len: usize) -> f64 {
        self.read(len, explain::push_decisions)
    }

    /// The first `limit` events of the text, as JSON.
    pub fn events(&mut self, len: usize, limit: usize) -> f64 {
        self.read(len, |document, out| events::push_events(document, limit, out))
    }

    /// The bare links of the text, which is no Markdown, as JSON.
    #[wasm_bindgen(js_name = findLinks)]
    pub fn find_links(&mut self, len: usize) -> f64 {
        let Self { parser, buffers: Buffers { input, output, .. } } = self;
        output.clear();
        links::push_bare(&input.text(len), parser.options(), output);
        measure(output)
    }

    /// The text, which is no Markdown, as HTML with its bare links as anchors.
    pub fn linkify(&mut self, len: usize) -> f64 {
        let Self { parser, buffers: Buffers { input, output, .. } } = self;
        output.clear();
        Linkifier::new(parser.options()).push_text(&input.text(len), output);
        measure(output)
    }

    /// The same, with a function that decides about links.
    ///
    /// # Errors
    /// What the function throws.
    #[wasm_bindgen(js_name = linkifyWith)]
    pub fn linkify_with(&mut self, len: usize, hook: &Hook) -> Result<f64, JsValue> {
        let Self { parser, buffers: Buffers { input, output, .. } } = self;
        output.clear();
        hook::push_linkified(&input.text(len), parser.options(), hook, output)?;
        Ok(measure(output))
    }
}

impl Engine {
    pub(crate) fn options(&self) -> &Options {
        self.parser.options()
    }

    fn read(&mut self, len: usize, push: impl FnOnce(&Document<'_, '_>, &mut String)) -> f64 {
        let Self { parser, buffers: Buffers { input, output, .. } } = self;
        output.clear();
        let text = input.text(len);
        let Ok(document) = parser.parse(&text) else { return TOO_LONG };
        push(&document, output);
        measure(output)
    }
}
