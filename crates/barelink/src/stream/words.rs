//! Words: bytes that can be appended to the text of a paragraph as they are, since they change
//! nothing before them, and nothing before them changes their meaning.
//!
//! | bytes | why they are text |
//! |---|---|
//! | letters, digits, most punctuation | they matter to inline constructs only next to other bytes |
//! | `*`, `_` after white space | they close nothing, and their closer has not come yet |
//! | a backtick, if no run of them is open; `[`, `<` | they close nothing, and their closer has not come yet |
//! | the backtick that closes another one | it changes only the text between the two |
//! | a run of `*` or `_` that closes another one | it changes only the text between the two, if nothing else is open |
//! | `&`, `:` | they are text so far, but with later bytes of the same word may be an entity or a URL |
//! | `.` | if the word is not a name that would be linked |
//! | `)` | if no `]` before it may be that of a link |
//! | `>` | if no `<` before it may be that of a tag |
//! | `_` between letters or digits | it opens and closes nothing |
//! | `=`, `#` and others that only extensions use | if those are off |
//!
//! Text with any other bytes is read in the general way.

use barelink_autolink::Dialect;
use barelink_text::find::{Stops, Unplain};

use super::found::{Backtick, Findings, Point};
use crate::inline::delimiter::{Delimiter, SearchClass};
use crate::options::Options;

/// The position at the end of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// The start of a line, or white space there if the text is code.
    LineStart,
    /// Within a line, where only white space or a line feed can be appended.
    Line,
    /// After white space, or in a word.
    Word,
    /// In what may be a bare link: some depend on the white space that follows.
    Link,
}

impl At {
    /// The start of a line after a text that ends like this, unless another line could change it.
    pub(super) fn line_start_after(end: Self) -> Option<Self> {
        (end != Self::Link).then_some(Self::LineStart)
    }
}

/// The state of a text that words may be appended to.
#[allow(clippy::struct_excessive_bools)] // Each stands alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Words {
    /// Whether a `)` is certainly not part of a link, since there is no `]` before.
    pub(super) has_parentheses: bool,
    /// Whether a `>` is certainly not the end of a tag, since there is no `<` before.
    pub(super) has_angles: bool,
    /// Whether a period or a colon alone can be part of a bare link.
    pub(super) has_domains: bool,
    /// Whether a colon can be part of the name of an emoji.
    pub(super) has_emoji: bool,
    pub(super) signs: Signs,
    pub(super) backtick: Backtick,
    /// The open run of `*` or `_`, if it is known, and nothing else is open except perhaps a
    /// backtick.
    pub(super) run: Option<Point>,
    /// Whether runs of `*` and `_` may be closed.
    pub(super) has_runs: bool,
    /// Whether the text between backticks may be something other than code: a part of a tag, or of
    /// the destination of a link.
    pub(super) is_code_unsure: bool,
    /// Whether more lines may be appended.
    pub(super) has_lines: bool,
    /// Whether punctuation is smart: then quotes, hyphens and periods are read in the general way.
    pub(super) is_smart: bool,
    /// Whether nothing can be open in it except a backtick. If that is closed, the text can be
    /// split at the start of any word.
    pub(super) is_closed: bool,
}

/// The ASCII punctuation that has no meaning in a text, as a bit set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signs(u128);

/// The ASCII punctuation that has a meaning with some options only, or with none.
const SIGNS: [u8; 8] = *b"#+{}|=$^";

/// Fails to compile if one of them may be markup for a reason that [`Signs::new`] does not know.
const _: () = {
    let mut idx = 0;
    while idx < SIGNS.len() {
        let sign = SIGNS[idx];
        let is_known = matches!(sign, b'|' | b'$') || Delimiter::of(sign).is_some();
        assert!(is_known || !SearchClass::may_be_markup(sign), "it may be markup");
        idx += 1;
    }
};

impl Signs {
    pub(super) fn new(options: &Options) -> Self {
        let mut signs = Self(0);
        for sign in SIGNS {
            let is_markup = sign == b'|' && options.wiki_links
                || sign == b'$' && options.math
                || Delimiter::of(sign).is_some_and(|delimiter| delimiter.is_on(options));
            signs.0 |= u128::from(!is_markup) << sign;
        }
        signs
    }

    /// The set without one of them.
    pub(super) fn without(self, sign: u8) -> Self {
        Self(self.0 & !(1 << sign))
    }

    fn has(self, byte: u8) -> bool {
        self.0.checked_shr(byte.into()).unwrap_or(0) & 1 == 1
    }
}

/// A longer run is not simply emphasis or strong emphasis.
const MAX_RUN: usize = 2;

/// How far back to search for the start of the last word.
const MAX_WORD: usize = 32;

