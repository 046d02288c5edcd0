//! Invisible characters. Two of them, U+200C and U+200D, belong to the spelling of some scripts,
//! and to emoji:
//!
//! ```text
//! https://a.bc/می‌خواهم       between letters of a script that has them
//! https://a.bc/👨‍👩‍👧        between emoji
//! ```
//!
//! In a host they are always reported: few hosts may have them (RFC 5892, CONTEXTJ).
//!
//! LINEAR: each character is read with its neighbors.

use super::is_hidden;

/// The invisible characters of a text, except joiners where they belong. They belong nowhere in the
/// authority of this destination.
pub(super) fn hidden<'t>(
    text: &'t str,
    destination: &str,
) -> impl Iterator<Item = (usize, char)> + use<'t> {
    let authority = authority(destination);
    let start = text.find(authority).filter(|_| !authority.is_empty()).unwrap_or(text.len());
    let authority = start..start + authority.len();
    let found = text.char_indices().filter(|(_, c)| is_hidden(*c));
    found.filter(move |(at, c)| authority.contains(at) || !joins(text, *at, *c))
}

/// The authority of a destination: what is between `//` and the path.
fn authority(destination: &str) -> &str {
    let rest = destination.split_once("//").map_or("", |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// Whether an invisible character joins or separates its neighbors, as in ordinary spelling.
fn joins(text: &str, at: usize, c: char) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + c.len_utf8()..].chars().next();
    let (Some(before), Some(after)) = (before, after) else { return false };
    match c {
        '\u{200C}' => has_joiners(before) && has_joiners(after),
        '\u{200D}' => {
            has_joiners(before) && has_joiners(after) || is_emoji(before) && is_emoji(after)
        }
        _ => false,
    }
}

/// Whether it is a letter or sign of a script whose spelling has joiners: from Arabic to Mongolian,
/// by blocks.
fn has_joiners(c: char) -> bool {
    let is_in_block = matches!(c,
        '\u{0600}'..='\u{06FF}'
        | '\u{0700}'..='\u{08FF}'
        | '\u{0900}'..='\u{0DFF}'
        | '\u{0F00}'..='\u{109F}'
        | '\u{1780}'..='\u{18AF}'
        | '\u{1B00}'..='\u{1BFF}'
        | '\u{A840}'..='\u{A8FF}'
        | '\u{A980}'..='\u{A9DF}'
        | '\u{AAE0}'..='\u{AAFF}'
        | '\u{ABC0}'..='\u{ABFF}'
        | '\u{FB50}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFC}'
        | '\u{10D00}'..='\u{10D3F}'
        | '\u{11000}'..='\u{11FFF}'
        | '\u{1E900}'..='\u{1E95F}');
    is_in_block && !is_hidden(c)
}

/// Whether it may be part of an emoji, by blocks: also the variation selector that requests one,
/// and skin tones.
fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{FE0F}'
        | '\u{2190}'..='\u{21FF}'
        | '\u{2600}'..='\u{27BF}'
        | '\u{2B00}'..='\u{2BFF}'
        | '\u{1F000}'..='\u{1FAFF}')
}
