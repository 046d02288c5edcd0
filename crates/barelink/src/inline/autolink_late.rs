//! Bare links that are looked for when all other marks are settled: e-mails of
//! the GFM dialects in decoded text nodes, everything of `md4c` and e-mails of
//! `natural` in regions between resolved marks. They are put among the marks at
//! the end.
//!
//! LINEAR: nodes, regions and lines are gone through once, in order, and so
//! are the candidates in them.

use barelink_autolink::engine::{Candidates, Context as Region, Edge};
use barelink_autolink::{Dialect, Rules};
use barelink_text::chars::{next_char, prev_char};

use super::Inlines;
use super::autolink::anchor_after;
use super::mark::{Kind, Mark};
use crate::syntax::join::Text;
use crate::syntax::unescape::unescape;

/// Working memory for more marks or pieces than this is given back, since a long leaf has
/// enough of its own.
const KEPT: usize = 4096;

/// Working memory.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// Links that were found after the marks: to be put among them.
    late: Vec<Mark>,
    /// Where the marks go that are there already.
    moved: Vec<u32>,
    merged: Vec<Mark>,
    /// A text node, decoded, and where its stretches come from.
    node: String,
    pieces: Vec<(u32, u32)>,
}

impl Inlines {
    /// Finds the links that are looked for when all other marks are settled.
    pub(super) fn link_late(&mut self, text: &Text<'_>, rules: Rules) {
        if rules.dialect != Dialect::Md4c && !self.has_email {
            return;
        }
        let mut buffers = std::mem::take(&mut self.late);
        buffers.late.clear();
        match rules.dialect {
            Dialect::Gfm | Dialect::Github => self.link_nodes(text, rules, &mut buffers),
            Dialect::Natural => {
                let emails = rules.only(barelink_autolink::Kind::Email);
                self.link_regions(text, emails, &mut buffers);
            }
            _ => self.link_regions(text, rules, &mut buffers),
        }
        buffers.pieces.clear();
        buffers.pieces.shrink_to(KEPT);
        if !buffers.late.is_empty() {
            self.merge(&mut buffers);
            buffers.merged.clear();
            buffers.merged.shrink_to(KEPT);
        }
        self.late = buffers;
    }

    /// Puts the late links among the marks. What they cover goes.
    fn merge(&mut self, buffers: &mut Buffers) {
        let Buffers { late, moved, merged, .. } = buffers;
        moved.clear();
        merged.clear();
        let mut late = late.iter().peekable();
        let mut covered = 0;
        for mark in &self.marks {
            while let Some(link) = late.next_if(|link| link.start <= mark.start) {
                covered = link.end;
                merged.push(*link);
            }
            moved.push(merged.len() as u32);
            if mark.start >= covered {
                merged.push(*mark);
            }
        }
        for mark in merged.iter_mut() {
            if mark.kind.has_mate() {
                mark.mate = moved[mark.mate as usize];
            }
        }
        for link in &mut self.links {
            link.open_idx = moved[link.open_idx as usize];
        }
        std::mem::swap(&mut self.marks, merged);
    }

    /// DIALECT(gfm): e-mails in text nodes: decoded text between other marks,
    /// outside of links.
    fn link_nodes(&mut self, text: &Text<'_>, rules: Rules, buffers: &mut Buffers) {
        let mut idx = 0;
        let mut start = text.start;
        let mut first_mark = 0;
        while let Some(mark) = self.marks.get(idx).copied() {
            idx += 1;
            if mark.kind.is_text() {
                continue;
            }
            let node = Node { start, end: mark.start as usize, first_mark, end_mark: idx - 1 };
            self.link_lines(text, node, rules, buffers);
            if let Kind::LinkOpen | Kind::ImageOpen = mark.kind {
                idx = mark.mate as usize + 1;
                start = self.marks[mark.mate as usize].end as usize;
            } else {
                start = mark.end as usize;
            }
            first_mark = idx;
        }
    }

