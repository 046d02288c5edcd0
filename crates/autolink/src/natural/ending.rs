//! Endings that a sentence adds to a link, after an apostrophe.
//!
//! Principle 3. ⟦https://h.com/page⟧'s title, ⟦https://h.com/wiki/İstanbul⟧'da. Names have
//! apostrophes too (`/wiki/McDonald's`, `/wiki/Moore's_law`), so
//! - an English `'s` counts only after a segment without a capital letter, and before another word:
//!   `/it's` may be a name,
//! - a Turkish ending counts only if it is on the list, which leaves out the endings of names in
//!   other languages (`/wiki/Quelqu'un`, `/wiki/Ch'in`),
//! - and either counts only at the end of a word.
//!
//! LINEAR: an ending has few letters. Before an `'s`, text is read back to the last slash or
//! apostrophe.

use barelink_text::chars::{next_char, prev_char};

/// Endings of Turkish nouns: in, from, to, of.
const TURKISH: [&str; 22] = [
    "da", "de", "ta", "te", "dan", "den", "tan", "ten", "daki", "deki", "taki", "teki", "ya", "ye",
    "yı", "yi", "yu", "yü", "nın", "nin", "nun", "nün",
];

/// Whether an ending follows the apostrophe `text[at..end]` in a link whose path starts at `path`.
pub(super) fn is_ending(text: &[u8], path: usize, at: usize, end: usize) -> bool {
    if !prev_char(text, at).is_some_and(char::is_alphanumeric) {
        return false;
    }
    let rest = text.get(end..).unwrap_or_default();
    let is_english = || match rest {
        [b's', b' ', next, ..] => next.is_ascii_alphanumeric() && !has_capital(&text[path..at]),
        _ => false,
    };
    is_english() || TURKISH.iter().any(|ending| ends_word(rest, ending))
}

/// Whether `text` starts with this ending, and the word ends there.
fn ends_word(text: &[u8], ending: &str) -> bool {
    let Some(rest) = text.strip_prefix(ending.as_bytes()) else { return false };
    match next_char(rest, 0) {
        None => true,
        Some('.' | ',' | ':' | ';' | '!' | '?') => {
            next_char(rest, 1).is_none_or(|c| !c.is_alphanumeric())
        }
        Some(c) => !c.is_alphanumeric() && !"/_-%=&+#~@'".contains(c),
    }
}

/// Whether the last segment of `path` has a capital letter.
fn has_capital(path: &[u8]) -> bool {
    let is_inside = |byte: &&u8| !matches!(byte, b'/' | b'=' | b'#' | b'?' | b'&' | b'\'');
    let mut segment = path.iter().rev().take_while(is_inside);
    segment.any(u8::is_ascii_uppercase)
}

#[cfg(test)]
mod tests {
    use super::is_ending;

    #[test]
    fn endings_of_the_sentence() {
        let ends = |text: &str| {
            let at = text.find('\'').unwrap_or(0);
            is_ending(text.as_bytes(), 0, at, at + 1)
        };
        for text in ["/page's title", "/a?q=b's c", "/İstanbul'da", "/x'nın (y)", "/1'den"] {
            assert!(ends(text), "{text}");
        }
        for text in [
            "/McDonald's",
            "/Moore's_law",
            "/page's.html",
            "/page's/x",
            "/it's",
            "/it's.",
            "/'s",
            "/Quelqu'un",
            "/Ch'in",
            "/O'Brien",
            "/page'san",
            "/page'daily",
            "/x'ta-y",
        ] {
            assert!(!ends(text), "{text}");
        }
    }
}
