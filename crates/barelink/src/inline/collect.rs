//! Visits the bytes of a text that may be markup, left to right, and collects marks. The match arms
//! below define the precedence of inline constructs.
//!
//! LINEAR: each construct that is found is skipped whole, and each search that fails is either
//! bounded or recorded (backtick runs, HTML horizons), so that it is not repeated.

use barelink_text::entity::{Decoded, scan_entity};
use barelink_text::find::{Class, Stops};
use barelink_text::set::ASCII_PUNCTUATION;

use super::autolink::{self, Scan};
use super::bracket::find_inline;
use super::delimiter::Delimiter;
use super::mark::{Mark, MarkKind};
use super::math::Dollars;
use super::recorder::Recorder;
use super::{Context, Inlines, angle, wiki};
use crate::memory::{PushSparingly as _, give_back};
use crate::syntax::destination::{Delimited, scan_label};
use crate::syntax::text::Text;

/// For texts longer than this, memory for delimiters is given back.
const LONG: usize = 2048;

impl Inlines {
    /// Collects the marks of a text and resolves its emphasis and bare links.
    #[inline(never)] // There is a copy for each kernel.
    pub(super) fn collect<C: Class + Clone, R: Recorder>(
        &mut self,
        text: &Text<'_>,
        context: &Context<'_>,
        mut scan: Option<&mut Scan<'_, '_>>,
        recorder: &mut R,
    ) {
        let bytes = text.bytes();
        let mut stops = Stops::<C>::new(text.str.as_bytes(), text.start, text.end);
        if scan.is_none() && stops.is_done() {
            self.has_stops = false;
            self.marks.clear();
            self.push(MarkKind::End, text.end, text.end);
            if context.options.emoji {
                self.links.clear();
                self.find_emoji(text);
            }
            return;
        }
        self.clear();
        let mut next_candidate = scan.as_ref().map_or(usize::MAX, |scan| scan.next);
        // Everything before this offset is settled.
        let mut floor = text.start;
        while let Some(at) = stops.next() {
            if next_candidate < at
                && let Some(scan) = &mut scan
            {
                let linked = self.link_before(text, scan, floor..at, recorder);
                next_candidate = scan.next;
                if let Some(end) = linked {
                    floor = end;
                    stops.seek(end);
                    continue;
                }
            }
            // The end of this construct; bytes inside it are skipped.
            floor = match bytes[at] {
                b'*' => self.collect_run(text, at, Delimiter::Star, context),
                b'_' => self.collect_run(text, at, Delimiter::Underscore, context),
                b'\\' => self.collect_backslash(bytes, at),
                b'`' => self.collect_code_span(bytes, at, &mut stops),
                b'<' => self.collect_angle(bytes, at),
                b'[' => {
                    let Some(end) = self.collect_wiki_link(bytes, at, context) else {
                        self.open_bracket(text, at, context);
                        continue;
                    };
                    end
                }
                b']' => {
                    let label = match bytes.get(at + 1) {
                        Some(b'[') => scan_label(bytes, at + 1, stops.clone()),
                        _ => None,
                    };
                    match self.collect_closed(text, at, label, context) {
                        Some(end) => end,
                        None => continue,
                    }
                }
                b'&' => self.collect_entity(bytes, at),
                b'$' if context.options.math => match self.dollars.scan(bytes, at) {
                    Dollars::Math { style, end } => self.push(MarkKind::Math { style }, at, end),
                    Dollars::Text { end } => end,
                },
                b'"' | b'\'' if Self::is_smart::<C>(context) => {
                    self.collect_quote(text, at, context);
                    continue;
                }
                b'-' | b'.' if Self::is_smart::<C>(context) => {
                    if let Some(end) = self.collect_smart_run(bytes, at) {
                        stops.seek(end);
                    }
                    continue;
                }
                b'\'' => continue,
                b'"' | b'>' => {
                    self.push(MarkKind::Literal, at, at + 1);
                    continue;
                }
                b'\n' => {
                    if matches!(bytes[text.start..at].last(), Some(b' ' | b'\t')) {
                        self.collect_break(text, at);
                    } else {
                        recorder.line_end(at);
                    }
                    continue;
                }
                byte => match Delimiter::of(byte) {
                    Some(delimiter) => self.collect_run(text, at, delimiter, context),
                    None => continue,
                },
            };
            stops.seek(floor);
        }
        if next_candidate < text.end
            && let Some(scan) = &mut scan
        {
            self.link_before(text, scan, floor..text.end, recorder);
        }
        self.resolve_all(text);
        self.push(MarkKind::End, text.end, text.end);
        if (scan.is_some() || self.has_email)
            && let Some(rules) = context.rules
        {
            self.link_late(text, rules, recorder);
        }
        if context.options.emoji {
            self.find_emoji(text);
        }
    }

    /// Pairs all delimiters; no run stays open.
    #[inline]
    fn resolve_all(&mut self, text: &Text<'_>) {
        self.resolve_emphasis(0);
        if text.end - text.start > LONG {
            self.give_back();
        }
    }

