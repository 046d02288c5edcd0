//! Options by the names they have in JavaScript: those of the library in camelCase, with a
//! period before what is inside another.
//!
//! What is wrong is told in a sentence that names the option.

use std::fmt::Display;
use std::mem;
use std::str::FromStr;

use barelink::{LinkAttributes, Options, Urls};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::Engine;

/// Every option, in the order of the documentation.
const NAMES: &[&str] = &[
    "preset",
    "tables",
    "strikethrough",
    "singleTilde",
    "mark",
    "superscript",
    "subscript",
    "taskLists",
    "tagFilter",
    "footnotes",
    "alerts",
    "math",
    "wikiLinks",
    "frontMatter",
    "cjkFriendlyEmphasis",
    "definitionLists",
    "headingAttributes",
    "emoji",
    "markup",
    "reading",
    "schemes",
    "autolinks.dialect",
    "autolinks.url",
    "autolinks.www",
    "autolinks.email",
    "autolinks.domains",
    "autolinks.schemes",
    "policy.rawHtml",
    "policy.urls",
    "policy.bare.rel",
    "policy.bare.targetBlank",
    "policy.external.rel",
    "policy.external.targetBlank",
    "policy.ownHosts",
    "policy.https",
    "policy.headingIds",
    "policy.idPrefix",
    "policy.sourcePositions",
    "policy.softBreaks",
];

/// A value, as far as its type goes.
enum Value {
    Flag(bool),
    Text(String),
    List(Vec<String>),
    /// `null`, or something that no option is.
    Other(String),
}

#[wasm_bindgen]
impl Engine {
    /// Sets an option, as the next ones do. Returns what is wrong, if anything is. With a `scope`, such as
    /// `autolinks.`, names are those of options in it.
    #[wasm_bindgen(js_name = turnOn)]
    pub fn turn_on(&mut self, scope: &str, name: &str) -> Option<String> {
        self.set(scope, name, Value::Flag(true))
    }

    #[wasm_bindgen(js_name = turnOff)]
    pub fn turn_off(&mut self, scope: &str, name: &str) -> Option<String> {
        self.set(scope, name, Value::Flag(false))
    }

    #[wasm_bindgen(js_name = setText)]
    pub fn set_text(&mut self, scope: &str, name: &str, value: String) -> Option<String> {
        self.set(scope, name, Value::Text(value))
    }

    #[wasm_bindgen(js_name = setList)]
    pub fn set_list(&mut self, scope: &str, name: &str, value: Vec<String>) -> Option<String> {
        self.set(scope, name, Value::List(value))
    }

    /// Sets an option to a value that is described by its type, such as `null`.
    #[wasm_bindgen(js_name = setOther)]
    pub fn set_other(&mut self, scope: &str, name: &str, kind: String) -> Option<String> {
        self.set(scope, name, Value::Other(kind))
    }
}

impl Engine {
    fn set(&mut self, scope: &str, name: &str, value: Value) -> Option<String> {
        let mut options = self.parser.options().clone();
        let full = [scope, name].concat();
        let result = apply(&full, value, &mut options);
        self.parser.set_options(options);
        result.err().map(|wrong| wrong.sentence(scope, name))
    }
}

/// A scheme as the library takes it.
fn scheme(name: &str) -> String {
    name.trim_end_matches(':').to_ascii_lowercase()
}

