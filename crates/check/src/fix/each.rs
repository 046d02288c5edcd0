//! Several fixes of a place, each judged by itself.
//!
//! Leaves are independent, so one fix of every leaf is tried at a time:
//!
//! ```text
//! * http://a.bc http://d.ef      first, second
//! * http://g.hi                  first
//! * http://j.kl http://m.no      first, second
//! ```
//!
//! Fixes of one leaf are never tried together: one may undo what another does to emphasis. If the
//! leaves are long, the whole page is rendered for each safe fix instead, which is faster.
//!
//! LINEAR: the leaves are read up to a given total of bytes, or once before and once after.

use barelink::{SourceTooLong, Span};
use memchr::{memchr2, memrchr2};

use super::compared::Compared;
use super::trials::Tried;
use super::{Rendered, apply, fitting, reach};
use crate::finding::{Edit, Fix, Safety};
use crate::leaves::Page;
use crate::survey::{EVERYWHERE, Surveyor};

/// How much cheaper finding the blocks of a text is than reading them.
const BLOCKS: usize = 16;

/// How much cheaper rendering a page is than reading it leaf by leaf.
const RENDERED: usize = 6;

/// Leaves are long if their total length exceeds this.
const LONG: usize = 64 << 10;

/// The fixes of a leaf.
struct LeafFixes {
    leaf_idx: usize,
    /// The fixes that are still to be tried, the next one last.
    waiting: Vec<Tried>,
}

/// The state of trying fixes.
struct Tries<'f> {
    fixes: &'f [&'f Fix],
    /// For each fix, its edits if it fits.
    found: Vec<Option<Vec<Edit>>>,
    /// The number of bytes read so far, and the limit.
    n_read: usize,
    bytes_max: usize,
}

/// For each fix, its edits in a form that fits; `None` if none does, or if that is not known after
/// `bytes_max` bytes have been read.
pub(crate) fn fitting_each(
    surveyor: &mut Surveyor,
    source: &str,
    fixes: &[&Fix],
    bytes_max: usize,
) -> Result<Vec<Option<Vec<Edit>>>, SourceTooLong> {
    let mut tries = Tries { fixes, found: vec![None; fixes.len()], n_read: 0, bytes_max };
    let Some(lines) = lines_of(source, fixes) else { return Ok(tries.found) };
    let all = (0..fixes.len()).filter(|idx| !is_told_before(fixes, *idx));
    let of_kind = |safety: Safety| all.clone().filter(move |idx| fixes[*idx].safety == safety);
    if surveyor.len_of_leaves(source, lines)? > LONG.max(source.len() / RENDERED) {
        tries.render_each(surveyor, source, of_kind(Safety::Safe))?;
        tries.read_each(surveyor, source, lines, of_kind(Safety::Unsafe))?;
    } else {
        tries.read_each(surveyor, source, lines, all)?;
    }
    let mut found = tries.found;
    for idx in 0..fixes.len() {
        if is_told_before(fixes, idx) {
            let before = found[idx - 1].clone();
            found[idx] = before;
        }
    }
    Ok(found)
}