    /// Frees memory that is not needed once the marks are settled.
    #[cold]
    #[inline(never)]
    fn give_back(&mut self) {
        give_back(&mut self.delimiters);
        give_back(&mut self.brackets);
    }

    /// Whether smart punctuation is on. If the class has no apostrophes, it is off at compile time.
    #[inline]
    fn is_smart<C: Class>(context: &Context<'_>) -> bool {
        let is_found = const { C::SET.contains(b'\'') };
        is_found && context.options.smart_punctuation
    }

    /// Adds a mark and returns its end.
    #[inline]
    pub(super) fn push(&mut self, kind: MarkKind, start: usize, end: usize) -> usize {
        self.marks.push_sparingly(Mark::new(kind, start, end));
        end
    }

    /// SPEC: 2.4 and 6.7: a backslash before ASCII punctuation or a line ending.
    fn collect_backslash(&mut self, bytes: &[u8], at: usize) -> usize {
        match bytes.get(at + 1) {
            Some(b'<' | b'>' | b'&' | b'"') => self.push(MarkKind::Literal, at, at + 2),
            Some(b'\n') => self.push(MarkKind::HardBreak, at, at + 2),
            Some(&byte) if ASCII_PUNCTUATION.contains(byte) => {
                // DIALECT(gfm): `a\@b.cd` still is an address.
                self.has_email |= byte == b'@';
                self.push(MarkKind::Backslash, at, at + 1);
                at + 2
            }
            _ => at + 1,
        }
    }

    fn collect_entity(&mut self, bytes: &[u8], at: usize) -> usize {
        let Some((end, decoded)) = scan_entity(bytes, at) else {
            return self.push(MarkKind::Literal, at, at + 1);
        };
        // DIALECT(gfm): `a&#64;b.cd` is an address, without an `@` in the source.
        self.has_email |= matches!(decoded, Decoded::Char('@') | Decoded::Named("@"));
        self.push(MarkKind::Entity, at, end)
    }

    fn collect_code_span<C: Class + Clone>(
        &mut self,
        bytes: &[u8],
        at: usize,
        stops: &mut Stops<'_, C>,
    ) -> usize {
        let run = self.backticks.scan(bytes, at, stops);
        let Some(end) = run.close else { return run.end };
        let n_backticks = (run.end - at) as u32;
        self.push(MarkKind::CodeSpan { n_backticks }, at, end)
    }

    #[inline]
    fn collect_wiki_link(
        &mut self,
        bytes: &[u8],
        at: usize,
        context: &Context<'_>,
    ) -> Option<usize> {
        if !context.options.wiki_links || !self.brackets.is_empty() {
            return None;
        }
        let (pipe, end) = wiki::scan(bytes, at)?;
        Some(self.push(MarkKind::WikiLink { pipe }, at, end))
    }

    /// Closes the bracket at the `]` at `at`, before `label` if there is one. Returns the end of the
    /// construct that this makes of it, if any: an inline link or image, one by a definition, a
    /// footnote reference, in this order.
    fn collect_closed(
        &mut self,
        text: &Text<'_>,
        at: usize,
        label: Option<Delimited>,
        context: &Context<'_>,
    ) -> Option<usize> {
        let opener = self.pop_bracket()?;
        let found = match find_inline(text, &opener, at) {
            None => self.find_reference(text, &opener, at, label, context.references),
            found => found,
        };
        match found {
            Some((link, end)) => Some(self.push_link(&opener, at, link, end)),
            None => self.collect_footnote(text, &opener, at, context),
        }
    }

    fn collect_angle(&mut self, bytes: &[u8], at: usize) -> usize {
        if let Some(end) = angle::scan_url(bytes, at) {
            self.deactivate_links();
            self.push(MarkKind::AngleUrl, at, end)
        } else if let Some(end) = angle::scan_email(bytes, at) {
            self.deactivate_links();
            self.push(MarkKind::AngleEmail, at, end)
        } else if let Some(end) = self.horizons.scan(bytes, at) {
            self.in_anchor = autolink::anchor_after(&bytes[at..end]).unwrap_or(self.in_anchor);
            self.push(MarkKind::RawHtml, at, end)
        } else {
            self.push(MarkKind::Literal, at, at + 1)
        }
    }

    /// SPEC: 6.7 and 6.8: white space before a line ending is removed; two spaces make it a hard
    /// break. (A line ending without white space is text.)
    fn collect_break(&mut self, text: &Text<'_>, at: usize) {
        let bytes = text.bytes();
        let floor = self.marks.last().map_or(text.start, |mark| mark.end as usize);
        let mut start = at;
        while start > floor && matches!(bytes[start - 1], b' ' | b'\t') {
            start -= 1;
        }
        let hard = start + 2 <= at && bytes[at - 2..at] == *b"  ";
        let kind = if hard { MarkKind::HardBreak } else { MarkKind::SoftBreak };
        self.push(kind, start, at + 1);
    }
}
