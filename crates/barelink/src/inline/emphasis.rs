//! Emphasis, strong emphasis (CommonMark §6.2, and the appendix's "process
//! emphasis"), and what else pairs in this way: see [`Delimiter`].
//!
//! A delimiter run is left-flanking, right-flanking, both or neither by the
//! characters around it, and from that can open, close, both or neither. Runs
//! that can are chained in text order; each closer takes the nearest opener
//! that fits.
//!
//! With [`Options::cjk_friendly_emphasis`](crate::Options::cjk_friendly_emphasis),
//! punctuation of East Asia beside a run does not count as such, and behind punctuation a
//! character of East Asia is as good as a space: in `**注意：**请看` and `**a(b)**입니다` the
//! second run closes.
//!
//! LINEAR: where a closer of some kind finds no opener, the next of that kind
//! need not look further back than this one did: `bottoms`.

use std::ops::Range;

use barelink_text::chars::{is_cjk, is_punctuation, is_unicode_whitespace, next_char, prev_char};

use super::delimiter::{Delimiter, Pairing, Style};
use super::mark::{Mark, MarkIdx, MarkKind};
use super::smart::Curly;
use super::{Context, Inlines};
use crate::syntax::text::Text;

/// No delimiter: the end of a chain.
const NONE: u32 = u32::MAX;

/// A delimiter run that can open or close. Its bytes are used up from the
/// inside, so what is left of it is `start..end`.
#[derive(Debug, Clone, Copy)]
pub(super) struct DelimiterRun {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The mark of byte `origin`, the first of the run.
    mark_idx: u32,
    origin: u32,
    prev: u32,
    next: u32,
    /// The length it had, modulo 3.
    len_mod_3: u8,
    pub(super) delimiter: Delimiter,
    pairing: Pairing,
    pub(super) can_open: bool,
    pub(super) can_close: bool,
}

impl DelimiterRun {
    /// A run at `range`, whose first byte has the mark `mark_idx`. It can neither open nor close.
    #[allow(clippy::inline_always)] // The guard shows what a call costs.
    #[inline(always)]
    pub(super) fn new(
        range: Range<usize>,
        mark_idx: usize,
        delimiter: Delimiter,
        pairing: Pairing,
    ) -> Self {
        Self {
            start: range.start as u32,
            end: range.end as u32,
            mark_idx: mark_idx as u32,
            origin: range.start as u32,
            prev: NONE,
            next: NONE,
            len_mod_3: ((range.end - range.start) % 3) as u8,
            delimiter,
            pairing,
            can_open: false,
            can_close: false,
        }
    }

    /// Whether both are written alike, for the same.
    #[inline]
    fn fits(&self, closer: &Self) -> bool {
        self.delimiter == closer.delimiter && self.pairing == closer.pairing
    }
}

/// The last quotes that wait for another; each has the one before it as its `prev`.
struct OpenQuotes {
    single: u32,
    double: u32,
}

impl OpenQuotes {
    fn last_mut(&mut self, delimiter: Delimiter) -> &mut u32 {
        match delimiter {
            Delimiter::DoubleQuote => &mut self.double,
            _ => &mut self.single,
        }
    }

    /// Emphasis that opens here was closed: quotes in it wait no longer.
    #[inline]
    fn drop_behind(&mut self, opener_idx: u32, delimiters: &[DelimiterRun]) {
        // LINEAR: each is dropped once.
        for last in [&mut self.single, &mut self.double] {
            while *last != NONE && *last > opener_idx {
                *last = delimiters[*last as usize].prev;
            }
        }
    }
}

/// What a character beside a run counts as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Neighbor {
    Space,
    Punctuation,
    Other,
    /// A letter or digit of East Asia, where those count.
    Cjk,
    /// Punctuation of East Asia, where that counts.
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

#[allow(clippy::inline_always)] // The guard shows what a call costs.
#[inline(always)]
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

#[allow(clippy::inline_always)] // The guard shows what a call costs.
#[inline(always)]
fn neighbor_after(text: &Text<'_>, at: usize) -> Neighbor {
    let bytes = text.bytes();
    let Some(&byte) = bytes.get(at) else { return Neighbor::Space };
    match ASCII_NEIGHBORS.get(byte as usize) {
        Some(&neighbor) => neighbor,
        None => neighbor(next_char(bytes, at)),
    }
}

/// The neighbors before and after the run `at..end`, where those of East Asia count.
#[inline(never)]
fn cjk_neighbors(text: &Text<'_>, at: usize, end: usize) -> (Neighbor, Neighbor) {
    let before = |at| prev_char(&text.bytes()[text.start..at], at - text.start);
    let neighbor_before = match before(at) {
        // Selects a form of Han.
        Some('\u{E0100}'..='\u{E01EF}') => Neighbor::Cjk,
        Some(selector @ '\u{FE00}'..='\u{FE0E}') => {
            match (before(at - selector.len_utf8()), selector) {
                // The forms of quotes that are as wide as Han.
                (Some('‘' | '’' | '“' | '”'), '\u{FE01}') => Neighbor::CjkPunctuation,
                (base, _) => cjk_neighbor(base),
            }
        }
        c => cjk_neighbor(c),
    };
    (neighbor_before, cjk_neighbor(next_char(text.bytes(), end)))
}

