//! Goes over the bytes of a text that can mean something, left to right, and
//! collects marks. The arms below are the precedence of inline constructs.
//!
//! LINEAR: each construct that is found is skipped whole, and each search that
//! fails either is bounded or leaves a note (backtick runs, HTML horizons) that
//! spares the next one.

use barelink_text::entity::scan_entity;
use barelink_text::find::{Class, Stops};
use barelink_text::set::ASCII_PUNCTUATION;

use super::mark::{Kind, Mark};
use super::{Context, Inlines, angle, join::Text};

impl Inlines {
    pub(super) fn collect<C: Class>(&mut self, text: &Text<'_>, context: Context<'_>) {
        let bytes = text.bytes();
        let mut stops = Stops::<C>::new(text.str.as_bytes(), text.start, text.end);
        while let Some(at) = stops.next() {
            // How far this construct reaches; what it covers is not looked at.
            let end = match bytes[at] {
                b'*' | b'_' | b'~' => self.collect_run(text, at),
                b'\\' => self.collect_backslash(bytes, at),
                b'`' => self.collect_code_span(bytes, at),
                b'<' => self.collect_angle(bytes, at),
                b'[' => {
                    self.open_bracket(text, at, context);
                    continue;
                }
                b']' => match self.close_bracket(text, at, context) {
                    Some(end) => end,
                    None => continue,
                },
                b'&' => match scan_entity(bytes, at) {
                    Some((end, _)) => self.push(Kind::Entity, at, end),
                    None => self.push(Kind::Literal, at, at + 1),
                },
                b'"' | b'>' => {
                    self.push(Kind::Literal, at, at + 1);
                    continue;
                }
                b'\n' => {
                    self.collect_break(text, at);
                    continue;
                }
                _ => continue,
            };
            stops.seek(end);
        }
    }

    /// Adds a mark and returns its end.
    #[inline]
    pub(super) fn push(&mut self, kind: Kind, start: usize, end: usize) -> usize {
        self.marks.push(Mark::new(kind, start, end));
        end
    }

    /// SPEC: 2.4 and 6.7: a backslash before ASCII punctuation or a line ending.
    fn collect_backslash(&mut self, bytes: &[u8], at: usize) -> usize {
        match bytes.get(at + 1) {
            Some(b'<' | b'>' | b'&' | b'"') => self.push(Kind::Literal, at, at + 2),
            Some(b'\n') => self.push(Kind::HardBreak, at, at + 2),
            Some(&byte) if ASCII_PUNCTUATION.contains(byte) => {
                self.push(Kind::Backslash, at, at + 1);
                at + 2
            }
            _ => at + 1,
        }
    }

    fn collect_code_span(&mut self, bytes: &[u8], at: usize) -> usize {
        let run = self.backticks.scan(bytes, at);
        let Some(end) = run.close else { return run.end };
        self.push(Kind::CodeSpan, at, end);
        if let Some(mark) = self.marks.last_mut() {
            mark.mate = (run.end - at) as u32;
        }
        end
    }

    fn collect_angle(&mut self, bytes: &[u8], at: usize) -> usize {
        if let Some(end) = angle::scan_url(bytes, at) {
            self.push(Kind::AngleUrl, at, end)
        } else if let Some(end) = angle::scan_email(bytes, at) {
            self.push(Kind::AngleEmail, at, end)
        } else if let Some(end) = self.horizons.scan(bytes, at) {
            self.push(Kind::RawHtml, at, end)
        } else {
            self.push(Kind::Literal, at, at + 1)
        }
    }

    /// SPEC: 6.7 and 6.8: white space before a line ending goes; two spaces
    /// make it a hard break.
    fn collect_break(&mut self, text: &Text<'_>, at: usize) {
        let bytes = text.bytes();
        let floor = self.marks.last().map_or(text.start, |mark| mark.end as usize);
        let mut start = at;
        while start > floor && matches!(bytes[start - 1], b' ' | b'\t') {
            start -= 1;
        }
        let hard = start + 2 <= at && bytes[at - 2..at] == *b"  ";
        if hard {
            self.push(Kind::HardBreak, start, at + 1);
        } else if start < at {
            self.push(Kind::SoftBreak, start, at + 1);
        }
    }
}
