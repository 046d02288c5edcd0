//! A document that is open in the editor: its text, kept in step with the editor's.

use std::sync::Arc;

use barelink::Span;
use barelink_check::Settings;

use crate::position::Lines;
use crate::protocol::{Change, Encoding, Range};

/// An open document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) version: i64,
    pub(crate) text: Arc<str>,
    pub(crate) lines: Arc<Lines>,
    /// Whether it is MDX, by its language.
    pub(crate) is_mdx: bool,
    /// How it is checked; `None` if it is not.
    pub(crate) settings: Option<Settings>,
    /// Results of the workers for this version.
    pub(crate) known: Known,
}

/// What the workers found in a version, with the current settings.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) report: Option<Report>,
    pub(crate) fixes: Option<Fixes>,
}

/// What was found, for clients that ask for it.
#[derive(Debug)]
pub(crate) struct Report {
    /// Unique among all reports.
    pub(crate) id: u64,
    /// The list of diagnostics, as it is written.
    pub(crate) diagnostics: String,
}

/// All safe fixes.
#[derive(Debug)]
pub(crate) struct Fixes {
    /// The workspace edit that applies them, as JSON; `None` if there are none.
    pub(crate) edit: Option<String>,
}

impl Document {
    pub(crate) fn new(version: i64, text: String) -> Self {
        let lines = Arc::new(Lines::new(&text));
        let (is_mdx, settings, known) = (false, None, Known::default());
        Self { version, text: text.into(), lines, is_mdx, settings, known }
    }

    /// Applies the changes of a message, in order.
    pub(crate) fn apply(&mut self, version: i64, changes: Vec<Change>, encoding: Encoding) {
        let mut text = String::from(&*self.text);
        for Change { range, text: new } in changes {
            match range {
                Some(range) => {
                    let span = span_of(&text, &self.lines, range, encoding);
                    text.replace_range(span.start as usize..span.end as usize, &new);
                }
                None => text = new,
            }
            self.lines = Arc::new(Lines::new(&text));
        }
        self.version = version;
        self.text = text.into();
        self.known = Known::default();
    }

    /// Converts a range to a span of bytes.
    pub(crate) fn span(&self, range: Range, encoding: Encoding) -> Span {
        span_of(&self.text, &self.lines, range, encoding)
    }
}

fn span_of(text: &str, lines: &Lines, range: Range, encoding: Encoding) -> Span {
    let start = lines.offset(text, range.start, encoding) as u32;
    let end = lines.offset(text, range.end, encoding) as u32;
    Span::new(start.min(end), start.max(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Places;
    use crate::protocol::Position;
    use barelink_spectest::random::{Random, seed_or};

    const PIECES: [&str; 12] =
        ["a", "\n", "\r\n", "\r", "中", "😀", "e\u{301}", " ", "www.a.bc", "[x]", "\u{FEFF}", "\0"];

    fn offset(random: &mut Random, text: &str) -> usize {
        let mut at = random.below(text.len() as u64 + 1) as usize;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        // An editor has no place within CRLF.
        if text[..at].ends_with('\r') && text[at..].starts_with('\n') { at - 1 } else { at }
    }

    #[test]
    fn random_edits_give_the_text_that_the_editor_has() {
        let mut random = Random::new(seed_or(7).unwrap());
        for encoding in [Encoding::Utf16, Encoding::Utf8] {
            let mut text = random.soup(&PIECES);
            let mut document = Document::new(0, text.clone());
            for version in 1..2000 {
                let mut changes = Vec::new();
                for _ in 0..=random.below(3) {
                    let (one, two) = (offset(&mut random, &text), offset(&mut random, &text));
                    let (start, end) = (one.min(two), one.max(two).min(one.min(two) + 12));
                    let is_place = |at: &usize| {
                        text.is_char_boundary(*at)
                            && !(text[..*at].ends_with('\r') && text[*at..].starts_with('\n'))
                    };
                    let end = (start..=end).rev().find(is_place);
                    let end = end.unwrap_or(start);
                    let new = random.soup(&PIECES);
                    let new: String = new.chars().take(8).collect();
                    let lines = Lines::new(&text);
                    let mut places = Places::new(&text, &lines, encoding);
                    let range = places.range(Span::new(start as u32, end as u32));
                    text.replace_range(start..end, &new);
                    changes.push(Change { range: Some(range), text: new });
                }
                document.apply(version, changes, encoding);
                assert_eq!(&*document.text, text);
                assert_eq!(*document.lines, Lines::new(&text));
            }
            document.apply(2000, vec![Change { range: None, text: "x".to_owned() }], encoding);
            assert_eq!((&*document.text, document.version), ("x", 2000));
        }
    }

    #[test]
    fn ranges_that_make_no_sense_do_no_harm() {
        let place = |line, character| Position { line, character };
        for (start, end) in [
            (place(9, 9), place(0, 0)),
            (place(0, 1), place(0, 2)),
            (place(u32::MAX, u32::MAX), place(u32::MAX, u32::MAX)),
        ] {
            let mut document = Document::new(0, "😀\n中".to_owned());
            let change = Change { range: Some(Range { start, end }), text: "x".to_owned() };
            document.apply(1, vec![change], Encoding::Utf16);
            assert!(document.text.contains('x'));
        }
    }
}
