//! Sources whose lines end in CRLF. HTML has no offsets, so it is written from a copy with line
//! feeds, which is nearly as fast as if the source had them: see `Converter::push_folded`. For
//! anything with offsets, the blocks of the source itself are read (`tape::folded` has their text).
//!
//! Which of the two is needed is known only when a document is read. So nothing is parsed at first,
//! and the blocks are parsed for the first reader that needs them:
//!
//! ```text
//! Parser::parse, parse, ─▶ Deferred ─┬─ push_html, write_html → Converter, from the copy
//! OwnedDocument::parse               └─ every other reader    → Parsed, once
//! ```

use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::converter::{Converter, Wrote};
use crate::options::Options;
use crate::parsed::{Parsed, Shared};

/// A document whose blocks are parsed on demand.
#[derive(Debug)]
pub(crate) struct Deferred {
    pub(crate) options: Options,
    parsed: OnceLock<Arc<Parsed>>,
    /// Memory for readers, unless one is using it.
    spare: Mutex<Option<Box<Converter>>>,
}

impl Deferred {
    pub(crate) fn new(options: Options) -> Self {
        Self { options, parsed: OnceLock::new(), spare: Mutex::default() }
    }

    /// Forgets the document, but keeps its memory.
    pub(crate) fn clear(&mut self) {
        if let Some(parsed) = self.parsed.take().and_then(Arc::into_inner) {
            let spare = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner);
            let converter = || Box::new(Converter::new(self.options.clone()));
            spare.get_or_insert_with(converter).give_back(parsed);
        }
    }

    /// The blocks of `source`, which must be the same until [`Deferred::clear`], and has been found
    /// not to be too long.
    pub(crate) fn parsed(&self, source: &str) -> &Arc<Parsed> {
        let parse = || Arc::new(self.with_converter(|converter| converter.parse_for_good(source)));
        self.parsed.get_or_init(parse)
    }

    /// Appends the HTML of the source.
    pub(crate) fn push_html(&self, source: &str, out: &mut String) {
        // It is not too long, and nothing else can fail.
        let _ = self.with_converter(|converter| converter.push_html(source, out));
    }

    /// Writes the HTML of the source, and returns how much was written: see
    /// [`Converter::write_folded`].
    pub(crate) fn write_html(&self, source: &str, to: &mut impl io::Write) -> io::Result<Wrote> {
        self.with_converter(|converter| converter.write_folded(source, to))
    }

    fn with_converter<T>(&self, work: impl FnOnce(&mut Converter) -> T) -> T {
        let lock = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let spare = lock().take();
        let mut converter = spare.unwrap_or_else(|| Box::new(Converter::new(self.options.clone())));
        let done = work(&mut converter);
        *lock() = Some(converter);
        done
    }
}

/// A document that is parsed, or will be.
#[derive(Debug, Clone)]
pub(crate) enum Held<'p> {
    Parsed(Shared<'p>),
    Deferred(&'p Deferred),
    /// Parsed on demand, with shared ownership.
    OwnDeferred(Arc<Deferred>),
}

impl Held<'_> {
    /// The same document, borrowed from this one.
    pub(crate) fn borrowed(&self) -> Held<'_> {
        match self {
            Self::Parsed(parsed) => Held::Parsed(Shared::Borrowed(parsed)),
            Self::Deferred(deferred) => Held::Deferred(deferred),
            Self::OwnDeferred(deferred) => Held::Deferred(deferred),
        }
    }

    /// The document, if its blocks are parsed on demand.
    pub(crate) fn deferred(&self) -> Option<&Deferred> {
        match self {
            Self::Parsed(_) => None,
            Self::Deferred(deferred) => Some(deferred),
            Self::OwnDeferred(deferred) => Some(deferred),
        }
    }
}
