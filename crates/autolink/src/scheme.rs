//! The schemes of a bare URL: `http`, `https` and `ftp`, in every dialect. Whether case matters
//! depends on the dialect.
//!
//! LINEAR: reads at most six bytes before the colon.

/// The longest scheme, `https`.
const MAX_LEN: usize = 5;

/// Whether `HTTP` is equal to `http`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// Any mixture of cases.
    Ignored,
    /// Lower case only.
    Exact,
}

/// The start of the scheme that ends at `colon`: the whole run of ASCII letters before it, back to
/// `floor`, has to be one of the schemes.
#[inline]
pub(crate) fn find_scheme(text: &[u8], floor: usize, colon: usize, case: Case) -> Option<usize> {
    let before = text.get(floor..colon)?;
    let mut tail = before.last_chunk::<MAX_LEN>().copied().unwrap_or_else(|| padded(before));
    if case == Case::Ignored {
        tail.make_ascii_lowercase();
    }
    let len = match &tail {
        b"https" => 5,
        [.., b'h', b't', b't', b'p'] => 4,
        [.., b'f', b't', b'p'] => 3,
        _ => return None,
    };
    let start = before.len() - len;
    let is_whole = start == 0 || !before[start - 1].is_ascii_alphabetic();
    is_whole.then_some(floor + start)
}

/// Text shorter than the longest scheme, padded with zeros on the left.
#[cold]
fn padded(before: &[u8]) -> [u8; MAX_LEN] {
    let mut tail = [0; MAX_LEN];
    if let Some(end) = tail.get_mut(MAX_LEN - before.len().min(MAX_LEN)..) {
        end.copy_from_slice(&before[before.len() - end.len()..]);
    }
    tail
}

#[cfg(test)]
mod tests {
    use super::{Case, find_scheme};

    #[test]
    fn only_whole_words() {
        let find = |text: &str, case| find_scheme(text.as_bytes(), 0, text.len(), case);
        assert_eq!(find("http", Case::Exact), Some(0));
        assert_eq!(find("(https", Case::Exact), Some(1));
        assert_eq!(find("1ftp", Case::Exact), Some(1));
        assert_eq!(find("sftp", Case::Exact), None);
        assert_eq!(find("xhttp", Case::Ignored), None);
        assert_eq!(find("HtTp", Case::Ignored), Some(0));
        assert_eq!(find("HTTP", Case::Exact), None);
        assert_eq!(find("", Case::Exact), None);
    }

    #[test]
    fn not_beyond_the_floor() {
        assert_eq!(find_scheme(b"xhttp", 1, 5, Case::Exact), Some(1));
        assert_eq!(find_scheme(b"http", 1, 4, Case::Exact), None);
    }
}
