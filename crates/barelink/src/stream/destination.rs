//! The shortcut of an update in the destination of a definition: what came goes on with it, and
//! nothing is shown of a definition.
//!
//! ```text
//! [label]: chapter-    what was shown: nothing
//! one.html#sec         what came
//! ```
//!
//! As in `append`, debug builds do the same update once more without the shortcut.

use barelink_text::find::{Destination, Stops};

use super::Stream;
use crate::block::live::TextKind;
use crate::tape::{Block, Tape};

impl Stream {
    /// Appends what came to the destination that the source ends with. False if it may be more than
    /// that.
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

    /// Whether what is shown ends with the destination of a definition in no container.
    fn ends_with_destination(&self) -> bool {
        let Some(text) = self.live.open_text() else { return false };
        let Tape { records, references, .. } = &self.parsed.tape;
        let Some(last) = records.last() else { return false };
        let Block::Definition { number } = last.block else { return false };
        let reference = references.get(number);
        // What stands on a line of its own may be another block once it goes on.
        let is_one_line = self.source.as_bytes().get(text.line_start) == Some(&b'[');
        text.is_top
            && text.kind == TextKind::Paragraph
            && is_one_line
            && reference.verbatim
            && reference.destination.end == last.end
            && last.end as usize == self.live.n_shown()
    }
}
