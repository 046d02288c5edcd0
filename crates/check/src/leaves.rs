//! A page, leaf by leaf: the content of each paragraph, heading and cell, and the destinations of
//! its links. So two versions of a document can be compared, and differences are located to a leaf.
//!
//! LINEAR: one pass over the events of a document.

use std::hash::{BuildHasher as _, Hash as _, Hasher};

use barelink::{
    Attribute, Dialect, EventKind, MathStyle, Parser, Policy, SourceTooLong, Span, Tag, TagEnd,
    html,
};
use foldhash::fast::FixedState;

/// Marks brackets in a destination that are not encoded, as in `natural`. These bytes occur in no
/// text.
const BARE_BRACKETS: [u8; 2] = [0xFF, 0xFD];

/// The leaves of a document.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) leaves: Vec<Leaf>,
}

/// A paragraph, heading or cell.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) span: Span,
    /// A hash of everything before its first link.
    pub(crate) hash: u64,
    /// Its links and images, in order.
    pub(crate) links: Vec<LeafLink>,
}

/// A link or image of a leaf.
#[derive(Debug)]
pub(crate) struct LeafLink {
    pub(crate) span: Span,
    /// Its destination, encoded.
    pub(crate) href: String,
    /// A hash of everything from its start to the next one.
    pub(crate) hash: u64,
}

impl Leaf {
    /// Whether another leaf has the same content.
    pub(crate) fn shows_the_same(&self, other: &Self) -> bool {
        self.links.len() == other.links.len()
            && self.hash == other.hash
            && self.links.iter().zip(&other.links).all(|(one, two)| one.hash == two.hash)
    }

    /// The index of the link that starts at an offset, or of the next one.
    pub(crate) fn link_at(&self, offset: u32) -> usize {
        self.links.partition_point(|link| link.span.start < offset)
    }

    /// The start of a link, or without one, of the leaf.
    pub(crate) fn part_start(&self, link_idx: Option<usize>) -> u32 {
        let link = link_idx.and_then(|idx| self.links.get(idx));
        link.map_or(self.span.start, |link| link.span.start)
    }

    fn end_part(&mut self, shown: &mut Vec<u8>) {
        let mut hasher = hasher();
        hasher.write(shown);
        shown.clear();
        let hash = hasher.finish();
        match self.links.last_mut() {
            Some(link) => link.hash = hash,
            None => self.hash = hash,
        }
    }
}

impl Page {
    /// Reads the leaves of a document that a span overlaps or touches.
    pub(crate) fn read(
        source: &str,
        parser: &mut Parser,
        within: Span,
    ) -> Result<Self, SourceTooLong> {
        let mut leaves = Vec::new();
        let mut open: Option<Leaf> = None;
        // The content since the last link. One hash of it all takes less time than one of each
        // piece.
        let mut shown = Vec::new();
        let is_natural = parser.options().autolinks.dialect == Some(Dialect::Natural);
        for event in parser.parse(source)?.events().within(within) {
            match &event.kind {
                EventKind::Start(Tag::Paragraph | Tag::Term | Tag::Heading { .. } | Tag::Cell) => {
                    open = Some(Leaf { span: event.span, hash: 0, links: Vec::new() });
                }
                EventKind::End(
                    TagEnd::Paragraph | TagEnd::Term | TagEnd::Heading { .. } | TagEnd::Cell,
                ) => {
                    let Some(mut leaf) = open.take() else { continue };
                    leaf.end_part(&mut shown);
                    leaves.push(leaf);
                }
                kind => {
                    let Some(leaf) = &mut open else { continue };
                    if let EventKind::Start(Tag::Link(target) | Tag::Image(target)) = kind {
                        leaf.end_part(&mut shown);
                        let href = encoded(&target.destination);
                        shown.extend_from_slice(href.as_bytes());
                        // Only such links have them.
                        let has_brackets = || target.destination.contains(['[', ']']);
                        if is_natural && target.form.is_bare() && has_brackets() {
                            shown.extend_from_slice(&BARE_BRACKETS);
                        }
                        leaf.links.push(LeafLink { span: event.span, href, hash: 0 });
                    }
                    push_shown(kind, &mut shown);
                }
            }
        }
        // Footnotes may be displayed elsewhere than they are written.
        leaves.sort_by_key(|leaf| leaf.span.start);
        Ok(Self { leaves })
    }

    /// Whether another version has the same content, leaf by leaf.
    pub(crate) fn shows_the_same(&self, other: &Self) -> bool {
        self.leaves.len() == other.leaves.len()
            && self.leaves.iter().zip(&other.leaves).all(|(one, two)| one.shows_the_same(two))
    }

    /// The index of the leaf that contains an offset.
    pub(crate) fn leaf_at(&self, offset: u32) -> Option<usize> {
        let after = self.leaves.partition_point(|leaf| leaf.span.start <= offset);
        let idx = after.checked_sub(1)?;
        (offset <= self.leaves[idx].span.end).then_some(idx)
    }
}

/// A destination as written in HTML.
pub(crate) fn encoded(destination: &str) -> String {
    let mut href = String::with_capacity(destination.len());
    html::push_href(destination, Attribute::Href, &Policy::TRUSTED, &mut href);
    href
}

/// Adds the content of an event, except destinations. Adjacent texts count as one; the form of a
/// link does not matter.
fn push_shown(kind: &EventKind<'_>, shown: &mut Vec<u8>) {
    let mut piece = |sign: u8, texts: [&str; 2]| {
        // These bytes occur in no text.
        shown.extend_from_slice(&[0xFF, sign]);
        shown.extend_from_slice(texts[0].as_bytes());
        shown.push(0xFE);
        shown.extend_from_slice(texts[1].as_bytes());
        shown.push(0xFF);
    };
    match kind {
        EventKind::Text(text) => shown.extend_from_slice(text.as_bytes()),
        EventKind::Code(text) => piece(1, [text, ""]),
        EventKind::Math { text, style } => {
            let fence = match style {
                MathStyle::Display => "$$",
                _ => "$",
            };
            piece(11, [text, fence]);
        }
        EventKind::Html(text) | EventKind::InlineHtml(text) => piece(2, [text, ""]),
        EventKind::Start(Tag::Link(target)) => piece(3, [&target.title, ""]),
        EventKind::Start(Tag::Image(target)) => piece(4, [&target.title, ""]),
        EventKind::Start(tag) => {
            piece(5, ["", ""]);
            push_tag(tag.end(), shown);
        }
        EventKind::End(end) => {
            piece(6, ["", ""]);
            push_tag(*end, shown);
        }
        EventKind::SoftBreak => piece(7, ["", ""]),
        EventKind::HardBreak => piece(8, ["", ""]),
        EventKind::FootnoteReference { label, written } => piece(9, [label, written]),
        _ => piece(10, ["", ""]),
    }
}

/// The same hasher for both versions. Forging two texts with the same hash gains nothing: the whole
/// page is compared at the end.
fn hasher() -> impl Hasher {
    FixedState::default().build_hasher()
}

/// Adds the kind of a tag.
fn push_tag(end: TagEnd, shown: &mut Vec<u8>) {
    let mut hasher = hasher();
    end.hash(&mut hasher);
    shown.extend_from_slice(&hasher.finish().to_le_bytes());
}
