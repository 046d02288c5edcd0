//! List items and lists (CommonMark §5.2 and §5.3).
//!
//! ```text
//! marker = ("-" | "+" | "*" | 1*9digit ("." | ")")), then white space or the line's end
//! ```
//!
//! An item's content is indented by the width of its marker and of the white space after it (at
//! most four columns; one if the item starts blank or with indented code).

use super::container::ContainerKind;
use super::line::{Indent, Line};
use super::{CODE_INDENT, Interrupts, Phase};
use crate::tape::{Block, ListNumber, Record};

/// The maximum number of digits of an ordered list's number.
const MAX_DIGITS: usize = 9;

struct Marker {
    /// The length of the marker in bytes.
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
    /// Opens an item, and a list around it unless it continues one.
    pub(super) fn open_item(
        &mut self,
        line: &mut Line<'_>,
        indent: Indent,
        matched: usize,
        interrupts: Interrupts,
    ) -> bool {
        let Some(marker) = scan_marker(line, indent.at) else { return false };
        let mut rest = *line;
        rest.skip_marker(indent, marker.len);
        let after = rest.indent();
        let blank = after.at >= line.end;
        // SPEC: 5.3: only an item with text, and with number 1 if it has one, interrupts a
        // paragraph. The title of an alert does not count as one.
        let is_weak = blank || marker.number.is_some_and(|number| number != 1);
        if interrupts == Interrupts::Paragraph && is_weak && !self.is_after_alert_title() {
            return false;
        }
        let spaces = if blank || after.columns > CODE_INDENT { 1 } else { after.columns };
        self.close_containers(matched);
        let marker_end = indent.at + marker.len;
        let continues = self
            .buffers
            .containers
            .last()
            .is_some_and(|list| list.kind == ContainerKind::List && list.marker == marker.byte);
        if !continues {
            self.open_list(&marker, indent.at, marker_end);
        }
        rest.skip_columns(spaces);
        *line = rest;
        self.push_item(indent.at, marker_end, indent.columns + marker.len + spaces);
        true
    }

    fn open_list(&mut self, marker: &Marker, start: usize, marker_end: usize) {
        self.begin_child();
        // A blank line before the list is not one between its items.
        self.state.after_blank = false;
        let number = marker.number.map(ListNumber::new);
        let list = Record::new(Block::List { number, loose: false }, start, marker_end);
        self.push_container(ContainerKind::List, list, 0);
        if let Some(list) = self.buffers.containers.last_mut() {
            list.marker = marker.byte;
        }
    }

    /// Adds an item to the list that is the innermost container. `indent` is the indentation of its
    /// content in columns.
    #[inline]
    pub(super) fn push_item(&mut self, start: usize, marker_end: usize, indent: usize) {
        // SPEC: 5.3: a blank line between two items makes a list loose.
        if self.state.after_blank
            && let Some(list) = self.buffers.containers.last()
        {
            self.tape.loosen(list.idx as usize);
        }
        let item = Record::new(Block::Item { task: None }, start, marker_end);
        self.push_container(ContainerKind::Item, item, indent);
    }
}
