//! Finds which of many fixes fit: those of a leaf are tried together, and those of all leaves at
//! once.
//!
//! After a safe fix, a leaf must display the same as before; after an unsafe one, the links that
//! the fix makes and all others. If a leaf differs from that, its fixes are divided and tried
//! again:
//!
//! ```text
//! *http://a.bc*x http://d.ef http://g.hi
//! └ here it differs ┘└ not here ────────┘    the last one is tried without the two others
//! ```
//!
//! If it differs at all of them, every second one is tried, so that each is judged by itself; and
//! if it is not known where it differs, one half. A fix that does not fit by itself is tried in its
//! other form, and then left out.
//!
//! LINEAR: each fix is in one group, and a round tries one group of every leaf.

use super::compared::{Compared, Origins};
use super::reach;
use crate::finding::{Edit, Fix, Safety};
use crate::leaves::{Leaf, Page};

/// The state of trying fixes.
pub(super) struct Trials {
    leaves: Vec<LeafTrials>,
    /// Fixes that are in no leaf.
    pub(super) outside: Vec<usize>,
}

/// The fixes of a leaf.
struct LeafTrials {
    leaf_idx: usize,
    /// Those that fit, in the form that fits.
    accepted: Vec<Tried>,
    /// The groups that are still to be tried, the next one last.
    waiting: Vec<Group>,
}

/// Fixes that are tried together, in order.
#[derive(Default)]
struct Group {
    tried: Vec<Tried>,
    /// Whether no two of them are adjacent, so that each is judged by itself.
    is_apart: bool,
}

/// A fix, in one of its forms.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    pub(super) fix_idx: usize,
    pub(super) is_otherwise: bool,
}

impl Tried {
    pub(super) fn edits(self, fixes: &[&Fix]) -> Vec<Edit> {
        let fix = fixes[self.fix_idx];
        let otherwise = if self.is_otherwise { fix.otherwise() } else { None };
        otherwise.unwrap_or_else(|| fix.edits.clone())
    }

    /// The same fix in its other form, if there is one.
    pub(super) fn otherwise(self, fixes: &[&Fix]) -> Option<Self> {
        let can = !self.is_otherwise && fixes[self.fix_idx].has_otherwise;
        can.then_some(Self { is_otherwise: true, ..self })
    }
}

impl Trials {
    pub(super) fn new(fixes: &[&Fix], page: &Page) -> Self {
        let mut trials = Self { leaves: Vec::new(), outside: Vec::new() };
        for (fix_idx, fix) in fixes.iter().enumerate() {
            let Some(leaf_idx) = page.leaf_at(fix.edits[0].span.start) else {
                trials.outside.push(fix_idx);
                continue;
            };
            let tried = Tried { fix_idx, is_otherwise: false };
            match trials.leaves.last_mut() {
                Some(leaf) if leaf.leaf_idx == leaf_idx => leaf.waiting[0].tried.push(tried),
                _ => trials.leaves.push(LeafTrials {
                    leaf_idx,
                    accepted: Vec::new(),
                    waiting: vec![Group { tried: vec![tried], ..Group::default() }],
                }),
            }
        }
        trials
    }

    pub(super) fn is_settled(&self) -> bool {
        self.leaves.iter().all(|leaf| leaf.waiting.is_empty())
    }

    /// The edits that were accepted, in the order of the source, and the number of their fixes.
    pub(super) fn accepted(&self, fixes: &[&Fix]) -> (Vec<Edit>, usize) {
        // A leaf that is not settled is left alone: otherwise the next run would continue with it.
        let settled = self.leaves.iter().filter(|leaf| leaf.waiting.is_empty());
        let accepted = settled.flat_map(|leaf| leaf.accepted.iter().copied());
        (edits(accepted.clone(), fixes), accepted.count())
    }

    /// The accepted edits together with those to be tried next.
    pub(super) fn tried(&self, fixes: &[&Fix]) -> Vec<Edit> {
        let of_leaf = |leaf: &LeafTrials| {
            let next = leaf.waiting.last().into_iter().flat_map(|group| &group.tried);
            leaf.accepted.iter().chain(next).copied().collect::<Vec<_>>()
        };
        edits(self.leaves.iter().flat_map(of_leaf), fixes)
    }

