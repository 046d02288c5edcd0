//! Markup of one's own around what strangers wrote, with the output still safe: tables that
//! scroll, images that load when they are seen, an anchor in each heading, highlighted code.
//!
//! ```sh
//! cargo run --example own_markup -- README.md
//! ```

mod common;

use std::error::Error;
use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;
use std::sync::LazyLock;

use barelink::html::{Element, ElementKind, Renderer, push_escaped};
use barelink::{Action, Change, Link, Options, Parser, Tag};
use syntect::html::{ClassStyle, ClassedHTMLGenerator};
use syntect::parsing::SyntaxSet;
use syntect::util::LinesWithEndings;

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

fn main() -> ExitCode {
    common::run(own_markup)
}

/// Writes the HTML of `source`.
pub(crate) fn own_markup(source: &str, out: &mut dyn io::Write) -> Result<(), Box<dyn Error>> {
    let mut options = Options::github();
    options.policy.heading_ids = true;
    let mut parser = Parser::new(options);
    let mut html = String::new();
    Renderer::new()
        .on_link(load_lazily)
        .on(ElementKind::Table, wrap)
        .on(ElementKind::Heading, add_anchor)
        .on(ElementKind::CodeBlock, highlight)
        .push_document(&parser.parse(source)?, &mut html);
    out.write_all(html.as_bytes())?;
    Ok(())
}

fn load_lazily(link: &Link<'_>) -> Action {
    if link.image { Change::new().attribute("loading", "lazy").into() } else { Action::Keep }
}

fn wrap(table: &Element<'_>, out: &mut String) {
    out.push_str("<div class=\"scroll\">\n");
    out.push_str(table.html);
    out.push_str("</div>\n");
}

fn add_anchor(heading: &Element<'_>, out: &mut String) {
    let Tag::Heading { level, id: Some(id), .. } = heading.tag else {
        return out.push_str(heading.html);
    };
    let mut escaped = String::new();
    push_escaped(id, &mut escaped);
    // This is safe already: it is what Barelink writes.
    let content = heading.content;
    let anchor = format_args!("<a class=\"anchor\" href=\"#{escaped}\">#</a>");
    // A string takes everything.
    let _ = writeln!(out, "<h{level} id=\"{escaped}\">{anchor} {content}</h{level}>");
}

fn highlight(code: &Element<'_>, out: &mut String) {
    let Tag::CodeBlock { info: Some(info) } = code.tag else { return out.push_str(code.html) };
    let language = info.split_whitespace().next().unwrap_or_default();
    match highlighted(language, code.text) {
        Some(html) => {
            out.push_str("<pre><code class=\"highlighted\">");
            out.push_str(&html);
            out.push_str("</code></pre>\n");
        }
        None => out.push_str(code.html),
    }
}

/// The code with a span for each token, or `None` if the language is not known.
fn highlighted(language: &str, code: &str) -> Option<String> {
    let syntax = SYNTAXES.find_syntax_by_token(language)?;
    let style = ClassStyle::Spaced;
    let mut generator = ClassedHTMLGenerator::new_with_class_style(syntax, &SYNTAXES, style);
    for line in LinesWithEndings::from(code) {
        generator.parse_html_for_line_which_includes_newline(line).ok()?;
    }
    Some(generator.finalize())
}
