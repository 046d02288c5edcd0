//! What looks like a link in the text of a leaf, read once alongside its marks.
//!
//! LINEAR: each bracket and parenthesis is visited once. Lookahead from one of them ends at the
//! next of its kind, or is done by `tail`.

use std::num::NonZeroU32;

use barelink_text::Span;

use super::tail::{self, CLOSE, OPEN};
use super::{Flaw, NearLink, looks_like_url};
use crate::inline::Context;
use crate::inline::mark::{Mark, MarkKind, MarkRole};
use crate::memory::PushSparingly as _;
use crate::syntax::destination::MAX_LABEL;
use crate::syntax::text::Text;

/// A leaf whose marks are known.
pub(super) struct NearLeaf<'a> {
    text: &'a Text<'a>,
    bytes: &'a [u8],
    marks: &'a [Mark],
    context: &'a Context<'a>,
    label: &'a mut String,
    mark_idx: usize,
    brackets: Vec<NearBracket>,
    /// Brackets below this index contain a link.
    n_with_link: usize,
    /// The number of open links and images. Brackets in their text are intended.
    n_open: u32,
    parentheses: Vec<usize>,
    /// The pair of parentheses that was closed last.
    closed: Option<(usize, usize)>,
    found: Vec<NearLink>,
}

/// An open `[` or `![`. There may be one for every byte, so it is small.
struct NearBracket {
    /// The offset just after the `[`.
    text_start: u32,
    image: bool,
    /// Whether another bracket has opened inside it.
    has_inner: bool,
    /// Whether it contains a link; set when it is closed.
    has_link: bool,
    /// A destination in parentheses that follows without a `]`.
    glued: Option<(u32, NonZeroU32)>,
}

const _: () = assert!(size_of::<NearBracket>() == 16);

impl NearBracket {
    fn text_start(&self) -> usize {
        self.text_start as usize
    }
}

/// What a bracket opens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opens {
    Link,
    Image,
}

/// Something that looks like a link, in offsets of the leaf's text.
struct Lookalike {
    flaw: Flaw,
    /// The offset where it breaks.
    at: usize,
    image: bool,
    text: Range,
    target: Range,
    /// The offset just after it.
    end: usize,
}

type Range = (usize, usize);

impl<'a> NearLeaf<'a> {
    pub(super) fn new(
        text: &'a Text<'a>,
        marks: &'a [Mark],
        context: &'a Context<'a>,
        label: &'a mut String,
    ) -> Self {
        Self {
            text,
            bytes: text.bytes(),
            marks,
            context,
            label,
            mark_idx: 0,
            brackets: Vec::new(),
            n_with_link: 0,
            n_open: 0,
            parentheses: Vec::new(),
            closed: None,
            found: Vec::new(),
        }
    }

    /// Everything in it that looks like a link but is none, in order.
    pub(super) fn read(mut self) -> Vec<NearLink> {
        let mut at = self.text.start;
        while at < self.text.end {
            match self.marks.get(self.mark_idx) {
                Some(mark) if mark.start as usize <= at && !mark.kind.is_unused() => {
                    self.mark_idx += 1;
                    at = at.max(self.pass(mark));
                }
                Some(mark) if mark.end as usize <= at => self.mark_idx += 1,
                _ => at = self.step(at),
            }
        }
        while let Some(bracket) = self.brackets.pop() {
            if let Some((open, end)) = bracket.glued {
                let (open, end) = (open as usize, end.get() as usize);
                let (text, target) = ((bracket.text_start(), open), (open + 1, end - 1));
                let (flaw, image) = (Flaw::UnclosedText, bracket.image);
                self.push(&Lookalike { flaw, at: open, image, text, target, end });
            }
        }
        self.found.sort_unstable_by_key(|near| near.span.start);
        debug_assert!(self.found.is_sorted_by(|one, two| one.span.start < two.span.start));
        self.found
    }

    /// Skips a construct, and returns its end.
    fn pass(&mut self, mark: &Mark) -> usize {
        let end = mark.end as usize;
        match mark.kind.role() {
            MarkRole::LinkOpen(_) => {
                self.n_open += 1;
                let is_image = matches!(mark.kind, MarkKind::ImageOpen { .. });
                self.open_bracket(end, if is_image { Opens::Image } else { Opens::Link });
            }
            MarkRole::LinkClose => {
                self.n_open = self.n_open.saturating_sub(1);
                self.brackets.pop();
            }
            _ => {}
        }
        match mark.kind {
            MarkKind::LinkClose { .. }
            | MarkKind::AngleUrl
            | MarkKind::AngleEmail
            | MarkKind::FootnoteReference { .. } => self.n_with_link = self.brackets.len(),
            // The byte after it is escaped.
            MarkKind::Backslash => return end + 1,
            // Another construct does not keep the brackets around it from being a link.
            _ => {}
        }
        end
    }

