//! Autolinks in angle brackets (CommonMark §6.5).
//!
//! ```text
//! url   = "<" letter 1*31(letter | digit | "+" | "." | "-") ":" (not control, space, "<", ">")* ">"
//! email = "<" 1*(letter | digit | one of .!#$%&'*+/=?^_`{|}~-) "@" label *("." label) ">"
//! ```
//!
//! LINEAR: each scan ends at the next `<` at the latest, where another may start.

use barelink_text::set::ByteSet;

const SCHEME: ByteSet =
    ByteSet::of(b"+.-").add_range(b'a', b'z').add_range(b'A', b'Z').add_range(b'0', b'9');
const LOCAL: ByteSet = ByteSet::of(b".!#$%&'*+/=?^_`{|}~-")
    .add_range(b'a', b'z')
    .add_range(b'A', b'Z')
    .add_range(b'0', b'9');

const MIN_SCHEME: usize = 2;
const MAX_SCHEME: usize = 32;
const MAX_LABEL: usize = 63;

/// The end of the autolink that starts with the `<` at `start`.
pub(crate) fn scan_url(text: &[u8], start: usize) -> Option<usize> {
    let scheme = start + 1;
    if !text.get(scheme)?.is_ascii_alphabetic() {
        return None;
    }
    let mut at = scheme;
    while at <= scheme + MAX_SCHEME && SCHEME.contains(*text.get(at)?) {
        at += 1;
    }
    if !(MIN_SCHEME..=MAX_SCHEME).contains(&(at - scheme)) || text[at] != b':' {
        return None;
    }
    loop {
        at += 1;
        match *text.get(at)? {
            b'>' => return Some(at + 1),
            0..=b' ' | b'<' | 0x7F => return None,
            _ => {}
        }
    }
}

/// The end of the e-mail autolink that starts with the `<` at `start`.
pub(crate) fn scan_email(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    while LOCAL.contains(*text.get(at)?) {
        at += 1;
    }
    if at == start + 1 || text[at] != b'@' {
        return None;
    }
    loop {
        let label = at + 1;
        at = label;
        while matches!(text.get(at)?, byte if byte.is_ascii_alphanumeric() || *byte == b'-') {
            at += 1;
        }
        let len = at - label;
        if len == 0 || len > MAX_LABEL || text[label] == b'-' || text[at - 1] == b'-' {
            return None;
        }
        match text[at] {
            b'>' => return Some(at + 1),
            b'.' => {}
            _ => return None,
        }
    }
}
