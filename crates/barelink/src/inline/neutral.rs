//! Finds neutral places, where a text can be split: nothing added to the end of the text changes
//! how the part before such a place is parsed, and the part after it is parsed as if the text
//! started there.
//!
//! A place is neutral if white space precedes but does not follow it, and if nothing is open there:
//! no delimiter run that could still be closed, no bracket, no run of backticks or dollar signs, no
//! `<` that may become a tag, no pair of marks, no raw `<a>`; in the dialect natural, no
//! parenthesis or quote. It also must not follow a footnote reference, which has a number.
//!
//! LINEAR: a few passes over the marks and over the text after the last neutral place.

use barelink_autolink::{Dialect, Kind};

use super::delimiter::Delimiter;
use super::emphasis::flanking;
use super::mark::{Mark, MarkKind, MarkRole};
use super::open::{OpenRuns, Run};
use super::{Context, Inlines, autolink, is_natural};
use crate::syntax::text::Text;
use crate::syntax::unfinished::close_tail;

/// In shorter texts, only places after the last mark are considered.
const LONG: usize = 128;

impl Inlines {
    /// Whether a run of backticks is unclosed. The marks are those of the text collected last.
    pub(crate) fn has_open_code(&self) -> bool {
        self.has_stops && self.backticks.has_open()
    }

    /// Whether `at` is inside a reference to an undefined footnote, in the text collected last.
    pub(crate) fn is_as_written(&self, at: u32) -> bool {
        let n_before = self.as_written.partition_point(|(start, _)| *start <= at);
        n_before > 0 && at < self.as_written[n_before - 1].1
    }

    /// Whether the text collected last is displayed as written from `at` on.
    pub(crate) fn is_text_from(&self, at: usize) -> bool {
        let is_shown = |mark: &Mark| {
            matches!(mark.kind, MarkKind::End | MarkKind::Unused)
                || mark.kind == MarkKind::Literal && mark.end - mark.start == 1
        };
        self.marks.iter().rev().take_while(|mark| mark.end as usize > at).all(is_shown)
    }

    /// The last neutral place of the text collected last. `floor` is its [`Inlines::closed_floor`].
    pub(crate) fn neutral_place(
        &self,
        floor: Option<usize>,
        text: &Text<'_>,
        context: &Context<'_>,
    ) -> Option<usize> {
        if let Some(floor) = floor
            && !self.has_open_code()
            && let Some(place) = last_place(text, floor)
        {
            return Some(place);
        }
        if !self.has_stops || self.in_anchor {
            return None;
        }
        let enclosed = if is_natural(context) { Enclosed::of(text) } else { Enclosed::default() };
        let is_place = |at: &usize| is_place(text, *at) && !enclosed.has(*at);
        if self.marks.len() == 1 {
            // Only a run of backticks or dollar signs can be open.
            let sign = if context.options.math { b'$' } else { b'`' };
            let end = memchr::memchr2(b'`', sign, &text.bytes()[text.start..]);
            let end = end.map_or(text.end, |at| text.start + at);
            return (text.start + 1..=end).rev().find(is_place);
        }
        if text.end - text.start < LONG {
            return None;
        }
        let limit = self.first_open(text, context);
        // Backward over the busy ranges: `high` is the least start of those visited.
        let mut high = limit;
        for (start, end) in merged(self.busy(text, context)).into_iter().rev() {
            if let Some(at) = (end.max(text.start + 1)..=high).rev().find(is_place) {
                return Some(at);
            }
            high = high.min(start);
        }
        (text.start + 1..=high).rev().find(is_place)
    }

