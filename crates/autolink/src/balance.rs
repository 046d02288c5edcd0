//! What is open at a given place of a paragraph: brackets, or parentheses and quotes.
//!
//! Candidates are rare, and much text may precede the first one: so this scans backward from the
//! candidate, to where the last scan ended or to a blank line, which closes everything.
//!
//! If the candidate is near, it first scans forward, for square brackets only.
//!
//! LINEAR: done on demand, and no byte is scanned more than once in either direction.

use barelink_text::find::{BLOCK, Class, Square, Stops, stops_back};

/// The maximum distance for the forward scan, which is faster but does not stop at the start of the
/// paragraph.
const NEAR: usize = 1024;

/// What is open, as of some place in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Balance {
    /// The text before this offset has been counted.
    pub(crate) counted: usize,
    /// How many pairs are open.
    pub(crate) depth: usize,
    /// The offset of the outermost open bracket.
    pub(crate) outermost: usize,
    /// Whether a `"` is open, if the class has them.
    pub(crate) is_quoted: bool,
}

impl Balance {
    /// Nothing is open at `start`.
    pub(crate) const fn at(start: usize) -> Self {
        Self { counted: start, depth: 0, outermost: start, is_quoted: false }
    }

    /// Advances to `at`, if that is near and no `[` is open there; returns whether it did. Blank
    /// lines are ignored: they would only close brackets, and none is left open.
    #[inline]
    pub(crate) fn count_closed(&mut self, text: &[u8], at: usize) -> bool {
        let gap = between(text, self.counted, at);
        if self.depth == 0 && gap.len() > BLOCK && memchr::memchr(b'[', gap).is_none() {
            self.counted = at.max(self.counted);
            return true;
        }
        let is_near = at.saturating_sub(self.counted) <= NEAR;
        let is_closed = is_near && {
            let stops = Stops::<Square>::new(text, self.counted, at);
            let depth = stops.fold(self.depth, |depth, stop| match text[stop] {
                b'[' => depth + 1,
                _ => depth.saturating_sub(1),
            });
            depth == 0
        };
        if is_closed {
            *self = Self::at(at.max(self.counted));
        }
        is_closed
    }

    /// Advances to `at`, if nothing is open and there is neither a `(` nor a `"` before `at`;
    /// returns whether it did.
    #[inline]
    pub(crate) fn count_none(&mut self, text: &[u8], at: usize) -> bool {
        let is_open = self.depth > 0 || self.is_quoted;
        let is_none =
            !is_open && memchr::memchr2(b'(', b'"', between(text, self.counted, at)).is_none();
        if is_none {
            self.counted = at.max(self.counted);
        }
        is_none
    }

    /// Advances to `at`. The class `C` has `OPEN` and `CLOSE`, line feed, and maybe `"`.
    #[inline]
    pub(crate) fn count_to<C: Class, const OPEN: u8, const CLOSE: u8>(
        &mut self,
        text: &[u8],
        at: usize,
    ) {
        if at <= self.counted {
            return;
        }
        let (mut n_open, mut n_closed, mut first_open) = (0, 0, 0);
        let mut is_quoted = false;
        // The line of the candidate is not blank; those before it may be.
        let mut line_end = None;
        for stop in stops_back::<C>(text, self.counted, at) {
            match text[stop] {
                byte if byte == CLOSE => n_closed += 1,
                byte if byte == OPEN && n_closed > 0 => n_closed -= 1,
                byte if byte == OPEN => {
                    n_open += 1;
                    first_open = stop;
                }
                b'"' => is_quoted = !is_quoted,
                _ => {
                    if line_end.is_some_and(|line_end| is_blank_line(&text[stop + 1..line_end])) {
                        *self = Self::at(stop);
                        break;
                    }
                    line_end = Some(stop);
                }
            }
        }
        if self.depth <= n_closed {
            self.outermost = first_open;
        }
        self.depth = self.depth.saturating_sub(n_closed) + n_open;
        self.is_quoted ^= is_quoted;
        self.counted = at;
    }
}

/// The text that has not been counted yet, before `at`.
#[inline]
fn between(text: &[u8], counted: usize, at: usize) -> &[u8] {
    text.get(counted..at).unwrap_or_default()
}

/// Whether this line, without its line feed, is blank.
#[inline]
fn is_blank_line(line: &[u8]) -> bool {
    line.iter().all(|&byte| is_blank(byte))
}

/// Whether this byte leaves a line blank.
#[inline]
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

#[cfg(test)]
mod tests {
    use barelink_text::find::{Bracket, Enclosure};

    use super::Balance;

    #[test]
    fn counted_at_once_or_in_steps() {
        let text = b"[[a] [b\n \t\n] [c [d\n] [e]] [f\n\n\n[g] h [i";
        // Only offsets in lines that are not blank are valid.
        let places = || (0..text.len()).filter(|&at| text[at].is_ascii_alphabetic());
        for end in places() {
            let mut whole = Balance::at(0);
            whole.count_to::<Bracket, b'[', b']'>(text, end);
            for middle in places().take_while(|&middle| middle < end) {
                let mut steps = Balance::at(0);
                steps.count_to::<Bracket, b'[', b']'>(text, middle);
                let mut closed = steps;
                let is_closed = closed.count_closed(text, end);
                steps.count_to::<Bracket, b'[', b']'>(text, end);
                assert_eq!(steps.depth, whole.depth, "{middle} of {end}");
                assert!(whole.depth == 0 || steps.outermost == whole.outermost);
                if is_closed {
                    assert_eq!((steps.depth, closed.counted), (0, end), "{middle} of {end}");
                }
            }
        }
    }

    #[test]
    fn a_blank_line_closes_all() {
        let open = |text: &[u8]| {
            let mut balance = Balance::at(0);
            balance.count_to::<Enclosure, b'(', b')'>(text, text.len());
            (balance.depth, balance.is_quoted)
        };
        assert_eq!(open(b"(a \"b"), (1, true));
        assert_eq!(open(b"(a) \"b\""), (0, false));
        assert_eq!(open(b"(a \"b\n \nc"), (0, false));
        assert_eq!(open(b"(a \"b\n\n(((c\nd)"), (2, false));
        assert_eq!(open(b")))("), (1, false));
    }
}
