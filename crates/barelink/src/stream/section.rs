//! The section with the footnotes, which is the last block of a page.
//!
//! LINEAR: it is written again from the first note that changed on. If that is long, it waits until
//! enough has been pushed: see `wait`.

use barelink_text::Span;

use super::Stream;
use super::changes::{BlockChange, common_prefix};
use super::update::{BlockId, BlockKind, BlockState};
use super::wait::{LONG, is_worth};
use crate::block::live::Ending;
use crate::html::footnote::{Contents, push_list_end, push_list_start};
use crate::memory::reserve_sparingly;
use crate::parsed::Parsed;

/// The section as it was shown. Its HTML is in [`Changes::notes`](super::changes::Changes).
#[derive(Debug, Default)]
pub(super) struct Section {
    /// The end of each of its notes.
    ends: Vec<usize>,
    /// The length of the source at that time.
    n_read: usize,
}

impl Section {
    pub(super) fn clear(&mut self) {
        self.ends.clear();
    }
}

impl Stream {
    /// Writes the section again, if it has changed.
    pub(super) fn write_section(&mut self, ending: Ending) {
        let Self { section, source, scratch, parsed: Parsed { options, .. }, changes, .. } = self;
        let shown = &mut changes.notes;
        let notes = &mut scratch.html.notes;
        let is_final = ending == Ending::Final;
        let n_same = notes.n_same().min(section.ends.len());
        let is_changed = n_same < notes.len() || n_same < section.ends.len();
        if shown.is_empty() && notes.is_empty() || !is_changed && !is_final {
            return;
        }
        let from = if n_same == 0 { 0 } else { section.ends[n_same - 1] };
        let len_before = shown.len();
        // The shown source may be shorter than before.
        if !is_final && !is_worth(len_before - from, source.len().saturating_sub(section.n_read)) {
            return;
        }
        let contents = match ending {
            Ending::Tentative => Contents::Kept,
            Ending::Final => Contents::Dropped,
        };
        // The section may be longer than all blocks, so there is only one copy: output that equals
        // what was shown is dropped as it is written, and from the first difference on it replaces
        // what was shown.
        changes.html.shrink_to(LONG);
        let mut html = String::new();
        let (mut keep, mut is_same) = (from, true);
        let mut put = |html: &mut String| {
            if is_same {
                let same = common_prefix(&shown[keep..], html);
                keep += same;
                is_same = same == html.len();
                if is_same {
                    html.clear();
                    return keep;
                }
                shown.truncate(keep);
                reserve_sparingly(html.len() - same, shown);
                shown.push_str(&html[same..]);
                *html = std::mem::take(shown);
            }
            html.len()
        };
        section.ends.truncate(n_same);
        if !notes.is_empty() {
            if n_same == 0 {
                push_list_start(options, &mut html);
            }
            for idx in n_same..notes.len() {
                let mut after_piece = |html: &mut String| {
                    put(html);
                };
                notes.push_item(idx, contents, options, &mut after_piece, &mut html);
                section.ends.push(put(&mut html));
            }
            push_list_end(&mut html);
            put(&mut html);
        }
        if is_same {
            shown.truncate(keep);
        } else {
            *shown = html;
        }
        notes.keep_list();
        section.n_read = source.len();
        if keep < len_before || keep < shown.len() || is_final {
            let len = source.len() as u32;
            let change = BlockChange {
                id: BlockId::NOTES,
                kind: BlockKind::Notes,
                span: Span::new(len, len),
                keep,
                html: keep..shown.len(),
                state: if is_final { BlockState::Settled } else { BlockState::Open },
                pending: None,
                at: self.page.len(),
                len_before,
            };
            changes.blocks.push(change);
        }
    }
}