/// What a character counts as, where those of East Asia count.
fn cjk_neighbor(c: Option<char>) -> Neighbor {
    match neighbor(c) {
        Neighbor::Other if c.is_some_and(is_cjk) => Neighbor::Cjk,
        Neighbor::Punctuation if c.is_some_and(is_cjk) => Neighbor::CjkPunctuation,
        neighbor => neighbor,
    }
}

/// Runs that are looked through one after the other.
const MAX_THROUGH: usize = 4;

/// DIALECT(github): cmark-gfm looks through tildes for what stands beside a run, so that
/// `**~~a~~**b` is bold.
///
/// LINEAR: a run is looked through by those of the next few beside it, from either side.
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

/// The same, to the left.
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

/// Whether the delimiter run `at..end` can open, and whether it can close.
#[inline(never)]
pub(super) fn flanks(
    text: &Text<'_>,
    at: usize,
    end: usize,
    delimiter: Delimiter,
    context: &Context<'_>,
) -> (bool, bool) {
    let (left, right) = flanks_inlined(text, at, end, delimiter, context);
    if delimiter.is_markup() {
        return (left, right);
    }
    // As cmark has it: behind a letter a quote is an apostrophe or closes.
    let can_open = match text.bytes()[text.start..at].last() {
        Some(b')' | b']') => false,
        Some(b'(' | b'[') => left,
        _ => left && !right,
    };
    (can_open, right)
}

