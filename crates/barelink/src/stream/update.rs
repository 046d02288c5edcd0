//! What changed since the last update.

use std::fmt;
use std::ops::Range;

use barelink_text::Span;

use super::changes::{Change, Changes};

/// What changed in a [`Stream`](super::Stream) since the last update.
///
/// The page is the HTML of all blocks in the order of their ids. A client keeps that of each
/// block. First it replaces the [revised](Self::revised) ones, then for each of the other
/// [blocks](Self::blocks), it keeps the first [`keep`](Block::keep) bytes of what it has and
/// appends [`html`](Block::html). Whoever keeps one string applies the
/// [splices](Self::splices) instead.
#[derive(Debug, Clone, Copy)]
pub struct Update<'s> {
    pub(super) changes: &'s Changes,
}

impl<'s> Update<'s> {
    /// Blocks that had been settled and are now different, in full. One that is gone has no
    /// HTML.
    pub fn revised(&self) -> impl ExactSizeIterator<Item = Block<'s>> + use<'s> {
        let changes = self.changes;
        changes.revised.iter().map(|change| change.block(&changes.html))
    }

    /// Blocks that are new, that grew or changed, or whose state did. The last one is open,
    /// unless the document is finished.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Block<'s>> + use<'s> {
        let changes = self.changes;
        changes.blocks.iter().map(|change| change.block(changes.text_of(change.id)))
    }

    /// The same for one string that holds the whole page: to be applied one after the other.
    ///
    /// Blocks that follow each other are one splice. So nearly every update is one, at the end of
    /// the page: the string is cut off at `start`, and `html` is appended. There are more if
    /// blocks before were [revised](Self::revised), which come first, and if there are footnotes,
    /// whose section is the last.
    ///
    /// ```
    /// use barelink::{Options, Stream};
    /// let mut stream = Stream::new(Options::commonmark());
    /// let mut page = String::new();
    /// for piece in ["see [a]", " and *b", "*\n\n[a]: /u\n\n", "end"] {
    ///     stream.push(piece)?;
    ///     for splice in stream.update().splices() {
    ///         page.replace_range(splice.start..splice.end, splice.html);
    ///     }
    /// }
    /// assert_eq!(page, "<p>see <a href=\"/u\">a</a> and <em>b</em></p>\n<p>end</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn splices(&self) -> impl Iterator<Item = Splice<'s>> + use<'s> {
        let changes = self.changes;
        let mut left = Left { revised: &changes.revised, blocks: &changes.blocks };
        std::iter::from_fn(move || {
            let edit = left.next_joined()?;
            let html = changes.text_of(edit.id).get(edit.html).unwrap_or_default();
            Some(Splice { start: edit.start, end: edit.end, html })
        })
    }

    /// What was guessed about the end of the text: see
    /// [`Incomplete`](super::Incomplete). Nothing, unless that is wanted.
    pub fn completion(&self) -> Completion<'s> {
        Completion { held: self.changes.held, added: &self.changes.added }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.changes.revised.is_empty() && self.changes.blocks.is_empty()
    }

    /// Whether this is the end: nothing is open.
    pub fn is_end(&self) -> bool {
        self.changes.is_end
    }
}

impl Change {
    fn block<'s>(&self, html: &'s str) -> Block<'s> {
        let Self { id, kind, span, keep, state, pending, .. } = *self;
        let html = html.get(self.html.clone()).unwrap_or_default();
        Block { id, kind, span, keep, html, state, pending }
    }
}

/// Changes that are left to be told as splices.
#[derive(Clone, Copy)]
struct Left<'s> {
    revised: &'s [Change],
    blocks: &'s [Change],
}

impl Left<'_> {
    /// The next one that is not empty, with those that go on with it.
    #[inline]
    fn next_joined(&mut self) -> Option<Edit> {
        if !self.revised.is_empty() || self.blocks.len() > 1 {
            return self.next_of_several();
        }
        // So it is nearly always.
        let [change] = std::mem::take(&mut self.blocks) else { return None };
        Some(Edit::of(change)).filter(|edit| !edit.is_empty())
    }

    #[inline(never)]
    fn next_of_several(&mut self) -> Option<Edit> {
        let mut edit = self.next()?;
        if self.revised.is_empty() {
            // These follow each other on the page, and what they write does, too.
            while let [next, others @ ..] = self.blocks
                && edit.join(next)
            {
                self.blocks = others;
            }
        }
        Some(edit)
    }

    /// The next one that is not empty.
    fn next(&mut self) -> Option<Edit> {
        loop {
            let changes =
                if self.revised.is_empty() { &mut self.blocks } else { &mut self.revised };
            let edit = Edit::of(changes.split_off_first()?);
            if !edit.is_empty() {
                return Some(edit);
            }
        }
    }
}

