//! What a GFM link leaves outside at its end.
//!
//! GFM 0.29 §6.9, extended autolink path validation: `http://a.bc/x.)` gives
//! ⟦http://a.bc/x⟧`.)` since
//! - punctuation at the end is dropped,
//! - a `)` at the end is dropped while the link has more `)` than `(`,
//! - an `&name;` at the end is dropped,
//!
//! over and over until nothing changes (the document is silent on repeating;
//! cmark-gfm repeats). Which bytes are punctuation and what a name is made of
//! is each dialect's [`TrimRules`].
//!
//! LINEAR: one pass from right to left. Parentheses are counted once, when the
//! first `)` is met, and the count is kept up to date after that; the bytes of
//! an `&name;` are dropped or end the pass. What was dropped holds no further
//! candidate, so nothing reads it again but the search for the next one.

use barelink_text::ByteSet;
use barelink_text::find::{Enclosure, Stops, WordEnd};

use crate::verdict::{Report, Rule};

/// How a dialect treats the end of a link.
pub(crate) trait TrimRules {
    /// The rule by which this byte at the end is dropped, whatever is before.
    fn dropped(byte: u8) -> Option<Rule>;

    /// Whether this byte may stand between `&` and `;` in an entity look-alike.
    fn is_name(byte: u8) -> bool;

    /// The rule by which a `;` that ends no look-alike is dropped, if it is.
    const SEMICOLON: Option<Rule>;
}

/// Where in `text[start..end]` the first of `stop` is, or else `end`. It is a set of
/// nothing but control characters, space and `<`.
#[inline]
pub(crate) fn scan_until(text: &[u8], start: usize, end: usize, stop: &ByteSet) -> usize {
    let end = end.min(text.len());
    let mut stops = Stops::<WordEnd>::new(text, start, end);
    stops.find(|&at| stop.contains(text[at])).unwrap_or(end)
}

/// Where the link `text[start..end]` ends when its tail is dropped.
#[inline]
pub(crate) fn trim<T: TrimRules>(
    text: &[u8],
    start: usize,
    end: usize,
    report: &mut impl Report,
) -> usize {
    let mut new_end = end;
    // How many more `)` than `(` there are, once somebody has asked.
    let mut surplus: Option<isize> = None;
    while new_end > start {
        let byte = text[new_end - 1];
        if byte.is_ascii_alphanumeric() || byte == b'/' {
            break;
        }
        let (rule, cut) = match byte {
            b')' => {
                let surplus = surplus.get_or_insert_with(|| count_surplus(text, start, new_end));
                if *surplus <= 0 {
                    break;
                }
                *surplus -= 1;
                (Rule::TrailingParenthesis, new_end - 1)
            }
            b';' => {
                let name = find_entity::<T>(text, start, new_end);
                match (name, T::SEMICOLON) {
                    (Some(cut), _) => (Rule::TrailingEntity, cut),
                    (None, Some(rule)) => (rule, new_end - 1),
                    (None, None) => break,
                }
            }
            _ => match T::dropped(byte) {
                Some(rule) => (rule, new_end - 1),
                None => break,
            },
        };
        report.trimmed(rule, cut, new_end);
        new_end = cut;
    }
    new_end
}

/// How many more `)` than `(` the link has; without a `(`, enough for all of them.
fn count_surplus(text: &[u8], start: usize, end: usize) -> isize {
    if memchr::memchr(b'(', &text[start..end]).is_none() {
        return isize::MAX;
    }
    Stops::<Enclosure>::new(text, start, end).fold(0, |surplus, at| match text[at] {
        b')' => surplus + 1,
        b'(' => surplus - 1,
        _ => surplus,
    })
}

/// Where the `&` stands of an `&name;` that ends at `end`.
fn find_entity<T: TrimRules>(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let name_end = end - 1;
    let name_len = text[start..name_end].iter().rev().take_while(|&&b| T::is_name(b)).count();
    let ampersand = (name_end - name_len).checked_sub(1)?;
    (name_len > 0 && ampersand >= start && text[ampersand] == b'&').then_some(ampersand)
}
