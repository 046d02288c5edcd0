//! Optimistic completion: what to display of a text that stops in the middle.
//!
//! The engine is not changed. It reads another text instead: the source without its held-back end,
//! and with text added that closes what is open. So the page is always the result of some text,
//! whatever is guessed here; and since both changes are to the last line only, which is read
//! tentatively, nothing settled depends on them.
//!
//! ```text
//! source   some **bold and [a link](https://exam
//! shown    some **bold and [a link](https://exam)**
//! ```
//!
//! Guesses about inlines are first tried on the text of the open leaf. A closer that closes
//! nothing, and would be displayed as text, is not added.
//!
//! LINEAR: an update reads the text of the open leaf up to four more times, from where the writer
//! reads it again: in a paragraph, that is its last neutral place. Nothing is open before that
//! place, so the guess is the same.

use barelink_text::Span;

use super::Stream;
use super::options::Incomplete;
use super::tail;
use crate::block::live::Unfinished;
use crate::event::MathStyle;
use crate::html::Unsure;
use crate::inline::delimiter::Delimiter;
use crate::inline::recorder::MarksOnly;
use crate::inline::{Context, Inlines};
use crate::parsed::{Parsed, candidates};
use crate::source_len::UNCOUNTED;
use crate::syntax::text::Text;
use crate::tape::join::Joined;
use crate::tape::{Record, Role, Tape};

/// Constructs opened earlier than this are not closed: a lone `*` must not turn a page italic.
const MAX_OPEN: usize = 256;

/// The length in which an ending is searched for. (A label has at most 999 bytes.)
const MAX_ENDING: usize = 1024;

/// The maximum number of endings that are held back, one before the other.
const MAX_ENDINGS: usize = 16;

/// The text that is shown instead of the source.
#[derive(Debug)]
pub(super) struct Completer {
    rules: Incomplete,
    /// The source up to some offset, and then the added text.
    shown: String,
    /// The length of the part that equals the source.
    n_same: usize,
    /// The start of the last line of the source, and how much of the source was searched for it.
    line_start: usize,
    n_searched: usize,
    joined: Joined,
    inlines: Inlines,
    /// The text of the open leaf, and the text that was tried last.
    text: String,
    trial: String,
}

/// Where to cut the source, and what to add.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    cut: usize,
    added: String,
}

impl Completer {
    /// `None` if nothing is to be guessed.
    pub(super) fn new(rules: Incomplete) -> Option<Box<Self>> {
        (rules != Incomplete::EXACT).then(|| {
            Box::new(Self {
                rules,
                shown: String::new(),
                n_same: 0,
                line_start: 0,
                n_searched: 0,
                joined: Joined::default(),
                inlines: Inlines::default(),
                text: String::new(),
                trial: String::new(),
            })
        })
    }

    /// The text that was shown last.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// How much of the source to read: without the last line, if that is only a marker, and without
    /// the line ending after the last line, so that the line can be extended.
    pub(super) fn limit(&mut self, source: &str) -> usize {
        let bytes = source.as_bytes();
        let mut end = bytes.len();
        let new = &bytes[self.n_searched..];
        if let Some(at) = memchr::memrchr2(b'\n', b'\r', new) {
            self.line_start = self.n_searched + at + 1;
        }
        self.n_searched = end;
        if self.rules.markers.is_on() && tail::is_marker(&bytes[self.line_start..end]) {
            end = self.line_start;
        }
        let before = end - usize::from(bytes[..end].ends_with(b"\n"));
        let before = before - usize::from(bytes[..before].ends_with(b"\r"));
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | 0x0C);
        let last = bytes[..before].iter().rev().find(|byte| !is_blank(byte));
        if last.is_none_or(|byte| matches!(byte, b'\n' | b'\r')) { end } else { before }
    }

    /// Sets the shown text: the source up to `cut`, and then the added text.
    fn show(&mut self, source: &str, plan: &Plan) {
        let same = self.n_same.min(plan.cut);
        self.shown.truncate(same);
        self.shown.push_str(&source[same..plan.cut]);
        self.shown.push_str(&plan.added);
        self.n_same = plan.cut;
    }
}

