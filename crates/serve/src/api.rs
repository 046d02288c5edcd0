//! The API of the page at `/try/`: the engine's results for a text, as JSON.
//!
//! `POST /try/api/WHAT/PRESET` with the text as its body, where WHAT is
//!
//! - `html`: the HTML, a string;
//! - `links`: every link and image;
//! - `explain`: every candidate for a bare link, and what was decided about it;
//! - `events`: the first [`EVENTS_MAX`] events.
//!
//! Offsets are in UTF-16 code units. The functions of these names in the package for JavaScript
//! return the same.

use std::fmt;

use axum::http::StatusCode;
use barelink::{
    Document, Event, EventKind, Form, Options, Parser, Span, Tag, Unit, Units, Verdict,
};
use serde::Serialize;

/// The maximum number of events that are sent: nobody reads more.
const EVENTS_MAX: usize = 5000;

/// Why a request fails.
#[derive(Debug)]
pub(crate) enum Error {
    /// There is no such resource or preset.
    Unknown,
    TooLong,
    Json(serde_json::Error),
}

impl Error {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Unknown => StatusCode::NOT_FOUND,
            Self::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Json(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("There is no such question or preset."),
            Self::TooLong => f.write_str("The text is too long."),
            Self::Json(error) => write!(f, "{error}"),
        }
    }
}

/// The answer as JSON.
pub(crate) fn answer(what: &str, preset: &str, text: &str) -> Result<String, Error> {
    let options = Options::preset(preset).ok_or(Error::Unknown)?;
    let mut parser = Parser::new(options);
    let document = parser.parse(text).map_err(|_| Error::TooLong)?;
    let units = &mut Units::new(text, Unit::Utf16);
    match what {
        "html" => {
            let mut html = String::new();
            document.push_html(&mut html);
            serde_json::to_string(&html)
        }
        "links" => serde_json::to_string(&links(&document, units)),
        "explain" => serde_json::to_string(&decisions(&document, units)),
        "events" => serde_json::to_string(&events(&document, units)),
        _ => return Err(Error::Unknown),
    }
    .map_err(Error::Json)
}

/// A range of the text.
#[derive(Serialize)]
struct Range {
    start: u32,
    end: u32,
}

fn range(span: Span, units: &mut Units<'_>) -> Range {
    Range { start: units.at(span.start), end: units.at(span.end) }
}

#[derive(Serialize)]
struct LinkRow {
    image: bool,
    form: &'static str,
    href: String,
    title: String,
    text: String,
    span: Range,
}

fn links(document: &Document<'_, '_>, units: &mut Units<'_>) -> Vec<LinkRow> {
    let link = |link: barelink::Link<'_>| LinkRow {
        image: link.image,
        form: match link.form {
            Form::Inline => "inline",
            Form::Full => "full",
            Form::Collapsed => "collapsed",
            Form::Shortcut => "shortcut",
            Form::Angle => "angle",
            Form::Wiki => "wiki",
            Form::BareUrl => "url",
            Form::BareWww => "www",
            Form::BareEmail => "email",
            _ => "link",
        },
        span: range(link.span, units),
        href: link.href,
        title: link.title.into_owned(),
        text: link.text.into_owned(),
    };
    document.links().map(link).collect()
}

#[derive(Serialize)]
struct Decision {
    kind: &'static str,
    candidate: Range,
    #[serde(flatten)]
    verdict: Reason,
}

