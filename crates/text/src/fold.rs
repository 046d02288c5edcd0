//! Full case folding of single characters, for matching link labels.
//!
//! CommonMark 0.31.2, section 4.7: two labels match when their normalized
//! forms are equal, and normalizing starts with the *Unicode case fold*. That
//! is the full, locale-independent folding: the C and F lines of Unicode's
//! `CaseFolding.txt`, where one character may become two or three (`ẞ` and
//! `ß` become `ss`). It differs from lowercasing: `ς` folds to `σ`, and
//! Cherokee folds to its capitals.
//!
//! ASCII is folded inline. The rest is found by binary search in `generated/fold.rs`: runs of
//! characters that move by the same distance, and the hundred-odd characters that fold to several.

use core::iter::FusedIterator;

use crate::generated::fold::{EXPANSIONS, RUNS};

/// The case-folded form of one character: an iterator of one to three
/// characters, made by [`fold`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    chars: [char; 3],
    start: u8,
    end: u8,
}

impl Fold {
    #[inline]
    const fn one(c: char) -> Self {
        Self { chars: [c, '\0', '\0'], start: 0, end: 1 }
    }

    /// The characters not yet yielded.
    ///
    /// ```
    /// use barelink_text::fold::fold;
    ///
    /// assert_eq!(fold('ẞ').as_slice(), ['s', 's']);
    /// ```
    #[inline]
    pub fn as_slice(&self) -> &[char] {
        self.chars.get(usize::from(self.start)..usize::from(self.end)).unwrap_or(&[])
    }
}

impl Iterator for Fold {
    type Item = char;

    #[inline]
    fn next(&mut self) -> Option<char> {
        let c = *self.as_slice().first()?;
        self.start += 1;
        Some(c)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n_left = self.as_slice().len();
        (n_left, Some(n_left))
    }
}

impl ExactSizeIterator for Fold {}
impl FusedIterator for Fold {}

/// The full case folding of `c`.
///
/// ```
/// use barelink_text::fold::fold;
///
/// assert!("ΑΓΩ".chars().flat_map(fold).eq("αγω".chars()));
/// assert!("Straße".chars().flat_map(fold).eq("strasse".chars()));
/// ```
#[inline]
pub fn fold(c: char) -> Fold {
    if c.is_ascii() { Fold::one(c.to_ascii_lowercase()) } else { fold_wide(c) }
}

/// The characters `first`, `first + step`, … `last`, each of which folds to the one `delta` further
/// on.
pub(crate) struct FoldRun {
    first: u32,
    last: u32,
    step: u32,
    delta: i32,
}

/// Makes a [`FoldRun`]; the name is short, so that several fit on a line of the table.
pub(crate) const fn run(first: u32, last: u32, step: u32, delta: i32) -> FoldRun {
    FoldRun { first, last, step, delta }
}

/// Folds a character outside ASCII, by the tables.
fn fold_wide(c: char) -> Fold {
    match find_in_runs(u32::from(c)) {
        Some(folded) => Fold::one(folded),
        None => find_expansion(c).unwrap_or(Fold::one(c)),
    }
}

/// What `code` folds to, if that is a single character in a run.
fn find_in_runs(code: u32) -> Option<char> {
    let run = RUNS.get(RUNS.partition_point(|run| run.last < code))?;
    let distance = code.checked_sub(run.first)?;
    if !distance.is_multiple_of(run.step) {
        return None;
    }
    char::from_u32(code.checked_add_signed(run.delta)?)
}

/// What `c` folds to, if that is several characters.
fn find_expansion(c: char) -> Option<Fold> {
    let found = EXPANSIONS.binary_search_by_key(&c, |&(from, _)| from).ok()?;
    let (_, chars) = *EXPANSIONS.get(found)?;
    Some(Fold { chars, start: 0, end: if chars[2] == '\0' { 2 } else { 3 } })
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{fold, fold_wide};
    use crate::generated::fold::{EXPANSIONS, RUNS};

    fn folded(text: &str) -> String {
        text.chars().flat_map(fold).collect()
    }

    #[test]
    fn examples_of_the_specification() {
        assert_eq!(folded("ẞ"), "ss");
        assert_eq!(folded("ß"), "ss");
        assert_eq!(folded("SS"), "ss");
        assert_eq!(folded("ΑΓΩ"), "αγω");
        assert_eq!(folded("Толпой"), "толпой");
    }

    #[test]
    fn folding_is_not_lowercasing() {
        assert_eq!(folded("ς"), "σ");
        assert_eq!(folded("µ"), "μ");
        assert_eq!(folded("ſ"), "s");
        assert_eq!(folded("\u{AB70}"), "\u{13A0}");
        assert_eq!(folded("\u{13A0}"), "\u{13A0}");
        // The default folding, not the Turkic one.
        assert_eq!(folded("Iİı"), "ii\u{307}ı");
    }

    #[test]
    fn one_to_two_and_to_three() {
        assert_eq!(folded("ﬁ"), "fi");
        assert_eq!(folded("ﬃ"), "ffi");
        assert_eq!(folded("ΐ"), "\u{3B9}\u{308}\u{301}");
    }

    #[test]
    fn uncased_characters_stay() {
        for c in ['0', '-', '字', '。', '\u{301}', '😀', '\0', '\u{FFFF}', '\u{10FFFF}'] {
            assert_eq!(fold(c).as_slice(), [c]);
        }
        assert_eq!(folded("Ā\u{101}Ă"), "āāă");
        assert_eq!(folded("𐐀𞤀"), "𐐨𞤢");
    }

    #[test]
    fn folding_twice_changes_nothing() {
        for c in '\0'..=char::MAX {
            for once in fold(c) {
                assert_eq!(fold(once).as_slice(), [once], "{c:?}");
            }
        }
    }

    #[test]
    fn the_inlined_part_agrees_with_core() {
        for c in '\0'..='\x7F' {
            assert_eq!(fold(c).as_slice(), [c.to_ascii_lowercase()]);
            assert_eq!(fold_wide(c).as_slice(), [c]);
        }
    }

    #[test]
    fn counts_down() {
        let mut three = fold('ﬃ');
        assert_eq!(three.len(), 3);
        assert_eq!(three.by_ref().take(3).count(), 3);
        assert_eq!((three.len(), three.next(), three.next()), (0, None, None));
    }

    #[test]
    fn tables_are_sorted() {
        assert!(RUNS.windows(2).all(|pair| pair[0].last < pair[1].first));
        assert!(RUNS.iter().all(|run| run.first <= run.last && run.step > 0));
        assert!(EXPANSIONS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
