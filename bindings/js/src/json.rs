//! JSON, which JavaScript reads faster than it makes objects one by one.

use std::fmt::{Display, Write as _};

use barelink::{Span, Units};

/// Writes an object: its fields, and the end when it is done.
pub(crate) struct Object<'o> {
    out: &'o mut String,
    is_empty: bool,
}

impl<'o> Object<'o> {
    pub(crate) fn new(out: &'o mut String) -> Self {
        out.push('{');
        Self { out, is_empty: true }
    }

    pub(crate) fn text(&mut self, name: &str, value: &str) -> &mut Self {
        push_string(value, self.field(name));
        self
    }

    pub(crate) fn text_or_null(&mut self, name: &str, value: Option<&str>) -> &mut Self {
        match value {
            Some(value) => self.text(name, value),
            None => self.value(name, "null"),
        }
    }

    /// A number, a flag or `null`.
    pub(crate) fn value(&mut self, name: &str, value: impl Display) -> &mut Self {
        // Writing into a string does not fail.
        let _ = write!(self.field(name), "{value}");
        self
    }

    /// A span, in the units of JavaScript, as an object.
    pub(crate) fn span(&mut self, name: &str, span: Span, units: &mut Units<'_>) -> &mut Self {
        let (start, end) = (units.at(span.start), units.at(span.end));
        Object::new(self.field(name)).value("start", start).value("end", end).end();
        self
    }

    /// Begins a field, whose value the caller appends.
    pub(crate) fn field(&mut self, name: &str) -> &mut String {
        if !self.is_empty {
            self.out.push(',');
        }
        self.is_empty = false;
        push_string(name, self.out);
        self.out.push(':');
        self.out
    }

    pub(crate) fn end(&mut self) {
        self.out.push('}');
    }
}

/// Appends an array: what `push` appends for each item, with commas between.
pub(crate) fn push_array<T>(
    items: impl IntoIterator<Item = T>,
    out: &mut String,
    mut push: impl FnMut(T, &mut String),
) {
    out.push('[');
    for (idx, item) in items.into_iter().enumerate() {
        if idx > 0 {
            out.push(',');
        }
        push(item, out);
    }
    out.push(']');
}

/// Appends a string.
pub(crate) fn push_string(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let mut chars = after.chars();
        match chars.next() {
            Some(c @ ('"' | '\\')) => out.extend(['\\', c]),
            Some('\n') => out.push_str("\\n"),
            Some(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}
