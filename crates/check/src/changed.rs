//! Checks a new version of a document only where it differs from the previous one.
//!
//! The meaning of a top-level block depends only on its own text, except for definitions, footnotes
//! and comments. The same holds for an item of a top-level list, and for a row of a table except
//! for the number of columns. So the blocks before and after a change have the same findings in
//! both versions, if they start at the same places:
//!
//! ```text
//! before   # One ¶ two ¶ three ¶ four
//! after    # One ¶ two ¶ thr-ee ¶ four
//!                  └── checked ──┘     one block more than what changed, at its start
//! ```
//!
//! LINEAR: both versions are compared from either end, and their blocks are found once.

use std::sync::Arc;

use barelink::{BlockStart, Document, SourceTooLong, Span};
use memchr::{memchr3, memmem, memrchr2};

use crate::checker::{Checked, Checker};
use crate::doubt::doubtful_regions;
use crate::finding::{Edit, Finding};
use crate::front_matter::{self, Closed};
use crate::settings::Flavor;

/// Signs that a block affects others: definitions, footnotes and comments that switch rules off,
/// and bytes that cmark-gfm treats as spaces, which may open HTML there that continues
/// (`doubt/feeds.rs`).
const FAR_REACHING: [&[u8]; 6] = [b"]:", b"[^", b"barelink-", b"markdownlint-", b"\x0B", b"\x0C"];

/// A longer changed block is checked in parts, like a new one.
const BLOCK_LEN_MAX: u32 = 128 << 10;

/// The rest of a block after a part is added to that part if it is no longer than this.
const BLOCK_REST: usize = 64 << 10;

/// The difference between two versions of a document: whole blocks of either. Made by
/// [`Checker::change`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    before: Span,
    after: Span,
}

impl Change {
    /// Finds the difference; `None` if it may affect other blocks.
    pub(crate) fn find(
        checker: &mut Checker,
        before: &str,
        after: &str,
    ) -> Result<Option<Self>, SourceTooLong> {
        // A statement of MDX may span many lines, and is not a block.
        if checker.settings().flavor == Flavor::Mdx {
            return Ok(None);
        }
        // Where front matter ends at another place, many blocks may have changed.
        let [old_end, new_end] = [before, after].map(|it| front_matter::end(it, Closed::ByDots));
        if old_end != new_end {
            return Ok(None);
        }
        let (start, n_same) = same_ends(before.as_bytes(), after.as_bytes());
        let (before_end, after_end) = (before.len() - n_same, after.len() - n_same);
        let surveyor = checker.surveyor();
        let (old_document, new_document) = (surveyor.read(before)?, surveyor.read(after)?);
        let (old, new) = (line_starts(&old_document), line_starts(&new_document));
        let n_alike = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        // The block that contains or ends with the change, and one more before it.
        let n_kept = old[..n_alike].partition_point(|it| it.at <= start).saturating_sub(2);
        let first = old.get(n_kept).filter(|_| n_kept > 0).map_or(0, |it| it.at);
        let rest = new[new.partition_point(|it| it.at < after_end)..].iter();
        let is_old = |it: &&LineStart| {
            let before = LineStart { at: it.at - after_end + before_end, ..**it };
            old.binary_search(&before).is_ok()
        };
        // The text of the first of them may continue the changed text.
        let last = rest.filter(is_old).nth(1).map_or(after.len(), |it| it.at);
        let change =
            Self { before: span(first, last - after_end + before_end), after: span(first, last) };
        let reaches =
            |text: &str| FAR_REACHING.iter().any(|it| memmem::find(text.as_bytes(), it).is_some());
        let is_near = !reaches(change.before.slice(before))
            && !reaches(change.after.slice(after))
            && change
                .keeps_doubts(doubtful_regions(&old_document), doubtful_regions(&new_document));
        Ok(is_near.then_some(change))
    }

    /// Whether the regions that cmark-gfm reads differently are the same, before and after, outside
    /// of the change.
    fn keeps_doubts(self, before: Vec<Span>, after: Vec<Span>) -> bool {
        let outside = |span: Span, change: Span| {
            let first = Span::new(span.start, span.end.min(change.start));
            let last = Span::new(span.start.max(change.end), span.end);
            [first, last].into_iter().filter(|it| it.start < it.end)
        };
        let of_before = before.into_iter().flat_map(|it| outside(it, self.before));
        let of_after = after.into_iter().flat_map(|it| outside(it, self.after));
        let moved = |it: Span| if it.start < self.before.end { it } else { self.moved(it) };
        of_before.map(moved).eq(of_after)
    }

    /// The span of the new blocks.
    pub(crate) fn after(self) -> Span {
        self.after
    }

    /// Whether the change is entirely before an offset of the old version.
    pub(crate) fn is_before(self, end: usize) -> bool {
        self.before.end as usize <= end
    }

    /// Whether the change is too long to be checked at once.
    pub(crate) fn is_long(self) -> bool {
        self.after.len() > BLOCK_LEN_MAX
    }