    /// The end of the last mark, if nothing in the text can be open except a run of backticks,
    /// which is by far the usual case.
    pub(crate) fn closed_floor(&self, text: &Text<'_>, context: &Context<'_>) -> Option<usize> {
        let bytes = text.bytes();
        // DIALECT(natural): parentheses and quotes matter.
        if is_natural(context) && memchr::memchr3(b'(', b')', b'"', &bytes[text.start..]).is_some()
        {
            return None;
        }
        if !self.has_stops {
            return Some(text.start);
        }
        if self.in_anchor {
            return None;
        }
        if context.options.math && memchr::memchr(b'$', &bytes[text.start..]).is_some() {
            return None;
        }
        let mut floor = text.start;
        for mark in &self.marks {
            let is_over = match mark.kind {
                MarkKind::Literal => bytes[mark.start as usize] != b'<',
                MarkKind::RawHtml => {
                    let tag = &bytes[mark.start as usize..mark.end as usize];
                    autolink::anchor_after(tag).is_none()
                }
                MarkKind::Open { .. } | MarkKind::Close { .. } => !is_natural(context),
                MarkKind::LoneQuote { can_open, .. } => !can_open,
                MarkKind::End => break,
                MarkKind::Backslash
                | MarkKind::Entity
                | MarkKind::Quote { .. }
                | MarkKind::Dashes
                | MarkKind::Ellipsis
                | MarkKind::CodeSpan { .. }
                | MarkKind::SoftBreak
                | MarkKind::HardBreak
                | MarkKind::LinkOpen { .. }
                | MarkKind::LinkClose { .. }
                | MarkKind::ImageOpen { .. }
                | MarkKind::ImageClose { .. } => true,
                // If in doubt, it is not: then a place is looked for with more care.
                _ => false,
            };
            if !is_over {
                return None;
            }
            floor = floor.max(mark.end as usize);
        }
        Some(floor)
    }

