//! Bare links: where the recogniser of `barelink-autolink` meets Markdown.
//!
//! The dialects differ in when they look (their rules are in their own files):
//!
//! | dialect | URL and `www.` | e-mail |
//! |---|---|---|
//! | `gfm`, `github` | while marks are collected, in the source, not after an open bracket | last, in decoded text, between other nodes |
//! | `md4c` | after emphasis, within a line, between resolved marks | the same |
//! | `natural` | while marks are collected, in the source; taken back in the text of a link | after emphasis, as `md4c` |
//!
//! A text without `://`, `www.` and `@` pays one comparison for each mark: the
//! candidates are found by a search over the whole document that is always
//! ahead.
//!
//! LINEAR: candidates come in order, each is decided once here, and a region
//! is measured once for all candidates in it.

use std::borrow::Cow;

use barelink_autolink::candidate::{Candidate, Candidates};
use barelink_autolink::verdict::{Record, Silent};
use barelink_autolink::{
    Context as Region, Dialect, Edge, Match, Outcome, Report, Rules, gfm, github, md4c, natural,
};
use barelink_text::Span;
use barelink_text::chars::{next_char, prev_char};

use super::Inlines;
use super::join::Text;
use super::mark::{Kind, Mark};
use crate::event::Form;

/// What the mark of a bare link refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bare {
    pub(crate) kind: barelink_autolink::Kind,
    /// What the destination has before the text.
    pub(crate) prefix: &'static str,
    /// Whether escapes and entities in the text count.
    pub(crate) decoded: bool,
    /// Whether the host is encoded in the destination.
    pub(crate) natural: bool,
}

impl Bare {
    /// The destination of the link with this text, which is decoded, in two
    /// parts.
    pub(crate) fn destination<'t>(&self, text: &'t str) -> (&'static str, Cow<'t, str>) {
        if self.natural && natural::has_idn_host(text, self.kind) {
            let mut destination = String::with_capacity(self.prefix.len() + text.len() + 8);
            // A string takes everything.
            let _ = natural::push_href(text, self.prefix, &mut destination);
            return ("", Cow::Owned(destination));
        }
        (self.prefix, Cow::Borrowed(text))
    }

    pub(crate) fn form(&self) -> Form {
        match self.kind {
            barelink_autolink::Kind::Url => Form::BareUrl,
            barelink_autolink::Kind::Www => Form::BareWww,
            barelink_autolink::Kind::Email => Form::BareEmail,
        }
    }
}

/// What was decided about a candidate, in offsets of the leaf's text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decided {
    pub(crate) candidate: Candidate,
    pub(crate) outcome: Outcome,
    /// What the destination has before the link's text.
    pub(crate) prefix: &'static str,
}

/// Working memory.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// Links that were found after the marks: to be put among them.
    late: Vec<Mark>,
    /// Where the marks go that are there already.
    moved: Vec<u32>,
    merged: Vec<Mark>,
    /// A text node, decoded, and where its stretches come from.
    node: String,
    pieces: Vec<(u32, u32)>,
}

/// The candidates of a leaf while its marks are collected.
pub(crate) struct Scan<'c, 't> {
    candidates: &'c mut Candidates<'t>,
    rules: Rules,
    /// Where the next candidate is that is decided while collecting.
    pub(super) next: usize,
    region: Region,
}

/// Decides a URL or `www.` candidate.
fn decide(
    dialect: Dialect,
    bytes: &[u8],
    candidate: Candidate,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    use barelink_autolink::Kind::{Email, Url, Www};
    let at = candidate.start;
    match (dialect, candidate.kind) {
        (Dialect::Gfm, Url) => gfm::match_url(bytes, at, region, report),
        (Dialect::Gfm, Www) => gfm::match_www(bytes, at, region, report),
        (Dialect::Gfm, Email) => gfm::match_email(bytes, at, region, report),
        (Dialect::Github, Url) => github::match_url(bytes, at, region, report),
        (Dialect::Github, Www) => github::match_www(bytes, at, region, report),
        (Dialect::Github, Email) => github::match_email(bytes, at, region, report),
        (Dialect::Md4c, Url) => md4c::match_url(bytes, at, region, report),
        (Dialect::Md4c, Www) => md4c::match_www(bytes, at, region, report),
        (Dialect::Md4c, Email) => md4c::match_email(bytes, at, region, report),
        (Dialect::Natural, Url) => natural::match_url(bytes, at, region, report),
        (Dialect::Natural, Www) => natural::match_www(bytes, at, region, report),
        (Dialect::Natural, Email) => natural::match_email(bytes, at, region, report),
    }
}

