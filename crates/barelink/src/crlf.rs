//! Sources whose lines end in CRLF. HTML has no offsets, so it is written from a copy with line
//! feeds, which is nearly as fast as if the source had them: see `Parser::push_folded`. For
//! anything with offsets, the source is read as it is.
//!
//! Which of the two is needed is known only when a document is read. So nothing is parsed at first,
//! and the blocks are parsed for the first reader that needs them:
//!
//! ```text
//! Parser::parse, parse, ─▶ Deferred ─┬─ push_html, write_html → Parser, from the copy
//! OwnedDocument::parse               └─ every other reader    → Parsed, once
//! ```

use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::document::Parser;
use crate::options::Options;
use crate::parsed::Parsed;
use crate::tape::folded::may_have_crlf;

/// Whether `Parser::push_folded` may be worth it: the lines seem to end in CRLF, and no positions
/// are written.
#[inline]
pub(crate) fn may_fold(source: &str, options: &Options) -> bool {
    may_have_crlf(source) && !options.policy.source_positions
}

/// How much of the HTML of a document was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wrote {
    All,
    /// This many bytes. The rest is to be written from the source as it is.
    First(usize),
}

/// A document whose blocks are parsed on demand.
#[derive(Debug)]
pub(crate) struct Deferred {
    pub(crate) options: Options,
    parsed: OnceLock<Arc<Parsed>>,
    /// Memory for readers, unless one is using it.
    spare: Mutex<Option<Box<Parser>>>,
}

impl Deferred {
    pub(crate) fn new(options: Options) -> Self {
        Self { options, parsed: OnceLock::new(), spare: Mutex::default() }
    }

    /// Forgets the document, but keeps its memory.
    pub(crate) fn clear(&mut self) {
        if let Some(parsed) = self.parsed.take().and_then(Arc::into_inner) {
            let spare = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner);
            let parser = || Box::new(Parser::new(self.options.clone()));
            spare.get_or_insert_with(parser).give_back(parsed);
        }
    }

    /// The blocks of `source`, which must be the same until [`Deferred::clear`], and has been found
    /// not to be too long.
    pub(crate) fn parsed(&self, source: &str) -> &Arc<Parsed> {
        let parse = || Arc::new(self.with_parser(|parser| parser.parse_for_good(source)));
        self.parsed.get_or_init(parse)
    }

    /// Appends the HTML of the source.
    pub(crate) fn push_html(&self, source: &str, out: &mut String) {
        // It is not too long, and nothing else can fail.
        let _ = self.with_parser(|parser| parser.push_html(source, out));
    }

    /// Writes the HTML of the source, and returns how much was written: see
    /// [`Parser::write_folded`].
    pub(crate) fn write_html(&self, source: &str, to: &mut impl io::Write) -> io::Result<Wrote> {
        self.with_parser(|parser| parser.write_folded(source, to))
    }

    fn with_parser<T>(&self, work: impl FnOnce(&mut Parser) -> T) -> T {
        let lock = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let spare = lock().take();
        let mut parser = spare.unwrap_or_else(|| Box::new(Parser::new(self.options.clone())));
        let done = work(&mut parser);
        *lock() = Some(parser);
        done
    }
}
