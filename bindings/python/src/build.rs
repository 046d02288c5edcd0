//! Builders for arrays of results: strings, or lists of links.

use crate::array::{Array, Bits, Values};

/// An array that is being built.
pub(crate) trait Build {
    /// A state of the array that it can be reset to.
    type Mark;

    /// Reserves memory for the results of a number of rows, with a total length in bytes.
    fn reserve(&mut self, n_rows: usize, n_bytes: usize);
    fn mark(&self) -> Self::Mark;
    fn reset(&mut self, mark: Self::Mark);
    /// The length of the longest buffer, in bytes.
    fn n_bytes(&self) -> usize;
    fn end_row(&mut self);
    fn n_rows(&self) -> usize;
    fn finish(self, bits: Option<Bits>) -> Array;
}

/// Converts an offset to 32 bits. Arrays are split before they get too long for that.
fn offset(at: usize) -> i32 {
    i32::try_from(at).unwrap_or(i32::MAX)
}

/// Rows that are strings.
pub(crate) struct Strings {
    pub(crate) values: String,
    offsets: Vec<i32>,
}

impl Default for Strings {
    fn default() -> Self {
        Self { values: String::new(), offsets: vec![0] }
    }
}

impl Build for Strings {
    type Mark = usize;

    fn reserve(&mut self, n_rows: usize, n_bytes: usize) {
        self.offsets.reserve(n_rows);
        self.values.reserve(n_bytes + n_bytes / 2);
    }

    fn mark(&self) -> usize {
        self.values.len()
    }

    fn reset(&mut self, mark: usize) {
        self.values.truncate(mark);
    }

    fn n_bytes(&self) -> usize {
        self.values.len()
    }

    fn end_row(&mut self) {
        self.offsets.push(offset(self.values.len()));
    }

    fn n_rows(&self) -> usize {
        self.offsets.len() - 1
    }

    fn finish(mut self, bits: Option<Bits>) -> Array {
        // Only what is much too large: making it smaller may copy it.
        if self.values.capacity() / 2 > self.values.len() {
            self.values.shrink_to_fit();
        }
        let (len, bytes) = (self.n_rows(), self.values.into_bytes());
        Array { len, bits, values: Values::Strings { offsets: self.offsets, bytes } }
    }
}

/// Rows that are lists of links.
pub(crate) struct Links {
    offsets: Vec<i32>,
    href: Strings,
    text: Strings,
    kind: Strings,
    start: Vec<i32>,
    end: Vec<i32>,
}

impl Default for Links {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            href: Strings::default(),
            text: Strings::default(),
            kind: Strings::default(),
            start: Vec::new(),
            end: Vec::new(),
        }
    }
}

impl Links {
    /// Appends a link to the row that is being built.
    pub(crate) fn push(
        &mut self,
        push_href: impl FnOnce(&mut String),
        text: &str,
        kind: &str,
        (start, end): (u32, u32),
    ) {
        push_href(&mut self.href.values);
        self.text.values.push_str(text);
        self.kind.values.push_str(kind);
        self.start.push(offset(start as usize));
        self.end.push(offset(end as usize));
        for strings in [&mut self.href, &mut self.text, &mut self.kind] {
            strings.end_row();
        }
    }
}

impl Build for Links {
    /// The number of links.
    type Mark = usize;

    fn reserve(&mut self, n_rows: usize, _: usize) {
        self.offsets.reserve(n_rows);
    }

    fn mark(&self) -> usize {
        self.start.len()
    }

    fn reset(&mut self, mark: usize) {
        self.start.truncate(mark);
        self.end.truncate(mark);
        for strings in [&mut self.href, &mut self.text, &mut self.kind] {
            strings.offsets.truncate(mark + 1);
            let len = strings.offsets.last().copied().unwrap_or_default();
            strings.values.truncate(usize::try_from(len).unwrap_or_default());
        }
    }

    fn n_bytes(&self) -> usize {
        self.href.n_bytes().max(self.text.n_bytes()).max(self.kind.n_bytes())
    }

    fn end_row(&mut self) {
        self.offsets.push(offset(self.start.len()));
    }

    fn n_rows(&self) -> usize {
        self.offsets.len() - 1
    }

    fn finish(self, bits: Option<Bits>) -> Array {
        let (len, n_links) = (self.n_rows(), self.start.len());
        let integers =
            |integers| Array { len: n_links, bits: None, values: Values::Integers(integers) };
        let fields = vec![
            self.href.finish(None),
            self.text.finish(None),
            self.kind.finish(None),
            integers(self.start),
            integers(self.end),
        ];
        let items = Array { len: n_links, bits: None, values: Values::Structs(fields) };
        let values = Values::Lists { offsets: self.offsets, items: Box::new(items) };
        Array { len, bits, values }
    }
}
