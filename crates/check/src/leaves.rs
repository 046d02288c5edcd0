//! A page, leaf by leaf: what each paragraph, heading and cell shows, and where its links
//! lead. So two versions of a document can be compared, and what differs is known to a leaf.
//!
//! LINEAR: the events of a document are gone through once.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use barelink::{
    Attribute, EventKind, MathStyle, Parser, Policy, SourceTooLong, Span, Tag, TagEnd, html,
};

/// What a document shows.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) leaves: Vec<Leaf>,
}

/// A paragraph, heading or cell.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) span: Span,
    /// Stands for all that it shows.
    pub(crate) hash: u64,
    /// Its links and images: where they are and where they lead, encoded.
    pub(crate) links: Vec<(Span, String)>,
}

impl Page {
    /// Reads the leaves of a document that a span is in, or next to.
    pub(crate) fn read(
        source: &str,
        parser: &mut Parser,
        within: Span,
    ) -> Result<Self, SourceTooLong> {
        let mut leaves = Vec::new();
        let mut open: Option<(Leaf, DefaultHasher)> = None;
        for event in parser.parse(source)?.events().within(within) {
            match &event.kind {
                EventKind::Start(Tag::Paragraph | Tag::Term | Tag::Heading { .. } | Tag::Cell) => {
                    let leaf = Leaf { span: event.span, hash: 0, links: Vec::new() };
                    open = Some((leaf, DefaultHasher::new()));
                }
                EventKind::End(
                    TagEnd::Paragraph | TagEnd::Term | TagEnd::Heading { .. } | TagEnd::Cell,
                ) => {
                    leaves.extend(
                        open.take().map(|(leaf, hasher)| Leaf { hash: hasher.finish(), ..leaf }),
                    );
                }
                kind => {
                    let Some((leaf, hasher)) = &mut open else { continue };
                    feed(kind, hasher);
                    if let EventKind::Start(Tag::Link(target) | Tag::Image(target)) = kind {
                        let href = encoded(&target.destination);
                        hasher.write(href.as_bytes());
                        leaf.links.push((event.span, href));
                    }
                }
            }
        }
        // Footnotes may come elsewhere than they are written.
        leaves.sort_by_key(|leaf| leaf.span.start);
        Ok(Self { leaves })
    }

    /// Whether another version shows the same, leaf by leaf.
    pub(crate) fn shows_the_same(&self, other: &Self) -> bool {
        let hashes = |page: &Self| page.leaves.iter().map(|leaf| leaf.hash).collect::<Vec<_>>();
        hashes(self) == hashes(other)
    }

    /// The leaf that an offset is in.
    pub(crate) fn leaf_at(&self, offset: u32) -> Option<usize> {
        let after = self.leaves.partition_point(|leaf| leaf.span.start <= offset);
        let idx = after.checked_sub(1)?;
        (offset <= self.leaves[idx].span.end).then_some(idx)
    }
}

/// A destination as HTML has it.
pub(crate) fn encoded(destination: &str) -> String {
    let mut href = String::with_capacity(destination.len());
    html::push_href(destination, Attribute::Href, &Policy::TRUSTED, &mut href);
    href
}

/// Adds what an event shows, but for destinations. Texts that follow each other are one; how a
/// link is written does not count.
fn feed(kind: &EventKind<'_>, hasher: &mut DefaultHasher) {
    let mut piece = |sign: u8, texts: [&str; 2]| {
        // No text has these bytes.
        hasher.write(&[0xFF, sign]);
        hasher.write(texts[0].as_bytes());
        hasher.write(&[0xFE]);
        hasher.write(texts[1].as_bytes());
        hasher.write(&[0xFF]);
    };
    match kind {
        EventKind::Text(text) => hasher.write(text.as_bytes()),
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
            tag.end().hash(hasher);
        }
        EventKind::End(end) => {
            piece(6, ["", ""]);
            end.hash(hasher);
        }
        EventKind::SoftBreak => piece(7, ["", ""]),
        EventKind::HardBreak => piece(8, ["", ""]),
        EventKind::FootnoteReference { label, written } => piece(9, [label, written]),
        _ => piece(10, ["", ""]),
    }
}
