//! Emphasis, strong emphasis (CommonMark §6.2, and the appendix's "process emphasis"), and
//! everything else that pairs in this way: see [`Delimiter`].
//!
//! A delimiter run is left-flanking, right-flanking, both or neither, depending on the characters
//! around it, and so can open, close, both or neither. Runs that can open are pushed on a stack.
//! Each closer pairs with the nearest opener that fits, and all runs above that one are dropped.
//!
//! With [`Options::cjk_friendly_emphasis`](crate::Options::cjk_friendly_emphasis), East Asian
//! punctuation next to a run does not count as punctuation, and next to punctuation on the other
//! side an East Asian character counts as a space: in `**注意：**请看` and `**a(b)**입니다` the second run
//! closes.
//!
//! LINEAR: runs that a closer passes are dropped if it finds an opener. If it finds none, the next
//! closer of its kind does not search below this point again; `bottoms` stores that.

use std::ops::Range;

use barelink_text::chars::{is_cjk, is_punctuation, is_unicode_whitespace, next_char, prev_char};

use super::delimiter::{Delimiter, Pairing, Style};
use super::mark::{Mark, MarkIdx, MarkKind};
use super::open::Run;
use super::smart::Curly;
use super::{Context, Inlines};
use crate::memory::PushSparingly as _;
use crate::syntax::text::Text;

/// The rest of a delimiter run that can open or close. Its bytes are consumed from the inside.
///
/// There may be one for every byte of a text, so it is small. Its position is stored in its marks.
#[derive(Debug, Clone, Copy)]
pub(super) struct DelimiterRun {
    /// The index of the mark of its first byte. Those of its other bytes follow.
    mark: u32,
    /// The number of bytes left.
    len: u32,
    delimiter: Delimiter,
    pairing: Pairing,
    flanks: Flanks,
}

const _: () = assert!(size_of::<DelimiterRun>() == 12);

/// What a delimiter run can do, given the characters around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flanking {
    pub(super) can_open: bool,
    pub(super) can_close: bool,
}

/// A [`Flanking`], and the original length of the run modulo 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Flanks(u8);

impl Flanks {
    const LEN_MOD_3: u8 = 3;
    const CAN_OPEN: u8 = 4;
    const CAN_CLOSE: u8 = 8;

    /// The number of values that [`closer`](Self::closer) can have.
    const N_CLOSERS: usize = Self::CAN_CLOSE as usize;

    #[inline]
    fn new(len: usize, Flanking { can_open, can_close }: Flanking) -> Self {
        let can = u8::from(can_open) * Self::CAN_OPEN + u8::from(can_close) * Self::CAN_CLOSE;
        // Most runs are short, and need no division.
        Self(can | if len < 3 { len } else { len % 3 } as u8)
    }

    #[inline]
    fn can_open(self) -> bool {
        self.0 & Self::CAN_OPEN != 0
    }

    #[inline]
    fn can_close(self) -> bool {
        self.0 & Self::CAN_CLOSE != 0
    }

    /// The properties of a closer that decide which openers fit it.
    #[inline]
    fn closer(self) -> usize {
        usize::from(self.0 & (Self::CAN_OPEN | Self::LEN_MOD_3))
    }

    /// SPEC: 6.2, rules 9 and 10: if either of two runs can both open and close, they do not pair
    /// if the sum of their lengths is a multiple of 3, unless both lengths are.
    #[inline]
    fn is_odd_match(self, closer: Self) -> bool {
        (self.can_close() || closer.can_open())
            && (self.0 & Self::LEN_MOD_3) + (closer.0 & Self::LEN_MOD_3) == 3
    }
}

impl DelimiterRun {
    /// A run of `len` bytes, the first of which has the mark `mark_idx`.
    #[inline]
    pub(super) fn new(
        mark_idx: usize,
        len: usize,
        delimiter: Delimiter,
        pairing: Pairing,
        flanking: Flanking,
    ) -> Self {
        Self {
            mark: mark_idx as u32,
            len: len as u32,
            delimiter,
            pairing,
            flanks: Flanks::new(len, flanking),
        }
    }

    /// The properties that matter to bare links.
    pub(super) fn counted(&self) -> Run {
        let Self { len, delimiter, pairing, flanks, .. } = *self;
        let flanking = Flanking { can_open: flanks.can_open(), can_close: flanks.can_close() };
        Run { delimiter, len, pairing, flanking }
    }

    /// Whether `closer` may pair with this run.
    #[inline]
    fn fits(&self, closer: &Self) -> bool {
        self.delimiter == closer.delimiter
            && self.pairing == closer.pairing
            && !self.flanks.is_odd_match(closer.flanks)
    }
}

/// The number of delimiters that are quotes. They come last.
const N_QUOTES: usize = Delimiter::ALL.len() - Delimiter::N_MARKUP;

