//! Smart punctuation: typographic quotes, dashes and ellipses, by the rules of cmark's `--smart`.
//!
//! | written | displayed |
//! |---|---|
//! | `"a"`, `'a'` | “a”, ‘a’ |
//! | `don't`, `'90s` | don’t, ’90s |
//! | `--`, `---` | an en dash, an em dash |
//! | more hyphens | em dashes if their number is a multiple of 3, else en dashes if it is even, else em dashes and then one or two en dashes |
//! | `...` | … |
//!
//! Quotes are delimiter runs of one byte, and take part in the pairing of emphasis
//! ([`emphasis`](super::emphasis)), but do not end runs between them. A quote is displayed in
//! another form whether it is paired or not: so its mark is used from the start, and pairing only
//! modifies it.
//!
//! Dashes and ellipses do not affect links: a bare link that extends back over them removes their
//! marks, and searches for bare links see the source as written.
//!
//! LINEAR: a run of hyphens is one mark, and is skipped as a whole.

use std::borrow::Cow;

use super::delimiter::{Delimiter, Pairing};
use super::emphasis::{DelimiterRun, Flanking, flanking};
use super::mark::{Mark, MarkKind, MarkRole};
use super::{Context, Inlines};
use crate::memory::PushSparingly as _;
use crate::syntax::text::Text;

const EN_DASH: &str = "–";
const EM_DASH: &str = "—";
const ELLIPSIS: &str = "…";

/// A quote as it is displayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Curly {
    LeftSingle,
    RightSingle,
    LeftDouble,
    RightDouble,
}

impl Curly {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::LeftSingle => "‘",
            Self::RightSingle => "’",
            Self::LeftDouble => "“",
            Self::RightDouble => "”",
        }
    }

    /// The opening form of this quote.
    pub(super) fn left(self) -> Self {
        match self {
            Self::LeftSingle | Self::RightSingle => Self::LeftSingle,
            Self::LeftDouble | Self::RightDouble => Self::LeftDouble,
        }
    }
}

/// The numbers of em dashes and en dashes, in this order, for `n_hyphens` hyphens.
fn count_dashes(n_hyphens: usize) -> (usize, usize) {
    match (n_hyphens % 3, n_hyphens % 2) {
        (0, _) => (n_hyphens / 3, 0),
        (_, 0) => (0, n_hyphens / 2),
        (2, _) => ((n_hyphens - 2) / 3, 1),
        // Five or more, since a single hyphen is not a dash.
        _ => ((n_hyphens - 4) / 3, 2),
    }
}

/// Appends the dashes for two or more hyphens.
#[inline(never)]
pub(crate) fn push_dashes(n_hyphens: usize, out: &mut String) {
    let (n_em, n_en) = count_dashes(n_hyphens);
    out.extend(std::iter::repeat_n(EM_DASH, n_em).chain(std::iter::repeat_n(EN_DASH, n_en)));
}

/// The displayed form of a marked run of hyphens or periods.
fn shown_run(mark: &Mark) -> Cow<'static, str> {
    if mark.kind == MarkKind::Ellipsis {
        return Cow::Borrowed(ELLIPSIS);
    }
    match mark.end - mark.start {
        2 => Cow::Borrowed(EN_DASH),
        3 => Cow::Borrowed(EM_DASH),
        n_hyphens => {
            let mut dashes = String::new();
            push_dashes(n_hyphens as usize, &mut dashes);
            Cow::Owned(dashes)
        }
    }
}

/// The displayed form of a mark, if it is smart punctuation.
pub(crate) fn shown(mark: &Mark) -> Option<Cow<'static, str>> {
    match mark.kind {
        MarkKind::Quote { shown, .. } | MarkKind::LoneQuote { shown, .. } => {
            Some(Cow::Borrowed(shown.as_str()))
        }
        kind => matches!(kind.role(), MarkRole::Smart).then(|| shown_run(mark)),
    }
}

/// Whether a mark exists only because of smart punctuation. (Double quotes always have one.)
#[inline]
fn is_extra(kind: MarkKind) -> bool {
    match kind {
        MarkKind::Quote { shown, .. } | MarkKind::LoneQuote { shown, .. } => {
            matches!(shown, Curly::LeftSingle | Curly::RightSingle)
        }
        kind => matches!(kind.role(), MarkRole::Smart),
    }
}

impl Inlines {
    /// Collects the quote at `at`.
    #[inline(never)]
    pub(super) fn collect_quote(&mut self, text: &Text<'_>, at: usize, context: &Context<'_>) {
        let delimiter = match text.bytes()[at] {
            b'"' => Delimiter::DoubleQuote,
            _ => Delimiter::SingleQuote,
        };
        let flanking = flanking(text, at, at + 1, delimiter, context);
        let Flanking { can_open, can_close } = flanking;
        let shown = match delimiter {
            Delimiter::DoubleQuote if can_close => Curly::RightDouble,
            Delimiter::DoubleQuote => Curly::LeftDouble,
            _ => Curly::RightSingle,
        };
        if can_open || can_close {
            let mark_idx = self.marks.len();
            let run = DelimiterRun::new(mark_idx, 1, delimiter, Pairing::Quotes, flanking);
            self.delimiters.push_sparingly(run);
            self.has_quotes = true;
        }
        self.push_smart(MarkKind::LoneQuote { shown, can_open }, at, at + 1);
    }

    /// Collects the run of hyphens or the three periods at `at`, and returns its end. One hyphen,
    /// or fewer than three periods, are text.
    #[inline(never)]
    pub(super) fn collect_smart_run(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = &bytes[at..];
        let (kind, len) = match rest {
            [b'.', b'.', b'.', ..] => (MarkKind::Ellipsis, 3),
            [b'-', b'-', ..] => {
                let len = rest.iter().take_while(|byte| **byte == b'-').count();
                (MarkKind::Dashes, len)
            }
            _ => return None,
        };
        self.push_smart(kind, at, at + len);
        Some(at + len)
    }

    /// Adds a mark, and updates the start of the trailing marks that only smart punctuation makes.
    fn push_smart(&mut self, kind: MarkKind, start: usize, end: usize) {
        if !self.marks.last().is_some_and(|mark| is_extra(mark.kind)) {
            self.smart_since = self.marks.len();
        }
        self.push(kind, start, end);
    }

    /// The last mark that would exist without smart punctuation.
    #[inline]
    pub(super) fn last_but_smart(&self) -> Option<&Mark> {
        match self.marks.last() {
            Some(mark) if is_extra(mark.kind) => self.marks[..self.smart_since].last(),
            last => last,
        }
    }

    /// Removes the marks of dashes and ellipses that a bare link from `start` on covers.
    pub(super) fn drop_smart(&mut self, start: usize) {
        let is_covered = |mark: &mut Mark| {
            matches!(mark.kind.role(), MarkRole::Smart) && mark.end as usize > start
        };
        while self.marks.pop_if(is_covered).is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::{count_dashes, push_dashes};

    #[test]
    fn hyphens_become_dashes() {
        let counts = [(0, 1), (1, 0), (0, 2), (1, 1), (2, 0), (1, 2), (0, 4), (3, 0), (0, 5)];
        assert_eq!([2, 3, 4, 5, 6, 7, 8, 9, 10].map(count_dashes), counts);
        let mut dashes = String::new();
        push_dashes(7, &mut dashes);
        assert_eq!(dashes, "—––");
    }
}