/// The start of the last word of a text, if the words before `from` are complete: no bare link
/// spans white space or `<`.
fn last_word(text: &[u8], from: usize) -> usize {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'<';
    let rest = &text[from.min(text.len())..];
    rest.iter().rposition(is_end).map_or(from, |at| from + at + 1)
}

/// The record of the last leaf with inline text, if it reaches into the line at `line_start`, the
/// last one, and only white space follows it before `limit`. Nothing can be guessed of a leaf that
/// ends before that line.
fn open_leaf(tape: &Tape, source: &str, line_start: usize, limit: usize) -> Option<usize> {
    let idx = tape.records.iter().rposition(|it| !matches!(it.block.role(), Role::Exit(_)))?;
    let record = &tape.records[idx];
    let is_text = record.block.inline_lines().is_some();
    let (start, end) = (record.start as usize, record.end as usize);
    let reaches = is_text && start < end && line_start <= end;
    (reaches && source.get(end..limit)?.trim_ascii().is_empty()).then_some(idx)
}

/// The open leaf and its context.
struct ShownLeaf<'s> {
    source: &'s str,
    limit: usize,
    record: Record,
    /// The offset up to which its text was written, if that part is not read again.
    written: Option<u32>,
    /// The start of the line that is read tentatively.
    line_start: usize,
    line: LastLine,
}

/// Whether the last line may continue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastLine {
    GoesOn,
    Ended,
}

impl Completer {
    fn plan(
        &mut self,
        leaf: &ShownLeaf<'_>,
        open: Option<Unfinished>,
        parsed: &Parsed,
    ) -> Option<Plan> {
        let Parsed { options, tape, .. } = parsed;
        let ShownLeaf { source, record, written, line_start, .. } = *leaf;
        let is_new = record.start as usize >= line_start;
        if is_new && open == Some(Unfinished::Paragraph) {
            if self.rules.tables.is_on()
                && options.tables
                && let Some(plan) = plan_table(leaf)
            {
                return Some(plan);
            }
            // Nothing of a definition may have been written.
            if self.rules.definitions.is_on()
                && written.is_none()
                && tail::may_be_definition(record.span().slice(source).as_bytes())
            {
                return Some(Plan { cut: record.start as usize, added: String::new() });
            }
        }
        let loaded = match written {
            Some(at) => {
                let rest = Span::new(at, record.end);
                self.joined.load_part(source, tape, rest, record.lines())
            }
            None => self.joined.load(source, tape, record.span(), record.lines()),
        };
        let text = self.joined.view(source, &tape.folded, loaded);
        self.text.clear();
        self.text.push_str(text.slice(text.start, text.end));
        let context = Context::new(options, &tape.references, &tape.footnotes);
        let (end, added) = self.plan_inlines(leaf, &context);
        // With NUL, the text is longer than the source, and the part cut off differs.
        let cut = (record.end as usize).checked_sub(self.text.len() - end)?;
        // The part cut off must be the same in the source, and on the last line.
        let is_same = source.get(cut..record.end as usize) == self.text.get(end..);
        let is_changed = end < self.text.len() || !added.is_empty();
        (is_same && is_changed && cut >= line_start).then_some(Plan { cut, added })
    }

