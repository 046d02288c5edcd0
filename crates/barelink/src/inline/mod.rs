//! The inline phase: it turns the text of one leaf into marks (CommonMark §6).
//!
//! One pass over the bytes that may be markup ([`collect`]) settles escapes, entities, code spans,
//! raw HTML, `<…>` links and, at each `]`, links and images; delimiter runs wait until the text
//! they could span is complete and are then paired ([`emphasis`]). Constructs that bind more
//! tightly are tried first: the order of precedence is the order of the match arms in `collect`.
//!
//! All buffers are reused from leaf to leaf.

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
    /// In text order; the last one is of kind [`MarkKind::End`](mark::MarkKind::End).
    pub(crate) marks: Vec<Mark>,
    /// The targets of the marks of links and images.
    pub(crate) links: Vec<ResolvedLink>,
    /// The data of the marks of bare links.
    pub(crate) bare: Vec<Bare>,
    /// Whether the text has any byte that may be markup. If not, only `marks` are up to date.
    has_stops: bool,
    /// The labels that were not defined, if they are recorded.
    pub(crate) missed: Option<Box<Missed>>,
    delimiters: Vec<DelimiterRun>,
    brackets: Vec<OpenBracket>,
    /// Ranges that are text as written, since they look like references to undefined footnotes.
    as_written: Vec<(u32, u32)>,
    /// Openers of links below this index in `brackets` are inactive.
    n_inactive: usize,
    /// The offset just after the last `[` so far.
    last_bracket: u32,
    backticks: code_span::Runs,
    horizons: raw_html::HtmlHorizons,
    dollars: math::MathHorizons,
    /// Buffer for a normalized label.
    label: String,
    /// The number of bytes that reference links have copied from definitions.
    pub(crate) n_expanded: usize,
    /// Whether that has reached its limit.
    pub(crate) at_limit: bool,
    late: autolink_late::LateBuffers,
    /// The index of the first of the trailing marks that only smart punctuation makes.
    smart_since: usize,
    /// Whether quotes are among the delimiters.
    has_quotes: bool,
    /// The indices of the marks of bare links so far.
    bare_marks: Vec<u32>,
    /// Whether the text may contain an e-mail address.
    has_email: bool,
    www: WwwPrefix,
    /// Whether a raw `<a>` is open.
    in_anchor: bool,
    /// The runs still open among the first `n_counted` delimiters.
    open: OpenRuns,
    n_counted: u32,
}

/// The document's data that the inline phase depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'d> {
    pub(crate) options: &'d Options,
    /// The bare links to look for.
    pub(crate) rules: Option<Rules>,
    pub(crate) references: &'d References,
    pub(crate) footnotes: &'d Footnotes,
    /// The class that texts are searched with.
    search: SearchClass,
    /// Whether some runs are invisible to the runs next to them.
    looks_through: bool,
}

/// Values derived from the options alone.
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

    /// Like [`Context::new`], with settings computed before.
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

/// A search for candidates in a text that is not part of the source, with the settings of the
/// search over the source.
fn own_candidates<'t>(text: &Text<'t>, candidates: &Candidates<'t>) -> Candidates<'t> {
    Candidates::with_schemes(text.bytes(), candidates.rules(), candidates.schemes().clone())
}

/// DIALECT(natural): whether this dialect is on, in which more context matters.
fn is_natural(context: &Context<'_>) -> bool {
    context.rules.is_some_and(|rules| rules.dialect == Dialect::Natural)
}

impl Inlines {
    /// Finds the marks of `text`, and passes other results to `recorder`. `candidates` are those of
    /// the source, not advanced past `text`; `None` without rules for bare links.
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
        // The text is joined from lines of the source. If the search over the source found nothing
        // there, there is nothing: no `://`, `www.` or `@` spans a line end.
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

    /// Collects with a kernel that stops only at bytes that may be markup in this text.
    #[allow(clippy::inline_always)] // The path of every leaf: see ARCHITECTURE.md.
    #[inline(always)]
    fn collect_all<R: Recorder>(
        &mut self,
        text: &Text<'_>,
        context: &Context<'_>,
        mut scan: Option<Scan<'_, '_>>,
        recorder: &mut R,
    ) {
        let scan = scan.as_mut();
        // One monomorphic copy for each class: the kernel takes most of the time. Each copy is
        // called by name, so that a program without events or `explain` has no copies for them.
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
        self.horizons = raw_html::HtmlHorizons::default();
        self.dollars = math::MathHorizons::default();
        self.has_email = false;
        self.has_quotes = false;
        self.in_anchor = false;
        self.open = OpenRuns::default();
        self.n_counted = 0;
    }
}