/// What is wrong with an option.
enum Wrong {
    Name,
    /// The type: what was expected, and what came.
    Type(&'static str, String),
    Value(String),
}

impl Wrong {
    fn sentence(self, scope: &str, name: &str) -> String {
        match self {
            Self::Name => {
                // Those beside it; with a wrong name before a period, those beside that.
                let mut level = scope.len() + name.rfind('.').map_or(0, |at| at + 1);
                let full = [scope, name].concat();
                while !NAMES.iter().any(|it| it.starts_with(&full[..level])) {
                    level = full[..level - 1].rfind('.').map_or(0, |at| at + 1);
                }
                let mut known: Vec<&str> = NAMES
                    .iter()
                    .filter_map(|it| it.strip_prefix(&full[..level]))
                    .map(|it| it.split_once('.').map_or(it, |(first, _)| first))
                    .collect();
                known.dedup();
                format!("unknown option `{name}`: expected one of {}", known.join(", "))
            }
            Self::Type(expected, found) => {
                format!("the option `{name}` must be {expected}, not {found}")
            }
            Self::Value(error) => format!("the option `{name}` is wrong: {error}"),
        }
    }
}

fn apply(name: &str, value: Value, options: &mut Options) -> Result<(), Wrong> {
    let policy = &mut options.policy;
    let flag = match name {
        "tables" => &mut options.tables,
        "strikethrough" => &mut options.strikethrough,
        "singleTilde" => &mut options.single_tilde,
        "mark" => &mut options.mark,
        "superscript" => &mut options.superscript,
        "subscript" => &mut options.subscript,
        "taskLists" => &mut options.task_lists,
        "tagFilter" => &mut options.tag_filter,
        "footnotes" => &mut options.footnotes,
        "alerts" => &mut options.alerts,
        "math" => &mut options.math,
        "wikiLinks" => &mut options.wiki_links,
        "frontMatter" => &mut options.front_matter,
        "emoji" => &mut options.emoji,
        "headingAttributes" => &mut options.heading_attributes,
        "definitionLists" => &mut options.definition_lists,
        "cjkFriendlyEmphasis" => &mut options.cjk_friendly_emphasis,
        "autolinks.url" => &mut options.autolinks.url,
        "autolinks.www" => &mut options.autolinks.www,
        "autolinks.email" => &mut options.autolinks.email,
        "autolinks.domains" => &mut options.autolinks.domains,
        "policy.https" => &mut policy.https,
        "policy.headingIds" => &mut policy.heading_ids,
        "policy.sourcePositions" => &mut policy.source_positions,
        "policy.bare.targetBlank" => &mut policy.bare.target_blank,
        "policy.external.targetBlank" => &mut policy.external.target_blank,
        _ => return apply_other(name, value, options),
    };
    match value {
        Value::Flag(value) => *flag = value,
        other => return Err(other.wrong_type("true or false")),
    }
    Ok(())
}

fn apply_other(name: &str, value: Value, options: &mut Options) -> Result<(), Wrong> {
    let policy = &mut options.policy;
    match name {
        "preset" => *options = choice(value)?,
        "markup" => options.markup = choice(value)?,
        "reading" => options.reading = choice(value)?,
        "autolinks.dialect" => {
            options.autolinks.dialect = match value {
                Value::Text(name) if name == "none" => None,
                value => Some(choice(value)?),
            };
        }
        "schemes" | "autolinks.schemes" => {
            options.schemes = list(value)?.iter().map(|it| scheme(it)).collect();
            // Who looks for them also wants them to lead somewhere, as with the command.
            policy.urls = mem::take(&mut policy.urls).and_schemes(options.schemes.iter().cloned());
        }
        "policy.rawHtml" => policy.raw_html = choice(value)?,
        "policy.softBreaks" => policy.soft_breaks = choice(value)?,
        "policy.idPrefix" => policy.id_prefix = text(value)?.into(),
        "policy.ownHosts" => policy.own_hosts = list(value)?,
        "policy.urls" => policy.urls = urls(value)?,
        "policy.bare.rel" => set_rel(value, &mut policy.bare)?,
        "policy.external.rel" => set_rel(value, &mut policy.external)?,
        _ => return Err(Wrong::Name),
    }
    Ok(())
}

fn set_rel(value: Value, attributes: &mut LinkAttributes) -> Result<(), Wrong> {
    attributes.rel = match value {
        Value::Other(kind) if kind == "null" => None,
        value => Some(text(value)?.into()),
    };
    Ok(())
}

fn urls(value: Value) -> Result<Urls, Wrong> {
    match value {
        Value::Text(name) if name == "safe" => Ok(Urls::Safe),
        Value::Text(name) if name == "any" => Ok(Urls::Any),
        Value::Text(name) => {
            Err(Wrong::Value(format!("expected safe, any or an array of schemes, not `{name}`")))
        }
        Value::List(schemes) => Ok(Urls::Schemes(schemes)),
        other => Err(other.wrong_type("`safe`, `any` or an array of schemes")),
    }
}

fn text(value: Value) -> Result<String, Wrong> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(other.wrong_type("a string")),
    }
}

fn list(value: Value) -> Result<Vec<String>, Wrong> {
    match value {
        Value::List(items) => Ok(items),
        other => Err(other.wrong_type("an array of strings")),
    }
}

/// One of the names of something.
fn choice<T: FromStr<Err: Display>>(value: Value) -> Result<T, Wrong> {
    text(value)?.parse().map_err(|error: T::Err| Wrong::Value(error.to_string()))
}

impl Value {
    fn wrong_type(self, expected: &'static str) -> Wrong {
        let found = match self {
            Self::Flag(value) => value.to_string(),
            Self::Text(text) => format!("the string `{text}`"),
            Self::List(_) => "an array".to_owned(),
            Self::Other(kind) => kind,
        };
        Wrong::Type(expected, found)
    }
}
