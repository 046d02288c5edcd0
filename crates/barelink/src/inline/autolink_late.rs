//! Bare links that are found after all other marks are settled: e-mails of the GFM dialects in
//! decoded text nodes, everything of `md4c` and e-mails of `natural` in regions between resolved
//! marks. They are merged into the marks at the end.
//!
//! LINEAR: nodes, regions and lines are visited once, in order, and so are the candidates in them.

use std::ops::Range;

use barelink_autolink::engine::{Candidates, Edge, Region};
use barelink_autolink::{Dialect, Kind, Rules};
use barelink_text::chars::{next_char, prev_char};

use super::Inlines;
use super::autolink::{Written, anchor_after};
use super::mark::{Mark, MarkIdx, MarkKind, MarkRole};
use super::recorder::{Question, Recorder};
use super::text_node::{DecodedText, Node};
use crate::memory::{PushSparingly as _, give_back};
use crate::syntax::text::Text;

/// Working memory.
#[derive(Debug, Default)]
pub(super) struct LateBuffers {
    /// New marks for links or emoji, to be merged into the others.
    pub(super) late: Vec<Mark>,
    /// The new index of each existing mark.
    moved: Vec<MarkIdx>,
    decoded: DecodedText,
}

/// The search through one text.
struct LatePass<'a, R> {
    inlines: &'a mut Inlines,
    text: &'a Text<'a>,
    rules: Rules,
    /// The range in which links are wanted.
    wanted: Range<usize>,
    recorder: &'a mut R,
    buffers: LateBuffers,
}

impl Inlines {
    /// Finds the links that have to wait until all other marks are settled.
    pub(super) fn link_late<R: Recorder>(
        &mut self,
        text: &Text<'_>,
        rules: Rules,
        recorder: &mut R,
    ) {
        if rules.dialect != Dialect::Md4c && !self.has_email {
            return;
        }
        let buffers = std::mem::take(&mut self.late);
        let wanted = recorder.wanted();
        let mut pass = LatePass { inlines: self, text, rules, wanted, recorder, buffers };
        pass.buffers.late.clear();
        match rules.dialect {
            Dialect::Gfm | Dialect::Github => {
                pass.rules = rules.only(Kind::Email);
                pass.link_nodes();
            }
            Dialect::Natural => {
                pass.rules = rules.only(Kind::Email);
                pass.link_regions();
            }
            _ => pass.link_regions(),
        }
        let mut buffers = pass.buffers;
        buffers.decoded.shrink();
        self.put_late(buffers);
    }

    /// Merges the late marks into the others, and returns the buffers to [`Inlines`].
    pub(super) fn put_late(&mut self, mut buffers: LateBuffers) {
        if !buffers.late.is_empty() {
            self.merge(&mut buffers);
            give_back(&mut buffers.moved);
            give_back(&mut buffers.late);
        }
        self.late = buffers;
    }

    /// Merges the late marks into the others, and removes the marks that they cover.
    ///
    /// ```text
    /// marks   a b c d e       and a late link L, which covers c and d
    /// moved   0 1 3 3 3       the new index of each mark: the kept marks and links before it
    /// marks   a b e           the kept marks, moved to the front
    /// marks   a b e .         room for the links
    /// marks   a b L e         filled from the end, so that nothing is overwritten too early
    /// ```
    ///
    /// LINEAR: each mark is read once, and moved at most twice.
    fn merge(&mut self, buffers: &mut LateBuffers) {
        let LateBuffers { late, moved, .. } = buffers;
        moved.reserve_exact(self.marks.len());
        let mut n_kept = 0;
        let mut n_late = 0;
        let mut covered = 0;
        for idx in 0..self.marks.len() {
            let mark = self.marks[idx];
            while let Some(link) = late.get(n_late).filter(|link| link.start <= mark.start) {
                n_late += 1;
                covered = link.end;
                // Smart punctuation that a link cuts in two is left as written.
                let last = self.marks[..n_kept].last();
                let is_cut = last.is_some_and(|it| it.kind.is_smart() && it.end > link.start);
                n_kept -= usize::from(is_cut);
            }
            moved.push(MarkIdx((n_kept + n_late) as u32));
            if mark.start >= covered {
                self.marks[n_kept] = mark;
                n_kept += 1;
            }
        }
        self.marks.truncate(n_kept);
        for mate in self.marks.iter_mut().filter_map(|mark| mark.kind.mate_mut()) {
            *mate = moved[mate.get()];
        }
        for link in &mut self.links {
            link.open = moved[link.open.get()];
        }
        // From the end, so that nothing is overwritten.
        self.marks.reserve_exact(late.len());
        self.marks.extend_from_slice(late);
        for (n_before, link) in late.iter().enumerate().rev() {
            let is_before = |mark: &Mark| mark.start < link.start;
            let start = self.marks[..n_kept].iter().rposition(is_before).map_or(0, |idx| idx + 1);
            self.marks.copy_within(start..n_kept, start + n_before + 1);
            self.marks[start + n_before] = *link;
            n_kept = start;
        }
    }
}

