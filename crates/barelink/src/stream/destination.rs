//! The fast path of an update in the destination of a definition: the new source continues it, and
//! a definition is not displayed.
//!
//! ```text
//! [label]: chapter-    so far: nothing is displayed
//! one.html#sec         the new source
//! ```
//!
//! As in `append`, debug builds repeat the update without the fast path.

use barelink_text::find::{Destination, Stops};

use super::Stream;
use crate::block::live::TextKind;
use crate::tape::{Block, Tape};

impl Stream {
    /// Appends the new source to the destination at the end of the source. False if it may need
    /// more than that.
    #[inline(never)]
    pub(super) fn append_destination(&mut self) -> bool {
        if !self.ends_with_destination() || self.is_read_whole() {
            return false;
        }
        let (from, end) = (self.live.n_shown(), self.source.len());
        let source = self.source.as_bytes();
        if !Stops::<Destination>::at_end(source, from).is_done() || source[from..].contains(&0) {
            return false;
        }
        let Tape { records, references, .. } = &mut self.parsed.tape;
        references.extend_last(end as u32);
        if let Some(definition) = records.last_mut() {
            definition.end = end as u32;
        }
        self.live.show_more(end);
        self.changes.clear();
        #[cfg(debug_assertions)]
        self.compare_append();
        true
    }

    /// Whether the source read so far ends with the destination of a definition in no container.
    fn ends_with_destination(&self) -> bool {
        let Some(text) = self.live.open_text() else { return false };
        let Tape { records, references, .. } = &self.parsed.tape;
        let Some(last) = records.last() else { return false };
        let Block::Definition { number } = last.block else { return false };
        let reference = references.get(number);
        // A destination on a separate line may become another block when it continues.
        let is_one_line = self.source.as_bytes().get(text.line_start) == Some(&b'[');
        text.is_top
            && text.kind == TextKind::Paragraph
            && is_one_line
            && reference.verbatim
            && reference.destination.end == last.end
            && last.end as usize == self.live.n_shown()
    }
}