#[derive(Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
enum Reason {
    Linked { span: Range, href: String, trims: Vec<Trim> },
    Refused { sentence: &'static str, section: &'static str, at: u32 },
    Elsewhere { sentence: &'static str },
}

#[derive(Serialize)]
struct Trim {
    span: Range,
    sentence: &'static str,
    section: &'static str,
}

fn decisions(document: &Document<'_, '_>, units: &mut Units<'_>) -> Vec<Decision> {
    let source = document.source();
    // LINEAR: links are in order, and so are the decisions about them.
    let mut links = document.links().filter(|link| link.form.is_bare()).peekable();
    let decision = |decision: barelink::Decision| {
        let verdict = match decision.verdict {
            Verdict::Linked { span, prefix, trims, .. } => {
                while links.next_if(|link| link.span.start < span.start).is_some() {}
                let link = links.peek().filter(|link| link.span == span);
                let href = match link {
                    Some(link) => link.destination.to_string(),
                    None => format!("{prefix}{}", span.slice(source)),
                };
                let trims = trims.iter().map(|trim| told_trim(trim, units)).collect();
                Reason::Linked { span: range(span, units), href, trims }
            }
            Verdict::Refused { rule, at, .. } => Reason::Refused {
                sentence: rule.sentence(),
                section: rule.section(),
                at: units.at(at),
            },
            Verdict::Elsewhere(place) => Reason::Elsewhere { sentence: place.sentence() },
            _ => return None,
        };
        let kind = decision.kind.name();
        Some(Decision { kind, candidate: range(decision.candidate, units), verdict })
    };
    document.explain().filter_map(decision).collect()
}

fn told_trim(trim: &barelink::autolink::Trim, units: &mut Units<'_>) -> Trim {
    let (sentence, section) = (trim.rule.sentence(), trim.rule.section());
    Trim { span: range(trim.span, units), sentence, section }
}

/// An event for display.
#[derive(Serialize)]
struct Told {
    /// `start`, `end`, or the kind of another event.
    event: &'static str,
    /// The name of the element that starts or ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<&'static str>,
    /// Details of the element, or the text.
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
    span: Range,
}

fn events(document: &Document<'_, '_>, units: &mut Units<'_>) -> Vec<Told> {
    let mut open = Vec::new();
    let told = |event: Event<'_>| {
        let (name, tag, text) = match event.kind {
            EventKind::Start(tag) => {
                let (tag, about) = told_tag(&tag);
                open.push(tag);
                ("start", Some(tag), about)
            }
            EventKind::End(_) => ("end", open.pop(), String::new()),
            EventKind::Text(text) => ("text", None, text.into_owned()),
            EventKind::Code(text) => ("code", None, text.into_owned()),
            EventKind::Math { text, .. } => ("math", None, text.into_owned()),
            EventKind::Html(text) => ("html", None, text.into_owned()),
            EventKind::InlineHtml(text) => ("inline-html", None, text.into_owned()),
            EventKind::SoftBreak => ("soft-break", None, String::new()),
            EventKind::HardBreak => ("hard-break", None, String::new()),
            EventKind::ThematicBreak => ("thematic-break", None, String::new()),
            EventKind::FootnoteReference { label, .. } => ("footnote", None, label.into_owned()),
            EventKind::Definition(it) => ("definition", None, it.destination.into_owned()),
            EventKind::FrontMatter { text, .. } => ("front-matter", None, text.into_owned()),
            _ => ("other", None, String::new()),
        };
        Told { event: name, tag, text, span: range(event.span, units) }
    };
    document.events().take(EVENTS_MAX).map(told).collect()
}

/// The name of an element, and its details.
fn told_tag(tag: &Tag<'_>) -> (&'static str, String) {
    let nothing = String::new();
    match tag {
        Tag::Paragraph => ("paragraph", nothing),
        Tag::Heading { level, .. } => ("heading", format!("level {level}")),
        Tag::BlockQuote { alert: None } => ("block-quote", nothing),
        Tag::BlockQuote { alert: Some(kind) } => {
            ("block-quote", format!("{kind:?}").to_lowercase())
        }
        Tag::List { start, tight } => {
            let tight = if *tight { "tight" } else { "loose" };
            match start {
                Some(start) => ("list", format!("{tight}, from {start}")),
                None => ("list", tight.to_owned()),
            }
        }
        Tag::Item { task: None } => ("item", nothing),
        Tag::Item { task: Some(true) } => ("item", "done".to_owned()),
        Tag::Item { task: Some(false) } => ("item", "not done".to_owned()),
        Tag::DefinitionList { tight } => {
            ("definition-list", if *tight { "tight" } else { "loose" }.to_owned())
        }
        Tag::Term => ("term", nothing),
        Tag::Details => ("details", nothing),
        Tag::CodeBlock { info } => ("code-block", info.as_deref().unwrap_or_default().to_owned()),
        Tag::FootnoteDefinition { label, .. } => ("footnote-definition", label.to_string()),
        Tag::Table { .. } => ("table", nothing),
        Tag::Row { header } => ("row", if *header { "header".to_owned() } else { nothing }),
        Tag::Cell => ("cell", nothing),
        Tag::HtmlBlock => ("html-block", nothing),
        Tag::Emphasis => ("emphasis", nothing),
        Tag::Strong => ("strong", nothing),
        Tag::Strikethrough => ("strikethrough", nothing),
        Tag::Mark => ("mark", nothing),
        Tag::Superscript => ("superscript", nothing),
        Tag::Subscript => ("subscript", nothing),
        Tag::Link(target) => ("link", target.destination.to_string()),
        Tag::Image(target) => ("image", target.destination.to_string()),
        _ => ("element", nothing),
    }
}
