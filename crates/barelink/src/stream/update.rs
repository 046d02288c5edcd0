//! The result of an update: what has changed.

use std::fmt;
use std::ops::Range;

use barelink_text::Span;

use super::changes::{BlockChange, Changes};

/// What changed in a [`Stream`](super::Stream) since the last update.
///
/// The page is the HTML of all blocks in the order of their ids. A client stores the HTML of each
/// block. First it replaces the [revised](Self::revised) ones. Then, for each of the other
/// [blocks](Self::blocks), it keeps the first [`keep`](Block::keep) bytes of the stored HTML and
/// appends [`html`](Block::html). A client that stores the page as one string applies the
/// [splices](Self::splices) instead.
#[derive(Debug, Clone, Copy)]
pub struct Update<'s> {
    pub(super) changes: &'s Changes,
}

impl<'s> Update<'s> {
    /// Settled blocks that have changed, with their full HTML. It is empty if a block was removed.
    pub fn revised(&self) -> impl ExactSizeIterator<Item = Block<'s>> + use<'s> {
        let changes = self.changes;
        changes.revised.iter().map(|change| change.block(&changes.html))
    }

    /// Blocks that are new, or whose HTML or state changed. The last one is open, unless the
    /// document is finished.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Block<'s>> + use<'s> {
        let changes = self.changes;
        changes.blocks.iter().map(|change| change.block(changes.text_of(change.id)))
    }

    /// All changes as edits of one string that holds the whole page. Apply them in order.
    ///
    /// Adjacent blocks are combined into one splice. So nearly every update is a single splice at
    /// the end of the page: the string is cut off at `start`, and `html` is appended. There are
    /// more if earlier blocks were [revised](Self::revised), whose splices come first, and if there
    /// are footnotes, whose section comes last.
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
        let mut left = Untold { revised: &changes.revised, blocks: &changes.blocks };
        std::iter::from_fn(move || {
            let edit = left.next_joined()?;
            let html = changes.text_of(edit.id).get(edit.html).unwrap_or_default();
            Some(Splice { start: edit.start, end: edit.end, html })
        })
    }

    /// What was guessed about the end of the text: see [`Incomplete`](super::Incomplete). Empty,
    /// unless guesses are enabled.
    pub fn completion(&self) -> Completion<'s> {
        Completion { held: self.changes.held, added: &self.changes.added }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.changes.revised.is_empty() && self.changes.blocks.is_empty()
    }

    /// Whether the document is finished: nothing is open.
    pub fn is_end(&self) -> bool {
        self.changes.is_end
    }
}

impl BlockChange {
    fn block<'s>(&self, html: &'s str) -> Block<'s> {
        let Self { id, kind, span, keep, state, pending, .. } = *self;
        let html = html.get(self.html.clone()).unwrap_or_default();
        Block { id, kind, span, keep, html, state, pending }
    }
}

/// The changes that have not been returned as splices yet.
#[derive(Clone, Copy)]
struct Untold<'s> {
    revised: &'s [BlockChange],
    blocks: &'s [BlockChange],
}

impl Untold<'_> {
    /// The next edit that is not empty, joined with those that continue it.
    #[inline]
    fn next_joined(&mut self) -> Option<Edit> {
        if !self.revised.is_empty() || self.blocks.len() > 1 {
            return self.next_of_several();
        }
        // The usual case.
        let [change] = std::mem::take(&mut self.blocks) else { return None };
        Some(Edit::of(change)).filter(|edit| !edit.is_empty())
    }

    #[inline(never)]
    fn next_of_several(&mut self) -> Option<Edit> {
        let mut edit = self.next()?;
        if self.revised.is_empty() {
            // Blocks are adjacent on the page, and so is the HTML that they write.
            while let [next, others @ ..] = self.blocks
                && edit.join(next)
            {
                self.blocks = others;
            }
        }
        Some(edit)
    }

    /// The next edit that is not empty.
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

/// An edit of the page: the range that is removed, and the range of [`Changes`] that is inserted.
#[derive(Debug)]
struct Edit {
    start: usize,
    end: usize,
    html: Range<usize>,
    /// The last block that it changes.
    id: BlockId,
}

impl Edit {
    fn of(change: &BlockChange) -> Self {
        let BlockChange { id, at, keep, len_before, .. } = *change;
        Self { start: at + keep, end: at + len_before, html: change.html.clone(), id }
    }

    fn is_empty(&self) -> bool {
        self.start == self.end && self.html.is_empty()
    }

    /// Extends this edit by the next change, if that begins where this one ends once it is applied.
    /// False if it does not.
    #[inline]
    fn join(&mut self, next: &BlockChange) -> bool {
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

/// A changed top-level block of a page that is still being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block<'s> {
    /// The id of the block.
    pub id: BlockId,
    /// The kind of block, so far.
    pub kind: BlockKind,
    /// The span of the source it comes from.
    pub span: Span,
    /// The number of leading bytes of its HTML that are unchanged. Always at a character boundary.
    pub keep: usize,
    /// The HTML that follows them. If it is empty and nothing is kept, the block was removed.
    pub html: &'s str,
    /// Whether the block may still change.
    pub state: BlockState,
    /// What is incomplete in the block, if it is open.
    pub pending: Option<Pending>,
}

/// What was guessed about the end of a text: the page is the result of the source with `added` in
/// place of `held`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion<'s> {
    /// The end of the source that is not shown yet. It may include line endings.
    pub held: Span,
    /// The text that closes what is open.
    pub added: &'s str,
}

/// An edit of a string that holds the whole page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Splice<'s> {
    /// The start of the range to replace.
    pub start: usize,
    /// The end of the range, exclusive.
    pub end: usize,
    /// The replacement.
    pub html: &'s str,
}

/// Identifies a top-level block by the offset of its first byte in the source. An id never changes,
/// and blocks are in ascending order of their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub(super) u32);

impl BlockId {
    /// The section with the footnotes, after all other blocks.
    pub const NOTES: Self = Self(u32::MAX);

    /// The number, as the command prints it.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The kind of a top-level block.
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
    /// The name, as the command prints it.
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

/// Whether a block may still change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockState {
    /// It may grow, or become something else.
    Open,
    /// Another block follows it, but on a line that is not complete yet.
    Closed,
    /// It changes only by being [revised](Update::revised).
    Settled,
}

impl BlockState {
    /// The name, as the command prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Settled => "settled",
        }
    }
}

/// What is incomplete in an open block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pending {
    /// A line without an ending that is not part of a block of several lines.
    Line,
    /// A paragraph: it may continue, and its end may become a heading or a table.
    Paragraph,
    /// A code block.
    Code,
    /// A block of raw HTML.
    Html,
    /// A table, which may get more rows.
    Table,
}

impl Pending {
    /// The name, as the command prints it.
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
