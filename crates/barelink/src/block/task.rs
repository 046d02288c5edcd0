//! Task list items (GFM, "Task list items (extension)").
//!
//! ```text
//! task = "[" (" " | "x" | "X") "]" white space      before the first paragraph of an item
//! ```
//!
//! The marker is removed when the paragraph opens, and restored if the paragraph becomes something
//! else: a heading or the header of a table. cmark-gfm never restores it, and also has tasks
//! without text.

use super::container::ContainerKind;
use super::heading::is_blank;
use super::{Phase, Reading};
use crate::tape::Block;

/// The length of a marker in bytes.
const LEN: usize = 3;

impl Phase<'_, '_> {
    /// Removes the marker from the text `start..end` of a paragraph that is about to open, if it
    /// has one. Returns the new start of the text.
    pub(super) fn take_task(&mut self, start: usize, end: usize) -> usize {
        let Some(item) = self.buffers.containers.last() else { return start };
        if item.kind != ContainerKind::Item || item.has_children {
            return start;
        }
        let text = &self.source.as_bytes()[start..end];
        let [b'[', mark @ (b' ' | b'x' | b'X'), b']', rest @ ..] = text else {
            return start;
        };
        let n_blank = rest.iter().take_while(|&&byte| is_blank(byte)).count();
        let may_be_empty = self.options.reading == Reading::CmarkGfm;
        if n_blank == 0 || (n_blank == rest.len() && !may_be_empty) {
            return start;
        }
        self.tape.records[item.idx as usize].block = Block::Item { task: Some(*mark != b' ') };
        self.state.content_end = start + LEN;
        start + LEN + n_blank
    }

    /// SPEC: GFM 5.3: only a paragraph can be a task. The open one becomes something else, so its
    /// marker is text again. True if it had one.
    pub(super) fn give_back_task(&mut self) -> bool {
        let Some(item) = self.buffers.containers.last() else { return false };
        let item_idx = item.idx as usize;
        let is_task = matches!(self.tape.records[item_idx].block, Block::Item { task: Some(_) });
        if !is_task
            || self.state.text_idx != item_idx + 1
            || self.options.reading == Reading::CmarkGfm
        {
            return false;
        }
        self.tape.records[item_idx].block = Block::Item { task: None };
        let start = self.tape.records[self.state.text_idx].start as usize;
        let marker = self.trimmed_end(0, start) - LEN;
        self.tape.extend_start(self.state.text_idx, marker as u32);
        true
    }
}