impl<'c, 't> Scan<'c, 't> {
    /// `None` if the text has no candidate.
    pub(super) fn new(
        text: &Text<'_>,
        rules: Rules,
        candidates: &'c mut Candidates<'t>,
    ) -> Option<Self> {
        let first = candidates.at_or_after(text.start)?;
        if first.start >= text.end {
            return None;
        }
        let region = Region::new(text.start, text.end);
        let next = if rules.dialect == Dialect::Md4c { usize::MAX } else { first.start };
        Some(Self { candidates, rules, next, region })
    }
}

impl Inlines {
    /// Decides the candidates before `at`, from `floor` on. Returns the end of
    /// a link that reaches beyond `at`.
    #[cold]
    pub(super) fn link_before(
        &mut self,
        text: &Text<'_>,
        scan: &mut Scan<'_, '_>,
        floor: usize,
        at: usize,
    ) -> Option<usize> {
        let bytes = text.bytes();
        let mut floor = floor;
        loop {
            let Some(candidate) = scan.candidates.at_or_after(floor) else {
                scan.next = usize::MAX;
                return None;
            };
            scan.next = candidate.start;
            if candidate.start >= at {
                return None;
            }
            floor = candidate.end();
            if candidate.kind == barelink_autolink::Kind::Email {
                self.has_email = true;
                continue;
            }
            if scan.rules.dialect == Dialect::Natural {
                if self.in_anchor {
                    continue;
                }
                scan.region.start = self.marks.last().map_or(text.start, |mark| {
                    // Delimiters that wait are text until they are paired.
                    if mark.kind == Kind::Unused { text.start } else { mark.end as usize }
                });
                scan.region.open_emphasis = self.open_emphasis;
            } else {
                scan.region.open_bracket = self.pending_bracket();
            }
            let dialect = scan.rules.dialect;
            let Some(found) = self.observe(dialect, bytes, candidate, &mut scan.region) else {
                continue;
            };
            self.push_bare(candidate, found, dialect);
            floor = floor.max(found.end);
            if found.end > at {
                scan.next = scan.candidates.at_or_after(found.end).map_or(usize::MAX, |c| c.start);
                return Some(found.end);
            }
        }
    }

    /// Decides a candidate and keeps the reason if somebody wants to know.
    fn observe(
        &mut self,
        dialect: Dialect,
        bytes: &[u8],
        candidate: Candidate,
        region: &mut Region,
    ) -> Option<Match> {
        let Some(decided) = &mut self.decided else {
            return decide(dialect, bytes, candidate, region, &mut Silent);
        };
        let mut record = Record::default();
        let found = decide(dialect, bytes, candidate, region, &mut record);
        let span = found.map(|found| Span::new(found.start as u32, found.end as u32));
        let prefix = found.map_or("", |found| found.prefix);
        decided.push(Decided { candidate, outcome: record.outcome(span), prefix });
        found
    }

    fn push_bare(&mut self, candidate: Candidate, found: Match, dialect: Dialect) {
        let mark = self.new_bare(candidate, found, dialect, dialect == Dialect::Natural);
        self.bare_marks.push(self.marks.len() as u32);
        self.marks.push(mark);
    }

    fn new_bare(
        &mut self,
        candidate: Candidate,
        found: Match,
        dialect: Dialect,
        decoded: bool,
    ) -> Mark {
        let mut mark = Mark::new(Kind::BareLink, found.start, found.end);
        mark.mate = self.bare.len() as u32;
        let natural = dialect == Dialect::Natural;
        self.bare.push(Bare { kind: candidate.kind, prefix: found.prefix, decoded, natural });
        mark
    }

    /// Where the outermost bracket stands that is open and may become a link.
    fn pending_bracket(&self) -> Option<u32> {
        let first = if self.n_open_images > 0 { 0 } else { self.n_inactive };
        let bracket = self.brackets.get(first)?;
        Some(self.marks[bracket.mark_idx as usize].start)
    }

    /// Notes a delimiter run for [`OpenEmphasis`]: whether it closes what is
    /// open or opens.
    pub(super) fn note_run(&mut self, byte: u8, len: usize, can_open: bool, can_close: bool) {
        let slot = match byte {
            b'*' => &mut self.open_emphasis.star,
            b'_' => &mut self.open_emphasis.underscore,
            _ => &mut self.open_emphasis.tilde,
        };
        if can_close && *slot > 0 {
            *slot = 0;
        } else if can_open {
            *slot = len.min(255) as u8;
        }
    }

