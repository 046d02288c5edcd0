//! A new version of a document, checked where it differs from the one before.
//!
//! What a top-level block means depends on its own text alone, but for definitions, footnotes
//! and comments. So of two versions, the blocks before the change and those behind it have the
//! same findings, if their blocks start at the same places:
//!
//! ```text
//! before   # One ¶ two ¶ three ¶ four
//! after    # One ¶ two ¶ thr-ee ¶ four
//!                  └── checked ──┘     one block more than what changed, at its start
//! ```
//!
//! LINEAR: both versions are compared from either end, and their blocks are found once.

use barelink::{SourceTooLong, Span};
use memchr::{memmem, memrchr2};

use crate::checker::Checker;
use crate::finding::{Edit, Finding};
use crate::settings::Flavor;

/// What makes a block count for others: definitions, footnotes and comments that switch rules
/// off.
const FAR_REACHING: [&[u8]; 4] = [b"]:", b"[^", b"barelink-", b"markdownlint-"];

/// Where two versions of a document differ: whole blocks of either. [`Checker::change`] finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    before: Span,
    after: Span,
}

impl Change {
    /// Finds it; `None` if what changed may count for other blocks.
    pub(crate) fn find(
        checker: &mut Checker,
        before: &str,
        after: &str,
    ) -> Result<Option<Self>, SourceTooLong> {
        // A statement of MDX may be of many lines, and is no block.
        if checker.settings().flavor == Flavor::Mdx {
            return Ok(None);
        }
        let (start, n_same) = same_ends(before.as_bytes(), after.as_bytes());
        let (before_end, after_end) = (before.len() - n_same, after.len() - n_same);
        let parser = checker.surveyor().parser();
        let old = line_starts(before, &parser.parse(before)?.block_starts());
        let new = line_starts(after, &parser.parse(after)?.block_starts());
        let n_alike = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        // The block that the change is in, or ends, and one more.
        let n_kept = old[..n_alike].partition_point(|at| *at <= start).saturating_sub(2);
        let first = old.get(n_kept).copied().filter(|_| n_kept > 0).unwrap_or(0);
        let mut rest = new[new.partition_point(|at| *at < after_end)..].iter();
        let is_old = |at: &&usize| old.binary_search(&(**at - after_end + before_end)).is_ok();
        // The text of the first of them may go on with what was changed.
        let last = rest.by_ref().filter(is_old).nth(1).copied().unwrap_or(after.len());
        let change =
            Self { before: span(first, last - after_end + before_end), after: span(first, last) };
        let reaches =
            |text: &str| FAR_REACHING.iter().any(|it| memmem::find(text.as_bytes(), it).is_some());
        let is_near = !reaches(change.before.slice(before)) && !reaches(change.after.slice(after));
        Ok(is_near.then_some(change))
    }

    /// The blocks that are new.
    pub(crate) fn after(self) -> Span {
        self.after
    }

    /// A place behind the change, in the new version.
    fn moved(self, span: Span) -> Span {
        let moved = |at: u32| at - self.before.end + self.after.end;
        Span::new(moved(span.start), moved(span.end))
    }

    /// Puts together what is kept from before, and what is there now where it changed.
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
        for edit in fix.edits.iter_mut().chain(fix.otherwise.iter_mut().flatten()) {
            edit.move_by(&moved);
        }
    }
}

fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

/// How many bytes are the same at the start, and at the end of the rest. Both end between
/// characters.
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

/// Where the lines start that these places are in.
fn line_starts(source: &str, places: &[u32]) -> Vec<usize> {
    let line_start = |at: &u32| {
        let line = &source.as_bytes()[..*at as usize];
        memrchr2(b'\n', b'\r', line).map_or(0, |at| at + 1)
    };
    let mut starts: Vec<usize> = places.iter().map(line_start).collect();
    starts.dedup();
    starts
}
