//! The section with the footnotes, which is the last block of a page.
//!
//! LINEAR: it is written again from the first note that changed on. What is long waits until much
//! came, as `wait` says.

use barelink_text::Span;

use super::Stream;
use super::changes::{Change, common_prefix};
use super::update::{BlockId, BlockKind, BlockState};
use super::wait::is_worth;
use crate::block::live::Ending;
use crate::html::footnote::{Contents, push_list_end, push_list_start};
use crate::memory::reserve_sparingly;
use crate::parsed::Parsed;

/// The section, as it was shown.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) html: String,
    /// Where each of its notes ends.
    ends: Vec<usize>,
    /// The length of the source then.
    n_read: usize,
}

impl Section {
    pub(super) fn clear(&mut self) {
        self.html.clear();
        self.ends.clear();
    }
}

impl Stream {
    /// Writes the section anew, if it is not as it was shown.
    pub(super) fn write_section(&mut self, ending: Ending) {
        let Self { section, source, scratch, parsed: Parsed { options, .. }, .. } = self;
        let notes = &mut scratch.html.notes;
        let is_final = ending == Ending::Final;
        let n_same = notes.n_same().min(section.ends.len());
        let is_changed = n_same < notes.len() || n_same < section.ends.len();
        if section.html.is_empty() && notes.is_empty() || !is_changed && !is_final {
            return;
        }
        let from = if n_same == 0 { 0 } else { section.ends[n_same - 1] };
        let n_old = section.html.len() - from;
        // What is shown of the source may be shorter than before.
        if !is_final && !is_worth(n_old, source.len().saturating_sub(section.n_read)) {
            return;
        }
        let contents = match ending {
            Ending::Tentative => Contents::Kept,
            Ending::Final => Contents::Dropped,
        };
        // It may be longer than all blocks. So what is as it was shown is dropped as it is written.
        let html = &mut self.changes.html;
        let start = html.len();
        let (shown, mut keep, mut is_same) = (&section.html[from..], 0, true);
        let mut drop_shown = |html: &mut String| {
            // LINEAR: what follows the first difference is not compared.
            if is_same {
                let same = common_prefix(&shown[keep..], &html[start..]);
                is_same = start + same == html.len();
                keep += same;
                html.replace_range(start..start + same, "");
            }
            from + keep + html.len() - start
        };
        section.ends.truncate(n_same);
        if !notes.is_empty() {
            if n_same == 0 {
                push_list_start(options, html);
            }
            for idx in n_same..notes.len() {
                let mut after_piece = |html: &mut String| {
                    drop_shown(html);
                };
                notes.push_item(idx, contents, options, &mut after_piece, html);
                section.ends.push(drop_shown(html));
            }
            push_list_end(html);
            drop_shown(html);
        }
        notes.keep_list();
        section.n_read = source.len();
        let len_before = section.html.len();
        section.html.truncate(from + keep);
        reserve_sparingly(html.len() - start, &mut section.html);
        section.html.push_str(&html[start..]);
        if keep < n_old || start < html.len() || is_final {
            let len = source.len() as u32;
            let change = Change {
                id: BlockId::NOTES,
                kind: BlockKind::Notes,
                span: Span::new(len, len),
                keep: from + keep,
                html: start..html.len(),
                state: if is_final { BlockState::Settled } else { BlockState::Open },
                pending: None,
                at: self.page.len(),
                len_before,
            };
            self.changes.blocks.push(change);
        }
    }
}