/// A change to the page: the bytes that go, and where in [`Changes`] those are that come.
#[derive(Debug)]
struct Edit {
    start: usize,
    end: usize,
    html: Range<usize>,
    /// The last block that it is about.
    id: BlockId,
}

impl Edit {
    fn of(change: &Change) -> Self {
        let Change { id, at, keep, len_before, .. } = *change;
        Self { start: at + keep, end: at + len_before, html: change.html.clone(), id }
    }

    fn is_empty(&self) -> bool {
        self.start == self.end && self.html.is_empty()
    }

    /// Goes on with the next change, if that begins where this one ends once it is made. False if it
    /// does not.
    #[inline]
    fn join(&mut self, next: &Change) -> bool {
        if next.html.is_empty() && next.keep == next.len_before {
            return true;
        }
        let is_next = next.at + next.keep == self.start + self.html.len();
        let is_joined = is_next && next.html.start == self.html.end && next.id != BlockId::NOTES;
        if is_joined {
            self.end += next.len_before - next.keep;
            self.html.end = next.html.end;
            self.id = next.id;
        }
        is_joined
    }
}

/// A top-level block of a page that is still being written, as it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block<'s> {
    /// Which block it is.
    pub id: BlockId,
    /// What it is, so far.
    pub kind: BlockKind,
    /// The bytes of the source it comes from.
    pub span: Span,
    /// How many bytes of its HTML stay as they are. Always on the boundary of a character.
    pub keep: usize,
    /// What follows them. If this is empty and nothing is kept, the block is gone.
    pub html: &'s str,
    /// What may still happen to it.
    pub state: BlockState,
    /// What is not complete in it, if it is open.
    pub pending: Option<Pending>,
}

/// What was guessed about the end of a text: the page is what the source gives with `added`
/// in place of `held`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion<'s> {
    /// The end of the source that is not shown yet. Line endings may be part of it.
    pub held: Span,
    /// What closes what is open.
    pub added: &'s str,
}

/// A change to one string that holds a whole page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Splice<'s> {
    /// The first byte that is replaced.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// What takes their place.
    pub html: &'s str,
}

/// Which top-level block a block is: the offset of its first byte in the source. It never
/// changes, and blocks follow each other in the order of their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub(super) u32);

impl BlockId {
    /// The section with the footnotes, behind all other blocks.
    pub const NOTES: Self = Self(u32::MAX);

    /// The number, as the command writes it.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a top-level block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockKind {
    /// A paragraph.
    Paragraph,
    /// A heading.
    Heading,
    /// A code block, indented or fenced.
    Code,
    /// A block of raw HTML.
    Html,
    /// A thematic break.
    ThematicBreak,
    /// A block quote or an alert.
    Quote,
    /// A list.
    List,
    /// A definition list.
    DefinitionList,
    /// A table.
    Table,
    /// The section with the footnotes.
    Notes,
}

impl BlockKind {
    /// Its name, as the command writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paragraph => "paragraph",
            Self::Heading => "heading",
            Self::Code => "code",
            Self::Html => "html",
            Self::ThematicBreak => "break",
            Self::Quote => "quote",
            Self::List => "list",
            Self::DefinitionList => "definition-list",
            Self::Table => "table",
            Self::Notes => "notes",
        }
    }
}

/// What may still happen to a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockState {
    /// It grows, or turns into something else, with what comes.
    Open,
    /// Another block follows it, but the line that says so is not complete.
    Closed,
    /// It changes only by being [revised](Update::revised).
    Settled,
}

impl BlockState {
    /// Its name, as the command writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Settled => "settled",
        }
    }
}

/// What is not complete in a block that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pending {
    /// A line that has no ending yet, of no block of several lines.
    Line,
    /// A paragraph: it may go on, and its end may turn into a heading or a table.
    Paragraph,
    /// A code block.
    Code,
    /// A block of raw HTML.
    Html,
    /// A table, which may get more rows.
    Table,
}

impl Pending {
    /// Its name, as the command writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Paragraph => "paragraph",
            Self::Code => "code",
            Self::Html => "html",
            Self::Table => "table",
        }
    }
}
