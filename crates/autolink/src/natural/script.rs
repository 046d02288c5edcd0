//! What a character outside ASCII is to a link.
//!
//! UTS #58 gives each character one of five values: Include, Soft, Hard, Open,
//! Close. Here they are taken from its data (`generated/link_term.rs`), with
//! the principles of this dialect over them:
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

/// What a character outside ASCII is to a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CharClass {
    /// Part of it.
    Include,
    /// Part of it if more follows.
    Soft,
    /// Its end: a space or something that does not show.
    Hard,
    /// Its end: punctuation of scripts without spaces, and letters as wide.
    FullWidth,
    /// Its end: a symbol, an emoji, a wave dash, an ellipsis.
    Symbol,
    /// A dash between two thoughts: its end, but for titles of pages that have
    /// `_—_`.
    Dash,
    /// An opening bracket or quote.
    Open,
    /// A closing bracket or quote, and the opening one that it matches.
    Close(char),
}

/// What `c`, a character outside ASCII, is to a link.
pub(super) fn classify(c: char) -> CharClass {
    match c {
        // Most that is met: letters of Latin, Greek, Cyrillic; Han; Hangul.
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
        // Numbers in circles; what makes an emoji of the character before it.
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

/// Whether `c` is a symbol, or punctuation that is no script's own. What joins the
/// words of a name is none: hyphens, the en dash, `·` `‧` `×` `・` `＝` `＆`.
fn is_symbol(c: char) -> bool {
    // Other punctuation of Latin, and that of other scripts, is as UTS #58 has it.
    let is_shared = matches!(
        c,
        '¢'..='¦' | '¨'..='©' | '¬'..='±' | '´' | '¸' | '×' | '÷' | '\u{2010}'..='\u{33FF}'
            | '\u{4DC0}'..='\u{4DFF}' | '\u{FE00}'..='\u{FFFD}' | '\u{1CC00}'..
    );
    is_shared && !is_joiner(c) && is_punctuation(c)
}

/// Whether `c` joins the words of a name, and so is part of a link if more of it follows.
pub(super) const fn is_joiner(c: char) -> bool {
    matches!(c, '·' | '×' | '‐'..='–' | '‧' | '゠' | '・' | '･' | '＆' | '＋' | '－' | '＝' | '＿')
}

/// Unicode's spaces and line ends, and what does not show: controls, the space
/// of no width, marks of direction.
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

/// Punctuation of scripts without spaces, brackets apart, and letters and digits
/// of its width: 、 。 ， ！ ｗ and so on. What joins words in names is none: `・` `＝` `＆` `－` `＋` `＿`.
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

/// Letters that stand beside other words without a space between: those of
/// scripts without spaces, and Hangul, whose particles are glued to the word
/// before them.
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
    // Forms of full and half width
    '\u{FF10}'..='\u{FFEF}',
    '\u{1AFF0}'..='\u{3FFFF}',
];

/// Whether `c` is one of those letters.
pub(super) fn is_unspaced(c: char) -> bool {
    c >= '\u{E00}'
        && UNSPACED.iter().any(|range| range.contains(&c))
        && (!is_punctuation(c) || c == '・')
}

/// Whether `c` is a letter of Han, kana, Bopomofo, Yi or Hangul, which a sentence
/// glues to what stands before it.
pub(super) fn is_east_asian(c: char) -> bool {
    is_cjk(c) && !is_punctuation(c) && !matches!(c, '\u{FF01}'..='\u{FF60}')
}

/// Whether `c` is a letter of hiragana.
pub(super) const fn is_hiragana(c: char) -> bool {
    matches!(c, 'ぁ'..='ゟ')
}

/// Whether `c` is a letter of Hangul that makes no syllable, as in laughter: `ㅋㅋ`.
pub(super) const fn is_jamo(c: char) -> bool {
    matches!(c, '\u{3131}'..='\u{318E}')
}

/// Whether `c` is a picture, as some hosts are called: `http://☃.net`.
pub(super) const fn is_picture(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Whether `c`, a character outside ASCII, may stand in a name: of a host, or
/// before the `@` of an address. Letters, marks and digits, and the few marks
/// of punctuation that international names may have.
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
