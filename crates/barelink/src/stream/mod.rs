//! A document that is still being written, as a page that is kept up to date after every piece.
//!
//! Complete lines go through the block phase once. The blocks that they close are *settled*: their
//! HTML is written once and not kept. The rest, from the start of the open top-level block on, is
//! closed tentatively, written, and compared with what was *shown*: the HTML that earlier updates
//! have reported. A definition may change settled blocks: `revise` has an index of those that used
//! its label.
//!
//! ```text
//! push ─▶ source ─ update: reopen ─ read lines ─ close ─▶ tape
//!                                                         ├─ settled: written once
//!                                                         ├─ open: written, marked to be undone
//!                                                         └─ revised: blocks that missed a label
//! ```
//!
//! `docs/streaming.md` has the contract for authors of clients.

mod append;
mod begin;
mod begin_tag;
mod changes;
mod complete;
mod destination;
mod found;
mod growing;
mod next;
mod options;
mod page;
mod partial;
mod revise;
mod section;
mod tail;
mod update;
mod wait;
mod words;
mod write;

pub use self::options::{Definitions, Incomplete, Rule, StreamOptions};
pub use self::update::{
    Block, BlockId, BlockKind, BlockState, Completion, Pending, Splice, Update,
};

use self::changes::{Changes, Shown};
use self::complete::Completer;
use self::growing::Grown;
use self::page::Page;
use self::partial::Partial;
use self::revise::Revisions;
use self::section::Section;
use self::wait::Wait;
use self::words::Words;
use self::write::TopWalk;
use crate::block;
use crate::block::front_matter::{self, Search};
use crate::block::frontier::Frontier;
use crate::block::live::{Ending, Live};
use crate::crlf::Held;
use crate::document::Document;
use crate::event_iter::Events;
use crate::inline::Settings;
use crate::options::Options;
use crate::parsed::{Parsed, Scratch, Shared};
use crate::source_len::{Growth, SourceTooLong};

/// A document that is still being written.
///
/// After every piece, [`update`](Stream::update) returns what changed on the page: the concatenated
/// HTML of the top-level blocks equals the result of [`to_html`](crate::to_html) for the text so
/// far, byte for byte. The only exception is a link reference definition, which takes effect when
/// its paragraph is closed, since its destination may still grow.
///
/// ```
/// use barelink::stream::BlockState;
/// use barelink::{Options, Stream};
///
/// let mut stream = Stream::new(Options::gfm());
/// stream.push("# Title\n\nSome *te")?;
/// let update = stream.update();
/// let blocks: Vec<_> = update.blocks().map(|it| (it.id.get(), it.html, it.state)).collect();
/// assert_eq!(
///     blocks,
///     [
///         (0, "<h1>Title</h1>\n", BlockState::Settled),
///         (9, "<p>Some *te</p>\n", BlockState::Open),
///     ]
/// );
/// stream.push("xt*.")?;
/// let update = stream.update();
/// let block = update.blocks().next().unwrap();
/// assert_eq!((block.id.get(), block.keep, block.html), (9, 8, "<em>text</em>.</p>\n"));
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
#[derive(Debug)]
pub struct Stream {
    source: String,
    /// The bytes of an incomplete character.
    cut: Vec<u8>,
    growth: Growth,
    /// How much of the source [`Stream::note_pushed`] has counted.
    n_noted: usize,
    parsed: Parsed,
    settings: Settings,
    /// The words that can be appended to a text, given the options.
    words: Words,
    buffers: block::BlockBuffers,
    live: Live,
    scratch: Box<Scratch>,
    /// Whether front matter may still be found.
    front_matter: Search,
    /// What is shown.
    page: Page,
    /// The number of records of the settled blocks.
    n_records: usize,
    /// The number of bytes that definitions have added to what is final.
    n_expanded: usize,
    /// What is final of the first block that is not settled.
    partial: Partial,
    frontier: Frontier,
    /// The walk to the end of the last block, through its final records.
    walk: TopWalk,
    /// The number of bytes after the text of the open block, if that text may continue.
    n_after: Option<usize>,
    /// That text, if new source may simply be appended to it; determined on demand.
    growing: Grown,
    section: Section,
    revisions: Revisions,
    changes: Changes,
    /// Whether the next update may wait.
    wait: Wait,
    /// HTML that is being written, or the HTML shown before it.
    out: String,
    /// Completes what is unfinished, if that is wanted.
    completer: Option<Box<Completer>>,
}

