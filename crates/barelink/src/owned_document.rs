//! A document that owns its source.

use crate::crlf::Held;
use crate::document::{self, Document};
use crate::options::Options;
use crate::source_len::SourceTooLong;

/// A document with its source and its own memory: it borrows nothing, so it can be kept, returned,
/// and sent to another thread.
///
/// ```
/// use barelink::{Options, OwnedDocument};
/// fn read() -> OwnedDocument {
///     OwnedDocument::parse(String::from("see www.a.bc"), &Options::gfm()).expect("it is short")
/// }
/// let document = read();
/// let link = document.get().links().next().unwrap();
/// assert_eq!(link.text, "www.a.bc");
/// ```
#[derive(Debug, Clone)]
pub struct OwnedDocument {
    source: String,
    held: Held<'static>,
}

impl OwnedDocument {
    /// Parses `source`, and keeps it.
    ///
    /// # Errors
    /// If the source is longer than [`MAX_SOURCE`](crate::MAX_SOURCE).
    pub fn parse(source: impl Into<String>, options: &Options) -> Result<Self, SourceTooLong> {
        let source = source.into();
        let held = document::read(&source, options)?;
        Ok(Self { source, held })
    }

    /// The document.
    pub fn get(&self) -> Document<'_, '_> {
        Document { source: &self.source, held: self.held.borrowed() }
    }

    /// Returns the source.
    pub fn into_source(self) -> String {
        self.source
    }
}
