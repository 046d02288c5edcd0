//! How characters outside ASCII affect a link.
//!
//! UTS #58 gives each character one of five values: Include, Soft, Hard, Open, Close. They are
//! taken from its data (`generated/link_term.rs`), except where the principles of this dialect
//! differ:
//! - full-width punctuation ends a link, which UTS #58 calls soft, and so do
//!   full-width letters and digits;
//! - symbols, emoji, arrows, stars, wave dashes and the ellipsis end a link,
//!   which UTS #58 includes;
//! - double quotes pair like brackets: “…”, «…», ‹…›;
//! - all of Unicode's spaces, controls and invisible marks of direction are
//!   Hard; what is not assigned yet is Include.

use core::ops::RangeInclusive;

use barelink_text::chars::{is_cjk, is_punctuation};

use crate::generated::link_term::{CLOSERS, OPENERS, SOFT};

/// The effect of a character outside ASCII on a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CharClass {
    /// Part of the link.
    Include,
    /// Part of the link if more of it follows.
    Soft,
    /// Ends the link: a space or an invisible character.
    Hard,
    /// Ends the link: punctuation of scripts without spaces, and full-width letters.
    FullWidth,
    /// Ends the link: a symbol, an emoji, a wave dash, an ellipsis.
    Symbol,
    /// A dash between two clauses: ends the link, except in page titles with `_—_`.
    Dash,
    /// An opening bracket or quote.
    Open,
    /// A closing bracket or quote, and the opening one that it matches.
    Close(char),
}

/// Classifies `c`, a character outside ASCII.
pub(super) fn classify(c: char) -> CharClass {
    match c {
        // The most frequent ones: letters of Latin, Greek, Cyrillic; Han; Hangul.
        '\u{C0}'..='\u{2FF}' | '\u{370}'..='\u{37D}' | '\u{388}'..='\u{588}' => CharClass::Include,
        '\u{3041}'..='\u{33FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7FF}' => {
            CharClass::Include
        }
        '“' | '«' | '‹' => CharClass::Open,
        '”' => CharClass::Close('“'),
        '»' => CharClass::Close('«'),
        '›' => CharClass::Close('‹'),
        '—' | '―' => CharClass::Dash,
        '‥' | '…' | '‼' | '⁇'..='⁉' | '〜' | '～'
        // Circled numbers; marks that make an emoji of the character before them.
        | '①'..='⓿' | '❶'..='➓' | '\u{20E3}' | '\u{FE0E}' | '\u{FE0F}' => CharClass::Symbol,
        _ if is_space(c) => CharClass::Hard,
        _ => look_up(c),
    }
}

/// The part of [`classify`] that looks into the tables.
fn look_up(c: char) -> CharClass {
    let code = u32::from(c);
    if let Ok(idx) = CLOSERS.binary_search_by_key(&code, |pair| pair.0) {
        return char::from_u32(CLOSERS[idx].1).map_or(CharClass::FullWidth, CharClass::Close);
    }
    if OPENERS.binary_search(&code).is_ok() {
        return CharClass::Open;
    }
    if is_full_width(c) {
        return CharClass::FullWidth;
    }
    let idx = SOFT.partition_point(|&(_, last)| last < code);
    if SOFT.get(idx).is_some_and(|&(first, _)| first <= code) {
        CharClass::Soft
    } else if is_symbol(c) {
        CharClass::Symbol
    } else {
        CharClass::Include
    }
}

/// Whether `c` is a symbol, or punctuation that belongs to no single script. Not included are
/// characters that join words of a name: hyphens, the en dash, `·` `‧` `×` `・` `＝` `＆`.
fn is_symbol(c: char) -> bool {
    // Other punctuation, of Latin and of other scripts, is left to UTS #58.
    let is_shared = matches!(
        c,
        '¢'..='¦' | '¨'..='©' | '¬'..='±' | '´' | '¸' | '×' | '÷' | '\u{2010}'..='\u{33FF}'
            | '\u{4DC0}'..='\u{4DFF}' | '\u{FE00}'..='\u{FFFD}' | '\u{1CC00}'..
    );
    is_shared && !is_joiner(c) && is_punctuation(c)
}

