//! The function that decides about links.
//!
//! It gets a link as JSON and returns strings, the first of which is the action: `keep`, `plain`,
//! `drop`, or `change` followed by pairs of names and values, in which `-` before a name removes
//! that attribute.

use barelink::html::Linkifier;
use barelink::{Action, Change, Document, Link, Options, Unit, Units};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::links::push_link;

#[wasm_bindgen]
extern "C" {
    /// An object with the function.
    pub type Hook;

    #[wasm_bindgen(method, structural, catch)]
    fn decide(this: &Hook, link: &str) -> Result<Vec<String>, JsValue>;
}

/// Appends the HTML of a document, with `hook` deciding about each link and image. An exception is
/// thrown again, and the hook is not called after it.
pub(crate) fn push_html(
    document: &Document<'_, '_>,
    hook: &Hook,
    out: &mut String,
) -> Result<(), JsValue> {
    let mut asking = Asking::new(document.source(), hook);
    document.push_html_with(|link| asking.action(link), out);
    asking.thrown.map_or(Ok(()), Err)
}

/// Appends plain text as HTML, with `hook` deciding about each bare link.
pub(crate) fn push_linkified(
    text: &str,
    options: &Options,
    hook: &Hook,
    out: &mut String,
) -> Result<(), JsValue> {
    let mut asking = Asking::new(text, hook);
    Linkifier::new(options).on_link(|link| asking.action(link)).push_text(text, out);
    asking.thrown.map_or(Ok(()), Err)
}

/// Calls the hook for the links of one text.
struct Asking<'a> {
    hook: &'a Hook,
    units: Units<'a>,
    json: String,
    thrown: Option<JsValue>,
}

impl<'a> Asking<'a> {
    fn new(text: &'a str, hook: &'a Hook) -> Self {
        Self { hook, units: Units::new(text, Unit::Utf16), json: String::new(), thrown: None }
    }

    fn action(&mut self, link: &Link<'_>) -> Action {
        if self.thrown.is_some() {
            return Action::Drop;
        }
        self.json.clear();
        push_link(link, &mut self.units, &mut self.json);
        match self.hook.decide(&self.json) {
            Ok(answer) => read(answer),
            Err(error) => {
                self.thrown = Some(error);
                Action::Drop
            }
        }
    }
}

/// Converts an answer of the hook to an action.
fn read(answer: Vec<String>) -> Action {
    let mut words = answer.into_iter();
    match words.next().as_deref() {
        Some("plain") => Action::Plain,
        Some("drop") => Action::Drop,
        Some("change") => {
            let mut change = Change::new();
            while let (Some(name), Some(value)) = (words.next(), words.next()) {
                change = match name.strip_prefix('-') {
                    Some(name) => change.without(name.to_owned()),
                    None => change.attribute(name, value),
                };
            }
            Action::Change(change)
        }
        _ => Action::Keep,
    }
}