    /// The start of the first construct that later text could change.
    fn first_open(&self, text: &Text<'_>, context: &Context<'_>) -> usize {
        let bytes = text.bytes();
        let mut first = text.end;
        if let Some(run) = self.open_runs(text, context, text.start).first() {
            first = first.min(run.start);
        }
        if self.has_open_code()
            && let Some(run) = self.open_backticks(text, text.start)
        {
            first = first.min(run.start);
        }
        if context.options.math
            && let Some((run, _)) = self.open_math(text, text.start)
        {
            first = first.min(run.start);
        }
        let is_natural = is_natural(context);
        // Words with bare links have been searched up to here.
        let mut searched = text.start;
        for mark in &self.marks {
            let start = mark.start as usize;
            let is_open = match mark.kind {
                MarkKind::AngleUrl | MarkKind::AngleEmail => false,
                MarkKind::RawHtml => {
                    autolink::anchor_after(&bytes[start..mark.end as usize]).is_some()
                }
                // Late links absorb delimiters that are text so far.
                MarkKind::BareLink { bare } => {
                    let is_late = self.bare[bare.0 as usize].kind == Kind::Email
                        || context.rules.is_some_and(|rules| rules.dialect == Dialect::Md4c);
                    let is_on = |delimiter: Delimiter| delimiter.is_on(context.options);
                    let is_special =
                        |byte: &u8| b"[]".contains(byte) || Delimiter::of(*byte).is_some_and(is_on);
                    let is_taken =
                        is_late && bytes[start..mark.end as usize].iter().any(is_special);
                    // DIALECT(natural): a run inside a link ends it if a later run could close that
                    // run.
                    let word = if is_natural { word_at(text, start.max(searched)) } else { &[] };
                    searched = start.max(searched) + word.len();
                    is_taken || word.windows(2).any(|pair| matches!(pair, b"**" | b"~~"))
                }
                // The mark of an escaped `<` starts with the backslash.
                MarkKind::Literal if bytes[start] == b'<' => matches!(
                    bytes.get(start + 1),
                    None | Some(b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!' | b'?')
                ),
                // For instance a footnote reference, which has a number.
                kind => matches!(kind.role(), MarkRole::Construct),
            };
            if is_open {
                first = first.min(start);
                break;
            }
        }
        self.first_bracket(text, first).map_or(first, |bracket| first.min(bracket))
    }

    /// The first bracket, if one before `limit` is unclosed, or if the text after a closed one may
    /// become the destination or label of a link.
    fn first_bracket(&self, text: &Text<'_>, limit: usize) -> Option<usize> {
        let bytes = text.bytes();
        let first = self.unused_bracket(text)?.start as usize;
        let mut n_open = 0_usize;
        self.each_bracket(text, limit, |_, bracket| match bracket {
            b'[' => n_open += 1,
            _ => n_open = n_open.saturating_sub(1),
        });
        let rest = &bytes[text.start..];
        let mut ends = memchr::memchr_iter(b']', rest);
        let is_tail = |at: usize| match rest.get(at + 1..) {
            Some([b'(', tail @ ..]) => close_tail(tail).is_some(),
            _ => false,
        };
        let may_link = n_open > 0 || bytes.last() == Some(&b']') || ends.any(is_tail);
        may_link.then_some(first)
    }

    /// The first `[` that is not part of a link.
    fn unused_bracket(&self, text: &Text<'_>) -> Option<&Mark> {
        let bytes = text.bytes();
        let is_bracket =
            |mark: &&Mark| mark.kind.is_unused() && bytes[mark.end as usize - 1] == b'[';
        self.marks.iter().find(is_bracket)
    }

    /// Calls `tell` with the offset and byte of each bracket before `limit` that is not part of a
    /// link.
    fn each_bracket(&self, text: &Text<'_>, limit: usize, mut tell: impl FnMut(usize, u8)) {
        let bytes = text.bytes();
        let mut as_written = self.as_written.iter().peekable();
        let mut from = text.start;
        for mark in self.marks.iter().take_while(|mark| (mark.start as usize) < limit) {
            let (start, end) = (mark.start as usize, mark.end as usize);
            if mark.kind.is_unused() && bytes[end - 1] != b'[' {
                continue;
            }
            let gap = &bytes[from..start.max(from)];
            memchr::memchr_iter(b']', gap).for_each(|at| tell(from + at, b']'));
            if mark.kind.is_unused() {
                tell(start, b'[');
            }
            // The character that a backslash escapes is text.
            let n_escaped = usize::from(mark.kind == MarkKind::Backslash);
            from = from.max(end + n_escaped);
            if let Some((_, end)) = as_written.next_if(|(start, _)| *start == mark.end) {
                from = *end as usize;
            }
        }
        let gap = &bytes[from.min(limit)..limit];
        memchr::memchr_iter(b']', gap).for_each(|at| tell(from + at, b']'));
    }

    /// The ranges in which the text cannot be split.
    fn busy(&self, text: &Text<'_>, context: &Context<'_>) -> Vec<(usize, usize)> {
        let mut busy = Vec::with_capacity(self.marks.len());
        for mark in &self.marks {
            if let MarkKind::Unused | MarkKind::End = mark.kind {
                continue;
            }
            let mate_end = mark.kind.mate().map_or(0, |mate| self.marks[mate.get()].end);
            busy.push((mark.start as usize, mark.end.max(mate_end) as usize));
        }
        // In some dialects, bare links depend on whether a bracket is open.
        let n_marks = busy.len();
        if self.unused_bracket(text).is_some() {
            let mut open = Vec::new();
            self.each_bracket(text, text.end, |at, bracket| match bracket {
                b'[' => open.push(at),
                _ => busy.extend(open.pop().map(|start| (start, at + 1))),
            });
        }
        if is_natural(context) {
            let is_note = |(start, _): &&(usize, usize)| text.bytes()[*start..].starts_with(b"[^");
            let notes = busy[n_marks..].iter().filter(is_note).copied().collect();
            self.push_counted(text, context, &Enclosed(merged(notes)), &mut busy);
        }
        busy
    }

    /// DIALECT(natural): bare links depend on which runs count as open before them, whether or not
    /// those are paired in the end. While any is open, the text cannot be split. Runs in what looks
    /// like a footnote reference may count or not, so nothing after them can be decided.
    fn push_counted(
        &self,
        text: &Text<'_>,
        context: &Context<'_>,
        notes: &Enclosed,
        busy: &mut Vec<(usize, usize)>,
    ) {
        let bytes = text.bytes();
        let mut open = OpenRuns::default();
        let mut since = text.start;
        // Everything before this offset is counted, or does not count.
        let mut from = text.start;
        for mark in &self.marks {
            let at = mark.start as usize;
            if let MarkRole::LinkOpen(close) = mark.kind.role() {
                from = from.max(self.marks[close.get()].end as usize);
            }
            let is_run = mark.kind.is_unused() || mark.kind.is_opener() || mark.kind.is_closer();
            let Some(delimiter) = bytes.get(at).copied().and_then(Delimiter::of) else { continue };
            if !is_run || at < from {
                continue;
            }
            if notes.has(at) {
                busy.push((if open.is_empty() { at } else { since }, text.end));
                return;
            }
            let mut end = at;
            while bytes.get(end) == Some(&bytes[at]) {
                end += 1;
            }
            from = end;
            let len = end - at;
            let Some(pairing) = delimiter.pairing(len, context.options) else { continue };
            let flanking = flanking(text, at, end, delimiter, context);
            if open.is_empty() {
                since = at;
            }
            open.count(Run { delimiter, len: len as u32, pairing, flanking });
            if open.is_empty() {
                busy.push((since, end));
            }
        }
        if !open.is_empty() {
            busy.push((since, text.end));
        }
    }
}

/// Sorts ranges and joins those that overlap.
fn merged(mut stretches: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    stretches.sort_unstable();
    stretches.dedup_by(|next, last| {
        let overlap = next.0 < last.1;
        if overlap {
            last.1 = last.1.max(next.1);
        }
        overlap
    });
    stretches
}

/// DIALECT(natural): the ranges in parentheses or double quotes, or after an unclosed one. Bare
/// links depend on them.
#[derive(Debug, Default)]
struct Enclosed(Vec<(usize, usize)>);

impl Enclosed {
    fn of(text: &Text<'_>) -> Self {
        let mut all = Vec::new();
        let (mut depth, mut is_quoted) = (0_usize, false);
        let mut since = None;
        let bytes = &text.bytes()[..text.end];
        for at in memchr::memchr3_iter(b'(', b')', b'"', &bytes[text.start..]) {
            let at = text.start + at;
            match bytes[at] {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                _ => is_quoted = !is_quoted,
            }
            if depth > 0 || is_quoted {
                since.get_or_insert(at);
            } else if let Some(start) = since.take() {
                all.push((start, at));
            }
        }
        all.extend(since.map(|start| (start, text.end)));
        Self(all)
    }

    fn has(&self, at: usize) -> bool {
        let n_before = self.0.partition_point(|(start, _)| *start < at);
        n_before > 0 && at <= self.0[n_before - 1].1
    }
}

/// The text from `at` up to white space.
fn word_at<'t>(text: &Text<'t>, at: usize) -> &'t [u8] {
    let rest = &text.bytes()[at..text.end];
    let len = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    &rest[..len]
}

/// The start of the last word after `floor`.
fn last_place(text: &Text<'_>, floor: usize) -> Option<usize> {
    let bytes = text.bytes();
    let mut at = text.end;
    while at > floor + 1 {
        at -= 1;
        if bytes[at - 1] <= b' ' && is_place(text, at) {
            return Some(at);
        }
    }
    None
}

/// Whether a word starts at `at`, after white space.
fn is_place(text: &Text<'_>, at: usize) -> bool {
    let bytes = text.bytes();
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C);
    matches!(bytes[at - 1], b' ' | b'\n') && at < text.end && !is_blank(bytes[at])
}
