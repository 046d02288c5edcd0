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
pub(crate) mod autolink;
mod autolink_late;
mod bracket;
pub(crate) mod code_span;
mod collect;
pub(crate) mod decided;
mod emphasis;
pub(crate) mod mark;
pub(crate) mod plain;
pub(crate) mod raw_html;

use barelink_autolink::Rules;
use barelink_autolink::engine::{Candidates, OpenEmphasis};
use barelink_text::find::Inline;

use self::autolink::Scan;
use self::bracket::Bracket;
use self::decided::Decided;
use self::emphasis::Delimiter;
use self::mark::Mark;
use crate::options::{Options, Reading};
use crate::syntax::footnotes::Footnotes;
use crate::syntax::join::Text;
use crate::syntax::references::References;

pub(crate) use self::autolink::Bare;
pub(crate) use self::bracket::{Link, MIN_EXPANSION, Target};

/// The inline phase's result and working memory.
#[derive(Debug, Default)]
pub(crate) struct Inlines {
    /// In text order, the last of kind [`Kind::End`].
    pub(crate) marks: Vec<Mark>,
    /// What the marks of links and images refer to.
    pub(crate) links: Vec<Link>,
    /// What the marks of bare links refer to.
    pub(crate) bare: Vec<Bare>,
    /// The decisions about bare links and their reasons, if they are wanted.
    pub(crate) decided: Option<Decided>,
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
    late: autolink_late::Buffers,
    /// The marks of bare links so far.
    bare_marks: Vec<u32>,
    /// Whether the text may hold an e-mail address.
    has_email: bool,
    /// Whether `www.` names are linked by `https`.
    https: bool,
    /// Whether a raw `<a>` is open.
    in_anchor: bool,
    /// Delimiter runs that may still be closed.
    open_emphasis: OpenEmphasis,
}

/// What the inline phase has to know of the document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'d> {
    pub(crate) options: &'d Options,
    /// Which bare links to look for.
    pub(crate) rules: Option<Rules>,
    pub(crate) references: &'d References,
    pub(crate) footnotes: &'d Footnotes,
    /// Whether tildes are not there for the runs beside them.
    looks_through_tildes: bool,
}

impl<'d> Context<'d> {
    pub(crate) fn new(
        options: &'d Options,
        references: &'d References,
        footnotes: &'d Footnotes,
    ) -> Self {
        let looks_through_tildes = options.strikethrough && options.reading == Reading::CmarkGfm;
        let rules = options.autolinks.rules();
        Self { options, rules, references, footnotes, looks_through_tildes }
    }
}

impl Inlines {
    /// Finds the marks of `text`. `breaks` tells that line endings may have
    /// white space before them and so are to be looked at. `candidates` are
    /// the source's, at or before `text`.
    pub(crate) fn parse(
        &mut self,
        text: &Text<'_>,
        context: &Context<'_>,
        breaks: bool,
        candidates: &mut Candidates<'_>,
    ) {
        self.https = context.options.policy.https;
        match context.rules {
            // The text is not where the search over the source has been.
            Some(rules) if !text.is_source() => {
                let mut own = Candidates::new(text.bytes(), rules);
                self.collect_all(text, context, breaks, Scan::new(text, rules, &mut own));
            }
            Some(rules) => {
                self.collect_all(text, context, breaks, Scan::new(text, rules, candidates));
            }
            None => self.collect_all(text, context, breaks, None),
        }
    }

    fn collect_all(
        &mut self,
        text: &Text<'_>,
        context: &Context<'_>,
        breaks: bool,
        mut scan: Option<Scan<'_, '_>>,
    ) {
        let scan = scan.as_mut();
        match (breaks, context.options.strikethrough) {
            (false, false) => self.collect::<Inline<false, false>>(text, context, scan),
            (false, true) => self.collect::<Inline<false, true>>(text, context, scan),
            (true, false) => self.collect::<Inline<true, false>>(text, context, scan),
            (true, true) => self.collect::<Inline<true, true>>(text, context, scan),
        }
    }

    fn clear(&mut self) {
        self.marks.clear();
        self.links.clear();
        self.bare.clear();
        self.bare_marks.clear();
        self.delimiters.clear();
        self.brackets.clear();
        self.n_inactive = 0;
        self.backticks.clear();
        self.horizons = raw_html::Horizons::default();
        self.has_email = false;
        self.in_anchor = false;
        self.open_emphasis = OpenEmphasis::default();
    }
}
