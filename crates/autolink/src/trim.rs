//! Trimming the end of a GFM link.
//!
//! GFM 0.29 §6.9, extended autolink path validation: `http://a.bc/x.)` gives
//! ⟦http://a.bc/x⟧`.)` since
//! - punctuation at the end is dropped,
//! - a `)` at the end is dropped while the link has more `)` than `(`,
//! - an `&name;` at the end is dropped,
//!
//! repeatedly until nothing changes (the document does not mention repetition; cmark-gfm repeats).
//! Which bytes are punctuation, and which a name may have, is in each dialect's [`TrimRules`].
//!
//! LINEAR: one pass from right to left. Parentheses are counted once, at the first `)`, and the
//! count is updated after that; the bytes of an `&name;` are dropped or end the pass. The dropped
//! text has no further candidate, so only the search for the next one reads it again.

use barelink_text::ByteSet;
use barelink_text::find::{Enclosure, Stops, WordEnd};

use crate::verdict::{Report, Rule};

/// How a dialect treats the end of a link.
pub(crate) trait TrimRules {
    /// The rule by which this byte is dropped at the end, whatever precedes it.
    fn dropped(byte: u8) -> Option<Rule>;

    /// Whether this byte may be between `&` and `;` in an entity look-alike.
    fn is_name(byte: u8) -> bool;

    /// The rule by which a `;` that ends no look-alike is dropped, if there is one.
    const SEMICOLON: Option<Rule>;
}

/// The offset of the first byte of `stop` in `text[start..end]`, or else `end`. `stop` must contain
/// only control characters, space and `<`.
#[inline]
pub(crate) fn scan_until(text: &[u8], start: usize, end: usize, stop: &ByteSet) -> usize {
    let end = end.min(text.len());
    let mut stops = Stops::<WordEnd>::new(text, start, end);
    stops.find(|&at| stop.contains(text[at])).unwrap_or(end)
}

/// The end of the link `text[start..end]` without its tail.
#[inline]
pub(crate) fn trim<T: TrimRules>(
    text: &[u8],
    start: usize,
    end: usize,
    report: &mut impl Report,
) -> usize {
    let mut new_end = end;
    // The number of `)` minus that of `(`, counted on demand.
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

/// The number of `)` minus that of `(` in the link; without a `(`, enough for every `)`.
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

/// The offset of the `&` of an `&name;` that ends at `end`.
fn find_entity<T: TrimRules>(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let name_end = end - 1;
    let name_len = text[start..name_end].iter().rev().take_while(|&&b| T::is_name(b)).count();
    let ampersand = (name_end - name_len).checked_sub(1)?;
    (name_len > 0 && ampersand >= start && text[ampersand] == b'&').then_some(ampersand)
}