    /// Handles a byte of text, and returns the offset of the next one.
    fn step(&mut self, at: usize) -> usize {
        match self.bytes[at] {
            b'[' => {
                let is_image = at > self.text.start
                    && self.bytes[at - 1] == b'!'
                    && !self.marks[..self.mark_idx].last().is_some_and(|mark| {
                        mark.kind == MarkKind::Backslash && mark.end as usize == at - 1
                    });
                if let Some(end) = self.reversed(at) {
                    return end;
                }
                self.open_bracket(at + 1, if is_image { Opens::Image } else { Opens::Link });
            }
            b']' => return self.close_bracket(at),
            b'(' => {
                self.note_glued(at);
                self.parentheses.push_sparingly(at);
            }
            b')' => {
                if let Some(open) = self.parentheses.pop() {
                    self.closed = Some((open, at));
                }
            }
            _ => {}
        }
        at + 1
    }

    fn open_bracket(&mut self, text_start: usize, opens: Opens) {
        let image = opens == Opens::Image;
        if let Some(outer) = self.brackets.last_mut() {
            outer.has_inner = true;
        }
        self.brackets.push_sparingly(NearBracket {
            text_start: text_start as u32,
            image,
            has_inner: false,
            has_link: false,
            glued: None,
        });
    }

    /// Handles the `]` at `at`, and returns where to continue.
    fn close_bracket(&mut self, at: usize) -> usize {
        let Some(mut bracket) = self.brackets.pop() else { return at + 1 };
        let has_link = !bracket.image && self.brackets.len() < self.n_with_link;
        bracket.has_link = has_link;
        self.n_with_link = self.n_with_link.min(self.brackets.len());
        let is_empty = bracket.text_start() == at;
        match self.bytes.get(at + 1) {
            Some(b'(') => {
                let tail = tail::read(self.bytes, at + 1);
                let flaw = match tail.flaw {
                    None if has_link => Some((Flaw::LinkInText, at)),
                    None => None,
                    flaw => flaw,
                };
                if let Some((flaw, broken)) = flaw {
                    let (image, text) = (bracket.image, (bracket.text_start(), at));
                    let (target, end) = (tail.target, tail.end);
                    self.push(&Lookalike { flaw, at: broken, image, text, target, end });
                }
                at + 1
            }
            Some(b'[') => self.missing_label(&bracket, at),
            _ if self.is_footnote(&bracket, at) => {
                let start = bracket.text_start();
                self.push(&Lookalike {
                    flaw: Flaw::MissingFootnote,
                    at: start,
                    image: false,
                    text: (start, at),
                    target: (start + 1, at),
                    end: at + 1,
                });
                at + 1
            }
            Some(b' ' | b'\t') if !is_empty => {
                self.behind_space(&bracket, at);
                at + 1
            }
            Some(_) if !is_empty && self.bytes[at + 1..].starts_with(OPEN) => {
                self.in_full_width(&bracket, at, at + 1);
                at + 1
            }
            _ => at + 1,
        }
    }

    /// Handles `[text][label]` or `[label][]`, if the label is not defined. Returns where to
    /// continue.
    fn missing_label(&mut self, bracket: &NearBracket, at: usize) -> usize {
        let text = (bracket.text_start(), at);
        let Some(end) = label_end(self.bytes, at + 1) else { return at + 1 };
        let is_collapsed = end == at + 3;
        let label = if is_collapsed { text } else { (at + 2, end - 1) };
        // What looks like a label may be a link itself, or the start of one.
        let is_other = self.marks[self.mark_idx..]
            .iter()
            .find(|mark| mark.start as usize > at)
            .is_some_and(|mark| mark.start as usize == at + 1 && !mark.kind.is_unused());
        let is_label = label.1 - label.0 <= MAX_LABEL
            && !self.bytes[label.0..label.1].trim_ascii().is_empty()
            && !(is_collapsed && bracket.has_inner);
        let goes_on = !is_collapsed && matches!(self.bytes.get(end), Some(b'(' | b'['));
        if is_other || !is_label || goes_on {
            return at + 1;
        }
        let found = self.context.references.find(self.text.str, label.0..label.1, self.label);
        let flaw = match found {
            None => Flaw::MissingDefinition,
            Some(_) if bracket.has_link => Flaw::LinkInText,
            // The definition was not used because the output has reached its limit.
            Some(_) => return at + 1,
        };
        self.push(&Lookalike { flaw, at: label.0, image: bracket.image, text, target: label, end });
        end
    }

