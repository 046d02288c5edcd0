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
pub(crate) mod delimiter;
pub(crate) mod emoji;
mod emphasis;
pub(crate) mod mark;
mod math;
pub(crate) mod missed;
mod neutral;
mod open;
pub(crate) mod own;
pub(crate) mod plain;
pub(crate) mod raw_html;
pub(crate) mod recorder;
pub(crate) mod smart;
mod styles;
mod text_node;
pub(crate) mod unclosed;
pub(crate) mod wiki;

use barelink_autolink::{Dialect, Rules};
use barelink_text::find::{Inline, RichInline};

use self::autolink::{Scan, WwwPrefix};
use self::bracket::OpenBracket;
use self::delimiter::{Delimiter, SearchClass};
use self::emphasis::DelimiterRun;
use self::mark::Mark;
use self::missed::Missed;
use self::open::OpenRuns;
use self::own::Candidates;
use self::recorder::Recorder;
use crate::options::{Options, Reading};
use crate::syntax::footnotes::Footnotes;
use crate::syntax::references::References;
use crate::syntax::text::Text;

pub(crate) use self::autolink::{Bare, Written};
pub(crate) use self::bracket::{LinkTarget, MIN_EXPANSION, ResolvedLink};

/// The inline phase's result and working memory.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // Each stands alone.
pub(crate) struct Inlines {
    /// In text order, the last of kind [`MarkKind::End`](mark::MarkKind::End).
    pub(crate) marks: Vec<Mark>,
    /// What the marks of links and images refer to.
    pub(crate) links: Vec<ResolvedLink>,
    /// What the marks of bare links refer to.
    pub(crate) bare: Vec<Bare>,
    /// Whether there was anything in the text that could mean something. If not, only the marks
    /// are those of this text.
    has_stops: bool,
    /// The labels that were not defined, if somebody wants to know.
    pub(crate) missed: Option<Box<Missed>>,
    delimiters: Vec<DelimiterRun>,
    brackets: Vec<OpenBracket>,
    /// What is in brackets as it is written, since it looks like the reference to a footnote.
    as_written: Vec<(u32, u32)>,
    /// Openers of links below this index in `brackets` are inactive.
    n_inactive: usize,
    /// Just after the last `[` or `![` so far.
    last_bracket: u32,
    backticks: code_span::Runs,
    horizons: raw_html::Horizons,
    dollars: math::Horizons,
    /// A label being normalized.
    label: String,
    /// Bytes that reference links have copied from definitions.
    pub(crate) n_expanded: usize,
    /// Whether there were too many of them.
    pub(crate) at_limit: bool,
    late: autolink_late::LateBuffers,
    /// Where the marks of smart punctuation start that the marks so far end with.
    smart_since: usize,
    /// Whether quotes are among the delimiters.
    has_quotes: bool,
    /// The marks of bare links so far.
    bare_marks: Vec<u32>,
    /// Whether the text may hold an e-mail address.
    has_email: bool,
    www: WwwPrefix,
    /// Whether a raw `<a>` is open.
    in_anchor: bool,
    /// The delimiters that may still be closed, of the first so many.
    open: OpenRuns,
    n_counted: u32,
}

/// What the inline phase has to know of the document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'d> {
    pub(crate) options: &'d Options,
    /// Which bare links to look for.
    pub(crate) rules: Option<Rules>,
    pub(crate) references: &'d References,
    pub(crate) footnotes: &'d Footnotes,
    /// What texts are searched with.
    search: SearchClass,
    /// Whether some runs are not there for those beside them.
    looks_through: bool,
}

/// What follows from the options alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    rules: Option<Rules>,
    search: SearchClass,
    looks_through: bool,
}

impl Settings {
    #[inline]
    pub(crate) fn new(options: &Options) -> Self {
        let looks_through = options.reading == Reading::CmarkGfm
            && Delimiter::ALL.iter().any(|delimiter| delimiter.is_looked_through(options));
        Self { rules: options.autolinks.rules(), search: SearchClass::new(options), looks_through }
    }
}

impl<'d> Context<'d> {
    #[inline]
    pub(crate) fn new(
        options: &'d Options,
        references: &'d References,
        footnotes: &'d Footnotes,
    ) -> Self {
        Self::with_settings(Settings::new(options), options, references, footnotes)
    }

