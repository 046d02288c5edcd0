//! Text from Python, and positions in it in Python's units.

use std::borrow::Cow;

use barelink::{LineIndex, Span, Unit, Units};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The text of a string. A lone surrogate, which UTF-8 cannot represent, becomes U+FFFD: one
/// character for one, so that offsets stay the same.
pub(crate) fn text_of<'a>(string: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
    match string.to_str() {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) => replace_surrogates(string).map(Cow::Owned),
    }
}

#[cold]
fn replace_surrogates(string: &Bound<'_, PyString>) -> PyResult<String> {
    let encoded = string.call_method1("encode", ("utf-32-le", "surrogatepass"))?;
    let (units, _) = encoded.cast::<PyBytes>()?.as_bytes().as_chunks::<4>();
    let character = |unit: &[u8; 4]| char::from_u32(u32::from_le_bytes(*unit));
    Ok(units.iter().map(|unit| character(unit).unwrap_or('\u{FFFD}')).collect())
}

/// A position: offsets in characters, a line and a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Converts spans to positions.
pub(crate) struct Places<'s> {
    source: &'s str,
    units: Units<'s>,
    /// Created when it is first needed.
    lines: Option<LineIndex<'s>>,
}

impl<'s> Places<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Self { source, units: Units::new(source, Unit::Char), lines: None }
    }

    pub(crate) fn chars(&mut self, span: Span) -> (u32, u32) {
        (self.units.at(span.start), self.units.at(span.end))
    }

    pub(crate) fn char(&mut self, offset: u32) -> u32 {
        self.units.at(offset)
    }

    pub(crate) fn of(&mut self, span: Span) -> Place {
        let (start, end) = self.chars(span);
        let lines = self.lines.get_or_insert_with(|| LineIndex::new(self.source));
        let barelink::LineCol { line, column } = lines.line_col(span.start);
        Place { start, end, line, column }
    }
}
