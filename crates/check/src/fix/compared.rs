//! A leaf before and after fixes: whether its content is as it should be, and if not, where it
//! differs.

use std::borrow::Cow;

use barelink::Span;

use super::reach;
use crate::finding::{Edit, Fix, Safety};
use crate::leaves::{Leaf, encoded};

/// A leaf before and after these fixes, which are in order.
pub(super) struct Compared<'p, 'f> {
    fixes: Vec<&'f Fix>,
    before: &'p Leaf,
    after: &'p Leaf,
}

/// A link that a leaf has or should have.
#[derive(Debug)]
struct Shown<'p> {
    /// Its start before the fixes.
    start: u32,
    href: Cow<'p, str>,
    /// A hash of everything from there to the next link, if that must not change.
    hash: u64,
}

impl Shown<'_> {
    /// The start is ignored: a link that a fix makes may start elsewhere than the fix.
    fn shows(&self, other: &Self) -> bool {
        self.href == other.href && self.hash == other.hash
    }
}

impl<'p, 'f> Compared<'p, 'f> {
    pub(super) fn new(mut fixes: Vec<&'f Fix>, before: &'p Leaf, after: &'p Leaf) -> Self {
        fixes.sort_by_key(|fix| reach(fix).start);
        Self { fixes, before, after }
    }

    /// Whether nothing may change.
    fn is_safe(&self) -> bool {
        self.fixes.iter().all(|fix| fix.safety == Safety::Safe)
    }

    /// Whether the content of the leaf is as it should be.
    pub(super) fn fits(&self) -> bool {
        if self.is_safe() {
            return self.before.shows_the_same(self.after);
        }
        let expected = self.expected();
        let hrefs = self.after.links.iter().map(|link| link.href.as_str());
        expected.iter().map(|shown| &*shown.href).eq(hrefs)
    }

    /// The links that the leaf should have.
    fn expected(&self) -> Vec<Shown<'p>> {
        let is_safe = self.is_safe();
        let kept = self.before.links.iter().filter(|link| is_safe || self.is_kept(link.span));
        let mut expected: Vec<Shown<'p>> = kept
            .map(|link| {
                let hash = if is_safe { link.hash } else { 0 };
                Shown { start: link.span.start, href: Cow::Borrowed(&link.href), hash }
            })
            .collect();
        if !is_safe {
            for fix in &self.fixes {
                let start = reach(fix).start;
                let links = fix.links.iter().map(|link| Cow::Owned(encoded(link)));
                expected.extend(links.map(|href| Shown { start, href, hash: 0 }));
            }
            expected.sort_by_key(|shown| shown.start);
        }
        expected
    }

    /// Whether no fix changes this link.
    fn is_kept(&self, span: Span) -> bool {
        let from = self.fixes.partition_point(|fix| reach(fix).end < span.start);
        // LINEAR: fixes do not overlap, and a link contains at most an image.
        let mut near = self.fixes[from..].iter().take_while(|fix| reach(fix).start <= span.end);
        !near.any(|fix| touches(reach(fix), span))
    }

    /// The places where the leaf differs from what it should be, as offsets before the fixes, in
    /// order.
    pub(super) fn differences(&self, origins: &Origins) -> Vec<u32> {
        let is_safe = self.is_safe();
        let mut places = Vec::new();
        if is_safe && self.before.hash != self.after.hash {
            places.push(self.before.span.start);
        }
        let expected = self.expected();
        let links = self.after.links.iter().map(|link| Shown {
            start: origins.of(link.span.start),
            href: Cow::Borrowed(&*link.href),
            hash: if is_safe { link.hash } else { 0 },
        });
        let links: Vec<Shown<'_>> = links.collect();
        let (mut idx, mut link_idx) = (0, 0);
        while idx < expected.len() || link_idx < links.len() {
            let (one, two) = (expected.get(idx), links.get(link_idx));
            let start = |shown: Option<&Shown<'_>>| shown.map_or(u32::MAX, |shown| shown.start);
            let (this, that) = (start(one), start(two));
            let is_same = one.zip(two).is_some_and(|(one, two)| one.shows(two));
            if !is_same {
                places.push(this.min(that));
            }
            idx += usize::from(is_same || this <= that);
            link_idx += usize::from(is_same || that <= this);
        }
        places
    }
}

/// Whether a change is inside a link, or overlaps it.
fn touches(change: Span, link: Span) -> bool {
    if change.is_empty() {
        return link.start < change.start && change.start < link.end;
    }
    change.start < link.end && link.start < change.end
}

/// Maps offsets of an edited text back to the original.
pub(super) struct Origins {
    /// For each edit, its start and end in the edited text, and the range that it replaced.
    edits: Vec<(u32, u32, Span)>,
}

impl Origins {
    pub(super) fn new(edits: &[Edit]) -> Self {
        let (mut before_end, mut end) = (0, 0);
        let edits = edits.iter().map(|Edit { span, text }| {
            let start = end + (span.start - before_end);
            (before_end, end) = (span.end, start + text.len() as u32);
            (start, end, *span)
        });
        Self { edits: edits.collect() }
    }

    /// The offset before the edits; for one inside an edit, the start of that edit.
    fn of(&self, offset: u32) -> u32 {
        let n_before = self.edits.partition_point(|(start, ..)| *start <= offset);
        match n_before.checked_sub(1).map(|idx| self.edits[idx]) {
            Some((_, end, before)) if offset >= end => before.end + (offset - end),
            Some((.., before)) => before.start,
            None => offset,
        }
    }
}