impl<R: Recorder> LatePass<'_, R> {
    /// DIALECT(gfm): e-mails in text nodes: decoded text between other marks, outside of links.
    fn link_nodes(&mut self) {
        let mut idx = 0;
        let mut start = self.text.start;
        let mut first_mark = 0;
        while let Some(mark) = self.inlines.marks.get(idx).copied() {
            idx += 1;
            if mark.kind.is_text() {
                continue;
            }
            self.link_lines(Node {
                start,
                end: mark.start as usize,
                first_mark,
                end_mark: idx - 1,
            });
            if let MarkRole::LinkOpen(close) = mark.kind.role() {
                idx = close.get() + 1;
                start = self.inlines.marks[close.get()].end as usize;
            } else {
                start = mark.end as usize;
            }
            first_mark = idx;
        }
    }

    /// A line ending also splits text nodes, although it is not a mark.
    fn link_lines(&mut self, mut node: Node) {
        while node.start < node.end {
            let line = &self.text.bytes()[node.start..node.end];
            let end = memchr::memchr(b'\n', line).map_or(node.end, |len| node.start + len);
            let mut end_mark = node.first_mark;
            let marks = &self.inlines.marks;
            while end_mark < node.end_mark && (marks[end_mark].start as usize) < end {
                end_mark += 1;
            }
            self.link_node(Node { end, end_mark, ..node });
            node.first_mark = end_mark;
            node.start = end + 1;
        }
    }

    fn link_node(&mut self, node: Node) {
        if node.end <= self.wanted.start || self.wanted.end <= node.start {
            return;
        }
        let marks = &self.inlines.marks[node.first_mark..node.end_mark];
        let is_verbatim =
            marks.iter().all(|mark| mark.kind.is_unused() || mark.is_shown_otherwise());
        let mut decoded = std::mem::take(&mut self.buffers.decoded);
        if is_verbatim {
            // LINEAR: no further than the end of the node, or each node would be searched to the
            // end of the text.
            let bytes = &self.text.bytes()[..node.end];
            self.link_emails(node, bytes, None);
        } else {
            decoded.decode(self.text, node, marks);
            self.link_emails(node, decoded.string.as_bytes(), Some(&decoded));
        }
        self.buffers.decoded = decoded;
    }

    /// Finds the e-mails of a node in `bytes`, which are its text, or that text decoded.
    fn link_emails(&mut self, node: Node, bytes: &[u8], decoded: Option<&DecodedText>) {
        let text = self.text;
        let (start, written) = match decoded {
            None => (node.start, Written::Plainly),
            Some(_) => (0, Written::Escaped),
        };
        let mut region = Region::new(start, bytes.len());
        region.before = match prev_char(&text.bytes()[text.start..], node.start - text.start) {
            Some(c) if c != '\n' => Edge::Char(c),
            _ => Edge::Open,
        };
        let dialect = self.rules.dialect;
        let mut candidates = Candidates::new(bytes, self.rules);
        let mut floor = match decoded {
            None => start.max(self.wanted.start),
            Some(_) => start,
        };
        while let Some(candidate) = candidates.at_or_after(floor) {
            floor = candidate.end();
            let at = decoded.map_or(candidate.start, |decoded| decoded.written(candidate.start));
            if at >= self.wanted.end {
                break;
            }
            if at < self.wanted.start {
                continue;
            }
            let (www, is_late) = (self.inlines.www, true);
            let question = Question { dialect, bytes, candidate, www, is_late };
            let found = self.recorder.decide(&question, &mut region);
            if let Some(decoded) = decoded {
                self.recorder.map_last(|at| decoded.written(at));
            }
            let Some(mut found) = found else { continue };
            floor = floor.max(found.end);
            region.start = found.end;
            region.before = prev_char(bytes, found.end).map_or(Edge::Open, Edge::Char);
            if let Some(decoded) = decoded {
                found.start = decoded.written(found.start);
                found.end = decoded.written(found.end);
            }
            let mark = self.inlines.new_bare(candidate, found, dialect, written);
            self.buffers.late.push_sparingly(mark);
        }
    }

    /// DIALECT(md4c): all kinds in regions: the parts of a line between resolved marks, outside of
    /// links. A resolved opener before a region, or closer after it, counts like the end of the
    /// line.
    fn link_regions(&mut self) {
        let bytes = self.text.bytes();
        let mut candidates = Candidates::new(bytes, self.rules);
        let mut idx = 0;
        let mut start = self.text.start;
        let mut before = Edge::Open;
        let mut in_anchor = false;
        let mut last = Region::new(start, start);
        while let Some(mark) = self.inlines.marks.get(idx).copied() {
            idx += 1;
            if mark.kind.is_unused() || mark.is_shown_otherwise() {
                continue;
            }
            if !in_anchor {
                let after = match mark.kind.role() {
                    MarkRole::LineEnd | MarkRole::Close => Edge::Open,
                    _ => next_char(bytes, mark.start as usize).map_or(Edge::Open, Edge::Char),
                };
                let mut region = last.further(start, mark.start as usize);
                (region.before, region.after) = (before, after);
                last = self.link_region(&region, &mut candidates);
            }
            let mut end = mark;
            if let MarkRole::LinkOpen(close) = mark.kind.role() {
                idx = close.get() + 1;
                end = self.inlines.marks[close.get()];
            }
            start = end.end as usize;
            before = match end.kind.role() {
                MarkRole::LineEnd | MarkRole::Open(_) => Edge::Open,
                _ => prev_char(bytes, start).map_or(Edge::Open, Edge::Char),
            };
            if self.rules.dialect == Dialect::Natural && mark.kind == MarkKind::RawHtml {
                let tag = &bytes[mark.start as usize..start];
                in_anchor = anchor_after(tag).unwrap_or(in_anchor);
            }
        }
    }

    /// Decides the candidates of a region, line by line. Returns the region of the last line.
    fn link_region(&mut self, whole: &Region, candidates: &mut Candidates<'_>) -> Region {
        let bytes = self.text.bytes();
        let dialect = self.rules.dialect;
        let written = if dialect == Dialect::Natural { Written::Escaped } else { Written::Plainly };
        let mut region = whole.clone();
        region.end = region.start;
        let mut floor = whole.start.max(self.wanted.start);
        let end = whole.end.min(self.wanted.end);
        if floor >= end {
            return region;
        }
        while let Some(candidate) = candidates.at_or_after(floor)
            && candidate.start < end
        {
            floor = candidate.end();
            if candidate.start >= region.end {
                region = line_of(bytes, whole, &region, candidate.start);
            }
            let (www, is_late) = (self.inlines.www, true);
            let question = Question { dialect, bytes, candidate, www, is_late };
            if let Some(found) = self.recorder.decide(&question, &mut region) {
                floor = floor.max(found.end);
                region.before = prev_char(bytes, found.end).map_or(Edge::Open, Edge::Char);
                region.start = found.end;
                let mark = self.inlines.new_bare(candidate, found, dialect, written);
                self.buffers.late.push_sparingly(mark);
            }
        }
        region
    }
}

/// The part of `whole` that is the line around `at`; it is after the line `last`.
fn line_of(bytes: &[u8], whole: &Region, last: &Region, at: usize) -> Region {
    let from = last.end.max(whole.start);
    let start = memchr::memrchr(b'\n', &bytes[from..at]).map(|len| from + len + 1);
    let end = memchr::memchr(b'\n', &bytes[at..whole.end]).map(|len| at + len);
    let mut line = last.further(start.unwrap_or(from), end.unwrap_or(whole.end));
    line.before = if start.is_none() && from == whole.start { whole.before } else { Edge::Open };
    line.after = if end.is_none() { whole.after } else { Edge::Open };
    line
}