/// The indices of the open quotes of each kind.
#[derive(Debug, Default)]
struct OpenQuotes([Vec<u32>; N_QUOTES]);

impl OpenQuotes {
    /// Those that `quote` may close, or join.
    fn like(&mut self, quote: &DelimiterRun) -> &mut Vec<u32> {
        &mut self.0[(quote.delimiter as usize).saturating_sub(Delimiter::N_MARKUP)]
    }

    /// Drops the quotes after this opener, whose emphasis has been closed.
    fn drop_behind(&mut self, opener_idx: u32) {
        // LINEAR: each is dropped once.
        for open in &mut self.0 {
            while open.pop_if(|idx| *idx > opener_idx).is_some() {}
        }
    }
}

/// The class of a character next to a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Neighbor {
    Space,
    Punctuation,
    Other,
    /// An East Asian letter or digit, if the option distinguishes them.
    Cjk,
    /// East Asian punctuation, if the option distinguishes it.
    CjkPunctuation,
}

const ASCII_NEIGHBORS: [Neighbor; 128] = {
    let mut neighbors = [Neighbor::Other; 128];
    let mut byte = 0;
    while byte < 128u8 {
        neighbors[byte as usize] = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0C => Neighbor::Space,
            _ if byte.is_ascii_punctuation() => Neighbor::Punctuation,
            _ => Neighbor::Other,
        };
        byte += 1;
    }
    neighbors
};

fn neighbor(c: Option<char>) -> Neighbor {
    match c {
        None => Neighbor::Space,
        Some(c) if is_unicode_whitespace(c) => Neighbor::Space,
        Some(c) if is_punctuation(c) => Neighbor::Punctuation,
        Some(_) => Neighbor::Other,
    }
}

#[inline]
fn neighbor_before(text: &Text<'_>, at: usize) -> Neighbor {
    if at == text.start {
        return Neighbor::Space;
    }
    let bytes = text.bytes();
    match ASCII_NEIGHBORS.get(bytes[at - 1] as usize) {
        Some(&neighbor) => neighbor,
        None => neighbor(prev_char(bytes, at)),
    }
}

#[inline]
fn neighbor_after(text: &Text<'_>, at: usize) -> Neighbor {
    let bytes = text.bytes();
    let Some(&byte) = bytes.get(at) else { return Neighbor::Space };
    match ASCII_NEIGHBORS.get(byte as usize) {
        Some(&neighbor) => neighbor,
        None => neighbor(next_char(bytes, at)),
    }
}

/// The neighbors before and after the run `at..end`, with East Asian characters distinguished.
#[inline(never)]
fn cjk_neighbors(text: &Text<'_>, at: usize, end: usize) -> (Neighbor, Neighbor) {
    let before = |at| prev_char(&text.bytes()[text.start..at], at - text.start);
    let neighbor_before = match before(at) {
        // Variation selectors of Han.
        Some('\u{E0100}'..='\u{E01EF}') => Neighbor::Cjk,
        Some(selector @ '\u{FE00}'..='\u{FE0E}') => {
            match (before(at - selector.len_utf8()), selector) {
                // Selects the full-width form of quotes.
                (Some('‘' | '’' | '“' | '”'), '\u{FE01}') => Neighbor::CjkPunctuation,
                (base, _) => cjk_neighbor(base),
            }
        }
        c => cjk_neighbor(c),
    };
    (neighbor_before, cjk_neighbor(next_char(text.bytes(), end)))
}

/// The class of a character, with East Asian ones distinguished.
fn cjk_neighbor(c: Option<char>) -> Neighbor {
    match neighbor(c) {
        Neighbor::Other if c.is_some_and(is_cjk) => Neighbor::Cjk,
        Neighbor::Punctuation if c.is_some_and(is_cjk) => Neighbor::CjkPunctuation,
        neighbor => neighbor,
    }
}

/// The maximum number of runs that are looked through in sequence.
const MAX_THROUGH: usize = 4;

/// DIALECT(github): cmark-gfm looks through tildes for the neighbors of a run, so that `**~~a~~**b`
/// is bold. Skips such runs to the right of `at`.
///
/// LINEAR: only the next few runs on either side look through a given run.
fn skip(text: &Text<'_>, mut at: usize, context: &Context<'_>) -> usize {
    for _ in 0..MAX_THROUGH {
        let Some(&byte) = text.bytes().get(at) else { break };
        if !is_looked_through(byte, context) {
            break;
        }
        while text.bytes().get(at) == Some(&byte) {
            at += 1;
        }
    }
    at
}

