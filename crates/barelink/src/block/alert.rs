//! Alerts, as GitHub has them: a block quote whose first line is a kind in
//! brackets.
//!
//! ```text
//! > [!NOTE]
//! > The rest of the block quote is the alert's content.
//! ```
//!
//! Only at the top level of a document, and only if something follows; letter
//! case does not matter.

use super::container::ContainerKind;
use super::{OpenLeaf, Phase};
use crate::event::AlertKind;
use crate::syntax::text::Text;
use crate::tape::pieces::Layout;
use crate::tape::{Block, Record};

/// The kind of alert that the line at `start` names, and the end of that line.
fn scan_title(text: &[u8], start: usize) -> Option<(AlertKind, usize)> {
    let rest = text.get(start..)?;
    let rest = rest.strip_prefix(b"[!")?;
    let end = memchr::memchr(b']', rest)?;
    let kind = AlertKind::ALL
        .iter()
        .copied()
        .find(|kind| rest[..end].eq_ignore_ascii_case(kind.name().as_bytes()))?;
    let blank = rest[end + 1..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let line_end = start + 2 + end + 1 + blank;
    let is_line_end = matches!(text.get(line_end), None | Some(b'\n'));
    is_line_end.then_some((kind, line_end))
}

impl Phase<'_, '_> {
    /// Whether the previous line is the title of an alert: still an open paragraph, or already
    /// taken as the title while this line was tried.
    pub(super) fn is_after_alert_title(&self) -> bool {
        let [quote] = self.buffers.containers.as_slice() else { return false };
        match self.state.leaf {
            OpenLeaf::None => self.state.alert_title.is_some(),
            OpenLeaf::Paragraph
                if self.options.alerts && self.state.text_idx == quote.idx as usize + 1 =>
            {
                let paragraph = self.tape.records[self.state.text_idx];
                let text = &self.source.as_bytes()[..paragraph.end as usize];
                // LINEAR: if this line, which has a `>`, continues the paragraph, it is stored in
                // pieces and not checked again.
                quote.kind == ContainerKind::BlockQuote
                    && !matches!(paragraph.layout(), Layout::Pieces(_))
                    && scan_title(text, paragraph.start as usize)
                        .is_some_and(|(_, end)| end == text.len())
            }
            _ => false,
        }
    }

    /// Marks the block quote that starts with the closing `paragraph`, whose record has just been
    /// taken off the tape, as an alert, if the first line of its text is a title. Returns the start
    /// of what follows that line: past the end of the text, if nothing does.
    pub(super) fn take_alert_title(&mut self, paragraph: Record, text: &Text<'_>) -> Option<usize> {
        let [quote] = self.buffers.containers.as_slice() else { return None };
        let quote_idx = quote.idx as usize;
        let starts_quote = quote_idx + 1 == self.tape.records.len();
        if !self.options.alerts || quote.kind != ContainerKind::BlockQuote || !starts_quote {
            return None;
        }
        let (kind, end) = scan_title(text.bytes(), text.start)?;
        self.tape.records[quote_idx].block = Block::Quote { alert: Some(kind) };
        if end >= text.end {
            self.state.alert_title = Some(paragraph);
        }
        Some(end + 1)
    }

    /// Ends the block quote at `idx`: an alert without content becomes a block quote again, with
    /// its title as text.
    pub(super) fn close_quote(&mut self, idx: usize) {
        if matches!(self.tape.records[idx].block, Block::Quote { alert: Some(_) })
            && let Some(title) = self.state.alert_title.take()
            && idx + 1 == self.tape.records.len()
        {
            self.tape.records[idx].block = Block::Quote { alert: None };
            self.tape.push(title);
        }
    }
}
