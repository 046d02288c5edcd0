//! Emphasis around a link: which runs of `*`, `_` and `~` end it.
//!
//! Principle 1. A run that closes an opener before the link ends the link:
//! `**⟦http://a.bc/x⟧**(y)`. Other runs belong to it (`/_mocks_/`, `data-*`), unless they are `**`
//! or `~~` that open emphasis after it: `⟦http://a.bc/x⟧**y**`.
//!
//! CommonMark 0.31.2 §6.2 decides whether a run can close: it is right-flanking, and a `_` is also
//! followed by a space or punctuation. As in the preset `natural`, East Asian characters next to a
//! run make it flanking: `**⟦http://a.bc/⟧**是`.
//!
//! LINEAR: a run is measured once. The next `**` or `~~` that could close is searched for once and
//! remembered ([`NextCloser`]).

use barelink_text::chars::{is_cjk, is_punctuation, is_unicode_whitespace, next_char, prev_char};

use super::script::is_space;
use crate::region::{OpenEmphasis, Region};

/// The open delimiter runs before a link, by their lengths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Openers(OpenEmphasis);

/// The maximum length of a run of tildes that can open.
const MAX_TILDES: usize = 2;

impl Openers {
    /// No opener: no run closes.
    pub(super) const NONE: Self = Self(OpenEmphasis { star: 0, underscore: 0, tilde: 0 });

    /// The openers in the region, and a run right before the link at `start`: a letter follows that
    /// run, so it can open.
    #[inline]
    pub(super) fn before(text: &[u8], start: usize, region: &Region) -> Self {
        let before = text.get(region.start..start).unwrap_or_default();
        match before.last() {
            Some(&byte @ (b'*' | b'_' | b'~')) => Self::with_run(before, byte, region),
            _ => Self(region.open_emphasis),
        }
    }

    /// The openers in the region, and the run of `byte` at the end of `before`.
    #[cold]
    fn with_run(before: &[u8], byte: u8, region: &Region) -> Self {
        let mut open = region.open_emphasis;
        let run_len = before.iter().rev().take_while(|&&other| other == byte).count();
        let outer = prev_char(before, before.len() - run_len);
        let len = u8::try_from(run_len).unwrap_or(u8::MAX);
        match byte {
            _ if outer == Some('\\') => {}
            b'*' if open.star == 0 => open.star = len,
            b'_' if open.underscore == 0 && !outer.is_some_and(char::is_alphanumeric) => {
                open.underscore = len;
            }
            b'~' if open.tilde == 0 && run_len <= MAX_TILDES => open.tilde = len,
            _ => {}
        }
        Self(open)
    }

    /// Whether no underscore can close.
    pub(super) const fn is_plain_underscore(self) -> bool {
        self.0.underscore == 0
    }

    /// The length of the run at `at`, if it closes one of the openers.
    pub(super) fn closer_len(self, text: &[u8], at: usize) -> Option<usize> {
        let byte = *text.get(at)?;
        let open = usize::from(match byte {
            b'*' => self.0.star,
            b'_' => self.0.underscore,
            b'~' => self.0.tilde,
            _ => 0,
        });
        if open == 0 {
            return None;
        }
        let run_len = scan_run(text, at);
        // A run of three is two openers, so a run of two can close one of them.
        (run_len >= open.min(2) && can_close(text, at, run_len)).then_some(run_len)
    }
}

/// The length of the run of one byte at `at`.
pub(super) fn scan_run(text: &[u8], at: usize) -> usize {
    text[at..].iter().take_while(|&&byte| byte == text[at]).count()
}

/// Whether the run `text[at..at + len]`, which has no space before it, could close emphasis.
fn can_close(text: &[u8], at: usize, len: usize) -> bool {
    let before = prev_char(text, at).unwrap_or(' ');
    let after = next_char(text, at + len).unwrap_or(' ');
    let is_loose_after = is_unicode_whitespace(after) || is_punctuation(after);
    match text[at] {
        b'_' => is_loose_after,
        _ => !is_punctuation(before) || is_cjk(before) || is_loose_after || is_cjk(after),
    }
}

