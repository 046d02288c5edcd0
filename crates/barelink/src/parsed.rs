//! The parsed blocks of a document, and the memory that its readers use. See `document`.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use barelink_autolink::Rules;
use barelink_text::find::BLOCK;
use barelink_text::{GrowingLines, LineIndex};

use crate::html::{self, Writer};
use crate::inline::own::{Candidates, Own};
use crate::inline::recorder::TextLineEnds;
use crate::inline::{Context, Inlines, Settings};
use crate::options::Options;
use crate::tape::Tape;
use crate::tape::join::Joined;

/// A parsed document without its source, with spare memory for readers.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) options: Options,
    pub(crate) tape: Tape,
    pub(crate) spare: Mutex<Option<Box<Scratch>>>,
}

impl From<Options> for Parsed {
    fn from(options: Options) -> Self {
        Self { options, tape: Tape::default(), spare: Mutex::default() }
    }
}

impl Clone for Parsed {
    fn clone(&self) -> Self {
        let Self { options, tape, .. } = self;
        Self { options: options.clone(), tape: tape.clone(), spare: Mutex::default() }
    }
}

/// The working memory of a reader. Only its capacity outlives the reading.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) inlines: Inlines,
    /// What events need besides marks.
    pub(crate) line_ends: TextLineEnds,
    pub(crate) joined: Joined,
    pub(crate) html: html::WriterState,
    /// The lines of a source that grows, if source positions are written.
    pub(crate) lines: Option<GrowingLines>,
}

impl Parsed {
    /// Takes working memory: that of the last reader, unless another one is using it.
    pub(crate) fn take_scratch(&self) -> Box<Scratch> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut scratch = spare.unwrap_or_default();
        scratch.start();
        scratch
    }

    /// The writer of the document of `source`, for exclusive access.
    #[allow(clippy::inline_always)] // The path of every leaf: see ARCHITECTURE.md.
    #[inline(always)]
    pub(crate) fn writer<'d>(&'d mut self, source: &'d str) -> Writer<'d> {
        let Self { options, tape, spare } = self;
        let spare = spare.get_mut().unwrap_or_else(PoisonError::into_inner);
        let scratch = spare.get_or_insert_default();
        scratch.start();
        scratch.writer(source, options, tape)
    }

    pub(crate) fn give_back(&self, scratch: Box<Scratch>) {
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = Some(scratch);
    }
}

impl Scratch {
    pub(crate) fn start(&mut self) {
        self.inlines.n_expanded = 0;
        self.inlines.at_limit = false;
    }

    #[inline]
    pub(crate) fn writer<'d>(
        &'d mut self,
        source: &'d str,
        options: &'d Options,
        tape: &'d Tape,
    ) -> Writer<'d> {
        self.writer_to(source.len(), source, options, tape)
    }

    /// Like [`Scratch::writer`], for blocks that end at `end` or before: bare links are searched
    /// for only up to there.
    #[inline]
    pub(crate) fn writer_to<'d>(
        &'d mut self,
        end: usize,
        source: &'d str,
        options: &'d Options,
        tape: &'d Tape,
    ) -> Writer<'d> {
        self.writer_with(Settings::new(options), end, source, (options, tape))
    }

    /// Like [`Scratch::writer_to`], with settings computed before.
    #[allow(clippy::inline_always)] // The path of every leaf: see ARCHITECTURE.md.
    #[inline(always)]
    pub(crate) fn writer_with<'d>(
        &'d mut self,
        settings: Settings,
        end: usize,
        source: &'d str,
        (options, tape): (&'d Options, &'d Tape),
    ) -> Writer<'d> {
        // Whole blocks are faster to read.
        let searched = &source.as_bytes()[..source.len().min(end + BLOCK)];
        let Self { inlines, joined, html: state, lines, .. } = self;
        let lines = lines.as_ref();
        let index = || lines.map_or_else(|| LineIndex::new(source), |lines| lines.index(source));
        let (references, footnotes) = (&tape.references, &tape.footnotes);
        let context = Context::with_settings(settings, options, references, footnotes);
        Writer {
            source,
            options,
            tape,
            joined,
            inlines,
            context,
            state,
            candidates: candidates_of(searched, context.rules, options),
            lines: options.policy.source_positions.then(index),
        }
    }
}

/// A parsed document that is borrowed from its owner, or shared.
#[derive(Debug, Clone)]
pub(crate) enum Shared<'p> {
    Borrowed(&'p Parsed),
    Owned(Arc<Parsed>),
}

impl Deref for Shared<'_> {
    type Target = Parsed;

    #[inline]
    fn deref(&self) -> &Parsed {
        match self {
            Self::Borrowed(parsed) => parsed,
            Self::Owned(parsed) => parsed,
        }
    }
}

/// A reader's hold on a document: its blocks, and the reader's working memory.
#[derive(Debug)]
pub(crate) struct ReadGuard<'p> {
    pub(crate) parsed: Shared<'p>,
    /// Always present until it is dropped.
    scratch: Option<Box<Scratch>>,
}

impl<'p> ReadGuard<'p> {
    pub(crate) fn new(parsed: Shared<'p>) -> Self {
        let scratch = Some(parsed.take_scratch());
        Self { parsed, scratch }
    }

    /// Like [`ReadGuard::parts`], for readers that may not need the blocks.
    #[inline]
    pub(crate) fn held(&mut self) -> Option<(&Shared<'p>, &mut Scratch)> {
        Some((&self.parsed, self.scratch.as_deref_mut()?))
    }

    #[inline]
    pub(crate) fn parts(&mut self) -> Option<(&Parsed, &mut Scratch)> {
        Some((&self.parsed, self.scratch.as_deref_mut()?))
    }
}

impl Drop for ReadGuard<'_> {
    fn drop(&mut self) {
        if let Some(scratch) = self.scratch.take() {
            self.parsed.give_back(scratch);
        }
    }
}

/// The candidates for bare links in `source`, if the options include any.
pub(crate) fn candidates<'s>(source: &'s str, options: &Options) -> Option<Candidates<'s>> {
    candidates_of(source.as_bytes(), options.autolinks.rules(), options)
}

#[inline]
fn candidates_of<'s>(
    source: &'s [u8],
    rules: Option<Rules>,
    options: &Options,
) -> Option<Candidates<'s>> {
    rules.map(|rules| Candidates::with_schemes(source, rules, Own::of(options)))
}
