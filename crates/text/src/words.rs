//! Sorted lists of words, each in a single string: a table that takes no more memory than its
//! words, and compresses well for transfer.
//!
//! ```text
//! list  = [ entry { " " entry } ]    in the order of the keys' bytes
//! entry = key [ ";" value ]          no space in either, no ";" in a key
//! ```
//!
//! LINEAR: a binary search; each step halves the range and reads one entry.

use core::cmp::Ordering;

/// The value of a key, `""` if it has none, or `None` if the key is not in the list.
///
/// ```
/// use barelink_text::words::find;
///
/// let list = "one;1 three;3 two;2";
/// assert_eq!(find(list, b"three"), Some("3"));
/// assert_eq!(find(list, b"thre"), None);
/// assert_eq!(find("com net org", b"net"), Some(""));
/// ```
pub fn find<'l>(list: &'l str, key: &[u8]) -> Option<&'l str> {
    let bytes = list.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = low.midpoint(high);
        let start = bytes[low..middle].iter().rposition(|&byte| byte == b' ');
        let start = start.map_or(low, |at| low + at + 1);
        let len = bytes[middle..high].iter().position(|&byte| byte == b' ');
        let end = len.map_or(high, |len| middle + len);
        let entry = &bytes[start..end];
        let key_len = entry.iter().position(|&byte| byte == b';').unwrap_or(entry.len());
        match entry[..key_len].cmp(key) {
            Ordering::Less => low = end + 1,
            Ordering::Equal => return Some(list.get(start + key_len + 1..end).unwrap_or_default()),
            Ordering::Greater => high = start.saturating_sub(1),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn every_key_is_found_in_a_list_of_any_length() {
        let keys = ["a", "a1", "aa", "ab", "b", "bcdefgh", "c", "cc"];
        for n_keys in 0..=keys.len() {
            let list = keys[..n_keys].join(" ");
            for (idx, key) in keys.iter().enumerate() {
                let expected = (idx < n_keys).then_some("");
                assert_eq!(find(&list, key.as_bytes()), expected, "{key} in {list:?}");
            }
            for other in ["", " ", "a ", " a", "a b", "0", "bc", "bcdefghi", "d"] {
                assert_eq!(find(&list, other.as_bytes()), None, "{other:?} in {list:?}");
            }
        }
    }

    #[test]
    fn values_may_be_anything_but_a_space() {
        let list = "amp;& comma;, fjlig;fj semi;; tab;\t wide;≧\u{338}";
        for (key, value) in [("semi", ";"), ("fjlig", "fj"), ("tab", "\t"), ("wide", "≧\u{338}")]
        {
            assert_eq!(find(list, key.as_bytes()), Some(value));
        }
        for other in ["semi;", "semi;;", "fj", "&", "fjlig;fj", "\u{338}"] {
            assert_eq!(find(list, other.as_bytes()), None, "{other}");
        }
    }
}