/// Skips runs that are looked through to the left of `at`.
fn skip_back(text: &Text<'_>, mut at: usize, context: &Context<'_>) -> usize {
    for _ in 0..MAX_THROUGH {
        let Some(&byte) = text.bytes()[text.start..at].last() else { break };
        if !is_looked_through(byte, context) {
            break;
        }
        while text.bytes()[text.start..at].last() == Some(&byte) {
            at -= 1;
        }
    }
    at
}

fn is_looked_through(byte: u8, context: &Context<'_>) -> bool {
    Delimiter::of(byte).is_some_and(|delimiter| delimiter.is_looked_through(context.options))
}

/// What the delimiter run `at..end` can do.
#[inline(never)]
pub(super) fn flanking(
    text: &Text<'_>,
    at: usize,
    end: usize,
    delimiter: Delimiter,
    context: &Context<'_>,
) -> Flanking {
    let flanking = flanking_inlined(text, at, end, delimiter, context);
    if delimiter.is_markup() {
        return flanking;
    }
    // As in cmark: after a letter, a quote is an apostrophe or a closer.
    let (left, right) = (flanking.can_open, flanking.can_close);
    let can_open = match text.bytes()[text.start..at].last() {
        Some(b')' | b']') => false,
        Some(b'(' | b'[') => left,
        _ => left && !right,
    };
    Flanking { can_open, can_close: right }
}

/// [`flanking`] for markup; for quotes, whether they are left-flanking and right-flanking.
#[allow(clippy::inline_always)] // The path of every leaf: see ARCHITECTURE.md.
#[inline(always)]
fn flanking_inlined(
    text: &Text<'_>,
    at: usize,
    end: usize,
    delimiter: Delimiter,
    context: &Context<'_>,
) -> Flanking {
    let (left_edge, right_edge) = if context.looks_through {
        (skip_back(text, at, context), skip(text, end, context))
    } else {
        (at, end)
    };
    let (before, after) = if context.options.cjk_friendly_emphasis {
        cjk_neighbors(text, left_edge, right_edge)
    } else {
        (neighbor_before(text, left_edge), neighbor_after(text, right_edge))
    };
    // SPEC: 6.2, left-flanking and right-flanking.
    let left = after != Neighbor::Space
        && (after != Neighbor::Punctuation
            || before != Neighbor::Other
            || delimiter.opens_before_punctuation(context.options));
    let right =
        before != Neighbor::Space && (before != Neighbor::Punctuation || after != Neighbor::Other);
    let (can_open, can_close) = match delimiter {
        Delimiter::Star
        | Delimiter::Tilde
        | Delimiter::Equals
        | Delimiter::Caret
        | Delimiter::SingleQuote
        | Delimiter::DoubleQuote => (left, right),
        Delimiter::Underscore => {
            let is_punctuation =
                |neighbor| matches!(neighbor, Neighbor::Punctuation | Neighbor::CjkPunctuation);
            (left && (!right || is_punctuation(before)), right && (!left || is_punctuation(after)))
        }
    };
    Flanking { can_open, can_close }
}

impl Inlines {
    /// Collects the run of this delimiter at `at` and returns its end.
    pub(super) fn collect_run(
        &mut self,
        text: &Text<'_>,
        at: usize,
        delimiter: Delimiter,
        context: &Context<'_>,
    ) -> usize {
        let bytes = text.bytes();
        let mut end = at + 1;
        while bytes.get(end) == Some(&delimiter.byte()) {
            end += 1;
        }
        let Some(pairing) = delimiter.pairing(end - at, context.options) else { return end };
        let flanking = flanking_inlined(text, at, end, delimiter, context);
        if flanking.can_open || flanking.can_close {
            let run = DelimiterRun::new(self.marks.len(), end - at, delimiter, pairing, flanking);
            self.delimiters.push_sparingly(run);
            for start in at..end {
                self.push(MarkKind::Unused, start, start + 1);
            }
        }
        end
    }

    /// Pairs the delimiters from index `bottom` on and drops them.
    #[inline]
    pub(super) fn resolve_emphasis(&mut self, bottom: usize) {
        if self.delimiters.len() >= bottom + 2 {
            self.pair_all(bottom);
        }
        self.delimiters.truncate(bottom);
    }

    #[inline(never)]
    fn pair_all(&mut self, bottom: usize) {
        if self.has_quotes {
            self.pair_delimiters::<true>(bottom);
        } else {
            self.pair_delimiters::<false>(bottom);
        }
    }

