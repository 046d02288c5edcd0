//! What holds for the events of every document: they render to the same HTML as
//! the walker, they balance, and their spans nest, lie on character boundaries
//! and point at the text they came from: with escapes and entities undone, and
//! without what stands before lines, that is the text.

use barelink::html::{self, Renderer};
use barelink::{EventKind, Form, MathStyle, Options, Parser, Span, Tag};
use barelink_text::entity::scan_entity;

/// Fails if something of it does not hold.
pub(crate) fn check(source: &str, options: &Options) {
    check_html(source, options);
    check_spans(source, options);
}

/// HTML is the same from the walker, from events, and written in pieces. Without the source, there
/// are no positions, whatever the policy says.
fn check_html(source: &str, options: &Options) {
    let mut unplaced = options.clone();
    unplaced.policy.source_positions = false;
    let mut parser = Parser::new(unplaced);
    let document = parser.parse(source).expect("the source is short");
    let mut from_walker = String::new();
    document.push_html(&mut from_walker);
    let mut from_events = String::new();
    html::push_events(document.events(), options, &mut from_events);
    assert_eq!(from_walker, from_events, "walker and events differ on {source:?}");
    let mut written = Vec::new();
    document.write_html(&mut written).expect("a vector takes everything");
    assert_eq!(from_walker.as_bytes(), written, "written HTML differs on {source:?}");
    if options.policy.source_positions {
        check_positions(source, options, &from_walker);
    }
}

/// A renderer that has the document writes positions where the walker does; one that has the
/// events alone writes HTML without.
fn check_positions(source: &str, options: &Options, unplaced: &str) {
    let document = barelink::parse(source, options).expect("the source is short");
    let mut from_walker = String::new();
    document.push_html(&mut from_walker);
    let mut rendered = String::new();
    Renderer::new().push_document(&document, &mut rendered);
    assert_eq!(from_walker, rendered, "walker and renderer differ on {source:?}");
    let mut from_events = String::new();
    Renderer::new().push_events(document.events(), options, &mut from_events);
    assert_eq!(from_events, unplaced, "events of a document with positions, {source:?}");
}

fn check_spans(source: &str, options: &Options) {
    let mut parser = Parser::new(options.clone());
    let document = parser.parse(source).expect("the source is short");
    let mut open: Vec<(Tag<'_>, Span)> = Vec::new();
    let whole = Span::new(0, source.len() as u32);
    let (mut last_start, mut last_end) = (0, 0);
    for event in document.events() {
        let Span { start, end } = event.span;
        assert!(
            start <= end && source.get(event.span.range()).is_some(),
            "{event:?} in {source:?}"
        );
        let outer = open.last().map_or(whole, |(_, span)| *span);
        assert!(outer.contains(event.span), "{event:?} leaves {outer:?} in {source:?}");
        match event.kind {
            EventKind::Start(tag) => {
                assert!(start >= last_start, "{tag:?} goes back in {source:?}");
                last_start = start;
                let written = event.span.slice(source);
                assert!(is_between_its_markers(written, &tag), "{tag:?} {written:?} in {source:?}");
                open.push((tag, event.span));
            }
            EventKind::End(end) => {
                let (tag, span) = open.pop().expect("an end has a start");
                assert_eq!((tag.end(), span), (end, event.span), "in {source:?}");
            }
            EventKind::Markup(markup) => panic!("{markup:?} is made up in {source:?}"),
            kind => {
                let is_behind = start >= last_start && start >= last_end;
                assert!(is_behind, "{kind:?} goes back in {source:?}");
                (last_start, last_end) = (start, end);
                let inside = open.last().map(|(tag, _)| tag);
                let in_cell = open.iter().any(|(tag, _)| *tag == Tag::Cell);
                let written = Written { text: event.span.slice(source), in_cell };
                assert!(written.says(&kind, inside), "{kind:?} of {written:?} in {source:?}");
            }
        }
    }
    assert!(open.is_empty(), "{open:?} never ends in {source:?}");
}

/// Whether an element starts and ends with the bytes that make it.
fn is_between_its_markers(written: &str, tag: &Tag<'_>) -> bool {
    let is = |open: &str, close: &str| {
        written.starts_with(open) && written.ends_with(close) && open.len() < written.len()
    };
    match tag {
        Tag::Emphasis => is("*", "*") || is("_", "_"),
        Tag::Strong => is("**", "**") || is("__", "__"),
        Tag::Strikethrough | Tag::Subscript => is("~", "~"),
        Tag::Mark => is("==", "=="),
        Tag::Superscript => is("^", "^"),
        Tag::Link(target) => match target.form {
            Form::Inline => is("[", ")"),
            Form::Full | Form::Collapsed | Form::Shortcut => is("[", "]"),
            Form::Angle => is("<", ">"),
            Form::Wiki => is("[[", "]]"),
            _ => !written.contains([' ', '\t', '\r', '\n']),
        },
        Tag::Image(target) if target.form == Form::Inline => is("![", ")"),
        Tag::Image(_) => is("![", "]"),
        Tag::BlockQuote { .. } => written.starts_with('>'),
        Tag::Item { .. } => written.starts_with(|c: char| c.is_ascii_digit() || "-+*".contains(c)),
        Tag::Details => written.starts_with(':'),
        Tag::FootnoteDefinition { .. } => written.starts_with("[^"),
        Tag::CodeBlock { info: Some(_) } => {
            written.starts_with("```") || written.starts_with("~~~")
        }
        _ => true,
    }
}

/// The source of an event.
#[derive(Debug)]
struct Written<'s> {
    text: &'s str,
    /// Whether a backslash before a pipe is left out, wherever it is.
    in_cell: bool,
}