impl Tries<'_> {
    /// Tries safe fixes by rendering the page for each.
    fn render_each(
        &mut self,
        surveyor: &mut Surveyor,
        source: &str,
        fix_idxs: impl Iterator<Item = usize>,
    ) -> Result<(), SourceTooLong> {
        let mut page = None;
        for fix_idx in fix_idxs {
            let mut next = Some(Tried { fix_idx, is_otherwise: false });
            while let Some(it) = next.take_if(|_| self.n_read <= self.bytes_max) {
                let page = match page.take() {
                    Some(rendered) => page.insert(rendered),
                    None => page.insert(Rendered::new(surveyor, source)?),
                };
                self.n_read += source.len() / RENDERED;
                let edits = it.edits(self.fixes);
                if page.is_kept(surveyor, &edits)? {
                    self.found[fix_idx] = Some(edits);
                } else {
                    next = it.otherwise(self.fixes);
                }
            }
        }
        Ok(())
    }

    /// Tries fixes by reading the leaves that they are in.
    fn read_each(
        &mut self,
        surveyor: &mut Surveyor,
        source: &str,
        lines: Span,
        fix_idxs: impl Iterator<Item = usize>,
    ) -> Result<(), SourceTooLong> {
        let mut fix_idxs = fix_idxs.peekable();
        if fix_idxs.peek().is_none() || self.n_read > self.bytes_max {
            return Ok(());
        }
        let fixes = self.fixes;
        let page = Page::read(source, surveyor.parser(), lines)?;
        let len: usize = page.leaves.iter().map(|leaf| leaf.span.len() as usize).sum();
        let (mut leaves, outside) = by_leaf(fixes, fix_idxs, &page);
        // After a fix has made another block or cell, fixes are tried one at a time.
        let mut at_a_time = usize::MAX;
        while self.n_read <= self.bytes_max {
            let next = leaves.iter_mut().enumerate();
            let next = next.filter_map(|(idx, leaf)| Some((idx, leaf.waiting.pop()?)));
            let tried: Vec<(usize, Tried)> = next.take(at_a_time).collect();
            if tried.is_empty() {
                break;
            }
            let edits: Vec<Edit> = tried.iter().flat_map(|(_, it)| it.edits(fixes)).collect();
            let text = apply(source, &edits);
            let end = u64::from(lines.end) + text.len() as u64 - source.len() as u64;
            let end = u32::try_from(end).unwrap_or(u32::MAX);
            let after = Page::read(&text, surveyor.parser(), Span::new(lines.start, end))?;
            self.n_read += len + source.len() / BLOCKS;
            let is_comparable = page.leaves.len() == after.leaves.len();
            let is_again = !is_comparable && tried.len() > 1;
            at_a_time = if is_again { 1 } else { at_a_time };
            for (idx, it) in tried {
                let leaf = &mut leaves[idx];
                let fits = is_comparable && {
                    let [before, after] = [&page, &after].map(|page| &page.leaves[leaf.leaf_idx]);
                    Compared::new(vec![fixes[it.fix_idx]], before, after).fits()
                };
                if fits {
                    self.found[it.fix_idx] = Some(it.edits(fixes));
                } else {
                    leaf.waiting.extend(if is_again { Some(it) } else { it.otherwise(fixes) });
                }
            }
        }
        for idx in outside {
            surveyor.look_within(lines);
            let fitting = fitting(surveyor, source, &[fixes[idx]]);
            surveyor.look_within(EVERYWHERE);
            let fitting = fitting?;
            self.found[idx] = (fitting.n_fixed > 0).then_some(fitting.edits);
        }
        Ok(())
    }
}

/// Whether a fix equals the previous one: two rules may share it.
fn is_told_before(fixes: &[&Fix], idx: usize) -> bool {
    idx > 0 && fixes[idx - 1] == fixes[idx]
}

/// The span from the first to the last line of some fixes; `None` without any. Whole lines, since a
/// fix must not add cells to a row.
fn lines_of(source: &str, fixes: &[&Fix]) -> Option<Span> {
    let bytes = source.as_bytes();
    let start = fixes.iter().map(|fix| reach(fix).start).min()?;
    let end = fixes.iter().map(|fix| reach(fix).end).max()?;
    let start = memrchr2(b'\n', b'\r', &bytes[..start as usize]).map_or(0, |at| at as u32 + 1);
    let len = memchr2(b'\n', b'\r', &bytes[end as usize..]);
    Some(Span::new(start, len.map_or(bytes.len() as u32, |len| end + len as u32)))
}

/// Groups fixes by leaf, and returns those outside of any leaf separately.
fn by_leaf(
    fixes: &[&Fix],
    fix_idxs: impl Iterator<Item = usize>,
    page: &Page,
) -> (Vec<LeafFixes>, Vec<usize>) {
    let mut placed = Vec::new();
    let mut outside = Vec::new();
    for fix_idx in fix_idxs {
        match fixes[fix_idx].edits.first().and_then(|edit| page.leaf_at(edit.span.start)) {
            Some(leaf_idx) => placed.push((leaf_idx, Tried { fix_idx, is_otherwise: false })),
            None => outside.push(fix_idx),
        }
    }
    placed.sort_by_key(|(leaf_idx, _)| *leaf_idx);
    let leaves = placed.chunk_by(|one, two| one.0 == two.0).map(|of_leaf| LeafFixes {
        leaf_idx: of_leaf[0].0,
        waiting: of_leaf.iter().rev().map(|(_, tried)| *tried).collect(),
    });
    (leaves.collect(), outside)
}
