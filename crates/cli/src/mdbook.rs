//! The job `mdbook`: a preprocessor for mdBook, whose Markdown has no bare links.
//!
//! mdBook first runs `barelink mdbook supports RENDERER`, and then `barelink mdbook` with
//! `[context, book]` as JSON on standard input; it reads the book from standard output. A book has
//! items; one that is a `Chapter` has `content` and `sub_items`. Everything else stays unchanged.
//!
//! In chapters, bare links are rewritten as by `barelink fix --select BL004`.

use std::io::{self, Read as _, Write as _};

use barelink_check::{Checker, Rule, Settings, Style};
use clap::ValueEnum;
use serde_json::Value;
use serde_json::error::Category;

use crate::check::args::StyleName;
use crate::markdown::DialectName;
use crate::output::Target;
use crate::report::{Report, reason};

/// The JSON pointer to the table of this preprocessor in the context.
const TABLE: &str = "/config/preprocessor/barelink";

/// The keys of the table that are for mdBook itself.
const KEYS_OF_MDBOOK: [&str; 6] =
    ["after", "before", "command", "optional", "renderer", "renderers"];

/// Rewrites the bare links of the book on standard input.
pub(crate) fn run(report: &Report) {
    let mut input = Vec::new();
    if let Err(error) = io::stdin().lock().read_to_end(&mut input) {
        return report.error("<stdin>", reason(&error));
    }
    let book = match process(&input) {
        Ok(book) => book,
        Err(what) => return report.error("<stdin>", what),
    };
    let written = Target::Stdout.open().and_then(|mut sink| {
        sink.write_all(book.to_string().as_bytes())?;
        sink.finish()
    });
    if let Err(error) = written {
        report.write_error(Target::Stdout, &error);
    }
}

/// Returns the book with its bare links rewritten.
fn process(input: &[u8]) -> Result<Value, String> {
    let what = "is not the input of a preprocessor of mdBook";
    let (context, mut book): (Value, Value) =
        serde_json::from_slice(input).map_err(|error| match error.classify() {
            Category::Data => format!("{what}: that is a JSON array of the context and the book"),
            _ => format!("{what}, nor JSON: {error}"),
        })?;
    let settings = settings(context.pointer(TABLE))?;
    // Older versions of mdBook call them sections.
    let items = ["items", "sections"].into_iter().find(|name| book[name].is_array());
    let items = items.ok_or_else(|| format!("{what}: the book has no items"))?;
    link_items(&mut book[items], &mut Checker::new(settings))?;
    Ok(book)
}

/// Reads the settings from the table in `book.toml`.
fn settings(table: Option<&Value>) -> Result<Settings, String> {
    let mut settings = Settings::default();
    settings.rules = [Rule::BareLink].into();
    for (key, value) in table.and_then(Value::as_object).into_iter().flatten() {
        let wrong = |what: String| format!("book.toml: preprocessor.barelink.{key}: {what}");
        match key.as_str() {
            "dialect" => {
                let dialect: DialectName = named(value).map_err(wrong)?;
                settings.options.autolinks = dialect.autolinks();
            }
            "style" => {
                let style: StyleName = named(value).map_err(wrong)?;
                settings.style = Style::from(style);
            }
            key if KEYS_OF_MDBOOK.contains(&key) => {}
            _ => return Err(wrong("no such key: there are dialect and style".to_owned())),
        }
    }
    Ok(settings)
}

/// Parses the name of a value; the error lists the known names.
fn named<T: ValueEnum>(value: &Value) -> Result<T, String> {
    T::from_str(value.as_str().unwrap_or_default(), false).map_err(|_| {
        let known = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let known: Vec<String> = known.map(|it| it.get_name().to_owned()).collect();
        format!("{value} is not known: expected one of {}", known.join(", "))
    })
}

/// Rewrites the bare links of chapters and their sub-chapters.
fn link_items(items: &mut Value, checker: &mut Checker) -> Result<(), String> {
    // LINEAR: the nesting of chapters is limited by that of JSON.
    for item in items.as_array_mut().into_iter().flatten() {
        let Some(chapter) = item.get_mut("Chapter") else { continue };
        if let Some(Value::String(content)) = chapter.get_mut("content")
            && let Some(fixed) = checker.fix(content).map_err(|error| error.to_string())?
        {
            *content = fixed.text;
        }
        if let Some(below) = chapter.get_mut("sub_items") {
            link_items(below, checker)?;
        }
    }
    Ok(())
}