    /// `QUOTES` is whether there may be quotes. (Without them, they cost nothing.)
    fn pair_delimiters<const QUOTES: bool>(&mut self, bottom: usize) {
        // For each kind of closer, the first mark at which an opener may be.
        let mut bottoms = [0; Flanks::N_CLOSERS * Delimiter::N_MARKUP];
        let mut quotes = OpenQuotes::default();
        // The entries from `bottom` to `top` are a stack of openers. It reuses the slots of runs
        // that are done.
        let mut top = bottom;
        for idx in bottom..self.delimiters.len() {
            let mut run = self.delimiters[idx];
            if QUOTES && run.pairing == Pairing::Quotes {
                top = self.pair_quote(run, top, &mut quotes);
                continue;
            }
            if run.flanks.can_close() {
                let kind = Flanks::N_CLOSERS * run.delimiter as usize + run.flanks.closer();
                while run.len > 0 {
                    let Some(opener_idx) = self.find_opener(&run, bottom..top, bottoms[kind])
                    else {
                        bottoms[kind] = run.mark;
                        break;
                    };
                    if QUOTES {
                        quotes.drop_behind(opener_idx as u32);
                    }
                    // Runs between the two can no longer pair.
                    top = match run.pairing {
                        Pairing::Inside(one) => self.pair(opener_idx, &mut run, one),
                        Pairing::Whole(style) => self.pair_whole(opener_idx, &mut run, style),
                        // Handled above.
                        Pairing::Quotes => top,
                    };
                }
            }
            if run.flanks.can_open() && run.len > 0 {
                self.delimiters[top] = run;
                top += 1;
            }
        }
    }

    /// Finds the nearest opener for `closer` on the stack; those before mark `floor` are known not
    /// to fit.
    #[inline]
    fn find_opener(
        &self,
        closer: &DelimiterRun,
        waiting: Range<usize>,
        floor: u32,
    ) -> Option<usize> {
        let openers = self.delimiters[waiting.clone()].iter().rev();
        let mut openers = openers.take_while(|opener| opener.mark >= floor);
        let n_passed = openers.position(|opener| opener.fits(closer))?;
        Some(waiting.end - 1 - n_passed)
    }

    /// Pairs as much of two delimiters as one step can, and returns the new top of the stack.
    #[inline]
    fn pair(&mut self, opener_idx: usize, closer: &mut DelimiterRun, one: Style) -> usize {
        let opener = &mut self.delimiters[opener_idx];
        let is_two = opener.len >= 2 && closer.len >= 2;
        let (len, style) = if is_two { (2, one.doubled()) } else { (1, one) };
        opener.len -= len;
        let (open, close) = (MarkIdx(opener.mark + opener.len), MarkIdx(closer.mark));
        closer.mark += len;
        closer.len -= len;
        let n_waiting = opener_idx + usize::from(opener.len > 0);
        self.use_mark(open, len, MarkKind::Open { style, close });
        self.use_mark(close, len, MarkKind::Close { style, open });
        n_waiting
    }

    /// Makes the mark of a delimiter stand for `len` bytes.
    #[inline]
    fn use_mark(&mut self, idx: MarkIdx, len: u32, kind: MarkKind) {
        let mark = &mut self.marks[idx.get()];
        *mark = Mark { start: mark.start, end: mark.start + len, kind };
    }

    /// Pairs two delimiters if they have equal lengths. In any case, both are consumed.
    fn pair_whole(&mut self, opener_idx: usize, closer: &mut DelimiterRun, style: Style) -> usize {
        let opener = self.delimiters[opener_idx];
        if opener.len == closer.len {
            let (open, close) = (MarkIdx(opener.mark), MarkIdx(closer.mark));
            self.use_mark(open, opener.len, MarkKind::Open { style, close });
            self.use_mark(close, closer.len, MarkKind::Close { style, open });
        }
        closer.len = 0;
        opener_idx
    }

    /// Pairs a quote with the last open one of its kind, or else pushes it as open, and returns the
    /// new top of the stack. A paired quote stays on the stack, where no closer fits it.
    #[inline(never)]
    fn pair_quote(&mut self, quote: DelimiterRun, top: usize, quotes: &mut OpenQuotes) -> usize {
        let open_quotes = quotes.like(&quote);
        if quote.flanks.can_close()
            && let Some(opener_idx) = open_quotes.pop()
        {
            let opener = self.delimiters[opener_idx as usize];
            let (open, close) = (MarkIdx(opener.mark), MarkIdx(quote.mark));
            self.set_mate(open, close, Curly::left);
            self.set_mate(close, open, |shown| shown);
            return top;
        }
        if !quote.flanks.can_open() {
            return top;
        }
        open_quotes.push_sparingly(top as u32);
        self.delimiters[top] = quote;
        top + 1
    }

    /// Turns the mark of a quote into that of a paired one.
    fn set_mate(&mut self, idx: MarkIdx, mate: MarkIdx, turned: impl Fn(Curly) -> Curly) {
        let kind = &mut self.marks[idx.get()].kind;
        if let MarkKind::LoneQuote { shown, .. } = *kind {
            *kind = MarkKind::Quote { shown: turned(shown), mate };
        }
    }
}