    /// A line ending parts text nodes too, although it is no mark.
    fn link_lines(&mut self, text: &Text<'_>, node: Node, rules: Rules, buffers: &mut Buffers) {
        let mut node = node;
        while node.start < node.end {
            let line = &text.bytes()[node.start..node.end];
            let end = memchr::memchr(b'\n', line).map_or(node.end, |len| node.start + len);
            let mut end_mark = node.first_mark;
            while end_mark < node.end_mark && (self.marks[end_mark].start as usize) < end {
                end_mark += 1;
            }
            self.link_node(text, Node { end, end_mark, ..node }, rules, buffers);
            node.first_mark = end_mark;
            node.start = end + 1;
        }
    }

    fn link_node(&mut self, text: &Text<'_>, node: Node, rules: Rules, buffers: &mut Buffers) {
        let before = match prev_char(&text.bytes()[text.start..], node.start - text.start) {
            Some(c) if c != '\n' => Edge::Char(c),
            _ => Edge::Open,
        };
        let marks = &self.marks[node.first_mark..node.end_mark];
        let verbatim = marks.iter().all(|mark| {
            mark.kind == Kind::Unused || mark.end == mark.start + 1 && mark.kind == Kind::Literal
        });
        let emails = rules.only(barelink_autolink::Kind::Email);
        let mut string = std::mem::take(&mut buffers.node);
        buffers.pieces.clear();
        // LINEAR: no further than the node, or each would search to the end.
        let (bytes, start, end) = if verbatim {
            (&text.bytes()[..node.end], node.start, node.end)
        } else {
            string.clear();
            decode_node(text, node, marks, &mut string, &mut buffers.pieces);
            (string.as_bytes(), 0, string.len())
        };
        let pieces = &buffers.pieces;
        let mut region = Region::new(start, end);
        region.before = before;
        let mut candidates = Candidates::new(bytes, emails);
        let mut floor = start;
        while let Some(candidate) = candidates.at_or_after(floor)
            && candidate.start < end
        {
            floor = candidate.end();
            let found = self.observe(rules.dialect, bytes, candidate, &mut region);
            if !verbatim && let Some(decided) = &mut self.decided {
                decided.map_last(|at| source_offset(pieces, at));
            }
            let Some(mut found) = found else { continue };
            floor = floor.max(found.end);
            region.start = found.end;
            region.before = prev_char(bytes, found.end).map_or(Edge::Open, Edge::Char);
            if !verbatim {
                found.start = source_offset(pieces, found.start);
                found.end = source_offset(pieces, found.end);
            }
            let mark = self.new_bare(candidate, found, rules.dialect, !verbatim);
            buffers.late.push(mark);
        }
        buffers.node = string;
    }

    /// DIALECT(md4c): all kinds in regions: the parts of a line between resolved
    /// marks, outside of links. A resolved opener before a region, or closer
    /// after it, is as good as the line's end.
    fn link_regions(&mut self, text: &Text<'_>, rules: Rules, buffers: &mut Buffers) {
        let bytes = text.bytes();
        let mut candidates = Candidates::new(bytes, rules);
        let mut idx = 0;
        let mut start = text.start;
        let mut before = Edge::Open;
        let mut in_anchor = false;
        let mut last = Region::new(start, start);
        while let Some(mark) = self.marks.get(idx).copied() {
            idx += 1;
            let literal = mark.kind == Kind::Literal && mark.end == mark.start + 1;
            if mark.kind == Kind::Unused || literal {
                continue;
            }
            if !in_anchor {
                let after = match mark.kind {
                    Kind::End | Kind::SoftBreak | Kind::HardBreak => Edge::Open,
                    kind if kind.is_closer() => Edge::Open,
                    _ => next_char(bytes, mark.start as usize).map_or(Edge::Open, Edge::Char),
                };
                let mut region = last.further(start, mark.start as usize);
                (region.before, region.after) = (before, after);
                last = self.link_region(bytes, &region, rules, &mut candidates, buffers);
            }
            let mut end = mark;
            if let Kind::LinkOpen | Kind::ImageOpen = mark.kind {
                idx = mark.mate as usize + 1;
                end = self.marks[mark.mate as usize];
            }
            start = end.end as usize;
            before = match end.kind {
                Kind::SoftBreak | Kind::HardBreak => Edge::Open,
                kind if kind.is_opener() => Edge::Open,
                _ => prev_char(bytes, start).map_or(Edge::Open, Edge::Char),
            };
            if rules.dialect == Dialect::Natural && mark.kind == Kind::RawHtml {
                in_anchor = anchor_after(&bytes[mark.start as usize..start], in_anchor);
            }
        }
    }

