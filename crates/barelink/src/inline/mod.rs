//! The inline phase: the text of one leaf in, marks out (CommonMark §6).
//!
//! One pass over the bytes that can mean something ([`collect`]) settles
//! escapes, entities, code spans, raw HTML, `<…>` links and, at each `]`, links
//! and images; delimiter runs wait until the text they could span is complete
//! and are then paired ([`emphasis`]). What binds tighter is simply met first:
//! the order of precedence is the order of the arms in `collect`.
//!
//! All buffers are kept from leaf to leaf.

pub(crate) mod angle;
mod bracket;
pub(crate) mod code_span;
mod collect;
pub(crate) mod destination;
mod emphasis;
pub(crate) mod join;
pub(crate) mod mark;
pub(crate) mod raw_html;

use barelink_text::find::Inline;

use self::bracket::Bracket;
use self::emphasis::Delimiter;
use self::join::Text;
use self::mark::{Kind, Mark};
use crate::block::footnote::Footnotes;
use crate::block::reference::References;
use crate::options::Options;

pub(crate) use self::bracket::{Link, MIN_EXPANSION, Target};

/// The inline phase's result and working memory.
#[derive(Debug, Default)]
pub(crate) struct Inlines {
    /// In text order, the last of kind [`Kind::End`].
    pub(crate) marks: Vec<Mark>,
    /// What the marks of links and images refer to.
    pub(crate) links: Vec<Link>,
    delimiters: Vec<Delimiter>,
    brackets: Vec<Bracket>,
    /// Openers of links below this index in `brackets` are inactive.
    n_inactive: usize,
    backticks: code_span::Runs,
    horizons: raw_html::Horizons,
    /// A label being normalised.
    label: String,
    /// Bytes that reference links may still copy from definitions.
    pub(crate) expansion_budget: usize,
}

/// What the inline phase has to know of the document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'d> {
    pub(crate) options: &'d Options,
    pub(crate) references: &'d References,
    pub(crate) footnotes: &'d Footnotes,
}

impl Inlines {
    /// Finds the marks of `text`. `breaks` tells that line endings may have
    /// white space before them and so are to be looked at.
    pub(crate) fn parse(&mut self, text: &Text<'_>, context: Context<'_>, breaks: bool) {
        self.marks.clear();
        self.links.clear();
        self.delimiters.clear();
        self.brackets.clear();
        self.n_inactive = 0;
        self.backticks.clear();
        self.horizons = raw_html::Horizons::default();
        match (breaks, context.options.strikethrough) {
            (false, false) => self.collect::<Inline<false, false>>(text, context),
            (false, true) => self.collect::<Inline<false, true>>(text, context),
            (true, false) => self.collect::<Inline<true, false>>(text, context),
            (true, true) => self.collect::<Inline<true, true>>(text, context),
        }
        self.resolve_emphasis(0);
        self.marks.push(Mark::new(Kind::End, text.end, text.end));
    }
}