/// Whether `c` joins words of a name, and so is part of a link if more of it follows.
pub(super) const fn is_joiner(c: char) -> bool {
    matches!(c, '·' | '×' | '‐'..='–' | '‧' | '゠' | '・' | '･' | '＆' | '＋' | '－' | '＝' | '＿')
}

/// Unicode's spaces and line ends, and invisible characters: controls, the zero-width space,
/// direction marks.
pub(super) const fn is_space(c: char) -> bool {
    matches!(
        c,
        '\0'..=' '
            | '\u{7F}'..='\u{A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200B}'
            | '\u{200E}'..='\u{200F}'
            | '\u{2028}'..='\u{202F}'
            | '\u{205F}'..='\u{206F}'
            | '\u{3000}'
            | '\u{FEFF}'
    )
}

/// Punctuation of scripts without spaces, except brackets, and letters and digits of full width: 、
/// 。 ， ！ ｗ and so on. Characters that join words of a name are excluded: `・` `＝` `＆` `－` `＋` `＿`.
const fn is_full_width(c: char) -> bool {
    matches!(
        c,
        '\u{3001}'..='\u{3003}'
            | '\u{301D}'..='\u{301F}'
            | '\u{FE10}'..='\u{FE19}'
            | '\u{FE30}'..='\u{FE6B}'
            | '\u{FF01}'..='\u{FF05}'
            | '\u{FF07}'..='\u{FF0A}'
            | '\u{FF0C}'
            | '\u{FF0E}'..='\u{FF1C}'
            | '\u{FF1E}'..='\u{FF3E}'
            | '\u{FF40}'..='\u{FF5D}'
            | '\u{FF5F}'..='\u{FF64}'
    )
}

/// Letters that may follow other words without a space: those of scripts without spaces, and
/// Hangul, where particles are attached to the word before them.
const UNSPACED: [RangeInclusive<char>; 12] = [
    // Thai, Lao, Tibetan, Myanmar
    '\u{E00}'..='\u{109F}',
    '\u{1100}'..='\u{11FF}',
    // Khmer
    '\u{1780}'..='\u{17FF}',
    // Radicals, kana, Bopomofo, Hangul's letters
    '\u{2E80}'..='\u{2FFF}',
    '\u{3003}'..='\u{3007}',
    '\u{3021}'..='\u{33FF}',
    // Han, Yi, Hangul
    '\u{3400}'..='\u{A4CF}',
    '\u{A960}'..='\u{A97F}',
    '\u{AC00}'..='\u{D7FF}',
    '\u{F900}'..='\u{FAFF}',
    // Half-width and full-width forms
    '\u{FF10}'..='\u{FFEF}',
    '\u{1AFF0}'..='\u{3FFFF}',
];

/// Whether `c` may follow another word without a space: see [`UNSPACED`].
pub(super) fn is_unspaced(c: char) -> bool {
    c >= '\u{E00}'
        && UNSPACED.iter().any(|range| range.contains(&c))
        && (!is_punctuation(c) || c == '・')
}

/// Whether `c` is a letter of Han, kana, Bopomofo, Yi or Hangul, which sentences attach to what
/// precedes.
pub(super) fn is_east_asian(c: char) -> bool {
    is_cjk(c) && !is_punctuation(c) && !matches!(c, '\u{FF01}'..='\u{FF60}')
}

/// Whether `c` is a letter of hiragana.
pub(super) const fn is_hiragana(c: char) -> bool {
    matches!(c, 'ぁ'..='ゟ')
}