    /// Accepts groups that fit, and divides those that do not. `edits` were made, and resulted in
    /// `after`.
    pub(super) fn judge(&mut self, fixes: &[&Fix], edits: &[Edit], before: &Page, after: &Page) {
        let is_comparable = before.leaves.len() == after.leaves.len();
        let origins = Origins::new(edits);
        for leaf in &mut self.leaves {
            let Some(mut group) = leaf.waiting.pop() else { continue };
            let all = leaf.accepted.iter().chain(&group.tried).map(|tried| fixes[tried.fix_idx]);
            let before = &before.leaves[leaf.leaf_idx];
            let after = is_comparable.then(|| &after.leaves[leaf.leaf_idx]);
            let compared = after.map(|after| Compared::new(all.collect(), before, after));
            if compared.as_ref().is_some_and(Compared::fits) {
                leaf.accepted.append(&mut group.tried);
            } else {
                let places = compared.map(|compared| compared.differences(&origins));
                let is_blamed = group.blamed(fixes, before, &places.unwrap_or_default());
                let groups = group.divided(fixes, &is_blamed);
                leaf.waiting.extend(groups.into_iter().filter(|group| !group.tried.is_empty()));
            }
        }
    }
}

fn edits(tried: impl Iterator<Item = Tried>, fixes: &[&Fix]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = tried.flat_map(|tried| tried.edits(fixes)).collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits
}

impl Group {
    /// Whether each fix may be the reason that a leaf differs at these places: it is at one of
    /// them, or next to it.
    fn blamed(&self, fixes: &[&Fix], before: &Leaf, places: &[u32]) -> Vec<bool> {
        let fixes = self.tried.iter().map(|it| fixes[it.fix_idx]);
        let fixes: Vec<&Fix> = fixes.collect();
        if fixes.iter().any(|fix| fix.safety == Safety::Unsafe) {
            return nearest(&fixes, places);
        }
        let differs = |fix: &&Fix| {
            let idx = before.link_at(reach(fix).start);
            let starts = [idx.checked_sub(1), Some(idx)].map(|idx| before.part_start(idx));
            starts.iter().any(|start| places.binary_search(start).is_ok())
        };
        fixes.iter().map(differs).collect()
    }

    /// Divides fixes that did not fit together: the second group is tried first.
    fn divided(mut self, fixes: &[&Fix], is_blamed: &[bool]) -> [Self; 2] {
        let n_blamed = is_blamed.iter().filter(|it| **it).count();
        let are_all = n_blamed == self.tried.len();
        if self.tried.len() == 1 || are_all && self.is_apart {
            self.tried = self.tried.iter().filter_map(|it| it.otherwise(fixes)).collect();
            return [self, Self::default()];
        }
        if n_blamed == 0 {
            let tried = self.tried.split_off(self.tried.len() / 2);
            let second = Self { tried, is_apart: self.is_apart };
            return [second, self];
        }
        // If all fixes are blamed, every second one.
        let is_first = |idx: usize| if are_all { idx % 2 == 1 } else { is_blamed[idx] };
        let mut idxs = 0..;
        let (first, second) = self.tried.iter().partition(|_| idxs.next().is_some_and(is_first));
        let is_apart = self.is_apart || are_all;
        [first, second].map(|tried| Self { tried, is_apart })
    }
}

/// Whether each fix is at one of these places, or next to one that has no fix.
fn nearest(fixes: &[&Fix], places: &[u32]) -> Vec<bool> {
    let mut is_nearest = vec![false; fixes.len()];
    for place in places {
        let after = fixes.partition_point(|fix| reach(fix).start <= *place);
        let before = after.checked_sub(1);
        let is_at = before.is_some_and(|idx| *place <= reach(fixes[idx]).end);
        let near = [before, Some(after).filter(|_| !is_at)];
        for idx in near.into_iter().flatten() {
            is_nearest.get_mut(idx).into_iter().for_each(|it| *it = true);
        }
    }
    is_nearest
}