impl Stream {
    /// An empty document.
    pub fn new(options: impl Into<StreamOptions>) -> Self {
        let StreamOptions { options, definitions, optimistic } = options.into();
        let front_matter = if options.front_matter { Search::First } else { Search::Over };
        let mut stream = Self {
            source: String::new(),
            cut: Vec::new(),
            growth: Growth::default(),
            n_noted: 0,
            settings: Settings::new(&options),
            words: Words::new(&options),
            parsed: options.into(),
            buffers: block::BlockBuffers::default(),
            live: Live::default(),
            scratch: Box::default(),
            front_matter,
            page: Page::default(),
            n_records: 0,
            n_expanded: 0,
            partial: Partial::default(),
            frontier: Frontier::default(),
            walk: TopWalk::default(),
            n_after: None,
            growing: Grown::Unknown,
            section: Section::default(),
            revisions: Revisions::new(definitions),
            changes: Changes::default(),
            wait: Wait::default(),
            out: String::new(),
            completer: Completer::new(optimistic),
        };
        if definitions == Definitions::Revise {
            stream.scratch.inlines.missed = Some(Box::default());
        }
        stream.scratch.html.start();
        stream
    }

    /// Appends a piece of the source. Nothing is read before the next update, so pushing costs next
    /// to nothing.
    ///
    /// After [`finish`](Self::finish), the document continues, and the next update returns all of
    /// its blocks again.
    ///
    /// # Errors
    /// If the source would exceed [`MAX_SOURCE`](crate::MAX_SOURCE); the piece is then not
    /// appended.
    #[inline]
    pub fn push(&mut self, piece: &str) -> Result<(), SourceTooLong> {
        self.growth.check_piece(&self.source, self.cut.len(), piece.as_bytes())?;
        if !self.cut.is_empty() {
            // A string starts with a new character, so the incomplete one stays incomplete.
            self.end_cut();
        }
        self.source.push_str(piece);
        Ok(())
    }