    /// The same, where the settings of the options are known.
    #[inline]
    pub(crate) fn with_settings(
        settings: Settings,
        options: &'d Options,
        references: &'d References,
        footnotes: &'d Footnotes,
    ) -> Self {
        let Settings { rules, search, looks_through } = settings;
        Self { options, rules, references, footnotes, search, looks_through }
    }
}

/// The candidates of a text that is not part of the source, as those of the source are found.
fn own_candidates<'t>(text: &Text<'t>, candidates: &Candidates<'t>) -> Candidates<'t> {
    Candidates::with_schemes(text.bytes(), candidates.rules(), candidates.schemes().clone())
}

/// DIALECT(natural): more counts than in the others.
fn is_natural(context: &Context<'_>) -> bool {
    context.rules.is_some_and(|rules| rules.dialect == Dialect::Natural)
}

impl Inlines {
    /// Finds the marks of `text`, and tells `recorder` what it wants to hear besides.
    /// `candidates` are the source's, at or before `text`; there are none without rules.
    pub(crate) fn parse<R: Recorder>(
        &mut self,
        text: &Text<'_>,
        context: &Context<'_>,
        candidates: &mut Option<Candidates<'_>>,
        recorder: &mut R,
    ) {
        let Some(candidates) = candidates else {
            return self.collect_all(text, context, None, recorder);
        };
        let https = context.options.policy.https;
        self.www = if https { WwwPrefix::Https } else { WwwPrefix::OfDialect };
        if text.is_source() {
            return self.collect_all(text, context, Scan::new(text, context, candidates), recorder);
        }
        // The text is not where the search over the source has been. But where that has found
        // nothing, there is nothing: no sign reaches over the end of a line.
        if let Some(span) = text.lines_span()
            && !candidates.may_be_joined()
            && !candidates.has_any(span)
        {
            #[cfg(debug_assertions)]
            assert_eq!(own_candidates(text, candidates).at_or_after(text.start), None);
            return self.collect_all(text, context, None, recorder);
        }
        let mut own = own_candidates(text, candidates);
        self.collect_all(text, context, Scan::new(text, context, &mut own), recorder);
    }

    /// Collects with a kernel that stops only at what can mean something in this text.
    #[allow(clippy::inline_always)] // A call takes 0.6% of most texts.
    #[inline(always)]
    fn collect_all<R: Recorder>(
        &mut self,
        text: &Text<'_>,
        context: &Context<'_>,
        mut scan: Option<Scan<'_, '_>>,
        recorder: &mut R,
    ) {
        let scan = scan.as_mut();
        // One monomorphic copy for each: the kernel is what the time goes to. Each is called by
        // its name, so that a program without events or `explain` has no copies for them.
        macro_rules! collect {
            ($class:ty) => {
                self.collect::<$class, R>(text, context, scan, recorder)
            };
        }
        match (R::WANTS_LINE_ENDS || text.has_breaks, context.search) {
            (false, SearchClass::Plain) => collect!(Inline<false, false, false>),
            (false, SearchClass::Tilde) => collect!(Inline<false, true, false>),
            (false, SearchClass::Dollar) => collect!(Inline<false, true, true>),
            (true, SearchClass::Plain) => collect!(Inline<true, false, false>),
            (true, SearchClass::Tilde) => collect!(Inline<true, true, false>),
            (true, SearchClass::Dollar) => collect!(Inline<true, true, true>),
            (_, SearchClass::Rich) => collect!(RichInline),
        }
    }

    fn clear(&mut self) {
        self.has_stops = true;
        self.marks.clear();
        self.links.clear();
        self.bare.clear();
        self.bare_marks.clear();
        self.delimiters.clear();
        self.brackets.clear();
        self.as_written.clear();
        self.n_inactive = 0;
        self.backticks.clear();
        self.horizons = raw_html::Horizons::default();
        self.dollars = math::Horizons::default();
        self.has_email = false;
        self.has_quotes = false;
        self.in_anchor = false;
        self.open = OpenRuns::default();
        self.n_counted = 0;
    }
}
