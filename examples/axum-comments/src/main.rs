//! The program of `docs/comment-box.md`, word for word: a test compares the two.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::Router;
use axum::extract::{Form, State};
use axum::http::StatusCode;
use axum::response::{Html, Redirect};
use axum::routing::get;
use barelink::html::{Element, ElementKind, Renderer, push_escaped};
use barelink::{Action, Change, Document, Link, Options, SoftBreaks, SourceTooLong, Tag, Urls};
use serde::Deserialize;
use syntect::html::{ClassStyle, ClassedHTMLGenerator};
use syntect::parsing::SyntaxSet;
use syntect::util::LinesWithEndings;

/// What a comment may do.
fn options(number: usize) -> Options {
    let mut options = Options::natural();
    let policy = &mut options.policy;
    policy.urls = Urls::schemes(["http", "https", "mailto"]);
    policy.external.rel = Some("nofollow ugc".into());
    policy.own_hosts = vec!["forum.example".to_owned()];
    policy.heading_ids = true;
    policy.id_prefix = format!("comment-{number}-").into();
    policy.soft_breaks = SoftBreaks::Hard;
    options
}

/// Hosts that get no links from us.
const SPAM: [&str; 2] = ["casino.example", "spam.example"];

/// Decides about one link or image.
fn decide(link: &Link<'_>) -> Action {
    if link.host().is_some_and(|host| SPAM.contains(&&*host)) {
        Action::Plain
    } else if link.image {
        Change::new().attribute("loading", "lazy").into()
    } else {
        Action::Keep
    }
}

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

/// Writes a code block.
fn highlight(block: &Element<'_>, out: &mut String) {
    match highlighted(block) {
        Some(code) => {
            out.push_str("<pre><code class=\"highlighted\">");
            out.push_str(&code);
            out.push_str("</code></pre>\n");
        }
        None => out.push_str(block.html),
    }
}

/// The code with a span around each token, or `None` for an unknown language.
fn highlighted(block: &Element<'_>) -> Option<String> {
    let Tag::CodeBlock { info: Some(info) } = block.tag else { return None };
    let syntax = SYNTAXES.find_syntax_by_token(info.split_whitespace().next()?)?;
    let style = ClassStyle::Spaced;
    let mut generator = ClassedHTMLGenerator::new_with_class_style(syntax, &SYNTAXES, style);
    for line in LinesWithEndings::from(block.text) {
        generator.parse_html_for_line_which_includes_newline(line).ok()?;
    }
    Some(generator.finalize())
}

/// Lists the headings of a long comment.
fn push_contents(document: &Document<'_, '_>, out: &mut String) {
    if document.headings().count() < 2 {
        return;
    }
    out.push_str("<ul>\n");
    for heading in document.headings() {
        let Some(id) = &heading.id else { continue };
        out.push_str("<li><a href=\"#");
        push_escaped(id, out);
        out.push_str("\">");
        push_escaped(&heading.text, out);
        out.push_str("</a></li>\n");
    }
    out.push_str("</ul>\n");
}

/// The HTML of a comment.
fn render(comment: &str, number: usize) -> Result<String, SourceTooLong> {
    let document = barelink::parse(comment, &options(number))?;
    let mut html = String::new();
    push_contents(&document, &mut html);
    Renderer::new()
        .on_link(decide)
        .on(ElementKind::CodeBlock, highlight)
        .push_document(&document, &mut html);
    Ok(html)
}

/// The HTML of every comment.
type Comments = Arc<Mutex<Vec<String>>>;

fn app() -> Router {
    Router::new().route("/", get(show).post(add)).with_state(Comments::default())
}

async fn show(State(comments): State<Comments>) -> Html<String> {
    let mut page = String::from("<!DOCTYPE html>\n<title>Comments</title>\n");
    for html in comments.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        page.push_str("<article>\n");
        page.push_str(html);
        page.push_str("</article>\n");
    }
    page.push_str("<form method=\"post\"><textarea name=\"text\"></textarea>");
    page.push_str("<button>Send</button></form>\n");
    Html(page)
}

#[derive(Deserialize)]
struct NewComment {
    text: String,
}

async fn add(
    State(comments): State<Comments>,
    Form(comment): Form<NewComment>,
) -> Result<Redirect, StatusCode> {
    let mut comments = comments.lock().unwrap_or_else(PoisonError::into_inner);
    let html = render(&comment.text, comments.len() + 1);
    comments.push(html.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?);
    Ok(Redirect::to("/"))
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    axum::serve(listener, app()).await
}

#[cfg(test)]
mod tests;