    /// Finds the links that are looked for when all other marks are settled.
    pub(super) fn link_late(&mut self, text: &Text<'_>, rules: Rules) {
        let mut buffers = std::mem::take(&mut self.autolink);
        buffers.late.clear();
        match rules.dialect {
            Dialect::Gfm | Dialect::Github if self.has_email => {
                self.link_nodes(text, rules, &mut buffers);
            }
            Dialect::Md4c => self.link_regions(text, rules, &mut buffers),
            Dialect::Natural if self.has_email => {
                let emails = Rules { url: false, www: false, ..rules };
                self.link_regions(text, emails, &mut buffers);
            }
            _ => {}
        }
        if !buffers.late.is_empty() {
            self.merge(&mut buffers);
        }
        self.autolink = buffers;
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
        let emails = Rules { url: false, www: false, ..rules };
        let mut string = std::mem::take(&mut buffers.node);
        buffers.pieces.clear();
        let (bytes, start, end) = if verbatim {
            (text.bytes(), node.start, node.end)
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
            let n_decided = self.decided.as_ref().map_or(0, Vec::len);
            let found = self.observe(rules.dialect, bytes, candidate, &mut region);
            if !verbatim && let Some(decided) = &mut self.decided {
                for entry in &mut decided[n_decided..] {
                    entry.candidate.start = source_offset(pieces, entry.candidate.start);
                    entry.map(|at| source_offset(pieces, at));
                }
            }
            let Some(mut found) = found else { continue };
            floor = floor.max(found.end);
            region.start = found.end;
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
                let mut region = Region::new(start, mark.start as usize);
                (region.before, region.after) = (before, after);
                self.link_region(bytes, region, rules, &mut candidates, buffers);
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

    /// The candidates of a region, line by line.
    fn link_region(
        &mut self,
        bytes: &[u8],
        whole: Region,
        rules: Rules,
        candidates: &mut Candidates<'_>,
        buffers: &mut Buffers,
    ) {
        let mut region = whole.clone();
        region.end = region.start;
        let mut floor = whole.start;
        while let Some(candidate) = candidates.at_or_after(floor)
            && candidate.start < whole.end
        {
            floor = candidate.end();
            if candidate.start >= region.end {
                region = line_of(bytes, &whole, region.end, candidate.start);
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
    }

    /// Takes back the bare links after mark `idx`: they are in the text of a
    /// link, or the description of an image.
    pub(super) fn unlink_bare(&mut self, idx: u32) {
        // LINEAR: each is taken back once.
        while let Some(bare_idx) = self.bare_marks.pop_if(|bare_idx| *bare_idx > idx) {
            self.marks[bare_idx as usize].kind = Kind::Unused;
        }
    }
}

/// Whether raw HTML leaves us inside an `<a>` element.
pub(crate) fn anchor_after(tag: &[u8], inside: bool) -> bool {
    let (closing, name) = match tag {
        [b'<', b'/', name @ ..] => (true, name),
        [b'<', name @ ..] => (false, name),
        _ => return inside,
    };
    match name {
        [b'a' | b'A', b' ' | b'\t' | b'\n' | b'>' | b'/', ..] => !closing,
        _ => inside,
    }
}

/// The part of `whole` that is the line of `at`; no line before `from` is asked for.
fn line_of(bytes: &[u8], whole: &Region, from: usize, at: usize) -> Region {
    let from = from.max(whole.start);
    let start = memchr::memrchr(b'\n', &bytes[from..at]).map(|len| from + len + 1);
    let end = memchr::memchr(b'\n', &bytes[at..whole.end]).map(|len| at + len);
    let mut line = Region::new(start.unwrap_or(from), end.unwrap_or(whole.end));
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
            Kind::Entity => end,
            Kind::Backslash => end,
            Kind::Literal if end == start + 2 => start + 1,
            _ => continue,
        };
        out.push_str(text.slice(from, start));
        pieces.push((out.len() as u32, start as u32));
        if mark.kind == Kind::Entity {
            out.push_str(&crate::html::escape::unescape(text.slice(start, end)));
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

impl Decided {
    /// Moves every offset of the outcome.
    fn map(&mut self, offset: impl Fn(usize) -> usize) {
        let span = |span: Span| {
            Span::new(offset(span.start as usize) as u32, offset(span.end as usize) as u32)
        };
        match &mut self.outcome {
            Outcome::Linked { span: link, trims } => {
                *link = span(*link);
                *trims = trims.map_spans(span);
            }
            Outcome::Refused { at, .. } => *at = offset(*at as usize) as u32,
        }
    }
}