/// The same for markup, and whether quotes are left-flanking and right-flanking.
#[allow(clippy::inline_always)] // The guard shows what a call costs.
#[inline(always)]
fn flanks_inlined(
    text: &Text<'_>,
    at: usize,
    end: usize,
    delimiter: Delimiter,
    context: &Context<'_>,
) -> (bool, bool) {
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
    match delimiter {
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
    }
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
        let (can_open, can_close) = flanks_inlined(text, at, end, delimiter, context);
        if can_open || can_close {
            let run = DelimiterRun::new(at..end, self.marks.len(), delimiter, pairing);
            let run = DelimiterRun { can_open, can_close, ..run };
            self.note_run(&run);
            self.delimiters.push(run);
            for start in at..end {
                self.push(MarkKind::Unused, start, start + 1);
            }
        }
        end
    }

    /// Pairs the delimiters from index `bottom` on and drops them.
    pub(super) fn resolve_emphasis(&mut self, bottom: usize) {
        let n_delimiters = self.delimiters.len();
        if n_delimiters - bottom >= 2 {
            for idx in bottom..n_delimiters {
                self.delimiters[idx].prev = if idx > bottom { idx as u32 - 1 } else { NONE };
                self.delimiters[idx].next =
                    if idx + 1 < n_delimiters { idx as u32 + 1 } else { NONE };
            }
            if self.has_quotes {
                self.pair_delimiters::<true>(bottom as u32);
            } else {
                self.pair_delimiters::<false>(bottom as u32);
            }
        }
        self.delimiters.truncate(bottom);
    }

    /// With `QUOTES` there may be some. (Otherwise nothing is asked about them.)
    fn pair_delimiters<const QUOTES: bool>(&mut self, bottom: u32) {
        // By kind of closer: below which delimiter no opener is left. Counted
        // from 1, so that 0 is "not known".
        let mut bottoms = [0; 6 * Delimiter::N_MARKUP];
        let mut quotes = OpenQuotes { single: NONE, double: NONE };
        let mut closer_idx = bottom;
        while closer_idx != NONE {
            let closer = self.delimiters[closer_idx as usize];
            if QUOTES && closer.pairing == Pairing::Quotes {
                self.pair_quote(closer_idx, &mut quotes);
                closer_idx = closer.next;
                continue;
            }
            if !closer.can_close {
                closer_idx = closer.next;
                continue;
            }
            let kind = 6 * closer.delimiter as usize
                + usize::from(closer.can_open) * 3
                + usize::from(closer.len_mod_3);
            if let Some(opener_idx) = self.find_opener(&closer, bottoms[kind]) {
                if QUOTES {
                    quotes.drop_behind(opener_idx, &self.delimiters);
                }
                closer_idx = match closer.pairing {
                    Pairing::Inside { one, two } => self.pair(opener_idx, closer_idx, one, two),
                    Pairing::Whole(style) => self.pair_whole(opener_idx, closer_idx, style),
                    // Paired above.
                    Pairing::Quotes => closer.next,
                };
            } else {
                bottoms[kind] = closer_idx + 1;
                if !closer.can_open {
                    self.unlink(closer_idx);
                }
                closer_idx = closer.next;
            }
        }
    }

    /// The nearest opener for `closer`; those with an index below `floor` minus
    /// one are known not to fit.
    #[allow(clippy::inline_always)] // The guard shows what a call costs.
    #[inline(always)]
    fn find_opener(&self, closer: &DelimiterRun, floor: u32) -> Option<u32> {
        let mut idx = closer.prev;
        while idx != NONE && idx + 1 >= floor {
            let opener = &self.delimiters[idx as usize];
            if opener.can_open && opener.fits(closer) && !is_odd_match(opener, closer) {
                return Some(idx);
            }
            idx = opener.prev;
        }
        None
    }

    /// Pairs as much of two delimiters as one step can, and returns the
    /// delimiter to go on with.
    #[allow(clippy::inline_always)] // The guard shows what a call costs.
    #[inline(always)]
    fn pair(&mut self, opener_idx: u32, closer_idx: u32, one: Style, two: Style) -> u32 {
        let mut opener = self.delimiters[opener_idx as usize];
        let mut closer = self.delimiters[closer_idx as usize];
        let is_two = opener.end - opener.start >= 2 && closer.end - closer.start >= 2;
        let (len, style) = if is_two { (2, two) } else { (1, one) };
        opener.end -= len;
        let open = MarkIdx(opener.mark_idx + (opener.end - opener.origin));
        let close = MarkIdx(closer.mark_idx + (closer.start - closer.origin));
        let open_kind = MarkKind::Open { style, close };
        let close_kind = MarkKind::Close { style, open };
        let (open_at, close_at) = (opener.end, closer.start);
        closer.start += len;
        // Whatever stands between the two can no longer pair.
        opener.next = closer_idx;
        closer.prev = opener_idx;
        self.delimiters[opener_idx as usize] = opener;
        self.delimiters[closer_idx as usize] = closer;
        self.marks[open.get()] = Mark { start: open_at, end: open_at + len, kind: open_kind };
        self.marks[close.get()] = Mark { start: close_at, end: close_at + len, kind: close_kind };
        if opener.start == opener.end {
            self.unlink(opener_idx);
        }
        if closer.start == closer.end {
            self.unlink(closer_idx);
            return closer.next;
        }
        closer_idx
    }

    /// Pairs two delimiters if they are equally long. Whether or not they are, both are used up.
    fn pair_whole(&mut self, opener_idx: u32, closer_idx: u32, style: Style) -> u32 {
        let opener = self.delimiters[opener_idx as usize];
        let closer = self.delimiters[closer_idx as usize];
        if opener.end - opener.start == closer.end - closer.start {
            let (open, close) = (MarkIdx(opener.mark_idx), MarkIdx(closer.mark_idx));
            let (start, end) = (opener.start, opener.end);
            self.marks[open.get()] = Mark { start, end, kind: MarkKind::Open { style, close } };
            let (start, end) = (closer.start, closer.end);
            self.marks[close.get()] = Mark { start, end, kind: MarkKind::Close { style, open } };
        }
        // Both go, and what is between them.
        self.delimiters[closer_idx as usize].prev = opener.prev;
        self.unlink(closer_idx);
        closer.next
    }

    /// Pairs a quote with the last that is open, or has it wait for another. It leaves the chain,
    /// so that nobody has to pass over it.
    #[inline(never)]
    fn pair_quote(&mut self, idx: u32, quotes: &mut OpenQuotes) {
        self.unlink(idx);
        let quote = self.delimiters[idx as usize];
        let last = quotes.last_mut(quote.delimiter);
        if quote.can_close && *last != NONE {
            let opener = self.delimiters[*last as usize];
            *last = opener.prev;
            let (open, close) = (MarkIdx(opener.mark_idx), MarkIdx(quote.mark_idx));
            self.set_mate(open, close, Curly::left);
            self.set_mate(close, open, |shown| shown);
        } else if quote.can_open {
            self.delimiters[idx as usize].prev = std::mem::replace(last, idx);
        }
    }

    /// The mark of a quote is one of a pair.
    fn set_mate(&mut self, idx: MarkIdx, mate: MarkIdx, turned: impl Fn(Curly) -> Curly) {
        let kind = &mut self.marks[idx.get()].kind;
        if let MarkKind::LoneQuote { shown, .. } = *kind {
            *kind = MarkKind::Quote { shown: turned(shown), mate };
        }
    }

    fn unlink(&mut self, idx: u32) {
        let DelimiterRun { prev, next, .. } = self.delimiters[idx as usize];
        if prev != NONE {
            self.delimiters[prev as usize].next = next;
        }
        if next != NONE {
            self.delimiters[next as usize].prev = prev;
        }
    }
}

/// SPEC: 6.2, rules 9 and 10: a run that can both open and close pairs with no
/// run if the sum of their lengths is a multiple of 3, unless both are.
fn is_odd_match(opener: &DelimiterRun, closer: &DelimiterRun) -> bool {
    (opener.can_close || closer.can_open)
        && (opener.len_mod_3 + closer.len_mod_3).is_multiple_of(3)
        && closer.len_mod_3 != 0
}
