//! List items and lists (CommonMark §5.2 and §5.3).
//!
//! ```text
//! marker = ("-" | "+" | "*" | 1*9digit ("." | ")")), then white space or the line's end
//! ```
//!
//! An item's lines are indented by the width of its marker and of the white
//! space after it (at most four columns; one if the item starts blank or with
//! indented code).

use super::line::{Indent, Line};
use super::tape::{Block, Kind, LOOSE, VARIANT};
use super::{CODE_INDENT, Phase};

/// Digits that an ordered list's number may have.
const MAX_DIGITS: usize = 9;

struct Marker {
    /// Bytes of the marker.
    len: usize,
    /// The bullet, or the delimiter after the number.
    byte: u8,
    /// The number of an ordered list's item.
    number: Option<u32>,
}

fn scan_marker(line: &Line<'_>, at: usize) -> Option<Marker> {
    let first = line.byte(at);
    let marker = if first.is_ascii_digit() {
        let mut number = 0;
        let mut len = 0;
        while line.byte(at + len).is_ascii_digit() {
            if len == MAX_DIGITS {
                return None;
            }
            number = number * 10 + u32::from(line.byte(at + len) - b'0');
            len += 1;
        }
        let byte = line.byte(at + len);
        if !matches!(byte, b'.' | b')') {
            return None;
        }
        Marker { len: len + 1, byte, number: Some(number) }
    } else {
        Marker { len: 1, byte: first, number: None }
    };
    matches!(line.byte(at + marker.len), b' ' | b'\t' | b'\n').then_some(marker)
}

impl Phase<'_, '_> {
    /// Takes the line if it is the next item of a list, as most lines of long lists are:
    /// perhaps spaces, then the same bullet, a space, and text. Lists may nest, but there
    /// may be no other container. Nothing that is open in the item before can take such a
    /// line.
    #[inline]
    pub(super) fn next_item(&mut self, start: usize, end: usize) -> bool {
        let line = &self.source.as_bytes()[start..end];
        let n_spaces = line.iter().take_while(|&&byte| byte == b' ').count();
        let &[bullet @ (b'-' | b'+' | b'*'), b' ', first, ..] = &line[n_spaces..] else {
            return false;
        };
        let mut columns = n_spaces;
        let (lists, _) = self.buffers.containers.as_chunks::<2>();
        // The list is that of the first item which the line does not belong to.
        let found = lists.iter().position(|[list, item]| {
            let is_inside = list.kind == Kind::List && columns >= item.indent as usize;
            columns -= if is_inside { item.indent as usize } else { 0 };
            !is_inside
        });
        let Some(depth) = found else { return false };
        let list = lists[depth][0];
        if list.marker != bullet || columns >= CODE_INDENT || !self.is_text(first) {
            return false;
        }
        self.close_containers(2 * depth + 1);
        if self.after_blank {
            self.tape.blocks[list.idx as usize].flags |= LOOSE;
        }
        let at = start + n_spaces;
        self.push_container(Block::new(Kind::Item, at, at + 1), 0, columns + 2);
        self.open_paragraph(at + 2, end);
        true
    }

    /// Opens an item, and a list around it unless it continues one.
    pub(super) fn open_item(
        &mut self,
        line: &mut Line<'_>,
        indent: Indent,
        matched: usize,
        interrupts: bool,
    ) -> bool {
        let Some(marker) = scan_marker(line, indent.at) else { return false };
        let mut rest = *line;
        rest.skip_marker(indent, marker.len);
        let after = rest.indent();
        let blank = after.at >= line.end;
        // SPEC: 5.3: only an item with text, and of number 1, interrupts a paragraph. The
        // title of an alert is none.
        let is_weak = blank || marker.number.is_some_and(|number| number != 1);
        if interrupts && is_weak && !self.is_after_alert_title() {
            return false;
        }
        let spaces = if blank || after.columns > CODE_INDENT { 1 } else { after.columns };
        self.close_containers(matched);
        let marker_end = indent.at + marker.len;
        match self.buffers.containers.last_mut() {
            Some(list) if list.kind == Kind::List && list.marker == marker.byte => {
                if self.after_blank {
                    self.tape.blocks[list.idx as usize].flags |= LOOSE;
                }
            }
            _ => {
                self.begin_child();
                let mut block = Block::new(Kind::List, indent.at, marker_end);
                block.aux = u16::from(marker.byte);
                if let Some(number) = marker.number {
                    block.flags |= VARIANT;
                    block.data = number;
                }
                self.push_container(block, marker.byte, 0);
            }
        }
        rest.skip_columns(spaces);
        *line = rest;
        let block = Block::new(Kind::Item, indent.at, marker_end);
        self.push_container(block, 0, indent.columns + marker.len + spaces);
        true
    }
}
