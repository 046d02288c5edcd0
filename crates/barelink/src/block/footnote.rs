//! Footnote definitions, as GitHub has them.
//!
//! ```text
//! definition = "[^" label "]:" blocks, indented by four columns after the first line
//! label      = 1*(not white space, not "]")
//! ```
//!
//! A definition is a container. It may interrupt a paragraph. If several have the same label, the
//! first one counts.

use barelink_text::Span;

use super::container::ContainerKind;
use super::line::{Indent, Line};
use super::{CODE_INDENT, Phase};
use crate::tape::{Block, Record};

/// The end of the label of the definition that starts at `at`.
fn scan_definition(line: &Line<'_>, at: usize) -> Option<usize> {
    if line.byte(at) != b'[' || line.byte(at + 1) != b'^' {
        return None;
    }
    let start = at + 2;
    let mut end = start;
    while !matches!(line.byte(end), b']' | b' ' | b'\t' | b'\n' | b'\r' | 0) {
        end += 1;
    }
    (end > start && line.byte(end) == b']' && line.byte(end + 1) == b':').then_some(end)
}

impl Phase<'_, '_> {
    pub(super) fn open_footnote(
        &mut self,
        line: &mut Line<'_>,
        indent: Indent,
        matched: usize,
    ) -> bool {
        let Some(end) = scan_definition(line, indent.at) else { return false };
        self.close_containers(matched);
        self.begin_child();
        let label = Span::new(indent.at as u32 + 2, end as u32);
        let (number, is_new) = self.tape.footnotes.define(self.source, label);
        let block = Block::FootnoteDefinition { number, duplicate: !is_new };
        let definition = Record::new(block, indent.at, end + 2);
        self.push_container(ContainerKind::FootnoteDefinition, definition, CODE_INDENT);
        line.skip_marker(indent, end + 2 - indent.at);
        let spaces = line.indent();
        line.skip_columns(spaces.columns);
        true
    }
}
