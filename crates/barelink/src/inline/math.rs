//! Math: `$…$`, `$$…$$` and `` $`…`$ ``, as comrak has adopted them from Pandoc.
//!
//! ```text
//! inline  = "$" not a space … not a space "$" not a digit      `\$` inside is part of it
//! display = "$$" … "$$"
//! code    = "$`" … "`$"
//! ```
//!
//! So `$5 and $10` is money. The content is passed on as it is: nothing in it is Markdown.
//!
//! LINEAR: the first dollar sign that could end inline math decides, and the next search starts
//! there. A search that finds none is recorded in [`MathHorizons`] and not repeated.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};

use super::Inlines;
use super::mark::MarkKind;
use crate::event::MathStyle;
use crate::syntax::text::Text;

/// Which closers are known not to occur in the rest of the text.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct MathHorizons {
    inline: bool,
    display: bool,
    code: bool,
}

/// How a run of dollar signs is read.
pub(super) enum Dollars {
    Math { style: MathStyle, end: usize },
    Text { end: usize },
}

impl MathStyle {
    /// The length of its delimiter.
    pub(crate) fn fence_len(self) -> usize {
        match self {
            Self::Inline => 1,
            Self::Display | Self::Code => 2,
        }
    }

    /// Its closing delimiter.
    pub(crate) fn closer(self) -> &'static str {
        match self {
            Self::Inline => "$",
            Self::Display => "$$",
            Self::Code => "`$",
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The dollar signs from `from` on that no backslash precedes.
fn plain_dollars(text: &[u8], from: usize) -> impl Iterator<Item = usize> {
    let dollars = memchr_iter(b'$', &text[from..]).map(move |at| from + at);
    dollars.filter(|&at| at == 0 || text[at - 1] != b'\\')
}

/// The style that the run of dollar signs at `at` may open, and the end of the run.
fn opens(text: &[u8], at: usize) -> (Option<MathStyle>, usize) {
    let end = at + text[at..].iter().take_while(|byte| **byte == b'$').count();
    let style = match (end - at, text.get(end)) {
        (1, Some(b'`')) => Some(MathStyle::Code),
        (1, after) => after.is_some_and(|&byte| !is_space(byte)).then_some(MathStyle::Inline),
        (2, _) => Some(MathStyle::Display),
        _ => None,
    };
    (style, end)
}

impl MathHorizons {
    /// Reads the run of dollar signs at `at`.
    pub(super) fn scan(&mut self, text: &[u8], at: usize) -> Dollars {
        let (style, after) = opens(text, at);
        let found = match style {
            None => None,
            Some(MathStyle::Inline) => self.inline_end(text, after),
            Some(MathStyle::Display) => self.display_end(text, after),
            Some(MathStyle::Code) => self.code_end(text, after),
        };
        match (style, found) {
            (Some(style), Some(end)) => Dollars::Math { style, end },
            _ => Dollars::Text { end: after },
        }
    }

    fn inline_end(&mut self, text: &[u8], from: usize) -> Option<usize> {
        if self.inline {
            return None;
        }
        let Some(at) = plain_dollars(text, from).next() else {
            self.inline = true;
            return None;
        };
        let is_end = !is_space(text[at - 1]) && !text.get(at + 1).is_some_and(u8::is_ascii_digit);
        is_end.then_some(at + 1)
    }

    fn display_end(&mut self, text: &[u8], mut from: usize) -> Option<usize> {
        while !self.display {
            match memchr(b'$', &text[from..]) {
                Some(len) if text.get(from + len + 1) == Some(&b'$') => {
                    return Some(from + len + 2);
                }
                Some(len) => from += len + 1,
                None => self.display = true,
            }
        }
        None
    }

    /// `tick` is the offset of the opening backtick.
    fn code_end(&mut self, text: &[u8], tick: usize) -> Option<usize> {
        if self.code {
            return None;
        }
        let found = memmem::find(&text[tick..], b"`$");
        self.code = found.is_none();
        // The content must not be empty.
        found.filter(|len| *len >= 2).map(|len| tick + len + 2)
    }
}

impl Inlines {
    /// Finds the first run of dollar signs from `floor` on that is text, but may become math by
    /// what follows, and its style. A run at the very end may still become anything.
    pub(crate) fn open_math(
        &self,
        text: &Text<'_>,
        floor: usize,
    ) -> Option<(Range<usize>, MathStyle)> {
        let bytes = text.bytes();
        let last_plain = plain_dollars(bytes, text.start).last();
        let mut from = floor.max(text.start);
        for mark in &self.marks {
            if mark.kind == MarkKind::Unused {
                continue;
            }
            let to = (mark.start as usize).max(from);
            while let Some(len) = memchr(b'$', &bytes[from..to]) {
                let start = from + len;
                let (style, end) = opens(bytes, start);
                from = end.min(to);
                match style {
                    _ if end == text.end => return Some((start..end, style?)),
                    Some(MathStyle::Inline) if last_plain.is_some_and(|last| last > start) => {}
                    Some(MathStyle::Code) if bytes[end..].starts_with(b"`$") => {}
                    Some(MathStyle::Code) if bytes[end..].starts_with(b"``$") => {}
                    Some(style) => return Some((start..end, style)),
                    None => {}
                }
            }
            // The character that a backslash escapes is text.
            let n_escaped = usize::from(mark.kind == MarkKind::Backslash);
            from = from.max(mark.end as usize + n_escaped);
        }
        None
    }
}
