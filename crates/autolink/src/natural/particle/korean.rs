//! Korean particles, which are attached to the word before them: see `particle`.
//!
//! LINEAR: the length of each list is fixed, and so is how far back a particle is checked.

use barelink_text::chars::{next_char, prev_char};

use super::{Slash, ends_word, is_word};
use crate::natural::script::is_jamo;

/// Words that end a Korean word, and are hardly ever the end of a noun.
const KOREAN: &[&str] = &[
    "에",
    "에는",
    "에도",
    "에서",
    "에서는",
    "에서도",
    "에서만",
    "에게",
    "으로",
    "으로는",
    "까지",
    "까지만",
    "부터",
    "부터는",
    "처럼",
    "한테",
    "입니다",
    "이에요",
    "예요",
    "인데",
    "인데요",
    "인가요",
    "라는",
    "이라는",
    "라고",
    "이라고",
    "라는데",
    "이라는데",
    "라던데",
    "이라던데",
    "이고",
    "이랑",
    "이네요",
    "이죠",
    "인지",
    "에선",
    "하고",
    "보다",
    "밖에",
    "만큼",
    "께서",
];

/// Whole words that begin no segment.
const KOREAN_FIRST: &[&str] = &["로", "을", "를", "는", "이다"];

/// Whole words that begin no segment after the slash of a host or a number: elsewhere they may be
/// names.
const KOREAN_HOST: &[&str] = &["의", "은", "이", "가", "와", "과", "도", "만"];

/// Syllables that form a noun with `의`: 민주주의, 국무회의, 온라인강의.
const BEFORE_UI: &str = "주회강정동합결논문건협토심항창발편질예상명임";

/// Syllables that form a noun with `이`: 불꽃놀이, 하루살이, 길고양이, 손톱깎이.
const BEFORE_I: &str =
    "놀풀살쟁둥걸깎볶양랑숭뎅발돌떨잡맞닫꽂받앓박먹멍옹은린쓴긴벌팽벵챙팡꽁돋붙덮말";

/// Syllables that form a noun with `과`: 컴퓨터공학과, 산부인과, 위키백과, 검색결과.
const BEFORE_GWA: &str = "학인문백결성통경안분일전";

/// Whether a particle starts at `at` with the letter `c`, after the letters of a name.
pub(super) fn ends_name(text: &[u8], at: usize, c: char) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    // Nearly all particles are in a list, or are whole words.
    let is_closed = || is_closed(prev_char(text, at));
    let is_behind = |syllables: &str| prev_char(text, at).is_some_and(|c| syllables.contains(c));
    match c {
        '에' | '으' | '까' | '부' | '처' | '한' | '입' | '예' | '인' | '라' | '하' | '보'
        | '밖' | '만' | '께' => is_in(rest, KOREAN),
        '이' => {
            is_in(rest, KOREAN)
                || (is_word(rest, "이")
                    && is_closed() == Some(true)
                    && has_syllables(text, at, 3)
                    && !is_behind(BEFORE_I))
        }
        '과' => {
            is_word(rest, "과")
                && is_closed() == Some(true)
                && has_syllables(text, at, 3)
                && !is_behind(BEFORE_GWA)
        }
        '의' => is_word(rest, "의") && has_syllables(text, at, 2) && !is_behind(BEFORE_UI),
        '가' | '와' | '로' => {
            is_word(rest, c.encode_utf8(&mut [0; 4]))
                && is_closed() == Some(false)
                && has_syllables(text, at, 4)
        }
        '을' => is_word(rest, "을") && is_closed() == Some(true),
        '를' => is_word(rest, "를") && is_closed() == Some(false),
        '는' => is_word(rest, "는") && is_closed() == Some(false),
        '은' => is_word(rest, "은") && is_closed() == Some(true) && has_syllables(text, at, 3),
        _ => is_jamo(c),
    }
}

/// Whether the segment that would start with `text` is cut off by a particle.
pub(super) fn begins_segment(text: &[u8], slash: Slash) -> bool {
    is_in(text, KOREAN)
        || is_in(text, KOREAN_FIRST)
        || (slash != Slash::Path && is_in(text, KOREAN_HOST))
        || (slash == Slash::Host && starts_with_place(text))
}

/// Whether `text` starts with one of `words` as a whole word.
fn is_in(text: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| is_word(text, word))
}

/// Whether at least `n_syllables` syllables of Hangul precede `at`.
fn has_syllables(text: &[u8], mut at: usize, n_syllables: usize) -> bool {
    (0..n_syllables).all(|_| {
        let syllable = prev_char(text, at).filter(|c| ('가'..='힣').contains(c));
        at -= syllable.map_or(0, char::len_utf8);
        syllable.is_some()
    })
}

/// Whether `text` starts with the word `에서`, or a longer one such as `에서만`.
fn starts_with_place(text: &[u8]) -> bool {
    let rest = text.strip_prefix("에서".as_bytes());
    rest.is_some_and(|rest| {
        ends_word(rest) || next_char(rest, 0).is_some_and(|c| ('가'..='힣').contains(&c))
    })
}

/// Whether the syllable of Hangul `c` has a final consonant; `None` if it is not such a syllable.
fn is_closed(c: Option<char>) -> Option<bool> {
    // Unicode orders syllables by initial, vowel and final consonant, with 28 finals, the first of
    // them none.
    let idx = u32::from(c?).checked_sub(u32::from('가'))?;
    (idx <= u32::from('힣') - u32::from('가')).then_some(!idx.is_multiple_of(28))
}
