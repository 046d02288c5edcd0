//! A text node: text between other nodes, with its escapes and entities decoded, and a map from
//! each byte to its place in the source.
//!
//! ```text
//! written   a&#64;b\.cd
//! decoded   a@b.cd
//! anchors   (0,0) (1,1) (2,6) (3,7) (3,8) (6,11)      decoded offset, written offset
//! ```
//!
//! Between two anchors both texts advance byte by byte, except in a decoded entity.

use crate::inline::mark::{Mark, MarkKind};
use crate::memory::{PushSparingly as _, give_back};
use crate::syntax::text::Text;
use crate::syntax::unescape::unescape;

/// The bounds of a text node, and of its marks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The marks that belong to it, `end_mark` excluded.
    pub(super) first_mark: usize,
    pub(super) end_mark: usize,
}

/// A decoded offset and the written offset that corresponds to it.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    decoded: u32,
    written: u32,
}

/// A decoded text with its map; a reusable buffer.
#[derive(Debug, Default)]
pub(super) struct DecodedText {
    pub(super) string: String,
    anchors: Vec<Anchor>,
}

impl DecodedText {
    /// Decodes the node of `text`; `marks` are its marks.
    pub(super) fn decode(&mut self, text: &Text<'_>, node: Node, marks: &[Mark]) {
        self.string.clear();
        self.anchors.clear();
        let mut from = node.start;
        self.add_anchor(from);
        for mark in marks {
            let (start, end) = (mark.start as usize, mark.end as usize);
            let hidden = match mark.kind {
                MarkKind::Entity | MarkKind::Backslash => end,
                MarkKind::Literal if end == start + 2 => start + 1,
                _ => continue,
            };
            self.string.push_str(text.slice(from, start));
            self.add_anchor(start);
            if mark.kind == MarkKind::Entity {
                self.string.push_str(&unescape(text.slice(start, end)));
            }
            from = hidden;
            self.add_anchor(from);
        }
        self.string.push_str(text.slice(from, node.end));
        self.add_anchor(node.end);
    }

    /// Maps what is decoded next to the offset `written`.
    fn add_anchor(&mut self, written: usize) {
        let decoded = self.string.len() as u32;
        self.anchors.push_sparingly(Anchor { decoded, written: written as u32 });
    }

    /// The written offset of an offset in the decoded text. At an escape or entity it is the start
    /// of that: text that starts there includes it, and text that ends there does not.
    pub(super) fn written(&self, at: usize) -> usize {
        let at = at as u32;
        let next = self.anchors.partition_point(|anchor| anchor.decoded < at);
        let offset = match self.anchors.get(next) {
            Some(anchor) if anchor.decoded == at => anchor.written,
            anchor_behind => {
                let before = self.anchors[next.saturating_sub(1)];
                let limit = anchor_behind.map_or(u32::MAX, |anchor| anchor.written);
                (before.written + (at - before.decoded)).min(limit)
            }
        };
        offset as usize
    }

    /// Frees memory that only a long leaf needs.
    pub(super) fn shrink(&mut self) {
        give_back(&mut self.anchors);
    }
}
