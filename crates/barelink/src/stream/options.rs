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
    /// What is guessed about what is not complete: nothing, unless you say so.
    pub optimistic: Incomplete,
}

impl StreamOptions {
    /// Exact streaming with these options.
    pub fn new(options: Options) -> Self {
        Self { options, definitions: Definitions::default(), optimistic: Incomplete::EXACT }
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

/// What is guessed about the end of a document that is still being written, rule by rule.
///
/// The end of the text so far may be cut off, and something may be added that closes what is
/// open. The page is then what [`to_html`](crate::to_html) gives for that text, but links and
/// images that are not complete have no destination. What is
/// [settled](super::BlockState::Settled) is never guessed, and nothing is after
/// [`finish`](super::Stream::finish). `docs/streaming.md` has a table of the rules.
///
/// ```
/// use barelink::stream::{Incomplete, StreamOptions};
/// use barelink::{Options, Stream};
/// let mut options = StreamOptions::new(Options::gfm());
/// options.optimistic = Incomplete::OPTIMISTIC;
/// let mut stream = Stream::new(options);
/// stream.push("some **bold and [a link](https://exam")?;
/// let update = stream.update();
/// assert_eq!(
///     update.blocks().next().unwrap().html,
///     "<p>some <strong>bold and <a data-pending=\"link\">a link</a></strong></p>\n"
/// );
/// assert_eq!(update.completion().added, ")**");
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Incomplete {
    /// Hold back the last bytes if they say nothing yet: `**`, `[`, `&am`, `<di`.
    pub endings: Rule,
    /// Hold back the last line if it is only the marker of a block: `-`, `1.`, `##`, `|--`.
    pub markers: Rule,
    /// Close code spans, emphasis and strikethrough, innermost first, if they were opened not
    /// long ago.
    pub inlines: Rule,
    /// Show `[text](desti` as a link and `![text](desti` as an image without a destination, and
    /// hold back the label of `[text][lab`.
    pub links: Rule,
    /// Show a first line that starts with a pipe as the header of a table.
    pub tables: Rule,
    /// Hide a link reference definition while it is written.
    pub definitions: Rule,
    /// Show a bare link without a destination while it may grow.
    pub bare_links: Rule,
}

/// Whether a rule of [`Incomplete`] is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rule {
    /// It is not: what is shown is exact.
    #[default]
    Off,
    /// It is.
    On,
}

impl Rule {
    pub(super) fn is_on(self) -> bool {
        self == Self::On
    }
}

impl Incomplete {
    /// No rule.
    pub const EXACT: Self = Self {
        endings: Rule::Off,
        markers: Rule::Off,
        inlines: Rule::Off,
        links: Rule::Off,
        tables: Rule::Off,
        definitions: Rule::Off,
        bare_links: Rule::Off,
    };

    /// Every rule.
    pub const OPTIMISTIC: Self = Self {
        endings: Rule::On,
        markers: Rule::On,
        inlines: Rule::On,
        links: Rule::On,
        tables: Rule::On,
        definitions: Rule::On,
        bare_links: Rule::On,
    };
}
