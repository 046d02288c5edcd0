//! The floor: the work that no engine of this kind can avoid, and nothing else.
//!
//! Lines are split and noted, the bytes that could mean something are
//! collected, and the text is copied with what HTML escapes escaped, a paragraph at
//! a time, with the kernels that Barelink uses. No block is told from another and no
//! mark means anything, so what comes out is of no use. How far an engine's speed
//! lies below this one is what Markdown costs it.

use barelink_text::find::{Ahead, Inline, LineEnd, Slots, Stops};

use crate::engines::Engine;

/// Its name in tables. It is not an engine.
pub const FLOOR: &str = "floor";

/// The memory that the steps pass on to each other.
#[derive(Debug, Default)]
pub struct Floor {
    slots: Slots,
    /// Where lines of the paragraph begin.
    lines: Vec<u32>,
    /// Where it has bytes that could mean something.
    marks: Vec<u32>,
    out: String,
}

impl Engine for Floor {
    fn html(&mut self, source: &str) -> &[u8] {
        self.out.clear();
        let (mut paragraph, mut line) = (0, 0);
        let mut slots = std::mem::take(&mut self.slots);
        for end in Ahead::<LineEnd>::new(source.as_bytes(), 0, &mut slots) {
            self.lines.push(line as u32);
            if line == end {
                self.push_paragraph(source, paragraph, end + 1);
                paragraph = end + 1;
            }
            line = end + 1;
        }
        self.push_paragraph(source, paragraph, source.len());
        self.slots = slots;
        self.out.as_bytes()
    }
}

impl Floor {
    fn push_paragraph(&mut self, source: &str, start: usize, end: usize) {
        let bytes = source.as_bytes();
        self.marks.clear();
        let marks = Stops::<Inline<false, false, false>>::new(bytes, start, end);
        self.marks.extend(marks.map(|at| at as u32));
        let mut from = start;
        for at in self.marks.iter().map(|&at| at as usize) {
            let entity = match bytes[at] {
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'&' => "&amp;",
                b'"' => "&quot;",
                _ => continue,
            };
            self.out.push_str(&source[from..at]);
            self.out.push_str(entity);
            from = at + 1;
        }
        self.out.push_str(&source[from..end]);
        std::hint::black_box(&self.lines);
        self.lines.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::Floor;
    use crate::engines::Engine as _;

    #[test]
    fn text_is_escaped_and_nothing_is_lost() {
        let mut floor = Floor::default();
        let source = "# a < *b*\n& \"c\"\n\n> d\r\n\n\ne";
        let escaped = "# a &lt; *b*\n&amp; &quot;c&quot;\n\n&gt; d\r\n\n\ne";
        assert_eq!(floor.html(source), escaped.as_bytes());
        assert_eq!(floor.html(""), b"");
    }
}