/// Whether `c` is a letter of Hangul outside a syllable, as in laughter: `ㅋㅋ`.
pub(super) const fn is_jamo(c: char) -> bool {
    matches!(c, '\u{3131}'..='\u{318E}')
}

/// Whether `c` is a pictograph, as in some host names: `http://☃.net`.
pub(super) const fn is_picture(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Whether `c`, a character outside ASCII, may be part of a host, or of an address before its `@`:
/// letters, marks and digits, and the few punctuation characters that international names may have.
pub(super) fn is_name(c: char) -> bool {
    matches!(c, '·' | '\u{375}' | '\u{5F3}' | '\u{5F4}' | '\u{6FD}' | '\u{6FE}' | '\u{F0B}' | '・')
        || (!is_punctuation(c) && !is_space(c) && c != char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::{CharClass, classify, is_east_asian, is_name, is_unspaced};
    use crate::generated::link_term::{CLOSERS, OPENERS, SOFT};

    #[test]
    fn tables_are_in_order() {
        assert!(SOFT.windows(2).all(|pair| pair[0].1 < pair[1].0));
        assert!(CLOSERS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(OPENERS.is_sorted());
        assert_eq!(CLOSERS.len(), OPENERS.len());
    }

    #[test]
    fn one_of_each_class() {
        for c in ['é', 'ж', '中', '々', 'ー', '・', '한', 'ไ', '·', '–', '×', '\u{200C}', 'ﾊ']
        {
            assert_eq!(classify(c), CharClass::Include, "{c:?}");
        }
        for c in ['’', '،', '؟', '।'] {
            assert_eq!(classify(c), CharClass::Soft, "{c:?}");
        }
        for c in ['…', '〜', '～', '😀', '→', '★', '※', '①', '￥', '¥', '♪', '‼', '\u{FE0F}']
        {
            assert_eq!(classify(c), CharClass::Symbol, "{c:?}");
        }
        for c in ['\u{A0}', '\u{3000}', '\u{85}', '\u{2028}', '\u{200B}', '\u{FEFF}'] {
            assert_eq!(classify(c), CharClass::Hard, "{c:?}");
        }
        for c in ['、', '。', '，', '！', '：', '｜', '｡', 'ｗ', '１'] {
            assert_eq!(classify(c), CharClass::FullWidth, "{c:?}");
        }
        for (open, close) in [('（', '）'), ('「', '」'), ('“', '”'), ('«', '»'), ('⟦', '⟧')]
        {
            assert_eq!(classify(open), CharClass::Open, "{open:?}");
            assert_eq!(classify(close), CharClass::Close(open), "{close:?}");
        }
        assert_eq!(classify('—'), CharClass::Dash);
    }

    #[test]
    fn names() {
        for c in ['é', '中', 'ー', '\u{94D}', '\u{200D}', '٣', '・', 'ß'] {
            assert!(is_name(c), "{c:?}");
        }
        for c in ['。', '😀', '\u{A0}', '—', '＠', '\u{FFFD}'] {
            assert!(!is_name(c), "{c:?}");
        }
    }

    #[test]
    fn letters_that_are_glued() {
        for c in ['中', 'あ', 'ア', '한', 'ไ', '々', 'Ａ', '𠀀'] {
            assert!(is_unspaced(c), "{c:?}");
        }
        for c in ['é', 'ж', 'α', 'ש', 'ع', 'अ', '。', '（', '😀'] {
            assert!(!is_unspaced(c), "{c:?}");
        }
    }

    #[test]
    fn letters_of_east_asia() {
        for c in ['中', 'あ', 'ア', 'ー', '々', '한', 'ㅋ', 'ﾊ', 'ㄅ', '𠀀'] {
            assert!(is_east_asian(c) && classify(c) == CharClass::Include, "{c:?}");
        }
        for c in ['é', 'ไ', 'अ', '・', '。', '〜', 'Ａ', '😀'] {
            assert!(!is_east_asian(c), "{c:?}");
        }
    }
}