    /// Appends a piece of the source, in UTF-8. A character that is cut in two is held until the
    /// rest comes; invalid bytes become U+FFFD, as in [`from_utf8_lossy`](String::from_utf8_lossy).
    ///
    /// ```
    /// use barelink::{Options, Stream};
    /// let mut stream = Stream::new(Options::gfm());
    /// for byte in "é".bytes() {
    ///     stream.push_bytes(&[byte])?;
    /// }
    /// assert_eq!(stream.source(), "é");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    ///
    /// # Errors
    /// Like [`push`](Self::push).
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<(), SourceTooLong> {
        self.growth.check_piece(&self.source, self.cut.len(), piece)?;
        let mut bytes = std::mem::take(&mut self.cut);
        let mut rest = if bytes.is_empty() {
            piece
        } else {
            bytes.extend_from_slice(piece);
            bytes.as_slice()
        };
        loop {
            let error = match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.source.push_str(text);
                    break;
                }
                Err(error) => error,
            };
            let (valid, after) = rest.split_at(error.valid_up_to());
            self.source.push_str(std::str::from_utf8(valid).unwrap_or_default());
            let Some(len) = error.error_len() else {
                self.cut = after.to_vec();
                break;
            };
            self.source.push('\u{FFFD}');
            rest = &after[len..];
        }
        Ok(())
    }

    /// Replaces an incomplete character by U+FFFD.
    fn end_cut(&mut self) {
        self.cut.clear();
        self.source.push('\u{FFFD}');
    }

    /// Counts what was pushed since the last call. (Fast paths leave that for later.)
    fn note_pushed(&mut self) {
        let n_pushed = self.source.len() - self.n_noted;
        self.n_noted = self.source.len();
        self.revisions.earn(n_pushed);
        self.partial.earn(n_pushed);
    }

    /// Returns what changed since the last update. Several pushes in between are combined.
    pub fn update(&mut self) -> Update<'_> {
        if !self.append() {
            if self.waits() {
                self.changes.clear();
            } else {
                self.refresh(Ending::Tentative);
            }
        }
        Update { changes: &self.changes }
    }

    /// Ends the document, and returns what changed since the last update, including pending
    /// revisions. All blocks are settled.
    pub fn finish(&mut self) -> Update<'_> {
        if !self.cut.is_empty() {
            self.end_cut();
        }
        self.refresh(Ending::Final);
        Update { changes: &self.changes }
    }

    /// The source so far, without an incomplete character at its end.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The options that the document is read with.
    pub fn options(&self) -> &Options {
        &self.parsed.options
    }

    /// The document as of the last update: its events, links and headings. With
    /// [optimistic](StreamOptions::optimistic) completion it is the text that is shown, so spans
    /// may exceed the source.
    ///
    /// ```
    /// use barelink::{Options, Stream};
    /// let mut stream = Stream::new(Options::gfm());
    /// stream.push("see www.example.org and [a](/b")?;
    /// stream.update();
    /// assert_eq!(stream.document().links().count(), 1);
    /// stream.push(")")?;
    /// stream.update();
    /// assert_eq!(stream.document().links().count(), 2);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn document(&self) -> Document<'_, '_> {
        let source = match &self.completer {
            Some(completer) if !self.changes.is_end => completer.shown(),
            _ => self.source.get(..self.live.n_shown()).unwrap_or_default(),
        };
        Document { source, held: Held::Parsed(Shared::Borrowed(&self.parsed)) }
    }

    /// The events of a top-level block, as of the last update, for clients that need no HTML. There
    /// are none if there is no such block.
    ///
    /// ```
    /// use barelink::{EventKind, Options, Stream};
    /// let mut stream = Stream::new(Options::gfm());
    /// stream.push("# Title\n\nSome *text*")?;
    /// let id = stream.update().blocks().last().unwrap().id;
    /// let text = stream.events(id).filter_map(|event| match event.kind {
    ///     EventKind::Text(text) => Some(text),
    ///     _ => None,
    /// });
    /// assert_eq!(text.collect::<Vec<_>>(), ["Some ", "text"]);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn events(&self, block: BlockId) -> Events<'_, '_> {
        let shown = self.page.find(block);
        self.document().events().of_records(shown.map_or(0..0, Shown::records))
    }

    fn refresh(&mut self, ending: Ending) {
        self.changes.clear();
        self.refresh_rest(ending);
    }

    /// [`Stream::refresh`], if a fast path has taken the first lines of the new source, and has
    /// recorded their changes.
    fn refresh_rest(&mut self, ending: Ending) {
        self.note_pushed();
        if std::mem::take(&mut self.changes.is_end) {
            // Definitions of the end no longer apply.
            self.restart(self.text_start());
            if !self.changes.notes.is_empty() {
                self.changes.revised.push(Shown::notes(self.changes.notes.len()).gone(0));
                self.changes.notes.clear();
                self.section.clear();
            }
            self.front_matter =
                if self.parsed.options.front_matter { Search::First } else { Search::Over };
        }
        self.reopen();
        if self.live.next_line() == 0 {
            self.live.skip_mark(self.text_start());
        }
        self.find_front_matter(ending);
        let Self { source, parsed: Parsed { options, tape, .. }, buffers, live, .. } = self;
        let limit = match &mut self.completer {
            Some(completer) if ending == Ending::Tentative => completer.limit(source),
            _ => source.len(),
        };
        let limit = limit.max(live.next_line());
        let had_nul = tape.has_nul;
        let mut n_records =
            live.read(&source[..limit], (options, tape), buffers, ending, &mut self.frontier);
        // Parts of code that are final would differ with a NUL.
        self.partial.is_stale |= tape.has_nul != had_nul;
        match ending {
            Ending::Tentative => self.complete(limit),
            Ending::Final => n_records = tape.records.len(),
        }
        if self.parsed.options.policy.source_positions {
            let lines = self.scratch.lines.get_or_insert_default();
            lines.go_on(&self.source, self.live.next_line());
        }
        self.revise(ending);
        self.write_blocks(n_records);
        self.write_section(ending);
        if ending == Ending::Tentative {
            self.show_source();
        }
        self.changes.is_end = ending == Ending::Final;
        self.growing = Grown::Unknown;
        self.note_wait();
    }

    /// Undoes what the last update did tentatively.
    fn reopen(&mut self) {
        self.live.reopen(&mut self.parsed.tape, &mut self.buffers);
        self.scratch.html.take_back();
        self.scratch.inlines.n_expanded = self.n_expanded;
    }

    /// The start of the text: after a byte order mark, if any.
    fn text_start(&self) -> usize {
        if self.source.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 }
    }

    /// Looks for front matter, which counts once its last line is complete. What was shown of it is
    /// removed.
    fn find_front_matter(&mut self, ending: Ending) {
        if self.front_matter == Search::Over {
            return;
        }
        let start = self.text_start();
        let found = match ending {
            Ending::Tentative => self.front_matter.go_on(&self.source, start),
            Ending::Final => front_matter::scan(&self.source, start),
        };
        if let Some((block, end)) = found {
            self.front_matter = Search::Over;
            self.restart(end);
            self.parsed.tape.push(block);
            self.n_records = 1;
        }
    }

    /// Starts again with the line at `start`: all blocks are removed.
    fn restart(&mut self, start: usize) {
        for shown in &self.page.settled {
            if shown.len > 0 {
                self.changes.revised.push(shown.gone(0));
            }
        }
        self.page.settled.clear();
        self.page.lengths.clear();
        self.partial.forget();
        self.n_records = 0;
        self.n_expanded = 0;
        self.revisions.clear();
        self.scratch.html.start();
        self.scratch.inlines.n_expanded = 0;
        self.walk = TopWalk::default();
        self.live.start(start, &mut self.parsed.tape, &mut self.buffers);
        self.parsed.tape.has_nul = memchr::memchr(0, self.source.as_bytes()).is_some();
    }
}