/// Whether a line feed after this byte is a plain line ending.
pub(super) fn ends_plainly(byte: u8) -> bool {
    !matches!(byte, b' ' | b'\t' | b'\\' | b'\r')
}

/// Whether smart punctuation may change a piece, or the byte before it: the form of a quote depends
/// on what follows it.
fn is_smart(before: u8, piece: &[u8]) -> bool {
    matches!(before, b'"' | b'\'')
        || piece.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'-' | b'.'))
}

/// An appended piece that is being analyzed.
struct Appended<'s, 'b> {
    source: &'s [u8],
    /// Its start.
    from: usize,
    stops: Stops<'s, Unplain>,
    found: &'b mut Findings,
    in_code: bool,
    /// The start of the open run, if any.
    run: Option<usize>,
}

impl Words {
    /// The state of a text in which nothing is open, and `is_closed` is not known to hold.
    pub(super) fn new(options: &Options) -> Self {
        Self {
            has_parentheses: true,
            has_angles: true,
            has_domains: options.autolinks.domains || !options.schemes.is_empty(),
            has_emoji: options.emoji,
            signs: Signs::new(options),
            backtick: Backtick::Closed,
            run: None,
            has_runs: options.autolinks.rules().is_none_or(|it| it.dialect != Dialect::Natural),
            is_code_unsure: options.math || options.wiki_links,
            has_lines: false,
            is_smart: options.smart_punctuation,
            is_closed: false,
        }
    }

    /// The position after the piece that starts at `from`, if the piece can be appended.
    #[allow(clippy::inline_always)] // Most pieces are words, and need no more than this.
    #[inline(always)]
    pub(super) fn go_on(
        &mut self,
        at: At,
        source: &[u8],
        from: usize,
        found: &mut Findings,
    ) -> Option<At> {
        if self.is_smart && is_smart(before(source, from), &source[from..]) {
            return None;
        }
        let mut stops = Stops::<Unplain>::at_end(source, from);
        if at == At::Word && stops.is_done() {
            return Some(at);
        }
        let in_code = matches!(self.backtick, Backtick::Open(_));
        let run = self.run.map(|run| run.at as usize);
        self.take_piece(at, &mut Appended { source, from, stops, found, in_code, run })
    }

    #[inline(never)]
    fn take_piece(&mut self, at: At, piece: &mut Appended<'_, '_>) -> Option<At> {
        let &mut Appended { source, from, .. } = piece;
        if from == source.len() {
            return Some(at);
        }
        if !self.can_start(at, piece) {
            return None;
        }
        if piece.in_code {
            self.close_code(from, piece)?;
        }
        // The end of a run that may open something.
        let mut opener_end = 0;
        while let Some(at) = piece.stops.next() {
            let byte = source[at];
            let after = source.get(at + 1).copied();
            let is_text = match byte {
                b'.' => !self.has_domains && !matches!(before(source, at), b'w' | b'W'),
                b'\n' => {
                    if !self.has_lines || !ends_plainly(before(source, at)) {
                        piece.found.line_end = Some(at);
                        return None;
                    }
                    if after == Some(b'\n') {
                        piece.found.blank = Some(at);
                        return None;
                    }
                    piece.found.line_end = Some(at);
                    if after.is_none() {
                        return Some(At::LineStart);
                    }
                    if piece.in_code {
                        self.close_code(at + 1, piece)?;
                    }
                    can_start_line(source, at + 1)
                }
                b'`' => {
                    if before(source, at) == b'`' || !self.take(at, piece) {
                        return None;
                    }
                    if piece.in_code {
                        self.close_code(at + 1, piece)?;
                    }
                    true
                }
                b'"' => {
                    piece.found.is_escaped = true;
                    true
                }
                b')' => self.has_parentheses,
                b':' => match after {
                    None if !self.has_domains => return Some(At::Line),
                    Some(b' ' | b'\n') => !self.has_domains,
                    _ => !self.has_domains && !self.has_emoji && after != Some(b'/'),
                },
                b'_' if is_between(source, at) => true,
                b'*' | b'_' => {
                    let before = before(source, at);
                    if matches!(before, b' ' | b'\t' | b'\n') || opener_end == at && before == byte
                    {
                        opener_end = at + 1;
                        self.open_run(at, piece)
                    } else if self.close_run(at, piece)? == source.len() {
                        return Some(At::Line);
                    } else {
                        true
                    }
                }
                b'&' => {
                    piece.found.is_escaped = true;
                    match after {
                        None => return Some(At::Line),
                        Some(after) => matches!(after, b' ' | b'\n'),
                    }
                }
                b'>' => {
                    piece.found.is_escaped = true;
                    self.has_angles
                }
                b'<' => {
                    piece.found.is_escaped = true;
                    self.is_code_unsure |= !piece.in_code;
                    (self.is_closed, self.has_angles) = (false, false);
                    piece.run.is_none()
                }
                b'[' => {
                    self.is_closed = false;
                    piece.run.is_none()
                }
                _ => self.signs.has(byte),
            };
            if !is_text {
                return None;
            }
        }
        Some(At::Word)
    }