    /// Maps an offset after the change to the new version.
    pub(crate) fn moved_end(self, end: usize) -> usize {
        end - self.before.end as usize + self.after.end as usize
    }

    /// The results up to the change.
    pub(crate) fn cut(self, mut checked: Checked) -> Checked {
        let start = self.before.start;
        checked.findings.truncate(checked.findings.partition_point(|it| it.span.start < start));
        checked.end = checked.end.min(start as usize);
        checked
    }

    /// Maps a span after the change to the new version.
    fn moved(self, span: Span) -> Span {
        let moved = |at: u32| at - self.before.end + self.after.end;
        Span::new(moved(span.start), moved(span.end))
    }

    /// Joins the results of the old version outside of the change with the new ones inside of it.
    pub(crate) fn joined<T: Moved>(self, mut all: Vec<T>, mut there: Vec<T>) -> Vec<T> {
        let n_first = all.partition_point(|it| it.start() < self.before.start);
        let n_passed = all.partition_point(|it| it.start() < self.before.end);
        if self.before.end != self.after.end {
            all[n_passed..].iter_mut().for_each(|it| it.move_by(|span| self.moved(span)));
        }
        there.retain(|it| (self.after.start..self.after.end).contains(&it.start()));
        all.splice(n_first..n_passed, there);
        all
    }
}

/// Something with a place in a document.
pub(crate) trait Moved {
    fn start(&self) -> u32;
    fn move_by(&mut self, moved: impl Fn(Span) -> Span);
}

impl Moved for Edit {
    fn start(&self) -> u32 {
        self.span.start
    }

    fn move_by(&mut self, moved: impl Fn(Span) -> Span) {
        self.span = moved(self.span);
    }
}

impl Moved for Finding {
    fn start(&self) -> u32 {
        self.span.start
    }

    fn move_by(&mut self, moved: impl Fn(Span) -> Span) {
        self.span = moved(self.span);
        let Some(fix) = &mut self.fix else { return };
        Arc::make_mut(fix).edits.iter_mut().for_each(|edit| edit.move_by(&moved));
    }
}

fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

/// The lengths of the common prefix, and of the common suffix of the rest, at character boundaries.
fn same_ends(before: &[u8], after: &[u8]) -> (usize, usize) {
    let is_within = |byte: Option<&u8>| byte.is_some_and(|byte| byte & 0xC0 == 0x80);
    let mut n_first = n_same(before.iter().zip(after));
    while is_within(before.get(n_first)) || is_within(after.get(n_first)) {
        n_first -= 1;
    }
    let (before, after) = (&before[n_first..], &after[n_first..]);
    let mut n_last = n_same(before.iter().rev().zip(after.iter().rev()));
    while n_last > 0 && is_within(before.get(before.len() - n_last)) {
        n_last -= 1;
    }
    (n_first, n_last)
}

fn n_same<'a>(pairs: impl Iterator<Item = (&'a u8, &'a u8)>) -> usize {
    pairs.take_while(|(one, other)| one == other).count()
}

/// The start of a line on which a block starts, with the number that says what starts there: see
/// [`BlockStart`](barelink::BlockStart).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LineStart {
    pub(crate) at: usize,
    state: u32,
}

/// The lines that the blocks of a document start on.
pub(crate) fn line_starts(document: &Document<'_, '_>) -> Vec<LineStart> {
    let source = document.source().as_bytes();
    let starts = document.block_starts().into_iter().map(|BlockStart { at, state }| {
        let line = memrchr2(b'\n', b'\r', &source[..at as usize]).map_or(0, |at| at + 1);
        LineStart { at: line, state }
    });
    let mut starts: Vec<LineStart> = starts.collect();
    // A list and its first item start together: the item counts.
    starts.dedup_by(|next, before| {
        let is_same = next.at == before.at;
        if is_same {
            *before = *next;
        }
        is_same
    });
    starts
}

/// The end of a part of a document: the first start of a block at or after an offset.
pub(crate) fn end_of_part(starts: &[LineStart], at: usize, source: &str) -> usize {
    let next = starts.partition_point(|it| it.at < at);
    starts.get(next).map_or(source.len(), |it| it.at)
}

/// Like [`end_of_part`], for a part that starts at `start` and whose findings are awaited. If a
/// long block is at its end, the part has only some words of it; the rest of the block is then a
/// single part, since the block has to be read again for it.
pub(crate) fn end_of_first_part(
    starts: &[LineStart],
    start: usize,
    at: usize,
    source: &str,
) -> usize {
    let end = end_of_part(starts, at, source);
    let is_in_block = starts.binary_search_by_key(&start, |it| it.at).is_err() && start > 0;
    if is_in_block || end <= at.saturating_add(BLOCK_REST) {
        return end;
    }
    let space = memchr3(b' ', b'\n', b'\r', &source.as_bytes()[at..end]);
    space.map_or(end, |len| at + len + 1)
}