/// The next run of two `*` or `~` that could close: the same answer for every offset in a range of
/// the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NextCloser {
    /// Start of the range.
    from: usize,
    /// End of the range: after the first byte of that run, or where the paragraph ends.
    to: usize,
    /// Whether there is such a run.
    is_found: bool,
}

impl NextCloser {
    /// Nothing is known.
    pub(crate) const NONE: Self = Self { from: 0, to: 0, is_found: false };

    /// Whether emphasis opened by two of `byte` could be closed at `at` or later.
    fn is_closed(&mut self, text: &[u8], at: usize, byte: u8) -> bool {
        if !(self.from..self.to).contains(&at) {
            let (to, is_found) = find_closer(text, at, byte);
            *self = Self { from: at, to, is_found };
        }
        self.is_found
    }
}

/// Finds the first run of two or more of `byte` without a space before it: the offset after its
/// first byte and `true`, or the end of the paragraph and `false`.
fn find_closer(text: &[u8], from: usize, byte: u8) -> (usize, bool) {
    let mut at = from;
    while let Some(offset) = memchr::memchr2(byte, b'\n', &text[at..]) {
        at += offset;
        if text[at] == b'\n' {
            let rest = &text[at + 1..];
            let n_blanks = rest.iter().take_while(|&&b| matches!(b, b' ' | b'\t' | b'\r')).count();
            at += 1 + n_blanks;
            if rest.get(n_blanks).is_none_or(|&b| b == b'\n') {
                return (at, false);
            }
            continue;
        }
        let run_len = scan_run(text, at);
        if run_len >= 2 && prev_char(text, at).is_some_and(|c| !is_space(c)) {
            return (at + 1, true);
        }
        at += run_len;
    }
    (text.len(), false)
}

/// Whether the run `text[at..at + len]` inside a link opens emphasis after the link: it is two or
/// more stars or tildes followed by no space, and a run that could close them follows later.
pub(super) fn opens_behind(text: &[u8], at: usize, len: usize, region: &mut Region) -> bool {
    let ahead = match text[at] {
        b'*' => &mut region.natural.strong,
        b'~' => &mut region.natural.strike,
        _ => return false,
    };
    let end = at + len;
    // `/**/` in a path is a pattern.
    let is_glued = next_char(text, end).is_some_and(|c| !is_space(c) && c != '/');
    len >= 2 && is_glued && ahead.is_closed(text, end, text[at])
}

#[cfg(test)]
mod tests {
    use super::Openers;
    use crate::region::{OpenEmphasis, Region};

    fn closes(text: &str, at: usize, open: OpenEmphasis) -> bool {
        Openers(open).closer_len(text.as_bytes(), at).is_some()
    }

    #[test]
    fn what_closes() {
        let star = OpenEmphasis { star: 1, ..OpenEmphasis::default() };
        let strong = OpenEmphasis { star: 2, ..OpenEmphasis::default() };
        let underscore = OpenEmphasis { underscore: 1, ..OpenEmphasis::default() };
        assert!(closes("x*", 1, star) && closes("x*y", 1, star) && closes("x**", 1, star));
        assert!(!closes("x*", 1, strong) && closes("x**(y)", 1, strong));
        assert!(closes("/*", 1, star) && !closes("/*y", 1, star) && closes("/*是", 1, star));
        assert!(closes("x_", 1, underscore) && closes("x_.", 1, underscore));
        assert!(!closes("x_y", 1, underscore) && !closes("x_", 1, star));
    }

    #[test]
    fn a_run_right_before_opens() {
        let open = |text: &str| {
            Openers::before(text.as_bytes(), text.len(), &Region::new(0, text.len())).0
        };
        assert_eq!(open("**").star, 2);
        assert_eq!(open("x_").underscore, 0);
        assert_eq!(open("(_").underscore, 1);
        assert_eq!(open("\\*").star, 0);
        assert_eq!(open("~~~").tilde, 0);
        assert_eq!(open("* "), OpenEmphasis::default());
    }
}