    /// Whether a piece can be appended at this position, given its first bytes.
    fn can_start(&self, at: At, piece: &mut Appended<'_, '_>) -> bool {
        let &mut Appended { source, from, .. } = piece;
        match (at, source[from]) {
            (At::Link, _) => false,
            (At::Line, first) => matches!(first, b' ' | b'\n'),
            (At::LineStart, b'\n') => {
                piece.found.blank = from.checked_sub(1).filter(|_| self.has_lines);
                false
            }
            (At::LineStart, _) => can_start_line(source, from),
            (At::Word, _) => true,
        }
    }

    /// Records the backtick at `at`. False if that is not possible.
    fn take(&self, at: usize, piece: &mut Appended<'_, '_>) -> bool {
        piece.in_code = !piece.in_code;
        self.backtick != Backtick::Unknown && piece.found.push(at - piece.from)
    }

    /// Handles the run at `at`, which may open something. False if the piece cannot be appended.
    fn open_run(&mut self, at: usize, piece: &mut Appended<'_, '_>) -> bool {
        let is_first = std::mem::take(&mut self.is_closed);
        if piece.run.is_some() {
            return false;
        }
        let len = run_len(piece.source, at);
        let after = piece.source.get(at + len);
        let can_close = is_first
            && self.has_runs
            && len <= MAX_RUN
            && !piece.in_code
            && after.is_some_and(u8::is_ascii_alphanumeric);
        if !can_close || self.backtick == Backtick::Unknown {
            return true;
        }
        piece.run = Some(at);
        piece.stops.seek(at + len);
        piece.found.push(at - piece.from)
    }

    /// Records the run at `at`, if it closes the open one and cannot open another. Returns its end.
    fn close_run(&mut self, at: usize, piece: &mut Appended<'_, '_>) -> Option<usize> {
        let source = piece.source;
        let open = piece.run.take().filter(|_| !piece.in_code)?;
        let len = run_len(source, at);
        let before = before(source, at);
        let is_closer = match source.get(at + len) {
            None | Some(b' ' | b'\n') => before.is_ascii_graphic(),
            Some(b'.' | b',' | b':' | b';' | b'!' | b'?' | b')') => before.is_ascii_alphanumeric(),
            _ => false,
        };
        let is_same = source[open] == source[at] && run_len(source, open) == len;
        if !is_closer || !is_same || !piece.found.push(at - piece.from) {
            return None;
        }
        piece.stops.seek(at + len);
        self.is_closed = true;
        Some(at + len)
    }

    /// Skips the open code, if it ends on the line that continues at `start`. `None` if there are
    /// too many marks.
    #[inline]
    fn close_code(&self, start: usize, piece: &mut Appended<'_, '_>) -> Option<()> {
        let is_plain = !std::mem::replace(&mut piece.found.is_code_escaped, true);
        if self.is_code_unsure {
            return Some(());
        }
        let source = piece.source;
        let mut stops = piece.stops.clone();
        stops.seek(start);
        let mut is_escaped = false;
        let is_end = |at: &usize| match source[*at] {
            b'<' | b'>' | b'&' | b'"' => {
                is_escaped = true;
                false
            }
            byte => matches!(byte, b'`' | b'\n' | b'\r' | 0),
        };
        let Some(end) = stops.find(is_end) else { return Some(()) };
        if end == start || source[end] != b'`' || source.get(end + 1) == Some(&b'`') {
            return Some(());
        }
        piece.found.is_code_escaped = is_escaped || !is_plain;
        piece.stops = stops;
        self.take(end, piece).then_some(())
    }