impl Written<'_> {
    /// Whether it is what an event says, or stands for it.
    fn says(&self, kind: &EventKind<'_>, inside: Option<&Tag<'_>>) -> bool {
        match kind {
            EventKind::Text(text) => match inside {
                Some(Tag::CodeBlock { .. }) => self.is_line(text) || self.are_crlf_lines(text),
                Some(Tag::Link(target)) if target.form == Form::Angle => {
                    decoded(&self.plain()) == *text
                }
                _ => self.is_text(text),
            },
            EventKind::Html(html) => self.is_line(html),
            EventKind::InlineHtml(html) => self.is_joined(html, "\n"),
            EventKind::Code(code) => {
                let inner = self.text.trim_matches('`');
                let n_before = self.text.len() - self.text.trim_start_matches('`').len();
                let n_behind = self.text.len() - self.text.trim_end_matches('`').len();
                n_before == n_behind && n_before > 0 && self.inner(inner).is_code(code)
            }
            EventKind::Math { text, style } => {
                let (open, close) = match style {
                    MathStyle::Display => ("$$", "$$"),
                    MathStyle::Code => ("$`", "`$"),
                    _ => ("$", "$"),
                };
                let inner = self.text.strip_prefix(open).and_then(|it| it.strip_suffix(close));
                inner.is_some_and(|inner| match style {
                    MathStyle::Display => self.inner(inner).is_joined(text, "\n"),
                    _ => self.inner(inner).is_code(text),
                })
            }
            EventKind::FootnoteReference { written, .. } => self.is_joined(written, "\n"),
            EventKind::FrontMatter { text, .. } => {
                let lines = lines(self.text);
                let inner = lines.get(1..lines.len() - 1).unwrap_or_default();
                let inner: String = inner.iter().flat_map(|line| [line, "\n"]).collect();
                inner.replace('\0', "\u{FFFD}") == *text
            }
            EventKind::SoftBreak | EventKind::HardBreak => {
                self.text.trim_matches([' ', '\t', '\\', '\r', '\n']).is_empty()
            }
            EventKind::ThematicBreak => {
                self.text.trim_matches([' ', '\t', '*', '-', '_']).is_empty()
            }
            _ => true,
        }
    }

    fn inner<'s>(&self, text: &'s str) -> Written<'s> {
        Written { text, in_cell: self.in_cell }
    }

    /// On one line, with what stands for other characters wherever it is.
    fn plain(&self) -> String {
        let text = self.text.replace('\0', "\u{FFFD}");
        if self.in_cell { text.replace("\\|", "|") } else { text }
    }

    /// Whether it is a line of code or HTML, or what of one stands for columns of a tab, or ends
    /// one.
    fn is_line(&self, text: &str) -> bool {
        let is_added = self.text.is_empty() && matches!(text, " " | "  " | "   " | "\n");
        is_added || self.text.replace('\0', "\u{FFFD}") == text
    }

    /// Whether it is lines of code, some of which end in a carriage return, perhaps behind them.
    /// What stands for columns of a tab is added to them.
    fn are_crlf_lines(&self, text: &str) -> bool {
        let (written, shown) = (lines(self.text), text.split('\n'));
        let is_line = |(written, shown): (&&str, &str)| {
            let markers = written.find(|c| !matches!(c, ' ' | '\t' | '>'));
            (0..=markers.unwrap_or(written.len())).any(|from| {
                let added = shown.strip_suffix(&*self.inner(&written[from..]).plain());
                added.is_some_and(|added| matches!(added, "" | " " | "  " | "   "))
            })
        };
        (self.text.contains('\r') || written.len() == 1)
            && written.len() == shown.clone().count()
            && written.iter().zip(shown).all(is_line)
    }

    /// Whether it is text, or stands for it.
    fn is_text(&self, text: &str) -> bool {
        let plain = self.plain();
        // The colons are part of the span.
        let is_emoji = plain.len() > 2
            && plain.starts_with(':')
            && plain.ends_with(':')
            && !text.contains(|c: char| c.is_ascii_alphabetic());
        let is_smart = match &*plain {
            "\"" => matches!(text, "“" | "”"),
            "'" => matches!(text, "‘" | "’"),
            "..." => text == "…",
            // Each dash stands for two or three.
            dashes if dashes.bytes().all(|byte| byte == b'-') => {
                let lens = text.chars().map(|c| match c {
                    '–' => 2,
                    '—' => 3,
                    _ => dashes.len() + 1,
                });
                lens.sum::<usize>() == dashes.len()
            }
            _ => false,
        };
        plain == text || is_emoji || is_smart || unescaped(&plain) == text
    }

    /// Whether it is code, without a space at either end.
    fn is_code(&self, code: &str) -> bool {
        let is_blank = code.bytes().all(|byte| byte == b' ');
        let is_padded = code.starts_with(' ') && code.ends_with(' ') && !is_blank;
        !is_padded && self.is_joined(code, " ")
            || !is_blank && self.is_joined(&format!(" {code} "), " ")
    }

    /// Whether its lines, without markers of containers and indentation, make a text.
    fn is_joined(&self, text: &str, between: &str) -> bool {
        let lines = lines(self.text);
        // How much of the text may be behind us.
        let mut ends = vec![0];
        for (n, line) in lines.iter().enumerate() {
            let mut next = Vec::new();
            let markers = line.find(|c| !matches!(c, ' ' | '\t' | '>')).unwrap_or(line.len());
            for from in 0..=if n == 0 { 0 } else { markers } {
                let line = self.inner(&line[from..]).plain();
                for &end in &ends {
                    let rest = &text[end..];
                    let rest = if n == 0 { Some(rest) } else { rest.strip_prefix(between) };
                    if rest.is_some_and(|rest| rest.starts_with(&line)) {
                        next.push(end + if n == 0 { 0 } else { between.len() } + line.len());
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            ends = next;
        }
        ends.contains(&text.len())
    }
}

/// The lines, without their endings, also the empty one behind the last ending.
fn lines(mut text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    while let Some(end) = text.find(['\r', '\n']) {
        lines.push(&text[..end]);
        text = &text[end..];
        text = text.strip_prefix("\r\n").unwrap_or(&text[1..]);
    }
    lines.push(text);
    lines
}

/// With entities decoded.
fn decoded(text: &str) -> String {
    undone(text, |_| false)
}

/// With entities decoded, and without backslashes that escape.
fn unescaped(text: &str) -> String {
    undone(text, |next| next.is_ascii_punctuation())
}

fn undone(text: &str, is_escaped: impl Fn(u8) -> bool) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (String::new(), 0);
    while let Some(c) = text[at..].chars().next() {
        if c == '\\' && bytes.get(at + 1).is_some_and(|next| is_escaped(*next)) {
            out.push(char::from(bytes[at + 1]));
            at += 2;
        } else if let Some((end, entity)) = scan_entity(bytes, at).filter(|_| c == '&') {
            out.push_str(entity.as_str(&mut [0; 4]));
            at = end;
        } else {
            out.push(c);
            at += c.len_utf8();
        }
    }
    out
}
