//! The tables of Unicode: which characters are punctuation, which are of East Asia, and
//! what they fold to.
//!
//! They are read from ICU4X, character by character: `icu_properties` for the
//! general category and the width, `icu_casemap` for full case folding. Their data crates
//! name the version of Unicode they carry.

use std::collections::BTreeMap;

use anyhow::{Context as _, bail};
use icu_casemap::CaseMapper;
use icu_properties::props::{
    EastAsianWidth, EmojiPresentation, GeneralCategory, GeneralCategoryGroup, Script,
};
use icu_properties::{CodePointMapData, CodePointSetData};

use super::{header, static_array};

/// How many code points a block of the bitmap covers: one bit of a `u64` each.
const BLOCK_LEN: u32 = 64;

/// Whether a code point is of general category P or S.
fn is_punctuation(code: u32) -> bool {
    GeneralCategoryGroup::Punctuation
        .union(GeneralCategoryGroup::Symbol)
        .contains(CodePointMapData::<GeneralCategory>::new().get32(code))
}

/// The text of `punctuation.rs`.
pub(super) fn punctuation_table() -> anyhow::Result<String> {
    let mut blocks: Vec<u64> = Vec::new();
    let mut index: Vec<u8> = Vec::new();
    for first in (0..=0x10_FFFF_u32).step_by(BLOCK_LEN as usize) {
        let bits = (0..BLOCK_LEN)
            .filter(|bit| is_punctuation(first + bit))
            .fold(0_u64, |bits, bit| bits | 1 << bit);
        let place = blocks.iter().position(|&block| block == bits).unwrap_or_else(|| {
            blocks.push(bits);
            blocks.len() - 1
        });
        index.push(u8::try_from(place).context("more than 256 different blocks")?);
    }
    let empty = blocks.iter().position(|&bits| bits == 0).context("no empty block")?;
    while index.last().is_some_and(|&place| usize::from(place) == empty) {
        index.pop();
    }
    let what = "The characters of general category P or S, as a two-stage bitmap.";
    let mut text =
        header(what, concat!("`icu_properties`, Unicode ", icu_properties_data::unicode_tag!()));
    let items: Vec<_> = index.iter().map(ToString::to_string).collect();
    text += &static_array(
        "For every 64 code points, the place of their block; all after are empty.",
        "INDEX",
        "u8",
        &items,
    );
    let items: Vec<_> = blocks.iter().map(|&bits| hex_u64(bits)).collect();
    text += &static_array(
        "The different blocks: bit `n` for the `n`th of 64 code points.",
        "BLOCKS",
        "u64",
        &items,
    );
    Ok(text)
}

/// Whether a code point is fullwidth, wide or halfwidth, and not an emoji; or is Hangul.
fn is_cjk(code: u32) -> bool {
    let width = CodePointMapData::<EastAsianWidth>::new().get32(code);
    let is_wide = [EastAsianWidth::Wide, EastAsianWidth::Fullwidth, EastAsianWidth::Halfwidth]
        .contains(&width);
    (is_wide && !CodePointSetData::new::<EmojiPresentation>().contains32(code))
        || CodePointMapData::<Script>::new().get32(code) == Script::Hangul
}

/// The text of `cjk.rs`.
pub(super) fn cjk_table() -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for code in (0..=0x10_FFFF).filter(|&code| is_cjk(code)) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == code => *last = code,
            _ => ranges.push((code, code)),
        }
    }
    let what = "The characters of East Asian width Wide, Fullwidth or Halfwidth without emoji, and Hangul.";
    let source = concat!("`icu_properties`, Unicode ", icu_properties_data::unicode_tag!());
    let items: Vec<_> =
        ranges.iter().map(|(first, last)| format!("(0x{first:X}, 0x{last:X})")).collect();
    header(what, source)
        + &static_array("First and last of each range.", "CJK", "(u32, u32)", &items)
}

/// A literal with its digits in groups of four.
fn hex_u64(bits: u64) -> String {
    let group = |shift: u32| bits >> shift & 0xFFFF;
    format!("0x{:04X}_{:04X}_{:04X}_{:04X}", group(48), group(32), group(16), group(0))
}

/// Consecutive characters that fold by the same distance.
struct Run {
    first: u32,
    last: u32,
    step: u32,
    delta: i64,
}

