//! The options of a stream.

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
    /// The effect of a definition on earlier text.
    pub definitions: Definitions,
    /// What to guess about unfinished text; nothing by default.
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

/// The effect of a definition on earlier text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Definitions {
    /// Blocks that used its label are written again and reported as
    /// [revised](super::Update::revised). The final page is the result of
    /// [`to_html`](crate::to_html).
    #[default]
    Revise,
    /// None: settled blocks never change. A link or footnote that is used before it is defined
    /// stays text.
    Settled,
}

/// What to guess about the end of a document that is still being written, rule by rule.
///
/// The end of the text so far may be held back, and text may be added that closes what is open. The
/// page is then the result of [`to_html`](crate::to_html) for that text, except that incomplete
/// links and images have no destination. [Settled](super::BlockState::Settled) blocks are never
/// guessed, and nothing is guessed after [`finish`](super::Stream::finish). `docs/streaming.md` has
/// a table of the rules.
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
    /// Hold back the last bytes if they have no meaning yet: `**`, `[`, `&am`, `<di`.
    pub endings: Rule,
    /// Hold back the last line if it is only the marker of a block: `-`, `1.`, `##`, `|--`.
    pub markers: Rule,
    /// Close code spans, emphasis and strikethrough, innermost first, if they were opened recently.
    pub inlines: Rule,
    /// Show `[text](desti` as a link and `![text](desti` as an image without a destination, and
    /// hold back the label of `[text][lab`.
    pub links: Rule,
    /// Show a first line that starts with a pipe as the header of a table.
    pub tables: Rule,
    /// Hide a link reference definition while it is being written.
    pub definitions: Rule,
    /// Show a bare link without a destination as long as it may grow.
    pub bare_links: Rule,
}

/// Whether a rule of [`Incomplete`] applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rule {
    /// The rule does not apply: the output is exact.
    #[default]
    Off,
    /// The rule applies.
    On,
}

impl Rule {
    pub(super) fn is_on(self) -> bool {
        self == Self::On
    }
}

impl Incomplete {
    /// All rules off.
    pub const EXACT: Self = Self {
        endings: Rule::Off,
        markers: Rule::Off,
        inlines: Rule::Off,
        links: Rule::Off,
        tables: Rule::Off,
        definitions: Rule::Off,
        bare_links: Rule::Off,
    };

    /// All rules on.
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