    /// The position at the end of a text that starts at `start` and was shown up to the end of
    /// `source`, which is not the start of a line, and whether nothing can be open in its last
    /// word. White space at the end is not displayed.
    pub(super) fn end_of(self, source: &[u8], start: usize) -> (At, bool) {
        let mut end = source.len();
        while end > start && source[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        let floor = start.max(end.saturating_sub(MAX_WORD));
        let mut word = end;
        while word > floor && source[word - 1] > b' ' {
            word -= 1;
        }
        if word > start && !matches!(source[word - 1], b' ' | b'\t' | b'\n') {
            return (At::Link, false);
        }
        if Stops::<Unplain>::at_end(&source[..end], word).all(|at| source[at] == b'"') {
            return (At::Word, true);
        }
        let mut words = Self {
            has_parentheses: true,
            has_angles: true,
            backtick: Backtick::Closed,
            run: None,
            is_closed: true,
            ..self
        };
        let found = words.go_on(At::Word, &source[..end], word, &mut Findings::default());
        let word = &source[word..end];
        let at = match found {
            Some(at) => at,
            None if self.may_link(word) => At::Link,
            None => At::Line,
        };
        let is_over = at == At::Line && end < source.len();
        (if is_over { At::Word } else { at }, found.is_some() && words.is_closed)
    }

    /// Whether a word may contain a bare link.
    fn may_link(self, word: &[u8]) -> bool {
        let is_sign = |pair: &[u8]| match pair {
            [b'w' | b'W', b'.'] | [b':', b'/'] => true,
            [_, b'.'] => self.has_domains,
            _ => false,
        };
        word.contains(&b'@')
            || self.has_domains && word.contains(&b':')
            || word.windows(2).any(is_sign)
    }
}

/// Whether the line at `at` is text however it continues, given its first bytes.
fn can_start_line(source: &[u8], at: usize) -> bool {
    match source[at] {
        b'`' => source.get(at + 1).is_some_and(|after| *after != b'`'),
        b'*' | b'_' => source.get(at + 1).is_some_and(u8::is_ascii_alphanumeric),
        first => first.is_ascii_alphabetic() || first >= 0x80 || b"\"'(".contains(&first),
    }
}

/// The length of the run of equal bytes at `at`, at most `MAX_RUN + 1`.
pub(super) fn run_len(source: &[u8], at: usize) -> usize {
    source[at..].iter().take(MAX_RUN + 1).take_while(|byte| **byte == source[at]).count()
}

/// Whether there are letters or digits on both sides of `at`.
fn is_between(source: &[u8], at: usize) -> bool {
    before(source, at).is_ascii_alphanumeric()
        && source.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
}

/// The byte before `at`; a line feed before the first one.
#[inline]
fn before(source: &[u8], at: usize) -> u8 {
    source.get(at.wrapping_sub(1)).copied().unwrap_or(b'\n')
}

#[cfg(test)]
mod tests {
    use super::{At, Signs, Words};
    use crate::stream::found::{Backtick, Findings};

    const WORDS: Words = Words {
        has_parentheses: true,
        has_angles: true,
        has_domains: false,
        has_emoji: false,
        signs: Signs(1 << b'='),
        backtick: Backtick::Closed,
        run: None,
        has_runs: true,
        is_code_unsure: false,
        has_lines: true,
        is_smart: false,
        is_closed: true,
    };

    fn go_on(text: &str, piece: &str) -> Option<At> {
        let mut words = WORDS;
        let (at, _) = words.end_of(text.as_bytes(), 0);
        let source = [text, piece].concat();
        let mut found = Findings::default();
        words.go_on(at, source.as_bytes(), text.len(), &mut found)
    }

    #[test]
    fn pieces_that_only_go_on() {
        for (text, piece, at) in [
            ("some wo", "rds, and", At::Word),
            ("some words.", " More", At::Word),
            ("a", " **b", At::Word),
            ("a *", "b", At::Word),
            ("a", " `b", At::Word),
            ("a [b", "c", At::Word),
            ("a", ": b", At::Word),
            ("a", "\nb", At::Word),
            ("a", "\n", At::LineStart),
            ("*a*", " b", At::Word),
            ("a", " &", At::Line),
            ("a", " `b` c `d", At::Word),
            ("a", " `b<c>=d` e", At::Word),
            ("a", "\n`b", At::Word),
            ("a", "\n(b", At::Word),
            ("a", " ==b", At::Word),
            ("a", "::b->c_d", At::Word),
            ("a", " b:", At::Line),
        ] {
            assert_eq!(go_on(text, piece), Some(at), "{text:?} {piece:?}");
        }
    }

    #[test]
    fn pieces_that_may_be_more() {
        for (text, piece) in [
            ("*a", "*"),
            ("a _b", "_"),
            ("a_", "b"),
            ("*a*", "b"),
            ("www", ".a"),
            ("www.a", "b."),
            ("a", "](b"),
            ("a", "\n- b"),
            ("a ", "\nb"),
            ("a\\", "\nb"),
            ("http:", "//a"),
            ("http://a.bc_", " d"),
            ("http://a.bc_ ", "d"),
            ("&amp", ";"),
            ("a", " *_"),
            ("a", " &am"),
            ("`a`", "`"),
            ("a", " ``b"),
            ("a", " <b `c>`"),
            ("a", " `b\n`"),
            ("a", "\n`"),
            ("a", "\n```"),
            ("a", " ~~b"),
            ("a_", "b"),
            ("a", "@b"),
            ("a", " <b>"),
        ] {
            assert_eq!(go_on(text, piece), None, "{text:?} {piece:?}");
        }
    }
}