    /// Whether this is `[^label]`, and footnotes are on.
    fn is_footnote(&self, bracket: &NearBracket, at: usize) -> bool {
        let label = &self.bytes[bracket.text_start()..at];
        self.context.options.footnotes
            && !bracket.has_inner
            && (2..=MAX_LABEL).contains(&label.len())
            && label[0] == b'^'
            && !label.iter().any(u8::is_ascii_whitespace)
    }

    /// Handles `[text] (destination)`.
    fn behind_space(&mut self, bracket: &NearBracket, close: usize) {
        let mut open = close + 1;
        while matches!(self.bytes.get(open), Some(b' ' | b'\t')) {
            open += 1;
        }
        if self.bytes[open..].starts_with(OPEN) {
            return self.in_full_width(bracket, close, open);
        }
        if self.bytes.get(open) != Some(&b'(') {
            return;
        }
        let tail = tail::read(self.bytes, open);
        let (target, end) = (tail.target, tail.end);
        // `[a] ([b](c))` is two links.
        let is_target = target.0 < target.1 && !self.bytes[target.0..target.1].contains(&b'[');
        if tail.flaw.is_none() && is_target {
            let flaw = Flaw::SpaceBeforeParenthesis;
            let (image, text) = (bracket.image, (bracket.text_start(), close));
            self.push(&Lookalike { flaw, at: close + 1, image, text, target, end });
        }
    }

    /// Handles `[text]（destination）`, with its `（` at `open`.
    fn in_full_width(&mut self, bracket: &NearBracket, close: usize, open: usize) {
        let start = open + OPEN.len();
        // LINEAR: no further than the next parenthesis.
        let mut end = start;
        let close_len = loop {
            match self.bytes.get(end) {
                None | Some(b' ' | b'\t' | b'\n' | b'(') => return,
                Some(b')') => break 1,
                Some(_) if self.bytes[end..].starts_with(CLOSE) => break CLOSE.len(),
                Some(_) if self.bytes[end..].starts_with(OPEN) => return,
                Some(_) => end += 1,
            }
        };
        if end > start {
            self.push(&Lookalike {
                flaw: Flaw::FullWidthParenthesis,
                at: open,
                image: bracket.image,
                text: (bracket.text_start(), close),
                target: (start, end),
                end: end + close_len,
            });
        }
    }

    /// Handles `(text)[destination]` with its `[` at `at`. Returns its end.
    fn reversed(&mut self, at: usize) -> Option<usize> {
        let (open, close) =
            self.closed.filter(|(open, close)| close + 1 == at && open + 1 < *close)?;
        // This is the text of a link that is broken in another way.
        if open > self.text.start && matches!(self.bytes[open - 1], b']') {
            return None;
        }
        let end = label_end(self.bytes, at)?;
        let target = (at + 1, end - 1);
        if matches!(self.bytes.get(end), Some(b'(' | b'[' | b':'))
            || !looks_like_url(self.text.slice(target.0, target.1))
            || self.bytes[target.0..target.1].contains(&b' ')
        {
            return None;
        }
        let (flaw, text) = (Flaw::Reversed, (open + 1, close));
        self.push(&Lookalike { flaw, at: open, image: false, text, target, end });
        Some(end)
    }

    /// Records a `(destination)` right after text whose bracket is still open.
    fn note_glued(&mut self, open: usize) {
        let Some(bracket) = self.brackets.last_mut().filter(|bracket| bracket.glued.is_none())
        else {
            return;
        };
        let is_glued = open > bracket.text_start() && !self.bytes[open - 1].is_ascii_whitespace();
        if !is_glued {
            return;
        }
        let rest = &self.bytes[open + 1..];
        let stop = |byte: &u8| byte.is_ascii_whitespace() || b"()[]<>".contains(byte);
        let Some(len) = rest.iter().position(stop).filter(|&len| rest[len] == b')') else { return };
        let end = open + 1 + len;
        if looks_like_url(self.text.slice(open + 1, end)) {
            bracket.glued = NonZeroU32::new(end as u32 + 1).map(|end| (open as u32, end));
        }
    }

    fn push(&mut self, found: &Lookalike) {
        if self.n_open > 0 {
            return;
        }
        let Lookalike { flaw, at, image, text, target, end } = *found;
        let start = text.0 - 1 - usize::from(image);
        let (span, at) = (self.text.span(start, end), self.text.source_offset(at));
        self.found.push_sparingly(NearLink {
            flaw,
            image,
            span: Span::new(span.start, span.end.max(at)),
            text: self.text.span(text.0, text.1),
            target: self.text.span(target.0, target.1),
            looks_like_url: looks_like_url(self.text.slice(target.0, target.1)),
            at,
        });
    }
}

/// The end of the label whose `[` is at `start`, if it is one.
fn label_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    while at <= start + 1 + MAX_LABEL {
        match bytes.get(at)? {
            b']' => return Some(at + 1),
            b'[' => return None,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    None
}