/// The text of `fold.rs`.
pub(super) fn fold_table() -> anyhow::Result<String> {
    let mut runs: Vec<Run> = Vec::new();
    let mut expansions: BTreeMap<char, Vec<char>> = BTreeMap::new();
    // ASCII is answered without a table.
    for c in '\u{80}'..=char::MAX {
        let folded = fold(c);
        match folded[..] {
            [to] if to == c => {}
            [to] => push_run(&mut runs, c, to),
            _ => {
                expansions.insert(c, folded);
            }
        }
    }
    let mut text = header(
        "Full case folding: the C and F lines of `CaseFolding.txt`.",
        concat!("`icu_casemap`, Unicode ", icu_casemap_data::unicode_tag!()),
    );
    text += "\nuse crate::fold::{FoldRun, run};\n";
    let items: Vec<_> = runs
        .iter()
        .map(|run| format!("run(0x{:X}, 0x{:X}, {}, {})", run.first, run.last, run.step, run.delta))
        .collect();
    text += &static_array(
        "Characters that fold to one other: first, last, step, distance.",
        "RUNS",
        "FoldRun",
        &items,
    );
    let items: Vec<_> =
        expansions.iter().map(|(&from, to)| expansion(from, to)).collect::<anyhow::Result<_>>()?;
    text += &static_array(
        "Characters that fold to two or three, `\\0` where there is no third.",
        "EXPANSIONS",
        "(char, [char; 3])",
        &items,
    );
    Ok(text)
}

/// The characters a character folds to.
fn fold(c: char) -> Vec<char> {
    CaseMapper::new().fold_string(c.encode_utf8(&mut [0; 4])).chars().collect()
}

/// Adds a character to the last run if it continues that, or starts another.
fn push_run(runs: &mut Vec<Run>, from: char, to: char) {
    let code = u32::from(from);
    let delta = i64::from(u32::from(to)) - i64::from(code);
    if let Some(run) = runs.last_mut().filter(|run| run.delta == delta) {
        let step = code - run.last;
        // Runs have steps of one or two.
        if step == run.step || (run.first == run.last && step <= 2) {
            run.step = step;
            run.last = code;
            return;
        }
    }
    runs.push(Run { first: code, last: code, step: 1, delta });
}

/// One item of the table of expansions.
fn expansion(from: char, to: &[char]) -> anyhow::Result<String> {
    let (first, second, third) = match *to {
        [first, second] => (first, second, '\0'),
        [first, second, third] => (first, second, third),
        _ => bail!("{from:?} folds to {to:?}, which the table has no place for"),
    };
    let literal = |c: char| match c {
        '\0' => "'\\0'".to_owned(),
        _ => format!("'{}'", c.escape_default()),
    };
    let [from, first, second, third] = [from, first, second, third].map(literal);
    Ok(format!("({from}, [{first}, {second}, {third}])"))
}

#[cfg(test)]
mod tests {
    use barelink_text::chars;
    use icu_properties::CodePointMapData;
    use icu_properties::props::GeneralCategory;

    use super::{is_cjk, is_punctuation};

    #[test]
    fn both_tables_carry_one_version_of_unicode() {
        assert_eq!(icu_properties_data::unicode_tag!(), icu_casemap_data::unicode_tag!());
    }

    #[test]
    fn punctuation_of_all_characters() {
        for c in '\0'..=char::MAX {
            assert_eq!(chars::is_punctuation(c), is_punctuation(u32::from(c)), "{c:?}");
        }
    }

    #[test]
    fn cjk_of_all_characters() {
        for c in '\0'..=char::MAX {
            assert_eq!(chars::is_cjk(c), is_cjk(u32::from(c)), "{c:?}");
        }
    }

    #[test]
    fn whitespace_of_all_characters() {
        let categories = CodePointMapData::<GeneralCategory>::new();
        for c in '\0'..=char::MAX {
            let expected = categories.get(c) == GeneralCategory::SpaceSeparator
                || matches!(c, '\t' | '\n' | '\u{C}' | '\r');
            assert_eq!(chars::is_unicode_whitespace(c), expected, "{c:?}");
        }
    }

    #[test]
    fn folding_of_all_characters() {
        for c in '\0'..=char::MAX {
            assert_eq!(barelink_text::fold::fold(c).as_slice(), super::fold(c), "{c:?}");
        }
    }
}