    /// Where to cut the leaf's text, and what to add to it.
    fn plan_inlines(&mut self, leaf: &ShownLeaf<'_>, context: &Context<'_>) -> (usize, String) {
        let Incomplete { endings, inlines, links, .. } = self.rules;
        let holds = endings.is_on() && leaf.line == LastLine::GoesOn;
        let mut end = self.text.len();
        self.parse(end, "", context);
        if holds {
            let is_math = context.options.math;
            let start = self.cut_run(end, |byte| byte == b'`' || byte == b'$' && is_math);
            if start < end {
                end = start;
                self.parse(end, "", context);
            }
        }
        let floor = end.saturating_sub(MAX_OPEN);
        let mut added = String::new();
        if inlines.is_on()
            && context.options.math
            && let Some((_, style)) = self.inlines.open_math(&Text::of_str(&self.trial), floor)
            // A single dollar sign more often means money than math.
            && style != MathStyle::Inline
        {
            added.push_str(style.closer());
            self.parse(end, &added, context);
        } else if inlines.is_on()
            && let Some(run) = self.inlines.open_backticks(&Text::of_str(&self.trial), floor)
        {
            // Whatever follows is code.
            added.push_str(&"`".repeat(run.len()));
            self.parse(end, &added, context);
        } else {
            if leaf.line == LastLine::GoesOn {
                end = self.cut_ending(end, context);
            }
            added =
                links.is_on().then(|| self.close_link(end, context)).flatten().unwrap_or_default();
            if added.is_empty() {
                // Nothing is closed after white space, which is not displayed at the end.
                end = self.text[..end].trim_end().len();
                self.parse(end, "", context);
            }
        }
        if inlines.is_on() {
            let runs = self.inlines.open_runs(&Text::of_str(&self.trial), context, floor);
            let mut closers = added.clone();
            for run in runs.iter().rev().filter(|run| run.delimiter.is_guessed(run.len)) {
                closers.extend(std::iter::repeat_n(char::from(run.delimiter.byte()), run.len));
            }
            if closers != added {
                self.parse(end, &closers, context);
                if self.is_all_ends(end) {
                    added = closers;
                }
            }
        }
        (end, added)
    }

    /// Tries a text: the leaf's text up to `end`, and then `added`.
    fn parse(&mut self, end: usize, added: &str, context: &Context<'_>) {
        self.trial.clear();
        self.trial.push_str(&self.text[..end]);
        self.trial.push_str(added);
        let text = Text::of_str(&self.trial);
        let mut candidates = candidates(&self.trial, context.options);
        self.inlines.n_expanded = 0;
        self.inlines.parse(&text, context, &mut candidates, &mut MarksOnly);
    }

    /// Whether everything tried from `start` on closes something.
    fn is_all_ends(&self, start: usize) -> bool {
        self.inlines.is_all_ends(&Text::of_str(&self.trial), start)
    }

    /// The start of the run of such bytes that ends at `end`, or `end` if there is none, or if the
    /// run closes earlier runs and consumes them entirely.
    fn cut_run(&self, end: usize, is_sought: impl Fn(u8) -> bool) -> usize {
        let text = &self.text.as_bytes()[..end];
        let start = tail::run_start(text);
        let is_run = text.last().is_some_and(|last| is_sought(*last));
        let is_whole = end == self.trial.len();
        let closes =
            || is_whole && self.inlines.is_closed_by(&Text::of_str(&self.trial[..end]), start);
        if is_run && !closes() { start } else { end }
    }

    /// The start of the trailing part of the text that has no meaning yet.
    fn cut_ending(&mut self, mut end: usize, context: &Context<'_>) -> usize {
        let floor = end.saturating_sub(MAX_ENDING);
        if self.rules.links.is_on()
            && let Some(at) = tail::scan_open_label(&self.text.as_bytes()[floor..end])
        {
            end = floor + at;
            self.parse(end, "", context);
        }
        if !self.rules.endings.is_on() {
            return end;
        }
        for _ in 0..MAX_ENDINGS {
            let is_delimiter = |byte| {
                Delimiter::of(byte).is_some_and(|it| it.is_markup() && it.is_on(context.options))
            };
            let start = self.cut_run(end, is_delimiter).max(floor);
            let start = floor + tail::scan_ending(&self.text.as_bytes()[floor..start]);
            if start == end {
                break;
            }
            end = start;
        }
        end
    }

    /// The text that completes the link or image at the end.
    fn close_link(&mut self, end: usize, context: &Context<'_>) -> Option<String> {
        let text = &self.text.as_bytes()[..end];
        let is_wiki = context.options.wiki_links;
        let close = tail::close_link(text)
            .or_else(|| tail::close_wiki_link(text).filter(|_| is_wiki).map(str::to_owned))?;
        self.parse(end, &close, context);
        self.is_all_ends(end).then_some(close)
    }
}