    /// The candidates of a region, line by line. Returns what was looked at last.
    fn link_region(
        &mut self,
        bytes: &[u8],
        whole: &Region,
        rules: Rules,
        candidates: &mut Candidates<'_>,
        buffers: &mut Buffers,
    ) -> Region {
        let mut region = whole.clone();
        region.end = region.start;
        let mut floor = whole.start;
        while let Some(candidate) = candidates.at_or_after(floor)
            && candidate.start < whole.end
        {
            floor = candidate.end();
            if candidate.start >= region.end {
                region = line_of(bytes, whole, &region, candidate.start);
            }
            let decoded = rules.dialect == Dialect::Natural;
            if let Some(found) = self.observe(rules.dialect, bytes, candidate, &mut region) {
                floor = floor.max(found.end);
                region.before = prev_char(bytes, found.end).map_or(Edge::Open, Edge::Char);
                region.start = found.end;
                let mark = self.new_bare(candidate, found, rules.dialect, decoded);
                buffers.late.push(mark);
            }
        }
        region
    }
}

/// The part of `whole` that is the line of `at`, behind the line that was `last`.
fn line_of(bytes: &[u8], whole: &Region, last: &Region, at: usize) -> Region {
    let from = last.end.max(whole.start);
    let start = memchr::memrchr(b'\n', &bytes[from..at]).map(|len| from + len + 1);
    let end = memchr::memchr(b'\n', &bytes[at..whole.end]).map(|len| at + len);
    let mut line = last.further(start.unwrap_or(from), end.unwrap_or(whole.end));
    line.before = if start.is_none() && from == whole.start { whole.before } else { Edge::Open };
    line.after = if end.is_none() { whole.after } else { Edge::Open };
    line
}

/// A text node: text between other marks, with the marks that belong to it.
#[derive(Clone, Copy)]
struct Node {
    start: usize,
    end: usize,
    first_mark: usize,
    end_mark: usize,
}

/// Decodes a node. `pieces` gets pairs of offsets: in the decoded text and in
/// the leaf's text.
fn decode_node(
    text: &Text<'_>,
    node: Node,
    marks: &[Mark],
    out: &mut String,
    pieces: &mut Vec<(u32, u32)>,
) {
    let mut from = node.start;
    pieces.push((0, from as u32));
    for mark in marks {
        let (start, end) = (mark.start as usize, mark.end as usize);
        let hidden = match mark.kind {
            Kind::Entity | Kind::Backslash => end,
            Kind::Literal if end == start + 2 => start + 1,
            _ => continue,
        };
        out.push_str(text.slice(from, start));
        pieces.push((out.len() as u32, start as u32));
        if mark.kind == Kind::Entity {
            out.push_str(&unescape(text.slice(start, end)));
        }
        from = hidden;
        pieces.push((out.len() as u32, from as u32));
    }
    out.push_str(text.slice(from, node.end));
    pieces.push((out.len() as u32, node.end as u32));
}

/// Where an offset of the decoded text is in the leaf's text. At an escape or
/// entity it is the start of that, so that what starts there has it whole, and
/// what ends there does not.
fn source_offset(pieces: &[(u32, u32)], at: usize) -> usize {
    let at = at as u32;
    let next = pieces.partition_point(|&(decoded, _)| decoded < at);
    let offset = match pieces.get(next) {
        Some(&(decoded, source)) if decoded == at => source,
        next_piece => {
            let (decoded, source) = pieces[next.saturating_sub(1)];
            let limit = next_piece.map_or(u32::MAX, |&(_, source)| source);
            (source + (at - decoded)).min(limit)
        }
    };
    offset as usize
}
