//! Link reference definitions (CommonMark §4.7). They are entered into the table of
//! `syntax::references`, where reference links are resolved.
//!
//! ```text
//! definition = label ":" [white space] destination [white space title] blank rest of line
//! ```
//!
//! A paragraph that starts with `[` is read for definitions when it closes. If several definitions
//! have the same label, the first one counts.
//!
//! LINEAR: a definition that is accepted consumes its text, the first that is not ends the search.

use barelink_text::Span;
use barelink_text::find::{Destination, Inline, Stops};

use super::{OpenLeaf, Phase};
use crate::syntax::destination::{
    Delimited, MAX_LABEL, scan_destination, scan_label, scan_title, skip_whitespace,
};
use crate::syntax::references::{Reference, Title};
use crate::syntax::text::Text;
use crate::tape::pieces::Layout;
use crate::tape::{Block, Record};

/// The parts of a definition in a paragraph's text.
struct ScannedDefinition {
    label: Delimited,
    destination: Delimited,
    verbatim: bool,
    title: Option<Delimited>,
    /// The end of its last line, before the line ending.
    end: usize,
}

/// The end of the line, if it is blank from `at` on.
fn blank_line_end(text: &[u8], mut at: usize) -> Option<usize> {
    while matches!(text.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    matches!(text.get(at), None | Some(b'\n')).then_some(at)
}

/// The common case of a destination: without special bytes up to white space.
fn scan_verbatim(text: &[u8], start: usize) -> Option<Delimited> {
    let end = Stops::<Destination>::new(text, start, text.len()).next().unwrap_or(text.len());
    let is_whole = matches!(text.get(end), None | Some(b' ' | b'\t' | b'\n'));
    is_whole.then_some(Delimited { start, end, after: end })
}

fn scan_definition(text: &[u8], start: usize) -> Option<ScannedDefinition> {
    if text.get(start) != Some(&b'[') {
        return None;
    }
    let stops = Stops::<Inline<false, false, false>>::new(text, start, text.len());
    let label = scan_label(text, start, stops)?;
    if text.get(label.after) != Some(&b':') {
        return None;
    }
    let at = skip_whitespace(text, label.after + 1);
    let verbatim = scan_verbatim(text, at);
    let destination = match verbatim {
        Some(destination) => destination,
        None => scan_destination(text, at)?,
    };
    if destination.after == at {
        return None;
    }
    let verbatim = verbatim.is_some();
    let without_title = blank_line_end(text, destination.after);
    let at = skip_whitespace(text, destination.after);
    if at > destination.after
        && let Some(title) = scan_title(text, at)
        && let Some(end) = blank_line_end(text, title.after)
    {
        return Some(ScannedDefinition { label, destination, verbatim, title: Some(title), end });
    }
    // A title must end its line. Otherwise the definition may still be valid without it, if the
    // title starts on a line of its own.
    Some(ScannedDefinition { label, destination, verbatim, title: None, end: without_title? })
}

impl Phase<'_, '_> {
    /// Whether the paragraph at `start` may start with a definition, or with the title of an alert:
    /// most that start with `[` start with a link.
    pub(super) fn may_define(&self, start: usize) -> bool {
        let bytes = self.source.as_bytes();
        let record = self.tape.records[self.state.text_idx];
        let mut text = &bytes[start + 1..record.end as usize];
        if record.lines().layout == Layout::Slice {
            // A label has a maximum length. A stream calls this at every update.
            text = &text[..text.len().min(MAX_LABEL + 2)];
        }
        match memchr::memchr(b']', text) {
            None | Some(0) => false,
            Some(len) => {
                let escaped = text[len - 1] == b'\\';
                escaped || text.get(len + 1) == Some(&b':') || text[0] == b'!'
            }
        }
    }

    /// The start of the open paragraph, if closing it reads all of it: it may start with a
    /// definition or with the title of an alert, and its lines are joined to find out.
    #[inline]
    pub(super) fn joined_from(&self) -> Option<u32> {
        if self.state.leaf != OpenLeaf::Paragraph {
            return None;
        }
        let start = self.tape.records[self.state.text_idx].start;
        let is_bracket = self.source.as_bytes()[start as usize] == b'[';
        (is_bracket && self.is_joined(start as usize)).then_some(start)
    }

    #[cold]
    fn is_joined(&self, start: usize) -> bool {
        let record = self.tape.records[self.state.text_idx];
        let label = &self.source.as_bytes()[start + 1..record.end as usize];
        let label = &label[..label.len().min(MAX_LABEL)];
        let is_searched = memchr::memchr(b']', label).is_none();
        record.layout() != Layout::Slice && (is_searched || self.may_define(start))
    }

    /// Enters the definitions of a paragraph's text from `at` on, and returns the start of what
    /// follows them: past the end of the text, if nothing does.
    pub(super) fn take_definitions(&mut self, text: &Text<'_>, mut at: usize) -> usize {
        while at < text.end
            && let Some(definition) = scan_definition(text.bytes(), at)
        {
            self.push_definition(text, at, &definition);
            at = definition.end + 1;
        }
        at
    }

    fn push_definition(&mut self, text: &Text<'_>, start: usize, definition: &ScannedDefinition) {
        let ScannedDefinition { label, destination, verbatim, title, end } = *definition;
        let destination = text.span(destination.start, destination.end);
        let title = match title {
            None => Title::Source(Span::default()),
            Some(title) if text.is_verbatim(title.start, title.end) => {
                Title::Source(text.span(title.start, title.end))
            }
            Some(title) => self.tape.references.keep_title(text.slice(title.start, title.end)),
        };
        let new = |label| Reference { label, destination, verbatim, title };
        let number = self.tape.references.insert(text.str, label.start..label.end, new);
        let Span { start, end } = text.span(start, end);
        self.tape.push(Record { start, end, block: Block::Definition { number } });
    }
}