/// Adds the delimiter row to the header of a table, if its line is complete.
fn plan_table(leaf: &ShownLeaf<'_>) -> Option<Plan> {
    let line = leaf.record.span().slice(leaf.source).as_bytes();
    if leaf.line == LastLine::GoesOn || !line.starts_with(b"|") || line.contains(&b'\n') {
        return None;
    }
    let n_pipes = tail::count_pipes(line);
    if n_pipes < 2 {
        return None;
    }
    let n_cells = if line.ends_with(b"|") { n_pipes - 1 } else { n_pipes };
    // The row needs the markers of its containers.
    let markers = leaf.source.get(leaf.line_start..leaf.record.start as usize)?;
    let keep = |c: char| if matches!(c, '>' | '\t') { c } else { ' ' };
    let mut added = String::from("\n");
    added.extend(markers.chars().map(keep));
    added.push('|');
    added.push_str(&"-|".repeat(n_cells));
    Some(Plan { cut: leaf.limit, added })
}

impl Stream {
    /// Reads the shown text instead of the source up to `limit`, which was read and closed. The
    /// shown text replaces the source until [`Stream::show_source`].
    pub(super) fn complete(&mut self, limit: usize) {
        let Some(completer) = &mut self.completer else { return };
        let tape = &self.parsed.tape;
        let line = if limit == self.source.len() { LastLine::GoesOn } else { LastLine::Ended };
        let line_start = self.live.next_line();
        let open = self.live.open_leaf();
        let leaf = open_leaf(tape, &self.source, line_start, limit);
        let written = leaf.and_then(|idx| self.partial.written_of(idx, tape));
        let plan = match (open, leaf) {
            // With an addition it might become too long.
            _ if limit > UNCOUNTED => None,
            // LINEAR: without the part that was written, all of the text would be read.
            _ if written.is_none() && self.partial.is_forced() => None,
            (Some(Unfinished::Code), _) => None,
            (Some(Unfinished::Html), _) => {
                let text = &self.source.as_bytes()[line_start..limit];
                let holds = completer.rules.endings.is_on() && line == LastLine::GoesOn;
                let cut = line_start + if holds { tail::scan_ending(text) } else { text.len() };
                (cut < limit).then_some(Plan { cut, added: String::new() })
            }
            (_, Some(idx)) => {
                let (source, record) = (self.source.as_str(), tape.records[idx]);
                let leaf = ShownLeaf { source, limit, record, written, line_start, line };
                completer.plan(&leaf, open, &self.parsed)
            }
            (_, None) => None,
        };
        let exact = Plan { cut: limit, added: String::new() };
        let mut plan = plan.unwrap_or(Plan { cut: limit, added: String::new() });
        if plan == exact {
            completer.show(&self.source, &exact);
        } else {
            let is_table = plan.added.starts_with('\n');
            self.read_shown(&plan);
            if is_table && self.live.open_leaf() != Some(Unfinished::Table) {
                self.read_shown(&exact);
                plan = exact;
            }
        }
        let from = written.unwrap_or(0) as usize;
        let growing = (line == LastLine::GoesOn)
            .then(|| last_word(&self.source.as_bytes()[..plan.cut], from));
        self.note_completion(&plan, growing);
    }

    /// Reads the last line again, with the plan applied.
    fn read_shown(&mut self, plan: &Plan) {
        let Some(completer) = &mut self.completer else { return };
        completer.show(&self.source, plan);
        let Self { parsed: Parsed { options, tape, .. }, buffers, live, .. } = self;
        live.reopen(tape, buffers);
        live.close(completer.shown(), options, tape, buffers);
    }

    /// Passes the guess on to the writer and the update, and replaces the source by the shown text.
    /// A bare link from `growing` on may still grow.
    fn note_completion(&mut self, plan: &Plan, growing: Option<usize>) {
        let Some(completer) = &mut self.completer else { return };
        let mut unsure = Unsure { links: plan.cut as u32, ..Unsure::default() };
        if completer.rules.bare_links.is_on()
            && let Some(growing) = growing
        {
            unsure.bare = growing as u32;
        }
        self.scratch.html.unsure = unsure;
        self.changes.held = Span::new(plan.cut as u32, self.source.len() as u32);
        self.changes.added.push_str(&plan.added);
        std::mem::swap(&mut self.source, &mut completer.shown);
    }

    /// Restores the source.
    pub(super) fn show_source(&mut self) {
        if let Some(completer) = &mut self.completer {
            std::mem::swap(&mut self.source, &mut completer.shown);
            self.scratch.html.unsure = Unsure::default();
        }
    }
}
