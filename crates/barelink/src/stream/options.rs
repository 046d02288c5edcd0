//! How a stream is read and what it promises.

use crate::options::Options;

/// How a [`Stream`](super::Stream) reads a document that is still being written.
///
/// ```
/// use barelink::Options;
/// use barelink::stream::{Definitions, StreamOptions};
/// let mut options = StreamOptions::new(Options::gfm());
/// options.definitions = Definitions::Settled;
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StreamOptions {
    /// What is recognized, and how it is written.
    pub options: Options,
    /// What a definition does for text before it.
    pub definitions: Definitions,
}

impl StreamOptions {
    /// Exact streaming with these options.
    pub fn new(options: Options) -> Self {
        Self { options, definitions: Definitions::default() }
    }
}

impl From<Options> for StreamOptions {
    fn from(options: Options) -> Self {
        Self::new(options)
    }
}

/// What a definition does for text that came before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Definitions {
    /// Blocks that used its label are written again and come as
    /// [revised](super::Update::revised). The end is what
    /// [`to_html`](crate::to_html) gives.
    #[default]
    Revise,
    /// Nothing: what is settled never changes. A link or footnote that is used before it is
    /// defined stays text.
    Settled,
}
